//! What of a page has been on the screen: the ground on which `Space` gives honest ticks.

use std::{iter, ops::Range};

use super::review::ReviewScreen;
use crate::{
    review::{
        HunkLine,
        ticks::{Reading, Ticks},
    },
    shadow::RepoPath,
};

/// Rows of one file, counted from its head: runs in order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown(Vec<Range<usize>>);

impl Shown {
    fn add(&mut self, rows: Range<usize>) {
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
    fn first_gap(&self, rows: Range<usize>) -> Option<usize> {
        let at =
            self.0.iter().find(|run| run.contains(&rows.start)).map_or(rows.start, |run| run.end);
        (at < rows.end).then_some(at)
    }
}

/// What was shown of a file, told by its lines: it holds for another layout of the same file.
pub(super) struct Seen {
    path: RepoPath,
    runs: Vec<[HunkLine; 2]>,
    is_whole: bool,
}

impl ReviewScreen {
    /// Remembers which rows are on the screen now.
    pub(super) fn note_shown(&mut self, rows: usize) {
        let bottom = self.rows_in_view(rows).end;
        let from = self.stream.files().partition_point(|span| span.rows.end <= self.top);
        for (index, span) in self.stream.files().iter().enumerate().skip(from) {
            if span.rows.start >= bottom {
                break;
            }
            // The top row lies under the sticky head, unless it is the head itself.
            let first = if self.top > span.rows.start { self.top + 1 } else { span.rows.start };
            let end = bottom.min(span.rows.end);
            if let Some(shown) = self.shown.get_mut(index) {
                shown.add(first - span.rows.start..end.max(first) - span.rows.start);
            }
        }
    }

    /// All rows of the hunk have been on the screen.
    pub(super) fn was_shown(&self, file: usize, hunk: usize) -> bool {
        self.first_unseen_of(file, hunk).is_none()
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
        let of = |((file, span), shown): ((&crate::review::FileDiff, _), &Shown)| {
            let span: &crate::review::stream::FileSpan = span;
            let line = |row: usize| self.stream.place(span.rows.start + row)?.row.line();
            let ends = |run: &Range<usize>| {
                Some([run.clone().find_map(line)?, run.clone().rev().find_map(line)?])
            };
            Seen {
                path: file.change.path.clone(),
                runs: shown.0.iter().filter_map(ends).collect(),
                is_whole: shown.first_gap(0..span.rows.len()).is_none(),
            }
        };
        files.map(of).collect()
    }

    pub(super) fn shown_again(&mut self, seen: &[Seen]) {
        let Some(page) = &self.page else { return };
        let files = page.files.iter().zip(self.stream.files()).enumerate();
        let shown = files.map(|(index, (file, span))| {
            let mut shown = Shown::default();
            let Some(seen) = seen.iter().find(|seen| seen.path == file.change.path) else {
                return shown;
            };
            // A folded file showed none of its lines.
            if seen.is_whole && !self.choices.folded.contains(&index) {
                shown.add(0..span.rows.len());
            }
            for [first, last] in &seen.runs {
                let row = |line: HunkLine| self.stream.row_of(index, line);
                if let (Some(first), Some(last)) = (row(*first), row(*last)) {
                    let first = if first <= span.first_stop { span.rows.start } else { first };
                    shown.add(first - span.rows.start..(last + 1).max(first) - span.rows.start);
                }
            }
            shown
        });
        self.shown = shown.collect();
    }

    /// What was shown of these files says nothing of what they are now.
    pub(super) fn forget_shown(&mut self, is_other: impl Fn(&RepoPath) -> bool) {
        let Some(page) = &self.page else { return };
        for (file, shown) in page.files.iter().zip(&mut self.shown) {
            if is_other(&file.change.path) {
                *shown = Shown::default();
            }
        }
    }
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
