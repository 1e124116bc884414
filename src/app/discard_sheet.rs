//! The discard sheet: what would go, grouped by what exists nowhere else. One sheet is one operation.

use std::collections::BTreeSet;

use super::{
    Command, Context, Effect, Model, Sheet,
    answer::with_warnings,
    command::always,
    fleet, help,
    job::{Job, Outcome, Slot},
    list::{Cursor, half},
};
use crate::{
    report::Report,
    review::{DiscardEntry, DiscardPlan, Discarded},
    shadow::ShadowId,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    /// The list is not whole yet: stale ones still join.
    Waiting,
    Planning,
    Planned(DiscardPlan),
    Refused(Report),
    Running,
}

/// Safest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Elsewhere,
    NowhereElse,
    /// Refused, or someone is at work in it: not ticked by itself.
    Held,
}

impl Section {
    pub fn of(entry: &DiscardEntry) -> Self {
        if entry.refused.is_some() || !entry.processes.is_empty() {
            Self::Held
        } else if entry.holds.elsewhere.is_some() {
            Self::Elsewhere
        } else {
            Self::NowhereElse
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardSheet {
    pub ids: Vec<ShadowId>,
    pub face: Face,
    pub ticked: BTreeSet<ShadowId>,
    /// Over the entries in the order of [`Self::entries`].
    pub cursor: Cursor,
    pub drawn_in: Option<u64>,
    /// Ticks that were changed here, newest last.
    changed: Vec<ShadowId>,
}

impl DiscardSheet {
    /// In the order shown.
    pub fn entries(&self) -> Vec<&DiscardEntry> {
        let Face::Planned(plan) = &self.face else { return Vec::new() };
        let mut entries: Vec<&DiscardEntry> = plan.entries.iter().collect();
        entries.sort_by_key(|entry| Section::of(entry));
        entries
    }

    pub fn is_running(&self) -> bool {
        self.face == Face::Running
    }

    fn show(&mut self, face: Face) {
        self.face = face;
        self.drawn_in = None;
    }

    pub(super) fn drawn(&mut self, frame: u64) {
        if matches!(self.face, Face::Planned(_)) {
            self.drawn_in.get_or_insert(frame);
        }
    }

    pub(super) fn refuse(&mut self, report: Report) {
        self.show(Face::Refused(report));
    }
}

fn sheet(model: &mut Model) -> Option<&mut DiscardSheet> {
    match model.sheets.last_mut() {
        Some(Sheet::Discard(sheet)) => Some(sheet),
        _ => None,
    }
}

fn seen(model: &Model) -> Option<&DiscardSheet> {
    match model.sheets.last() {
        Some(Sheet::Discard(sheet)) => Some(sheet),
        _ => None,
    }
}

/// With the standing wish of `*` and a list that is not whole yet, the sheet waits for it.
pub(super) fn open(model: &mut Model, ids: Vec<ShadowId>) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        model.refuse("d waits: a write is running");
        return Vec::new();
    }
    let waits = model.fleet.stale_wish && !model.fleet.complete;
    if ids.is_empty() && !waits {
        model.refuse("d: nothing is marked, for nothing is stale");
        return Vec::new();
    }
    model.answer = None;
    model.sheets.push(Sheet::Discard(DiscardSheet {
        ids,
        face: Face::Waiting,
        ticked: BTreeSet::new(),
        cursor: Cursor::default(),
        drawn_in: None,
        changed: Vec::new(),
    }));
    if model.fleet.stale_wish {
        let (idle, done) = (model.config.stale_idle_days, model.config.stale_done_days);
        model.say(format!("* marks what landed or stayed empty for {done} d, or rested for {idle} d; none that asks, is locked or at work"));
    }
    if waits { Vec::new() } else { plan(model) }
}

/// The whole list has come: a sheet that waited for it takes all that is marked now.
pub(super) fn list_is_whole(model: &mut Model) -> Vec<Effect> {
    let marked: Vec<ShadowId> =
        model.fleet.marked().into_iter().map(|row| row.id.clone()).collect();
    let Some(sheet) = sheet(model) else { return Vec::new() };
    if sheet.face != Face::Waiting {
        return Vec::new();
    }
    if marked.is_empty() {
        model.sheets.pop();
        model.refuse("d: nothing is marked, for nothing is stale");
        return Vec::new();
    }
    sheet.ids = marked;
    plan(model)
}

fn plan(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    sheet.show(Face::Planning);
    let job = Job::PlanDiscard { ids: sheet.ids.clone() };
    model.jobs.start(Slot::PlanDiscard, job)
}

pub(super) fn receive_plan(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let open = model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Discard(sheet) => Some(sheet),
        _ => None,
    });
    let Some(sheet) = open else { return Vec::new() };
    match outcome {
        Ok(Outcome::PlannedDiscard(plan)) => {
            let safe = plan.entries.iter().filter(|entry| Section::of(entry) != Section::Held);
            sheet.ticked = safe.map(|entry| entry.id.clone()).collect();
            sheet.cursor = Cursor::default();
            sheet.show(Face::Planned(plan));
            model.fleet.stale_wish = false;
        }
        Ok(_) => {}
        Err(report) => sheet.refuse(report),
    }
    Vec::new()
}

