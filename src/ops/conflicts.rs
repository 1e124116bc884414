//! The conflict files of landing a shadow now: what each side did, and what was decided.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::check,
    land, resolve,
    standing::{self, Standing},
    told, weave,
};
use crate::{
    git::{lines, private, refs},
    report::{Code, Report},
    review::{
        Conflict, ConflictPage, Entry, FileChange, FileDiff, FileStatus, Mode, RebaseStep, Text,
        Way, conflict::ConflictFile,
    },
    shadow::ShadowId,
    store::journal::now_ms,
};

/// Computed anew, with what was resolved filled in. No conflict: an empty page.
pub fn read_conflicts(
    deck: &Deck,
    id: &ShadowId,
    way: Way,
    cancel: &AtomicBool,
) -> Result<ConflictPage, Report> {
    let standing = standing::read(deck, id, cancel)?;
    check(cancel)?;
    let clash = match way {
        Way::Whole => Clash::whole(standing::predict(deck, &standing)?.conflicts),
        Way::Rebase => read_steps(deck, &standing)?.pop().unwrap_or_default(),
        Way::Step(number) => {
            let mut steps = read_steps(deck, &standing)?;
            let at = steps.iter().position(|clash| clash.number() == Some(number));
            steps.swap_remove(at.ok_or_else(|| refuse_no_step(id, number))?)
        }
    };
    page(deck, &standing, clash, cancel)
}

/// What conflicts at once.
#[derive(Default)]
struct Clash {
    conflicts: Vec<Conflict>,
    step: Option<RebaseStep>,
}

impl Clash {
    fn whole(conflicts: Vec<Conflict>) -> Self {
        Self { conflicts, step: None }
    }

    fn number(&self) -> Option<usize> {
        self.step.as_ref().map(|step| step.number)
    }
}

/// Each commit that conflicts, up to the first that is not settled.
fn read_steps(deck: &Deck, standing: &Standing) -> Result<Vec<Clash>, Report> {
    let steps = land::replay_now(deck, standing)?.into_steps().into_iter();
    Ok(steps.map(|step| Clash { conflicts: step.conflicts, step: Some(step.name) }).collect())
}

/// A page for each of them.
pub(super) fn read_pages(
    deck: &Deck,
    id: &ShadowId,
    cancel: &AtomicBool,
) -> Result<Vec<ConflictPage>, Report> {
    let standing = standing::read(deck, id, cancel)?;
    let steps = read_steps(deck, &standing)?.into_iter();
    steps.map(|clash| page(deck, &standing, clash, cancel)).collect()
}

fn refuse_no_step(id: &ShadowId, number: usize) -> Report {
    Report::user(
        Code::ShadowMoved,
        format!("commit {number} of a rebase of {id} does not conflict, or one before it does"),
    )
    .safe("nothing was recorded")
    .hint("work the conflicts out again")
}

fn page(
    deck: &Deck,
    standing: &Standing,
    clash: Clash,
    cancel: &AtomicBool,
) -> Result<ConflictPage, Report> {
    let Clash { conflicts, step } = clash;
    let local = private::local(&deck.repository)?;
    let known = deck.store.resolutions().read(&standing.worktree.id)?;
    let seen = [&standing.target_tip, &standing.snapshot.tree];
    let mut files = Vec::with_capacity(conflicts.len());
    for mut conflict in conflicts {
        check(cancel)?;
        let [target_diff, shadow_diff] = read_sides(&local, &conflict, cancel)?;
        let weave::Answer { resolution, takes, weave, is_reused } =
            weave::answer(&deck.repository, &conflict, &known, seen)?;
        conflict.resolution = resolution;
        let result = match result_of(deck, &local, &conflict) {
            // What was recorded by an older version, which took git's own markers for a side.
            Err(report) if report.code == Code::MarkersLeft => {
                conflict.resolution = None;
                None
            }
            other => other?,
        };
        files.push(ConflictFile {
            conflict,
            target_diff,
            shadow_diff,
            result,
            weave,
            takes,
            told: Default::default(),
            is_reused,
        });
    }
    tell(deck, standing, step.as_ref(), &mut files)?;
    Ok(ConflictPage {
        id: standing.worktree.id.clone(),
        target: standing.target.clone(),
        before: standing.target_tip.clone(),
        snapshot: standing.snapshot.tree.clone(),
        base: standing.base_commit(),
        step,
        files,
        read_at_ms: now_ms(),
    })
}

