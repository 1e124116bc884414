//! Comments in the stream: each below the last of its lines, else at its file's head or beside the fold that hides
//! them. What was in the stream keeps its order, so that comments come and go around it.

use super::{
    LineKind,
    comment::{At, Found, Side},
    stream::{Run, Segment, Stream, StreamRow},
};

/// A thread, by its place among all, with where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub thread: usize,
    pub side: Side,
    pub found: Found,
}

impl Stream {
    pub fn insert(&mut self, placed: &[Placed]) {
        let mut inserted: Vec<(usize, StreamRow)> = Vec::new();
        for one in placed {
            let Some((row, folded_at)) = self.row_before(one) else { continue };
            let (thread, is_outdated) = (one.thread, one.found.at == At::Outdated);
            inserted.push((row, StreamRow::Comment { thread, is_outdated, folded_at }));
            if is_outdated {
                inserted.push((row, StreamRow::Was { thread }));
            }
        }
        if inserted.is_empty() {
            return;
        }
        inserted.sort_by_key(|(row, _)| *row);
        let behind = |row: usize| row + inserted.partition_point(|(after, _)| *after < row);
        for span in &mut self.files {
            span.rows = behind(span.rows.start)..behind(span.rows.end);
            span.first_stop = behind(span.first_stop);
        }
        for row in &mut self.hunk_rows {
            *row = behind(*row);
        }
        self.split(&inserted);
        self.row_count += inserted.len();
        let comments = self.segments.iter().filter_map(|segment| match segment.run {
            Run::One(StreamRow::Comment { thread, .. }) => Some((segment.first_row, thread)),
            _ => None,
        });
        self.comments = comments.collect();
    }

    /// Rows of comments with their threads, in order.
    pub fn comments(&self) -> &[(usize, usize)] {
        &self.comments
    }

    /// The segments with the rows among them.
    fn split(&mut self, inserted: &[(usize, StreamRow)]) {
        let segments = std::mem::take(&mut self.segments);
        let mut rows = inserted.iter().peekable();
        let mut shift = 0;
        for (index, segment) in segments.iter().enumerate() {
            let end = segments.get(index + 1).map_or(self.row_count, |next| next.first_row);
            let mut rest = *segment;
            let mut start = segment.first_row;
            while let Some((after, row)) = rows.next_if(|(after, _)| *after < end) {
                if *after >= start {
                    self.segments.push(Segment { first_row: start + shift, ..rest });
                    rest.run = segment.run.from(after + 1 - segment.first_row);
                    start = after + 1;
                }
                let first_row = after + 1 + shift;
                self.segments.push(Segment { first_row, run: Run::One(*row), ..*segment });
                shift += 1;
            }
            if start < end {
                self.segments.push(Segment { first_row: start + shift, ..rest });
            }
        }
    }

    /// The row that it stands below, and its line where that row does not show it.
    fn row_before(&self, placed: &Placed) -> Option<(usize, Option<u32>)> {
        let span = self.files.get(placed.found.file)?;
        let head = span.rows.start;
        let At::Lines(range) = &placed.found.at else {
            return Some((head, None));
        };
        let last = range.end.saturating_sub(1);
        let from = self.segments.partition_point(|segment| segment.first_row < head);
        let (mut before, mut fold) = (head, None);
        for (index, segment) in self.segments.iter().enumerate().skip(from) {
            if segment.first_row >= span.rows.end {
                break;
            }
            if let Run::One(row) = segment.run {
                fold = matches!(row, StreamRow::Fold { .. }).then_some(segment.first_row).or(fold);
                continue;
            }
            let end = self.segments.get(index + 1).map_or(self.row_count, |next| next.first_row);
            let rows = u32::try_from(end - segment.first_row).unwrap_or(u32::MAX);
            let Some((start, end)) = segment.run.lines_of(placed.side, rows) else { continue };
            if start > last {
                return Some((fold.unwrap_or(before), Some(range.start)));
            }
            if last < end {
                return Some((segment.first_row + (last - start) as usize, None));
            }
            before = segment.first_row + (rows as usize - 1);
            fold = None;
        }
        Some((fold.unwrap_or(before), Some(range.start)))
    }
}

impl Run {
    /// What is left of it behind so many rows.
    fn from(self, rows: usize) -> Self {
        let by = u32::try_from(rows).unwrap_or(u32::MAX);
        match self {
            Self::One(row) => Self::One(row),
            Self::Lines { kind, old, new } => match kind {
                LineKind::Context => Self::Lines { kind, old: old + by, new: new + by },
                LineKind::Removed => Self::Lines { kind, old: old + by, new },
                LineKind::Added => Self::Lines { kind, old, new: new + by },
            },
            // The shorter side may have ended before.
            Self::Pairs { old, new } => {
                let [old, new] = [old, new].map(|[start, end]| [(start + by).min(end), end]);
                Self::Pairs { old, new }
            }
        }
    }

    /// The first line of a side that it shows, and the one behind the last.
    fn lines_of(self, side: Side, rows: u32) -> Option<(u32, u32)> {
        let found = match (self, side) {
            (Self::One(_), _)
            | (Self::Lines { kind: LineKind::Added, .. }, Side::Old)
            | (Self::Lines { kind: LineKind::Removed, .. }, Side::New) => return None,
            (Self::Lines { old, .. }, Side::Old) => (old, old + rows),
            (Self::Lines { new, .. }, Side::New) => (new, new + rows),
            (Self::Pairs { old: [start, end], .. }, Side::Old)
            | (Self::Pairs { new: [start, end], .. }, Side::New) => (start, end),
        };
        (found.0 < found.1).then_some(found)
    }
}
