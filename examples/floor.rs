//! The least that a terminal program can do with a diff: ratatui draws a page of the lines of FILE, in two colours.
//! `j`, space, `G` move, `q` ends it. The benchmark measures the cockpit's keys beside this one's.

use std::{error::Error, fs, time::Duration};

use ratatui::{
    crossterm::event::{self, Event, KeyCode},
    style::{Color, Style},
    text::Line,
    widgets::Paragraph,
};

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
            height = usize::from(frame.area().height);
            let page = lines.iter().skip(top).take(height).map(|line| styled(line));
            frame.render_widget(Paragraph::new(page.collect::<Vec<_>>()), frame.area());
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
