//! Help: the rows of the command table that hold where it was asked for.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, rule, span},
    theme::Theme,
};
use crate::app::{Context, Model, help::HelpSheet};

const KEYS_CELLS: usize = 24;

pub fn draw(model: &Model, sheet: &HelpSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let title = format!("Keys: {}", sheet.about.title());
    let rows = sheet.rows();
    let place = format!("{} of {}", (sheet.cursor.index + 1).min(rows.len()), rows.len());
    let split = Split {
        left: vec![span(&title, bold(theme.text))],
        right: vec![span(&place, theme.quiet)],
    };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let keys_room = if area.width < 60 { KEYS_CELLS / 2 } else { KEYS_CELLS };
    let lines = rows.iter().enumerate().skip(sheet.cursor.top).map(|(index, command)| {
        let is_cursor = index == sheet.cursor.index;
        let style = if sheet.is_match(model, command) {
            theme.attention
        } else if (command.refusal)(model).is_some() {
            theme.quiet
        } else {
            theme.text
        };
        let keys = model.keymap.keys_of(command).join("  ");
        let keys = if keys.is_empty() { format!(":{}", command.name) } else { keys };
        let spans = vec![
            span(if is_cursor { theme.glyphs.cursor } else { " " }, theme.focus),
            Span::raw(" "),
            Span::styled(cells::fit(&keys, keys_room, theme), theme.focus),
            Span::raw(" "),
            Span::styled(command.help, if is_cursor { bold(style) } else { style }),
        ];
        Line::from(chrome::clip_spans(spans, area.width.into(), theme))
    });
    draw_lines(lines.collect(), inner, frame);
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Help, name, label);
    let hints = [
        hint("run.found", "do it"),
        hint("quit.help", "close"),
        hint("search.text", "search"),
        Some(Hint::of_keys("j k", "move")),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}
