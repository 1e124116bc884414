//! The command table: the one list behind keys, footer, help and the README.
//! Each screen keeps its rows in its own file; here they are put together.

use super::{
    Effect, Model, commits_sheet, conflicts, create_sheet, discard_sheet, fleet_keys, help,
    land_sheet, log, palette, prompt, radar_keys, review, sync_sheet, text_field, trail,
    undo_sheet, why_sheet,
};

/// Who gets the keys. A text field swallows every key that its own rows do not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// Rows that hold wherever the context itself has none for the key.
    Everywhere,
    Fleet,
    Review,
    Conflicts,
    LandSheet,
    DiscardSheet,
    UndoSheet,
    SyncSheet,
    Radar,
    Log,
    /// A field of many lines.
    Text,
    /// A field of one line: filter and search.
    Search,
    /// A field of one line with what it finds.
    Palette,
    /// The commits of a shadow.
    Commits,
    /// A field of one line: the name of a new shadow.
    CreateSheet,
    Help,
    /// An answer in full.
    Why,
}

impl Context {
    pub const ALL: [Self; 17] = [
        Self::Everywhere,
        Self::Fleet,
        Self::Review,
        Self::Conflicts,
        Self::LandSheet,
        Self::DiscardSheet,
        Self::UndoSheet,
        Self::SyncSheet,
        Self::Radar,
        Self::Log,
        Self::Commits,
        Self::Text,
        Self::Search,
        Self::Palette,
        Self::CreateSheet,
        Self::Help,
        Self::Why,
    ];

    /// The heading in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Fleet => "List",
            Self::Review => "Review",
            Self::Conflicts => "Conflicts",
            Self::LandSheet => "Land",
            Self::DiscardSheet => "Discard",
            Self::UndoSheet => "Take back",
            Self::SyncSheet => "Sync",
            Self::Radar => "Radar",
            Self::Log => "Log",
            Self::Commits => "Commits",
            Self::Text => "Text field",
            Self::Search => "Search field",
            Self::Palette => "Palette",
            Self::CreateSheet => "New shadow",
            Self::Help => "Help",
            Self::Why => "Why",
        }
    }

    /// Every key that its own rows do not name is typed.
    pub fn is_typed_in(self) -> bool {
        matches!(self, Self::Text | Self::Search | Self::Palette | Self::CreateSheet)
    }
}

/// One thing that a person may ask for.
pub struct Command {
    /// `verb.object`, unique in its context and stable: people write it in their config. One letter
    /// stands for one verb in every context.
    pub name: &'static str,
    /// Imperative, no full stop, at most 48 columns.
    pub help: &'static str,
    /// Several ways to press it; each may be a sequence.
    pub keys: &'static [&'static str],
    pub context: Context,
    /// Why it cannot run now; `None` means it can.
    pub refusal: fn(&Model) -> Option<&'static str>,
    pub run: fn(&mut Model) -> Vec<Effect>,
}

impl Command {
    pub fn verb(&self) -> &'static str {
        self.name.split('.').next().unwrap_or_default()
    }
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}:{}", self.context, self.name)
    }
}

pub static TABLES: &[&[Command]] = &[
    EVERYWHERE,
    fleet_keys::COMMANDS,
    review::COMMANDS,
    conflicts::COMMANDS,
    land_sheet::COMMANDS,
    discard_sheet::COMMANDS,
    undo_sheet::COMMANDS,
    sync_sheet::COMMANDS,
    radar_keys::COMMANDS,
    log::COMMANDS,
    commits_sheet::COMMANDS,
    create_sheet::COMMANDS,
    text_field::COMMANDS,
    prompt::COMMANDS,
    palette::COMMANDS,
    trail::COMMANDS,
    help::COMMANDS,
    why_sheet::COMMANDS,
];

pub fn commands() -> impl Iterator<Item = &'static Command> {
    TABLES.iter().flat_map(|table| table.iter())
}

pub fn find_command(context: Context, name: &str) -> Option<&'static Command> {
    commands().find(|command| command.context == context && command.name == name)
}

/// For rows that can always run.
pub fn always(_: &Model) -> Option<&'static str> {
    None
}

const EVERYWHERE: &[Command] = &[
    Command {
        name: "quit.program",
        help: "Quit; a write that runs is finished first",
        keys: &["ctrl-c"],
        context: Context::Everywhere,
        refusal: always,
        run: Model::quit,
    },
    Command {
        name: "suspend.program",
        help: "Back to the shell; `fg` returns",
        keys: &["ctrl-z"],
        context: Context::Everywhere,
        refusal: always,
        run: |_| vec![Effect::Suspend],
    },
    Command {
        name: "redraw.screen",
        help: "Draw the screen anew",
        keys: &["ctrl-l"],
        context: Context::Everywhere,
        refusal: always,
        run: |_| vec![Effect::Redraw],
    },
    Command {
        name: "help.keys",
        help: "Show the keys that work here",
        keys: &["F1"],
        context: Context::Everywhere,
        refusal: always,
        run: help::open,
    },
];
