//! A part of a shadow's change: which files and lines are meant, and the tree of its base with just these.
//! That tree is merged with the target as the whole would be; what is left out stays in the shadow.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use super::{
    guard::Ground,
    result::{commit_tree, planned_tree},
};
use crate::{
    git::{
        base::{self, Base},
        commit::Signing,
        diff::{self, Pair},
        lines,
        obstacles::changed_paths,
        private,
        writer::parse_oid,
    },
    ops::{
        Deck,
        resolve::{Scratch, index_line, write_blob},
    },
    report::{Blame, Code, Report},
    review::{
        Accepted, Content, Entry, FileChange, FileDiff, LandPlan, Mode, Only,
        accepted::{self, Counts, Portion},
        ticks::TickKey,
    },
    shadow::{BranchName, Oid, RepoPath, ShadowId},
};

pub(super) struct Chosen {
    /// The base's tree with the accepted files and lines.
    pub tree: Oid,
    pub counts: Counts,
    pub left_out: Vec<RepoPath>,
    /// Files of which something is accepted.
    pub taken: Vec<RepoPath>,
}

/// What is meant by `only`, on the facts of `ground`.
pub(super) fn choose(
    deck: &Deck,
    ground: &Ground,
    only: &Only,
    cancel: &AtomicBool,
) -> Result<Chosen, Report> {
    let base = base::read(&deck.repository, &ground.before, &ground.tip)?;
    let files = read_files(deck, ground, &base, cancel)?;
    let id = &ground.worktree.id;
    let accepted = match only {
        Only::Accepted(accepted) => {
            refuse_outdated(id, &files, accepted)?;
            accepted.clone()
        }
        Only::Paths(paths) => accept_paths(id, &files, paths)?,
    };
    if accepted.is_empty() {
        return Err(refuse_nothing(id, &ground.target));
    }
    let is_left = |file: &&FileDiff| accepted.portion(file) != Some(&Portion::Whole);
    let left_out = files.iter().filter(is_left).map(|file| file.change.path.clone()).collect();
    let is_taken = |file: &&FileDiff| accepted.portion(file).is_some();
    let taken = files.iter().filter(is_taken).map(|file| file.change.path.clone()).collect();
    let tree = write_tree(deck, &base.tree, &files, &accepted)?;
    Ok(Chosen { tree, counts: accepted.counts(&files), left_out, taken })
}

pub(super) fn refuse_nothing(id: &ShadowId, target: &BranchName) -> Report {
    Report::user(
        Code::NothingToLand,
        format!("nothing of what {id} proposes is accepted that {target} does not have already"),
    )
    .unchanged()
    .hint("accept some of it first")
}

fn read_files(
    deck: &Deck,
    ground: &Ground,
    base: &Base,
    cancel: &AtomicBool,
) -> Result<Vec<FileDiff>, Report> {
    let pair = Pair { old: base.tree.clone(), new: ground.snapshot.tree.clone() };
    let changes = diff::read_pair(&deck.repository, &ground.before, &pair)?;
    let local = private::local(&deck.repository)?;
    changes.into_iter().map(|change| lines::read_file(&local, change, cancel)).collect()
}

/// What was accepted must still be there, byte for byte.
fn refuse_outdated(id: &ShadowId, files: &[FileDiff], accepted: &Accepted) -> Result<(), Report> {
    let known: BTreeSet<TickKey> = files.iter().map(|file| TickKey::of(&file.change)).collect();
    let Some((key, _)) = accepted.files().find(|(key, _)| !known.contains(key)) else {
        return Ok(());
    };
    let path = key.path().to_lossy();
    Err(Report::user(
        Code::ShadowMoved,
        format!("{path} of {id} is not what it was when it was accepted"),
    )
    .unchanged()
    .hint("look at it again, then accept what is there now")
    .detail("path", path))
}

/// A renamed file goes by either of its names.
fn accept_paths(id: &ShadowId, files: &[FileDiff], paths: &[RepoPath]) -> Result<Accepted, Report> {
    let mut accepted = Accepted::default();
    for path in paths {
        let wanted = parse_inside(path)?;
        let names = |change: &FileChange| {
            is_at(&change.path, wanted)
                || change.old_path.as_ref().is_some_and(|old| is_at(old, wanted))
        };
        let mut found = files.iter().filter(|file| names(&file.change)).peekable();
        if found.peek().is_none() {
            let path = path.to_lossy();
            return Err(Report::user(
                Code::NotFound,
                format!("{path} is not in the change of {id}"),
            )
            .unchanged()
            .hint(format!("`shadowdeck diff {id} --name-status` names what is"))
            .detail("path", path));
        }
        found.for_each(|file| accepted.accept_file(file));
    }
    Ok(accepted)
}

