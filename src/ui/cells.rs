//! Bytes into cells: safe, measured, cut to size, styled. Text of the repository reaches a span
//! only through here, so nothing in it can act on the terminal and every width is what is drawn.
//! The cost is that of the cells drawn, not of the line.

use std::{iter, ops::Range};

use ratatui::{
    style::{Modifier, Style},
    text::{Line, Span},
};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{diff_rows::Pen, theme::Theme};
use crate::review::{
    LineKind,
    pieces::{Pieces, What, Window},
    token::TokenRun,
};

/// One line of source with all that is known of it. Ranges are byte ranges of `bytes`, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    pub bytes: &'a [u8],
    pub kind: LineKind,
    pub tokens: &'a [TokenRun],
    /// Words that changed, where the line has a partner.
    pub words: &'a [Range<u32>],
    /// Matches of the search.
    pub hits: &'a [Range<u32>],
}

impl<'a> Code<'a> {
    /// A line of which only the text is known.
    pub fn plain(bytes: &'a [u8]) -> Self {
        Self { bytes, kind: LineKind::Context, tokens: &[], words: &[], hits: &[] }
    }
}

/// The cells of one line. A cut at the right edge is marked `»` in its last cell.
pub fn code_line(code: Code<'_>, window: Window, theme: &Theme) -> Line<'static> {
    paint(code, window, theme).finish(theme)
}

/// As [`code_line`], for a line that goes on in another row: nothing marks its right edge.
pub fn code_part(code: Code<'_>, window: Window, theme: &Theme) -> Line<'static> {
    let mut painter = paint(code, window, theme);
    painter.cut = false;
    painter.finish(theme)
}

/// As [`code_line`], straight onto a row of the screen: most of what a frame
/// costs is this.
pub fn draw_code(
    code: Code<'_>,
    window: Window,
    ends: End,
    (x, y): (u16, u16),
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let mut painter = paint(code, window, theme);
    painter.cut &= ends == End::Cut;
    painter.mark_cut(theme);
    let (mut from, mut x) = (0, x);
    for piece in &painter.pieces {
        let text = &painter.text[from..piece.end];
        from = piece.end;
        let cells = u16::try_from(piece.cells).unwrap_or(u16::MAX);
        match (text.len(), buf.cell_mut((x, y))) {
            (1, Some(cell)) => {
                cell.set_symbol(text).set_style(piece.style);
            }
            _ => {
                buf.set_stringn(x, y, text, piece.cells, piece.style);
            }
        }
        x = x.saturating_add(cells);
    }
}

/// What becomes of a line at the right edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is marked there.
    Cut,
    /// It goes on in another row.
    GoesOn,
}

/// Marks what is shown letter by letter as it is in a file, till the screen is whole: a sentence of
/// ours may be spelled otherwise where signs are ASCII, a file's content never. No terminal sees it.
pub const VERBATIM: Modifier = Modifier::HIDDEN;

fn paint(code: Code<'_>, window: Window, theme: &Theme) -> Painter {
    let pieces = Pieces::new(code.bytes, window);
    let mut painter = Painter::new(window, pieces.column());
    let mut cursor = StyleCursor { code, token: 0, word: 0, hit: 0 };
    for piece in pieces {
        let style = match piece.what {
            What::Text => cursor.style_at(piece.at, theme).add_modifier(VERBATIM),
            What::Mark => theme.attention,
            What::Return => theme.quiet,
        };
        if !painter.push(&piece.text, piece.cells, style) {
            break;
        }
    }
    painter
}

/// Text of our own or of the repository, safe and at most `width` cells wide; a cut ends in `…`.
pub fn clip(text: &str, width: usize, theme: &Theme) -> String {
    let safe = safe(text.as_bytes(), width.saturating_add(1));
    if safe.width() <= width {
        return safe;
    }
    let tail = theme.glyphs.ellipsis;
    let room = width.saturating_sub(tail.width());
    let mut kept = prefix(&safe, room).to_owned();
    if width >= tail.width() {
        kept.push_str(tail);
    }
    kept
}

/// As [`clip`], but the middle goes: paths and ids keep both ends.
pub fn clip_middle(text: &str, width: usize, theme: &Theme) -> String {
    let safe = safe(text.as_bytes(), usize::MAX);
    let tail = theme.glyphs.ellipsis;
    if safe.width() <= width || width <= tail.width() {
        return clip(&safe, width, theme);
    }
    let room = width - tail.width();
    let head = prefix(&safe, room / 2);
    format!("{head}{tail}{}", suffix(&safe, room - head.width()))
}

/// As [`clip`], padded with blanks to exactly `width` cells.
pub fn fit(text: &str, width: usize, theme: &Theme) -> String {
    let mut text = clip(text, width, theme);
    text.push_str(&" ".repeat(width.saturating_sub(text.width())));
    text
}

/// Cells that a prepared text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Marks instead of anything a terminal could act upon; tabs and newlines too. Stops once
/// `cells_max` cells are filled.
pub fn safe(bytes: &[u8], cells_max: usize) -> String {
    let window = Window { offset: 0, width: cells_max };
    let mut out = String::new();
    let mut cells = 0;
    for piece in Pieces::new(bytes, window) {
        if cells > cells_max {
            break;
        }
        cells += piece.cells;
        out.push_str(&piece.text);
    }
    out
}

fn prefix(text: &str, cells_max: usize) -> &str {
    let mut cells = 0;
    let end = text.grapheme_indices(true).find_map(|(at, cluster)| {
        cells += cluster.width();
        (cells > cells_max).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}

fn suffix(text: &str, cells_max: usize) -> &str {
    let mut cells = 0;
    let start = text.grapheme_indices(true).rev().find_map(|(at, cluster)| {
        cells += cluster.width();
        (cells > cells_max).then_some(at + cluster.len())
    });
    &text[start.unwrap_or(0)..]
}

/// Finds the style at a byte offset; offsets only grow, so each list is walked once.
struct StyleCursor<'a> {
    code: Code<'a>,
    token: usize,
    word: usize,
    hit: usize,
}

impl StyleCursor<'_> {
    fn style_at(&mut self, at: u32, theme: &Theme) -> Style {
        let Code { tokens, words, hits, kind, .. } = self.code;
        while tokens.get(self.token).is_some_and(|run| run.bytes.end <= at) {
            self.token += 1;
        }
        let token = tokens.get(self.token).filter(|run| run.bytes.start <= at);
        let mut style = token.map_or(theme.text, |run| theme.text.patch(theme.token(run.class)));
        if is_inside(words, &mut self.word, at) {
            style = style.patch(theme.word(kind));
        }
        if is_inside(hits, &mut self.hit, at) {
            style = style.patch(theme.hit);
        }
        style
    }
}

fn is_inside(ranges: &[Range<u32>], next: &mut usize, at: u32) -> bool {
    while ranges.get(*next).is_some_and(|range| range.end <= at) {
        *next += 1;
    }
    ranges.get(*next).is_some_and(|range| range.start <= at)
}

/// Puts pieces into the window and joins neighbours of one style.
struct Painter {
    window: Window,
    column: usize,
    cut: bool,
    /// All pieces behind one another: a frame has thousands of them.
    text: String,
    pieces: Vec<Painted>,
}

struct Painted {
    /// Where it ends in the text.
    end: usize,
    cells: usize,
    style: Style,
}

impl Painter {
    fn new(window: Window, column: usize) -> Self {
        Self { window, column, cut: false, text: String::new(), pieces: Vec::new() }
    }

    /// False once the window is full.
    fn push(&mut self, text: &str, cells: usize, style: Style) -> bool {
        let Window { offset, width } = self.window;
        let (start, end) = (self.column, self.column + cells);
        self.column = end;
        if end <= offset {
            return true;
        }
        if end > offset + width {
            self.cut = true;
            // What sticks out of a blank run or a mark still fills the cells before the edge.
            let room = (offset + width).saturating_sub(start.max(offset));
            self.put_blanks(room, style);
            return false;
        }
        if start < offset {
            self.put_blanks(end - offset, style);
        } else {
            self.put(text, cells, style);
        }
        true
    }

    fn put(&mut self, text: &str, cells: usize, style: Style) {
        self.text.push_str(text);
        self.pieces.push(Painted { end: self.text.len(), cells, style });
    }

    fn put_blanks(&mut self, cells: usize, style: Style) {
        self.text.extend(iter::repeat_n(' ', cells));
        self.pieces.push(Painted { end: self.text.len(), cells, style });
    }

    fn mark_cut(&mut self, theme: &Theme) {
        if self.cut && self.window.width > 0 {
            let mark = theme.glyphs.cut;
            let mut filled: usize = self.pieces.iter().map(|piece| piece.cells).sum();
            while filled + mark.width() > self.window.width {
                let Some(piece) = self.pieces.pop() else { break };
                filled -= piece.cells;
            }
            self.text.truncate(self.pieces.last().map_or(0, |piece| piece.end));
            self.put_blanks(self.window.width.saturating_sub(filled + mark.width()), theme.text);
            self.put(mark, mark.width(), theme.quiet);
        }
    }

    fn finish(mut self, theme: &Theme) -> Line<'static> {
        self.mark_cut(theme);
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut from = 0;
        for (index, piece) in self.pieces.iter().enumerate() {
            let next = self.pieces.get(index + 1);
            if next.is_some_and(|next| next.style == piece.style) {
                continue;
            }
            if piece.end > from {
                spans.push(Span::styled(self.text[from..piece.end].to_owned(), piece.style));
            }
            from = piece.end;
        }
        Line::from(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::token::TokenClass;

    fn drawn(bytes: &[u8], offset: usize, width: usize) -> String {
        let line = code_line(Code::plain(bytes), Window { offset, width }, &Theme::default());
        line.spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn nothing_that_acts_on_a_terminal_gets_through() {
        let evil = "\u{1b}]0;t\u{7}\u{202e}a\u{2066}\u{200b}\u{e0041}\u{9b}31m\r\u{7f}é";
        let text = drawn(evil.as_bytes(), 0, 200);
        assert_eq!(text, "␛]0;t␇<U+202E>a<U+2066><U+200B><U+E0041><9B>31m␍␡é");
        assert_eq!(drawn(b"a\x9b31m\xff.", 0, 80), "a\\x9b31m\\xff.");
    }

    #[test]
    fn tabs_stop_at_multiples() {
        assert_eq!(drawn(b"\ta\tbc\t|", 0, 80), "    a   bc  |");
        assert_eq!(drawn("世\t|".as_bytes(), 0, 80), "世  |");
        assert_eq!(drawn(b"\ta", 2, 80), "  a");
    }

    #[test]
    fn wide_characters_are_never_halved() {
        let text = "世界abc".as_bytes();
        assert_eq!(drawn(text, 0, 7), "世界abc");
        assert_eq!(drawn(text, 0, 6), "世界a»");
        assert_eq!(drawn(text, 0, 4), "世 »");
        assert_eq!(drawn(text, 1, 80), " 界abc");
        assert_eq!(drawn(text, 0, 1), "»");
        assert_eq!(drawn(text, 0, 0), "");
    }

    #[test]
    fn combining_marks_share_a_cell_until_they_pile_up() {
        assert_eq!(drawn("e\u{301}x".as_bytes(), 0, 80), "e\u{301}x");
        let pile = format!("e{}x", "\u{301}".repeat(40));
        let text = drawn(pile.as_bytes(), 0, 80);
        assert_eq!(text.width(), 42, "{text}");
    }

    #[test]
    fn a_line_of_megabytes_costs_its_cells() {
        for unit in ["x", "世", "\u{e0041}", "e\u{301}", "\t"] {
            let line = unit.repeat(5_000_000 / unit.len());
            let window = Window { offset: 1_000, width: 80 };
            let pieces = Pieces::new(line.as_bytes(), window);
            assert!(pieces.count() < 40_000);
            assert_eq!(drawn(line.as_bytes(), 1_000, 80).width(), 80, "{unit:?}");
        }
    }

    #[test]
    fn styles_follow_bytes() {
        let theme = Theme::default();
        let tokens = [TokenRun { bytes: 0..3, class: TokenClass::Keyword }];
        let code = Code {
            bytes: b"let\tx = 1;",
            kind: LineKind::Added,
            tokens: &tokens,
            words: &[4..5, 8..9],
            hits: &[],
        };
        let line = code_line(code, Window { offset: 0, width: 80 }, &theme);
        let spans: Vec<(&str, bool)> = line
            .spans
            .iter()
            .map(|span| (span.content.as_ref(), span.style.bg == theme.word(LineKind::Added).bg))
            .collect();
        assert_eq!(
            spans,
            [("let", false), (" ", false), ("x", true), (" = ", false), ("1", true), (";", false)]
        );
        assert_eq!(line.spans[0].style.fg, theme.token(TokenClass::Keyword).fg);
    }

    #[test]
    fn clipping_keeps_what_tells_most() {
        let theme = Theme::default();
        assert_eq!(clip("agent-swift-fox", 9, &theme), "agent-sw…");
        assert_eq!(clip("abc", 3, &theme), "abc");
        assert_eq!(clip("abc", 0, &theme), "");
        assert_eq!(clip_middle("agent-swift-fox", 11, &theme), "agent…t-fox");
        assert_eq!(fit("世", 4, &theme), "世  ");
    }
}
