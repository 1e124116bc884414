//! Moving through a diff: lines, pages, hunks, files, and back to where a jump began.

use super::{
    Effect, Model,
    list::half,
    review::{self, FILES_COLUMNS_MIN, Pane, ReviewScreen, panes},
    review_comments, review_moved,
    review_named::{self, is_named_alone, is_too_large},
    review_open::count_read,
    review_rows::Rest,
    review_within::scrolled,
};
use crate::review::{
    Content,
    marks::Mark,
    stream::{Long, Note, StreamRow},
};

fn screen(model: &mut Model) -> Option<&mut ReviewScreen> {
    model.review.as_mut()
}

pub(super) fn rows(model: &Model) -> usize {
    panes(model.viewport).rows
}

pub(super) fn in_files(model: &Model) -> bool {
    model.review.as_ref().is_some_and(|screen| screen.is_in_files(model.viewport))
}

/// Lines in the diff, files in the list.
pub(super) fn step(model: &mut Model, count: isize) -> Vec<Effect> {
    if in_files(model) {
        return step_file(model, count.signum());
    }
    if let Some(screen) = screen(model) {
        let stream = &screen.stream;
        let target = screen.cursor.saturating_add_signed(count);
        let stop = if count > 0 {
            stream.stop_after(target.saturating_sub(1).min(stream.row_count()))
        } else {
            stream.stop_before(target + 1)
        };
        let end = if count > 0 { stream.last_stop() } else { stream.stop_from(0) };
        screen.cursor = stop.unwrap_or(end);
    }
    keep(model)
}

pub(super) fn keep(model: &mut Model) -> Vec<Effect> {
    review::keep_in_view(model);
    Vec::new()
}

/// A page, less the rows that keep the thread.
pub(super) fn page(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    if in_files(model) {
        return step_file(model, direction);
    }
    let mut by = 0;
    if let Some(screen) = screen(model) {
        by = screen.rows_in_view(rows).len().saturating_sub(2).max(1);
        screen.top = if direction > 0 {
            (screen.top + by).min(screen.last_top(rows))
        } else {
            screen.top.saturating_sub(by)
        };
    }
    step(model, direction * isize::try_from(by).unwrap_or(isize::MAX))
}

pub(super) fn half_page(model: &mut Model, direction: isize) -> Vec<Effect> {
    let count = half(rows(model));
    step(model, direction * count)
}

pub(super) fn go(model: &mut Model, row: usize) -> Vec<Effect> {
    if let Some(screen) = screen(model) {
        screen.leave_mark();
        screen.cursor = screen.stream.stop_from(row);
    }
    keep(model)
}

/// The file with its head at the top of the pane.
pub(super) fn go_to_file(model: &mut Model, file: usize) -> Vec<Effect> {
    if let Some(screen) = screen(model)
        && let Some(span) = screen.stream.files().get(file)
    {
        (screen.top, screen.cursor) = (span.rows.start, span.first_stop);
    }
    keep(model)
}

pub(super) fn step_file(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let Some(file) = screen.file_index() else { return Vec::new() };
    let last = screen.stream.files().len() - 1;
    let is_inside = screen.cursor > screen.stream.files()[file].first_stop;
    let target = match direction {
        // Back goes to the start of this file first, as `[` does with hunks.
        -1 if is_inside && screen.pane == Pane::Diff => file,
        _ => file.saturating_add_signed(direction).min(last),
    };
    if target == file && !(direction < 0 && is_inside) {
        let edge = if direction > 0 { "this is the last file" } else { "this is the first file" };
        model.say(edge);
        return Vec::new();
    }
    go_to_file(model, target)
}

/// The list while the diff has the keys, and the diff while the list has them.
pub(super) fn step_other(model: &mut Model, direction: isize) -> Vec<Effect> {
    if !in_files(model) {
        return step_file(model, direction);
    }
    if let Some(screen) = screen(model) {
        screen.pane = Pane::Diff;
    }
    step(model, direction);
    if let Some(screen) = screen(model) {
        screen.pane = Pane::Files;
    }
    Vec::new()
}

/// The hunk a quarter of the pane below its top, unless it is on the screen already.
pub(super) fn step_hunk(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = screen(model) else { return Vec::new() };
    let found = if direction > 0 {
        screen.stream.hunk_after(screen.cursor)
    } else {
        screen.stream.hunk_before(screen.cursor)
    };
    let Some(row) = found else {
        let edge = if direction > 0 { "this is the last hunk" } else { "this is the first hunk" };
        model.say(edge);
        return Vec::new();
    };
    screen.cursor = screen.stream.stop_from(row);
    let shown = screen.rows_in_view(rows);
    if row < shown.start + 1 || row + rows / 4 >= shown.end {
        screen.top = row.saturating_sub(rows / 4);
    }
    keep(model)
}

