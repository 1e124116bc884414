//! The discard sheet: every row carries its reason, so a person confirms facts and not a count.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, age, bold, draw_line, draw_lines, focus_sign, rule, span},
    land_facts::wrapped,
    layout::WIDE,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model, Sheet,
        discard_sheet::{DiscardSheet, Face, Line as SheetLine, Section},
        viewport::SMALL_COLUMNS,
        way_out,
    },
    report::Report,
    review::DiscardEntry,
};

const ID_CELLS: usize = 22;
/// Before a reason in a line of its own.
const REASON_CELLS: usize = 8;

pub fn draw(model: &Model, sheet: &DiscardSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    draw_line(rule(title(sheet, theme), area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let lines = match &sheet.face {
        Face::Waiting => vec![quiet("still looking at the rest of the list", theme)],
        Face::Planning => vec![quiet("working it out", theme)],
        Face::Refused(report) => refusal_lines(report, area.width, theme),
        Face::Running => {
            wrapped("now", &running_words(model, sheet), theme.text, area.width, theme)
        }
        Face::Planned(_) => {
            let lines = entry_lines(model, sheet, area.width, theme);
            lines.into_iter().skip(sheet.cursor.top).collect()
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
    let what = match &sheet.face {
        Face::Refused(_) => format!("Not discarded: {}", chrome::count(number, "shadow")),
        Face::Running => format!("Discarding {}", chrome::count(number, "shadow")),
        _ => format!("Discard {}", chrome::count(number, "shadow")),
    };
    let right = match &sheet.face {
        Face::Refused(report) => report.code.as_str(),
        Face::Running if number == 1 => "u brings it back",
        Face::Running => "u brings all back",
        _ if number == 1 => "to trash, u brings it back, kept until gc",
        _ => "to trash in one step, u brings all back, kept until gc",
    };
    let style = if matches!(sheet.face, Face::Refused(_)) { theme.attention } else { theme.text };
    Split { left: vec![span(&what, bold(style))], right: vec![span(right, theme.quiet)] }
}

fn refusal_lines(report: &Report, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = wrapped("safe", "nothing was discarded", theme.text, width, theme);
    lines.extend(wrapped("why", &report.headline, theme.attention, width, theme));
    for cause in &report.causes {
        lines.extend(wrapped("", cause, theme.text, width, theme));
    }
    if let Some(next) = way_out::of(report) {
        lines.extend(wrapped("next", &next, theme.text, width, theme));
    }
    lines
}

/// `discarding 31/50 · ctrl-c stops after this one`
fn running_words(model: &Model, sheet: &DiscardSheet) -> String {
    let running = &model.running;
    let stop = if running.is_asked_to_stop {
        "stopping after this one"
    } else {
        "ctrl-c stops after this one"
    };
    match running.done {
        Some((count, of)) => format!("discarding {}/{of} · {stop}", count + 1),
        None => format!("discarding {}: {}", sheet.ticked.len(), running.words()),
    }
}

fn entry_lines(
    model: &Model,
    sheet: &DiscardSheet,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let entries = sheet.entries();
    let lines = sheet.lines(model.viewport.columns);
    let drawn = lines.into_iter().map(|line| match line {
        SheetLine::Head(section) => quiet(heading(section, width), theme),
        SheetLine::Folded => folded_line(sheet, &entries, width, theme),
        SheetLine::Row(index) => {
            let is_cursor = index == sheet.cursor.index;
            entry_line(model, sheet, entries[index], is_cursor, width, theme)
        }
        SheetLine::Reason(index) => {
            let (words, style) = words(entries[index], theme);
            let room = usize::from(width).saturating_sub(REASON_CELLS + 1);
            let words = cells::clip(&words, room, theme);
            Line::from(vec![Span::raw(" ".repeat(REASON_CELLS)), Span::styled(words, style)])
        }
    });
    drawn.collect()
}

/// `elsewhere too:  plan-01jw2 landed, wide-oak empty`
fn folded_line(
    sheet: &DiscardSheet,
    entries: &[&DiscardEntry],
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let safest = entries.iter().filter(|entry| Section::of(entry) == Section::Elsewhere);
    let named = safest.map(|entry| {
        let mark = if sheet.ticked.contains(&entry.id) { theme.glyphs.mark } else { "not ticked" };
        let why = entry.holds.elsewhere.as_deref().unwrap_or_default();
        // Its first word says which.
        let why = why.split([' ', ',']).next().unwrap_or_default();
        format!("{mark} {} {why}", entry.id)
    });
    let text = format!("  elsewhere too:  {}", named.collect::<Vec<_>>().join(", "));
    let clipped = cells::clip(&text, usize::from(width).saturating_sub(1), theme);
    Line::styled(clipped, theme.text)
}

fn heading(section: Section, width: u16) -> &'static str {
    match (section, width < SMALL_COLUMNS) {
        (Section::Elsewhere, _) => "all of it is elsewhere too",
        (Section::NowhereElse, false) => "holds work that is nowhere else; trash keeps every byte",
        (Section::NowhereElse, true) => "nowhere else; trash keeps every byte",
        (Section::Held, false) => "not ticked: it cannot go now, or someone is in it",
        (Section::Held, true) => "not ticked: kept back, or in use",
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
        focus_sign(if is_cursor { glyphs.cursor } else { " " }, theme),
        Span::raw("   "),
        focus_sign(mark, theme),
        Span::raw(" "),
        Span::styled(cells::fit(&entry.id.0, ID_CELLS, theme), style),
        Span::raw(" "),
    ];
    let mut left = left;
    if width >= SMALL_COLUMNS {
        // A blank before it and behind it.
        let room = usize::from(width).saturating_sub(chrome::width_of(&left) + idle.len() + 2);
        let (words, style) = words(entry, theme);
        left.push(Span::styled(cells::clip(&words, room, theme), style));
    }
    let right = vec![Span::styled(format!("{idle} "), theme.quiet)];
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
    let mut facts = holds.facts();
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
    let is_wide = model.viewport.columns >= WIDE;
    let is_small = model.viewport.is_small();
    let hints = match &sheet.face {
        Face::Planned(_) => vec![
            hint("confirm.discard", format!("discard {ticked}")),
            hint("leave.sheet", if is_wide { "leave, marks kept" } else { "leave" }.into()),
            hint("tick.shadow", if is_wide { "tick or untick" } else { "tick" }.into()),
            hint("fold.rows", "all rows".into()).filter(|_| !is_wide),
            hint("why.row", "why".into()),
            hint("help.keys", "keys".into()),
        ],
        Face::Running => vec![
            hint("leave.sheet", if is_small { "read on" } else { "go on reading" }.into()),
            hint("stop.discard", if is_small { "stop" } else { "stop after this one" }.into()),
            hint("help.keys", "keys".into()),
        ],
        Face::Waiting | Face::Planning | Face::Refused(_) => {
            vec![hint("leave.sheet", "leave".into()), hint("help.keys", "keys".into())]
        }
    };
    let right = format!("{ticked} of {} ", sheet.ids.len());
    (hints.into_iter().flatten().collect(), vec![span(&right, theme.quiet)])
}
