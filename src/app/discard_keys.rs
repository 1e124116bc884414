//! The keys of the discard sheet.

use super::{
    Command, Context, Effect, Model,
    command::always,
    discard_sheet::{DiscardSheet, Face, Fold, Line, Section, discard, seen, sheet, step},
    help,
    job::Slot,
    list::half,
    running,
};

fn toggle(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let entry = sheet.entries().get(sheet.cursor.index).map(|e| (e.id.clone(), e.refused.clone()));
    let Some((id, refused)) = entry else { return Vec::new() };
    if let Some(reason) = refused {
        model.refuse(format!("{id} cannot be discarded now: {reason}"));
        return Vec::new();
    }
    sheet.changed.push(id.clone());
    if !sheet.ticked.remove(&id) {
        sheet.ticked.insert(id);
    }
    step(model, 1)
}

fn take_tick_back(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let Some(id) = sheet.changed.pop() else { return Vec::new() };
    if !sheet.ticked.remove(&id) {
        sheet.ticked.insert(id.clone());
    }
    let place = sheet.entries().iter().position(|entry| entry.id == id);
    sheet.cursor.index = place.unwrap_or(0);
    step(model, 0);
    model.say(format!("the tick of {id} is as it was"));
    Vec::new()
}

fn no_tick(model: &Model) -> Option<&'static str> {
    let has_tick = seen(model).is_some_and(|sheet| !sheet.changed.is_empty());
    (!has_tick).then_some("no tick was changed here")
}

fn switch_fold(model: &mut Model) -> Vec<Effect> {
    let columns = model.viewport.columns;
    if let Some(sheet) = sheet(model) {
        let is_folded = sheet.lines(columns).contains(&Line::Folded);
        sheet.fold = Some(if is_folded { Fold::Open } else { Fold::Folded });
    }
    step(model, 0)
}

fn no_fold(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    let has = |wanted| {
        sheet.entries().into_iter().any(|e| (Section::of(e) == Section::Elsewhere) == wanted)
    };
    (!has(true) || !has(false)).then_some("every row is shown")
}

/// Out; of a discard that runs: no more after the present one.
fn stop(model: &mut Model) -> Vec<Effect> {
    if seen(model).is_some_and(DiscardSheet::is_running) {
        running::ask_stop(model, "stopping after this one; what is done stays done")
    } else {
        leave(model)
    }
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let was_running = seen(model).is_some_and(DiscardSheet::is_running);
    model.sheets.pop();
    if was_running {
        model.say("it goes on discarding; the answer comes here");
    }
    model.jobs.cancel(Slot::PlanDiscard)
}

fn not_planned(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    match &sheet.face {
        Face::Planned(_) if sheet.ticked.is_empty() => Some("nothing is ticked"),
        Face::Planned(_) => None,
        Face::Waiting | Face::Planning => Some("still working it out"),
        Face::Refused(_) => Some("it cannot be done: the sheet says why"),
        Face::Running => Some("it is running"),
    }
}

fn say_why(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = seen(model) else { return Vec::new() };
    let id = sheet.entries().get(sheet.cursor.index).map(|entry| entry.id.clone());
    let why = id
        .and_then(|id| model.fleet.find(&id))
        .map(|row| super::group::why(row, &model.config, model.now_ms));
    model.say(why.unwrap_or_default());
    Vec::new()
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::DiscardSheet, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("confirm.discard", "Discard what is ticked", &["Enter"], not_planned, discard),
    row("leave.sheet", "Leave; marks are kept", &["Esc"], always, leave),
    row("stop.discard", "Stop after the present one; else leave", &["ctrl-c"], always, stop),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row("tick.shadow", "Tick or untick this one", &["Space"], always, toggle),
    row("fold.rows", "All rows, or the safest in one line", &["Tab"], no_fold, switch_fold),
    row("take-back.tick", "The last tick as it was", &["u"], no_tick, take_tick_back),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], always, |model| {
        step(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], always, |model| {
        step(model, -2 * half(model.viewport.sheet_rows))
    }),
    row("why.row", "Why it is stale", &["i"], always, say_why),
    row("move.down", "Down", &["j", "Down"], always, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], always, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], always, |model| {
        step(model, half(model.viewport.sheet_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], always, |model| {
        step(model, -half(model.viewport.sheet_rows))
    }),
    row("move.first", "First row", &["g g"], always, |model| step(model, isize::MIN)),
    row("move.last", "Last row", &["G"], always, |model| step(model, isize::MAX)),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
