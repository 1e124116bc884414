//! One shadow in full: its row, its commits, its files, who is at work in it.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::{Ground, check},
    list, notes, standing,
};
use crate::{
    git::{diff, refs},
    report::Report,
    review::{FileChange, Row, comment::count_open},
    shadow::{Oid, ShadowId},
    store::journal::now_ms,
};

/// The newest commits that are shown; the row's `ahead` counts all.
const COMMITS_MAX: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub row: Row,
    /// Those that the target lacks, newest first.
    pub commits: Vec<Commit>,
    pub files: Vec<FileChange>,
    /// Comments that are not closed; `None` where they cannot be read, and `notes` says why.
    pub comments: Option<usize>,
    pub read_at_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub id: Oid,
    pub subject: String,
    pub author: String,
    pub time_ms: u64,
}

/// A broken shadow is shown too, with its problem and without what could not be read.
pub fn read_shadow(deck: &Deck, id: &ShadowId) -> Result<Shown, Report> {
    let cancel = AtomicBool::new(false);
    let row = list::read_row(deck, id, &cancel)?;
    let ground = Ground::read(deck, &cancel)?;
    check(&cancel)?;
    let threads = notes::change(deck, id, &[]).ok().map(|notes| notes.threads);
    let comments = threads.map(|threads| count_open(&threads));
    let read_at_ms = now_ms();
    let mut shown = Shown { row, commits: Vec::new(), files: Vec::new(), comments, read_at_ms };
    let place = ground.find(id)?;
    let repository = &deck.repository;
    let target = ground.target_of(place);
    let target_tip = match &target {
        Some(target) => refs::find_branch_tip(repository, target)?,
        None => None,
    };
    if let (Some(target_tip), Some(tip)) = (&target_tip, place.worktree.head.tip()) {
        let mut ids = refs::commits_between(repository, target_tip, tip)?;
        ids.truncate(COMMITS_MAX);
        for id in ids {
            shown.commits.push(read_commit(deck, id)?);
        }
    }
    if shown.row.snapshot.is_some() && target_tip.is_some() && place.worktree.problem.is_none() {
        let standing = standing::read(deck, id, &cancel)?;
        shown.files = diff::read_pair(repository, &standing.target_tip, &standing.change())?;
    }
    Ok(shown)
}

fn read_commit(deck: &Deck, id: Oid) -> Result<Commit, Report> {
    let about = refs::read_commit(&deck.repository, &id)?;
    Ok(Commit { id, subject: about.subject, author: about.author, time_ms: about.time_ms })
}
