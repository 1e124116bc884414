//! One file an operation, written whole and synced at each phase, with all that undo and recovery need.
//! What is unfinished lies in `open/`, the rest in `closed/`; where one is in both, `closed/` holds.
//!
//! The format is a promise: a later program reads what an earlier one left, and refuses a format it does not know.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{Decision, ProcessMark, Verb, atomic, modes::PathMode, placement};
use crate::{
    report::{Blame, Code, Doing, Report},
    review::ChangedPath,
    shadow::{
        BranchName, Oid, OperationId, RepoPath, ShadowId, ShadowRecord, Strategy, stored_path,
    },
};

/// What this program writes. A higher number is refused, never guessed at.
pub const FORMAT: u32 = 1;

/// How far an operation got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Objects are migrated and pinned; nothing that the user sees has changed.
    Intent,
    /// The next step may move the target, or a shadow.
    Prepared,
    Done,
    /// Done, and taken back by the operation in `undone_by`.
    Undone,
    /// Never happened: stopped before anything moved, or put back by recovery.
    TakenBack,
}

impl Phase {
    pub fn is_open(self) -> bool {
        matches!(self, Self::Intent | Self::Prepared)
    }

    /// As `log` shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intent | Self::Prepared => "unfinished",
            Self::Done => "done",
            Self::Undone => "undone",
            Self::TakenBack => "taken_back",
        }
    }
}

/// A branch's move from one commit to another, with the files of the one worktree that has it checked out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advance {
    pub target: BranchName,
    pub before: Oid,
    pub after: Oid,
    /// Absent where the branch is checked out nowhere.
    #[serde(with = "stored_path::optional", default)]
    pub worktree: Option<PathBuf>,
    /// That worktree's own git directory.
    #[serde(with = "stored_path::optional", default)]
    pub git_dir: Option<PathBuf>,
    pub paths: Vec<ChangedPath>,
    /// What git would not make again as it was before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<PathMode>,
}

/// What the operation does with one shadow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Directory, registration and branch go to the trash.
    Trashed,
    /// They come back from there.
    Restored,
    /// Made by this operation.
    Made,
    /// It stays, moved from its own tip and snapshot to another commit: onto the new target, to a commit of all
    /// it holds, or back to its base.
    Kept {
        new_tip: Oid,
        /// The tree that its files become.
        whole: Oid,
    },
    /// A kept one goes back to its old tip, index and files.
    PutBack { new_tip: Oid, whole: Oid },
    /// Left as it is: it was written to meanwhile.
    Untouched,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShadowEntry {
    pub id: ShadowId,
    /// The worktree's directory.
    #[serde(with = "stored_path")]
    pub path: PathBuf,
    /// Its own git directory, `<common>/worktrees/<id>`.
    #[serde(with = "stored_path")]
    pub git_dir: PathBuf,
    /// Absent when HEAD is detached.
    pub branch: Option<BranchName>,
    pub tip: Oid,
    /// The tree of all it held.
    pub snapshot: Option<Oid>,
    pub fate: Fate,
    /// Where its parts lie in the trash.
    #[serde(with = "stored_path")]
    pub trash: PathBuf,
    /// What was remembered of it before.
    pub record: Option<ShadowRecord>,
    /// What is to be remembered of it once it has moved.
    #[serde(default)]
    pub record_after: Option<ShadowRecord>,
    /// Ignored files, and directories, that made room for what came: the files lie in the trash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<RepoPath>,
    /// What git would not make again as it was before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<PathMode>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    pub format: u32,
    pub operation: OperationId,
    pub verb: Verb,
    pub phase: Phase,
    pub process: ProcessMark,
    /// Milliseconds since the epoch, as all times here.
    pub started_ms: u64,
    pub prepared_ms: Option<u64>,
    pub closed_ms: Option<u64>,
    /// The operation that this one takes back.
    pub undoes: Option<OperationId>,
    pub undone_by: Option<OperationId>,
    /// The `gc` that emptied its trash: from then on it cannot be undone.
    #[serde(default)]
    pub emptied_by: Option<OperationId>,
    /// The operations whose trash and pins this one empties.
    #[serde(default)]
    pub empties: Vec<OperationId>,
    pub strategy: Option<Strategy>,
    pub message: Option<String>,
    pub advance: Option<Advance>,
    pub shadows: Vec<ShadowEntry>,
    /// A decision on a conflict file that is recorded, or taken back.
    #[serde(default)]
    pub decision: Option<Decision>,
    /// The worktree in which hooks run, while there is one.
    #[serde(with = "stored_path::optional", default)]
    pub rehearsal: Option<PathBuf>,
    /// Full names of the refs that keep what undo needs.
    pub pins: Vec<String>,
    pub warnings: Vec<String>,
}

impl JournalEntry {
    /// An operation that begins now, in this process.
    pub fn begin(operation: OperationId, verb: Verb) -> Self {
        Self {
            format: FORMAT,
            operation,
            verb,
            phase: Phase::Intent,
            process: ProcessMark::of_this_process(),
            started_ms: now_ms(),
            prepared_ms: None,
            closed_ms: None,
            undoes: None,
            undone_by: None,
            emptied_by: None,
            empties: Vec::new(),
            strategy: None,
            message: None,
            advance: None,
            shadows: Vec::new(),
            decision: None,
            rehearsal: None,
            pins: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The branch that moves is the own one of a shadow, in its own place.
    pub fn moves_own_branch(&self) -> bool {
        self.shadows.iter().any(|shadow| self.moves(shadow))
    }

    /// Whether the branch that moves is this one's.
    pub fn moves(&self, shadow: &ShadowEntry) -> bool {
        self.advance.as_ref().is_some_and(|advance| Some(&advance.target) == shadow.branch.as_ref())
    }

    pub fn to_json(&self) -> Result<Vec<u8>, Report> {
        serde_json::to_vec_pretty(self).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, "the journal entry could not be put into JSON")
                .cause(error.to_string())
        })
    }

    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if format > FORMAT {
            return Err(format!("it has format {format}, and this program knows {FORMAT}"));
        }
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }
}

