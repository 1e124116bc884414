//! Ignored files that stand where a shadow's move brings something: named before, kept in the trash, out of the way
//! while it lasts, back with its undo. Everything else in the way is in the shadow's snapshot, and comes back by git.

use std::{fs, path::Path};

use super::Deck;
use crate::{
    git::{
        obstacles::{Place, find_in_the_way},
        shadow_worktree::Kept,
    },
    report::{Code, Report},
    review::{ChangedPath, Entry, Mode},
    shadow::RepoPath,
    store::{ShadowEntry, kept, modes},
};

/// What has to make room for a move: ignored files, and the directories they lie in. A pipe or a socket is nothing
/// that could be kept.
pub(super) fn find(deck: &Deck, moved: &Kept<'_>) -> Result<Vec<RepoPath>, Report> {
    let root = &moved.place.worktree;
    let files = moved.find_obstacles(&deck.repository)?;
    let is_kept = |path: &&RepoPath| {
        fs::symlink_metadata(root.join(path.as_path()))
            .is_ok_and(|about| about.is_file() || about.is_symlink())
    };
    let special: Vec<RepoPath> = files.iter().filter(|path| !is_kept(path)).cloned().collect();
    if !special.is_empty() {
        return Err(moved.refuse(special));
    }
    let mut found = files;
    for change in moved.changes(&deck.repository)? {
        if change.old.is_none() {
            let below = modes::read_below(root, change.path.as_path())?;
            found.extend(below.into_iter().map(|one| one.path));
        }
    }
    found.sort();
    Ok(found)
}

/// Of those, the files.
pub(super) fn files_of(root: &Path, cleared: &[RepoPath]) -> Vec<RepoPath> {
    cleared.iter().filter(|path| !root.join(path.as_path()).is_dir()).cloned().collect()
}

/// Keeps the files, and notes all of it: nothing moves yet.
pub(super) fn keep(shadow: &mut ShadowEntry, cleared: Vec<RepoPath>) -> Result<(), Report> {
    kept::save_files(&shadow.path, &shadow.trash, cleared.iter().map(RepoPath::as_path))?;
    for path in &cleared {
        for one in modes::read_below(&shadow.path, path.as_path())? {
            if !shadow.modes.iter().any(|other| other.path == one.path) {
                shadow.modes.push(one);
            }
        }
    }
    shadow.cleared = cleared;
    Ok(())
}

/// Makes the room. Files are taken only as they were kept.
pub(super) fn clear(shadow: &ShadowEntry) -> Result<(), Report> {
    match kept::clear(&shadow.path, &shadow.trash, &shadow.cleared)? {
        None => Ok(()),
        Some(path) => {
            let headline = format!("{} was written to meanwhile", path.to_lossy());
            Err(Report::user(Code::ShadowMoved, headline))
        }
    }
}

/// The way back, modes included. The answer is what the user has to know.
pub(super) fn bring_back(shadow: &ShadowEntry) -> Result<Vec<String>, Report> {
    let taken = kept::unclear(&shadow.path, &shadow.trash, &shadow.cleared)?;
    let mut told = modes::restore(&shadow.path, &shadow.modes);
    if !taken.is_empty() {
        let named: Vec<String> = taken.iter().map(RepoPath::to_lossy).collect();
        let kept = shadow.trash.display();
        told.push(format!(
            "another has its place by now, it is kept in {kept}: {}",
            named.join(", ")
        ));
    }
    Ok(told)
}

/// Whether something else has their places by now, ignored files too.
pub(super) fn refuse_taken(place: &Place, shadow: &ShadowEntry) -> Result<(), Report> {
    let arriving = |path: &RepoPath| ChangedPath {
        path: path.clone(),
        old: None,
        new: Some(Entry { mode: Mode::File, oid: shadow.tip.clone() }),
    };
    let back: Vec<ChangedPath> = shadow.cleared.iter().map(arriving).collect();
    let taken = find_in_the_way(place, &back)?;
    let Some(first) = taken.first() else { return Ok(()) };
    let headline = format!(
        "{} has the place of a file of {} that would come back",
        first.to_lossy(),
        shadow.id
    );
    Err(Report::user(Code::CannotUndo, headline)
        .unchanged()
        .hint("move it out of the way, then undo again")
        .detail("files", taken.iter().map(RepoPath::to_lossy).collect::<Vec<_>>()))
}
