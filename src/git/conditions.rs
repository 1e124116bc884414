//! What must hold before anything lands here: an identity, and nothing under way on the target.

use std::path::{Path, PathBuf};

use super::{Repository, control, hooks::Hooks, obstacles::Place, snapshot::find_in_progress};
use crate::{
    report::{Code, Report},
    shadow::BranchName,
};

/// The first hook that `git commit` would run in `place`, if any.
pub fn find_commit_hook(repository: &Repository, place: &Place) -> Result<Option<PathBuf>, Report> {
    let hooks = Hooks::of(repository, Some(place), &place.settings()?, &repository.null_oid())?;
    let names = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
    Ok(names.iter().find(|name| hooks.has(name)).map(|name| hooks.dir.join(name)))
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
        control::read(&git_dir.join(file)).is_ok_and(|bytes| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.trim() == target.full() || text.trim() == target.0
        })
    };
    if names("rebase-merge/head-name") || names("rebase-apply/head-name") {
        return Some("rebase".to_owned());
    }
    names("BISECT_START").then(|| "bisect".to_owned())
}
