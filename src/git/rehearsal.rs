//! A worktree for hooks to run in: made without checkout and without hooks, detached at the target, with the result
//! in index and files. It is hidden from every list, and nothing in it is anybody's work.

use std::{
    fs,
    ops::ControlFlow,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Repository,
    command::{Git, Output},
    hooks::Hooks,
    obstacles::Place,
    private,
    writer::{Writer, parse_oid},
};
use crate::{
    report::{Code, Doing, Report},
    shadow::{Oid, OperationId},
};

/// With the place below the private directory it tells a rehearsal from a shadow.
const NAME_PREFIX: &str = "shadowdeck-rehearsal-";
const DIR: &str = "rehearsals";

/// Where the rehearsal of an operation lies.
pub fn place_for(repository: &Repository, operation: OperationId) -> Place {
    let name = format!("{NAME_PREFIX}{}", operation.to_string().to_lowercase());
    Place {
        worktree: repository.private_dir().join(DIR).join(&name),
        git_dir: repository.common_dir.join("worktrees").join(name),
        timeout: repository.timeout,
    }
}

/// Whether this registration is one. Both name and place must say so: no shadow can hide as one.
pub(super) fn is_rehearsal(repository: &Repository, admin_dir: &Path, path: &Path) -> bool {
    let named = admin_dir
        .file_name()
        .is_some_and(|name| name.as_bytes().starts_with(NAME_PREFIX.as_bytes()));
    named && path.parent() == Some(&repository.private_dir().join(DIR))
}

/// Makes it. The caller has named it in the journal before.
pub fn make(
    repository: &Repository,
    writer: &Writer<'_>,
    place: &Place,
    target: &Oid,
    result: &Oid,
) -> Result<(), Report> {
    writer
        .quiet("worktree")?
        .git_dir(&repository.common_dir)
        .dir(&repository.common_dir)
        .args(["add", "--quiet", "--detach", "--no-checkout", "--"])
        .arg(&place.worktree)
        .arg(target.as_str())
        .run()?;
    place
        .put(writer.quiet("read-tree")?)
        .args(["--reset", "-u", "--no-recurse-submodules", result.as_str()])
        .run()
        .map(drop)
}

/// Lends ignored directories of another worktree, by links. The answer names those that could not be lent.
pub fn lend(place: &Place, from: &Path, names: &[String]) -> Result<Vec<String>, Report> {
    let mut left = Vec::new();
    for name in names {
        let (source, link) = (from.join(name), place.worktree.join(name));
        if !source.exists() {
            continue;
        }
        // It takes no literal pathspecs.
        let ignored = Git::reading("check-ignore")
            .pathspec_magic()
            .work_tree(from)
            .args(["--quiet", "--"])
            .arg(name)
            .run_any()?
            .exit_code
            == 0;
        let is_free = link.symlink_metadata().is_err_and(|error| private::is_missing(&error));
        let is_lent = ignored && is_free && std::os::unix::fs::symlink(&source, &link).is_ok();
        if !is_lent {
            left.push(name.clone());
        }
    }
    Ok(left)
}

/// Removes it, whatever of it is there. Links are removed, never followed.
pub fn remove(repository: &Repository, place: &Place) -> Result<(), Report> {
    if !is_rehearsal(repository, &place.git_dir, &place.worktree) {
        return Err(Report::environment(
            Code::Io,
            format!("{} is no rehearsal and stays", place.worktree.display()),
        ));
    }
    for dir in [&place.worktree, &place.git_dir] {
        match fs::remove_dir_all(dir) {
            Ok(()) => {}
            Err(error) if private::is_missing(&error) => {}
            Err(error) => return Err(error).doing(format!("remove {}", dir.display())),
        }
    }
    // Not empty where other worktrees are registered: then it stays.
    let _ = fs::remove_dir(repository.common_dir.join("worktrees"));
    let _ = fs::remove_dir(repository.private_dir().join(DIR));
    Ok(())
}

/// The tree that the index there makes.
pub fn read_index_tree(place: &Place) -> Result<Oid, Report> {
    parse_oid(&place.reading("write-tree").run()?.text())
}

/// How a hook of the user's is run.
#[derive(Clone, Debug)]
pub struct HookRun<'a> {
    pub hooks: &'a Hooks,
    pub place: &'a Place,
    pub name: &'a str,
    pub args: Vec<PathBuf>,
    pub timeout: Duration,
}

impl HookRun<'_> {
    /// As git runs it, without our lock. What it says is in the output's two streams, and `look` gets its lines as
    /// they come; `None` where that broke it off.
    pub fn run(
        self,
        look: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<Option<Output>, Report> {
        let mut setting = b"core.hooksPath=".to_vec();
        setting.extend_from_slice(self.hooks.dir.as_os_str().as_bytes());
        let timeout = self.timeout;
        self.place
            .put(Git::of_hooks("hook"))
            .global("-c")
            .global(std::ffi::OsStr::from_bytes(&setting))
            .env("GIT_INDEX_FILE", self.place.git_dir.join("index"))
            // As for a commit whose message is given: no editor opens.
            .env("GIT_EDITOR", ":")
            .args(["run", "--ignore-missing", self.name, "--"])
            .args(&self.args)
            .timeout(timeout)
            .run_watched(look)
            .map_err(|report| told_as_hook(report, self.name, timeout))
    }
}

fn told_as_hook(report: Report, name: &str, timeout: Duration) -> Report {
    if report.code != Code::Timeout {
        return report;
    }
    let limit_s = timeout.as_secs();
    Report {
        headline: format!("the hook {name} did not end within {limit_s} s and was ended"),
        ..report
    }
    .unchanged()
    .hint("raise `hooks.timeout_s` in the config if it needs longer, or land with --no-verify")
    .detail("hook", name)
}

/// The message that a hook has left, cleaned as git cleans it.
pub fn read_message(place: &Place, file: &Path) -> Result<String, Report> {
    let bytes = fs::read(file).doing(format!("read {}", file.display()))?;
    strip(place, bytes)
}

/// A message of ours, cleaned the same way.
pub fn stripped(place: &Place, message: &str) -> Result<String, Report> {
    strip(place, message.as_bytes().to_vec())
}

fn strip(place: &Place, bytes: Vec<u8>) -> Result<String, Report> {
    Ok(place.reading("stripspace").input(bytes).run()?.text())
}
