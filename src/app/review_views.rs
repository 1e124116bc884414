//! The views of one change (all of it, since you looked, uncommitted, committed), and how its lines are
//! laid out: side by side, wrapped, without white space, without what is read.

use super::{
    Effect, Model, commits_sheet, compare,
    job::{Job, Outcome, Slot},
    review::{ReviewScreen, keep_in_view},
    review_open::{self, come_in},
};
use crate::{
    report::Report,
    review::{
        FileDiff, ReviewPage,
        diff::CONTEXT_LINES,
        digest::{Digest, digests},
        marks::Mark,
        stream::{Long, Space},
        ticks::{Reading, TickKey, Ticks},
    },
    shadow::{Oid, RepoPath},
};

/// What `+` and `-` walk through; the last shows files whole.
const CONTEXTS: [u32; 8] = [0, 1, CONTEXT_LINES, 6, 12, 25, 100, u32::MAX / 4];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    #[default]
    All,
    Since,
    Uncommitted,
    Committed,
    /// One commit, or a run of them.
    Commits,
    /// Beside something else than its own base.
    Against,
}

impl View {
    /// Those with a number.
    pub const EACH: [Self; 5] =
        [Self::All, Self::Since, Self::Uncommitted, Self::Committed, Self::Commits];

    pub fn words(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Since => "since you looked",
            Self::Uncommitted => "uncommitted",
            Self::Committed => "committed",
            Self::Commits => "commits",
            Self::Against => "compared",
        }
    }

    /// A file read in it is read whole.
    pub fn counts(self) -> bool {
        matches!(self, Self::All | Self::Since | Self::Against)
    }
}

/// The two trees that a view compares; `None` for the page itself. What was looked at on another base is read as the
/// change that it was then: between the two snapshots lies what the target did, too.
fn between(screen: &ReviewScreen, view: View) -> Option<[Oid; 2]> {
    let whole = screen.whole.as_ref()?;
    match view {
        View::All | View::Against | View::Commits => None,
        View::Since => {
            let since = screen.since.as_ref()?;
            let base = since.base.clone()?;
            Some(if base == whole.base {
                [since.snapshot.clone(), whole.snapshot.clone()]
            } else {
                [base, since.snapshot.clone()]
            })
        }
        View::Uncommitted => Some([whole.tip.clone(), whole.snapshot.clone()]),
        View::Committed => Some([whole.base.clone(), whole.tip.clone()]),
    }
}

/// At once where it is known; else when it is read, and until then what is there stays.
pub(super) fn show(model: &mut Model, view: View) -> Vec<Effect> {
    if view == View::Against {
        return compare::show(model);
    }
    let Some(screen) = &mut model.review else { return Vec::new() };
    let is_gone = view == View::Commits && !screen.parts.contains_key(&view);
    if let Some(picked) = screen.picked.clone().filter(|_| is_gone) {
        return commits_sheet::read(model, picked);
    }
    let Some(between) = between(screen, view).filter(|_| !screen.parts.contains_key(&view)) else {
        display(model, view);
        return Vec::new();
    };
    screen.wanted = Some(view);
    let id = screen.id.clone();
    model.say(format!("reading what is {}", view.words()));
    model.jobs.start(Slot::Part, Job::Part { id, between })
}

