//! What is remembered of a shadow between runs, and the states it goes through.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{BranchName, Oid, ShadowId, stored_path};

/// pending → created → active → committed → cleaned up, with rolled back and errored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Pending,
    Created,
    Active,
    Committed,
    CleanedUp,
    RolledBack,
    Errored,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Created => "created",
            Self::Active => "active",
            Self::Committed => "committed",
            Self::CleanedUp => "cleaned_up",
            Self::RolledBack => "rolled_back",
            Self::Errored => "errored",
        }
    }

    /// A shadow that failed to land may be landed again once its conflicts are resolved.
    pub fn may_land(self) -> bool {
        match self {
            Self::Created | Self::Active | Self::Committed | Self::RolledBack | Self::Errored => {
                true
            }
            Self::Pending | Self::CleanedUp => false,
        }
    }
}

/// How a shadow's change becomes commits on its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    Squash,
    Merge,
    Rebase,
}

impl Strategy {
    pub const ALL: [Self; 3] = [Self::Squash, Self::Merge, Self::Rebase];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Squash => "squash",
            Self::Merge => "merge",
            Self::Rebase => "rebase",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.as_str() == text)
    }
}

/// Kept for shadows that this program made, and for others once something about them is worth remembering.
/// Times are milliseconds since the epoch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShadowRecord {
    pub ulid: ulid::Ulid,
    pub id: ShadowId,
    #[serde(with = "stored_path")]
    pub path: PathBuf,
    /// The workspace that the shadow was made from.
    #[serde(with = "stored_path::optional", default)]
    pub original_path: Option<PathBuf>,
    pub branch: Option<BranchName>,
    /// The branch that the workspace had checked out when the shadow was made.
    pub original_branch: Option<BranchName>,
    /// The commit the shadow was made from: recorded once, never recomputed.
    pub base_commit: Option<Oid>,
    pub target: Option<BranchName>,
    pub convention: String,
    pub agent: Option<String>,
    pub plan: Option<String>,
    pub strategy: Option<Strategy>,
    pub created_at_ms: u64,
    pub state: State,
    /// Set while an agent asks for review, with its message.
    pub requested: Option<String>,
    pub last_error: Option<StoredError>,
}

/// The last failure, as `errors ID` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredError {
    pub code: String,
    pub message: String,
    pub details: serde_json::Map<String, serde_json::Value>,
    pub time_ms: u64,
}
