//! The log: every operation, newest last, and the way back from each.

use super::{
    Command, Context, Effect, Model, Screen, Sheet,
    command::always,
    help,
    job::{Job, Outcome, Slot},
    list::{Cursor, half},
    prompt::{Prompt, Purpose},
    undo_sheet::{self, Way},
};
use crate::{report::Report, review::LogEntry};

#[derive(Debug, Default)]
pub struct LogScreen {
    /// Oldest first; `None` until read.
    pub entries: Option<Vec<LogEntry>>,
    pub cursor: Cursor,
    /// The row under the cursor is shown with everything known of it.
    pub details: bool,
    pub failed: Option<Report>,
    /// What is searched for; empty while nothing is.
    pub needle: String,
    /// The row that the search began on: leaving the field goes back there.
    searched_from: usize,
}

impl LogScreen {
    pub fn selected(&self) -> Option<&LogEntry> {
        self.entries.as_ref()?.get(self.cursor.index)
    }

    pub fn is_match(&self, entry: &LogEntry) -> bool {
        let needle = self.needle.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&needle);
        !needle.is_empty()
            && (has(&entry.verb)
                || has(&entry.operation.to_string())
                || has(&entry.status)
                || entry.shadows.iter().any(|id| has(&id.0)))
    }

    /// The next entry with the text, from the one given on and around.
    fn find(&self, from: usize, direction: Direction) -> Option<usize> {
        let entries = self.entries.as_deref().unwrap_or_default();
        let count = entries.len();
        let at = |offset: usize| match direction {
            Direction::Older => (from + count - offset) % count,
            Direction::Newer => (from + offset) % count,
        };
        (0..count).map(at).find(|index| self.is_match(&entries[*index]))
    }

    fn count(&self) -> usize {
        self.entries.as_ref().map_or(0, Vec::len)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Older,
    Newer,
}

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    model.enter(Screen::Log);
    model.log.entries = None;
    model.jobs.start(Slot::Log, Job::Log)
}

pub(super) fn read_when_open(model: &mut Model) -> Vec<Effect> {
    if model.screens.contains(&Screen::Log) {
        model.jobs.start(Slot::Log, Job::Log)
    } else {
        Vec::new()
    }
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Log(mut entries)) => {
            entries.sort_by_key(|entry| (entry.time_ms, entry.operation));
            let first_time = model.log.entries.is_none();
            model.log.failed = None;
            model.log.entries = Some(entries);
            let count = model.log.count();
            let index = if first_time { usize::MAX } else { model.log.cursor.index };
            model.log.cursor.go(index, count);
            keep_in_view(model);
        }
        Ok(_) => {}
        Err(report) => {
            model.fail(&report);
            model.log.failed = Some(report);
        }
    }
    Vec::new()
}

pub(super) fn keep_in_view(model: &mut Model) {
    let rows =
        model.viewport.body_rows.saturating_sub(if model.log.details { DETAIL_ROWS } else { 0 });
    let count = model.log.count();
    model.log.cursor.keep_in_view(count, rows);
}

/// What the details of one row take, their head included.
pub const DETAIL_ROWS: usize = 7;

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let count = model.log.count();
    model.log.cursor.step(rows, count);
    keep_in_view(model);
    Vec::new()
}

pub(super) fn go(model: &mut Model, index: usize) {
    let count = model.log.count();
    model.log.cursor.go(index, count);
    keep_in_view(model);
}

fn open_search(model: &mut Model) -> Vec<Effect> {
    model.log.searched_from = model.log.cursor.index;
    let prompt = Prompt::new(Purpose::Log, model.log.needle.clone());
    model.sheets.push(Sheet::Prompt(prompt));
    Vec::new()
}

/// The newest with the text is found first.
pub(super) fn search_changed(model: &mut Model, text: &str) {
    text.clone_into(&mut model.log.needle);
    let found = model.log.find(model.log.searched_from, Direction::Older);
    let index = found.unwrap_or(model.log.searched_from);
    go(model, index);
}

pub(super) fn search_kept(model: &mut Model) -> Vec<Effect> {
    if !model.log.needle.is_empty() {
        let entries = model.log.entries.as_deref().unwrap_or_default();
        let count = entries.iter().filter(|entry| model.log.is_match(entry)).count();
        let needle = &model.log.needle;
        model.say(format!("{count} with `{needle}` · n the one before, N the one after"));
    }
    Vec::new()
}

pub(super) fn search_dropped(model: &mut Model, before: &str) {
    before.clone_into(&mut model.log.needle);
    let from = model.log.searched_from;
    go(model, from);
}

/// The log ends at what is newest, so the next match is the one before.
fn step_match(model: &mut Model, direction: Direction) -> Vec<Effect> {
    let (at, count) = (model.log.cursor.index, model.log.count());
    let from = match direction {
        Direction::Older => at + count.saturating_sub(1),
        Direction::Newer => at + 1,
    };
    match model.log.find(from % count.max(1), direction) {
        Some(index) => go(model, index),
        None => model.refuse("nothing in the log has that in it"),
    }
    Vec::new()
}

