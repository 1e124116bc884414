//! What `gc` would free, each thing by name, and what a person said yes to.

use std::path::PathBuf;

use crate::shadow::{OperationId, ShadowId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GcKind {
    /// What an operation put into the trash, with its pins: it cannot be undone after.
    Trash,
    /// Pins or copies of an operation that never happened, or that is emptied already.
    Leftover,
    /// The registration of a worktree whose directory is gone; its branch stays.
    Registration,
    /// The private object store, made anew.
    Objects,
    /// A file that an earlier run left behind half-made.
    Scratch,
}

impl GcKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trash => "trash",
            Self::Leftover => "leftover",
            Self::Registration => "registration",
            Self::Objects => "objects",
            Self::Scratch => "scratch",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcItem {
    pub kind: GcKind,
    /// For people: `discard 01K… of one, two`.
    pub what: String,
    /// For people: why it goes now.
    pub why: String,
    pub path: PathBuf,
    /// On the disk.
    pub bytes: u64,
    pub operation: Option<OperationId>,
    pub shadows: Vec<ShadowId>,
}

impl GcItem {
    /// The same thing, whatever its size by now.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.path, self.operation) == (other.kind, &other.path, other.operation)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcPlan {
    pub items: Vec<GcItem>,
}

/// What a person was shown and said yes to. Only [`GcPlan::confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedGc(GcPlan);

impl GcPlan {
    pub fn bytes(&self) -> u64 {
        self.items.iter().map(|item| item.bytes).sum()
    }

    /// Call it where the person has approved just this plan.
    pub fn confirm(self) -> ConfirmedGc {
        ConfirmedGc(self)
    }
}

impl ConfirmedGc {
    pub fn plan(&self) -> &GcPlan {
        &self.0
    }
}

/// What was freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freed {
    /// Absent where there was nothing to free.
    pub operation: Option<OperationId>,
    pub items: Vec<GcItem>,
    pub warnings: Vec<String>,
}
