//! Permissions and directories that a move takes away and its undo brings back: git knows of one bit only, and of no
//! empty directory.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt},
    },
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    report::{Doing, Report},
    shadow::RepoPath,
};

/// What decides of which kind a path is, and whether git would make it as it was.
const KIND: u32 = 0o170_000;
const DIRECTORY: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const PERMISSIONS: u32 = 0o7777;
const EXECUTABLE: u32 = 0o100;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMode {
    pub path: RepoPath,
    /// As `stat` tells it, the kind included.
    pub mode: u32,
}

/// Of these files and the directories above them, each that git would not make as it is.
pub fn read<'a>(
    root: &Path,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<Vec<PathMode>, Report> {
    let mut found = BTreeMap::new();
    for path in paths {
        for path in path.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            let name = RepoPath::new(path.as_os_str().as_bytes());
            if found.contains_key(&name) {
                break;
            }
            let full = root.join(path);
            let mode = match fs::symlink_metadata(&full) {
                Ok(about) => about.mode(),
                Err(error) if is_missing(&error) => 0,
                Err(error) => return Err(error).doing(format!("look at {}", full.display())),
            };
            found.insert(name, mode);
        }
    }
    let usual = |mode: u32| match mode & KIND {
        DIRECTORY => mode & PERMISSIONS == 0o755,
        FILE => matches!(mode & PERMISSIONS, 0o644 | 0o755),
        _ => true,
    };
    found.retain(|_, mode| !usual(*mode));
    Ok(found.into_iter().map(|(path, mode)| PathMode { path, mode }).collect())
}

/// Every directory from `dir` on, itself included; nothing where it is none.
pub fn read_below(root: &Path, dir: &Path) -> Result<Vec<PathMode>, Report> {
    let (mut open, mut found) = (vec![dir.to_owned()], Vec::new());
    while let Some(dir) = open.pop() {
        let full = root.join(&dir);
        let doing = || format!("read {}", full.display());
        let mode = match fs::symlink_metadata(&full) {
            Ok(about) if about.is_dir() => about.mode(),
            Ok(_) => continue,
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(error).doing(doing()),
        };
        found.push(PathMode { path: RepoPath::new(dir.as_os_str().as_bytes()), mode });
        for entry in fs::read_dir(&full).doing(doing())? {
            let entry = entry.doing(doing())?;
            if entry.file_type().doing(doing())?.is_dir() {
                open.push(dir.join(entry.file_name()));
            }
        }
    }
    Ok(found)
}

/// The empty directories that make room for these files: one that stands in a file's place with those below it, and one
/// that a file comes into. Taking the files away again takes them too.
pub fn read_room<'a>(
    root: &Path,
    files: impl Iterator<Item = &'a Path>,
) -> Result<Vec<PathMode>, Report> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for file in files {
        found.extend(read_below(root, file)?);
        for dir in file.ancestors().skip(1).filter(|dir| !dir.as_os_str().is_empty()) {
            if !seen.insert(dir.to_owned()) {
                break;
            }
            let full = root.join(dir);
            let Ok(about) = fs::symlink_metadata(&full) else { continue };
            let is_empty = || fs::read_dir(&full).is_ok_and(|mut entries| entries.next().is_none());
            if about.is_dir() && is_empty() {
                let path = RepoPath::new(dir.as_os_str().as_bytes());
                found.push(PathMode { path, mode: about.mode() });
            }
        }
    }
    Ok(found)
}

/// Makes directories that are missing, and gives all their modes back. A file that has become executable, or no longer
/// is, was changed since. The answer names what the system does not allow.
pub fn restore(root: &Path, modes: &[PathMode]) -> Vec<String> {
    let mut told = Vec::new();
    let mut sorted: Vec<&PathMode> = modes.iter().collect();
    sorted.sort_by(|one, other| one.path.cmp(&other.path));
    for one in sorted.iter().filter(|one| one.mode & KIND == DIRECTORY) {
        let full = root.join(one.path.as_path());
        if is_reached(root, &one.path)
            && fs::symlink_metadata(&full).is_err_and(|error| is_missing(&error))
            && let Err(error) = fs::create_dir_all(&full)
        {
            told.push(format!("directory {} is not back: {error}", one.path.to_lossy()));
        }
    }
    // From within: a directory that may not be entered comes last.
    for one in sorted.into_iter().rev().filter(|one| is_reached(root, &one.path)) {
        let full = root.join(one.path.as_path());
        let Ok(about) = fs::symlink_metadata(&full) else { continue };
        let (now, was) = (about.mode(), one.mode);
        let other_kind = now & KIND != was & KIND;
        let changed = now & KIND == FILE && (now ^ was) & EXECUTABLE != 0;
        if now == was || other_kind || changed {
            continue;
        }
        if let Err(error) =
            fs::set_permissions(&full, fs::Permissions::from_mode(was & PERMISSIONS))
        {
            let was = was & PERMISSIONS;
            told.push(format!(
                "{} does not get its mode {was:o} back: {error}",
                one.path.to_lossy()
            ));
        }
    }
    told
}

/// No link is followed to somewhere else.
pub(super) fn is_reached(root: &Path, path: &RepoPath) -> bool {
    path.as_path().ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()).all(|above| {
        fs::symlink_metadata(root.join(above))
            .map_or_else(|error| is_missing(&error), |about| about.is_dir())
    })
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
