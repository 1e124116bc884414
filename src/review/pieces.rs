//! A line of text piece by piece, with the cells that each takes: safe to show, tabs expanded, marks in
//! place of what a terminal would act upon. The cost is that of the cells wanted, not of the line.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::visible::{is_hidden, is_mark, odd_space_len, push_visible};

/// Tabs stop at multiples of this many cells.
pub const TAB_CELLS: usize = 4;
/// A cell holds at most so many bytes: a character with a few marks on it. Of a pile of more marks the first few are
/// shown, in the one cell that a terminal gives it, and the cell tells that there are more.
const CELL_BYTES_MAX: usize = 32;
/// What a combining mark sits on that has nothing to sit on.
const ALONE: char = '\u{25cc}';
/// So many bytes of a pile are shown: a terminal keeps no more marks than a few.
const PILE_SHOWN_BYTES: usize = 16;
/// So many bytes of marks are one pile; what follows begins another, so that no cell costs more than these.
const PILE_BYTES_MAX: usize = 16 * 1_024;

/// What part of a line is drawn: `width` cells from the cell `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub offset: usize,
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Text,
    /// Blank cells up to the next stop.
    Tab,
    /// It looks like a blank, and is none.
    OddSpace,
    /// Stands for something that must not reach the terminal.
    Mark,
    /// `␍`: common, and harmless once it is shown.
    Return,
    /// A character with more marks on it than are shown.
    Pile,
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
    /// Each piece fills at least one cell: whoever stops behind the cells that are wanted stops soon.
    pub fn from(bytes: &'a [u8], offset: usize) -> Self {
        let plain = plain_before(bytes, offset);
        Self { rest: &bytes[plain..], at: plain, column: plain, split_until: 0 }
    }

    /// The cell that the first piece starts in: plain text left of the window is not walked through.
    pub fn column(&self) -> usize {
        self.column
    }

    fn take(&mut self, bytes: usize, text: std::borrow::Cow<'a, str>, what: What) -> Piece<'a> {
        let cells = text.width();
        self.take_cells(bytes, text, cells, what)
    }

    fn take_cells(
        &mut self,
        bytes: usize,
        text: std::borrow::Cow<'a, str>,
        cells: usize,
        what: What,
    ) -> Piece<'a> {
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
                self.take(bytes, " ".repeat(cells).into(), What::Tab)
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
                    text.insert(0, ALONE);
                }
                self.take(bytes, text.into(), What::Text)
            }
        }
    }
}

/// The cell that the byte at `at` is drawn in.
pub fn cell_of(bytes: &[u8], at: usize) -> usize {
    let pieces = Pieces::from(bytes, at);
    let mut column = pieces.column();
    for piece in pieces {
        if piece.at as usize >= at {
            break;
        }
        column += piece.cells;
    }
    column
}

/// The byte that is drawn in this cell; the line's end where it has none there.
pub fn byte_of(bytes: &[u8], cell: usize) -> usize {
    let pieces = Pieces::from(bytes, cell);
    let mut column = pieces.column();
    for piece in pieces {
        column += piece.cells;
        if column > cell {
            return piece.at as usize;
        }
    }
    bytes.len()
}

/// How much of the line's beginning takes a cell a byte and ends before the window does begin, in whole chunks.
fn plain_before(bytes: &[u8], offset: usize) -> usize {
    const CHUNK: usize = 1_024;
    // What follows may sit on the last of them.
    let chunks = bytes.chunks_exact(CHUNK).take(offset.saturating_sub(1) / CHUNK);
    let is_plain = |chunk: &&[u8]| chunk.iter().all(|byte| matches!(byte, b' '..=b'~'));
    let plain = chunks.take_while(is_plain).count() * CHUNK;
    // The last one goes piece by piece, for a mark may belong to its last letter.
    plain.saturating_sub(CHUNK)
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
                self.take_cells(1, text.into(), 1, What::Text)
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
            let is_odd = odd_space_len(cluster.as_bytes()) == cluster.len();
            let what = if is_odd { What::OddSpace } else { What::Text };
            return Some(self.take(cluster.len(), cluster.into(), what));
        }
        if self.at >= self.split_until
            && let Some(pile) = Pile::of(cluster, self.rest)
        {
            return Some(self.take(pile.bytes, pile.text.into(), What::Pile));
        }
        self.split_until = self.split_until.max(self.at + cluster.len());
        let character = cluster.chars().next()?;
        Some(self.take_char(character))
    }
}

/// A character under more marks than a cell holds.
struct Pile {
    /// All of them.
    bytes: usize,
    text: String,
}

impl Pile {
    /// The cluster that `rest` begins with, where it is one; marks may go on behind it.
    fn of(cluster: &str, rest: &[u8]) -> Option<Self> {
        let first = cluster.chars().next().filter(|first| !is_hidden(*first))?;
        let mut marks = cluster.chars().skip(1);
        if cluster.len() <= CELL_BYTES_MAX || !marks.all(is_mark) {
            return None;
        }
        let near = &rest[..rest.len().min(PILE_BYTES_MAX)];
        let bytes = cluster.len() + marks_before(&near[cluster.len()..]);
        let mut text = String::with_capacity(PILE_SHOWN_BYTES);
        if is_mark(first) {
            text.push(ALONE);
        }
        let fits = cluster.char_indices().map(|(at, mark)| at + mark.len_utf8());
        let room = PILE_SHOWN_BYTES - text.len();
        text.push_str(&cluster[..fits.take_while(|end| *end <= room).last().unwrap_or(0)]);
        Some(Self { bytes, text })
    }
}

