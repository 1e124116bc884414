//! Lines that are longer than their pane, in Review and in Conflicts: how far `l` scrolls, which matches of one line lie
//! out of sight, and how far to scroll for them.

use super::review::{ReviewScreen, line_text};
use super::review_search::find_matches;
use crate::review::{
    pieces::{byte_of, cell_of},
    stream::Long,
};

/// `h` and `l` scroll by so many cells, and far out by this part of the way, so that a key that is held gets anywhere.
const SCROLL_CELLS: usize = 8;
const SCROLL_PART: usize = 16;

/// A step to the right or back; further right than `end` nothing lies.
pub(super) fn scrolled(scroll: usize, direction: isize, end: usize) -> usize {
    let cells = SCROLL_CELLS.max(scroll / SCROLL_PART / SCROLL_CELLS * SCROLL_CELLS);
    if direction > 0 { (scroll + cells).min(end.max(scroll)) } else { scroll.saturating_sub(cells) }
}

/// The cell behind a line. One of megabytes is not measured for a key: it ends no further than told, or goes on beyond
/// what a step from here can show.
pub(super) fn end_cell(line: &[u8], scroll: usize, cells: usize) -> usize {
    const MEASURED_MAX: usize = 4_096;
    /// A tab and a mark take so many more cells than bytes, at most.
    const MORE_MAX: usize = 3;
    if line.len() <= MEASURED_MAX {
        return cell_of(line, line.len());
    }
    if line.len() > scrolled(scroll, 1, usize::MAX) + cells {
        return line.len();
    }
    let plain = line.iter().filter(|byte| matches!(byte, b' '..=b'~')).count();
    line.len() + MORE_MAX * (line.len() - plain)
}

/// How far there is something to scroll to, where the longest line in sight ends there: its last signs stay, in the
/// middle of a row of so many cells.
pub(super) fn scroll_end(end: usize, cells: usize) -> usize {
    end.saturating_sub(cells / 2)
}

/// What is in sight of one line.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    pub(super) scroll: usize,
    pub(super) cells: usize,
}

impl Sight {
    fn of_review(screen: &ReviewScreen, rows: usize) -> Self {
        let lines = match screen.long {
            Long::Cut => 1,
            Long::Wraps => (rows / 2).max(1),
        };
        Self::new(screen.scroll, screen.code_cells, lines)
    }

    /// Of so many screen rows at most. The last cell says that it goes on.
    pub(super) fn new(scroll: usize, cells: usize, rows: usize) -> Self {
        Self { scroll, cells: (cells * rows).saturating_sub(1) }
    }

    /// As it is where that shows the match; the line's beginning where that does; else with a third of the pane before
    /// it.
    pub(super) fn scroll_to(self, cell: usize, length: usize) -> usize {
        let shows = |scroll: usize| scroll <= cell && cell + length < scroll + self.cells;
        match self.scroll {
            scroll if shows(scroll) => scroll,
            _ if shows(0) => 0,
            _ => cell.saturating_sub(self.cells / 3),
        }
    }
}

/// Which match of a row is meant, by the cell that it begins in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// The first from this cell on.
    From(usize),
    /// The last before this cell; `None` is the line's end.
    Before(Option<usize>),
}

impl Within {
    pub(super) fn first() -> Self {
        Self::From(0)
    }

    pub(super) fn last() -> Self {
        Self::Before(None)
    }

    /// The next one that is not on the screen whole.
    pub(super) fn out_of_sight(
        screen: &ReviewScreen,
        needle: &str,
        direction: isize,
        rows: usize,
    ) -> Self {
        Self::beyond(Sight::of_review(screen, rows), needle, direction)
    }

    pub(super) fn beyond(Sight { scroll, cells }: Sight, needle: &str, direction: isize) -> Self {
        if direction < 0 {
            return Self::Before(Some(scroll));
        }
        // Where a match stands that was scrolled to, it is not found again, however narrow the pane.
        let ahead = cells.saturating_sub(needle.len()).max(cells / 3 + 1);
        Self::From(scroll + ahead)
    }
}

/// The cell that it begins in.
pub(super) fn find(
    screen: &ReviewScreen,
    row: usize,
    needle: &str,
    within: Within,
) -> Option<usize> {
    let place = screen.stream.place(row)?;
    let file = screen.page.as_ref()?.files.get(place.file)?;
    find_in(place.row.lines().filter_map(|line| line_text(file, line)), needle, within)
}

/// The same of the lines that stand in one row.
pub(super) fn find_in<'a>(
    texts: impl Iterator<Item = &'a [u8]>,
    needle: &str,
    within: Within,
) -> Option<usize> {
    match within {
        Within::From(cell) => texts
            .filter_map(|text| {
                let from = byte_of(text, cell);
                let found = find_matches(needle, &text[from..], 1).pop()?;
                Some(cell_of(text, from + found.start as usize))
            })
            .min(),
        Within::Before(cell) => texts
            .filter_map(|text| {
                // One that begins there reaches further.
                let end = cell.map_or(text.len(), |cell| byte_of(text, cell) + needle.len() - 1);
                let found = find_matches(needle, &text[..end.min(text.len())], usize::MAX).pop()?;
                Some(cell_of(text, found.start as usize))
            })
            .max(),
    }
}

/// So that this match is in sight.
pub(super) fn scroll_to(screen: &ReviewScreen, cell: usize, length: usize, rows: usize) -> usize {
    Sight::of_review(screen, rows).scroll_to(cell, length)
}
