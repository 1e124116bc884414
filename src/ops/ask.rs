//! Asking the agent about conflicts: each is written as a comment on its shadow. No repository is written.

use super::{Deck, notes};
use crate::{
    report::{Code, Report},
    review::{ConflictPage, ask, comment::apply},
    shadow::RepoPath,
    store::journal::now_ms,
};

/// What was asked, by path and number: about these files, or about all where none is named. All of it, or nothing.
pub fn ask(
    deck: &Deck,
    page: &ConflictPage,
    paths: &[RepoPath],
) -> Result<Vec<(RepoPath, u32)>, Report> {
    if let Some(path) =
        paths.iter().find(|path| page.files.iter().all(|f| f.conflict.path != **path))
    {
        return Err(refuse_no_conflict(page, path));
    }
    let is_named = |path: &RepoPath| paths.is_empty() || paths.contains(path);
    let files: Vec<_> = page.files.iter().filter(|file| is_named(&file.conflict.path)).collect();
    let changes: Vec<_> = files.iter().map(|file| ask::change(page, file)).collect();
    let mut trial = notes::change(deck, &page.id, &[])?.threads;
    for change in &changes {
        apply(&mut trial, change, now_ms())?;
    }
    let answers = notes::change(deck, &page.id, &changes)?.answers;
    let paths = files.into_iter().map(|file| file.conflict.path.clone());
    paths.zip(answers).map(|(path, answer)| Ok((path, answer?.number))).collect()
}

fn refuse_no_conflict(page: &ConflictPage, path: &RepoPath) -> Report {
    let id = &page.id;
    Report::user(Code::NotFound, format!("{} is no conflict file of {id}", path.to_lossy()))
        .safe("nothing was written")
        .hint(format!("`shadowdeck conflicts {id}` names them"))
        .detail("path", path.to_lossy())
}
