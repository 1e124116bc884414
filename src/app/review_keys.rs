//! What the keys do while a diff is read.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    conflicts, discard_sheet, help, land_sheet,
    list::half,
    log,
    prompt::{Prompt, Purpose},
    review::{self, Pane, ReviewScreen, panes},
    review_reading::{read_on, take_tick_back, tick_here},
};
use crate::review::{
    LineKind,
    stream::{Note, StreamRow},
    visible::visible,
};

/// What `+` and `-` walk through; the last shows files whole.
const CONTEXTS: [u32; 8] = [0, 1, 3, 6, 12, 25, 100, u32::MAX / 4];
/// `h` and `l` scroll by so many cells.
const SCROLL_CELLS: usize = 8;
/// Scrolling to the right ends here; nobody reads a line by its thousandth screen.
const SCROLL_CELLS_MAX: usize = 16_384;

fn screen(model: &mut Model) -> Option<&mut ReviewScreen> {
    model.review.as_mut()
}

fn rows(model: &Model) -> usize {
    panes(model.viewport).rows
}

fn in_files(model: &Model) -> bool {
    model.review.as_ref().is_some_and(|screen| screen.is_in_files(model.viewport))
}

/// Lines in the diff, files in the list.
fn step(model: &mut Model, count: isize) -> Vec<Effect> {
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

fn keep(model: &mut Model) -> Vec<Effect> {
    review::keep_in_view(model);
    Vec::new()
}

/// A page, less the rows that keep the thread.
fn page(model: &mut Model, direction: isize) -> Vec<Effect> {
    let rows = rows(model);
    if in_files(model) {
        return step_file(model, direction);
    }
    if let Some(screen) = screen(model) {
        let by = rows.saturating_sub(2).max(1);
        screen.top = if direction > 0 {
            (screen.top + by).min(screen.stream.row_count().saturating_sub(rows))
        } else {
            screen.top.saturating_sub(by)
        };
    }
    step(model, direction * half(rows) * 2)
}

fn go(model: &mut Model, row: usize) -> Vec<Effect> {
    if let Some(screen) = screen(model) {
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

fn step_file(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let Some(file) = screen.file_index() else { return Vec::new() };
    let last = screen.stream.files().len() - 1;
    let is_inside = screen.cursor > screen.stream.files()[file].first_stop;
    let target = match direction {
        // Back goes to the start of this file first, as `[` does with hunks.
        -1 if is_inside && screen.pane == Pane::Diff => file,
        _ => file.saturating_add_signed(direction).min(last),
    };
    go_to_file(model, target)
}

/// The list while the diff has the keys, and the diff while the list has them.
fn step_other(model: &mut Model, direction: isize) -> Vec<Effect> {
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
fn step_hunk(model: &mut Model, direction: isize) -> Vec<Effect> {
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
    if row < screen.top + 1 || row + rows / 4 >= screen.top + rows {
        screen.top = row.saturating_sub(rows / 4);
    }
    keep(model)
}

fn scroll(model: &mut Model, direction: isize) -> Vec<Effect> {
    if in_files(model) {
        return if direction > 0 { focus(model, Pane::Diff) } else { Vec::new() };
    }
    if let Some(screen) = screen(model) {
        screen.scroll = if direction > 0 {
            (screen.scroll + SCROLL_CELLS).min(SCROLL_CELLS_MAX)
        } else {
            screen.scroll.saturating_sub(SCROLL_CELLS)
        };
    }
    Vec::new()
}

fn focus(model: &mut Model, pane: Pane) -> Vec<Effect> {
    if let Some(screen) = screen(model) {
        screen.pane = pane;
        screen.files_open = pane == Pane::Files;
    }
    Vec::new()
}

fn switch_pane(model: &mut Model) -> Vec<Effect> {
    let pane = if in_files(model) { Pane::Diff } else { Pane::Files };
    focus(model, pane)
}

/// Opens what is folded under the cursor; in the list goes into the file.
fn enter(model: &mut Model) -> Vec<Effect> {
    if in_files(model) {
        return focus(model, Pane::Diff);
    }
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
        StreamRow::Note(Note::Folded) => {
            screen.choices.folded.remove(&place.file);
            screen.lay_out_again();
            review::count_read(model);
            return go_to_file(model, place.file);
        }
        _ => model.refuse("Enter: nothing is folded here"),
    }
    keep(model)
}

fn change_context(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let known = CONTEXTS.iter().position(|lines| *lines >= screen.choices.context);
    let index = known.unwrap_or(CONTEXTS.len() - 1).saturating_add_signed(direction);
    let context = CONTEXTS[index.min(CONTEXTS.len() - 1)];
    screen.choices.context = context;
    screen.lay_out_again();
    let text = match context {
        0 => "no lines around changes".to_owned(),
        1 => "1 line around changes".to_owned(),
        lines if lines > 1_000 => "whole files".to_owned(),
        lines => format!("{lines} lines around changes"),
    };
    model.say(text);
    keep(model)
}

/// What was read is what lands: the plan is for this page's snapshot.
fn land(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let expect = screen.page.as_ref().map(|page| page.snapshot.clone());
    land_sheet::open(model, screen.id.clone(), expect)
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let ids = model.subject().cloned().into_iter().collect();
    discard_sheet::open(model, ids)
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    conflicts::open(model, id)
}

fn open_search(model: &mut Model) -> Vec<Effect> {
    let known = model.review.as_ref().and_then(|screen| screen.search.as_ref());
    let text = known.map(|search| search.needle.clone()).unwrap_or_default();
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::Search, text)));
    Vec::new()
}

