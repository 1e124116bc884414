//! The comments of the change that is read: known by shadow, written one after the other, each told when it is on the
//! disk. What is being typed is a draft until then, so that no end of the program takes it along.

use std::collections::{BTreeSet, VecDeque};

use super::{
    Effect, Model, Screen,
    conflict_undo::Deed,
    job::{Job, Outcome, Slot},
    review::ReviewScreen,
    review_done::{Done, Step},
};
use crate::{
    report::Report,
    review::{
        ReviewPage,
        comment::{self, Author, Change, Changed, Post, Status, Thread},
        comment_words::{Shown, markdown, thread},
        count,
        stream::StreamRow,
        stream_comments::Placed,
        visible::visible_str,
    },
    shadow::ShadowId,
};

#[derive(Debug, Default)]
pub struct Comments {
    waiting: VecDeque<(ShadowId, Asked)>,
    /// The change that is on its way to the disk.
    asked: Option<(ShadowId, Asked)>,
    /// They are to be read anew.
    is_stale: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    change: Change,
    /// What it puts in place of what was there; `None` where it is taken back or done again.
    before: Option<Before>,
    said: String,
    /// Where `u` takes it back.
    from: Screen,
    /// What `u`, `ctrl-r` or `Delete` moved, which moves back if this is refused.
    step: Option<(Step, Done)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Text(String),
    Status(Status),
}

impl Comments {
    /// Something is still on its way to the disk.
    pub fn is_unsaved(&self) -> bool {
        self.asked.is_some() || !self.waiting.is_empty()
    }

    pub(super) fn read_again(&mut self) {
        self.is_stale = true;
    }
}

impl Asked {
    /// For `u`: the change back, and the one that does it again.
    fn done(&self, Changed { number, post }: Changed) -> Option<[Change; 2]> {
        Some(match self.before.clone()? {
            Before::Nothing => {
                [Change::TakeBack { number, post }, Change::BringBack { number, post }]
            }
            Before::Text(text) => [Change::Edit { number, post, text }, self.change.clone()],
            Before::Status(status) => [Change::Put { number, status }, self.change.clone()],
        })
    }
}

fn ask(model: &mut Model, change: Change, before: Option<Before>, said: impl Into<String>) {
    let Some(id) = model.review.as_ref().map(|screen| screen.id.clone()) else { return };
    push(model, id, change, before, said.into());
}

fn push(model: &mut Model, id: ShadowId, change: Change, before: Option<Before>, said: String) {
    let from = model.screen();
    model.comments.waiting.push_back((id, Asked { change, before, said, from, step: None }));
}

pub(super) fn add(model: &mut Model, id: ShadowId, change: Change, said: &str) {
    let said = match model.screen() {
        Screen::Review => format!("{said} · u takes it back"),
        _ => format!("{said} · Review shows it · u takes it back"),
    };
    push(model, id, change, Some(Before::Nothing), said);
}

/// From the conflicts: whether Review is open there or not.
pub(super) fn ask_agent(model: &mut Model, id: ShadowId, change: Change, path: &str) {
    let said = format!("asked the agent about {path} as note");
    push(model, id, change, Some(Before::Nothing), said);
}

pub(super) fn edit(model: &mut Model, id: ShadowId, change: Change, text_before: String) {
    let said = "the comment is changed · u takes that back".to_owned();
    push(model, id, change, Some(Before::Text(text_before)), said);
}

/// `u`, `ctrl-r` and `Delete`.
pub(super) fn step(model: &mut Model, change: Change, said: String, step: Step, done: Done) {
    let Some(id) = model.review.as_ref().map(|screen| screen.id.clone()) else { return };
    let (from, step) = (model.screen(), Some((step, done)));
    model.comments.waiting.push_back((id, Asked { change, before: None, said, from, step }));
}

/// It could not be kept: what was to be taken back still can be, and what waits behind it is not tried on another ground.
fn step_back(model: &mut Model, id: &ShadowId, asked: Asked) {
    let mut refused = vec![asked];
    if refused[0].step.is_some() {
        let waiting = std::mem::take(&mut model.comments.waiting);
        let is_step = |(of, asked): &(ShadowId, Asked)| of == id && asked.step.is_some();
        let (steps, others): (VecDeque<_>, _) = waiting.into_iter().partition(is_step);
        model.comments.waiting = others;
        refused.extend(steps.into_iter().map(|(_, asked)| asked));
    }
    let Some(screen) = model.review.as_mut().filter(|screen| screen.id == *id) else { return };
    for (step, done) in refused.into_iter().rev().filter_map(|asked| asked.step) {
        step.was_not_kept(screen, &done);
    }
}

/// The same among conflicts.
pub(super) fn turn(model: &mut Model, id: ShadowId, change: Change, said: String) {
    push(model, id, change, None, said);
}

