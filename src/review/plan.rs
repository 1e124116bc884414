//! What is about to happen, as shown before it is approved; and what has happened.

use std::path::PathBuf;

use super::{
    Consent, DiffStats, FileChange, Only, Process, Trust, Verify, accepted::Counts, count,
};
use crate::shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId, Strategy};

/// What the person asked for; what is left open is filled in by the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LandOptions {
    /// The convention's default where absent.
    pub strategy: Option<Strategy>,
    /// Made from the shadow's own commits where absent.
    pub message: Option<String>,
    pub target: Option<BranchName>,
    /// The snapshot that the approval was given for.
    pub expect: Option<Oid>,
    /// The shadow stays, moved onto the new target.
    pub keep: bool,
    /// Only this part of it lands, as one commit; the rest stays in the shadow. All where absent.
    pub only: Option<Only>,
    pub verify: Verify,
    pub trust: Trust,
}

/// What a partial landing takes, and what it leaves in the shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartPlan {
    pub counts: Counts,
    /// Files of which something stays in the shadow.
    pub left_out: Vec<RepoPath>,
    /// The tree of the target with all of the shadow's change: what the shadow's files become.
    pub whole: Oid,
}

/// A landing worked out in the object store, with nothing touched yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandPlan {
    pub id: ShadowId,
    pub branch: Option<BranchName>,
    pub target: BranchName,
    pub strategy: Strategy,
    /// Why this strategy, when it was not asked for: `the default for wt/*`.
    pub chosen_by: Option<String>,
    pub message: String,
    /// The shadow's commit and snapshot that this plan is for.
    pub tip: Oid,
    pub snapshot: Oid,
    /// The target's commit that this plan is for, and the commit it moves to.
    pub before: Oid,
    pub after: Oid,
    /// The commit of the uncommitted work, when there is some.
    pub safety_net: Option<Oid>,
    /// The message of that commit, where it becomes part of the target's history.
    pub own_commit: Option<String>,
    /// The commit of the user's own uncommitted work, carried in at creation, where it is among those that go in.
    pub carried: Option<Oid>,
    /// What landing changes on the target.
    pub files: Vec<FileChange>,
    pub stats: DiffStats,
    /// Number of the shadow's commits that go in.
    pub commits: u32,
    /// The shadow stays; always so where only a part lands.
    pub keep: bool,
    /// Set where not all of it lands.
    pub part: Option<PartPlan>,
    /// Where the target is checked out, if anywhere.
    pub target_worktree: Option<PathBuf>,
    /// The user's own uncommitted files there that this does not touch.
    pub edits_kept: u32,
    /// Conflict files that land as they were resolved.
    pub resolved: Vec<RepoPath>,
    /// Names of the hooks that run, in their order: the target's own, as they are before it moves.
    pub runs: Vec<String>,
    pub verify: Verify,
    /// What the person trusts beyond what was recorded.
    pub trust: Trust,
    /// What `trust` does not cover yet: while there is any, nothing lands.
    pub needs_trust: Vec<Consent>,
    /// Who is at work in it: its directory would go to the trash under them.
    pub at_work: Vec<Process>,
    pub warnings: Vec<String>,
    /// Open comments and flags of what goes in, each safe to draw; none of them keeps it from landing.
    pub remarks: Vec<String>,
}

/// A plan that a person has said yes to. Only [`LandPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedPlan(LandPlan);

impl LandPlan {
    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedPlan {
        ConfirmedPlan(self)
    }
}

impl ConfirmedPlan {
    pub fn plan(&self) -> &LandPlan {
        &self.0
    }
}

/// What landed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    pub operation: OperationId,
    pub plan: LandPlan,
    /// The shadow's directory went to the trash.
    pub cleaned_up: bool,
    pub warnings: Vec<String>,
}

/// What discarding one shadow would take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardEntry {
    pub id: ShadowId,
    pub branch: Option<BranchName>,
    pub path: PathBuf,
    pub holds: Holds,
    /// Why it cannot be discarded now; it is then left alone.
    pub refused: Option<String>,
    pub processes: Vec<Process>,
    pub last_activity_ms: Option<u64>,
}

/// What exists nowhere but in this shadow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Commits that no other branch has.
    pub commits: u32,
    pub edited_files: u32,
    pub untracked_files: u32,
    /// Top-level ignored paths, named.
    pub ignored: Vec<RepoPath>,
    /// Landed or empty, in words.
    pub elsewhere: Option<String>,
}

impl Holds {
    /// Commits and uncommitted files, counted.
    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if self.commits > 0 {
            facts.push(count(self.commits, "commit"));
        }
        if self.edited_files > 0 {
            facts.push(format!("edits in {}", count(self.edited_files, "file")));
        }
        if self.untracked_files > 0 {
            facts.push(count(self.untracked_files, "untracked file"));
        }
        facts
    }

    /// The same, and ignored paths, in one line.
    pub fn words(&self) -> String {
        let mut facts = self.facts();
        if !self.ignored.is_empty() {
            facts.push(count(self.ignored.len(), "ignored path"));
        }
        if facts.is_empty() { "nothing of its own".to_owned() } else { facts.join(", ") }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardPlan {
    pub entries: Vec<DiscardEntry>,
}

/// The entries that a person has ticked. Only [`DiscardPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedDiscard(Vec<DiscardEntry>);

impl DiscardPlan {
    /// Call it where the person has approved just these; ids that the plan does not hold are left out.
    pub fn confirm(self, ticked: &[ShadowId]) -> ConfirmedDiscard {
        let entries = self.entries.into_iter().filter(|entry| ticked.contains(&entry.id));
        ConfirmedDiscard(entries.collect())
    }
}

impl ConfirmedDiscard {
    pub fn entries(&self) -> &[DiscardEntry] {
        &self.0
    }
}

/// What went to the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discarded {
    pub operation: OperationId,
    pub shadows: Vec<ShadowId>,
    /// Those that were to go too and did not, since it was stopped.
    pub left: Vec<ShadowId>,
    pub warnings: Vec<String>,
}

