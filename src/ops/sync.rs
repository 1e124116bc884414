//! The target merged into a shadow: a merge commit on the shadow's own branch, by the one way a branch moves. Its index
//! and files follow under that lock as far as the merge changes them; what is staged, edited, untracked or ignored
//! stays as it lies, and where the merge would need its place, nothing moves. No hook runs: in a shadow they may be an
//! agent's, and landing asks them all.
//!
//! What is left when the process dies, line by line, and what the next run makes of it:
//!
//! | dies after | left behind | next run |
//! |---|---|---|
//! | lock, recovery, checks | nothing | – |
//! | the merge, its commit | objects in the private store, which no ref names | the store is rebuilt at need |
//! | migrate, pins | a pack and refs under `refs/shadowdeck/` | harmless; `gc` takes them |
//! | a copy of the branch's reflog in the trash | the same | harmless; `gc` takes it |
//! | *intent* | an entry, nothing moved | dropped, with its pins |
//! | *prepared* | the same, the plan whole | branch at `before`: taken back |
//! | transaction prepared | its lock files go with that git | the same |
//! | `checkout-index`, `read-tree` under way | as in a landing, in the shadow | index and files go back, proven ours |
//! | `read-tree` done | new index and files, branch at `before` | `read-tree` the other way round |
//! | `commit` | branch at `after` | closed as done |
//!
//! Undo is the same move the other way round.

use std::time::Duration;

use super::{
    Deck,
    in_place::{self, Fit},
    land, moves, places, recover, resolve, target, weave,
};
use crate::{
    git::{
        advance::refuse_overlap,
        commit::Signing,
        conditions,
        merge::{self, Prediction},
        migrate,
        obstacles::{Place, changed_paths, read_overlap},
        pins::{self, Pin},
        refs,
        shadow_worktree::of_shadow,
        sparse, submodules, worktrees,
        writer::Writer,
    },
    report::{Code, Report},
    review::{ChangedPath, ConfirmedSync, Conflict, Progress, Step, SyncPlan, Synced},
    shadow::{BranchName, Oid, RepoPath, ShadowId},
    store::{
        Advance, Fate, JournalEntry, Phase, ShadowEntry, Verb,
        journal::now_ms,
        lock::{Lock, WAIT_MAX},
    },
};

/// What becomes of conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolutions {
    /// Nothing is merged, they are named.
    Left,
    /// The merge carries what was decided on each.
    Taken,
}

/// What it would do, worked out in the private store. Changes nothing.
pub fn plan(deck: &Deck, id: &ShadowId, resolutions: Resolutions) -> Result<SyncPlan, Report> {
    read(deck, id, resolutions).map(|worked_out| worked_out.plan)
}

/// Merges it, or leaves everything as it is and says why.
pub fn sync(deck: &Deck, id: &ShadowId, resolutions: Resolutions) -> Result<Synced, Report> {
    let lock = lock(deck, id)?;
    let worked_out = read(deck, id, resolutions)?;
    write(deck, &lock, worked_out)
}

/// Merges just what was confirmed, or nothing.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedSync,
    progress: &dyn Fn(Progress),
) -> Result<Synced, Report> {
    let plan = confirmed.plan();
    progress(Step::Lock.into());
    let lock = lock(deck, &plan.id)?;
    progress(Step::Check.into());
    let worked_out = read(deck, &plan.id, Resolutions::Taken)?;
    refuse_moved(plan, &worked_out.plan)?;
    progress(Step::Merge.into());
    write(deck, &lock, worked_out)
}

