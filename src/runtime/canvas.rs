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
    buffer::Cell,
    layout::{Position, Size},
    style::{Modifier, Style},
};

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
            self.bytes.extend_from_slice(cell.symbol().as_bytes());
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
    use ratatui::{Terminal, TerminalOptions, Viewport, layout::Rect, text::Line};

    use super::*;
    use crate::ui::theme::Theme;

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
