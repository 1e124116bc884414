//! The land sheet: the same lines in the same order each time, facts only.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, age, bold, clip_spans, draw_line, draw_lines, rule, span},
    land_message,
    layout::WIDE,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        land_sheet::{Face, LandSheet},
    },
    report::Report,
    review::LandPlan,
    shadow::Strategy,
};

/// Cells of the label before each fact.
const LABEL_CELLS: usize = 11;

pub fn draw(model: &Model, sheet: &LandSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    frame.buffer_mut().set_style(area, theme.text);
    let blank = " ".repeat(area.width.into());
    draw_lines(vec![Line::raw(blank); area.height.into()], area, frame);
    draw_line(
        rule(title(model, sheet, theme), area.width, theme),
        Rect { height: 1, ..area },
        frame,
    );
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if area.width >= WIDE && sheet.plan().is_some() {
        let columns = area.width * 3 / 5;
        let facts = Rect { width: columns, ..inner };
        let message = Rect { x: inner.x + columns + 1, width: inner.width - columns - 1, ..inner };
        let room = Room { width: columns, shape: Shape::Beside };
        let lines = fact_lines(model, sheet, room, theme);
        draw_lines(scrolled(sheet, lines, facts, theme), facts, frame);
        for y in inner.top()..inner.bottom() {
            let cell = Rect { x: inner.x + columns, y, width: 1, height: 1 };
            draw_line(Line::styled(theme.glyphs.pane, theme.quiet), cell, frame);
        }
        let foot = Rect { x: inner.x + columns, y: inner.bottom(), width: 1, height: 1 };
        chrome::join_rule(foot, theme.glyphs.tee_up, theme, frame);
        land_message::draw(sheet, theme, message, frame);
    } else if sheet.editor.is_some() {
        land_message::draw(sheet, theme, inner, frame);
    } else {
        let room = Room { width: area.width, shape: Shape::Stacked };
        let lines = fact_lines(model, sheet, room, theme);
        draw_lines(scrolled(sheet, lines, inner, theme), inner, frame);
    }
}

/// The part that fits; what lies below it is counted in the last line, never just cut off.
fn scrolled(
    sheet: &LandSheet,
    lines: Vec<Line<'static>>,
    area: Rect,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let rows = usize::from(area.height);
    let top = sheet.top.min(lines.len().saturating_sub(rows));
    let below = lines.len() - top.min(lines.len());
    let mut shown: Vec<_> = lines.into_iter().skip(top).take(rows).collect();
    if below > rows
        && let Some(last) = shown.last_mut()
    {
        let text = format!("  {} more lines · j scrolls", below - rows + 1);
        *last = Line::styled(text, theme.attention);
    }
    shown
}

fn title(model: &Model, sheet: &LandSheet, theme: &Theme) -> Split {
    let target = sheet
        .plan()
        .map(|plan| plan.target.0.clone())
        .or_else(|| model.fleet.find(&sheet.id)?.target.as_ref().map(|target| target.0.clone()));
    let on = target.map_or_else(String::new, |target| format!(" on {target}"));
    let ago = |then_ms| age(model.now_ms, then_ms);
    let (verb, right) = match &sheet.face {
        Face::Planning => ("Land", "working it out".to_owned()),
        Face::Planned(_) => ("Land", format!("planned {} ago", ago(sheet.planned_at_ms))),
        Face::Refused(_) => ("Not landed:", String::new()),
        Face::Moved(_) => ("Not landed, something moved:", String::new()),
        Face::Running { since_ms, .. } => ("Landing", ago(*since_ms)),
    };
    let style = match &sheet.face {
        Face::Refused(_) | Face::Moved(_) => theme.attention,
        _ => theme.text,
    };
    Split {
        left: vec![span(&format!("{verb} {}{on}", sheet.id), bold(style))],
        right: if right.is_empty() { Vec::new() } else { vec![span(&right, theme.quiet)] },
    }
}

fn fact(label: &str, value: Vec<Span<'static>>, width: u16, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("  {label:<0$}", LABEL_CELLS - 2), theme.quiet)];
    spans.extend(value);
    Line::from(clip_spans(spans, width.into(), theme))
}

/// Where the facts go.
#[derive(Clone, Copy)]
struct Room {
    width: u16,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The message has a pane of its own.
    Beside,
    /// The message is one line among the facts, and two of them share one.
    Stacked,
}

