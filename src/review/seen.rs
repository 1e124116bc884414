//! The list as a person last saw it: little enough to be kept between runs, enough to tell what is new.

use serde::{Deserialize, Serialize};

use super::{DiffStats, Row, Verdict};
use crate::shadow::{RepoPath, ShadowId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenList {
    /// When someone last looked at it.
    pub time_ms: u64,
    pub rows: Vec<SeenRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "four facts that change one by one")]
pub struct SeenRow {
    pub id: ShadowId,
    pub conflicts: bool,
    pub landed: bool,
    pub at_work: bool,
    pub asks: bool,
    /// What else the list showed; absent in what older versions kept.
    #[serde(default)]
    pub shown: Option<Shown>,
}

/// Cells of a row as they were: shown again, as old, until the row is read anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    verdict: Verdict,
    conflicts: Vec<RepoPath>,
    stats: Option<DiffStats>,
    requested: Option<String>,
    last_activity_ms: Option<u64>,
}

impl Shown {
    /// Of a row that could be read.
    fn of(row: &Row) -> Option<Self> {
        (row.problem.is_none() && row.verdict != Verdict::Unknown).then(|| Self {
            verdict: row.verdict,
            conflicts: row.conflicts.clone(),
            stats: row.stats,
            requested: row.requested.clone(),
            last_activity_ms: row.last_activity_ms,
        })
    }

    /// Into a row of which only name and place are known.
    pub fn fill(&self, row: &mut Row) {
        row.verdict = self.verdict;
        row.conflicts.clone_from(&self.conflicts);
        row.stats = self.stats;
        row.requested.clone_from(&self.requested);
        row.last_activity_ms = self.last_activity_ms;
    }
}

impl SeenRow {
    pub fn of(row: &Row) -> Self {
        Self {
            id: row.id.clone(),
            conflicts: row.verdict == Verdict::Conflicts,
            landed: row.verdict == Verdict::Landed,
            at_work: !row.processes.is_empty(),
            asks: row.requested.is_some(),
            shown: Shown::of(row),
        }
    }
}

/// What happened to one shadow meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    New,
    Asks,
    NowConflicts,
    NowClean,
    Landed,
    Stopped,
}

impl News {
    /// The most telling of what differs.
    pub fn between(before: Option<&SeenRow>, now: &SeenRow) -> Option<Self> {
        let Some(before) = before else { return Some(Self::New) };
        if now.asks && !before.asks {
            Some(Self::Asks)
        } else if now.conflicts && !before.conflicts {
            Some(Self::NowConflicts)
        } else if now.landed && !before.landed {
            Some(Self::Landed)
        } else if before.conflicts && !now.conflicts {
            Some(Self::NowClean)
        } else if before.at_work && !now.at_work {
            Some(Self::Stopped)
        } else {
            None
        }
    }

    /// After a number, or after a name.
    pub fn words(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Asks => "asked for review",
            Self::NowConflicts => "now conflicts",
            Self::NowClean => "no longer conflicts",
            Self::Landed => "landed",
            Self::Stopped => "stopped",
        }
    }
}
