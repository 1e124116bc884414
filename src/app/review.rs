//! The screen people read diffs on: one fixed page of one shadow, a cursor in its stream of rows,
//! and what has been read of it. The page never changes under the reader: only `R` takes a new one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Viewport,
    commits_sheet::Picked,
    fleet::FleetScreen,
    review_done::Done,
    review_long::{LongLine, LongShown},
    review_map::Map,
    review_marks::ReadCount,
    review_moved::MovedLines,
    review_paint::Paint,
    review_search::Search,
    review_shown::Shown,
};
pub use super::{
    review_keys::COMMANDS,
    review_marks::Memory,
    review_open::{open, receive, settle},
    review_parts::{Part, chosen, how_much},
    review_place::line_text,
    review_search::{search_changed, search_dropped, search_kept, step_match},
    review_views::View,
};
use crate::{
    report::Report,
    review::{
        Against, FileDiff, ReviewPage,
        comment::Thread,
        diff::CONTEXT_LINES,
        digest::{Digest, digests},
        marks::{Anchor, Looked, Marks},
        stream::{Choices, Layout, Long, Space, Stream},
        ticks::{Reading, Ticks},
    },
    shadow::{Oid, RepoPath, ShadowId},
};

/// From this width on the files stand beside the diff; below, `Tab` drops them over it.
pub const FILES_COLUMNS_MIN: u16 = 100;
/// Cells that line numbers take at least, so that most files look alike.
const NUMBER_CELLS_MIN: usize = 4;

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
    if viewport.columns < FILES_COLUMNS_MIN || viewport.files_hidden {
        return Panes { files: 0, diff: columns, rows };
    }
    let files = match viewport.files_columns {
        // Dragged there: either side keeps room for something.
        Some(dragged) => usize::from(dragged).clamp(12, columns - 40),
        None => (27 + (columns - usize::from(FILES_COLUMNS_MIN)) / 5).min(44),
    };
    // One column is the line between them.
    Panes { files, diff: columns - files - 1, rows }
}

/// Taken newer snapshot of the shadow, and how many files differ from the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newer {
    pub base: Option<Oid>,
    pub snapshot: Oid,
    /// `None` until they are counted.
    pub files: Option<usize>,
    /// When this was how it stood.
    pub as_of_ms: u64,
}

/// Files that fold by themselves: beside others, or nothing else is in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noise {
    Beside,
    Alone,
}

#[derive(Debug)]
pub struct ReviewScreen {
    pub id: ShadowId,
    /// The whole change as it was read; `None` until then.
    pub whole: Option<Arc<ReviewPage>>,
    /// Of each of its files, its blocks as ticks know them.
    pub(super) digests: Vec<Vec<Digest>>,
    /// What the view shows of it, less what is hidden.
    pub page: Option<Arc<ReviewPage>>,
    /// For each file of the page, its place in the whole.
    pub(super) whole_of: Vec<Option<usize>>,
    pub view: View,
    /// Where `.` goes back to.
    pub(super) view_before: View,
    /// A view that is being read.
    pub(super) wanted: Option<View>,
    /// Parts that were read, as they were read.
    pub(super) parts: BTreeMap<View, Arc<ReviewPage>>,
    /// What view 5 shows.
    pub picked: Option<Picked>,
    /// What it is to show: chosen, and not read yet.
    pub(super) to_pick: Option<Picked>,
    /// What the comparison is with.
    pub against: Option<Against>,
    /// What it is to be with: chosen, and not read yet.
    pub(super) asked: Option<Against>,
    /// Of each file of the comparison, its blocks as ticks know them.
    pub(super) against_digests: Vec<Vec<Digest>>,
    /// How far the comparison is read.
    pub(super) against_read: Option<ReadCount>,
    /// What this visit compares with in "since you looked".
    pub since: Option<Looked>,
    /// That was approved as a whole: only what came after it is new, read or not.
    pub(super) is_approved: bool,
    pub newer: Option<Newer>,
    /// The program that had the terminal, until it is known what it changed.
    pub(super) back_from: Option<&'static str>,
    /// Why it could not be read.
    pub failed: Option<Report>,
    pub stream: Stream,
    pub choices: Choices,
    pub(super) noise: Noise,
    pub long: Long,
    pub space: Space,
    /// Read files that are left out.
    pub hidden: BTreeSet<RepoPath>,
    /// Opened by hand: they do not fold again.
    pub(super) unfolded: BTreeSet<RepoPath>,
    /// Cells of a line number.
    pub number_cells: usize,
    /// Cells that a row has for code, of one side where they stand side by side.
    pub code_cells: usize,
    /// A row of the stream that is a stop, or 0 while there is none.
    pub cursor: usize,
    pub top: usize,
    /// Cells that the text is scrolled to the right.
    pub scroll: usize,
    /// The other end of the chosen lines.
    pub range: Option<usize>,
    pub pane: Pane,
    /// The list is dropped over the diff, where it has no place of its own.
    pub files_open: bool,
    pub search: Option<Search>,
    pub paint: Paint,
    pub(super) map: Map,
    pub(super) moved: MovedLines,
    /// Counts how often the stream was made.
    pub(super) laid_out: u64,
    /// Rows of each file that were on the screen.
    pub(super) shown: Vec<Shown>,
    /// Bytes of very long lines that were.
    pub(super) long_shown: BTreeMap<LongLine, LongShown>,
    /// Ticks and choices of this visit, the newest last: what `u` takes back.
    pub done: Vec<Done>,
    /// What was taken back: what `ctrl-r` does again.
    pub undone: Vec<Done>,
    /// Where the reader jumped away from, the newest last.
    pub(super) jumps: Vec<Anchor>,
    /// The comments on the change, once they are known.
    pub threads: Vec<Thread>,
    pub(super) knows_threads: bool,
}

