//! Each kind of conflict in one sentence, and each choice as what becomes of the file.
//! What a choice takes away is in its words.

use super::{cells, layout::WIDE, theme::Theme};
use crate::{
    app::viewport::SMALL_COLUMNS,
    review::{Conflict, ConflictFile, ConflictKind, ConflictPage, Entry, Mode, name::visible_name},
    shadow::RepoPath,
};

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
    let name = visible_name(file.conflict.path.as_bytes());
    let name = name.rsplit('/').next().unwrap_or_default();
    match kind {
        ConflictKind::Content => format!("{target} and {shadow} changed the same lines"),
        ConflictKind::AddAdd | ConflictKind::RenameAdd => one_name(file, [&target, &shadow]),
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
        ConflictKind::DirectoryRename => moved(file, [&target, &shadow]),
        ConflictKind::FileDirectory => match (in_target, in_shadow) {
            (None, _) => format!("it is a directory in {target} and a file in {shadow}"),
            _ => format!("it is a file in {target} and a directory in {shadow}"),
        },
        ConflictKind::Binary => {
            format!("{target} and {shadow} changed this binary file: one of them lands, whole")
        }
        ConflictKind::Mode => format!("{target} and {shadow} changed its mode, differently"),
        ConflictKind::Symlink => format!("{target} and {shadow} point this symlink elsewhere"),
        ConflictKind::Submodule => {
            format!("{target} and {shadow} moved this submodule to different commits")
        }
        ConflictKind::DistinctTypes => {
            let [one, other] = [in_target, in_shadow].map(|entry| what_it_is(entry.as_ref()));
            format!("it is {one} in {target} and {other} in {shadow}")
        }
    }
}

/// Two files want one name.
fn one_name(file: &ConflictFile, names: [&str; 2]) -> String {
    let [of_target, of_shadow] = &file.told;
    let was = |old: &RepoPath| visible_name(old.as_bytes());
    let [target, shadow] = names;
    match (&of_target.renamed, &of_shadow.renamed) {
        (None, None) => format!("{target} and {shadow} both added this file, differently"),
        (Some(one), Some(other)) if one == other => {
            format!("{target} and {shadow} both renamed {} to this, and changed it", was(one))
        }
        (Some(one), Some(other)) => {
            format!("{target} renamed {} to this, {shadow} renamed {}", was(one), was(other))
        }
        (Some(one), None) => format!("{target} renamed {} to this, {shadow} added it", was(one)),
        (None, Some(other)) => {
            format!("{shadow} renamed {} to this, {target} added it", was(other))
        }
    }
}

fn moved(file: &ConflictFile, [target, shadow]: [&str; 2]) -> String {
    let Conflict { target: in_target, shadow: in_shadow, moved_from, .. } = &file.conflict;
    let directories = file.conflict.moved_directories();
    let (Some([from, to]), Some(put)) = (directories, moved_from) else {
        return format!(
            "{target} and {shadow} renamed directories so that this file has two places"
        );
    };
    let (who, other) = match (in_target, in_shadow) {
        (Some(_), None) => (shadow, target),
        _ => (target, shadow),
    };
    let [from, to] = [from, to].map(|directory| directory_words(&directory));
    format!("{who} renamed {from} to {to}, {other} put {} there", visible_name(put.as_bytes()))
}

/// `dir/`
pub fn directory_words(directory: &RepoPath) -> String {
    format!(
        "{}/",
        if directory.as_bytes().is_empty() {
            ".".to_owned()
        } else {
            visible_name(directory.as_bytes())
        }
    )
}

fn what_it_is(entry: Option<&Entry>) -> &'static str {
    match entry.map(|entry| entry.mode) {
        Some(Mode::File | Mode::Executable) => "a file",
        Some(Mode::Symlink) => "a symlink",
        Some(Mode::Submodule) => "a submodule",
        None => "nothing",
    }
}

