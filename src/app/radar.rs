//! The radar: who would conflict with whom. Rows are the shadows in the order to land, columns the branch that they land
//! on and the shadows again; the cell under the cursor is shown line by line below.

use super::{
    Effect, Model, Screen,
    job::{Job, Outcome, Slot},
    list::Cursor,
};
use crate::{
    report::Report,
    review::{
        ConflictFile, Content, FileDiff, Meeting, Party, Radar, RadarPage,
        clash::clashes,
        radar_order::{Turn, order},
    },
    shadow::{BranchName, ShadowId},
};

/// Lines around a place, so that it can be told where it is.
const AROUND: u32 = 1;

/// What is drawn of the page of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairRow {
    File(usize),
    /// A line of either side, counted from 0.
    Lines {
        file: usize,
        a: Option<u32>,
        b: Option<u32>,
    },
    /// What happened to the file, where it is not lines that clash.
    Words(usize),
}

#[derive(Debug, Default)]
pub struct RadarScreen {
    /// What is known by now; `None` until something is.
    pub radar: Option<Radar>,
    pub failed: Option<Report>,
    /// The order to land in, once everything is known.
    pub turns: Vec<Turn>,
    pub rows: Vec<ShadowId>,
    pub row: Cursor,
    pub column: Cursor,
    /// Of the cell under the cursor, or of one before it.
    pub page: Option<RadarPage>,
    pub page_failed: Option<Report>,
    pub page_rows: Vec<PairRow>,
    pub page_top: usize,
    asked: Option<(ShadowId, Party)>,
}

impl RadarScreen {
    pub fn selected(&self) -> Option<&ShadowId> {
        self.rows.get(self.row.index)
    }

    /// The branches first, then the shadows.
    pub fn parties(&self) -> Vec<Party> {
        let targets = self.radar.iter().flat_map(Radar::targets).cloned().map(Party::Target);
        targets.chain(self.rows.iter().cloned().map(Party::Shadow)).collect()
    }

    pub fn target_count(&self) -> usize {
        self.radar.as_ref().map_or(0, |radar| radar.targets().len())
    }

    pub fn target_of(&self, id: &ShadowId) -> Option<&BranchName> {
        self.radar.as_ref()?.shadow(id)?.target.as_ref()
    }

    /// The two under the cursor.
    pub fn cell(&self) -> Option<(ShadowId, Party)> {
        let party = self.parties().into_iter().nth(self.column.index)?;
        Some((self.selected()?.clone(), party))
    }

    /// What is known of the two under the cursor; `None` where there is nothing to compare.
    pub fn meeting(&self) -> Option<&Meeting> {
        let (row, party) = self.cell()?;
        self.radar.as_ref()?.meeting(&row, &party)
    }

    /// The page that the cell under the cursor is about.
    pub fn page_here(&self) -> Option<&RadarPage> {
        let (row, party) = self.cell()?;
        self.page.as_ref().filter(|page| page.a == row && page.b == party)
    }

    pub fn turn(&self, id: &ShadowId) -> Option<(usize, &Turn)> {
        self.turns.iter().enumerate().find(|(_, turn)| turn.id == *id)
    }

    /// The cursor stays on its two, wherever they come to stand.
    fn take(&mut self, radar: Radar, is_whole: bool) {
        let (row, party) = (self.selected().cloned(), self.cell().map(|cell| cell.1));
        self.turns = if is_whole { order(&radar) } else { Vec::new() };
        let ordered = self.turns.iter().map(|turn| turn.id.clone());
        let mut rows: Vec<ShadowId> = ordered.collect();
        let rest = radar.shadows.iter().map(|shadow| &shadow.id).filter(|id| !rows.contains(id));
        let rest: Vec<ShadowId> = rest.cloned().collect();
        rows.extend(rest);
        self.rows = rows;
        self.radar = Some(radar);
        let at = row.and_then(|row| self.rows.iter().position(|id| *id == row));
        self.row.index = at.unwrap_or(0);
        let at = party.and_then(|party| self.parties().iter().position(|one| *one == party));
        self.column.index = at.unwrap_or(0);
    }