impl ReviewScreen {
    pub(super) fn new(id: ShadowId, marks: &Marks) -> Self {
        let asked = marks.against.get(&id).cloned();
        Self {
            id,
            whole: None,
            digests: Vec::new(),
            page: None,
            whole_of: Vec::new(),
            view: View::All,
            view_before: View::All,
            wanted: None,
            parts: BTreeMap::new(),
            picked: None,
            to_pick: None,
            against: None,
            asked,
            against_digests: Vec::new(),
            against_read: None,
            since: None,
            is_approved: false,
            newer: None,
            back_from: None,
            failed: None,
            stream: Stream::default(),
            noise: Noise::Beside,
            choices: Choices {
                context: marks.context.unwrap_or(CONTEXT_LINES),
                folded: BTreeSet::new(),
                opened: BTreeSet::new(),
                ends: true,
                layout: Layout::Unified,
            },
            long: marks.long,
            space: marks.space,
            hidden: BTreeSet::new(),
            unfolded: BTreeSet::new(),
            number_cells: NUMBER_CELLS_MIN,
            code_cells: 0,
            cursor: 0,
            top: 0,
            scroll: 0,
            range: None,
            pane: Pane::Diff,
            files_open: false,
            search: None,
            paint: Paint::default(),
            map: Map::default(),
            moved: MovedLines::default(),
            laid_out: 0,
            shown: Vec::new(),
            long_shown: BTreeMap::new(),
            done: Vec::new(),
            undone: Vec::new(),
            jumps: Vec::new(),
            threads: Vec::new(),
            knows_threads: false,
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

    /// The list lies over the diff: what is left of that is not shown.
    pub fn is_covered(&self, viewport: Viewport) -> bool {
        panes(viewport).files == 0 && self.is_in_files(viewport)
    }

    /// The whole change, as it was read just now.
    pub(super) fn take_whole(&mut self, page: Arc<ReviewPage>) {
        self.digests = page.files.iter().map(digests).collect();
        self.whole = Some(page);
    }

    /// The whole of a file of the page, with its blocks' digests: ticks and choices are put on that, whatever
    /// part is shown.
    pub fn whole_file(&self, file: usize) -> Option<(&FileDiff, &[Digest])> {
        let index = (*self.whole_of.get(file)?)?;
        let (page, digests) = self.ticked()?;
        Some((page.files.get(index)?, digests.get(index)?))
    }

    /// What the comparison shows, with both of its sides.
    pub fn comparison(&self) -> Option<&ReviewPage> {
        self.parts.get(&View::Against).map(|page| &**page)
    }

    /// How far what is shown is read: the change that lands, or the comparison.
    pub fn read_count<'a>(&'a self, fleet: &'a FleetScreen) -> Option<&'a ReadCount> {
        match self.view {
            View::Against => self.against_read.as_ref(),
            _ => fleet.read.get(&self.id),
        }
    }

    /// A comparison was asked for and is not there yet.
    pub fn asks_to_compare(&self) -> bool {
        self.asked.is_some()
    }

    /// What ticks are put on: the change that lands; a comparison has its own, for its two sides.
    pub(super) fn ticked(&self) -> Option<(&Arc<ReviewPage>, &[Vec<Digest>])> {
        if self.view == View::Against {
            return Some((self.parts.get(&self.view)?, &self.against_digests));
        }
        Some((self.whole.as_ref()?, &self.digests))
    }

    pub fn reading(&self, ticks: &Ticks, file: usize) -> Reading {
        let of = |(whole, digests): (&FileDiff, &[Digest])| {
            ticks.reading(&self.id, &whole.change, digests)
        };
        match self.whole_file(file).map_or(Reading::Unread, of) {
            // That is told of the change that lands.
            Reading::ChangedSince if self.view == View::Against => Reading::Unread,
            reading => reading,
        }
    }

    /// Folded in a change that holds more than such files: it is not read on to, nor counted.
    pub fn is_apart(&self, file: usize) -> bool {
        self.choices.folded.contains(&file) && self.noise == Noise::Beside
    }

    /// The rows that are chosen, both ends included.
    pub fn chosen(&self) -> Option<std::ops::RangeInclusive<usize>> {
        self.range.map(|other| other.min(self.cursor)..=other.max(self.cursor))
    }

    /// Remembers where the reader is before a jump.
    pub(super) fn leave_mark(&mut self) {
        /// Nobody goes back further.
        const JUMPS_MAX: usize = 100;
        let Some(anchor) = self.anchor() else { return };
        if self.jumps.last() != Some(&anchor) {
            self.jumps.push(anchor);
        }
        if self.jumps.len() > JUMPS_MAX {
            self.jumps.remove(0);
        }
    }
}

/// As wide as the longest line number of the page, so that nothing jumps between files.
pub fn number_cells<'a>(files: impl IntoIterator<Item = &'a FileDiff>) -> usize {
    let lines = files.into_iter().map(|file| match &file.content {
        crate::review::Content::Text { old, new, .. } => old.line_count().max(new.line_count()),
        _ => 0,
    });
    lines.max().unwrap_or(0).to_string().len().max(NUMBER_CELLS_MIN)
}

pub(super) use super::{
    review_marks::keep as keep_marks, review_open::remember as remember_place,
    review_parts::landed, review_shown::note_frame,
};

pub(super) fn keep_in_view(model: &mut super::Model) {
    super::review_rows::fit(model);
}
