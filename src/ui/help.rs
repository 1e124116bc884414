//! Help: the rows of the command table that hold where it was asked for.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, focus_sign, rule, span},
    theme::Theme,
};
use crate::app::{
    Context, Model, Sheet,
    help::{HelpRow, HelpSheet, Sign},
};

const KEYS_CELLS: usize = 24;

pub fn draw(model: &Model, sheet: &HelpSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let title = format!("Keys: {}", sheet.about.title());
    let rows = sheet.rows(&model.keymap);
    let at = (sheet.cursor.index + 1).min(rows.len());
    let more =
        if more_below(model) > 0 { format!(" {}", theme.glyphs.open) } else { String::new() };
    let place = format!("{at} of {}{more}", rows.len());
    let split = Split {
        left: vec![span(&title, bold(theme.text))],
        right: vec![span(&place, theme.quiet)],
    };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let shown = shown(model, sheet, &rows);
    let lines = shown.flat_map(|index| row_lines(model, sheet, (index, &rows[index]), theme));
    draw_lines(lines.collect(), inner, frame);
}

fn means(row: &HelpRow) -> &'static str {
    match row {
        HelpRow::Command(command) => command.help,
        HelpRow::Blank => "",
        HelpRow::Sign(_, means) => means,
    }
}

/// Cells of the keys, and of what they mean.
fn columns(width: u16) -> (usize, usize) {
    let keys = if width < 60 { KEYS_CELLS / 2 } else { KEYS_CELLS };
    // Cursor, and a blank on either side of the keys.
    (keys, usize::from(width).saturating_sub(keys + 3))
}

/// Rows from the top one on that fit, each wrapped; the cursor's is among them, whole.
fn shown(model: &Model, sheet: &HelpSheet, rows: &[HelpRow]) -> Range<usize> {
    let (_, room) = columns(model.viewport.columns);
    let heights: Vec<usize> = rows.iter().map(|row| chrome::wrap(means(row), room).len()).collect();
    let height = model.viewport.sheet_rows;
    let last = sheet.cursor.index.min(rows.len().saturating_sub(1));
    let mut top = sheet.cursor.top.min(last);
    while top < last && heights[top..=last].iter().sum::<usize>() > height {
        top += 1;
    }
    let mut taken = 0;
    let fit = heights[top.min(heights.len())..].iter().take_while(|rows| {
        taken += **rows;
        taken <= height
    });
    top..top + fit.count()
}

fn row_lines(
    model: &Model,
    sheet: &HelpSheet,
    (index, row): (usize, &HelpRow),
    theme: &Theme,
) -> Vec<Line<'static>> {
    let is_cursor = index == sheet.cursor.index;
    let (keys_room, room) = columns(model.viewport.columns);
    let (keys, refused) = match row {
        HelpRow::Command(command) => {
            let keys = sheet.keys(&model.keymap, command).join("  ");
            let keys = if keys.is_empty() { format!(":{}", command.name) } else { keys };
            (keys, (command.refusal)(model).is_some())
        }
        HelpRow::Blank => (String::new(), false),
        HelpRow::Sign(sign, _) => (glyph(*sign, theme).to_owned(), false),
    };
    let style = if sheet.is_match(model, row) {
        theme.attention
    } else if refused {
        theme.quiet
    } else {
        theme.text
    };
    let parts = chrome::wrap(means(row), room).into_iter().enumerate();
    let lines = parts.map(|(part, text)| {
        let keys = if part == 0 { keys.as_str() } else { "" };
        let spans = vec![
            focus_sign(if is_cursor { theme.glyphs.cursor } else { " " }, theme),
            Span::raw(" "),
            Span::styled(cells::fit(keys, keys_room, theme), theme.focus),
            Span::raw(" "),
            Span::styled(text, if is_cursor { bold(style) } else { style }),
        ];
        Line::from(chrome::clip_spans(spans, model.viewport.columns.into(), theme))
    });
    lines.collect()
}

fn glyph(sign: Sign, theme: &Theme) -> &'static str {
    let glyphs = theme.glyphs;
    match sign {
        Sign::Mark => glyphs.mark,
        Sign::Asks => glyphs.asks,
        Sign::Active => glyphs.active,
        Sign::Idle => glyphs.idle,
        Sign::Done => glyphs.done,
        Sign::Conflict => glyphs.conflict,
        Sign::Landed => glyphs.landed,
        Sign::Empty => glyphs.empty,
        Sign::Changed => glyphs.changed,
        Sign::Problem => glyphs.problem,
        Sign::Uncommitted => glyphs.uncommitted,
        Sign::Comment => glyphs.comment,
        Sign::Unknown => glyphs.dot,
        Sign::Cut => glyphs.cut,
        Sign::Closed => glyphs.closed,
    }
}

/// How many rows follow that are not shown.
fn more_below(model: &Model) -> usize {
    let Some(Sheet::Help(sheet)) = model.sheets.last() else { return 0 };
    let rows = sheet.rows(&model.keymap);
    rows.len().saturating_sub(shown(model, sheet, &rows).end)
}

pub fn footer(model: &Model, theme: &Theme) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Help, name, label);
    let hints = [
        hint("run.found", "do it"),
        hint("quit.help", "close"),
        hint("search.text", "search"),
        Some(Hint::of_keys("j k", "move")),
    ];
    let right = match more_below(model) {
        0 => Vec::new(),
        more => vec![span(&format!("{more} more below "), theme.attention)],
    };
    (hints.into_iter().flatten().collect(), right)
}
