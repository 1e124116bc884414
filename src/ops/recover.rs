//! Runs a prepared operation to its end, and after a kill finishes or takes back what was left unfinished.
//! One path for both: what a landing does after *prepared* is what recovery does, so it is walked every day.

use std::ops::ControlFlow;

use super::{
    Deck, lock_files,
    moves::{self, Start},
    returning, staying,
};
use crate::{
    git::{
        advance::{Step, Stopped, advance},
        left_over,
        obstacles::{Place, read_overlap},
        pins, rehearsal,
        settle::{self, Standing},
        writer::Writer,
    },
    report::{Code, Report},
    shadow::{BranchName, Oid, RepoPath, ShadowId},
    store::{Advance, Fate, JournalEntry, Lock, Phase, Verb, lock::WAIT_OF_READER_MAX, modes},
};

/// Finishes or takes back what was left unfinished. For a reading command: it waits a few seconds at most, never
/// fails for what it finds, and says what it did. One directory look when there is nothing.
pub fn recover(deck: &Deck) -> Result<Vec<String>, Report> {
    let open = deck.store.journal().read_open()?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let under_way = open.iter().find(|entry| entry.process.is_alive());
    let wait = if under_way.is_some() { std::time::Duration::ZERO } else { WAIT_OF_READER_MAX };
    if is_inside_shadow(deck, &open) {
        return Ok(vec![format!(
            "{} is unfinished; run shadowdeck outside of the shadow to settle it",
            open[0].operation
        )]);
    }
    match deck.store.lock("recover", wait) {
        Ok(lock) => recover_locked(deck, &lock),
        Err(report) => Ok(vec![format!("an operation is under way: {}", report.headline)]),
    }
}

/// For what an agent may do from within its shadow: settles only where that is the user's to do.
pub fn recover_unless_inside(deck: &Deck, lock: &Lock) -> Result<(), Report> {
    let open = deck.store.journal().read_open()?;
    if open.is_empty() || is_inside_shadow(deck, &open) {
        return Ok(());
    }
    recover_locked(deck, lock).map(drop)
}

/// A shadow is an agent's place; only the one worktree that an entry is about may settle it from within.
fn is_inside_shadow(deck: &Deck, open: &[JournalEntry]) -> bool {
    let start = &deck.repository.start_git_dir;
    let targets = open.iter().filter_map(|entry| entry.advance.as_ref()?.git_dir.as_ref());
    *start != deck.repository.common_dir && !targets.into_iter().any(|git_dir| git_dir == start)
}

/// Under the lock, so that neither another program nor a child of a dead one is at work.
pub fn recover_locked(deck: &Deck, lock: &Lock) -> Result<Vec<String>, Report> {
    let mut told = Vec::new();
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout()).without_hooks();
    for mut entry in deck.store.journal().read_open()? {
        let cleared = lock_files::remove(deck, &entry);
        match cleared.and_then(|()| settle_entry(deck, &writer, &mut entry)) {
            Ok(words) => told.push(words),
            // What fits neither state is shown, and nothing is changed.
            Err(report) => {
                told.push(format!("{} is unfinished: {}", entry.operation, report.headline));
            }
        }
        told.append(&mut entry.warnings);
    }
    Ok(told)
}

/// Refuses where something unfinished still concerns the same branch or shadow.
pub fn refuse_unsettled(
    deck: &Deck,
    target: Option<&BranchName>,
    shadows: &[ShadowId],
) -> Result<(), Report> {
    let concerns = |entry: &JournalEntry| {
        let same_target =
            entry.advance.as_ref().is_some_and(|advance| Some(&advance.target) == target);
        same_target || entry.shadows.iter().any(|shadow| shadows.contains(&shadow.id))
    };
    let Some(entry) = deck.store.journal().read_open()?.into_iter().find(concerns) else {
        return Ok(());
    };
    Err(Report::user(
        Code::TargetBusy,
        format!(
            "{} {} is unfinished and could not be settled",
            entry.verb.as_str(),
            entry.operation
        ),
    )
    .unchanged()
    .hint("`shadowdeck list` says what is in its way")
    .detail("operation", entry.operation.to_string()))
}

fn settle_entry(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
) -> Result<String, Report> {
    let name = format!("{} {}", entry.verb.as_str(), entry.operation);
    if entry.phase == Phase::Intent {
        drop_intent(deck, writer, entry)?;
        return Ok(format!("{name} had not begun and was dropped"));
    }
    if entry.verb == Verb::Create {
        return super::create::settle(deck, writer, entry);
    }
    if let Some(move_of) = entry.advance.clone() {
        let place = place_of(deck, &move_of);
        match read_standing(deck, &move_of)? {
            Standing::After => {}
            Standing::Before => return take_back(deck, writer, entry, &move_of),
            Standing::Elsewhere(at) => {
                return leave(deck, entry, &move_of, place.as_ref(), at.as_ref());
            }
        }
    }
    finish(deck, writer, entry, Told::default(), Start::CutShort)?;
    Ok(format!("{name} was cut short and is finished now"))
}

