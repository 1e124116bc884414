//! Changed lines that are too long for the screen: how much of each has been on it, so that `Space` ticks no hunk of
//! which a changed part was never to be seen. Of a very long one all that changed counts; of a shorter one, which is
//! read from its beginning, what changed first: where that lies behind the cut, it looked as if nothing had changed.

use std::{ops::Range, sync::OnceLock};

use super::{
    review::{ReviewScreen, line_text},
    review_shown::Shown,
};
use crate::{
    review::{
        Block, Content, FileDiff, HunkLine, LineKind,
        pieces::{byte_of, cell_of},
        stream::Long,
        ticks::{Reading, Ticks},
        words::LINE_BYTES_MAX,
    },
    shadow::RepoPath,
};

/// A line by its file, its number on either side, and its length: another text at its place is another line.
pub(super) type LongLine = (RepoPath, Option<u32>, Option<u32>, usize);

/// What of such a line was on the screen.
#[derive(Debug, Default)]
pub(super) struct LongShown {
    bytes: Shown,
    /// The bytes that differ from the other side, once they were asked for: megabytes are compared once, not at each key.
    changed: OnceLock<Range<usize>>,
}

fn changed_line(file: &FileDiff, line: HunkLine) -> Option<(LongLine, &[u8])> {
    let bytes = line_text(file, line)?;
    let path = file.change.path.clone();
    match line.kind {
        LineKind::Context => None,
        LineKind::Removed => Some(((path, line.old_index, None, bytes.len()), bytes)),
        LineKind::Added => Some(((path, None, line.new_index, bytes.len()), bytes)),
    }
}

/// So long that not all of it is compared word by word.
pub(super) fn is_long(file: &FileDiff, line: HunkLine) -> bool {
    line.kind != LineKind::Context
        && line_text(file, line).is_some_and(|bytes| bytes.len() > LINE_BYTES_MAX)
}

impl ReviewScreen {
    /// Remembers the bytes of such lines that are on the screen now.
    pub(super) fn note_long(&mut self, rows: usize) {
        let Some(page) = self.page.clone() else { return };
        // The row at the top lies under the sticky head.
        for (_, place) in self.stream.places(self.rows_in_view(rows)).skip(1) {
            let Some(file) = page.files.get(place.file) else { break };
            for line in place.row.lines() {
                let Some((key, bytes)) = changed_line(file, line) else { continue };
                let is_long = bytes.len() > LINE_BYTES_MAX;
                let words = self.words_of(place.file, file, line);
                if !is_long && words.is_empty() {
                    continue;
                }
                let last = match self.long {
                    Long::Cut => self.scroll,
                    Long::Wraps => {
                        self.line_breaks(file, line, rows).last().copied().unwrap_or(self.scroll)
                    }
                };
                // Where it goes on, its last cell is the sign for that.
                let mut end = byte_of(bytes, last + self.code_cells);
                if end < bytes.len() {
                    end = byte_of(bytes, (last + self.code_cells).saturating_sub(1));
                }
                let start = byte_of(bytes, self.scroll + usize::from(self.scroll > 0));
                let shown = start..end.max(start);
                let first = words.first().map(|word| word.start as usize);
                if is_long || self.long_shown.contains_key(&key) {
                    self.long_shown.entry(key).or_default().bytes.add(shown);
                } else if let Some(first) = first.filter(|first| !shown.contains(first)) {
                    let long = LongShown::default();
                    long.changed.get_or_init(|| first..first + 1);
                    self.long_shown.insert(key, long);
                }
            }
        }
    }

    fn words_of(&self, index: usize, file: &FileDiff, line: HunkLine) -> &[Range<u32>] {
        match &file.content {
            Content::Text { blocks, .. } => self.paint.words(index, blocks, line),
            _ => &[],
        }
    }

    /// The cell in which begins what changed behind the cut of a row: of very long lines one looks for it oneself.
    pub(super) fn cell_cut_off(&self, row: usize) -> Option<usize> {
        let place = self.stream.place(row)?;
        let file = self.page.as_ref()?.files.get(place.file)?;
        let lines = place.row.lines().filter(|line| !is_long(file, *line));
        let cells = lines.filter(|line| self.is_cut(file, *line)).filter_map(|line| {
            let (key, bytes) = changed_line(file, line)?;
            Some(cell_of(bytes, self.long_shown.get(&key)?.changed.get()?.start))
        });
        cells.min()
    }

    /// The row of the hunk's first line of which a changed part was never shown.
    pub(super) fn first_cut_of(&self, file: usize, hunk: usize) -> Option<usize> {
        let diff = self.page.as_ref()?.files.get(file)?;
        self.stream.rows_of_hunk(file, hunk).find(|row| {
            let place = self.stream.place(*row);
            place.is_some_and(|place| place.row.lines().any(|line| self.is_cut(diff, line)))
        })
    }

    /// The same of all hunks of the file that are unread.
    pub fn first_cut(&self, ticks: &Ticks, file: usize) -> Option<usize> {
        if self.reading(ticks, file) == Reading::Read {
            return None;
        }
        let hunks = self.stream.files().get(file)?.hunks.len();
        let mut unread = (0..hunks).filter(|hunk| !self.is_hunk_read(ticks, file, *hunk));
        unread.find_map(|hunk| self.first_cut_of(file, hunk))
    }

    /// Blocks were made anew: a line may face another one now.
    pub(super) fn forget_changed_parts(&mut self) {
        let very_long =
            self.long_shown.iter_mut().filter(|((.., bytes), _)| *bytes > LINE_BYTES_MAX);
        very_long.for_each(|(_, long)| long.changed = OnceLock::new());
    }

    fn is_cut(&self, file: &FileDiff, line: HunkLine) -> bool {
        let Some((key, bytes)) = changed_line(file, line) else { return false };
        let Some(long) = self.long_shown.get(&key) else { return bytes.len() > LINE_BYTES_MAX };
        let changed = long
            .changed
            .get_or_init(|| changed_part(bytes, other_of(file, line).unwrap_or_default()));
        long.bytes.first_gap(changed.clone()).is_some()
    }
}

/// The line of the other side that stands at its place in the block.
fn other_of(file: &FileDiff, line: HunkLine) -> Option<&[u8]> {
    let Content::Text { old, new, blocks } = &file.content else { return None };
    let across = |index: u32, own: fn(&Block) -> &Range<u32>, other: fn(&Block) -> &Range<u32>| {
        let block = blocks.iter().find(|block| own(block).contains(&index))?;
        let at = other(block).start + (index - own(block).start);
        other(block).contains(&at).then_some(at)
    };
    match line.kind {
        LineKind::Removed => {
            Some(new.line(across(line.old_index?, |block| &block.old, |block| &block.new)?))
        }
        _ => Some(old.line(across(line.new_index?, |block| &block.new, |block| &block.old)?)),
    }
}

/// What lies between the beginning and the end that both have.
fn changed_part(bytes: &[u8], other: &[u8]) -> Range<usize> {
    let alike = |(one, two): &(&u8, &u8)| one == two;
    let start = bytes.iter().zip(other).take_while(alike).count();
    let tails = bytes[start..].iter().rev().zip(other[start..].iter().rev());
    start..bytes.len() - tails.take_while(alike).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_between_what_both_have() {
        assert_eq!(changed_part(b"abcXef", b"abcYYef"), 3..4);
        assert_eq!(changed_part(b"abc", b"ab"), 2..3);
        assert_eq!(changed_part(b"aa", b"aaa"), 2..2);
        assert_eq!(changed_part(b"abc", b""), 0..3);
    }
}
