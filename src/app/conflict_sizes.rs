//! How high the parts of a conflict are, what of a long line is in sight, and how they scroll.

use super::{
    Viewport,
    conflicts::ConflictsScreen,
    review::{FILES_COLUMNS_MIN, panes},
    review_rows::Rest,
    review_within::{Sight, end_cell, scroll_end},
};
use crate::review::{
    pieces::breaks,
    stream::{Layout, Long},
};

/// Rows of each part, its head included; one arithmetic for moving and for drawing.
pub fn share(
    height: usize,
    wanted: [usize; 3],
    focus: Option<usize>,
    layout: Layout,
) -> [usize; 3] {
    if layout == Layout::Beside {
        let sides = wanted[0].max(wanted[1]);
        let result = if focus == Some(2) { height * 2 / 3 } else { height / 3 };
        let sides = sides.min(height.saturating_sub(result.min(wanted[2])));
        return [sides, sides, height - sides];
    }
    let mut given = match focus {
        Some(part) => {
            let mut given = wanted.map(|rows| rows.min(3));
            given[part] = wanted[part].min(height.saturating_sub(6));
            given
        }
        None => wanted.map(|rows| rows.min(height / 3)),
    };
    let mut left = height.saturating_sub(given.iter().sum());
    for part in 0..3 {
        let more = left.min(wanted[part].saturating_sub(given[part]));
        given[part] += more;
        left -= more;
    }
    // The result takes what nobody wants, so that its head stays in one place.
    given[2] += left;
    given
}

/// No line fills more of its part: what is beyond is scrolled to.
fn line_rows(viewport: Viewport) -> usize {
    (panes(viewport).rows / 4).max(1)
}

impl ConflictsScreen {
    /// Side by side only where there is room for it.
    pub fn layout_in(&self, viewport: Viewport) -> Layout {
        if viewport.columns < FILES_COLUMNS_MIN { Layout::Unified } else { self.layout }
    }

    /// Rows of each part on the screen, its head included.
    pub fn heights(&self, viewport: Viewport) -> [usize; 3] {
        let title = usize::from(viewport.columns >= FILES_COLUMNS_MIN);
        let height = panes(viewport).rows.saturating_sub(title);
        let wanted = [0, 1, 2].map(|part| self.rows_wanted(part, height, viewport));
        let focus = if self.enlarged { self.pane.part_index() } else { None };
        share(height, wanted, focus, self.layout_in(viewport))
    }

    /// Cells that a part has for code: right of the rail and of the numbers.
    pub fn code_cells(&self, part: usize, viewport: Viewport) -> usize {
        let whole = panes(viewport).diff;
        let is_beside = self.layout_in(viewport) == Layout::Beside && part < 2;
        let width = if is_beside { whole.saturating_sub(1) / 2 } else { whole };
        width.saturating_sub(2 + 2 * self.number_cells + 5)
    }

    /// The first cell of each screen row of a line in this part.
    pub fn line_breaks(&self, part: usize, line: &[u8], viewport: Viewport) -> Vec<usize> {
        match self.long {
            Long::Cut => vec![self.scroll],
            Long::Wraps => {
                breaks(line, self.scroll, self.code_cells(part, viewport), line_rows(viewport))
            }
        }
    }

    fn row_height(&self, part: usize, row: usize, viewport: Viewport) -> usize {
        let line = self.row_text(part, row).unwrap_or_default();
        self.line_breaks(part, line, viewport).len().max(1)
    }

    /// Screen rows of a part with its head; further than the screen goes nobody looks.
    fn rows_wanted(&self, part: usize, height: usize, viewport: Viewport) -> usize {
        let rows = self.part_rows(part);
        if self.long == Long::Cut {
            return rows + 1;
        }
        let mut wanted = 1;
        for row in 0..rows {
            if wanted > height {
                break;
            }
            wanted += self.row_height(part, row, viewport);
        }
        wanted
    }

    /// Of one line of a part.
    pub(super) fn sight(&self, part: usize, viewport: Viewport) -> Sight {
        let rows = if self.long == Long::Cut { 1 } else { line_rows(viewport) };
        Sight::new(self.scroll, self.code_cells(part, viewport), rows)
    }

    /// Further to the right no line on the screen goes.
    pub(super) fn scroll_max(&self, viewport: Viewport) -> usize {
        let heights = self.heights(viewport);
        let ends = (0..3).map(|part| {
            let rows = self.tops[part]..self.tops[part] + heights[part];
            let cells = self.code_cells(part, viewport);
            let lines = rows.filter_map(|row| self.row_text(part, row));
            let ends = lines.map(|line| end_cell(line, self.scroll, cells));
            scroll_end(ends.max().unwrap_or(0), cells)
        });
        ends.max().unwrap_or(0)
    }

    /// Scrolls just as far as needed.
    pub(super) fn keep_in_view(&mut self, viewport: Viewport) {
        let heights = self.heights(viewport);
        for (part, height) in heights.into_iter().enumerate() {
            let last = self.part_rows(part).saturating_sub(1);
            let cursor = self.cursors[part].min(last);
            let rows = height.saturating_sub(1).max(1);
            // Nothing is scrolled away where all of it has room.
            let is_beside = part < 2 && self.layout_in(viewport) == Layout::Beside;
            let last_top = match self.long {
                // Beside each other the two keep one height, where one of them ends too.
                Long::Cut if !is_beside => (last + 1).saturating_sub(rows),
                _ => last,
            };
            let mut top = self.tops[part].min(cursor).min(last_top);
            let mut left = rows;
            let mut lowest = cursor;
            // As far up as leaves the cursor's row in sight.
            for row in (top..=cursor).rev() {
                let rows = self.row_height(part, row, viewport);
                if rows > left {
                    break;
                }
                left -= rows;
                lowest = row;
            }
            top = top.max(lowest);
            (self.cursors[part], self.tops[part]) = (cursor, top);
        }
    }

    pub(super) fn rest(&mut self, place: Rest, viewport: Viewport) {
        let part = self.part();
        let rows = self.heights(viewport)[part].saturating_sub(1);
        let above = match place {
            Rest::Top => 0,
            Rest::Middle => rows / 2,
            Rest::Bottom => rows.saturating_sub(1),
        };
        self.tops[part] = self.cursors[part].saturating_sub(above);
    }
}
