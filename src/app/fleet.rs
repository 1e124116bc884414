//! The list: every shadow in the order of what a person can do about it, and what is known of each.
//! Order holds still once the first whole list is there, until `R` or coming back sorts it again.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Effect, Model,
    away::{self, Away, Seen},
    group::Group,
    job::{Job, Outcome, Slot},
    list::Cursor,
    review_marks::ReadCount,
};
use crate::{
    report::Report,
    review::{Fleet, Radar, Row, Verdict, comment::OpenComments},
    shadow::{BranchName, Oid, ShadowId},
};

/// The list is read again after so long, or after this many times what reading it took.
const REFRESH_MS: u64 = 3_000;
const REFRESH_COST_FACTOR: u64 = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    List,
    Detail,
}

/// Whether the next whole list may move rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Stands,
    /// It is sorted anew.
    SortNext,
}

/// A row and the group that it was sorted into: the group stays while the row's facts change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub row: Row,
    pub group: Group,
    /// Its facts are those of then: it has not been looked at again since.
    pub as_of_ms: Option<u64>,
}

impl Listed {
    pub(super) fn of(row: Row) -> Self {
        Self { group: Group::of(&row), row, as_of_ms: None }
    }

    /// Of which only the name and place are known.
    fn unread(row: Row) -> Self {
        let group = if row.problem.is_some() { Group::Broken } else { Group::Unread };
        Self { row, group, as_of_ms: None }
    }
}

/// What stands in one line of the list; the number counts visible rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLine {
    Head(Group),
    Row(usize),
}

#[derive(Debug, Default)]
pub struct FleetScreen {
    pub name: String,
    pub target: Option<BranchName>,
    pub target_tip: Option<Oid>,
    /// As the list has them; what cannot be read is said too.
    pub open_comments: BTreeMap<ShadowId, Option<OpenComments>>,
    pub met: Option<Radar>,
    /// In the order shown.
    pub listed: Vec<Listed>,
    /// A whole list has been here: the order stands.
    pub complete: bool,
    /// Of when what gave the rows their groups is, before they are looked at.
    pub sorted_as_of_ms: Option<u64>,
    /// Of the first list: so many shadows of so many.
    pub looked_at: Option<(usize, usize)>,
    /// When that was read.
    pub read_at_ms: u64,
    /// What reading the last one took.
    pub(super) took_ms: u64,
    pub order: Order,
    /// `index` counts visible rows, `top` counts lines.
    pub cursor: Cursor,
    /// The person has moved: the cursor stays with its row.
    pub moved: bool,
    pub filter: String,
    pub marks: BTreeSet<ShadowId>,
    /// `*`: stale rows are marked as they become known, until a discard sheet has its plan.
    pub stale_wish: bool,
    /// Where a range of rows begins; it ends at the cursor.
    pub range: Option<ShadowId>,
    /// A new shadow: the cursor goes there once the list has it.
    pub awaited: Option<ShadowId>,
    pub seen: Seen,
    /// What is new since the last visit.
    pub away: Option<Away>,
    pub pane: Pane,
    pub detail_top: usize,
    pub read: BTreeMap<ShadowId, ReadCount>,
    /// Why the list could not be read.
    pub failed: Option<Report>,
    /// The page that could not be read, so that it is not asked for over and over.
    pub unreadable: Option<(ShadowId, Option<Oid>, Report)>,
    /// The row whose page the detail pane waits for, and its snapshot.
    pub(super) detail_asked: Option<(ShadowId, Option<Oid>)>,
    /// Below which row was read ahead, and which one.
    pub(super) ahead: Option<(ShadowId, Option<ShadowId>)>,
    pub(super) asked_at_ms: u64,
    next_read_ms: u64,
}

