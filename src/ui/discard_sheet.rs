//! The discard sheet: every row carries its reason, so a person confirms facts and not a count.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, age, bold, draw_line, draw_lines, rule, span},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model, Sheet,
        discard_sheet::{DiscardSheet, Face, Section},
    },
    review::DiscardEntry,
};

const ID_CELLS: usize = 22;
const IDLE_CELLS: usize = 6;

pub fn draw(model: &Model, sheet: &DiscardSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    frame.buffer_mut().set_style(area, theme.text);
    let blank = " ".repeat(area.width.into());
    draw_lines(vec![Line::raw(blank); area.height.into()], area, frame);
    draw_line(rule(title(sheet, theme), area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let lines = match &sheet.face {
        Face::Waiting => vec![quiet("still looking at the rest of the list", theme)],
        Face::Planning => vec![quiet("working it out", theme)],
        Face::Refused(report) => {
            let mut lines = vec![
                Line::from(vec![Span::raw("  "), span(&report.headline, theme.attention)]),
                quiet("nothing was discarded", theme),
            ];
            for more in report.causes.iter().chain(&report.hint) {
                lines.push(Line::from(vec![Span::raw("  "), span(more, theme.text)]));
            }
            lines
        }
        Face::Running => {
            let step = model.progress.unwrap_or("started");
            vec![quiet(&format!("discarding {}: {step}", sheet.ticked.len()), theme)]
        }
        Face::Planned(_) => {
            let lines = entry_lines(model, sheet, area.width, theme);
            let cursor = lines.iter().position(|(is_cursor, _)| *is_cursor).unwrap_or(0);
            let rows = usize::from(inner.height);
            let top = (cursor + 1).saturating_sub(rows);
            // A head stays with the first row below it.
            lines.into_iter().skip(top).map(|(_, line)| line).collect()
        }
    };
    draw_lines(lines, inner, frame);
}

fn quiet(text: &str, theme: &Theme) -> Line<'static> {
    Line::styled(format!("  {text}"), theme.quiet)
}

fn title(sheet: &DiscardSheet, theme: &Theme) -> Split {
    let number = match sheet.face {
        Face::Planned(_) | Face::Running => sheet.ticked.len(),
        Face::Waiting | Face::Planning | Face::Refused(_) => sheet.ids.len(),
    };
    let what = format!("Discard {}", chrome::count(number, "shadow"));
    let right = "to trash in one step, u brings all back, kept until gc";
    Split { left: vec![span(&what, bold(theme.text))], right: vec![span(right, theme.quiet)] }
}

/// Each line, and whether the cursor is on it.
fn entry_lines(
    model: &Model,
    sheet: &DiscardSheet,
    width: u16,
    theme: &Theme,
) -> Vec<(bool, Line<'static>)> {
    let mut lines = Vec::new();
    let mut section = None;
    for (index, entry) in sheet.entries().into_iter().enumerate() {
        let own = Section::of(entry);
        if section != Some(own) {
            lines.push((false, quiet(heading(own), theme)));
            section = Some(own);
        }
        let is_cursor = index == sheet.cursor.index;
        lines.push((is_cursor, entry_line(model, sheet, entry, is_cursor, width, theme)));
    }
    lines
}

fn heading(section: Section) -> &'static str {
    match section {
        Section::Elsewhere => "all of it is elsewhere too",
        Section::NowhereElse => "holds work that is nowhere else; trash keeps every byte",
        Section::Held => "not ticked: it cannot go now, or someone is in it",
    }
}

fn entry_line(
    model: &Model,
    sheet: &DiscardSheet,
    entry: &DiscardEntry,
    is_cursor: bool,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let glyphs = theme.glyphs;
    let mark = if sheet.ticked.contains(&entry.id) { glyphs.mark } else { " " };
    let idle = entry.last_activity_ms.map(|then| age(model.now_ms, then)).unwrap_or_default();
    let style = if Section::of(entry) == Section::Held { theme.quiet } else { theme.text };
    let left = vec![
        span(if is_cursor { glyphs.cursor } else { " " }, theme.focus),
        Span::raw("   "),
        span(mark, theme.focus),
        Span::raw(" "),
        Span::styled(cells::fit(&entry.id.0, ID_CELLS, theme), style),
        Span::raw(" "),
    ];
    let room = usize::from(width).saturating_sub(chrome::width_of(&left) + IDLE_CELLS + 1);
    let mut left = left;
    let (words, style) = words(entry, theme);
    left.push(Span::styled(cells::clip(&words, room, theme), style));
    let right = vec![Span::styled(format!("{idle:>IDLE_CELLS$} "), theme.quiet)];
    chrome::split_line(Split { left, right }, width.into(), " ", theme)
}

fn words(entry: &DiscardEntry, theme: &Theme) -> (String, ratatui::style::Style) {
    if let Some(reason) = &entry.refused {
        return (reason.clone(), theme.bad);
    }
    if let Some(process) = entry.processes.first() {
        return (format!("{} (pid {}) is in it", process.name, process.pid), theme.attention);
    }
    let holds = &entry.holds;
    let mut facts = Vec::new();
    if holds.commits > 0 {
        facts.push(chrome::count(holds.commits as usize, "commit"));
    }
    if holds.edited_files > 0 {
        facts.push(format!("edits in {}", chrome::count(holds.edited_files as usize, "file")));
    }
    if holds.untracked_files > 0 {
        facts.push(chrome::count(holds.untracked_files as usize, "untracked file"));
    }
    if !holds.ignored.is_empty() {
        let names: Vec<String> = holds.ignored.iter().map(chrome::path).collect();
        facts.push(format!("{} ignored", names.join(", ")));
    }
    match &holds.elsewhere {
        Some(elsewhere) if facts.is_empty() => (elsewhere.clone(), theme.quiet),
        Some(elsewhere) => (format!("{elsewhere} · {}", facts.join(", ")), theme.text),
        None if facts.is_empty() => ("nothing of its own".to_owned(), theme.quiet),
        None => (facts.join(", "), theme.attention),
    }
}

pub fn footer(model: &Model, theme: &Theme) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(Sheet::Discard(sheet)) = model.sheets.last() else {
        return (Vec::new(), Vec::new());
    };
    let hint = |name: &str, label: String| Hint::of(model, Context::DiscardSheet, name, label);
    let ticked = sheet.ticked.len();
    let hints = match &sheet.face {
        Face::Planned(_) => vec![
            hint("confirm.discard", format!("discard {ticked}")),
            hint("leave.sheet", "leave, marks kept".into()),
            hint("tick.shadow", "tick or untick".into()),
            hint("why.row", "why".into()),
            hint("help.keys", "keys".into()),
        ],
        Face::Waiting | Face::Planning | Face::Refused(_) | Face::Running => {
            vec![hint("leave.sheet", "leave".into()), hint("help.keys", "keys".into())]
        }
    };
    let right = format!("{ticked} of {} ", sheet.ids.len());
    (hints.into_iter().flatten().collect(), vec![span(&right, theme.quiet)])
}
