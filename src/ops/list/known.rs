//! One shadow's change as the list knows it: where nothing was written since, no process is started for it.

use std::sync::atomic::AtomicBool;

use super::{
    super::{
        Deck,
        ground::{Ground, check},
        target,
    },
    cache,
    facts::Facts,
};
use crate::{
    git::{
        diff::{Comparisons, Pair},
        worktrees::Worktree,
    },
    report::Report,
    review::FileChange,
    shadow::{BranchName, Oid, ShadowId},
};

/// The files that a shadow changes, and between what.
pub(in crate::ops) struct KnownChange {
    pub(in crate::ops) worktree: Worktree,
    /// What its agent was asked for.
    pub(in crate::ops) task: Option<String>,
    pub(in crate::ops) target: BranchName,
    pub(in crate::ops) target_tip: Oid,
    pub(in crate::ops) base: Oid,
    pub(in crate::ops) tip: Oid,
    pub(in crate::ops) pair: Pair,
    pub(in crate::ops) files: Vec<FileChange>,
}

/// Looked at now. `None` where something of it cannot be read: whoever reads it step by step is told what.
pub(in crate::ops) fn read_change(
    deck: &Deck,
    id: &ShadowId,
    cancel: &AtomicBool,
) -> Result<Option<KnownChange>, Report> {
    let ground = Ground::read(deck, cancel)?;
    let place = ground.find(id)?;
    let (target, _) = target::find_tip(deck, ground.target_of(place).as_ref())?;
    let cache = cache(deck);
    let facts = Facts::read(deck, &ground, place, &cache, &mut Comparisons::new(&deck.repository));
    check(cancel)?;
    facts.keep(&cache);
    let task = place.known_record().and_then(|record| record.requested.clone());
    let pair = facts.change_question().map(|(_, pair)| pair);
    let (None, Some(history), Some(pair), Some(files)) =
        (facts.problem, facts.history, pair, facts.change)
    else {
        return Ok(None);
    };
    let base = history.base.commit().unwrap_or(&history.base.tree).clone();
    let (target_tip, tip) = (history.target_tip, history.tip);
    let worktree = facts.place.worktree;
    Ok(Some(KnownChange { worktree, task, target, target_tip, base, tip, pair, files }))
}
