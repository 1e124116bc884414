//! Frames as the terminal's bytes. What a style takes is worked out once; a cell in the style of the one before it is
//! its text alone. Most of what a frame costs is here: a page of source changes its style every few cells.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use crossterm::{
    queue,
    style::{Attribute, Colors, SetAttribute, SetColors},
};
use ratatui::{
    backend::{Backend, ClearType, CrosstermBackend, IntoCrossterm, WindowSize},
    buffer::Cell,
    layout::{Position, Size},
    style::{Modifier, Style},
};

/// Themes have a few dozen; a file cannot make more of them.
const STYLES_MAX: usize = 4_096;

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

/// Draws by itself, and leaves all else to ratatui's own backend.
pub struct Canvas<W: Write> {
    inner: CrosstermBackend<W>,
    /// From any style to this one.
    styles: HashMap<Style, Vec<u8>>,
    bytes: Vec<u8>,
}

impl<W: Write> Canvas<W> {
    pub fn new(writer: W) -> Self {
        let inner = CrosstermBackend::new(writer);
        Self { inner, styles: HashMap::new(), bytes: Vec::new() }
    }

    fn put_style(&mut self, cell: &Cell) -> io::Result<()> {
        if self.styles.len() > STYLES_MAX {
            self.styles.clear();
        }
        if let Some(known) = self.styles.get(&cell.style()) {
            self.bytes.extend_from_slice(known);
            return Ok(());
        }
        let known = style_bytes(cell)?;
        self.bytes.extend_from_slice(&known);
        self.styles.insert(cell.style(), known);
        Ok(())
    }
}

fn style_bytes(cell: &Cell) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(bytes, SetAttribute(Attribute::Reset))?;
    for (_, attribute) in ATTRIBUTES.iter().filter(|(own, _)| cell.modifier.contains(*own)) {
        queue!(bytes, SetAttribute(*attribute))?;
    }
    queue!(bytes, SetColors(Colors::new(cell.fg.into_crossterm(), cell.bg.into_crossterm())))?;
    Ok(bytes)
}

impl<W: Write> Backend for Canvas<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.bytes.clear();
        let mut next = None;
        let mut before: Option<&Cell> = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                write!(self.bytes, "\x1b[{};{}H", y + 1, x + 1)?;
            }
            next = Some((x + 1, y));
            let is_same = |before: &Cell| {
                (before.fg, before.bg, before.modifier) == (cell.fg, cell.bg, cell.modifier)
            };
            if !before.is_some_and(is_same) {
                self.put_style(cell)?;
            }
            before = Some(cell);
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
        let pages = [page("a"), page("bc"), Line::raw("short"), page("a")];
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
