//! Where a reader is, told by content: found again on another page of the same shadow.

use super::review::ReviewScreen;
use crate::{
    review::{Content, FileDiff, HunkLine, LineKind, stream::StreamRow},
    shadow::RepoPath,
};

/// Text moves by a few lines, seldom by thousands.
const REACH_ROWS: usize = 500;

/// A place told by content, so that it is found again on another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    path: RepoPath,
    line: HunkLine,
    text: Vec<u8>,
    /// Rows between the top of the pane and the cursor.
    pub(super) offset: usize,
}

impl ReviewScreen {
    /// Where the cursor is, in words that outlive the page.
    pub fn anchor(&self) -> Option<Anchor> {
        let page = self.page.as_ref()?;
        let place = self.stream.place(self.cursor)?;
        let file = page.files.get(place.file)?;
        let line = match place.row {
            StreamRow::Line(line) => line,
            _ => HunkLine { kind: LineKind::Context, old_index: Some(0), new_index: Some(0) },
        };
        let text = line_text(file, line).unwrap_or_default().to_vec();
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
        let same = |row: &usize| match self.stream.place(*row).map(|place| place.row) {
            Some(StreamRow::Line(line)) => {
                line.kind == anchor.line.kind && line_text(file, line) == Some(&anchor.text[..])
            }
            _ => false,
        };
        let found = (0..REACH_ROWS).find_map(|distance| {
            let rows = [fallback.checked_sub(distance), Some(fallback + distance)];
            rows.into_iter().flatten().filter(|row| span.contains(row)).find(|row| same(row))
        });
        Some(found.unwrap_or(fallback))
    }
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
