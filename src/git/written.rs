//! What git writes for an entry, and which files on disk hold just that: how a move's own files are told from the
//! user's.

use std::{fs, os::unix::ffi::OsStrExt, path::Path};

use super::obstacles::Place;
use crate::{
    report::{Doing, Report},
    review::{ChangedPath, Entry, Mode},
    shadow::RepoPath,
};

/// Files whose content, cleaned as git would, is the new blob: written whole. One process for all of them; where it
/// cannot read one, each is judged by what git would write alone.
pub(super) fn read_written_whole(
    place: &Place,
    paths: &[ChangedPath],
) -> Result<Vec<RepoPath>, Report> {
    let candidates: Vec<(&RepoPath, &Entry)> = paths
        .iter()
        .filter_map(|change| Some((&change.path, change.new.as_ref()?)))
        .filter(|(path, entry)| {
            matches!(entry.mode, Mode::File | Mode::Executable)
                && is_one_line(path)
                && place.worktree.join(path.as_path()).symlink_metadata().is_ok_and(|m| m.is_file())
        })
        .collect();
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let input: Vec<u8> =
        candidates.iter().flat_map(|(path, _)| [path.as_bytes(), b"\n"].concat()).collect();
    let hashed = place.reading("hash-object").arg("--stdin-paths").input(input).run_any()?;
    if hashed.exit_code != 0 {
        return Ok(Vec::new());
    }
    let hashed = hashed.text();
    let pairs = candidates.into_iter().zip(hashed.lines());
    Ok(pairs
        .filter(|((_, entry), hash)| entry.oid.as_str() == *hash)
        .map(|((path, _), _)| path.clone())
        .collect())
}

/// `--stdin-paths` has no `-z`, and takes a line that begins with a quote for a quoted one.
fn is_one_line(path: &RepoPath) -> bool {
    let bytes = path.as_bytes();
    !bytes.contains(&b'\n') && !bytes.starts_with(b"\"") && !bytes.ends_with(b"\r")
}

/// What git may write for an entry: the blob as it is, and as the attributes there would have it on disk.
pub(super) fn written_forms(
    place: &Place,
    path: &RepoPath,
    entry: &Entry,
) -> Result<Vec<Vec<u8>>, Report> {
    let raw = place.reading("cat-file").args(["blob", entry.oid.as_str()]).run()?.stdout;
    if entry.mode == Mode::Symlink {
        return Ok(vec![raw]);
    }
    let mut option = std::ffi::OsString::from("--path=");
    option.push(path.as_path());
    let filtered = place
        .reading("cat-file")
        .args(["--filters".into(), option, entry.oid.as_str().into()])
        .run()?
        .stdout;
    Ok(vec![raw, filtered])
}

pub(super) fn read_content(full: &Path, is_link: bool) -> Result<Vec<u8>, Report> {
    let read = if is_link {
        fs::read_link(full).map(|target| target.as_os_str().as_bytes().to_vec())
    } else {
        fs::read(full)
    };
    read.doing(format!("read {}", full.display()))
}
