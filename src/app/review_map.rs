//! The whole stream in one column of cells: where it changed, what of that is read, where flags, comments and hits lie.
//! A click or a drag in the column goes there.

use std::ops::Range;

use super::{
    Effect, Model, Screen,
    review::{self, ReviewScreen, panes},
    review_remarks,
    viewport::Border,
};
use crate::review::{LineKind, ticks::Ticks};

/// Cells that it takes at the right of the diff.
pub const MAP_CELLS: usize = 1;
/// Of what one cell stands for, so many runs are looked at: a huge page is told by samples.
const RUNS_MAX: usize = 32;

/// What a cell tells of its rows: the last of these that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// Nothing changed, or a file's head.
    Plain,
    /// All that changed is read.
    Read,
    /// Most of what changed and is unread.
    Removed,
    Added,
    /// A flag or a comment.
    Remark,
    Hit,
}

/// What the cells were computed from.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ground {
    cells: usize,
    laid_out: u64,
    marked: u64,
    needle: Option<(String, usize)>,
}

#[derive(Debug, Default)]
pub struct Map {
    ground: Ground,
    spots: Vec<Spot>,
    /// Of each file, as the list says it.
    hunks_read: Vec<Option<(usize, usize)>>,
}

impl ReviewScreen {
    /// A cell for each row of the pane; empty where the pane shows all there is.
    pub fn map(&self) -> &[Spot] {
        &self.map.spots
    }

    /// Hunks of a file that are read, and all of them; `None` where they are not told apart.
    pub fn hunks_read(&self, file: usize) -> Option<(usize, usize)> {
        self.map.hunks_read.get(file).copied().flatten()
    }

    /// The cells that stand for what is on the screen.
    pub fn map_in_view(&self, rows: usize) -> Range<usize> {
        let (cells, count) = (self.map.spots.len(), self.stream.row_count().max(1));
        let shown = self.rows_in_view(rows);
        let first = (shown.start * cells / count).min(cells.saturating_sub(1));
        first..(shown.end * cells).div_ceil(count).clamp((first + 1).min(cells), cells)
    }

    fn spot(&self, ticks: &Ticks, remarked: &[usize], rows: &Range<usize>) -> Spot {
        let hits = self.search.as_ref().map_or(&[][..], |search| &search.rows[..]);
        if any_in(hits, rows) {
            return Spot::Hit;
        }
        if any_in(remarked, rows) {
            return Spot::Remark;
        }
        let (mut removed, mut added, mut changed) = (0, 0, false);
        let mut known = None;
        for run in self.stream.changes(rows.clone(), RUNS_MAX) {
            changed = true;
            let place = (run.file, run.hunk);
            let is_read = match known {
                Some((before, is_read)) if before == place => is_read,
                _ => self.is_hunk_read(ticks, run.file, run.hunk),
            };
            known = Some((place, is_read));
            if !is_read {
                removed += run.removed;
                added += run.added;
            }
        }
        match () {
            () if removed + added == 0 && changed => Spot::Read,
            () if !changed => Spot::Plain,
            () if removed > added => Spot::Removed,
            () => Spot::Added,
        }
    }
}

/// Of rows in order.
fn any_in(sorted: &[usize], rows: &Range<usize>) -> bool {
    sorted.get(sorted.partition_point(|row| *row < rows.start)).is_some_and(|row| *row < rows.end)
}

impl Spot {
    pub fn kind(self) -> LineKind {
        match self {
            Self::Removed => LineKind::Removed,
            Self::Added => LineKind::Added,
            _ => LineKind::Context,
        }
    }
}

/// Computes the cells, and the list's counts, again where something has changed that they tell of.
pub(super) fn draw_up(model: &mut Model) {
    let cells = panes(model.viewport).rows;
    let marked = model.memory.revision();
    let Some(screen) = &mut model.review else { return };
    let needle = screen.search.as_ref().map(|s| (s.needle.clone(), s.rows.len()));
    let ground = Ground { cells, laid_out: screen.laid_out, marked, needle };
    if screen.map.ground == ground {
        return;
    }
    let count = screen.stream.row_count();
    let ticks = &model.memory.marks.ticks;
    let cells = if count > cells { 0..cells } else { 0..0 };
    let all = cells.end.max(1);
    let remarked = review_remarks::rows(screen);
    let spots = cells
        .map(|cell| screen.spot(ticks, &remarked, &(cell * count / all..(cell + 1) * count / all)));
    let spots = spots.collect();
    let files = 0..screen.stream.files().len();
    let hunks_read = files.map(|file| screen.count_hunks(ticks, file)).collect();
    screen.map = Map { ground, spots, hunks_read };
}

/// The column, where the mouse is in it.
pub(super) fn border_at(model: &Model, column: u16, row: u16) -> Option<Border> {
    let view = model.viewport;
    let rows = view.body_row..view.body_row + u16::try_from(view.body_rows).unwrap_or(0);
    let has_map = model.review.as_ref().is_some_and(|screen| !screen.map.spots.is_empty());
    let is_there = model.screen() == Screen::Review
        && model.sheets.is_empty()
        && has_map
        && column + 1 == view.columns
        && rows.contains(&row);
    is_there.then_some(Border::Map)
}

/// Where the button went down the reader leaves a mark to come back to.
pub(super) fn leave_mark(model: &mut Model) {
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
    }
}

/// To what the cell in that row of the terminal stands for, in the middle of the pane.
pub(super) fn go(model: &mut Model, row: u16) -> Vec<Effect> {
    let cell = usize::from(row.saturating_sub(model.viewport.body_row));
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.review else { return Vec::new() };
    let cells = screen.map.spots.len().max(1);
    let target = cell.min(cells - 1) * screen.stream.row_count() / cells;
    screen.cursor = screen.stream.stop_from(target);
    screen.top = target.saturating_sub(rows / 2).min(screen.last_top(rows));
    review::keep_in_view(model);
    Vec::new()
}
