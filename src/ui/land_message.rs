//! The message that will land, read or being edited.

use ratatui::{
    Frame,
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Split, clip_spans, draw_line, draw_lines, span},
    code::{Code, code_line},
    theme::Theme,
};
use crate::{
    app::{Model, land_sheet::LandSheet},
    review::{LandPlan, pieces::Window},
    shadow::Strategy,
};

pub(super) fn draw(
    model: &Model,
    sheet: &LandSheet,
    theme: &Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if inner.is_empty() || (sheet.plan().is_none() && sheet.editor.is_none()) {
        return;
    }
    let left = vec![Span::styled("message", theme.quiet)];
    let (keys, style) = match sheet.editor {
        Some(_) => ("Esc or ctrl-s: done, kept", theme.focus),
        None => ("e here  E $EDITOR", theme.quiet),
    };
    let head = Split { left, right: vec![Span::styled(keys, style)] };
    let head = chrome::split_line(head, inner.width.into(), " ", theme);
    draw_line(head, Rect { height: 1, ..inner }, frame);
    let text = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    if let Some(editor) = &sheet.editor {
        let at = editor.cursor();
        draw_editor(editor.lines(), (at.0, at.1), theme, text, frame.buffer_mut());
        return;
    }
    let message = sheet.message();
    let lines = message
        .lines()
        .map(|line| Line::styled(cells::clip(line, text.width.into(), theme), theme.text));
    let mut lines: Vec<Line<'static>> = lines.collect();
    if let Some(plan) = sheet.plan() {
        let rows = usize::from(text.height);
        if lines.len() + 2 > rows {
            lines.truncate(rows.saturating_sub(2));
            lines.push(Line::styled(theme.glyphs.ellipsis, theme.quiet));
        } else {
            lines.resize(rows.saturating_sub(1), Line::default());
        }
        let origin = cells::clip(&origin(model, plan), text.width.into(), theme);
        lines.push(Line::styled(origin, theme.quiet));
    }
    draw_lines(lines, text, frame);
}

/// Whose words they are.
fn origin(model: &Model, plan: &LandPlan) -> String {
    match model.memory.marks.drafts.get(&plan.id) {
        Some(draft) if draft.is_used => "yours · Backspace: the generated one".to_owned(),
        Some(_) => "the generated one · Backspace: yours".to_owned(),
        None => {
            // Uncommitted work and what was carried in have no message of the shadow's.
            let others = u32::from(plan.safety_net.is_some()) + u32::from(plan.carried.is_some());
            match plan.commits.saturating_sub(others) as usize {
                _ if plan.part.is_some() => "the generated one".to_owned(),
                _ if plan.strategy == Strategy::Rebase && plan.own_commit.is_some() => {
                    "of the commit of what is uncommitted; the others keep theirs".to_owned()
                }
                _ if plan.strategy == Strategy::Rebase => {
                    "not used: each commit keeps its own".to_owned()
                }
                0 => "generated: it has no commit of its own".to_owned(),
                own => format!("from {} of {}", chrome::count(own, "commit"), plan.id),
            }
        }
    }
}

/// The text area's own widget would write the text to the terminal as it is.
pub(super) fn draw_editor(
    lines: &[String],
    (row, column): (usize, usize),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
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
            buf.set_line(place.x, place.y, &Line::styled(text, theme.text), place.width);
            continue;
        }
        let before: String = line.chars().take(column).collect();
        let before = cells::safe(before.as_bytes(), usize::MAX);
        let at: String = line.chars().skip(column).take(1).collect();
        let after: String = line.chars().skip(column + 1).collect();
        // A cursor far to the right keeps the end in view.
        let hidden = (cells::width(&before) + 1).saturating_sub(width);
        let mut spans = Vec::new();
        let (mut offset, mut room) = (hidden, width.saturating_sub(1));
        if hidden > 0 {
            // It goes on to the left.
            let mark = theme.glyphs.ellipsis;
            (offset, room) = (hidden + cells::width(mark), room.saturating_sub(cells::width(mark)));
            spans.push(Span::styled(mark, theme.attention));
        }
        let window = Window { offset, width: room };
        let shown = code_line(Code::plain(before.as_bytes()), window, theme);
        spans.extend(shown.spans);
        let cursor = if at.is_empty() { " ".to_owned() } else { cells::safe(at.as_bytes(), 4) };
        spans.push(Span::styled(cursor, reversed(theme)));
        spans.push(span(&after, theme.text));
        let line = Line::from(clip_spans(spans, width, theme));
        buf.set_line(place.x, place.y, &line, place.width);
    }
}

fn reversed(theme: &Theme) -> ratatui::style::Style {
    theme.text.add_modifier(ratatui::style::Modifier::REVERSED)
}
