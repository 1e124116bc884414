//! Carries out a confirmed plan. Nothing that the user sees changes before *prepared* is on the disk.
//!
//! What is left when the process dies, line by line, and what the next run makes of it:
//!
//! | dies after | left behind | next run |
//! |---|---|---|
//! | lock, recovery, guard | nothing | – |
//! | migrate | a pack that no ref names | git's own gc takes it |
//! | pins | refs under `refs/shadowdeck/` | harmless; `gc` takes them |
//! | copies in the trash | copies of reflog or index | harmless; `gc` takes them |
//! | *intent* | an entry, nothing moved | dropped, with its pins |
//! | trust recorded | what the user trusted, as they said | stays: they said so |
//! | *intent* names a rehearsal | nothing there yet | dropped with its pins |
//! | rehearsal being made, a hook under way in it | a hidden worktree that is nobody's work; the hook may go on, it does not hold our lock | removed with the entry |
//! | rehearsal removed in part | what is left of it | removed with the entry |
//! | message rewritten, commits signed | commits in the private store, which no ref names | the store is rebuilt at need |
//! | the final commit migrated and pinned | a pack and refs of an *intent* | dropped with its pins |
//! | *prepared* | the same, the plan whole | target at `before`: taken back |
//! | transaction prepared | its lock files go with that git | the same |
//! | `checkout-index` under way | entries of added files in the old index, some of the files | both taken back |
//! | `read-tree` under way | it goes on without us and holds our lock till its end | waits for it, then takes index and files back |
//! | `read-tree` killed too | some files half-written, old index | those files are proven ours by their content, and put back |
//! | `read-tree` done | new index and files, target at `before` | `read-tree` the other way round |
//! | `commit` | target at `after` | finished, cleanup included |
//! | post-merge under way | the same; the hook goes on without us | the same; it is not run again |
//! | registration in the trash | directory still there | directory follows |
//! | directory in the trash | branch still there | `.git` marked, branch deleted where it has not moved |
//! | branch, record | all done but the entry's phase | closed as done |

use std::{sync::atomic::AtomicBool, time::Duration};

use super::{
    guard::{self, Ground},
    partial::{self, Kept},
    plan::{self, refuse_shadow_moved},
    rehearse,
    result::{Recipe, planned_tree},
};
use crate::{
    git::{
        commit::Signing,
        migrate,
        obstacles::changed_paths,
        pins::{self, Pin},
        writer::Writer,
    },
    ops::{
        Deck, discard, moves,
        recover::{self, Told},
        trust, undo,
    },
    report::{Code, Report},
    review::{ConfirmedPlan, Consent, LandOptions, LandPlan, Landing, Step, Tell, Watch},
    shadow::{Oid, OperationId, ShadowId, ShadowRecord, State},
    store::{Advance, Fate, JournalEntry, Lock, Phase, Verb, journal::now_ms, lock::WAIT_MAX},
};

/// Lands exactly what was confirmed, or nothing.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedPlan,
    progress: Tell<'_>,
) -> Result<Landing, Report> {
    let watch = Watch { tell: progress, stop: &AtomicBool::new(false) };
    carry_out_watched(deck, confirmed, watch)
}

/// As [`carry_out`], for who may stop it as long as the target has not moved.
pub fn carry_out_watched(
    deck: &Deck,
    confirmed: &ConfirmedPlan,
    watch: Watch<'_>,
) -> Result<Landing, Report> {
    let operation = format!("land {}", confirmed.plan().id);
    let lock = deck.store.lock_watched(&operation, WAIT_MAX, watch)?;
    carry_out_locked(deck, &lock, confirmed, watch)
}

/// Who is at work in this repository just now, so that a person who waits knows for whom.
pub fn find_holder(deck: &Deck) -> Option<String> {
    deck.store.find_holder()
}