fn no_search(model: &Model) -> Option<&'static str> {
    model.log.needle.is_empty().then_some("nothing is searched for · / searches")
}

/// One layer at a time: what is searched for, then the screen.
fn peel(model: &mut Model) -> Vec<Effect> {
    if model.log.needle.is_empty() {
        return model.leave();
    }
    model.log.needle.clear();
    Vec::new()
}

/// Every fact of the row as one sentence, to be copied whole.
fn say_all(model: &mut Model) -> Vec<Effect> {
    let Some(entry) = model.log.selected() else { return Vec::new() };
    let names: Vec<String> = entry.shadows.iter().map(ToString::to_string).collect();
    let moved = match (&entry.target, &entry.before, &entry.after) {
        (Some(target), Some(before), Some(after)) => {
            format!(", {target} {} to {}", before.abbreviated(), after.abbreviated())
        }
        _ => String::new(),
    };
    let status = entry.status.replace('_', " ");
    let undo = match &entry.undoable_why {
        None => "u takes it back",
        Some(why) => why,
    };
    let text = format!(
        "{} {} of {}{moved}: {status}, {undo}",
        entry.verb,
        entry.operation,
        names.join(", ")
    );
    model.log.details = true;
    keep_in_view(model);
    model.say(text);
    Vec::new()
}

fn toggle_details(model: &mut Model) -> Vec<Effect> {
    model.log.details = !model.log.details;
    keep_in_view(model);
    Vec::new()
}

fn take_back(model: &mut Model) -> Vec<Effect> {
    let operation = model.log.selected().map(|entry| entry.operation);
    undo_sheet::open(model, Way::Back, operation)
}

fn redo(model: &mut Model) -> Vec<Effect> {
    let operation = model.log.selected().map(|entry| entry.operation);
    undo_sheet::open(model, Way::Again, operation)
}

fn cannot_redo(model: &Model) -> Option<&'static str> {
    let Some(entry) = model.log.selected() else { return Some("nothing was done here yet") };
    let is_over = entry.status == "undone" || (entry.verb == "undo" && entry.status == "done");
    (!is_over).then_some("it was not taken back, so there is nothing to do again")
}

fn copy_id(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.log.selected().map(|entry| entry.operation.to_string()) else {
        return Vec::new();
    };
    let what = id.clone();
    model.copy(&what, id)
}

fn no_entry(model: &Model) -> Option<&'static str> {
    model.log.selected().is_none().then_some("nothing was done here yet")
}

fn cannot_undo(model: &Model) -> Option<&'static str> {
    let Some(entry) = model.log.selected() else { return Some("nothing was done here yet") };
    if entry.status == "undone" {
        Some("it was taken back already")
    } else if !entry.undoable {
        Some("it cannot be taken back · i says why")
    } else {
        None
    }
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Log, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("take-back.operation", "Take this one back", &["u"], cannot_undo, take_back),
    row("redo.operation", "Do again what was taken back", &["ctrl-r"], cannot_redo, redo),
    row("details.row", "All that is known of it", &["Enter"], no_entry, toggle_details),
    row("why.row", "All of it in one sentence", &["i"], no_entry, say_all),
    row("read.row", "Show its details", &["l", "Right"], no_entry, |model| {
        model.log.details = true;
        keep_in_view(model);
        Vec::new()
    }),
    row("leave.row", "Close the details, then back", &["h", "Left"], always, |model| {
        if !std::mem::take(&mut model.log.details) {
            return model.leave();
        }
        keep_in_view(model);
        Vec::new()
    }),
    row("search.text", "Search in the log", &["/"], no_entry, open_search),
    row("next.match", "The match before this one in time", &["n"], no_search, |model| {
        step_match(model, Direction::Older)
    }),
    row("previous.match", "The match after this one in time", &["N"], no_search, |model| {
        step_match(model, Direction::Newer)
    }),
    row("copy.id", "Copy its id", &["y"], no_entry, copy_id),
    row("move.down", "Down", &["j", "Down"], always, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], always, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], always, |model| {
        step(model, half(model.viewport.body_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], always, |model| {
        step(model, -half(model.viewport.body_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], always, |model| {
        step(model, 2 * half(model.viewport.body_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], always, |model| {
        step(model, -2 * half(model.viewport.body_rows))
    }),
    row("move.first", "The oldest", &["g g", "Home"], always, |model| step(model, isize::MIN)),
    row("move.last", "The newest", &["G", "End"], always, |model| step(model, isize::MAX)),
    row("again.log", "Read it again", &["R"], always, read_when_open),
    row("peel.log", "The search off, then back", &["Esc"], always, peel),
    row("log.leave", "Back", &["L"], always, Model::leave),
    row("quit.log", "Back", &["q"], always, Model::leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
