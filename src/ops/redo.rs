//! Takes an undo back: what was undone is done again, on just the state that it was done on before.
//! An operation of its own, with pins and trash of its own, so that it can be undone in its turn.
//!
//! It dies as a landing, a discard or a rollback does (see there): before *prepared* nothing has moved, after it
//! the next run finishes it, or takes it back where the target has not moved.

use super::{Deck, clearing, discard, log, moves, places, recover, trust, undo};
use crate::{
    git::{
        migrate,
        pins::{self, Pin},
        settle,
        shadow_worktree::Kept,
        worktrees::Worktree,
        writer::Writer,
    },
    report::{Code, Report},
    review::{ConfirmedRedo, Progress, RedoPlan, Redone, Step},
    shadow::{Oid, OperationId, RepoPath},
    store::{
        Decision, Fate, JournalEntry, Phase, ShadowEntry, Verb, journal::now_ms, lock::WAIT_MAX,
    },
};

/// What doing it again would do, for the newest undo that stands.
pub fn plan(deck: &Deck) -> Result<RedoPlan, Report> {
    plan_of(deck, None)
}

/// For this undo, or the undo of this operation.
pub fn plan_of(deck: &Deck, operation: Option<OperationId>) -> Result<RedoPlan, Report> {
    let entry = find_entry(deck, operation)?;
    read_fates(deck, &entry)?;
    let redone = entry.undoes.and_then(|undone| deck.store.journal().read(undone).transpose());
    let redone = redone.transpose()?;
    Ok(RedoPlan {
        operation: entry.operation,
        redone: entry.undoes,
        verb: redone.map_or("undo", |redone| redone.verb.as_str()).to_owned(),
        shadows: log::shadows_of(&entry),
        target: entry.advance.as_ref().map(|advance| advance.target.clone()),
        from: entry.advance.as_ref().map(|advance| advance.after.clone()),
        to: entry.advance.as_ref().map(|advance| advance.before.clone()),
        files: log::files_of(deck, &entry)?,
        chosen: log::chosen_back(&entry),
    })
}

fn find_entry(deck: &Deck, operation: Option<OperationId>) -> Result<JournalEntry, Report> {
    for (found, entry) in deck.store.journal().read_all()?.into_iter().rev() {
        let entry = entry?;
        let stands = entry.phase == Phase::Done && entry.undoes.is_some();
        let takes_back = matches!(entry.verb, Verb::Undo | Verb::Discard);
        let is_it = |wanted| wanted == found || entry.undoes == Some(wanted);
        if stands && takes_back && operation.is_none_or(is_it) {
            return Ok(entry);
        }
    }
    Err(Report::user(Code::CannotUndo, "there is no undo to take back")
        .unchanged()
        .hint("`shadowdeck log` shows what was done"))
}

/// A shadow with what is to become of it again.
struct Again {
    worktree: Worktree,
    snapshot: Option<Oid>,
    fate: Fate,
    cleared: Vec<RepoPath>,
}

/// Refuses where anything is no longer as the undo left it.
fn read_fates(deck: &Deck, entry: &JournalEntry) -> Result<Vec<Again>, Report> {
    if let Some(advance) = &entry.advance {
        let at = settle::read_tip(&deck.repository, &advance.target)?;
        if at.as_ref() != Some(&advance.after) {
            return Err(cannot(format!(
                "{} has moved on since that undo, which left it at {}",
                advance.target,
                advance.after.abbreviated()
            )));
        }
    }
    if let Some(decision) = &entry.decision {
        undo::refuse_decided_anew(deck, decision)?;
    }
    for shadow in entry.shadows.iter().filter(|shadow| entry.moves(shadow)) {
        super::sync::refuse_busy(deck, shadow)?;
    }
    entry.shadows.iter().filter_map(|shadow| read_fate(deck, shadow).transpose()).collect()
}

fn cannot(headline: String) -> Report {
    Report::user(Code::CannotUndo, headline).unchanged().hint("do it anew, by its own command")
}

fn read_fate(deck: &Deck, shadow: &ShadowEntry) -> Result<Option<Again>, Report> {
    let fate = match &shadow.fate {
        Fate::Restored => Fate::Trashed,
        Fate::PutBack { new_tip, whole } => {
            Fate::Kept { new_tip: new_tip.clone(), whole: whole.clone() }
        }
        Fate::Trashed | Fate::Made | Fate::Kept { .. } | Fate::Untouched => return Ok(None),
    };
    let (found, _) = places::find_shadow(deck, &shadow.id)?;
    let worktree = found.worktree;
    if let Some(report) = discard::find_refusal(deck, &worktree)? {
        return Err(report);
    }
    let at_work = places::at_work_in(&worktree);
    if !at_work.is_empty() {
        return Err(discard::refuse_busy(&shadow.id, &places::named(&at_work)));
    }
    let now = match (moves::read_snapshot(deck, &shadow.id), &shadow.snapshot) {
        (Ok((_, tree)), _) => Some(tree),
        // It could not be read when it was discarded either: its directory was gone.
        (Err(_), None) => None,
        (Err(report), Some(_)) => return Err(report),
    };
    let same_files = shadow.snapshot.is_none() || now == shadow.snapshot;
    if worktree.head.tip() != Some(&shadow.tip) || !same_files {
        return Err(cannot(format!("{} has been written to since that undo", shadow.id)));
    }
    let cleared = read_cleared(deck, &worktree, shadow, &fate)?;
    Ok(Some(Again { worktree, snapshot: now, fate, cleared }))
}

