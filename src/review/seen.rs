//! The list as a person last saw it: little enough to be kept between runs, enough to tell what is new.

use serde::{Deserialize, Serialize};

use super::{Row, Verdict};
use crate::shadow::ShadowId;

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
}

impl SeenRow {
    pub fn of(row: &Row) -> Self {
        Self {
            id: row.id.clone(),
            conflicts: row.verdict == Verdict::Conflicts,
            landed: row.verdict == Verdict::Landed,
            at_work: !row.processes.is_empty(),
            asks: row.requested.is_some(),
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
