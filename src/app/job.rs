//! Background work as data: which question each slot waits for, and which answers are stale.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use super::Effect;
use crate::{
    report::Report,
    review::{
        Against, Beside, CommitLine, Comparable, ConfirmedDiscard, ConfirmedPlan, ConfirmedRedo,
        ConfirmedSync, ConfirmedUndo, ConflictPage, Copies, DiscardPlan, Discarded, FileChange,
        FileDiff, Fleet, LandOptions, LandPlan, Landing, LogEntry, Painted, Party, Radar,
        RadarPage, RedoPlan, Redone, Resolution, ReviewPage, SeenList, SyncPlan, Synced, Text,
        UndoPlan, Undone, Way,
        comment::{Change, Notes},
        marks::{Kept, Mark},
        moved::Moved,
    },
    shadow::{Oid, OperationId, RepoPath, ShadowId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(u64);

/// One question the screen can have open at a time. A newer job in a slot replaces the older one,
/// except where the slot writes: there the older one runs to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    Fleet,
    /// The page that the list's detail pane shows.
    Detail,
    /// The one of the row below it, before anybody goes there.
    Ahead,
    Review,
    HighlightOld,
    HighlightNew,
    /// Lines of the page that were moved.
    Moved,
    /// A part of the page that is read, for one of its views.
    Part,
    /// The shadow's commits, to choose from.
    Commits,
    /// Branches and tags to compare with.
    Names,
    /// One file, for another program.
    Sides,
    /// The lines of a file that is only named until a person asks.
    Lines,
    /// What changed since the page was read: for its count.
    Newer,
    /// How far shadows are read that changed since: for the list.
    Reading,
    /// Ticks and places.
    Marks,
    /// The comments of a shadow.
    Notes,
    Conflicts,
    PlanLand,
    /// What lies between what was approved and what is there now.
    Compare,
    PlanDiscard,
    /// Also of doing again.
    PlanUndo,
    PlanSync,
    Radar,
    /// The lines of the two under the radar's cursor.
    RadarPair,
    Log,
    /// The list as it was last seen.
    Seen,
    /// Everything that changes the repository, its branches or its worktrees.
    Write,
}

impl Slot {
    pub fn writes(self) -> bool {
        self == Self::Write
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Names and places only.
    Places,
    /// The list while none is whole: it tells how far it is, and rows as they become known.
    FirstFleet,
    Fleet,
    Review {
        id: ShadowId,
    },
    /// What lies between two trees of a shadow.
    Part {
        id: ShadowId,
        between: [Oid; 2],
    },
    /// What lies between something else than its base and the snapshot of its page.
    Against {
        id: ShadowId,
        snapshot: Oid,
        against: Against,
    },
    /// What there is to compare with.
    Names,
    /// For the user's difftool: what the file was, and whether it is there.
    Sides {
        id: ShadowId,
        path: RepoPath,
        old: Option<Oid>,
        new: Option<Oid>,
    },
    /// A file that was named with its size alone, whole.
    Lines(Box<FileChange>),
    /// What the tip has and the base lacks.
    Commits {
        base: Oid,
        tip: Oid,
    },
    /// What a run of commits did.
    Run {
        id: ShadowId,
        newest: Oid,
        /// Those that the run does not hold itself.
        parents: Vec<Oid>,
    },
    /// Keeps these, and reads all.
    Marks(Vec<Mark>),
    /// Changes the comments, and reads all.
    Notes {
        id: ShadowId,
        changes: Vec<Change>,
    },
    Conflicts {
        id: ShadowId,
        way: Way,
    },
    /// `None` takes the choice back.
    Resolve {
        id: ShadowId,
        way: Way,
        path: RepoPath,
        resolution: Option<Resolution>,
    },
    /// Token classes for some lines of one side of a file.
    Highlight {
        path: RepoPath,
        text: Arc<Text>,
        lines: Range<u32>,
        /// A guess of them is known: only what is exact is of use.
        has_guess: bool,
    },
    /// And what was copied.
    FindMoved {
        page: Arc<ReviewPage>,
    },
    PlanLand {
        id: ShadowId,
        options: LandOptions,
    },
    Land(Box<ConfirmedPlan>),
    PlanDiscard {
        ids: Vec<ShadowId>,
    },
    Discard(ConfirmedDiscard),
    /// Of the newest operation where none is named.
    PlanUndo {
        operation: Option<OperationId>,
    },
    Undo(Box<ConfirmedUndo>),
    /// Of the newest undo where none is named; else of that undo, or the undo of that operation.
    PlanRedo {
        operation: Option<OperationId>,
    },
    Redo(Box<ConfirmedRedo>),
    /// With all that was decided of its conflicts.
    PlanSync {
        id: ShadowId,
    },
    Sync(Box<ConfirmedSync>),
    /// It tells what is known by now.
    Radar,
    RadarPair {
        a: ShadowId,
        b: Party,
    },
    Log,
    /// A new shadow; two friendly words where no name is given.
    Create {
        id: Option<String>,
    },
    /// What the list was when a person last saw it.
    ReadSeen,
    WriteSeen(SeenList),
    /// Finishes or takes back what an earlier run left half-done.
    Recover,
}

/// What a job answers when all went well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Also of [`Job::Places`]: then it is not complete.
    Fleet(Fleet),
    /// Also of [`Job::Part`] and [`Job::Against`].
    Review(ReviewPage),
    Lines(Box<FileDiff>),
    Commits(Vec<CommitLine>),
    Names(Vec<Comparable>),
    Sides(Box<Beside>),
    Marks(Box<Kept>),
    Notes(Notes),
    /// Also of [`Job::Resolve`].
    Conflicts(ConflictPage),
    /// One entry for each line of `lines`.
    Tokens {
        text: Arc<Text>,
        lines: Range<u32>,
        painted: Painted,
    },
    Moved {
        page: Arc<ReviewPage>,
        moved: Moved,
        copies: Result<Copies, Report>,
    },
    PlannedLanding(Box<LandPlan>),
    Landed(Box<Landing>),
    PlannedDiscard(DiscardPlan),
    Discarded(Discarded),
    PlannedUndo(UndoPlan),
    Undone(Undone),
    PlannedRedo(RedoPlan),
    Redone(Redone),
    PlannedSync(Box<SyncPlan>),
    Synced(Box<Synced>),
    Created {
        id: ShadowId,
        warnings: Vec<String>,
    },
    Radar(Box<Radar>),
    RadarPair(Box<RadarPage>),
    Log(Vec<LogEntry>),
    /// `None` where nobody looked before; also after it was written.
    Seen(Option<SeenList>),
    /// What was finished or taken back, in words.
    Recovered(Vec<String>),
}

#[derive(Debug, Default)]
pub struct Jobs {
    open: BTreeMap<Slot, JobId>,
    last_id: u64,
}

impl Job {
    /// What it is doing, for what is said when it breaks off.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Places | Self::FirstFleet | Self::Fleet => "reading the list",
            Self::Review { .. } | Self::Part { .. } | Self::Run { .. } => "reading a change",
            Self::Against { .. } => "comparing",
            Self::Sides { .. } => "reading both sides of a file",
            Self::Names => "reading branches and tags",
            Self::Lines(_) => "reading the lines of a file",
            Self::Commits { .. } => "reading commits",
            Self::Marks(_) => "keeping what was read",
            Self::Notes { .. } => "keeping comments",
            Self::Conflicts { .. } => "working out conflicts",
            Self::Resolve { .. } => "recording a choice",
            Self::Highlight { .. } => "colouring source text",
            Self::FindMoved { .. } => "looking for moved lines",
            Self::PlanLand { .. } => "planning a landing",
            Self::Land(_) => "landing",
            Self::PlanDiscard { .. } => "planning a discard",
            Self::Discard(_) => "discarding",
            Self::PlanUndo { .. } => "planning to take back",
            Self::Undo(_) => "taking back",
            Self::PlanRedo { .. } => "planning to do it again",
            Self::Redo(_) => "doing it again",
            Self::PlanSync { .. } => "planning a sync",
            Self::Sync(_) => "taking the target into a shadow",
            Self::Radar | Self::RadarPair { .. } => "comparing shadows",
            Self::Log => "reading the log",
            Self::Create { .. } => "making a shadow",
            Self::ReadSeen | Self::WriteSeen(_) => "what was last seen",
            Self::Recover => "recovery",
        }
    }
}

