//! Text is shown, never obeyed: control, bidi, zero-width and tag characters become visible marks.
//! What leaves here holds only characters that draw in their own cells; tabs are the caller's.

use unicode_normalization::char::is_public_assigned;
use unicode_width::UnicodeWidthChar;

/// Bytes that are not UTF-8 become `\xNN`; every character a terminal could act upon becomes a mark.
/// Tabs and newlines are marked as well: for names, messages and single cells.
pub fn visible(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|character| push_visible(&mut out, character));
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out
}

/// As [`visible`], for text.
pub fn visible_str(text: &str) -> String {
    visible(text.as_bytes())
}

/// As [`visible`], but newlines and tabs stay: for whole messages and patches on a terminal.
pub fn visible_lines(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => out.push(character),
                _ => push_visible(&mut out, character),
            }
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out
}

/// As text is copied: every character stays but those of control, of which a terminal that pastes it could obey some.
pub fn without_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => out.push(character),
            // The end of a line is one wherever it is pasted.
            '\r' if characters.peek() == Some(&'\n') => {}
            _ if character.is_control() => push_visible(&mut out, character),
            _ => out.push(character),
        }
    }
    out
}

/// Appends one character, or its mark.
pub fn push_visible(out: &mut String, character: char) {
    match mark(character) {
        Some(mark) => out.push_str(&mark),
        None => out.push(character),
    }
}

/// Whether this character would be marked: a file that holds one is flagged.
pub fn is_hidden(character: char) -> bool {
    !matches!(character, '\t' | '\n' | '\r') && mark(character).is_some()
}

fn mark(character: char) -> Option<String> {
    let code = u32::from(character);
    match code {
        // The control pictures block mirrors C0; DEL has its own.
        0x00..=0x1f => char::from_u32(0x2400 + code).map(String::from),
        0x7f => Some('\u{2421}'.to_string()),
        0x80..=0x9f => Some(format!("<{code:02X}>")),
        _ if is_invisible(code) => Some(format!("<U+{code:04X}>")),
        _ if !is_public_assigned(character) && !is_icon(code) => Some(format!("<U+{code:04X}>")),
        // Characters of no width other than combining marks vanish on the screen.
        _ if character.width() == Some(0) && !is_combining(code) => Some(format!("<U+{code:04X}>")),
        _ => None,
    }
}

/// Of private use, and in the fonts of people who have signs there: terminals draw these, where of other characters
/// that nobody has defined some draw nothing.
fn is_icon(code: u32) -> bool {
    matches!(code, 0xe000..=0xf8ff)
}

/// Bidi controls, zero-width characters, line and paragraph separators, tags, fillers, soft hyphen.
fn is_invisible(code: u32) -> bool {
    matches!(code,
        0x00ad | 0x034f | 0x061c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
        | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
        | 0xfff0..=0xfffb | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

/// Bytes of the space that begins here and is none of the keyboard's: of no break, of another width, Braille's blank.
/// It looks like a blank, and is none.
pub fn odd_space_len(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe2, 0xa0, 0x80, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Whether it sits on the character before it.
pub fn is_mark(character: char) -> bool {
    !character.is_ascii()
        && character.width() == Some(0)
        && is_combining(u32::from(character))
        && !is_invisible(u32::from(character))
}

/// Marks that sit on the character before them: they are text, not tricks.
fn is_combining(code: u32) -> bool {
    matches!(code, 0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05bd | 0x0610..=0x061a | 0x064b..=0x065f
        | 0x0900..=0x0dff | 0x0e31..=0x0e4e | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20f0
        | 0x3099..=0x309a | 0xfe20..=0xfe2f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_spaces_are_those_of_unicode_that_are_not_marked() {
        for character in (0x80..=0x10_ffff_u32).filter_map(char::from_u32) {
            let is_blank = character.is_whitespace() && mark(character).is_none();
            let expected =
                if is_blank || character == '\u{2800}' { character.len_utf8() } else { 0 };
            let mut bytes = [0; 4];
            let length = odd_space_len(character.encode_utf8(&mut bytes).as_bytes());
            assert_eq!(length, expected, "{character:?}");
        }
    }

    #[test]
    fn what_is_copied_ends_no_paste_and_keeps_its_letters() {
        let evil = "a\u{1b}[201~b\r\nc\rd\u{9b}e\u{7f}\u{0}\t👩\u{200d}👧\n";
        assert_eq!(without_controls(evil), "a␛[201~b\nc␍d<9B>e␡␀\t👩\u{200d}👧\n");
    }
}
