//! Lock files that git leaves behind where it was killed, or could not remove them: an operation is not closed before
//! those that are provably its own are gone.

use super::Deck;
use crate::{
    git::{obstacles::Place, stale_locks},
    report::Report,
    shadow::BranchName,
    store::{Fate, JournalEntry},
};

/// Call it under the lock, with no git of ours under way. One look for each file where there is none.
pub(super) fn remove(deck: &Deck, entry: &JournalEntry) -> Result<(), Report> {
    let repository = &deck.repository;
    let remove = |place: Option<&Place>, branch: &BranchName, to| {
        stale_locks::remove(repository, place, branch, to, entry.started_ms)
    };
    let place = |worktree: &std::path::Path, git_dir: &std::path::Path| Place {
        worktree: worktree.to_owned(),
        git_dir: git_dir.to_owned(),
        timeout: deck.git_timeout(),
    };
    if let Some(move_of) = &entry.advance {
        let at = move_of.worktree.as_ref().zip(move_of.git_dir.as_ref());
        let at = at.map(|(worktree, git_dir)| place(worktree, git_dir));
        remove(at.as_ref(), &move_of.target, &move_of.after)?;
    }
    for shadow in &entry.shadows {
        let (head, at) = match &shadow.fate {
            Fate::Kept { new_tip, .. } => (new_tip, Some(place(&shadow.path, &shadow.git_dir))),
            Fate::PutBack { .. } => (&shadow.tip, Some(place(&shadow.path, &shadow.git_dir))),
            // Of these only the branch is moved.
            Fate::Trashed | Fate::Restored | Fate::Made | Fate::Untouched => (&shadow.tip, None),
        };
        let detached = BranchName("HEAD".to_owned());
        remove(at.as_ref(), shadow.branch.as_ref().unwrap_or(&detached), head)?;
    }
    Ok(())
}

/// For an operation that is closed: what stays is told, for no later start looks there again.
pub(super) fn remove_or_tell(deck: &Deck, entry: &mut JournalEntry) {
    let left = remove(deck, entry).err();
    entry.warnings.extend(left.map(|report| report.headline));
}