/// After every message: what waits is written, one after the other; what may be old is read.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Notes) {
        return Vec::new();
    }
    if let Some((id, asked)) = model.comments.waiting.pop_front() {
        let changes = vec![asked.change.clone()];
        model.comments.asked = Some((id.clone(), asked));
        return model.jobs.start(Slot::Notes, Job::Notes { id, changes });
    }
    let is_open = model.screen() == Screen::Review;
    let Some(screen) = model.review.as_ref().filter(|screen| is_open && screen.whole.is_some())
    else {
        return Vec::new();
    };
    if screen.knows_threads && !model.comments.is_stale {
        return Vec::new();
    }
    let id = screen.id.clone();
    model.comments.is_stale = false;
    model.jobs.start(Slot::Notes, Job::Notes { id, changes: Vec::new() })
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let asked = model.comments.asked.take();
    match outcome {
        Ok(Outcome::Notes(notes)) => {
            lay_out(model, &notes.id, notes.threads);
            if let (Some((id, asked)), Some(answer)) = (asked, notes.answers.into_iter().next()) {
                answered(model, &id, &asked, answer);
            }
        }
        Ok(_) => {}
        Err(report) => {
            // Where they cannot be read nothing is shown as if there were none: it is said.
            if let Some(screen) = &mut model.review {
                screen.knows_threads = true;
            }
            if let Some((id, asked)) = asked {
                step_back(model, &id, asked);
            }
            // Whoever wanted to quit reads why first; quitting again quits.
            model.leaving &= model.jobs.is_open(Slot::Write);
            model.fail(&report);
            return Vec::new();
        }
    }
    model.quit_when_kept()
}

fn answered(model: &mut Model, id: &ShadowId, asked: &Asked, answer: Result<Changed, Report>) {
    let changed = match answer {
        Ok(changed) => changed,
        // Its text stays as a draft.
        Err(report) => {
            let screen = model.review.as_mut().filter(|screen| screen.id == *id);
            if let (Some(screen), Some((step, done))) = (screen, &asked.step) {
                step.cannot_be(screen, done);
            }
            return model.fail(&report);
        }
    };
    let is_asked = matches!(asked.change, Change::Ask { .. });
    if !is_asked && matches!(asked.before, Some(Before::Nothing | Before::Text(_))) {
        super::comment_sheet::forget_draft(model, id, &asked.change);
    }
    model.say(match asked.change {
        Change::Ask { .. } => format!(
            "{} {} · it reads: shadowdeck notes {} · u takes it back",
            asked.said,
            changed.number,
            visible_str(&id.0),
        ),
        _ => asked.said.clone(),
    });
    let Some([back, again]) = asked.done(changed) else { return };
    let what = format!("comment {}", changed.number);
    if asked.from == Screen::Conflicts {
        if let Some(screen) = model.conflicts.as_mut().filter(|screen| screen.id == *id) {
            screen.done(Deed::Noted { back, again, what });
        }
    } else if let Some(screen) = model.review.as_mut().filter(|screen| screen.id == *id) {
        screen.done.push(Done::Noted { back, again, what });
        screen.undone.clear();
        if asked.before == Some(Before::Nothing) {
            screen.stand_on(Some(changed.number));
            super::review::keep_in_view(model);
        }
    }
}

impl ReviewScreen {
    /// Puts the cursor on a comment, where it is shown.
    pub(super) fn stand_on(&mut self, number: Option<u32>) {
        let is_it = |thread: usize| self.threads.get(thread).map(|t| t.number) == number;
        let found = number.and_then(|_| self.stream.comments().iter().find(|(_, at)| is_it(*at)));
        if let Some((row, _)) = found {
            self.cursor = *row;
        }
    }
}

/// The cursor stays where it is, on a comment too.
fn lay_out(model: &mut Model, id: &ShadowId, threads: Vec<Thread>) {
    let Some(screen) = model.review.as_mut().filter(|screen| screen.id == *id) else { return };
    screen.knows_threads = true;
    if screen.threads == threads {
        return;
    }
    let number = here(screen).map(|thread| thread.number);
    screen.threads = threads;
    screen.lay_out_again();
    screen.stand_on(number);
    super::review::keep_in_view(model);
}

/// Where the threads stand on what is shown.
pub(super) fn placed(screen: &ReviewScreen, page: &ReviewPage) -> Vec<Placed> {
    let shown = screen.threads.iter().enumerate().filter(|(_, thread)| thread.is_shown());
    let place = |(index, thread): (usize, &Thread)| {
        let mut found = comment::find(&page.files, &thread.spot)?;
        // In a part of the change only what is gone from all of it is outdated.
        if found.at == comment::At::Outdated {
            let whole = comment::find(&screen.whole.as_ref()?.files, &thread.spot)?;
            if whole.at != comment::At::Outdated {
                found.at = comment::At::File;
            }
        }
        Some(Placed { thread: index, side: thread.spot.side, found })
    };
    shown.filter_map(place).collect()
}

/// Whether its lines are none of this page's because it is about a later state of the shadow.
pub fn is_of_newer(screen: &ReviewScreen, thread: &Thread) -> bool {
    let (page, began) = (screen.whole.as_ref(), thread.posts.first());
    page.zip(began).is_some_and(|(page, began)| began.time_ms > page.read_at_ms)
}

