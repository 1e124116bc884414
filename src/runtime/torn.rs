//! Sequences that a slow line tore behind their `Esc`: put together again before anybody takes the pieces for keys.
//! What is no key we know is dropped whole; pasted text stays text.

use std::io;

use crossterm::event::{Event as Raw, KeyCode, KeyEvent, KeyModifiers};

/// What comes next; `None` where nothing does.
pub(super) type Next<'a> = dyn FnMut(Wait) -> io::Result<Option<Raw>> + 'a;

/// How long for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Not at all: it came along, or it is something else.
    No,
    /// As long as a slow line may take for the rest.
    Short,
}

/// What is left of a paste's beginning: its `Esc`, or that and the bracket, ended half a sequence that came before.
const PASTES: [&str; 2] = ["[200~", "200~"];

/// Longer than any sequence that a terminal sends for a key.
const PARAMETERS_MAX: usize = 32;

/// Whether it may be the first that is left of a paste's beginning.
pub(super) fn may_begin_paste(raw: &Raw) -> bool {
    PASTES.iter().any(|start| letter(raw) == start.chars().next())
}

/// An event as it is, unless it is an `Esc` with the rest of a sequence close behind, or a paste whose `Esc` went with half
/// a sequence that nothing had ended.
pub(super) fn mend(first: Raw, next: &mut Next<'_>) -> io::Result<Vec<Raw>> {
    if may_begin_paste(&first) {
        return without_esc(first, next);
    }
    if !is_plain(&first, KeyCode::Esc) {
        return Ok(vec![first]);
    }
    let Some(second) = next(Wait::Short)? else { return Ok(vec![first]) };
    match letter(&second) {
        Some('[') => control(first, second, next),
        Some('O') => {
            let Some(third) = next(Wait::Short)? else { return Ok(vec![first, second]) };
            Ok(match letter(&third).and_then(arrow) {
                Some(code) => vec![key(code, "")],
                None => vec![first, second, third],
            })
        }
        _ => {
            let mut events = vec![first];
            events.extend(mend(second, next)?);
            Ok(events)
        }
    }
}

/// Nobody types as fast as these come along together: what follows them is pasted.
fn without_esc(first: Raw, next: &mut Next<'_>) -> io::Result<Vec<Raw>> {
    let start = PASTES[usize::from(letter(&first) == Some('2'))];
    let mut events = vec![first];
    for expected in start.chars().skip(1) {
        let Some(event) = next(Wait::No)? else { return Ok(events) };
        if letter(&event) != Some(expected) {
            events.extend(mend(event, next)?);
            return Ok(events);
        }
        events.push(event);
    }
    pasted(next)
}

/// `Esc [`, then parameters, then one letter that ends it.
fn control(esc: Raw, bracket: Raw, next: &mut Next<'_>) -> io::Result<Vec<Raw>> {
    let mut parameters = String::new();
    loop {
        let Some(event) = next(Wait::Short)? else {
            // The two keys alone may have been pressed by a script; half a sequence was not.
            let pressed = parameters.is_empty();
            return Ok(if pressed { vec![esc, bracket] } else { Vec::new() });
        };
        match letter(&event) {
            Some(character @ ' '..='?') if parameters.len() < PARAMETERS_MAX => {
                parameters.push(character);
            }
            Some('~') if parameters == "200" => return pasted(next),
            Some(last @ '@'..='~') => return Ok(ended(&parameters, last).into_iter().collect()),
            _ => return Ok(vec![event]),
        }
    }
}

fn ended(parameters: &str, last: char) -> Option<Raw> {
    let modifiers = parameters.split_once(';').map_or("", |(_, modifiers)| modifiers);
    let code = match last {
        'Z' => KeyCode::BackTab,
        '~' => match parameters.split(';').next().and_then(|number| number.parse::<u8>().ok())? {
            1 | 7 => KeyCode::Home,
            4 | 8 => KeyCode::End,
            3 => KeyCode::Delete,
            5 => KeyCode::PageUp,
            6 => KeyCode::PageDown,
            number @ 11..=15 => KeyCode::F(number - 10),
            number @ 17..=21 => KeyCode::F(number - 11),
            number @ 23..=24 => KeyCode::F(number - 12),
            _ => return None,
        },
        letter => arrow(letter)?,
    };
    Some(key(code, modifiers))
}

fn arrow(letter: char) -> Option<KeyCode> {
    Some(match letter {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'H' => KeyCode::Home,
        'F' => KeyCode::End,
        'P' => KeyCode::F(1),
        'Q' => KeyCode::F(2),
        'R' => KeyCode::F(3),
        'S' => KeyCode::F(4),
        _ => return None,
    })
}

/// `modifiers` is one more than their bits: shift, alt, ctrl.
fn key(code: KeyCode, modifiers: &str) -> Raw {
    let bits = modifiers.parse::<u8>().unwrap_or(1).saturating_sub(1);
    let held = [KeyModifiers::SHIFT, KeyModifiers::ALT, KeyModifiers::CONTROL];
    let held = held.into_iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0);
    Raw::Key(KeyEvent::new(code, held.map(|(_, modifier)| modifier).collect()))
}

