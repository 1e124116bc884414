//! What must hold before anything lands here: an identity, no hooks or drivers that landing would bypass,
//! nothing under way on the target.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{
    Repository, drivers::drivers_in, obstacles::Place, settings::Settings,
    snapshot::find_in_progress,
};
use crate::{
    report::{Code, Report},
    shadow::BranchName,
};

/// Hooks that `git merge`, `commit` or `rebase` would run, and that landing does not run yet.
const BYPASSED_HOOKS: &[&str] = &[
    "pre-merge-commit",
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-rewrite",
    "post-merge",
];

/// Refuses what landing would silently bypass: commit and merge hooks, signing, filters and merge drivers that
/// the repository itself defines. `place` is where the target is checked out.
pub fn refuse_bypassed(repository: &Repository, place: Option<&Place>) -> Result<(), Report> {
    let settings = match place {
        Some(place) => place.settings()?,
        None => repository.settings.clone(),
    };
    let hooks_dir = hooks_dir(repository, place, &settings);
    let found = BYPASSED_HOOKS.iter().find(|hook| is_executable(&hooks_dir.join(hook)));
    if let Some(hook) = found {
        return Err(refuse(
            &format!("the hook {} would have to run", hooks_dir.join(hook).display()),
            "hook",
            hook,
        ));
    }
    if settings.is_true("commit.gpgsign") {
        return Err(refuse(
            "commits are to be signed (commit.gpgsign)",
            "config",
            "commit.gpgsign",
        ));
    }
    if let Some(driver) = drivers_in(&settings).first() {
        let name = driver.name();
        return Err(refuse(&format!("its own config defines {name}"), "config", &name));
    }
    Ok(())
}

/// The first hook that `git commit` would run in `place`, if any.
pub fn find_commit_hook(repository: &Repository, place: &Place) -> Result<Option<PathBuf>, Report> {
    let dir = hooks_dir(repository, Some(place), &place.settings()?);
    let hooks = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
    Ok(hooks.iter().map(|hook| dir.join(hook)).find(|hook| is_executable(hook)))
}

fn refuse(why: &str, kind: &str, name: &str) -> Report {
    Report::user(
        Code::UnsupportedRepository,
        format!(
            "landing is not possible here yet: {why}, and shadowdeck never bypasses it silently"
        ),
    )
    .unchanged()
    .hint("merge the shadow's branch with git itself, which runs it")
    .detail(kind, name)
}

/// As git finds it: relative to where hooks run. Read from the listed settings, since our own processes
/// turn hooks off.
fn hooks_dir(repository: &Repository, place: Option<&Place>, settings: &Settings) -> PathBuf {
    let Some(configured) = settings.value("core.hookspath").filter(|path| !path.is_empty()) else {
        return repository.common_dir.join("hooks");
    };
    if let Some(rest) = configured.strip_prefix("~/")
        && let Some(home) = std::env::var_os("HOME")
    {
        return Path::new(&home).join(rest);
    }
    let from = place.map_or(&repository.common_dir, |place| &place.worktree);
    from.join(configured)
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// git's own rules say whether there is somebody to commit as.
pub fn refuse_without_identity(repository: &Repository) -> Result<(), Report> {
    for variable in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
        let output = repository.reading("var").arg(variable).run_any()?;
        if output.exit_code != 0 {
            let mut report = Report::user(
                Code::IdentityMissing,
                "git does not know who you are: user.name and user.email are not set",
            )
            .unchanged()
            .hint("set both with `git config --global user.name …` and user.email");
            report.causes = output.failure().causes;
            return Err(report);
        }
    }
    Ok(())
}

/// What is under way in the worktree `git_dir` that a move of `target` would break, in words: anything where it
/// is checked out, elsewhere a rebase or bisect that will come back to it.
pub fn find_under_way(git_dir: &Path, target: &BranchName, checked_out: bool) -> Option<String> {
    if checked_out && let Some(what) = find_in_progress(git_dir) {
        return Some(what);
    }
    let names = |file: &str| {
        std::fs::read_to_string(git_dir.join(file))
            .is_ok_and(|text| text.trim() == target.full() || text.trim() == target.0)
    };
    if names("rebase-merge/head-name") || names("rebase-apply/head-name") {
        return Some("rebase".to_owned());
    }
    names("BISECT_START").then(|| "bisect".to_owned())
}
