//! The shadow as a tree: everything in its directory that git would track, committed or not.
//! Built with a private index and the private object store; the agent's own index and locks stay untouched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use gix::bstr::BString;

use super::{
    Repository,
    command::Git,
    private,
    refs::{self, Reading, object_id},
    settings::{Scope, Settings},
    worktrees::Worktree,
};
use crate::{
    report::{Code, Doing, Report},
    shadow::{Oid, RepoPath},
};

/// What a shadow holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// In the private object store, like every blob in it that is not committed yet.
    pub tree: Oid,
    /// Anything staged, unstaged or untracked.
    pub dirty: bool,
    /// The agent's index holds unmerged entries.
    pub unmerged: bool,
    /// A merge, rebase, cherry-pick, revert or bisect under way in it, in git's word.
    pub in_progress: Option<String>,
    /// Repositories inside the shadow that it does not record as submodules: their content is not
    /// in the tree.
    pub embedded: Vec<RepoPath>,
    /// Submodules at a commit other than the index's.
    pub moved_submodules: Vec<RepoPath>,
    /// Filters and merge drivers that the repository's own configuration defines. They did not run:
    /// files are as they lie on disk.
    pub own_drivers: Vec<String>,
}

/// Builds the tree. `worktree` must be one without a problem.
pub fn read(repository: &Repository, worktree: &Worktree) -> Result<Snapshot, Report> {
    if let Some(problem) = &worktree.problem {
        return Err(Report::user(Code::WrongState, format!("{}: {problem}", worktree.id)));
    }
    private::ensure(repository)?;
    let index = Scratch::copy_of(repository, worktree)?;
    let built = build(repository, worktree, &index.file);
    // Success or not, the scratch copy goes; a leftover would only cost space.
    drop(index);
    built
}

fn build(repository: &Repository, worktree: &Worktree, index: &Path) -> Result<Snapshot, Report> {
    let drivers = own_drivers(repository, worktree)?;
    let agents = AgentIndex::read(repository, worktree)?;
    add_all(repository, worktree, index, &drivers, &agents.submodules)?;
    let moved_submodules = record_submodules(repository, worktree, index, &agents.submodules)?;
    let tree = write_tree(repository, worktree, index)?;
    let embedded = find_embedded(repository, index, &agents.submodules)?;
    let dirty = is_dirty(repository, worktree, &tree, &agents)?;
    Ok(Snapshot {
        tree,
        dirty,
        unmerged: agents.unmerged,
        in_progress: find_in_progress(&worktree.admin_dir),
        embedded,
        moved_submodules,
        own_drivers: drivers.iter().map(Driver::name).collect(),
    })
}

/// A process on the shadow with the scratch index and the private object store.
fn indexing(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    subcommand: &'static str,
) -> Git {
    worktree
        .reading(subcommand)
        .env("GIT_INDEX_FILE", index)
        .env("GIT_OBJECT_DIRECTORY", repository.private_objects())
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.common_dir.join("objects"))
        // A split or cached index would be shared with, or written to, the agent's git directory.
        .config("core.splitIndex=false")
        .config("core.untrackedCache=false")
}

fn add_all(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    drivers: &[Driver],
    submodules: &[Submodule],
) -> Result<(), Report> {
    let mut git = indexing(repository, worktree, index, "add")
        .config("core.safecrlf=false")
        .config("advice.addEmbeddedRepo=false")
        .config("add.ignoreErrors=false");
    for driver in drivers {
        git = driver.silence(git);
    }
    git = git.args(["--all", "--sparse"]);
    if !submodules.is_empty() {
        // git would start `git status` in each populated submodule, under that one's own
        // configuration; the commits they are at are recorded in process instead.
        git = git.pathspec_magic().args(["--", "."]).args(submodules.iter().map(|submodule| {
            let mut spec = b":(exclude,literal)".to_vec();
            spec.extend_from_slice(submodule.path.as_bytes());
            super::worktrees::path_from_bytes(&spec)
        }));
    }
    git.run().map(drop).map_err(|report| {
        let id = &worktree.id;
        Report {
            headline: format!("the files of {id} could not be read whole: {}", report.headline),
            ..report
        }
        .hint("nothing was changed; mend what git names there, and list again")
    })
}

fn write_tree(repository: &Repository, worktree: &Worktree, index: &Path) -> Result<Oid, Report> {
    let text = indexing(repository, worktree, index, "write-tree").run()?.text();
    Oid::parse(&text).ok_or_else(|| {
        Report::environment(Code::GitFailed, format!("git write-tree answered `{text}`"))
    })
}

/// A copy of the agent's index that is this scan's own, and gone with it.
struct Scratch {
    file: PathBuf,
}

impl Scratch {
    fn copy_of(repository: &Repository, worktree: &Worktree) -> Result<Self, Report> {
        let dir = repository.looking_dir().join("index");
        fs::create_dir_all(&dir).doing(format!("make {}", dir.display()))?;
        let file = private::beside(&dir.join(&worktree.id.0));
        copy_with_mtime(&worktree.admin_dir.join("index"), &file)?;
        Ok(Self { file })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Not there means that no file was ever staged or found.
        let _ = fs::remove_file(&self.file);
    }
}

