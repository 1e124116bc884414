//! Help: the rows of the command table that hold where it was asked for.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{Split, bold, draw_line, draw_lines, rule, span},
    theme::Theme,
};
use crate::app::help::HelpSheet;

const KEYS_CELLS: usize = 24;

pub fn draw(sheet: &HelpSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    let blank = " ".repeat(area.width.into());
    frame.buffer_mut().set_style(area, theme.text);
    draw_lines(vec![Line::raw(blank); area.height.into()], area, frame);
    let title = format!("Keys: {}", sheet.about.title());
    let split = Split { left: vec![span(&title, bold(theme.text))], right: Vec::new() };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let rows = sheet.rows();
    let lines = rows.iter().skip(sheet.top).map(|command| {
        Line::from(vec![
            Span::styled(format!("  {:<KEYS_CELLS$}", command.keys.join("  ")), theme.focus),
            Span::styled(command.help, theme.text),
        ])
    });
    draw_lines(lines.collect(), inner, frame);
}
