//! The commits that a landing makes, of trees that are known already: unsigned for the plan, and again for the
//! landing itself where hooks rewrote the message or commits are signed.

use crate::{
    git::{
        commit::{Draft, Signing},
        refs, replay,
        writer::parse_oid,
    },
    ops::{Deck, resolve, weave},
    report::Report,
    review::Conflict,
    shadow::{Oid, ShadowId, Strategy},
};

use super::message;

/// All that decides them.
pub(super) struct Recipe<'a> {
    pub id: &'a ShadowId,
    pub strategy: Strategy,
    pub message: &'a str,
    /// What the target becomes.
    pub tree: &'a Oid,
    pub before: &'a Oid,
    pub tip: &'a Oid,
    /// The tree of all that the shadow holds, where what is uncommitted lands too.
    pub uncommitted: Option<&'a Oid>,
}

pub(super) struct Made {
    pub after: Oid,
    /// The commit of the uncommitted work, when there is some.
    pub safety_net: Option<Oid>,
}

impl Recipe<'_> {
    /// Into the private object store.
    pub(super) fn make(&self, deck: &Deck, signing: &Signing) -> Result<Made, Report> {
        let repository = &deck.repository;
        let commit = |tree: &Oid, parents: &[&Oid], message: &str| {
            commit_tree(deck, tree, parents, message, signing)
        };
        let committed = refs::tree_of(repository, self.tip)?;
        let safety_net = match self.uncommitted.filter(|snapshot| **snapshot != committed) {
            None => None,
            Some(snapshot) => {
                let words = message::of_safety_net(self.id, self.strategy);
                Some(commit(snapshot, &[self.tip], &words)?)
            }
        };
        let head = safety_net.as_ref().unwrap_or(self.tip);
        let after = match self.strategy {
            Strategy::Squash => commit(self.tree, &[self.before], self.message)?,
            Strategy::Merge => commit(self.tree, &[self.before, head], self.message)?,
            Strategy::Rebase => {
                let settle = |merged: &Oid, conflicts: &mut [Conflict]| {
                    weave::put_answers(deck, self.id, conflicts)?;
                    let is_settled = !conflicts.is_empty()
                        && conflicts.iter().all(|conflict| conflict.resolution.is_some());
                    let write = || resolve::write_resolved_tree(repository, merged, conflicts);
                    is_settled.then(write).transpose()
                };
                replay::replay(repository, self.before, head, signing, &settle)?
            }
        };
        Ok(Made { after, safety_net })
    }
}

/// A commit of the user's, into the private object store.
pub(in crate::ops) fn commit_tree(
    deck: &Deck,
    tree: &Oid,
    parents: &[&Oid],
    message: &str,
    signing: &Signing,
) -> Result<Oid, Report> {
    let message = format!("{}\n", message.trim_end());
    Draft { tree, parents, message: &message, author: None }.write(&deck.repository, signing)
}

/// The tree of a commit that may lie in the private store only.
pub(super) fn planned_tree(deck: &Deck, commit: &Oid) -> Result<Oid, Report> {
    let tree = deck
        .repository
        .planning("rev-parse")
        .args(["--verify", "--end-of-options", &format!("{commit}^{{tree}}")])
        .run()?;
    parse_oid(&tree.text())
}