/// What makes room as it did the first time; anything else is in the way.
fn read_cleared(
    deck: &Deck,
    worktree: &Worktree,
    shadow: &ShadowEntry,
    fate: &Fate,
) -> Result<Vec<RepoPath>, Report> {
    let (Fate::Kept { new_tip, whole }, Some(snapshot)) = (fate, &shadow.snapshot) else {
        return Ok(Vec::new());
    };
    let (place, branch) = (&places::place_of(deck, worktree), shadow.branch.as_ref());
    let moved = Kept { place, branch, tip: &shadow.tip, snapshot, new_tip, whole };
    let found = clearing::find(deck, &moved)?;
    let mut in_the_way = clearing::files_of(&place.worktree, &found);
    in_the_way.retain(|path| !shadow.cleared.contains(path));
    if in_the_way.is_empty() { Ok(found) } else { Err(moved.refuse(in_the_way)) }
}

/// Does it again, whole, or leaves everything as it is.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedRedo,
    progress: &dyn Fn(Progress),
) -> Result<Redone, Report> {
    let plan = confirmed.plan();
    progress(Step::Lock.into());
    let lock = deck.store.lock(&format!("redo {}", plan.operation), WAIT_MAX)?;
    recover::recover_locked(deck, &lock)?;
    recover::refuse_unsettled(deck, plan.target.as_ref(), &plan.shadows)?;
    let undone = find_entry(deck, Some(plan.operation))?;
    if undone.verb == Verb::Discard {
        drop(lock);
        return again_by_undo(deck, plan, progress);
    }
    let shadows = read_fates(deck, &undone)?;
    let share = || lock.share();
    let mut writer = Writer::new(&share, deck.git_timeout());
    progress(Step::Check.into());
    let changed_hooks = match &plan.target {
        Some(target) => trust::find_changed_hooks(deck, &plan.shadows, target)?,
        None => None,
    };
    if changed_hooks.is_some() || undone.moves_own_branch() {
        writer = writer.without_hooks();
    }
    let mut entry = JournalEntry::begin(deck.store.journal().next_operation()?, Verb::Redo);
    entry.undoes = Some(undone.operation);
    entry.warnings.extend(changed_hooks);
    entry.advance =
        undone.advance.as_ref().map(|advance| undo::reverse(deck, advance)).transpose()?;
    entry.decision = undone.decision.as_ref().map(Decision::reversed);
    progress(Step::Save.into());
    write_intent(deck, &writer, &mut entry, &undone, shadows)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    progress(Step::Again.into());
    recover::run(deck, &writer, &mut entry, &format!("shadowdeck: redo {}", undone.operation))?;
    Ok(Redone { operation: entry.operation, plan: plan.clone(), warnings: entry.warnings })
}

/// A created shadow was undone by a discard, and comes back as any discarded one does.
fn again_by_undo(
    deck: &Deck,
    plan: &RedoPlan,
    progress: &dyn Fn(Progress),
) -> Result<Redone, Report> {
    let confirmed = undo::plan(deck, Some(plan.operation))?.confirm();
    let undone = undo::carry_out(deck, &confirmed, progress)?;
    Ok(Redone { operation: undone.operation, plan: plan.clone(), warnings: undone.warnings })
}

fn write_intent(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    undone: &JournalEntry,
    shadows: Vec<Again>,
) -> Result<(), Report> {
    let operation = entry.operation;
    let mut pins = Vec::new();
    if let Some(advance) = &entry.advance {
        pins.push(Pin::new("result", advance.after.clone()));
        pins.push(Pin::new("target", advance.before.clone()));
    }
    for (index, again) in shadows.iter().enumerate() {
        pins.extend(moves::pins_of(deck, &again.worktree, index, again.snapshot.as_ref())?);
        if let Fate::Kept { new_tip, .. } = &again.fate {
            pins.push(Pin::new(format!("shadow-{index}/kept"), new_tip.clone()));
        }
    }
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    // Before anything is kept, so that a kill leaves nothing that no entry knows.
    deck.store.journal().write(entry)?;
    for again in shadows {
        let Again { worktree, snapshot, fate, cleared } = again;
        let mut shadow = moves::note(deck, operation, &worktree, snapshot, fate)?;
        clearing::keep(&mut shadow, cleared)?;
        let before = undone.shadows.iter().find(|other| other.id == shadow.id);
        if matches!(shadow.fate, Fate::Kept { .. }) {
            // As it was remembered before the undo put that back.
            shadow.record_after = before.and_then(|before| before.record.clone());
        }
        entry.shadows.push(shadow);
    }
    let own = undone
        .shadows
        .iter()
        .filter(|shadow| shadow.fate == Fate::Untouched && undone.moves(shadow));
    entry.shadows.extend(own.cloned());
    deck.store.journal().write(entry)
}