impl FleetScreen {
    /// Rows that the filter lets through.
    pub fn visible(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|listed| self.is_visible(&listed.row))
    }

    fn is_visible(&self, row: &Row) -> bool {
        let needle = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&needle);
        needle.is_empty()
            || has(&row.id.0)
            || row.branch.as_ref().is_some_and(|branch| has(&branch.0))
            || row.agent.as_deref().is_some_and(has)
    }

    pub fn visible_count(&self) -> usize {
        self.visible().count()
    }

    pub fn selected(&self) -> Option<&Row> {
        self.visible().nth(self.cursor.index).map(|listed| &listed.row)
    }

    pub fn find(&self, id: &ShadowId) -> Option<&Row> {
        self.listed.iter().map(|listed| &listed.row).find(|row| row.id == *id)
    }

    /// The list as lines: a head before the first row of each group, where there is room for heads.
    pub fn lines(&self, heads: bool) -> Vec<ListLine> {
        let mut lines = Vec::new();
        let mut group = None;
        for (index, listed) in self.visible().enumerate() {
            if heads && self.is_sorted() && group != Some(listed.group) {
                lines.push(ListLine::Head(listed.group));
                group = Some(listed.group);
            }
            lines.push(ListLine::Row(index));
        }
        lines
    }

    /// Selects it, and shows it where the filter hides it.
    pub(super) fn show(&mut self, id: &ShadowId) {
        if !self.visible().any(|listed| listed.row.id == *id) {
            self.filter.clear();
        }
        self.moved = true;
        self.detail_top = 0;
        self.select(id);
    }

    pub(super) fn select(&mut self, id: &ShadowId) {
        let index = self.visible().position(|listed| listed.row.id == *id);
        if let Some(index) = index {
            self.cursor.index = index;
        }
    }

    pub(super) fn go_to_first_wanting(&mut self) {
        let wanting = self.visible().position(|listed| listed.group.wants_you());
        self.cursor.index = wanting.unwrap_or(0);
    }

    /// Sorts by what is known now; within a group the newest activity stays first.
    pub(super) fn sort(&mut self) {
        let selected = self.selected().map(|row| row.id.clone());
        for listed in &mut self.listed {
            if self.complete || listed.row.verdict != Verdict::Unknown {
                listed.group = Group::of(&listed.row);
            }
        }
        self.listed.sort_by_key(|listed| {
            (listed.group, std::cmp::Reverse(listed.row.last_activity_ms), listed.row.id.clone())
        });
        self.order = Order::Stands;
        if let Some(id) = selected {
            self.select(&id);
        }
    }

    /// Every row's new facts, in its old place; new rows come at the end of their group.
    fn merge(&mut self, rows: Vec<Row>) {
        let selected = self.selected().map(|row| row.id.clone());
        let mut fresh: BTreeMap<ShadowId, Row> =
            rows.into_iter().map(|row| (row.id.clone(), row)).collect();
        self.listed.retain_mut(|listed| match fresh.remove(&listed.row.id) {
            Some(row) => {
                listed.row = row;
                listed.as_of_ms = None;
                true
            }
            None => false,
        });
        for row in fresh.into_values() {
            let new = Listed::of(row);
            let at = self.listed.iter().rposition(|listed| listed.group <= new.group);
            self.listed.insert(at.map_or(0, |at| at + 1), new);
        }
        self.marks.retain(|id| self.listed.iter().any(|listed| listed.row.id == *id));
        match selected {
            Some(id) if self.visible().any(|listed| listed.row.id == id) => self.select(&id),
            _ => self.cursor.index = self.cursor.index.min(self.visible_count().saturating_sub(1)),
        }
    }

    /// A shadow that is gone; the cursor goes on to the next that wants a person.
    pub(super) fn remove(&mut self, id: &ShadowId) {
        self.listed.retain(|listed| listed.row.id != *id);
        self.marks.remove(id);
        let last = self.visible_count().saturating_sub(1);
        self.cursor.index = self.cursor.index.min(last);
    }

    pub(super) fn assert_invariants(&self) {
        assert!(self.cursor.index < self.visible_count().max(1), "the cursor is on a row");
    }
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Fleet(fleet)) => receive_fleet(model, fleet),
        Err(report) => {
            // Where there are no rows the screen itself says it.
            if !model.fleet.listed.is_empty() {
                model.fail(&report);
            }
            model.fleet.failed = Some(report);
            schedule_refresh(model);
            Vec::new()
        }
        Ok(_) => Vec::new(),
    }
}

