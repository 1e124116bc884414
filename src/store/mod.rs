//! What lives between runs, under `<common git dir>/shadowdeck/`: lock, journal, records, trash, resolutions,
//! comments, and what was read.
//! Every write is whole or absent: written beside, synced, renamed.

pub mod atomic;
pub mod boundary;
pub mod cache;
pub mod carry;
pub mod comments;
pub mod journal;
pub mod kept;
pub mod leftovers;
pub mod lock;
pub mod marks;
pub mod modes;
pub mod placement;
pub mod process;
pub mod records;
pub mod resolutions;
pub mod trash;
pub mod trust;
pub mod verb;

use std::path::{Path, PathBuf};

pub use cache::Cache;
pub use journal::{Advance, Fate, Journal, JournalEntry, Phase, ShadowEntry};
pub use lock::Lock;
pub use marks::MarksFile;
pub use process::ProcessMark;
pub use records::Records;
pub use resolutions::{Decision, Resolutions};
pub use trash::Trash;
pub use trust::Trusts;
pub use verb::Verb;

use crate::report::Report;

/// The private directory of one repository. Nothing is created until something is written.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    /// Why nothing may be changed in this repository, told to whoever asks for the lock.
    refusal: Option<Report>,
}

impl Store {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir, refusal: None }
    }

    /// The same, where the lock is given to nobody, with this as the reason.
    #[must_use]
    pub fn refusing(self, refusal: Option<Report>) -> Self {
        Self { refusal, ..self }
    }

    /// Every operation that changes something asks this first: it takes the lock.
    pub fn refuse_unwritable(&self) -> Result<(), Report> {
        self.refusal.clone().map_or(Ok(()), Err)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn journal(&self) -> Journal {
        Journal::new(self.dir.join("journal"))
    }

    pub fn records(&self) -> Records {
        Records::new(self.dir.join("records"))
    }

    pub fn resolutions(&self) -> Resolutions {
        Resolutions::new(self.dir.join("resolutions"))
    }

    pub fn marks(&self) -> MarksFile {
        MarksFile::new(&self.dir)
    }

    pub fn trusts(&self) -> Trusts {
        Trusts::new(self.dir.join("trust"))
    }

    pub fn trash(&self) -> Trash {
        Trash::new(self.dir.join("trash"))
    }
}
