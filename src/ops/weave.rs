//! What was recorded, put to the conflicts that it answers: a whole file by its three versions, a place of it by its
//! lines, so that a choice stands while its own lines do. Texts are merged by git's own `merge-file`.

use std::{ffi::OsString, fs};

use super::{Deck, resolve::Scratch};
use crate::{
    git::{
        Repository,
        command::{Git, Output},
        private,
    },
    report::{Doing, Report},
    review::{
        Conflict, ConflictKind, Entry, Mode, Resolution,
        weave::{Decided, Take, Weave, marker_size},
    },
    shadow::{Oid, ShadowId},
    store::resolutions::Resolved,
};

/// What `merge-file` says of options that it does not know.
const USAGE: i32 = 129;
/// More conflicts than this are not counted; what is above is no count.
const CONFLICTS_MAX: i32 = 127;

#[derive(Debug, Default)]
pub struct Answer {
    pub resolution: Option<Resolution>,
    pub takes: Vec<Option<Take>>,
    pub weave: Option<Weave>,
    pub is_reused: bool,
}

/// What is known of one conflict when it is shown with this target and this snapshot.
pub fn answer(
    repository: &Repository,
    conflict: &Conflict,
    known: &[Resolved],
    seen: [&Oid; 2],
) -> Result<Answer, Report> {
    let weave = read_weave(repository, conflict)?;
    let own = known.iter().find(|resolved| resolved.answers(conflict));
    let is_reused = own.is_some_and(|own| !own.is_of(seen[0], seen[1]));
    let whole = own.map(|own| &own.resolution);
    if let Some(whole) = whole.filter(|whole| !matches!(whole, Resolution::Places(_))) {
        let takes = weave.as_ref().map_or(0, |weave| weave.places().count());
        let resolution = Some(whole.clone());
        return Ok(Answer { resolution, takes: vec![None; takes], weave, is_reused });
    }
    let Some(weave) = weave else { return Ok(Answer::default()) };
    let takes = weave.takes(of_places(conflict, known));
    let is_reused = takes.iter().any(Option::is_some) && (is_reused || own.is_none());
    let is_settled = takes.iter().all(Option::is_some);
    let resolution = is_settled.then(|| Resolution::Places(weave.decided(&takes)));
    Ok(Answer { resolution, takes, weave: Some(weave), is_reused })
}

/// What was recorded for this very question; else for other states of the file, the newest first.
fn of_places<'a>(
    conflict: &'a Conflict,
    known: &'a [Resolved],
) -> impl Iterator<Item = &'a Decided> + Clone {
    let own = known.iter().find(|resolved| resolved.answers(conflict));
    let others = known.iter().rev().filter(move |resolved| resolved.path == conflict.path);
    let others = others.filter(move |_| own.is_none());
    own.into_iter().chain(others).flat_map(|resolved| match &resolved.resolution {
        Resolution::Places(decided) => &decided[..],
        _ => &[],
    })
}

/// Whether another state of the file has answers for places of it.
pub(super) fn has_others(conflict: &Conflict, known: &[Resolved]) -> bool {
    known.iter().any(|resolved| {
        resolved.path == conflict.path
            && !resolved.answers(conflict)
            && matches!(resolved.resolution, Resolution::Places(_))
    })
}

/// Puts what was recorded to the conflicts that it settles.
pub fn put_answers(deck: &Deck, id: &ShadowId, conflicts: &mut [Conflict]) -> Result<(), Report> {
    let known = deck.store.resolutions().read(id)?;
    for conflict in conflicts {
        let own = known.iter().find(|resolved| resolved.answers(conflict));
        let is_whole = |own: &&Resolved| !matches!(own.resolution, Resolution::Places(_));
        conflict.resolution = if let Some(own) = own.filter(is_whole) {
            Some(own.resolution.clone())
        } else if of_places(conflict, &known).next().is_some() {
            let Some(weave) = read_weave(&deck.repository, conflict)? else { continue };
            let takes = weave.takes(of_places(conflict, &known));
            let is_settled = takes.iter().all(Option::is_some);
            is_settled.then(|| Resolution::Places(weave.decided(&takes)))
        } else {
            None
        };
    }
    Ok(())
}

/// Where lines can be chosen: both sides are plain files that git merges line by line.
pub fn read_weave(repository: &Repository, conflict: &Conflict) -> Result<Option<Weave>, Report> {
    // Where a directory was renamed its files may clash all the same.
    let by_kind = match conflict.kind {
        ConflictKind::Content | ConflictKind::AddAdd => true,
        ConflictKind::DirectoryRename => conflict.base.is_some(),
        _ => conflict.versions.is_some(),
    };
    if !by_kind {
        return Ok(None);
    }
    let Some(texts) = read_texts(repository, conflict)? else { return Ok(None) };
    let [base, target, shadow] = texts.each_ref().map(Vec::as_slice);
    let size = marker_size(&[base, target, shadow]);
    let options = ["--diff3".to_owned(), format!("--marker-size={size}")];
    let merge = |more: &[&str]| {
        let options = options.iter().map(String::as_str).chain(more.iter().copied());
        merge_texts(repository, options, [base, target, shadow])
    };
    let mut merged = merge(&["--diff-algorithm=histogram"])?;
    if merged.exit_code == USAGE {
        merged = merge(&[])?;
    }
    if !(0..=CONFLICTS_MAX).contains(&merged.exit_code) {
        return Ok(None);
    }
    let weave = Weave::parse(&merged.stdout, size);
    let weave = weave.filter(|weave| weave.places().next().is_some());
    Ok(weave.map(|weave| weave.ending_as([base, target, shadow])))
}

/// Base, target, shadow; an absent base is empty. `None`: not both sides are plain files.
pub(super) fn read_texts(
    repository: &Repository,
    conflict: &Conflict,
) -> Result<Option<[Vec<u8>; 3]>, Report> {
    let plain = |entry: &&Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    let side = |entry: Option<&Entry>| entry.filter(plain).map(|entry| entry.oid.clone());
    let [base, target, shadow] = conflict.sides().map(side);
    let (Some(target), Some(shadow)) = (target, shadow) else { return Ok(None) };
    let local = private::local(repository)?;
    let base = match base {
        Some(base) => private::read_blob(&local, &base)?,
        None => Vec::new(),
    };
    let read = |oid| private::read_blob(&local, oid);
    Ok(Some([base, read(&target)?, read(&shadow)?]))
}

/// `git merge-file` of base, target, shadow: the merged text, and how many conflicts there are.
pub(super) fn merge_texts<'a>(
    repository: &Repository,
    options: impl Iterator<Item = &'a str>,
    [base, target, shadow]: [&[u8]; 3],
) -> Result<Output, Report> {
    let scratch = Scratch::new(repository)?;
    let mut args: Vec<OsString> = Vec::new();
    for (name, bytes) in [("target", target), ("base", base), ("shadow", shadow)] {
        let file = scratch.dir.join(name);
        fs::write(&file, bytes).doing(format!("write {}", file.display()))?;
        args.push(file.into());
    }
    Git::reading("merge-file")
        .timeout(repository.timeout)
        .args(["-p", "-q", "-L", "target", "-L", "base", "-L", "shadow"])
        .args(options)
        .args(args)
        .run_any()
}
