//! Reading on: what `Space` shows next, and what counts as read. A tick is honest: a file gets one by
//! `Space` only when all of it has been on the screen.

use super::{
    Effect, Model,
    review::{self, ReviewScreen, panes},
    review_moves::go_to_file,
    review_open::count_read,
};
use crate::review::{
    marks::Mark,
    ticks::{Reading, TickKey},
    visible::visible,
};

/// Space: pages within the file, ticks it at its end, goes on to the next unread one.
pub(super) fn read_on(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = model.review.as_mut() else { return Vec::new() };
    let Some(file) = screen.file_index() else { return next_shadow(model) };
    let is_read = is_read(model, file);
    if !is_read && page_to_unseen(model, file, rows) {
        review::keep_in_view(model);
        return Vec::new();
    }
    let counts = model.review.as_ref().is_some_and(|screen| screen.view.counts());
    if !counts {
        return read_part_on(model, file);
    }
    if !is_read {
        tick(model, file);
    }
    match next_unread(model, file) {
        Some(next) => go_to_file(model, next),
        None if is_read => next_shadow(model),
        None => {
            say_all_read(model);
            Vec::new()
        }
    }
}

/// A file of which only a part is shown is not ticked: the rest may be unread.
fn read_part_on(model: &mut Model, file: usize) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let next = (file + 1..screen.stream.files().len())
        .find(|index| !screen.choices.folded.contains(index));
    if let Some(next) = next {
        return go_to_file(model, next);
    }
    model.say("the end of this view; nothing is ticked in a part · 1 shows all");
    Vec::new()
}

/// False where all of the file has been on the screen.
fn page_to_unseen(model: &mut Model, file: usize, rows: usize) -> bool {
    let Some(screen) = model.review.as_mut() else { return false };
    let Some(row) = screen.first_unseen(file) else { return false };
    // The rows above the first unseen one stay, so that the eye finds its place.
    screen.top = row.saturating_sub(2).min(screen.stream.row_count().saturating_sub(rows));
    screen.cursor = screen.stream.stop_from(row.max(screen.top + 1));
    true
}

fn is_read(model: &Model, file: usize) -> bool {
    let ticks = &model.memory.marks.ticks;
    model.review.as_ref().is_some_and(|screen| screen.reading(ticks, file) == Reading::Read)
}

/// Behind this file first, then from the top.
fn next_unread(model: &Model, file: usize) -> Option<usize> {
    let screen = model.review.as_ref()?;
    let wants = |index: &usize| !screen.choices.folded.contains(index) && !is_read(model, *index);
    (file + 1..screen.stream.files().len()).chain(0..file).find(wants)
}

fn say_all_read(model: &mut Model) {
    let Some(screen) = &model.review else { return };
    let folded = screen.choices.folded.len();
    let read = match screen.stream.files().len() - folded {
        _ if screen.view != review::View::All => "all that changed is read".to_owned(),
        1 => "the file is read".to_owned(),
        files => format!("all {files} read"),
    };
    let apart = if folded > 0 { format!(", {folded} folded") } else { String::new() };
    model.say(format!("{read}{apart} · m land · Space next shadow"));
}

/// The next one that wants a person, in the order of the list.
fn next_shadow(model: &mut Model) -> Vec<Effect> {
    let here = model.subject().cloned();
    if let Some(id) = &here {
        model.fleet.select(id);
    }
    let next = model
        .fleet
        .find_wanting(true)
        .and_then(|index| model.fleet.visible().nth(index))
        .map(|listed| listed.row.id.clone())
        .filter(|id| Some(id) != here.as_ref());
    if let Some(id) = next {
        model.fleet.select(&id);
        model.say(format!("next: {id}"));
        review::open(model, id)
    } else {
        model.say("all read, and no other shadow waits for you");
        Vec::new()
    }
}

fn tick(model: &mut Model, file: usize) {
    let Some(screen) = &mut model.review else { return };
    let Some(change) = screen.whole_change(file) else { return };
    let key = TickKey::of(change);
    let name = visible(change.path.as_bytes());
    if screen.reading(&model.memory.marks.ticks, file) == Reading::Read {
        model.say(format!("{name} is ticked already"));
    } else {
        screen.ticked.push(key.clone());
        model.memory.mark(Mark::Tick(screen.id.clone(), key));
        model.say(format!("ticked {name} · u takes the tick back"));
    }
    count_read(model);
}

pub(super) fn tick_here(model: &mut Model) -> Vec<Effect> {
    if let Some(file) = model.review.as_ref().and_then(ReviewScreen::file_index) {
        tick(model, file);
    }
    Vec::new()
}

pub(super) fn take_tick_back(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = model.review.as_mut() else { return Vec::new() };
    let id = screen.id.clone();
    if let Some(key) = screen.ticked.pop() {
        model.say(format!("{} is unread again", visible(key.path().as_bytes())));
        model.memory.mark(Mark::Untick(id, key));
        count_read(model);
    }
    Vec::new()
}