/// With all settled that an earlier run left.
fn lock(deck: &Deck, id: &ShadowId) -> Result<Lock, Report> {
    let lock = deck.store.lock(&format!("sync {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    Ok(lock)
}

/// A plan with what it stands on.
struct WorkedOut {
    ground: Ground,
    paths: Vec<ChangedPath>,
    plan: SyncPlan,
}

fn read(deck: &Deck, id: &ShadowId, resolutions: Resolutions) -> Result<WorkedOut, Report> {
    let ground = read_ground(deck, id)?;
    recover::refuse_unsettled(deck, Some(&ground.branch), std::slice::from_ref(id))?;
    let Merged { tree, resolved } = merge(deck, &ground, resolutions)?;
    let repository = &deck.repository;
    let tip = &ground.fit.tip;
    let changes = |from: &Oid, to: &Oid| {
        changed_paths(repository.planning("diff-tree"), from.as_str(), to.as_str())
    };
    let committed = refs::tree_of(repository, tip)?;
    let paths = changes(&committed, &tree)?;
    submodules::refuse_left_behind(&ground.fit.worktree, &paths, &ground.target)?;
    sparse::refuse_outside(&deck.repository, &ground.place, &ground.fit.snapshot.tree)?;
    refuse_in_the_way(&ground, &paths)?;
    let uncommitted = changes(&committed, &ground.fit.snapshot.tree)?;
    let commits = refs::commits_between(repository, tip, &ground.target_tip)?.len();
    let plan = SyncPlan {
        id: id.clone(),
        branch: ground.branch.clone(),
        before: tip.clone(),
        target: ground.target.clone(),
        target_tip: ground.target_tip.clone(),
        commits: u32::try_from(commits).unwrap_or(u32::MAX),
        tree,
        files: paths.iter().map(|change| change.path.clone()).collect(),
        uncommitted: uncommitted.into_iter().map(|change| change.path).collect(),
        resolved,
    };
    Ok(WorkedOut { ground, paths, plan })
}

/// What is uncommitted may have changed: it is no part of the merge, and whether it is in the way was asked again.
fn refuse_moved(plan: &SyncPlan, now: &SyncPlan) -> Result<(), Report> {
    let moved = |code, what: String| {
        Err(Report::user(code, format!("{what} since this was planned"))
            .unchanged()
            .hint("look at the plan again: it is made anew"))
    };
    let SyncPlan { id, branch, target, .. } = plan;
    if now.branch != *branch || now.before != plan.before {
        let (was, found) = (plan.before.abbreviated(), now.before.abbreviated());
        let what = format!("{id} has moved from {branch} {was} to {} {found}", now.branch);
        return moved(Code::ShadowMoved, what);
    }
    if now.target != *target || now.target_tip != plan.target_tip {
        let (was, found) = (plan.target_tip.abbreviated(), now.target_tip.abbreviated());
        let what = format!("what comes in has moved from {target} {was} to {} {found}", now.target);
        return moved(Code::TargetMoved, what);
    }
    if now.tree != plan.tree {
        // The same commits: only what was decided can differ.
        return moved(Code::ShadowMoved, format!("the conflicts of {id} were decided otherwise"));
    }
    Ok(())
}

fn write(deck: &Deck, lock: &Lock, worked_out: WorkedOut) -> Result<Synced, Report> {
    let WorkedOut { ground, paths, plan } = worked_out;
    let commit = write_commit(deck, &ground, &plan.tree)?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout()).without_hooks();
    let mut entry = prepare(deck, &writer, &ground, &commit, paths)?;
    let message = format!("shadowdeck: sync with {}", plan.target);
    recover::run(deck, &writer, &mut entry, &message).map_err(of_shadow)?;
    Ok(Synced { operation: entry.operation, plan, after: commit, warnings: entry.warnings })
}

/// The shadow and its target, both as they are now.
struct Ground {
    fit: Fit,
    branch: BranchName,
    place: Place,
    target: BranchName,
    target_tip: Oid,
}

fn read_ground(deck: &Deck, id: &ShadowId) -> Result<Ground, Report> {
    let (found, all) = places::find_shadow(deck, id)?;
    refuse_at_work(&found.worktree)?;
    let fit = in_place::read_fit(deck, id, "merging the target into it")?;
    conditions::refuse_without_identity(&deck.repository)?;
    let Some(branch) = fit.worktree.head.branch().cloned() else {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} is on no branch that a merge could go on"),
        )
        .unchanged()
        .hint("make a branch of it there: git switch -c NAME"));
    };
    let (target, target_tip) = target::find_tip(deck, all.target_of(&found).as_ref())?;
    let worktrees = worktrees::read(&deck.repository)?;
    // The branch may be checked out, or under a rebase, in another worktree too.
    let Some(place) = places::find_place(deck, &worktrees, &branch)? else {
        let headline = format!("{id} no longer has {branch} checked out");
        return Err(Report::user(Code::ShadowMoved, headline).unchanged().hint("try again"));
    };
    let main = (&deck.repository.common_dir, worktrees.main.path.as_ref());
    let linked = worktrees.linked.iter().map(|linked| (&linked.admin_dir, Some(&linked.path)));
    for (git_dir, path) in std::iter::once(main).chain(linked) {
        let is_here = place.git_dir == *git_dir;
        if let Some(what) = conditions::find_under_way(git_dir, &branch, is_here) {
            let path = path.unwrap_or(git_dir).display();
            return Err(Report::user(
                Code::ShadowBusy,
                format!("a {what} is under way in {path}, and moving {branch} would break it"),
            )
            .unchanged()
            .hint(format!("finish or abort that {what} first")));
        }
    }
    if refs::is_ancestor(&deck.repository, &target_tip, &fit.tip)? {
        let headline = format!("{id} has all of {target} already");
        return Err(Report::user(Code::WrongState, headline).unchanged());
    }
    Ok(Ground { fit, branch, place, target, target_tip })
}

