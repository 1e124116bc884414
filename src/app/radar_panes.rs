//! How the radar shares its screen: names, columns and rows of the matrix, and what is said below it.

use super::{Viewport, radar::RadarScreen};
use crate::review::{ClashFile, Meeting, Party, Radar};

/// A row's sign and number and the gap behind it.
pub const NUMBER_CELLS: usize = 4;
/// Of a shadow's column where all fit: a gap, the sign, a count of two digits. The cursor takes the gap.
const CELLS: usize = 4;
/// Where they would not fit otherwise: a digit less.
const CELLS_MIN: usize = 3;
/// What a branch's name gets at most.
const BRANCH_CELLS_MAX: usize = 16;
/// What a shadow's name gets at least, however many columns there are.
const NAME_CELLS_MIN: usize = 18;
/// What is said below the matrix needs no more than this where the matrix could be longer.
const PAGE_ROWS: usize = 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panes {
    pub rows: usize,
    /// Shadows' columns that are shown. Those of the branches always are.
    pub columns: usize,
    /// Of a shadow's column and of a branch's, the gap before it included.
    pub cells: usize,
    pub branch_cells: usize,
    /// Of the shadows' names.
    pub names: usize,
    pub page: usize,
}

/// What is said below of the row under the cursor, where the cell itself is no clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met<'a> {
    ClashesWith,
    Clash(&'a str, &'a [ClashFile]),
    NotComparedWith,
    Unknown(&'a str, &'a str),
}

impl RadarScreen {
    pub fn panes(&self, viewport: Viewport) -> Panes {
        let room = usize::from(viewport.columns).saturating_sub(NUMBER_CELLS + 1);
        let branches = self.radar.as_ref().map_or_else(Vec::new, Radar::targets);
        let widest = branches.iter().map(|branch| branch.0.chars().count()).max().unwrap_or(0);
        let branch_cells_max = (room / 4 / branches.len().max(1)).min(BRANCH_CELLS_MAX);
        let branch_cells = (widest + 1).min(branch_cells_max).max(CELLS);
        let room = room.saturating_sub(branches.len() * branch_cells);
        let shadows = self.rows.len();
        let widest = self.rows.iter().map(|id| id.0.chars().count()).max().unwrap_or(0);
        let names_min = widest.min(NAME_CELLS_MIN).min(usize::from(viewport.columns) / 3);
        let cells = if names_min + shadows * CELLS <= room { CELLS } else { CELLS_MIN };
        let names = widest.min(room.saturating_sub(shadows * cells).max(names_min));
        let columns = (room.saturating_sub(names) / cells).clamp(1, shadows.max(1));
        // Its head and the line below it take a row each.
        let body = viewport.body_rows.saturating_sub(2);
        let page = (body * 2 / 5).min(PAGE_ROWS);
        let rows = shadows.min(body.saturating_sub(page)).max(1);
        Panes { rows, columns, cells, branch_cells, names, page: body.saturating_sub(rows) }
    }

    pub(super) fn keep_in_view(&mut self, viewport: Viewport) {
        let panes = self.panes(viewport);
        self.row.keep_in_view(self.rows.len(), panes.rows);
        let (branches, shadows) = (self.target_count(), self.rows.len());
        self.column.index = self.column.index.min((branches + shadows).saturating_sub(1));
        // Only the shadows' columns scroll.
        let mut among = self.column;
        among.index = self.column.index.saturating_sub(branches);
        among.keep_in_view(shadows, panes.columns);
        self.column.top = among.top;
        // The first line says where the row stands, and stays.
        let lines = panes.page.saturating_sub(1);
        self.page_top = self.page_top.min(self.line_count().saturating_sub(lines));
    }

    /// Columns that are on the screen, with their places among all.
    pub fn shown(&self, panes: Panes) -> Vec<(usize, Party)> {
        let branches = self.target_count();
        let first = branches + self.column.top;
        let is_shown = |at: usize| at < branches || (first..first + panes.columns).contains(&at);
        self.parties().into_iter().enumerate().filter(|(at, _)| is_shown(*at)).collect()
    }

    fn line_count(&self) -> usize {
        match self.meeting() {
            Some(Meeting::Clash(_)) => self.page_rows.len(),
            _ => self.met().len(),
        }
    }

    /// Whom the row under the cursor clashes with, and with whom it could not be compared.
    pub fn met(&self) -> Vec<Met<'_>> {
        let (Some(radar), Some(id)) = (&self.radar, self.selected()) else { return Vec::new() };
        let (mut clashes, mut unknown) = (vec![Met::ClashesWith], vec![Met::NotComparedWith]);
        let branches = radar.targets().into_iter();
        let branches = branches.map(|branch| (branch.0.as_str(), Party::Target(branch.clone())));
        let shadows = self.rows.iter().map(|id| (id.0.as_str(), Party::Shadow(id.clone())));
        for (name, party) in branches.chain(shadows) {
            match radar.meeting(id, &party) {
                Some(Meeting::Clash(files)) => clashes.push(Met::Clash(name, files)),
                Some(Meeting::Unknown(why)) => unknown.push(Met::Unknown(name, why)),
                _ => {}
            }
        }
        // A head alone says nothing.
        [clashes, unknown].into_iter().filter(|said| said.len() > 1).flatten().collect()
    }
}
