//! The screen people read diffs on: one fixed page of one shadow, a cursor in its stream of rows,
//! and what has been read of it. The page never changes under the reader: only `R` takes a new one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Effect, Model, Screen, Viewport,
    fleet::ReadCount,
    job::{Job, Outcome, Slot},
    review_paint::Paint,
    review_search::Search,
};
pub use super::{
    review_keys::COMMANDS,
    review_place::{Anchor, line_text},
    review_search::{search_changed, search_dropped, search_kept, step_match},
};
use crate::{
    report::Report,
    review::{
        FileDiff, ReviewPage,
        diff::CONTEXT_LINES,
        fold::why_folded,
        stream::{Choices, Stream, StreamRow},
        ticks::{Reading, TickKey, Ticks},
    },
    shadow::{RepoPath, ShadowId},
};

/// From this width on the files stand beside the diff; below, `Tab` drops them over it.
pub const FILES_COLUMNS_MIN: u16 = 100;
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Diff,
    Files,
}

/// Cells of each part of the body; `files` is zero where the list has no place of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panes {
    pub files: usize,
    pub diff: usize,
    pub rows: usize,
}

/// One arithmetic for moving and for drawing.
pub fn panes(viewport: Viewport) -> Panes {
    let columns = usize::from(viewport.columns);
    let rows = viewport.body_rows;
    if viewport.columns < FILES_COLUMNS_MIN {
        return Panes { files: 0, diff: columns, rows };
    }
    let files = (27 + (columns - usize::from(FILES_COLUMNS_MIN)) / 5).min(44);
    // One column is the line between them.
    Panes { files, diff: columns - files - 1, rows }
}

/// What is remembered of reading, beyond one visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub ticks: Ticks,
    pub places: BTreeMap<ShadowId, Anchor>,
}

#[derive(Debug)]
pub struct ReviewScreen {
    pub id: ShadowId,
    /// `None` until it is read.
    pub page: Option<Arc<ReviewPage>>,
    /// Why it could not be read.
    pub failed: Option<Report>,
    pub stream: Stream,
    pub choices: Choices,
    /// A row of the stream that is a stop, or 0 while there is none.
    pub cursor: usize,
    pub top: usize,
    /// Cells that the text is scrolled to the right.
    pub scroll: usize,
    pub pane: Pane,
    /// The list is dropped over the diff, where it has no place of its own.
    pub files_open: bool,
    pub search: Option<Search>,
    pub paint: Paint,
    /// Rows of each file that were on the screen, from its head on without a gap.
    shown: Vec<usize>,
    /// Ticks of this visit, the newest last: what `u` takes back.
    pub ticked: Vec<TickKey>,
}

impl ReviewScreen {
    fn new(id: ShadowId) -> Self {
        Self {
            id,
            page: None,
            failed: None,
            stream: Stream::default(),
            choices: Choices {
                context: CONTEXT_LINES,
                folded: BTreeSet::new(),
                opened: BTreeSet::new(),
            },
            cursor: 0,
            top: 0,
            scroll: 0,
            pane: Pane::Diff,
            files_open: false,
            search: None,
            paint: Paint::default(),
            shown: Vec::new(),
            ticked: Vec::new(),
        }
    }

    /// The file that the cursor is in.
    pub fn file_index(&self) -> Option<usize> {
        self.stream.place(self.cursor).map(|place| place.file)
    }

    pub fn file(&self) -> Option<&FileDiff> {
        self.page.as_ref()?.files.get(self.file_index()?)
    }

    /// The list has the keys: it is in focus, and drawn.
    pub fn is_in_files(&self, viewport: Viewport) -> bool {
        self.pane == Pane::Files && (panes(viewport).files > 0 || self.files_open)
    }

    /// Another page, or other choices for the same one; the cursor goes to `anchor` if it can.
    pub(super) fn lay_out(&mut self, page: Arc<ReviewPage>, anchor: Option<&Anchor>) -> bool {
        self.stream = Stream::new(&page, &self.choices);
        self.shown.resize(page.files.len(), 0);
        self.page = Some(page);
        self.paint.forget_words();
        let row = anchor.and_then(|anchor| self.find_anchor(anchor));
        if let (Some(row), Some(anchor)) = (row, anchor) {
            self.cursor = row;
            self.top = row.saturating_sub(anchor.offset);
        }
        self.cursor = self.stream.stop_from(self.cursor);
        row.is_some()
    }

