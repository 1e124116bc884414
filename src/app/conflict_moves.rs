//! Moving through the parts of a conflict: lines, pages, places where both sides changed the same, and how lines
//! are shown.

use super::{
    Effect, Model, Viewport,
    conflicts::{ConflictsScreen, Pane, Settled},
    list::half,
    review::{FILES_COLUMNS_MIN, panes},
    review_rows::Rest,
    review_within::scrolled,
};
use crate::review::{
    count,
    marks::Mark,
    name::visible_name,
    stream::{Layout, Long, Space, StreamRow},
};

/// What `+` and `-` walk through while the list has the keys.
const CONTEXTS: [u32; 6] = [0, 1, 3, 6, 12, 25];

fn rows(model: &Model) -> usize {
    panes(model.viewport).rows
}

/// With what moving needs to know of sizes.
fn parts(model: &mut Model) -> Option<(&mut ConflictsScreen, Viewport)> {
    let viewport = model.viewport;
    Some((model.conflicts.as_mut()?, viewport))
}

/// The keys go to the list, or to a list that is not drawn: then the first part has them.
pub(super) fn in_list(model: &Model) -> bool {
    model.conflicts.as_ref().is_some_and(|screen| screen.is_in_files(model.viewport))
}

pub(super) fn step_file(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let here = screen.cursor;
    let count = screen.files().len();
    let next = if direction > 0 {
        (here + 1..count).find(|index| screen.is_listed(*index))
    } else {
        (0..here).rev().find(|index| screen.is_listed(*index))
    };
    match next {
        Some(index) => screen.go(index, rows),
        None if direction > 0 => model.say("this is the last file"),
        None => model.say("this is the first file"),
    }
    keep(model)
}

pub(super) fn keep(model: &mut Model) -> Vec<Effect> {
    if let Some((screen, viewport)) = parts(model) {
        screen.keep_in_view(viewport);
    }
    Vec::new()
}

/// Files in the list, lines in a part.
pub(super) fn step(model: &mut Model, count: isize) -> Vec<Effect> {
    if in_list(model) {
        return step_file(model, count.signum());
    }
    if let Some((screen, _)) = parts(model) {
        let part = screen.part();
        let last = screen.part_rows(part).saturating_sub(1);
        screen.cursors[part] = screen.cursors[part].saturating_add_signed(count).min(last);
    }
    keep(model)
}

/// A page of the part in focus, or the `share`th of it.
pub(super) fn step_page(model: &mut Model, direction: isize, share: usize) -> Vec<Effect> {
    let Some((screen, viewport)) = parts(model) else { return Vec::new() };
    let height = screen.heights(viewport)[screen.part()].saturating_sub(1);
    step(model, direction * half(2 * height / share.max(1)))
}

/// The parts while the list has the keys, else the list.
pub(super) fn step_other(model: &mut Model, direction: isize) -> Vec<Effect> {
    if !in_list(model) {
        return step_file(model, direction);
    }
    if let Some(screen) = &mut model.conflicts {
        screen.pane = Pane::Target;
    }
    step(model, direction);
    if let Some(screen) = &mut model.conflicts {
        screen.pane = Pane::Files;
    }
    Vec::new()
}

/// The next place where both sides changed the same lines; behind the last one, the next file.
pub(super) fn next_clash(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let next = screen.clash.checked_add_signed(direction);
    if let Some(next) = next.filter(|next| *next < screen.clashes.len()) {
        screen.show_clash(next);
        return keep(model);
    }
    let before = screen.cursor;
    step_file(model, direction);
    if let Some(screen) = &mut model.conflicts
        && direction < 0
        && screen.cursor != before
    {
        screen.lay_out(rows);
        screen.show_clash(screen.clashes.len().saturating_sub(1));
    }
    keep(model)
}

pub(super) fn scroll(model: &mut Model, direction: isize) -> Vec<Effect> {
    if in_list(model) {
        return if direction > 0 { go_in(model) } else { Vec::new() };
    }
    let Some((screen, viewport)) = parts(model) else { return Vec::new() };
    let before = screen.scroll;
    screen.scroll = scrolled(before, direction, screen.scroll_max(viewport));
    if screen.scroll == before && direction < 0 {
        model.say("lines are shown from their beginning · Esc goes back");
    } else if screen.scroll == before {
        model.say("no line on the screen goes further");
    }
    keep(model)
}

/// Out of the list, into the first part.
fn go_in(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = &mut model.conflicts {
        screen.pane = Pane::Target;
        screen.files_open = false;
    }
    Vec::new()
}

pub(super) fn enter(model: &mut Model) -> Vec<Effect> {
    let is_hidden_list = model.conflicts.as_ref().is_some_and(|screen| screen.pane == Pane::Files);
    if is_hidden_list {
        return go_in(model);
    }
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let part = screen.part();
    let place = screen.side(part).and_then(|side| side.stream.place(screen.cursors[part] + 1));
    match place.map(|place| place.row) {
        Some(StreamRow::Fold { block, .. }) if part < 2 => {
            screen.opened[part].insert((0, block));
            screen.lay_out(rows);
        }
        _ => model.refuse("Enter: nothing is folded here · Space goes to the next open choice"),
    }
    keep(model)
}

