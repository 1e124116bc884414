//! A shadow's commits replayed on its target, each conflict on the way settled by what was recorded for it.
//! The Conflicts pane shows the steps, and landing carries out the same replay.

use serde_json::json;

use super::{message, result::write_safety_net};
use crate::{
    git::{
        commit::Signing,
        replay::{self, Replay, Step},
    },
    ops::{Deck, resolve, standing::Standing, weave},
    report::{Code, Report},
    review::Conflict,
    shadow::{BranchName, Oid, ShadowId, Strategy},
};

/// Its commits, and what is uncommitted as the last one, as landing it now by rebase would replay them.
pub(in crate::ops) fn replay_now(deck: &Deck, standing: &Standing) -> Result<Replay, Report> {
    let (id, tip) = (&standing.worktree.id, &standing.tip);
    let unsigned = &Signing::Unsigned;
    let snapshot = &standing.snapshot.tree;
    let words = message::of_uncommitted(id, Strategy::Rebase);
    let net = write_safety_net(deck, &words, [tip, snapshot], unsigned)?;
    replay(deck, id, [&standing.target_tip, net.as_ref().unwrap_or(tip)], unsigned)
}

pub(super) fn replay(
    deck: &Deck,
    id: &ShadowId,
    [before, head]: [&Oid; 2],
    signing: &Signing,
) -> Result<Replay, Report> {
    let settle = |step: &mut Step| {
        weave::put_answers(deck, id, &mut step.conflicts)?;
        let is_settled = !step.conflicts.is_empty()
            && step.conflicts.iter().all(|conflict| conflict.resolution.is_some());
        let write =
            || resolve::write_resolved_tree(&deck.repository, &step.merged, &step.conflicts);
        is_settled.then(write).transpose()
    };
    replay::replay(&deck.repository, before, head, signing, &settle)
}

/// The step that it stops at, and what is open there.
pub(super) fn refuse_step(id: &ShadowId, target: &BranchName, step: &Step) -> Report {
    let open: Vec<&Conflict> = step.conflicts.iter().filter(|c| c.resolution.is_none()).collect();
    let named: Vec<String> = open
        .iter()
        .map(|conflict| format!("{} ({})", conflict.path.to_lossy(), conflict.kind.as_str()))
        .collect();
    let files: Vec<_> = open
        .iter()
        .map(|conflict| json!({"path": conflict.path.to_lossy(), "kind": conflict.kind.as_str()}))
        .collect();
    Report::user(
        Code::Conflicts,
        format!(
            "a rebase of {id} on {target} stops at {}; it conflicts in {}",
            step.name.words(),
            named.join(", ")
        ),
    )
    .unchanged()
    .hint(format!(
        "`shadowdeck conflicts {id} --strategy rebase` shows them, `resolve` with it settles them; \
         or land it by squash or merge"
    ))
    .detail("files", files.clone())
    .detail("merge_conflict", json!({"target": target.0, "files": files}))
    .detail("step", step.name.number)
    .detail("steps", step.name.of)
    .detail("commit", step.name.commit.as_str())
}
