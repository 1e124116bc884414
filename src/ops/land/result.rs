//! The commits that a landing makes, of trees that are known already: unsigned for the plan, and again for the
//! landing itself where hooks rewrote the message or commits are signed.

use crate::{
    git::{
        commit::{Draft, Signing},
        refs,
        replay::{End, Step},
        writer::parse_oid,
    },
    ops::Deck,
    report::Report,
    shadow::{BranchName, Oid, ShadowId, Strategy},
};

use super::{message, rebase};

/// All that decides them.
pub(super) struct Recipe<'a> {
    pub id: &'a ShadowId,
    pub strategy: Strategy,
    pub message: &'a str,
    /// What the target becomes; a rebase ends in its own.
    pub tree: &'a Oid,
    pub target: &'a BranchName,
    pub before: &'a Oid,
    pub tip: &'a Oid,
    /// The tree of all that the shadow holds, where what is uncommitted lands too.
    pub uncommitted: Option<&'a Oid>,
}

pub(super) struct Made {
    pub after: Oid,
    /// The commit of the uncommitted work, when there is some.
    pub safety_net: Option<Oid>,
    /// Of a rebase: what conflicted on the way.
    pub steps: Vec<Step>,
}

impl Recipe<'_> {
    /// Into the private object store.
    pub(super) fn make(&self, deck: &Deck, signing: &Signing) -> Result<Made, Report> {
        let commit = |tree: &Oid, parents: &[&Oid], message: &str| {
            commit_tree(deck, tree, parents, message, signing)
        };
        let safety_net = match self.uncommitted {
            None => None,
            Some(snapshot) => {
                let words = match self.strategy {
                    // It is the one new commit that a rebase makes.
                    Strategy::Rebase => self.message.to_owned(),
                    strategy => message::of_uncommitted(self.id, strategy),
                };
                write_safety_net(deck, &words, [self.tip, snapshot], signing)?
            }
        };
        let head = safety_net.as_ref().unwrap_or(self.tip);
        let mut steps = Vec::new();
        let after = match self.strategy {
            Strategy::Squash => commit(self.tree, &[self.before], self.message)?,
            Strategy::Merge => commit(self.tree, &[self.before, head], self.message)?,
            Strategy::Rebase => {
                let replay = rebase::replay(deck, self.id, [self.before, head], signing)?;
                steps = replay.settled;
                match replay.end {
                    End::Tip(tip) => tip,
                    End::Stop(step) => {
                        return Err(rebase::refuse_step(self.id, self.target, &step));
                    }
                }
            }
        };
        Ok(Made { after, safety_net, steps })
    }
}

/// The commit of what is uncommitted, where something is.
pub(super) fn write_safety_net(
    deck: &Deck,
    words: &str,
    [tip, snapshot]: [&Oid; 2],
    signing: &Signing,
) -> Result<Option<Oid>, Report> {
    if *snapshot == refs::tree_of(&deck.repository, tip)? {
        return Ok(None);
    }
    commit_tree(deck, snapshot, &[tip], words, signing).map(Some)
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
