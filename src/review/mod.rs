//! What a reviewer reads: rows, file changes, blocks of lines, words, conflicts, plans.
//! Pure data and pure functions: no disk, no git, no terminal, no colours.

pub mod change;
pub mod conflict;
pub mod diff;
pub mod plan;
pub mod row;
pub mod text;
pub mod token;
pub mod visible;

pub use change::{DiffStats, Entry, FileChange, FileStatus, Mode};
pub use conflict::{Conflict, ConflictKind, ConflictPage, Resolution};
pub use diff::{Block, Content, FileDiff, Hunk, HunkLine, LineKind, ReviewPage};
pub use plan::{ConfirmedPlan, DiscardPlan, LandOptions, LandPlan, Landing, LogEntry, UndoPlan};
pub use row::{Fleet, Process, Row, Stale, Verdict};
pub use text::Text;
