//! A whole page of review as one stream of rows, and where everything in it is.
//! Rows are computed from runs, never stored: a hundred thousand lines cost what their blocks cost,
//! and any row is found by bisection.

mod writer;

use std::ops::Range;

use self::writer::FileWriter;
pub use super::stream_row::{Choices, Layout, Long, Note, Space, StreamRow};
use super::{
    Content, Entry, FileChange, FileDiff, HunkLine, LineKind, Mode, ReviewPage,
    endings::only_endings,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    One(StreamRow),
    /// Starts of the sides; a side that the kind lacks is where it would go on.
    Lines {
        kind: LineKind,
        old: u32,
        new: u32,
    },
    /// Starts and ends of both sides of a block.
    Pairs {
        old: [u32; 2],
        new: [u32; 2],
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) first_row: usize,
    pub(super) file: usize,
    /// Counts from 0 within the file.
    pub(super) hunk: usize,
    pub(super) run: Run,
}

impl Segment {
    fn place(&self, offset: u32) -> Place {
        let row = match self.run {
            Run::One(row) => row,
            Run::Lines { kind, old, new } => StreamRow::Line(HunkLine {
                kind,
                old_index: (kind != LineKind::Added).then_some(old + offset),
                new_index: (kind != LineKind::Removed).then_some(new + offset),
            }),
            Run::Pairs { old, new } => {
                let at = |[start, end]: [u32; 2]| Some(start + offset).filter(|at| *at < end);
                StreamRow::Pair { old: at(old), new: at(new) }
            }
        };
        Place { file: self.file, hunk: self.hunk, row }
    }
}

/// Where a file lies in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSpan {
    /// Its head and all below it.
    pub rows: Range<usize>,
    /// Where the cursor goes when it goes to the file.
    pub first_stop: usize,
    /// The blocks that each hunk shows; one of none where there are no lines to choose from.
    pub hunks: Vec<Range<usize>>,
}

/// A run of changed rows, for a map of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedRun {
    pub file: usize,
    pub hunk: usize,
    pub removed: usize,
    pub added: usize,
}

/// A row with what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: usize,
    pub hunk: usize,
    pub row: StreamRow,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    pub(super) segments: Vec<Segment>,
    pub(super) files: Vec<FileSpan>,
    /// The first changed row of each hunk, in order; a file without hunks counts as one.
    pub(super) hunk_rows: Vec<usize>,
    pub(super) row_count: usize,
    pub(super) comments: Vec<(usize, usize)>,
    /// Comparisons that pairing has cost so far.
    compared: usize,
}

impl Stream {
    pub fn new(page: &ReviewPage, choices: &Choices) -> Self {
        Self::of_files(&page.files, choices)
    }

    pub fn of_files(files: &[FileDiff], choices: &Choices) -> Self {
        let mut stream = Self::default();
        for (file, diff) in files.iter().enumerate() {
            stream.push_file(file, diff, choices);
        }
        stream
    }

    pub fn row_count(&self) -> usize {
        self.row_count
    }

    pub fn files(&self) -> &[FileSpan] {
        &self.files
    }

    /// `None` behind the last row.
    pub fn place(&self, row: usize) -> Option<Place> {
        let (segment, offset) = self.locate(row)?;
        Some(segment.place(offset))
    }

    /// Rows that follow each other: the first is looked for, the others are met on the way.
    pub fn places(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, Place)> {
        let rows = rows.start..rows.end.min(self.row_count);
        let mut index = self.segments.partition_point(|segment| segment.first_row <= rows.start);
        rows.filter_map(move |row| {
            while self.segments.get(index).is_some_and(|segment| segment.first_row <= row) {
                index += 1;
            }
            let segment = self.segments.get(index.checked_sub(1)?)?;
            let offset = u32::try_from(row - segment.first_row).ok()?;
            Some((row, segment.place(offset)))
        })
    }

