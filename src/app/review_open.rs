//! Opening a review, taking a new page, leaving it: what is read, where the reader comes in, what is remembered.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use super::{
    Effect, Model, Screen, commits_sheet, compare,
    job::{Job, Outcome, Slot},
    review::{Newer, ReviewScreen, View, keep_in_view, panes},
    review_away, review_comments, review_map, review_marks,
    review_moved::{self, MovedLines},
    review_named, review_parts, review_reading,
    review_views::{self, keep_only_new, keep_only_own, with_unread_whole},
};
use crate::{
    report::Report,
    review::{
        Content, ReviewPage, Text,
        marks::{Looked, Mark},
        ticks::{Reading, TickKey, Ticks},
    },
    shadow::{Oid, RepoPath, ShadowId},
};

/// Opens the review of a shadow: what is known of it at once, its page as soon as it is read.
pub fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    remember(model);
    let fresh = model.fleet.find(&id).filter(|row| row.snapshot.is_some()).cloned();
    let is_fresh =
        |page: &ReviewPage| fresh.as_ref().is_none_or(|row| row.is_of(&page.base, &page.snapshot));
    model.enter(Screen::Review);
    let is_open = model.review.as_ref().is_some_and(|screen| {
        screen.id == id && screen.whole.as_ref().is_some_and(|page| is_fresh(page))
    });
    if is_open {
        keep_in_view(model);
        return Vec::new();
    }
    let known = model.pages.find(&id).filter(|page| is_fresh(page)).cloned();
    model.review = Some(ReviewScreen::new(id.clone(), &model.memory.marks));
    match known {
        Some(page) => show_first(model, &page),
        None => model.jobs.start(Slot::Review, Job::Review { id }),
    }
}

/// Opens it on what changed since a snapshot that was approved: on a page read now, since what is known may be older.
pub(super) fn open_since(model: &mut Model, id: ShadowId, since: Option<Oid>) -> Vec<Effect> {
    if let Some(snapshot) = since {
        let read = model.fleet.read.get(&id);
        let looked = Looked {
            base: base_of(model, &id, &snapshot),
            snapshot,
            read: read.map_or(0, |count| count.read),
            files: read.map_or(0, |count| count.files),
            changed: read.map_or(0, |count| count.changed),
        };
        model.memory.mark(Mark::Looked(id.clone(), looked));
    }
    model.enter(Screen::Review);
    let screen = ReviewScreen::new(id.clone(), &model.memory.marks);
    model.review = Some(ReviewScreen { is_approved: true, ..screen });
    model.jobs.start(Slot::Review, Job::Review { id })
}

/// What the change of a snapshot was counted from, as the list or its page tell it.
fn base_of(model: &Model, id: &ShadowId, snapshot: &Oid) -> Option<Oid> {
    let row = model.fleet.find(id).filter(|row| row.snapshot.as_ref() == Some(snapshot));
    let page = model.pages.find(id).filter(|page| page.snapshot == *snapshot);
    row.and_then(|row| row.base.clone()).or_else(|| page.map(|page| page.base.clone()))
}

/// Reads a new page; the one on the screen stays until it is there.
pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let id = screen.id.clone();
    model.comments.read_again();
    model.say("reading a new snapshot");
    model.jobs.start(Slot::Review, Job::Review { id })
}

