//! One line to type in: the filter of the list, search, and what the palette looks for.
//! Letters are text here, never commands.

use std::collections::BTreeMap;

use super::{
    Command, Context, Effect, Model, Screen, Sheet,
    command::always,
    conflict_search, fleet, help,
    keymap::{Key, KeyPress},
    log, review,
};

/// So many characters one line takes: it is looked for anew with each of them.
const LINE_MAX: usize = 1000;

/// Texts that were kept, for each purpose; the oldest goes first.
const PAST_MAX: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Narrows the list.
    Filter,
    /// Finds text in what is being read.
    Search,
    Help,
    Log,
    Command,
    Shadow,
    /// Something to compare with.
    Against,
    /// Goes to a file of what is being read.
    File,
}

/// What was typed before, newest last.
pub type Past = BTreeMap<Purpose, Vec<String>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub purpose: Purpose,
    pub text: String,
    /// What was there when it opened: `Esc` brings it back, and so does `Enter` before anything was typed.
    pub before: String,
    is_fresh: bool,
    /// How far back in the past it looks; 0 is what is typed now.
    past: usize,
    /// What was typed now, while the past is looked at.
    typed: String,
    /// Before each deletion, the newest last: `ctrl-_` goes back there.
    before_deletions: Vec<String>,
}

impl Prompt {
    /// Empty; `before` holds until something is typed.
    pub fn new(purpose: Purpose, before: impl Into<String>) -> Self {
        Self {
            purpose,
            before: before.into(),
            text: String::new(),
            is_fresh: true,
            past: 0,
            typed: String::new(),
            before_deletions: Vec::new(),
        }
    }

    /// Line ends become spaces: this is one line. What it cannot take is said.
    pub fn push_text(&mut self, text: &str) -> Option<String> {
        self.is_fresh = false;
        let room = LINE_MAX.saturating_sub(self.text.chars().count());
        let mut pasted = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        self.text.extend(pasted.by_ref().take(room));
        let left_out = pasted.count();
        (left_out > 0).then(|| {
            format!(
                "a line takes {LINE_MAX} characters: {left_out} of what was pasted are left out"
            )
        })
    }

    pub fn type_key(&mut self, key: KeyPress) {
        self.is_fresh = false;
        match (key.key, key.ctrl, key.alt) {
            (Key::Char(character), false, false) if self.text.chars().count() < LINE_MAX => {
                self.text.push(character);
            }
            (Key::Backspace, false, false) | (Key::Char('h'), true, false) => {
                let last = self.text.char_indices().next_back();
                self.delete_from(last.map_or(0, |(at, _)| at));
            }
            (Key::Char('u'), true, false) => self.delete_from(0),
            (Key::Char('w'), true, false) => {
                self.delete_from(self.text.trim_end().rfind(' ').map_or(0, |at| at + 1));
            }
            // Terminals send one byte for all three.
            (Key::Char('_' | '/' | '7'), true, false) => {
                if let Some(text) = self.before_deletions.pop() {
                    self.text = text;
                }
            }
            _ => {}
        }
    }

    fn delete_from(&mut self, at: usize) {
        if at < self.text.len() {
            self.before_deletions.push(self.text.clone());
            self.text.truncate(at);
        }
    }
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Search, refusal: always, run }
}

pub const COMMANDS: &[Command] = &[
    row("keep.text", "Keep what was typed and go on", &["Enter", "ctrl-s"], keep),
    row("drop.text", "As it was before the field opened", &["Esc", "ctrl-c"], drop_text),
    row("past.older", "What was typed before", &["Up", "ctrl-p"], |model| walk_past(model, 1)),
    row("past.newer", "What was typed after that", &["Down", "ctrl-n"], |model| {
        walk_past(model, -1)
    }),
];

/// The text has changed: whoever it is for looks at once.
pub(super) fn changed(model: &mut Model) {
    let Some(Sheet::Prompt(prompt)) = model.sheets.last() else { return };
    let text = prompt.text.clone();
    match prompt.purpose {
        Purpose::Filter => fleet::set_filter(model, &text),
        Purpose::Search if in_conflicts(model) => conflict_search::changed(model, &text),
        Purpose::Search => review::search_changed(model, &text),
        Purpose::Help => help::search_changed(model, &text),
        Purpose::Log => log::search_changed(model, &text),
        Purpose::Command | Purpose::Shadow | Purpose::Against | Purpose::File => {}
    }
}

/// What is read there are the parts of conflicts.
fn in_conflicts(model: &Model) -> bool {
    model.screen() == Screen::Conflicts
}

fn walk_past(model: &mut Model, older: isize) -> Vec<Effect> {
    let Some(Sheet::Prompt(prompt)) = model.sheets.last_mut() else { return Vec::new() };
    let past = model.past.get(&prompt.purpose).map_or(&[][..], Vec::as_slice);
    prompt.is_fresh = false;
    if prompt.past == 0 {
        prompt.typed.clone_from(&prompt.text);
    }
    prompt.past = prompt.past.saturating_add_signed(older).min(past.len());
    prompt.text = match prompt.past {
        0 => prompt.typed.clone(),
        back => past[past.len() - back].clone(),
    };
    changed(model);
    Vec::new()
}

fn keep(model: &mut Model) -> Vec<Effect> {
    if let Some(Sheet::Prompt(prompt)) = model.sheets.last_mut()
        && prompt.is_fresh
    {
        prompt.text.clone_from(&prompt.before);
        changed(model);
    }
    let Some(Sheet::Prompt(prompt)) = model.sheets.pop() else { return Vec::new() };
    if !prompt.text.is_empty() {
        let past = model.past.entry(prompt.purpose).or_default();
        past.retain(|text| *text != prompt.text);
        past.push(prompt.text.clone());
        let surplus = past.len().saturating_sub(PAST_MAX);
        past.drain(..surplus);
    }
    match prompt.purpose {
        Purpose::Search if in_conflicts(model) => conflict_search::kept(model, &prompt.text),
        Purpose::Search => review::search_kept(model, &prompt.text),
        Purpose::Log => log::search_kept(model),
        Purpose::Filter
        | Purpose::Help
        | Purpose::Command
        | Purpose::Shadow
        | Purpose::Against
        | Purpose::File => Vec::new(),
    }
}

fn drop_text(model: &mut Model) -> Vec<Effect> {
    let Some(Sheet::Prompt(prompt)) = model.sheets.pop() else { return Vec::new() };
    match prompt.purpose {
        Purpose::Filter => fleet::set_filter(model, &prompt.before),
        Purpose::Search if in_conflicts(model) => return conflict_search::dropped(model),
        Purpose::Search => return review::search_dropped(model),
        Purpose::Help => help::search_changed(model, &prompt.before),
        Purpose::Log => log::search_dropped(model, &prompt.before),
        Purpose::Command | Purpose::Shadow | Purpose::Against | Purpose::File => {}
    }
    Vec::new()
}