    fn locate(&self, row: usize) -> Option<(Segment, u32)> {
        if row >= self.row_count {
            return None;
        }
        let behind = self.segments.partition_point(|segment| segment.first_row <= row);
        let segment = *self.segments.get(behind.checked_sub(1)?)?;
        Some((segment, u32::try_from(row - segment.first_row).ok()?))
    }

    /// Whether the cursor may stand there.
    pub fn is_stop(&self, row: usize) -> bool {
        self.place(row)
            .is_some_and(|place| !matches!(place.row, StreamRow::Blank | StreamRow::Head))
    }

    /// The nearest stop at or behind `row`, else the last one before it; 0 in an empty stream.
    pub fn stop_from(&self, row: usize) -> usize {
        let row = row.min(self.row_count.saturating_sub(1));
        // Blank and head come at most in pairs.
        let ahead = (row..self.row_count.min(row + 3)).find(|row| self.is_stop(*row));
        ahead.or_else(|| self.stop_before(row + 1)).unwrap_or(0)
    }

    /// The last stop before `row`.
    pub fn stop_before(&self, row: usize) -> Option<usize> {
        (row.saturating_sub(3)..row).rev().find(|row| self.is_stop(*row))
    }

    pub fn last_stop(&self) -> usize {
        self.stop_before(self.row_count).unwrap_or(0)
    }

    /// The next stop, skipping heads.
    pub fn stop_after(&self, row: usize) -> Option<usize> {
        (row + 1..self.row_count.min(row + 4)).find(|row| self.is_stop(*row))
    }

    /// The rows of a hunk, with the context around it; of the first one, the file's head too.
    pub fn rows_of_hunk(&self, file: usize, hunk: usize) -> Range<usize> {
        let place = |segment: &Segment| (segment.file, segment.hunk);
        let first = self.segments.partition_point(|segment| place(segment) < (file, hunk));
        let behind = self.segments.partition_point(|segment| place(segment) <= (file, hunk));
        let row = |index: usize| {
            self.segments.get(index).map_or(self.row_count, |segment| segment.first_row)
        };
        let head = self.files.get(file).map_or(0, |span| span.rows.start);
        row(first).max(head)..row(behind)
    }

