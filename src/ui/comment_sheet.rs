//! A comment as it is written, docked below the diff that it is on.

use ratatui::{Frame, layout::Rect, text::Span};

use super::{
    cells,
    chrome::{self, Hint, Split, bold, draw_line, rule, span},
    land_message::draw_editor,
    theme::Theme,
};
use crate::{
    app::comment_sheet::{CommentSheet, about_words},
    review::marks::About,
};

pub fn draw(sheet: &CommentSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    chrome::clear(area, theme, frame);
    if area.height == 0 {
        return;
    }
    let words = match sheet.about() {
        About::Spot(_) => format!("Comment on {}", about_words(sheet.about())),
        About::Reply(number) => format!("Answer to comment {number}"),
        About::Edit(number, _) => format!("Comment {number}"),
    };
    let others = sheet.abouts.len();
    let right =
        if others > 1 { vec![span("Tab line, hunk, file", theme.quiet)] } else { Vec::new() };
    let room = usize::from(area.width).saturating_sub(chrome::width_of(&right) + 8);
    let left = vec![span(&cells::clip_middle(&words, room, theme), bold(theme.text))];
    draw_line(rule(Split { left, right }, area.width, theme), Rect { height: 1, ..area }, frame);
    let text = Rect {
        x: area.x + area.width.min(3),
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height - 1,
    };
    let at = sheet.editor.cursor();
    draw_editor(sheet.editor.lines(), (at.0, at.1), theme, text, frame.buffer_mut());
}

pub fn footer(sheet: &CommentSheet) -> (Vec<Hint>, Vec<Span<'static>>) {
    let mut hints = vec![
        Hint::of_keys("Esc ctrl-s", "keep it"),
        Hint::of_keys("ctrl-c", "leave a draft"),
        Hint::of_keys("Enter", "new line"),
        Hint::of_keys("ctrl-_", "undo"),
    ];
    if sheet.abouts.len() > 1 {
        hints.push(Hint::of_keys("Tab", "what it is on"));
    }
    (hints, Vec::new())
}