    /// Lays out what is there again, around the cursor.
    pub(super) fn lay_out_again(&mut self) {
        let (Some(page), anchor) = (self.page.clone(), self.anchor()) else { return };
        self.lay_out(page, anchor.as_ref());
        if let Some(search) = self.search.take() {
            self.search = Some(Search::new(self, search.needle));
        }
    }

    /// Scrolls just as far as needed. The row at the very top may lie under the sticky head, so the
    /// cursor stays below it, and a few lines away from both edges where there is room.
    pub(super) fn keep_in_view(&mut self, rows: usize) {
        if rows == 0 {
            return;
        }
        let margin = (rows.saturating_sub(1) / 4).min(3);
        let above = (margin + 1).min(rows - 1);
        let mut lowest = self.cursor.saturating_sub(above);
        // A head at the top is no sticky one: what lies right below it is in sight.
        let top_row = self.stream.place(self.top).map(|place| place.row);
        if rows > 1 && top_row == Some(StreamRow::Head) && self.top < self.cursor {
            lowest = lowest.max(self.top);
        }
        let highest = (self.cursor + margin + 1).saturating_sub(rows);
        self.top = self.top.clamp(highest.min(lowest), lowest);
        self.top = self.top.min(self.stream.row_count().saturating_sub(rows));
    }

    /// Remembers which rows have been on the screen.
    pub(super) fn note_shown(&mut self, rows: usize) {
        let bottom = self.top + rows;
        let from = self.stream.files().partition_point(|span| span.rows.end <= self.top);
        for (index, span) in self.stream.files().iter().enumerate().skip(from) {
            if span.rows.start >= bottom {
                break;
            }
            let shown = &mut self.shown[index];
            // The top row lies under the sticky head, unless it is the head itself.
            let first = if self.top > span.rows.start { self.top + 1 } else { span.rows.start };
            if first <= span.rows.start + *shown {
                *shown = (*shown).max(bottom.min(span.rows.end) - span.rows.start);
            }
        }
    }

    /// Some of the file has not been on the screen.
    pub fn has_unseen(&self, file: usize) -> bool {
        self.first_unseen(file).is_some()
    }

    /// The first row of the file that was not on the screen yet.
    pub(super) fn first_unseen(&self, file: usize) -> Option<usize> {
        let row = self.stream.files().get(file)?.rows.start + self.shown.get(file)?;
        self.stream.files()[file].rows.contains(&row).then_some(row)
    }
}

/// Opens the review of a shadow: what is known of it at once, its page as soon as it is read.
pub fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    remember_place(model);
    let fresh = model.fleet.find(&id).and_then(|row| row.snapshot.clone());
    let is_fresh = |page: &ReviewPage| fresh.as_ref().is_none_or(|fresh| page.snapshot == *fresh);
    model.enter(Screen::Review);
    let is_open = model.review.as_ref().is_some_and(|screen| {
        screen.id == id && screen.page.as_ref().is_some_and(|page| is_fresh(page))
    });
    if is_open {
        keep_in_view(model);
        return Vec::new();
    }
    let known = model.pages.find(&id).filter(|page| is_fresh(page)).cloned();
    model.review = Some(ReviewScreen::new(id.clone()));
    match known {
        Some(page) => {
            show(model, page);
            Vec::new()
        }
        None => model.jobs.start(Slot::Review, Job::Review { id }),
    }
}

/// Reads a new page; the one on the screen stays until it is there.
pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let id = screen.id.clone();
    model.say("reading a new snapshot");
    model.jobs.start(Slot::Review, Job::Review { id })
}

pub(super) fn receive(
    model: &mut Model,
    slot: Slot,
    outcome: Result<Outcome, Report>,
) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Review(page)) => {
            let is_wanted = model.review.as_ref().is_some_and(|screen| screen.id == page.id);
            let page = model.pages.keep(page);
            if is_wanted {
                show(model, page);
            }
        }
        Ok(Outcome::Tokens { path, text, lines, tokens }) => {
            if let Some(screen) = &mut model.review {
                screen.paint.receive(&path, &text, lines.clone(), tokens.clone());
            }
            if let Some(screen) = &mut model.conflicts {
                screen.receive_tokens(&path, &text, &lines, &tokens);
            }
        }
        Ok(_) => {}
        Err(report) => match (&mut model.review, slot) {
            (Some(screen), Slot::Review) => {
                screen.failed = Some(report.clone());
                model.fail(&report);
            }
            // Without colours a diff reads as well; the chunk is not asked for again.
            (Some(screen), _) => screen.paint.give_up(slot),
            (None, _) => {}
        },
    }
    Vec::new()
}