    /// The next cell that clashes, row by row and around.
    pub(super) fn find_clash(&self, forward: bool) -> Option<(usize, usize)> {
        let parties = self.parties();
        let count = self.rows.len() * parties.len();
        let here = self.row.index * parties.len() + self.column.index;
        let radar = self.radar.as_ref()?;
        let at = |step: usize| {
            if forward { (here + step) % count } else { (here + count - step) % count }
        };
        (1..count).map(at).map(|at| (at / parties.len(), at % parties.len())).find(
            |(row, column)| {
                let meeting = radar.meeting(&self.rows[*row], &parties[*column]);
                matches!(meeting, Some(Meeting::Clash(_)))
            },
        )
    }
}

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let from = model.subject().cloned();
    model.enter(Screen::Radar);
    if let Some(at) = from.and_then(|id| model.radar.rows.iter().position(|row| *row == id)) {
        model.radar.row.index = at;
    }
    keep_in_view(model);
    model.jobs.start(Slot::Radar, Job::Radar)
}

pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    model.radar.asked = None;
    model.jobs.start(Slot::Radar, Job::Radar)
}

/// After a write everything may be otherwise.
pub(super) fn read_when_open(model: &mut Model) -> Vec<Effect> {
    if model.screens.contains(&Screen::Radar) { read_again(model) } else { Vec::new() }
}

pub(super) fn go(model: &mut Model, row: usize) {
    let count = model.radar.rows.len();
    model.radar.row.go(row, count);
    show_cursor(model);
}

fn note_done(model: &Model, radar: &mut Radar) {
    radar.note_done(|id| model.fleet.find(id).is_some_and(|row| row.verdict.is_done()));
}

/// What is known by now; what was whole before stays till all is known again.
pub(super) fn take_known(model: &mut Model, mut radar: Radar) {
    note_done(model, &mut radar);
    if model.radar.turns.is_empty() {
        model.radar.take(radar, false);
        keep_in_view(model);
    }
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Radar(mut radar)) => {
            note_done(model, &mut radar);
            model.radar.failed = None;
            model.radar.take(*radar, true);
            model.radar.asked = None;
            keep_in_view(model);
        }
        Ok(_) => {}
        Err(report) => {
            model.fail(&report);
            model.radar.failed = Some(report);
        }
    }
    Vec::new()
}

pub(super) fn receive_page(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let screen = &mut model.radar;
    match outcome {
        Ok(Outcome::RadarPair(page)) => {
            screen.page_rows = page_rows(&page);
            (screen.page, screen.page_failed, screen.page_top) = (Some(*page), None, 0);
        }
        Ok(_) => {}
        Err(report) => (screen.page, screen.page_failed) = (None, Some(report)),
    }
    Vec::new()
}

/// Asks for the lines of the cell under the cursor, once.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.screen() != Screen::Radar || model.jobs.is_open(Slot::Radar) {
        return Vec::new();
    }
    let is_clash = matches!(model.radar.meeting(), Some(Meeting::Clash(_)));
    let Some(cell) = model.radar.cell().filter(|_| is_clash) else { return Vec::new() };
    if model.radar.asked.as_ref() == Some(&cell) {
        return Vec::new();
    }
    model.radar.asked = Some(cell.clone());
    (model.radar.page, model.radar.page_failed) = (None, None);
    model.radar.page_rows.clear();
    model.jobs.start(Slot::RadarPair, Job::RadarPair { a: cell.0, b: cell.1 })
}

/// Of another cell something else is said below, from its first line on.
pub(super) fn show_cursor(model: &mut Model) {
    model.radar.page_top = 0;
    keep_in_view(model);
}

pub(super) fn keep_in_view(model: &mut Model) {
    let viewport = model.viewport;
    model.radar.keep_in_view(viewport);
}

fn page_rows(page: &RadarPage) -> Vec<PairRow> {
    let mut rows = Vec::new();
    for (file, clash) in page.files.iter().enumerate() {
        rows.push(PairRow::File(file));
        let before = rows.len();
        push_lines(&mut rows, file, clash);
        if rows.len() == before {
            rows.push(PairRow::Words(file));
        }
    }
    rows
}

fn push_lines(rows: &mut Vec<PairRow>, file: usize, clash: &ConflictFile) {
    let text = |diff: &Option<FileDiff>| match diff.as_ref().map(|diff| &diff.content) {
        Some(Content::Text { new, blocks, .. }) => Some((new.line_count(), blocks.clone())),
        _ => None,
    };
    let (Some((a_count, a)), Some((b_count, b))) =
        (text(&clash.target_diff), text(&clash.shadow_diff))
    else {
        return;
    };
    let around = |range: &std::ops::Range<u32>, count: u32| {
        range.start.saturating_sub(AROUND)..(range.end + AROUND).min(count)
    };
    for place in clashes(&a, &b) {
        let (mut a, mut b) = (around(&place.target, a_count), around(&place.shadow, b_count));
        while !a.is_empty() || !b.is_empty() {
            rows.push(PairRow::Lines { file, a: a.next(), b: b.next() });
        }
    }
}
