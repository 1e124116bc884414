//! Reading on: what `Space` shows next, and what counts as read. A tick is honest: a file gets one by
//! `Space` only when all of it has been on the screen, and so does a hunk.

use super::{
    Effect, Model,
    review::{self, Pane, ReviewScreen, View, panes},
    review_done::{Done, mark},
    review_marks,
    review_moves::{focus, go_to_file, unfold},
    review_named::is_named_alone,
};
use crate::review::{
    Block, Content, FileDiff, count,
    digest::Digest,
    name::visible_name,
    stream::Space,
    ticks::{Reading, Tick, TickKey, Ticks},
};

/// Space: pages within the file and ticks each hunk it has shown, ticks the file at its end, and goes on to the
/// next unread one.
pub(super) fn read_on(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let viewport = model.viewport;
    let Some(screen) = model.review.as_mut() else { return Vec::new() };
    if screen.is_covered(viewport) {
        // What lies under the list is looked at first.
        return focus(model, Pane::Diff);
    }
    let Some(file) = screen.file_index() else { return next_shadow(model) };
    let is_read = is_read(model, file);
    if let Some((screen, _)) = screen_of(model)
        && !is_read
        && screen.choices.folded.contains(&file)
    {
        // What is all there is to read is read on into.
        return if screen.is_apart(file) { pass_folded(model, file) } else { unfold(model, file) };
    }
    let unseen = screen_of(model).and_then(|(screen, ticks)| screen.first_unseen(ticks, file));
    if let Some(row) = unseen {
        tick_shown(model, file);
        // Unseen and in view: keys come faster than frames, and it is not paged over before it is drawn.
        let is_to_come = model.review.as_ref().is_some_and(|screen| screen.is_to_come(row, rows));
        if !is_to_come {
            page_to(model, row, rows);
            review::keep_in_view(model);
        }
        return Vec::new();
    }
    if !screen_of(model).is_some_and(|(screen, ticks)| shows_unread(screen, ticks, file)) {
        return read_part_on(model, file);
    }
    let cut = screen_of(model).and_then(|(screen, ticks)| screen.first_cut(ticks, file));
    if let Some(row) = cut {
        return match model.review.as_ref().and_then(|screen| screen.cell_cut_off(row)) {
            Some(cell) => scroll_to_cut(model, row, cell),
            None => stop_at_cut(model, file, row),
        };
    }
    if !is_read {
        if let Some(why) = screen_of(model).and_then(|(screen, _)| not_shown(screen, file)) {
            return stop_at_sizes(model, file, why);
        }
        tick(model, file);
    }
    match next_unread(model, file) {
        Some(next) => go_to_unread(model, next),
        None if is_read => next_shadow(model),
        None => {
            say_all_read(model);
            Vec::new()
        }
    }
}

/// To the right, where what changed in it lies: reading on from there ticks it.
fn scroll_to_cut(model: &mut Model, row: usize, cell: usize) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = model.review.as_mut() else { return Vec::new() };
    // A third of the pane before it tells where one is; the first cell says that there is more.
    screen.scroll = cell.saturating_sub(screen.code_cells / 3);
    screen.cursor = screen.stream.stop_from(row);
    screen.keep_in_view(rows);
    model.say("scrolled to what changed in this line, right of the cut · Space reads on");
    Vec::new()
}

/// Why nothing of the file has been on the screen that a tick could be of.
fn not_shown(screen: &ReviewScreen, file: usize) -> Option<&'static str> {
    match screen.page.as_ref()?.files.get(file)?.content {
        Content::TooLarge { .. } => Some(
            "not ticked: none of its lines was shown · Enter shows them · r ticks it all the same",
        ),
        Content::Unreadable { .. } => {
            Some("not ticked: it could not be read · r ticks it all the same")
        }
        Content::Text { .. } | Content::Binary { .. } | Content::Submodule { .. } => None,
    }
}

/// At a file without lines; from there on to what else is unread.
fn stop_at_sizes(model: &mut Model, file: usize, why: &'static str) -> Vec<Effect> {
    let is_said = model.answer.as_ref().is_some_and(|answer| answer.text == why);
    if let Some(next) = next_unread(model, file).filter(|_| is_said) {
        return go_to_unread(model, next);
    }
    model.refuse(why);
    Vec::new()
}

const NOT_TICKED: &str = "not ticked: not all that changed in this long line was shown · l w show more · r ticks it all the same";