fn receive_fleet(model: &mut Model, fleet: Fleet) -> Vec<Effect> {
    let screen = &mut model.fleet;
    screen.failed = None;
    screen.name = fleet.name;
    screen.target = fleet.target;
    screen.target_tip = fleet.target_tip;
    if fleet.complete {
        (screen.open_comments, screen.met) = (fleet.open_comments, fleet.met);
    }
    if !fleet.complete {
        if !screen.complete {
            screen.listed = fleet.rows.into_iter().map(Listed::unread).collect();
            screen.sorted_as_of_ms = None;
            let count = screen.visible_count();
            screen.cursor.go(screen.cursor.index, count);
            super::fleet_known::fill(model);
        }
        keep_in_view(model);
        return read_again(model);
    }
    let stale_before = screen.stale_ids();
    // Rows that a person has seen in their groups stay where they are once that person has moved.
    let stands = screen.complete || (screen.moved && screen.is_sorted());
    screen.merge(fleet.rows);
    let is_first = !std::mem::replace(&mut screen.complete, true);
    (screen.read_at_ms, screen.took_ms) = (fleet.read_at_ms, fleet.took_ms);
    if !stands || screen.order == Order::SortNext {
        screen.sort();
    }
    if is_first && !screen.moved {
        screen.go_to_first_wanting();
    }
    screen.mark_newly_stale(&stale_before);
    if let Some(id) = screen.awaited.take_if(|id| screen.listed.iter().any(|l| l.row.id == *id)) {
        screen.show(&id);
    }
    schedule_refresh(model);
    keep_in_view(model);
    let mut effects = away::list_is_whole(model);
    effects.extend(super::discard_sheet::list_is_whole(model));
    effects
}

fn schedule_refresh(model: &mut Model) {
    let cost = model.fleet.took_ms.saturating_mul(REFRESH_COST_FACTOR);
    model.fleet.next_read_ms = model.now_ms.saturating_add(REFRESH_MS.max(cost));
}

/// Reads the whole list; an older reading is given up.
pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    model.fleet.asked_at_ms = model.now_ms;
    model.fleet.looked_at = None;
    let job = if model.fleet.complete { Job::Fleet } else { Job::FirstFleet };
    model.jobs.start(Slot::Fleet, job)
}

/// The poll. While a write runs the list would show a half-done state.
pub(super) fn refresh_when_due(model: &mut Model) -> Vec<Effect> {
    let busy = model.jobs.is_open(Slot::Fleet) || model.jobs.is_open(Slot::Write);
    if busy || model.now_ms < model.fleet.next_read_ms {
        return Vec::new();
    }
    read_again(model)
}

/// Back on the list: it is sorted by what is known, and read again.
pub(super) fn come_back(model: &mut Model) -> Vec<Effect> {
    if model.fleet.complete {
        model.fleet.sort();
    }
    model.fleet.order = Order::SortNext;
    keep_in_view(model);
    read_again(model)
}

pub(super) fn set_filter(model: &mut Model, text: &str) {
    let selected = model.fleet.selected().map(|row| row.id.clone());
    text.clone_into(&mut model.fleet.filter);
    model.fleet.cursor = Cursor::default();
    if let Some(id) = selected {
        model.fleet.select(&id);
    }
    keep_in_view(model);
}

/// A filter that nothing fits any more has done its work.
pub(super) fn drop_spent_filter(model: &mut Model) -> Option<&'static str> {
    let is_spent = !model.fleet.filter.is_empty() && model.fleet.visible().next().is_none();
    is_spent.then(|| {
        set_filter(model, "");
        "the filter is off, nothing fits it any more"
    })
}

/// The cursor's line, and the head above it where that is the first row shown.
pub(super) fn keep_in_view(model: &mut Model) {
    let (rows, heads) = (model.viewport.list_rows, model.viewport.list_heads);
    let lines = model.fleet.lines(heads);
    let cursor = &mut model.fleet.cursor;
    let line = lines.iter().position(|line| *line == ListLine::Row(cursor.index)).unwrap_or(0);
    let has_head = line > 0 && matches!(lines[line - 1], ListLine::Head(_));
    let first = if has_head { line - 1 } else { line };
    cursor.top = cursor.top.min(first).min(lines.len().saturating_sub(rows));
    if rows > 0 && line >= cursor.top + rows {
        cursor.top = line + 1 - rows;
    }
}
