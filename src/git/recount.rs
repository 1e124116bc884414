//! The changed files of a pair of trees, where those of another pair are known: git counts again only what can have
//! come out differently. Which files differ is read in process; their counts and renames are always git's.

use std::collections::{BTreeMap, BTreeSet};

use gix::{
    diff::tree::{Recorder, recorder::Change},
    objs::{Tree, TreeRefIter, tree},
};

use super::{
    Repository,
    diff::{Comparisons, Pair},
    private,
    refs::{self, Reading, object_id},
};
use crate::{
    report::Report,
    review::{ChangedPath, Entry, FileChange, FileStatus, Mode},
    shadow::{Oid, RepoPath},
};

/// Lines and files of which git counts fewer in less time than it takes to leave some out.
const LINES_WORTH: u32 = 5_000;
const LINES_A_FILE: u32 = 10;

/// As [`Comparisons::read`]. `known` is the answer for another pair under the same attributes.
pub fn read(
    comparisons: &mut Comparisons<'_>,
    attributes: &Oid,
    pair: &Pair,
    known: &[FileChange],
) -> Result<Vec<FileChange>, Report> {
    if worth(known) < LINES_WORTH {
        return comparisons.read(attributes, pair);
    }
    let listed = read_changed_paths(comparisons.repository, pair)?;
    let (mut files, open) = settle(&listed, known);
    if files.is_empty() {
        return comparisons.read(attributes, pair);
    }
    if !open.is_empty() {
        let part = write_part(comparisons.repository, &open)?;
        files.extend(comparisons.read(attributes, &part)?);
        files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    // Should the two readers ever see different files, git alone is asked.
    if paths_of(&files) == listed.iter().map(|changed| &changed.path).collect() {
        Ok(files)
    } else {
        comparisons.read(attributes, pair)
    }
}

fn worth(known: &[FileChange]) -> u32 {
    known.iter().fold(0, |sum, file| {
        sum.saturating_add(file.insertions)
            .saturating_add(file.deletions)
            .saturating_add(LINES_A_FILE)
    })
}

/// Both names of a renamed one.
fn paths_of(files: &[FileChange]) -> BTreeSet<&RepoPath> {
    files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten().collect()
}

/// Those whose count is known, and those to be counted. A file that is on both sides is by itself. Where files were
/// added and others deleted, git may see any of them as renamed, so these are counted together.
fn settle<'a>(
    listed: &'a [ChangedPath],
    known: &[FileChange],
) -> (Vec<FileChange>, Vec<&'a ChangedPath>) {
    let may_rename = listed.iter().any(|changed| changed.old.is_none())
        && listed.iter().any(|changed| changed.new.is_none());
    let known: BTreeMap<&RepoPath, &FileChange> = known
        .iter()
        .filter(|file| !matches!(file.status, FileStatus::Renamed(_) | FileStatus::Copied(_)))
        .map(|file| (&file.path, file))
        .collect();
    let (mut files, mut open) = (Vec::new(), Vec::new());
    for changed in listed {
        let is_by_itself = !may_rename || (changed.old.is_some() && changed.new.is_some());
        match known.get(&changed.path) {
            Some(file) if is_by_itself && file.old == changed.old && file.new == changed.new => {
                files.push((*file).clone());
            }
            _ => open.push(changed),
        }
    }
    (files, open)
}

/// Files that differ, by path.
fn read_changed_paths(repository: &Repository, pair: &Pair) -> Result<Vec<ChangedPath>, Report> {
    let local = private::local(repository)?;
    let what = || format!("the trees {} and {}", pair.old, pair.new);
    let tree = |id: &Oid| -> Result<Vec<u8>, Report> {
        if object_id(id).is_empty_tree() {
            return Ok(Vec::new());
        }
        let object = local.find_object(object_id(id)).reading(what())?;
        Ok(object.peel_to_tree().reading(what())?.detach().data)
    };
    let (old, new) = (tree(&pair.old)?, tree(&pair.new)?);
    let hash = local.object_hash();
    let mut recorder = Recorder::default();
    gix::diff::tree(
        TreeRefIter::from_bytes(&old, hash),
        TreeRefIter::from_bytes(&new, hash),
        gix::diff::tree::State::default(),
        &local.objects,
        &mut recorder,
    )
    .reading(what())?;
    let mut sides: BTreeMap<RepoPath, (Option<Entry>, Option<Entry>)> = BTreeMap::new();
    for record in recorder.records {
        let (path, before, after) = match record {
            Change::Addition { entry_mode, oid, path, .. } => (path, None, Some((entry_mode, oid))),
            Change::Deletion { entry_mode, oid, path, .. } => (path, Some((entry_mode, oid)), None),
            Change::Modification { previous_entry_mode, previous_oid, entry_mode, oid, path } => {
                (path, Some((previous_entry_mode, previous_oid)), Some((entry_mode, oid)))
            }
        };
        let side = sides.entry(RepoPath::new(Vec::from(path))).or_default();
        side.0 = side.0.take().or_else(|| before.and_then(entry));
        side.1 = side.1.take().or_else(|| after.and_then(entry));
    }
    Ok(sides
        .into_iter()
        .filter(|(_, (old, new))| old != new)
        .map(|(path, (old, new))| ChangedPath { path, old, new })
        .collect())
}

/// None for a directory.
fn entry((mode, id): (tree::EntryMode, gix::ObjectId)) -> Option<Entry> {
    let mode = match mode.kind() {
        tree::EntryKind::Tree => return None,
        tree::EntryKind::Blob => Mode::File,
        tree::EntryKind::BlobExecutable => Mode::Executable,
        tree::EntryKind::Link => Mode::Symlink,
        tree::EntryKind::Commit => Mode::Submodule,
    };
    Some(Entry { mode, oid: refs::oid(id) })
}

/// Two trees of the private store that hold just these files, at their paths: nothing but a question to git.
fn write_part(repository: &Repository, open: &[&ChangedPath]) -> Result<Pair, Report> {
    let side = |of: fn(&ChangedPath) -> &Option<Entry>| {
        let files = open.iter().filter_map(|changed| {
            of(changed).as_ref().map(|entry| (changed.path.as_bytes(), entry))
        });
        write_tree(repository, &files.collect::<Vec<_>>())
    };
    Ok(Pair { old: side(|changed| &changed.old)?, new: side(|changed| &changed.new)? })
}

fn write_tree(repository: &Repository, files: &[(&[u8], &Entry)]) -> Result<Oid, Report> {
    let mut entries = Vec::new();
    let mut below: BTreeMap<&[u8], Vec<(&[u8], &Entry)>> = BTreeMap::new();
    for (path, entry) in files {
        match path.iter().position(|byte| *byte == b'/') {
            Some(at) => below.entry(&path[..at]).or_default().push((&path[at + 1..], entry)),
            None => entries.push(tree_entry(path, kind(entry.mode), &entry.oid)),
        }
    }
    for (name, files) in below {
        let id = write_tree(repository, &files)?;
        entries.push(tree_entry(name, tree::EntryKind::Tree, &id));
    }
    entries.sort();
    private::write_object(repository, &Tree { entries })
}

fn tree_entry(name: &[u8], kind: tree::EntryKind, id: &Oid) -> tree::Entry {
    tree::Entry { mode: kind.into(), filename: name.into(), oid: object_id(id) }
}

fn kind(mode: Mode) -> tree::EntryKind {
    match mode {
        Mode::File => tree::EntryKind::Blob,
        Mode::Executable => tree::EntryKind::BlobExecutable,
        Mode::Symlink => tree::EntryKind::Link,
        Mode::Submodule => tree::EntryKind::Commit,
    }
}