pub fn receive(model: &mut Model, slot: Slot, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match (slot, outcome) {
        (Slot::Lines, outcome) => return review_named::receive(model, outcome),
        (Slot::Commits, outcome) => return commits_sheet::receive(model, outcome),
        (Slot::Sides, outcome) => return review_away::receive_sides(model, outcome),
        (Slot::Newer, Ok(Outcome::Review(page)))
            if model.review.as_ref().is_some_and(|screen| screen.back_from.is_some()) =>
        {
            review_away::count_changed(model, &page);
        }
        (Slot::Names, outcome) => return compare::receive_names(model, outcome),
        (Slot::Part, outcome) => return review_views::receive(model, outcome),
        (Slot::Newer, Ok(Outcome::Review(page))) => count_newer(model, &page),
        (Slot::Reading, outcome) => return review_marks::receive_counted(model, outcome),
        (Slot::Marks, outcome) => return review_marks::receive(model, outcome),
        (_, Ok(Outcome::Review(page))) => {
            let screen = model.review.as_ref().filter(|screen| screen.id == page.id);
            let is_first = screen.is_some_and(|screen| screen.whole.is_none());
            let is_wanted = screen.is_some();
            let page = model.pages.keep(page);
            if is_first {
                return show_first(model, &page);
            }
            if is_wanted {
                return show_newer(model, &page);
            }
        }
        (_, Ok(Outcome::Tokens { text, lines, painted })) => {
            if let Some(screen) = &mut model.review {
                screen.paint.receive(&text, lines.clone(), painted.clone());
            }
            if let Some(screen) = &mut model.conflicts {
                screen.receive_tokens(&text, &lines, &painted);
            }
        }
        (_, Ok(Outcome::Moved { page, moved, copies })) => {
            review_moved::receive(model, MovedLines::new(page, moved, copies));
        }
        // Without the last one moved lines read as new ones do.
        (_, Ok(_)) | (Slot::Moved, Err(_)) => {}
        (slot, Err(report)) => match (&mut model.review, slot) {
            (Some(screen), Slot::Review) => {
                screen.failed = Some(report.clone());
                model.fail(&report);
            }
            // That something changed is known without the count.
            (_, Slot::Newer) | (None, _) => {}
            // Without colours a diff reads as well; the chunk is not asked for again.
            (Some(screen), _) => screen.paint.give_up(slot),
        },
    }
    Vec::new()
}

/// The first time at the first unread file; later in "since you looked" if something changed, else
/// where the reader was. Of a shadow without a tick nothing is known to have been seen: all of it is shown.
fn show_first(model: &mut Model, page: &Arc<ReviewPage>) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let since = model.memory.marks.looked.get(&screen.id).cloned();
    let is_seen = |since: &Looked| since.read > 0 || screen.is_approved;
    let has_changed =
        since.as_ref().is_some_and(|since| since.snapshot != page.snapshot && is_seen(since));
    screen.since = since;
    screen.failed = None;
    screen.take_whole(Arc::clone(page));
    if screen.asked.is_some() {
        count_read(model);
        return review_views::show(model, View::Against);
    }
    if has_changed {
        count_read(model);
        return review_views::show(model, View::Since);
    }
    come_in(model);
    Vec::new()
}

/// Puts the cursor where this reader wants to begin.
pub(super) fn come_in(model: &mut Model) {
    let Some(screen) = &mut model.review else { return };
    let anchor = model.memory.marks.places.get(&screen.id).cloned();
    let has_place = screen.arrange(anchor.as_ref().filter(|_| screen.view == View::All));
    let count = screen.page.as_ref().map_or(0, |page| page.files.len());
    let ticks = &model.memory.marks.ticks;
    let unread = (0..count)
        .find(|index| screen.reading(ticks, *index) != Reading::Read && !screen.is_apart(*index));
    if !has_place {
        review_reading::go_to_unread(model, unread.unwrap_or(0));
    }
    count_read(model);
    keep_in_view(model);
}

/// The place is kept by content, and the ticks of what did not change.
fn show_newer(model: &mut Model, page: &Arc<ReviewPage>) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(before) = screen.whole.clone() else { return Vec::new() };
    let comment = review_comments::here(screen).map(|thread| thread.number);
    look_again(screen, &before, &model.memory.marks.ticks);
    screen.take_whole(Arc::clone(page));
    let anchor = screen.anchor();
    let changed = files_changed(&before, page);
    screen.failed = None;
    screen.newer = None;
    screen.parts.clear();
    if screen.view == View::Against {
        screen.asked = screen.asked.take().or(screen.against.clone());
    }
    screen.view = View::All;
    // What was shown of a file that is another one now is not seen.
    let known: BTreeSet<TickKey> =
        before.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let is_same = |file: &crate::review::FileDiff| known.contains(&TickKey::of(&file.change));
    let others: BTreeSet<&RepoPath> =
        page.files.iter().filter(|file| !is_same(file)).map(|file| &file.change.path).collect();
    screen.forget_shown(|path| others.contains(path));
    screen.arrange(anchor.as_ref());
    screen.stand_on(comment);
    let words = match changed {
        0 => "nothing changed since this page".to_owned(),
        1 => "1 file changed since the page before; ticks of the others hold".to_owned(),
        files => format!("{files} files changed since the page before; other ticks hold"),
    };
    let left = review_parts::left_since(model, &before);
    model.say(left.map_or(words.clone(), |left| format!("{words} · {left}")));
    count_read(model);
    keep_in_view(model);
    if model.review.as_ref().is_some_and(|screen| screen.asked.is_some()) {
        return review_views::show(model, View::Against);
    }
    Vec::new()
}

