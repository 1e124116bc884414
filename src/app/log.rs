//! The log: every operation, newest last, and the way back from each.

use super::{
    Command, Context, Effect, Model, Screen,
    command::always,
    help,
    job::{Job, Outcome, Slot},
    list::{Cursor, half},
    undo_sheet,
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
}

impl LogScreen {
    pub fn selected(&self) -> Option<&LogEntry> {
        self.entries.as_ref()?.get(self.cursor.index)
    }

    fn count(&self) -> usize {
        self.entries.as_ref().map_or(0, Vec::len)
    }
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

fn toggle_details(model: &mut Model) -> Vec<Effect> {
    model.log.details = !model.log.details;
    keep_in_view(model);
    Vec::new()
}

fn take_back(model: &mut Model) -> Vec<Effect> {
    let operation = model.log.selected().map(|entry| entry.operation);
    undo_sheet::open(model, operation)
}

fn copy_id(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.log.selected().map(|entry| entry.operation.to_string()) else {
        return Vec::new();
    };
    model.say(format!("copied {id}"));
    vec![Effect::Copy(id)]
}

fn no_entry(model: &Model) -> Option<&'static str> {
    model.log.selected().is_none().then_some("nothing was done here yet")
}

fn cannot_undo(model: &Model) -> Option<&'static str> {
    let Some(entry) = model.log.selected() else { return Some("nothing was done here yet") };
    if entry.status == "undone" {
        Some("it was taken back already")
    } else if !entry.undoable {
        Some("it cannot be taken back any more")
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
    row("details.row", "All that is known of it", &["Enter"], no_entry, toggle_details),
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
    row("leave.log", "Back", &["Esc"], always, Model::leave),
    row("log.leave", "Back", &["L"], always, Model::leave),
    row("quit.log", "Back", &["q"], always, Model::leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
