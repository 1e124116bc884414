//! The discard sheet: what would go, grouped by what exists nowhere else. One sheet is one operation.

use std::collections::BTreeSet;

pub use super::discard_keys::COMMANDS;
use super::{
    Effect, Model, Sheet, Viewport,
    answer::Answer,
    fleet,
    job::{Job, Outcome, Slot},
    list::Cursor,
    running,
    viewport::SMALL_COLUMNS,
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

/// From so many columns on every row has room for its facts.
const WIDE: u16 = 100;

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

/// A line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Head(Section),
    /// All that is elsewhere too, in one line.
    Folded,
    /// An entry, by its place among all.
    Row(usize),
    /// Its reason, where the row has no room for it.
    Reason(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Folded,
    Open,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardSheet {
    pub ids: Vec<ShadowId>,
    pub face: Face,
    pub ticked: BTreeSet<ShadowId>,
    /// Over the entries in the order of [`Self::entries`]; `top` counts lines.
    pub cursor: Cursor,
    /// As chosen by hand; else the width decides.
    pub(super) fold: Option<Fold>,
    pub drawn_in: Option<u64>,
    /// Lines that were on the screen, from the first on.
    seen_rows: usize,
    /// Ticks that were changed here, newest last.
    pub(super) changed: Vec<ShadowId>,
}

impl DiscardSheet {
    /// In the order shown.
    pub fn entries(&self) -> Vec<&DiscardEntry> {
        let Face::Planned(plan) = &self.face else { return Vec::new() };
        let mut entries: Vec<&DiscardEntry> = plan.entries.iter().collect();
        entries.sort_by_key(|entry| Section::of(entry));
        entries
    }

    /// What is safest goes into one line where there is little room, and other things to look at.
    pub fn lines(&self, columns: u16) -> Vec<Line> {
        let sections: Vec<Section> = self.entries().into_iter().map(Section::of).collect();
        let narrow = if columns < WIDE { Fold::Folded } else { Fold::Open };
        let is_folded = self.fold.unwrap_or(narrow) == Fold::Folded
            && sections.last().is_some_and(|last| *last != Section::Elsewhere);
        let mut lines = Vec::new();
        for (index, section) in sections.iter().enumerate() {
            let is_first = index == 0 || sections[index - 1] != *section;
            if is_folded && *section == Section::Elsewhere {
                lines.extend(is_first.then_some(Line::Folded));
                continue;
            }
            lines.extend(is_first.then_some(Line::Head(*section)));
            lines.push(Line::Row(index));
            lines.extend((columns < SMALL_COLUMNS).then_some(Line::Reason(index)));
        }
        lines
    }

    pub fn is_running(&self) -> bool {
        self.face == Face::Running
    }

    fn show(&mut self, face: Face) {
        self.face = face;
        self.drawn_in = None;
        self.seen_rows = 0;
    }

    /// On a screen too small for any of its facts it counts once its last line was there.
    pub(super) fn drawn(&mut self, frame: u64, viewport: Viewport) {
        if !matches!(self.face, Face::Planned(_)) {
            return;
        }
        if self.cursor.top <= self.seen_rows {
            self.seen_rows = self.seen_rows.max(self.cursor.top + viewport.sheet_rows);
        }
        if !viewport.is_small() || self.seen_rows >= viewport.sheet_lines {
            self.drawn_in.get_or_insert(frame);
        }
    }

    pub(super) fn refuse(&mut self, report: Report) {
        self.show(Face::Refused(report));
    }
}

pub(super) fn sheet(model: &mut Model) -> Option<&mut DiscardSheet> {
    match model.sheets.last_mut() {
        Some(Sheet::Discard(sheet)) => Some(sheet),
        _ => None,
    }
}

pub(super) fn seen(model: &Model) -> Option<&DiscardSheet> {
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
        refuse_unmarked(model);
        return Vec::new();
    }
    model.answer = None;
    model.sheets.push(Sheet::Discard(DiscardSheet {
        ids,
        face: Face::Waiting,
        ticked: BTreeSet::new(),
        cursor: Cursor::default(),
        fold: None,
        drawn_in: None,
        seen_rows: 0,
        changed: Vec::new(),
    }));
    if model.fleet.stale_wish {
        let (idle, done) = (model.config.stale_idle_days, model.config.stale_done_days);
        model.say(format!("* in the list marks what landed or stayed empty for {done} d, or rested for {idle} d; none that asks, is locked or at work"));
    }
    if waits { Vec::new() } else { plan(model) }
}

/// The wish of `*` is over: it had nothing to mark, and the row under the cursor was never meant by it.
fn refuse_unmarked(model: &mut Model) {
    model.fleet.stale_wish = false;
    model.refuse("d: * marked nothing, for nothing is stale · d again takes this one");
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
        refuse_unmarked(model);
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
            step(model, 0);
        }
        Ok(_) => {}
        Err(report) => sheet.refuse(report),
    }
    Vec::new()
}

/// Only here is a discard approved: just the ticked ones.
pub(super) fn discard(model: &mut Model) -> Vec<Effect> {
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
    running::begin(model, Job::Discard(confirmed))
}

pub(super) fn discarded(model: &mut Model, discarded: &Discarded) -> Vec<Effect> {
    let (done, does) = match &discarded.shadows[..] {
        [only] => (format!("discarded {only}"), "brings it back"),
        several => {
            let count = crate::review::count(several.len(), "shadow");
            (format!("discarded {count}"), "brings all back")
        }
    };
    let mut more = Vec::new();
    if !discarded.left.is_empty() {
        let names: Vec<String> = discarded.left.iter().map(ToString::to_string).collect();
        more.push(format!("stopped, not discarded: {}", names.join(", ")));
    }
    more.extend_from_slice(&discarded.warnings);
    model.answer = Some(Answer::of_operation(&done, ["u", does], &more));
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

/// Walks over the rows that are shown; what is folded is stepped over.
pub(super) fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let columns = model.viewport.columns;
    if let Some(sheet) = sheet(model) {
        let lines = sheet.lines(columns);
        let stops: Vec<usize> = lines
            .iter()
            .filter_map(|line| if let Line::Row(index) = line { Some(*index) } else { None })
            .collect();
        let here = stops.iter().position(|stop| *stop >= sheet.cursor.index).unwrap_or(0);
        let mut walk = Cursor { index: here, top: 0 };
        walk.step(rows, stops.len());
        sheet.cursor.index = stops.get(walk.index).copied().unwrap_or(0);
    }
    keep_in_view(model);
    Vec::new()
}

/// The cursor's line, and the head above the first row.
pub(super) fn keep_in_view(model: &mut Model) {
    let viewport = model.viewport;
    if let Some(sheet) = sheet(model) {
        let lines = sheet.lines(viewport.columns);
        let row = Line::Row(sheet.cursor.index);
        let line = lines.iter().position(|line| *line == row).unwrap_or(0);
        let first =
            if lines[..line].iter().any(|line| matches!(line, Line::Row(_))) { line } else { 0 };
        let rows = viewport.sheet_rows;
        let top = sheet.cursor.top.min(first).min(lines.len().saturating_sub(rows));
        let reason = lines.get(line + 1) == Some(&Line::Reason(sheet.cursor.index));
        let last = line + usize::from(reason);
        sheet.cursor.top = if rows > 0 && last >= top + rows { last + 1 - rows } else { top };
        // The last row brings what stands below it along.
        if lines[line..].iter().skip(1).all(|line| !matches!(line, Line::Row(_))) {
            sheet.cursor.top = lines.len().saturating_sub(rows);
        }
    }
}