/// For the way back, and there again.
pub(super) fn refuse_busy(deck: &Deck, shadow: &ShadowEntry) -> Result<(), Report> {
    let (found, _) = places::find_shadow(deck, &shadow.id)?;
    refuse_at_work(&found.worktree)
}

/// By name: whoever works there would have the files changed under its hands.
fn refuse_at_work(worktree: &worktrees::Worktree) -> Result<(), Report> {
    let busy = |what: &str, hint: &str| {
        Report::user(
            Code::ShadowBusy,
            format!("the branch of {} cannot be moved while {what}", worktree.id),
        )
        .unchanged()
        .hint(hint)
    };
    let at_work = places::at_work_in(worktree);
    if !at_work.is_empty() {
        let named = places::named(&at_work);
        return Err(busy(
            &format!("{named} is at work in it"),
            "try again when that process has ended",
        )
        .detail("processes", named));
    }
    let lock = worktree.admin_dir.join("index.lock");
    if lock.exists() {
        let named = lock.display().to_string();
        return Err(busy(
            &format!("another git is at work: {named} exists"),
            "wait for that git to end; if none runs any more, remove that file",
        )
        .detail("lock", named));
    }
    Ok(())
}

struct Merged {
    tree: Oid,
    resolved: Vec<RepoPath>,
}

/// Of the commits alone: what is uncommitted is no part of the merge.
fn merge(deck: &Deck, ground: &Ground, resolutions: Resolutions) -> Result<Merged, Report> {
    let repository = &deck.repository;
    let Prediction { tree, clean, mut conflicts, .. } =
        merge::predict_one(repository, &ground.target_tip, &ground.fit.tip)?;
    if clean {
        return Ok(Merged { tree, resolved: Vec::new() });
    }
    let id = &ground.fit.worktree.id;
    weave::put_answers(deck, id, &mut conflicts)?;
    let open: Vec<&Conflict> = match resolutions {
        Resolutions::Left => conflicts.iter().collect(),
        Resolutions::Taken => conflicts.iter().filter(|it| it.resolution.is_none()).collect(),
    };
    if !open.is_empty() || conflicts.is_empty() {
        return Err(refuse_conflicts(ground, &open, read_committed(deck, ground, &open)?));
    }
    let tree = resolve::write_resolved_tree(repository, &tree, &conflicts)?;
    Ok(Merged { tree, resolved: conflicts.into_iter().map(|conflict| conflict.path).collect() })
}

/// Whether one of these files has uncommitted lines: what was decided of those is no answer to the committed ones.
fn read_committed(deck: &Deck, ground: &Ground, open: &[&Conflict]) -> Result<Committed, Report> {
    let committed = refs::tree_of(&deck.repository, &ground.fit.tip)?;
    let (from, to) = (committed.as_str(), ground.fit.snapshot.tree.as_str());
    let uncommitted = changed_paths(deck.repository.planning("diff-tree"), from, to)?;
    let holds = |conflict: &&Conflict| uncommitted.iter().any(|it| it.path == conflict.path);
    Ok(if open.iter().any(holds) { Committed::Partly } else { Committed::All })
}