pub(super) fn scroll(model: &mut Model, direction: isize) -> Vec<Effect> {
    if in_files(model) {
        return if direction > 0 { focus(model, Pane::Diff) } else { Vec::new() };
    }
    let rows = rows(model);
    let Some(screen) = screen(model) else { return Vec::new() };
    let before = screen.scroll;
    screen.scroll = scrolled(before, direction, screen.scroll_max(rows));
    if screen.scroll == before && direction < 0 {
        model.say("lines are shown from their beginning · Esc goes back");
    } else if screen.scroll == before {
        model.say("no line on the screen goes further · ^ goes back to their beginning");
    } else if screen.long == Long::Wraps {
        return keep(model);
    }
    Vec::new()
}

pub(super) fn scroll_home(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = screen(model) {
        screen.scroll = 0;
    }
    keep(model)
}

pub(super) fn focus(model: &mut Model, pane: Pane) -> Vec<Effect> {
    if let Some(screen) = screen(model) {
        screen.pane = pane;
        screen.files_open = pane == Pane::Files;
    }
    Vec::new()
}

pub(super) fn switch_pane(model: &mut Model) -> Vec<Effect> {
    let pane = if in_files(model) { Pane::Diff } else { Pane::Files };
    focus(model, pane)
}

/// Opens what is folded under the cursor; in the list goes into the file.
pub(super) fn enter(model: &mut Model) -> Vec<Effect> {
    if in_files(model) {
        return focus(model, Pane::Diff);
    }
    open_here(model)
}

pub(super) fn open_here(model: &mut Model) -> Vec<Effect> {
    // What was refused on this row before is not true of what it opens.
    model.drop_refusal();
    let Some(screen) = screen(model) else { return Vec::new() };
    let Some(place) = screen.stream.place(screen.cursor) else { return Vec::new() };
    match place.row {
        StreamRow::Fold { block, .. } => {
            // The cursor stays where it is: the first of the lines that appear.
            let (cursor, top) = (screen.cursor, screen.top);
            screen.choices.opened.insert((place.file, block));
            screen.lay_out_again();
            (screen.cursor, screen.top) = (screen.stream.stop_from(cursor), top);
        }
        StreamRow::Note(Note::Folded) => return unfold(model, place.file),
        StreamRow::Note(Note::Content) if screen.file().is_some_and(is_named_alone) => {
            return review_named::read(model, is_named_alone).unwrap_or_default();
        }
        StreamRow::Comment { .. } | StreamRow::Was { .. } => {
            return review_comments::close_or_open(model);
        }
        _ if review_moved::jump(model) => {}
        _ => model.refuse("Enter: nothing is folded here · Space reads on"),
    }
    keep(model)
}

/// The lines of a folded file, from its head.
pub(super) fn unfold(model: &mut Model, file: usize) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let page = screen.page.as_ref();
    let path = page.and_then(|page| page.files.get(file)).map(|file| file.change.path.clone());
    screen.unfolded.extend(path);
    screen.choices.folded.remove(&file);
    screen.lay_out_again();
    count_read(model);
    let mut effects = go_to_file(model, file);
    effects.extend(review_named::read(model, is_too_large).into_iter().flatten());
    effects
}

/// Every fold of the file that the cursor is in; where all are open, they close.
pub(super) fn switch_whole(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let blocks = match screen.file().map(|file| &file.content) {
        Some(Content::Text { blocks, .. }) => blocks.len(),
        _ => 0,
    };
    let Some(file) = screen.file_index().filter(|_| blocks > 0) else {
        model.refuse("this file has no lines");
        return Vec::new();
    };
    let mut gaps = (0..=blocks).map(|block| (file, block));
    let is_whole = gaps.all(|gap| screen.choices.opened.contains(&gap));
    let words = if is_whole {
        screen.choices.opened.retain(|(of, _)| *of != file);
        "what is around its changes, of this file"
    } else {
        screen.choices.opened.extend((0..=blocks).map(|block| (file, block)));
        "all of this file"
    };
    screen.lay_out_again();
    model.say(words);
    keep(model)
}

/// The files beside the diff, or all of the width for it.
pub(super) fn switch_files(model: &mut Model) -> Vec<Effect> {
    let columns = model.viewport.columns;
    if columns < FILES_COLUMNS_MIN {
        model.refuse(format!(
            "f: files stand beside the diff from {FILES_COLUMNS_MIN} columns on, here are {columns} · Tab drops them over it"
        ));
        return Vec::new();
    }
    let is_hidden = !model.memory.marks.files_hidden;
    model.memory.mark(Mark::FilesHidden(is_hidden));
    model.viewport.files_hidden = is_hidden;
    model.say(if is_hidden {
        "the diff has all of the width · Tab drops the files over it · f puts them beside it"
    } else {
        "the files stand beside the diff"
    });
    focus(model, Pane::Diff);
    keep(model)
}

pub(super) fn rest(model: &mut Model, place: Rest) -> Vec<Effect> {
    let rows = rows(model);
    if let Some(screen) = screen(model) {
        screen.rest(place, rows);
    }
    keep(model)
}

/// To where the last jump began.
pub(super) fn go_back(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = screen(model)
        && let Some(anchor) = screen.jumps.pop()
        && let Some(row) = screen.find_anchor(&anchor)
    {
        screen.cursor = screen.stream.stop_from(row);
        screen.top = screen.cursor.saturating_sub(anchor.offset);
    }
    keep(model)
}