/// The end of it was not told apart from keys either: all that comes without a pause is text.
fn pasted(next: &mut Next<'_>) -> io::Result<Vec<Raw>> {
    let mut text = String::new();
    while let Some(event) = next(Wait::Short)? {
        match event {
            Raw::Paste(more) => text.push_str(&more),
            Raw::Key(key) => match key.code {
                // A line feed reads as this key.
                KeyCode::Char('j') if key.modifiers == KeyModifiers::CONTROL => text.push('\n'),
                KeyCode::Char(character) => text.push(character),
                KeyCode::Enter => text.push('\n'),
                KeyCode::Tab => text.push('\t'),
                _ => {}
            },
            _ => {}
        }
    }
    Ok(vec![Raw::Paste(text)])
}

fn is_plain(raw: &Raw, code: KeyCode) -> bool {
    matches!(raw, Raw::Key(key) if key.code == code && key.modifiers.is_empty())
}

/// A character without `ctrl` or `alt`.
fn letter(raw: &Raw) -> Option<char> {
    match raw {
        Raw::Key(KeyEvent { code: KeyCode::Char(character), modifiers, .. })
            if KeyModifiers::SHIFT.contains(*modifiers) =>
        {
            Some(*character)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(character: char) -> Raw {
        let code = match character {
            '\u{1b}' => KeyCode::Esc,
            '\n' => KeyCode::Enter,
            character => KeyCode::Char(character),
        };
        Raw::Key(code.into())
    }

    /// What `text` reads as when its pieces come without a pause; `|` is a pause.
    fn mended(text: &str) -> Vec<Raw> {
        let mut left = text.chars();
        let mut events = Vec::new();
        while let Some(first) = left.next() {
            let mut next = |_| Ok(left.next().filter(|c| *c != '|').map(of));
            events.extend(mend(of(first), &mut next).expect("nothing fails here"));
        }
        events
    }

    fn keys(codes: &[KeyCode]) -> Vec<Raw> {
        codes.iter().map(|code| Raw::Key((*code).into())).collect()
    }

    #[test]
    fn what_was_torn_behind_its_esc_is_one_key() {
        for (text, code) in [
            ("\u{1b}[A", KeyCode::Up),
            ("\u{1b}OB", KeyCode::Down),
            ("\u{1b}[5~", KeyCode::PageUp),
            ("\u{1b}[Z", KeyCode::BackTab),
            ("\u{1b}[15~", KeyCode::F(5)),
            ("\u{1b}OP", KeyCode::F(1)),
        ] {
            assert_eq!(mended(text), keys(&[code]), "{text:?}");
        }
        let ctrl_up = KeyEvent::new(KeyCode::Up, KeyModifiers::CONTROL);
        assert_eq!(mended("\u{1b}[1;5A"), [Raw::Key(ctrl_up)]);
    }

    #[test]
    fn an_esc_alone_and_one_before_other_keys_stay_what_they_are() {
        let (esc, char) = (KeyCode::Esc, KeyCode::Char);
        assert_eq!(mended("\u{1b}|"), keys(&[esc]));
        assert_eq!(mended("\u{1b}\u{1b}u"), keys(&[esc, esc, char('u')]));
        assert_eq!(mended("\u{1b}\u{1b}[B"), keys(&[esc, KeyCode::Down]));
        assert_eq!(mended("\u{1b}[|A"), keys(&[esc, char('['), char('A')]), "after a pause");
        assert_eq!(mended("\u{1b}q"), keys(&[esc, char('q')]));
    }

    #[test]
    fn half_a_sequence_and_an_unknown_one_are_no_keys() {
        for text in ["\u{1b}[<0;10;12M", "\u{1b}[1;2|", "\u{1b}[99~", "\u{1b}[?1;2c"] {
            assert_eq!(mended(text), Vec::<Raw>::new(), "{text:?}");
        }
    }

    #[test]
    fn a_line_feed_in_a_torn_paste_is_one() {
        let feed = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL);
        let mut left = [of('a'), Raw::Key(feed), of('b')].into_iter();
        let text = pasted(&mut |_| Ok(left.next())).expect("nothing fails here");
        assert_eq!(text, [Raw::Paste("a\nb".to_owned())]);
    }

    #[test]
    fn a_paste_whose_esc_was_lost_is_text() {
        assert_eq!(mended("[200~qq\nu|j"), [Raw::Paste("qq\nu".to_owned()), of('j')]);
        assert_eq!(mended("[[200~q"), [of('['), Raw::Paste("q".to_owned())]);
        assert_eq!(mended("j2200~q"), [of('j'), of('2'), Raw::Paste("q".to_owned())]);
        for typed in ["[", "[2", "[|2|00~q", "[200q", "[[", "2", "20", "2|00~"] {
            let pressed: Vec<Raw> = typed.chars().filter(|c| *c != '|').map(of).collect();
            assert_eq!(mended(typed), pressed, "{typed}");
        }
        assert_eq!(mended("[\u{1b}[A"), [of('['), Raw::Key(KeyCode::Up.into())]);
    }

    #[test]
    fn a_torn_paste_is_text() {
        let text = mended("\u{1b}[200~*d\nq|j");
        assert_eq!(text, [Raw::Paste("*d\nq".to_owned()), of('j')]);
    }
}
