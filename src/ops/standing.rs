//! Where one shadow stands: its snapshot, its target and the base between them. Everything that shows
//! or lands a shadow begins with this.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::{Ground, check},
    target,
};
use crate::{
    git::{
        base::{self, Base},
        diff::Pair,
        merge::{self, Prediction},
        snapshot::{self, Snapshot},
        worktrees::Worktree,
    },
    report::{Code, Report},
    shadow::{BranchName, Oid, ShadowId, ShadowRecord},
};

#[derive(Clone, Debug)]
pub struct Standing {
    pub worktree: Worktree,
    pub record: Option<ShadowRecord>,
    pub target: BranchName,
    pub target_tip: Oid,
    pub tip: Oid,
    pub snapshot: Snapshot,
    pub base: Base,
}

impl Standing {
    /// The two trees of the proposed change.
    pub fn change(&self) -> Pair {
        Pair { old: self.base.tree.clone(), new: self.snapshot.tree.clone() }
    }

    /// The base commit; the base tree where histories are unrelated.
    pub fn base_commit(&self) -> Oid {
        self.base.commit().unwrap_or(&self.base.tree).clone()
    }
}

/// Reads it fresh. A shadow with a problem is refused with it.
pub fn read(deck: &Deck, id: &ShadowId, cancel: &AtomicBool) -> Result<Standing, Report> {
    let ground = Ground::read(deck, cancel)?;
    let place = ground.find(id)?;
    let worktree = place.worktree.clone();
    if let Some(problem) = &worktree.problem {
        return Err(Report::user(Code::WrongState, format!("{id} cannot be read: {problem}"))
            .unchanged()
            .hint("mend that first, then try again")
            .detail("problem", problem.as_str()));
    }
    let Some(tip) = worktree.head.tip().cloned() else {
        return Err(Report::user(Code::WrongState, format!("{id} has no commit to start from"))
            .unchanged()
            .hint("commit something on its branch first"));
    };
    let record = place.record()?.cloned();
    let (target, target_tip) = target::find_tip(deck, ground.target_of(place).as_ref())?;
    check(cancel)?;
    let base = base::read(&deck.repository, &target_tip, &tip)?;
    check(cancel)?;
    let snapshot = snapshot::read(&deck.repository, &worktree)?;
    Ok(Standing { worktree, record, target, target_tip, tip, snapshot, base })
}

/// What landing it now would do.
pub fn predict(deck: &Deck, standing: &Standing) -> Result<Prediction, Report> {
    let side = snapshot::side(&deck.repository, &standing.snapshot.tree, &standing.tip)?;
    merge::predict_one(&deck.repository, &standing.target_tip, &side)
}