/// Nothing has moved yet: what was made for it goes, and with it the entry.
pub(super) fn drop_intent(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &JournalEntry,
) -> Result<(), Report> {
    if entry.rehearsal.is_some() {
        let place = rehearsal::place_for(&deck.repository, entry.operation);
        rehearsal::remove(&deck.repository, &place)?;
    }
    lock_files::remove(deck, entry)?;
    pins::delete(&deck.repository, writer, entry.operation)?;
    staying::forget_copies(deck, entry.operation);
    deck.store.journal().forget(entry.operation)
}

/// Someone moved the target elsewhere before this was settled. Where nothing of the move is in its files there is
/// nothing to take back; else it is shown, and nothing is changed.
fn leave(
    deck: &Deck,
    entry: &mut JournalEntry,
    move_of: &Advance,
    place: Option<&Place>,
    at: Option<&Oid>,
) -> Result<String, Report> {
    let untouched = match place {
        Some(place) => read_overlap(place, &move_of.paths)?.is_empty(),
        None => true,
    };
    if !untouched {
        return Err(staying::refuse_elsewhere(move_of, at));
    }
    deck.store.journal().close(entry, Phase::TakenBack)?;
    Ok(format!(
        "{} {} had not happened when {} was moved on, and is dropped",
        entry.verb.as_str(),
        entry.operation,
        move_of.target
    ))
}

fn read_standing(deck: &Deck, move_of: &Advance) -> Result<Standing, Report> {
    let Advance { target, before, after, .. } = move_of;
    settle::read_standing(&deck.repository, target, before, after)
}

fn place_of(deck: &Deck, move_of: &Advance) -> Option<Place> {
    let (worktree, git_dir) = (move_of.worktree.clone()?, move_of.git_dir.clone()?);
    Some(Place { worktree, git_dir, timeout: deck.git_timeout() })
}

fn take_back(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    move_of: &Advance,
) -> Result<String, Report> {
    let place = place_of(deck, move_of);
    let step = step_of(move_of, place.as_ref(), "");
    let left = settle::take_step_back(writer, &step)?;
    if !left.is_empty() {
        let named: Vec<String> = left.iter().map(RepoPath::to_lossy).collect();
        entry
            .warnings
            .push(format!("left as they are, because they may be yours: {}", named.join(", ")));
    }
    if let Some(worktree) = &move_of.worktree {
        entry.warnings.extend(modes::restore(worktree, &move_of.modes));
    }
    close_taken_back(deck, writer, entry)?;
    Ok(format!("{} {} was cut short and is taken back", entry.verb.as_str(), entry.operation))
}

/// It never happened, so nothing of it can be undone and its pins keep nothing that is needed.
fn close_taken_back(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
) -> Result<(), Report> {
    lock_files::remove(deck, entry)?;
    deck.store.journal().close(entry, Phase::TakenBack)?;
    staying::forget_copies(deck, entry.operation);
    // Pins that stay do no harm; `gc` takes them.
    let _ = pins::delete(&deck.repository, writer, entry.operation);
    lock_files::remove_or_tell(deck, entry);
    Ok(())
}

fn step_of<'a>(move_of: &'a Advance, place: Option<&'a Place>, message: &'a str) -> Step<'a> {
    Step {
        target: &move_of.target,
        before: &move_of.before,
        after: &move_of.after,
        place,
        paths: &move_of.paths,
        creates: &[],
        message,
    }
}

/// Who is told while a prepared entry runs.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// The target has moved; the answer is warnings.
    pub moved: &'a dyn Fn() -> Vec<String>,
    /// So many of so many shadows are done: whether a discard goes on with the next.
    pub next: &'a dyn Fn(usize, usize) -> ControlFlow<()>,
}

impl Default for Told<'_> {
    fn default() -> Self {
        Self { moved: &Vec::new, next: &|_, _| ControlFlow::Continue(()) }
    }
}

/// As [`run_telling`], with nobody to tell.
pub fn run(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    message: &str,
) -> Result<(), Report> {
    run_telling(deck, writer, entry, message, Told::default())
}

