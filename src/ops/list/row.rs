//! Facts as a row: the verdict, what is stale, when something last happened.

use std::{fs, path::Path, time::UNIX_EPOCH};

use super::{
    super::{
        Deck, carried,
        ground::{Ground, Place},
        processes::Processes,
        weave,
    },
    batch,
    facts::Facts,
};
use crate::{
    git::{landed, refs, snapshot::Snapshot, submodules},
    review::{ChangedPath, DiffStats, Row, Stale, Verdict},
    shadow::convention,
};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Names and places, and what is recorded.
pub(super) fn begin(ground: &Ground, place: &Place) -> Row {
    let worktree = &place.worktree;
    let record = place.known_record();
    let branch = worktree.head.branch();
    let mut row = Row::unread(worktree.id.clone(), worktree.path.clone());
    row.branch = branch.cloned();
    row.target = ground.target_of(place);
    row.base_ref = record
        .and_then(|record| record.original_branch.as_ref())
        .or(row.target.as_ref())
        .map(|branch| branch.0.clone());
    row.tip = worktree.head.tip().cloned();
    row.created_at_ms = record
        .map(|record| record.created_at_ms)
        // Written when the worktree was made, and never again.
        .or_else(|| modified_ms(&worktree.admin_dir.join("commondir")));
    row.convention = record.map_or_else(
        || convention::name_for(branch, &worktree.path).to_owned(),
        |record| record.convention.clone(),
    );
    row.agent = record
        .and_then(|record| record.agent.clone())
        .or_else(|| branch.and_then(convention::agent_of).map(str::to_owned));
    row.plan = record
        .and_then(|record| record.plan.clone())
        .or_else(|| branch.and_then(convention::plan_of).map(str::to_owned));
    if let Some(record) = record {
        row.state = record.state;
        row.requested.clone_from(&record.requested);
    }
    row.locked.clone_from(&worktree.locked);
    row.prunable.clone_from(&worktree.prunable);
    row.problem.clone_from(&worktree.problem);
    row
}

pub(super) fn finish(
    deck: &Deck,
    ground: &Ground,
    fact: &Facts,
    processes: &Processes,
    now_ms: u64,
) -> Row {
    let mut row = begin(ground, &fact.place);
    row.problem.clone_from(&fact.problem);
    if let Some(history) = &fact.history {
        row.base = history.base.commit().cloned();
        row.ahead = Some(history.distance.ahead);
        row.behind = Some(history.distance.behind);
        let ends = [&history.target_tip, &history.tip];
        match carried::find(deck, fact.place.known_record(), ends) {
            Ok(carried) => row.carried = carried,
            Err(report) => row.problem = row.problem.or(Some(report.headline)),
        }
    }
    if let Some(snapshot) = &fact.snapshot {
        row.snapshot = Some(snapshot.tree.clone());
        row.dirty = Some(snapshot.dirty || !snapshot.busy_submodules.is_empty());
        if row.problem.is_none() {
            row.problem = caveat(snapshot).or_else(|| unpushed(deck, ground, fact));
        }
        row.unseen.clone_from(&snapshot.hidden);
        row.busy_submodules.clone_from(&snapshot.busy_submodules);
    }
    row.stats = fact.change.as_deref().map(DiffStats::of);
    row.flags.clone_from(&fact.flags);
    row.verdict = verdict(deck, fact);
    if row.verdict == Verdict::Conflicts
        && let Some(merge) = &fact.merge
    {
        row.conflicts = merge.conflicts.iter().map(|conflict| conflict.path.clone()).collect();
        let mut conflicts = merge.conflicts.clone();
        match weave::put_answers(deck, &row.id, &mut conflicts) {
            Ok(()) => {
                let settled = conflicts.iter().filter(|conflict| conflict.resolution.is_some());
                row.settled = settled.count();
            }
            // Choosing and landing say the same; the list says it first.
            Err(report) => row.problem = row.problem.or(Some(report.headline)),
        }
    }
    row.processes = processes.inside(&fact.place.worktree.path);
    row.last_activity_ms = last_activity_ms(deck, fact);
    row.stale = stale(deck, &row, now_ms);
    row
}

/// What a reader must know of a snapshot that could be built all the same.
fn caveat(snapshot: &Snapshot) -> Option<String> {
    let names = |paths: &[crate::shadow::RepoPath]| {
        paths.iter().map(crate::shadow::RepoPath::to_lossy).collect::<Vec<_>>().join(", ")
    };
    if !snapshot.embedded.is_empty() {
        return Some(format!(
            "it holds repositories of its own, whose files are not part of its change: {}; landing refuses them",
            names(&snapshot.embedded)
        ));
    }
    if !snapshot.moved_submodules.is_empty() {
        return Some(format!(
            "submodules are at commits of their own, which are not part of its change: {}",
            names(&snapshot.moved_submodules)
        ));
    }
    if !snapshot.own_drivers.is_empty() {
        return Some(format!(
            "{} of the repository's own config did not run: its files are shown raw, and landing them is refused",
            snapshot.own_drivers.join(", ")
        ));
    }
    if snapshot.unmerged {
        return Some(
            "its index holds unmerged files; finish that merge in the shadow first".to_owned(),
        );
    }
    let word = snapshot.in_progress.as_ref()?;
    Some(format!("a {word} is under way in it; finish or abort it in the shadow before landing"))
}

