//! The page beside the list: of the selected row, and of the one below before anybody goes there.

use super::{
    Effect, Model, Screen,
    job::{Job, Outcome, Slot},
};
use crate::{
    report::Report,
    review::{ReviewPage, Row},
};

/// The page of the selected row is read when nobody else's is being read: moving fast asks once.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.screen() != Screen::Fleet || !model.fleet.complete || model.jobs.is_open(Slot::Detail)
    {
        return Vec::new();
    }
    let Some(row) = model.fleet.selected() else { return Vec::new() };
    // A page that was asked for this row may be of a newer snapshot than the row still tells.
    let was_asked = model
        .fleet
        .detail_asked
        .as_ref()
        .is_some_and(|(id, snapshot)| *id == row.id && *snapshot == row.snapshot);
    let page = model.pages.find(&row.id);
    let known = page.is_some_and(|page| was_asked || is_of(row, page));
    if row.snapshot.is_none() || known || has_failed(model, row) {
        return read_ahead(model);
    }
    let ahead = model.fleet.ahead.as_ref().and_then(|(_, ahead)| ahead.as_ref());
    if model.jobs.is_open(Slot::Ahead) && ahead == Some(&row.id) {
        return Vec::new();
    }
    let id = row.id.clone();
    model.fleet.detail_asked = Some((id.clone(), row.snapshot.clone()));
    model.jobs.start(Slot::Detail, Job::Review { id })
}

/// Whoever walks down the list has the next page at once. Once for each row that is stopped at: what is written there
/// meanwhile is read when somebody comes.
fn read_ahead(model: &mut Model) -> Vec<Effect> {
    let Some(here) = model.fleet.selected().map(|row| row.id.clone()) else { return Vec::new() };
    let is_done = model.fleet.ahead.as_ref().is_some_and(|(of, _)| *of == here);
    if is_done || model.jobs.is_open(Slot::Ahead) {
        return Vec::new();
    }
    let next = model.fleet.visible().nth(model.fleet.cursor.index + 1).map(|listed| &listed.row);
    let is_known = |row: &Row| {
        has_failed(model, row) || model.pages.find(&row.id).is_some_and(|page| is_of(row, page))
    };
    let next = next.filter(|row| row.snapshot.is_some() && row.problem.is_none() && !is_known(row));
    let next = next.map(|row| row.id.clone());
    model.fleet.ahead = Some((here, next.clone()));
    next.map_or_else(Vec::new, |id| model.jobs.start(Slot::Ahead, Job::Review { id }))
}

fn has_failed(model: &Model, row: &Row) -> bool {
    let failed = model.fleet.unreadable.as_ref();
    failed.is_some_and(|(id, snapshot, _)| *id == row.id && *snapshot == row.snapshot)
}

fn is_of(row: &Row, page: &ReviewPage) -> bool {
    row.is_of(&page.base, &page.snapshot)
}

pub(super) fn receive(
    model: &mut Model,
    slot: Slot,
    outcome: Result<Outcome, Report>,
) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Review(page)) => {
            model.pages.keep(page);
        }
        Err(report) if slot == Slot::Detail => {
            let asked = model.fleet.detail_asked.take();
            model.fleet.unreadable = asked.map(|(id, snapshot)| (id, snapshot, report));
        }
        // Of the next one it is told when it is gone to, and read again.
        Ok(_) | Err(_) => {}
    }
    Vec::new()
}
