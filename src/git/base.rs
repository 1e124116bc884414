//! What a shadow's change is counted from: the merge base with its target, also where there are several.

use serde::{Deserialize, Serialize};

use super::{
    Repository, merge,
    refs::{self, Reading, object_id},
};
use crate::{report::Report, shadow::Oid};

/// The old side of a proposed change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// Every best common ancestor; the first is the one that is named. None: unrelated histories.
    pub commits: Vec<Oid>,
    /// The tree to compare with. Of several ancestors it is their merge, as git's own merge uses it:
    /// against any single one, lines that were taken back on one side would seem to be changed again.
    pub tree: Oid,
}

impl Base {
    pub fn commit(&self) -> Option<&Oid> {
        self.commits.first()
    }
}

/// Whether its tree is still there: that of merged ancestors lies in the private store only.
pub fn is_stored(repository: &Repository, base: &Base) -> bool {
    base.commits.len() < 2
        || super::private::local(repository)
            .is_ok_and(|local| local.has_object(object_id(&base.tree)))
}

/// Works out the base of `tip` on `target`. Starts git only for a criss-cross history.
pub fn read(repository: &Repository, target: &Oid, tip: &Oid) -> Result<Base, Report> {
    let commits = refs::merge_bases(repository, target, tip)?;
    let tree = match &commits[..] {
        [] => empty_tree(repository),
        [only] => refs::tree_of(repository, only)?,
        [first, rest @ ..] => virtual_tree(repository, first, rest)?,
    };
    Ok(Base { commits, tree })
}

/// What a run of commits stands on, `parents` being those that the run does not hold itself: where it merged something
/// in, what git makes of these by itself, so that only what the run did is left.
pub fn read_below(repository: &Repository, parents: &[Oid]) -> Result<Oid, Report> {
    let mut tops: Vec<&Oid> = Vec::new();
    for (at, parent) in parents.iter().enumerate() {
        let mut is_below = false;
        for (other_at, other) in parents.iter().enumerate() {
            is_below |= at != other_at && refs::is_ancestor(repository, parent, other)?;
        }
        if !is_below {
            tops.push(parent);
        }
    }
    match &tops[..] {
        [] => Ok(empty_tree(repository)),
        [only] => Ok((*only).clone()),
        [first, rest @ ..] => virtual_tree(repository, first, rest.iter().copied()),
    }
}

fn empty_tree(repository: &Repository) -> Oid {
    refs::oid(gix::ObjectId::empty_tree(repository.local().object_hash()))
}

/// Merges the ancestors one after the other, as merge-ort does for itself.
fn virtual_tree<'a>(
    repository: &Repository,
    first: &Oid,
    rest: impl IntoIterator<Item = &'a Oid>,
) -> Result<Oid, Report> {
    let mut merged = first.clone();
    for next in rest {
        let tree = merge::predict_one(repository, &merged, next)?.tree;
        merged = write_virtual(repository, &tree, &[&merged, next])?;
    }
    let local = super::private::local(repository)?;
    let commit = local.find_commit(object_id(&merged)).reading("the merged ancestors")?;
    let tree = commit.tree_id().reading("the merged ancestors")?;
    Ok(refs::oid(tree))
}

fn write_virtual(repository: &Repository, tree: &Oid, parents: &[&Oid]) -> Result<Oid, Report> {
    let signature = gix::actor::Signature {
        name: "shadowdeck".into(),
        email: "shadowdeck@localhost".into(),
        time: gix::date::Time::default(),
    };
    let commit = gix::objs::Commit {
        tree: object_id(tree),
        parents: parents.iter().map(|parent| object_id(parent)).collect(),
        author: signature.clone(),
        committer: signature,
        encoding: None,
        message: "merged ancestors\n".into(),
        extra_headers: Vec::new(),
    };
    super::private::write_object(repository, &commit)
}