/// As the repository has it, a `/` at the end of a directory aside.
fn parse_inside(path: &RepoPath) -> Result<&[u8], Report> {
    let bytes = path.as_bytes();
    let bytes = bytes.strip_prefix(b"./").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"/").unwrap_or(bytes);
    let plain = |part: &[u8]| !matches!(part, b"" | b"." | b"..");
    if bytes.split(|byte| *byte == b'/').all(plain) {
        return Ok(bytes);
    }
    let path = path.to_lossy();
    Err(Report::user(Code::InvalidPath, format!("`{path}` is no path within the repository"))
        .unchanged()
        .hint("name files as `shadowdeck diff` does")
        .detail("path", path))
}

/// The path itself, or anything below it.
fn is_at(path: &RepoPath, wanted: &[u8]) -> bool {
    let rest = path.as_bytes().strip_prefix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

fn write_tree(
    deck: &Deck,
    base: &Oid,
    files: &[FileDiff],
    accepted: &Accepted,
) -> Result<Oid, Report> {
    let repository = &deck.repository;
    let scratch = Scratch::new(repository)?;
    scratch.git(repository, "read-tree").arg(base.as_str()).run()?;
    let (mut removals, mut additions) = (Vec::new(), Vec::new());
    let mut touched = BTreeSet::new();
    for file in files {
        let Some(portion) = accepted.portion(file) else { continue };
        let change = &file.change;
        let gone = change.old_path.as_ref().or(change.old.as_ref().map(|_| &change.path));
        if let Some(path) = gone {
            removals.extend(index_line("0", repository.null_oid().as_str(), path));
            touched.insert(path.clone());
        }
        if let Some(entry) = entry_of(deck, file, portion)? {
            let (mode, oid) = (entry.mode.as_octal(), entry.oid.as_str());
            additions.extend(index_line(mode, oid, &change.path));
            touched.insert(change.path.clone());
        }
    }
    removals.extend(additions);
    scratch
        .git(repository, "update-index")
        .args(["-z", "--replace", "--index-info"])
        .input(removals)
        .run()?;
    let tree = parse_oid(&scratch.git(repository, "write-tree").run()?.text())?;
    let changes = changed_paths(repository.planning("diff-tree"), base.as_str(), tree.as_str())?;
    match changes.into_iter().find(|change| !touched.contains(&change.path)) {
        None => Ok(tree),
        Some(change) => Err(refuse_entangled(&change.path)),
    }
}

/// A file cannot come where another one, left out, still stands in the way of its directory.
fn refuse_entangled(path: &RepoPath) -> Report {
    let path = path.to_lossy();
    Report::user(
        Code::InvalidPath,
        format!("{path} would have to go for what is accepted, and is left out itself"),
    )
    .unchanged()
    .hint(format!("accept {path} too, or leave out what takes its place"))
    .detail("path", path)
}

/// What the path becomes; `None` where it goes.
fn entry_of(deck: &Deck, file: &FileDiff, portion: &Portion) -> Result<Option<Entry>, Report> {
    let change = &file.change;
    let blocks = match portion {
        Portion::Whole => return Ok(change.new.clone()),
        Portion::Blocks(blocks) => blocks,
    };
    let impossible = |why: &str| {
        let path = change.path.to_lossy();
        Report::new(Code::InvalidValue, Blame::User, format!("{path} lands whole or not: {why}"))
            .unchanged()
            .hint("accept the whole file, or leave it out")
    };
    let (Content::Text { old, new, .. }, Some(was)) = (&file.content, &change.old) else {
        return Err(impossible("it has no lines to choose from"));
    };
    let is_plain = |entry: &Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    if !change.new.as_ref().is_some_and(is_plain) || !is_plain(was) {
        return Err(impossible("it is no plain file on both sides"));
    }
    let bytes = accepted::apply(old, new, blocks)
        .ok_or_else(|| impossible("those lines are not in its change"))?;
    // A new name comes with the first line accepted, a new mode with the last.
    Ok(Some(Entry { mode: was.mode, oid: write_blob(&deck.repository, bytes)? }))
}

/// Where a shadow that stays goes on from.
pub(super) struct Kept {
    pub new_tip: Oid,
    pub whole: Oid,
}

/// A commit of what is left, on what lands; what lands itself where nothing is left.
pub(super) fn read_kept(
    deck: &Deck,
    plan: &LandPlan,
    signing: &Signing,
) -> Result<Option<Kept>, Report> {
    if !plan.keep {
        return Ok(None);
    }
    let landed = planned_tree(deck, &plan.after)?;
    let whole = plan.part.as_ref().map_or(&landed, |part| &part.whole).clone();
    if whole == landed {
        return Ok(Some(Kept { new_tip: plan.after.clone(), whole }));
    }
    let words = format!(
        "Rest of {}\n\nWhat was left out when a part of it landed on {}.",
        plan.id, plan.target
    );
    let new_tip = commit_tree(deck, &whole, &[&plan.after], &words, signing)?;
    Ok(Some(Kept { new_tip, whole }))
}
