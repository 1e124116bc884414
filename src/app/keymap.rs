//! Keys as data: what was pressed, how it is written, and which command it means in a context.
//! Built from the command table; knows no terminal.

use std::fmt;

use super::command::{Command, Context, commands};

/// The longest sequence that any command may have.
pub const SEQUENCE_MAX: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// One key with what was held down. Shift is in the character itself (`G`, `*`), or in `BackTab`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPress {
    pub key: Key,
    pub ctrl: bool,
    pub alt: bool,
}

const NAMES: &[(&str, Key)] = &[
    ("Space", Key::Char(' ')),
    ("Enter", Key::Enter),
    ("Esc", Key::Esc),
    ("Tab", Key::Tab),
    ("S-Tab", Key::BackTab),
    ("Backspace", Key::Backspace),
    ("Delete", Key::Delete),
    ("Up", Key::Up),
    ("Down", Key::Down),
    ("Left", Key::Left),
    ("Right", Key::Right),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PageUp", Key::PageUp),
    ("PageDown", Key::PageDown),
];

impl KeyPress {
    pub const fn plain(key: Key) -> Self {
        Self { key, ctrl: false, alt: false }
    }

    /// `j`, `G`, `ctrl-d`, `alt-x`, `Space`, `S-Tab`, `F1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (ctrl, rest) = strip(text, "ctrl-");
        let (alt, rest) = strip(rest, "alt-");
        let named = NAMES.iter().find(|(name, _)| *name == rest).map(|(_, key)| *key);
        let key = named.or_else(|| parse_function(rest)).or_else(|| only_character(rest))?;
        Some(Self { key, ctrl, alt })
    }
}

fn strip<'a>(text: &'a str, prefix: &str) -> (bool, &'a str) {
    text.strip_prefix(prefix).map_or((false, text), |rest| (true, rest))
}

fn parse_function(text: &str) -> Option<Key> {
    text.strip_prefix('F')?.parse().ok().map(Key::F)
}

fn only_character(text: &str) -> Option<Key> {
    let mut characters = text.chars();
    let only = characters.next()?;
    (characters.next().is_none() && !only.is_whitespace()).then_some(Key::Char(only))
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        let named = NAMES.iter().find(|(_, key)| *key == self.key);
        match (named, self.key) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Key::F(number)) => write!(f, "F{number}"),
            (None, Key::Char(character)) => write!(f, "{character}"),
            (None, key) => unreachable!("{key:?} has a name"),
        }
    }
}

/// A sequence as the command table writes it: keys with spaces between.
pub fn parse_keys(text: &str) -> Option<Vec<KeyPress>> {
    text.split_whitespace().map(KeyPress::parse).collect()
}

#[derive(Debug)]
struct Binding {
    context: Context,
    keys: Vec<KeyPress>,
    command: &'static Command,
}

#[derive(Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

#[derive(Clone, Copy, Debug)]
pub enum Lookup {
    Found(&'static Command),
    /// A longer sequence starts this way: wait for the next key.
    Prefix,
    Nothing,
}

impl Default for Keymap {
    fn default() -> Self {
        let bindings = commands().flat_map(|command| {
            command.keys.iter().map(move |keys| Binding {
                context: command.context,
                keys: parse_keys(keys).expect("the tests read every key of the table"),
                command,
            })
        });
        Self { bindings: bindings.collect() }
    }
}

impl Keymap {
    /// The context's own keys first, then those that hold everywhere.
    pub fn find(&self, context: Context, pressed: &[KeyPress]) -> Lookup {
        for place in [context, Context::Everywhere] {
            let here = || self.bindings.iter().filter(move |binding| binding.context == place);
            if let Some(binding) = here().find(|binding| binding.keys == pressed) {
                return Lookup::Found(binding.command);
            }
            if here().any(|binding| binding.keys.starts_with(pressed)) {
                return Lookup::Prefix;
            }
        }
        Lookup::Nothing
    }
}