/// git tells a racily clean entry by the index file's own mtime, so a copy must keep it. No source: no copy.
fn copy_with_mtime(from: &Path, to: &Path) -> Result<(), Report> {
    let what = || format!("copy {}", from.display());
    let modified = match fs::symlink_metadata(from) {
        Ok(metadata) => metadata.modified().doing(what())?,
        Err(error) if private::is_missing(&error) => return Ok(()),
        Err(error) => return Err(error).doing(what()),
    };
    // The time is read before the bytes: should the agent write in between, the copy looks older than
    // its entries, and git reads those again.
    let bytes = fs::read(from).doing(what())?;
    fs::write(to, bytes)
        .and_then(|()| fs::File::options().write(true).open(to)?.set_modified(modified))
        .doing(what())
}

/// A submodule as the agent's index has it.
#[derive(Clone, Debug)]
struct Submodule {
    path: RepoPath,
    oid: Oid,
}

struct AgentIndex {
    state: Option<gix::index::File>,
    submodules: Vec<Submodule>,
    unmerged: bool,
}

impl AgentIndex {
    fn read(repository: &Repository, worktree: &Worktree) -> Result<Self, Report> {
        let state = read_index(repository, &worktree.admin_dir.join("index"))?;
        let mut submodules = Vec::new();
        let mut unmerged = false;
        for entry in state.iter().flat_map(|state| state.entries()) {
            unmerged |= entry.stage_raw() != 0;
            if entry.mode == gix::index::entry::Mode::COMMIT {
                let path = state.as_ref().map(|state| entry.path(state).to_vec());
                submodules.push(Submodule {
                    path: RepoPath::new(path.unwrap_or_default()),
                    oid: refs::oid(entry.id),
                });
            }
        }
        Ok(Self { state, submodules, unmerged })
    }
}

fn read_index(repository: &Repository, file: &Path) -> Result<Option<gix::index::File>, Report> {
    if let Err(error) = fs::symlink_metadata(file) {
        return if private::is_missing(&error) {
            Ok(None)
        } else {
            Err(error).doing(format!("read {}", file.display()))
        };
    }
    let hash = repository.local().object_hash();
    gix::index::File::at(file, hash, true, gix::index::decode::Options::default())
        .map(Some)
        .reading(file.display())
}

/// Puts the commit that each populated submodule is at into the scratch index.
fn record_submodules(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    submodules: &[Submodule],
) -> Result<Vec<RepoPath>, Report> {
    let mut moved = Vec::new();
    let mut input = Vec::new();
    for submodule in submodules {
        let dir = worktree.path.join(submodule.path.as_path());
        let line = match fs::symlink_metadata(&dir) {
            // Gone: git would record the deletion.
            Err(error) if private::is_missing(&error) => {
                Some(format!("0 {}", repository.null_oid()))
            }
            Ok(metadata) if metadata.is_dir() => submodule_head(&dir)
                .filter(|head| *head != submodule.oid)
                .map(|head| format!("160000 {head}")),
            _ => None,
        };
        if let Some(line) = line {
            moved.push(submodule.path.clone());
            input.extend_from_slice(line.as_bytes());
            input.push(b'\t');
            input.extend_from_slice(submodule.path.as_bytes());
            input.push(0);
        }
    }
    if !input.is_empty() {
        indexing(repository, worktree, index, "update-index")
            .args(["-z", "--index-info"])
            .input(input)
            .run()?;
    }
    Ok(moved)
}

/// The commit that the repository in `dir` has checked out, read without running anything in it.
fn submodule_head(dir: &Path) -> Option<Oid> {
    let options = gix::open::Options::isolated();
    let repository = options.open(dir).ok()?.to_thread_local();
    repository.head_id().ok().map(refs::oid)
}

fn find_embedded(
    repository: &Repository,
    index: &Path,
    known: &[Submodule],
) -> Result<Vec<RepoPath>, Report> {
    let Some(state) = read_index(repository, index)? else { return Ok(Vec::new()) };
    Ok(state
        .entries()
        .iter()
        .filter(|entry| entry.mode == gix::index::entry::Mode::COMMIT)
        .map(|entry| RepoPath::new(entry.path(&state).to_vec()))
        .filter(|path| !known.iter().any(|submodule| submodule.path == *path))
        .collect())
}

fn is_dirty(
    repository: &Repository,
    worktree: &Worktree,
    tree: &Oid,
    agents: &AgentIndex,
) -> Result<bool, Report> {
    let Some(tip) = worktree.head.tip() else { return Ok(true) };
    let committed = refs::tree_of(repository, tip)?;
    if committed != *tree {
        return Ok(true);
    }
    has_staged(repository, &committed, agents)
}

