//! A line of text piece by piece, with the cells that each takes: safe to show, tabs expanded, marks in
//! place of what a terminal would act upon. The cost is that of the cells wanted, not of the line.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::visible::{is_hidden, push_visible};

/// Tabs stop at multiples of this many cells.
pub const TAB_CELLS: usize = 4;
/// A cell holds at most so many bytes: a character with a few marks on it. More marks than that
/// are shown one by one, so a pile of them can hide nothing and costs nothing.
const CELL_BYTES_MAX: usize = 32;

/// What part of a line is drawn: `width` cells from the cell `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub offset: usize,
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Text,
    /// Stands for something that must not reach the terminal.
    Mark,
    /// `␍`: common, and harmless once it is shown.
    Return,
}

/// What is drawn for one character of the line, or for one byte that is none.
pub struct Piece<'a> {
    pub text: std::borrow::Cow<'a, str>,
    /// Byte offset in the line.
    pub at: u32,
    pub cells: usize,
    pub what: What,
}

/// Walks a line piece by piece; a tab's width depends on the column it starts in.
pub struct Pieces<'a> {
    rest: &'a [u8],
    at: usize,
    column: usize,
    /// Characters of a cluster that is shown one by one.
    split_until: usize,
}

impl<'a> Pieces<'a> {
    pub fn new(bytes: &'a [u8], window: Window) -> Self {
        // Each piece fills at least one cell, so no more bytes than this can be drawn.
        let cells = window.offset.saturating_add(window.width).saturating_add(2);
        let limit = cells.saturating_mul(CELL_BYTES_MAX).saturating_add(CELL_BYTES_MAX);
        Self { rest: &bytes[..bytes.len().min(limit)], at: 0, column: 0, split_until: 0 }
    }

    fn take(&mut self, bytes: usize, text: std::borrow::Cow<'a, str>, what: What) -> Piece<'a> {
        let cells = text.width();
        let at = u32::try_from(self.at).unwrap_or(u32::MAX);
        self.rest = &self.rest[bytes..];
        self.at += bytes;
        self.column += cells;
        Piece { text, at, cells, what }
    }

    fn take_char(&mut self, character: char) -> Piece<'a> {
        let bytes = character.len_utf8();
        match character {
            '\t' => {
                let cells = TAB_CELLS - self.column % TAB_CELLS;
                self.take(bytes, " ".repeat(cells).into(), What::Text)
            }
            '\r' => self.take(bytes, "\u{240d}".into(), What::Return),
            _ if is_hidden(character) || character == '\n' => {
                let mut mark = String::new();
                push_visible(&mut mark, character);
                self.take(bytes, mark.into(), What::Mark)
            }
            _ => {
                let mut text = String::from(character);
                if text.width() == 0 {
                    // A combining mark with nothing to sit on.
                    text.insert(0, '\u{25cc}');
                }
                self.take(bytes, text.into(), What::Text)
            }
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let first = *self.rest.first()?;
        let second = self.rest.get(1).copied().unwrap_or(b' ');
        if first.is_ascii() && second.is_ascii() {
            let plain = first.is_ascii_graphic() || first == b' ';
            return Some(if plain {
                let text = str::from_utf8(&self.rest[..1]).unwrap_or_default();
                self.take(1, text.into(), What::Text)
            } else {
                self.take_char(char::from(first))
            });
        }
        // One cluster is wanted: look no further than a few of them could reach.
        let near = &self.rest[..self.rest.len().min(4 * CELL_BYTES_MAX)];
        let chunk = near.utf8_chunks().next()?;
        let Some(cluster) = chunk.valid().graphemes(true).next() else {
            return Some(self.take(1, format!("\\x{first:02x}").into(), What::Mark));
        };
        let whole = self.at >= self.split_until
            && cluster.len() <= CELL_BYTES_MAX
            && cluster.width() > 0
            && !cluster.chars().any(|c| is_hidden(c) || c.is_ascii_control());
        if whole {
            return Some(self.take(cluster.len(), cluster.into(), What::Text));
        }
        self.split_until = self.split_until.max(self.at + cluster.len());
        let character = cluster.chars().next()?;
        Some(self.take_char(character))
    }
}

/// Where a line is broken to fit `width` cells: the first cell of each row, never inside a piece. At most
/// `rows_max` rows; at least one.
pub fn breaks(bytes: &[u8], from: usize, width: usize, rows_max: usize) -> Vec<usize> {
    let mut starts = vec![from];
    if width == 0 {
        return starts;
    }
    let window = Window { offset: from, width: width.saturating_mul(rows_max) };
    let mut column = 0;
    for piece in Pieces::new(bytes, window) {
        let (start, end) = (column, column + piece.cells);
        column = end;
        let row = *starts.last().unwrap_or(&from);
        if start > row && end > row + width {
            if starts.len() >= rows_max {
                break;
            }
            starts.push(start);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_between_its_pieces() {
        assert_eq!(breaks(b"abcdefgh", 0, 4, 9), [0, 4]);
        assert_eq!(breaks("ab世界cd".as_bytes(), 0, 3, 9), [0, 2, 4, 7]);
        assert_eq!(breaks(b"", 0, 4, 9), [0]);
        assert_eq!(breaks(b"abcdefghij", 0, 2, 3), [0, 2, 4]);
        assert_eq!(breaks(b"abc", 0, 0, 3), [0]);
    }
}
