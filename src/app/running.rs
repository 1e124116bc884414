//! What the write that runs has told so far, and whether it was asked to stop.

use std::collections::VecDeque;

use super::{
    Effect, Model,
    job::{Job, Slot},
};
use crate::review::{LandPlan, Progress, Step};

/// Lines of a hook that are kept for the sheet.
const LINES_MAX: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    pub name: String,
    pub since_ms: u64,
}

#[derive(Debug, Default)]
pub struct Running {
    pub since_ms: u64,
    pub step: Option<Step>,
    /// When that step began.
    pub step_ms: u64,
    /// Who holds the lock that it waits for.
    pub held: Option<String>,
    pub hook: Option<Hook>,
    /// What the hook printed, newest last.
    pub lines: VecDeque<String>,
    /// So many of so many are done.
    pub done: Option<(usize, usize)>,
    pub is_asked_to_stop: bool,
    /// The landing that runs, so that its sheet can be opened again.
    pub landing: Option<Box<LandPlan>>,
}

impl Running {
    pub(super) fn take(&mut self, told: Progress, now_ms: u64) {
        match told {
            Progress::Step(step) => {
                (self.step, self.step_ms) = (Some(step), now_ms);
                (self.held, self.hook) = (None, None);
            }
            Progress::Held(holder) => self.held = Some(holder),
            Progress::Hook(name) => {
                self.lines.clear();
                self.hook = Some(Hook { name, since_ms: now_ms });
            }
            Progress::Said(line) => {
                if self.lines.len() == LINES_MAX {
                    self.lines.pop_front();
                }
                self.lines.push_back(line);
            }
            Progress::Done { count, of } => self.done = Some((count, of)),
            Progress::Looked { .. } | Progress::Compared(_) => {}
        }
    }

    /// The step in words, for who has one line.
    pub fn words(&self) -> String {
        match (&self.hook, &self.held, self.step) {
            (Some(hook), ..) => hook.name.clone(),
            (None, Some(holder), _) => format!("waiting for {holder}"),
            (None, None, Some(step)) => step.words().to_owned(),
            (None, None, None) => "started".to_owned(),
        }
    }

    /// From the moment in which the target may have moved a landing only goes on.
    pub fn is_too_late(&self) -> bool {
        self.step.is_some_and(|step| step >= Step::Advance)
    }
}

/// Starts a write; what an earlier one told is over.
pub(super) fn begin(model: &mut Model, job: Job) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let landing = match &job {
        Job::Land(plan) => Some(Box::new(plan.plan().clone())),
        _ => None,
    };
    let effects = model.jobs.start(Slot::Write, job);
    if !effects.is_empty() {
        model.running = Running { since_ms: now_ms, landing, ..Running::default() };
    }
    effects
}

/// A stop is asked for once; the answer of the write says what came of it.
pub(super) fn ask_stop(model: &mut Model, words: &str) -> Vec<Effect> {
    model.running.is_asked_to_stop = true;
    model.say(words);
    model.jobs.ask_stop()
}
