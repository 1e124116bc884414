//! The merge of a shadow's tree with its target, and what is open in it.

use serde_json::json;

use super::guard::Ground;
use crate::{
    git::{merge, snapshot},
    ops::{Deck, resolve, weave},
    report::{Code, Report},
    review::Conflict,
    shadow::{Oid, RepoPath},
};

/// The three-way merge of the shadow's tree, or of a part of it, with what was resolved in it.
pub(super) struct Merged {
    pub tree: Oid,
    pub resolved: Vec<RepoPath>,
    /// While some are, nothing but a rebase lands, if its own steps are settled.
    pub open: Vec<Conflict>,
}

impl Merged {
    pub(super) fn refuse_open(&self, ground: &Ground) -> Result<(), Report> {
        if self.open.is_empty() { Ok(()) } else { Err(refuse_conflicts(ground, &self.open)) }
    }
}

pub(super) fn merge(deck: &Deck, ground: &Ground, tree: &Oid) -> Result<Merged, Report> {
    let repository = &deck.repository;
    let side = snapshot::side(repository, tree, &ground.tip)?;
    let prediction = merge::predict_one(repository, &ground.before, &side)?;
    if prediction.clean {
        return Ok(Merged { tree: prediction.tree, resolved: Vec::new(), open: Vec::new() });
    }
    let id = &ground.worktree.id;
    let mut conflicts = prediction.conflicts;
    weave::put_answers(deck, id, &mut conflicts)?;
    if conflicts.is_empty() {
        return Err(refuse_conflicts(ground, &[]));
    }
    let open = conflicts.iter().filter(|conflict| conflict.resolution.is_none()).cloned();
    let open: Vec<Conflict> = open.collect();
    if !open.is_empty() {
        return Ok(Merged { tree: prediction.tree, resolved: Vec::new(), open });
    }
    let tree = resolve::write_resolved_tree(repository, &prediction.tree, &conflicts)?;
    let resolved = conflicts.into_iter().map(|conflict| conflict.path).collect();
    Ok(Merged { tree, resolved, open })
}

fn refuse_conflicts(ground: &Ground, open: &[Conflict]) -> Report {
    let id = &ground.worktree.id;
    let named: Vec<String> = open
        .iter()
        .map(|conflict| format!("{} ({})", conflict.path.to_lossy(), conflict.kind.as_str()))
        .collect();
    let files: Vec<serde_json::Value> = open
        .iter()
        .map(|conflict| json!({"path": conflict.path.to_lossy(), "kind": conflict.kind.as_str()}))
        .collect();
    Report::user(
        Code::Conflicts,
        format!("{id} conflicts with {} in {}", ground.target, named.join(", ")),
    )
    .unchanged()
    .hint(format!("`shadowdeck conflicts {id}` shows them, `resolve` settles them"))
    .detail("files", files.clone())
    .detail("merge_conflict", json!({"target": ground.target.0, "files": files}))
    .detail(
        "shadow_rollback",
        json!({"needed": false, "kept": true, "path": ground.worktree.path.to_string_lossy()}),
    )
}