/// For an approval of whatever the shadow proposes when its turn comes: planned under the lock, so that no other
/// landing comes between. With `options.expect` only that snapshot lands.
pub fn land_approved(
    deck: &Deck,
    id: &ShadowId,
    options: &LandOptions,
    progress: Tell<'_>,
) -> Result<Landing, Report> {
    let uncancelled = AtomicBool::new(false);
    if find_holder(deck).is_some() {
        // What needs no lock to be refused is refused before waiting for one.
        plan::plan(deck, id, options, &uncancelled)?;
    }
    let watch = Watch { tell: progress, stop: &uncancelled };
    let lock = deck.store.lock_watched(&format!("land {id}"), WAIT_MAX, watch)?;
    recover::recover_locked(deck, &lock)?;
    let confirmed = plan::plan(deck, id, options, &uncancelled)?.confirm();
    carry_out_locked(deck, &lock, &confirmed, watch)
}

fn carry_out_locked(
    deck: &Deck,
    lock: &Lock,
    confirmed: &ConfirmedPlan,
    watch: Watch<'_>,
) -> Result<Landing, Report> {
    let plan = confirmed.plan();
    recover::recover_locked(deck, lock)?;
    recover::refuse_unsettled(deck, Some(&plan.target), std::slice::from_ref(&plan.id))?;
    watch.step(Step::Check);
    let ground = read_same_ground(deck, plan)?;
    let hook_changes = refuse_untrusted(deck, plan, &ground)?;
    watch.refuse_stopped(&format!("landing {}", plan.id))?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let operation = deck.store.journal().next_operation()?;
    watch.step(Step::Save);
    let mut entry = write_intent(deck, &writer, operation, plan, &ground)?;
    let plan = match settle_result(deck, &writer, &mut entry, plan, &ground, watch) {
        Ok(plan) => plan,
        Err(report) => {
            // Nothing has moved. What cannot be cleared away now is cleared away by the next run.
            return Err(match recover::drop_intent(deck, &writer, &entry) {
                Ok(()) => report,
                Err(left) => report.cause(left.headline),
            });
        }
    };
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    watch.step(Step::Advance);
    let moved = || {
        watch.step(Step::CleanUp);
        rehearse::run_post_merge(deck, &plan, &ground, hook_changes.as_ref(), watch)
    };
    let told = Told { moved: &moved, ..Told::default() };
    recover::run_telling(
        deck,
        &writer,
        &mut entry,
        &format!("shadowdeck: land {}", plan.id),
        told,
    )?;
    let cleaned_up = entry.shadows.iter().all(|shadow| shadow.fate == Fate::Trashed);
    let warnings = [plan.warnings.clone(), entry.warnings].concat();
    Ok(Landing { operation, plan, cleaned_up, warnings })
}

/// Whatever would run or land that the user has not consented to stops it; what they consent to is recorded.
fn refuse_untrusted(
    deck: &Deck,
    plan: &LandPlan,
    ground: &Ground,
) -> Result<Option<Consent>, Report> {
    let diff_tree = deck.repository.planning("diff-tree");
    let changes = changed_paths(diff_tree, plan.before.as_str(), plan.after.as_str())?;
    let hook_changes = trust::find_hook_changes(&plan.id, &ground.safeguards.hooks, &changes)?;
    let mut needed = ground.needs_trust.clone();
    needed.extend(trust::uncovered(&plan.trust, hook_changes.iter().cloned().collect()));
    trust::refuse_untrusted(&plan.id, &needed)?;
    if plan.trust.covers(&ground.safeguards.mark) {
        trust::write_trusted(deck, &ground.safeguards)?;
    }
    Ok(hook_changes)
}

