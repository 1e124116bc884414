//! The land sheet: its title, its place beside the message, its keys. What stands in it is in `land_facts` and
//! `land_faces`.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, age, bold, draw_line, draw_lines, rule, span},
    land_faces::{moved_lines, refusal_lines, running_lines},
    land_facts::{Room, Shape, consent_lines, plan_lines},
    land_message,
    layout::WIDE,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        land_moved::{Since, What},
        land_sheet::{Extent, Face, LandSheet},
    },
    report::{Code, Report},
    review::Verify,
};

pub fn draw(model: &Model, sheet: &LandSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    draw_line(
        rule(title(model, sheet, theme), area.width, theme),
        Rect { height: 1, ..area },
        frame,
    );
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let room = room(sheet, area.width);
    if room.shape == Shape::Beside {
        let columns = room.width;
        let facts = Rect { width: columns, ..inner };
        let message = Rect { x: inner.x + columns + 1, width: inner.width - columns - 1, ..inner };
        let lines = lines(model, sheet, room, theme);
        draw_lines(scrolled(sheet, lines, facts, theme), facts, frame);
        for y in inner.top()..inner.bottom() {
            let cell = Rect { x: inner.x + columns, y, width: 1, height: 1 };
            draw_line(Line::styled(theme.glyphs.pane, theme.quiet), cell, frame);
        }
        let foot = Rect { x: inner.x + columns, y: inner.bottom(), width: 1, height: 1 };
        chrome::join_rule(foot, theme.glyphs.tee_up, theme, frame);
        land_message::draw(model, sheet, theme, message, frame);
    } else if sheet.editor.is_some() {
        land_message::draw(model, sheet, theme, inner, frame);
    } else {
        let lines = lines(model, sheet, room, theme);
        draw_lines(scrolled(sheet, lines, inner, theme), inner, frame);
    }
    if matches!(sheet.face, Face::Planning) {
        // What was planned before is no plan any more.
        let quiet = theme.quiet.remove_modifier(ratatui::style::Modifier::BOLD);
        frame.buffer_mut().set_style(inner, quiet);
    }
}

fn room(sheet: &LandSheet, width: u16) -> Room {
    let has_receipt = matches!(sheet.face, Face::Planned(_) | Face::Planning);
    if width >= WIDE && has_receipt && sheet.plan().is_some() {
        Room { width: width * 3 / 5, shape: Shape::Beside }
    } else {
        Room { width, shape: Shape::Stacked }
    }
}

/// How many lines it has to show.
pub fn line_count(model: &Model, sheet: &LandSheet, width: u16, theme: &Theme) -> usize {
    if sheet.editor.is_some() {
        return 0;
    }
    lines(model, sheet, room(sheet, width), theme).len()
}

fn lines(model: &Model, sheet: &LandSheet, room: Room, theme: &Theme) -> Vec<Line<'static>> {
    let width = room.width;
    match (&sheet.face, sheet.plan()) {
        (Face::Planned(_) | Face::Planning, Some(plan)) => {
            plan_lines(model, sheet, plan, room, theme)
        }
        (Face::Running(plan), _) => running_lines(model, plan, width, theme),
        (Face::Refused(report), _) => refusal_lines(sheet, report, width, theme),
        (Face::Moved(moved), _) => moved_lines(sheet, moved, width, theme),
        (Face::Planned(_) | Face::Planning, None) => {
            let text =
                "  working it out: the result is made in the object store, nothing is touched";
            let mut lines = vec![Line::default(), Line::styled(text, theme.quiet)];
            lines.extend(consent_lines(sheet, width, theme));
            lines
        }
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
        let text = format!("  {} · j scrolls", chrome::count(below - rows + 1, "more line"));
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
    let id = &sheet.id;
    let (left, right) = match &sheet.face {
        Face::Planning => (format!("Land {id}{on}"), "working it out".to_owned()),
        Face::Planned(_) => {
            (format!("Land {id}{on}"), format!("planned {} ago", ago(sheet.planned_at_ms)))
        }
        Face::Refused(report) => {
            let said_no = report.details.get("hook").and_then(|hook| hook.as_str());
            let why = said_no.filter(|_| report.code == Code::HookRejected);
            let why = why.map_or_else(|| format!("{id}{on}"), |hook| format!("{hook} said no"));
            (format!("Not landed: {why}"), report.code.as_str().to_owned())
        }
        Face::Moved(moved) => (
            format!("Not landed: {id}{on}, something moved"),
            moved.report.code.as_str().to_owned(),
        ),
        Face::Running(_) => (format!("Landing {id}{on}"), ago(model.running.since_ms)),
    };
    let style = match &sheet.face {
        Face::Refused(_) | Face::Moved(_) => theme.attention,
        _ => theme.text,
    };
    Split { left: vec![span(&left, bold(style))], right: vec![span(&right, theme.quiet)] }
}

