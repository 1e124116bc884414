//! One line that finds things by name: every command of where it was opened, every shadow, every file of what is read.
//! What it finds is run as if its key had been pressed; it never says yes to a sheet.

use super::{
    Command, Context, Effect, Model, Screen, Sheet,
    command::{always, commands, find_command},
    compare, fleet,
    list::{Cursor, half},
    log,
    prompt::{Prompt, Purpose},
    radar, review, review_files, trail,
};
use crate::{
    review::{Against, Comparable, stream::StreamRow},
    shadow::ShadowId,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    pub prompt: Prompt,
    /// Where it was opened.
    pub about: Context,
    pub cursor: Cursor,
    /// Branches and tags, where something to compare with is looked for.
    pub names: Vec<Comparable>,
}

/// One line of what was found.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub says: String,
    pub keys: String,
    act: Act,
    can_run: bool,
}

#[derive(Clone, Debug)]
enum Act {
    Run(&'static Command),
    Select(ShadowId),
    Compare(Option<Against>),
    GoTo(usize),
    File(usize),
    Say(&'static str),
}

const NOTHING_TO_SAVE: &str =
    "nothing to save: marks, ticks, choices and drafts are kept as they are made";

/// Best first.
pub fn items(model: &Model, palette: &Palette) -> Vec<Item> {
    let text = palette.prompt.text.trim();
    match palette.prompt.purpose {
        Purpose::Shadow => return sorted(shadows(model), text),
        Purpose::Against => return comparables(model, palette, text),
        Purpose::File => return files(model, text),
        _ => {}
    }
    let quit = || {
        let own = commands().find(|c| c.context == palette.about && c.verb() == "quit");
        own.map(|command| of_command(model, command))
    };
    match text {
        "q" | "q!" | "qa" | "wq" | "x" => return quit().into_iter().collect(),
        "w" => return vec![said("w", NOTHING_TO_SAVE)],
        _ => {}
    }
    if let Ok(number) = text.parse::<usize>() {
        let what = if palette.about == Context::Review { "line" } else { "row" };
        return vec![Item {
            name: text.to_owned(),
            says: format!("go to {what} {number}"),
            keys: String::new(),
            act: Act::GoTo(number),
            can_run: true,
        }];
    }
    sorted(
        here(palette.about).into_iter().map(|command| of_command(model, command)).collect(),
        text,
    )
}

/// What its own screen has first, in the order of help; what holds everywhere behind that, each once. What moves the
/// cursor comes last: nobody looks for that by its name.
fn here(about: Context) -> Vec<&'static Command> {
    let of = |context| commands().filter(move |command| command.context == context);
    let is_own = move |name: &str| of(about).any(|command| command.name == name);
    let everywhere = of(Context::Everywhere).filter(move |command| !is_own(command.name));
    let all = of(about).chain(everywhere).filter(|command| command.name != "find.command");
    let (moves, others): (Vec<_>, Vec<_>) = all.partition(|command| command.verb() == "move");
    [others, moves].concat()
}

/// What was found, and last what was typed, as git would take it.
fn comparables(model: &Model, palette: &Palette, text: &str) -> Vec<Item> {
    let of = |choice: compare::Choice| Item {
        name: choice.name,
        says: choice.says,
        keys: String::new(),
        act: Act::Compare(choice.against),
        can_run: true,
    };
    let mut items = sorted(compare::choices(model, palette).into_iter().map(of).collect(), text);
    if !text.is_empty() && !items.iter().any(|item| item.name == text) {
        let choice = compare::Choice {
            name: text.to_owned(),
            says: "a commit by this name".to_owned(),
            against: Some(Against::Revision(text.to_owned())),
        };
        items.push(of(choice));
    }
    items
}

fn of_command(model: &Model, command: &'static Command) -> Item {
    let refusal = (command.refusal)(model);
    let says = match refusal {
        Some(reason) => format!("{} ({reason})", command.help),
        None => command.help.to_owned(),
    };
    let keys = model.keymap.keys_of(command).join("  ");
    let (name, can_run) = (command.name.to_owned(), refusal.is_none());
    Item { name, says, keys, act: Act::Run(command), can_run }
}

fn said(name: &str, says: &'static str) -> Item {
    let (keys, act) = (String::new(), Act::Say(says));
    Item { name: name.to_owned(), says: says.to_owned(), keys, act, can_run: true }
}

fn shadows(model: &Model) -> Vec<Item> {
    let rows = model.fleet.listed.iter().map(|listed| &listed.row);
    rows.map(|row| Item {
        name: row.id.0.clone(),
        says: row.branch.as_ref().map_or_else(String::new, |branch| branch.0.clone()),
        keys: String::new(),
        act: Act::Select(row.id.clone()),
        can_run: true,
    })
    .collect()
}

fn files(model: &Model, text: &str) -> Vec<Item> {
    let of = |choice: review_files::Choice| Item {
        name: choice.name,
        says: choice.says,
        keys: String::new(),
        act: Act::File(choice.index),
        can_run: true,
    };
    let found: Vec<Item> = review_files::choices(model, text).into_iter().map(of).collect();
    let is_part = model.review.as_ref().is_some_and(|screen| screen.view != review::View::All);
    match find_command(Context::Review, "view.all") {
        Some(all) if found.is_empty() && is_part && model.screen() == Screen::Review => {
            vec![Item { says: "not in this view".to_owned(), ..of_command(model, all) }]
        }
        _ => found,
    }
}

/// The best fit first; of equals what can run now, then in the order that they have.
fn sorted(items: Vec<Item>, needle: &str) -> Vec<Item> {
    if needle.is_empty() {
        return items;
    }
    let ranked = items.into_iter().filter_map(|item| {
        let by_key = item.keys.split("  ").any(|key| key == needle).then_some(0);
        let by_name = rank(&item.name, needle);
        // A word of the sentence finds it too, behind every name that has it.
        let by_help = rank(&item.says, needle).filter(|rank| *rank < 2).map(|rank| rank + 3);
        let best = [by_key, by_name, by_help].into_iter().flatten().min()?;
        Some((best, item))
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by_key(|(rank, item)| (*rank, !item.can_run));
    ranked.into_iter().map(|(_, item)| item).collect()
}

/// How well it fits, least is best: begins so, a word begins so, has it, has its letters in order.
fn rank(text: &str, needle: &str) -> Option<u32> {
    let (text, needle) = (text.to_lowercase(), needle.to_lowercase());
    if text.starts_with(&needle) {
        return Some(0);
    }
    let begins_word = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    let mut found = text.match_indices(&needle).map(|(at, _)| at).peekable();
    if found.peek().is_some() {
        return Some(if found.any(begins_word) { 1 } else { 2 });
    }
    let mut letters = text.chars();
    let has_all = needle.chars().filter(|c| *c != ' ').all(|c| letters.any(|found| found == c));
    has_all.then_some(5)
}

pub(super) fn open(model: &mut Model, purpose: Purpose) -> Vec<Effect> {
    open_at(model, purpose, 0)
}

/// With this one of all chosen.
pub(super) fn open_at(model: &mut Model, purpose: Purpose, index: usize) -> Vec<Effect> {
    let (about, prompt) = (model.context(), Prompt::new(purpose, ""));
    let cursor = Cursor { index, top: index.saturating_sub(2) };
    let palette = Palette { prompt, about, cursor, names: Vec::new() };
    model.sheets.push(Sheet::Palette(palette));
    Vec::new()
}

fn palette(model: &mut Model) -> Option<&mut Palette> {
    match model.sheets.last_mut() {
        Some(Sheet::Palette(palette)) => Some(palette),
        _ => None,
    }
}

/// The text is another one: the best fit is chosen again.
pub(super) fn changed(model: &mut Model) {
    if let Some(palette) = palette(model) {
        palette.cursor = Cursor::default();
    }
}

fn found(model: &Model) -> Vec<Item> {
    match model.sheets.last() {
        Some(Sheet::Palette(palette)) => items(model, palette),
        _ => Vec::new(),
    }
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let (count, shown) = (found(model).len(), model.viewport.sheet_rows);
    if let Some(palette) = palette(model) {
        palette.cursor.step(rows, count);
        palette.cursor.keep_in_view(count, shown);
    }
    Vec::new()
}

/// The chosen one's whole name; again: the next.
fn complete(model: &mut Model) -> Vec<Effect> {
    let items = found(model);
    if let Some(palette) = palette(model)
        && let Some(item) = items.get(palette.cursor.index)
    {
        if palette.prompt.text == item.name {
            return step(model, 1);
        }
        palette.prompt.text.clone_from(&item.name);
        palette.cursor = Cursor::default();
    }
    Vec::new()
}

fn run(model: &mut Model) -> Vec<Effect> {
    let items = found(model);
    let Some(Sheet::Palette(palette)) = model.sheets.pop() else { return Vec::new() };
    let Some(item) = items.get(palette.cursor.index) else {
        if !palette.prompt.text.trim().is_empty() {
            let what = match palette.prompt.purpose {
                Purpose::Shadow => "shadow",
                Purpose::File => "file like",
                _ => "command",
            };
            model.refuse(format!("there is no {what} `{}` here", palette.prompt.text.trim()));
        }
        return Vec::new();
    };
    match &item.act {
        Act::Run(command) => super::run(model, command),
        Act::Say(text) => {
            model.say(*text);
            Vec::new()
        }
        Act::Select(id) => {
            trail::note(model);
            model.fleet.show(id);
            fleet::keep_in_view(model);
            Vec::new()
        }
        Act::Compare(against) => compare::choose(model, against.clone()),
        Act::File(index) => review_files::choose(model, *index),
        Act::GoTo(number) => go_to(model, number.saturating_sub(1)),
    }
}

/// A row of a list, or a line of the file that is read, as its new side counts.
fn go_to(model: &mut Model, index: usize) -> Vec<Effect> {
    trail::note(model);
    match model.screen() {
        Screen::Fleet => {
            let count = model.fleet.visible_count();
            model.fleet.cursor.go(index, count);
            model.fleet.moved = true;
            fleet::keep_in_view(model);
        }
        Screen::Log => log::go(model, index),
        Screen::Radar => radar::go(model, index),
        Screen::Review => go_to_line(model, index),
        Screen::Conflicts => model.refuse("lines are gone to in Review"),
    }
    Vec::new()
}

fn go_to_line(model: &mut Model, index: usize) {
    let Some(screen) = &mut model.review else { return };
    let Some(file) = screen.file_index() else { return };
    let rows = screen.stream.files()[file].rows.clone();
    let at = rows.clone().find(|row| match screen.stream.place(*row).map(|place| place.row) {
        Some(StreamRow::Line(line)) => line.new_index.is_some_and(|found| found as usize >= index),
        _ => false,
    });
    match at {
        Some(row) => screen.cursor = screen.stream.stop_from(row),
        None => {
            model.refuse(format!("line {} is not among what is shown · + shows more", index + 1));
        }
    }
    review::keep_in_view(model);
}

fn close(model: &mut Model) -> Vec<Effect> {
    model.sheets.pop();
    Vec::new()
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    context: Context,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context, refusal: always, run }
}

const fn opener(context: Context) -> Command {
    row("find.command", "Find any command by its name", &[":"], context, |model| {
        open(model, Purpose::Command)
    })
}

pub const COMMANDS: &[Command] = &[
    opener(Context::Fleet),
    opener(Context::Review),
    opener(Context::Conflicts),
    opener(Context::Radar),
    opener(Context::Log),
    row("find.shadow", "Find a shadow by its name", &["ctrl-p"], Context::Fleet, |model| {
        open(model, Purpose::Shadow)
    }),
    row("run.found", "Run it, or go there", &["Enter"], Context::Palette, run),
    row("leave.palette", "Close", &["Esc", "ctrl-c"], Context::Palette, close),
    row("complete.name", "Complete its name", &["Tab"], Context::Palette, complete),
    row("move.down", "Down", &["Down", "ctrl-n"], Context::Palette, |model| step(model, 1)),
    row("move.up", "Up", &["Up", "ctrl-p", "S-Tab"], Context::Palette, |model| step(model, -1)),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], Context::Palette, |model| {
        step(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], Context::Palette, |model| {
        step(model, -2 * half(model.viewport.sheet_rows))
    }),
];
