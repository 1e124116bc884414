//! One changed file between two trees, as git's raw diff tells it.

use serde::{Deserialize, Serialize};

use crate::shadow::{Oid, RepoPath};

/// What a tree entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    File,
    Executable,
    Symlink,
    Submodule,
}

impl Mode {
    /// As git prints it.
    pub fn as_octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
        }
    }

    pub fn is_submodule(self) -> bool {
        self == Self::Submodule
    }

    pub fn parse_octal(text: &str) -> Option<Self> {
        [Self::File, Self::Executable, Self::Symlink, Self::Submodule]
            .into_iter()
            .find(|mode| mode.as_octal() == text)
    }
}

/// One side of a change: what the tree holds at the path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    pub mode: Mode,
    pub oid: Oid,
}

impl Entry {
    /// As git prints both; the all-zero mode means that there is nothing.
    pub fn parse(mode: &str, oid: &str) -> Option<Self> {
        Some(Self { mode: Mode::parse_octal(mode)?, oid: Oid::parse(oid)? })
    }
}

/// A path that differs between two trees; `old` is absent for an added file, `new` for a deleted one.
/// Renames are a deletion and an addition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedPath {
    pub path: RepoPath,
    pub old: Option<Entry>,
    pub new: Option<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileStatus {
    Added,
    Deleted,
    Modified,
    /// File, symlink or submodule became another of these.
    TypeChanged,
    /// Similarity in percent.
    Renamed(u8),
    Copied(u8),
}

impl FileStatus {
    pub fn letter(self) -> char {
        match self {
            Self::Added => 'A',
            Self::Deleted => 'D',
            Self::Modified => 'M',
            Self::TypeChanged => 'T',
            Self::Renamed(_) => 'R',
            Self::Copied(_) => 'C',
        }
    }
}

/// `old` is absent for an added file, `new` for a deleted one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Where the file is now; for a deleted one, where it was.
    pub path: RepoPath,
    /// Set for renames and copies only.
    pub old_path: Option<RepoPath>,
    pub status: FileStatus,
    pub old: Option<Entry>,
    pub new: Option<Entry>,
    /// Lines, as `git diff --numstat` counts them; zero for binary files.
    pub insertions: u32,
    pub deletions: u32,
    pub binary: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffStats {
    pub files_changed: u32,
    pub insertions: u32,
    pub deletions: u32,
}

impl DiffStats {
    pub fn of<'a>(files: impl IntoIterator<Item = &'a FileChange>) -> Self {
        files.into_iter().fold(Self::default(), |sum, file| Self {
            files_changed: sum.files_changed + 1,
            insertions: sum.insertions + file.insertions,
            deletions: sum.deletions + file.deletions,
        })
    }
}