    /// The runs that show a change in these rows; of more than `runs_max` some, evenly spread.
    pub fn changes(
        &self,
        rows: Range<usize>,
        runs_max: usize,
    ) -> impl Iterator<Item = ChangedRun> + '_ {
        let first = self.segments.partition_point(|segment| segment.first_row <= rows.start);
        let first = first.saturating_sub(1);
        let behind = self.segments.partition_point(|segment| segment.first_row < rows.end);
        let step = (behind - first).div_ceil(runs_max.max(1)).max(1);
        (first..behind).step_by(step).filter_map(move |index| {
            let segment = self.segments[index];
            let next = self.segments.get(index + 1).map_or(self.row_count, |next| next.first_row);
            let start = rows.start.max(segment.first_row) - segment.first_row;
            let end = rows.end.min(next) - segment.first_row;
            let count =
                |[from, until]: [u32; 2]| ((until - from) as usize).clamp(start, end) - start;
            let (removed, added) = match segment.run {
                Run::Lines { kind: LineKind::Removed, .. } => (end - start, 0),
                Run::Lines { kind: LineKind::Added, .. } | Run::One(StreamRow::Note(_)) => {
                    (0, end - start)
                }
                Run::Pairs { old, new } => (count(old), count(new)),
                Run::Lines { kind: LineKind::Context, .. } | Run::One(_) => return None,
            };
            Some(ChangedRun { file: segment.file, hunk: segment.hunk, removed, added })
        })
    }

    pub fn hunk_after(&self, row: usize) -> Option<usize> {
        self.hunk_rows.get(self.hunk_rows.partition_point(|start| *start <= row)).copied()
    }

    pub fn hunk_before(&self, row: usize) -> Option<usize> {
        let ahead = self.hunk_rows.partition_point(|start| *start < row);
        self.hunk_rows.get(ahead.checked_sub(1)?).copied()
    }

    /// The row that shows this line of a file, or the nearest one that does.
    pub fn row_of(&self, file: usize, line: HunkLine) -> Option<usize> {
        let span = self.files.get(file)?;
        let from = self.segments.partition_point(|segment| segment.first_row < span.rows.start);
        let mut best: Option<(u32, usize)> = None;
        for (index, segment) in self.segments[from..].iter().enumerate() {
            if segment.file != file {
                break;
            }
            let next = self.segments.get(from + index + 1);
            let end = next.map_or(self.row_count, |next| next.first_row);
            let rows = u32::try_from(end - segment.first_row).unwrap_or(u32::MAX);
            let Some((start, last, wanted, is_alike)) = reach(segment.run, rows, line) else {
                continue;
            };
            let nearest = wanted.clamp(start, last);
            // Of equally near rows the one of the same kind wins.
            let distance = 2 * nearest.abs_diff(wanted) + u32::from(!is_alike);
            if best.is_none_or(|(known, _)| distance < known) {
                best = Some((distance, segment.first_row + (nearest - start) as usize));
            }
        }
        best.map(|(_, row)| row)
    }

    fn push(&mut self, file: usize, hunk: usize, run: Run, rows: u32) {
        if rows > 0 {
            self.segments.push(Segment { first_row: self.row_count, file, hunk, run });
            self.row_count += rows as usize;
        }
    }

    fn push_row(&mut self, file: usize, hunk: usize, row: StreamRow) {
        self.push(file, hunk, Run::One(row), 1);
    }

    fn push_file(&mut self, file: usize, diff: &FileDiff, choices: &Choices) {
        if file > 0 {
            self.push_row(file, 0, StreamRow::Blank);
        }
        let start = self.row_count;
        self.push_row(file, 0, StreamRow::Head);
        let first_stop = self.row_count;
        let mode_changed = match (&diff.change.old, &diff.change.new) {
            (Some(old), Some(new)) => old.mode != new.mode,
            _ => false,
        };
        let mut hunks = Vec::new();
        if choices.folded.contains(&file) {
            self.hunk_rows.push(self.row_count);
            self.push_row(file, 0, StreamRow::Note(Note::Folded));
            self.push_endings(file, diff);
        } else {
            if mode_changed {
                self.push_row(file, 0, StreamRow::Note(Note::Mode));
            } else if is_link(diff.change.old.as_ref()) || is_link(diff.change.new.as_ref()) {
                self.push_row(file, 0, StreamRow::Note(Note::Link));
            }
            self.push_endings(file, diff);
            hunks = self.push_content(file, diff, choices, mode_changed);
        }
        if hunks.is_empty() {
            hunks.push(0..0);
        }
        // Where lines are folded before the first change, the cursor goes to what is shown.
        let is_fold =
            matches!(self.place(first_stop), Some(Place { row: StreamRow::Fold { .. }, .. }));
        let first_stop = first_stop + usize::from(is_fold);
        self.files.push(FileSpan { rows: start..self.row_count, first_stop, hunks });
    }

    fn push_endings(&mut self, file: usize, diff: &FileDiff) {
        let Content::Text { old, new, blocks } = &diff.content else { return };
        if let Some(endings) = only_endings(old, new, blocks) {
            self.push_row(file, 0, StreamRow::Note(Note::Endings(endings)));
        }
    }

    /// Gives the blocks of each hunk.
    fn push_content(
        &mut self,
        file: usize,
        diff: &FileDiff,
        choices: &Choices,
        has_note: bool,
    ) -> Vec<Range<usize>> {
        match &diff.content {
            Content::Text { old, new, blocks } if !blocks.is_empty() => {
                let mut writer = FileWriter {
                    stream: self,
                    file,
                    texts: [old, new],
                    hunks: Vec::new(),
                    old: 0,
                    new: 0,
                };
                writer.push_blocks(blocks, old.line_count(), choices);
                let hunks = writer.hunks;
                if !old.has_final_newline() || !new.has_final_newline() {
                    self.push_newline_notes(file, diff, hunks.len().saturating_sub(1));
                }
                hunks
            }
            content => {
                self.hunk_rows.push(self.row_count - usize::from(has_note));
                let note = match content {
                    Content::Text { .. } => Note::NoLines,
                    _ => Note::Content,
                };
                if !has_note || note == Note::Content {
                    self.push_row(file, 0, StreamRow::Note(note));
                }
                for index in 0..diff.passed.len() {
                    self.push_row(file, 0, StreamRow::Note(Note::Passed(index)));
                }
                Vec::new()
            }
        }
    }

    /// Said where the last lines are shown and the sides differ in it; a link never has one.
    fn push_newline_notes(&mut self, file: usize, diff: &FileDiff, hunk: usize) {
        let Content::Text { old, new, blocks } = &diff.content else { return };
        let touches_end = blocks.last().is_some_and(|block| block.old.end == old.line_count());
        if !touches_end {
            return;
        }
        let FileChange { old: before, new: after, .. } = &diff.change;
        for (text, entry, kind) in [(old, before, LineKind::Removed), (new, after, LineKind::Added)]
        {
            if !text.has_final_newline() && !is_link(entry.as_ref()) {
                self.push_row(file, hunk, StreamRow::Note(Note::NoNewline(kind)));
            }
        }
    }
}

