//! The only room that talks to git: gix reads in this process, the user's own `git` does the rest.
//! Nothing but `command.rs` starts a process; nothing here decides what may happen to a shadow.

pub mod advance;
mod agent_index;
mod answers;
mod arrivals;
pub mod at_path;
pub mod attribute_values;
pub mod attributes;
pub mod base;
pub mod command;
pub mod commit;
pub mod conditions;
mod control;
pub mod diff;
pub mod drivers;
pub mod exclude;
pub mod fingerprint;
pub mod history;
pub mod hooks;
pub mod landed;
pub mod left_over;
pub mod lines;
pub mod looking;
pub mod merge;
pub mod migrate;
pub mod obstacles;
pub mod pins;
pub mod private;
pub mod recount;
pub mod refs;
pub mod rehearsal;
pub mod repair;
pub mod replay;
pub mod repository;
pub mod revisions;
pub mod scan;
pub mod settings;
pub mod settle;
pub mod shadow_worktree;
pub mod snapshot;
pub mod stale_locks;
pub mod submodules;
pub mod unfinished;
pub mod worktrees;
pub mod writer;

pub use repository::Repository;
