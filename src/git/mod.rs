//! The only room that talks to git: gix reads in this process, the user's own `git` does the rest.
//! Nothing but `command.rs` starts a process; nothing here decides what may happen to a shadow.

pub mod command;
pub mod merge;
pub mod private;
pub mod refs;
pub mod repository;
pub mod settings;
pub mod snapshot;
pub mod worktrees;

pub use repository::Repository;
