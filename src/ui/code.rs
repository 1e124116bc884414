//! A line of source as cells: safe, cut to its window, styled by its tokens, its changed words and what is searched for.
//! The cost is that of the cells drawn, not of the line.

use std::{borrow::Cow, iter, ops::Range};

use ratatui::{
    style::{Modifier, Style},
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use super::{diff_rows::Pen, theme::Theme};
use crate::review::{
    LineKind,
    pieces::{Pieces, What, Window, byte_of},
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
pub fn draw_code(code: Code<'_>, window: Window, ends: End, at: (u16, u16), pen: &mut Pen<'_>) {
    if is_plain(code.bytes, window) {
        draw_plain(code, window, ends, at, pen);
    } else {
        draw_pieces(code, window, ends, at, pen);
    }
}

fn draw_pieces(
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

/// Whether all that is shown, and what follows it, takes a byte a cell.
fn is_plain(bytes: &[u8], window: Window) -> bool {
    let end = window.offset.saturating_add(window.width).saturating_add(2);
    bytes[..bytes.len().min(end)].iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// What [`draw_code`] makes of it piece by piece, cell by cell: most lines are such.
fn draw_plain(
    code: Code<'_>,
    window: Window,
    ends: End,
    (x, y): (u16, u16),
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let Window { offset, width } = window;
    if width == 0 || !buf.area.contains((x, y).into()) {
        return;
    }
    let is_cut = ends == End::Cut && code.bytes.len() > offset + width;
    let (sign, sign_style) = cut_mark(is_cut && hides_change(code, window), theme);
    let mark = if is_cut { sign } else { "" };
    let room = width.saturating_sub(mark.width()).min(usize::from(buf.area.right() - x));
    let end = code.bytes.len().min(offset + room);
    let shown = offset.min(end)..end;
    let (first, mut cursor) = (buf.index_of(x, y), StyleCursor::new(code));
    let cells = &mut buf.content[first..first + shown.len()];
    for (cell, at) in cells.iter_mut().zip(shown) {
        let style = cursor.style_at(u32::try_from(at).unwrap_or(u32::MAX), theme);
        cell.set_char(char::from(code.bytes[at])).set_style(style.add_modifier(VERBATIM));
    }
    if is_cut {
        let column = u16::try_from(width.saturating_sub(mark.width())).unwrap_or(u16::MAX);
        buf.set_stringn(x.saturating_add(column), y, mark, mark.width().min(width), sign_style);
    }
}

/// The sign at the right edge: another one where something behind it is not as it is on the other side.
fn cut_mark(hides_change: bool, theme: &Theme) -> (&'static str, Style) {
    if hides_change {
        (theme.glyphs.cut_changed, theme.attention)
    } else {
        (theme.glyphs.cut, theme.quiet)
    }
}

/// Whether some changed word ends behind what a line that is cut has room for.
fn hides_change(code: Code<'_>, Window { offset, width }: Window) -> bool {
    code.words.last().is_some_and(|word| {
        word.end as usize > byte_of(code.bytes, offset + width.saturating_sub(1))
    })
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
    let pieces = Pieces::from(code.bytes, window.offset);
    let mut painter = Painter::new(window, pieces.column());
    let mut cursor = StyleCursor::new(code);
    for piece in pieces {
        let mut sign = None;
        let style = match piece.what {
            What::Text => cursor.style_at(piece.at, theme).add_modifier(VERBATIM),
            What::Tab => {
                let style = cursor.style_at(piece.at, theme);
                // Where blanks became a tab, or a tab blanks, it is told from them.
                sign = cursor.is_word.then_some(theme.glyphs.tab);
                if sign.is_some() { style.patch(theme.quiet) } else { style.add_modifier(VERBATIM) }
            }
            What::OddSpace => {
                sign = Some(theme.glyphs.odd_space);
                cursor.style_at(piece.at, theme).patch(theme.quiet)
            }
            What::Mark => theme.attention,
            What::Return => theme.quiet,
            What::Pile => theme.attention.add_modifier(VERBATIM),
        };
        let text = match sign {
            Some(sign) => Cow::Owned(format!("{sign:<cells$}", cells = piece.cells)),
            None => piece.text,
        };
        if !painter.push(&text, piece.cells, style) {
            break;
        }
    }
    painter.hides_change = painter.cut && hides_change(code, window);
    painter
}

/// Finds the style at a byte offset; offsets only grow, so each list is walked once, and a style holds till the next
/// place where one of them begins or ends.
struct StyleCursor<'a> {
    code: Code<'a>,
    token: usize,
    word: usize,
    hit: usize,
    style: Style,
    /// It lies in a changed word.
    is_word: bool,
    until: u32,
}

impl<'a> StyleCursor<'a> {
    fn new(code: Code<'a>) -> Self {
        Self { code, token: 0, word: 0, hit: 0, style: Style::new(), is_word: false, until: 0 }
    }

    fn style_at(&mut self, at: u32, theme: &Theme) -> Style {
        if at >= self.until {
            self.find(at, theme);
        }
        self.style
    }

    fn find(&mut self, at: u32, theme: &Theme) {
        let Code { tokens, words, hits, kind, .. } = self.code;
        let (is_token, token_until) =
            is_inside(|index| tokens.get(index).map(|run| &run.bytes), &mut self.token, at);
        let (is_word, word_until) = is_inside(|index| words.get(index), &mut self.word, at);
        let (is_hit, hit_until) = is_inside(|index| hits.get(index), &mut self.hit, at);
        self.style = theme.text;
        if is_token {
            self.style = self.style.patch(theme.token(tokens[self.token].class));
        }
        if is_word {
            self.style = self.style.patch(theme.word(kind));
        }
        if is_hit {
            self.style = self.style.patch(theme.hit);
        }
        self.is_word = is_word;
        self.until = token_until.min(word_until).min(hit_until);
    }
}

/// Whether `at` lies in one of the ranges, from `next` on; and up to where that is so.
fn is_inside<'a>(
    range: impl Fn(usize) -> Option<&'a Range<u32>>,
    next: &mut usize,
    at: u32,
) -> (bool, u32) {
    while range(*next).is_some_and(|range| range.end <= at) {
        *next += 1;
    }
    match range(*next) {
        Some(range) if range.start <= at => (true, range.end),
        Some(range) => (false, range.start),
        None => (false, u32::MAX),
    }
}

/// Puts pieces into the window and joins neighbours of one style.
struct Painter {
    window: Window,
    column: usize,
    cut: bool,
    /// What is cut off is not as it is on the other side.
    hides_change: bool,
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
        Self {
            window,
            column,
            cut: false,
            hides_change: false,
            text: String::new(),
            pieces: Vec::new(),
        }
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
            let (mark, style) = cut_mark(self.hides_change, theme);
            let mut filled: usize = self.pieces.iter().map(|piece| piece.cells).sum();
            while filled + mark.width() > self.window.width {
                let Some(piece) = self.pieces.pop() else { break };
                filled -= piece.cells;
            }
            self.text.truncate(self.pieces.last().map_or(0, |piece| piece.end));
            self.put_blanks(self.window.width.saturating_sub(filled + mark.width()), theme.text);
            self.put(mark, mark.width(), style);
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
    use crate::{
        review::token::TokenClass,
        ui::theme::{Depth, Glyphs, Ground},
    };

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
    fn blanks_that_are_none_are_told_and_keep_their_cells() {
        let drawn = |bytes: &str, word: Option<Range<u32>>, glyphs: &'static Glyphs| {
            let theme = Theme::built_in(Ground::Dark, Depth::True, glyphs);
            let words = word.as_slice();
            let code = Code { kind: LineKind::Added, words, ..Code::plain(bytes.as_bytes()) };
            let line = code_line(code, Window { offset: 0, width: 80 }, &theme);
            line.spans.iter().map(|span| span.content.as_ref()).collect::<String>()
        };
        let marked = |bytes: &str, word| drawn(bytes, word, &Glyphs::UNICODE);
        assert_eq!(marked("\tx \ty", Some(0..1)), "→   x   y");
        assert_eq!(marked("\tx", None), "    x");
        assert_eq!(marked("a\u{a0}b\u{3000}c", None), "a␣b␣ c");
        assert_eq!(drawn("\tx\u{a0}", Some(0..1), &Glyphs::ASCII), ">   x_");
    }

    #[test]
    fn a_cut_that_hides_what_changed_says_so() {
        let theme = Theme::default();
        for text in ["abcdefgh", "ab\tdefgh", "世cdefgh"] {
            let cut = |word: Range<u32>| {
                let words = &[word];
                let code = Code { kind: LineKind::Added, words, ..Code::plain(text.as_bytes()) };
                let line = code_line(code, Window { offset: 0, width: 5 }, &theme);
                line.spans.last().map(|span| (span.content.to_string(), span.style))
            };
            let last = u32::try_from(text.len()).expect("short");
            assert_eq!(cut(0..1), Some(("»".to_owned(), theme.quiet)), "{text}");
            assert_eq!(cut(last - 1..last), Some(("❯".to_owned(), theme.attention)), "{text}");
            assert_eq!(cut(0..last), Some(("❯".to_owned(), theme.attention)), "{text}");
        }
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
    fn combining_marks_share_a_cell_and_a_pile_of_them_shows_the_first() {
        assert_eq!(drawn("e\u{301}x".as_bytes(), 0, 80), "e\u{301}x");
        for (letter, cells) in [("e", 1), ("世", 2), ("", 1)] {
            for mark in ["\u{301}", "\u{20e3}", "\u{e47}", "\u{301}\u{327}"] {
                for marks in [40, 500, 5_000] {
                    let line =
                        format!("a\t{letter}{}|b", mark.repeat(marks / mark.chars().count()));
                    let bytes = line.as_bytes();
                    let pieces: Vec<_> = Pieces::from(bytes, 0).collect();
                    assert_eq!(pieces.len(), 5, "{letter}{mark} {marks}");
                    assert!(pieces.iter().all(|piece| piece.text.len() <= 32));
                    assert_eq!(pieces[2].what, What::Pile);
                    let text = drawn(bytes, 0, 80);
                    assert_eq!(text.width(), 4 + cells + 2, "{text}");
                    assert!(text.ends_with("|b"), "{text}");
                    // From the middle of it, and cut by it.
                    assert_eq!(drawn(bytes, 4 + cells, 80), "|b");
                    assert_eq!(drawn(bytes, 0, 4 + cells).width(), 4 + cells);
                }
            }
        }
    }

    #[test]
    fn a_pile_of_megabytes_costs_its_cells() {
        let line = format!("e{}|", "\u{301}".repeat(2_000_000));
        let pieces = Pieces::from(line.as_bytes(), 0);
        assert_eq!(pieces.count(), 4_000_001_usize.div_ceil(16 * 1_024) + 1);
        assert_eq!(drawn(line.as_bytes(), 0, 80).width(), 80);
    }

    #[test]
    fn a_line_of_megabytes_costs_its_cells() {
        for unit in ["x", "世", "\u{e0041}", "e\u{301}", "\t"] {
            let line = unit.repeat(5_000_000 / unit.len());
            let window = Window { offset: 1_000, width: 80 };
            let mut column = 0;
            let walked = Pieces::from(line.as_bytes(), window.offset).take_while(|piece| {
                column += piece.cells;
                column <= window.offset + window.width
            });
            assert!(walked.count() < 1_100);
            assert_eq!(drawn(line.as_bytes(), 1_000, 80).width(), 80, "{unit:?}");
        }
    }

    #[test]
    fn a_plain_line_is_drawn_as_its_pieces_are() {
        let theme = Theme::default();
        let tokens = [TokenRun { bytes: 2..5, class: TokenClass::Keyword }];
        let bytes = b"let x = 1; // and more";
        let code = Code {
            bytes,
            kind: LineKind::Added,
            tokens: &tokens,
            words: &[4..6, 8..9],
            hits: &[5..9, 9..12],
        };
        for (offset, width) in (0..26).flat_map(|offset| (0..30).map(move |width| (offset, width)))
        {
            let window = Window { offset, width };
            let cells = |draw: &dyn Fn(&mut Pen<'_>)| {
                let area = ratatui::layout::Rect::new(1, 0, 25, 2);
                let mut buf = ratatui::buffer::Buffer::empty(area);
                draw(&mut Pen { theme: &theme, buf: &mut buf });
                buf
            };
            for ends in [End::Cut, End::GoesOn] {
                assert!(is_plain(bytes, window));
                let at = (3, 1);
                let plain = cells(&|pen| draw_plain(code, window, ends, at, pen));
                let pieces = cells(&|pen| draw_pieces(code, window, ends, at, pen));
                assert_eq!(plain, pieces, "{window:?} {ends:?}");
            }
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
}
