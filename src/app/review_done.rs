//! What was ticked, taken in, left out or commented in this visit: `u` takes back the last of it, `ctrl-r` does it again.

use super::{Effect, Model, review::ReviewScreen, review_comments, review_open::count_read};
use crate::{
    review::{Accepted, comment::Change, marks::Mark, ticks::Tick},
    shadow::ShadowId,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    Ticked {
        tick: Tick,
        /// The file, or how much of it.
        what: String,
    },
    Chose {
        before: Option<Accepted>,
        after: Option<Accepted>,
        what: String,
    },
    /// Of a comment: what takes it back, and what does it again.
    Noted {
        back: Change,
        again: Change,
        what: String,
    },
}

impl Done {
    pub fn what(&self) -> &str {
        match self {
            Self::Ticked { what, .. } | Self::Chose { what, .. } | Self::Noted { what, .. } => what,
        }
    }

    /// `None` for what is kept elsewhere.
    fn mark(&self, id: ShadowId) -> Option<Mark> {
        match self {
            Self::Ticked { tick, .. } => Some(Mark::Tick(id, tick.clone())),
            Self::Chose { after, .. } => Some(Mark::Accepted(id, after.clone())),
            Self::Noted { .. } => None,
        }
    }

    fn back(&self, id: ShadowId) -> Option<Mark> {
        match self {
            Self::Ticked { tick, .. } => Some(Mark::Untick(id, tick.clone())),
            Self::Chose { before, .. } => Some(Mark::Accepted(id, before.clone())),
            Self::Noted { .. } => None,
        }
    }
}

/// What moved something between what was done and what was taken back, before it is known to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Delete,
    Back,
    Again,
}

impl Step {
    /// It moves back to where it was.
    pub(super) fn was_not_kept(self, screen: &mut ReviewScreen, done: &Done) {
        let ReviewScreen { done: kept, undone, .. } = screen;
        match self {
            Self::Delete => drop(take(kept, done)),
            Self::Back => kept.extend(take(undone, done)),
            Self::Again => undone.extend(take(kept, done)),
        }
    }

    /// It never can be done: nothing before it waits behind it.
    pub(super) fn cannot_be(self, screen: &mut ReviewScreen, done: &Done) {
        match self {
            Self::Delete | Self::Again => take(&mut screen.done, done),
            Self::Back => take(&mut screen.undone, done),
        };
    }
}

fn take(from: &mut Vec<Done>, done: &Done) -> Option<Done> {
    let at = from.iter().rposition(|other| other == done);
    at.map(|at| from.remove(at))
}

/// Does it, and remembers that it was done.
pub(super) fn mark(model: &mut Model, done: Done) {
    let Some(screen) = &mut model.review else { return };
    if let Some(mark) = done.mark(screen.id.clone()) {
        model.memory.mark(mark);
    }
    screen.done.push(done);
    screen.undone.clear();
    count_read(model);
}

pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(done) = screen.done.pop() else { return Vec::new() };
    let words = match &done {
        Done::Ticked { what, .. } => format!("{what}: unread again · ctrl-r ticks it again"),
        Done::Chose { what, .. } => format!("taken back: that {what} · ctrl-r does it again"),
        Done::Noted { what, .. } => format!("taken back: {what} · ctrl-r does it again"),
    };
    if let Some(mark) = done.back(screen.id.clone()) {
        model.memory.mark(mark);
    }
    screen.undone.push(done.clone());
    match done {
        Done::Noted { ref back, .. } => {
            review_comments::step(model, back.clone(), words, Step::Back, done);
        }
        Done::Ticked { .. } | Done::Chose { .. } => model.say(words),
    }
    count_read(model);
    Vec::new()
}

pub(super) fn again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(done) = screen.undone.pop() else { return Vec::new() };
    let words = match &done {
        Done::Ticked { what, .. } => format!("ticked {what} again"),
        Done::Chose { what, .. } => what.clone(),
        Done::Noted { what, .. } => format!("{what} again as it was"),
    };
    if let Some(mark) = done.mark(screen.id.clone()) {
        model.memory.mark(mark);
    }
    screen.done.push(done.clone());
    match done {
        Done::Noted { ref again, .. } => {
            review_comments::step(model, again.clone(), words, Step::Again, done);
        }
        Done::Ticked { .. } | Done::Chose { .. } => model.say(words),
    }
    count_read(model);
    Vec::new()
}

pub(super) fn nothing_done(model: &Model) -> Option<&'static str> {
    let has_done = model.review.as_ref().is_some_and(|screen| !screen.done.is_empty());
    (!has_done).then_some(
        "nothing was ticked, chosen or commented here · operations are taken back in the list",
    )
}

pub(super) fn nothing_undone(model: &Model) -> Option<&'static str> {
    let has_undone = model.review.as_ref().is_some_and(|screen| !screen.undone.is_empty());
    (!has_undone).then_some("nothing was taken back here")
}