fn fact_lines(model: &Model, sheet: &LandSheet, room: Room, theme: &Theme) -> Vec<Line<'static>> {
    let width = room.width;
    match &sheet.face {
        Face::Planning => vec![
            Line::default(),
            Line::styled(
                "  working it out: the result is made in the object store, nothing is touched",
                theme.quiet,
            ),
        ],
        Face::Planned(plan) => plan_lines(model, sheet, plan, room, theme),
        Face::Refused(report) => refusal_lines(sheet, report, width, theme),
        Face::Moved(report) => {
            let mut lines = refusal_lines(sheet, report, width, theme);
            lines.push(fact(
                "next",
                vec![span("R plans on what is there now", theme.text)],
                width,
                theme,
            ));
            lines
        }
        Face::Running { plan, .. } => running_lines(model, plan, width, theme),
    }
}

fn option_spans(sheet: &LandSheet, plan: &LandPlan, theme: &Theme) -> Vec<Span<'static>> {
    let mut spans = vec![Span::raw("  ")];
    for (index, strategy) in Strategy::ALL.into_iter().enumerate() {
        let chosen = plan.strategy == strategy;
        let style = if chosen { bold(theme.focus) } else { theme.quiet };
        spans.push(span(&format!("{} {}", index + 1, strategy.as_str()), style));
        spans.push(Span::raw("   "));
    }
    let keep = if sheet.options.keep { bold(theme.focus) } else { theme.quiet };
    let tick = if sheet.options.keep { theme.glyphs.mark } else { "" };
    spans.push(span(&format!("   4 keep the shadow{tick}"), keep));
    spans
}

/// How much of it has been read, as the list counts it.
fn read_of(model: &Model, sheet: &LandSheet, theme: &Theme) -> Vec<Span<'static>> {
    match model.fleet.read.get(&sheet.id) {
        None => vec![span("nothing of it yet", theme.attention)],
        Some(count) => {
            let style = if count.read == count.files { theme.text } else { theme.attention };
            let mut said = vec![span(&format!("{} of {} files", count.read, count.files), style)];
            if count.changed > 0 {
                let text = format!(", {} changed since", count.changed);
                said.push(span(&text, theme.attention));
            }
            said
        }
    }
}

fn plan_lines(
    model: &Model,
    sheet: &LandSheet,
    plan: &LandPlan,
    room: Room,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let Room { width, shape } = room;
    let text = |text: String| vec![span(&text, theme.text)];
    let arrow = theme.glyphs.arrow;
    let into = match plan.strategy {
        Strategy::Squash => "one commit".to_owned(),
        Strategy::Merge => "one merge commit".to_owned(),
        Strategy::Rebase => chrome::count(plan.commits as usize, "commit"),
    };
    let moves =
        format!("{} {arrow} {} {into}", plan.before.abbreviated(), plan.after.abbreviated());
    let mut goes_in = text(format!("{}  ", chrome::count(plan.files.len(), "file")));
    goes_in.push(span(&format!("+{}", plan.stats.insertions), theme.good));
    goes_in.push(span(&format!(" {}{}", theme.glyphs.minus, plan.stats.deletions), theme.bad));
    if plan.safety_net.is_some() {
        goes_in.push(span(", uncommitted work included", theme.text));
    }
    let then = match (plan.keep, &plan.branch) {
        (true, _) => "the shadow stays, moved onto the new target".to_owned(),
        (false, Some(branch)) => format!("shadow to trash, {branch} deleted; u brings back"),
        (false, None) => "shadow to trash; u brings back".to_owned(),
    };
    let mut lines = vec![
        Line::from(clip_spans(option_spans(sheet, plan, theme), width.into(), theme)),
        fact(&plan.target.0, text(moves), width, theme),
        fact("goes in", goes_in, width, theme),
    ];
    if shape == Shape::Stacked {
        let both = vec![
            span("nothing", theme.text),
            span("     runs  ", theme.quiet),
            span(&runs(plan), theme.text),
        ];
        lines.push(fact("left out", both, width, theme));
    } else {
        lines.push(fact("left out", text("nothing".to_owned()), width, theme));
        lines.push(fact("runs", text(runs(plan)), width, theme));
    }
    lines.push(fact("read", read_of(model, sheet, theme), width, theme));
    lines.push(fact("then", text(then), width, theme));
    if shape == Shape::Stacked {
        lines.extend(message_line(sheet, width, theme));
    }
    lines.extend(extra_lines(plan, width, theme));
    lines
}

