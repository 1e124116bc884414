//! The terminal's events as ours, on a thread of its own.

use std::{
    io,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use crossterm::event::{
    self, Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use tokio::sync::mpsc::Sender;

use super::{
    terminal,
    torn::{self, Wait},
    turn::{Event, Frames},
};
use crate::app::{
    Msg, Wheel,
    keymap::{Key, KeyPress},
};

/// A slow line may split an arrow's bytes: after a lone `Esc` its rest may still be on the way.
const ESC_WAIT: Duration = Duration::from_millis(30);
const ESC_WAIT_SSH: Duration = Duration::from_millis(100);

/// With no time at all crossterm does not look at what it has read already.
const NO_WAIT: Duration = Duration::from_millis(1);

/// Ends by itself when nobody listens any more, or the terminal is gone.
pub(super) fn spawn(sender: Sender<Event>, frames: Arc<Frames>) {
    let wait = if std::env::var_os("SSH_TTY").is_some() { ESC_WAIT_SSH } else { ESC_WAIT };
    std::thread::spawn(move || {
        let mut late = LateAnswer::default();
        loop {
            GATE.wait_while_closed();
            let Ok(raws) = read_all(wait) else { break };
            let mut typed = Vec::new();
            let mut is_resized = false;
            for raw in raws {
                match raw {
                    Raw::Resize(..) => is_resized = true,
                    raw if late.swallows(&raw) => {}
                    raw => typed.extend(translate(raw, frames.shown())),
                }
            }
            let typed = (!typed.is_empty()).then_some(Event::Typed(typed));
            for event in typed.into_iter().chain(is_resized.then_some(Event::Resized)) {
                if sender.blocking_send(event).is_err() {
                    return;
                }
            }
        }
        let _ = sender.blocking_send(Event::from(Msg::QuitAsked));
    });
}

/// Closed while another program has the terminal: two readers would share its keys.
pub(super) static GATE: Gate = Gate::new();

pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

struct GateState {
    closed: bool,
    /// The thread waits at the gate, so it does not read.
    waits: bool,
}

/// Opens the gate when it goes.
pub(super) struct Closed(&'static Gate);

/// The thread may be busy handing on a key; then it does not read either.
const CLOSE_WAIT: Duration = Duration::from_millis(300);

impl Gate {
    const fn new() -> Self {
        let state = GateState { closed: false, waits: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn close(&'static self) -> Closed {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        // It sleeps in the read: a change of size, even to the same one, wakes it.
        let _ = rustix::process::kill_process(
            rustix::process::getpid(),
            rustix::process::Signal::WINCH,
        );
        let _ = self.changed.wait_timeout_while(state, CLOSE_WAIT, |state| !state.waits);
        Closed(self)
    }

    fn wait_while_closed(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.closed {
            state.waits = true;
            self.changed.notify_all();
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waits = false;
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = false;
        self.0.changed.notify_all();
    }
}

/// A terminal on a slow line may tell its background after the deadline: those are no keys.
#[derive(Default)]
struct LateAnswer {
    left: usize,
}

impl LateAnswer {
    /// `]11;rgb:ffff/ffff/ffff` and its end.
    const KEYS_MAX: usize = 28;

    fn swallows(&mut self, raw: &Raw) -> bool {
        let Raw::Key(key) = raw else { return false };
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        if alt && key.code == KeyCode::Char(']') {
            self.left = Self::KEYS_MAX;
            return true;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let ends = match key.code {
            KeyCode::Char('\\') => alt,
            KeyCode::Char('g') => key.modifiers.contains(KeyModifiers::CONTROL),
            KeyCode::Char(character) if !alt => {
                let fits = character.is_ascii_hexdigit() || ";:/rgb".contains(character);
                if !fits {
                    self.left = 0;
                }
                return fits;
            }
            _ => {
                self.left = 0;
                return false;
            }
        };
        if ends {
            self.left = 0;
        }
        true
    }
}

/// Events read before they are handed on: a frame is due then, however many more there are.
const TOGETHER_MAX: usize = 512;

/// All that is there. A held key's repeats are then drawn once, where each frame would come too late for the next.
fn read_all(wait: Duration) -> io::Result<Vec<Raw>> {
    let mut raws = read(wait)?;
    while raws.len() < TOGETHER_MAX && event::poll(Duration::ZERO)? {
        raws.extend(read(wait)?);
    }
    Ok(raws)
}

/// One event, or several that came while an `Esc` was looked at.
fn read(wait: Duration) -> io::Result<Vec<Raw>> {
    let first = event::read()?;
    if terminal::tells_keys() && !torn::may_begin_paste(&first) {
        return Ok(vec![first]);
    }
    torn::mend(first, &mut |pause| {
        let wait = if pause == Wait::No { NO_WAIT } else { wait };
        if event::poll(wait)? { event::read().map(Some) } else { Ok(None) }
    })
}

fn translate(raw: Raw, frame: u64) -> Option<Msg> {
    match raw {
        Raw::Key(key) if key.kind != KeyEventKind::Release => {
            Some(Msg::KeyPressed { key: key_press(key)?, frame })
        }
        Raw::Paste(text) => Some(Msg::Pasted(text)),
        Raw::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollUp => Some(Msg::Wheeled(Wheel::Up)),
            MouseEventKind::ScrollDown => Some(Msg::Wheeled(Wheel::Down)),
            MouseEventKind::Down(MouseButton::Left) => {
                Some(Msg::Clicked { column: mouse.column, row: mouse.row })
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                Some(Msg::Dragged { column: mouse.column, row: mouse.row })
            }
            MouseEventKind::Up(MouseButton::Left) => Some(Msg::Released),
            _ => None,
        },
        _ => None,
    }
}

/// Terminals that tell keys apart also tell of keys that are the window manager's: those are nobody's here.
fn key_press(event: KeyEvent) -> Option<KeyPress> {
    let has = |modifier| event.modifiers.contains(modifier);
    if event.modifiers.intersects(KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META) {
        return None;
    }
    let (ctrl, alt) = (has(KeyModifiers::CONTROL), has(KeyModifiers::ALT));
    let key = match event.code {
        // As the bytes of other terminals have it: `ctrl` knows no case, and shift is in the letter.
        KeyCode::Char(character) if ctrl => Key::Char(character.to_ascii_lowercase()),
        KeyCode::Char(character) if has(KeyModifiers::SHIFT) => {
            Key::Char(character.to_ascii_uppercase())
        }
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
    Some(KeyPress { key, ctrl, alt })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_all_terminals_read_alike() {
        let text =
            |code, modifiers| key_press(KeyEvent::new(code, modifiers)).map(|key| key.to_string());
        let none = KeyModifiers::NONE;
        assert_eq!(text(KeyCode::Char('i'), KeyModifiers::CONTROL).as_deref(), Some("ctrl-i"));
        assert_eq!(text(KeyCode::Tab, none).as_deref(), Some("Tab"));
        let ctrl_shift = KeyModifiers::CONTROL | KeyModifiers::SHIFT;
        assert_eq!(text(KeyCode::Char('D'), ctrl_shift).as_deref(), Some("ctrl-d"));
        assert_eq!(text(KeyCode::Char('g'), KeyModifiers::SHIFT).as_deref(), Some("G"));
        assert_eq!(text(KeyCode::Char('q'), KeyModifiers::SUPER), None, "not ours");
    }

    #[test]
    fn a_late_answer_is_swallowed_and_what_follows_is_not() {
        let key = |code, modifiers| Raw::Key(KeyEvent::new(code, modifiers));
        let mut late = LateAnswer::default();
        assert!(!late.swallows(&key(KeyCode::Char('d'), KeyModifiers::NONE)));
        assert!(late.swallows(&key(KeyCode::Char(']'), KeyModifiers::ALT)));
        for character in "11;rgb:1e1e/1e1e/1e1e".chars() {
            assert!(late.swallows(&key(KeyCode::Char(character), KeyModifiers::NONE)));
        }
        assert!(late.swallows(&key(KeyCode::Char('\\'), KeyModifiers::ALT)));
        assert!(!late.swallows(&key(KeyCode::Char('d'), KeyModifiers::NONE)));
    }
}
