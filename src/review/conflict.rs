//! Conflicts as data: which file, which kind, the three versions, and what was decided.

use serde::{Deserialize, Serialize};

use super::{Entry, FileDiff, Text};
use crate::shadow::{BranchName, Oid, RepoPath, ShadowId};

/// In git's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConflictKind {
    Content,
    AddAdd,
    ModifyDelete,
    RenameRename,
    RenameDelete,
    RenameAdd,
    DirectoryRename,
    FileDirectory,
    Binary,
    Mode,
    Symlink,
    Submodule,
    DistinctTypes,
}

impl ConflictKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::AddAdd => "add/add",
            Self::ModifyDelete => "modify/delete",
            Self::RenameRename => "rename/rename",
            Self::RenameDelete => "rename/delete",
            Self::RenameAdd => "rename/add",
            Self::DirectoryRename => "directory rename",
            Self::FileDirectory => "file/directory",
            Self::Binary => "binary",
            Self::Mode => "mode",
            Self::Symlink => "symlink",
            Self::Submodule => "submodule",
            Self::DistinctTypes => "distinct types",
        }
    }
}

/// What is to become of one conflict file, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    Target,
    Shadow,
    Base,
    /// Both sides' lines, target's first.
    Union,
    Delete,
    /// A blob in the private object store.
    Content(Oid),
}

/// One conflict file of landing now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The reader's name, never git's `name~label`.
    pub path: RepoPath,
    /// The name git's merge result gives it, where that differs.
    pub working_path: Option<RepoPath>,
    pub kind: ConflictKind,
    pub base: Option<Entry>,
    pub target: Option<Entry>,
    pub shadow: Option<Entry>,
    pub resolution: Option<Resolution>,
}

/// All conflicts of landing one shadow now; everything the Conflicts pane draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictPage {
    pub id: ShadowId,
    pub target: BranchName,
    /// The target's commit and the shadow's snapshot that this was computed for.
    pub before: Oid,
    pub snapshot: Oid,
    pub base: Oid,
    pub files: Vec<ConflictFile>,
    pub read_at_ms: u64,
}

/// A conflict with what each side did since the base, and the file as it would land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictFile {
    pub conflict: Conflict,
    /// base → target and base → shadow; `None` where there is nothing to compare (see the kind).
    pub target_diff: Option<FileDiff>,
    pub shadow_diff: Option<FileDiff>,
    /// The text that would land with the present resolution; `None` while undecided or when deleted.
    pub result: Option<Text>,
}
