//! A place of the result while it is written: numbered as the file will be, between the lines around it.

use std::ops::Range;

use ratatui::layout::Rect;

use super::{
    conflict_result::{Rail, draw_result_line},
    diff_rows::{Gutter, Part, Pen},
    land_message::draw_editor,
};
use crate::app::conflicts::{ConflictsScreen, Editor, Shown};

/// Lines around the place where the part has so many rows; in a lower one it has what the text leaves.
const AROUND: usize = 2;
const ROOMY_ROWS: u16 = 9;

pub(super) fn draw_edit(
    screen: &ConflictsScreen,
    editor: &Editor,
    gutter: Gutter,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let place = screen.result.as_ref().filter(|_| editor.place.is_some());
    let place = place.and_then(|shown| Some((shown, shown.rows_of(screen.clash)?)));
    let spare = usize::from(area.height).saturating_sub(editor.area.lines().len()) / 2;
    let count = if area.height < ROOMY_ROWS { spare.min(AROUND) } else { AROUND };
    let (above, below) = around(place.as_ref(), count);
    let first = place.as_ref().map_or(1, |(shown, rows)| shown.number(rows.start));
    let lines = editor.area.lines();
    let mut y = 0;
    draw_lines(
        screen,
        (above.clone(), first.saturating_sub(above.len())),
        gutter,
        (area, &mut y),
        pen,
    );
    let left = usize::from(area.height.saturating_sub(y)).saturating_sub(below.len());
    let height = lines.len().min(left);
    let cursor = editor.area.cursor();
    let (row, column) = (cursor.0, cursor.1);
    // As the editor scrolls.
    let top = (row + 1).saturating_sub(height);
    let cells = u16::try_from(gutter.cells() - 1).unwrap_or(u16::MAX);
    let mut inner = Rect { y: area.y + y, height: 0, ..area };
    for offset in 0..height {
        let at = Rect { y: area.y + y, height: 1, ..area };
        let right = Rail { letter: "e", style: pen.theme.focus }.draw(at, pen.buf);
        let right = Rect { x: right.x + 1, width: right.width.saturating_sub(1), ..right };
        let number = format!("{:>width$}", first + top + offset, width = gutter.cells() - 4);
        let taken = cells.min(right.width);
        pen.buf.set_stringn(right.x, right.y, number, taken.into(), pen.theme.quiet);
        let (x, width) = (right.x + taken, right.width - taken);
        inner = Rect { x, width, height: inner.height + 1, ..inner };
        y += 1;
    }
    draw_editor(lines, (row, column), pen.theme, inner, pen.buf);
    draw_lines(screen, (below, first + lines.len()), gutter, (area, &mut y), pen);
}

/// The rows of the result before the place and behind it.
fn around(place: Option<&(&Shown, Range<usize>)>, count: usize) -> (Range<usize>, Range<usize>) {
    let Some((shown, rows)) = place else { return (0..0, 0..0) };
    let last = shown.text.line_count() as usize;
    (rows.start.saturating_sub(count)..rows.start, rows.end..(rows.end + count).min(last))
}

fn draw_lines(
    screen: &ConflictsScreen,
    (rows, first): (Range<usize>, usize),
    gutter: Gutter,
    (area, y): (Rect, &mut u16),
    pen: &mut Pen<'_>,
) {
    for (row, number) in rows.zip(first..) {
        if *y >= area.height {
            return;
        }
        let at = Rect { y: area.y + *y, height: 1, ..area };
        let right = Rail { letter: " ", style: pen.theme.text }.draw(at, pen.buf);
        let right = Rect { x: right.x + 1, width: right.width.saturating_sub(1), ..right };
        let line = screen.row_text(2, row).unwrap_or_default();
        draw_result_line(screen, (line, number), Part::whole(0), gutter, right, pen);
        *y += 1;
    }
}