/// What was on the screen until now is what was looked at last; as in [`remember`], not while something that changed
/// before is unread.
fn look_again(screen: &mut ReviewScreen, before: &ReviewPage, ticks: &Ticks) {
    let read = review_marks::count(ticks, before, &screen.digests, &screen.unfolded);
    if screen.since.is_some() && read.changed > 0 {
        return;
    }
    screen.is_approved = false;
    screen.since = Some(Looked {
        snapshot: before.snapshot.clone(),
        base: Some(before.base.clone()),
        read: read.read,
        files: read.files,
        changed: read.changed,
    });
}

pub(super) fn files_changed(old: &ReviewPage, new: &ReviewPage) -> usize {
    let known: BTreeSet<TickKey> = old.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let wanted: BTreeSet<TickKey> =
        new.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let paths: BTreeSet<&RepoPath> =
        known.symmetric_difference(&wanted).map(TickKey::path).collect();
    paths.len()
}

/// Tells the list how far this shadow is read.
pub(super) fn count_read(model: &mut Model) {
    let is_open = model.screen() == Screen::Review;
    let Some(screen) = &mut model.review else { return };
    if let Some(page) = screen.parts.get(&View::Against) {
        let (ticks, unfolded) = (&model.memory.marks.ticks, &screen.unfolded);
        let read = review_marks::count(ticks, page, &screen.against_digests, unfolded);
        screen.against_read = Some(read);
    }
    // A review that was left may be of an older change than the list.
    if let Some(page) = screen.whole.as_ref().filter(|_| is_open) {
        let ticks = &model.memory.marks.ticks;
        let read = review_marks::count(ticks, page, &screen.digests, &screen.unfolded);
        model.fleet.read.insert(page.id.clone(), read);
    }
}

/// Called when the screen is left or another shadow's is opened.
pub(super) fn remember(model: &mut Model) {
    let Some(screen) = &model.review else { return };
    let (id, anchor) = (screen.id.clone(), screen.anchor());
    let Some(page) = &screen.whole else { return };
    let ticks = &model.memory.marks.ticks;
    let read = review_marks::count(ticks, page, &screen.digests, &screen.unfolded);
    let before = model.memory.marks.looked.get(&id);
    // As long as something of what changed is unread, it is compared with what was read.
    let (base, snapshot) = match before {
        Some(before) if read.changed > 0 => (before.base.clone(), before.snapshot.clone()),
        _ => (Some(page.base.clone()), page.snapshot.clone()),
    };
    let looked =
        Looked { snapshot, base, read: read.read, files: read.files, changed: read.changed };
    let is_other = before != Some(&looked);
    model.memory.count_again(&id);
    if is_other {
        model.memory.mark(Mark::Looked(id.clone(), looked));
    }
    if let Some(anchor) = anchor
        && model.memory.marks.places.get(&id) != Some(&anchor)
    {
        model.memory.mark(Mark::Place(id, anchor));
    }
}

/// After every message: what is on the screen now wants its colours.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let mut effects = review_marks::settle(model);
    if model.screen() != Screen::Review || model.viewport.is_tiny() {
        return effects;
    }
    effects.extend(ask_newer(model));
    review_map::draw_up(model);
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.review else { return effects };
    let Some(page) = screen.page.clone() else { return effects };
    let shown = rows_shown(screen, rows);
    screen.paint.ask_words(&page.files, &screen.stream, shown.clone());
    for slot in [Slot::HighlightOld, Slot::HighlightNew] {
        if !model.jobs.is_open(slot)
            && let Some(job) =
                screen.paint.ask_tokens(slot, &page.files, &screen.stream, shown.clone())
        {
            effects.extend(model.jobs.start(slot, job));
        }
    }
    effects.extend(review_moved::ask(model));
    effects
}

