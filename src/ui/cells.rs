//! Text of our own or of the repository as cells: safe, measured, cut to size. Text of the repository reaches a span
//! only through here or [`super::code`], so nothing in it can act on the terminal and every width is what is drawn.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::theme::Theme;
use crate::review::pieces::Pieces;

/// Text of our own or of the repository, safe and at most `width` cells wide; a cut ends in `…`.
pub fn clip(text: &str, width: usize, theme: &Theme) -> String {
    let safe = safe(text.as_bytes(), width.saturating_add(1));
    if safe.width() <= width {
        return safe;
    }
    let tail = theme.glyphs.ellipsis;
    let room = width.saturating_sub(tail.width());
    let mut kept = prefix(&safe, room).to_owned();
    if width >= tail.width() {
        kept.push_str(tail);
    }
    kept
}

/// As [`clip`], but the middle goes: paths and ids keep both ends.
pub fn clip_middle(text: &str, width: usize, theme: &Theme) -> String {
    let safe = safe(text.as_bytes(), usize::MAX);
    let tail = theme.glyphs.ellipsis;
    if safe.width() <= width || width <= tail.width() {
        return clip(&safe, width, theme);
    }
    let room = width - tail.width();
    let head = prefix(&safe, room / 2);
    format!("{head}{tail}{}", suffix(&safe, room - head.width()))
}

/// As [`clip`], padded with blanks to exactly `width` cells.
pub fn fit(text: &str, width: usize, theme: &Theme) -> String {
    let mut text = clip(text, width, theme);
    text.push_str(&" ".repeat(width.saturating_sub(text.width())));
    text
}

/// Cells that a prepared text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Marks instead of anything a terminal could act upon; tabs and newlines too. Stops once
/// `cells_max` cells are filled.
pub fn safe(bytes: &[u8], cells_max: usize) -> String {
    let mut out = String::new();
    let mut cells = 0;
    for piece in Pieces::from(bytes, 0) {
        if cells > cells_max {
            break;
        }
        cells += piece.cells;
        out.push_str(&piece.text);
    }
    out
}

fn prefix(text: &str, cells_max: usize) -> &str {
    let mut cells = 0;
    let end = text.grapheme_indices(true).find_map(|(at, cluster)| {
        cells += cluster.width();
        (cells > cells_max).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}

fn suffix(text: &str, cells_max: usize) -> &str {
    let mut cells = 0;
    let start = text.grapheme_indices(true).rev().find_map(|(at, cluster)| {
        cells += cluster.width();
        (cells > cells_max).then_some(at + cluster.len())
    });
    &text[start.unwrap_or(0)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_what_tells_most() {
        let theme = Theme::default();
        assert_eq!(clip("agent-swift-fox", 9, &theme), "agent-sw…");
        assert_eq!(clip("abc", 3, &theme), "abc");
        assert_eq!(clip("abc", 0, &theme), "");
        assert_eq!(clip_middle("agent-swift-fox", 11, &theme), "agent…t-fox");
        assert_eq!(fit("世", 4, &theme), "世  ");
    }
}
