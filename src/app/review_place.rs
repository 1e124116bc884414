//! Where a reader is, told by content: found again on another page of the same shadow.

use super::review::ReviewScreen;
use crate::review::{Content, FileDiff, HunkLine, LineKind, marks::Anchor, stream::StreamRow};

/// Text moves by a few lines, seldom by thousands.
const REACH_ROWS: usize = 500;

/// So much of a line tells it from others.
const TEXT_BYTES_MAX: usize = 200;

impl ReviewScreen {
    /// Where the cursor is, in words that outlive the page.
    pub fn anchor(&self) -> Option<Anchor> {
        let page = self.page.as_ref()?;
        let place = self.stream.place(self.cursor)?;
        let file = page.files.get(place.file)?;
        let top = HunkLine { kind: LineKind::Context, old_index: Some(0), new_index: Some(0) };
        // A comment is told by the line that it stands below.
        let span = self.stream.files().get(place.file)?;
        let mut above = (span.rows.start..=self.cursor).rev().take(REACH_ROWS);
        let is_comment = matches!(place.row, StreamRow::Comment { .. } | StreamRow::Was { .. });
        let line_of = |row| self.stream.place(row)?.row.line();
        let near = if is_comment { above.find_map(line_of) } else { place.row.line() };
        let line = near.unwrap_or(top);
        let text = begins(line_text(file, line).unwrap_or_default()).to_vec();
        let offset = self.cursor - self.top.min(self.cursor);
        Some(Anchor { path: file.change.path.clone(), line, text, offset })
    }

    /// The same text in the same file, nearest to where it was; else the nearest line.
    pub(super) fn find_anchor(&self, anchor: &Anchor) -> Option<usize> {
        let page = self.page.as_ref()?;
        let index = page.files.iter().position(|file| file.change.path == anchor.path)?;
        let file = &page.files[index];
        let near = self.stream.row_of(index, anchor.line);
        let fallback = near.unwrap_or(self.stream.files()[index].first_stop);
        let span = self.stream.files()[index].rows.clone();
        let alike = |line: HunkLine| {
            let text = line_text(file, line).map(begins);
            line.kind == anchor.line.kind && text == Some(&anchor.text[..])
        };
        let same =
            |row: &usize| self.stream.place(*row).is_some_and(|place| place.row.lines().any(alike));
        let found = (0..REACH_ROWS).find_map(|distance| {
            let rows = [fallback.checked_sub(distance), Some(fallback + distance)];
            rows.into_iter().flatten().filter(|row| span.contains(row)).find(|row| same(row))
        });
        Some(found.unwrap_or(fallback))
    }
}

fn begins(line: &[u8]) -> &[u8] {
    &line[..line.len().min(TEXT_BYTES_MAX)]
}

/// The line's bytes on the side that the row shows.
pub fn line_text(file: &FileDiff, line: HunkLine) -> Option<&[u8]> {
    let Content::Text { old, new, .. } = &file.content else { return None };
    let (text, index) = match (line.kind, line.old_index, line.new_index) {
        (LineKind::Removed, Some(index), _) | (_, Some(index), None) => (old, index),
        (_, _, Some(index)) => (new, index),
        _ => return None,
    };
    (index < text.line_count()).then(|| text.line(index))
}
