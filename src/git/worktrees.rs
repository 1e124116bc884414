//! The linked worktrees as their admin directories tell them, and what is wrong with each.
//! A worktree that git would take for another one is never read or written: it has a `problem`.

mod problem;

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use super::{Repository, command::Git, control};
use crate::{
    report::{Doing, Report},
    shadow::{BranchName, Oid, ShadowId},
};

pub use problem::fault_code;
use problem::{find_problem, is_same_dir};

/// What a HEAD says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// `tip` is `None` where the branch has no commit yet.
    Branch {
        name: BranchName,
        tip: Option<Oid>,
    },
    Detached {
        tip: Oid,
    },
    /// Neither a branch nor a commit; in words.
    Unreadable {
        why: String,
    },
}

impl Head {
    pub fn branch(&self) -> Option<&BranchName> {
        match self {
            Self::Branch { name, .. } => Some(name),
            Self::Detached { .. } | Self::Unreadable { .. } => None,
        }
    }

    pub fn tip(&self) -> Option<&Oid> {
        match self {
            Self::Branch { tip, .. } => tip.as_ref(),
            Self::Detached { tip } => Some(tip),
            Self::Unreadable { .. } => None,
        }
    }
}

/// One linked worktree, as registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    pub id: ShadowId,
    /// Its own git directory, `<common>/worktrees/<id>`.
    pub admin_dir: PathBuf,
    pub path: PathBuf,
    pub head: Head,
    /// The lock's reason, empty where none was given.
    pub locked: Option<String>,
    /// Why `git worktree prune` would drop the registration.
    pub prunable: Option<String>,
    /// Why nothing in it can be read safely, and the remedy.
    pub problem: Option<String>,
}

impl Worktree {
    /// A reading process in this worktree. Only for one without a problem: git directory and
    /// worktree were seen to name each other, and are given rather than searched for.
    pub fn reading(&self, subcommand: &'static str) -> Git {
        Git::reading(subcommand).git_dir(&self.admin_dir).work_tree(&self.path)
    }
}

/// The worktree that the repository was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainWorktree {
    /// `None` for a bare repository.
    pub path: Option<PathBuf>,
    pub head: Head,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktrees {
    pub main: MainWorktree,
    /// By id.
    pub linked: Vec<Worktree>,
}

/// Reads every registration; a broken one is an entry with its problem, never a failure.
pub fn read(repository: &Repository) -> Result<Worktrees, Report> {
    let mut linked = Vec::new();
    for admin_dir in admin_dirs(&repository.common_dir)? {
        linked.extend(read_linked(repository, &admin_dir));
    }
    let head = read_head(repository, &repository.common_dir);
    Ok(Worktrees { main: MainWorktree { path: main_path(repository), head }, linked })
}

/// The registration of `id`, read anew.
pub fn read_one(repository: &Repository, id: &ShadowId) -> Option<Worktree> {
    let admin_dir = repository.common_dir.join("worktrees").join(&id.0);
    read_linked(repository, &admin_dir)
}

fn admin_dirs(common_dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let dir = common_dir.join("worktrees");
    let what = || format!("read {}", dir.display());
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(what()),
    };
    let mut dirs = Vec::new();
    for entry in entries {
        dirs.push(entry.doing(what())?.path());
    }
    dirs.sort();
    Ok(dirs)
}

/// `None` for something that is no registration, which git skips too, and for a place that hooks run in.
fn read_linked(repository: &Repository, admin_dir: &Path) -> Option<Worktree> {
    let dot_git = registered_dot_git(admin_dir)
        // Where it belongs is not known then; its problem says so.
        .or_else(|| {
            control::is_special(&admin_dir.join("gitdir")).then(|| admin_dir.join(".git"))
        })?;
    let path = dot_git.parent().map(Path::to_owned)?;
    if super::rehearsal::is_rehearsal(repository, admin_dir, &path) {
        return None;
    }
    let id = ShadowId(admin_dir.file_name()?.to_string_lossy().into_owned());
    let locked = read_trimmed(&admin_dir.join("locked")).map(|bytes| lossy(&bytes));
    let prunable = (locked.is_none() && dot_git.symlink_metadata().is_err())
        .then(|| "gitdir file points to non-existent location".to_owned());
    let head = read_head(repository, admin_dir);
    let problem = find_problem(repository, admin_dir, &path, &head);
    Some(Worktree { id, admin_dir: admin_dir.to_owned(), path, head, locked, prunable, problem })
}

