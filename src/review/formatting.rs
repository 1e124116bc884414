//! Whether a change is white space alone, in a language where that means nothing. In doubt it is not: indentation of
//! Python, make and YAML, text inside quotes, and lines broken anew all count as changes.

use super::{Block, Content, FileChange, FileStatus, Text};

/// Only these: a new language is one where it means something until somebody has looked.
const KINDS: &[&str] = &[
    "rs", "c", "h", "cc", "cpp", "hpp", "cs", "java", "kt", "js", "jsx", "mjs", "ts", "tsx", "go",
    "swift", "php", "css", "scss", "json", "toml",
];
/// Beyond this nobody waits for the answer.
const BYTES_MAX: usize = 1 << 20;

pub(super) fn is_all(change: &FileChange, content: &Content) -> bool {
    let Content::Text { old, new, blocks } = content else { return false };
    let same_mode = change.old.as_ref().map(|e| e.mode) == change.new.as_ref().map(|e| e.mode);
    let path = change.path.as_bytes();
    let kind = path.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    change.status == FileStatus::Modified
        && same_mode
        && !blocks.is_empty()
        && KINDS.iter().any(|known| known.as_bytes() == kind)
        && old.as_bytes().len().max(new.as_bytes().len()) <= BYTES_MAX
        && blocks.iter().all(|block| is_space(old, new, block))
        // A text of several lines is text at any indentation.
        && [old, new].iter().all(|text| !has_open_quote(text))
}

/// Line by line, blank ones aside: a line that is broken anew may be another statement.
fn is_space(old: &Text, new: &Text, block: &Block) -> bool {
    let side = |text: &Text, lines: std::ops::Range<u32>| -> Vec<Vec<u8>> {
        lines.map(|index| dense(text.line(index))).filter(|line| !line.is_empty()).collect()
    };
    side(old, block.old.clone()) == side(new, block.new.clone())
}

/// Without the white space that parts nothing: that between two words is one blank, that inside quotes stays.
fn dense(line: &[u8]) -> Vec<u8> {
    // Of two neighbours of one class the blank between them parts them; brackets part by themselves.
    let class = |byte: u8| match byte {
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' => None,
        b'_' | 0x80.. => Some(true),
        _ => Some(byte.is_ascii_alphanumeric()),
    };
    let mut out: Vec<u8> = Vec::with_capacity(line.len());
    let (mut quote, mut was_space, mut is_escaped) = (None, false, false);
    for byte in line.iter().copied() {
        if quote.is_none() && byte.is_ascii_whitespace() {
            was_space = true;
            continue;
        }
        // Signs may be one or two: `- -x` is not `--x`.
        let parts = |last: u8| class(byte).is_some() && class(last) == class(byte);
        if was_space && out.last().is_some_and(|last| parts(*last)) {
            out.push(b' ');
        }
        was_space = false;
        match quote {
            Some(open) if byte == open && !is_escaped => quote = None,
            None if matches!(byte, b'"' | b'\'' | b'`') => quote = Some(byte),
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
        out.push(byte);
    }
    out
}

/// A quote that is open at the end of its line.
fn has_open_quote(text: &Text) -> bool {
    (0..text.line_count()).any(|index| {
        let line = text.line(index);
        let is_odd = |sign: u8| line.split(|byte| *byte == sign).count() % 2 == 0;
        is_odd(b'"') || is_odd(b'`')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(old: &str, new: &str) -> bool {
        let text = |source: &str| Text::new(source.as_bytes().to_vec());
        let (old, new) = (text(old), text(new));
        let all = Block { old: 0..old.line_count(), new: 0..new.line_count() };
        is_space(&old, &new, &all) && !has_open_quote(&old) && !has_open_quote(&new)
    }

    #[test]
    fn indentation_blank_lines_and_gaps_are_formatting() {
        assert!(is("if(x){\nf( a,b );\n}\n", "if (x) {\n\n    f(a, b);\r\n}\n"));
    }

    #[test]
    fn what_could_mean_something_is_none() {
        assert!(!is("return x;\n", "returnx;\n"), "words");
        assert!(!is("a - -b\n", "a --b\n"), "signs");
        assert!(!is("f(\"a b\")\n", "f(\"ab\")\n"), "text");
        assert!(!is("return\nx\n", "return x\n"), "lines");
        assert!(!is("x // a\ny\n", "x // a y\n"), "a comment that swallows code");
        assert!(!is("s = \"a\n  b\"\n", "s = \"a\nb\"\n"), "a text of two lines");
    }
}
