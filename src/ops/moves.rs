//! What an operation does to a shadow's own place: to the trash, back from it, onto a new target.
//! Every move can be repeated after a kill: it looks at what is done already and goes on from there.

use std::path::Path;

use super::{Deck, clearing, places::place_of, returning, staying};
use crate::{
    git::{
        obstacles::{Place, changed_paths},
        pins::{self, Pin},
        settle,
        shadow_worktree::{self, Kept},
        snapshot,
        worktrees::{self, Head, Worktree},
        writer::Writer,
    },
    report::{Code, Report},
    review::ChangedPath,
    shadow::{Oid, OperationId, ShadowId},
    store::{Fate, ShadowEntry, kept as kept_files, modes, trash},
};

/// Names of copies beside a shadow's parts in the trash.
const BRANCH_LOG: &str = "branch-log";
pub(super) const INDEX: &str = "index";

/// Notes the shadow for the journal, and copies what git would delete or rewrite. Moves nothing.
pub fn note(
    deck: &Deck,
    operation: OperationId,
    worktree: &Worktree,
    snapshot: Option<Oid>,
    fate: Fate,
) -> Result<ShadowEntry, Report> {
    let trash = deck.store.trash().make_place(operation, &worktree.id)?;
    let branch = worktree.head.branch().cloned();
    if let Some(branch) = &branch {
        let log = deck.repository.common_dir.join("logs").join(branch.full());
        trash::save_copy(&log, &trash, BRANCH_LOG)?;
    }
    let mut modes = Vec::new();
    if let (Fate::Kept { whole, .. }, Some(snapshot)) = (&fate, &snapshot) {
        trash::save_copy(&worktree.admin_dir.join("index"), &trash, INDEX)?;
        let changes = changes_between(deck, snapshot, whole)?;
        let replaced = || {
            let replaced = changes.iter().filter(|change| change.old.is_some());
            replaced.map(|change| change.path.as_path())
        };
        kept_files::save_files(&worktree.path, &trash, replaced())?;
        modes = modes::read(&worktree.path, replaced())?;
    }
    let Some(tip) = worktree.head.tip().cloned() else {
        return Err(Report::user(Code::UnbornHead, format!("{} has no commit", worktree.id))
            .unchanged()
            .hint("commit something in it first"));
    };
    Ok(ShadowEntry {
        id: worktree.id.clone(),
        path: worktree.path.clone(),
        git_dir: worktree.admin_dir.clone(),
        branch,
        tip,
        snapshot,
        fate,
        trash,
        // A damaged record is left where it is; the shadow itself needs none.
        record: deck.store.records().read(&worktree.id).unwrap_or_default(),
        record_after: None,
        cleared: Vec::new(),
        modes,
    })
}

pub(super) fn changes_between(
    deck: &Deck,
    from: &Oid,
    to: &Oid,
) -> Result<Vec<ChangedPath>, Report> {
    changed_paths(deck.repository.planning("diff-tree"), from.as_str(), to.as_str())
}

/// The pins of one shadow: all that its registration knows, and the tree of all it holds.
pub fn pins_of(
    deck: &Deck,
    worktree: &Worktree,
    index: usize,
    snapshot: Option<&Oid>,
) -> Result<Vec<Pin>, Report> {
    let label = format!("shadow-{index}");
    let mut pins = pins::of_worktree(&deck.repository, worktree, &label)?;
    pins.extend(snapshot.map(|tree| Pin::new(format!("{label}/snapshot"), tree.clone())));
    Ok(pins)
}

/// Whether a git may have died while it wrote into the shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Fresh,
    CutShort,
}

/// What the user should know of one shadow, and the failure for which it stays, where it does.
#[derive(Default)]
pub struct Outcome {
    pub told: Vec<String>,
    pub failure: Option<Report>,
}

impl From<Vec<String>> for Outcome {
    fn from(told: Vec<String>) -> Self {
        Self { told, failure: None }
    }
}

/// Does or finishes what the journal says of this shadow.
pub fn finish(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &mut ShadowEntry,
    start: Start,
) -> Result<Outcome, Report> {
    match shadow.fate.clone() {
        Fate::Trashed => put_away(deck, writer, shadow).map(Outcome::from),
        Fate::Restored => {
            bring_back(deck, writer, shadow)?;
            Ok(Outcome::from(Vec::from_iter(returning::problem_of(deck, shadow))))
        }
        Fate::Kept { new_tip, whole } => {
            let mut outcome = move_on(deck, writer, shadow, (&new_tip, &whole), start)?;
            if shadow.fate == Fate::Untouched {
                outcome.told.extend(clearing::bring_back(shadow)?);
            }
            Ok(outcome)
        }
        Fate::PutBack { new_tip, whole } => {
            put_back(deck, writer, shadow, (&new_tip, &whole), start)
        }
        Fate::Made | Fate::Untouched => Ok(Outcome::default()),
    }
}

