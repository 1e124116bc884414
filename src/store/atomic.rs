//! Files that are whole or absent: written beside, synced, renamed, and the directory synced after.
//! A reader sees the old bytes or the new ones, also after the power fails.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::{boundary, process::own_pid};

/// Replaces `path` by `bytes`. What is kept may hold an agent's work: nobody else reads it.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = parent(path);
    make_dirs(dir)?;
    let beside = beside(path);
    let result = write_beside(&beside, bytes).and_then(|()| {
        boundary::pass();
        fs::rename(&beside, path)
    });
    if result.is_err() {
        // Only our own half-written file; that it stays is harmless, it is never read.
        let _ = fs::remove_file(&beside);
    }
    result?;
    boundary::pass();
    sync_dir(dir)
}

/// Removes a file, synced. One that is gone already is no failure.
pub fn remove(path: &Path) -> io::Result<()> {
    boundary::pass();
    match fs::remove_file(path) {
        Ok(()) => {
            boundary::pass();
            sync_dir(parent(path))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Renames, and makes it last: both directories are synced. What stands at `to` is replaced.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    boundary::pass();
    fs::rename(from, to)?;
    boundary::pass();
    sync_dir(parent(to))?;
    if parent(from) == parent(to) { Ok(()) } else { sync_dir(parent(from)) }
}

/// Makes a directory and all above it, each synced into the one above.
pub fn make_dirs(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let above = parent(dir);
    make_dirs(above)?;
    match fs::create_dir(dir) {
        Ok(()) => {
            boundary::pass();
            sync_dir(above)
        }
        // Another process made it in this instant.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether something can be put into `dir`, which may have yet to be made: tried, and taken away again.
pub fn refuse_unwritable(dir: &Path) -> io::Result<()> {
    let mut nearest = dir;
    while fs::symlink_metadata(nearest)
        .is_err_and(|error| matches!(error.kind(), io::ErrorKind::NotFound))
    {
        let above = parent(nearest);
        if above == nearest {
            break;
        }
        nearest = above;
    }
    let probe = nearest.join(format!(".shadowdeck-{}.new", own_pid()));
    fs::create_dir(&probe).and_then(|()| fs::remove_dir(&probe)).map_err(|error| {
        io::Error::new(error.kind(), format!("{} cannot be written: {error}", nearest.display()))
    })
}

pub fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

fn write_beside(beside: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(beside)?;
    boundary::pass();
    file.write_all(bytes)?;
    file.sync_all()
}

/// The process id keeps two writers of one file apart.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", own_pid()));
    path.with_file_name(name)
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
