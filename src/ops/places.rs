//! Which worktree an operation is about, and where a branch is checked out: found anew for every write.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::{self, Ground},
    processes::Processes,
    target,
};
use crate::{
    git::{
        obstacles::Place,
        worktrees::{Worktree, Worktrees},
    },
    report::{Code, Report},
    review::Process,
    shadow::{BranchName, ShadowId, ShadowRecord},
};

/// The shadow of this id, with the worktrees around it. One that holds a target is none.
pub fn find_shadow(deck: &Deck, id: &ShadowId) -> Result<(ground::Place, Ground), Report> {
    let all = Ground::read(deck, &AtomicBool::new(false))?;
    let place = all.find(id)?.clone();
    if all.is_target(&place) {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} has a branch checked out that shadows land on: it is no shadow"),
        )
        .unchanged()
        .hint("switch it to another branch if it is to be landed or discarded"));
    }
    Ok((place, all))
}

/// Where `branch` is checked out. More than once is a state in which nothing may move it.
pub fn find_place(
    deck: &Deck,
    worktrees: &Worktrees,
    branch: &BranchName,
) -> Result<Option<Place>, Report> {
    let mut places = Vec::new();
    if let Some(path) = &worktrees.main.path
        && worktrees.main.head.branch() == Some(branch)
    {
        let git_dir = deck.repository.common_dir.clone();
        places.push(Place { worktree: path.clone(), git_dir, timeout: deck.git_timeout() });
    }
    for linked in worktrees.linked.iter().filter(|linked| linked.head.branch() == Some(branch)) {
        if let Some(problem) = &linked.problem {
            return Err(Report::user(
                Code::TargetBusy,
                format!("{branch} is checked out in {}, and {problem}", linked.path.display()),
            )
            .unchanged()
            .hint("mend or remove that worktree first"));
        }
        places.push(place_of(deck, linked));
    }
    if let [one, other, ..] = &places[..] {
        return Err(Report::user(
            Code::TargetBusy,
            format!(
                "{branch} is checked out twice, in {} and {}",
                one.worktree.display(),
                other.worktree.display()
            ),
        )
        .unchanged()
        .hint("switch one of them to another branch, then land again"));
    }
    Ok(places.pop())
}

pub fn place_of(deck: &Deck, worktree: &Worktree) -> Place {
    Place {
        worktree: worktree.path.clone(),
        git_dir: worktree.admin_dir.clone(),
        timeout: deck.git_timeout(),
    }
}

/// What is remembered of it, or what can be told of one that nothing was remembered of yet.
pub fn record_of(deck: &Deck, worktree: &Worktree) -> Result<ShadowRecord, Report> {
    let recorded = deck.store.records().read(&worktree.id)?;
    Ok(recorded.unwrap_or_else(|| {
        target::foreign_record(worktree.path.clone(), &worktree.id, worktree.head.branch())
    }))
}

/// Who is at work there.
pub fn at_work_in(worktree: &Worktree) -> Vec<Process> {
    Processes::read().inside(&worktree.path)
}

/// For one line: `claude (4711), bash (4712)`.
pub fn named(processes: &[Process]) -> String {
    let names: Vec<String> = processes.iter().map(|p| format!("{} ({})", p.name, p.pid)).collect();
    names.join(", ")
}

/// The directories that were made for shadows go with the last of them.
pub(super) fn remove_empty_dirs(path: &std::path::Path) {
    let Some(dir) = path.parent().filter(|dir| dir.ends_with(super::create::DIR)) else { return };
    for dir in dir.ancestors().take(2) {
        // Not empty: it is in use, and so is what is above it.
        if std::fs::remove_dir(dir).is_err() {
            break;
        }
    }
}
