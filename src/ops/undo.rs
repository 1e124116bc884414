//! Taking an operation back: a landing by the same prepared transaction the other way round, a discard by bringing
//! every byte back. An operation of its own, in the journal as any other.

use super::{Deck, moves, places, recover, returning, trust};
use crate::{
    git::{
        advance::refuse_overlap,
        conditions, left_over, migrate,
        obstacles::{Place, read_overlap},
        pins, settle, shadow_worktree, worktrees,
        writer::Writer,
    },
    report::{Code, Report},
    review::{ChangedPath, ConfirmedUndo, Progress, Step, UndoPlan, Undone},
    shadow::{Oid, OperationId},
    store::{
        Advance, Decision, Fate, JournalEntry, Phase, ShadowEntry, Verb,
        journal::now_ms,
        lock::WAIT_MAX,
        modes::{self, PathMode},
    },
};

/// What taking back the newest operation, or this one, would do.
pub fn plan(deck: &Deck, operation: Option<OperationId>) -> Result<UndoPlan, Report> {
    let entry = find_entry(deck, operation)?;
    refuse_impossible(deck, &entry)?;
    let made = entry.shadows.iter().find(|shadow| shadow.fate == Fate::Made);
    let trashed = made.map(|made| {
        let (found, _) = places::find_shadow(deck, &made.id)?;
        super::discard::read_holds(deck, &found, None)
    });
    Ok(UndoPlan {
        operation: entry.operation,
        verb: entry.verb.as_str().to_owned(),
        shadows: super::log::shadows_of(&entry),
        target: entry.advance.as_ref().map(|advance| advance.target.clone()),
        from: entry.advance.as_ref().map(|advance| advance.after.clone()),
        to: entry.advance.as_ref().map(|advance| advance.before.clone()),
        files: super::log::files_of(deck, &entry)?,
        chosen: super::log::chosen_back(&entry),
        trashed: trashed.transpose()?,
    })
}

/// Whether it may still be undone, by what the journal says alone.
pub fn is_undoable(entry: &JournalEntry) -> bool {
    entry.phase == Phase::Done
        && entry.emptied_by.is_none()
        && match entry.verb {
            Verb::Land
            | Verb::Discard
            | Verb::Create
            | Verb::Commit
            | Verb::Rollback
            | Verb::Resolve
            | Verb::Sync
            | Verb::Redo => true,
            // The registrations come back; what it deleted does not.
            Verb::Gc => !entry.shadows.is_empty(),
            Verb::Undo => false,
        }
}

fn find_entry(deck: &Deck, operation: Option<OperationId>) -> Result<JournalEntry, Report> {
    let journal = deck.store.journal();
    if let Some(operation) = operation {
        return journal.read(operation)?.ok_or_else(|| {
            Report::user(Code::NotFound, format!("there is no operation {operation}"))
                .unchanged()
                .hint("`shadowdeck log` names them")
        });
    }
    let all = journal.read_all()?;
    let is_empty = all.is_empty();
    // Newest first; a damaged entry cannot be skipped, it may be the newest that could be undone.
    for (_, entry) in all.into_iter().rev() {
        let entry = entry?;
        if is_undoable(&entry) {
            return Ok(entry);
        }
    }
    let (headline, hint) = if is_empty {
        (
            "nothing was done in this repository yet, so there is nothing to undo",
            "name another repository with -C DIR, if you meant one",
        )
    } else {
        ("nothing that was done is left to undo", "`shadowdeck log` says what became of it")
    };
    Err(Report::user(Code::CannotUndo, headline).unchanged().hint(hint))
}

fn refuse_impossible(deck: &Deck, entry: &JournalEntry) -> Result<(), Report> {
    let name = format!("{} {}", entry.verb.as_str(), entry.operation);
    match entry.phase {
        Phase::Done => {}
        Phase::Undone => return Err(cannot(format!("{name} was undone already"))),
        Phase::TakenBack => {
            return Err(cannot(format!("{name} was taken back: it never happened")));
        }
        Phase::Intent | Phase::Prepared => return Err(cannot(format!("{name} is unfinished"))),
    }
    if let Some(gc) = entry.emptied_by {
        return Err(cannot(format!("{name} cannot be undone: gc {gc} emptied its trash")));
    }
    if !is_undoable(entry) {
        return Err(cannot(format!("{name} cannot be undone")));
    }
    if let Some(advance) = &entry.advance {
        refuse_moved(advance, settle::read_tip(&deck.repository, &advance.target)?.as_ref())?;
    }
    if let Some(decision) = &entry.decision {
        refuse_decided_anew(deck, decision)?;
    }
    for shadow in &entry.shadows {
        match shadow.fate {
            Fate::Trashed => returning::refuse_taken(deck, shadow)?,
            Fate::Kept { .. } => returning::refuse_written(deck, shadow)?,
            Fate::Made => refuse_used(deck, shadow)?,
            Fate::Untouched if entry.moves_own_branch() => super::sync::refuse_busy(deck, shadow)?,
            Fate::Restored | Fate::PutBack { .. } | Fate::Untouched => {}
        }
    }
    Ok(())
}

