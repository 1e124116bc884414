//! Files that git could not remove when a move deleted them: tried once more, named where they stay, and in nobody's
//! way while they are still what was deleted.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{
    obstacles::{Place, find_in_the_way},
    settle::remove_added,
    written::{read_content, written_forms},
};
use crate::{
    report::{Doing, Report},
    review::{ChangedPath, Entry, Mode},
    shadow::RepoPath,
};

/// git only warns where it cannot remove a file that a move deletes. Tried once more, each that still holds what was
/// deleted; the answer names those that stay.
pub(super) fn remove_left_over(
    place: &Place,
    paths: &[ChangedPath],
) -> Result<Vec<RepoPath>, Report> {
    let mut left = Vec::new();
    for change in paths.iter().filter(|change| change.new.is_none()) {
        if holds(place, &change.path, change.old.as_ref())?
            && remove_added(place, &change.path).is_err()
        {
            left.push(change.path.clone());
        }
    }
    Ok(left)
}

/// Whether the file is, byte for byte and in its mode, what git would write for the entry.
fn holds(place: &Place, path: &RepoPath, entry: Option<&Entry>) -> Result<bool, Report> {
    let full = place.worktree.join(path.as_path());
    let (Some(entry), Ok(metadata)) = (entry, full.symlink_metadata()) else { return Ok(false) };
    let is_link = metadata.is_symlink();
    if entry.mode.is_submodule() || is_link != (entry.mode == Mode::Symlink) {
        return Ok(false);
    }
    if !is_link && !metadata.is_file() {
        return Ok(false);
    }
    let executable = metadata.permissions().mode() & 0o100 != 0;
    let same_mode = is_link || executable == (entry.mode == Mode::Executable);
    Ok(same_mode && written_forms(place, path, entry)?.contains(&read_content(&full, is_link)?))
}

/// Files that nothing tracks, but that are what the move brings to their paths, byte for byte: such as git could not
/// remove when they were deleted. They make room for themselves.
pub fn remove_same(place: &Place, paths: &[ChangedPath]) -> Result<(), Report> {
    let in_the_way = find_in_the_way(place, paths)?;
    for change in paths.iter().filter(|change| change.old.is_none()) {
        if in_the_way.contains(&change.path) && holds(place, &change.path, change.new.as_ref())? {
            let full = place.worktree.join(change.path.as_path());
            fs::remove_file(&full).doing(format!("remove {}", full.display()))?;
        }
    }
    Ok(())
}

/// Of what is in the way, that which is not the very file that comes.
pub fn retain_different(
    place: &Place,
    paths: &[ChangedPath],
    in_the_way: &mut Vec<RepoPath>,
) -> Result<(), Report> {
    let mut different = Vec::new();
    for path in in_the_way.drain(..) {
        let change = paths.iter().find(|change| change.path == path && change.old.is_none());
        let comes = change.and_then(|change| change.new.as_ref());
        if !holds(place, &path, comes)? {
            different.push(path);
        }
    }
    *in_the_way = different;
    Ok(())
}
