//! What is longer than the bottom rule, in full.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, rule, span},
    theme::Theme,
};
use crate::app::{Context, Model, why_sheet::WhySheet};

/// Cells left and right of the text, together.
const MARGIN: usize = 6;

fn lines(sheet: &WhySheet, width: u16) -> Vec<String> {
    // Each part of an answer begins a line of its own; what has lines keeps them.
    let by = if sheet.text.contains('\n') { "\n" } else { " · " };
    let parts = sheet.text.split(by);
    parts.flat_map(|part| chrome::wrap(part, usize::from(width).saturating_sub(MARGIN))).collect()
}

pub(super) fn line_count(sheet: &WhySheet, width: u16) -> usize {
    lines(sheet, width).len()
}

/// With its title.
pub(super) fn rows(sheet: &WhySheet, body: Rect) -> u16 {
    let lines = line_count(sheet, body.width);
    u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(1).min(body.height)
}

pub fn draw(sheet: &WhySheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let lines = lines(sheet, area.width);
    let rows = usize::from(area.height - 1);
    let top = sheet.top.min(lines.len().saturating_sub(rows));
    let more = match lines.len().saturating_sub(top + rows) {
        0 => Vec::new(),
        more => vec![span(&format!("{more} more below"), theme.attention)],
    };
    let split = Split { left: vec![span(sheet.title, bold(theme.text))], right: more };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let lines = lines
        .iter()
        .skip(top)
        .map(|line| Line::from(vec![Span::raw("   "), span(line, theme.text)]));
    draw_lines(lines.collect(), Rect { y: area.y + 1, height: area.height - 1, ..area }, frame);
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Why, name, label);
    let scroll = (model.viewport.sheet_lines > model.viewport.sheet_rows)
        .then(|| Hint::of_keys("j k", "scroll"));
    let last = scroll.or_else(|| hint("help.keys", "keys"));
    let hints = [hint("copy.text", "copy all of this"), hint("quit.why", "close"), last];
    (hints.into_iter().flatten().collect(), Vec::new())
}
