//! The list before it is whole: what an earlier visit knew of each shadow, told as old until it is looked at again,
//! and the rows that are.
//! It decides nothing: plans are made on fresh facts, and what depends on the time (stale, at work) is left out.

use std::collections::BTreeMap;

use super::{
    Model,
    fleet::{FleetScreen, Listed},
};
use crate::{
    review::{Progress, Row, SeenRow, Verdict},
    shadow::ShadowId,
};

impl FleetScreen {
    /// What is known, now or from an earlier visit, gave every row its group.
    pub fn is_sorted(&self) -> bool {
        self.complete || self.sorted_as_of_ms.is_some()
    }

    /// What the rows tell is of this time or later: the last whole list was begun then.
    pub(super) fn known_from_ms(&self) -> u64 {
        self.read_at_ms.saturating_sub(self.took_ms)
    }

    /// How old the oldest of what is shown is, while not all of it is of now.
    pub fn as_of_ms(&self) -> Option<u64> {
        self.listed.iter().filter_map(|listed| listed.as_of_ms).min()
    }
}

/// Names and places are there, and perhaps what was last seen: in whichever order they came.
pub(super) fn fill(model: &mut Model) {
    let screen = &mut model.fleet;
    let Some(seen) = screen.seen.list.as_ref().filter(|_| !screen.complete) else { return };
    let known: BTreeMap<&ShadowId, &SeenRow> = seen.rows.iter().map(|row| (&row.id, row)).collect();
    for listed in &mut screen.listed {
        if listed.row.snapshot.is_some() {
            continue;
        }
        let shown = known.get(&listed.row.id).and_then(|seen| seen.shown.as_ref());
        if let Some(shown) = shown.filter(|_| listed.row.problem.is_none()) {
            shown.fill(&mut listed.row);
            listed.as_of_ms = Some(seen.time_ms);
            screen.sorted_as_of_ms = Some(seen.time_ms);
        }
    }
    if screen.sorted_as_of_ms.is_some() && !screen.moved {
        screen.sort();
        screen.go_to_first_wanting();
    }
    super::fleet::keep_in_view(model);
}

/// How far the first list is; what is known now shows in its place.
pub(super) fn take(model: &mut Model, told: Progress) {
    let screen = &mut model.fleet;
    let Progress::Looked { rows, count, of } = told else { return };
    if screen.complete {
        return;
    }
    screen.looked_at = Some((count, of));
    for row in rows {
        let listed = screen.listed.iter_mut().find(|listed| listed.row.id == row.id);
        if let Some(listed) = listed.filter(|listed| tells_more(&row, listed)) {
            (listed.row, listed.as_of_ms) = (row, None);
        }
    }
}

/// An old verdict stays until there is another: nothing is shown that is half old.
fn tells_more(row: &Row, listed: &Listed) -> bool {
    row.verdict != Verdict::Unknown || row.problem.is_some() || listed.as_of_ms.is_none()
}
