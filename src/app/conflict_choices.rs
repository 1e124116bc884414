//! Choices on conflict files: made at once on the screen, written one after the other, taken back and made again;
//! and the landing that waits for them.

use super::{
    Effect, Model,
    conflict_undo::Deed,
    conflicts::{Choice, ConflictsScreen, Writing},
    job::{Job, Slot},
    land_sheet,
    review::panes,
};
use crate::{
    review::{
        Conflict, ConflictFile, ConflictKind, ConflictPage, Resolution, Row, Way, count,
        name::visible_name, weave::Take,
    },
    shadow::{RepoPath, ShadowId, Strategy},
};

/// The list says how far the conflicts of just this target and snapshot are settled, before it is read again.
pub(super) fn note_settled(model: &mut Model) {
    let Some(screen) = &model.conflicts else { return };
    let Some(page) = &screen.page else { return };
    let settled = screen.settled_count();
    if screen.way != Way::Whole {
        return;
    }
    let is_same = model.fleet.target_tip.as_ref() == Some(&page.before);
    let rows = model.fleet.listed.iter_mut().map(|listed| &mut listed.row);
    for row in rows.filter(|row| is_same && row.id == page.id) {
        if row.snapshot.as_ref() == Some(&page.snapshot) && row.conflicts.len() == page.files.len()
        {
            row.settled = settled;
        }
    }
}

/// Files settled, of how many; `None` where none is.
pub fn settled_of(row: &Row) -> Option<(usize, usize)> {
    (row.settled > 0).then_some((row.settled, row.conflicts.len()))
}

/// The next choice in line, and when all are written the landing that waited for them.
pub(super) fn write_next(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        return Vec::new();
    }
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if let Some(choice) = screen.queue.pop_front() {
        screen.writing = screen.writing.began();
        let (id, way, Choice { path, resolution, .. }) = (screen.id.clone(), choice.way(), choice);
        return model.jobs.start(Slot::Write, Job::Resolve { id, way, path, resolution });
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
    let (id, way) = (screen.id.clone(), screen.way);
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id, way })
}

/// For the place that is shown; for the file where it has no places, and for all its names.
pub(super) fn choose(model: &mut Model, take: Take) -> Vec<Effect> {
    let Some(file) = model.conflicts.as_ref().and_then(ConflictsScreen::file) else {
        return Vec::new();
    };
    if file.weave.is_some() {
        return choose_place(model, take);
    }
    let has_lines = model.conflicts.as_ref().is_some_and(|screen| screen.has_lines_elsewhere(file));
    if has_lines && take != Take::Base {
        return choose_name(model, &take);
    }
    choose_file(model, &take)
}

fn choose_place(model: &mut Model, take: Take) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let Some(weave) = &file.weave else { return Vec::new() };
    let place = screen.clash.min(file.takes.len().saturating_sub(1));
    let mut takes = takes_of(file);
    let was_edited = matches!(takes.get(place), Some(Some(Take::Text(_))))
        || matches!(file.conflict.resolution, Some(Resolution::Content(_) | Resolution::Text(_)));
    let mut words = take_words(&take, page);
    if takes.len() > 1 {
        words = format!("{} of {}: {words}", place + 1, takes.len());
    }
    if was_edited && !matches!(take, Take::Text(_)) {
        words.push_str(" · your edit was replaced, u brings it back");
    }
    takes[place] = Some(take);
    let resolution = Some(Resolution::Places(weave.decided(&takes)));
    let choices = screen.under_all_names(file, resolution.as_ref());
    commit(model, choices, &words)
}

/// Place by place, what is chosen for the whole file.
pub(super) fn takes_of(file: &ConflictFile) -> Vec<Option<Take>> {
    let all = |take: Take| vec![Some(take); file.takes.len()];
    match &file.conflict.resolution {
        Some(Resolution::Target) => all(Take::Target),
        Some(Resolution::Shadow) => all(Take::Shadow),
        Some(Resolution::Base) => all(Take::Base),
        _ => file.takes.clone(),
    }
}

