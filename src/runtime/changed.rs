//! The cells that a frame must write. As ratatui tells them, in less of a frame's time: it measures the width of each
//! cell, where nearly all of them are a byte.

use std::ops::Range;

use ratatui::{
    buffer::{Buffer, Cell, CellWidth},
    layout::Rect,
};
use unicode_width::UnicodeWidthChar;

/// Indexes of the cells of `after` that differ from what is on the screen, in order. Both have the same area.
pub fn changed_cells(before: &Buffer, after: &Buffer) -> Vec<usize> {
    let mut changed = Vec::new();
    let width = usize::from(after.area.width).max(1);
    for start in (0..after.content.len()).step_by(width) {
        let row = start..start + width;
        let (old, new) = (&before.content[row.clone()], &after.content[row.clone()]);
        if old.iter().chain(new).all(is_narrow) {
            let pairs = row.zip(old.iter().zip(new));
            changed
                .extend(pairs.filter(|(_, (old, new))| differs(old, new)).map(|(index, _)| index));
        } else {
            changed.extend(wide_row(before, after, row));
        }
    }
    changed
}

/// Takes its own cell and no other.
fn is_narrow(cell: &Cell) -> bool {
    matches!(cell.symbol().as_bytes(), [b' '..=b'~']) || cell.cell_width() == 1
}

fn differs(old: &Cell, new: &Cell) -> bool {
    match (old.symbol().as_bytes(), new.symbol().as_bytes()) {
        ([old_byte], [new_byte]) if old_byte != new_byte => true,
        ([_], [_]) => {
            (old.fg, old.bg, old.modifier, old.diff_option)
                != (new.fg, new.bg, new.modifier, new.diff_option)
        }
        _ => old != new,
    }
}

/// Several characters that show: a terminal that does not join them gives each a cell of its own.
fn may_come_apart(cell: &Cell) -> bool {
    cell.symbol().chars().filter(|char| char.width().unwrap_or(0) > 0).count() > 1
}

/// Where a cell covers its neighbour, what must be written is ratatui's to say; it leaves what stands there of a
/// flag, where the terminal shows its letters one by one.
fn wide_row(before: &Buffer, after: &Buffer, row: Range<usize>) -> Vec<usize> {
    let cells = [before, after].map(|buffer| &buffer.content[row.clone()]);
    // It would look behind the row where the last cell is a wide one.
    let widths = cells.iter().flat_map(|cells| cells.iter().map(CellWidth::cell_width));
    let room = widths.max().unwrap_or(0);
    let [old, new] = cells.map(|cells| {
        let area = Rect::new(0, 0, before.area.width.saturating_add(room), 1);
        let mut content = cells.to_vec();
        content.resize(usize::from(area.width), Cell::EMPTY);
        Buffer { area, content }
    });
    let mut changed: Vec<usize> = old.diff_iter(&new).map(|(x, _, _)| usize::from(x)).collect();
    let mut covered_until = 0;
    for x in 0..row.len() {
        let (before, after) = (&old.content[x], &new.content[x]);
        let is_covered = x < covered_until;
        if !is_covered {
            covered_until = x + usize::from(after.cell_width()).max(1);
        }
        let is_gone = is_covered || before.symbol() != after.symbol();
        if may_come_apart(before) && is_gone && covered_until <= x + 1 {
            changed.push(x + 1);
        }
    }
    changed.sort_unstable();
    changed.dedup();
    changed.into_iter().map(|x| row.start + x).filter(|index| row.contains(index)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ui::theme::Theme;

    fn buffer() -> impl Strategy<Value = Buffer> {
        let symbol = prop::sample::select(vec![
            " ",
            "a",
            "b",
            "│",
            "é",
            "e\u{301}",
            "世",
            "👍",
            "❤\u{fe0f}",
            "",
            "\u{200b}",
        ]);
        let theme = Theme::default();
        let style = prop::sample::select(vec![theme.text, theme.bad, theme.hit, theme.focus]);
        prop::collection::vec((symbol, style), 24).prop_map(|cells| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 3));
            for (index, (symbol, style)) in cells.into_iter().enumerate() {
                let cell = &mut buffer.content[index];
                cell.set_symbol(symbol).set_style(style);
                // There it would cover the first cell of the next row: nothing draws it so.
                if index % 8 == 7 && cell.cell_width() > 1 {
                    cell.set_symbol(" ");
                }
            }
            buffer
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_ratatui_would_write(before in buffer(), after in buffer()) {
            let theirs = before.diff_iter(&after);
            let theirs: Vec<usize> =
                theirs.map(|(x, y, _)| usize::from(y) * 8 + usize::from(x)).collect();
            assert_eq!(changed_cells(&before, &after), theirs);
        }
    }

    #[test]
    fn no_letter_of_a_flag_stays_behind() {
        let mut flag = Buffer::empty(Rect::new(0, 0, 4, 1));
        let blank = flag.clone();
        flag.content[1].set_symbol("\u{1f1e9}\u{1f1ea}");
        assert_eq!(changed_cells(&flag, &blank), [1, 2]);
        assert_eq!(changed_cells(&blank, &flag), [1]);
        assert!(changed_cells(&flag, &flag).is_empty());
        let mut wide = blank;
        wide.content[0].set_symbol("\u{4e16}");
        assert_eq!(changed_cells(&flag, &wide), [0, 2], "it covers the first of the letters alone");
    }

    #[test]
    fn a_wide_cell_in_the_last_column_harms_nothing() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 2));
        let blank = buffer.clone();
        buffer.content[1].set_symbol("\u{4e16}");
        buffer.content[3].set_symbol("\u{4e16}");
        assert_eq!(changed_cells(&blank, &buffer), [1, 3]);
        assert_eq!(changed_cells(&buffer, &blank), [1, 3]);
    }
}
