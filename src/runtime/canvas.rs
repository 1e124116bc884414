//! Frames as the terminal's bytes. What leads from one style to another is worked out once, and only what differs is
//! said; a cell in the style of the one before it is its text alone. Most of what a frame costs is here: a page of
//! source changes its style every few cells.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use crossterm::{
    queue,
    style::{Attribute, Colors, SetAttribute, SetBackgroundColor, SetColors, SetForegroundColor},
};
use foldhash::fast::FixedState;
use ratatui::{
    backend::{Backend, ClearType, CrosstermBackend, IntoCrossterm, WindowSize},
    buffer::{Cell, CellWidth},
    layout::{Position, Size},
    style::{Modifier, Style},
};

use super::changed::is_settled;

/// A theme makes some hundred; a file cannot make many more of them.
const CHANGES_MAX: usize = 4_096;

const ATTRIBUTES: [(Modifier, Attribute); 8] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::ITALIC, Attribute::Italic),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::SLOW_BLINK, Attribute::SlowBlink),
    (Modifier::RAPID_BLINK, Attribute::RapidBlink),
    (Modifier::REVERSED, Attribute::Reverse),
    (Modifier::CROSSED_OUT, Attribute::CrossedOut),
];

/// From one style to the next; at the beginning of a frame nothing is known of the terminal's.
type Change = (Option<Style>, Style);

fn change_bytes((from, to): Change) -> io::Result<Vec<u8>> {
    let (fg, bg) = (to.fg.unwrap_or_default(), to.bg.unwrap_or_default());
    let modifier = to.add_modifier;
    let mut bytes = Vec::new();
    if let Some(from) = from.filter(|from| from.add_modifier == modifier) {
        if from.fg != to.fg {
            queue!(bytes, SetForegroundColor(fg.into_crossterm()))?;
        }
        if from.bg != to.bg {
            queue!(bytes, SetBackgroundColor(bg.into_crossterm()))?;
        }
        return Ok(bytes);
    }
    queue!(bytes, SetAttribute(Attribute::Reset))?;
    for (_, attribute) in ATTRIBUTES.iter().filter(|(own, _)| modifier.contains(*own)) {
        queue!(bytes, SetAttribute(*attribute))?;
    }
    queue!(bytes, SetColors(Colors::new(fg.into_crossterm(), bg.into_crossterm())))?;
    Ok(bytes)
}

/// `\x1b[40;45H`: there are hundreds in a frame, too many to go through a formatter.
fn put_place(bytes: &mut Vec<u8>, x: u16, y: u16) {
    for (before, cell) in [(&b"\x1b["[..], y), (b";", x)] {
        bytes.extend_from_slice(before);
        let number = u32::from(cell) + 1;
        for place in (0..=number.ilog10()).rev() {
            let digit = number / 10_u32.pow(place) % 10;
            bytes.push(b'0' + u8::try_from(digit).unwrap_or_default());
        }
    }
    bytes.push(b'H');
}

/// A terminal may draw it wider or narrower than we count, or not at all: its cells are blank before, whoever writes
/// next says where. Into the row below it never goes: the terminal is told not to wrap.
fn put_doubtful(bytes: &mut Vec<u8>, x: u16, y: u16, cell: &Cell) {
    bytes.extend(std::iter::repeat_n(b' ', usize::from(cell.cell_width()).max(1)));
    put_place(bytes, x, y);
    bytes.extend_from_slice(cell.symbol().as_bytes());
}

/// Draws by itself, and leaves all else to ratatui's own backend.
pub struct Canvas<W: Write> {
    inner: CrosstermBackend<W>,
    changes: HashMap<Change, Vec<u8>, FixedState>,
    bytes: Vec<u8>,
}

impl<W: Write> Canvas<W> {
    pub fn new(writer: W) -> Self {
        let inner = CrosstermBackend::new(writer);
        Self { inner, changes: HashMap::default(), bytes: Vec::new() }
    }

    fn put_change(&mut self, change: Change) -> io::Result<()> {
        if self.changes.len() > CHANGES_MAX {
            self.changes.clear();
        }
        if let Some(known) = self.changes.get(&change) {
            self.bytes.extend_from_slice(known);
            return Ok(());
        }
        let made = change_bytes(change)?;
        self.bytes.extend_from_slice(&made);
        self.changes.insert(change, made);
        Ok(())
    }
}

