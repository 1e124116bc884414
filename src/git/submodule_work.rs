//! Work inside submodules that is in no commit: no snapshot holds it, and `ignore = all` hides it from `git status`.
//! All is read in process: git would run the submodule's own filters and fsmonitor to tell.

use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use gix::{
    bstr::{BStr, ByteSlice},
    glob::pattern::Case,
    ignore::{Search, search::Ignore},
    index::{
        Entry, File,
        entry::{Flags, Mode},
    },
};

use super::{
    Repository,
    agent_index::{AgentIndex, has_staged, read_index_of, was_written},
    private,
    refs::{self, Reading},
    scan, submodules,
    worktrees::{Worktree, path_from_bytes},
};
use crate::{
    report::{Doing, Report},
    shadow::RepoPath,
};

/// The submodules of a shadow that hold some.
pub fn find(repository: &Repository, worktree: &Worktree) -> Result<Vec<RepoPath>, Report> {
    Ok(find_of(repository, worktree, &AgentIndex::read(repository, worktree)?))
}

pub(super) fn find_of(
    repository: &Repository,
    worktree: &Worktree,
    agents: &AgentIndex,
) -> Vec<RepoPath> {
    let paths = agents.submodules.iter().map(|submodule| &submodule.path);
    paths.filter(|path| holds(repository, &worktree.path.join(path.as_path()))).cloned().collect()
}

/// Whether this directory of a submodule holds some. One that cannot be read counts as one that does.
pub(super) fn holds(repository: &Repository, dir: &Path) -> bool {
    let look =
        Look { excludes: scan::excludes_file(&repository.settings), case: scan::case(repository) };
    look.holds(dir).unwrap_or(true)
}

/// What is the same for submodules within submodules.
struct Look {
    excludes: Option<PathBuf>,
    case: Case,
}

/// A submodule that is being looked at.
struct Module<'a> {
    look: &'a Look,
    root: &'a Path,
    index: Option<File>,
    repository: gix::Repository,
    search: Search,
}

impl Look {
    fn holds(&self, dir: &Path) -> Result<bool, Report> {
        let about = match fs::symlink_metadata(dir) {
            Ok(about) => about,
            Err(error) if private::is_missing(&error) => return Ok(false),
            Err(error) => return Err(error).doing(format!("look at {}", dir.display())),
        };
        if !about.is_dir() {
            return Ok(false);
        }
        if dir.join(".git").symlink_metadata().is_err() {
            // Nothing is checked out there, and git looks at nothing that was put there all the same.
            return Ok(names(dir)?.next().is_some());
        }
        let repository = submodules::open(dir)?;
        let index = read_index_of(&repository, &repository.index_path())?;
        let search = Search::from_git_dir(
            repository.common_dir(),
            self.excludes.clone(),
            &mut Vec::new(),
            Ignore::default(),
        )
        .doing("read the ignore rules")?;
        Module { look: self, root: dir, index, repository, search }.holds()
    }
}

impl Module<'_> {
    fn holds(mut self) -> Result<bool, Report> {
        let root = self.root;
        Ok(self.is_staged()? || self.is_edited()? || self.has_more(root)?)
    }

    fn is_staged(&self) -> Result<bool, Report> {
        let Ok(head) = self.repository.head_id() else {
            return Ok(self.index.as_ref().is_some_and(|index| !index.entries().is_empty()));
        };
        let tree = head.object().reading("HEAD")?.peel_to_tree().reading("HEAD")?.id;
        has_staged(&self.repository, &refs::oid(tree), self.index.as_ref())
    }

    /// Whether a file that it tracks is another one by now, or gone.
    fn is_edited(&self) -> Result<bool, Report> {
        let Some(index) = &self.index else { return Ok(false) };
        for entry in index.entries() {
            let path = self.root.join(path_from_bytes(entry.path(index)));
            if self.is_other(entry, &path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_other(&self, entry: &Entry, path: &Path) -> Result<bool, Report> {
        let is_left_out = entry.flags.contains(Flags::SKIP_WORKTREE);
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) if private::is_missing(&error) => return Ok(!is_left_out),
            Err(error) => return Err(error).doing(format!("look at {}", path.display())),
        };
        match entry.mode {
            Mode::COMMIT => {
                let head = super::snapshot::submodule_head(path);
                let is_moved = head.is_some_and(|head| head != refs::oid(entry.id));
                return Ok(is_moved || self.look.holds(path)?);
            }
            Mode::DIR => return Ok(false),
            _ if !was_written(path, entry)? => return Ok(false),
            _ => {}
        }
        let is_same_kind = about.is_symlink() == (entry.mode == Mode::SYMLINK);
        if about.is_dir() || !is_same_kind {
            return Ok(true);
        }
        let bytes = if about.is_symlink() {
            let link = fs::read_link(path).doing(format!("read {}", path.display()))?;
            link.as_os_str().as_bytes().to_vec()
        } else if about.is_file() {
            fs::read(path).doing(format!("read {}", path.display()))?
        } else {
            return Ok(true);
        };
        // Written again as it was, by a checkout or a touch.
        let hash = self.repository.object_hash();
        let id = gix::objs::compute_hash(hash, gix::object::Kind::Blob, &bytes);
        Ok(id.reading("a file's name")? != entry.id)
    }

    /// Whether there is a file that it neither tracks nor ignores.
    fn has_more(&mut self, dir: &Path) -> Result<bool, Report> {
        let rules = self.search.patterns.len();
        let ignore_file = dir.join(".gitignore");
        if ignore_file.symlink_metadata().is_ok_and(|about| about.is_file()) {
            let what = || format!("read {}", ignore_file.display());
            let bytes = fs::read(&ignore_file).doing(what())?;
            self.search
                .add_patterns_buffer(&bytes, &ignore_file, Some(self.root), Ignore::default())
                .doing(what())?;
        }
        let mut found = false;
        for name in names(dir)?.filter(|name| name != ".git") {
            found = self.is_more(&dir.join(name))?;
            if found {
                break;
            }
        }
        self.search.patterns.truncate(rules);
        Ok(found)
    }

    fn is_more(&mut self, path: &Path) -> Result<bool, Report> {
        let relative = path.strip_prefix(self.root).unwrap_or(path).as_os_str().as_bytes().to_vec();
        let relative: &BStr = relative.as_bstr();
        if self.index.as_ref().is_some_and(|index| index.entry_by_path(relative).is_some()) {
            return Ok(false);
        }
        let is_dir = path.symlink_metadata().is_ok_and(|about| about.is_dir());
        let is_tracked_below =
            is_dir && self.index.as_ref().is_some_and(|index| index.path_is_directory(relative));
        let is_ignored = self
            .search
            .pattern_matching_relative_path(relative, Some(is_dir), self.look.case)
            .is_some_and(|found| !found.pattern.is_negative());
        match (is_tracked_below, is_dir) {
            (true, _) => self.has_more(path),
            (false, _) if is_ignored => Ok(false),
            (false, true) if path.join(".git").symlink_metadata().is_err() => self.has_more(path),
            _ => Ok(true),
        }
    }
}

fn names(dir: &Path) -> Result<impl Iterator<Item = std::ffi::OsString>, Report> {
    let what = || format!("read {}", dir.display());
    let entries: Result<Vec<_>, _> = fs::read_dir(dir)
        .doing(what())?
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect();
    Ok(entries.doing(what())?.into_iter())
}