/// Hooks are asked, commits are signed, and what comes of it is as safe as what was planned. The answer is the plan
/// as it really lands: its trees are the approved ones.
fn settle_result(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    plan: &LandPlan,
    ground: &Ground,
    watch: Watch<'_>,
) -> Result<LandPlan, Report> {
    watch.step(Step::Hooks);
    let message = rehearse::rehearse(deck, writer, entry, plan, ground, watch)?;
    let git_dir = ground.place.as_ref().map(|place| place.git_dir.clone());
    let signing = Signing::of(
        &ground.safeguards.settings,
        git_dir.unwrap_or_else(|| deck.repository.common_dir.clone()),
        Duration::from_secs(deck.config.signing_timeout_s),
    );
    let mut plan = plan.clone();
    if signing != Signing::Unsigned || message != plan.message {
        watch.step(Step::Commit);
        let tree = crate::git::refs::tree_of(&deck.repository, &plan.after)?;
        let made = Recipe {
            id: &plan.id,
            strategy: plan.strategy,
            message: &message,
            tree: &tree,
            target: &plan.target,
            before: &plan.before,
            tip: &plan.tip,
            uncommitted: plan.part.is_none().then_some(&plan.snapshot),
        }
        .make(deck, &signing)?;
        if planned_tree(deck, &made.after)? != tree {
            return Err(refuse_resolved_anew(&plan));
        }
        (plan.after, plan.safety_net, plan.message) = (made.after, made.safety_net, message);
        keep_result(deck, writer, entry, &plan, &signing)?;
    }
    refuse_changed_safeguards(deck, &plan, ground)?;
    watch.refuse_stopped(&format!("landing {}", plan.id))?;
    Ok(plan)
}

/// The answers that a rebase takes on its way may be others than when it was planned.
fn refuse_resolved_anew(plan: &LandPlan) -> Report {
    Report::user(
        Code::ShadowMoved,
        format!("what was chosen for the conflicts of {} is not what it was", plan.id),
    )
    .unchanged()
    .hint("look at the plan again: it is made anew with these choices")
}

/// The commit that lands is another one than was planned, with the same tree.
fn keep_result(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    plan: &LandPlan,
    signing: &Signing,
) -> Result<(), Report> {
    let mut pins = vec![Pin::new("landed", plan.after.clone())];
    let kept = partial::read_kept(deck, plan, signing)?;
    pins.extend(kept.iter().map(|kept| Pin::new("landed-rest", kept.new_tip.clone())));
    pins.extend(plan.safety_net.iter().map(|net| Pin::new("landed-net", net.clone())));
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, entry.operation, &pins)?;
    entry.pins.extend(pins.iter().map(|pin| pin.full_name(entry.operation)));
    entry.message = Some(plan.message.clone());
    if let Some(advance) = &mut entry.advance {
        advance.after = plan.after.clone();
    }
    if let (Some(Kept { new_tip, whole }), Some(shadow)) = (kept, entry.shadows.first_mut()) {
        shadow.fate = Fate::Kept { new_tip, whole };
    }
    deck.store.journal().write(entry)
}

/// Hooks and signers take their time, and somebody may have used it.
fn refuse_changed_safeguards(deck: &Deck, plan: &LandPlan, ground: &Ground) -> Result<(), Report> {
    let now = trust::read(deck, ground.place.as_ref(), &plan.before)?;
    if now.mark == ground.safeguards.mark {
        return Ok(());
    }
    let told = ground.safeguards.fingerprint.differences_to(&now.fingerprint).into_iter();
    let needed: Vec<Consent> = told
        .map(|words| Consent {
            words: format!("{words} while it was landing"),
            mark: now.mark.clone(),
        })
        .collect();
    trust::refuse_untrusted(&plan.id, &needed)
}

/// The ground, read anew, must be the plan's.
fn read_same_ground(deck: &Deck, plan: &LandPlan) -> Result<Ground, Report> {
    let options = LandOptions {
        target: Some(plan.target.clone()),
        keep: plan.keep,
        trust: plan.trust.clone(),
        ..LandOptions::default()
    };
    let ground = guard::read_ground(deck, &plan.id, &options)?;
    guard::refuse_unmet(deck)?;
    if ground.snapshot.tree != plan.snapshot {
        return Err(refuse_shadow_moved(&plan.id, &plan.snapshot, &ground.snapshot.tree));
    }
    if ground.tip != plan.tip {
        return Err(refuse_shadow_moved(&plan.id, &plan.tip, &ground.tip));
    }
    if ground.worktree.head.branch() != plan.branch.as_ref() {
        return Err(refuse_switched(plan));
    }
    if ground.before != plan.before {
        return Err(refuse_target_moved(plan, &ground.before));
    }
    Ok(ground)
}