/// At a line of which not all that changed was shown; from there on to what else is unread.
fn stop_at_cut(model: &mut Model, file: usize, row: usize) -> Vec<Effect> {
    let is_said = model.answer.as_ref().is_some_and(|answer| answer.text == NOT_TICKED);
    tick_shown(model, file);
    if let Some(next) = next_unread(model, file).filter(|_| is_said) {
        return go_to_unread(model, next);
    }
    let Some(screen) = model.review.as_mut() else { return Vec::new() };
    screen.cursor = screen.stream.stop_from(row);
    review::keep_in_view(model);
    model.refuse(NOT_TICKED);
    Vec::new()
}

/// Nobody has read what is folded: it is passed without a tick, and the land sheet goes on naming it.
fn pass_folded(model: &mut Model, file: usize) -> Vec<Effect> {
    if let Some(next) = next_unread(model, file) {
        let effects = go_to_unread(model, next);
        model.say(format!(
            "{} is folded: not ticked, the land sheet names it",
            name_of(model, file)
        ));
        return effects;
    }
    let said = model.answer.as_ref().map(|answer| answer.text.clone());
    say_all_read(model);
    let is_said_again = said == model.answer.as_ref().map(|answer| answer.text.clone());
    if is_said_again { next_shadow(model) } else { Vec::new() }
}

fn name_of(model: &Model, file: usize) -> String {
    let page = model.review.as_ref().and_then(|screen| screen.page.as_ref());
    let file = page.and_then(|page| page.files.get(file));
    file.map(|file| visible_name(file.change.path.as_bytes())).unwrap_or_default()
}

/// Nothing of the file that was not read before is left out of this view.
fn shows_unread(screen: &ReviewScreen, ticks: &Ticks, file: usize) -> bool {
    let shown = screen.page.as_ref().and_then(|page| page.files.get(file));
    let (Some(shown), Some((whole, _))) = (shown, screen.whole_file(file)) else { return false };
    let is_all = TickKey::of(&shown.change) == TickKey::of(&whole.change)
        && blocks_of(shown) == blocks_of(whole);
    // Since then, of a file that was read as it was then.
    let change = &whole.change;
    let then = TickKey::new(change.path.clone(), change.old.clone(), shown.change.old.clone());
    let is_rest = screen.view == View::Since && screen.space == Space::Shown && ticks.has(&then);
    screen.view.counts() && (is_all || is_rest)
}

fn blocks_of(file: &FileDiff) -> &[Block] {
    match &file.content {
        Content::Text { blocks, .. } => blocks,
        _ => &[],
    }
}

/// A file of which only a part is shown is not ticked: the rest may be unread.
fn read_part_on(model: &mut Model, file: usize) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let next = (file + 1..screen.stream.files().len()).find(|index| !screen.is_apart(*index));
    if let Some(next) = next {
        return go_to_file(model, next);
    }
    model.say(match (screen.view, screen.space) {
        (View::All | View::Against, _) | (View::Since, Space::Ignored) => {
            "the end of this view; what differs in white space alone is not ticked · W shows it"
        }
        (View::Since, Space::Shown) => {
            "the end of what is new; a file with more to read is not ticked · 1 shows all"
        }
        _ => "the end of this view; nothing is ticked in a part · 1 shows all",
    });
    Vec::new()
}

fn screen_of(model: &Model) -> Option<(&ReviewScreen, &Ticks)> {
    Some((model.review.as_ref()?, &model.memory.marks.ticks))
}

fn page_to(model: &mut Model, row: usize, rows: usize) {
    let Some(screen) = model.review.as_mut() else { return };
    screen.scroll = 0;
    // The rows above the first unseen one stay, so that the eye finds its place.
    screen.top = row.saturating_sub(2).min(screen.last_top(rows));
    screen.cursor = screen.stream.stop_from(row.max(screen.top + 1));
}

/// The hunks of the file that were on the screen whole.
fn tick_shown(model: &mut Model, file: usize) {
    let Some((screen, ticks)) = screen_of(model) else { return };
    let Some(span) = screen.stream.files().get(file) else { return };
    let is_unread = |hunk: &usize| !screen.is_hunk_read(ticks, file, *hunk);
    let unread: Vec<usize> = (0..span.hunks.len()).filter(is_unread).collect();
    let shown = unread.iter().filter(|hunk| screen.was_shown(file, **hunk));
    let hunks: Vec<_> =
        shown.map(|hunk| screen.hunk_digests(file, *hunk)).filter(|d| !d.is_empty()).collect();
    if hunks.is_empty() {
        return;
    }
    let Some(diff) = screen.page.as_ref().and_then(|page| page.files.get(file)) else { return };
    let name = visible_name(diff.change.path.as_bytes());
    let (ticked, left) = (count(hunks.len(), "hunk"), unread.len() - hunks.len());
    let is_new = |block: &Digest| !ticks.has_block(block);
    let blocks = hunks.concat().into_iter().filter(is_new).collect();
    let what = format!("{ticked} of {name}");
    let tick = Tick { blocks, ..Tick::default() };
    mark(model, Done::Ticked { tick, what: what.clone() });
    model.say(format!("ticked {what}, {left} to read · u takes the tick back"));
}

