//! Lock files that git leaves behind where it was killed, or could not remove them: an operation is not closed before
//! those that are provably its own are gone.

use std::path::Path;

use super::Deck;
use crate::{
    git::{obstacles::Place, stale_locks},
    report::Report,
    shadow::BranchName,
    store::{Fate, JournalEntry, ShadowEntry},
};

/// Call it under the lock, with no git of ours under way. One look for each file where there is none.
pub(super) fn remove(deck: &Deck, entry: &JournalEntry) -> Result<(), Report> {
    if let Some(move_of) = &entry.advance {
        let at = move_of.worktree.as_ref().zip(move_of.git_dir.as_ref());
        let at = at.map(|(worktree, git_dir)| place_in(deck, worktree, git_dir));
        let (branch, to) = (&move_of.target, &move_of.after);
        stale_locks::remove(&deck.repository, at.as_ref(), branch, to, entry.started_ms)?;
    }
    entry.shadows.iter().try_for_each(|shadow| remove_of(deck, shadow, entry.started_ms))
}

fn place_in(deck: &Deck, worktree: &Path, git_dir: &Path) -> Place {
    Place {
        worktree: worktree.to_owned(),
        git_dir: git_dir.to_owned(),
        timeout: deck.git_timeout(),
    }
}

fn remove_of(deck: &Deck, shadow: &ShadowEntry, since_ms: u64) -> Result<(), Report> {
    let place = || Some(place_in(deck, &shadow.path, &shadow.git_dir));
    let (head, at) = match &shadow.fate {
        Fate::Kept { new_tip, .. } => (new_tip, place()),
        Fate::PutBack { .. } => (&shadow.tip, place()),
        // Of these only the branch is moved.
        Fate::Trashed | Fate::Restored | Fate::Made | Fate::Untouched => (&shadow.tip, None),
    };
    let detached = BranchName("HEAD".to_owned());
    let branch = shadow.branch.as_ref().unwrap_or(&detached);
    stale_locks::remove(&deck.repository, at.as_ref(), branch, head, since_ms)
}

/// For a shadow, as it was `noted`, that stays because git was stopped in it: what stays too is told.
pub(super) fn remove_left_in(deck: &Deck, noted: &ShadowEntry, entry: &mut JournalEntry) {
    let left = remove_of(deck, noted, entry.started_ms).err();
    entry.warnings.extend(left.map(|report| report.headline));
}

/// For an operation that is closed: what stays is told, for no later start looks there again.
pub(super) fn remove_or_tell(deck: &Deck, entry: &mut JournalEntry) {
    let left = remove(deck, entry).err();
    entry.warnings.extend(left.map(|report| report.headline));
}
