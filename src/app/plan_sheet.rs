//! A sheet that draws a plan and waits for `Enter`: what is the same of taking an operation back and of taking the
//! target in. `Enter` counts only from who had the plan before them.

use crate::report::Report;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face<P> {
    /// A write still runs: what there is to plan is known when it has ended.
    Waiting,
    Planning,
    Planned(P),
    Refused(Report),
    Running(P),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSheet<A, P> {
    /// What was asked for.
    pub about: A,
    pub face: Face<P>,
    /// The first frame that showed the plan.
    pub drawn_in: Option<u64>,
}

impl<A, P> PlanSheet<A, P> {
    pub(super) fn new(about: A, face: Face<P>) -> Self {
        Self { about, face, drawn_in: None }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.face, Face::Running(_))
    }

    pub(super) fn show(&mut self, face: Face<P>) {
        self.face = face;
        self.drawn_in = None;
    }

    pub(super) fn drawn(&mut self, frame: u64) {
        if matches!(self.face, Face::Planned(_)) {
            self.drawn_in.get_or_insert(frame);
        }
    }

    pub(super) fn refuse(&mut self, report: Report) {
        self.show(Face::Refused(report));
    }

    /// The plan, where it was on the screen when the key was pressed.
    pub(super) fn seen_plan(&self, key_frame: u64) -> Option<&P> {
        match &self.face {
            Face::Planned(plan) if self.drawn_in.is_some_and(|frame| key_frame >= frame) => {
                Some(plan)
            }
            _ => None,
        }
    }

    pub(super) fn not_planned(&self) -> Option<&'static str> {
        match self.face {
            Face::Planned(_) => None,
            Face::Waiting => Some("waits for the write that runs"),
            Face::Planning => Some("still working it out"),
            Face::Refused(_) => Some("it cannot be done: the sheet says why"),
            Face::Running(_) => Some("it is running"),
        }
    }
}
