//! What lies where a submodule makes room for something else: git removes such a directory with all that is in it, and
//! a file that somebody put in its place, without a look. Every move of files asks here first.

use std::{fs, path::Path};

use super::obstacles::{Place, metadata, overlaps};
use crate::{
    report::{Doing, Report},
    review::{ChangedPath, Entry},
    shadow::RepoPath,
};

/// The submodules of which a move would remove what is there. What is checked out of one may be nowhere else, and no
/// undo could bring it back: none is taken for clean.
pub fn find_overrun(place: &Place, changes: &[ChangedPath]) -> Result<Vec<RepoPath>, Report> {
    let mut found = Vec::new();
    for change in changes.iter().filter(|change| is_submodule(change.old.as_ref())) {
        let full = place.worktree.join(change.path.as_path());
        let Some(about) = metadata(&full)? else { continue };
        // A directory stays where its entry only moves, or goes with nothing in its place.
        let stays = about.is_dir() && is_submodule(change.new.as_ref());
        let makes_room =
            || changes.iter().any(|other| other.new.is_some() && overlaps(&change.path, other));
        if !stays && makes_room() && !(about.is_dir() && is_empty(&full)?) {
            found.push(change.path.clone());
        }
    }
    Ok(found)
}

pub(super) fn is_submodule(entry: Option<&Entry>) -> bool {
    entry.is_some_and(|entry| entry.mode.is_submodule())
}

pub(super) fn is_empty(dir: &Path) -> Result<bool, Report> {
    Ok(fs::read_dir(dir).doing(format!("read {}", dir.display()))?.next().is_none())
}

/// Whether a repository of its own is there.
pub(super) fn holds_repository(dir: &Path) -> bool {
    dir.symlink_metadata().is_ok_and(|about| about.is_dir())
        && dir.join(".git").symlink_metadata().is_ok()
}