/// An operation of the journal, with what keeps it from being read.
pub type Listed = (OperationId, Result<JournalEntry, Report>);

#[derive(Clone, Debug)]
pub struct Journal {
    dir: PathBuf,
}

impl Journal {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// A name later than every operation so far, also when the clock was set back. Call it under the lock.
    pub fn next_operation(&self) -> Result<OperationId, Report> {
        let fresh = ulid::Ulid::generate();
        let newest = self.names()?.into_iter().max().map(|operation| operation.0);
        Ok(OperationId(match newest {
            Some(newest) if newest >= fresh => newest.increment().unwrap_or(fresh),
            _ => fresh,
        }))
    }

    /// Writes the entry as its phase demands. After this it is on the disk.
    pub fn write(&self, entry: &JournalEntry) -> Result<(), Report> {
        let bytes = placement::stored(entry, self.private_dir()).to_json()?;
        let [open, closed] = self.paths(entry.operation);
        let doing = || format!("write the journal entry {}", entry.operation);
        if entry.phase.is_open() {
            return atomic::write(&open, &bytes).doing(doing());
        }
        atomic::write(&closed, &bytes).doing(doing())?;
        atomic::remove(&open).doing(doing())
    }

    fn private_dir(&self) -> &Path {
        self.dir.parent().unwrap_or(&self.dir)
    }

    /// Closes it with this phase.
    pub fn close(&self, entry: &mut JournalEntry, phase: Phase) -> Result<(), Report> {
        entry.phase = phase;
        entry.closed_ms = Some(now_ms());
        self.write(entry)
    }

    /// Drops an entry of which nothing came.
    pub fn forget(&self, operation: OperationId) -> Result<(), Report> {
        let [open, _] = self.paths(operation);
        atomic::remove(&open).doing(format!("drop the journal entry {operation}"))
    }

    /// Unfinished operations, oldest first. One directory look when there is none.
    pub fn read_open(&self) -> Result<Vec<JournalEntry>, Report> {
        let mut entries = Vec::new();
        for operation in self.names_in("open")? {
            let [open, closed] = self.paths(operation);
            // Closed, but the program ended before it could remove the open one.
            if closed.exists() {
                // Where it cannot be removed either, it is passed over as now.
                let _ = fs::remove_file(&open);
                continue;
            }
            if let Some(entry) = read_entry(&open)? {
                entries.push(placement::placed(entry, self.private_dir()));
            }
        }
        Ok(entries)
    }

    /// Every operation, oldest first, each with what keeps it from being read.
    pub fn read_all(&self) -> Result<Vec<Listed>, Report> {
        let names = self.names()?.into_iter();
        let read = |operation| self.read(operation).transpose().map(|entry| (operation, entry));
        Ok(names.filter_map(read).collect())
    }

    pub fn read(&self, operation: OperationId) -> Result<Option<JournalEntry>, Report> {
        let [open, closed] = self.paths(operation);
        let entry = match read_entry(&closed)? {
            Some(entry) => Some(entry),
            None => read_entry(&open)?,
        };
        Ok(entry.map(|entry| placement::placed(entry, self.private_dir())))
    }

    /// When an entry was last written, closed or dropped. Every write is a rename, so the directories' times tell.
    pub fn read_stamp(&self) -> Result<[Option<SystemTime>; 2], Report> {
        let mut stamp = [None; 2];
        for (stamp, folder) in stamp.iter_mut().zip(["open", "closed"]) {
            let dir = self.dir.join(folder);
            *stamp = match fs::metadata(&dir).and_then(|about| about.modified()) {
                Ok(modified) => Some(modified),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error).doing(format!("look at {}", dir.display())),
            };
        }
        Ok(stamp)
    }

    fn paths(&self, operation: OperationId) -> [PathBuf; 2] {
        ["open", "closed"].map(|folder| self.dir.join(folder).join(format!("{operation}.json")))
    }

    fn names(&self) -> Result<Vec<OperationId>, Report> {
        let mut names = self.names_in("open")?;
        names.extend(self.names_in("closed")?);
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn names_in(&self, folder: &str) -> Result<Vec<OperationId>, Report> {
        let dir = self.dir.join(folder);
        let listed = match fs::read_dir(&dir) {
            Ok(listed) => listed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).doing(format!("read {}", dir.display())),
        };
        let mut names = Vec::new();
        for file in listed {
            let name = file.doing(format!("read {}", dir.display()))?.file_name();
            // Anything else there is a half-written file of ours, never read.
            let operation = name.to_str().and_then(|name| name.strip_suffix(".json"));
            names.extend(operation.and_then(OperationId::parse));
        }
        names.sort_unstable();
        Ok(names)
    }
}

fn read_entry(path: &Path) -> Result<Option<JournalEntry>, Report> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).doing(format!("read {}", path.display())),
    };
    JournalEntry::from_json(&bytes).map(Some).map_err(|why| {
        Report::environment(Code::Io, format!("the journal entry {} cannot be read", path.display()))
            .cause(why)
            .safe("nothing was changed, and what it tells of lies untouched in the trash and under refs/shadowdeck/")
            .hint("move that file away once you have looked at it")
    })
}

/// Milliseconds since the epoch; a clock before it reads as the epoch.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
