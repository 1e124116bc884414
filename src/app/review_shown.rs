//! What of a page has been on the screen: the ground on which `Space` gives honest ticks.

use std::{collections::BTreeSet, iter, ops::Range};

use super::{
    Model, Screen,
    review::{ReviewScreen, panes},
    review_long::is_long,
};
use crate::{
    review::{
        Content, FileDiff, HunkLine, LineKind,
        stream::{FileSpan, StreamRow},
        ticks::{Reading, Ticks},
    },
    shadow::RepoPath,
};

/// Rows of one file, counted from its head: runs in order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown(Vec<Range<usize>>);

impl Shown {
    pub(super) fn add(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let from = self.0.partition_point(|run| run.end < rows.start);
        let to = self.0.partition_point(|run| run.start <= rows.end);
        let start = self.0.get(from).map_or(rows.start, |run| run.start.min(rows.start));
        let end = to.checked_sub(1).filter(|last| *last >= from);
        let end = end.map_or(rows.end, |last| self.0[last].end.max(rows.end));
        self.0.splice(from..to.max(from), iter::once(start..end));
    }

    /// The first of `rows` that was not shown.
    pub(super) fn first_gap(&self, rows: Range<usize>) -> Option<usize> {
        let at =
            self.0.iter().find(|run| run.contains(&rows.start)).map_or(rows.start, |run| run.end);
        (at < rows.end).then_some(at)
    }
}

/// What was shown of a file, told by its lines: it holds for another layout of the same file.
pub(super) struct Seen {
    path: RepoPath,
    /// Lines of either side that were on the screen, changed or not.
    olds: BTreeSet<u32>,
    news: BTreeSet<u32>,
    /// All that there is of a file without lines.
    is_whole: bool,
}

impl Seen {
    fn add(&mut self, line: HunkLine) {
        self.olds.extend(line.old_index);
        self.news.extend(line.new_index);
    }

    fn holds(&self, line: HunkLine) -> bool {
        match line.kind {
            LineKind::Removed => line.old_index.is_some_and(|old| self.olds.contains(&old)),
            LineKind::Added | LineKind::Context => {
                line.new_index.is_some_and(|new| self.news.contains(&new))
            }
        }
    }
}

/// The frame that follows shows these rows. Keys come in bursts with no frame between: what one of them moved to and
/// the next one left was never to be seen.
pub(super) fn note_frame(model: &mut Model) {
    let viewport = model.viewport;
    if model.screen() != Screen::Review || viewport.is_tiny() || model.docked().is_some() {
        return;
    }
    let rows = panes(viewport).rows;
    if let Some(screen) = model.review.as_mut().filter(|screen| !screen.is_covered(viewport)) {
        screen.note_shown(rows);
        screen.note_long(rows);
    }
}

impl ReviewScreen {
    /// The frame that follows will show the row from its beginning.
    pub(super) fn is_to_come(&self, row: usize, rows: usize) -> bool {
        let is_head = |row| self.stream.place(row).is_some_and(|at| at.row == StreamRow::Head);
        self.scroll == 0
            && self.rows_in_view(rows).contains(&row)
            && (row > self.top || is_head(row))
    }

    /// Remembers which rows are on the screen now, from their beginning: what lies left of it was not shown.
    fn note_shown(&mut self, rows: usize) {
        let bottom = self.rows_in_view(rows).end;
        let from = self.stream.files().partition_point(|span| span.rows.end <= self.top);
        for (index, span) in self.stream.files().iter().enumerate().skip(from) {
            if span.rows.start >= bottom {
                break;
            }
            // The top row lies under the sticky head, unless it is the head itself.
            let first = if self.top > span.rows.start { self.top + 1 } else { span.rows.start };
            let end = bottom.min(span.rows.end).max(first);
            let Some(shown) = self.shown.get_mut(index) else { break };
            if self.scroll == 0 {
                shown.add(first - span.rows.start..end - span.rows.start);
                continue;
            }
            let Some(file) = self.page.as_ref().and_then(|page| page.files.get(index)) else {
                break;
            };
            for row in first..end {
                // Of very long lines it is known which of their parts were shown.
                let place = self.stream.place(row);
                if place.is_some_and(|place| place.row.lines().all(|line| is_long(file, line))) {
                    shown.add(row - span.rows.start..row + 1 - span.rows.start);
                }
            }
        }
    }

    /// All rows of the hunk have been on the screen, and of very long lines what changed.
    pub(super) fn was_shown(&self, file: usize, hunk: usize) -> bool {
        self.first_unseen_of(file, hunk).is_none() && self.first_cut_of(file, hunk).is_none()
    }

