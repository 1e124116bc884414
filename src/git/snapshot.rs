//! The shadow as a tree: everything in its directory that git would track, committed or not.
//! Built with a private index and the private object store; the agent's own index and locks stay untouched.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    Repository,
    agent_index::{AgentIndex, Submodule, has_staged, read_index},
    command::Git,
    drivers::{Driver, untrusted_drivers},
    private,
    refs::{self, Reading, object_id},
    repository::as_stored,
    scan, submodule_work, unfinished, unread,
    worktrees::Worktree,
};
use crate::{
    report::{Code, Doing, Report},
    shadow::{Oid, RepoPath},
};

/// What a shadow holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Submodules in which something lies that is in no commit: not in the tree.
    #[serde(default)]
    pub busy_submodules: Vec<RepoPath>,
    /// Files written to although the index tells git not to look at them: not in the tree.
    #[serde(default)]
    pub hidden: Vec<RepoPath>,
    /// Filters and merge drivers that the repository's own configuration defines and the user has not trusted.
    /// They did not run: files are as they lie on disk.
    pub own_drivers: Vec<String>,
}

/// Builds the tree. `worktree` must be one without a problem.
pub fn read(repository: &Repository, worktree: &Worktree) -> Result<Snapshot, Report> {
    read_looked(repository, worktree, &scan::look(repository, worktree)?)
}

/// As [`read`], for one that was just looked at.
pub fn read_looked(
    repository: &Repository,
    worktree: &Worktree,
    look: &scan::Look,
) -> Result<Snapshot, Report> {
    if let Some(problem) = &worktree.problem {
        return Err(Report::user(Code::WrongState, format!("{}: {problem}", worktree.id)));
    }
    private::ensure(repository)?;
    let index = Scratch::prepare(repository, worktree, look)?;
    // An agent that writes meanwhile can make git fail: it is asked once more.
    let snapshot = build(repository, worktree, &index.file)
        .or_else(|report| match report.code {
            Code::GitFailed => build(repository, worktree, &index.file),
            _ => Err(report),
        })
        .map_err(|report| unless_gone(worktree, report))?;
    index.keep();
    Ok(snapshot)
}

/// Discarded or removed while it was read: that is no failure of git's.
fn unless_gone(worktree: &Worktree, report: Report) -> Report {
    if worktree.admin_dir.exists() && worktree.path.exists() {
        return report;
    }
    Report::user(Code::NotFound, format!("{} went away while it was read", worktree.id))
        .cause(report.headline)
        .unchanged()
        .hint("`shadowdeck list` shows what is there now")
}

fn build(repository: &Repository, worktree: &Worktree, index: &Path) -> Result<Snapshot, Report> {
    let drivers = untrusted_drivers(repository, worktree)?;
    let agents = AgentIndex::read(repository, worktree)?;
    add_all(repository, worktree, index, &drivers, &agents.submodules)?;
    let moved_submodules =
        record_submodules(repository, worktree, index, &drivers, &agents.submodules)?;
    let tree = write_tree(repository, worktree, index, &drivers)?;
    let embedded = find_embedded(repository, index, &agents.submodules)?;
    let dirty = is_dirty(repository, worktree, &tree, &agents)?;
    Ok(Snapshot {
        tree,
        dirty,
        unmerged: agents.unmerged,
        in_progress: find_in_progress(&worktree.admin_dir),
        embedded,
        moved_submodules,
        busy_submodules: submodule_work::find_of(repository, worktree, &agents),
        hidden: agents.hidden,
        own_drivers: drivers.iter().map(Driver::name).collect(),
    })
}

/// A process on the shadow with the scratch index and the private object store.
fn indexing(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    drivers: &[Driver],
    subcommand: &'static str,
) -> Git {
    // Every one of them: whatever writes an index hashes racily clean files again, write-tree too.
    let git = drivers.iter().fold(worktree.reading(subcommand), |git, driver| driver.silence(git));
    git.config("core.safecrlf=false")
        .env("GIT_INDEX_FILE", index)
        .env("GIT_OBJECT_DIRECTORY", repository.private_objects())
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.alternates())
        .timeout(repository.timeout)
        .config(private::QUICK)
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
    let mut git = indexing(repository, worktree, index, drivers, "add")
        .config("advice.addEmbeddedRepo=false")
        .config("add.ignoreErrors=false");
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
        // What was begun when the disk was full fills it; what cannot be removed now is removed later.
        let _ = unfinished::drop_private(repository, Duration::ZERO);
        unread::explain(worktree, report)
    })
}

fn write_tree(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    drivers: &[Driver],
) -> Result<Oid, Report> {
    let text = indexing(repository, worktree, index, drivers, "write-tree").run()?.text();
    Oid::parse(&text).ok_or_else(|| {
        Report::environment(Code::GitFailed, format!("git write-tree answered `{text}`"))
    })
}

/// An index that is this scan's own: a copy of the one kept from the last scan, with its files' times
/// and what was untracked already known, or of the agent's.
struct Scratch {
    file: PathBuf,
    kept: PathBuf,
}

