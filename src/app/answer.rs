//! The last answer: one line that stays in the bottom rule until the next one.

use crate::report::{Blame, Report};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Done,
    Refused,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub mood: Mood,
    /// One line; may hold text from the repository, so it is made visible where it is drawn.
    pub text: String,
}

impl Answer {
    pub fn done(text: impl Into<String>) -> Self {
        Self { mood: Mood::Done, text: text.into() }
    }

    pub fn refused(text: impl Into<String>) -> Self {
        Self { mood: Mood::Refused, text: text.into() }
    }

    /// The headline, its innermost cause, what is safe and the way out, in one line.
    pub fn of_report(report: &Report) -> Self {
        let mood = if report.blame == Blame::User { Mood::Refused } else { Mood::Failed };
        let mut text = report.headline.clone();
        let way_out = super::way_out::of(report);
        for more in report.causes.last().into_iter().chain(&report.safe).chain(&way_out) {
            text.push_str(" · ");
            text.push_str(more);
        }
        Self { mood, text }
    }
}

/// What was done, then what else there is to know of it.
pub(super) fn with_warnings(text: String, warnings: &[String]) -> String {
    let mut parts = vec![text];
    parts.extend_from_slice(warnings);
    parts.join(" · ")
}
