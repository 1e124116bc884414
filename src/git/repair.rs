//! Mends that lose nothing: the small files by which a worktree and its registration name each other. git's own
//! `worktree repair` mends every worktree at once, and would replace what belongs to another repository.
//!
//! Each is one file, made or replaced whole: a run that dies leaves it as it was or as it should be.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{Repository, private, worktrees::Worktree};
use crate::report::{Doing, Report};

/// Writes the `.git` file that its directory has lost. One that is there, whatever it says, is left alone.
pub fn restore_git_file(worktree: &Worktree) -> Result<(), Report> {
    let file = worktree.path.join(".git");
    let text = [b"gitdir: ", worktree.admin_dir.as_os_str().as_bytes(), b"\n"].concat();
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .and_then(|mut made| {
            made.write_all(&text)?;
            made.sync_all()
        })
        .doing(format!("write {}", file.display()))
}

/// Where the directory of a registration was moved to, when it lies beside its old place or among `others`: the one
/// whose `.git` file still names the registration.
pub fn find_moved(worktree: &Worktree, others: &[PathBuf]) -> Option<PathBuf> {
    if worktree.path.symlink_metadata().is_ok() {
        return None;
    }
    let names_it = |dir: &PathBuf| {
        let bytes = fs::read(dir.join(".git")).unwrap_or_default();
        let named = bytes.strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii);
        named.is_some_and(|named| {
            let named = dir.join(Path::new(std::ffi::OsStr::from_bytes(named)));
            named.canonicalize().is_ok_and(|named| {
                worktree.admin_dir.canonicalize().is_ok_and(|admin| admin == named)
            })
        })
    };
    let beside = worktree.path.parent().and_then(|above| fs::read_dir(above).ok());
    let beside = beside.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        beside.chain(others.iter().cloned()).filter(|dir| dir.is_dir() && names_it(dir)).collect();
    found.sort();
    found.dedup();
    // Two that name it are copies of each other: which one is meant is not ours to say.
    if found.len() == 1 { found.pop() } else { None }
}

/// Tells the registration where its directory is now.
pub fn follow_moved(worktree: &Worktree, to: &Path) -> Result<(), Report> {
    let dot_git = to.join(".git");
    let text = [dot_git.as_os_str().as_bytes(), b"\n"].concat();
    private::replace_file(&worktree.admin_dir.join("gitdir"), &text)
}

/// git's lock files in the shared directory and in each worktree's own, other than our lock.
pub fn read_lock_files(
    repository: &Repository,
    linked: &[Worktree],
) -> Result<Vec<PathBuf>, Report> {
    let mut found = Vec::new();
    let mut dirs = vec![repository.common_dir.clone()];
    dirs.extend(linked.iter().map(|worktree| worktree.admin_dir.clone()));
    for dir in dirs {
        found.extend(entries(&dir)?.into_iter().filter(|path| is_lock(path) && path.is_file()));
    }
    collect_locks(&repository.common_dir.join("refs"), &mut found)?;
    found.sort();
    Ok(found)
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "lock")
}

fn collect_locks(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Report> {
    for path in entries(dir)? {
        if path.is_dir() {
            collect_locks(&path, found)?;
        } else if is_lock(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let what = || format!("read {}", dir.display());
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(what()),
    };
    listed.map(|entry| entry.map(|entry| entry.path()).doing(what())).collect()
}
