//! The least that a terminal program of two panes can do with a diff: ratatui draws a list, and beside it a page of the
//! lines of FILE in two colours. `j`, space, `G` move, `q` ends it. The benchmark measures the cockpit's keys beside
//! this one's.

use std::{error::Error, fs, time::Duration};

use ratatui::{
    crossterm::event::{self, Event, KeyCode},
    layout::{Constraint, Layout},
    style::{Color, Style},
    text::Line,
    widgets::{Block, List, Paragraph},
};

const ITEMS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("name a file to show")?;
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let mut terminal = ratatui::init();
    let shown = show(&mut terminal, &lines);
    ratatui::restore();
    shown
}

fn show(terminal: &mut ratatui::DefaultTerminal, lines: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut top = 0;
    loop {
        let mut height = 0;
        terminal.draw(|frame| {
            let panes = Layout::horizontal([Constraint::Length(40), Constraint::Fill(1)]);
            let [list, body] = panes.areas(frame.area());
            height = usize::from(body.height).saturating_sub(2);
            let items =
                (0..ITEMS).map(|item| format!("src/file-{item:03}.rs  +{} -{item}", item * 7));
            frame.render_widget(List::new(items).block(Block::bordered()), list);
            let page = lines.iter().skip(top).take(height).map(|line| styled(line));
            let page = Paragraph::new(page.collect::<Vec<_>>()).block(Block::bordered());
            frame.render_widget(page, body);
        })?;
        let last = lines.len().saturating_sub(height);
        // All that is there is read before the next frame.
        loop {
            if let Event::Key(key) = event::read()? {
                top = match key.code {
                    KeyCode::Char('q') => return Ok(()),
                    KeyCode::Char('j') => last.min(top + 1),
                    KeyCode::Char(' ') => last.min(top + height),
                    KeyCode::Char('G') => last,
                    _ => top,
                };
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}

fn styled(line: &str) -> Line<'_> {
    let colour = match line.as_bytes().first() {
        Some(b'+') => Color::Green,
        Some(b'-') => Color::Red,
        _ => Color::Reset,
    };
    Line::styled(line, Style::new().fg(colour))
}
