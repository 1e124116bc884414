//! The target merged into a shadow: what comes in and what stays is drawn, and `Enter` there does just that.

use super::{
    Command, Context, Effect, Model, Screen, Sheet,
    answer::Answer,
    command::always,
    conflicts, fleet, help,
    job::{Job, Outcome, Slot},
    plan_sheet::{Face, PlanSheet},
    running,
};
use crate::{
    report::{Code, Report},
    review::{SyncPlan, Synced, count},
    shadow::ShadowId,
};

pub type SyncSheet = PlanSheet<ShadowId, SyncPlan>;

fn seen(model: &Model) -> Option<&SyncSheet> {
    match model.sheets.last() {
        Some(Sheet::Sync(sheet)) => Some(sheet),
        _ => None,
    }
}

fn sheet(model: &mut Model) -> Option<&mut SyncSheet> {
    model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Sync(sheet) => Some(sheet),
        _ => None,
    })
}

fn open(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    model.answer = None;
    model.sheets.push(Sheet::Sync(SyncSheet::new(id, Face::Planning)));
    plan(model)
}

fn plan(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    sheet.show(Face::Planning);
    let id = sheet.about.clone();
    model.jobs.start(Slot::PlanSync, Job::PlanSync { id })
}

pub(super) fn receive_plan(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    match outcome {
        Ok(Outcome::PlannedSync(plan)) => sheet.show(Face::Planned(*plan)),
        Ok(_) => {}
        Err(report) => sheet.refuse(report),
    }
    Vec::new()
}

fn confirm(model: &mut Model) -> Vec<Effect> {
    let key_frame = model.key_frame;
    let plan = seen(model).and_then(|sheet| sheet.seen_plan(key_frame)).cloned();
    let Some(plan) = plan else { return Vec::new() };
    if model.jobs.is_open(Slot::Write) {
        model.refuse("Enter waits: a write is running");
        return Vec::new();
    }
    if let Some(sheet) = sheet(model) {
        sheet.show(Face::Running(plan.clone()));
    }
    running::begin(model, Job::Sync(Box::new(plan.confirm())))
}

/// What is read of it on other screens says itself that it changed; its conflicts are none now.
pub(super) fn synced(model: &mut Model, synced: &Synced) -> Vec<Effect> {
    let SyncPlan { id, target, files, .. } = &synced.plan;
    let done = format!("{id} has {target} now: {} changed", count(files.len(), "file"));
    model.answer = Some(Answer::of_operation(&done, ["u", "takes it back"], &synced.warnings));
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Sync(_)));
    if model.screen() == Screen::Conflicts && model.subject() == Some(id) {
        model.leave();
    }
    fleet::come_back(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let was_running = seen(model).is_some_and(SyncSheet::is_running);
    model.sheets.pop();
    if was_running {
        model.say("it goes on; the answer comes here");
    }
    model.jobs.cancel(Slot::PlanSync)
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = seen(model).map(|sheet| sheet.about.clone()) else { return Vec::new() };
    model.sheets.pop();
    conflicts::open(model, id)
}

fn no_conflict(model: &Model) -> Option<&'static str> {
    let has_some = match &seen(model)?.face {
        Face::Planned(plan) => !plan.resolved.is_empty(),
        Face::Refused(report) => report.code == Code::Conflicts,
        Face::Waiting | Face::Planning => return Some("still working it out"),
        Face::Running(_) => return Some("it is running"),
    };
    (!has_some).then_some("nothing conflicts")
}

fn not_planned(model: &Model) -> Option<&'static str> {
    seen(model)?.not_planned()
}

fn runs(model: &Model) -> Option<&'static str> {
    seen(model)?.is_running().then_some("it is running")
}

fn no_shadow(model: &Model) -> Option<&'static str> {
    model.subject().is_none().then_some("there is no shadow here")
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::SyncSheet, refusal, run }
}

/// No key of its own: it is seldom wanted, and found by its name.
const fn opener(context: Context) -> Command {
    Command {
        name: "sync.shadow",
        help: "Take its target into this shadow",
        keys: &[],
        context,
        refusal: no_shadow,
        run: open,
    }
}

pub const COMMANDS: &[Command] = &[
    opener(Context::Fleet),
    opener(Context::Review),
    opener(Context::Conflicts),
    row("confirm.sync", "Merge just this", &["Enter"], not_planned, confirm),
    row("conflicts.show", "Show and settle its conflicts", &["x"], no_conflict, show_conflicts),
    row("again.sync", "Plan it again", &["R"], runs, plan),
    row("leave.sheet", "Leave", &["Esc", "ctrl-c"], always, leave),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
