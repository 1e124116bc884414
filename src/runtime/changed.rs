//! The cells that a frame must write. As ratatui tells them, in less of a frame's time: it measures the width of each
//! cell, where nearly all of them are a byte. A row with a character that terminals do not agree on is written whole.

use std::ops::Range;

use ratatui::{
    buffer::{Buffer, Cell, CellWidth},
    layout::Rect,
};

/// Indexes of the cells of `after` that differ from what is on the screen, in order. Both have the same area.
pub fn changed_cells(before: &Buffer, after: &Buffer) -> Vec<usize> {
    let mut changed = Vec::new();
    let width = usize::from(after.area.width).max(1);
    for start in (0..after.content.len()).step_by(width) {
        let row = start..start + width;
        let (old, new) = (&before.content[row.clone()], &after.content[row.clone()]);
        if old.iter().chain(new).all(|cell| is_narrow(cell) && is_settled(cell.symbol())) {
            let pairs = row.zip(old.iter().zip(new));
            changed
                .extend(pairs.filter(|(_, (old, new))| differs(old, new)).map(|(index, _)| index));
        } else if old.iter().chain(new).all(|cell| is_settled(cell.symbol())) {
            changed.extend(wide_row(before, after, row));
        } else if old != new {
            changed.extend(whole_row(after, row));
        }
    }
    changed
}

/// Takes its own cell and no other.
fn is_narrow(cell: &Cell) -> bool {
    matches!(cell.symbol().as_bytes(), [b' '..=b'~']) || cell.cell_width() == 1
}

/// Whether every terminal gives the text the width that we count. An old table of a terminal's may know nothing of a
/// character, or a cluster of several be drawn as each of them: what is left of it and right of it is in doubt then.
pub(super) fn is_settled(symbol: &str) -> bool {
    if symbol.len() == 1 {
        return true;
    }
    let mut characters = symbol.chars();
    let Some(first) = characters.next() else { return true };
    let is_alone = characters.next().is_none();
    is_alone
        && matches!(first,
            '\u{80}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{52f}' | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205e}' | '\u{2190}'..='\u{21ff}' | '\u{2200}'..='\u{22ff}' | '\u{2400}'..='\u{2426}'
            | '\u{2500}'..='\u{25fc}' | '\u{2713}' | '\u{2717}' | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}'
            | '\u{4e00}'..='\u{9fa5}' | '\u{ac00}'..='\u{d7a3}')
}

/// All of its cells but those that another covers.
fn whole_row(after: &Buffer, row: Range<usize>) -> Vec<usize> {
    let mut changed = Vec::new();
    let mut index = row.start;
    while index < row.end {
        changed.push(index);
        index += usize::from(after.content[index].cell_width()).max(1);
    }
    changed
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

/// Where a cell covers its neighbour, what must be written is ratatui's to say.
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
    let changed = old.diff_iter(&new).map(|(x, _, _)| row.start + usize::from(x));
    changed.filter(|index| row.contains(index)).collect()
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
            let ours = changed_cells(&before, &after);
            let settled = |row: usize| {
                let cells = row * 8..row * 8 + 8;
                let both = before.content[cells.clone()].iter().chain(&after.content[cells]);
                both.map(Cell::symbol).all(is_settled)
            };
            let of_settled = |cells: &[usize]| -> Vec<usize> {
                cells.iter().copied().filter(|cell| settled(cell / 8)).collect()
            };
            assert_eq!(of_settled(&ours), of_settled(&theirs));
        }
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