fn tell(
    deck: &Deck,
    standing: &Standing,
    step: Option<&RebaseStep>,
    files: &mut [ConflictFile],
) -> Result<(), Report> {
    let Some(step) = step else {
        let (base, target) = (standing.base_commit(), &standing.target_tip);
        let sides = [target, &standing.snapshot.tree];
        let ends = told::Ends { base: &base, sides, tips: [target, &standing.tip] };
        return told::tell(&deck.repository, &ends, files);
    };
    let parent = refs::first_parent(&deck.repository, &step.commit)?;
    let Some(parent) = parent else { return Ok(()) };
    let sides = [&step.onto, &step.commit];
    told::tell(&deck.repository, &told::Ends { base: &parent, sides, tips: sides }, files)
}

/// What the target did since the base, and what the shadow did.
pub(super) fn read_sides(
    local: &private::Local,
    conflict: &Conflict,
    cancel: &AtomicBool,
) -> Result<[Option<FileDiff>; 2], Report> {
    let [_, target, shadow] = conflict.sides();
    let side = |new: Option<&Entry>| read_side(local, conflict, new, cancel);
    Ok([side(target)?, side(shadow)?])
}

/// What the side that has `new` did since the base; `None` where neither has the file.
pub(super) fn read_side(
    local: &private::Local,
    conflict: &Conflict,
    new: Option<&Entry>,
    cancel: &AtomicBool,
) -> Result<Option<FileDiff>, Report> {
    let Some(mut change) = change_of(conflict, new) else { return Ok(None) };
    let blobs = [&change.old, &change.new];
    let blobs = blobs.into_iter().flatten().filter(|e| e.mode != Mode::Submodule);
    for entry in blobs.cloned().collect::<Vec<_>>() {
        change.binary |= lines::looks_binary(local, &entry.oid)?;
    }
    lines::read_file(local, change, cancel).map(Some)
}

/// What one side did since the base; `None` where neither has the file.
fn change_of(conflict: &Conflict, new: Option<&Entry>) -> Option<FileChange> {
    let [base, ..] = conflict.sides();
    let status = match (base, new) {
        (None, None) => return None,
        (None, Some(_)) => FileStatus::Added,
        (Some(_), None) => FileStatus::Deleted,
        (Some(base), Some(new)) if is_link(base.mode) != is_link(new.mode) => {
            FileStatus::TypeChanged
        }
        (Some(_), Some(_)) => FileStatus::Modified,
    };
    Some(FileChange {
        path: conflict.path.clone(),
        old_path: None,
        status,
        old: base.cloned(),
        new: new.cloned(),
        insertions: 0,
        deletions: 0,
        binary: false,
    })
}

fn is_link(mode: Mode) -> bool {
    matches!(mode, Mode::Symlink | Mode::Submodule)
}

/// The file as it would land with the present resolution, made by what landing itself makes it with.
fn result_of(
    deck: &Deck,
    local: &private::Local,
    conflict: &Conflict,
) -> Result<Option<Text>, Report> {
    let Some(resolution) = &conflict.resolution else { return Ok(None) };
    let entry = resolve::choose(&deck.repository, conflict, resolution)?;
    match entry.filter(|entry| entry.mode != Mode::Submodule) {
        Some(entry) => Ok(Some(Text::new(private::read_blob(local, &entry.oid)?))),
        None => Ok(None),
    }
}