/// A file's name may have 255 bytes, and endings are added to it: of a longer id, its beginning and a hash.
fn short(id: &str) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    const BYTES_MAX: usize = 150;
    if id.len() <= BYTES_MAX {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let end = (0..=BYTES_MAX).rev().find(|at| id.is_char_boundary(*at)).unwrap_or_default();
    format!("{}.{:016x}", &id[..end], hasher.finish())
}

impl Scratch {
    fn prepare(
        repository: &Repository,
        worktree: &Worktree,
        look: &scan::Look,
    ) -> Result<Self, Report> {
        let dir = repository.looking_dir().join("index");
        fs::create_dir_all(&dir).doing(format!("make {}", dir.display()))?;
        // The name holds what it was made from: an index that knew other ignore rules, or another
        // state of the agent's own index, is never taken up again.
        let name = short(&worktree.id.0);
        let kept = dir.join(format!("{name}~{}", look.origin));
        let scratch = Self { file: private::beside(&dir.join(&name)), kept };
        if !copy_with_mtime(&scratch.kept, &scratch.file)? {
            copy_with_mtime(&worktree.admin_dir.join("index"), &scratch.file)?;
        }
        Ok(scratch)
    }

    /// Leaves it for the next scan, and drops older ones. Failing costs that scan some time only.
    fn keep(self) {
        if fs::rename(&self.file, &self.kept).is_err() {
            return;
        }
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kept = name(&self.kept);
        let prefix = kept.rsplit_once('~').map_or("", |(id, _)| id);
        let siblings = self.kept.parent().and_then(|dir| fs::read_dir(dir).ok());
        for sibling in siblings.into_iter().flatten().flatten() {
            let other = name(&sibling.path());
            let is_older = other.rsplit_once('~').is_some_and(|(id, _)| id == prefix);
            if is_older && other != kept {
                // Another scan may have dropped it in this instant.
                let _ = fs::remove_file(sibling.path());
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Kept, or never made because the shadow holds no file.
        let _ = fs::remove_file(&self.file);
    }
}

/// git tells a racily clean entry by the index file's own mtime, so a copy must keep it. Whether there
/// was a source.
fn copy_with_mtime(from: &Path, to: &Path) -> Result<bool, Report> {
    let what = || format!("copy {}", from.display());
    let modified = match fs::symlink_metadata(from) {
        Ok(metadata) => metadata.modified().doing(what())?,
        Err(error) if private::is_missing(&error) => return Ok(false),
        Err(error) => return Err(error).doing(what()),
    };
    // The time is read before the bytes: should the agent write in between, the copy looks older than
    // its entries, and git reads those again.
    let bytes = fs::read(from).doing(what())?;
    fs::write(to, bytes)
        .and_then(|()| fs::File::options().write(true).open(to)?.set_modified(modified))
        .doing(what())?;
    Ok(true)
}

/// Puts the commit that each populated submodule is at into the scratch index.
fn record_submodules(
    repository: &Repository,
    worktree: &Worktree,
    index: &Path,
    drivers: &[Driver],
    submodules: &[Submodule],
) -> Result<Vec<RepoPath>, Report> {
    let mut moved = Vec::new();
    let mut input = Vec::new();
    for submodule in submodules {
        let dir = worktree.path.join(submodule.path.as_path());
        let line = match fs::symlink_metadata(&dir) {
            // Gone: git would record the deletion.
            Err(error) if private::is_missing(&error) => {
                moved.push(submodule.path.clone());
                Some(format!("0 {}", repository.null_oid()))
            }
            // Also where it has not moved: the last scan's index may have it elsewhere.
            Ok(metadata) if metadata.is_dir() => {
                let head = submodule_head(&dir).unwrap_or_else(|| submodule.oid.clone());
                if head != submodule.oid {
                    moved.push(submodule.path.clone());
                }
                Some(format!("160000 {head}"))
            }
            _ => None,
        };
        if let Some(line) = line {
            input.extend_from_slice(line.as_bytes());
            input.push(b'\t');
            input.extend_from_slice(submodule.path.as_bytes());
            input.push(0);
        }
    }
    if !input.is_empty() {
        indexing(repository, worktree, index, drivers, "update-index")
            .args(["-z", "--index-info"])
            .input(input)
            .run()?;
    }
    Ok(moved)
}

/// The commit that the repository in `dir` has checked out, read without running anything in it.
pub(super) fn submodule_head(dir: &Path) -> Option<Oid> {
    let options = as_stored(gix::open::Options::isolated());
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
    has_staged(&repository.local(), &committed, agents.state.as_ref())
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

/// Whether the tree is still in the stores: the private one may be cleared at any time.
pub fn is_stored(repository: &Repository, snapshot: &Snapshot) -> bool {
    private::local(repository).is_ok_and(|local| local.has_object(object_id(&snapshot.tree)))
}

/// What a prediction merges: the tip where nothing is uncommitted, else a commit of the snapshot.
pub fn side(repository: &Repository, snapshot: &Oid, tip: &Oid) -> Result<Oid, Report> {
    if refs::tree_of(repository, tip)? == *snapshot {
        Ok(tip.clone())
    } else {
        write_snapshot_commit(repository, snapshot, tip)
    }
}