/// Whether its move to the trash has begun: then only going on is safe.
pub fn has_begun(shadow: &ShadowEntry) -> bool {
    shadow.trash.join("admin").exists() || shadow.trash.join("worktree").exists()
}

/// Whoever works there may commit until the last rename: what was not noted is not taken along, all goes back.
fn put_away(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &mut ShadowEntry,
) -> Result<Vec<String>, Report> {
    if !has_begun(shadow) && !is_as_noted(deck, shadow, &shadow.git_dir) {
        return Err(returning::refuse_moved(shadow));
    }
    let mut told = trash::put_away(shadow)?;
    let mut moved = !is_as_noted(deck, shadow, &shadow.trash.join("admin"));
    if let (Some(branch), false) = (&shadow.branch, moved) {
        let elsewhere = worktrees::read(&deck.repository)?
            .linked
            .into_iter()
            .find(|other| other.head.branch() == Some(branch));
        if let Some(other) = elsewhere {
            told.push(format!("branch {branch} stays: {} has it checked out too", other.id));
        } else {
            match shadow_worktree::delete_branch(&deck.repository, writer, branch, &shadow.tip) {
                Ok(deleted) => moved = !deleted,
                // Nothing is known of it: what the next start would do is done at once.
                Err(report) if report.code == Code::Timeout => return Err(report),
                // Its lock or a hook, or somebody in just this instant.
                Err(report) => {
                    moved = !is_as_noted(deck, shadow, &shadow.trash.join("admin"));
                    told.push(format!("branch {branch} stays: {}", report.headline));
                }
            }
        }
    }
    if moved {
        trash::bring_back(shadow)?;
        return Err(returning::refuse_moved(shadow));
    }
    super::places::remove_empty_dirs(&shadow.path);
    deck.store.records().remove(&shadow.id)?;
    Ok(told)
}

/// Whether HEAD, in the registration wherever it lies now, is what the journal knows. A branch that is gone is one
/// that an earlier call deleted.
fn is_as_noted(deck: &Deck, shadow: &ShadowEntry, git_dir: &Path) -> bool {
    let head = worktrees::read_head_of(&deck.repository, git_dir);
    let same_branch = shadow.branch.is_none() || head.branch() == shadow.branch.as_ref();
    let gone = matches!(&head, Head::Branch { tip: None, .. });
    same_branch && (gone || head.tip() == Some(&shadow.tip))
}

/// The way back from the trash: branch, reflog, directory, registration, record.
pub fn bring_back(deck: &Deck, writer: &Writer<'_>, shadow: &ShadowEntry) -> Result<(), Report> {
    if let Some(branch) = &shadow.branch {
        let gone = settle::read_tip(&deck.repository, branch)?.is_none();
        shadow_worktree::restore_branch(&deck.repository, writer, branch, &shadow.tip)?;
        let log = deck.repository.common_dir.join("logs").join(branch.full());
        // A kill may have come between the branch and its log: put back also where the registration still lies
        // in the trash, since nobody can have worked on the branch as this shadow yet.
        if gone || has_begun(shadow) {
            trash::restore_copy(&shadow.trash, BRANCH_LOG, &log)?;
        }
    }
    trash::bring_back(shadow)?;
    if let Some(record) = &shadow.record {
        deck.store.records().write(record)?;
    }
    Ok(())
}

/// The tree that a shadow holds now.
pub fn read_snapshot(deck: &Deck, id: &ShadowId) -> Result<(Worktree, Oid), Report> {
    let Some(worktree) = worktrees::read_one(&deck.repository, id) else {
        return Err(Report::user(Code::NotFound, format!("{id} is not registered any more"))
            .hint("`git worktree list` names those that are"));
    };
    let snapshot = snapshot::read(&deck.repository, &worktree)?;
    Ok((worktree, snapshot.tree))
}

/// Whether what a shadow holds `now` is what a move from one tree to another leaves there: git moves a submodule's
/// entry, and its own checkout stays where it was.
pub(super) fn is_as_left(deck: &Deck, now: &Oid, from: &Oid, to: &Oid) -> Result<bool, Report> {
    if now == to {
        return Ok(true);
    }
    let since = changes_between(deck, from, now)?;
    let stayed = |change: &ChangedPath| {
        change.new.as_ref().is_some_and(|entry| entry.mode.is_submodule())
            && since.iter().all(|other| other.path != change.path)
    };
    Ok(changes_between(deck, to, now)?.iter().all(stayed))
}

fn kept<'a>(
    place: &'a Place,
    shadow: &'a ShadowEntry,
    [snapshot, new_tip, whole]: [&'a Oid; 3],
) -> Kept<'a> {
    Kept { place, branch: shadow.branch.as_ref(), tip: &shadow.tip, snapshot, new_tip, whole }
}

