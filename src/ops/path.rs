//! A path inside a shadow, made absolute: what would leave it is refused before anything is opened.

use std::path::{Component, Path, PathBuf};

use super::{Deck, ground::Ground};
use crate::{
    report::{Code, Report},
    shadow::ShadowId,
};

/// The shadow's own directory, or the absolute path of `relative` in it. It need not exist; nothing of it is created.
pub fn resolve_path(deck: &Deck, id: &ShadowId, relative: &Path) -> Result<PathBuf, Report> {
    let ground = Ground::read(deck, &std::sync::atomic::AtomicBool::new(false))?;
    path_within(&ground.find(id)?.worktree.path, relative)
}

/// The absolute path of `relative` in a shadow's directory, where it leads to nothing outside.
pub fn path_within(root: &Path, relative: &Path) -> Result<PathBuf, Report> {
    refuse_outward(relative)?;
    // Without its `.` parts: `.` alone is the shadow itself.
    let full: PathBuf = root
        .components()
        .chain(relative.components().filter(|part| *part != Component::CurDir))
        .collect();
    refuse_links(root, relative)?;
    Ok(full)
}

fn refuse(relative: &Path, why: &str) -> Report {
    let name = if relative.as_os_str().is_empty() { Path::new("the path") } else { relative };
    Report::user(Code::InvalidPath, format!("{} {why}", name.display()))
        .hint("give a path below the shadow's own directory")
        .detail("path", relative.to_string_lossy().into_owned())
}

fn refuse_outward(relative: &Path) -> Result<(), Report> {
    if relative.as_os_str().is_empty() {
        return Err(refuse(relative, "is empty"));
    }
    for part in relative.components() {
        match part {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => {
                return Err(refuse(relative, "names git's own files"));
            }
            Component::Normal(_) | Component::CurDir => {}
            Component::ParentDir => return Err(refuse(relative, "leaves the shadow with `..`")),
            Component::RootDir | Component::Prefix(_) => {
                return Err(refuse(relative, "is absolute"));
            }
        }
    }
    Ok(())
}

/// A link on the way, or at its end, may lead anywhere, now or later: it is refused where it leaves the shadow.
fn refuse_links(root: &Path, relative: &Path) -> Result<(), Report> {
    let mut at = root.to_owned();
    for part in relative.components() {
        at.push(part);
        let Ok(metadata) = at.symlink_metadata() else { return Ok(()) };
        if !metadata.is_symlink() {
            continue;
        }
        let inside = match (at.canonicalize(), root.canonicalize()) {
            (Ok(target), Ok(root)) => target.starts_with(root),
            _ => false,
        };
        if !inside {
            return Err(refuse(relative, "goes through a link that leaves the shadow"));
        }
    }
    Ok(())
}
