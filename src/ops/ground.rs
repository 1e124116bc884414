//! The worktrees with what is recorded of each, and which of them are shadows: read once for an operation.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Deck, target};
use crate::{
    git::{
        lines, refs,
        worktrees::{self, Head, MainWorktree, Worktree},
    },
    report::{Code, Report},
    shadow::{BranchName, ShadowId, ShadowRecord},
};

/// A linked worktree with its record.
#[derive(Clone, Debug)]
pub struct Place {
    pub worktree: Worktree,
    record: Result<Option<ShadowRecord>, Report>,
    /// The recorded target, symbolic refs followed.
    target: Option<BranchName>,
}

impl Place {
    /// A damaged record is this shadow's problem, told where it is needed.
    pub fn record(&self) -> Result<Option<&ShadowRecord>, Report> {
        self.record.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// The record, where there is one that can be read.
    pub fn known_record(&self) -> Option<&ShadowRecord> {
        self.record.as_ref().ok().and_then(Option::as_ref)
    }
}

#[derive(Clone, Debug)]
pub struct Ground {
    pub main: MainWorktree,
    pub places: Vec<Place>,
    /// The branch that shadows without a recorded target land on.
    pub default_target: Option<BranchName>,
    /// The branch that the repository is about, which need not be what the main worktree is on.
    default_branch: Option<BranchName>,
}

impl Ground {
    /// Reads no file of any worktree and starts no process.
    pub fn read(deck: &Deck, cancel: &AtomicBool) -> Result<Self, Report> {
        check(cancel)?;
        let found = worktrees::read(&deck.repository)?;
        refuse_unborn(deck, &found.main)?;
        let follow = |branch: &BranchName| refs::follow(&deck.repository, branch);
        let default_target = target::find_default(deck, &found)?.as_ref().map(follow);
        let default_branch = target::find_default_branch(deck)?.as_ref().map(follow);
        let records = deck.store.records();
        let places = found
            .linked
            .into_iter()
            .map(|worktree| {
                let record = records.read(&worktree.id);
                let known = record.as_ref().ok().and_then(Option::as_ref);
                let target = known.and_then(|record| record.target.as_ref()).map(follow);
                Place { worktree, record, target }
            })
            .collect();
        Ok(Self { main: found.main, places, default_target, default_branch })
    }

    pub fn find(&self, id: &ShadowId) -> Result<&Place, Report> {
        self.places.iter().find(|place| place.worktree.id == *id).ok_or_else(|| {
            Report::user(Code::NotFound, format!("there is no shadow {id}"))
                .unchanged()
                .hint("`shadowdeck list` names them")
                .detail("id", id.0.as_str())
        })
    }

    /// The shadow that one of the directories lies in, if any.
    pub fn find_around(deck: &Deck, dirs: &[&Path]) -> Result<Option<ShadowId>, Report> {
        let ground = Self::read(deck, &AtomicBool::new(false))?;
        let lies_in = |place: &Place| {
            let root = &place.worktree.path;
            let root = root.canonicalize().unwrap_or_else(|_| root.clone());
            dirs.iter().any(|dir| {
                dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf()).starts_with(&root)
            })
        };
        let around = ground.shadows().find(|place| lies_in(place));
        Ok(around.map(|place| place.worktree.id.clone()))
    }

    /// A worktree that has the default branch or any recorded target checked out is where others
    /// land: it is never landed, rolled back or discarded.
    pub fn is_target(&self, place: &Place) -> bool {
        let Some(branch) = place.worktree.head.branch() else { return false };
        [&self.default_target, &self.default_branch].into_iter().flatten().any(|own| own == branch)
            || self.places.iter().any(|other| other.target.as_ref() == Some(branch))
    }

    pub fn shadows(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| !self.is_target(place))
    }

    /// The branch that this shadow lands on.
    pub fn target_of(&self, place: &Place) -> Option<BranchName> {
        place.target.clone().or_else(|| self.default_target.clone())
    }
}

/// A repository without any commit has nothing to review or to land on.
pub fn refuse_unborn(deck: &Deck, main: &MainWorktree) -> Result<(), Report> {
    let Head::Branch { name, tip: None } = &main.head else { return Ok(()) };
    if !refs::read_branches(&deck.repository)?.is_empty() {
        return Ok(());
    }
    Err(Report::user(Code::UnbornHead, format!("branch {name} has no commit yet"))
        .hint("make a first commit; shadows are made from one and land on one"))
}

/// Stops a job that nobody waits for any more.
pub fn check(cancel: &AtomicBool) -> Result<(), Report> {
    if cancel.load(Ordering::Relaxed) { Err(lines::cancelled()) } else { Ok(()) }
}