/// How the warning begins that a landing takes more than commits.
pub const UNCOMMITTED: &str = "uncommitted work is landed too";

/// What taking an operation back would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoPlan {
    pub operation: OperationId,
    /// `land`, `discard`, …
    pub verb: String,
    pub shadows: Vec<ShadowId>,
    pub target: Option<BranchName>,
    /// The target moves from `from` to `to`; absent when no branch but the shadow's own is touched.
    pub from: Option<Oid>,
    pub to: Option<Oid>,
    /// Files of the target that become as they were then.
    pub files: Vec<RepoPath>,
    /// The conflict file whose choice changes, and to what.
    pub chosen: Option<Chosen>,
    /// What goes to the trash: all that a created shadow holds by now.
    pub trashed: Option<Holds>,
}

/// A taking back that a person has said yes to. Only [`UndoPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedUndo(UndoPlan);

impl UndoPlan {
    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedUndo {
        ConfirmedUndo(self)
    }
}

impl ConfirmedUndo {
    pub fn plan(&self) -> &UndoPlan {
        &self.0
    }
}

/// What was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The operation of the undoing itself.
    pub operation: OperationId,
    pub plan: UndoPlan,
    pub warnings: Vec<String>,
}

/// What doing an undone operation again would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedoPlan {
    /// The undo that is taken back.
    pub operation: OperationId,
    /// What that undo took back.
    pub redone: Option<OperationId>,
    /// `land`, `discard`, …
    pub verb: String,
    pub shadows: Vec<ShadowId>,
    pub target: Option<BranchName>,
    /// This and what follows: as in [`UndoPlan`].
    pub from: Option<Oid>,
    pub to: Option<Oid>,
    pub files: Vec<RepoPath>,
    pub chosen: Option<Chosen>,
}

/// A doing again that a person has said yes to. Only [`RedoPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedRedo(RedoPlan);

impl RedoPlan {
    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedRedo {
        ConfirmedRedo(self)
    }
}

impl ConfirmedRedo {
    pub fn plan(&self) -> &RedoPlan {
        &self.0
    }
}

/// What was done again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redone {
    /// The operation of the redoing itself.
    pub operation: OperationId,
    pub plan: RedoPlan,
    pub warnings: Vec<String>,
}

/// What a rollback would take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollbackPlan {
    pub id: ShadowId,
    /// The shadow's commit and snapshot that this plan is for.
    pub tip: Oid,
    pub snapshot: Oid,
    /// Where it goes back to.
    pub base: Oid,
    pub commits: u32,
    /// Files with staged, unstaged or untracked work.
    pub uncommitted: Vec<RepoPath>,
    /// All files that change or go.
    pub files: Vec<RepoPath>,
    /// Ignored files that stand where one of them comes back: they go too.
    pub ignored: Vec<RepoPath>,
}

/// A rollback that a person has said yes to. Only [`RollbackPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedRollback(RollbackPlan);

impl RollbackPlan {
    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedRollback {
        ConfirmedRollback(self)
    }
}

impl ConfirmedRollback {
    pub fn plan(&self) -> &RollbackPlan {
        &self.0
    }
}

/// What merging the target into a shadow would do: a merge commit on the shadow's own branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncPlan {
    pub id: ShadowId,
    /// The branch that moves, and where it is.
    pub branch: BranchName,
    pub before: Oid,
    /// What comes in: the target's commit, and how many commits the shadow lacks.
    pub target: BranchName,
    pub target_tip: Oid,
    pub commits: u32,
    /// What the merge commit holds, and what that changes in the shadow.
    pub tree: Oid,
    pub files: Vec<RepoPath>,
    /// Files with uncommitted work, none of it in the way: they stay as they lie.
    pub uncommitted: Vec<RepoPath>,
    /// The conflict files that it settles as they were decided.
    pub resolved: Vec<RepoPath>,
}

/// A merge into a shadow that a person has said yes to. Only [`SyncPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedSync(SyncPlan);

impl SyncPlan {
    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedSync {
        ConfirmedSync(self)
    }
}

impl ConfirmedSync {
    pub fn plan(&self) -> &SyncPlan {
        &self.0
    }
}

/// What was merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synced {
    pub operation: OperationId,
    pub plan: SyncPlan,
    /// The merge commit.
    pub after: Oid,
    pub warnings: Vec<String>,
}

/// One operation of the log. Times are milliseconds since the epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    pub operation: OperationId,
    pub verb: String,
    pub shadows: Vec<ShadowId>,
    pub target: Option<BranchName>,
    pub before: Option<Oid>,
    pub after: Option<Oid>,
    pub time_ms: u64,
    /// `done`, `undone`, `unfinished`, `taken_back`.
    pub status: String,
    pub undoable: bool,
    /// Why not, where it is not.
    pub undoable_why: Option<String>,
    /// What it decided about a conflict file.
    pub chosen: Option<Chosen>,
}

/// A conflict file, and what became of the choice for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub path: RepoPath,
    /// `shadow's`, `2 places: target's, both`, `open again`.
    pub words: String,
}
