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
    review::{ConflictFile, ConflictPage, Resolution},
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

pub fn draw(
    model: &Model,
    screen: &ConflictsScreen,
    page: &ConflictPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let height = usize::from(area.height);
    let middle = screen.cursor.saturating_sub(height / 2);
    let top = middle.min(page.files.len().saturating_sub(height));
    let has_keys = screen.is_in_files(model.viewport);
    for (offset, (index, file)) in (0..area.height).zip(page.files.iter().enumerate().skip(top)) {
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
    let (mark, right) = match &file.conflict.resolution {
        Some(choice) => {
            let words = choice_words(choice, file, page);
            let words = cells::clip(&words, width / 2, theme);
            (theme.glyphs.done, Span::styled(format!("{words} "), theme.quiet))
        }
        None => {
            let kind = format!("{} ", file.conflict.kind.as_str());
            (theme.glyphs.conflict, Span::styled(kind, theme.attention))
        }
    };
    let is_open = file.conflict.resolution.is_none();
    let (mark_style, name_style) = match (is_open, cursor) {
        (false, Cursor::Here) => (theme.quiet, theme.text),
        (false, _) => (theme.quiet, theme.quiet),
        (true, Cursor::Here) => (theme.attention, bold(theme.text)),
        (true, _) => (theme.attention, theme.text),
    };
    let room = width.saturating_sub(cells::width(&right.content) + 4);
    let name = cells::clip_middle(&file.conflict.path.to_lossy(), room, theme);
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
