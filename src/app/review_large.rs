//! Files that are too large to be read unasked: named with their size, and read whole when a person says so.

use std::sync::Arc;

use super::{
    Effect, Model,
    job::{Job, Outcome, Slot},
    review::keep_in_view,
};
use crate::{
    report::Report,
    review::{Content, FileDiff, visible::visible},
};

/// The file under the cursor, where only its size is shown.
pub(super) fn read(model: &mut Model) -> Option<Vec<Effect>> {
    let file = model.review.as_ref()?.file()?;
    let Content::TooLarge { .. } = file.content else { return None };
    let change = file.change.clone();
    model.say(format!("reading {}", visible(change.path.as_bytes())));
    Some(model.jobs.start(Slot::Large, Job::Large(Box::new(change))))
}

/// It takes the place that its size had, where that is still shown.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Large(file)) => show(model, &file),
        Ok(_) => {}
        Err(report) => model.fail(&report),
    }
    Vec::new()
}

fn show(model: &mut Model, read: &FileDiff) {
    let Some(screen) = &mut model.review else { return };
    let mut pages: Vec<_> = screen.whole.iter_mut().chain(screen.parts.values_mut()).collect();
    for page in &mut pages {
        let is_it = |file: &FileDiff| {
            file.change == read.change && matches!(file.content, Content::TooLarge { .. })
        };
        if let Some(index) = page.files.iter().position(is_it) {
            let whole = page.files[index].read_whole(read);
            Arc::make_mut(page).files[index] = whole;
        }
    }
    screen.unfolded.insert(read.change.path.clone());
    let anchor = screen.anchor();
    screen.arrange(anchor.as_ref());
    model.say(format!("all of {}", visible(read.change.path.as_bytes())));
    keep_in_view(model);
}