/// The bytes of the marks that it begins with.
fn marks_before(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += match &bytes[at..] {
            // U+0300 to U+036F, but for the joiner that does not show: what piles are made of.
            [0xcc, 0x80..=0xbf, ..] | [0xcd, 0x80..=0x8e | 0x90..=0xaf, ..] => 2,
            rest => match first_char(rest) {
                Some(mark) if is_mark(mark) => mark.len_utf8(),
                _ => return at,
            },
        };
    }
}

fn first_char(bytes: &[u8]) -> Option<char> {
    let near = &bytes[..bytes.len().min(4)];
    near.utf8_chunks().next()?.valid().chars().next()
}

/// Whether some of its marks are not shown: there are too many on one character.
pub fn is_piled(text: &str) -> bool {
    let mut bytes = 0;
    text.chars().any(|character| {
        bytes = if is_mark(character) { bytes } else { 0 } + character.len_utf8();
        bytes > CELL_BYTES_MAX
    })
}

/// Where a line is broken to fit `width` cells: the first cell of each row, never inside a piece. At most
/// `rows_max` rows; at least one.
pub fn breaks(bytes: &[u8], from: usize, width: usize, rows_max: usize) -> Vec<usize> {
    let mut starts = vec![from];
    if width == 0 {
        return starts;
    }
    let pieces = Pieces::from(bytes, from);
    let mut column = pieces.column();
    for piece in pieces {
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
    fn what_nobody_has_defined_is_marked() {
        let shown = |text: &str| {
            Pieces::from(text.as_bytes(), 0)
                .map(|piece| piece.text.into_owned())
                .collect::<String>()
        };
        assert_eq!(shown("a\u{ffff}b"), "a<U+FFFF>b");
        let others = "\u{fdd0}|\u{1fffe}|\u{378}|\u{100000}|\u{f0001}|x\u{378}y";
        let marks = "<U+FDD0>|<U+1FFFE>|<U+0378>|<U+100000>|<U+F0001>|x<U+0378>y";
        assert_eq!(shown(others), marks);
        assert_eq!(shown("é世\u{1fabf}\u{e0b0}"), "é世\u{1fabf}\u{e0b0}", "these are characters");
    }

    #[test]
    fn cells_and_bytes_find_each_other() {
        let line = format!("{}世\t|{}", "x".repeat(3_000), "y".repeat(3_000));
        let bytes = line.as_bytes();
        assert_eq!(
            [cell_of(bytes, 2_999), cell_of(bytes, 3_003), cell_of(bytes, 3_004)],
            [2_999, 3_002, 3_004]
        );
        assert_eq!(
            [byte_of(bytes, 2_999), byte_of(bytes, 3_001), byte_of(bytes, 3_004)],
            [2_999, 3_000, 3_004]
        );
        assert_eq!([byte_of(bytes, 9_000), byte_of(b"", 3)], [bytes.len(), 0]);
    }

    #[test]
    fn the_middle_of_megabytes_costs_what_is_drawn() {
        let line = "x".repeat(5_000_000);
        let pieces = Pieces::from(line.as_bytes(), 4_900_000);
        assert!(pieces.column() > 4_897_000);
    }

    #[test]
    fn plain_text_before_the_window_is_not_walked_through() {
        let line = format!("{}e\u{301}\t|{}", "x".repeat(5_000), "y".repeat(9_000));
        for offset in [0, 1_023, 1_024, 1_025, 4_999, 5_000, 5_003, 13_000] {
            let all = Pieces { rest: line.as_bytes(), at: 0, column: 0, split_until: 0 };
            let mut column = 0;
            let behind = |pieces: Pieces<'_>, column: &mut usize| -> Vec<(usize, u32, String)> {
                *column = pieces.column();
                let places = pieces.map(|piece| {
                    *column += piece.cells;
                    (*column, piece.at, piece.text.into_owned())
                });
                places.filter(|(end, ..)| *end > offset).take(40).collect()
            };
            let short = Pieces::from(line.as_bytes(), offset);
            assert!(short.column() + 3_000 > offset.min(5_000), "{offset}");
            let found = behind(short, &mut column);
            assert_eq!(found, behind(all, &mut column), "{offset}");
        }
    }

    #[test]
    fn marks_are_counted_alike_by_their_bytes_and_by_themselves() {
        for mark in (0x80..0x3_0000).filter_map(char::from_u32) {
            let text = format!("{mark}\u{300}|");
            let expected = if is_mark(mark) { text.len() - 1 } else { 0 };
            assert_eq!(marks_before(text.as_bytes()), expected, "{mark:?}");
        }
        assert_eq!(marks_before(b"\xcc\x80\xcc"), 2);
        assert_eq!(marks_before(b""), 0);
    }

    #[test]
    fn a_line_is_broken_between_its_pieces() {
        assert_eq!(breaks(b"abcdefgh", 0, 4, 9), [0, 4]);
        assert_eq!(breaks("ab世界cd".as_bytes(), 0, 3, 9), [0, 2, 4, 7]);
        assert_eq!(breaks(b"", 0, 4, 9), [0]);
        assert_eq!(breaks(b"abcdefghij", 0, 2, 3), [0, 2, 4]);
        assert_eq!(breaks(b"abc", 0, 0, 3), [0]);
    }
}
