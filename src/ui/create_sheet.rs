//! A new shadow: what it is called, and where it will be.

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
    create_sheet::{CreateSheet, Face},
};

pub fn draw(model: &Model, sheet: &CreateSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let split = Split { left: vec![span("New shadow", bold(theme.text))], right: Vec::new() };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let fact = |label: &str, value: Vec<Span<'static>>| {
        let mut spans = vec![Span::styled(format!("  {label:<9}"), theme.quiet)];
        spans.extend(value);
        Line::from(clip_spans(spans, area.width.into(), theme))
    };
    let text = |text: &str| vec![span(text, theme.text)];
    let name = sheet.name();
    let made = |prefix: &str| match name {
        "" => format!("{prefix}<name>"),
        name => format!("{prefix}{name}"),
    };
    let mut lines = vec![fact(
        "name",
        vec![
            span(&sheet.prompt.text, bold(theme.text)),
            span(theme.glyphs.cursor, theme.focus),
            span(
                if name.is_empty() {
                    " type one; left empty, two words are chosen, as calm-heron"
                } else {
                    ""
                },
                theme.quiet,
            ),
        ],
    )];
    match &sheet.face {
        Face::Asking => lines.extend([
            fact("branch", text(&made("aide-shadow/"))),
            fact("worktree", text(&made(".aide/worktrees/"))),
            fact("holds", text("your HEAD, and what you have not committed; your files stay")),
            fact("hooks", text("no hook runs")),
        ]),
        Face::Running => {
            lines.push(fact("step", text(&model.running.words())));
        }
        Face::Refused(report) => {
            let room = usize::from(area.width).saturating_sub(12);
            let mut push = |label: &str, said: &str, style| {
                for (index, part) in chrome::wrap(said, room).iter().enumerate() {
                    let label = if index == 0 { label } else { "" };
                    lines.push(fact(label, vec![span(part, style)]));
                }
            };
            push("why", &report.headline, theme.attention);
            push("safe", "nothing was made", theme.text);
            if let Some(hint) = &report.hint {
                push("next", hint, theme.text);
            }
        }
    }
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    draw_lines(lines, inner, frame);
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(Sheet::Create(sheet)) = model.sheets.last() else { return (Vec::new(), Vec::new()) };
    let hint = |name: &str, label: &str| Hint::of(model, Context::CreateSheet, name, label);
    let make = if sheet.is_running() { None } else { hint("confirm.create", "make it") };
    let typing = (!sheet.is_running()).then(|| Hint::of_keys("a-z 0-9 -", "name"));
    let hints = [make, typing, hint("leave.sheet", "leave")];
    (hints.into_iter().flatten().collect(), Vec::new())
}