/// Of a file that each side named otherwise, and that its lines are chosen of: the name alone.
fn choose_name(model: &mut Model, take: &Take) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let Some(file) = screen.file() else { return Vec::new() };
    let is_one = |other: &&ConflictFile| file.conflict.names.contains(&other.conflict.path);
    let others: Vec<&ConflictFile> = screen.files().iter().filter(is_one).collect();
    // What was chosen goes along under whatever name.
    let chosen = |one: &&ConflictFile| one.answer().filter(|it| *it != Resolution::Delete);
    let known = others.iter().find_map(chosen);
    let choice = |one: &&ConflictFile| {
        let (of_target, of_shadow) = (one.conflict.target.is_some(), one.conflict.shadow.is_some());
        let stays = match take {
            Take::Target => of_target,
            Take::Shadow => of_shadow,
            _ => true,
        };
        let resolution =
            if stays { chosen(one).or_else(|| known.clone()) } else { Some(Resolution::Delete) };
        Choice { step: screen.step(), path: one.conflict.path.clone(), resolution }
    };
    let mut choices = vec![Choice {
        step: screen.step(),
        path: file.conflict.path.clone(),
        resolution: Some(Resolution::Delete),
    }];
    choices.extend(others.iter().map(choice));
    let words = naming(take, &choices);
    commit(model, choices, &words)
}

fn naming(take: &Take, choices: &[Choice]) -> String {
    let kept = choices.iter().filter(|choice| choice.resolution != Some(Resolution::Delete));
    let kept: Vec<_> = kept.map(|choice| visible_name(choice.path.as_bytes())).collect();
    match take {
        Take::Both | Take::Swapped => format!("both are kept, {}", kept.join(" and ")),
        _ => format!("it is named {}", kept.join(", ")),
    }
}

/// The whole file, whatever was chosen for places of it; with its other names where each side gave it one.
pub(super) fn choose_file(model: &mut Model, take: &Take) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let (step, own) = (screen.step(), &file.conflict);
    if own.names.is_empty() {
        let resolution = match take {
            Take::Target if own.target.is_some() => Resolution::Target,
            Take::Shadow if own.shadow.is_some() => Resolution::Shadow,
            Take::Base if own.base.is_some() => Resolution::Base,
            Take::Both | Take::Swapped => {
                let kept = own.moved_from.clone();
                Resolution::Beside(kept.unwrap_or_else(|| other_name(&own.path, &page.id)))
            }
            _ => Resolution::Delete,
        };
        let words = outcome_words(file, &resolution, page);
        let path = own.path.clone();
        return commit(model, vec![Choice { step, path, resolution: Some(resolution) }], &words);
    }
    let is_one = |file: &&ConflictFile| {
        file.conflict.path == own.path || own.names.contains(&file.conflict.path)
    };
    let named = |file: &ConflictFile| {
        let Conflict { target, shadow, path, .. } = &file.conflict;
        let resolution = match take {
            Take::Target | Take::Both | Take::Swapped if target.is_some() => Resolution::Target,
            Take::Shadow | Take::Both | Take::Swapped if shadow.is_some() => Resolution::Shadow,
            Take::Base if target.is_none() && shadow.is_none() => Resolution::Base,
            _ => Resolution::Delete,
        };
        Choice { step, path: path.clone(), resolution: Some(resolution) }
    };
    let choices: Vec<Choice> = page.files.iter().filter(is_one).map(named).collect();
    let words = naming(take, &choices);
    commit(model, choices, &words)
}

/// Both sides' lines in either order; of a file without places, both files, of one with two names, both names.
pub(super) fn choose_both(model: &mut Model) -> Vec<Effect> {
    let here = model.conflicts.as_ref().and_then(|screen| screen.take_here());
    let take = if here == Some(&Take::Both) { Take::Swapped } else { Take::Both };
    choose(model, take)
}

/// Also for a text that a person wrote, and for many places at once.
pub(super) fn choose_answer(model: &mut Model, resolution: Resolution, words: &str) -> Vec<Effect> {
    let Some(file) = model.conflicts.as_ref().and_then(ConflictsScreen::file) else {
        return Vec::new();
    };
    let resolution = Some(resolution);
    let screen = model.conflicts.as_ref();
    let choices = screen.map(|screen| screen.under_all_names(file, resolution.as_ref()));
    commit(model, choices.unwrap_or_default(), words)
}

/// Makes the choices together and goes on to the next open place; from both sides' lines only when told to.
fn commit(model: &mut Model, choices: Vec<Choice>, words: &str) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(path) = screen.file().map(|file| file.conflict.path.clone()) else {
        return Vec::new();
    };
    let exchanged = screen.choose_all(choices);
    screen.done(Deed::Chosen(exchanged));
    let here = (screen.cursor, screen.clash);
    // The other order is one more press of the same key: the place stays.
    let again = match screen.take_here() {
        Some(Take::Both | Take::Swapped) => " · b again: the other order, Space: on",
        _ => "",
    };
    let next = screen.next_open().filter(|_| again.is_empty());
    screen.go_to(next.unwrap_or(here), rows);
    let rest = choices_left(screen.open_count());
    model.say(format!("{}: {words}{again} · {rest}", visible_name(path.as_bytes())));
    write_next(model)
}

