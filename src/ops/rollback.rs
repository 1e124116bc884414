//! A shadow back to its base commit. What it held stays undoable: its commits and its snapshot are pinned, and
//! every file that goes or changes is kept in the trash as it lay there. Ignored files stay where they are, but for those
//! that stand where a file of the base comes: they go to the trash too.

use super::{
    Deck, clearing, discard,
    in_place::{self, Fit, Goal},
    places, recover, target,
};
use crate::{
    git::{
        obstacles::changed_paths, refs, shadow_worktree::Kept, worktrees::Worktree, writer::Writer,
    },
    report::{Code, Report},
    review::{ConfirmedRollback, Progress, RollbackPlan, Step},
    shadow::{Oid, OperationId, RepoPath, ShadowId, State},
    store::{Verb, lock::WAIT_MAX},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledBack {
    pub operation: OperationId,
    pub plan: RollbackPlan,
    pub warnings: Vec<String>,
}

/// What it would take away. Changes nothing.
pub fn plan(deck: &Deck, id: &ShadowId) -> Result<RollbackPlan, Report> {
    read(deck, id).map(|(_, plan, _)| plan)
}

fn read(deck: &Deck, id: &ShadowId) -> Result<(Fit, RollbackPlan, Vec<RepoPath>), Report> {
    let fit = in_place::read_fit(deck, id, "rolling back")?;
    refuse_in_use(deck, &fit.worktree)?;
    if let Some(path) = fit.snapshot.moved_submodules.first() {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} has a submodule at another commit: {}", path.to_lossy()),
        )
        .unchanged()
        .hint("`git submodule update` it in the shadow first"));
    }
    let base = read_base(deck, &fit)?;
    let repository = &deck.repository;
    let whole = refs::tree_of(repository, &base)?;
    let commits = refs::commits_between(repository, &base, &fit.tip)?.len();
    let changes = |from: &Oid, to: &Oid| {
        changed_paths(repository.planning("diff-tree"), from.as_str(), to.as_str())
    };
    let committed = refs::tree_of(repository, &fit.tip)?;
    let uncommitted = changes(&committed, &fit.snapshot.tree)?;
    let files = changes(&whole, &fit.snapshot.tree)?;
    if base == fit.tip && files.is_empty() {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} is at its base {} already", base.abbreviated()),
        )
        .unchanged());
    }
    let place = places::place_of(deck, &fit.worktree);
    let branch = fit.worktree.head.branch();
    let snapshot = &fit.snapshot.tree;
    let moved =
        Kept { place: &place, branch, tip: &fit.tip, snapshot, new_tip: &base, whole: &whole };
    let cleared = clearing::find(deck, &moved)?;
    let paths = |list: Vec<crate::review::ChangedPath>| -> Vec<RepoPath> {
        list.into_iter().map(|change| change.path).collect()
    };
    let plan = RollbackPlan {
        id: id.clone(),
        tip: fit.tip.clone(),
        snapshot: snapshot.clone(),
        base,
        commits: u32::try_from(commits).unwrap_or(u32::MAX),
        uncommitted: paths(uncommitted),
        files: paths(files),
        ignored: clearing::files_of(&place.worktree, &cleared),
    };
    Ok((fit, plan, cleared))
}

fn refuse_in_use(deck: &Deck, worktree: &Worktree) -> Result<(), Report> {
    if let Some(report) = discard::find_refusal(deck, worktree)? {
        return Err(report);
    }
    let at_work = places::at_work_in(worktree);
    if at_work.is_empty() {
        return Ok(());
    }
    let named = places::named(&at_work);
    Err(Report::user(
        Code::ShadowBusy,
        format!("{} cannot be rolled back while {named} is at work in it", worktree.id),
    )
    .unchanged()
    .hint("roll it back when that process has ended")
    .detail("processes", named))
}

/// The recorded base as long as the shadow's history still has it, else where it left its target.
fn read_base(deck: &Deck, fit: &Fit) -> Result<Oid, Report> {
    let repository = &deck.repository;
    if let Some(base) = &fit.record.base_commit
        && refs::is_ancestor(repository, base, &fit.tip)?
    {
        return Ok(base.clone());
    }
    let (found, ground) = places::find_shadow(deck, &fit.worktree.id)?;
    let (target, target_tip) = target::find_tip(deck, ground.target_of(&found).as_ref())?;
    match &refs::merge_bases(repository, &target_tip, &fit.tip)?[..] {
        [base] => Ok(base.clone()),
        bases => Err(Report::user(
            Code::WrongState,
            format!(
                "{} has no base to go back to: it and {target} have {} common ancestors",
                fit.worktree.id,
                bases.len()
            ),
        )
        .unchanged()
        .hint("use git itself in the shadow, or discard it")),
    }
}

/// Rolls back just what was confirmed, or nothing.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedRollback,
    progress: &dyn Fn(Progress),
) -> Result<RolledBack, Report> {
    let plan = confirmed.plan();
    progress(Step::Lock.into());
    let lock = deck.store.lock(&format!("rollback {}", plan.id), WAIT_MAX)?;
    recover::recover_locked(deck, &lock)?;
    recover::refuse_unsettled(deck, None, std::slice::from_ref(&plan.id))?;
    progress(Step::Check.into());
    let (fit, now, cleared) = read(deck, &plan.id)?;
    if now != *plan {
        return Err(Report::user(
            Code::ShadowMoved,
            format!("{} was written to since this was planned", plan.id),
        )
        .unchanged()
        .hint("look at what is new, then roll back again"));
    }
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    progress(Step::RollBack.into());
    let goal = Goal {
        verb: Verb::Rollback,
        new_tip: plan.base.clone(),
        whole: refs::tree_of(&deck.repository, &plan.base)?,
        state: State::RolledBack,
        cleared,
    };
    let entry = in_place::carry_out(deck, &writer, &fit, goal)?;
    Ok(RolledBack { operation: entry.operation, plan: plan.clone(), warnings: entry.warnings })
}
