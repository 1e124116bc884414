//! The keys that work where help was asked for, from the command table. Any of them can be run from here.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::{always, commands, find_command},
    keymap::{Keymap, parse_keys},
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

/// A sign of the screen, to be drawn in the set that the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Mark,
    Asks,
    Active,
    Idle,
    Done,
    Conflict,
    Landed,
    Empty,
    Changed,
    Problem,
    Uncommitted,
    Comment,
    Unknown,
    Cut,
    Closed,
}

/// One line of help.
#[derive(Clone, Copy, Debug)]
pub enum HelpRow {
    Command(&'static Command),
    Blank,
    /// What a sign means there.
    Sign(Sign, &'static str),
}

const LIST_SIGNS: &[(Sign, &str)] = &[
    (Sign::Asks, "its agent asks for review"),
    (Sign::Active, "a process is at work in it"),
    (Sign::Idle, "nobody is in it"),
    (Sign::Mark, "marked: d discards what is marked"),
    (Sign::Done, "lands clean"),
    (Sign::Conflict, "conflicts with its target, in so many files"),
    (Sign::Landed, "landed: its target holds all of it"),
    (Sign::Empty, "nothing was ever done in it"),
    (Sign::Changed, "so many files changed since you read them"),
    (Sign::Problem, "broken, or it wants a second look"),
    (Sign::Uncommitted, "behind a name: some of its work is in no commit yet"),
    (Sign::Comment, "behind a name: so many comments that its agent answered"),
    (Sign::Unknown, "not known yet; behind a name: files not searched"),
];
const REVIEW_SIGNS: &[(Sign, &str)] = &[
    (Sign::Done, "read"),
    (Sign::Changed, "changed since you read it"),
    (Sign::Problem, "wants a second look"),
    (Sign::Closed, "folded: Enter opens it"),
    (Sign::Cut, "the line goes on: l scrolls, w wraps"),
];
const CONFLICT_SIGNS: &[(Sign, &str)] = &[
    (Sign::Done, "settled"),
    (Sign::Conflict, "still open"),
    (Sign::Cut, "the line goes on: l scrolls, w wraps"),
];

const RADAR_SIGNS: &[(Sign, &str)] = &[
    (Sign::Done, "the two merge cleanly"),
    (Sign::Conflict, "they clash, in so many files"),
    (Sign::Problem, "they could not be compared"),
    (Sign::Unknown, "not compared yet"),
];

impl HelpSheet {
    /// What holds there, then what holds everywhere and means nothing else there, then the signs.
    pub fn rows(&self, keymap: &Keymap) -> Vec<HelpRow> {
        let of = |context| commands().filter(move |row| row.context == context);
        let elsewhere = of(Context::Everywhere).filter(|command| {
            let is_said = find_command(self.about, command.name).is_some();
            !is_said && !self.keys(keymap, command).is_empty()
        });
        let mut rows: Vec<_> = of(self.about).chain(elsewhere).map(HelpRow::Command).collect();
        let signs = match self.about {
            Context::Fleet => LIST_SIGNS,
            Context::Review => REVIEW_SIGNS,
            Context::Conflicts => CONFLICT_SIGNS,
            Context::Radar => RADAR_SIGNS,
            _ => &[],
        };
        if !signs.is_empty() {
            rows.push(HelpRow::Blank);
        }
        rows.extend(signs.iter().map(|(sign, means)| HelpRow::Sign(*sign, means)));
        rows
    }

    /// Every key that does this there, each once.
    pub fn keys(&self, keymap: &Keymap, command: &Command) -> Vec<String> {
        let mut keys = Vec::new();
        if command.context != Context::Everywhere {
            keys.extend(keymap.keys_of(command));
        }
        let everywhere = find_command(Context::Everywhere, command.name);
        keys.extend(everywhere.into_iter().flat_map(|it| keymap.keys_of(it)).filter(|text| {
            let pressed = parse_keys(text).unwrap_or_default();
            !keymap.elsewhere(&pressed).any(|other| other.context == self.about)
        }));
        keys
    }

    pub fn is_match(&self, model: &Model, row: &HelpRow) -> bool {
        let needle = self.needle.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&needle);
        !needle.is_empty()
            && match row {
                HelpRow::Command(command) => {
                    has(command.help)
                        || has(command.name)
                        || self.keys(&model.keymap, command).contains(&self.needle)
                }
                HelpRow::Sign(_, means) => has(means),
                HelpRow::Blank => false,
            }
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

fn count(model: &Model) -> usize {
    seen(model).map_or(0, |sheet| sheet.rows(&model.keymap).len())
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let (shown, count) = (model.viewport.sheet_rows, count(model));
    if let Some(sheet) = sheet(model) {
        sheet.cursor.step(rows, count);
        sheet.cursor.keep_in_view(count, shown);
    }
    Vec::new()
}

/// The next row with the text, from the one given on and around.
fn find(model: &Model, from: usize, forward: bool) -> Option<usize> {
    let sheet = seen(model)?;
    let rows = sheet.rows(&model.keymap);
    let count = rows.len();
    let at = |offset: usize| (from + if forward { offset } else { count - offset }) % count;
    (0..count).map(at).find(|index| sheet.is_match(model, &rows[*index]))
}

fn jump(model: &mut Model, index: usize) {
    let (shown, count) = (model.viewport.sheet_rows, count(model));
    if let Some(sheet) = sheet(model) {
        sheet.cursor.go(index, count);
        sheet.cursor.keep_in_view(count, shown);
    }
}

pub(super) fn search_changed(model: &mut Model, text: &str) {
    if let Some(sheet) = sheet(model) {
        text.clone_into(&mut sheet.needle);
    }
    let from = seen(model).map_or(0, |sheet| sheet.cursor.index);
    match find(model, from, true) {
        Some(index) => {
            model.drop_refusal();
            jump(model, index);
        }
        None if text.is_empty() => model.drop_refusal(),
        None => model.refuse(format!("no key here has {text} in it")),
    }
}

fn open_search(model: &mut Model) -> Vec<Effect> {
    let text = seen(model).map(|sheet| sheet.needle.clone()).unwrap_or_default();
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::Help, text)));
    Vec::new()
}

fn step_match(model: &mut Model, forward: bool) -> Vec<Effect> {
    let count = count(model);
    let Some(at) = seen(model).map(|sheet| sheet.cursor.index) else { return Vec::new() };
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
    let row = seen(model).and_then(|s| s.rows(&model.keymap).get(s.cursor.index).copied());
    let Some(HelpRow::Command(command)) = row else { return Vec::new() };
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
