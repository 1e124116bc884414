//! Commits of submodules that only a shadow holds, or nobody: landing would leave them to its trash. All is read in
//! process, from the repositories in the shadow and those of the main worktree; nothing of theirs is run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    Repository, control, private,
    refs::{self, Reading, object_id},
    repository::as_stored,
    worktrees::Worktree,
};
use crate::{
    report::{Code, Doing, Report},
    review::{ChangedPath, FileChange, LineKind, diff::Passed},
    shadow::{BranchName, Oid, RepoPath},
};

/// A commit that neither a remote nor the main worktree's modules hold, as far as can be told from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpushed {
    pub path: RepoPath,
    pub commit: Oid,
    /// The repository in the shadow that holds it, where one does.
    pub held_in: Option<PathBuf>,
}

/// In words, commits that a branch or HEAD names in a repository in the trash, a registration's module or one in a
/// shadow's directory, and that neither a remote, as last seen, nor a module of the main worktree has. What cannot be
/// read is told too.
pub fn find_only_copies<'a>(
    repository: &Repository,
    places: impl Iterator<Item = &'a PathBuf>,
) -> Vec<String> {
    let mut found = Vec::new();
    for place in places {
        let mut modules = Vec::new();
        let mut in_main = Vec::new();
        let known = gather(&place.join("admin/modules"), &mut modules)
            .and_then(|()| gather_nested(&place.join("worktree"), &mut modules))
            .and_then(|()| gather(&repository.common_dir.join("modules"), &mut in_main))
            .and_then(|()| in_main.iter().map(|dir| open(dir)).collect::<Result<Vec<_>, _>>());
        let known = match known {
            Ok(known) => known,
            Err(report) => {
                found.push(unread(&report));
                continue;
            }
        };
        for dir in modules {
            match read_only_copies(&dir, &known) {
                Ok(commits) => found.extend(commits.iter().map(|commit| {
                    let commit = commit.abbreviated();
                    format!(
                        "it holds the only copy of submodule commit {commit} ({})",
                        dir.display()
                    )
                })),
                Err(report) => found.push(unread(&report)),
            }
        }
    }
    found
}

fn unread(report: &Report) -> String {
    format!(
        "whether it holds the only copy of a submodule's commit is unknown: {}",
        report.headline
    )
}

fn read_only_copies(dir: &Path, known: &[gix::Repository]) -> Result<Vec<Oid>, Report> {
    let module = open(dir)?;
    let what = || format!("the branches in {}", dir.display());
    let mut tips: Vec<Oid> =
        module.head_id().ok().map(|id| refs::oid(id.detach())).into_iter().collect();
    for reference in module.references().reading(what())?.local_branches().reading(what())? {
        let mut reference = reference.reading(what())?;
        tips.extend(reference.peel_to_id().ok().map(|id| refs::oid(id.detach())));
    }
    tips.sort();
    tips.dedup();
    let mut only_here = Vec::new();
    for tip in tips {
        if !known.iter().any(|main| holds(main, &tip)) && !is_pushed(&module, &tip)? {
            only_here.push(tip);
        }
    }
    Ok(only_here)
}