pub(super) fn display(model: &mut Model, view: View) {
    let Some(screen) = &mut model.review else { return };
    if view == View::Since && !screen.parts.contains_key(&view) {
        let why = match screen.since {
            None => "this is the first time that you look at it",
            Some(_) => "what it was counted from when you looked is not known",
        };
        if screen.page.is_none() {
            come_in(model);
        }
        model.refuse(format!("2: {why}; view 1 shows all"));
        return;
    }
    let is_empty = screen.parts.get(&view).is_some_and(|part| part.files.is_empty());
    if is_empty && view != View::All {
        let nothing = match view {
            View::Since => "nothing changed since you looked",
            View::Uncommitted => "nothing is uncommitted",
            _ => "nothing is committed",
        };
        if screen.page.is_none() {
            come_in(model);
        }
        model.say(format!("{nothing}; this is {} still", place(model)));
        return;
    }
    let anchor = screen.anchor();
    if view != screen.view {
        screen.view_before = screen.view;
    }
    // A comparison that was left does not come back by itself, in place of what lands.
    if screen.view == View::Against
        && view != View::Against
        && model.memory.marks.against.contains_key(&screen.id)
    {
        model.memory.mark(Mark::Against(screen.id.clone(), None));
    }
    screen.view = view;
    screen.leave_page();
    if screen.arrange(anchor.as_ref()) {
        review_open::count_read(model);
        keep_in_view(model);
    } else {
        come_in(model);
    }
    let Some(screen) = &model.review else { return };
    let files = screen.page.as_ref().map_or(0, |page| page.files.len());
    let files = crate::review::count(files, "file");
    let unread = if view == View::Since { unread_words(screen) } else { String::new() };
    let more = match view {
        View::All => "",
        View::Against => " · 1 shows what lands · B takes another",
        _ => " · 1 shows all",
    };
    let moved = screen.whole.as_ref().filter(|whole| {
        let base = screen.since.as_ref().and_then(|since| since.base.as_ref());
        base.is_some_and(|base| *base != whole.base)
    });
    let what = match (&screen.picked, view, moved) {
        (Some(picked), View::Commits, _) => picked.words.clone(),
        (_, View::Against, _) => {
            let with = screen.against.as_ref().map(crate::review::Against::words);
            format!("compared with {}", with.unwrap_or_default())
        }
        (_, View::Since, Some(whole)) => {
            format!("{}, without what {} did", view.words(), whole.target)
        }
        _ => view.words().to_owned(),
    };
    model.say(format!("{what}: {files}{unread}{more}"));
}

pub(super) fn place(model: &Model) -> String {
    let view = model.review.as_ref().map_or(View::All, |screen| screen.view);
    let number = View::EACH.iter().position(|each| *each == view);
    number.map_or_else(|| "the comparison".to_owned(), |index| format!("view {}", index + 1))
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(view) = screen.wanted.take() else { return Vec::new() };
    match outcome {
        Ok(Outcome::Review(page)) if page.id == screen.id => match view {
            View::Against => compare::receive(model, page),
            View::Commits => commits_sheet::receive_run(model, page),
            _ => receive_part(model, view, page),
        },
        Ok(_) => {}
        Err(report) => {
            screen.asked = None;
            if screen.page.is_none() {
                come_in(model);
            }
            model.fail(&report);
        }
    }
    Vec::new()
}

fn receive_part(model: &mut Model, view: View, page: ReviewPage) {
    let Some(screen) = &mut model.review else { return };
    if between(screen, view) == Some([page.base.clone(), page.snapshot.clone()]) {
        review_open::keep_part(screen, &model.memory.marks.ticks, view, page);
        display(model, view);
    }
}

/// `.`: since you looked, and back.
pub(super) fn toggle_since(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let view = if screen.view == View::Since { screen.view_before } else { View::Since };
    show(model, view)
}

/// What the target did meanwhile is not this change's.
pub(super) fn keep_only_own(mut page: ReviewPage, whole: &ReviewPage) -> ReviewPage {
    let own = |path: &RepoPath| whole.files.iter().any(|file| file.change.path == *path);
    page.files.retain(|file| own(&file.change.path));
    page
}

/// A file that was not read as it was then is shown as all that it changes: what was never seen is new, whenever it came.
pub(super) fn with_unread_whole(
    mut page: ReviewPage,
    whole: &ReviewPage,
    ticks: &Ticks,
) -> ReviewPage {
    for part in &mut page.files {
        let is_it = |file: &&FileDiff| file.change.path == part.change.path;
        let Some(all) = whole.files.iter().find(is_it) else { continue };
        let change = &all.change;
        let then = TickKey::new(change.path.clone(), change.old.clone(), part.change.old.clone());
        if !ticks.has(&then) {
            *part = all.clone();
        }
    }
    page
}

/// How many files of "since you looked" are all that they change.
fn unread_words(screen: &ReviewScreen) -> String {
    let [then, now] = [
        screen.since.as_ref().and_then(|since| since.base.as_ref()),
        screen.whole.as_ref().map(|w| &w.base),
    ];
    // On another base all files are shown whole, read or not.
    let is_told = then == now && !screen.is_approved;
    let Some(page) = screen.page.as_ref().filter(|_| is_told) else { return String::new() };
    let is_whole = |file: &usize| {
        let shown = TickKey::of(&page.files[*file].change);
        screen.whole_file(*file).is_some_and(|(whole, _)| TickKey::of(&whole.change) == shown)
    };
    match (0..page.files.len()).filter(is_whole).count() {
        0 => String::new(),
        all if all == page.files.len() => ", whole: not read before".to_owned(),
        some => format!(", {some} of them whole: not read before"),
    }
}

