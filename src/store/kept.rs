//! The files that an operation changes or removes in a shadow that stays, kept in the trash as they lay there.
//! Going back puts them over those that say the same to git; what is missing comes back for itself.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{
    atomic, boundary,
    modes::is_reached,
    trash::{copy, exists},
};
use crate::{
    report::{Doing, Report},
    shadow::RepoPath,
};

/// Where the files lie that an operation changes in a shadow that stays.
pub(super) const FILES: &str = "files";

/// Keeps these files of `root` as they are, times included: by a second name where the system allows it, which
/// git's own writing never reaches into, else by a copy. Paths that are no file or link are passed over.
pub fn save_files<'a>(
    root: &Path,
    place: &Path,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<(), Report> {
    for path in paths {
        let (from, to) = (root.join(path), place.join(FILES).join(path));
        let doing = || format!("keep {} in {}", from.display(), place.display());
        let metadata = match fs::symlink_metadata(&from) {
            Ok(metadata) => metadata,
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(error).doing(doing()),
        };
        if metadata.is_dir() {
            continue;
        }
        if let Some(above) = to.parent() {
            atomic::make_dirs(above).doing(doing())?;
        }
        keep(&from, &metadata, &to).doing(doing())?;
    }
    Ok(())
}

/// Also where something above it is no directory any more.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether a file below `dir` has no other name: a kept file whose shadow has it still is named twice.
pub(super) fn holds_last_name(dir: &Path) -> io::Result<bool> {
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    for entry in listed {
        let (path, about) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
        if if about.is_dir() { holds_last_name(&path)? } else { about.nlink() < 2 } {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts the kept files back over those of `root`, which must say the same to git. What was put back is no longer
/// kept, so that it may be done again after a kill.
pub fn restore_files(root: &Path, place: &Path) -> Result<(), Report> {
    for (from, to) in kept_files(root, place)? {
        // What is not there any more was not brought back: that is its caller's to judge.
        if exists(&to) {
            put_back(&from, &to).doing(format!("restore {}", to.display()))?;
        }
    }
    Ok(())
}

/// Whether that one lies kept.
pub fn holds(place: &Path, path: &RepoPath) -> bool {
    exists(&place.join(FILES).join(path.as_path()))
}

/// Of an operation that never happened: what lies in its own place as it was kept needs no second name there, and
/// whoever writes into it would write into both. What is gone from its place, or is another file by now, stays kept.
pub fn forget_unchanged(root: &Path, place: &Path) -> Result<(), Report> {
    for (from, to) in kept_files(root, place)? {
        let doing = || format!("remove {}", from.display());
        if !exists(&to) || !is_same(&from, &to).doing(doing())? {
            continue;
        }
        fs::remove_file(&from).doing(doing())?;
        for dir in from.ancestors().skip(1).take_while(|dir| *dir != place) {
            // Not empty: something else is still kept there.
            if fs::remove_dir(dir).is_err() {
                break;
            }
        }
    }
    Ok(())
}

/// Files of which nothing is left in their place; whatever lies there by now stays.
pub fn return_missing(root: &Path, place: &Path) -> Result<(), Report> {
    for (from, to) in kept_files(root, place)? {
        if exists(&to) {
            continue;
        }
        let doing = || format!("restore {}", to.display());
        if let Some(above) = to.parent() {
            atomic::make_dirs(above).doing(doing())?;
        }
        let metadata = fs::symlink_metadata(&from).doing(doing())?;
        keep(&from, &metadata, &to).doing(doing())?;
    }
    Ok(())
}

/// Takes these away from `root`, the files of which lie kept, and directories as far as they are empty. One that is no
/// longer as it was kept is the answer, and stays.
pub fn clear(root: &Path, place: &Path, paths: &[RepoPath]) -> Result<Option<RepoPath>, Report> {
    for path in paths.iter().rev() {
        let (at, from) = (root.join(path.as_path()), place.join(FILES).join(path.as_path()));
        let doing = || format!("move {} out of the way", at.display());
        boundary::pass();
        let removed = match fs::symlink_metadata(&at) {
            Ok(about) if about.is_dir() => fs::remove_dir(&at),
            Ok(_) if !is_same(&from, &at).doing(doing())? => return Ok(Some(path.clone())),
            Ok(_) => fs::remove_file(&at),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(error) if is_missing(&error) => {}
            done => done.doing(doing())?,
        }
    }
    Ok(None)
}

/// The way back of [`clear`]. The answer is those whose place something else has by now: they stay kept.
pub fn unclear(root: &Path, place: &Path, paths: &[RepoPath]) -> Result<Vec<RepoPath>, Report> {
    let mut taken = Vec::new();
    for path in paths {
        let (to, from) = (root.join(path.as_path()), place.join(FILES).join(path.as_path()));
        let doing = || format!("restore {}", to.display());
        let metadata = match fs::symlink_metadata(&from) {
            Ok(metadata) if !metadata.is_dir() => metadata,
            // Directories come back by their modes.
            Ok(_) => continue,
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(error).doing(doing()),
        };
        if !is_reached(root, path) || exists(&to) && !is_same(&from, &to).doing(doing())? {
            taken.push(path.clone());
            continue;
        }
        if exists(&to) {
            continue;
        }
        if let Some(above) = to.parent() {
            atomic::make_dirs(above).doing(doing())?;
        }
        keep(&from, &metadata, &to).doing(doing())?;
    }
    Ok(taken)
}

/// The very same file, or a copy of it.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (about, also) = (fs::symlink_metadata(one)?, fs::symlink_metadata(other)?);
    if (about.dev(), about.ino()) == (also.dev(), also.ino()) {
        return Ok(true);
    }
    if about.is_symlink() && also.is_symlink() {
        return Ok(fs::read_link(one)? == fs::read_link(other)?);
    }
    let is_copy = about.is_file() && also.is_file() && about.mode() == also.mode();
    Ok(is_copy && about.len() == also.len() && fs::read(one)? == fs::read(other)?)
}

/// Each kept file, and its place below `root`.
fn kept_files(root: &Path, place: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Report> {
    let kept = place.join(FILES);
    let (mut open, mut found) = (vec![kept.clone()], Vec::new());
    while let Some(dir) = open.pop() {
        let doing = || format!("read {}", dir.display());
        let listed = match fs::read_dir(&dir) {
            Ok(listed) => listed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).doing(doing()),
        };
        for entry in listed {
            let entry = entry.doing(doing())?;
            let from = entry.path();
            if entry.file_type().doing(doing())?.is_dir() {
                open.push(from);
                continue;
            }
            let to = root.join(from.strip_prefix(&kept).unwrap_or(&from));
            found.push((from, to));
        }
    }
    Ok(found)
}

fn keep(from: &Path, metadata: &fs::Metadata, to: &Path) -> io::Result<()> {
    boundary::pass();
    if exists(to) {
        fs::remove_file(to)?;
    }
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    if metadata.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    copy(from, to)
}

/// From another file system no file can come in one step; there git's own writing stands, with the old time.
fn put_back(from: &Path, to: &Path) -> io::Result<()> {
    boundary::pass();
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_file() && fs::symlink_metadata(to)?.is_file() && fs::read(from)? == fs::read(to)?
    {
        let modified = metadata.modified()?;
        // It may be one that nobody may write, and that therefore never went.
        if fs::symlink_metadata(to)?.modified()? != modified {
            File::options().write(true).open(to)?.set_modified(modified)?;
        }
    }
    Ok(())
}
