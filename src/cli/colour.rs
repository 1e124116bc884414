//! A patch for a terminal: coloured by line, every character that a terminal could act upon made visible.

use crate::review::visible;

const RESET: &str = "\u{1b}[m";
const HEAD: &str = "\u{1b}[1m";
const HUNK: &str = "\u{1b}[36m";
const REMOVED: &str = "\u{1b}[31m";
const ADDED: &str = "\u{1b}[32m";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Coloured,
    Plain,
}

/// Lines inside a hunk are counted off, so that a removed `-- x` is never taken for a header.
pub(super) fn for_terminal(patch: &[u8], paint: Paint) -> Vec<u8> {
    let mut out = String::with_capacity(patch.len() * 2);
    let (mut old_left, mut new_left) = (0_u64, 0_u64);
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        let inside = old_left > 0 || new_left > 0;
        let colour = match line.first() {
            Some(b'+') if inside => {
                new_left = new_left.saturating_sub(1);
                ADDED
            }
            Some(b'-') if inside => {
                old_left = old_left.saturating_sub(1);
                REMOVED
            }
            Some(b' ') if inside => {
                old_left = old_left.saturating_sub(1);
                new_left = new_left.saturating_sub(1);
                ""
            }
            Some(b'\\') => "",
            Some(b'@') => {
                (old_left, new_left) = counts(line);
                HUNK
            }
            _ => HEAD,
        };
        let text = visible::visible_lines(line.strip_suffix(b"\n").unwrap_or(line));
        match paint {
            Paint::Coloured if !colour.is_empty() => {
                out.push_str(colour);
                out.push_str(&text);
                out.push_str(RESET);
            }
            _ => out.push_str(&text),
        }
        if line.ends_with(b"\n") {
            out.push('\n');
        }
    }
    out.into_bytes()
}

/// The line counts of `@@ -start,count +start,count @@`; a missing count is 1.
fn counts(header: &[u8]) -> (u64, u64) {
    let text = String::from_utf8_lossy(header);
    let mut sides = text.split(' ').skip(1).take(2).map(|side| {
        side.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok()).unwrap_or(0)
    });
    (sides.next().unwrap_or(0), sides.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_coloured_by_place_and_escapes_shown() {
        let patch =
            b"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1 @@\n--- not a head\n \x1b[2J\n";
        let painted = String::from_utf8(for_terminal(patch, Paint::Coloured)).unwrap();
        let lines: Vec<&str> = painted.lines().collect();
        assert_eq!(lines[1], "\u{1b}[1m--- a/a\u{1b}[m");
        assert_eq!(lines[4], "\u{1b}[31m--- not a head\u{1b}[m");
        assert_eq!(lines[5], " \u{241b}[2J");
        let plain = for_terminal(patch, Paint::Plain);
        assert!(!plain.contains(&0x1b));
    }
}
