//! The conflict files and what was chosen for each: beside the parts, or dropped over them.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::Span,
    widgets::{Clear, Widget},
};

use super::{
    cells,
    chrome::bold,
    diff_rows::{Cursor, draw_cursor, draw_ends},
    review::draw_border,
    theme::Theme,
};
use crate::{
    app::{Model, conflicts::ConflictsScreen},
    review::{ConflictFile, ConflictKind, ConflictPage, Resolution, visible::visible},
};

/// Cells of the list when it lies over the parts.
const OVER_CELLS: u16 = 40;

/// In a word or two, for the list and the head of the result.
pub fn choice_words(choice: &Resolution, file: &ConflictFile, page: &ConflictPage) -> String {
    match choice {
        Resolution::Delete => "deleted".to_owned(),
        Resolution::Target if file.conflict.target.is_none() => "deleted".to_owned(),
        Resolution::Shadow if file.conflict.shadow.is_none() => "deleted".to_owned(),
        Resolution::Target => format!("{}'s", page.target),
        Resolution::Shadow => format!("{}'s", page.id),
        Resolution::Base => "as before both".to_owned(),
        Resolution::Union => "both".to_owned(),
        Resolution::Content(_) => "edited".to_owned(),
    }
}

/// Room for the name matters more; the whole kind stands in the title.
fn short_kind(kind: ConflictKind) -> &'static str {
    match kind {
        ConflictKind::ModifyDelete | ConflictKind::RenameDelete => "deleted",
        ConflictKind::RenameRename | ConflictKind::DirectoryRename => "renamed",
        ConflictKind::FileDirectory => "file/dir",
        ConflictKind::DistinctTypes => "types",
        kind => kind.as_str(),
    }
}

pub fn draw(
    model: &Model,
    screen: &ConflictsScreen,
    page: &ConflictPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let height = usize::from(area.height);
    let listed: Vec<_> =
        page.files.iter().enumerate().filter(|(index, _)| screen.is_listed(*index)).collect();
    let place = listed.iter().position(|(index, _)| *index == screen.cursor).unwrap_or(0);
    let top = place.saturating_sub(height / 2).min(listed.len().saturating_sub(height));
    let has_keys = screen.is_in_files(model.viewport);
    for (offset, (index, file)) in (0..area.height).zip(listed.into_iter().skip(top)) {
        let row = Rect { y: area.y + offset, height: 1, ..area };
        let cursor = match (index == screen.cursor, has_keys) {
            (false, _) => Cursor::Elsewhere,
            (true, false) => Cursor::Resting,
            (true, true) => Cursor::Here,
        };
        draw_file(file, page, cursor, theme, row, buf);
    }
}

fn draw_file(
    file: &ConflictFile,
    page: &ConflictPage,
    cursor: Cursor,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let inner = draw_cursor(area, cursor, theme, buf);
    let width = usize::from(inner.width);
    let (mark, right) = if let Some(choice) = &file.conflict.resolution {
        // The shadow's name is in the header.
        let is_shadow = *choice == Resolution::Shadow && file.conflict.shadow.is_some();
        let words =
            if is_shadow { "shadow's".to_owned() } else { choice_words(choice, file, page) };
        let words = cells::clip(&words, width / 3, theme);
        (theme.glyphs.done, Span::styled(format!("{words} "), theme.quiet))
    } else {
        let kind = format!("{} ", short_kind(file.conflict.kind));
        (theme.glyphs.conflict, Span::styled(kind, theme.attention))
    };
    let is_open = file.conflict.resolution.is_none();
    let (mark_style, name_style) = match (is_open, cursor) {
        (false, Cursor::Here) => (theme.quiet, theme.text),
        (false, _) => (theme.quiet, theme.quiet),
        (true, Cursor::Here) => (theme.attention, bold(theme.text)),
        (true, _) => (theme.attention, theme.text),
    };
    let room = width.saturating_sub(cells::width(&right.content) + 4);
    let name = cells::clip_middle(&visible(file.conflict.path.as_bytes()), room, theme);
    let left = vec![Span::styled(mark, mark_style), Span::raw(" "), Span::styled(name, name_style)];
    draw_ends(inner, left, vec![right], buf);
}

/// Over the left of the parts, with a border at its right.
pub fn draw_over(
    model: &Model,
    screen: &ConflictsScreen,
    page: &ConflictPage,
    theme: &Theme,
    body: Rect,
    buf: &mut Buffer,
) {
    let width = OVER_CELLS.min(body.width.saturating_sub(1));
    let area = Rect { width, ..body };
    Clear.render(Rect { width: width + 1, ..body }.intersection(body), buf);
    buf.set_style(area, theme.text);
    draw(model, screen, page, theme, area, buf);
    draw_border(Rect { x: area.right(), width: 1, ..body }.intersection(body), theme, buf);
}
