//! Which choices of the conflicts are made, which is next, and which can be made at all.

use super::conflicts::{Choice, ConflictsScreen};
use crate::review::{Conflict, ConflictFile, ConflictKind, Resolution};

/// Names of one file are one choice.
fn is_first_name(file: &ConflictFile) -> bool {
    file.conflict.names.iter().all(|name| *name > file.conflict.path)
}

/// `b` fits: both sides' lines, both names, or both files.
pub fn can_both(file: &ConflictFile) -> bool {
    file.weave.is_some() || !file.conflict.names.is_empty() || can_both_files(file)
}

/// Two files want one name: one of them can have another. One that is to be moved can stay where it is.
pub fn can_both_files(file: &ConflictFile) -> bool {
    let Conflict { kind, target, shadow, moved_from, .. } = &file.conflict;
    match kind {
        ConflictKind::FileDirectory => target.is_some() != shadow.is_some(),
        ConflictKind::DirectoryRename if moved_from.is_some() => {
            target.is_some() != shadow.is_some()
        }
        ConflictKind::Mode | ConflictKind::Submodule | ConflictKind::RenameRename => false,
        _ => target.is_some() && shadow.is_some(),
    }
}

impl ConflictsScreen {
    /// The other names of the file.
    fn others<'a>(&'a self, file: &'a ConflictFile) -> impl Iterator<Item = &'a ConflictFile> {
        self.files().iter().filter(|other| file.conflict.names.contains(&other.conflict.path))
    }

    /// Its lines are chosen under its other names.
    pub(super) fn has_lines_elsewhere(&self, file: &ConflictFile) -> bool {
        self.others(file).any(|other| other.conflict.versions.is_some())
    }

    /// The same lines stand under each name that it keeps.
    pub(super) fn under_all_names(
        &self,
        file: &ConflictFile,
        resolution: Option<&Resolution>,
    ) -> Vec<Choice> {
        let is_kept = |other: &&ConflictFile| {
            other.conflict.versions.is_some()
                && file.conflict.versions.is_some()
                && resolution != Some(&Resolution::Delete)
                && other.conflict.resolution != Some(Resolution::Delete)
        };
        let all = std::iter::once(file).chain(self.others(file).filter(is_kept));
        let choice = |file: &ConflictFile| {
            let (path, resolution) = (file.conflict.path.clone(), resolution.cloned());
            Choice { step: self.step(), path, resolution }
        };
        all.map(choice).collect()
    }

    /// Names of one file are counted once, and once more where its lines are chosen too.
    fn once(&self, file: &ConflictFile, count: impl Fn(&ConflictFile) -> usize) -> usize {
        let all = || self.others(file).chain([file]);
        let most = |has_lines: bool| {
            let of = all().filter(|file| file.conflict.versions.is_some() == has_lines);
            of.map(&count).max().unwrap_or(0)
        };
        most(false) + most(true)
    }

    /// Choices to make.
    pub fn open_count(&self) -> usize {
        let open = |file: &ConflictFile| self.once(file, ConflictFile::open_count);
        let is_first = |file: &&ConflictFile| is_first_name(file);
        self.files().iter().filter(is_first).map(open).sum::<usize>()
    }

    /// Choices made.
    pub fn chosen_count(&self) -> usize {
        let chosen = |file: &ConflictFile| match &file.weave {
            Some(_) if file.conflict.resolution.is_none() => {
                file.takes.iter().filter(|take| take.is_some()).count()
            }
            Some(_) if matches!(file.conflict.resolution, Some(Resolution::Places(_))) => {
                file.takes.len()
            }
            // One answer for the whole file.
            Some(_) => 1,
            None => usize::from(file.conflict.resolution.is_some()),
        };
        let is_first = |file: &&ConflictFile| is_first_name(file);
        self.files().iter().filter(is_first).map(|file| self.once(file, chosen)).sum()
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