/// Of conflict files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Committed {
    All,
    Partly,
}

fn refuse_conflicts(ground: &Ground, open: &[&Conflict], committed: Committed) -> Report {
    let id = &ground.fit.worktree.id;
    let named = open.iter().map(|it| format!("{} ({})", it.path.to_lossy(), it.kind.as_str()));
    let named: Vec<String> = named.collect();
    let files: Vec<serde_json::Value> = open
        .iter()
        .map(|it| serde_json::json!({"path": it.path.to_lossy(), "kind": it.kind.as_str()}))
        .collect();
    let is_settled = open.iter().all(|conflict| conflict.resolution.is_some());
    let hint = if is_settled && !open.is_empty() {
        "each of them is decided already: add --with-resolutions".to_owned()
    } else if committed == Committed::Partly {
        format!(
            "a merge is of commits: `shadowdeck commit {id}` first, then `conflicts` shows them, `resolve` settles them, \
             and `sync --with-resolutions` takes that"
        )
    } else {
        format!(
            "`shadowdeck conflicts {id}` shows them, `resolve` settles them, and `sync --with-resolutions` takes that"
        )
    };
    Report::user(
        Code::Conflicts,
        format!("{} conflicts with {id} in {}", ground.target, named.join(", ")),
    )
    .unchanged()
    .hint(hint)
    .detail("files", files)
}

fn write_commit(deck: &Deck, ground: &Ground, tree: &Oid) -> Result<Oid, Report> {
    let settings = ground.place.settings()?;
    let timeout = Duration::from_secs(deck.config.signing_timeout_s);
    let signing = Signing::of(&settings, ground.place.git_dir.clone(), timeout);
    let message = format!("Merge branch '{}' into {}", ground.target, ground.branch);
    let parents = [&ground.fit.tip, &ground.target_tip];
    land::commit_tree(deck, tree, &parents, &message, &signing)
}

/// What is uncommitted where the merge would write.
fn refuse_in_the_way(ground: &Ground, paths: &[ChangedPath]) -> Result<(), Report> {
    crate::git::shadow_worktree::refuse_unwritable(&ground.place, paths)?;
    let overlap = read_overlap(&ground.place, paths)?;
    if overlap.is_empty() {
        return Ok(());
    }
    let id = &ground.fit.worktree.id;
    let report = refuse_overlap(&ground.place, &ground.branch, &overlap);
    Err(if overlap.in_the_way.is_empty() {
        report.hint(format!(
            "`shadowdeck commit {id} -m MESSAGE` makes a commit of it; then sync again"
        ))
    } else {
        report.hint("commit those files in the shadow, or move them away; then sync again")
    })
}

/// Everything that undo needs, on the disk.
fn prepare(
    deck: &Deck,
    writer: &Writer<'_>,
    ground: &Ground,
    commit: &Oid,
    paths: Vec<ChangedPath>,
) -> Result<JournalEntry, Report> {
    let operation = deck.store.journal().next_operation()?;
    let worktree = &ground.fit.worktree;
    let mut pins = moves::pins_of(deck, worktree, 0, Some(&ground.fit.snapshot.tree))?;
    pins.push(Pin::new("result", commit.clone()));
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    let mut entry = JournalEntry::begin(operation, Verb::Sync);
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    let snapshot = Some(ground.fit.snapshot.tree.clone());
    entry.shadows = vec![moves::note(deck, operation, worktree, snapshot, Fate::Untouched)?];
    entry.advance = Some(Advance {
        target: ground.branch.clone(),
        before: ground.fit.tip.clone(),
        after: commit.clone(),
        worktree: Some(ground.place.worktree.clone()),
        git_dir: Some(ground.place.git_dir.clone()),
        modes: super::undo::modes_of(Some(&ground.place), &paths)?,
        paths,
    });
    deck.store.journal().write(&entry)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    Ok(entry)
}
