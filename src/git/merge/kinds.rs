//! merge-tree's stages and messages as the conflicts that a reader knows: one a name, with its kind.

use super::{Message, Stage};
use crate::{
    review::{Conflict, ConflictKind, Entry, Mode},
    shadow::{Oid, RepoPath},
};

/// Groups the stages by the reader's name, in the order of names.
pub(super) fn conflicts(stages: &[Stage], messages: &[Message], labels: &[&Oid]) -> Vec<Conflict> {
    let mut found: Vec<Conflict> = Vec::new();
    // A path may be named by messages alone: a clash of directory renames has no stages of its own.
    let named = messages
        .iter()
        .filter(|message| message.kind.starts_with("CONFLICT") && stages.is_empty())
        .filter_map(|message| message.paths.first());
    for path in stages.iter().map(|stage| &stage.path).chain(named) {
        let name = reader_name(path, labels);
        if found.iter().all(|conflict| conflict.path != name) {
            found.push(Conflict {
                working_path: None,
                kind: ConflictKind::Content,
                path: name,
                base: None,
                target: None,
                shadow: None,
                names: Vec::new(),
                resolution: None,
            });
        }
    }
    for conflict in &mut found {
        fill(conflict, stages, labels);
        conflict.kind = kind_of(conflict, messages, labels);
        if conflict.kind == ConflictKind::RenameRename {
            conflict.names = other_names(&conflict.path, messages, labels);
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Of the file that git names with this path.
fn other_names(path: &RepoPath, messages: &[Message], labels: &[&Oid]) -> Vec<RepoPath> {
    let named = messages.iter().filter(|message| message.kind.contains("rename/rename"));
    let mut all = named.map(|message| {
        message.paths.iter().map(|path| reader_name(path, labels)).collect::<Vec<_>>()
    });
    let together = all.find(|names| names.contains(path)).unwrap_or_default();
    together.into_iter().filter(|name| name != path).collect()
}

fn fill(conflict: &mut Conflict, stages: &[Stage], labels: &[&Oid]) {
    for stage in stages.iter().filter(|stage| reader_name(&stage.path, labels) == conflict.path) {
        if stage.path != conflict.path {
            conflict.working_path = Some(stage.path.clone());
        }
        let side = match stage.number {
            1 => &mut conflict.base,
            2 => &mut conflict.target,
            _ => &mut conflict.shadow,
        };
        *side = Some(stage.entry.clone());
    }
}

/// git moves one side of a clash to `name~label`, and to `name~label_0` where that is taken.
/// The labels are full object ids here, so nothing else ends that way.
fn reader_name(path: &RepoPath, labels: &[&Oid]) -> RepoPath {
    let bytes = path.as_bytes();
    for label in labels {
        let suffix = format!("~{label}");
        let found = bytes.windows(suffix.len()).rposition(|window| window == suffix.as_bytes());
        let Some(at) = found else { continue };
        let rest = &bytes[at + suffix.len()..];
        let numbered = rest.strip_prefix(b"_").is_some_and(|n| n.iter().all(u8::is_ascii_digit));
        if rest.is_empty() || numbered {
            return RepoPath::new(&bytes[..at]);
        }
    }
    path.clone()
}

fn kind_of(conflict: &Conflict, messages: &[Message], labels: &[&Oid]) -> ConflictKind {
    let about: Vec<&Message> = messages
        .iter()
        .filter(|message| {
            message.kind.starts_with("CONFLICT")
                && message.paths.iter().any(|path| reader_name(path, labels) == conflict.path)
        })
        .collect();
    let says = |words: &str| about.iter().any(|message| message.kind.contains(words));
    // The order matters: structure first, since a structural clash often has a content one beside it.
    if says("file/directory") {
        ConflictKind::FileDirectory
    } else if says("distinct modes") {
        ConflictKind::DistinctTypes
    } else if says("rename involved in collision") {
        ConflictKind::RenameAdd
    } else if says("rename/rename") {
        ConflictKind::RenameRename
    } else if says("rename/delete") {
        ConflictKind::RenameDelete
    } else if says("directory rename") || says("implicit dir rename") {
        ConflictKind::DirectoryRename
    } else if says("submodule") {
        ConflictKind::Submodule
    } else if says("modify/delete") {
        ConflictKind::ModifyDelete
    } else if says("binary") {
        ConflictKind::Binary
    } else {
        kind_of_contents(conflict)
    }
}

/// Both sides have the path; what they hold decides.
fn kind_of_contents(conflict: &Conflict) -> ConflictKind {
    let mode = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.mode);
    let oid = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.oid.clone());
    match (mode(&conflict.target), mode(&conflict.shadow)) {
        (Some(Mode::Submodule), _) | (_, Some(Mode::Submodule)) => ConflictKind::Submodule,
        (Some(Mode::Symlink), Some(Mode::Symlink)) => ConflictKind::Symlink,
        (Some(target), Some(shadow))
            if target != shadow && oid(&conflict.target) == oid(&conflict.shadow) =>
        {
            ConflictKind::Mode
        }
        (Some(_), Some(_)) if conflict.base.is_none() => ConflictKind::AddAdd,
        (None, Some(_)) | (Some(_), None) if conflict.base.is_some() => ConflictKind::ModifyDelete,
        _ => ConflictKind::Content,
    }
}
