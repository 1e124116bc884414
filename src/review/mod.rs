//! What a reviewer reads: rows, file changes, blocks of lines, words, conflicts, plans.
//! Pure data and pure functions: no disk, no git, no terminal, no colours.

pub mod accepted;
pub mod against;
pub mod ask;
pub mod beside;
pub mod change;
pub mod clash;
pub mod comment;
pub mod comment_words;
pub mod commit_line;
pub mod conflict;
pub mod copied;
pub mod count;
pub mod diff;
pub mod digest;
pub mod enclosing;
pub mod endings;
pub mod flag;
mod flag_lines;
mod flag_path;
pub mod fold;
pub mod fold_rules;
mod formatting;
pub mod gc;
pub mod judge;
pub mod marks;
pub mod moved;
pub mod name;
pub mod pairs;
pub mod passage;
pub mod pieces;
pub mod plan;
pub mod progress;
pub mod radar;
mod radar_best;
pub mod radar_order;
pub mod row;
mod secret;
pub mod seen;
pub mod space;
pub mod stream;
pub mod stream_comments;
pub mod stream_row;
pub mod task;
mod test_change;
mod test_names;
pub mod text;
pub mod ticks;
pub mod token;
pub mod trust;
pub mod utf16;
pub mod visible;
pub mod weave;
pub mod words;

pub use accepted::{Accepted, Only};
pub use against::{Against, Comparable};
pub use beside::{Beside, ThreeSides};
pub use change::{ChangedPath, DiffStats, Entry, FileChange, FileStatus, Mode};
pub use commit_line::CommitLine;
pub use conflict::{
    Conflict, ConflictFile, ConflictKind, ConflictPage, RebaseStep, Resolution, Told, Way,
};
pub use copied::{Copied, Copies};
pub use count::{count, count_of, first_ten};
pub use diff::{Block, Content, FileDiff, Format, Hunk, HunkLine, LineKind, ReviewPage};
pub use gc::{ConfirmedGc, Freed, GcItem, GcKind, GcPlan};
pub use plan::{
    Chosen, ConfirmedDiscard, ConfirmedPlan, ConfirmedRedo, ConfirmedRollback, ConfirmedSync,
    ConfirmedUndo, DiscardEntry, DiscardPlan, Discarded, LandOptions, LandPlan, Landing, LogEntry,
    PartPlan, RedoPlan, Redone, RollbackPlan, SyncPlan, Synced, UNCOMMITTED, UndoPlan, Undone,
};
pub use progress::{Progress, Step, Tell, Watch};
pub use radar::{ClashFile, Meeting, Party, Radar, RadarPage, RadarPair, RadarShadow};
pub use row::{Fleet, Process, Row, Stale, Verdict};
pub use seen::{News, SeenList, SeenRow};
pub use text::{TEXT_BYTES_MAX, Text};
pub use token::{Painted, TokenClass, TokenLines, TokenRun};
pub use trust::{Consent, Fingerprint, Trust, Verify};
