//! Review cockpit for shadow worktrees. Read `ARCHITECTURE.md` first; the rooms below are in reading order.

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!(
    "shadowdeck runs on Linux and macOS: it relies on their process groups, file locks and renames"
);

pub mod report;

pub mod review;
pub mod shadow;

pub mod config;
pub mod git;
pub mod highlight;
pub mod store;

pub mod ops;

pub mod app;
pub mod cli;
pub mod runtime;
pub mod ui;
