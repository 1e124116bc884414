//! Object files that a git had begun when it was stopped or the disk was full: they hold nothing that anybody could
//! have, and may be large.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{Repository, private::is_missing, stale_locks};
use crate::report::{Doing, Report};

/// Between writing such a file and giving it its name git closes it: one so old is nobody's any more.
pub const AGE_MIN: Duration = Duration::from_secs(60);

/// Those of the private store that are older than this and that nobody has open.
pub fn drop_private(repository: &Repository, age_min: Duration) -> Result<(), Report> {
    let objects = repository.private_objects();
    let mut found = Vec::new();
    for dir in list(&objects)? {
        let name = dir.file_name().unwrap_or_default();
        if name == "pack" || name.len() == 2 {
            found.extend(list(&dir)?.into_iter().filter(|file| is_unfinished(file)));
        } else if is_unfinished(&dir) && dir.is_file() {
            found.push(dir);
        }
    }
    found.retain(|file| age(file).is_some_and(|age| age >= age_min));
    remove_unused(&found)
}

/// Those that a git of ours, which has failed, left in the repository's own packs since then.
pub(super) fn drop_own(repository: &Repository, since: SystemTime) -> Result<(), Report> {
    let packs = list(&repository.common_dir.join("objects/pack"))?;
    let is_of_ours = |file: &PathBuf| {
        let modified = fs::symlink_metadata(file).and_then(|about| about.modified());
        is_unfinished(file) && modified.is_ok_and(|modified| modified >= since)
    };
    let found: Vec<PathBuf> = packs.into_iter().filter(is_of_ours).collect();
    if found.is_empty() || stale_locks::is_git_at_work(repository, None) {
        return Ok(());
    }
    remove_unused(&found)
}

fn remove_unused(found: &[PathBuf]) -> Result<(), Report> {
    if found.is_empty() || stale_locks::is_held_open(found) {
        return Ok(());
    }
    for file in found {
        match fs::remove_file(file) {
            Err(error) if !is_missing(&error) => {
                return Err(error).doing(format!("remove the unfinished {}", file.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_unfinished(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tmp_"))
}

fn age(file: &Path) -> Option<Duration> {
    fs::symlink_metadata(file).and_then(|about| about.modified()).ok()?.elapsed().ok()
}

fn list(dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let what = || format!("read {}", dir.display());
    match fs::read_dir(dir) {
        Ok(listed) => listed.map(|entry| entry.map(|entry| entry.path()).doing(what())).collect(),
        Err(error) if is_missing(&error) => Ok(Vec::new()),
        Err(error) => Err(error).doing(what()),
    }
}
