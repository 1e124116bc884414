//! Choices on conflict files: made at once on the screen, written one after the other, taken back and made again;
//! and the landing that waits for them.

use super::{
    Effect, Model,
    conflicts::{Choice, ConflictsScreen, Writing},
    job::{Job, Slot},
    land_sheet,
    review::panes,
};
use crate::review::{
    Conflict, Resolution, Row,
    marks::{self, Mark},
    visible::visible,
};

/// For the list: it says how far the conflicts of just this target and snapshot are settled.
pub(super) fn note_settled(model: &mut Model) {
    let Some(screen) = &model.conflicts else { return };
    let Some(page) = &screen.page else { return };
    let settled = marks::Settled {
        before: page.before.clone(),
        snapshot: page.snapshot.clone(),
        settled: page.files.len() - screen.open_count(),
        files: page.files.len(),
    };
    let known = model.memory.marks.settled.get(&screen.id);
    if known != Some(&settled) && (known.is_some() || settled.settled > 0) {
        model.memory.mark(Mark::Settled(screen.id.clone(), settled));
    }
}

/// Files settled, of how many; `None` where that is not known of what the row shows.
pub fn settled_of(model: &Model, row: &Row) -> Option<(usize, usize)> {
    let known = model.memory.marks.settled.get(&row.id)?;
    let is_same = row.snapshot.as_ref() == Some(&known.snapshot)
        && row.target == model.fleet.target
        && model.fleet.target_tip.as_ref() == Some(&known.before)
        && row.conflicts.len() == known.files;
    (is_same && known.settled > 0).then_some((known.settled, known.files))
}

/// The next choice in line, and when all are written the landing that waited for them.
pub(super) fn write_next(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        return Vec::new();
    }
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if let Some(choice) = screen.queue.pop_front() {
        screen.writing = screen.writing.began();
        let (id, Choice { path, resolution }) = (screen.id.clone(), choice);
        return model.jobs.start(Slot::Write, Job::Resolve { id, path, resolution });
    }
    let lands = screen.writing == Writing::LandNext;
    screen.writing = Writing::Nothing;
    if lands { land(model) } else { Vec::new() }
}

/// A write has failed; if it was a choice, what the disk holds is read again, and the answer stays.
pub(super) fn write_failed(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if std::mem::take(&mut screen.writing) == Writing::Nothing {
        return Vec::new();
    }
    screen.queue.clear();
    screen.taken.clear();
    let id = screen.id.clone();
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

/// Takes a choice for the file under the cursor and goes on to the next open one.
pub(super) fn choose(model: &mut Model, resolution: Resolution) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(file) = screen.file() else { return Vec::new() };
    let path = file.conflict.path.clone();
    let words = outcome_words(&file.conflict, &resolution, screen);
    let before = screen.choose(path.clone(), Some(resolution));
    screen.taken.push(Choice { path: path.clone(), resolution: before });
    screen.undone.clear();
    if let Some(next) = screen.next_open() {
        screen.go(next, rows);
    }
    let open = screen.open_count();
    let rest = match open {
        0 => "m lands with these choices".to_owned(),
        1 => "1 choice to make".to_owned(),
        open => format!("{open} choices to make"),
    };
    model.say(format!("{}: {words} · {rest}", visible(path.as_bytes())));
    write_next(model)
}

pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    // What was settled before this visit is opened where the cursor is.
    let settled = screen.settled_here().map(|path| Choice { path: path.clone(), resolution: None });
    let Some(Choice { path, resolution }) = screen.taken.pop().or(settled) else {
        return Vec::new();
    };
    let before = screen.choose(path.clone(), resolution);
    screen.undone.push(Choice { path: path.clone(), resolution: before });
    let at = screen.files().iter().position(|file| file.conflict.path == path);
    screen.go(at.unwrap_or(screen.cursor), rows);
    let name = visible(path.as_bytes());
    model.say(format!("{name}: the choice is taken back · ctrl-r makes it again"));
    write_next(model)
}

/// What `u` took back is chosen again.
pub(super) fn choose_again(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(Choice { path, resolution }) = screen.undone.pop() else { return Vec::new() };
    let before = screen.choose(path.clone(), resolution);
    screen.taken.push(Choice { path: path.clone(), resolution: before });
    let at = screen.files().iter().position(|file| file.conflict.path == path);
    screen.go(at.unwrap_or(screen.cursor), rows);
    model.say(format!("{}: chosen again", visible(path.as_bytes())));
    write_next(model)
}

/// With open choices it goes to the next one and says so; with none it opens the sheet.
pub(super) fn land(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let open = screen.open_count();
    if open > 0 {
        let here = screen.file().is_some_and(|file| file.conflict.resolution.is_none());
        if !here && let Some(next) = screen.next_open() {
            screen.go(next, rows);
        }
        let name = screen.file().map(|file| visible(file.conflict.path.as_bytes()));
        let name = name.unwrap_or_default();
        let choices = if open == 1 { "1 choice".to_owned() } else { format!("{open} choices") };
        let place = if here { " (you are on it)" } else { "" };
        model.refuse(format!("m waits: {choices} to make, next is {name}{place}"));
        return Vec::new();
    }
    if screen.writing != Writing::Nothing || !screen.queue.is_empty() {
        screen.writing = Writing::LandNext;
        model.say("writing the choices, then the sheet opens");
        return Vec::new();
    }
    let (id, expect) = (screen.id.clone(), screen.page.as_ref().map(|page| page.snapshot.clone()));
    land_sheet::open(model, id, expect)
}

/// What becomes of the file, never which side is "ours".
fn outcome_words(conflict: &Conflict, resolution: &Resolution, screen: &ConflictsScreen) -> String {
    let target = screen.page.as_ref().map(|page| page.target.0.clone()).unwrap_or_default();
    match resolution {
        Resolution::Delete => "it is deleted".to_owned(),
        Resolution::Target if conflict.target.is_none() => "it is deleted".to_owned(),
        Resolution::Shadow if conflict.shadow.is_none() => "it is deleted".to_owned(),
        Resolution::Target => format!("{target}'s"),
        Resolution::Shadow => format!("{}'s", screen.id),
        Resolution::Base => "as it was before both".to_owned(),
        Resolution::Union => format!("both, {target}'s lines first"),
        Resolution::Content(_) => "as edited".to_owned(),
    }
}
