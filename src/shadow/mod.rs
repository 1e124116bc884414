//! The subject: a linked worktree with its branch and record, as one thing under review.
//! Pure: no disk, no git, no clock. Names and ids are types, so one cannot stand for another.

pub mod convention;
pub mod handle;
pub mod name;
pub mod record;
pub mod stored_path;
pub mod words;

pub use convention::Convention;
pub use name::{BranchName, Oid, OperationId, RepoPath, ShadowId};
pub use record::{ShadowRecord, State, Strategy};
