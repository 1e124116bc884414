//! What stays after all, and how the user is told: a shadow that was written to, shadows of which one could not go,
//! files that git could not remove.

use super::{Deck, moves};
use crate::{
    git::writer::Writer,
    report::Report,
    shadow::RepoPath,
    store::{Fate, JournalEntry, Phase, ShadowEntry},
};

/// Files that a move deleted and that are still there.
pub fn left_over(left: &[RepoPath]) -> Option<String> {
    let named: Vec<String> = left.iter().map(RepoPath::to_lossy).collect();
    (!left.is_empty())
        .then(|| format!("could not be removed, and stay as untracked files: {}", named.join(", ")))
}

/// Of several shadows to discard one cannot go: none does. What cannot come back either is named.
pub fn give_back(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    mut shadows: Vec<ShadowEntry>,
    failure: Report,
) -> Result<(), Report> {
    let mut gone = Vec::new();
    for shadow in shadows.iter_mut().filter(|shadow| shadow.fate == Fate::Trashed) {
        if moves::has_begun(shadow)
            && let Err(report) = moves::bring_back(deck, writer, shadow)
        {
            gone.push(format!("{} is in the trash all the same: {}", shadow.id, report.headline));
            continue;
        }
        shadow.fate = Fate::Untouched;
    }
    entry.warnings.clone_from(&gone);
    let phase = if gone.is_empty() { Phase::TakenBack } else { Phase::Done };
    // The log names what is gone, and nothing else.
    shadows.retain(|shadow| gone.is_empty() || shadow.fate == Fate::Trashed);
    entry.shadows = shadows;
    deck.store.journal().close(entry, phase)?;
    if gone.is_empty() {
        return Err(failure.unchanged());
    }
    let report = gone.into_iter().fold(failure, Report::cause);
    Err(report.safe("what is in the trash is whole").hint("`shadowdeck undo` brings it back"))
}

/// What was written after the snapshot did not land: the shadow stays, and the user learns what is new.
pub fn keep_if_written(deck: &Deck, shadow: &mut ShadowEntry, warnings: &mut Vec<String>) {
    if shadow.fate != Fate::Trashed {
        return;
    }
    let (worktree, now) = match moves::read_snapshot(deck, &shadow.id) {
        Ok(read) => read,
        Err(report) => {
            warnings.push(format!("{} stays: it cannot be read any more: {report}", shadow.id));
            shadow.fate = Fate::Untouched;
            return;
        }
    };
    let same_tip = worktree.head.tip() == Some(&shadow.tip);
    if same_tip && Some(&now) == shadow.snapshot.as_ref() {
        return;
    }
    let new = shadow.snapshot.as_ref().map(|snapshot| {
        let diff_tree = deck.repository.planning("diff-tree");
        crate::git::obstacles::changed_paths(diff_tree, snapshot.as_str(), now.as_str())
    });
    let named: Vec<String> = match new {
        Some(Ok(changes)) => changes.iter().map(|change| change.path.to_lossy()).collect(),
        _ => Vec::new(),
    };
    let what = if named.is_empty() { "new commits".to_owned() } else { named.join(", ") };
    warnings.push(format!("{} stays: it was written to while it landed, new is {what}", shadow.id));
    shadow.fate = Fate::Untouched;
}
