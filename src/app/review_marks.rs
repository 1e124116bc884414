//! What is remembered of reading beyond one visit: read once, kept by a job after each change.
//! The list is told how far each shadow is read, also of those that nobody has opened since the start.

use std::collections::BTreeSet;

use super::{
    Effect, Model, Screen,
    job::{Job, Outcome, Slot},
};
use crate::{
    report::Report,
    review::{
        FileDiff, ReviewPage,
        digest::{Digest, digests},
        marks::{Looked, Mark, Marks},
        ticks::{Reading, Ticks},
    },
    shadow::{Oid, RepoPath, ShadowId},
};

/// How far a person has read a shadow's change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadCount {
    /// Of which change: a landing or a rebase may leave the files and move the base.
    pub base: Oid,
    pub snapshot: Oid,
    pub read: usize,
    pub files: usize,
    /// Files that changed since they were read.
    pub changed: usize,
    /// Not counted, and not read; none where only the numbers were kept.
    pub folded: Vec<RepoPath>,
}

/// Ticks and places, and what of them is not on the disk yet.
#[derive(Debug, Default)]
pub struct Memory {
    pub marks: Marks,
    unsaved: Vec<Mark>,
    /// On their way to the disk.
    saving: Vec<Mark>,
    /// They could not be kept: that is tried again with the next mark, or on quitting.
    has_failed: bool,
    is_asked: bool,
    /// Counts what was marked.
    revision: u64,
    /// Shadows whose page was counted, with the snapshot that it was counted for.
    counted: Vec<(ShadowId, [Option<Oid>; 2])>,
}

impl Memory {
    pub(super) fn mark(&mut self, mark: Mark) {
        self.marks.apply(&mark);
        self.unsaved.push(mark);
        self.revision += 1;
        self.has_failed = false;
    }

    /// What is counted of a shadow may be of another change than its row tells.
    pub(super) fn count_again(&mut self, id: &ShadowId) {
        self.counted.retain(|(known, _)| known != id);
    }

    /// Another number: other marks, perhaps.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Something is still on its way to the disk.
    pub fn is_unsaved(&self) -> bool {
        !self.unsaved.is_empty() || !self.saving.is_empty()
    }
}

/// What is on the disk, with what is not there yet.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Marks(kept)) => {
            if let Some(report) = kept.damage.first() {
                model.fail(report);
            }
            let memory = &mut model.memory;
            memory.saving.clear();
            memory.marks = kept.marks;
            memory.revision += 1;
            for mark in &memory.unsaved {
                memory.marks.apply(mark);
            }
            super::review_open::count_read(model);
        }
        Ok(_) => {}
        Err(report) => {
            let memory = &mut model.memory;
            memory.has_failed = true;
            let later = std::mem::take(&mut memory.unsaved);
            memory.unsaved = std::mem::take(&mut memory.saving);
            memory.unsaved.extend(later);
            // Whoever wanted to quit reads why first; quitting again quits.
            model.leaving &= model.jobs.is_open(Slot::Write);
            model.fail(&report);
            return Vec::new();
        }
    }
    model.quit_when_kept()
}

/// What is to be kept goes to the disk, all of it, in one job.
pub(super) fn keep(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Marks) {
        return Vec::new();
    }
    let memory = &mut model.memory;
    memory.is_asked = true;
    memory.saving = std::mem::take(&mut memory.unsaved);
    let changes = memory.saving.clone();
    model.jobs.start(Slot::Marks, Job::Marks(changes))
}

/// After every message: what is to be kept is kept, one job after the other.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Marks) || !model.fleet.complete {
        return Vec::new();
    }
    let memory = &model.memory;
    if !memory.is_asked || (memory.is_unsaved() && !memory.has_failed) {
        return keep(model);
    }
    tell_list(model);
    count_next(model)
}

/// What was counted when a person left it holds as long as the snapshot is the same.
fn tell_list(model: &mut Model) {
    let mut known = Vec::new();
    for listed in &model.fleet.listed {
        let Some(looked) = model.memory.marks.looked.get(&listed.row.id) else { continue };
        let Looked { snapshot, base: Some(base), read, files, changed } = looked else { continue };
        if listed.row.is_of(base, snapshot) && model.fleet.read_of(&listed.row).is_none() {
            let (read, files, changed) = (*read, *files, *changed);
            let (base, snapshot) = (base.clone(), snapshot.clone());
            let folded = Vec::new();
            let count = ReadCount { base, snapshot, read, files, changed, folded };
            known.push((listed.row.id.clone(), count));
        }
    }
    model.fleet.read.extend(known);
}

/// One shadow at a time that was looked at before and has changed since, or has another base.
fn count_next(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Reading) {
        return Vec::new();
    }
    let next = model.fleet.listed.iter().find_map(|listed| {
        let row = &listed.row;
        row.snapshot.as_ref()?;
        // The review that is open counts itself.
        let is_looked =
            model.memory.marks.looked.contains_key(&row.id) && !is_on_screen(model, &row.id);
        let change = (row.id.clone(), [row.base.clone(), row.snapshot.clone()]);
        let is_known = model.fleet.read_of(row).is_some() || model.memory.counted.contains(&change);
        (is_looked && !is_known).then_some(change)
    });
    let Some((id, of)) = next else { return Vec::new() };
    model.memory.count_again(&id);
    model.memory.counted.push((id.clone(), of));
    model.jobs.start(Slot::Reading, Job::Review { id })
}

fn is_on_screen(model: &Model, id: &ShadowId) -> bool {
    model.screen() == Screen::Review
        && model.review.as_ref().is_some_and(|screen| screen.id == *id && screen.whole.is_some())
}

pub(super) fn receive_counted(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    // What cannot be read is told by its own row.
    if let Ok(Outcome::Review(page)) = outcome
        && !is_on_screen(model, &page.id)
    {
        let digests: Vec<Vec<Digest>> = page.files.iter().map(digests).collect();
        let read = count(&model.memory.marks.ticks, &page, &digests, &BTreeSet::new());
        model.fleet.read.insert(page.id, read);
    }
    Vec::new()
}

/// Nobody reads what is folded: it is named apart, not counted as read or unread; unless there is nothing else.
pub(super) fn count(
    ticks: &Ticks,
    page: &ReviewPage,
    digests: &[Vec<Digest>],
    unfolded: &BTreeSet<RepoPath>,
) -> ReadCount {
    let (base, snapshot) = (page.base.clone(), page.snapshot.clone());
    let folded = Vec::new();
    let mut read = ReadCount { base, snapshot, read: 0, files: 0, changed: 0, folded };
    let is_open = |file: &FileDiff| file.fold.is_none() || unfolded.contains(&file.change.path);
    let is_all_folded = page.is_all_folded();
    for (file, digests) in page.files.iter().zip(digests) {
        let reading = ticks.reading(&page.id, &file.change, digests);
        if !is_open(file) && !is_all_folded {
            let path = (reading != Reading::Read).then(|| file.change.path.clone());
            read.folded.extend(path);
            continue;
        }
        read.files += 1;
        match reading {
            Reading::Read => read.read += 1,
            Reading::ChangedSince => read.changed += 1,
            Reading::Unread => {}
        }
    }
    read
}
