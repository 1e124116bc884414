//! What can be worked out again: remembered so that the next look is cheap. A damaged entry is as if absent.

use std::{fs, path::PathBuf};

use serde::{Serialize, de::DeserializeOwned};

use super::{process::own_pid, records::file_name};
use crate::shadow::ShadowId;

#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
}

impl Cache {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    pub fn read<T: DeserializeOwned>(&self, id: &ShadowId) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(id)).ok()?).ok()
    }

    /// Whole or not at all; not synced, since it may be lost. Failing costs the next look some time only.
    pub fn write<T: Serialize>(&self, id: &ShadowId, entry: &T) {
        let path = self.path(id);
        let beside = path.with_extension(format!("{}.new", own_pid()));
        let written = serde_json::to_vec(entry).map_err(std::io::Error::other).and_then(|bytes| {
            fs::create_dir_all(&self.dir)?;
            fs::write(&beside, bytes)?;
            fs::rename(&beside, &path)
        });
        if written.is_err() {
            // Perhaps never made; then there is nothing to remove.
            let _ = fs::remove_file(&beside);
        }
    }

    fn path(&self, id: &ShadowId) -> PathBuf {
        self.dir.join(format!("{}.json", file_name(&id.0)))
    }
}