/// The rows in view, and the one that is cut at the bottom.
fn rows_shown(screen: &ReviewScreen, rows: usize) -> Range<usize> {
    let shown = screen.rows_in_view(rows);
    shown.start..(shown.end + 1).min(screen.stream.row_count())
}

/// Some of these lines are drawn; where it is not Review that draws them, they may be.
pub(super) fn shows(model: &Model, text: &Arc<Text>, lines: &Range<u32>) -> bool {
    let rows = panes(model.viewport).rows;
    let Some(screen) = model.review.as_ref().filter(|_| model.screen() == Screen::Review) else {
        return true;
    };
    let Some(page) = &screen.page else { return false };
    let is = |side: &Arc<Text>, index: Option<u32>| {
        Arc::ptr_eq(side, text) && index.is_some_and(|index| lines.contains(&index))
    };
    screen.stream.places(rows_shown(screen, rows)).any(|(_, place)| {
        let Content::Text { old, new, .. } = &page.files[place.file].content else { return false };
        place.row.lines().any(|line| is(old, line.old_index) || is(new, line.new_index))
    })
}

/// While a page is looked at, the changed words of its neighbours are found: the next key is then answered sooner.
pub(super) fn read_ahead(model: &mut Model) {
    if model.screen() != Screen::Review || model.viewport.is_tiny() {
        return;
    }
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.review else { return };
    let Some(page) = screen.page.clone() else { return };
    let shown = rows_shown(screen, rows);
    let end = (shown.end + rows).min(screen.stream.row_count());
    for near in [shown.end..end, shown.start.saturating_sub(rows)..shown.start] {
        screen.paint.ask_words(&page.files, &screen.stream, near);
    }
}

/// The shadow has gone on since this page was read: by how many files. A list from before says nothing of that.
fn ask_newer(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(page) = &screen.whole else { return Vec::new() };
    let as_of_ms = model.fleet.known_from_ms();
    if as_of_ms < screen.newer.as_ref().map_or(page.read_at_ms, |newer| newer.as_of_ms) {
        return Vec::new();
    }
    let row = model.fleet.find(&screen.id);
    let Some((row, snapshot)) = row
        .filter(|row| !row.is_of(&page.base, &page.snapshot))
        .and_then(|row| Some((row, row.snapshot.clone()?)))
    else {
        screen.newer = None;
        return Vec::new();
    };
    let base = row.base.clone();
    if screen.newer.as_ref().is_some_and(|newer| newer.snapshot == snapshot && newer.base == base) {
        return Vec::new();
    }
    // On another base the files that differ are the target's too.
    let is_moved = base.as_ref().is_some_and(|base| *base != page.base);
    let files = screen.newer.as_ref().and_then(|newer| newer.files).filter(|_| !is_moved);
    screen.newer = Some(Newer { base, snapshot: snapshot.clone(), files, as_of_ms });
    if is_moved {
        return Vec::new();
    }
    let job = Job::Part { id: screen.id.clone(), between: [page.snapshot.clone(), snapshot] };
    model.jobs.start(Slot::Newer, job)
}

fn count_newer(model: &mut Model, page: &ReviewPage) {
    let Some(screen) = &mut model.review else { return };
    if let Some(newer) = &mut screen.newer
        && newer.snapshot == page.snapshot
    {
        newer.files = Some(page.files.len());
    }
}

/// Parts are kept with what belongs to this change only.
pub(super) fn keep_part(screen: &mut ReviewScreen, ticks: &Ticks, view: View, page: ReviewPage) {
    let part = match (&screen.whole, &screen.since) {
        (Some(whole), Some(since)) if view == View::Since => match &since.base {
            Some(base) if *base != whole.base => keep_only_new(whole, &screen.digests, &page),
            _ if screen.is_approved => keep_only_own(page, whole),
            _ => with_unread_whole(keep_only_own(page, whole), whole, ticks),
        },
        _ => page,
    };
    screen.parts.insert(view, Arc::new(part));
}
