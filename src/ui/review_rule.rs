//! The rule above a review: what is newer, what is compared, and what is shown otherwise than usual.

use ratatui::text::Span;

use super::{
    chrome::{Split, age, count, span},
    theme::Theme,
};
use crate::{
    app::{
        Model,
        review::{ReviewScreen, View, how_much},
        review_comments::count_elsewhere,
    },
    review::{
        Against, count_of,
        stream::{Layout, Long, Space},
        visible::visible,
    },
};

/// Says when the shadow has gone on since this page was read, and what is shown otherwise than usual;
/// nothing else moves.
pub(super) fn draw(model: &Model, theme: &Theme) -> Split {
    let Some(screen) = &model.review else { return Split::default() };
    let Some(page) = &screen.whole else { return Split::default() };
    let mut split = Split::default();
    if let Some(newer) = &screen.newer {
        let what = match newer.files {
            Some(files) => format!("{} changed", count(files, "file")),
            None => "changed".to_owned(),
        };
        let dot = theme.glyphs.dot;
        let takes = if newer.files == Some(1) { "R takes it" } else { "R takes them" };
        let text = if model.viewport.is_small() {
            format!("{what} {dot} {takes}")
        } else {
            let ago = age(model.now_ms, page.read_at_ms);
            format!("{what} since this page of {ago} ago {dot} {takes} and keeps your place")
        };
        split.left.push(span(&text, theme.attention));
    }
    let said = said(model, screen);
    let mut spans = compared(screen, theme);
    if !said.is_empty() {
        let text = said.join(&format!(" {} ", theme.glyphs.dot));
        let style = if split.left.is_empty() { theme.text } else { theme.quiet };
        if !spans.is_empty() {
            spans.push(span(&format!(" {} ", theme.glyphs.dot), theme.quiet));
        }
        spans.push(span(&text, style));
    }
    if split.left.is_empty() {
        split.left = spans;
    } else {
        split.right = spans;
    }
    if split.right.is_empty()
        && let Some(base) = base(screen)
    {
        split.right.push(span(&base, theme.quiet));
    }
    split
}

/// What is shown otherwise than usual, part by part.
fn said(model: &Model, screen: &ReviewScreen) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(part) = how_much(model) {
        said.push(format!("lands {part}"));
    }
    match (screen.view, &screen.picked) {
        (View::Commits, Some(picked)) => said.push(picked.words.clone()),
        (View::All | View::Against, _) => {}
        (view, _) => said.push(format!("view {}{}", view.words(), how_many(screen))),
    }
    let row = model.fleet.find(&screen.id);
    if row.is_some_and(|row| row.carried.is_some())
        && matches!(screen.view, View::All | View::Committed)
    {
        said.push("with your own uncommitted work, carried in".to_owned());
    }
    if screen.space == Space::Ignored {
        said.push("white space ignored".to_owned());
    }
    if screen.long == Long::Wraps {
        said.push("wrapped".to_owned());
    }
    let layout = screen.choices.layout;
    if model.memory.marks.layout.is_some()
        && layout != screen.layout_by_width(model.viewport.columns)
    {
        let words = if layout == Layout::Beside { "side by side" } else { "one column" };
        said.push(words.to_owned());
    }
    if screen.scroll > 0 {
        said.push(format!("from column {}", screen.scroll + 1));
    }
    if !screen.hidden.is_empty() {
        said.push(format!("{} read hidden", screen.hidden.len()));
    }
    let elsewhere = count_elsewhere(screen);
    if elsewhere > 0 {
        said.push(format!("{} in files not shown here", count(elsewhere, "comment")));
    }
    if let Some(search) = &screen.search {
        let found = count(search.rows.len(), "matching line");
        let folded = match search.folded_count() {
            0 if search.is_cut => ", more is folded: Enter looks there".to_owned(),
            0 => String::new(),
            folded if search.is_cut => format!(", {folded} folded and more: Enter counts all"),
            folded => format!(", {folded} folded"),
        };
        said.push(format!("{found}{folded} of {}{}", search.needle, search.unread_words()));
    }
    said
}

/// `, 2 of 8 files; read counts all` of a view that does not show them all.
fn how_many(screen: &ReviewScreen) -> String {
    match (&screen.page, &screen.whole) {
        (Some(page), Some(whole)) if page.files.len() < whole.files.len() => {
            let files = count_of(page.files.len(), whole.files.len(), "file");
            format!(", {files}; read counts all")
        }
        _ => String::new(),
    }
}

/// What the lines of this view are counted from, where the view's own name does not say it.
fn base(screen: &ReviewScreen) -> Option<String> {
    let whole = screen.whole.as_ref()?;
    match screen.view {
        View::All | View::Committed => Some(format!("base {}", whole.base.abbreviated())),
        View::Uncommitted => Some(format!("tip {}", whole.tip.abbreviated())),
        View::Since | View::Commits | View::Against => None,
    }
}

/// Both sides of a comparison, by name and in their roles: nothing of it lands.
fn compared(screen: &ReviewScreen, theme: &Theme) -> Vec<Span<'static>> {
    let (View::Against, Some(against), Some(page)) =
        (screen.view, &screen.against, screen.comparison())
    else {
        return Vec::new();
    };
    let mut old = visible(against.words().as_bytes());
    if !matches!(against, Against::Shadow(_)) {
        old = format!("{old} {}", page.base.abbreviated());
    }
    let [left, right] = match screen.choices.layout {
        Layout::Beside => ["left ", "   right "],
        Layout::Unified => ["- ", "   + "],
    };
    vec![
        span(left, theme.quiet),
        span(&old, theme.target),
        span(right, theme.quiet),
        span(&screen.id.0, theme.shadow),
        span("   compared, not what lands", theme.quiet),
    ]
}