/// Only here is a discard approved: just the ticked ones.
fn discard(model: &mut Model) -> Vec<Effect> {
    let key_frame = model.key_frame;
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let was_seen = sheet.drawn_in.is_some_and(|frame| key_frame >= frame);
    let Face::Planned(plan) = &sheet.face else { return Vec::new() };
    if !was_seen {
        return Vec::new();
    }
    let ticked: Vec<ShadowId> = sheet.ticked.iter().cloned().collect();
    let confirmed = plan.clone().confirm(&ticked);
    sheet.show(Face::Running);
    model.progress = None;
    model.jobs.start(Slot::Write, Job::Discard(confirmed))
}

pub(super) fn discarded(model: &mut Model, discarded: &Discarded) -> Vec<Effect> {
    let text = match &discarded.shadows[..] {
        [only] => format!("discarded {only} · u brings it back"),
        several => format!(
            "discarded {} · u brings all back",
            crate::review::count(several.len(), "shadow")
        ),
    };
    model.say(with_warnings(text, &discarded.warnings));
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Discard(_)));
    let reads_it = model.subject().is_some_and(|id| discarded.shadows.contains(id));
    for id in &discarded.shadows {
        model.fleet.remove(id);
    }
    if reads_it && model.screens.len() > 1 {
        model.screens.truncate(1);
    }
    model.fleet.detail_top = 0;
    fleet::come_back(model)
}

fn toggle(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let entries = sheet.entries();
    let (count, index) = (entries.len(), sheet.cursor.index);
    let Some((id, refused)) = entries.get(index).map(|e| (e.id.clone(), e.refused.clone())) else {
        return Vec::new();
    };
    if let Some(reason) = refused {
        model.refuse(format!("{id} cannot be discarded now: {reason}"));
        return Vec::new();
    }
    sheet.changed.push(id.clone());
    if !sheet.ticked.remove(&id) {
        sheet.ticked.insert(id);
    }
    sheet.cursor.go(index + 1, count);
    keep_in_view(model);
    Vec::new()
}

fn take_tick_back(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let Some(id) = sheet.changed.pop() else { return Vec::new() };
    if !sheet.ticked.remove(&id) {
        sheet.ticked.insert(id.clone());
    }
    let place = sheet.entries().iter().position(|entry| entry.id == id);
    let count = sheet.entries().len();
    sheet.cursor.go(place.unwrap_or(0), count);
    keep_in_view(model);
    model.say(format!("the tick of {id} is as it was"));
    Vec::new()
}

fn no_tick(model: &Model) -> Option<&'static str> {
    let has_tick = seen(model).is_some_and(|sheet| !sheet.changed.is_empty());
    (!has_tick).then_some("no tick was changed here")
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        let count = sheet.entries().len();
        sheet.cursor.step(rows, count);
        keep_in_view(model);
    }
    Vec::new()
}

fn keep_in_view(model: &mut Model) {
    let rows = model.viewport.sheet_rows;
    if let Some(sheet) = sheet(model) {
        // Three heads at most stand between the entries.
        let shown = rows.saturating_sub(3).max(1);
        let count = sheet.entries().len();
        sheet.cursor.keep_in_view(count, shown);
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
    row("leave.sheet", "Leave; marks are kept", &["Esc", "ctrl-c"], always, leave),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row("tick.shadow", "Tick or untick this one", &["Space"], always, toggle),
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
