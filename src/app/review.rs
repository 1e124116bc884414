//! Reading one shadow's change: one stream over all its files, of one fixed snapshot.
//! The page never moves by itself; a newer one is taken by `R` only.

use std::sync::Arc;

use super::{
    Command, Context, Effect, Model, Screen,
    command::always,
    conflicts, discard_sheet, help,
    job::{Job, Outcome, Slot},
    land_sheet,
    list::{Cursor, half},
    log,
};
use crate::{
    report::Report,
    review::{
        Content, FileChange, ReviewPage, diff,
        diff::{CONTEXT_LINES, HunkLine},
    },
    shadow::ShadowId,
};

/// One line of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamLine {
    /// Index into the page's files.
    FileHead(usize),
    HunkHead {
        file: usize,
    },
    Line {
        file: usize,
        line: HunkLine,
    },
    /// There is no text to show: binary, submodule, too large, unreadable.
    Note {
        file: usize,
    },
}

#[derive(Debug)]
pub struct ReviewScreen {
    pub id: ShadowId,
    pub page: Option<Arc<ReviewPage>>,
    pub failed: Option<Report>,
    pub lines: Vec<StreamLine>,
    pub cursor: Cursor,
}

impl ReviewScreen {
    fn new(id: ShadowId) -> Self {
        Self { id, page: None, failed: None, lines: Vec::new(), cursor: Cursor::default() }
    }

    pub fn change(&self, file: usize) -> Option<&FileChange> {
        self.page.as_ref()?.files.get(file).map(|diff| &diff.change)
    }

    fn take(&mut self, page: Arc<ReviewPage>) {
        self.lines = stream(&page);
        self.page = Some(page);
        self.failed = None;
        let count = self.lines.len();
        self.cursor.go(self.cursor.index, count);
    }
}

fn stream(page: &ReviewPage) -> Vec<StreamLine> {
    let mut lines = Vec::new();
    for (file, diff) in page.files.iter().enumerate() {
        lines.push(StreamLine::FileHead(file));
        let Content::Text { old, blocks, .. } = &diff.content else {
            lines.push(StreamLine::Note { file });
            continue;
        };
        for hunk in diff::hunks(blocks, old.line_count(), CONTEXT_LINES) {
            lines.push(StreamLine::HunkHead { file });
            let of_hunk = hunk.lines(blocks);
            lines.extend(of_hunk.into_iter().map(|line| StreamLine::Line { file, line }));
        }
    }
    lines
}

/// A page that the list has read already is there at once; it is read afresh all the same.
pub(super) fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    let kept = model.review.take().filter(|screen| screen.id == id);
    let mut screen = kept.unwrap_or_else(|| ReviewScreen::new(id.clone()));
    if screen.page.is_none()
        && let Some(page) = model.pages.find(&id)
    {
        screen.take(Arc::clone(page));
    }
    let has_page = screen.page.is_some();
    model.review = Some(screen);
    model.enter(Screen::Review);
    if has_page { Vec::new() } else { model.jobs.start(Slot::Review, Job::Review { id }) }
}

pub(super) fn receive(
    model: &mut Model,
    slot: Slot,
    outcome: Result<Outcome, Report>,
) -> Vec<Effect> {
    match (slot, outcome) {
        (Slot::Review, Ok(Outcome::Review(page))) => {
            let page = model.pages.keep(page);
            if let Some(screen) = model.review.as_mut().filter(|screen| screen.id == page.id) {
                screen.take(page);
            }
            keep_in_view(model);
        }
        (_, Err(report)) => {
            model.fail(&report);
            if let Some(screen) = &mut model.review {
                screen.failed = Some(report);
            }
        }
        _ => {}
    }
    Vec::new()
}

pub(super) fn keep_in_view(model: &mut Model) {
    let rows = model.viewport.body_rows;
    if let Some(screen) = &mut model.review {
        screen.cursor.keep_in_view(screen.lines.len(), rows);
    }
}

pub(super) fn search_changed(_model: &mut Model, _text: &str) {}

pub(super) fn search_kept(_model: &mut Model, _text: &str) -> Vec<Effect> {
    Vec::new()
}

pub(super) fn search_dropped(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    if let Some(screen) = &mut model.review {
        let count = screen.lines.len();
        screen.cursor.step(rows, count);
    }
    keep_in_view(model);
    Vec::new()
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    model.jobs.start(Slot::Review, Job::Review { id })
}

/// What was read is what lands: the plan is for this page's snapshot.
fn land(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let expect = screen.page.as_ref().map(|page| page.snapshot.clone());
    land_sheet::open(model, screen.id.clone(), expect)
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let ids = model.subject().cloned().into_iter().collect();
    discard_sheet::open(model, ids)
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    conflicts::open(model, id)
}

fn no_page(model: &Model) -> Option<&'static str> {
    let has_page = model.review.as_ref().is_some_and(|screen| screen.page.is_some());
    (!has_page).then_some("still reading it")
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Review, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("land.shadow", "Land it on its target", &["m"], no_page, land),
    row("discard.shadows", "Discard this one", &["d"], always, discard),
    row("conflicts.show", "Show and settle its conflicts", &["x"], always, show_conflicts),
    row("move.down", "Down", &["j", "Down"], no_page, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_page, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_page, |model| {
        step(model, half(model.viewport.body_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_page, |model| {
        step(model, -half(model.viewport.body_rows))
    }),
    row("move.first", "Top", &["g g", "Home"], no_page, |model| step(model, isize::MIN)),
    row("move.last", "End", &["G", "End"], no_page, |model| step(model, isize::MAX)),
    row("again.page", "Take the newest snapshot", &["R"], always, refresh),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("leave.review", "Back", &["Esc"], always, Model::leave),
    row("quit.review", "Back", &["q"], always, Model::leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
