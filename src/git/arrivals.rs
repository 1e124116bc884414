//! Files that a move adds, put in place before `read-tree` moves the rest, each only where there is nothing. git's
//! own `read-tree` would overwrite an ignored file there; one that appears in the last instant stays, and stops the
//! move.
//!
//! What is left when the process dies: entries of added files in an index that is otherwise the old one, and some of
//! the files. `settle` takes such an index for the old one, and removes the files that are provably ours.

use std::{collections::HashSet, os::unix::ffi::OsStrExt};

use super::{
    advance::{self, Stopped, refuse_overlap},
    obstacles::{Overlap, Place, read_tracked},
    settle,
    writer::Writer,
};
use crate::{
    report::{Code, Report},
    review::ChangedPath,
    shadow::RepoPath,
};

/// What git says of a file that is there already.
const EXISTS: &[u8] = b" already exists, no checkout\n";

/// Puts them there, and into the index. The answer is what was put, for [`take_back`].
pub(super) fn put(
    writer: &Writer<'_>,
    place: &Place,
    to: &str,
    paths: &[ChangedPath],
) -> Result<Vec<ChangedPath>, Stopped> {
    let arriving = choose(place, paths).map_err(Stopped::broken)?;
    if arriving.is_empty() {
        return Ok(arriving);
    }
    write_entries(writer, place, &arriving).map_err(|report| {
        if advance::is_locked_out(&report) {
            return Stopped::Refused(advance::explain_locked(place, report));
        }
        Stopped::broken(report)
    })?;
    let names: Vec<u8> =
        arriving.iter().flat_map(|change| [change.path.as_bytes(), &[0]].concat()).collect();
    let output = place
        .put(writer.quiet("checkout-index").map_err(Stopped::broken)?)
        // As they will be, not as the worktree or its index have them now.
        .global(format!("--attr-source={to}"))
        .args(["--index", "-z", "--stdin"])
        .input(names)
        .run_any()
        .map_err(Stopped::broken)?;
    if output.exit_code == 0 {
        return Ok(arriving);
    }
    let is_theirs = |change: &&ChangedPath| {
        let line = [change.path.as_bytes(), EXISTS].concat();
        output.stderr.windows(line.len()).any(|said| said == line)
    };
    let (theirs, ours): (Vec<&ChangedPath>, Vec<&ChangedPath>) =
        arriving.iter().partition(is_theirs);
    if theirs.is_empty() {
        return Err(Stopped::broken(output.failure()));
    }
    let ours: Vec<ChangedPath> = ours.into_iter().cloned().collect();
    settle::take_files_back(writer, place, &ours)
        .and_then(|_| drop_entries(writer, place, &arriving))
        .and_then(|()| refuse_staying(place, &arriving))
        .map_err(Stopped::broken)?;
    let in_the_way = theirs.into_iter().map(|change| change.path.clone()).collect();
    let overlap = Overlap { in_the_way, ..Overlap::default() };
    Err(Stopped::Refused(refuse_overlap(place, &place.branch_name(), &overlap)))
}

/// Takes them away again, each that is still as it was put.
pub(super) fn take_back(
    writer: &Writer<'_>,
    place: &Place,
    arrived: &[ChangedPath],
) -> Result<(), Report> {
    settle::take_files_back(writer, place, arrived)?;
    drop_entries(writer, place, arrived)?;
    refuse_staying(place, arrived)
}

/// Before it is said that they are gone.
fn refuse_staying(place: &Place, arrived: &[ChangedPath]) -> Result<(), Report> {
    if arrived.is_empty() {
        return Ok(());
    }
    let tracked = read_tracked(place)?;
    let stays = arrived.iter().find(|change| tracked.contains(change.path.as_bytes()));
    stays.map_or(Ok(()), |change| {
        let headline = format!("git left the entry of {} in the index", change.path.to_lossy());
        Err(Report::environment(Code::GitFailed, headline))
    })
}

