//! Where the hooks of a target lie, which of them there are, and what in a worktree they are made of.
//! Reads only; `rehearsal` runs them.

use std::{
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Component, Path, PathBuf},
};

use super::{Repository, obstacles::Place, settings::Settings};
use crate::{
    report::{Code, Report},
    shadow::{Oid, RepoPath},
};

/// A directory of scripts that the hooks in it only call.
const HUSKY: &[u8] = b".husky";

/// The hooks that the target's own worktree runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// Absolute.
    pub dir: PathBuf,
    /// Paths in the target's worktree that the hooks are made of: each counts with all below it.
    watched: Vec<Vec<u8>>,
}

impl Hooks {
    /// As git finds them for the worktree that has the target checked out. Read from the listed settings, since
    /// our own processes turn hooks off.
    pub fn of(
        repository: &Repository,
        place: Option<&Place>,
        settings: &Settings,
        target: &Oid,
    ) -> Result<Self, Report> {
        let standard = repository.common_dir.join("hooks");
        let configured = settings.value("core.hookspath").filter(|path| !path.is_empty());
        let mut watched = vec![HUSKY.to_vec()];
        let dir = match (configured.map(from_home), place) {
            (None, _) => standard,
            (Some(path), _) if path.is_absolute() => path,
            (Some(path), Some(place)) => place.worktree.join(path),
            (Some(path), None) => {
                watched.extend(inner(&path));
                refuse_nowhere(repository, target, &path)?;
                // No hook lies there: nothing is found and nothing is missed.
                standard.join("none")
            }
        };
        if let Some(place) = place {
            watched.extend(below(&place.worktree, &dir));
            watched.extend(links_into(&place.worktree, &dir));
        }
        Ok(Self { dir, watched })
    }

    /// Whether git would run it: it is there and may be executed.
    pub fn has(&self, name: &str) -> bool {
        self.dir
            .join(name)
            .metadata()
            .is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
    }

    /// Whether a change of this path would change what the hooks do.
    pub fn are_made_of(&self, path: &RepoPath) -> bool {
        let path = path.as_bytes();
        self.watched.iter().any(|watched| lies_in(path, watched) || lies_in(watched, path))
    }

    /// Where else than in its own directory a hook's files lie: what the hooks there call.
    pub(super) fn called_dir(&self) -> Option<PathBuf> {
        let parent = self.dir.parent()?;
        (parent.file_name()?.as_bytes() == HUSKY).then(|| parent.to_owned())
    }
}

/// Names that differ in case only are one file on some systems.
fn lies_in(path: &[u8], dir: &[u8]) -> bool {
    path.len() >= dir.len()
        && path[..dir.len()].eq_ignore_ascii_case(dir)
        && (path.len() == dir.len() || path[dir.len()] == b'/')
}

fn from_home(configured: &str) -> PathBuf {
    match (configured.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(configured),
    }
}

/// A relative path of plain names, or nothing.
fn inner(path: &Path) -> Option<Vec<u8>> {
    let mut names: Vec<&[u8]> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name.as_bytes()),
            Component::CurDir => {}
            Component::ParentDir => drop(names.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!names.is_empty()).then(|| names.join(&b'/'))
}

/// As it is written, and as it is with links resolved.
fn below(worktree: &Path, path: &Path) -> Vec<Vec<u8>> {
    let written = path.strip_prefix(worktree).ok().and_then(inner);
    let resolved = match (worktree.canonicalize(), path.canonicalize()) {
        (Ok(worktree), Ok(path)) => path.strip_prefix(worktree).ok().and_then(inner),
        _ => None,
    };
    written.into_iter().chain(resolved).collect()
}

/// Hooks are often links to scripts in the worktree.
fn links_into(worktree: &Path, dir: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    links.flat_map(|link| below(worktree, &link.path())).collect()
}

/// Hooks that lie in a branch that is checked out nowhere can be run from nowhere.
fn refuse_nowhere(repository: &Repository, target: &Oid, path: &Path) -> Result<(), Report> {
    let found = repository
        .reading("ls-tree")
        .args(["--end-of-options", target.as_str(), "--"])
        .arg(path)
        .run_any()?;
    if found.exit_code == 0 && found.stdout.is_empty() {
        return Ok(());
    }
    Err(Report::user(
        Code::UnsupportedRepository,
        format!(
            "the hooks of the target lie in {} (core.hooksPath) of a branch that is checked out nowhere",
            path.display()
        ),
    )
    .unchanged()
    .hint("check the branch out in a worktree, so that its hooks can run, then land again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_made_of_what_lies_in_above_or_at_a_watched_path() {
        let hooks = Hooks { dir: PathBuf::new(), watched: vec![b"tools/hooks".to_vec()] };
        for (path, made_of) in [
            ("tools/hooks/pre-commit", true),
            ("tools/hooks", true),
            ("Tools/Hooks/x", true),
            ("tools", true),
            ("tools/hooks2", false),
            ("tools/other", false),
            ("too", false),
        ] {
            assert_eq!(hooks.are_made_of(&RepoPath::new(path.as_bytes())), made_of, "{path}");
        }
    }

    #[test]
    fn only_a_path_inside_counts() {
        assert_eq!(inner(Path::new("./a/../b")), Some(b"b".to_vec()));
        assert_eq!(inner(Path::new("../b")), None);
        assert_eq!(inner(Path::new("/b")), None);
    }
}