/// Submodule commits that its change names, and only it holds or nobody: landing refuses them.
fn unpushed(deck: &Deck, ground: &Ground, fact: &Facts) -> Option<String> {
    let moved = fact.change.iter().flatten().filter(|file| {
        file.new.as_ref().is_some_and(|entry| entry.mode.is_submodule()) && file.old != file.new
    });
    let changes: Vec<ChangedPath> = moved
        .map(|file| ChangedPath {
            path: file.path.clone(),
            old: file.old.clone(),
            new: file.new.clone(),
        })
        .collect();
    let main = ground.main.path.as_deref();
    match submodules::find_unpushed(&deck.repository, &fact.place.worktree, main, &changes) {
        Ok(found) if found.is_empty() => None,
        Ok(found) => {
            let named = found
                .iter()
                .map(|one| format!("{} at {}", one.path.to_lossy(), one.commit.abbreviated()));
            let named = named.collect::<Vec<_>>().join(", ");
            let unknown = found.iter().all(|one| one.held_in.is_none());
            let who = if unknown { "no repository here holds" } else { "only it holds" };
            Some(format!("submodule commits that {who}: {named}; landing refuses them"))
        }
        Err(report) => Some(report.headline),
    }
}

fn verdict(deck: &Deck, fact: &Facts) -> Verdict {
    let (Some(history), Some(snapshot), Some(merge)) = (&fact.history, &fact.snapshot, &fact.merge)
    else {
        return Verdict::Unknown;
    };
    let plain = if merge.clean { Verdict::Clean } else { Verdict::Conflicts };
    // Work that git does not look at is work all the same.
    if !snapshot.hidden.is_empty() || !snapshot.busy_submodules.is_empty() {
        return plain;
    }
    let proposes = fact.change.as_ref().is_some_and(|files| !files.is_empty());
    let has_landed = (proposes || history.distance.ahead > 0) && batch::adds_nothing(deck, fact);
    if snapshot.dirty {
        return if has_landed { Verdict::Landed } else { plain };
    }
    let worktree = &fact.place.worktree;
    let recorded = fact.place.known_record().and_then(|record| record.base_commit.clone());
    let birth = landed::find_birth(&deck.repository, worktree);
    let is_start = |start: &Option<_>| start.as_ref() == Some(&history.tip);
    if is_start(&recorded) || is_start(&birth.as_ref().map(|birth| birth.at.clone())) {
        return Verdict::Empty;
    }
    if history.distance.ahead == 0 {
        // Within the target: landed if it ever did something; one that only followed it did not.
        let did_work = birth.is_some_and(|birth| birth.has_work)
            || recorded.is_some()
            || landed::was_merged_in(&deck.repository, &history.target_tip, &history.tip)
                .unwrap_or(false);
        return if did_work { Verdict::Landed } else { Verdict::Empty };
    }
    if has_landed || proposes && fact.equal_patches == Some(true) {
        return Verdict::Landed;
    }
    plain
}

fn last_activity_ms(deck: &Deck, fact: &Facts) -> Option<u64> {
    let worktree = &fact.place.worktree;
    let tip = worktree.head.tip().and_then(|tip| refs::commit_time_ms(&deck.repository, tip).ok());
    let own = ["HEAD", "index"].map(|name| modified_ms(&worktree.admin_dir.join(name)));
    let files = fact
        .change
        .iter()
        .flatten()
        .filter_map(|file| modified_ms(&worktree.path.join(file.path.as_path())));
    tip.into_iter().chain(own.into_iter().flatten()).chain(files).max()
}

/// Of the link itself, never of what it points at.
fn modified_ms(path: &Path) -> Option<u64> {
    let modified = fs::symlink_metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

fn stale(deck: &Deck, row: &Row, now_ms: u64) -> Option<Stale> {
    if row.locked.is_some() || row.requested.is_some() || !row.processes.is_empty() {
        return None;
    }
    let idle_ms = now_ms.saturating_sub(row.last_activity_ms?);
    let over = |days: u32| idle_ms >= u64::from(days) * DAY_MS;
    match row.verdict {
        Verdict::Landed if over(deck.config.stale_done_days) => Some(Stale::Landed),
        Verdict::Empty if over(deck.config.stale_done_days) => Some(Stale::Empty),
        _ if over(deck.config.stale_idle_days) => Some(Stale::Idle),
        _ => None,
    }
}
