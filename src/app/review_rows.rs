//! Which rows of the stream are on the screen: laying a page out, the cursor's place in the pane, and what
//! has been shown. A row is one line high, unless long lines wrap.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use super::{
    Effect, Model,
    review::{Noise, ReviewScreen, View, line_text, number_cells, panes},
    review_comments::placed,
    review_map::{self, MAP_CELLS},
    review_paint::Paint,
    review_within::{end_cell, scroll_end},
};
use crate::{
    review::{
        Against, FileDiff, HunkLine, ReviewPage,
        marks::{Anchor, Mark},
        pieces::breaks,
        space::without_space_changes,
        stream::{Layout, Long, Space, Stream, StreamRow},
    },
    shadow::RepoPath,
};

/// From this width on the sides stand side by side by themselves.
pub const BESIDE_COLUMNS: u16 = 150;
/// Under this they cannot.
pub const BESIDE_COLUMNS_MIN: u16 = 100;

/// Where a pane puts the cursor's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Top,
    Middle,
    Bottom,
}

impl ReviewScreen {
    /// Those that are folded are not counted in `k/n` either.
    pub(super) fn hidden_words(&self, hidden: &[RepoPath]) -> String {
        let source = self.source();
        let is_hidden = |file: &&usize| {
            let file = source.as_ref().and_then(|source| source.files.get(**file));
            file.is_some_and(|file| hidden.contains(&file.change.path))
        };
        let folded = self.choices.folded.iter().filter(is_hidden).count();
        let apart = if folded > 0 { format!(", {folded} folded") } else { String::new() };
        format!("{} read{apart} hidden · H shows all", hidden.len() - folded)
    }

    /// Lays out what the view shows of the whole; the cursor goes to `anchor` if it can.
    pub(super) fn arrange(&mut self, anchor: Option<&Anchor>) -> bool {
        let Some(source) = self.source() else { return false };
        let page = self.part_of(&source);
        let folds =
            page.files.iter().enumerate().filter(|(_, file)| {
                file.fold.is_some() && !self.unfolded.contains(&file.change.path)
            });
        self.choices.folded = folds.map(|(index, _)| index).collect();
        self.noise = if page.is_all_folded() { Noise::Alone } else { Noise::Beside };
        self.number_cells = number_cells(&page.files);
        self.choices.opened.clear();
        self.paint = Paint::default();
        self.lay_out(page, anchor)
    }

    /// All of it, mostly: then nothing is copied, however large it is.
    fn part_of(&self, source: &Arc<ReviewPage>) -> Arc<ReviewPage> {
        if self.hidden.is_empty() && self.space == Space::Shown {
            return Arc::clone(source);
        }
        let files = source.files.iter().filter(|file| !self.hidden.contains(&file.change.path));
        let files: Vec<FileDiff> = match self.space {
            Space::Shown => files.cloned().collect(),
            Space::Ignored => files.map(without_space_changes).collect(),
        };
        let ReviewPage { id, target, base, tip, snapshot, read_at_ms, .. } = &**source;
        Arc::new(ReviewPage {
            id: id.clone(),
            target: target.clone(),
            base: base.clone(),
            tip: tip.clone(),
            snapshot: snapshot.clone(),
            files,
            read_at_ms: *read_at_ms,
        })
    }

    /// The page that the view is made from.
    pub(super) fn source(&self) -> Option<Arc<ReviewPage>> {
        match self.parts.get(&self.view) {
            Some(part) => Some(Arc::clone(part)),
            None => self.whole.clone(),
        }
    }

    /// Another page, or other choices for the same one.
    pub(super) fn lay_out(&mut self, page: Arc<ReviewPage>, anchor: Option<&Anchor>) -> bool {
        let seen = self.seen();
        self.whole_of = self.find_whole(&page);
        self.stream = Stream::new(&page, &self.choices);
        self.stream.insert(&placed(self, &page));
        self.page = Some(page);
        self.laid_out += 1;
        self.shown_again(&seen);
        self.forget_changed_parts();
        self.range = None;
        self.paint.forget_words();
        let row = anchor.and_then(|anchor| self.find_anchor(anchor));
        if let (Some(row), Some(anchor)) = (row, anchor) {
            self.cursor = row;
            self.top = row.saturating_sub(anchor.offset);
        }
        self.cursor = self.stream.stop_from(self.cursor);
        if let Some(search) = self.search.take() {
            self.search = Some(search.again(self));
        }
        row.is_some()
    }

    /// Lays out what is there again, around the cursor.
    pub(super) fn lay_out_again(&mut self) {
        let (Some(page), anchor) = (self.page.clone(), self.anchor()) else { return };
        self.lay_out(page, anchor.as_ref());
    }

    fn find_whole(&self, page: &ReviewPage) -> Vec<Option<usize>> {
        let whole = self.ticked().map_or(&[][..], |(page, _)| &page.files);
        let places: BTreeMap<_, _> =
            whole.iter().enumerate().map(|(index, file)| (&file.change.path, index)).collect();
        page.files.iter().map(|file| places.get(&file.change.path).copied()).collect()
    }

    /// Screen rows that a row of the stream takes; the pane's first is its head, whatever it is.
    pub fn height(&self, row: usize, rows: usize) -> usize {
        if self.long == Long::Cut {
            return 1;
        }
        let Some(place) = self.stream.place(row) else { return 1 };
        let Some(file) = self.page.as_ref().and_then(|page| page.files.get(place.file)) else {
            return 1;
        };
        let heights = place.row.lines().map(|line| self.line_breaks(file, line, rows).len());
        heights.max().unwrap_or(1)
    }

