//! Where the index of a worktree stands, seen from a move that was stopped. Each of the move's paths is as before or as
//! after; one that is neither is somebody's own.

use std::{collections::HashMap, os::unix::ffi::OsStrExt};

use super::{obstacles::Place, settle::reversed, writer::Writer};
use crate::{
    report::Report,
    review::{ChangedPath, Entry},
    shadow::RepoPath,
};

pub(super) enum IndexSide {
    /// With the entries of added files that were put there ahead of the rest.
    Old { arrived: Vec<ChangedPath> },
    /// The same of deleted files, which a way back that was cut short had put there again.
    New { returned: Vec<ChangedPath> },
    /// Some as before, and these as after, as where a git had done its work before it failed and a part of it was
    /// taken back. `skipped` are those that a sparse checkout leaves out.
    Mixed { moved: Vec<ChangedPath>, skipped: Vec<RepoPath> },
    /// At this path.
    Neither(RepoPath),
}

struct Staged {
    /// Absent for an unmerged one.
    entry: Option<Entry>,
    is_skipped: bool,
}

pub(super) fn read(place: &Place, paths: &[ChangedPath]) -> Result<IndexSide, Report> {
    let listed = place.reading("ls-files").args(["--stage", "-t", "-z"]).run()?.stdout;
    let staged = parse(&listed);
    let at = |change: &ChangedPath| staged.get(change.path.as_bytes());
    let is = |change: &ChangedPath, wanted: &Option<Entry>| match at(change) {
        Some(staged) => staged.entry.is_some() && staged.entry == *wanted,
        None => wanted.is_none(),
    };
    let neither = |change: &&ChangedPath| !is(change, &change.old) && !is(change, &change.new);
    if let Some(change) = paths.iter().find(neither) {
        return Ok(IndexSide::Neither(change.path.clone()));
    }
    let (old, new): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|change| is(change, &change.old));
    if new.iter().all(|change| change.old.is_none()) {
        return Ok(IndexSide::Old { arrived: new });
    }
    if old.iter().all(|change| change.new.is_none()) {
        return Ok(IndexSide::New { returned: reversed(&old) });
    }
    let skipped = paths.iter().filter(|change| at(change).is_some_and(|staged| staged.is_skipped));
    let skipped = skipped.map(|change| change.path.clone()).collect();
    Ok(IndexSide::Mixed { moved: new, skipped })
}

/// `TAG MODE OID STAGE<tab>PATH`, each ended by a NUL.
fn parse(listed: &[u8]) -> HashMap<&[u8], Staged> {
    let mut staged = HashMap::new();
    for line in listed.split(|byte| *byte == 0) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let text = String::from_utf8_lossy(&line[..tab]);
        let words: Vec<&str> = text.split(' ').collect();
        let [tag, mode, oid, stage] = words[..] else { continue };
        let entry = if stage == "0" { Entry::parse(mode, oid) } else { None };
        let is_skipped = tag.eq_ignore_ascii_case("s");
        staged.insert(&line[tab + 1..], Staged { entry, is_skipped });
    }
    staged
}

/// Entries that were written anew have lost that mark.
pub(super) fn skip(writer: &Writer<'_>, place: &Place, skipped: &[RepoPath]) -> Result<(), Report> {
    if skipped.is_empty() {
        return Ok(());
    }
    let names: Vec<u8> = skipped
        .iter()
        .flat_map(|path| [path.as_path().as_os_str().as_bytes(), &[0]].concat())
        .collect();
    let git = place.put(writer.quiet("update-index")?);
    git.args(["--skip-worktree", "-z", "--stdin"]).input(names).run().map(drop)
}
