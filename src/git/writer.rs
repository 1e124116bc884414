//! What the writing git processes of one operation share: the repository's lock, the time limit, synced writes.

use std::{os::fd::OwnedFd, time::Duration};

use super::command::Git;
use crate::{
    report::{Code, Report},
    shadow::Oid,
};

/// Hands each writing process its share of the lock.
pub struct Writer<'a> {
    share: &'a dyn Fn() -> Result<OwnedFd, Report>,
    timeout: Duration,
    runs_hooks: bool,
}

impl<'a> Writer<'a> {
    pub fn new(share: &'a dyn Fn() -> Result<OwnedFd, Report>, timeout: Duration) -> Self {
        Self { share, timeout, runs_hooks: true }
    }

    /// For hooks that nobody has trusted as they are now, and for recovery, which takes nothing from them.
    #[must_use]
    pub fn without_hooks(self) -> Self {
        Self { runs_hooks: false, ..self }
    }

    /// A process with the user's own hooks and filters, every write of which is on the disk when it ends. No
    /// file system monitor: its command may come from whoever works in a shadow, and it only makes git faster.
    pub fn git(&self, subcommand: &'static str) -> Result<Git, Report> {
        let git = Git::writing(subcommand, (self.share)()?)
            .config("core.fsync=all")
            .config("core.fsmonitor=false")
            .timeout(self.timeout);
        Ok(if self.runs_hooks { git } else { git.config("core.hooksPath=/dev/null") })
    }

    /// The same for what is ours alone (pins, packs, a shadow's own place): no hook has a say in it.
    pub fn quiet(&self, subcommand: &'static str) -> Result<Git, Report> {
        Ok(self.git(subcommand)?.config("core.hooksPath=/dev/null"))
    }
}

/// One id a line, as git reads them.
pub(super) fn lines<'a>(oids: impl IntoIterator<Item = &'a Oid>) -> String {
    oids.into_iter().flat_map(|oid| [oid.as_str(), "\n"]).collect()
}

/// The object id that a git process answered with.
pub fn parse_oid(text: &str) -> Result<Oid, Report> {
    Oid::parse(text.trim()).ok_or_else(|| {
        Report::environment(
            Code::GitFailed,
            format!("git answered `{text}`, which is no object id"),
        )
    })
}
