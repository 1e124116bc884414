//! What git tells beside the three versions of a conflict file: which name it had before, what lies in a directory of
//! its name, and the commit that added or deleted it.

use std::collections::BTreeSet;

use crate::{
    git::{
        Repository, at_path,
        deeds::{Deed, read_deeds},
        diff::{Pair, read_renames},
    },
    report::Report,
    review::{ConflictFile, ConflictKind, FileStatus},
    shadow::{Oid, RepoPath},
};

/// What was merged.
pub(super) struct Ends<'a> {
    pub(super) base: &'a Oid,
    /// Target and shadow, as merged.
    pub(super) sides: [&'a Oid; 2],
    /// Target and shadow, as far as somebody committed it.
    pub(super) tips: [&'a Oid; 2],
}

/// Asks only for files that not all three have.
pub(super) fn tell(
    repository: &Repository,
    ends: &Ends<'_>,
    files: &mut [ConflictFile],
) -> Result<(), Report> {
    if files.iter().all(has_all) {
        return Ok(());
    }
    let mut renames = Vec::new();
    for side in ends.sides {
        renames
            .push(read_renames(repository, &Pair { old: ends.base.clone(), new: side.clone() })?);
    }
    let mut paths = BTreeSet::new();
    for file in files.iter_mut().filter(|file| !has_all(file)) {
        let path = file.conflict.path.clone();
        let own = file.conflict.moved_from.as_ref().unwrap_or(&path);
        let entries = [file.conflict.target.is_some(), file.conflict.shadow.is_some()];
        for (side, has) in entries.into_iter().enumerate() {
            let told = &mut file.told[side];
            let mut found = renames[side].iter();
            told.renamed = if has {
                found.find(|(_, new)| new == own).map(|(old, _)| old.clone())
            } else {
                found.find(|(old, _)| *old == path).map(|(_, new)| new.clone())
            };
            if !has && file.conflict.kind == ConflictKind::FileDirectory {
                told.below = at_path::read_below(repository, ends.sides[side], &path)?;
            }
        }
        paths.extend(names_of(file));
        let moved = file.conflict.moved_directories().map(|[from, _]| from);
        // Of the top directory itself git would tell of every file there is.
        paths.extend(moved.filter(|from| !from.as_bytes().is_empty()));
    }
    let deeds = read_deeds(repository, ends.tips, &paths)?;
    for file in files.iter_mut().filter(|file| !has_all(file)) {
        let names = names_of(file);
        let moved = file.conflict.moved_directories().map(|[from, _]| from);
        let entries = [file.conflict.target.is_some(), file.conflict.shadow.is_some()];
        for (side, has) in entries.into_iter().enumerate() {
            let is_it = |deed: &&Deed| {
                let of_file = names.contains(&deed.path);
                let is_own = match (has, &moved) {
                    (true, _) => deed.status == FileStatus::Added && of_file,
                    (false, Some(from)) => {
                        deed.status == FileStatus::Deleted
                            && deed.path.as_path().starts_with(from.as_path())
                    }
                    (false, None) => deed.status == FileStatus::Deleted && of_file,
                };
                deed.side == side && is_own
            };
            file.told[side].by = deeds.iter().find(is_it).map(|deed| deed.commit.clone());
        }
    }
    Ok(())
}

fn has_all(file: &ConflictFile) -> bool {
    [&file.conflict.base, &file.conflict.target, &file.conflict.shadow].iter().all(|e| e.is_some())
}

/// The names that the file has or had on some side.
fn names_of(file: &ConflictFile) -> BTreeSet<RepoPath> {
    let renamed = file.told.iter().filter_map(|told| told.renamed.clone());
    let own = [Some(file.conflict.path.clone()), file.conflict.moved_from.clone()];
    renamed.chain(own.into_iter().flatten()).collect()
}
