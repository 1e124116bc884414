//! Which choices of the conflicts are made, which is next, and which can be made at all.

use super::conflicts::ConflictsScreen;
use crate::review::{Conflict, ConflictFile, ConflictKind};

/// Names of one file are one choice.
fn is_first_name(file: &ConflictFile) -> bool {
    file.conflict.names.iter().all(|name| *name > file.conflict.path)
}

/// `b` fits: both sides' lines, both names, or both files.
pub fn can_both(file: &ConflictFile) -> bool {
    file.weave.is_some() || !file.conflict.names.is_empty() || can_both_files(file)
}

/// Two files want one name: one of them can have another.
pub fn can_both_files(file: &ConflictFile) -> bool {
    let Conflict { kind, target, shadow, .. } = &file.conflict;
    match kind {
        ConflictKind::FileDirectory => target.is_some() != shadow.is_some(),
        ConflictKind::Mode | ConflictKind::Submodule | ConflictKind::RenameRename => false,
        _ => target.is_some() && shadow.is_some(),
    }
}

impl ConflictsScreen {
    /// Choices to make.
    pub fn open_count(&self) -> usize {
        let open = |file: &ConflictFile| {
            let names = &file.conflict.names;
            let others = self.files().iter().filter(|other| names.contains(&other.conflict.path));
            let all = others.chain([file]).map(ConflictFile::open_count);
            if names.is_empty() { all.sum() } else { all.max().unwrap_or(0) }
        };
        let is_first = |file: &&ConflictFile| is_first_name(file);
        self.files().iter().filter(is_first).map(open).sum::<usize>()
    }

    /// Choices made.
    pub fn chosen_count(&self) -> usize {
        let chosen = |file: &ConflictFile| match &file.weave {
            Some(_) if file.conflict.resolution.is_none() => {
                file.takes.iter().filter(|take| take.is_some()).count()
            }
            Some(_) => file.takes.len(),
            None => usize::from(file.conflict.resolution.is_some()),
        };
        let is_first = |file: &&ConflictFile| is_first_name(file);
        self.files().iter().filter(is_first).map(chosen).sum()
    }

    pub fn settled_count(&self) -> usize {
        self.files().iter().filter(|file| file.conflict.resolution.is_some()).count()
    }

    /// All open places with their files, in order.
    pub(super) fn open_places(&self) -> Vec<(usize, usize)> {
        let open = |index: usize| {
            let file = &self.files()[index];
            let is_place = file.weave.is_some();
            let places = if is_place { file.takes.len() } else { 1 };
            let is_open = move |place: &usize| {
                file.conflict.resolution.is_none()
                    && (!is_place || file.takes.get(*place).is_some_and(Option::is_none))
            };
            (0..places).filter(is_open).map(move |place| (index, place))
        };
        (0..self.files().len()).flat_map(open).collect()
    }

    /// The next one, behind the one that is shown and around.
    pub(super) fn next_open(&self) -> Option<(usize, usize)> {
        let here = (self.cursor, self.clash);
        let all = self.open_places();
        all.iter().find(|place| **place > here).or(all.first()).copied()
    }
}
