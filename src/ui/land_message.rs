//! The message that will land, read or being edited.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{clip_spans, draw_line, draw_lines, span},
    theme::Theme,
};
use crate::{app::land_sheet::LandSheet, review::pieces::Window};

pub(super) fn draw(sheet: &LandSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if inner.is_empty() || (sheet.plan().is_none() && sheet.editor.is_none()) {
        return;
    }
    let (label, style) = match sheet.editor {
        Some(_) => ("message   Esc or ctrl-s: done, kept", theme.focus),
        None => ("message   e edits it here", theme.quiet),
    };
    draw_line(Line::styled(label, style), Rect { height: 1, ..inner }, frame);
    let text = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    if let Some(editor) = &sheet.editor {
        let at = editor.cursor();
        draw_editor(editor.lines(), (at.0, at.1), theme, text, frame);
        return;
    }
    let message = sheet.message();
    let lines = message
        .lines()
        .map(|line| Line::styled(cells::clip(line, text.width.into(), theme), theme.text));
    draw_lines(lines.collect(), text, frame);
}

/// The text area's own widget would write the text to the terminal as it is.
fn draw_editor(
    lines: &[String],
    (row, column): (usize, usize),
    theme: &Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let (rows, width) = (usize::from(area.height), usize::from(area.width));
    if rows == 0 || width == 0 {
        return;
    }
    let top = (row + 1).saturating_sub(rows);
    for (offset, (index, line)) in (0..area.height).zip(lines.iter().enumerate().skip(top)) {
        let place = Rect { y: area.y + offset, height: 1, ..area };
        if index != row {
            let text = cells::clip(line, width, theme);
            draw_line(Line::styled(text, theme.text), place, frame);
            continue;
        }
        let before: String = line.chars().take(column).collect();
        let before = cells::safe(before.as_bytes(), usize::MAX);
        let at: String = line.chars().skip(column).take(1).collect();
        let after: String = line.chars().skip(column + 1).collect();
        // A cursor far to the right keeps the end in view.
        let hidden = (cells::width(&before) + 1).saturating_sub(width);
        let window = Window { offset: hidden, width: width.saturating_sub(1) };
        let shown = cells::code_line(cells::Code::plain(before.as_bytes()), window, theme);
        let mut spans = shown.spans;
        let cursor = if at.is_empty() { " ".to_owned() } else { cells::safe(at.as_bytes(), 4) };
        spans.push(Span::styled(cursor, reversed(theme)));
        spans.push(span(&after, theme.text));
        draw_line(Line::from(clip_spans(spans, width, theme)), place, frame);
    }
}

fn reversed(theme: &Theme) -> ratatui::style::Style {
    theme.text.add_modifier(ratatui::style::Modifier::REVERSED)
}
