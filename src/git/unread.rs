//! Why git could not read all files of a shadow, in words that name what to mend.

use super::worktrees::Worktree;
use crate::report::{Code, Report};

pub(super) fn explain(worktree: &Worktree, report: Report) -> Report {
    let id = &worktree.id;
    if let Some(dir) = report.causes.iter().find_map(|cause| unborn_in(cause)) {
        let headline = format!(
            "a repository in {id} has no commit yet, so git reads none of it: {dir}; \
             commit in it, remove its .git, or move it out of the shadow"
        );
        return Report::user(Code::WrongState, headline)
            .unchanged()
            .hint("then list again")
            .detail("path", dir);
    }
    Report {
        headline: format!("the files of {id} could not be read whole: {}", report.headline),
        ..report
    }
    .unchanged()
    .hint("mend what git names there, and list again")
}

/// `error: 'dir/' does not have a commit checked out`
fn unborn_in(cause: &str) -> Option<String> {
    let before = cause.split_once("' does not have a commit checked out")?.0;
    Some(before.split_once('\'')?.1.trim_end_matches('/').to_owned())
}
