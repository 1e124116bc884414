//! One shadow as the list shows it. A cell that could not be read is `None`, never zero or "clean".

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    DiffStats, Radar,
    comment::OpenComments,
    flag::{FileFlag, Flag},
};
use crate::shadow::{BranchName, Oid, RepoPath, ShadowId, State};

/// What landing would do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Clean,
    Conflicts,
    /// Nothing was ever done in it.
    Empty,
    /// What it proposes is in the target already.
    Landed,
    /// The row's `problem` says why.
    Unknown,
}

impl Verdict {
    /// Nothing of it is left to land.
    pub const fn is_done(self) -> bool {
        matches!(self, Self::Empty | Self::Landed)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Conflicts => "conflicts",
            Self::Empty => "empty",
            Self::Landed => "landed",
            Self::Unknown => "unknown",
        }
    }
}

/// Why nothing has happened in a shadow for so long that it may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    Idle,
    Landed,
    Empty,
}

impl Stale {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Landed => "landed",
            Self::Empty => "empty",
        }
    }
}

/// A process whose working directory lies in the shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    pub name: String,
}

/// Times are milliseconds since the epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: ShadowId,
    /// `None` when HEAD is detached.
    pub branch: Option<BranchName>,
    pub target: Option<BranchName>,
    pub base_ref: Option<String>,
    pub path: PathBuf,
    pub created_at_ms: Option<u64>,
    pub stats: Option<DiffStats>,
    /// What is not to be overlooked in its files, the gravest first.
    pub flags: Option<Vec<FileFlag>>,
    pub convention: String,
    pub agent: Option<String>,
    pub plan: Option<String>,
    pub state: State,
    /// The merge base with the target, computed now.
    pub base: Option<Oid>,
    pub tip: Option<Oid>,
    pub snapshot: Option<Oid>,
    pub ahead: Option<u32>,
    pub behind: Option<u32>,
    pub dirty: Option<bool>,
    /// The commit of the user's own uncommitted work, carried in at creation, where it is one of those ahead.
    pub carried: Option<Oid>,
    pub last_activity_ms: Option<u64>,
    pub verdict: Verdict,
    pub conflicts: Vec<RepoPath>,
    /// How many of those are settled already.
    pub settled: usize,
    pub stale: Option<Stale>,
    /// The lock's reason, empty where none was given.
    pub locked: Option<String>,
    pub prunable: Option<String>,
    pub problem: Option<String>,
    /// Files written to although its index tells git not to look at them: no part of its change.
    pub unseen: Vec<RepoPath>,
    /// Submodules in which something lies that is in no commit: no part of its change.
    pub busy_submodules: Vec<RepoPath>,
    /// Set while an agent asks for review, with its message.
    pub requested: Option<String>,
    pub processes: Vec<Process>,
}

impl Row {
    /// Whether this is the change that it proposes now: these files, counted from this base.
    pub fn is_of(&self, base: &Oid, snapshot: &Oid) -> bool {
        self.snapshot.as_ref() == Some(snapshot) && self.base.as_ref().is_none_or(|own| own == base)
    }

    /// Commits that were made in it: what was carried in is the user's own.
    pub fn own_commits(&self) -> Option<u32> {
        Some(self.ahead?.saturating_sub(u32::from(self.carried.is_some())))
    }

    /// Flags that the row has a sign for.
    pub fn marked_flags(&self) -> impl Iterator<Item = &FileFlag> {
        self.flags.iter().flatten().filter(|one| one.flag.marks_row())
    }

    /// Files that the list did not look into.
    pub fn unsearched(&self) -> impl Iterator<Item = &FileFlag> {
        self.flags.iter().flatten().filter(|one| one.flag == Flag::Unsearched)
    }

    /// What a reader must know of it, whether it keeps it from landing or not.
    pub fn told(&self) -> Option<String> {
        let (why, paths) = match (&self.problem, &self.unseen[..], &self.busy_submodules[..]) {
            (Some(problem), ..) => return Some(problem.clone()),
            (None, [], []) => return None,
            (None, [], busy) => (
                "submodules hold work that is in no commit, and it is not part of its change",
                busy,
            ),
            (None, unseen, _) => (
                "its index tells git not to look at files that were written to (skip-worktree, assume-unchanged), and \
                 they are not part of its change",
                unseen,
            ),
        };
        let named: Vec<String> = paths.iter().map(RepoPath::to_lossy).collect();
        Some(format!("{why}: {}", named.join(", ")))
    }

    /// A row of which only the name and place are known yet.
    pub fn unread(id: ShadowId, path: PathBuf) -> Self {
        Self {
            id,
            branch: None,
            target: None,
            base_ref: None,
            path,
            created_at_ms: None,
            stats: None,
            flags: None,
            convention: String::new(),
            agent: None,
            plan: None,
            state: State::Active,
            base: None,
            tip: None,
            snapshot: None,
            ahead: None,
            behind: None,
            dirty: None,
            carried: None,
            last_activity_ms: None,
            verdict: Verdict::Unknown,
            conflicts: Vec::new(),
            settled: 0,
            stale: None,
            locked: None,
            prunable: None,
            problem: None,
            unseen: Vec::new(),
            busy_submodules: Vec::new(),
            requested: None,
            processes: Vec::new(),
        }
    }
}

/// The list, with what its header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// The repository's name for people: its directory, with the parent's.
    pub name: String,
    pub target: Option<BranchName>,
    pub target_tip: Option<Oid>,
    /// Most recently active first.
    pub rows: Vec<Row>,
    /// Comments that are not closed, of shadows that have some; `None` where they cannot be read.
    pub open_comments: BTreeMap<ShadowId, Option<OpenComments>>,
    /// What is remembered of how they meet; `None` where nothing is, or nobody asked.
    pub met: Option<Radar>,
    /// False while `rows` holds names and places only.
    pub complete: bool,
    /// When it was whole.
    pub read_at_ms: u64,
    /// What reading it took, told by who read it: a clock that went on while another program had the terminal does
    /// not count.
    pub took_ms: u64,
}
