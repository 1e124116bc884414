//! The log: every operation, newest last.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, age, bold, draw_line, draw_lines, focus_sign, rule, span},
    land_facts::wrapped,
    theme::Theme,
};
use crate::{
    app::{Context, Model, log::DETAIL_ROWS},
    review::{Chosen, LogEntry},
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let count = model.log.entries.as_ref().map(|entries| chrome::count(entries.len(), "operation"));
    let count = count.map(|count| span(&format!("{count} "), theme.quiet));
    let screen = vec![span("   log", theme.quiet)];
    chrome::place(model, screen, count.into_iter().collect(), width, theme)
}

pub fn footer(model: &Model, _theme: &Theme, _width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Log, name, label);
    let hints = [
        hint("take-back.operation", "take this one back"),
        hint("details.row", "details"),
        hint("copy.id", "copy id"),
        hint("peel.log", "back"),
        hint("help.keys", "keys"),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let log = &model.log;
    let Some(entries) = &log.entries else {
        let text = log.failed.as_ref().map_or("reading", |report| &report.headline);
        draw_line(Line::from(vec![Span::raw("   "), span(text, theme.quiet)]), body, frame);
        return;
    };
    if entries.is_empty() {
        let lines =
            vec![Line::default(), Line::styled("   Nothing was done here yet.", theme.quiet)];
        draw_lines(lines, body, frame);
        return;
    }
    let details =
        if log.details { u16::try_from(DETAIL_ROWS).unwrap_or(0).min(body.height) } else { 0 };
    let list = Rect { height: body.height - details, ..body };
    let shown = entries.iter().enumerate().skip(log.cursor.top);
    for (row, (index, entry)) in (0..list.height).zip(shown) {
        let area = Rect { y: list.y + row, height: 1, ..list };
        let is_cursor = index == log.cursor.index;
        if is_cursor {
            frame.buffer_mut().set_style(area, theme.cursor_row);
        }
        draw_line(entry_line(model, entry, is_cursor, area.width, theme), area, frame);
    }
    let below = Rect { y: list.y + list.height, height: details, ..body };
    if let Some(entry) = log.selected().filter(|_| details > 0) {
        draw_details(entry, theme, below, frame);
    }
}

fn entry_line(
    model: &Model,
    entry: &LogEntry,
    is_cursor: bool,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let is_over = entry.status == "undone" || entry.status == "taken_back";
    let style = if is_over { theme.quiet } else { theme.text };
    let style = if model.log.is_match(entry) { theme.attention } else { style };
    let what = match &entry.shadows[..] {
        [only] => only.to_string(),
        several => chrome::count(several.len(), "shadow"),
    };
    let left = vec![
        focus_sign(if is_cursor { theme.glyphs.cursor } else { " " }, theme),
        Span::styled(format!("{:>5} ", age(model.now_ms, entry.time_ms)), theme.quiet),
        Span::styled(cells::fit(&entry.verb, 9, theme), style),
        Span::raw(" "),
        Span::styled(cells::fit(&what, 26, theme), if is_over { style } else { bold(style) }),
        Span::raw(" "),
        Span::styled(cells::safe(moves(entry, theme).as_bytes(), 60), style),
    ];
    let status = match entry.status.as_str() {
        "done" if entry.undoable => ("can be undone".to_owned(), style),
        // An undo is done again instead; ctrl-r says so.
        "done" if entry.verb != "undo" => ("cannot be undone".to_owned(), theme.quiet),
        "unfinished" => ("! unfinished".to_owned(), theme.bad),
        other => (other.replace('_', " "), theme.quiet),
    };
    let right = vec![span(&format!("{} ", status.0), status.1)];
    chrome::split_line(Split { left, right }, width.into(), " ", theme)
}

fn moves(entry: &LogEntry, theme: &Theme) -> String {
    if let Some(Chosen { path, words }) = &entry.chosen {
        return format!("{}: {words}", path.to_lossy());
    }
    match (&entry.target, &entry.before, &entry.after) {
        (Some(target), Some(before), Some(after)) => format!(
            "{target} {} {} {}",
            before.abbreviated(),
            theme.glyphs.arrow,
            after.abbreviated()
        ),
        _ => String::new(),
    }
}

fn draw_details(entry: &LogEntry, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let title = Split {
        left: vec![span(&format!("{} {}", entry.verb, entry.operation), theme.text)],
        right: Vec::new(),
    };
    let names: Vec<String> = entry.shadows.iter().map(ToString::to_string).collect();
    let oid = |oid: &Option<crate::shadow::Oid>| {
        oid.as_ref().map(ToString::to_string).unwrap_or_default()
    };
    let undo = match (&entry.undoable_why, entry.undoable) {
        (Some(why), _) => why,
        (None, true) => "u takes it back",
        (None, false) => "it cannot be taken back",
    };
    let target = entry.target.as_ref().map(ToString::to_string).unwrap_or_default();
    let facts = [
        ("shadows", names.join(", ")),
        ("target", target),
        ("before", oid(&entry.before)),
        ("after", oid(&entry.after)),
        ("choice", entry.chosen.as_ref().map(|_| moves(entry, theme)).unwrap_or_default()),
        ("status", format!("{} · {undo}", entry.status.replace('_', " "))),
    ];
    let mut lines = vec![rule(title, area.width, theme)];
    // Only what there is.
    for (label, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        lines.extend(wrapped(label, &value, theme.text, area.width, theme));
    }
    draw_lines(lines, area, frame);
}
