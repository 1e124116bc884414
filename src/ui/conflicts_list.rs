//! The conflict files and what was chosen for each: beside the parts, or dropped over them.

use ratatui::{buffer::Buffer, layout::Rect, text::Span};

use super::{
    cells,
    chrome::bold,
    diff_rows::{Cursor, draw_cursor, draw_ends},
    theme::Theme,
};
use crate::{
    app::{Model, conflicts::ConflictsScreen},
    review::{
        ConflictFile, ConflictKind, ConflictPage, Resolution,
        name::visible_name,
        weave::{Decided, Take},
    },
};

/// Cells of the list when it lies over the parts.
pub const OVER_CELLS: u16 = 40;

/// In a word or two, for the list and the head of the result.
pub fn choice_words(choice: &Resolution, file: &ConflictFile, page: &ConflictPage) -> String {
    let gone = match file.conflict.kind {
        ConflictKind::FileDirectory => "directory",
        ConflictKind::DirectoryRename => "left out",
        _ => "deleted",
    };
    match choice {
        Resolution::Delete => gone.to_owned(),
        Resolution::Target if file.conflict.sides()[1].is_none() => gone.to_owned(),
        Resolution::Shadow if file.conflict.sides()[2].is_none() => gone.to_owned(),
        Resolution::Target => format!("{}'s", page.target),
        Resolution::Shadow => format!("{}'s", page.id),
        Resolution::Base => "as before both".to_owned(),
        Resolution::Union => "both".to_owned(),
        Resolution::Content(_) | Resolution::Text(_) => "edited".to_owned(),
        Resolution::Beside(_) if file.conflict.moved_from.is_some() => "not moved".to_owned(),
        Resolution::Beside(_) => "both files".to_owned(),
        Resolution::Places(decided) => places_words(decided, page),
    }
}

/// Whose lines stand in all places, if that is one side.
fn places_words(decided: &[Decided], page: &ConflictPage) -> String {
    let all = |take: &Take| decided.iter().all(|decided| decided.take == *take);
    if all(&Take::Target) {
        format!("{}'s", page.target)
    } else if all(&Take::Shadow) {
        format!("{}'s", page.id)
    } else if decided.iter().any(|decided| matches!(decided.take, Take::Text(_))) {
        "edited".to_owned()
    } else if all(&Take::Base) {
        "as before both".to_owned()
    } else if all(&Take::Both) || all(&Take::Swapped) {
        "both".to_owned()
    } else {
        "by place".to_owned()
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
        let words = choice_words(choice, file, page);
        let words = if words == format!("{}'s", page.id) { "shadow's".to_owned() } else { words };
        let words = if file.is_reused { format!("{words} again") } else { words };
        let share = if file.is_reused { 2 } else { 3 };
        let words = cells::clip(&words, width / share, theme);
        (theme.glyphs.done, Span::styled(format!("{words} "), theme.quiet))
    } else {
        let made = file.takes.iter().filter(|take| take.is_some()).count();
        let right = match file.takes.len() {
            0 | 1 => format!("{} ", short_kind(file.conflict.kind)),
            places => format!("{made}/{places} "),
        };
        (theme.glyphs.conflict, Span::styled(right, theme.attention))
    };
    let is_open = file.conflict.resolution.is_none();
    let (mark_style, name_style) = match (is_open, cursor) {
        (false, Cursor::Here) => (theme.quiet, theme.text),
        (false, _) => (theme.quiet, theme.quiet),
        (true, Cursor::Here) => (theme.attention, bold(theme.text)),
        (true, _) => (theme.attention, theme.text),
    };
    let room = width.saturating_sub(cells::width(&right.content) + 4);
    let name = cells::clip_middle(&visible_name(file.conflict.path.as_bytes()), room, theme);
    let left = vec![Span::styled(mark, mark_style), Span::raw(" "), Span::styled(name, name_style)];
    draw_ends(inner, left, vec![right], buf);
}