pub(super) fn cannot(headline: String) -> Report {
    Report::user(Code::CannotUndo, headline).unchanged().hint("`shadowdeck log` shows what can be")
}

/// `at` is where the target is now.
pub(super) fn refuse_moved(advance: &Advance, at: Option<&Oid>) -> Result<(), Report> {
    if at == Some(&advance.after) {
        return Ok(());
    }
    let at = at.map_or_else(|| "gone".to_owned(), |oid| format!("at {}", oid.abbreviated()));
    Err(Report::user(
        Code::CannotUndo,
        format!(
            "{} is {at} by now, no longer at {} where the landing left it",
            advance.target,
            advance.after.abbreviated()
        ),
    )
    .unchanged()
    .hint(format!(
        "take the landing out with a new commit: git revert {}",
        advance.after.abbreviated()
    ))
    .detail("target", advance.target.0.clone())
    .detail("after", advance.after.as_str()))
}

pub(super) fn refuse_decided_anew(deck: &Deck, decision: &Decision) -> Result<(), Report> {
    let Some(asked) = decision.after.as_ref().or(decision.before.as_ref()) else { return Ok(()) };
    if deck.store.resolutions().find(&decision.shadow, asked)? == decision.after {
        return Ok(());
    }
    let path = asked.path.to_lossy();
    Err(cannot(format!("{path} of {} was decided anew since", decision.shadow)))
}

/// A created shadow is undone as it is discarded: to the trash, so whatever was done in it stays.
fn refuse_used(deck: &Deck, shadow: &ShadowEntry) -> Result<(), Report> {
    let (found, _) = places::find_shadow(deck, &shadow.id)?;
    // A name can be used again: what was made then is told from what has it now by its record.
    let made = shadow.record.as_ref().map(|record| record.ulid);
    if found.record()?.map(|record| record.ulid) != made {
        return Err(cannot(format!("{} is another shadow by now, of the same name", shadow.id)));
    }
    match super::discard::find_refusal(deck, &found.worktree)? {
        Some(report) => Err(report),
        None => Ok(()),
    }
}

/// Takes it back, whole, or leaves everything as it is.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedUndo,
    progress: &dyn Fn(Progress),
) -> Result<Undone, Report> {
    let plan = confirmed.plan();
    progress(Step::Lock.into());
    let lock = deck.store.lock(&format!("undo {}", plan.operation), WAIT_MAX)?;
    recover::recover_locked(deck, &lock)?;
    recover::refuse_unsettled(deck, plan.target.as_ref(), &plan.shadows)?;
    let undone = find_entry(deck, Some(plan.operation))?;
    refuse_impossible(deck, &undone)?;
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
    // A created shadow goes to the trash as a discarded one does, so that this can be undone in its turn.
    let verb = if undone.verb == Verb::Create { Verb::Discard } else { Verb::Undo };
    let mut entry = JournalEntry::begin(deck.store.journal().next_operation()?, verb);
    entry.undoes = Some(undone.operation);
    entry.warnings.extend(changed_hooks);
    entry.advance = undone.advance.as_ref().map(|advance| reverse(deck, advance)).transpose()?;
    entry.decision = undone.decision.as_ref().map(Decision::reversed);
    for shadow in &undone.shadows {
        let reversed = reverse_shadow(deck, &writer, &mut entry, shadow)?;
        entry.shadows.extend(reversed);
    }
    // What is tried now may leave traces when it is cut short: the journal knows whose they are.
    deck.store.journal().write(&entry)?;
    if let Err(report) = returning::refuse_hindered(deck, &writer, &entry.shadows) {
        return Err(match recover::drop_intent(deck, &writer, &entry) {
            Ok(()) => report,
            Err(left) => report.cause(left.headline),
        });
    }
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    progress(Step::TakeBack.into());
    let message = format!("shadowdeck: undo {}", undone.operation);
    recover::run(deck, &writer, &mut entry, &message)?;
    Ok(Undone { operation: entry.operation, plan: plan.clone(), warnings: entry.warnings })
}

