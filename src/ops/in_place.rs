//! What `commit` and `rollback` share: a shadow whose own branch, index and files move, with no target concerned.
//!
//! What is left when the process dies, line by line, and what the next run makes of it:
//!
//! | dies after | left behind | next run |
//! |---|---|---|
//! | lock, recovery, checks | nothing | – |
//! | migrate, pins | a pack and refs under `refs/shadowdeck/` | harmless; `gc` takes them |
//! | a first *intent* | an entry that knows of its pins alone | dropped, with its pins |
//! | copies and second names in the trash | the same | dropped, with its pins and those names |
//! | *intent* | an entry, nothing moved | the same |
//! | *prepared* | the same, the plan whole | goes on |
//! | some of what makes room is gone | it lies in the trash | goes on |
//! | index set to the snapshot | files and branch as before | goes on |
//! | `read-tree` under way | it goes on without us and holds our lock till its end | waits for it, then goes on |
//! | `read-tree` killed too | some files half-written | those proven ours go back to the snapshot; goes on |
//! | `read-tree` done | new files, old branch | the branch follows |
//! | the branch, the record | all done but the entry's phase | closed as done |
//!
//! Where an agent wrote meanwhile, nothing is moved over it: the old index comes back, and the user is told. Where git
//! fails halfway and its way back is blocked too, each file comes back for itself, from the trash at last; it is closed
//! only when none is missing.

use super::{Deck, clearing, moves, places, recover};
use crate::{
    git::{
        migrate,
        pins::{self, Pin},
        shadow_worktree,
        snapshot::{self, Snapshot},
        worktrees::Worktree,
        writer::Writer,
    },
    report::{Code, Report},
    shadow::{Oid, RepoPath, ShadowId, ShadowRecord, State},
    store::{Fate, JournalEntry, Phase, Verb, journal::now_ms},
};

/// A shadow that can be changed in its own place.
pub(super) struct Fit {
    pub worktree: Worktree,
    pub record: ShadowRecord,
    pub tip: Oid,
    pub snapshot: Snapshot,
}

/// `doing` names the operation, as in `committing`.
pub(super) fn read_fit(deck: &Deck, id: &ShadowId, doing: &str) -> Result<Fit, Report> {
    let (found, _) = places::find_shadow(deck, id)?;
    let worktree = found.worktree;
    let safe = "nothing was changed";
    if let Some(problem) = &worktree.problem {
        let headline = format!("{id} cannot be read: {problem}");
        return Err(Report::user(Code::WrongState, headline).hint(safe));
    }
    let Some(tip) = worktree.head.tip().cloned() else {
        let headline = format!("{id} has no commit yet");
        return Err(Report::user(Code::UnbornHead, headline).hint(safe));
    };
    let record = places::record_of(deck, &worktree)?;
    if matches!(record.state, State::Pending | State::CleanedUp) {
        let headline = format!("{id} is {}: {doing} is not possible", record.state.as_str());
        return Err(Report::user(Code::WrongState, headline).hint(safe));
    }
    shadow_worktree::refuse_unwritable(&places::place_of(deck, &worktree), &[])?;
    let snapshot = snapshot::read(&deck.repository, &worktree)?;
    refuse_unfit(id, &snapshot, doing)?;
    Ok(Fit { worktree, record, tip, snapshot })
}

fn refuse_unfit(id: &ShadowId, snapshot: &Snapshot, doing: &str) -> Result<(), Report> {
    if let Some(what) = &snapshot.in_progress {
        return Err(Report::user(
            Code::ShadowBusy,
            format!("a {what} is under way in {id}: {doing} would break it"),
        )
        .unchanged()
        .hint(format!("finish or abort that {what} there first")));
    }
    if snapshot.unmerged {
        return Err(Report::user(
            Code::ShadowBusy,
            format!("{id} has unmerged files in its index"),
        )
        .unchanged()
        .hint("resolve and stage them there first"));
    }
    if !snapshot.embedded.is_empty() {
        let named: Vec<String> = snapshot.embedded.iter().map(RepoPath::to_lossy).collect();
        return Err(Report::user(
            Code::WrongState,
            format!("{id} holds a repository of its own in {}", named.join(", ")),
        )
        .unchanged()
        .hint("move it out of the shadow, or remove its .git, first"));
    }
    if let Some(driver) = snapshot.own_drivers.first() {
        return Err(Report::user(
            Code::UnsupportedRepository,
            format!("{doing} would run {driver}, which the repository's own config defines"),
        )
        .unchanged()
        .hint("use git itself in the shadow, which runs it")
        .detail("config", driver.as_str()));
    }
    Ok(())
}

/// Where it moves to.
pub(super) struct Goal {
    pub verb: Verb,
    pub new_tip: Oid,
    pub whole: Oid,
    pub state: State,
    /// What makes room for it.
    pub cleared: Vec<RepoPath>,
}

/// Moves it, or leaves it as it is and says why. Call it under the lock, with everything settled.
pub(super) fn carry_out(
    deck: &Deck,
    writer: &Writer<'_>,
    fit: &Fit,
    goal: Goal,
) -> Result<JournalEntry, Report> {
    let operation = deck.store.journal().next_operation()?;
    let tree = &fit.snapshot.tree;
    let mut pins = moves::pins_of(deck, &fit.worktree, 0, Some(tree))?;
    pins.push(Pin::new("result", goal.new_tip.clone()));
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    let mut entry = JournalEntry::begin(operation, goal.verb);
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    let fate = Fate::Kept { new_tip: goal.new_tip, whole: goal.whole };
    // Before anything is kept, so that a kill leaves nothing that no entry knows.
    deck.store.journal().write(&entry)?;
    let mut shadow = moves::note(deck, operation, &fit.worktree, Some(tree.clone()), fate)?;
    clearing::keep(&mut shadow, goal.cleared)?;
    // What it asked a review of is gone from it.
    let requested = match goal.state {
        State::RolledBack => None,
        _ => fit.record.requested.clone(),
    };
    let after = ShadowRecord { state: goal.state, requested, ..fit.record.clone() };
    shadow.record_after = Some(after);
    shadow.record = shadow.record.or_else(|| Some(fit.record.clone()));
    entry.shadows = vec![shadow];
    deck.store.journal().write(&entry)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    recover::run(deck, writer, &mut entry, "")?;
    Ok(entry)
}