/// Another strategy may help; nothing else that refuses goes by it.
fn goes_by_strategy(report: &Report) -> bool {
    matches!(report.code, Code::Conflicts | Code::HookRejected)
        || report.details.contains_key("strategy")
}

pub fn footer(model: &Model, theme: &Theme) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(crate::app::Sheet::Land(sheet)) = model.sheets.last() else {
        return (Vec::new(), Vec::new());
    };
    if sheet.editor.is_some() {
        return (
            vec![
                Hint::of_keys("Esc", "done, text kept"),
                Hint::of_keys("Enter", "new line"),
                Hint::of_keys("ctrl-u", "clear the line"),
                Hint::of_keys("ctrl-_", "undo"),
            ],
            Vec::new(),
        );
    }
    let hint = |name: &str, label: &str| Hint::of(model, Context::LandSheet, name, label);
    let asks = sheet.lacks_consent();
    let consent = if asks { hint("tick.consent", "consent") } else { None };
    // A part of a shadow lands as one commit, however.
    let is_part = sheet.plan().is_some_and(|plan| plan.part.is_some());
    let is_whole = sheet.options.only.is_none() && !is_part;
    let strategies = is_whole.then(|| Hint::of_keys("1 2 3", "strategy"));
    let leave = hint("leave.sheet", "leave");
    let (whole, help) = (hint("why.plan", "whole plan"), hint("help.keys", "keys"));
    let hints = match &sheet.face {
        Face::Running(_) => {
            let stop = (!model.running.is_too_late()).then(|| hint("stop.landing", "cancel"));
            let leave = if model.viewport.is_small() { "read on" } else { "go on reading" };
            vec![hint("leave.sheet", leave), stop.flatten(), help]
        }
        Face::Planning => vec![leave, help],
        Face::Planned(plan) => {
            let conflicts = (!plan.resolved.is_empty()).then(|| hint("conflicts.show", "choices"));
            let land = hint("confirm.landing", "land");
            let message = hint("edit.message", "message");
            // What is to be done first stands first.
            let [first, second] = if asks { [consent, land] } else { [land, consent] };
            vec![first, second, leave, strategies, message, conflicts.flatten(), whole, help]
        }
        Face::Refused(report) => {
            let way_out = match report.code {
                Code::Conflicts => hint("conflicts.show", "conflicts"),
                Code::HookRejected if sheet.options.verify == Verify::Ask => {
                    hint("option.hooks", "land past hooks")
                }
                Code::InvalidMessage => hint("edit.message", "message"),
                Code::Locked | Code::ShadowBusy => hint("option.keep", "keep the shadow"),
                _ => None,
            };
            let all = match sheet.extent {
                Extent::Receipt => hint("why.plan", "all of it"),
                Extent::Whole => hint("why.plan", "less"),
            };
            let copy = hint("copy.plan", "copy all of this");
            let again = hint("again.plan", "plan again");
            let strategies = strategies.filter(|_| goes_by_strategy(report));
            vec![leave, consent, way_out, again, strategies, all, copy, help]
        }
        Face::Moved(moved) => {
            let label = match (moved.what, moved.since) {
                (What::Shadow, Since::Read) => "show just that",
                (What::Shadow, Since::Planned) => "plan anew",
                (What::Target, _) => "plan on it",
            };
            vec![hint("again.plan", label), leave, hint("copy.plan", "copy all of this"), help]
        }
    };
    let right = sheet.plan().filter(|_| !sheet.is_running()).and_then(|plan| {
        let why = plan.chosen_by.as_ref()?;
        Some(span(&format!("{}: {why} ", plan.strategy.as_str()), theme.quiet))
    });
    (hints.into_iter().flatten().collect(), right.into_iter().collect())
}