fn runs(plan: &LandPlan) -> String {
    let Some(_) = plan.runs.first() else { return "no hooks".to_owned() };
    let unchanged = plan.needs_trust.first().map_or(", unchanged", |_| "");
    format!("{} ({}'s{unchanged})", plan.runs.join(", "), plan.target)
}

/// Only what is true is said.
fn extra_lines(plan: &LandPlan, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if !plan.resolved.is_empty() {
        let number = chrome::count(plan.resolved.len(), "file");
        let text = format!("{number} land as you resolved them");
        lines.push(fact("choices", vec![span(&text, theme.text)], width, theme));
    }
    if plan.edits_kept > 0 {
        let number = chrome::count(plan.edits_kept as usize, "edited file");
        let text = format!("  your {} keeps {number} that this does not touch", plan.target);
        lines.push(Line::from(clip_spans(vec![span(&text, theme.text)], width.into(), theme)));
    }
    let consents = plan.needs_trust.iter().map(|consent| &consent.words);
    for words in consents.chain(&plan.warnings) {
        let text = vec![span(&format!("  {words}"), theme.attention)];
        lines.push(Line::from(clip_spans(text, width.into(), theme)));
    }
    lines
}

/// Why not, what is safe, the way out.
fn refusal_lines(
    sheet: &LandSheet,
    report: &Report,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let safe = format!("{} and its target are as they were", sheet.id);
    let mut lines = vec![Line::default()];
    let mut push = |label: &str, text: &str, style| {
        let room = usize::from(width).saturating_sub(LABEL_CELLS + 1);
        for (index, part) in chrome::wrap(text, room).iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            lines.push(fact(label, vec![span(part, style)], width, theme));
        }
    };
    push("why", &report.headline, theme.attention);
    for cause in &report.causes {
        push("", cause, theme.text);
    }
    push("safe", &safe, theme.text);
    if let Some(hint) = &report.hint {
        push("next", hint, theme.text);
    }
    lines
}

fn running_lines(model: &Model, plan: &LandPlan, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let step = model.progress.unwrap_or("started");
    let moves = format!(
        "{} {} {} {}",
        plan.target,
        plan.before.abbreviated(),
        theme.glyphs.arrow,
        plan.after.abbreviated()
    );
    vec![
        Line::default(),
        fact("step", vec![span(step, bold(theme.text))], width, theme),
        fact("moves", vec![span(&moves, theme.text)], width, theme),
        Line::default(),
        Line::styled("  Esc goes on reading; a landing is never left half-done", theme.quiet),
    ]
}

fn message_line(sheet: &LandSheet, width: u16, theme: &Theme) -> Option<Line<'static>> {
    sheet.plan()?;
    let message = sheet.message();
    let mut lines = message.trim_end().lines();
    let subject = lines.next().unwrap_or_default();
    let more = lines.count();
    let mut value = vec![span(subject, theme.text)];
    if more > 0 {
        value.push(span(&format!("  (+{})", chrome::count(more, "line")), theme.quiet));
    }
    Some(fact("message", value, width, theme))
}

pub fn footer(model: &Model, theme: &Theme) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(crate::app::Sheet::Land(sheet)) = model.sheets.last() else {
        return (Vec::new(), Vec::new());
    };
    if sheet.editor.is_some() {
        return (
            vec![Hint::of_keys("Esc", "done, text kept"), Hint::of_keys("Enter", "new line")],
            Vec::new(),
        );
    }
    let hint = |name: &str, label: &str| Hint::of(model, Context::LandSheet, name, label);
    let strategies = Some(Hint::of_keys("1 2 3", "strategy"));
    let leave = hint("leave.sheet", if sheet.is_running() { "go on reading" } else { "leave" });
    let help = hint("help.keys", "keys");
    let hints = match &sheet.face {
        Face::Planning | Face::Running { .. } => vec![leave, help],
        Face::Planned(_) => vec![
            hint("confirm.landing", "land"),
            leave,
            strategies,
            hint("edit.message", "message"),
            hint("conflicts.show", "conflicts"),
            help,
        ],
        Face::Refused(_) | Face::Moved(_) => vec![
            hint("again.plan", "plan again"),
            leave,
            strategies,
            hint("option.keep", "keep the shadow"),
            hint("conflicts.show", "conflicts"),
            help,
        ],
    };
    let right = sheet.plan().and_then(|plan| {
        let why = plan.default_of.as_ref()?;
        Some(span(&format!("{}: default of {why} ", plan.strategy.as_str()), theme.quiet))
    });
    (hints.into_iter().flatten().collect(), right.into_iter().collect())
}
