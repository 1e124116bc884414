//! What would keep a shadow from coming back: all of it is found before anything moves.

use super::{Deck, clearing, moves, places};
use crate::{
    git::{
        advance::refuse_overlap,
        obstacles::{Overlap, Place},
        overrun, settle, shadow_worktree, sparse, worktrees,
        writer::Writer,
    },
    report::{Code, Report},
    shadow::{BranchName, Oid, RepoPath},
    store::{Fate, ShadowEntry, atomic, kept, trash},
};

/// What can be seen without trying: a place or a name that is taken, a trash that is gone.
pub fn refuse_taken(deck: &Deck, shadow: &ShadowEntry) -> Result<(), Report> {
    refuse_gone(shadow)?;
    refuse_branch(shadow, |branch| settle::read_tip(&deck.repository, branch))
}

/// Of that, what the directories tell.
pub(super) fn refuse_gone(shadow: &ShadowEntry) -> Result<(), Report> {
    if !moves::has_begun(shadow) {
        return Err(Report::environment(
            Code::CannotUndo,
            format!("the trash no longer holds {}: {} is gone", shadow.id, shadow.trash.display()),
        )
        .safe("nothing was changed; its commits and files are still pinned under refs/shadowdeck/")
        .hint("`git for-each-ref refs/shadowdeck` names them; make a branch of the one you want"));
    }
    if shadow.trash.join("worktree").exists() {
        trash::refuse_taken(&shadow.path)?;
    }
    if shadow.trash.join("admin").exists() {
        trash::refuse_taken(&shadow.git_dir)?;
    }
    Ok(())
}

/// Of that, whether its branch is another's by now.
pub(super) fn refuse_branch(
    shadow: &ShadowEntry,
    read_tip: impl Fn(&BranchName) -> Result<Option<Oid>, Report>,
) -> Result<(), Report> {
    if let Some(branch) = &shadow.branch
        && let Some(at) = read_tip(branch)?
        && at != shadow.tip
    {
        return Err(shadow_worktree::refuse_taken_branch(branch, &at));
    }
    Ok(())
}

/// Whether a kept shadow can go back: it must be as the operation left it.
pub fn refuse_written(deck: &Deck, shadow: &ShadowEntry) -> Result<(), Report> {
    let Fate::Kept { new_tip, whole } = &shadow.fate else { return Ok(()) };
    let (worktree, now) = moves::read_snapshot(deck, &shadow.id)
        .map_err(|report| moves::unreadable(shadow, &report))?;
    if worktree.head.tip() == Some(new_tip)
        && moves::is_as_left(deck, &now, shadow.snapshot.as_ref().unwrap_or(whole), whole)?
    {
        let place = places::place_of(deck, &worktree);
        refuse_overrun(deck, &place, shadow, whole)?;
        refuse_sparse(deck, &place, shadow, whole)?;
        return clearing::refuse_taken(&place, shadow);
    }
    Err(Report::user(
        Code::CannotUndo,
        format!("{} has been written to since, and that would be lost", shadow.id),
    )
    .unchanged()
    .hint("put that work away first, or take a landing out with `git revert`"))
}

/// What was checked out since where a submodule came, and what came before would go over.
fn refuse_overrun(
    deck: &Deck,
    place: &Place,
    shadow: &ShadowEntry,
    whole: &Oid,
) -> Result<(), Report> {
    let Some(snapshot) = &shadow.snapshot else { return Ok(()) };
    let back = moves::changes_between(deck, whole, snapshot)?;
    let in_the_way = overrun::find_overrun(place, &back)?;
    if in_the_way.is_empty() {
        return Ok(());
    }
    let branch = shadow.branch.clone().unwrap_or_else(|| BranchName("HEAD".to_owned()));
    let overlap = Overlap { in_the_way, ..Overlap::default() };
    Err(refuse_overlap(place, &branch, &overlap))
}

/// The checkout may have become sparse since, and git writes nothing outside of it.
fn refuse_sparse(
    deck: &Deck,
    place: &Place,
    shadow: &ShadowEntry,
    whole: &Oid,
) -> Result<(), Report> {
    let Some(snapshot) = &shadow.snapshot else { return Ok(()) };
    let back = moves::changes_between(deck, whole, snapshot)?;
    let was_there = |path: &RepoPath| kept::holds(&shadow.trash, path);
    let back = back.into_iter().filter(|change| change.new.is_some()).map(|change| change.path);
    let outside = sparse::find_outside(place, back.filter(was_there).collect())?;
    let Some(first) = outside.first() else { return Ok(()) };
    let headline =
        format!("{} of {} lies outside of its sparse checkout by now", first.to_lossy(), shadow.id);
    Err(Report::user(Code::CannotUndo, headline)
        .unchanged()
        .hint("`git sparse-checkout disable` in the shadow, then undo again")
        .detail("files", outside.iter().map(RepoPath::to_lossy).collect::<Vec<_>>()))
}

/// The branches that have to be made again for these shadows to come back.
pub fn missing_branches(
    deck: &Deck,
    shadows: &[ShadowEntry],
) -> Result<Vec<(BranchName, Oid)>, Report> {
    let mut missing = Vec::new();
    for shadow in shadows.iter().filter(|shadow| shadow.fate == Fate::Restored) {
        if let Some(branch) = &shadow.branch
            && settle::read_tip(&deck.repository, branch)?.is_none()
        {
            missing.push((branch.clone(), shadow.tip.clone()));
        }
    }
    Ok(missing)
}

/// Tries what coming back needs, and takes the trial away again.
pub fn refuse_hindered(
    deck: &Deck,
    writer: &Writer<'_>,
    shadows: &[ShadowEntry],
) -> Result<(), Report> {
    let missing = missing_branches(deck, shadows)?;
    shadow_worktree::refuse_uncreatable(&deck.repository, writer, &missing)?;
    for shadow in shadows.iter().filter(|shadow| shadow.fate == Fate::Restored) {
        let branch = shadow.branch.as_ref().map(BranchName::full);
        let log = branch.map(|full| deck.repository.common_dir.join("logs").join(full));
        for place in [Some(&shadow.path), Some(&shadow.git_dir), log.as_ref()] {
            let Some(dir) = place.and_then(|place| place.parent()) else { continue };
            atomic::refuse_unwritable(dir).map_err(|error| {
                Report::user(Code::CannotUndo, format!("{} cannot come back: {error}", shadow.id))
                    .unchanged()
                    .hint("mend that directory, then undo again")
                    .detail("path", dir.display().to_string())
            })?;
        }
    }
    Ok(())
}

/// A shadow whose repository was moved meanwhile is back whole, and git has to be told where.
pub fn problem_of(deck: &Deck, shadow: &ShadowEntry) -> Option<String> {
    let problem = worktrees::read_one(&deck.repository, &shadow.id)?.problem?;
    Some(format!("{} is back; {problem}", shadow.id))
}

/// It is as it was, with what is new in it.
pub fn refuse_moved(shadow: &ShadowEntry) -> Report {
    let headline = format!("{} was committed to, or switched, while it was put away", shadow.id);
    Report::user(Code::ShadowMoved, headline)
        .unchanged()
        .hint("look at what is new, then try again")
}
