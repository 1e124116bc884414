//! One line to type in: the filter of the list, and search. Letters are text here, never commands.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    fleet,
    keymap::{Key, KeyPress},
    review,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Narrows the list.
    Filter,
    /// Finds text in what is being read.
    Search,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub purpose: Purpose,
    pub text: String,
}

impl Prompt {
    pub fn new(purpose: Purpose, text: impl Into<String>) -> Self {
        Self { purpose, text: text.into() }
    }

    /// Line ends become spaces: this is one line.
    pub fn push_text(&mut self, text: &str) {
        self.text.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    }

    pub fn type_key(&mut self, key: KeyPress) {
        match (key.key, key.ctrl, key.alt) {
            (Key::Char(character), false, false) => self.text.push(character),
            (Key::Backspace, false, false) | (Key::Char('h'), true, false) => {
                self.text.pop();
            }
            (Key::Char('u'), true, false) => self.text.clear(),
            (Key::Char('w'), true, false) => {
                let kept = self.text.trim_end().rfind(' ').map_or(0, |at| at + 1);
                self.text.truncate(kept);
            }
            _ => {}
        }
    }
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "keep.text",
        help: "Keep what was typed and go on",
        keys: &["Enter", "ctrl-s"],
        context: Context::Search,
        refusal: always,
        run: keep,
    },
    Command {
        name: "drop.text",
        help: "Leave the field as it was before",
        keys: &["Esc", "ctrl-c"],
        context: Context::Search,
        refusal: always,
        run: drop_text,
    },
];

/// The text has changed: whoever it is for looks at once.
pub(super) fn changed(model: &mut Model) {
    let Some(Sheet::Prompt(prompt)) = model.sheets.last() else { return };
    let text = prompt.text.clone();
    match prompt.purpose {
        Purpose::Filter => fleet::set_filter(model, &text),
        Purpose::Search => review::search_changed(model, &text),
    }
}

fn keep(model: &mut Model) -> Vec<Effect> {
    let Some(Sheet::Prompt(prompt)) = model.sheets.pop() else { return Vec::new() };
    match prompt.purpose {
        Purpose::Filter => Vec::new(),
        Purpose::Search => review::search_kept(model, &prompt.text),
    }
}

fn drop_text(model: &mut Model) -> Vec<Effect> {
    let Some(Sheet::Prompt(prompt)) = model.sheets.pop() else { return Vec::new() };
    match prompt.purpose {
        Purpose::Filter => {
            fleet::set_filter(model, "");
            Vec::new()
        }
        Purpose::Search => review::search_dropped(model),
    }
}
