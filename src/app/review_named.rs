//! Files that are named with their sizes alone, for they are too large to be read unasked, or git takes their bytes for
//! no text: their lines are read when a person says so.

use std::sync::Arc;

use super::{
    Effect, Model,
    job::{Job, Outcome, Slot},
    review::keep_in_view,
    review_done::Done,
    review_open::count_read,
};
use crate::{
    report::Report,
    review::{
        Content, FileDiff,
        marks::Mark,
        name::visible_name,
        ticks::{Tick, TickKey},
    },
};

pub(super) fn is_too_large(file: &FileDiff) -> bool {
    matches!(file.content, Content::TooLarge { .. })
}

/// There are lines to be read, and none of them is shown.
pub(super) fn is_named_alone(file: &FileDiff) -> bool {
    is_too_large(file) || matches!(file.content, Content::Binary { .. })
}

/// The lines of the file under the cursor, where it is such a one.
pub(super) fn read(model: &mut Model, is_asked: impl Fn(&FileDiff) -> bool) -> Option<Vec<Effect>> {
    let file = model.review.as_ref()?.file().filter(|file| is_asked(file))?;
    let change = file.change.clone();
    model.say(format!("reading {}", visible_name(change.path.as_bytes())));
    Some(model.jobs.start(Slot::Lines, Job::Lines(Box::new(change))))
}

/// They take the place that the sizes had, where those are still shown.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Lines(file)) => show(model, &file),
        Ok(_) => {}
        Err(report) => model.fail(&report),
    }
    Vec::new()
}

fn show(model: &mut Model, read: &FileDiff) {
    let Some(screen) = &mut model.review else { return };
    let mut pages: Vec<_> = screen.whole.iter_mut().chain(screen.parts.values_mut()).collect();
    for page in &mut pages {
        let is_it = |file: &FileDiff| file.change == read.change && is_named_alone(file);
        if let Some(index) = page.files.iter().position(is_it) {
            let whole = page.files[index].read_whole(read);
            Arc::make_mut(page).files[index] = whole;
        }
    }
    screen.unfolded.insert(read.change.path.clone());
    let anchor = screen.anchor();
    screen.arrange(anchor.as_ref());
    let name = visible_name(read.change.path.as_bytes());
    let gone = if void_tick(model, read) { " · unread: its tick was of the sizes" } else { "" };
    model.say(if read.change.binary {
        format!("{name} as text · to git it is binary: it lands whole or not{gone}")
    } else {
        format!("all of {name}{gone}")
    });
    keep_in_view(model);
}

/// A tick on a file without lines was of what was shown of it: it says nothing of the lines that are shown now.
fn void_tick(model: &mut Model, read: &FileDiff) -> bool {
    let key = TickKey::of(&read.change);
    let Some(screen) = &mut model.review else { return false };
    if !model.memory.marks.ticks.is_of_sizes(&key) {
        return false;
    }
    // Done again it would be of lines that nobody has seen.
    let is_it =
        |done: &Done| matches!(done, Done::Ticked { tick, .. } if tick.file.as_ref() == Some(&key));
    screen.done.retain(|done| !is_it(done));
    screen.undone.retain(|done| !is_it(done));
    let tick = Tick { file: Some(key.clone()), ..Tick::default() };
    model.memory.mark(Mark::Untick(screen.id.clone(), tick));
    count_read(model);
    true
}