/// Repositories whose git directory lies in their own directory. Links are not followed.
fn gather_nested(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Report> {
    for inner in directories(dir)? {
        if inner.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        if inner.join(".git").symlink_metadata().is_ok_and(|about| about.is_dir()) {
            found.push(inner.clone());
        }
        gather_nested(&inner, found)?;
    }
    Ok(())
}

/// Those in it, links left out; none where it is not there.
fn directories(dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let what = || format!("read {}", dir.display());
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if private::is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(what()),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.doing(what())?;
        if entry.file_type().doing(what())?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// git moves a submodule's entry and leaves what is checked out of it as it is, which then reads as a move back: no
/// change may reach one in a shadow that stays.
pub fn refuse_left_behind(
    worktree: &Worktree,
    changes: &[ChangedPath],
    target: &BranchName,
) -> Result<(), Report> {
    let moves = |change: &&ChangedPath| {
        change.old.as_ref().is_some_and(|entry| entry.mode.is_submodule())
            && worktree.path.join(change.path.as_path()).join(".git").symlink_metadata().is_ok()
    };
    let Some(first) = changes.iter().find(moves) else { return Ok(()) };
    let (id, path) = (&worktree.id, first.path.to_lossy());
    Err(Report::user(
        Code::WrongState,
        format!("{target} has moved the submodule {path}, and what {id} has checked out of it would stay behind"),
    )
    .cause("its old commit would then read as a change of the shadow's own, and land as one")
    .unchanged()
    .hint(format!("`git merge {target}` in the shadow, then `git submodule update` there, moves both"))
    .detail("submodule", path))
}

/// Of every submodule that these changes move. One that no repository here holds may be nowhere at all.
pub fn find_unpushed(
    repository: &Repository,
    worktree: &Worktree,
    main: Option<&Path>,
    changes: &[ChangedPath],
) -> Result<Vec<Unpushed>, Report> {
    let mut found = Vec::new();
    for change in changes {
        let Some(new) = change.new.as_ref().filter(|entry| entry.mode.is_submodule()) else {
            continue;
        };
        let path = change.path.as_path();
        let in_main = repositories(&repository.common_dir, main.map(|main| main.join(path)))?;
        if in_main.iter().any(|dir| open(dir).is_ok_and(|main| holds(&main, &new.oid))) {
            continue;
        }
        let (mut held_in, mut pushed) = (None, false);
        for dir in repositories(&worktree.admin_dir, Some(worktree.path.join(path)))? {
            let module = open(&dir)?;
            if !holds(&module, &new.oid) {
                continue;
            }
            held_in.get_or_insert_with(|| dir.clone());
            pushed = is_pushed(&module, &new.oid)?;
            if pushed {
                break;
            }
        }
        if !pushed {
            let one = Unpushed { path: change.path.clone(), commit: new.oid.clone(), held_in };
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    Ok(found)
}

/// Of the commits that a submodule came by, and of those it goes without, so many are told.
const PASSED_MAX: usize = 20;

/// What lies between a submodule's two commits, from the first repository that has both. A comfort: where none has, or
/// it cannot be read, the two names are all that is told.
pub fn read_passed(
    repository: &Repository,
    worktree: &Worktree,
    main: Option<&Path>,
    change: &FileChange,
) -> Vec<Passed> {
    let (Some(old), Some(new)) = (&change.old, &change.new) else { return Vec::new() };
    if !old.mode.is_submodule() || !new.mode.is_submodule() {
        return Vec::new();
    }
    let path = change.path.as_path();
    let places = [
        repositories(&worktree.admin_dir, Some(worktree.path.join(path))),
        repositories(&repository.common_dir, main.map(|main| main.join(path))),
    ];
    let modules = places.into_iter().flat_map(Result::unwrap_or_default);
    let mut both = modules.filter_map(|dir| open(&dir).ok());
    let Some(module) = both.find(|module| holds(module, &old.oid) && holds(module, &new.oid))
    else {
        return Vec::new();
    };
    let mut passed = passed_by(&module, LineKind::Added, &new.oid, &old.oid);
    passed.extend(passed_by(&module, LineKind::Removed, &old.oid, &new.oid));
    passed
}

/// The subjects of what one commit has and the other has not.
fn passed_by(module: &gix::Repository, kind: LineKind, one: &Oid, other: &Oid) -> Vec<Passed> {
    let walk = module.rev_walk([object_id(one)]).with_hidden([object_id(other)]).all();
    let commits = walk.into_iter().flatten().map_while(Result::ok).take(PASSED_MAX);
    let subject = |commit: gix::revision::walk::Info<'_>| {
        let object = commit.object().ok()?;
        let subject = object.message().ok()?.summary().to_string();
        Some(Passed { kind, subject })
    };
    commits.filter_map(subject).collect()
}

/// Those in a git directory's `modules`, and the one that is checked out.
fn repositories(git_dir: &Path, checked_out: Option<PathBuf>) -> Result<Vec<PathBuf>, Report> {
    let mut found: Vec<PathBuf> =
        checked_out.into_iter().filter(|dir| dir.join(".git").symlink_metadata().is_ok()).collect();
    gather(&git_dir.join("modules"), &mut found)?;
    Ok(found)
}

/// A submodule's name may have slashes, and a module may have modules of its own.
fn gather(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Report> {
    for inner in directories(dir)? {
        if inner.join("HEAD").symlink_metadata().is_ok() && inner.join("objects").is_dir() {
            gather(&inner.join("modules"), found)?;
            found.push(inner);
        } else {
            gather(&inner, found)?;
        }
    }
    Ok(())
}

pub(super) fn open(dir: &Path) -> Result<gix::Repository, Report> {
    if dir.join(".git").symlink_metadata().is_ok() {
        control::refuse_special_around(dir)?;
    } else {
        control::refuse_special_in(dir)?;
    }
    let options = as_stored(gix::open::Options::isolated());
    options
        .open(dir)
        .map(|found| found.to_thread_local())
        .reading(format!("the submodule's repository {}", dir.display()))
        .map_err(|report| {
            report.unchanged().hint("mend that repository, or remove it, then land again")
        })
}

fn holds(module: &gix::Repository, commit: &Oid) -> bool {
    module.object_hash() == object_id(commit).kind() && module.has_object(object_id(commit))
}

/// Whether a remote's branch, as last seen, leads to it.
fn is_pushed(module: &gix::Repository, commit: &Oid) -> Result<bool, Report> {
    let what = || format!("the remote branches in {}", module.git_dir().display());
    let platform = module.references().reading(what())?;
    let mut tips = Vec::new();
    for reference in platform.remote_branches().reading(what())? {
        let mut reference = reference.reading(what())?;
        // `origin/HEAD` may name a branch that is gone.
        tips.extend(reference.peel_to_id().ok().map(gix::Id::detach));
    }
    let mut only_here = module
        .rev_walk([object_id(commit)])
        .with_hidden(tips)
        .all()
        .reading(format!("the history of {commit}"))?;
    Ok(match only_here.next() {
        None => true,
        Some(first) => {
            first.reading(format!("the history of {commit}"))?;
            false
        }
    })
}
