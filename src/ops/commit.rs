//! Everything in a shadow becomes one commit on its own branch. Its files stay as they are, byte for byte.
//! No hook runs: in a shadow they may be an agent's, so where there are some it takes a `--no-verify`.

use std::time::Duration;

use super::{
    Deck,
    in_place::{self, Goal},
    land, recover,
};
use crate::{
    git::{commit::Signing, conditions, refs, writer::Writer},
    report::{Code, Report},
    shadow::{Oid, OperationId, ShadowId, State},
    store::{Verb, lock::WAIT_MAX},
};

/// What becomes of the hooks that `git commit` would run there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hooks {
    /// Where there are some, nothing is committed.
    Respected,
    /// The person said that they may be passed by.
    PassedBy,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    pub operation: OperationId,
    pub id: ShadowId,
    pub before: Oid,
    pub commit: Oid,
    pub warnings: Vec<String>,
}

pub fn commit(
    deck: &Deck,
    id: &ShadowId,
    message: &str,
    hooks: Hooks,
) -> Result<Committed, Report> {
    land::refuse_invalid_message(message)?;
    let lock = deck.store.lock(&format!("commit {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    recover::refuse_unsettled(deck, None, std::slice::from_ref(id))?;
    let fit = in_place::read_fit(deck, id, "committing")?;
    conditions::refuse_without_identity(&deck.repository)?;
    let place = super::places::place_of(deck, &fit.worktree);
    if let (Hooks::Respected, Some(hook)) =
        (hooks, conditions::find_commit_hook(&deck.repository, &place)?)
    {
        return Err(Report::user(
            Code::NotTrusted,
            format!(
                "the hook {} would have to run, and whoever works in {id} may have written it",
                hook.display()
            ),
        )
        .unchanged()
        .hint("pass it by with --no-verify, or use `git commit` in the shadow")
        .detail("hook", hook.display().to_string()));
    }
    if refs::tree_of(&deck.repository, &fit.tip)? == fit.snapshot.tree {
        return Err(
            Report::user(Code::WrongState, format!("all that {id} holds is committed")).unchanged()
        );
    }
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let signing_timeout = Duration::from_secs(deck.config.signing_timeout_s);
    let signing = Signing::of(&place.settings()?, place.git_dir.clone(), signing_timeout);
    let commit = land::commit_tree(deck, &fit.snapshot.tree, &[&fit.tip], message, &signing)?;
    let goal = Goal {
        verb: Verb::Commit,
        new_tip: commit.clone(),
        whole: fit.snapshot.tree.clone(),
        state: State::Committed,
        cleared: Vec::new(),
    };
    let entry = in_place::carry_out(deck, &writer, &fit, goal)?;
    Ok(Committed {
        operation: entry.operation,
        id: id.clone(),
        before: fit.tip,
        commit,
        warnings: entry.warnings,
    })
}
