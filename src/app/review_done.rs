//! What was ticked, taken in or left out in this visit: `u` takes back the last of it, `ctrl-r` does it again.

use super::{Effect, Model, review_open::count_read};
use crate::{
    review::{Accepted, marks::Mark, ticks::Tick},
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
}

impl Done {
    pub fn what(&self) -> &str {
        match self {
            Self::Ticked { what, .. } | Self::Chose { what, .. } => what,
        }
    }

    fn mark(&self, id: ShadowId) -> Mark {
        match self {
            Self::Ticked { tick, .. } => Mark::Tick(id, tick.clone()),
            Self::Chose { after, .. } => Mark::Accepted(id, after.clone()),
        }
    }

    fn back(&self, id: ShadowId) -> Mark {
        match self {
            Self::Ticked { tick, .. } => Mark::Untick(id, tick.clone()),
            Self::Chose { before, .. } => Mark::Accepted(id, before.clone()),
        }
    }
}

/// Does it, and remembers that it was done.
pub(super) fn mark(model: &mut Model, done: Done) {
    let Some(screen) = &mut model.review else { return };
    model.memory.mark(done.mark(screen.id.clone()));
    screen.done.push(done);
    screen.undone.clear();
    count_read(model);
}

pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(done) = screen.done.pop() else { return Vec::new() };
    let words = match &done {
        Done::Ticked { what, .. } => format!("{what}: unread again · ctrl-r ticks it again"),
        Done::Chose { what, .. } => format!("taken back: {what} · ctrl-r does it again"),
    };
    model.memory.mark(done.back(screen.id.clone()));
    screen.undone.push(done);
    model.say(words);
    count_read(model);
    Vec::new()
}

pub(super) fn again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(done) = screen.undone.pop() else { return Vec::new() };
    let words = match &done {
        Done::Ticked { what, .. } => format!("ticked {what} again"),
        Done::Chose { what, .. } => what.clone(),
    };
    model.memory.mark(done.mark(screen.id.clone()));
    screen.done.push(done);
    model.say(words);
    count_read(model);
    Vec::new()
}

pub(super) fn nothing_done(model: &Model) -> Option<&'static str> {
    let has_done = model.review.as_ref().is_some_and(|screen| !screen.done.is_empty());
    (!has_done)
        .then_some("nothing was ticked or chosen here · operations are taken back in the list")
}

pub(super) fn nothing_undone(model: &Model) -> Option<&'static str> {
    let has_undone = model.review.as_ref().is_some_and(|screen| !screen.undone.is_empty());
    (!has_undone).then_some("nothing was taken back here")
}
