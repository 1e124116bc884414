//! The linked worktrees as their admin directories tell them, and what is wrong with each.
//! A worktree that git would take for another one is never read or written: it has a `problem`.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use super::{Repository, command::Git, control, settings::Scope};
use crate::{
    report::{Doing, Report},
    shadow::{BranchName, Oid, ShadowId},
};

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
        Err(report) => Head::Unreadable { why: report.headline },
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

fn find_problem(
    repository: &Repository,
    admin_dir: &Path,
    path: &Path,
    head: &Head,
) -> Option<String> {
    if let Some(special) = control::find_special(admin_dir) {
        return Some(format!(
            "{} is no regular file, and git would wait for it; remove it, then `git worktree repair`",
            special.display()
        ));
    }
    place_problem(admin_dir, path).or_else(|| config_problem(repository, admin_dir, path)).or_else(
        || match head {
            Head::Unreadable { why } => Some(format!("its HEAD is unreadable: {why}")),
            Head::Branch { name, tip: None } => {
                Some(format!("branch {name} has no commit yet; commit something on it first"))
            }
            Head::Branch { .. } | Head::Detached { .. } => None,
        },
    )
}

/// Directory and registration must name each other.
fn place_problem(admin_dir: &Path, path: &Path) -> Option<String> {
    if !path.is_dir() {
        return Some(format!(
            "its directory {} is missing; bring it back (mount the disk, or `git worktree move`), or discard it: \
             its branch keeps its commits",
            path.display()
        ));
    }
    let dot_git = path.join(".git");
    let Some(bytes) = read_trimmed(&dot_git) else {
        let what = if dot_git.is_dir() {
            "holds a repository of its own, where its .git file should be"
        } else if dot_git.exists() {
            "has a .git that is no small regular file"
        } else {
            "has no .git file, so git run there would act on another repository"
        };
        return Some(format!(
            "{} {what}; `git worktree repair {}` mends it",
            path.display(),
            path.display()
        ));
    };
    let named = bytes.strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii);
    let names_back = named.is_some_and(|named| is_same_dir(&absolute(path, named), admin_dir));
    (!names_back).then(|| {
        format!(
            "the .git file in {} names {}, not this registration; `git worktree repair {}` mends it",
            path.display(),
            named.map_or_else(|| "nothing".to_owned(), lossy),
            path.display()
        )
    })
}

/// What kind of problem a worktree has, as `doctor` names it.
pub fn fault_code(repository: &Repository, worktree: &Worktree) -> &'static str {
    let (admin_dir, path) = (&worktree.admin_dir, &worktree.path);
    let dot_git = path.join(".git");
    if !path.is_dir() {
        "missing_directory"
    } else if dot_git.is_dir() {
        "own_repository"
    } else if dot_git.symlink_metadata().is_err() {
        "lost_git_file"
    } else if place_problem(admin_dir, path).is_some() {
        "foreign_git_file"
    } else if config_problem(repository, admin_dir, path).is_some() {
        "poisoned_config"
    } else {
        "broken_head"
    }
}

fn is_same_dir(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// With `extensions.worktreeConfig`, `core.bare` and `core.worktree` of the shared configuration
/// count in every linked worktree, and git takes it for bare, or for another directory.
fn config_problem(repository: &Repository, admin_dir: &Path, path: &Path) -> Option<String> {
    let settings = &repository.settings;
    if !settings.is_true("extensions.worktreeconfig") {
        return None;
    }
    let shared = |key: &str| {
        let mut found = settings.all().iter().rev();
        found
            .find(|setting| setting.scope == Scope::Local && setting.key == key)
            .map(|setting| setting.value.clone().unwrap_or_else(|| "true".to_owned()))
    };
    let own = match read_own_config(admin_dir) {
        Ok(own) => own,
        Err(why) => return Some(why),
    };
    let own_value = |key: &str| own.as_ref().and_then(|own| own.string(key)).map(|v| lossy(&v));
    let id = admin_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (bare, from) = match own_value("core.bare") {
        Some(value) => (Some(value), "its own config.worktree"),
        None => (shared("core.bare"), "the shared config together with extensions.worktreeConfig"),
    };
    if bare.is_some_and(|value| is_true(&value)) {
        return Some(format!(
            "unreadable: git sees it as bare, because core.bare is true in {from}; \
             `git -C {} config --worktree core.bare false` mends it",
            admin_dir.display()
        ));
    }
    let work_tree = own_value("core.worktree").or_else(|| shared("core.worktree"))?;
    let resolved = absolute(admin_dir, work_tree.as_bytes());
    (!is_same_dir(&resolved, path)).then(|| {
        format!(
            "git run in {id} resolves to {}, because core.worktree is set in the shared config together with \
             extensions.worktreeConfig; `git config --unset core.worktree` in the main worktree mends it",
            resolved.display()
        )
    })
}

fn read_own_config(admin_dir: &Path) -> Result<Option<gix::config::File>, String> {
    let file = admin_dir.join("config.worktree");
    if !file.exists() {
        return Ok(None);
    }
    gix::config::File::from_path_no_includes(file.clone(), gix::config::Source::Worktree)
        .map(Some)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
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
