//! A shadow's snapshot beside something else than its base: another shadow, or any commit.

use std::sync::atomic::AtomicBool;

use super::{Deck, diff, ground::Ground, standing};
use crate::{
    git::revisions,
    report::Report,
    review::{Against, Comparable, ReviewPage},
    shadow::{Oid, ShadowId},
};

/// Branches and tags; shadows are known to who asks.
pub fn read_choices(deck: &Deck) -> Result<Vec<Comparable>, Report> {
    revisions::read_names(&deck.repository)
}

/// What lies between it and `snapshot`, the page that is being read. The page's base is what it was compared with.
pub fn read_comparison(
    deck: &Deck,
    id: &ShadowId,
    snapshot: &Oid,
    against: &Against,
    cancel: &AtomicBool,
) -> Result<ReviewPage, Report> {
    let commit = |revision: &str| {
        let ground = Ground::read(deck, cancel)?;
        revisions::find_commit(&ground.find(id)?.worktree, revision)
    };
    let old = match against {
        Against::Shadow(other) => standing::read(deck, other, cancel)?.snapshot.tree,
        Against::Branch(name) => commit(&name.full())?,
        Against::Tag(name) => commit(&format!("refs/tags/{name}"))?,
        Against::Revision(text) => commit(text)?,
    };
    diff::read_part(deck, id, [old, snapshot.clone()], cancel)
}
