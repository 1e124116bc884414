//! What is remembered of reading beyond one visit: read once, kept by a job after each change.
//! The list is told how far each shadow is read, also of those that nobody has opened since the start.

use std::collections::BTreeSet;

use super::{
    Effect, Model,
    fleet::ReadCount,
    job::{Job, Outcome, Slot},
};
use crate::{
    report::Report,
    review::{
        FileDiff, ReviewPage,
        fold::why_folded,
        marks::{Looked, Mark, Marks},
        ticks::Reading,
    },
    shadow::{Oid, RepoPath, ShadowId},
};

/// Ticks and places, and what of them is not on the disk yet.
#[derive(Debug, Default)]
pub struct Memory {
    pub marks: Marks,
    unsaved: Vec<Mark>,
    is_asked: bool,
    /// Shadows whose page was counted, with the snapshot that it was counted for.
    counted: Vec<(ShadowId, Oid)>,
}

impl Memory {
    pub(super) fn mark(&mut self, mark: Mark) {
        self.marks.apply(&mark);
        self.unsaved.push(mark);
    }

    /// Something is still on its way to the disk.
    pub fn is_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }
}

/// What is on the disk, with what is not there yet.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Marks(marks)) => {
            let memory = &mut model.memory;
            memory.marks = *marks;
            for mark in &memory.unsaved {
                memory.marks.apply(mark);
            }
            super::review_open::count_read(model);
        }
        Ok(_) => {}
        Err(report) => model.fail(&report),
    }
    Vec::new()
}

/// After every message: what is to be kept is kept, one job after the other.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Marks) || !model.fleet.complete {
        return Vec::new();
    }
    if !model.memory.is_asked || model.memory.is_unsaved() {
        model.memory.is_asked = true;
        let changes = std::mem::take(&mut model.memory.unsaved);
        return model.jobs.start(Slot::Marks, Job::Marks(changes));
    }
    tell_list(model);
    count_next(model)
}

/// What was counted when a person left it holds as long as the snapshot is the same.
fn tell_list(model: &mut Model) {
    let mut known = Vec::new();
    for listed in &model.fleet.listed {
        let Some(looked) = model.memory.marks.looked.get(&listed.row.id) else { continue };
        let is_same = listed.row.snapshot.as_ref() == Some(&looked.snapshot);
        if is_same && !model.fleet.read.contains_key(&listed.row.id) {
            let Looked { read, files, changed, .. } = *looked;
            known.push((listed.row.id.clone(), ReadCount { read, files, changed }));
        }
    }
    model.fleet.read.extend(known);
}

/// One shadow at a time that was looked at before and has changed since.
fn count_next(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Reading) {
        return Vec::new();
    }
    let next = model.fleet.listed.iter().find_map(|listed| {
        let (id, snapshot) = (&listed.row.id, listed.row.snapshot.as_ref()?);
        let looked = model.memory.marks.looked.get(id)?;
        let is_known = looked.snapshot == *snapshot
            || model.memory.counted.iter().any(|(known, at)| known == id && at == snapshot);
        (!is_known).then(|| (id.clone(), snapshot.clone()))
    });
    let Some((id, snapshot)) = next else { return Vec::new() };
    model.memory.counted.retain(|(known, _)| *known != id);
    model.memory.counted.push((id.clone(), snapshot));
    model.jobs.start(Slot::Reading, Job::Review { id })
}

pub(super) fn receive_counted(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    // What cannot be read is told by its own row.
    if let Ok(Outcome::Review(page)) = outcome {
        let read = count(&model.memory.marks, &page, &BTreeSet::new());
        model.fleet.read.insert(page.id, read);
    }
    Vec::new()
}

/// Nobody reads what is folded: it is named apart, not counted as read or unread.
pub(super) fn count(marks: &Marks, page: &ReviewPage, unfolded: &BTreeSet<RepoPath>) -> ReadCount {
    let mut read = ReadCount { read: 0, files: 0, changed: 0 };
    let is_open =
        |file: &&FileDiff| why_folded(file).is_none() || unfolded.contains(&file.change.path);
    for file in page.files.iter().filter(is_open) {
        read.files += 1;
        match marks.ticks.reading(&page.id, &file.change) {
            Reading::Read => read.read += 1,
            Reading::ChangedSince => read.changed += 1,
            Reading::Unread => {}
        }
    }
    read
}