/// Where the target is checked out may have changed since it landed.
pub(super) fn reverse(deck: &Deck, landed: &Advance) -> Result<Advance, Report> {
    let worktrees = worktrees::read(&deck.repository)?;
    let place = places::find_place(deck, &worktrees, &landed.target)?;
    let main = (&deck.repository.common_dir, worktrees.main.path.as_ref());
    let linked = worktrees.linked.iter().map(|linked| (&linked.admin_dir, Some(&linked.path)));
    for (git_dir, path) in std::iter::once(main).chain(linked) {
        let checked_out = place.as_ref().is_some_and(|place| place.git_dir == *git_dir);
        if let Some(what) = conditions::find_under_way(git_dir, &landed.target, checked_out) {
            let path = path.unwrap_or(git_dir).display();
            return Err(Report::user(
                Code::TargetBusy,
                format!(
                    "a {what} is under way in {path}, and moving {} would break it",
                    landed.target
                ),
            )
            .unchanged()
            .hint(format!("finish or abort that {what}, then undo again")));
        }
    }
    let paths = settle::reversed(&landed.paths);
    if let Some(place) = &place {
        let mut overlap = read_overlap(place, &paths)?;
        left_over::retain_different(place, &paths, &mut overlap.in_the_way)?;
        if !overlap.is_empty() {
            // Once they were committed the branch would no longer be where the landing left it.
            let hint = "`git stash -u` them there, or move them out of the way (a submodule: save what is \
                        only in it, then `git submodule deinit` it), then try again";
            return Err(refuse_overlap(place, &landed.target, &overlap).hint(hint));
        }
        shadow_worktree::refuse_unwritable(place, &paths)?;
    }
    Ok(Advance {
        target: landed.target.clone(),
        before: landed.after.clone(),
        after: landed.before.clone(),
        worktree: place.as_ref().map(|place| place.worktree.clone()),
        git_dir: place.as_ref().map(|place| place.git_dir.clone()),
        modes: modes_of(place.as_ref(), &paths)?,
        paths,
    })
}

/// Of what a move changes or removes, for its undo, and the user's empty directories that it puts files in place of.
pub(super) fn modes_of(
    place: Option<&Place>,
    paths: &[ChangedPath],
) -> Result<Vec<PathMode>, Report> {
    let Some(place) = place else { return Ok(Vec::new()) };
    let replaced = paths.iter().filter(|change| change.old.is_some());
    let mut found = modes::read(&place.worktree, replaced.map(|change| change.path.as_path()))?;
    let added = paths.iter().filter(|change| change.old.is_none());
    let room = modes::read_room(&place.worktree, added.map(|change| change.path.as_path()))?;
    for one in room {
        if found.iter().all(|other| other.path != one.path) {
            found.push(one);
        }
    }
    Ok(found)
}

fn reverse_shadow(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    shadow: &ShadowEntry,
) -> Result<Option<ShadowEntry>, Report> {
    let fate = match &shadow.fate {
        Fate::Trashed => Fate::Restored,
        Fate::Kept { new_tip, whole } => {
            Fate::PutBack { new_tip: new_tip.clone(), whole: whole.clone() }
        }
        Fate::Made => {
            let (found, _) = places::find_shadow(deck, &shadow.id)?;
            let worktree = &found.worktree;
            let pins = moves::pins_of(deck, worktree, 0, None)?;
            let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
            migrate::migrate(&deck.repository, writer, &wanted)?;
            pins::write(&deck.repository, writer, entry.operation, &pins)?;
            entry.pins = pins.iter().map(|pin| pin.full_name(entry.operation)).collect();
            let made = moves::note(deck, entry.operation, worktree, None, Fate::Trashed)?;
            return Ok(Some(made));
        }
        Fate::Untouched if entry.moves(shadow) => return Ok(Some(shadow.clone())),
        Fate::Restored | Fate::PutBack { .. } | Fate::Untouched => return Ok(None),
    };
    let (record, record_after) = (shadow.record_after.clone(), shadow.record.clone());
    Ok(Some(match fate {
        // It comes back from the trash, with what was remembered then.
        Fate::Restored => ShadowEntry { fate, ..shadow.clone() },
        _ => ShadowEntry { fate, record, record_after, ..shadow.clone() },
    }))
}