/// Added files that need no other to make room first: that, and whatever is tracked already, is left to git's own
/// check. Outside of a sparse checkout nothing is written.
fn choose(place: &Place, paths: &[ChangedPath]) -> Result<Vec<ChangedPath>, Report> {
    let is_added = |change: &&ChangedPath| {
        change.old.is_none() && change.new.as_ref().is_some_and(|entry| !entry.mode.is_submodule())
    };
    if !paths.iter().any(|change| is_added(&change)) {
        return Ok(Vec::new());
    }
    // Names that differ in case only are one file on some systems.
    let folded = |path: &[u8]| path.to_ascii_lowercase();
    let old: HashSet<Vec<u8>> = paths
        .iter()
        .filter(|change| change.old.is_some())
        .map(|change| folded(change.path.as_bytes()))
        .collect();
    let above_old: HashSet<Vec<u8>> =
        old.iter().flat_map(|path| parents(path).map(<[u8]>::to_vec)).collect();
    let tracked = read_tracked(place)?;
    let mut chosen: Vec<ChangedPath> = paths
        .iter()
        .filter(is_added)
        .filter(|change| {
            let path = folded(change.path.as_bytes());
            !old.contains(&path)
                && !above_old.contains(&path)
                && !parents(&path).any(|dir| old.contains(dir))
                && !tracked.contains(change.path.as_bytes())
        })
        .cloned()
        .collect();
    retain_checked_out(place, &mut chosen)?;
    Ok(chosen)
}

fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at])
}

fn retain_checked_out(place: &Place, chosen: &mut Vec<ChangedPath>) -> Result<(), Report> {
    if !place.git_dir.join("info/sparse-checkout").exists()
        || !place.settings()?.is_true("core.sparsecheckout")
    {
        return Ok(());
    }
    let names: Vec<u8> =
        chosen.iter().flat_map(|change| [change.path.as_bytes(), &[0]].concat()).collect();
    let listed =
        place.reading("sparse-checkout").args(["check-rules", "-z"]).input(names).run()?.stdout;
    let inside: HashSet<&[u8]> = listed.split(|byte| *byte == 0).collect();
    chosen.retain(|change| inside.contains(change.path.as_bytes()));
    Ok(())
}

fn write_entries(
    writer: &Writer<'_>,
    place: &Place,
    arriving: &[ChangedPath],
) -> Result<(), Report> {
    let entries = arriving.iter().filter_map(|change| {
        let entry = change.new.as_ref()?;
        Some((&change.path, format!("{} {}", entry.mode.as_octal(), entry.oid)))
    });
    change_index(writer, place, entries)
}

/// As before the move, whatever the index has of them now. Those that go make room for those that come.
pub(super) fn restore_entries(
    writer: &Writer<'_>,
    place: &Place,
    moved: &[ChangedPath],
) -> Result<(), Report> {
    let (gone, kept): (Vec<_>, Vec<_>) =
        moved.iter().cloned().partition(|change| change.old.is_none());
    drop_entries(writer, place, &gone)?;
    write_entries(writer, place, &settle::reversed(&kept))
}

/// As they were: not in the index at all.
pub(super) fn drop_entries(
    writer: &Writer<'_>,
    place: &Place,
    arrived: &[ChangedPath],
) -> Result<(), Report> {
    let entries = arrived.iter().filter_map(|change| {
        let nothing = "0".repeat(change.new.as_ref()?.oid.as_str().len());
        Some((&change.path, format!("0 {nothing}")))
    });
    change_index(writer, place, entries)
}

fn change_index<'a>(
    writer: &Writer<'_>,
    place: &Place,
    entries: impl Iterator<Item = (&'a RepoPath, String)>,
) -> Result<(), Report> {
    let input: Vec<u8> = entries
        .flat_map(|(path, what)| {
            [what.as_bytes(), b"\t", path.as_path().as_os_str().as_bytes(), &[0]].concat()
        })
        .collect();
    if input.is_empty() {
        return Ok(());
    }
    let git = writer.quiet("update-index")?;
    place.put(git).args(["-z", "--index-info"]).input(input).run().map(drop)
}