/// Runs a prepared entry: moves the target, then does what is to be done with each shadow, then closes it.
/// After an error nothing has happened, or it is finished or taken back at once.
pub fn run_telling(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    message: &str,
    told: Told<'_>,
) -> Result<(), Report> {
    if let Err(report) = super::exclude::write(deck) {
        // It costs a line of `status` only.
        entry.warnings.push(format!("info/exclude stays as it is: {}", report.headline));
    }
    if let Some(move_of) = entry.advance.clone() {
        let place = place_of(deck, &move_of);
        let creates = returning::missing_branches(deck, &entry.shadows)?;
        let step = Step { creates: &creates, ..step_of(&move_of, place.as_ref(), message) };
        if let (Verb::Undo | Verb::Redo, Some(place)) = (entry.verb, &place) {
            left_over::remove_same(place, step.paths)?;
        }
        match advance(&deck.repository, writer, &step) {
            Ok(left) => {
                entry.warnings.extend((told.moved)());
                entry.warnings.extend(staying::left_over(&left));
            }
            Err(Stopped::Refused(report)) => {
                close_taken_back(deck, writer, entry)?;
                return Err(report);
            }
            Err(Stopped::Broken(report)) => return after_failure(deck, writer, entry, report),
        }
    }
    match finish(deck, writer, entry, told, Start::Fresh) {
        Err(report) if entry.phase.is_open() => after_failure(deck, writer, entry, report),
        done => done,
    }
}

/// A timeout or a full disk may have stopped git halfway: what the next start would do is done at once.
fn after_failure(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    report: Report,
) -> Result<(), Report> {
    let cleared = lock_files::remove(deck, entry);
    match cleared.and_then(|()| settle_entry(deck, writer, entry)) {
        // git moved it and died only then, or it went on from where it was stopped.
        Ok(_) if entry.phase == Phase::Done => Ok(()),
        Ok(_) => Err(staying::taken_back(report, std::mem::take(&mut entry.warnings))),
        Err(unsettled) => Err(staying::unsettled(report, unsettled)),
    }
}

/// Everything after the target's move. Each part may be done already.
fn finish(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    told: Told<'_>,
    start: Start,
) -> Result<(), Report> {
    let mut shadows = std::mem::take(&mut entry.shadows);
    let (mut first_failure, mut stayed) = (None, None);
    super::gc::empty(deck, writer, entry);
    let all = shadows.len();
    for (done, shadow) in shadows.iter_mut().enumerate() {
        let goes_on = (told.next)(done, all).is_continue();
        if !goes_on && done > 0 && entry.verb == Verb::Discard && !moves::has_begun(shadow) {
            // What was done stays done; the rest is as it was.
            shadow.fate = Fate::Untouched;
            continue;
        }
        if entry.advance.is_some() && !moves::has_begun(shadow) {
            staying::keep_if_written(deck, shadow, &mut entry.warnings);
        }
        let noted = shadow.clone();
        match moves::finish(deck, writer, shadow, start) {
            Ok(outcome) => {
                entry.warnings.extend(outcome.told);
                if outcome.failure.is_some() {
                    lock_files::remove_left_in(deck, &noted, entry);
                }
                stayed = stayed.or(outcome.failure);
            }
            Err(report) if shadow.fate == Fate::Trashed && !moves::has_begun(shadow) => {
                entry.warnings.push(format!("{} stays: {}", shadow.id, report.headline));
                shadow.fate = Fate::Untouched;
                first_failure.get_or_insert(report);
                if entry.verb == Verb::Discard {
                    break;
                }
            }
            Err(report) => {
                entry.shadows = shadows;
                return Err(report);
            }
        }
    }
    if entry.verb == Verb::Discard
        && let Some(failure) = first_failure.take()
    {
        return staying::give_back(deck, writer, entry, shadows, failure);
    }
    let nothing_happened = entry.advance.is_none()
        && entry.empties.is_empty()
        && !shadows.is_empty()
        && shadows.iter().all(|shadow| shadow.fate == Fate::Untouched);
    entry.shadows = shadows;
    if nothing_happened {
        deck.store.journal().close(entry, Phase::TakenBack)?;
        staying::forget_copies(deck, entry.operation);
        return Err(first_failure.unwrap_or_else(|| staying::refuse_stayed(entry, stayed)));
    }
    if let Some(decision) = &entry.decision {
        deck.store.resolutions().write(decision)?;
    }
    mark_undone(deck, entry)?;
    // Before it is closed: whatever keeps them from being removed now, the next start tries again.
    lock_files::remove(deck, entry)?;
    deck.store.journal().close(entry, Phase::Done)
}

fn mark_undone(deck: &Deck, entry: &mut JournalEntry) -> Result<(), Report> {
    let Some(undone) = entry.undoes else { return Ok(()) };
    let journal = deck.store.journal();
    let Some(mut other) = journal.read(undone)? else { return Ok(()) };
    if let (Some(now), Some(then)) = (&entry.advance, &other.advance)
        && let Some(worktree) = &now.worktree
    {
        entry.warnings.extend(modes::restore(worktree, &then.modes));
    }
    other.phase = Phase::Undone;
    other.undone_by = Some(entry.operation);
    journal.write(&other)
}
