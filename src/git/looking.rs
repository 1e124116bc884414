//! Where looking keeps its indexes, objects and caches: never in a worktree, never where it cannot write.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where looking keeps what it writes.
#[derive(Debug)]
pub enum Looking {
    Private(PathBuf),
    /// The repository cannot be written, or its disk is full: a directory of this run's own, removed at its end.
    Temporary(PathBuf),
}

impl Looking {
    /// The private directory where it can be written and has room, made if need be.
    pub fn beside(private_dir: PathBuf) -> Self {
        let writable = fs::create_dir_all(&private_dir).is_ok()
            && rustix::fs::access(&private_dir, rustix::fs::Access::WRITE_OK).is_ok()
            && has_room(&private_dir);
        if writable {
            return Self::Private(private_dir);
        }
        let unique = format!("shadowdeck-{}-{}", std::process::id(), ulid::Ulid::generate());
        let dir = std::env::temp_dir().join(unique);
        match make_own_dir(&dir) {
            Ok(()) => Self::Temporary(dir),
            // The first write there says what is wrong, by name.
            Err(_) => Self::Private(private_dir),
        }
    }

    pub fn dir(&self) -> &Path {
        match self {
            Self::Private(dir) | Self::Temporary(dir) => dir,
        }
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        if let Self::Temporary(dir) = self {
            // Made by this run, and nothing in it is needed any more.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// On a full disk one can still look, as long as the temporary directory is on another.
fn has_room(dir: &Path) -> bool {
    /// An index and the objects of a few files must fit.
    const ROOM_BYTES_MIN: u64 = 8 * 1024 * 1024;
    // Where the system does not tell, it is tried.
    rustix::fs::statvfs(dir)
        .map_or(true, |about| about.f_bavail.saturating_mul(about.f_frsize) >= ROOM_BYTES_MIN)
}

/// Fails where it exists; only this user may enter it.
fn make_own_dir(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(dir)
}
