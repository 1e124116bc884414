//! What comes into the cockpit and what goes out of it: what happened, and what the world must do about it.

use std::path::PathBuf;

use super::{
    job::{Job, JobId, Outcome, Slot},
    keymap::KeyPress,
};
use crate::{
    report::Report,
    review::{Beside, Progress, ThreeSides},
    shadow::RepoPath,
};

/// What happened. Past tense.
#[derive(Debug)]
pub enum Msg {
    /// `frame` was the last on the screen then: nobody can have approved what only a later one shows.
    KeyPressed {
        key: KeyPress,
        frame: u64,
    },
    /// A wheel, over whatever has the keys.
    Wheeled(Wheel),
    Clicked {
        column: u16,
        row: u16,
    },
    /// With the button still down.
    Dragged {
        column: u16,
        row: u16,
    },
    Released,
    /// Goes to a text field or nowhere: pasted text never runs as keys.
    Pasted(String),
    JobFinished {
        slot: Slot,
        id: JobId,
        outcome: Result<Outcome, Report>,
    },
    /// A write tells how it goes.
    Progressed {
        slot: Slot,
        id: JobId,
        told: Progress,
    },
    /// Another program had the terminal, and has ended.
    CameBack {
        from: &'static str,
        outcome: Result<(), Report>,
    },
    /// What the editor left of a message.
    MessageEdited {
        outcome: Result<String, Report>,
    },
    /// The same of a conflict file.
    TextEdited {
        from: &'static str,
        outcome: Result<Vec<u8>, Report>,
    },
    /// Milliseconds since the epoch. Nothing in here reads a clock.
    Ticked {
        now_ms: u64,
    },
    /// A frame with this number is on the screen now.
    Drawn {
        frame: u64,
    },
    /// From outside: a signal.
    QuitAsked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wheel {
    Up,
    Down,
}

/// What the world must do. Imperative. The loop is the only reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    StartJob {
        slot: Slot,
        id: JobId,
        job: Job,
    },
    CancelJob {
        id: JobId,
    },
    /// To the terminal's clipboard.
    Copy(String),
    Suspend,
    /// The terminal is the editor's until it ends; lines count from 1. `dir` is the shadow that the file must lie in.
    OpenEditor {
        dir: PathBuf,
        file: RepoPath,
        line: u32,
    },
    OpenShell {
        dir: PathBuf,
    },
    OpenDifftool(Box<Beside>),
    OpenMergetool(Box<ThreeSides>),
    /// The same for a text that is not a file yet.
    EditMessage {
        text: String,
    },
    /// The same for the bytes of a file that is nowhere yet; editors know the kind from its name.
    EditText {
        name: Vec<u8>,
        text: Vec<u8>,
        line: u32,
    },
    Redraw,
    Quit,
}
