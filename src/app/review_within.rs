//! Matches within one line that is longer than its pane: which lie out of sight, and how far to scroll for them.

use super::review::{ReviewScreen, line_text};
use super::review_search::find_matches;
use crate::review::{
    pieces::{byte_of, cell_of},
    stream::Long,
};

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
        if direction < 0 {
            return Self::Before(Some(screen.scroll));
        }
        let width = cells_in_sight(screen, rows);
        // Where a match stands that was scrolled to, it is not found again, however narrow the pane.
        let ahead = width.saturating_sub(needle.len()).max(width / 3 + 1);
        Self::From(screen.scroll + ahead)
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
    let texts = place.row.lines().filter_map(|line| line_text(file, line));
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

/// As it is where that shows the match; the line's beginning where that does; else with a third of the pane before it.
pub(super) fn scroll_to(screen: &ReviewScreen, cell: usize, length: usize, rows: usize) -> usize {
    let width = cells_in_sight(screen, rows);
    let shows = |scroll: usize| scroll <= cell && cell + length < scroll + width;
    match screen.scroll {
        scroll if shows(scroll) => scroll,
        _ if shows(0) => 0,
        _ => cell.saturating_sub(width / 3),
    }
}

/// Of one line. The last cell says that it goes on.
fn cells_in_sight(screen: &ReviewScreen, rows: usize) -> usize {
    let lines = match screen.long {
        Long::Cut => 1,
        Long::Wraps => (rows / 2).max(1),
    };
    (screen.code_cells * lines).saturating_sub(1)
}