/// Of a change that has another base than `before`, the one that was looked at: the files with something that was not in
/// that one. A hunk is the same where its lines and those beside them are, wherever the target moved it.
pub(super) fn keep_only_new(
    whole: &ReviewPage,
    blocks: &[Vec<Digest>],
    before: &ReviewPage,
) -> ReviewPage {
    let is_new = |file: &FileDiff, blocks: &[Digest]| {
        let Some(old) = before.files.iter().find(|old| old.change.path == file.change.path) else {
            return true;
        };
        let known = digests(old);
        let is_known = !blocks.is_empty() && blocks.iter().all(|block| known.contains(block));
        let mode = |file: &FileDiff| file.change.new.as_ref().map(|entry| entry.mode);
        old.change.new != file.change.new && !(is_known && mode(old) == mode(file))
    };
    let files = whole.files.iter().zip(blocks);
    let files = files.filter(|(file, blocks)| is_new(file, blocks)).map(|(file, _)| file.clone());
    ReviewPage { files: files.collect(), ..whole.clone() }
}

pub(super) fn switch_wrap(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    screen.scroll = 0;
    let words = match screen.long {
        Long::Cut => {
            screen.long = Long::Wraps;
            "long lines wrap"
        }
        Long::Wraps => {
            screen.long = Long::Cut;
            "long lines are cut; l scrolls"
        }
    };
    let long = screen.long;
    model.memory.mark(Mark::Long(long));
    model.say(words);
    keep_in_view(model);
    Vec::new()
}

pub(super) fn switch_space(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let words = match screen.space {
        Space::Shown => {
            screen.space = Space::Ignored;
            "changes of white space alone are not shown · W shows them"
        }
        Space::Ignored => {
            screen.space = Space::Shown;
            "changes of white space are shown"
        }
    };
    let anchor = screen.anchor();
    screen.arrange(anchor.as_ref());
    let space = screen.space;
    model.memory.mark(Mark::Space(space));
    model.say(words);
    keep_in_view(model);
    Vec::new()
}

/// `H`: what is read goes out of sight, or all comes back.
pub(super) fn switch_read(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(source) = screen.source() else { return Vec::new() };
    let anchor = screen.anchor();
    if screen.hidden.is_empty() {
        let ticks = &model.memory.marks.ticks;
        let count = screen.page.as_ref().map_or(0, |page| page.files.len());
        let read = (0..count).filter(|file| screen.reading(ticks, *file) == Reading::Read);
        let hidden: Vec<RepoPath> =
            read.map(|file| source.files[file].change.path.clone()).collect();
        if hidden.is_empty() {
            model.refuse("H: no file here is read");
            return Vec::new();
        }
        if hidden.len() == source.files.len() {
            model.refuse("H: every file here is read, nothing would be left");
            return Vec::new();
        }
        let words = screen.hidden_words(&hidden);
        screen.hidden.extend(hidden);
        model.say(words);
    } else {
        screen.hidden.clear();
        model.say("all files are shown");
    }
    if let Some(screen) = &mut model.review {
        screen.arrange(anchor.as_ref());
    }
    keep_in_view(model);
    Vec::new()
}

pub(super) fn change_context(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let known = CONTEXTS.iter().position(|lines| *lines >= screen.choices.context);
    let index = known.unwrap_or(CONTEXTS.len() - 1).saturating_add_signed(direction);
    let context = CONTEXTS[index.min(CONTEXTS.len() - 1)];
    screen.choices.context = context;
    screen.choices.opened.clear();
    screen.lay_out_again();
    model.memory.mark(Mark::Context(context));
    let text = match context {
        0 => "no lines around changes".to_owned(),
        1 => "1 line around changes".to_owned(),
        lines if lines > 1_000 => "whole files".to_owned(),
        lines => format!("{lines} lines around changes"),
    };
    model.say(text);
    keep_in_view(model);
    Vec::new()
}