fn is_link(entry: Option<&Entry>) -> bool {
    entry.is_some_and(|entry| entry.mode == Mode::Symlink)
}

/// First and last index of the side that `line` is looked for on, the index looked for, and whether the run holds
/// lines of its kind.
fn reach(run: Run, rows: u32, line: HunkLine) -> Option<(u32, u32, u32, bool)> {
    match run {
        Run::One(_) => None,
        Run::Lines { kind, old, new } => {
            let (start, wanted) = match (kind, line.old_index, line.new_index) {
                (LineKind::Removed, Some(wanted), _) | (LineKind::Context, Some(wanted), None) => {
                    (old, wanted)
                }
                (LineKind::Removed, None, _) | (_, None, None) => return None,
                (_, _, Some(wanted)) => (new, wanted),
                (_, Some(wanted), None) => (old, wanted),
            };
            Some((start, start + rows - 1, wanted, kind == line.kind))
        }
        Run::Pairs { old, new } => {
            let ([start, end], wanted) = match (line.old_index, line.new_index) {
                (_, Some(wanted)) if new[0] < new[1] => (new, wanted),
                (Some(wanted), _) => (old, wanted),
                _ => return None,
            };
            (start < end).then(|| (start, end - 1, wanted, line.kind != LineKind::Context))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use proptest::prelude::*;

    use super::*;
    use crate::{
        review::{Block, Entry, FileChange, FileStatus, Mode, Text, diff::hunks},
        shadow::{Oid, RepoPath},
    };

    fn entry(digit: char) -> Entry {
        let oid = Oid::parse(&digit.to_string().repeat(40)).expect("40 digits");
        Entry { mode: Mode::File, oid }
    }

    fn file(old: u32, new: u32, blocks: Vec<Block>) -> FileDiff {
        // A few different lines, so that some have a partner at another place.
        let line =
            |index: u32| format!("{}\n", ["let a = b;", "x", "return a + b;"][index as usize % 3]);
        let text =
            |lines: u32| Arc::new(Text::new((0..lines).map(line).collect::<String>().into_bytes()));
        let change = FileChange {
            path: RepoPath::new("a"),
            old_path: None,
            status: FileStatus::Modified,
            old: Some(entry('1')),
            new: Some(entry('2')),
            insertions: 0,
            deletions: 0,
            binary: false,
        };
        FileDiff::new(change, Content::Text { old: text(old), new: text(new), blocks })
    }

    /// Gap before, lines removed, lines added; then lines behind the last block.
    fn files() -> impl Strategy<Value = Vec<FileDiff>> {
        let block = (1_u32..30, 0_u32..5, 0_u32..5).prop_filter("changes", |b| b.1 + b.2 > 0);
        let one = (prop::collection::vec(block, 0..6), 0_u32..12).prop_map(|(parts, rest)| {
            let (mut old, mut new) = (0, 0);
            let mut blocks = Vec::new();
            for (gap, removed, added) in parts {
                (old, new) = (old + gap, new + gap);
                blocks.push(Block { old: old..old + removed, new: new..new + added });
                (old, new) = (old + removed, new + added);
            }
            file(old + rest, new + rest, blocks)
        });
        prop::collection::vec(one, 0..4)
    }

    proptest! {
        #[test]
        fn every_row_is_reached_and_every_change_is_there_once(
            files in files(), context in 0_u32..9, open in prop::bool::ANY, fold in prop::bool::ANY, beside in prop::bool::ANY, ends in prop::bool::ANY,
        ) {
            let opened = if open { [(0, 1), (1, 0)].into() } else { BTreeSet::new() };
            let folded = if fold { [1].into() } else { BTreeSet::new() };
            let layout = if beside { Layout::Beside } else { Layout::Unified };
            let choices = Choices { context, folded, opened, ends, layout };
            let stream = Stream::of_files(&files, &choices);
            prop_assert_eq!(stream.place(stream.row_count()), None);
            let met: Vec<_> = stream.places(0..usize::MAX).collect();
            let found = (0..stream.row_count()).filter_map(|row| Some((row, stream.place(row)?)));
            prop_assert_eq!(met, found.collect::<Vec<_>>());
            let mut changed = vec![0_usize; files.len()];
            for row in 0..stream.row_count() {
                let place = stream.place(row).expect("a row in range");
                prop_assert!(stream.files()[place.file].rows.contains(&row) || place.row == StreamRow::Blank);
                for line in place.row.lines() {
                    changed[place.file] += usize::from(line.kind != LineKind::Context);
                    prop_assert_eq!(stream.row_of(place.file, line), Some(row));
                }
            }
            for (index, diff) in files.iter().enumerate() {
                let Content::Text { old, blocks, .. } = &diff.content else { unreachable!() };
                let expected: usize = blocks.iter().map(|b| b.old.len() + b.new.len()).sum();
                let shown = !choices.folded.contains(&index);
                // With its ends, each line of a file is a row or is told by one.
                let rows = stream.files()[index].rows.clone().filter_map(|row| stream.place(row));
                let old_lines = rows.flat_map(|place| match place.row {
                    StreamRow::Fold { lines, .. } => vec![lines],
                    row => row.lines().filter_map(|line| line.old_index.map(|_| 1)).collect(),
                });
                if shown && ends && !blocks.is_empty() {
                    prop_assert_eq!(old_lines.sum::<u32>(), old.line_count());
                }
                prop_assert_eq!(changed[index], if shown { expected } else { 0 });
                if shown && !open && !blocks.is_empty() {
                    let count = hunks(blocks, old.line_count(), context).len();
                    prop_assert_eq!(stream.files()[index].hunks.len(), count);
                }
            }
        }

        #[test]
        fn moving_never_leaves_the_stream(files in files(), start in 0_usize..200) {
            let choices = Choices { context: 3, folded: BTreeSet::new(), opened: BTreeSet::new(), ends: true, layout: Layout::Unified };
            let stream = Stream::of_files(&files, &choices);
            let row = stream.stop_from(start);
            prop_assert_eq!(stream.is_stop(row), !files.is_empty());
            // Down to the end and up again meets the same stops.
            let mut down = vec![stream.stop_from(0)];
            while let Some(next) = stream.stop_after(*down.last().expect("one")) {
                down.push(next);
            }
            prop_assert_eq!(*down.last().expect("one"), stream.last_stop());
            let mut up = vec![stream.last_stop()];
            while let Some(next) = stream.stop_before(*up.last().expect("one")) {
                up.push(next);
            }
            up.reverse();
            prop_assert_eq!(down, up);
            for row in [stream.hunk_after(start), stream.hunk_before(start)].into_iter().flatten() {
                prop_assert!(row < stream.row_count());
            }
        }
    }
}