    /// The first cell of each screen row of a line that wraps.
    pub fn line_breaks(&self, file: &FileDiff, line: HunkLine, rows: usize) -> Vec<usize> {
        // No line fills more than half the pane: what is beyond is scrolled to.
        let rows_max = (rows / 2).max(1);
        breaks(line_text(file, line).unwrap_or_default(), self.scroll, self.code_cells, rows_max)
    }

    /// Rows of the stream that are on the screen whole.
    pub fn rows_in_view(&self, rows: usize) -> Range<usize> {
        if self.long == Long::Cut {
            return self.top..(self.top + rows).min(self.stream.row_count());
        }
        let mut left = rows;
        let mut end = self.top;
        while end < self.stream.row_count() {
            let height = if end == self.top { 1 } else { self.height(end, rows) };
            if height > left {
                break;
            }
            left -= height;
            end += 1;
        }
        self.top..end
    }

    /// The topmost row from which `last` is still in view, with `spare` rows below it.
    fn top_for(&self, last: usize, spare: usize, rows: usize) -> usize {
        let mut left = rows.saturating_sub(spare);
        let mut top = last + 1;
        while top > 0 {
            let height = self.height(top - 1, rows);
            if height > left {
                break;
            }
            left -= height;
            top -= 1;
        }
        // The row at the top gives its place to the sticky head.
        top.min(last)
    }

    /// Scrolls just as far as needed. The row at the very top may lie under the sticky head, so the
    /// cursor stays below it, and a few lines away from both edges where there is room.
    pub(super) fn keep_in_view(&mut self, rows: usize) {
        if rows == 0 {
            self.top = self.top.min(self.cursor);
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
        let highest = self.top_for(self.cursor, margin, rows);
        // A cursor's row that is high leaves less room above it.
        let mut lowest = lowest.max(self.top_for(self.cursor, 0, rows));
        if rows > 1 {
            lowest = lowest.min(self.cursor.saturating_sub(1));
        }
        self.top = self.top.clamp(highest.min(lowest), lowest);
        self.top = self.top.min(self.last_top(rows));
    }

    /// How the sides stand where nobody chose.
    pub fn layout_by_width(&self, columns: u16) -> Layout {
        // Two agents' answers to one task are read side by side as soon as that can be.
        let beside_from = match (self.view, &self.against) {
            (View::Against, Some(Against::Shadow(_))) => BESIDE_COLUMNS_MIN,
            _ => BESIDE_COLUMNS,
        };
        if columns >= beside_from { Layout::Beside } else { Layout::Unified }
    }

    /// Further to the right no line on the screen goes.
    pub(super) fn scroll_max(&self, rows: usize) -> usize {
        let files = self.page.as_ref().map_or(&[][..], |page| &page.files);
        let ends = self.rows_in_view(rows).filter_map(|row| {
            let place = self.stream.place(row)?;
            let file = files.get(place.file)?;
            let lines = place.row.lines().filter_map(|line| line_text(file, line));
            lines.map(|line| end_cell(line, self.scroll, self.code_cells)).max()
        });
        scroll_end(ends.max().unwrap_or(0), self.code_cells)
    }

    /// Further down there would be nothing below the last row.
    pub(super) fn last_top(&self, rows: usize) -> usize {
        let count = self.stream.row_count();
        if self.long == Long::Cut || count == 0 {
            return count.saturating_sub(rows);
        }
        self.top_for(count - 1, 0, rows)
    }

    pub(super) fn rest(&mut self, place: Rest, rows: usize) {
        self.top = match place {
            Rest::Top => self.cursor.saturating_sub(1),
            Rest::Middle => self.top_for(self.cursor, rows / 2, rows),
            Rest::Bottom => self.top_for(self.cursor, 0, rows),
        }
        .min(self.last_top(rows));
    }
}

pub(super) fn switch_layout(model: &mut Model) -> Vec<Effect> {
    let columns = model.viewport.columns;
    if columns < BESIDE_COLUMNS_MIN {
        model.refuse(format!(
            "s: side by side wants {BESIDE_COLUMNS_MIN} columns, here are {columns}"
        ));
        return Vec::new();
    }
    let Some(screen) = &model.review else { return Vec::new() };
    let (layout, words) = match screen.choices.layout {
        Layout::Unified => (Layout::Beside, "side by side: old left, new right"),
        Layout::Beside => (Layout::Unified, "one column: old above new"),
    };
    // What the width gives is not kept: elsewhere another width decides again.
    let chosen = (layout != screen.layout_by_width(columns)).then_some(layout);
    model.memory.mark(Mark::Layout(chosen));
    let width = format!("by width, side by side from {BESIDE_COLUMNS} columns on");
    model.say(match chosen {
        Some(_) => format!("{words}, at any width · s again: {width}"),
        None => format!("{words} · {width}"),
    });
    fit(model);
    Vec::new()
}

/// Sizes have changed, or what is shown: the sides find their places, and the cursor comes into view.
pub(super) fn fit(model: &mut Model) {
    let panes = panes(model.viewport);
    let columns = model.viewport.columns;
    let Some(screen) = &mut model.review else { return };
    let wanted = model.memory.marks.layout.unwrap_or(screen.layout_by_width(columns));
    let layout = if columns < BESIDE_COLUMNS_MIN { Layout::Unified } else { wanted };
    let diff = panes.diff.saturating_sub(MAP_CELLS);
    if screen.choices.layout != layout {
        screen.choices.layout = layout;
        screen.lay_out_again();
    }
    screen.code_cells = match layout {
        Layout::Unified => diff.saturating_sub(2 * screen.number_cells + 5),
        Layout::Beside => (diff.saturating_sub(2) / 2).saturating_sub(screen.number_cells + 3),
    };
    screen.keep_in_view(panes.rows);
    review_map::draw_up(model);
}
