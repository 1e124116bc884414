//! The head of a file in a review: its name, what changed in it, where in it one is, what is flagged, how far it is read.

use ratatui::{layout::Rect, text::Span};

use super::{
    cells,
    chrome::{clip_spans, width_of},
    diff_rows::{Pen, change_spans, draw_ends, name_style},
    layout::WIDE,
    theme::Theme,
};
use crate::{
    app::{
        Model,
        review::{Part as Share, ReviewScreen},
    },
    review::{
        Content, FileDiff, HunkLine, ReviewPage,
        enclosing::enclosing_in,
        name::visible_name,
        stream::{Place, StreamRow},
        ticks::Reading,
    },
};

/// In a wide pane the names of heads stand in a column of this width.
const NAME_CELLS: usize = 34;

/// What a head gives up, in this order, before anything in it is cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    /// The name, what changed in it, and what is left out.
    Name,
    /// Also which hunk.
    Hunk,
    /// The change in its column.
    Column,
    /// Also what the hunk lies in.
    All,
}

/// `! CI file: it runs with your secrets +1 more` and shorter ones of the same; none where nothing is flagged.
fn flag_texts(file: &FileDiff, theme: &Theme) -> Vec<String> {
    let Some(finding) = file.gravest() else { return Vec::new() };
    let sign = theme.glyphs.problem;
    let words = finding.flag.words();
    let more = match file.findings.len() - 1 {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let more_words = if more.is_empty() { String::new() } else { format!("{more} more") };
    vec![
        format!("{sign} {}{more_words} ", finding.sentence()),
        format!("{sign} {words}{more_words} "),
        format!("{sign} {words}{more} "),
    ]
}

pub(super) fn draw_head(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    place: Place,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let Some(file) = page.files.get(place.file) else { return };
    let width = usize::from(area.width);
    let room = width.saturating_sub(if width < 60 { 16 } else { 30 }).max(8);
    let state = match screen.reading(&model.memory.marks.ticks, place.file) {
        Reading::Unread => None,
        Reading::Read => Some((format!("{} read ", theme.glyphs.done), theme.quiet)),
        Reading::ChangedSince => Some(("changed since you looked ".to_owned(), theme.attention)),
    };
    let state = state.map(|(text, style)| Span::styled(text, style));
    let left = |kept, room| head_spans(model, screen, file, place, (kept, area.width, room), theme);
    let right = |text: Option<&String>| -> Vec<Span<'static>> {
        let flag = text.map(|text| Span::styled(text.clone(), theme.attention));
        let between = (flag.is_some() && state.is_some()).then(|| Span::raw(" "));
        flag.into_iter().chain(between).chain(state.clone()).collect()
    };
    let texts = flag_texts(file, theme);
    let texts: Vec<_> =
        if texts.is_empty() { vec![None] } else { texts.iter().map(Some).collect() };
    let usual = texts
        .iter()
        .flat_map(|text| [Kept::All, Kept::Column, Kept::Hunk].map(|kept| (kept, right(*text))));
    let short = texts.iter().rev().take(2).rev().map(|text| (Kept::Name, right(*text)));
    let fitting = usual.chain(short).map(|(kept, right)| (left(kept, room), right));
    let found = { fitting }.find(|(left, right)| {
        let gap = if right.is_empty() { 0 } else { 2 };
        width_of(left) + gap + width_of(right) <= width
    });
    let (left, right) = found.unwrap_or_else(|| {
        // The name keeps half of the row; what is right of it is cut last.
        let right = right(texts.last().copied().flatten());
        let others = width_of(&left(Kept::Name, 0)) + 2 + width_of(&right);
        (left(Kept::Name, width.saturating_sub(others).max(width / 2).min(room)), right)
    });
    let room = width.saturating_sub(width_of(&right) + 2);
    draw_ends(area, clip_spans(left, room, theme), right, buf);
}

/// The left of a head, with its name in so many cells.
fn head_spans(
    model: &Model,
    screen: &ReviewScreen,
    file: &FileDiff,
    place: Place,
    (kept, width, room): (Kept, u16, usize),
    theme: &Theme,
) -> Vec<Span<'static>> {
    let is_wide = width >= 80 && model.viewport.columns >= WIDE;
    let path = visible_name(file.change.path.as_bytes());
    let old = file.change.old_path.as_ref().map(|old| visible_name(old.as_bytes()));
    let name = match old {
        Some(old) => format!("{old} {} {path}", theme.glyphs.arrow),
        None => path,
    };
    let name = cells::clip_middle(&name, room, theme);
    let column = if is_wide && kept >= Kept::Column { NAME_CELLS } else { 0 };
    let pad = column.saturating_sub(cells::width(&name)) + 2;
    let mut left =
        vec![Span::raw(" "), Span::styled(name, name_style(theme)), Span::raw(" ".repeat(pad))];
    left.extend(change_spans(file, theme));
    if kept >= Kept::Hunk && !screen.choices.folded.contains(&place.file) {
        let around = (kept == Kept::All).then_some(if is_wide { 36 } else { 24 });
        left.extend(hunk_spans(model, file, place, screen, around, theme));
    }
    if kept >= Kept::Hunk
        && let Some(copied) = screen.copied_words(place.file)
    {
        left.push(Span::styled(format!("  {copied}"), theme.quiet));
    }
    if model.fleet.is_in_conflict(&screen.id, &file.change.path) {
        let text = format!("  {} in conflict", theme.glyphs.conflict);
        left.push(Span::styled(text, theme.attention));
    }
    let accepted = model.memory.marks.accepted.get(&screen.id);
    match screen.part_of_hunk(accepted, place.file, place.hunk) {
        Share::In => {}
        Share::Some => left.push(Span::styled("  in part left out", theme.target)),
        Share::Out => left.push(Span::styled("  left out", theme.target)),
    }
    left
}

/// Which hunk, and what it lies in, if that has room.
fn hunk_spans(
    model: &Model,
    file: &FileDiff,
    place: Place,
    screen: &ReviewScreen,
    around_cells: Option<usize>,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Content::Text { old, new, blocks } = &file.content else { return Vec::new() };
    if blocks.is_empty() {
        return Vec::new();
    }
    let hunks = screen.stream.files()[place.file].hunks.len();
    let ticks = &model.memory.marks.ticks;
    // Of a file that is read whole its own sign tells.
    let is_read = hunks > 1
        && screen.reading(ticks, place.file) != Reading::Read
        && screen.is_hunk_read(ticks, place.file, place.hunk);
    let read = if is_read { format!(" {}", theme.glyphs.done) } else { String::new() };
    let text = format!("  hunk {} of {hunks}{read}", place.hunk + 1);
    let mut spans = vec![Span::styled(text, theme.quiet)];
    let path = &file.change.path;
    let around = match place.row {
        StreamRow::Line(HunkLine { new_index: Some(index), .. })
        | StreamRow::Pair { new: Some(index), .. } => enclosing_in(path, new, index),
        StreamRow::Line(HunkLine { old_index: Some(index), .. })
        | StreamRow::Pair { old: Some(index), .. } => enclosing_in(path, old, index),
        _ => None,
    };
    if let Some((name, cells_max)) = around.zip(around_cells) {
        spans
            .push(Span::styled(format!("  {}", cells::clip(&name, cells_max, theme)), theme.quiet));
    }
    spans
}
