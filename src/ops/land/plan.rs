//! Works out what landing would do, in the private object store alone. The answer is what is shown and approved.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    guard::{self, Ground},
    merged::{Merged, merge},
    message::{self, About},
    partial, rehearse,
    remarks::{self, Told},
    result::{Recipe, planned_tree},
};
use crate::{
    git::{
        advance::refuse_overlap,
        commit::Signing,
        diff::{self, Pair},
        obstacles::{changed_paths, read_overlap},
        refs,
        shadow_worktree::{Kept, refuse_unwritable},
        submodules,
    },
    ops::{Deck, carried, places, trust},
    report::{Code, Report},
    review::{ChangedPath, Consent, DiffStats, LandOptions, LandPlan, PartPlan},
    shadow::{Oid, RepoPath, ShadowId, Strategy, convention::find_convention},
};

/// Changes nothing but the private object store.
pub fn plan(
    deck: &Deck,
    id: &ShadowId,
    options: &LandOptions,
    cancel: &AtomicBool,
) -> Result<LandPlan, Report> {
    deck.store.refuse_unwritable()?;
    if let Some(message) = &options.message {
        message::refuse_invalid(message)?;
    }
    // What is left out stays in the shadow, so the shadow stays.
    let keep = options.keep || options.only.is_some();
    let options = &LandOptions { keep, ..options.clone() };
    let ground = guard::read_ground(deck, id, options)?;
    refuse_cancelled(cancel)?;
    refuse_moved(&ground, options)?;
    guard::refuse_unmet(deck)?;
    let (strategy, chosen_by) = choose_strategy(&ground, options)?;
    let whole = merge(deck, &ground, &ground.snapshot.tree)?;
    refuse_cancelled(cancel)?;
    let (merged, part, taken) = match &options.only {
        None => (whole, None, None),
        Some(only) => {
            whole.refuse_open(&ground)?;
            let chosen = partial::choose(deck, &ground, only, cancel)?;
            let (counts, left_out) = (chosen.counts, chosen.left_out);
            let taken = (!left_out.is_empty()).then_some(chosen.taken);
            let part = PartPlan { counts, left_out, whole: whole.tree };
            (merge(deck, &ground, &chosen.tree)?, Some(part), taken)
        }
    };
    refuse_cancelled(cancel)?;
    let message = || make_message(deck, &ground, strategy, taken.as_deref());
    let (after, merged) = compute(deck, &ground, strategy, options, (merged, &message))?;
    refuse_cancelled(cancel)?;
    finish(deck, ground, options, Computed { strategy, chosen_by, merged, part, after })
}

fn refuse_cancelled(cancel: &AtomicBool) -> Result<(), Report> {
    if cancel.load(Ordering::Relaxed) {
        return Err(Report::user(Code::Timeout, "planning was stopped")
            .unchanged()
            .hint("plan it again when you want it"));
    }
    Ok(())
}

fn refuse_moved(ground: &Ground, options: &LandOptions) -> Result<(), Report> {
    match &options.expect {
        Some(expected) if *expected != ground.snapshot.tree => {
            Err(refuse_shadow_moved(&ground.worktree.id, expected, &ground.snapshot.tree))
        }
        _ => Ok(()),
    }
}

pub(super) fn refuse_shadow_moved(id: &ShadowId, expected: &Oid, found: &Oid) -> Report {
    Report::user(
        Code::ShadowMoved,
        format!(
            "{id} was written to since it was reviewed: it holds {}, and {} was approved",
            found.abbreviated(),
            expected.abbreviated()
        ),
    )
    .unchanged()
    .hint("look at what is new, then land that")
    .detail("expected", expected.as_str())
    .detail("snapshot", found.as_str())
}

fn choose_strategy(
    ground: &Ground,
    options: &LandOptions,
) -> Result<(Strategy, Option<String>), Report> {
    if options.only.is_some() {
        return match options.strategy {
            None | Some(Strategy::Squash) => Ok((Strategy::Squash, None)),
            Some(other) => Err(Report::user(
                Code::InvalidValue,
                format!("a part of a shadow lands as one commit, not by {}", other.as_str()),
            )
            .unchanged()
            .hint("leave the strategy out, or name squash")),
        };
    }
    if let Some(strategy) = options.strategy {
        return Ok((strategy, None));
    }
    if let Some(strategy) = ground.record.as_ref().and_then(|record| record.strategy) {
        return Ok((strategy, Some("recorded for it".to_owned())));
    }
    let convention = ground.worktree.head.branch().and_then(find_convention);
    Ok(match convention {
        Some(convention) => {
            (convention.strategy, Some(format!("the default for {}*", convention.branch_prefix)))
        }
        None => (Strategy::Squash, Some("the default for other worktrees".to_owned())),
    })
}