fn refuse_switched(plan: &LandPlan) -> Report {
    let was = plan.branch.as_ref().map_or_else(|| "no branch".to_owned(), ToString::to_string);
    Report::user(
        Code::ShadowMoved,
        format!("{} was on {was} when this was planned, and is not any more", plan.id),
    )
    .unchanged()
    .hint("look at it again, then land that")
}

fn refuse_target_moved(plan: &LandPlan, found: &Oid) -> Report {
    Report::user(
        Code::TargetMoved,
        format!(
            "{} has moved from {} to {} since this was planned",
            plan.target,
            plan.before.abbreviated(),
            found.abbreviated()
        ),
    )
    .unchanged()
    .hint("look at the plan again: it is made anew on the new commit")
    .detail("before", plan.before.as_str())
    .detail("found", found.as_str())
}

/// Migrates and pins, then writes what is about to happen to the journal.
fn write_intent(
    deck: &Deck,
    writer: &Writer<'_>,
    operation: OperationId,
    plan: &LandPlan,
    ground: &Ground,
) -> Result<JournalEntry, Report> {
    let mut pins = moves::pins_of(deck, &ground.worktree, 0, Some(&plan.snapshot))?;
    pins.push(Pin::new("result", plan.after.clone()));
    pins.push(Pin::new("target", plan.before.clone()));
    let kept = partial::read_kept(deck, plan, &Signing::Unsigned)?;
    pins.extend(kept.iter().map(|kept| Pin::new("kept", kept.new_tip.clone())));
    pins.extend(plan.safety_net.iter().map(|net| Pin::new("safety-net", net.clone())));
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    let mut entry = JournalEntry::begin(operation, Verb::Land);
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    entry.strategy = Some(plan.strategy);
    entry.message = Some(plan.message.clone());
    entry.advance = Some(advance(deck, plan, ground)?);
    let fate = match kept {
        Some(Kept { new_tip, whole }) => Fate::Kept { new_tip, whole },
        None => fate(deck, plan, ground, &mut entry.warnings)?,
    };
    let snapshot = Some(plan.snapshot.clone());
    // Before anything is kept, so that a kill leaves nothing that no entry knows.
    deck.store.journal().write(&entry)?;
    let mut shadow = moves::note(deck, operation, &ground.worktree, snapshot, fate)?;
    // What failed before has landed now, and what asked for review is answered; a rest still asks.
    shadow.record_after = shadow.record.clone().map(|record| ShadowRecord {
        state: if record.state == State::Errored { State::Active } else { record.state },
        last_error: None,
        requested: record.requested.filter(|_| plan.part.is_some()),
        ..record
    });
    entry.shadows = vec![shadow];
    deck.store.journal().write(&entry)?;
    Ok(entry)
}

fn fate(
    deck: &Deck,
    plan: &LandPlan,
    ground: &Ground,
    warnings: &mut Vec<String>,
) -> Result<Fate, Report> {
    // It lands all the same; only its cleaning up would take along what is not its own.
    Ok(match discard::find_refusal(deck, &ground.worktree)? {
        None => Fate::Trashed,
        Some(report) => {
            warnings.push(format!("{} stays: {}", plan.id, report.headline));
            Fate::Untouched
        }
    })
}

fn advance(deck: &Deck, plan: &LandPlan, ground: &Ground) -> Result<Advance, Report> {
    let diff_tree = deck.repository.reading("diff-tree");
    let paths = changed_paths(diff_tree, plan.before.as_str(), plan.after.as_str())?;
    Ok(Advance {
        target: plan.target.clone(),
        before: plan.before.clone(),
        after: plan.after.clone(),
        worktree: ground.place.as_ref().map(|place| place.worktree.clone()),
        git_dir: ground.place.as_ref().map(|place| place.git_dir.clone()),
        modes: undo::modes_of(ground.place.as_ref(), &paths)?,
        paths,
    })
}
