//! What goes in and is not to be overlooked: comments that are still open, and flags of files. None of it keeps a
//! shadow from landing.

use super::guard::Ground;
use crate::{
    git::diff::Pair,
    ops::{Deck, judge::Source, list, places},
    report::Report,
    review::{
        FileChange, Process, UNCOMMITTED,
        comment::count_open,
        count,
        flag::{FileFlag, Flag},
        name::visible_name,
        visible::visible_str,
    },
    shadow::{Oid, RepoPath},
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
    format!("{}: {}", one.flag.words(), visible_name(one.path.as_bytes()))
}

/// What of the landing itself is told.
pub(super) struct Told<'a> {
    pub safety_net: Option<&'a Oid>,
    /// The message of the commit that uncommitted work becomes, where the target's history gets it.
    pub own_commit: Option<&'a str>,
    /// The user's own work, carried in, that the target does not have yet.
    pub carried: Vec<RepoPath>,
    pub left_out: &'a [&'a str],
    pub at_work: &'a [Process],
}

pub(super) fn warnings(ground: &Ground, told: &Told<'_>) -> Vec<String> {
    let named = |paths: &[RepoPath]| {
        paths.iter().map(|path| visible_name(path.as_bytes())).collect::<Vec<_>>().join(", ")
    };
    let mut warnings = Vec::new();
    match (told.own_commit, told.safety_net) {
        (Some(message), _) => {
            let subject = message.lines().next().unwrap_or_default();
            let subject = visible_str(subject);
            warnings.push(format!("{UNCOMMITTED}, as a commit of its own: {subject}"));
        }
        (None, Some(_)) => warnings.push(format!("{UNCOMMITTED}: a commit was made of it first")),
        (None, None) => {}
    }
    if !told.carried.is_empty() {
        let what = "your own uncommitted work, carried in when it was made, lands too";
        warnings.push(format!("{what}: {}", named(&told.carried)));
    }
    if !ground.snapshot.hidden.is_empty() {
        let why = "edits that its index hides (skip-worktree, assume-unchanged) do not land";
        warnings.push(format!("{why}: {}", named(&ground.snapshot.hidden)));
    }
    if !ground.snapshot.busy_submodules.is_empty() {
        let why =
            "work in submodules that is in no commit does not land, and goes where the shadow goes";
        warnings.push(format!("{why}: {}", named(&ground.snapshot.busy_submodules)));
    }
    if !told.at_work.is_empty() {
        let named = places::named(told.at_work);
        warnings.push(format!("{named} is at work in {}", ground.worktree.id));
    }
    if !told.left_out.is_empty() {
        warnings.push(format!("hooks that a landing does not run: {}", told.left_out.join(", ")));
    }
    warnings
}
