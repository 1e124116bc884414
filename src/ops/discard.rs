//! Discarding moves, it never deletes: directory, registration and branch go to the trash, whole, as one operation
//! for however many shadows, and `undo` brings every byte back.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use super::{
    Deck, ground, list, moves, places,
    recover::{self, Told},
};
use crate::{
    git::{
        migrate,
        obstacles::Place,
        pins, snapshot, submodule_work,
        worktrees::{self, Worktree},
        writer::Writer,
    },
    report::{Code, Report},
    review::{
        ConfirmedDiscard, DiscardEntry, DiscardPlan, Discarded, Progress, Row, Step, Tell, Verdict,
        Watch, plan::Holds,
    },
    shadow::{Oid, RepoPath, ShadowId},
    store::{Fate, JournalEntry, Phase, ShadowEntry, Verb, journal::now_ms, lock::WAIT_MAX},
};

/// What each of them holds that is nowhere else. One that may not be discarded is an entry that says why.
pub fn plan(deck: &Deck, ids: &[ShadowId]) -> Result<DiscardPlan, Report> {
    let distinct: BTreeSet<&ShadowId> = ids.iter().collect();
    let rows = list::read_some(deck, ids, &AtomicBool::new(false))?;
    let entries = distinct
        .into_iter()
        .map(|id| plan_one(deck, id, rows.iter().find(|row| row.id == *id)))
        .collect::<Result<_, _>>()?;
    Ok(DiscardPlan { entries })
}

/// What the list tells of a shadow (landed, empty, idle since) is told here in the same words.
fn plan_one(deck: &Deck, id: &ShadowId, row: Option<&Row>) -> Result<DiscardEntry, Report> {
    let (found, _) = places::find_shadow(deck, id)?;
    let worktree = &found.worktree;
    let refused = find_refusal(deck, worktree)?;
    let holds = if refused.is_some() { Holds::default() } else { read_holds(deck, &found, row)? };
    Ok(DiscardEntry {
        id: id.clone(),
        branch: worktree.head.branch().cloned(),
        path: worktree.path.clone(),
        holds,
        refused: refused.map(|report| report.headline),
        processes: places::at_work_in(worktree),
        last_activity_ms: row.and_then(|row| row.last_activity_ms),
    })
}

/// Why this shadow may not be discarded now, whatever is confirmed.
pub fn find_refusal(deck: &Deck, worktree: &Worktree) -> Result<Option<Report>, Report> {
    let id = &worktree.id;
    if let Some(reason) = &worktree.locked {
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        return Ok(Some(
            Report::user(Code::Locked, format!("{id} is locked{why}"))
                .unchanged()
                .hint("`git worktree unlock` it first")
                .detail("reason", reason.as_str()),
        ));
    }
    // With its directory gone there is only the registration to put away, and the branch.
    if let Some(problem) = &worktree.problem
        && !is_missing(worktree)
    {
        return Ok(Some(
            Report::user(Code::WrongState, format!("{id} cannot be discarded whole: {problem}"))
                .safe("nothing was changed, and nothing in it was run")
                .hint(format!(
                    "mend that first; `git worktree repair` often can, then discard {id} again"
                )),
        ));
    }
    let nested = worktrees::read(&deck.repository)?
        .linked
        .into_iter()
        .find(|other| other.id != *id && other.path.starts_with(&worktree.path));
    if let Some(other) = nested {
        return Ok(Some(
            Report::user(
                Code::WrongState,
                format!("{id} contains another worktree, {} in {}", other.id, other.path.display()),
            )
            .unchanged()
            .hint("discard or move that one first"),
        ));
    }
    let obstacle = deck.store.trash().obstacle(&worktree.path)?;
    Ok(obstacle.map(|why| {
        Report::user(Code::WrongState, format!("{id} cannot go to the trash whole: {why}"))
            .unchanged()
            .hint("unmount it, or move the worktree with `git worktree move`")
    }))
}

fn is_missing(worktree: &Worktree) -> bool {
    worktree.path.symlink_metadata().is_err()
}

pub(super) fn read_holds(
    deck: &Deck,
    found: &ground::Place,
    row: Option<&Row>,
) -> Result<Holds, Report> {
    let worktree = &found.worktree;
    let commits = count_own_commits(deck, worktree)?;
    if is_missing(worktree) {
        return Ok(Holds { commits, ..Holds::default() });
    }
    let place = places::place_of(deck, worktree);
    let (mut edited_files, untracked_files) = count_uncommitted(&place)?;
    // As git counts them: each of them is one that differs.
    let busy = submodule_work::find(&deck.repository, worktree)?;
    edited_files = edited_files.saturating_add(u32::try_from(busy.len()).unwrap_or(u32::MAX));
    let elsewhere =
        row.filter(|_| edited_files == 0 && untracked_files == 0).and_then(|row| {
            match (row.verdict, &row.target) {
                (Verdict::Landed, Some(target)) => {
                    Some(format!("landed, all of it is in {target}"))
                }
                (Verdict::Empty, _) => Some("empty, nothing was done in it".to_owned()),
                _ => None,
            }
        });
    Ok(Holds { commits, edited_files, untracked_files, ignored: read_ignored(&place)?, elsewhere })
}