impl<W: Write> Backend for Canvas<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.bytes.clear();
        let mut next = None;
        let mut before = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                put_place(&mut self.bytes, x, y);
            }
            next = Some((x + 1, y));
            let style = cell.style();
            if before != Some(style) {
                self.put_change((before, style))?;
            }
            before = Some(style);
            if is_settled(cell.symbol()) {
                self.bytes.extend_from_slice(cell.symbol().as_bytes());
            } else {
                put_doubtful(&mut self.bytes, x, y, cell);
                next = None;
            }
        }
        queue!(self.bytes, SetAttribute(Attribute::Reset))?;
        self.inner.write_all(&self.bytes)
    }

    fn append_lines(&mut self, count: u16) -> io::Result<()> {
        self.inner.append_lines(count)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::{Terminal, TerminalOptions, Viewport, buffer::Buffer, layout::Rect, text::Line};

    use super::*;
    use crate::{runtime::changed::changed_cells, ui::theme::Theme};

    /// The rows of a screen on which each doubtful character is drawn as `stands`, which may be nothing.
    fn rows_where(pages: &[Buffer], doubtful: &[&str], stands: &str) -> Vec<Vec<String>> {
        let size = |count| std::num::NonZero::new(count).expect("it is not zero");
        let mut parser = vt100::Parser::new(size(3), size(20), 0);
        let mut shown = Buffer::empty(pages[0].area);
        for page in pages {
            let mut bytes = Vec::new();
            let changed = changed_cells(&shown, page);
            let cells = changed.iter().map(|index| {
                let (x, y) = page.pos_of(*index);
                (x, y, &page.content[*index])
            });
            Canvas::new(&mut bytes).draw(cells).expect("bytes are taken");
            let text = String::from_utf8(bytes).expect("it is text");
            let text = doubtful.iter().fold(text, |text, one| text.replace(one, stands));
            parser.process(text.as_bytes());
            shown = page.clone();
        }
        let cell = |row, column| {
            let cell = parser.screen().cell(row, column);
            cell.map(|cell| cell.contents().to_owned()).filter(|text| !text.is_empty())
        };
        let row = |row| (0..20).map(move |column| cell(row, column).unwrap_or_else(|| " ".into()));
        (0..3).map(|number| row(number).collect()).collect()
    }

    proptest! {
        /// Whatever width a terminal gives a character, all others are where they belong, and nothing is left of before.
        #[test]
        fn a_character_of_another_width_moves_nothing_and_leaves_nothing(
            pages in prop::collection::vec(prop::collection::vec("[a-d ]|\u{1fabf}|\u{16fe4}|\u{e0b0}|\u{2764}\u{fe0f}|\u{1f1e9}\u{1f1ea}", 0..8), 1..5),
            stands in prop::sample::select(vec!["", "?", "\u{4e16}", "\u{4e16}\u{4e16}"]),
        ) {
            const DOUBTFUL: [&str; 5] =
                ["\u{1fabf}", "\u{16fe4}", "\u{e0b0}", "\u{2764}\u{fe0f}", "\u{1f1e9}\u{1f1ea}"];
            let draw = |symbols: &Vec<String>| {
                let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 3));
                let mut x = 0;
                for symbol in symbols {
                    buffer[(x, 1)].set_symbol(symbol);
                    x += buffer[(x, 1)].cell_width().max(1);
                }
                buffer
            };
            let buffers: Vec<Buffer> = pages.iter().map(draw).collect();
            let rows = rows_where(&buffers, &DOUBTFUL, stands);
            let last = &buffers[buffers.len() - 1];
            for y in [0, 1, 2] {
                for x in 0..20 {
                    let symbol = last[(x, y)].symbol();
                    let covered = x > 0 && last[(x - 1, y)].cell_width() == 2;
                    let told = &rows[usize::from(y)][usize::from(x)];
                    if DOUBTFUL.contains(&symbol) || covered {
                        prop_assert!(stands.contains(told.as_str()) || told == " ", "{:?} {}", rows, x);
                    } else {
                        prop_assert_eq!(told, symbol, "{:?} {}", rows, x);
                    }
                }
            }
        }
    }

    fn drawn<B: Backend>(backend: B, pages: &[Line<'static>]) -> Terminal<B>
    where
        B::Error: std::fmt::Debug,
    {
        let viewport = Viewport::Fixed(Rect::new(0, 0, 30, 2));
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        for page in pages {
            terminal.draw(|frame| frame.render_widget(page, frame.area())).unwrap();
        }
        terminal
    }

    #[test]
    fn the_screen_is_what_ratatui_s_own_backend_makes_of_it() {
        let theme = Theme::default();
        let bold = theme.text.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        let page = |word: &str| {
            let mut line = Line::styled(format!("one 世 {word}"), theme.focus);
            line.push_span(ratatui::text::Span::styled("two", bold));
            line.push_span(ratatui::text::Span::raw(" plain e\u{301}"));
            line
        };
        let (some, others) = ("0123456789 世1234567 ..12345", "0x23456x89 世1x3456x 世.12x45");
        let [some, others] = [some, others].map(|text| Line::styled(text, theme.quiet));
        let mut pages = vec![page("a"), page("bc"), Line::raw("short"), page("a")];
        pages.extend([some.clone(), others, some.patch_style(theme.bad)]);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        drop(drawn(Canvas::new(&mut ours), &pages));
        drop(drawn(CrosstermBackend::new(&mut theirs), &pages));
        let screen = |bytes: &[u8]| {
            let size = |count| std::num::NonZero::new(count).expect("it is not zero");
            let mut parser = vt100::Parser::new(size(2), size(30), 0);
            parser.process(bytes);
            parser.screen().contents_formatted()
        };
        assert_eq!(screen(&ours), screen(&theirs));
    }
}