/// The `.git` file that the registration names, absolute.
fn registered_dot_git(admin_dir: &Path) -> Option<PathBuf> {
    let named = read_trimmed(&admin_dir.join("gitdir"))?;
    (!named.is_empty()).then(|| absolute(admin_dir, &named))
}

/// Relative names count from the directory of the file that holds them; `..` is folded away.
fn absolute(from: &Path, named: &[u8]) -> PathBuf {
    let joined = from.join(OsStr::from_bytes(named));
    let mut folded = PathBuf::new();
    for part in joined.components() {
        match part {
            std::path::Component::ParentDir => {
                folded.pop();
            }
            std::path::Component::CurDir => {}
            other => folded.push(other),
        }
    }
    folded
}

fn read_trimmed(file: &Path) -> Option<Vec<u8>> {
    control::read(file).ok().map(|bytes| bytes.trim_ascii().to_vec())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What HEAD says in a registration that may lie elsewhere by now.
pub fn read_head_of(repository: &Repository, git_dir: &Path) -> Head {
    read_head(repository, git_dir)
}

fn read_head(repository: &Repository, git_dir: &Path) -> Head {
    if repository.foreign_refs.is_some() {
        return ask_head(repository, git_dir);
    }
    let file = git_dir.join("HEAD");
    let Some(bytes) = read_trimmed(&file) else {
        return Head::Unreadable { why: format!("{} cannot be read", file.display()) };
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        let name = lossy(bytes.strip_prefix(b"ref: refs/heads/").unwrap_or(&bytes));
        let why = format!(
            "the name of its branch, `{}`, is not UTF-8, and it could not be named; `git branch -m` there gives it another",
            name.escape_debug()
        );
        return Head::Unreadable { why };
    };
    if let Some(name) = text.strip_prefix("ref:").map(str::trim) {
        let Some(branch) = BranchName::from_full(name) else {
            return Head::Unreadable { why: format!("HEAD is on {name}, which is not a branch") };
        };
        return head_on(repository, &branch);
    }
    match Oid::parse(text) {
        Some(tip) => Head::Detached { tip },
        None => Head::Unreadable { why: format!("{} names no commit", file.display()) },
    }
}

fn head_on(repository: &Repository, branch: &BranchName) -> Head {
    match super::refs::find_branch_tip(repository, branch) {
        // Two names of one branch are one branch: what moves it concerns both worktrees.
        Ok(tip) => Head::Branch { name: super::refs::follow(repository, branch), tip },
        Err(report) => {
            let remedy = report.hint.as_deref().unwrap_or("`git fsck` names what is damaged");
            Head::Unreadable { why: format!("{}; {remedy}", report.headline) }
        }
    }
}

/// Where the file `HEAD` is only there for older programs, and says nothing.
fn ask_head(repository: &Repository, git_dir: &Path) -> Head {
    let ask = |subcommand, args: &[&str]| {
        let git = Git::reading(subcommand).git_dir(git_dir).dir(git_dir);
        git.timeout(repository.timeout).args(args).run_any().map(|answer| answer.text())
    };
    let head = ask("symbolic-ref", &["--quiet", "HEAD"])
        .and_then(|name| Ok((name, ask("rev-parse", &["--verify", "--quiet", "HEAD"])?)));
    match head {
        Err(report) => Head::Unreadable { why: report.headline },
        Ok((name, tip)) => match (BranchName::from_full(&name), Oid::parse(&tip)) {
            (Some(branch), _) => head_on(repository, &branch),
            (None, Some(tip)) => Head::Detached { tip },
            (None, None) => {
                Head::Unreadable { why: "git names no branch and no commit".to_owned() }
            }
        },
    }
}

fn main_path(repository: &Repository) -> Option<PathBuf> {
    let settings = &repository.settings;
    if settings.is_true("core.bare") {
        return None;
    }
    if let Some(work_tree) = settings.value("core.worktree") {
        return Some(absolute(&repository.common_dir, work_tree.as_bytes()));
    }
    if repository.common_dir.file_name() == Some(OsStr::new(".git")) {
        return repository.common_dir.parent().map(Path::to_owned);
    }
    // A separate git directory: only the `.git` file in the worktree knows where they meet.
    let names_common = |dir: &&Path| {
        read_trimmed(&dir.join(".git"))
            .and_then(|bytes| {
                bytes.strip_prefix(b"gitdir:").map(|named| named.trim_ascii().to_vec())
            })
            .is_some_and(|named| is_same_dir(&absolute(dir, &named), &repository.common_dir))
    };
    repository.start_dir.ancestors().find(names_common).map(Path::to_owned)
}

/// Bytes of a path as git prints them.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec()))
}
