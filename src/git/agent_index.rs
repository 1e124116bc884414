//! The agent's own index, read in process and never written.

use std::{fs, io, os::unix::fs::MetadataExt, path::Path};

use gix::{
    bstr::{BStr, BString},
    index::entry::Flags,
};

use super::{
    Repository, control, private,
    refs::{self, Reading, object_id},
    worktrees::Worktree,
};
use crate::{
    report::{Doing, Report},
    shadow::{Oid, RepoPath},
};

/// A submodule as the agent's index has it.
#[derive(Clone, Debug)]
pub(super) struct Submodule {
    pub(super) path: RepoPath,
    pub(super) oid: Oid,
}

pub(super) struct AgentIndex {
    pub(super) state: Option<gix::index::File>,
    pub(super) submodules: Vec<Submodule>,
    pub(super) unmerged: bool,
    /// Files on disk that git is told not to look at, other than the index has them by size or time.
    pub(super) hidden: Vec<RepoPath>,
}

/// `update-index --skip-worktree` and `--assume-unchanged`.
const UNSEEN: Flags = Flags::SKIP_WORKTREE.union(Flags::ASSUME_VALID);

/// A missing one is what a sparse checkout leaves out.
pub(super) fn was_written(file: &Path, entry: &gix::index::Entry) -> Result<bool, Report> {
    let about = match fs::symlink_metadata(file) {
        Ok(about) => about,
        Err(error)
            if private::is_missing(&error) || error.kind() == io::ErrorKind::NotADirectory =>
        {
            return Ok(false);
        }
        Err(error) => return Err(error).doing(format!("look at {}", file.display())),
    };
    let known = &entry.stat;
    let is_same = about.size() & u64::from(u32::MAX) == u64::from(known.size)
        && about.mtime() & i64::from(u32::MAX) == i64::from(known.mtime.secs)
        && about.mtime_nsec() == i64::from(known.mtime.nsecs);
    Ok(!is_same)
}

impl AgentIndex {
    pub(super) fn read(repository: &Repository, worktree: &Worktree) -> Result<Self, Report> {
        let state = read_index(repository, &worktree.admin_dir.join("index"))?;
        let mut submodules = Vec::new();
        let mut unmerged = false;
        let mut hidden = Vec::new();
        for entry in state.iter().flat_map(|state| state.entries()) {
            unmerged |= entry.stage_raw() != 0;
            if entry.flags.intersects(UNSEEN) {
                let path = state.as_ref().map(|state| entry.path(state).to_vec());
                let path = RepoPath::new(path.unwrap_or_default());
                if was_written(&worktree.path.join(path.as_path()), entry)? {
                    hidden.push(path);
                }
            }
            if entry.mode == gix::index::entry::Mode::COMMIT {
                let path = state.as_ref().map(|state| entry.path(state).to_vec());
                submodules.push(Submodule {
                    path: RepoPath::new(path.unwrap_or_default()),
                    oid: refs::oid(entry.id),
                });
            }
        }
        Ok(Self { state, submodules, unmerged, hidden })
    }

    pub(super) fn has_submodule(&self, dir: &BStr) -> bool {
        self.submodules.iter().any(|known| known.path.as_bytes() == dir)
    }

    /// Whether it holds an entry below that directory.
    pub(super) fn tracks_below(&self, dir: &BStr) -> bool {
        let tracks = |state: &gix::index::File| state.path_is_directory(dir);
        !self.has_submodule(dir) && self.state.as_ref().is_some_and(tracks)
    }
}

pub(super) fn read_index(
    repository: &Repository,
    file: &Path,
) -> Result<Option<gix::index::File>, Report> {
    read_index_of(&repository.local(), file)
}

/// As [`read_index`], of any repository.
pub(super) fn read_index_of(
    repository: &gix::Repository,
    file: &Path,
) -> Result<Option<gix::index::File>, Report> {
    if let Err(error) = fs::symlink_metadata(file) {
        return if private::is_missing(&error) {
            Ok(None)
        } else {
            Err(error).doing(format!("read {}", file.display()))
        };
    }
    if control::is_special(file) {
        return Err(Report::environment(
            crate::report::Code::Io,
            format!("{} is no regular file", file.display()),
        ));
    }
    gix::index::File::at(
        file,
        repository.object_hash(),
        true,
        gix::index::decode::Options::default(),
    )
    .map(Some)
    .reading(file.display())
}

/// Whatever git takes for a name here is a name: what other systems forbid is theirs to refuse, and
/// these entries are only compared.
fn any_name() -> gix::validate::path::component::Options {
    gix::validate::path::component::Options {
        protect_windows: false,
        protect_hfs: false,
        protect_ntfs: false,
    }
}

/// Staged and then taken back on disk is still staged.
pub(super) fn has_staged(
    repository: &gix::Repository,
    committed: &Oid,
    state: Option<&gix::index::File>,
) -> Result<bool, Report> {
    let head = gix::index::State::from_tree(&object_id(committed), &repository.objects, any_name())
        .reading(format!("tree {committed}"))?;
    let Some(state) = state else { return Ok(!head.entries().is_empty()) };
    if state.is_sparse() {
        // Collapsed directories cannot be told apart entry by entry; the trees were equal.
        return Ok(false);
    }
    let listed =
        |state: &gix::index::State| -> Vec<(BString, gix::index::entry::Mode, gix::ObjectId, u32)> {
            let entries = state.entries().iter();
            entries.map(|e| (e.path(state).to_owned(), e.mode, e.id, e.stage_raw())).collect()
        };
    Ok(listed(&head) != listed(state))
}