/// Open ones on files that this view does not show.
pub fn count_elsewhere(screen: &ReviewScreen) -> usize {
    if screen.threads.is_empty() || screen.page.is_none() {
        return 0;
    }
    let shown: BTreeSet<usize> =
        screen.stream.comments().iter().map(|(_, thread)| *thread).collect();
    let open = screen.threads.iter().enumerate().filter(|(_, thread)| thread.is_open());
    open.filter(|(index, _)| !shown.contains(index)).count()
}

/// The thread that the cursor is on.
pub fn here(screen: &ReviewScreen) -> Option<&Thread> {
    match screen.stream.place(screen.cursor)?.row {
        StreamRow::Comment { thread, .. } | StreamRow::Was { thread } => screen.threads.get(thread),
        _ => None,
    }
}

fn in_words(screen: &ReviewScreen, wanted: impl Fn(&Thread) -> bool) -> (String, usize) {
    let files = screen.whole.as_ref().map_or(&[][..], |page| &page.files);
    let threads: Vec<&Thread> =
        screen.threads.iter().filter(|thread| thread.is_shown() && wanted(thread)).collect();
    let found: Vec<_> = threads.iter().map(|thread| comment::find(files, &thread.spot)).collect();
    let shown: Vec<Shown<'_>> = threads
        .iter()
        .zip(&found)
        .map(|(thread, found)| Shown {
            thread,
            path: found.as_ref().map_or(&thread.spot.path, |at| &files[at.file].change.path),
            at: found
                .as_ref()
                .map(|found| &found.at)
                .filter(|at| **at != comment::At::Outdated || !is_of_newer(screen, thread)),
        })
        .collect();
    match &shown[..] {
        [one] => (thread(one), 1),
        all => (markdown(&screen.id, all), all.len()),
    }
}

/// `i`: the whole thread.
pub(super) fn words_here(screen: &ReviewScreen) -> Option<String> {
    let number = here(screen)?.number;
    Some(in_words(screen, |thread| thread.number == number).0)
}

pub(super) fn copy_all(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let (text, many) = in_words(screen, |_| true);
    let what = count(many, "comment");
    model.copy(&what, text)
}

/// All of them, also those on files that are not shown.
pub(super) fn show_all(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let text = in_words(screen, |_| true).0;
    super::why_sheet::show(model, "Comments", text);
    Vec::new()
}

/// The reviewer agrees that it is done, or wants it looked at again.
pub(super) fn close_or_open(model: &mut Model) -> Vec<Effect> {
    let Some(thread) = model.review.as_ref().and_then(here).cloned() else { return Vec::new() };
    let (status, word) = match thread.status {
        Status::Closed => (Status::Open, "open again"),
        Status::Open | Status::Resolved => (Status::Closed, "closed"),
    };
    let number = thread.number;
    let said = format!("comment {number} is {word} · u takes that back");
    ask(model, Change::Put { number, status }, Some(Before::Status(thread.status)), said);
    Vec::new()
}

/// The last post under the cursor, where it is the reviewer's own: it may be edited and taken back.
pub(super) fn own_here(model: &Model) -> Option<(u32, usize, Post)> {
    let thread = here(model.review.as_ref()?)?;
    let (post, own) = thread.last_own()?;
    Some((thread.number, post, own.clone()))
}

/// What a post says just now.
pub(super) fn text_of(model: &Model, id: &ShadowId, number: u32, post: usize) -> Option<String> {
    let screen = model.review.as_ref().filter(|screen| screen.id == *id)?;
    let thread = screen.threads.iter().find(|thread| thread.number == number)?;
    Some(thread.posts.get(post)?.text.clone())
}

pub(super) fn take_back_here(model: &mut Model) -> Vec<Effect> {
    let Some((number, post, _)) = own_here(model) else { return Vec::new() };
    let back = Change::TakeBack { number, post };
    let Some(screen) = &mut model.review else { return Vec::new() };
    // Taking it back is itself taken back by `u`.
    let again = Change::BringBack { number, post };
    let what = format!("comment {number}");
    let done = Done::Noted { back: again, again: back.clone(), what };
    screen.done.push(done.clone());
    screen.undone.clear();
    let said = "the comment is deleted · u brings it back".to_owned();
    step(model, back, said, Step::Delete, done);
    Vec::new()
}

pub(super) fn no_own(model: &Model) -> Option<&'static str> {
    own_here(model)
        .is_none()
        .then_some("no comment of yours that nobody answered is under the cursor")
}

pub(super) fn none(model: &Model) -> Option<&'static str> {
    let has_some =
        model.review.as_ref().is_some_and(|screen| screen.threads.iter().any(Thread::is_shown));
    (!has_some).then_some("nobody has commented on this change · c does")
}

pub fn author_word(author: Author) -> &'static str {
    match author {
        Author::Reviewer => "you",
        Author::Agent => "agent",
    }
}
