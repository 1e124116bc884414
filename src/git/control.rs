//! Small files that git keeps and that whoever works in a shadow can replace: `.git`, `HEAD`, `gitdir`, reflogs.
//! Read without trust: only a regular file, of a bounded size, so that no fifo or device holds anything up.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use rustix::fs::{Mode, OFlags};

/// Far more than any of them needs.
const BYTES_MAX: u64 = 1 << 20;

pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, BYTES_MAX)
}

/// Opened without waiting, and looked at before the first byte is read.
pub(super) fn read_up_to(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(refuse(path, "is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(refuse(path, "is too large for what it is"));
    }
    Ok(bytes)
}

fn refuse(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{} {why}", path.display()))
}

/// What git would wait for when it opens it: anything but a file or a directory, links followed.
pub(super) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// The first of these in a directory.
pub(super) fn find_special(dir: &Path) -> Option<std::path::PathBuf> {
    let entries = fs::read_dir(dir).ok()?.flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()))
        .map(|entry| entry.path())
        .find(|path| is_special(path))
}