    fn first_unseen_of(&self, file: usize, hunk: usize) -> Option<usize> {
        let start = self.stream.files().get(file)?.rows.start;
        let rows = self.stream.rows_of_hunk(file, hunk);
        let gap = self.shown.get(file)?.first_gap(rows.start - start..rows.end - start)?;
        Some(start + gap)
    }

    /// The first row of the file that is unread and was not on the screen yet.
    pub fn first_unseen(&self, ticks: &Ticks, file: usize) -> Option<usize> {
        if self.reading(ticks, file) == Reading::Read {
            return None;
        }
        let hunks = self.stream.files().get(file)?.hunks.len();
        let mut unread = (0..hunks).filter(|hunk| !self.is_hunk_read(ticks, file, *hunk));
        unread.find_map(|hunk| self.first_unseen_of(file, hunk))
    }

    /// How far each file was shown, told by its lines.
    pub(super) fn seen(&self) -> Vec<Seen> {
        let Some(page) = &self.page else { return Vec::new() };
        let files = page.files.iter().zip(self.stream.files()).zip(&self.shown);
        files.map(|((file, span), shown)| self.seen_of(file, span, shown)).collect()
    }

    fn seen_of(&self, file: &FileDiff, span: &FileSpan, shown: &Shown) -> Seen {
        let path = file.change.path.clone();
        let is_whole = shown.first_gap(0..span.rows.len()).is_none() && !has_lines(file);
        let mut seen = Seen { path, olds: BTreeSet::new(), news: BTreeSet::new(), is_whole };
        for row in shown.0.iter().flat_map(Clone::clone) {
            let place = self.stream.place(span.rows.start + row);
            place.into_iter().flat_map(|place| place.row.lines()).for_each(|line| seen.add(line));
        }
        seen
    }

    /// A row was shown where all of its lines were, in whatever layout; one without lines where those below it were.
    pub(super) fn shown_again(&mut self, seen: &[Seen]) {
        let Some(page) = &self.page else { return };
        let files = page.files.iter().zip(self.stream.files());
        let shown = files.map(|(file, span)| {
            let mut shown = Shown::default();
            match seen.iter().find(|seen| seen.path == file.change.path) {
                // One that has lines now, read since or shown with its white space, was not seen by them.
                Some(seen) if seen.is_whole && !has_lines(file) => shown.add(0..span.rows.len()),
                Some(seen) if !seen.olds.is_empty() || !seen.news.is_empty() => {
                    self.show_rows(span, seen, &mut shown);
                }
                _ => {}
            }
            shown
        });
        self.shown = shown.collect();
    }

    fn show_rows(&self, span: &FileSpan, seen: &Seen, shown: &mut Shown) {
        let mut is_shown = false;
        let mut first = 0;
        for (number, row) in span.rows.clone().enumerate() {
            let Some(place) = self.stream.place(row) else { break };
            if place.row.lines().next().is_some() {
                is_shown = place.row.lines().all(|line| seen.holds(line));
                if is_shown {
                    shown.add(first..number + 1);
                }
                first = number + 1;
            }
        }
        // Notes at the end go with what is above them.
        if is_shown {
            shown.add(first..span.rows.len());
        }
    }

    /// What was shown in one view says nothing of another.
    pub(super) fn leave_page(&mut self) {
        self.shown.clear();
        self.long_shown.clear();
        self.page = None;
    }

    /// What was shown of these files says nothing of what they are now.
    pub(super) fn forget_shown(&mut self, is_other: impl Fn(&RepoPath) -> bool) {
        self.long_shown.retain(|(path, ..), _| !is_other(path));
        let Some(page) = &self.page else { return };
        for (file, shown) in page.files.iter().zip(&mut self.shown) {
            if is_other(&file.change.path) {
                *shown = Shown::default();
            }
        }
    }
}

fn has_lines(file: &FileDiff) -> bool {
    matches!(&file.content, Content::Text { blocks, .. } if !blocks.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_what_was_added(runs in prop::collection::vec((0_usize..30, 0_usize..6), 0..12)) {
            let mut shown = Shown::default();
            let mut known = [false; 40];
            for (start, count) in runs {
                shown.add(start..start + count);
                known[start..start + count].fill(true);
            }
            for (row, is_known) in known.iter().enumerate() {
                prop_assert_eq!(shown.first_gap(row..row + 1).is_none(), *is_known, "{} {:?}", row, shown);
            }
            let gap = known.iter().position(|known| !known).unwrap_or(40);
            prop_assert_eq!(shown.first_gap(0..40), (gap < 40).then_some(gap));
            prop_assert!(shown.0.windows(2).all(|pair| pair[0].end < pair[1].start), "{:?}", shown);
        }
    }
}
