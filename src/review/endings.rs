//! A change of nothing but how lines end: one sentence says what a page full of marks would.

use super::{Block, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endings {
    /// `\r\n` where it was `\n`.
    ToCrlf,
    ToLf,
    /// Some of both.
    Mixed,
}

/// `None` where more than the ends of lines changed, or nothing did.
pub fn only_endings(old: &Text, new: &Text, blocks: &[Block]) -> Option<Endings> {
    let (mut to_crlf, mut to_lf) = (false, false);
    for block in blocks {
        if block.old.len() != block.new.len() {
            return None;
        }
        for (before, after) in block.old.clone().zip(block.new.clone()) {
            let (before, after) = (old.line_with_end(before), new.line_with_end(after));
            let was_crlf = before.ends_with(b"\r\n");
            let is_crlf = after.ends_with(b"\r\n");
            if was_crlf == is_crlf || without_end(before) != without_end(after) {
                return None;
            }
            to_crlf |= is_crlf;
            to_lf |= was_crlf;
        }
    }
    match (to_crlf, to_lf) {
        (true, false) => Some(Endings::ToCrlf),
        (false, true) => Some(Endings::ToLf),
        (true, true) => Some(Endings::Mixed),
        (false, false) => None,
    }
}

fn without_end(line: &[u8]) -> Option<&[u8]> {
    line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &str, new: &str) -> Option<Endings> {
        let text = |text: &str| Text::new(text.as_bytes().to_vec());
        let (old, new) = (text(old), text(new));
        let block = Block { old: 0..old.line_count(), new: 0..new.line_count() };
        only_endings(&old, &new, &[block])
    }

    #[test]
    fn only_what_changed_nothing_else_counts() {
        assert_eq!(of("a\nb\n", "a\r\nb\r\n"), Some(Endings::ToCrlf));
        assert_eq!(of("a\r\n", "a\n"), Some(Endings::ToLf));
        assert_eq!(of("a\r\nb\n", "a\nb\r\n"), Some(Endings::Mixed));
        assert_eq!(of("a\nb\n", "a\r\nc\r\n"), None);
        assert_eq!(of("a\nb", "a\r\nb"), None);
        assert_eq!(of("a\n", "a\r\nb\r\n"), None);
    }
}
