//! Everything that a repository and its worktrees hold, to be compared before and after.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
};

use super::git;
use crate::report::{Doing, Report};

/// Refs, indexes and files of every worktree; two equal ones are the same repository to its user.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Traces(BTreeMap<String, Vec<u8>>);

impl Traces {
    /// `repository` is the main worktree.
    pub(super) fn read(repository: &Path) -> Result<Self, Report> {
        let mut found = BTreeMap::new();
        // The program's own pins keep what an undone operation needs; they are no one's branch.
        let refs = git("for-each-ref", repository)
            .args(["--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/remotes"])
            .run()?
            .stdout;
        found.insert("refs".to_owned(), refs);
        let list = git("worktree", repository).args(["list", "--porcelain", "-z"]).run()?.stdout;
        for line in list.split(|byte| *byte == 0) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                let path = PathBuf::from(std::ffi::OsStr::from_bytes(path));
                let staged = git("ls-files", &path).args(["--stage", "-z"]).run()?.stdout;
                found.insert(format!("index of {}", path.display()), staged);
                read_files(&path, &mut found)?;
            }
        }
        found.insert("worktrees".to_owned(), list);
        Ok(Self(found))
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Names of what is not the same in both.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let names = self.0.keys().chain(other.0.keys()).collect::<std::collections::BTreeSet<_>>();
        let differing = names.into_iter().filter(|name| self.0.get(*name) != other.0.get(*name));
        differing.cloned().collect()
    }
}

/// Mode and content of everything below, but for the main worktree's git directory.
fn read_files(dir: &Path, found: &mut BTreeMap<String, Vec<u8>>) -> Result<(), Report> {
    for entry in fs::read_dir(dir).doing(format!("read {}", dir.display()))? {
        let path = entry.doing(format!("read {}", dir.display()))?.path();
        let about = fs::symlink_metadata(&path).doing(format!("read {}", path.display()))?;
        if about.is_dir() && path.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        let mut trace = about.permissions().mode().to_be_bytes().to_vec();
        if about.is_dir() {
            read_files(&path, found)?;
        } else if about.is_symlink() {
            let link = fs::read_link(&path).doing(format!("read {}", path.display()))?;
            trace.extend_from_slice(link.as_os_str().as_bytes());
        } else {
            trace.extend(fs::read(&path).doing(format!("read {}", path.display()))?);
        }
        // Names that are not UTF-8 must not fall together.
        found.insert(path.as_os_str().as_bytes().escape_ascii().to_string(), trace);
    }
    Ok(())
}
