//! What lives between runs, under `<common git dir>/shadowdeck/`: lock, journal, records, trash, resolutions.
//! Every write is whole or absent: written beside, synced, renamed.

use std::path::{Path, PathBuf};

/// The private directory of one repository. Nothing is created until something is written.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }
}
