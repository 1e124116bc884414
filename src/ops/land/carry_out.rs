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
//! | *prepared* | the same, the plan whole | target at `before`: taken back |
//! | transaction prepared | its lock files go with that git | the same |
//! | `read-tree` under way | it goes on without us and holds our lock till its end | waits for it, then takes index and files back |
//! | `read-tree` killed too | some files half-written, old index | those files are proven ours by their content, and put back |
//! | `read-tree` done | new index and files, target at `before` | `read-tree` the other way round |
//! | `commit` | target at `after` | finished, cleanup included |
//! | registration in the trash | directory still there | directory follows |
//! | directory in the trash | branch still there | `.git` marked, branch deleted where it has not moved |
//! | branch, record | all done but the entry's phase | closed as done |

use std::sync::atomic::AtomicBool;

use super::{
    guard::{self, Ground},
    partial::{self, Kept},
    plan::{self, refuse_shadow_moved},
};
use crate::{
    git::{
        migrate,
        obstacles::changed_paths,
        pins::{self, Pin},
        writer::Writer,
    },
    ops::{Deck, discard, moves, recover},
    report::{Code, Report},
    review::{ConfirmedPlan, LandOptions, LandPlan, Landing},
    shadow::{Oid, OperationId, ShadowId, ShadowRecord, State},
    store::{Advance, Fate, JournalEntry, Lock, Phase, Verb, journal::now_ms, lock::WAIT_MAX},
};

/// Lands exactly what was confirmed, or nothing. `progress` is told each step's name.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedPlan,
    progress: &dyn Fn(&'static str),
) -> Result<Landing, Report> {
    progress("waiting for the lock");
    let lock = deck.store.lock(&format!("land {}", confirmed.plan().id), WAIT_MAX)?;
    carry_out_locked(deck, &lock, confirmed, progress)
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
    progress: &dyn Fn(&'static str),
) -> Result<Landing, Report> {
    let uncancelled = AtomicBool::new(false);
    if find_holder(deck).is_some() {
        // What needs no lock to be refused is refused before waiting for one.
        plan::plan(deck, id, options, &uncancelled)?;
    }
    progress("waiting for the lock");
    let lock = deck.store.lock(&format!("land {id}"), WAIT_MAX)?;
    recover::recover_locked(deck, &lock)?;
    let confirmed = plan::plan(deck, id, options, &uncancelled)?.confirm();
    carry_out_locked(deck, &lock, &confirmed, progress)
}

fn carry_out_locked(
    deck: &Deck,
    lock: &Lock,
    confirmed: &ConfirmedPlan,
    progress: &dyn Fn(&'static str),
) -> Result<Landing, Report> {
    let plan = confirmed.plan();
    recover::recover_locked(deck, lock)?;
    recover::refuse_unsettled(deck, Some(&plan.target), std::slice::from_ref(&plan.id))?;
    progress("checking that nothing has moved");
    let ground = read_same_ground(deck, plan)?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let operation = deck.store.journal().next_operation()?;
    progress("saving what undo needs");
    let mut entry = write_intent(deck, &writer, operation, plan, &ground)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    progress("moving the target");
    recover::run(deck, &writer, &mut entry, &format!("shadowdeck: land {}", plan.id))?;
    let cleaned_up = entry.shadows.iter().all(|shadow| shadow.fate == Fate::Trashed);
    let warnings = [plan.warnings.clone(), entry.warnings].concat();
    Ok(Landing { operation, plan: plan.clone(), cleaned_up, warnings })
}

/// The ground, read anew, must be the plan's.
fn read_same_ground(deck: &Deck, plan: &LandPlan) -> Result<Ground, Report> {
    let options = LandOptions {
        target: Some(plan.target.clone()),
        keep: plan.keep,
        ..LandOptions::default()
    };
    let ground = guard::read_ground(deck, &plan.id, &options)?;
    guard::refuse_unmet(deck, &ground)?;
    if ground.snapshot.tree != plan.snapshot {
        return Err(refuse_shadow_moved(&plan.id, &plan.snapshot, &ground.snapshot.tree));
    }
    if ground.tip != plan.tip {
        return Err(refuse_shadow_moved(&plan.id, &plan.tip, &ground.tip));
    }
    if ground.before != plan.before {
        return Err(refuse_target_moved(plan, &ground.before));
    }
    Ok(ground)
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
    let kept = partial::read_kept(deck, plan)?;
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
    let mut shadow = moves::note(deck, operation, &ground.worktree, snapshot, fate)?;
    // What failed before has landed now.
    shadow.record_after = shadow.record.clone().map(|record| ShadowRecord {
        state: if record.state == State::Errored { State::Active } else { record.state },
        last_error: None,
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
    Ok(Advance {
        target: plan.target.clone(),
        before: plan.before.clone(),
        after: plan.after.clone(),
        worktree: ground.place.as_ref().map(|place| place.worktree.clone()),
        git_dir: ground.place.as_ref().map(|place| place.git_dir.clone()),
        paths: changed_paths(diff_tree, plan.before.as_str(), plan.after.as_str())?,
    })
}
