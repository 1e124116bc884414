//! The page beside the list: that of the row under the cursor.

use super::{
    Effect, Model, Screen,
    job::{Job, Slot},
};

/// The page of the selected row is read when nobody else's is being read: moving fast asks once.
pub(super) fn ask_detail(model: &mut Model) -> Vec<Effect> {
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
    let known = model
        .pages
        .find(&row.id)
        .is_some_and(|page| was_asked || row.is_of(&page.base, &page.snapshot));
    let failed = model
        .fleet
        .unreadable
        .as_ref()
        .is_some_and(|(id, snapshot, _)| *id == row.id && *snapshot == row.snapshot);
    if row.snapshot.is_none() || known || failed {
        return Vec::new();
    }
    let id = row.id.clone();
    model.fleet.detail_asked = Some((id.clone(), row.snapshot.clone()));
    model.jobs.start(Slot::Detail, Job::Review { id })
}
