//! The commits of a shadow, docked below the diff.

use ratatui::{Frame, layout::Rect, text::Span};

use super::{
    cells,
    chrome::{self, Hint, Split, age, draw_line, rule, span},
    diff_rows::{Cursor, draw_cursor, draw_ends, draw_words},
    theme::Theme,
};
use crate::app::{Context, Model, commits_sheet::CommitsSheet};

pub fn draw(model: &Model, sheet: &CommitsSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    chrome::clear(area, theme, frame);
    if area.height == 0 {
        return;
    }
    let id = model.review.as_ref().map_or("", |screen| &screen.id.0);
    let title = Split {
        left: vec![span(&format!("Commits of {id}"), chrome::bold(theme.text))],
        right: vec![span(&chrome::count(sheet.count(), "commit"), theme.quiet)],
    };
    draw_line(rule(title, area.width, theme), Rect { height: 1, ..area }, frame);
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let buf = frame.buffer_mut();
    let Some(commits) = &sheet.commits else {
        let (text, style) = match &sheet.failed {
            Some(report) => (report.headline.as_str(), theme.bad),
            None => ("reading them", theme.quiet),
        };
        let inner =
            Rect { x: rows.x + rows.width.min(2), width: rows.width.saturating_sub(2), ..rows };
        draw_words(inner, text, style, theme, buf);
        return;
    };
    let chosen = sheet.chosen();
    let shown = commits.iter().enumerate().skip(sheet.cursor.top);
    for (offset, (index, commit)) in (0..rows.height).zip(shown) {
        let row = Rect { y: rows.y + offset, height: 1, ..rows };
        let is_here = index == sheet.cursor.index;
        let cursor = if is_here { Cursor::Here } else { Cursor::Elsewhere };
        let inner = draw_cursor(row, cursor, theme, buf);
        let is_chosen = sheet.range.is_some() && chosen.contains(&index);
        let mark = if is_chosen { theme.glyphs.mark } else { " " };
        let style = if is_here { chrome::bold(theme.text) } else { theme.text };
        let ago = age(model.now_ms, commit.time_ms);
        let author = cells::clip(&commit.author, usize::from(area.width) / 6, theme);
        let right = vec![span(&format!("{author}  {ago:>4} "), theme.quiet)];
        let taken = chrome::width_of(&right) + 14;
        let room = usize::from(inner.width).saturating_sub(taken);
        let left = vec![
            Span::styled(mark, theme.focus),
            Span::styled(format!(" {}  ", commit.id.abbreviated()), theme.quiet),
            Span::styled(cells::clip(&commit.subject, room, theme), style),
        ];
        draw_ends(inner, left, right, buf);
    }
}

pub fn footer(model: &Model, sheet: &CommitsSheet) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: String| Hint::of(model, Context::Commits, name, label);
    let what = match sheet.range {
        Some(_) => format!("show {}", chrome::count(sheet.chosen().count(), "commit")),
        None => "show this one".to_owned(),
    };
    let hints = [
        hint("read.commits", what),
        hint("range.commits", "choose several".into()),
        hint("peel.commits", "leave".into()),
        hint("help.keys", "keys".into()),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}
