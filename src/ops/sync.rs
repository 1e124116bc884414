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
        refs, worktrees,
        writer::Writer,
    },
    report::{Code, Report},
    review::{ChangedPath, Conflict},
    shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId},
    store::{
        Advance, Fate, JournalEntry, Phase, ShadowEntry, Verb, journal::now_ms, lock::WAIT_MAX,
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synced {
    pub operation: OperationId,
    pub id: ShadowId,
    pub target: BranchName,
    pub before: Oid,
    pub after: Oid,
    /// What the merge changes in the shadow.
    pub files: Vec<RepoPath>,
    /// The conflict files that it settles.
    pub resolved: Vec<RepoPath>,
    pub warnings: Vec<String>,
}

/// Merges it, or leaves everything as it is and says why.
pub fn sync(deck: &Deck, id: &ShadowId, resolutions: Resolutions) -> Result<Synced, Report> {
    let lock = deck.store.lock(&format!("sync {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    let ground = read_ground(deck, id)?;
    recover::refuse_unsettled(deck, Some(&ground.branch), std::slice::from_ref(id))?;
    let merged = merge(deck, &ground, resolutions)?;
    let commit = write_commit(deck, &ground, &merged.tree)?;
    let diff_tree = deck.repository.planning("diff-tree");
    let paths = changed_paths(diff_tree, ground.fit.tip.as_str(), commit.as_str())?;
    refuse_in_the_way(&ground, &paths)?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout()).without_hooks();
    let files = paths.iter().map(|change| change.path.clone()).collect();
    let mut entry = prepare(deck, &writer, &ground, &commit, paths)?;
    let message = format!("shadowdeck: sync with {}", ground.target);
    recover::run(deck, &writer, &mut entry, &message).map_err(of_shadow)?;
    Ok(Synced {
        operation: entry.operation,
        id: id.clone(),
        target: ground.target,
        before: ground.fit.tip,
        after: commit,
        files,
        resolved: merged.resolved,
        warnings: entry.warnings,
    })
}

/// The shadow and its target, both as they are under the lock.
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
        return Err(refuse_conflicts(ground, &open));
    }
    let tree = resolve::write_resolved_tree(repository, &tree, &conflicts)?;
    Ok(Merged { tree, resolved: conflicts.into_iter().map(|conflict| conflict.path).collect() })
}

fn refuse_conflicts(ground: &Ground, open: &[&Conflict]) -> Report {
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
    } else if ground.fit.snapshot.dirty {
        // What was decided of uncommitted lines is no answer to the committed ones.
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
        report.hint(format!("`shadowdeck commit {id}` makes a commit of it; then sync again"))
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

/// The branch that moves is the shadow's own here.
fn of_shadow(report: Report) -> Report {
    let code = match report.code {
        Code::TargetBusy => Code::ShadowBusy,
        Code::TargetMoved => Code::ShadowMoved,
        other => other,
    };
    Report { code, ..report }
}
