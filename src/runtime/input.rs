//! The terminal's events as ours, on a thread of its own.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crossterm::event::{self, Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc::Sender;

use super::turn::Event;
use crate::app::{
    Msg,
    keymap::{Key, KeyPress},
};

/// A slow line may split an arrow's bytes: after a lone `Esc` its rest may still be on the way.
const ESC_WAIT: Duration = Duration::from_millis(30);
const ESC_WAIT_SSH: Duration = Duration::from_millis(100);

/// Ends by itself when nobody listens any more, or the terminal is gone.
pub(super) fn spawn(sender: Sender<Event>, frame: Arc<AtomicU64>) {
    let wait = if std::env::var_os("SSH_TTY").is_some() { ESC_WAIT_SSH } else { ESC_WAIT };
    std::thread::spawn(move || {
        while let Ok(raws) = read(wait) {
            for raw in raws {
                let Some(event) = translate(raw, frame.load(Ordering::Acquire)) else { continue };
                if sender.blocking_send(event).is_err() {
                    return;
                }
            }
        }
        let _ = sender.blocking_send(Event::from(Msg::QuitAsked));
    });
}

/// One event, or several that came while an `Esc` was looked at.
fn read(wait: Duration) -> io::Result<Vec<Raw>> {
    let first = event::read()?;
    if !is_plain(&first, KeyCode::Esc) || !event::poll(wait)? {
        return Ok(vec![first]);
    }
    let second = event::read()?;
    let opens = is_plain(&second, KeyCode::Char('[')) || is_plain(&second, KeyCode::Char('O'));
    if !opens || !event::poll(wait)? {
        return Ok(vec![first, second]);
    }
    let third = event::read()?;
    let arrow = [
        ('A', KeyCode::Up),
        ('B', KeyCode::Down),
        ('C', KeyCode::Right),
        ('D', KeyCode::Left),
        ('H', KeyCode::Home),
        ('F', KeyCode::End),
    ]
    .into_iter()
    .find(|(letter, _)| is_letter(&third, *letter));
    Ok(match arrow {
        Some((_, code)) => vec![Raw::Key(KeyEvent::new(code, KeyModifiers::NONE))],
        None => vec![first, second, third],
    })
}

fn is_plain(raw: &Raw, code: KeyCode) -> bool {
    matches!(raw, Raw::Key(key) if key.code == code && key.modifiers.is_empty())
}

fn is_letter(raw: &Raw, letter: char) -> bool {
    matches!(raw, Raw::Key(key) if key.code == KeyCode::Char(letter))
}

fn translate(raw: Raw, frame: u64) -> Option<Event> {
    match raw {
        Raw::Key(key) if key.kind != KeyEventKind::Release => {
            Some(Event::from(Msg::KeyPressed { key: key_press(key)?, frame }))
        }
        Raw::Paste(text) => Some(Event::from(Msg::Pasted(text))),
        Raw::Resize(..) => Some(Event::Resized),
        _ => None,
    }
}

fn key_press(event: KeyEvent) -> Option<KeyPress> {
    let key = match event.code {
        KeyCode::Char(character) => Key::Char(character),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::F(number) => Key::F(number),
        _ => return None,
    };
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    Some(KeyPress { key, ctrl, alt })
}