/// Moves a kept shadow on; where it cannot be moved it stays as it was, and the user is told.
fn move_on(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &mut ShadowEntry,
    (new_tip, whole): (&Oid, &Oid),
    start: Start,
) -> Result<Outcome, Report> {
    let (worktree, found) = match read_snapshot(deck, &shadow.id) {
        Ok(read) => read,
        Err(report) => {
            let why = format!("stays where it was: it cannot be read: {report}");
            return Ok(stay(shadow, &why, Some(report)));
        }
    };
    let place = place_of(deck, &worktree);
    let Some(snapshot) = shadow.snapshot.clone() else {
        return Ok(stay(shadow, "stays where it was: it has no snapshot", None));
    };
    let kept = kept(&place, shadow, [&snapshot, new_tip, whole]);
    let head = kept.read_head()?;
    // Where only its files move, its branch does not tell whether they have.
    if head.as_ref() == Some(new_tip) && *new_tip != shadow.tip {
        remember(deck, shadow)?;
        return Ok(Outcome::default());
    }
    if head.as_ref() != Some(&shadow.tip) {
        return Ok(stay(shadow, "stays where it was: it has a new commit", None));
    }
    let now = match start {
        Start::Fresh => found,
        Start::CutShort => staying::mend(deck, writer, &kept, found, [&snapshot, whole]),
    };
    let result = if now == *whole && now != snapshot {
        kept.move_head(writer, &shadow.tip, new_tip)
    } else if now == snapshot {
        clearing::clear(shadow).and_then(|()| kept.move_on(writer))
    } else {
        Err(Report::user(Code::ShadowMoved, "it was written to meanwhile"))
    };
    // A git that was ended may have done its work before.
    let has_moved = || *new_tip != shadow.tip && kept.read_head() == Ok(Some(new_tip.clone()));
    if let Err(report) = result
        && !has_moved()
    {
        let told = vec![staying::where_it_was(deck, writer, shadow, &kept, (&report, start))?];
        shadow.fate = Fate::Untouched;
        return Ok(Outcome { told, failure: Some(report) });
    }
    remember(deck, shadow)?;
    Ok(Outcome::default())
}

fn stay(shadow: &mut ShadowEntry, why: &str, failure: Option<Report>) -> Outcome {
    shadow.fate = Fate::Untouched;
    Outcome { told: vec![format!("{} {why}", shadow.id)], failure }
}

/// What is to be known of it where it is now.
fn remember(deck: &Deck, shadow: &ShadowEntry) -> Result<(), Report> {
    match &shadow.record_after {
        Some(record) => deck.store.records().write(record),
        None => Ok(()),
    }
}

pub(super) fn unreadable(shadow: &ShadowEntry, why: &Report) -> Report {
    // Slow is not damaged.
    let code = if why.code == Code::Timeout { why.code } else { Code::CannotUndo };
    let headline = format!("{} cannot be read, so it cannot be put back", shadow.id);
    Report::environment(code, headline)
        .caused_by(why)
        .unchanged()
        .hint("mend what is named here, and undo again")
}

/// The way back of [`move_on`]: where it cannot go, it stays as it is, and the user is told.
fn put_back(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &mut ShadowEntry,
    (new_tip, whole): (&Oid, &Oid),
    start: Start,
) -> Result<Outcome, Report> {
    let Some(snapshot) = shadow.snapshot.clone() else {
        return Ok(stay(shadow, "stays as it is: it has no snapshot", None));
    };
    let (worktree, found) =
        read_snapshot(deck, &shadow.id).map_err(|report| unreadable(shadow, &report))?;
    let place = place_of(deck, &worktree);
    let kept = kept(&place, shadow, [&snapshot, new_tip, whole]);
    let head = kept.read_head()?;
    let mut told = Vec::new();
    if head.as_ref() == Some(new_tip) {
        let now = match start {
            Start::Fresh => found,
            Start::CutShort => staying::mend(deck, writer, &kept, found, [whole, &snapshot]),
        };
        let files = if is_as_left(deck, &now, &snapshot, whole)? {
            kept.put_back(writer)
        } else if now == snapshot {
            Ok(())
        } else {
            Err(Report::user(Code::ShadowMoved, "it was written to meanwhile"))
        };
        if let Err(report) = files {
            // What broke off for want of time is gone on with; of anything else nothing may be left.
            if report.code == Code::Timeout
                || !staying::is_refusal(&report)
                    && !staying::is_back(deck, writer, &kept, &shadow.id)?
            {
                return Err(staying::unreturned(shadow, report));
            }
            let why = format!("stays as it is: {}", report.headline);
            return Ok(stay(shadow, &why, Some(report)));
        }
        kept_files::restore_files(&shadow.path, &shadow.trash)?;
        told = clearing::bring_back(shadow)?;
        kept.move_head(writer, new_tip, &shadow.tip)?;
    } else if head.as_ref() != Some(&shadow.tip) {
        return Ok(stay(shadow, "stays as it is: it has a new commit", None));
    }
    trash::restore_copy(&shadow.trash, INDEX, &shadow.git_dir.join("index"))?;
    remember(deck, shadow)?;
    Ok(Outcome::from(told))
}
