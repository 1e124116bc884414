//! merge-tree's stages and messages as the conflicts that a reader knows: one a name, with its kind.

use std::collections::BTreeMap;

use super::{Message, Stage};
use crate::{
    review::{Conflict, ConflictKind, Entry, Mode},
    shadow::{Oid, RepoPath},
};

/// What git says of one name that the reader knows.
#[derive(Default)]
struct About<'a> {
    stages: Vec<&'a Stage>,
    /// Those that tell of a conflict, in git's order.
    messages: Vec<&'a Message>,
}

/// Groups the stages by the reader's name, in the order of names.
pub(super) fn conflicts(stages: &[Stage], messages: &[Message], labels: &[&Oid]) -> Vec<Conflict> {
    let names = Names(labels.iter().map(|label| format!("~{label}")).collect());
    let mut found: BTreeMap<RepoPath, About<'_>> = BTreeMap::new();
    for stage in stages {
        found.entry(names.of(&stage.path)).or_default().stages.push(stage);
    }
    let telling = || messages.iter().filter(|message| message.kind.starts_with("CONFLICT"));
    // A path may be named by messages alone: a clash of directory renames has no stages of its own.
    if stages.is_empty() {
        for path in telling().filter_map(|message| message.paths.first()) {
            found.entry(names.of(path)).or_default();
        }
    }
    for message in telling() {
        for path in &message.paths {
            if let Some(about) = found.get_mut(&names.of(path)) {
                about.messages.push(message);
            }
        }
    }
    found.into_iter().map(|(path, about)| conflict(path, &about, &names)).collect()
}

fn conflict(path: RepoPath, about: &About<'_>, names: &Names) -> Conflict {
    let mut conflict = Conflict {
        working_path: None,
        kind: ConflictKind::Content,
        path,
        base: None,
        target: None,
        shadow: None,
        names: Vec::new(),
        versions: None,
        moved_from: None,
        resolution: None,
    };
    for stage in &about.stages {
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
    conflict.kind = kind_of(&conflict, &about.messages);
    if conflict.kind == ConflictKind::RenameRename {
        let mut told = about.messages.iter().filter(|told| told.kind.contains("rename/rename"));
        let together = told.next().map_or(&[][..], |told| &told.paths);
        conflict.names =
            together.iter().map(|path| names.of(path)).filter(|it| *it != conflict.path).collect();
    }
    if conflict.kind == ConflictKind::DirectoryRename {
        // git names the place that it suggests, then the one that the side had put the file at.
        let mut told = about.messages.iter().filter(|told| told.kind.contains("suggested"));
        conflict.moved_from = told.find_map(|told| match &told.paths[..] {
            [to, from] if *to == conflict.path => Some(from.clone()),
            _ => None,
        });
    }
    conflict
}

/// git moves one side of a clash to `name~label`, and to `name~label_0` where that is taken.
/// The labels are full object ids here, so nothing else ends that way.
struct Names(Vec<String>);

impl Names {
    /// What the reader knows the path as.
    fn of(&self, path: &RepoPath) -> RepoPath {
        let bytes = path.as_bytes();
        for suffix in &self.0 {
            let found = bytes.windows(suffix.len()).rposition(|window| window == suffix.as_bytes());
            let Some(at) = found else { continue };
            let rest = &bytes[at + suffix.len()..];
            let numbered =
                rest.strip_prefix(b"_").is_some_and(|n| n.iter().all(u8::is_ascii_digit));
            if rest.is_empty() || numbered {
                return RepoPath::new(&bytes[..at]);
            }
        }
        path.clone()
    }
}

fn kind_of(conflict: &Conflict, messages: &[&Message]) -> ConflictKind {
    let says = |words: &str| messages.iter().any(|message| message.kind.contains(words));
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
