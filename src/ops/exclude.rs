//! Worktrees inside the workspace, whoever made them, are kept out of its status by the repository's `info/exclude`.
//! Written before the first change that is made for them; looking never writes it.

use std::path::PathBuf;

use super::Deck;
use crate::{
    git::{
        exclude,
        obstacles::Place,
        worktrees::{self, Worktrees},
    },
    report::Report,
};

/// Those that the main worktree shows as untracked.
pub fn find_shown(deck: &Deck, worktrees: &Worktrees) -> Result<Vec<PathBuf>, Report> {
    match place(deck, worktrees) {
        Some(place) => exclude::find_shown(&place, &worktrees.linked),
        None => Ok(Vec::new()),
    }
}

/// Adds what is missing; one look and no write where nothing is.
pub fn write(deck: &Deck) -> Result<(), Report> {
    let worktrees = worktrees::read(&deck.repository)?;
    let shown = find_shown(deck, &worktrees)?;
    match &worktrees.main.path {
        Some(main) => exclude::add(&deck.repository.common_dir, main, &shown),
        None => Ok(()),
    }
}

fn place(deck: &Deck, worktrees: &Worktrees) -> Option<Place> {
    let worktree = worktrees.main.path.clone().filter(|path| path.is_dir())?;
    let git_dir = deck.repository.common_dir.clone();
    Some(Place { worktree, git_dir, timeout: deck.git_timeout() })
}