/// The file at its first unread hunk, its lines from their beginning; with its head where that is the first.
pub(super) fn go_to_unread(model: &mut Model, file: usize) -> Vec<Effect> {
    if let Some(screen) = &mut model.review {
        screen.scroll = 0;
    }
    let first = screen_of(model).and_then(|(screen, ticks)| {
        let count = screen.stream.files().get(file)?.hunks.len();
        let hunk = (0..count).find(|hunk| !screen.is_hunk_read(ticks, file, *hunk))?;
        (hunk > 0).then(|| screen.stream.rows_of_hunk(file, hunk).start)
    });
    let effects = go_to_file(model, file);
    if let (Some(row), Some(screen)) = (first, &mut model.review) {
        screen.cursor = screen.stream.hunk_after(row.saturating_sub(1)).unwrap_or(row);
        screen.top = row.saturating_sub(1);
        review::keep_in_view(model);
    }
    effects
}

fn is_read(model: &Model, file: usize) -> bool {
    screen_of(model).is_some_and(|(screen, ticks)| screen.reading(ticks, file) == Reading::Read)
}

/// Behind this file first, then from the top.
fn next_unread(model: &Model, file: usize) -> Option<usize> {
    let screen = model.review.as_ref()?;
    let wants = |index: &usize| !screen.is_apart(*index) && !is_read(model, *index);
    (file + 1..screen.stream.files().len()).chain(0..file).find(wants)
}

fn say_all_read(model: &mut Model) {
    let Some(screen) = &model.review else { return };
    let files = screen.stream.files().len();
    let folded = (0..files).filter(|file| screen.is_apart(*file)).count();
    let read = match files - folded {
        _ if screen.view == View::Against => "all of the comparison is read".to_owned(),
        _ if screen.view != View::All => match unread_elsewhere(model, screen) {
            0 => "all that changed is read".to_owned(),
            files => {
                format!("all that changed is read, {} never · 1 shows all", count(files, "file"))
            }
        },
        0 => "nothing to read".to_owned(),
        1 => "the file is read".to_owned(),
        files => format!("all {files} read"),
    };
    let apart = if folded > 0 { format!(", {folded} folded") } else { String::new() };
    // Nothing of a comparison lands.
    let land = if screen.view == View::Against { "1 shows what lands" } else { "m land" };
    model.say(format!("{read}{apart} · {land} · Space next shadow"));
}

/// Files of the change that lands which nobody has read, nor folded.
fn unread_elsewhere(model: &Model, screen: &ReviewScreen) -> usize {
    let Some(page) = &screen.whole else { return 0 };
    let ticks = &model.memory.marks.ticks;
    let read = review_marks::count(ticks, page, &screen.digests, &screen.unfolded);
    read.files - read.read
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
        let unread = model.review.as_ref().map_or(0, |screen| unread_elsewhere(model, screen));
        model.say(match unread {
            0 => "all read, and no other shadow waits for you".to_owned(),
            files => format!(
                "no other shadow waits for you, {} of this one {} unread · 1 shows all",
                count(files, "file"),
                if files == 1 { "is" } else { "are" }
            ),
        });
        Vec::new()
    }
}

fn tick(model: &mut Model, file: usize) {
    let Some((screen, ticks)) = screen_of(model) else { return };
    let Some((whole, digests)) = screen.whole_file(file) else { return };
    let name = visible_name(whole.change.path.as_bytes());
    let reading = screen.reading(ticks, file);
    if reading == Reading::Read {
        model.say(format!("{name} is ticked already"));
        return;
    }
    let tick = Tick {
        file: Some(TickKey::of(&whole.change)),
        blocks: digests.iter().filter(|block| !ticks.has_block(block)).copied().collect(),
        was_read: reading == Reading::ChangedSince,
        is_apart: screen.view == View::Against,
        is_of_sizes: is_named_alone(whole),
    };
    model.say(format!("ticked {name} · u takes the tick back"));
    mark(model, Done::Ticked { tick, what: name });
}

pub(super) fn tick_here(model: &mut Model) -> Vec<Effect> {
    if let Some(file) = model.review.as_ref().and_then(ReviewScreen::file_index) {
        tick(model, file);
    }
    Vec::new()
}
