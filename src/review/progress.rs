//! What a write tells while it runs, and how it is asked to stop.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Radar, Row};
use crate::report::{Code, Report};

/// What it does now. Of a landing all that come before [`Step::Advance`] may be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Lock,
    Check,
    Save,
    Hooks,
    Commit,
    Advance,
    Trash,
    TakeBack,
    Again,
    RollBack,
    Merge,
    Empty,
    CleanUp,
}

impl Step {
    pub fn words(self) -> &'static str {
        match self {
            Self::Lock => "waiting for the lock",
            Self::Check => "checking that nothing has moved",
            Self::Save => "saving what undo needs",
            Self::Hooks => "asking the hooks",
            Self::Commit => "making the commit",
            Self::Advance => "moving the target",
            Self::Trash => "moving to the trash",
            Self::TakeBack => "taking it back",
            Self::Again => "doing it again",
            Self::RollBack => "rolling back",
            Self::Merge => "merging the target into it",
            Self::Empty => "emptying the trash",
            Self::CleanUp => "cleaning up",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    Step(Step),
    /// Somebody else holds the lock, in words.
    Held(String),
    /// A hook has begun.
    Hook(String),
    /// A line that the hook printed.
    Said(String),
    /// So many shadows are done.
    Done {
        count: usize,
        of: usize,
    },
    /// So many shadows of the list are looked at, and what is new of them; a verdict may still be out.
    Looked {
        rows: Vec<Row>,
        count: usize,
        of: usize,
    },
    /// The radar with what is known by now.
    Compared(Box<Radar>),
}

/// Says how it goes, from any thread.
pub type Tell<'a> = &'a (dyn Fn(Progress) + Sync);

impl From<Step> for Progress {
    fn from(step: Step) -> Self {
        Self::Step(step)
    }
}

/// Who waits: is told how it goes, from any thread, and may ask it to stop.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub tell: Tell<'a>,
    pub stop: &'a AtomicBool,
}

impl Watch<'_> {
    pub fn step(&self, step: Step) {
        (self.tell)(Progress::Step(step));
    }

    pub fn goes_on(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Where nothing has changed yet.
    pub fn refuse_stopped(&self, what: &str) -> Result<(), Report> {
        if self.goes_on().is_break() { Err(stopped(what)) } else { Ok(()) }
    }
}

/// It was stopped before it changed anything.
pub fn stopped(what: &str) -> Report {
    Report::user(Code::Timeout, format!("{what} was stopped, as you asked"))
        .unchanged()
        .hint("begin it again when you want it")
}
