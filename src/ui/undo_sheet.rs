//! Taking back what moves a branch: drawn first, then `Enter`.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, bold, clip_spans, draw_line, draw_lines, rule, span},
    theme::Theme,
};
use crate::app::{
    Context, Model, Sheet,
    undo_sheet::{Face, UndoSheet, noun, title},
};

pub fn draw(model: &Model, sheet: &UndoSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    frame.buffer_mut().set_style(area, theme.text);
    let blank = " ".repeat(area.width.into());
    draw_lines(vec![Line::raw(blank); area.height.into()], area, frame);
    let head = match &sheet.face {
        Face::Planned(plan) | Face::Running(plan) => title(plan),
        Face::Refused(_) => "Not taken back".to_owned(),
        Face::Waiting | Face::Planning => "Take back the newest operation".to_owned(),
    };
    let split = Split { left: vec![span(&head, bold(theme.text))], right: Vec::new() };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let text = |text: &str, style| {
        let spans = vec![Span::raw("  "), span(text, style)];
        Line::from(clip_spans(spans, area.width.into(), theme))
    };
    let lines = match &sheet.face {
        Face::Waiting => vec![text("waits for the write that runs", theme.quiet)],
        Face::Planning => vec![text("working it out", theme.quiet)],
        Face::Planned(plan) => {
            let names: Vec<String> = plan.shadows.iter().map(ToString::to_string).collect();
            vec![
                text(
                    &format!("undoes   the {} of {}", noun(&plan.verb), names.join(", ")),
                    theme.text,
                ),
                text("brings   every file, edit and commit of it back", theme.text),
                text("keeps    your own edits; what is in the way is refused by name", theme.text),
            ]
        }
        Face::Refused(report) => {
            let room = usize::from(area.width).saturating_sub(3);
            let wrapped = |said: &str, style| {
                chrome::wrap(said, room).iter().map(|part| text(part, style)).collect::<Vec<_>>()
            };
            let mut lines = wrapped(&report.headline, theme.attention);
            for cause in &report.causes {
                lines.extend(wrapped(cause, theme.text));
            }
            let safe = report.safe.as_deref().unwrap_or("nothing was changed");
            lines.extend(wrapped(safe, theme.text));
            if let Some(hint) = &report.hint {
                lines.extend(wrapped(hint, theme.text));
            }
            lines
        }
        Face::Running(_) => {
            vec![text(&format!("step     {}", model.progress.unwrap_or("started")), theme.text)]
        }
    };
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    draw_lines(lines, inner, frame);
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(Sheet::Undo(sheet)) = model.sheets.last() else { return (Vec::new(), Vec::new()) };
    let hint = |name: &str, label: &str| Hint::of(model, Context::UndoSheet, name, label);
    let confirm = match sheet.face {
        Face::Planned(_) => hint("confirm.take-back", "take it back"),
        _ => None,
    };
    let hints = [confirm, hint("leave.sheet", "leave"), hint("help.keys", "keys")];
    (hints.into_iter().flatten().collect(), Vec::new())
}