/// Puts a page on the screen: the first time at the first unread file, later where the reader was.
fn show(model: &mut Model, page: Arc<ReviewPage>) {
    let Some(screen) = &mut model.review else { return };
    let before = screen.page.take();
    let anchor = match &before {
        Some(old) => {
            screen.page = Some(Arc::clone(old));
            screen.anchor()
        }
        None => model.memory.places.get(&screen.id).cloned(),
    };
    let changed = before.as_ref().map(|old| files_changed(old, &page));
    screen.failed = None;
    screen.shown = vec![0; page.files.len()];
    screen.choices.opened.clear();
    let folds = page.files.iter().enumerate().filter(|(_, file)| why_folded(file).is_some());
    screen.choices.folded = folds.map(|(index, _)| index).collect();
    screen.paint = Paint::default();
    let unread = (0..page.files.len()).find(|index| {
        let reading = model.memory.ticks.reading(&page.id, &page.files[*index].change);
        reading != Reading::Read && !screen.choices.folded.contains(index)
    });
    if !screen.lay_out(page, anchor.as_ref()) {
        let file = unread.unwrap_or(0);
        screen.cursor = screen.stream.files().get(file).map_or(0, |span| span.first_stop);
        screen.top = screen.stream.files().get(file).map_or(0, |span| span.rows.start);
    }
    screen.lay_out_again();
    match changed {
        Some(0) => model.say("nothing changed since this page"),
        Some(1) => model.say("1 file is new on this page; ticks of the others hold"),
        Some(files) => model.say(format!("{files} files are new on this page; other ticks hold")),
        None => {}
    }
    count_read(model);
    keep_in_view(model);
}

fn files_changed(old: &ReviewPage, new: &ReviewPage) -> usize {
    let known: BTreeSet<TickKey> = old.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let wanted: BTreeSet<TickKey> =
        new.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let paths: BTreeSet<&RepoPath> =
        known.symmetric_difference(&wanted).map(TickKey::path).collect();
    paths.len()
}

/// Tells the list how far this shadow is read.
pub(super) fn count_read(model: &mut Model) {
    let Some(page) = model.review.as_ref().and_then(|screen| screen.page.clone()) else { return };
    let folded = model.review.as_ref().map(|screen| &screen.choices.folded);
    let mut read = ReadCount { read: 0, files: 0, changed: 0 };
    for (index, file) in page.files.iter().enumerate() {
        // Nobody reads what is folded: it is named apart, not counted as read or unread.
        if folded.is_some_and(|folded| folded.contains(&index)) {
            continue;
        }
        read.files += 1;
        match model.memory.ticks.reading(&page.id, &file.change) {
            Reading::Read => read.read += 1,
            Reading::ChangedSince => read.changed += 1,
            Reading::Unread => {}
        }
    }
    model.fleet.read.insert(page.id.clone(), read);
}

/// Called when the screen is left or another shadow's is opened.
pub(super) fn remember_place(model: &mut Model) {
    if let Some(screen) = &model.review
        && let Some(anchor) = screen.anchor()
    {
        model.memory.places.insert(screen.id.clone(), anchor);
    }
}

pub(super) fn keep_in_view(model: &mut Model) {
    let panes = panes(model.viewport);
    if let Some(screen) = &mut model.review {
        screen.keep_in_view(panes.rows);
    }
}

/// After every message: what is on the screen now was shown, and wants its colours.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.screen() != Screen::Review || model.viewport.is_tiny() {
        return Vec::new();
    }
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.review else { return Vec::new() };
    screen.note_shown(rows);
    let Some(page) = screen.page.clone() else { return Vec::new() };
    let shown = screen.top..(screen.top + rows).min(screen.stream.row_count());
    screen.paint.ask_words(&page.files, &screen.stream, shown.clone());
    let mut effects = Vec::new();
    for slot in [Slot::HighlightOld, Slot::HighlightNew] {
        if !model.jobs.is_open(slot)
            && let Some(job) =
                screen.paint.ask_tokens(slot, &page.files, &screen.stream, shown.clone())
        {
            effects.extend(model.jobs.start(slot, job));
        }
    }
    effects
}
