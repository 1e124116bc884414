//! The keys that work where help was asked for, from the command table.

use super::{Command, Context, Effect, Model, Sheet, command::always, list::half};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpSheet {
    /// Where it was asked for.
    pub about: Context,
    pub top: usize,
}

impl HelpSheet {
    /// The rows that hold there, then those that hold everywhere.
    pub fn rows(&self) -> Vec<&'static Command> {
        let of = |context| super::command::commands().filter(move |row| row.context == context);
        of(self.about).chain(of(Context::Everywhere)).collect()
    }
}

pub fn open(model: &mut Model) -> Vec<Effect> {
    let about = model.context();
    if about != Context::Help {
        model.sheets.push(Sheet::Help(HelpSheet { about, top: 0 }));
    }
    Vec::new()
}

fn scroll(model: &mut Model, rows: isize) -> Vec<Effect> {
    let shown = model.viewport.body_rows;
    if let Some(Sheet::Help(sheet)) = model.sheets.last_mut() {
        let last = sheet.rows().len().saturating_sub(shown.max(1));
        sheet.top = sheet.top.saturating_add_signed(rows).min(last);
    }
    Vec::new()
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "move.down",
        help: "Down",
        keys: &["j", "Down"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, 1),
    },
    Command {
        name: "move.up",
        help: "Up",
        keys: &["k", "Up"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, -1),
    },
    Command {
        name: "move.half-down",
        help: "Half a page down",
        keys: &["ctrl-d", "PageDown", "ctrl-f"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, half(model.viewport.body_rows)),
    },
    Command {
        name: "move.half-up",
        help: "Half a page up",
        keys: &["ctrl-u", "PageUp", "ctrl-b"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, -half(model.viewport.body_rows)),
    },
    Command {
        name: "move.first",
        help: "First row",
        keys: &["g g", "Home"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, isize::MIN),
    },
    Command {
        name: "move.last",
        help: "Last row",
        keys: &["G", "End"],
        context: Context::Help,
        refusal: always,
        run: |model| scroll(model, isize::MAX),
    },
    Command {
        name: "quit.help",
        help: "Close help",
        keys: &["q", "Esc"],
        context: Context::Help,
        refusal: always,
        run: Model::close_sheet,
    },
    Command {
        name: "help.close",
        help: "Close help",
        keys: &["?"],
        context: Context::Help,
        refusal: always,
        run: Model::close_sheet,
    },
];
