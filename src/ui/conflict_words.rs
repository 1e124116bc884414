//! Each kind of conflict in one sentence, and each choice as what becomes of the file.

use crate::review::{Conflict, ConflictFile, ConflictKind, ConflictPage};

/// Ids can be long; both ends tell most.
const NAME_CELLS: usize = 20;

fn short(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= NAME_CELLS {
        return name.to_owned();
    }
    let (head, tail) = (NAME_CELLS / 2, NAME_CELLS - NAME_CELLS / 2 - 2);
    let tail = &letters[letters.len() - tail..];
    format!("{}..{}", letters[..head].iter().collect::<String>(), tail.iter().collect::<String>())
}

/// What happened, with the sides by name.
pub fn sentence(file: &ConflictFile, page: &ConflictPage) -> String {
    let Conflict { kind, target: in_target, shadow: in_shadow, .. } = &file.conflict;
    let (target, shadow) = (short(&page.target.0), short(&page.id.0));
    match kind {
        ConflictKind::Content => format!("{target} and {shadow} changed the same lines"),
        ConflictKind::AddAdd => format!("{target} and {shadow} both added this file, differently"),
        ConflictKind::ModifyDelete => match (in_target, in_shadow) {
            (None, _) => format!("{target} deleted this file, {shadow} edited it"),
            (_, None) => format!("{shadow} deleted this file, {target} edited it"),
            _ => "one side deleted this file, the other edited it".to_owned(),
        },
        ConflictKind::RenameRename => {
            format!("{target} and {shadow} gave this file different names")
        }
        ConflictKind::RenameDelete => match (in_target, in_shadow) {
            (None, _) => format!("{target} deleted this file, {shadow} renamed it"),
            (_, None) => format!("{shadow} deleted this file, {target} renamed it"),
            _ => "one side deleted this file, the other renamed it".to_owned(),
        },
        ConflictKind::RenameAdd => {
            "one side renamed a file to this name, the other added another".to_owned()
        }
        ConflictKind::DirectoryRename => {
            "one side renamed the directory that the other put this file into".to_owned()
        }
        ConflictKind::FileDirectory => {
            "it is a file on one side and a directory on the other".to_owned()
        }
        ConflictKind::Binary => {
            format!("{target} and {shadow} changed this binary file: one of them lands, whole")
        }
        ConflictKind::Mode => format!("{target} and {shadow} changed its mode, differently"),
        ConflictKind::Symlink => format!("{target} and {shadow} point this symlink elsewhere"),
        ConflictKind::Submodule => {
            format!("{target} and {shadow} moved this submodule to different commits")
        }
        ConflictKind::DistinctTypes => {
            "file, symlink or submodule: each side made something else of it".to_owned()
        }
    }
}

/// For `t`: what it makes of the file.
pub fn target_label(file: &ConflictFile, page: &ConflictPage) -> String {
    let Conflict { target, shadow, .. } = &file.conflict;
    match (target, shadow) {
        (None, _) => "delete it".to_owned(),
        (Some(_), None) => format!("keep it as {} has it", short(&page.target.0)),
        (Some(_), Some(_)) => format!("{}'s", short(&page.target.0)),
    }
}

/// For `a`.
pub fn shadow_label(file: &ConflictFile, page: &ConflictPage) -> String {
    let Conflict { target, shadow, .. } = &file.conflict;
    match (shadow, target) {
        (None, _) => "delete it".to_owned(),
        (Some(_), None) => format!("keep it as {} has it", short(&page.id.0)),
        (Some(_), Some(_)) => format!("{}'s", short(&page.id.0)),
    }
}

/// For `0`.
pub fn base_label() -> &'static str {
    "as before both"
}