/// Some of the files, and how many more there are.
pub fn files_words(files: &[RepoPath]) -> String {
    let Some(first) = files.first() else { return "nothing".to_owned() };
    let first = visible_name(first.as_bytes());
    match files.len() {
        1 => first,
        all => format!("{first} and {} more", all - 1),
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

/// What a side's choice makes of the file: `own` and `other` as they have it.
fn label(
    name: &str,
    file: &ConflictFile,
    [own, other]: [Option<&Entry>; 2],
    room: Room,
    theme: &Theme,
) -> String {
    match file.conflict.kind {
        ConflictKind::FileDirectory if own.is_none() != other.is_none() => {
            return directory_label(file, own.is_some(), room);
        }
        ConflictKind::DirectoryRename if own.is_none() => return leave_out(room).to_owned(),
        ConflictKind::DirectoryRename if other.is_none() => {
            let to = file.conflict.moved_directories().map(|[_, to]| directory_words(&to));
            if let Some(to) = to {
                return match room {
                    Room::Wide => format!("put it in {}", short(&to, theme)),
                    Room::Narrow => format!("in {}", short(&to, theme)),
                    Room::Tight => cells::clip_middle(&to, TIGHT_CELLS, theme),
                };
            }
        }
        _ => {}
    }
    match ([own.is_some(), other.is_some()], room) {
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

/// A file and a directory of one name: the one takes the place of the other.
fn directory_label(file: &ConflictFile, is_file: bool, room: Room) -> String {
    let below = file.told.iter().map(|told| &told.below).find(|below| !below.is_empty());
    match (is_file, room) {
        (true, Room::Wide) => {
            let below = below.map_or_else(|| "the directory".to_owned(), |all| files_words(all));
            format!("the file, deleting {below}")
        }
        (true, Room::Narrow) => "file, no directory".to_owned(),
        (true, Room::Tight) => "file only".to_owned(),
        (false, Room::Wide) => "the directory, no file".to_owned(),
        (false, Room::Narrow) => "directory, no file".to_owned(),
        (false, Room::Tight) => "dir only".to_owned(),
    }
}

fn leave_out(room: Room) -> &'static str {
    if room == Room::Wide { "leave it out" } else { "leave out" }
}

/// Of a file that each side renamed: the name that one of them gave it.
pub fn new_name(
    file: &ConflictFile,
    page: &ConflictPage,
    is_side: impl Fn(&Conflict) -> bool,
) -> Option<String> {
    let own = &file.conflict;
    let is_one = |other: &&Conflict| other.path == own.path || own.names.contains(&other.path);
    let mut files = page.files.iter().map(|file| &file.conflict).filter(|_| !own.names.is_empty());
    let named = files.find(|other| is_one(other) && is_side(other))?;
    let name = visible_name(named.path.as_bytes());
    Some(name.rsplit('/').next().unwrap_or_default().to_owned())
}

fn name_label(name: &str, room: Room, theme: &Theme) -> String {
    match room {
        Room::Tight => cells::clip_middle(name, TIGHT_CELLS, theme),
        Room::Narrow => short(name, theme),
        Room::Wide => format!("name it {}", short(name, theme)),
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
    label(&page.target.0, file, [target, shadow], room, theme)
}

/// For `a`.
pub fn shadow_label(file: &ConflictFile, page: &ConflictPage, room: Room, theme: &Theme) -> String {
    if let Some(name) = new_name(file, page, |conflict| conflict.shadow.is_some())
        && file.weave.is_none()
    {
        return name_label(&name, room, theme);
    }
    let [_, target, shadow] = file.conflict.sides();
    label(&page.id.0, file, [shadow, target], room, theme)
}

/// For `b`.
pub fn both_label(file: &ConflictFile) -> String {
    if let Some([from, _]) = file.conflict.moved_directories().filter(|_| file.weave.is_none()) {
        return format!("leave it in {}", directory_words(&from));
    }
    if file.weave.is_some() { "both" } else { "keep both" }.to_owned()
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
