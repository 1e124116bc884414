//! Keys as data: what was pressed, how it is written, and which command it means in a context.
//! Built from the command table; knows no terminal.

use std::fmt;

use super::command::{Command, Context, commands};
use crate::{
    config::KeySetting,
    report::{Code, Report},
};

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
    /// The table's keys with the user's in their place, and what is wrong with those. A fault costs
    /// its own line alone: the command keeps its usual keys.
    pub fn with(settings: &[KeySetting]) -> (Self, Vec<Report>) {
        let mut faults = Vec::new();
        let mut changes: Vec<Change<'_>> = Vec::new();
        for setting in settings {
            match Change::read(setting) {
                Ok(change) => changes.push(change),
                Err((what, hint)) => faults.push(fault(setting, &what, hint)),
            }
        }
        changes.sort_by_key(|change| change.setting.line);
        loop {
            let keymap = Self::changed(&changes);
            // The later of two lines gives way; what was there before the file was never does.
            let clash = (0..changes.len())
                .rev()
                .find_map(|index| keymap.find_clash(&changes[index]).map(|other| (index, other)));
            let Some((index, (key, other))) = clash else {
                faults.sort_by_key(|report| report.headline.clone());
                return (keymap, faults);
            };
            let what =
                format!("{key} stands for `{}` in {} too", other.name, other.context.title());
            let hint =
                "give one of the two another key; until then this command keeps its usual ones";
            faults.push(fault(changes.remove(index).setting, &what, hint));
        }
    }

    fn changed(changes: &[Change<'_>]) -> Self {
        let mut keymap = Self::default();
        for change in changes {
            keymap.bindings.retain(|binding| binding.command.name != change.setting.name);
            for command in commands().filter(|command| command.name == change.setting.name) {
                let context = command.context;
                let own = change.sequences.iter().cloned();
                keymap.bindings.extend(own.map(|keys| Binding { context, keys, command }));
            }
        }
        keymap
    }

    /// The key that this change would share, and with which command.
    fn find_clash(&self, change: &Change<'_>) -> Option<(String, &'static Command)> {
        let is_own = |binding: &&Binding| binding.command.name == change.setting.name;
        for own in self.bindings.iter().filter(is_own) {
            let other = self.bindings.iter().find(|other| {
                let hides = [own.context, other.context].contains(&Context::Everywhere)
                    && !own.is_usual()
                    && !other.is_usual_of_its_screen();
                !is_own(other)
                    && (own.context == other.context || hides)
                    && (own.keys.starts_with(&other.keys) || other.keys.starts_with(&own.keys))
            });
            if let Some(other) = other {
                return Some((written(&own.keys), other.command));
            }
        }
        None
    }

    /// Every way to press it, as people write keys.
    pub fn keys_of(&self, command: &Command) -> Vec<String> {
        let own = self.bindings.iter().filter(|binding| std::ptr::eq(binding.command, command));
        own.map(|binding| written(&binding.keys)).collect()
    }

    /// Commands that these very keys mean anywhere.
    pub fn elsewhere<'a>(
        &'a self,
        pressed: &'a [KeyPress],
    ) -> impl Iterator<Item = &'static Command> + 'a {
        self.bindings.iter().filter(move |b| b.keys == pressed).map(|binding| binding.command)
    }

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

/// Keys as people write them.
pub fn written(keys: &[KeyPress]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl Binding {
    /// As the command table has it.
    fn is_usual(&self) -> bool {
        self.command.keys.iter().any(|keys| parse_keys(keys).as_ref() == Some(&self.keys))
    }

    fn is_usual_of_its_screen(&self) -> bool {
        self.context != Context::Everywhere && self.is_usual()
    }
}

/// One line of the user's file, understood.
struct Change<'a> {
    setting: &'a KeySetting,
    sequences: Vec<Vec<KeyPress>>,
}

impl<'a> Change<'a> {
    fn read(setting: &'a KeySetting) -> Result<Self, (String, &'static str)> {
        if !commands().any(|command| command.name == setting.name) {
            let hint = "`?` in the cockpit lists the commands, `:` finds each by its name";
            return Err(("there is no such command".to_owned(), hint));
        }
        let mut sequences = Vec::new();
        for text in &setting.keys {
            let keys = parse_keys(text).filter(|keys| (1..=SEQUENCE_MAX).contains(&keys.len()));
            let hint = "keys are written `m`, `G`, `ctrl-d`, `alt-x`, `Space`, `F1`; a sequence has \
                        blanks between: `g g`";
            sequences.push(keys.ok_or_else(|| (format!("`{text}` is no key"), hint))?);
        }
        Ok(Self { setting, sequences })
    }
}

fn fault(setting: &KeySetting, what: &str, hint: &str) -> Report {
    let KeySetting { name, file, line, .. } = setting;
    Report::user(Code::InvalidValue, format!("{file}, line {line}: `keys.{name}`: {what}"))
        .hint(hint)
        .detail("file", file.as_str())
        .detail("line", *line)
        .detail("key", format!("keys.{name}"))
}