struct After {
    commit: Oid,
    safety_net: Option<Oid>,
    message: String,
    /// What a person should know of the way it came about.
    warning: Option<String>,
}

/// Also the merge as it lands: a rebase that conflicts on its way ends in its own tree.
fn compute(
    deck: &Deck,
    ground: &Ground,
    strategy: Strategy,
    options: &LandOptions,
    (merged, make_message): (Merged, &dyn Fn() -> Result<String, Report>),
) -> Result<(After, Merged), Report> {
    let id = &ground.worktree.id;
    if strategy != Strategy::Rebase {
        merged.refuse_open(ground)?;
    }
    if merged.open.is_empty() && merged.tree == refs::tree_of(&deck.repository, &ground.before)? {
        if options.only.is_some() {
            return Err(partial::refuse_nothing(id, &ground.target));
        }
        return Err(guard::refuse_landed(ground, &merged.resolved));
    }
    let own_commit = has_own_commit(deck, ground, options)?;
    let message = match &options.message {
        Some(message) => message.clone(),
        None if strategy == Strategy::Rebase && own_commit => message::of_uncommitted(id, strategy),
        None => make_message()?,
    };
    let made = Recipe {
        id,
        strategy,
        message: &message,
        tree: &merged.tree,
        target: &ground.target,
        before: &ground.before,
        tip: &ground.tip,
        // Of a part, the whole snapshot stays in the shadow, and is pinned.
        uncommitted: options.only.is_none().then_some(&ground.snapshot.tree),
    }
    .make(deck, &Signing::Unsigned)?;
    let mut after =
        After { commit: made.after, safety_net: made.safety_net, message, warning: None };
    if strategy == Strategy::Rebase && !own_commit && options.message.is_some() {
        let words = "each commit keeps its own message: the one that you gave is not used";
        after.warning = Some(words.to_owned());
    }
    if strategy != Strategy::Rebase {
        return Ok((after, merged));
    }
    if made.steps.is_empty() {
        merged.refuse_open(ground)?;
        refuse_other_tree(deck, ground, &after.commit, &merged)?;
        return Ok((after, merged));
    }
    let tree = planned_tree(deck, &after.commit)?;
    let conflicts = made.steps.iter().flat_map(|step| &step.conflicts);
    let resolved: BTreeSet<RepoPath> = conflicts.map(|conflict| conflict.path.clone()).collect();
    let resolved: Vec<RepoPath> = resolved.into_iter().collect();
    if tree == refs::tree_of(&deck.repository, &ground.before)? {
        return Err(guard::refuse_landed(ground, &resolved));
    }
    if merged.open.is_empty() && tree != merged.tree {
        let words = "with what was chosen on its way, the rebase ends in other files than a merge";
        after.warning = Some(words.to_owned());
    }
    Ok((after, Merged { tree, resolved, open: Vec::new() }))
}

/// What is uncommitted lands as a commit of its own.
fn has_own_commit(deck: &Deck, ground: &Ground, options: &LandOptions) -> Result<bool, Report> {
    let tip = refs::tree_of(&deck.repository, &ground.tip)?;
    Ok(options.only.is_none() && ground.snapshot.tree != tip)
}

/// `taken`: the files of a part.
fn make_message(
    deck: &Deck,
    ground: &Ground,
    strategy: Strategy,
    taken: Option<&[RepoPath]>,
) -> Result<String, Report> {
    let about = About {
        id: &ground.worktree.id,
        branch: ground.worktree.head.branch(),
        target: &ground.target,
        before: &ground.before,
        tip: &ground.tip,
        snapshot: &ground.snapshot.tree,
        carried: ground.carried.as_ref(),
    };
    match taken {
        None => message::make(&deck.repository, &about, strategy),
        Some(taken) => message::make_of_part(&deck.repository, &about, taken),
    }
}

fn refuse_other_tree(
    deck: &Deck,
    ground: &Ground,
    after: &Oid,
    merged: &Merged,
) -> Result<(), Report> {
    if planned_tree(deck, after)? == merged.tree {
        return Ok(());
    }
    Err(Report::user(
        Code::WrongState,
        format!(
            "a rebase of {} would end in other files than a merge: its commits do not add up to its change",
            ground.worktree.id
        ),
    )
    .unchanged()
    .hint("land it with --strategy merge or squash")
    .detail("strategy", Strategy::Rebase.as_str()))
}

/// All that was worked out.
struct Computed {
    strategy: Strategy,
    chosen_by: Option<String>,
    merged: Merged,
    part: Option<PartPlan>,
    after: After,
}

