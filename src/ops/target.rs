//! Which branch a shadow lands on: the recorded one, else the repository's default target.

use std::sync::atomic::AtomicBool;

use super::{Deck, ground::Ground};
use crate::{
    git::{
        refs,
        worktrees::{Head, Worktrees},
    },
    report::{Code, Report},
    shadow::{BranchName, Oid, ShadowId, ShadowRecord, State, convention},
    store::journal::now_ms,
};

/// The branch that shadows without a recorded target land on: the configured one, else the branch
/// of the main worktree, else (bare or detached) the default branch. `None` where none of these exists.
pub fn find_default(deck: &Deck, worktrees: &Worktrees) -> Result<Option<BranchName>, Report> {
    if let Some(configured) = &deck.config.target {
        return Ok(Some(BranchName(configured.clone())));
    }
    if let (Some(_), Head::Branch { name, tip: Some(_) }) =
        (&worktrees.main.path, &worktrees.main.head)
    {
        return Ok(Some(name.clone()));
    }
    find_default_branch(deck)
}

/// The branch that the repository itself is about: `origin/HEAD`'s, else `init.defaultBranch`, else
/// the only one of main and master; it must exist.
pub fn find_default_branch(deck: &Deck) -> Result<Option<BranchName>, Report> {
    let repository = &deck.repository;
    let exists =
        |name: &BranchName| Ok::<_, Report>(refs::find_branch_tip(repository, name)?.is_some());
    let origin = refs::find_symbolic(repository, "refs/remotes/origin/HEAD")
        .and_then(|full| full.strip_prefix("refs/remotes/origin/").map(str::to_owned))
        .map(BranchName);
    let configured =
        repository.settings.value("init.defaultbranch").map(|name| BranchName(name.to_owned()));
    for name in origin.into_iter().chain(configured) {
        if exists(&name)? {
            return Ok(Some(name));
        }
    }
    let (main, master) = (BranchName("main".to_owned()), BranchName("master".to_owned()));
    Ok(match (exists(&main)?, exists(&master)?) {
        (true, false) => Some(main),
        (false, true) => Some(master),
        _ => None,
    })
}

/// The target's tip, or why there is none to land on.
pub fn find_tip(deck: &Deck, target: Option<&BranchName>) -> Result<(BranchName, Oid), Report> {
    let Some(target) = target else {
        return Err(Report::user(
            Code::NotFound,
            "no target: no branch is checked out in a main worktree, and neither origin/HEAD, \
             init.defaultBranch, main nor master tells one",
        )
        .unchanged()
        .hint("name one with --target BRANCH, or set `target` in the config"));
    };
    if !refs::is_valid_branch(target) {
        let headline = format!("`{}` is no name that a branch can have", target.0.escape_debug());
        return Err(Report::user(Code::InvalidValue, headline)
            .unchanged()
            .hint("`git branch` lists them; name one as it stands there, without refs/heads/")
            .detail("target", target.0.as_str()));
    }
    let followed = refs::follow(&deck.repository, target);
    if let Some(other) = refs::find_symbolic(&deck.repository, &followed.full()) {
        return Err(refuse_symbolic(&followed, &other));
    }
    match refs::find_branch_tip(&deck.repository, &followed)? {
        Some(tip) => Ok((followed, tip)),
        None => {
            Err(Report::user(Code::NotFound, format!("there is no branch {target} to land on"))
                .unchanged()
                .hint("name another with --target BRANCH")
                .detail("target", target.0.as_str()))
        }
    }
}

/// Moving it would move something that is no branch, and that no worktree can have checked out.
fn refuse_symbolic(target: &BranchName, other: &str) -> Report {
    Report::user(
        Code::WrongState,
        format!("{target} is a symbolic ref to {other}, which is no branch to land on"),
    )
    .unchanged()
    .hint("name another with --target BRANCH")
    .detail("target", target.0.as_str())
}

/// Records another branch for this shadow to land on; it must exist.
pub fn remember(deck: &Deck, id: &ShadowId, target: &BranchName) -> Result<(), Report> {
    find_tip(deck, Some(target))?;
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let place = ground.find(id)?;
    let mut record = match place.record()? {
        Some(record) => record.clone(),
        None => foreign_record(place.worktree.path.clone(), id, place.worktree.head.branch()),
    };
    if record.target.as_ref() == Some(target) {
        return Ok(());
    }
    record.target = Some(target.clone());
    deck.store.records().write(&record)
}

/// The record of a shadow that another tool made: what can be known of it now.
pub fn foreign_record(
    path: std::path::PathBuf,
    id: &ShadowId,
    branch: Option<&BranchName>,
) -> ShadowRecord {
    ShadowRecord {
        ulid: ulid::Ulid::generate(),
        id: id.clone(),
        convention: convention::name_for(branch, &path).to_owned(),
        agent: branch.and_then(convention::agent_of).map(str::to_owned),
        plan: branch.and_then(convention::plan_of).map(str::to_owned),
        path,
        original_path: None,
        branch: branch.cloned(),
        original_branch: None,
        base_commit: None,
        target: None,
        strategy: None,
        created_at_ms: now_ms(),
        state: State::Active,
        requested: None,
        last_error: None,
    }
}