pub(super) fn choices_left(open: usize) -> String {
    match open {
        0 => "m lands with these choices".to_owned(),
        1 => "1 choice to make".to_owned(),
        open => format!("{open} choices to make"),
    }
}

/// With open choices it goes to the next one and says so; with none it opens the sheet.
pub(super) fn land(model: &mut Model) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let open = screen.open_count();
    if open > 0 {
        let is_here = screen.open_places().contains(&(screen.cursor, screen.clash));
        if !is_here && let Some(next) = screen.next_open() {
            screen.go_to(next, rows);
        }
        let name = screen.file().map(|file| visible_name(file.conflict.path.as_bytes()));
        let mut name = name.unwrap_or_default();
        if let Some(file) = screen.file().filter(|file| file.takes.len() > 1) {
            name = format!("{name} conflict {} of {}", screen.clash + 1, file.takes.len());
        }
        let choices = if open == 1 { "1 choice".to_owned() } else { format!("{open} choices") };
        let place = if is_here { " (you are on it)" } else { "" };
        model.refuse(format!("m waits: {choices} to make, next is {name}{place}"));
        return Vec::new();
    }
    if screen.writing != Writing::Nothing || !screen.queue.is_empty() {
        screen.writing = Writing::LandNext;
        model.say("writing the choices, then the sheet opens");
        return Vec::new();
    }
    let (id, expect) = (screen.id.clone(), screen.page.as_ref().map(|page| page.snapshot.clone()));
    let strategy = (screen.way == Way::Rebase).then_some(Strategy::Rebase);
    land_sheet::open_by(model, id, expect, strategy)
}

/// What becomes of the file, never which side is "ours".
fn outcome_words(file: &ConflictFile, resolution: &Resolution, page: &ConflictPage) -> String {
    let conflict = &file.conflict;
    let gone = match conflict.kind {
        ConflictKind::FileDirectory => "the directory stays, the file does not land",
        ConflictKind::DirectoryRename => "it does not land",
        _ => "it is deleted",
    };
    // A file that takes the place of a directory deletes what is in it.
    let deletes = |other: usize| match count(file.told[other].below.len(), "file") {
        _ if file.told[other].below.is_empty() => String::new(),
        files => format!(", {files} of the directory deleted"),
    };
    match resolution {
        Resolution::Delete => gone.to_owned(),
        Resolution::Target if conflict.sides()[1].is_none() => gone.to_owned(),
        Resolution::Shadow if conflict.sides()[2].is_none() => gone.to_owned(),
        Resolution::Target => format!("{}'s{}", page.target, deletes(1)),
        Resolution::Shadow => format!("{}'s{}", page.id, deletes(0)),
        Resolution::Base => "as it was before both".to_owned(),
        Resolution::Union => format!("both, {}'s lines first", page.target),
        Resolution::Content(_) | Resolution::Text(_) => "as edited".to_owned(),
        Resolution::Places(_) => "as chosen".to_owned(),
        Resolution::Beside(name) if conflict.moved_from.is_some() => {
            format!("it stays at {}", visible_name(name.as_bytes()))
        }
        Resolution::Beside(name) if conflict.shadow.is_none() => {
            format!("both are kept, {}'s as {}", page.target, visible_name(name.as_bytes()))
        }
        Resolution::Beside(name) => {
            format!("both are kept, {}'s as {}", page.id, visible_name(name.as_bytes()))
        }
    }
}

fn take_words(take: &Take, page: &ConflictPage) -> String {
    match take {
        Take::Target => format!("{}'s", page.target),
        Take::Shadow => format!("{}'s", page.id),
        Take::Base => "as it was before both".to_owned(),
        Take::Both => format!("both, {}'s lines first", page.target),
        Take::Swapped => format!("both, {}'s lines first", page.id),
        Take::Text(_) => "as edited".to_owned(),
    }
}

/// Where the shadow's file is kept beside the target's: the shadow's name before what the file's name ends in.
fn other_name(path: &RepoPath, id: &ShadowId) -> RepoPath {
    let bytes = path.as_bytes();
    let name_at = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let dot = bytes[name_at..].iter().rposition(|byte| *byte == b'.').filter(|at| *at > 0);
    let (stem, ending) = bytes.split_at(dot.map_or(bytes.len(), |at| name_at + at));
    let id = id.0.replace('/', "-");
    RepoPath::new([stem, b"-", id.as_bytes(), ending].concat())
}