/// The hunk under the cursor as a patch's lines, with the path above.
fn copy_hunk(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let (Some(file), Some(here)) = (screen.file(), screen.stream.place(screen.cursor)) else {
        return Vec::new();
    };
    let mut text = format!("{}\n", visible(file.change.path.as_bytes()));
    let span = screen.stream.files()[here.file].rows.clone();
    for row in span {
        let Some(place) = screen.stream.place(row) else { break };
        let StreamRow::Line(line) = place.row else { continue };
        if place.hunk == here.hunk
            && let Some(bytes) = review::line_text(file, line)
        {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            };
            text.push(sign);
            text.push_str(&String::from_utf8_lossy(bytes));
            text.push('\n');
        }
    }
    let name = visible(file.change.path.as_bytes());
    model.say(format!("copied hunk {} of {name}", here.hunk + 1));
    vec![Effect::Copy(text)]
}

/// One layer at a time: the list over the diff, the hits, then the screen.
fn peel(model: &mut Model) -> Vec<Effect> {
    if in_files(model) {
        return focus(model, Pane::Diff);
    }
    if let Some(screen) = screen(model)
        && screen.search.take().is_some()
    {
        return Vec::new();
    }
    leave(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    review::remember_place(model);
    model.leave()
}

fn no_page(model: &Model) -> Option<&'static str> {
    let has_page = model.review.as_ref().is_some_and(|screen| screen.page.is_some());
    (!has_page).then_some("still reading it")
}

fn no_tick(model: &Model) -> Option<&'static str> {
    let has_tick = model.review.as_ref().is_some_and(|screen| !screen.ticked.is_empty());
    (!has_tick).then_some("nothing was ticked here · operations are taken back in the list")
}

fn no_search(model: &Model) -> Option<&'static str> {
    let searches = model.review.as_ref().is_some_and(|screen| screen.search.is_some());
    (!searches).then_some("nothing is searched for · / searches")
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Review, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("read.on", "Read on: page, tick the file, next", &["Space"], no_page, read_on),
    row("land.shadow", "Land it on its target", &["m"], no_page, land),
    row("discard.shadows", "Discard this one", &["d"], always, discard),
    row("conflicts.show", "Show and settle its conflicts", &["x"], always, show_conflicts),
    row("move.down", "Down", &["j", "Down"], no_page, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_page, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_page, |model| {
        step(model, half(rows(model)))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_page, |model| {
        step(model, -half(rows(model)))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], no_page, |model| page(model, 1)),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], no_page, |model| page(model, -1)),
    row("move.first", "Top", &["g g", "Home"], no_page, |model| go(model, 0)),
    row("move.last", "End", &["G", "End"], no_page, |model| go(model, usize::MAX)),
    row("scroll.right", "Scroll right; out of the list", &["l", "Right"], no_page, |model| {
        scroll(model, 1)
    }),
    row("scroll.left", "Scroll left", &["h", "Left"], no_page, |model| scroll(model, -1)),
    row("next.hunk", "Next hunk", &["]", ")"], no_page, |model| step_hunk(model, 1)),
    row("previous.hunk", "The hunk before", &["[", "("], no_page, |model| step_hunk(model, -1)),
    row("next.file", "Next file", &["}"], no_page, |model| step_file(model, 1)),
    row("previous.file", "The file before", &["{"], no_page, |model| step_file(model, -1)),
    row("scroll.down", "Down in the other pane: next file", &["J"], no_page, |model| {
        step_other(model, 1)
    }),
    row("scroll.up", "Up in the other pane: the file before", &["K"], no_page, |model| {
        step_other(model, -1)
    }),
    row("pane.switch", "Files or diff", &["Tab", "S-Tab"], no_page, switch_pane),
    row("open.fold", "Open the fold; go into the file", &["Enter"], no_page, enter),
    row("tick.file", "Tick the file and stay", &["r"], no_page, tick_here),
    row("take-back.tick", "Take the last tick back", &["u"], no_tick, take_tick_back),
    row("context.more", "More lines around changes", &["+", "="], no_page, |model| {
        change_context(model, 1)
    }),
    row("context.less", "Fewer lines around changes", &["-"], no_page, |model| {
        change_context(model, -1)
    }),
    row("search.text", "Search in this page", &["/"], no_page, open_search),
    row("next.match", "Next match", &["n"], no_search, |model| review::step_match(model, 1)),
    row("previous.match", "The match before", &["N"], no_search, |model| {
        review::step_match(model, -1)
    }),
    row("copy.hunk", "Copy this hunk", &["y"], no_page, copy_hunk),
    row(
        "again.page",
        "Take the newest snapshot, keep the place",
        &["R"],
        always,
        review::read_again,
    ),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    row("peel.review", "Close what is open, then back", &["Esc"], always, peel),
    row("quit.review", "Back to the list", &["q"], always, leave),
];
