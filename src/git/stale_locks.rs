//! Lock files that a killed git of ours left behind. One is removed only where the journal, its time and the
//! absence of any git at work there prove it ours; else it stays, and git says that it is in the way.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{Repository, obstacles::Place};
use crate::{
    report::{Doing, Report},
    shadow::{BranchName, Oid},
};

/// Call it under the repository's own lock: then no child of ours is alive. `since_ms` is when the operation began:
/// an older lock file cannot be ours.
pub fn remove(
    repository: &Repository,
    place: Option<&Place>,
    target: &BranchName,
    after: &Oid,
    since_ms: u64,
) -> Result<(), Report> {
    let common = &repository.common_dir;
    let mut found =
        vec![common.join(format!("{}.lock", target.full())), common.join("packed-refs.lock")];
    if let Some(place) = place {
        found.extend(["index.lock", "HEAD.lock"].map(|name| place.git_dir.join(name)));
    }
    found.retain(|file| is_of_ours(file, after, since_ms));
    if found.is_empty() || is_git_at_work(repository, place) || is_held_open(&found) {
        return Ok(());
    }
    for file in found {
        fs::remove_file(&file).doing(format!("remove the stale {}", file.display()))?;
    }
    Ok(())
}

/// The index lock of a writing git that has just died in `git_dir`, begun at `since` with its working directory in
/// `dir`. Where it is not provably that one's it stays, and git says that it is in the way.
pub(super) fn remove_of_dead(git_dir: &Path, dir: &Path, since: SystemTime) {
    let file = git_dir.join("index.lock");
    let since_ms = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let since_ms = u64::try_from(since_ms).unwrap_or(u64::MAX);
    let modified = fs::symlink_metadata(&file).and_then(|about| about.modified());
    let is_in_time = modified.is_ok_and(|modified| is_since(modified, since_ms));
    let dirs = [git_dir.to_owned(), dir.to_owned()];
    if is_in_time && !is_git_in(&dirs) && !is_held_open(std::slice::from_ref(&file)) {
        // Gone already, or whoever needs the index next says that it is there.
        let _ = fs::remove_file(&file);
    }
}

/// How old a lock file is that nobody seems to need: no git is at work in the repository, no program has it open.
/// Where the system does not tell, somebody may.
pub fn age_if_unused(repository: &Repository, file: &Path) -> Option<Duration> {
    let modified = fs::symlink_metadata(file).and_then(|about| about.modified()).ok()?;
    if is_git_at_work(repository, None) || is_held_open(std::slice::from_ref(&file.to_owned())) {
        return None;
    }
    // One that lies in the future is as new as can be.
    Some(modified.elapsed().unwrap_or_default())
}

/// Not older than the entry; and a ref's lock holds nothing, or the very commit that we meant to write.
fn is_of_ours(file: &Path, after: &Oid, since_ms: u64) -> bool {
    let Ok(metadata) = fs::symlink_metadata(file) else { return false };
    let in_time = metadata.modified().is_ok_and(|modified| is_since(modified, since_ms));
    let is_ref = file.parent().is_some_and(|dir| {
        dir.ends_with("heads") || dir.components().any(|c| c.as_os_str() == "heads")
    });
    let content_fits = !is_ref
        || super::control::read(file).is_ok_and(|bytes| {
            let content = bytes.trim_ascii();
            content.is_empty() || content == after.as_str().as_bytes()
        });
    in_time && content_fits
}

fn is_since(modified: SystemTime, since_ms: u64) -> bool {
    /// The clock that files are dated by is a tick behind.
    const TICK: Duration = Duration::from_millis(10);
    let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    let since = Duration::from_millis(since_ms);
    // Some file systems count in whole seconds.
    let counts_seconds = modified.subsec_nanos() == 0;
    let since = if counts_seconds { Duration::from_secs(since.as_secs()) } else { since };
    modified >= since.saturating_sub(TICK)
}

/// Other programs write git's files too, and keep a lock file open while they do.
pub(super) fn is_held_open(files: &[PathBuf]) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else { return true };
    let mut descriptors = entries
        .flatten()
        .filter_map(|entry| fs::read_dir(entry.path().join("fd")).ok())
        .flat_map(Iterator::flatten);
    descriptors.any(|fd| fs::read_link(fd.path()).is_ok_and(|open| files.contains(&open)))
}

/// Whether any git has its working directory in the repository or the worktree. Where the system does not
/// tell, it is assumed.
pub(super) fn is_git_at_work(repository: &Repository, place: Option<&Place>) -> bool {
    let mut dirs: Vec<PathBuf> = vec![repository.common_dir.clone()];
    dirs.extend(place.map(|place| place.worktree.clone()));
    is_git_in(&dirs)
}

fn is_git_in(dirs: &[PathBuf]) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else { return true };
    entries.flatten().any(|entry| {
        let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if !name.trim().starts_with("git") {
            return false;
        }
        // Whose directory cannot be read is another user's, and may be anywhere.
        fs::read_link(entry.path().join("cwd"))
            .is_ok_and(|cwd| dirs.iter().any(|dir| cwd.starts_with(dir)))
    })
}