impl Jobs {
    /// Starts nothing in a writing slot that is busy: ask [`Self::is_open`] first.
    pub fn start(&mut self, slot: Slot, job: Job) -> Vec<Effect> {
        if slot.writes() && self.is_open(slot) {
            return Vec::new();
        }
        self.last_id += 1;
        let id = JobId(self.last_id);
        let replaced = self.open.insert(slot, id).map(|id| Effect::CancelJob { id });
        replaced.into_iter().chain([Effect::StartJob { slot, id, job }]).collect()
    }

    /// Nobody waits for this slot's answer any more. Writes are never cancelled.
    pub fn cancel(&mut self, slot: Slot) -> Vec<Effect> {
        if slot.writes() {
            return Vec::new();
        }
        self.open.remove(&slot).map(|id| Effect::CancelJob { id }).into_iter().collect()
    }

    /// Asks a write to stop where it still can; its answer comes in any case.
    pub fn ask_stop(&self) -> Vec<Effect> {
        self.open.get(&Slot::Write).map(|id| Effect::CancelJob { id: *id }).into_iter().collect()
    }

    /// Returns false for an answer nobody waits for any more.
    pub fn finish(&mut self, slot: Slot, id: JobId) -> bool {
        let is_current = self.is_current(slot, id);
        if is_current {
            self.open.remove(&slot);
        }
        is_current
    }

    pub fn is_current(&self, slot: Slot, id: JobId) -> bool {
        self.open.get(&slot) == Some(&id)
    }

    pub fn is_open(&self, slot: Slot) -> bool {
        self.open.contains_key(&slot)
    }

    /// Quitting and the tests' "wait until idle" ask the same question.
    pub fn is_idle(&self) -> bool {
        self.open.is_empty()
    }
}
