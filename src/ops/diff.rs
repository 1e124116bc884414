//! The proposed change of one shadow: as a page to review, and as git's own text.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::check,
    standing::{self, Standing},
};
pub use crate::review::Format;
use crate::{
    git::{diff, lines, private},
    report::Report,
    review::ReviewPage,
    shadow::ShadowId,
    store::journal::now_ms,
};

/// The change with every changed line, read at one moment.
pub fn read_review(deck: &Deck, id: &ShadowId, cancel: &AtomicBool) -> Result<ReviewPage, Report> {
    let standing = standing::read(deck, id, cancel)?;
    page(deck, &standing, cancel)
}

fn page(deck: &Deck, standing: &Standing, cancel: &AtomicBool) -> Result<ReviewPage, Report> {
    let repository = &deck.repository;
    let changes = diff::read_pair(repository, &standing.target_tip, &standing.change())?;
    check(cancel)?;
    let local = private::local(repository)?;
    let mut files = Vec::with_capacity(changes.len());
    for change in changes {
        files.push(lines::read_file(&local, change, cancel)?);
    }
    Ok(ReviewPage {
        id: standing.worktree.id.clone(),
        target: standing.target.clone(),
        base: standing.base_commit(),
        tip: standing.tip.clone(),
        snapshot: standing.snapshot.tree.clone(),
        files,
        read_at_ms: now_ms(),
    })
}

/// git's own words for it; a patch is what `git apply` takes.
pub fn read_text(deck: &Deck, id: &ShadowId, format: Format) -> Result<Vec<u8>, Report> {
    let standing = standing::read(deck, id, &AtomicBool::new(false))?;
    diff::read_text(&deck.repository, &standing.target_tip, &standing.change(), format)
}
