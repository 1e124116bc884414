//! Other programs that have the terminal for a while, and what they changed meanwhile.

use super::{
    Effect, Model, Screen,
    job::{Job, Outcome, Slot},
    review::Newer,
    review_open::files_changed,
};
use crate::{
    report::Report,
    review::{Entry, Mode, ReviewPage, count, name::visible_name},
};

/// `D`: both sides of the file under the cursor, in the user's own difftool.
pub(super) fn open_difftool(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let Some(file) = screen.file() else { return Vec::new() };
    let change = &file.change;
    let is_file = |entry: &Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    if ![&change.old, &change.new].into_iter().flatten().all(is_file) {
        model.refuse("D: a link or a submodule has no lines to compare");
        return Vec::new();
    }
    let blob = |entry: Option<&Entry>| entry.map(|entry| entry.oid.clone());
    let (old, new) = (blob(change.old.as_ref()), blob(change.new.as_ref()));
    let (id, path) = (screen.id.clone(), change.path.clone());
    model.say(format!("opening {}", visible_name(path.as_bytes())));
    model.jobs.start(Slot::Sides, Job::Sides { id, path, old, new })
}

pub(super) fn receive_sides(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Sides(sides)) => return vec![Effect::OpenDifftool(sides)],
        Ok(_) => {}
        Err(report) => model.fail(&report),
    }
    Vec::new()
}

/// In Review its page is compared with what is there now; the list is read by itself.
pub(super) fn came_back(
    model: &mut Model,
    from: &'static str,
    outcome: Result<(), Report>,
) -> Vec<Effect> {
    match outcome {
        Ok(()) => model.say(format!("back from the {from} · R takes what changed")),
        Err(report) => {
            model.fail(&report);
            return Vec::new();
        }
    }
    let Some(screen) = &mut model.review else { return Vec::new() };
    if model.screens.last() != Some(&Screen::Review) || screen.whole.is_none() {
        return Vec::new();
    }
    screen.back_from = Some(from);
    let id = screen.id.clone();
    model.jobs.start(Slot::Newer, Job::Review { id })
}

/// What is there now, told beside the page; the page itself stays.
pub(super) fn count_changed(model: &mut Model, page: &ReviewPage) {
    let Some(screen) = model.review.as_mut().filter(|screen| screen.id == page.id) else { return };
    let (Some(from), Some(whole)) = (screen.back_from.take(), &screen.whole) else { return };
    let changed = files_changed(whole, page);
    if changed > 0 {
        let (base, snapshot) = (Some(page.base.clone()), page.snapshot.clone());
        let as_of_ms = page.read_at_ms;
        screen.newer = Some(Newer { base, snapshot, files: Some(changed), as_of_ms });
    }
    model.say(match changed {
        0 => format!("back from the {from}: nothing changed"),
        files => format!("you changed {} · R", count(files, "file")),
    });
}
