//! The operations, one file a verb. Both faces call these and nothing below them.
//! Each reads fresh facts; none keeps state between calls but what the store holds.

pub mod ask;
mod carried;
mod clearing;
pub mod commit;
pub mod compare;
pub mod conflicts;
pub mod create;
pub mod demo;
pub mod diff;
pub mod difftool;
pub mod discard;
pub mod doctor;
pub mod errors;
pub mod exclude;
pub mod gc;
pub mod ground;
mod in_place;
mod judge;
pub mod land;
pub mod list;
mod lock_files;
pub mod log;
pub mod marks;
pub mod moves;
pub mod named_file;
mod nested;
pub mod notes;
pub mod path;
pub mod places;
pub mod processes;
pub mod radar;
mod radar_kept;
mod radar_through;
pub mod recover;
pub mod redo;
pub mod request;
pub mod resolve;
pub mod returning;
pub mod rollback;
pub mod seen;
pub mod show;
pub mod since_review;
pub mod standing;
pub mod staying;
pub mod sync;
pub mod target;
mod told;
pub mod trust;
pub mod undo;
mod undoable;
pub mod weave;

use std::{path::Path, time::Duration};

use crate::{config::Config, git::Repository, report::Report, store::Store};

/// One repository with what is kept for it and the settings in force: what every operation works on.
#[derive(Debug)]
pub struct Deck {
    pub repository: Repository,
    pub store: Store,
    pub config: Config,
}

impl Deck {
    /// Opens the repository around `dir`. Writes nothing.
    pub fn open(dir: &Path, config: Config) -> Result<Self, Report> {
        let timeout = Duration::from_secs(config.git_timeout_s);
        let repository = Repository::open(dir, timeout)?;
        let store =
            Store::new(repository.private_dir()).refusing(repository.find_refusal_to_write());
        // Where what was trusted cannot be read, nothing is; landing says why.
        if let Ok(Some(trusted)) = store.trusts().read_trusted() {
            repository.trust_config(trusted.config);
        }
        Ok(Self { repository, store, config })
    }

    /// How long one git process may take.
    pub fn git_timeout(&self) -> Duration {
        Duration::from_secs(self.config.git_timeout_s)
    }
}