/// Staged and then taken back on disk is still staged.
fn has_staged(
    repository: &Repository,
    committed: &Oid,
    agents: &AgentIndex,
) -> Result<bool, Report> {
    let local = repository.local();
    let head = gix::index::State::from_tree(
        &object_id(committed),
        &local.objects,
        gix::validate::path::component::Options::default(),
    )
    .reading(format!("tree {committed}"))?;
    let Some(state) = &agents.state else { return Ok(!head.entries().is_empty()) };
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

/// What is under way there, in git's word.
pub fn find_in_progress(git_dir: &Path) -> Option<String> {
    [
        ("rebase-merge", "rebase"),
        ("rebase-apply", "rebase"),
        ("MERGE_HEAD", "merge"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
        ("BISECT_LOG", "bisect"),
    ]
    .into_iter()
    .find(|(name, _)| git_dir.join(name).symlink_metadata().is_ok())
    .map(|(_, word)| word.to_owned())
}

/// A filter or merge driver that the repository itself defines: an agent could have written it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driver {
    Filter(String),
    Merge(String),
}

impl Driver {
    /// As in the configuration: `filter.lfs`, `merge.ours`.
    pub fn name(&self) -> String {
        match self {
            Self::Filter(name) => format!("filter.{name}"),
            Self::Merge(name) => format!("merge.{name}.driver"),
        }
    }

    /// Makes it do nothing in this process. A merge driver cannot be taken away, only made to
    /// fail: its files then count as conflicts.
    pub fn silence(&self, git: Git) -> Git {
        let option = |key: &str, variable: &str| format!("--config-env={key}={variable}");
        match self {
            Self::Filter(name) => ["clean", "smudge", "process"]
                .into_iter()
                .fold(git, |git, part| {
                    git.global(option(&format!("filter.{name}.{part}"), "SHADOWDECK_NOTHING"))
                })
                .global(option(&format!("filter.{name}.required"), "SHADOWDECK_FALSE")),
            Self::Merge(name) => {
                git.global(option(&format!("merge.{name}.driver"), "SHADOWDECK_FALSE"))
            }
        }
        .env("SHADOWDECK_NOTHING", "")
        .env("SHADOWDECK_FALSE", "false")
    }
}

/// The drivers that the repository's own configuration defines, as it applies to this worktree.
pub fn own_drivers(repository: &Repository, worktree: &Worktree) -> Result<Vec<Driver>, Report> {
    let own_file = worktree.admin_dir.join("config.worktree").exists();
    let conditional = repository.settings.all().iter().any(|s| s.key.starts_with("includeif."));
    if own_file || conditional {
        return Ok(drivers_in(&Settings::read(&worktree.admin_dir)?));
    }
    Ok(drivers_in(&repository.settings))
}

/// Those that whoever works in a shadow could have defined.
pub fn drivers_in(settings: &Settings) -> Vec<Driver> {
    let mut drivers: Vec<Driver> = settings
        .all()
        .iter()
        .filter(|setting| matches!(setting.scope, Scope::Local | Scope::Worktree))
        .filter_map(|setting| {
            let (section, rest) = setting.key.split_once('.')?;
            let (name, variable) = rest.rsplit_once('.')?;
            match (section, variable) {
                ("filter", "clean" | "smudge" | "process" | "required") => {
                    Some(Driver::Filter(name.to_owned()))
                }
                ("merge", "driver") => Some(Driver::Merge(name.to_owned())),
                _ => None,
            }
        })
        .collect();
    drivers.sort();
    drivers.dedup();
    drivers
}

/// Writes a commit of the snapshot on top of the tip into the private store, for predictions only:
/// the same tree and tip give the same commit. No process is started.
pub fn write_snapshot_commit(
    repository: &Repository,
    tree: &Oid,
    tip: &Oid,
) -> Result<Oid, Report> {
    let local = repository.local();
    let parent = local.find_commit(object_id(tip)).reading(format!("commit {tip}"))?;
    // The tip's own time: a fresh one would give a new object at every look, and none a walk by date
    // could trip over.
    let time = parent.time().reading(format!("the date of {tip}"))?;
    let signature = gix::actor::Signature {
        name: "shadowdeck".into(),
        email: "shadowdeck@localhost".into(),
        time,
    };
    let commit = gix::objs::Commit {
        tree: object_id(tree),
        parents: [object_id(tip)].into_iter().collect(),
        author: signature.clone(),
        committer: signature,
        encoding: None,
        message: "snapshot\n".into(),
        extra_headers: Vec::new(),
    };
    private::write_object(repository, &commit)
}

/// What a prediction merges: the tip where nothing is uncommitted, else a commit of the snapshot.
pub fn side(repository: &Repository, snapshot: &Oid, tip: &Oid) -> Result<Oid, Report> {
    if refs::tree_of(repository, tip)? == *snapshot {
        Ok(tip.clone())
    } else {
        write_snapshot_commit(repository, snapshot, tip)
    }
}