fn count_uncommitted(place: &Place) -> Result<(u32, u32), Report> {
    let status = place
        .reading("status")
        .config("status.renames=false")
        .args(["--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=all"])
        .run()?;
    let entries = status.stdout.split(|byte| *byte == 0).filter(|entry| entry.len() > 3);
    let (untracked, edited): (Vec<&[u8]>, Vec<&[u8]>) =
        entries.partition(|entry| entry.starts_with(b"??"));
    let count = |list: &[&[u8]]| u32::try_from(list.len()).unwrap_or(u32::MAX);
    Ok((count(&edited), count(&untracked)))
}

/// Commits that no other branch, and no remote, has.
fn count_own_commits(deck: &Deck, worktree: &Worktree) -> Result<u32, Report> {
    let Some(tip) = worktree.head.tip() else { return Ok(0) };
    // `--all` would count the HEAD of every linked worktree, and so its own.
    let mut git = deck.repository.reading("rev-list").args([
        "--count",
        "--single-worktree",
        tip.as_str(),
        "--not",
    ]);
    if let Some(branch) = worktree.head.branch() {
        // Taken as a pattern: a branch name cannot hold `*`, `?` or `[`.
        git = git.arg(format!("--exclude={}", branch.full()));
    }
    let counted = git.args(["--exclude=refs/shadowdeck/*", "--all"]).run()?.text();
    Ok(counted.trim().parse().unwrap_or(u32::MAX))
}

fn read_ignored(place: &Place) -> Result<Vec<RepoPath>, Report> {
    let listed = place
        .reading("ls-files")
        .args(["--others", "--ignored", "--exclude-standard", "--directory", "-z"])
        .run()?;
    let paths = listed.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Ok(paths.map(RepoPath::new).collect())
}

/// Puts all of them away, or none where one may not be. A process that was shown in the plan is confirmed with it;
/// a new one stops it.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedDiscard,
    progress: Tell<'_>,
) -> Result<Discarded, Report> {
    let watch = Watch { tell: progress, stop: &AtomicBool::new(false) };
    carry_out_watched(deck, confirmed, watch)
}

/// As [`carry_out`], for who may stop it after any one of them: what was put away by then stays so.
pub fn carry_out_watched(
    deck: &Deck,
    confirmed: &ConfirmedDiscard,
    watch: Watch<'_>,
) -> Result<Discarded, Report> {
    let ids: Vec<ShadowId> = confirmed.entries().iter().map(|entry| entry.id.clone()).collect();
    let lock = deck.store.lock_watched("discard", WAIT_MAX, watch)?;
    recover::recover_locked(deck, &lock)?;
    recover::refuse_unsettled(deck, None, &ids)?;
    let worktrees = refuse_unfit(deck, confirmed)?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    watch.refuse_stopped("discarding")?;
    watch.step(Step::Save);
    let mut entry = write_intent(deck, &writer, &worktrees)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    watch.step(Step::Trash);
    let next = |count, of| {
        (watch.tell)(Progress::Done { count, of });
        watch.goes_on()
    };
    let told = Told { next: &next, ..Told::default() };
    recover::run_telling(deck, &writer, &mut entry, "", told)?;
    let (gone, left): (Vec<_>, Vec<_>) =
        entry.shadows.iter().partition(|shadow| shadow.fate == Fate::Trashed);
    let ids_of = |shadows: Vec<&ShadowEntry>| shadows.into_iter().map(|s| s.id.clone()).collect();
    Ok(Discarded {
        operation: entry.operation,
        shadows: ids_of(gone),
        left: ids_of(left),
        warnings: entry.warnings,
    })
}

fn refuse_unfit(deck: &Deck, confirmed: &ConfirmedDiscard) -> Result<Vec<Worktree>, Report> {
    if confirmed.entries().is_empty() {
        return Err(Report::user(Code::NotFound, "no shadow was named")
            .unchanged()
            .hint("name one, or give --stale"));
    }
    let mut fit = Vec::new();
    for entry in confirmed.entries() {
        let (found, _) = places::find_shadow(deck, &entry.id)?;
        if let Some(report) = find_refusal(deck, &found.worktree)? {
            return Err(report);
        }
        let new: Vec<_> = places::at_work_in(&found.worktree)
            .into_iter()
            .filter(|process| !entry.processes.contains(process))
            .collect();
        if !new.is_empty() {
            return Err(refuse_busy(&entry.id, &places::named(&new)));
        }
        fit.push(found.worktree);
    }
    Ok(fit)
}

pub fn refuse_busy(id: &ShadowId, named: &str) -> Report {
    Report::user(Code::ShadowBusy, format!("{named} is at work in {id}"))
        .unchanged()
        .hint("discard it when that process has ended")
        .detail("processes", named)
}

fn write_intent(
    deck: &Deck,
    writer: &Writer<'_>,
    worktrees: &[Worktree],
) -> Result<JournalEntry, Report> {
    let operation = deck.store.journal().next_operation()?;
    let mut pins = Vec::new();
    let mut shadows = Vec::new();
    for (index, worktree) in worktrees.iter().enumerate() {
        // The files themselves are kept, so a tree that cannot be built is no obstacle.
        let snapshot =
            snapshot::read(&deck.repository, worktree).ok().map(|snapshot| snapshot.tree);
        pins.extend(moves::pins_of(deck, worktree, index, snapshot.as_ref())?);
        shadows.push((worktree, snapshot));
    }
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    let mut entry = JournalEntry::begin(operation, Verb::Discard);
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    for (worktree, snapshot) in shadows {
        entry.shadows.push(moves::note(deck, operation, worktree, snapshot, Fate::Trashed)?);
    }
    deck.store.journal().write(&entry)?;
    Ok(entry)
}
