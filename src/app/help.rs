//! The keys that work where help was asked for, from the command table. Any of them can be run from here.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    list::{Cursor, half},
    prompt::{Prompt, Purpose},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpSheet {
    /// Where it was asked for.
    pub about: Context,
    pub cursor: Cursor,
    /// What is searched for; empty while nothing is.
    pub needle: String,
}

impl HelpSheet {
    /// The rows that hold there, then those that hold everywhere.
    pub fn rows(&self) -> Vec<&'static Command> {
        let of = |context| super::command::commands().filter(move |row| row.context == context);
        of(self.about).chain(of(Context::Everywhere)).collect()
    }

    pub fn is_match(&self, model: &Model, command: &Command) -> bool {
        let needle = self.needle.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&needle);
        !needle.is_empty()
            && (has(command.help)
                || has(command.name)
                || model.keymap.keys_of(command).contains(&self.needle))
    }
}

pub fn open(model: &mut Model) -> Vec<Effect> {
    let about = model.context();
    if about != Context::Help {
        let sheet = HelpSheet { about, cursor: Cursor::default(), needle: String::new() };
        model.sheets.push(Sheet::Help(sheet));
    }
    Vec::new()
}

fn seen(model: &Model) -> Option<&HelpSheet> {
    model.sheets.iter().rev().find_map(|sheet| match sheet {
        Sheet::Help(sheet) => Some(sheet),
        _ => None,
    })
}

fn sheet(model: &mut Model) -> Option<&mut HelpSheet> {
    model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Help(sheet) => Some(sheet),
        _ => None,
    })
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let shown = model.viewport.sheet_rows;
    if let Some(sheet) = sheet(model) {
        let count = sheet.rows().len();
        sheet.cursor.step(rows, count);
        sheet.cursor.keep_in_view(count, shown);
    }
    Vec::new()
}

/// The next row with the text, from the one given on and around.
fn find(model: &Model, from: usize, forward: bool) -> Option<usize> {
    let sheet = seen(model)?;
    let rows = sheet.rows();
    let count = rows.len();
    let at = |offset: usize| (from + if forward { offset } else { count - offset }) % count;
    (0..count).map(at).find(|index| sheet.is_match(model, rows[*index]))
}

fn jump(model: &mut Model, index: usize) {
    let shown = model.viewport.sheet_rows;
    if let Some(sheet) = sheet(model) {
        let count = sheet.rows().len();
        sheet.cursor.go(index, count);
        sheet.cursor.keep_in_view(count, shown);
    }
}

pub(super) fn search_changed(model: &mut Model, text: &str) {
    if let Some(sheet) = sheet(model) {
        text.clone_into(&mut sheet.needle);
    }
    let from = seen(model).map_or(0, |sheet| sheet.cursor.index);
    if let Some(index) = find(model, from, true) {
        jump(model, index);
    }
}

fn open_search(model: &mut Model) -> Vec<Effect> {
    let text = seen(model).map(|sheet| sheet.needle.clone()).unwrap_or_default();
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::Help, text)));
    Vec::new()
}

fn step_match(model: &mut Model, forward: bool) -> Vec<Effect> {
    let Some((at, count)) = seen(model).map(|sheet| (sheet.cursor.index, sheet.rows().len()))
    else {
        return Vec::new();
    };
    let from = if forward { at + 1 } else { at + count - 1 };
    match find(model, from % count.max(1), forward) {
        Some(index) => jump(model, index),
        None => model.refuse("no key here has that in it"),
    }
    Vec::new()
}

fn no_search(model: &Model) -> Option<&'static str> {
    let is_searching = seen(model).is_some_and(|sheet| !sheet.needle.is_empty());
    (!is_searching).then_some("nothing is searched for · / searches")
}

/// As if its key had been pressed. A sheet is approved on the sheet itself, nowhere else.
fn run(model: &mut Model) -> Vec<Effect> {
    let Some(command) = seen(model).and_then(|s| s.rows().get(s.cursor.index).copied()) else {
        return Vec::new();
    };
    model.sheets.pop();
    if command.verb() == "confirm" {
        model.refuse("that is approved on the sheet itself: Enter");
        return Vec::new();
    }
    super::run(model, command)
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Help, refusal: always, run }
}

pub const COMMANDS: &[Command] = &[
    row("move.down", "Down", &["j", "Down"], |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], |model| {
        step(model, half(model.viewport.sheet_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], |model| {
        step(model, -half(model.viewport.sheet_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], |model| {
        step(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], |model| {
        step(model, -2 * half(model.viewport.sheet_rows))
    }),
    row("move.first", "First row", &["g g", "Home"], |model| step(model, isize::MIN)),
    row("move.last", "Last row", &["G", "End"], |model| step(model, isize::MAX)),
    row("search.text", "Search in these rows", &["/"], open_search),
    Command {
        refusal: no_search,
        ..row("next.match", "Next match", &["n"], |model| step_match(model, true))
    },
    Command {
        refusal: no_search,
        ..row("previous.match", "The match before", &["N"], |model| step_match(model, false))
    },
    row("run.found", "Close help and do this", &["Enter"], run),
    row("quit.help", "Close help", &["q", "Esc", "ctrl-c"], Model::close_sheet),
    row("help.close", "Close help", &["?"], Model::close_sheet),
    row("find.close", "Close help", &[":"], Model::close_sheet),
];
