//! The user's own uncommitted work, which `create` carries into a new shadow: one commit, the shadow's recorded base.
//! It is told apart from what was done in the shadow, wherever the target does not have that commit.

use super::Deck;
use crate::{
    git::{
        obstacles::{Overlap, changed_paths},
        refs,
    },
    report::Report,
    review::ChangedPath,
    shadow::{Oid, RepoPath, ShadowRecord},
};

const SUBJECT: &str = "Uncommitted work of the workspace";

pub(super) fn message() -> String {
    format!("{SUBJECT}\n\nCarried in by shadowdeck create.")
}

/// The carried commit among those that `tip` has and `target` lacks.
pub(super) fn find(
    deck: &Deck,
    record: Option<&ShadowRecord>,
    [target, tip]: [&Oid; 2],
) -> Result<Option<Oid>, Report> {
    let repository = &deck.repository;
    let Some(base) = record.and_then(|record| record.base_commit.as_ref()) else {
        return Ok(None);
    };
    // A branch that left its base behind may have it collected.
    let is_carried =
        refs::read_commit(repository, base).is_ok_and(|about| about.subject == SUBJECT);
    let is_its_own = is_carried
        && refs::is_ancestor(repository, base, tip)?
        && !refs::is_ancestor(repository, base, target)?;
    Ok(is_its_own.then(|| base.clone()))
}

/// What it carried, each file as it was before and as it came in.
pub(super) fn changes(deck: &Deck, carried: Option<&Oid>) -> Result<Vec<ChangedPath>, Report> {
    let Some(carried) = carried else { return Ok(Vec::new()) };
    let parent = format!("{carried}^");
    changed_paths(deck.repository.planning("diff-tree"), &parent, carried.as_str())
}

/// What of it is no part of the target yet, and would land.
pub(super) fn landing(carried: &[ChangedPath], changes: &[ChangedPath]) -> Vec<RepoPath> {
    let lands = |change: &&ChangedPath| {
        carried.iter().any(|own| own.path == change.path && own.new != change.old)
    };
    changes.iter().filter(lands).map(|change| change.path.clone()).collect()
}

/// A landing is refused for the very files that were carried in: which they are, and the way on.
pub(super) fn explain(report: Report, carried: &[ChangedPath], overlap: &Overlap) -> Report {
    let is_carried = |path: &RepoPath| carried.iter().any(|change| change.path == *path);
    let mut in_the_way = overlap.edited.iter().chain(&overlap.in_the_way);
    if !in_the_way.all(is_carried) {
        return report;
    }
    report.cause("they are your own uncommitted work, which was carried into the shadow when it was made").hint(
        "commit your work there first, and what was done in the shadow lands on top of it; or put it away with \
         `git stash -u`, and it lands with the shadow",
    )
}
