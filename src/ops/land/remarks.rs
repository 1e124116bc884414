//! What goes in and is not to be overlooked: comments that are still open, and flags of files. None of it keeps a
//! shadow from landing.

use super::guard::Ground;
use crate::{
    git::diff::Pair,
    ops::{Deck, judge::Source, list},
    report::Report,
    review::{
        FileChange,
        comment::count_open,
        count,
        flag::{FileFlag, Flag},
        visible::{visible, visible_str},
    },
};

/// The comments first, then the gravest flags. What cannot be read says so.
pub(super) fn read(deck: &Deck, ground: &Ground, pair: &Pair, files: &[FileChange]) -> Vec<String> {
    let mut remarks: Vec<String> = match open_comments(deck, ground) {
        Ok(0) => Vec::new(),
        Ok(open) => vec![format!("{} open", count(open, "comment"))],
        Err(report) => {
            vec![format!("its comments cannot be read: {}", visible_str(&report.headline))]
        }
    };
    let task = ground.record.as_ref().and_then(|record| record.requested.as_deref());
    let source = Source { target_tip: &ground.before, pair, task };
    match list::read_flags(deck, &source, files) {
        Ok(flags) => remarks.extend(flags.iter().filter(|one| is_told(one)).map(words)),
        Err(report) => {
            let why = visible_str(&report.headline);
            remarks.push(format!("what its files hold could not be searched: {why}"));
        }
    }
    remarks
}

fn open_comments(deck: &Deck, ground: &Ground) -> Result<usize, Report> {
    let worktree = &ground.worktree;
    let threads = deck.store.comments(&worktree.id, &worktree.admin_dir)?.read()?;
    Ok(count_open(&threads))
}

/// What a file is by its kind alone is seen by its name.
fn is_told(one: &FileFlag) -> bool {
    one.flag.marks_row() || one.flag == Flag::Unsearched
}

fn words(one: &FileFlag) -> String {
    format!("{}: {}", one.flag.words(), visible(one.path.as_bytes()))
}