fn finish(
    deck: &Deck,
    ground: Ground,
    options: &LandOptions,
    computed: Computed,
) -> Result<LandPlan, Report> {
    let repository = &deck.repository;
    let Computed { strategy, chosen_by, merged, part, after } = computed;
    let old = refs::tree_of(repository, &ground.before)?;
    let pair = Pair { old: old.clone(), new: merged.tree.clone() };
    let files = diff::read_pair(repository, &old, &pair)?;
    let diff_tree = repository.planning("diff-tree");
    let changes = changed_paths(diff_tree, ground.before.as_str(), after.commit.as_str())?;
    let history = (strategy != Strategy::Squash).then_some(&after.commit);
    guard::refuse_unpushed(deck, &ground, &changes, history)?;
    if let Some(place) = &ground.place {
        refuse_unwritable(place, &changes)?;
    }
    let carried = carried::changes(deck, ground.carried.as_ref())?;
    let edits_kept = refuse_in_the_way(&ground, &changes, &carried)?;
    if options.keep {
        let whole = part.as_ref().map_or(&merged.tree, |part| &part.whole);
        refuse_unkeepable(deck, &ground, whole, &after.commit)?;
    }
    let hooks = &ground.safeguards.hooks;
    let head = after.safety_net.as_ref().unwrap_or(&ground.tip);
    let course = rehearse::course_of(strategy, head, &after.commit);
    let runs = rehearse::runs(hooks, strategy, course, options.verify);
    let left_out = rehearse::left_out(hooks, strategy, course);
    let needs_trust = needs_trust(&ground, options, &changes)?;
    let own_commits = refs::commits_between(repository, &ground.before, &ground.tip)?.len();
    let nets = usize::from(after.safety_net.is_some());
    let commits = if part.is_some() { 1 } else { own_commits + nets };
    let at_work = places::at_work_in(&ground.worktree);
    let net = after.safety_net.as_ref();
    let id = &ground.worktree.id;
    let own_commit = net.and_then(|_| message::of_own_commit(id, strategy, &after.message));
    let told = Told {
        safety_net: net,
        own_commit: own_commit.as_deref(),
        carried: carried::landing(&carried, &changes),
        left_out: &left_out,
        at_work: &at_work,
    };
    let warnings = after.warning.into_iter().chain(remarks::warnings(&ground, &told)).collect();
    Ok(LandPlan {
        id: ground.worktree.id.clone(),
        branch: ground.worktree.head.branch().cloned(),
        warnings,
        remarks: remarks::read(deck, &ground, &pair, &files),
        at_work,
        target: ground.target,
        strategy,
        chosen_by,
        message: after.message,
        tip: ground.tip,
        snapshot: ground.snapshot.tree,
        before: ground.before,
        after: after.commit,
        safety_net: after.safety_net,
        stats: DiffStats::of(&files),
        files,
        commits: u32::try_from(commits).unwrap_or(u32::MAX),
        keep: options.keep,
        part,
        target_worktree: ground.place.map(|place| place.worktree),
        edits_kept,
        resolved: merged.resolved,
        runs,
        verify: options.verify,
        trust: options.trust.clone(),
        needs_trust,
        carried: ground.carried,
        own_commit,
    })
}

/// How many edits of the user's are not touched.
fn refuse_in_the_way(
    ground: &Ground,
    changes: &[ChangedPath],
    carried: &[ChangedPath],
) -> Result<u32, Report> {
    let Some(place) = &ground.place else { return Ok(0) };
    let overlap = read_overlap(place, changes)?;
    if overlap.is_empty() {
        return Ok(overlap.edits_kept);
    }
    let report = refuse_overlap(place, &ground.target, &overlap);
    Err(carried::explain(report, carried, &overlap))
}

/// A plan that has to be trusted first is shown, but never carried out.
pub fn refuse_untrusted(plan: &LandPlan) -> Result<(), Report> {
    trust::refuse_untrusted(&plan.id, &plan.needs_trust)
}

/// Everything that has to be consented to before this may land.
fn needs_trust(
    ground: &Ground,
    options: &LandOptions,
    changes: &[ChangedPath],
) -> Result<Vec<Consent>, Report> {
    let id = &ground.worktree.id;
    let landing = trust::find_hook_changes(id, &ground.safeguards.hooks, changes)?;
    let mut needed = ground.needs_trust.clone();
    needed.extend(trust::uncovered(&options.trust, landing.into_iter().collect()));
    Ok(needed)
}

fn refuse_unkeepable(
    deck: &Deck,
    ground: &Ground,
    whole: &Oid,
    new_tip: &Oid,
) -> Result<(), Report> {
    let place = places::place_of(deck, &ground.worktree);
    let kept = Kept {
        place: &place,
        branch: ground.worktree.head.branch(),
        tip: &ground.tip,
        snapshot: &ground.snapshot.tree,
        new_tip,
        whole,
    };
    let changes = kept.changes(&deck.repository)?;
    submodules::refuse_left_behind(&ground.worktree, &changes, &ground.target)?;
    kept.refuse_obstacles(&deck.repository)
}