/// Files, the target's part, the shadow's, the result, and around.
pub(super) fn switch_pane(model: &mut Model, direction: isize) -> Vec<Effect> {
    const ORDER: [Pane; 4] = [Pane::Files, Pane::Target, Pane::Shadow, Pane::Result];
    let is_in_files = in_list(model);
    let has_list = panes(model.viewport).files > 0;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    screen.range = None;
    // A list that is not there cannot be left: the first Tab drops it over.
    let here = ORDER.iter().position(|pane| *pane == screen.pane).unwrap_or(0);
    let is_hidden_list = screen.pane == Pane::Files && !is_in_files;
    screen.pane = if is_hidden_list {
        Pane::Files
    } else {
        ORDER[here.wrapping_add_signed(direction) % ORDER.len()]
    };
    screen.files_open = screen.pane == Pane::Files && !has_list;
    keep(model)
}

pub(super) fn rest(model: &mut Model, place: Rest) -> Vec<Effect> {
    if let Some((screen, viewport)) = parts(model) {
        screen.rest(place, viewport);
    }
    keep(model)
}

pub(super) fn enlarge(model: &mut Model) -> Vec<Effect> {
    let Some((screen, viewport)) = parts(model) else { return Vec::new() };
    let before = screen.heights(viewport);
    screen.enlarged = true;
    if screen.heights(viewport) == before {
        model.say("this part has all the room that it wants, or that there is");
    }
    keep(model)
}

pub(super) fn make_alike(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = &mut model.conflicts {
        screen.enlarged = false;
    }
    keep(model)
}

pub(super) fn more_context(model: &mut Model) -> Vec<Effect> {
    change_context(model, 1)
}

pub(super) fn less_context(model: &mut Model) -> Vec<Effect> {
    change_context(model, -1)
}

fn change_context(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let here = screen.context.unwrap_or(1);
    let known = CONTEXTS.iter().position(|lines| *lines >= here).unwrap_or(CONTEXTS.len() - 1);
    let context = CONTEXTS[known.saturating_add_signed(direction).min(CONTEXTS.len() - 1)];
    screen.context = Some(context);
    let clash = screen.clash;
    screen.lay_out(rows);
    screen.show_clash(clash);
    model.say(format!("{} around changes", count(context, "line")));
    keep(model)
}

pub(super) fn switch_layout(model: &mut Model) -> Vec<Effect> {
    let columns = model.viewport.columns;
    if columns < FILES_COLUMNS_MIN {
        model.refuse(format!(
            "s: side by side wants {FILES_COLUMNS_MIN} columns, here are {columns}"
        ));
        return Vec::new();
    }
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let words = if screen.layout == Layout::Unified {
        screen.layout = Layout::Beside;
        "the two sides stand side by side"
    } else {
        screen.layout = Layout::Unified;
        "the two sides stand one above the other"
    };
    screen.show_clash(screen.clash);
    model.say(words);
    keep(model)
}

pub(super) fn switch_settled(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let done = screen.settled_count();
    match (screen.settled, done) {
        (Settled::Shown, 0) => model.refuse("H: no file here is settled"),
        (Settled::Shown, done) => {
            screen.settled = Settled::Hidden;
            model.say(format!("{done} settled hidden · H shows all"));
        }
        (Settled::Hidden, _) => {
            screen.settled = Settled::Shown;
            model.say("all files are listed");
        }
    }
    Vec::new()
}

pub(super) fn switch_wrap(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    screen.scroll = 0;
    let words = if screen.long == Long::Cut {
        screen.long = Long::Wraps;
        "long lines wrap"
    } else {
        screen.long = Long::Cut;
        "long lines are cut; l scrolls"
    };
    let long = screen.long;
    model.memory.mark(Mark::Long(long));
    model.say(words);
    keep(model)
}

pub(super) fn switch_space(model: &mut Model) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let words = if screen.space == Space::Shown {
        screen.space = Space::Ignored;
        "changes of white space alone are not shown · W shows them"
    } else {
        screen.space = Space::Shown;
        "changes of white space are shown"
    };
    let (space, clash) = (screen.space, screen.clash);
    screen.lay_out(rows);
    screen.show_clash(clash);
    model.memory.mark(Mark::Space(space));
    model.say(words);
    keep(model)
}

pub(super) fn toggle_range(model: &mut Model) -> Vec<Effect> {
    if in_list(model) {
        model.refuse("v: lines are chosen in a part · Tab goes there");
        return Vec::new();
    }
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if screen.range.take().is_some() {
        model.say("no lines are chosen");
    } else {
        screen.range = Some(screen.cursors[screen.part()]);
        model.say("j and k choose lines · y copies them · Esc lets go");
    }
    Vec::new()
}

/// The chosen lines; else the hunk of a side, or the whole result.
pub(super) fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let part = screen.part();
    let name =
        screen.file().map(|file| visible_name(file.conflict.path.as_bytes())).unwrap_or_default();
    if let Some(other) = screen.range.take() {
        let here = screen.cursors[part];
        let lines = other.min(here)..=other.max(here);
        let lines: Vec<_> = lines
            .filter_map(|row| screen.row_text(part, row))
            .map(|line| String::from_utf8_lossy(line).into_owned() + "\n")
            .collect();
        let what = count(lines.len(), "line");
        return model.copy(&what, lines.concat());
    }
    if let Some(text) = screen.hunk_text(part) {
        let what = format!("the hunk of {name}");
        return model.copy(&what, format!("{name}\n{text}"));
    }
    let result = screen.result.as_ref().filter(|_| part == 2);
    let Some(text) =
        result.map(|shown| String::from_utf8_lossy(shown.text.as_bytes()).into_owned())
    else {
        model.refuse("y: there is no text here · Y copies the path");
        return Vec::new();
    };
    let what = format!("{name} as it would land");
    model.copy(&what, text)
}
