//! Each kind of conflict in one sentence, and each choice as what becomes of the file.

use super::{cells, layout::WIDE, theme::Theme};
use crate::app::{conflicts::Pane, viewport::SMALL_COLUMNS};
use crate::review::{Conflict, ConflictFile, ConflictKind, ConflictPage, visible::visible};

/// Ids can be long; both ends tell most.
const NAME_CELLS: usize = 20;

fn short(name: &str, theme: &Theme) -> String {
    cells::clip_middle(name, NAME_CELLS, theme)
}

/// What happened, with the sides by name.
pub fn sentence(file: &ConflictFile, page: &ConflictPage, theme: &Theme) -> String {
    let Conflict { kind, target: in_target, shadow: in_shadow, .. } = &file.conflict;
    let (target, shadow) = (short(&page.target.0, theme), short(&page.id.0, theme));
    // git keeps such a file under its new name.
    let name = visible(file.conflict.path.as_bytes());
    let name = name.rsplit('/').next().unwrap_or_default();
    match kind {
        ConflictKind::Content => format!("{target} and {shadow} changed the same lines"),
        ConflictKind::AddAdd => format!("{target} and {shadow} both added this file, differently"),
        ConflictKind::ModifyDelete => match (in_target, in_shadow) {
            (None, _) => format!("{target} deleted this file, {shadow} edited it"),
            (_, None) => format!("{shadow} deleted this file, {target} edited it"),
            _ => "one side deleted this file, the other edited it".to_owned(),
        },
        ConflictKind::RenameRename => {
            let lines = if file.weave.is_some() { ", and changed the same lines" } else { "" };
            format!("{target} and {shadow} gave this file different names{lines}")
        }
        ConflictKind::RenameDelete => match (in_target, in_shadow) {
            (None, _) => format!("{target} deleted this file, {shadow} renamed it to {name}"),
            (_, None) => format!("{shadow} deleted this file, {target} renamed it to {name}"),
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

/// How much room there is for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Wide,
    Narrow,
    /// Not even for long names.
    Tight,
}

impl Room {
    pub fn of(columns: u16) -> Self {
        match columns {
            ..SMALL_COLUMNS => Self::Tight,
            SMALL_COLUMNS..WIDE => Self::Narrow,
            WIDE.. => Self::Wide,
        }
    }
}

/// A name of a side that always has room.
const TIGHT_CELLS: usize = 9;

/// What a side's choice makes of the file: `has` tells whether that side has it, and the other.
fn label(name: &str, has: [bool; 2], room: Room, theme: &Theme) -> String {
    match (has, room) {
        ([true, true], Room::Tight) => {
            format!("{}'s", cells::clip_middle(name, TIGHT_CELLS, theme))
        }
        ([false, _], Room::Wide) => "delete it".to_owned(),
        ([false, _], _) => "delete".to_owned(),
        ([true, false], Room::Wide) => format!("keep it as {} has it", short(name, theme)),
        ([true, false], _) => "keep".to_owned(),
        ([true, true], _) => format!("{}'s", short(name, theme)),
    }
}

/// Of a file that each side renamed: the name that one of them gave it.
fn new_name(
    file: &ConflictFile,
    page: &ConflictPage,
    is_side: impl Fn(&Conflict) -> bool,
) -> Option<String> {
    let own = &file.conflict;
    let is_one = |other: &&Conflict| other.path == own.path || own.names.contains(&other.path);
    let mut files = page.files.iter().map(|file| &file.conflict).filter(|_| !own.names.is_empty());
    let named = files.find(|other| is_one(other) && is_side(other))?;
    let name = visible(named.path.as_bytes());
    Some(name.rsplit('/').next().unwrap_or_default().to_owned())
}

fn name_label(name: &str, room: Room, theme: &Theme) -> String {
    match room {
        Room::Tight => cells::clip_middle(name, TIGHT_CELLS, theme),
        Room::Narrow => short(name, theme),
        Room::Wide => format!("name it {}", short(name, theme)),
    }
}

/// What a side did, in short.
pub fn did(file: &ConflictFile, page: &ConflictPage, side: Pane, theme: &Theme) -> String {
    let (entry, diff) = if side == Pane::Target {
        (&file.conflict.target, &file.target_diff)
    } else {
        (&file.conflict.shadow, &file.shadow_diff)
    };
    let base = page.base.abbreviated();
    let is_side = |conflict: &Conflict| match side {
        Pane::Target => conflict.target.is_some(),
        _ => conflict.shadow.is_some(),
    };
    if let Some(name) = new_name(file, page, is_side) {
        return format!("named it {name} since {base}");
    }
    match (entry, &file.conflict.base, diff) {
        (None, ..) => format!("deleted it since {base}"),
        (Some(now), None, _) if file.conflict.kind == ConflictKind::Mode => {
            format!("added it with mode {}", now.mode.as_octal())
        }
        (Some(_), None, _) => "added it".to_owned(),
        (Some(now), Some(then), _) if now == then => format!("as it was in {base}"),
        (Some(now), Some(then), _) if now.mode != then.mode => format!(
            "mode {} {} {} since {base}",
            then.mode.as_octal(),
            theme.glyphs.arrow,
            now.mode.as_octal()
        ),
        (Some(_), Some(_), Some(diff)) => {
            let change = &diff.change;
            let lines = match (change.insertions, change.deletions) {
                (0, 0) => String::new(),
                (added, removed) => format!(": +{added} {}{removed}", theme.glyphs.minus),
            };
            format!("what it did since {base}{lines}")
        }
        (Some(_), Some(_), None) => format!("changed it since {base}"),
    }
}

/// For `t`.
pub fn target_label(file: &ConflictFile, page: &ConflictPage, room: Room, theme: &Theme) -> String {
    if let Some(name) = new_name(file, page, |conflict| conflict.target.is_some())
        && file.weave.is_none()
    {
        return name_label(&name, room, theme);
    }
    let [_, target, shadow] = file.conflict.sides();
    label(&page.target.0, [target.is_some(), shadow.is_some()], room, theme)
}

/// For `a`.
pub fn shadow_label(file: &ConflictFile, page: &ConflictPage, room: Room, theme: &Theme) -> String {
    if let Some(name) = new_name(file, page, |conflict| conflict.shadow.is_some())
        && file.weave.is_none()
    {
        return name_label(&name, room, theme);
    }
    let [_, target, shadow] = file.conflict.sides();
    label(&page.id.0, [shadow.is_some(), target.is_some()], room, theme)
}

/// For `b`.
pub fn both_label(file: &ConflictFile) -> &'static str {
    if file.weave.is_some() { "both" } else { "keep both" }
}

/// For `0`.
pub fn base_label(room: Room) -> &'static str {
    if room == Room::Wide { "base" } else { "before" }
}

/// What is left of a shadow's name for the name of a file.
const ID_CELLS_MIN: usize = 8;

/// A shadow's name and a file's in one line. The file is what one decides on: the shadow's name is cut first, the
/// directories next.
pub fn both_names(id: &str, path: &str, room: usize, theme: &Theme) -> [String; 2] {
    let id_room = room.saturating_sub(cells::width(path)).max(ID_CELLS_MIN).min(cells::width(id));
    let rest = room.saturating_sub(id_room);
    let base = path.rsplit('/').next().unwrap_or_default();
    let under = format!("{}/{base}", theme.glyphs.ellipsis);
    let shown = if cells::width(path) <= rest {
        path
    } else if path != base && cells::width(&under) <= rest {
        &under
    } else {
        base
    };
    [cells::clip_middle(id, id_room, theme), cells::clip_middle(shown, rest, theme)]
}

pub fn is_rename(file: &ConflictFile) -> bool {
    matches!(file.conflict.kind, ConflictKind::RenameDelete | ConflictKind::RenameRename)
}
