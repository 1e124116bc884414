//! A directory of the demo's own under the system's temporary one, taken away again in the end.
//! Only what was made here is ever removed.

use std::{
    fs,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use crate::report::{Doing, Report};

/// Removed when it is dropped; [`Temporary::remove`] says whether that worked.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// A new, empty directory that nobody else can read.
    pub fn new() -> Result<Self, Report> {
        let base = std::env::temp_dir();
        // Links resolved: git prints real paths, and they are compared.
        let base = base.canonicalize().doing(format!("open {}", base.display()))?;
        let path = base.join(format!("shadowdeck-demo-{}", ulid::Ulid::generate()));
        fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .doing(format!("make {}", path.display()))?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn remove(self) -> Result<(), Report> {
        fs::remove_dir_all(&self.path).doing(format!("remove {}", self.path.display()))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After `remove` there is nothing left; on the way out of an error, that error is what matters.
        let _ = fs::remove_dir_all(&self.path);
    }
}
