//! The list and, beside or below it, what is known of the selected shadow.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, rule, span},
    detail,
    fleet_row::{Columns, ListedRow},
    land_faces,
    layout::{self, Areas, WIDE},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        conflicts::settled_of,
        fleet::{ListLine, Listed, Pane},
        group::Group,
        job::Slot,
        viewport::SMALL_COLUMNS,
    },
    report::Code,
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let screen = &model.fleet;
    let right = header_counts(model, theme, width);
    let mut place = Vec::new();
    if let Some(target) = &screen.target {
        place.push(span(&format!(" {} {target}", theme.glyphs.arrow), bold(theme.text)));
    }
    if let Some(tip) = &screen.target_tip {
        place.push(span(&format!(" {}", tip.abbreviated()), theme.quiet));
    }
    chrome::place(model, place, right, width, theme)
}

fn header_counts(model: &Model, theme: &Theme, width: u16) -> Vec<Span<'static>> {
    let screen = &model.fleet;
    if screen.failed.is_some() && !screen.complete {
        return vec![span("could not be read ", theme.bad)];
    }
    if !screen.complete {
        let age = screen.as_of_ms().map_or_else(String::new, |then| {
            format!("as of {} ago  ", chrome::age(model.now_ms, then))
        });
        let far = match screen.looked_at.unwrap_or((0, screen.listed.len())) {
            (_, 0) => String::new(),
            (count, of) => format!("{count}/{of} "),
        };
        return vec![span(&format!("{age}looking {far}"), theme.quiet)];
    }
    let mut counts = screen.counts();
    // A row that says settled is none to settle.
    let is_settled = |listed: &&Listed| {
        !matches!(Group::of(&listed.row), Group::Broken | Group::DoneOrStale)
            && settled_of(&listed.row).is_some_and(|(settled, files)| settled == files)
    };
    let settled = screen.listed.iter().filter(is_settled).count();
    counts.conflicts = counts.conflicts.saturating_sub(settled);
    let glyphs = theme.glyphs;
    let wide = width >= WIDE;
    let words = |number: usize, word: &str, glyph: &str| {
        let what = if wide || glyph.is_empty() { word } else { glyph };
        format!("{number} {what}")
    };
    let conflicts = if counts.conflicts == 1 { "conflict" } else { "conflicts" };
    let parts = [
        (counts.to_read, words(counts.to_read, "to read", "")),
        (counts.conflicts, words(counts.conflicts, conflicts, glyphs.conflict)),
        (counts.at_work, words(counts.at_work, "at work", glyphs.active)),
        (counts.broken, words(counts.broken, "broken", glyphs.problem)),
        (counts.stale, words(counts.stale, "stale", "")),
    ];
    let gap = if wide { "   " } else { "  " };
    let shown: Vec<String> =
        parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect();
    vec![span(&format!("{} ", shown.join(gap)), bold(theme.text))]
}

/// `since 13:10: 2 new, 1 now conflicts · n walks them`, for as long as some are left to walk.
fn away_line(model: &Model) -> Option<String> {
    let away = model.fleet.away.as_ref()?;
    let since = chrome::age(model.now_ms, away.since_ms);
    let left = away.news.len() - away.walked.len();
    let walks = match (left, away.walked.len()) {
        (0, _) => String::new(),
        (_, 0) => " · n walks them".to_owned(),
        (left, _) => format!(" · n walks the {left} left"),
    };
    Some(format!("since you looked {since} ago: {}{walks}", away.sentence()))
}

/// Nothing is left to do here: what goes on, and what there is to look at all the same.
fn nothing_waits(model: &Model) -> Option<String> {
    let screen = &model.fleet;
    let waits = screen.listed.iter().any(|listed| Group::of(&listed.row).wants_you());
    if waits || !screen.complete || screen.listed.is_empty() {
        return None;
    }
    let counts = screen.counts();
    let newest = screen.listed.iter().filter_map(|listed| listed.row.last_activity_ms).max();
    let wrote = newest.map_or_else(String::new, |then| {
        format!(", newest wrote {} ago", chrome::age(model.now_ms, then))
    });
    Some(match counts.at_work {
        0 => "nothing waits for you · L what happened".to_owned(),
        number => format!("nothing waits for you: {number} at work{wrote} · L what happened"),
    })
}

pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let screen = &model.fleet;
    let mut facts: Vec<String> = Vec::new();
    if !screen.filter.is_empty() {
        let shown = screen.visible_count();
        facts.push(format!(
            "filter {}: {shown} of {} · Esc shows all",
            screen.filter,
            screen.listed.len()
        ));
    }
    if !screen.complete && screen.failed.is_none() {
        facts.push(match screen.listed.len() {
            0 => "looking for worktrees".to_owned(),
            number => format!("looking at {}", chrome::count(number, "shadow")),
        });
    }
    if let Some(report) = screen.failed.as_ref().filter(|_| screen.complete) {
        let age = chrome::age(model.now_ms, screen.read_at_ms);
        facts.push(format!("not live, read {age} ago: {} · R tries again", report.headline));
    }
    facts.extend(away_line(model).or_else(|| nothing_waits(model)));
    let moved = screen.listed.iter().filter(|l| l.group != Group::of(&l.row)).count();
    if screen.complete && moved > 0 {
        facts.push(format!("{moved} changed place · R sorts"));
    }
    if model.jobs.is_open(Slot::Write) {
        facts.push(format!("writing: {}", land_faces::told_whole(model)));
    }
    Split { left: vec![span(&facts.join(" · "), theme.quiet)], right: Vec::new() }.without_empty()
}

impl Split {
    fn without_empty(mut self) -> Self {
        self.left.retain(|span| !span.content.is_empty());
        self
    }
}

pub fn footer(model: &Model, theme: &Theme, width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let wide = width >= WIDE;
    let hint = |name: &str, label: String| Hint::of(model, Context::Fleet, name, label);
    let marked = model.fleet.marked().len();
    let land = match model.fleet.selected() {
        Some(row) if wide => format!("land {}", cells::clip_middle(&row.id.0, 20, theme)),
        _ => "land".to_owned(),
    };
    let discard = match marked {
        0 => "discard".to_owned(),
        number if width < SMALL_COLUMNS => format!("discard {number}"),
        number => format!("discard {number} marked"),
    };
    let all = if wide { "all keys" } else { "keys" };
    let (live, style) = match (&model.fleet.failed, model.fleet.complete) {
        (Some(_), _) => ("not live", theme.attention),
        (None, true) => ("live", theme.quiet),
        (None, false) => ("looking", theme.quiet),
    };
    let live = match model.fleet.listed.len() {
        number if wide => format!("{live} · {} ", chrome::count(number, "shadow")),
        _ => format!("{live} "),
    };
    if model.fleet.listed.is_empty() {
        // What is about a shadow would do nothing here.
        let create = model.fleet.complete.then(|| hint("create.shadow", "make one".into()));
        let quit = hint("quit.program", "quit".into());
        let hints = [create.flatten(), quit, hint("help.keys", all.into())];
        return (hints.into_iter().flatten().collect(), vec![span(&live, style)]);
    }
    let hints = [
        hint("read.shadow", "read".into()),
        hint("land.shadow", land),
        hint("discard.shadows", discard),
        hint("conflicts.show", "conflicts".into()),
        hint("search.filter", "filter".into()),
        hint("help.keys", all.into()),
    ];
    (hints.into_iter().flatten().collect(), vec![span(&live, style)])
}

pub fn draw(model: &Model, theme: &Theme, areas: Areas, frame: &mut Frame<'_>) {
    if model.fleet.listed.is_empty() {
        draw_empty(model, theme, areas.body, frame);
        return;
    }
    let panes = layout::fleet(areas.body, model.fleet.pane, model.sizes);
    let longest = model.fleet.listed.iter().map(|listed| cells::width(&listed.row.id.0)).max();
    let columns = Columns::of(panes.list.width, longest.unwrap_or(0));
    let range = model.fleet.range_rows();
    let listed: Vec<&Listed> = model.fleet.visible().collect();
    if listed.is_empty() {
        let text = "Nothing fits the filter. Esc shows all.";
        draw_line(Line::styled(format!("   {text}"), theme.quiet), panes.list, frame);
    }
    let lines = model.fleet.lines(panes.heads);
    let shown = lines.iter().skip(model.fleet.cursor.top);
    for (offset, line) in (0..panes.list.height).zip(shown) {
        let area = Rect { y: panes.list.y + offset, height: 1, ..panes.list };
        match line {
            ListLine::Head(group) => {
                draw_line(Line::styled(format!(" {}", group.title()), theme.quiet), area, frame);
            }
            ListLine::Row(index) => {
                let is_cursor = *index == model.fleet.cursor.index;
                let in_range = range.as_ref().is_some_and(|range| range.contains(index));
                let row = ListedRow { model, listed: listed[*index], is_cursor, in_range };
                if is_cursor {
                    frame.buffer_mut().set_style(area, theme.cursor_row);
                }
                draw_line(row.line(columns, theme), area, frame);
            }
        }
    }
    draw_detail(model, theme, &panes, areas, frame);
    draw_hidden(model, theme, &panes, areas, frame);
}

/// Rows of the list that are scrolled out of sight, where its lower end is: `3 above, 2 below`.
fn hidden(model: &Model, panes: &layout::FleetAreas) -> Option<String> {
    let lines = model.fleet.lines(panes.heads);
    let rows = |lines: &[ListLine]| lines.iter().filter(|l| matches!(l, ListLine::Row(_))).count();
    let top = model.fleet.cursor.top.min(lines.len());
    let end = (top + usize::from(panes.list.height)).min(lines.len());
    match (rows(&lines[..top]), rows(&lines[end..])) {
        (0, 0) => None,
        (0, below) => Some(format!("{below} more below")),
        (above, 0) => Some(format!("{above} more above")),
        (above, below) => Some(format!("{above} above, {below} below")),
    }
}

/// In the bottom rule, where the list goes down to it and nothing longer is said there.
fn draw_hidden(
    model: &Model,
    theme: &Theme,
    panes: &layout::FleetAreas,
    areas: Areas,
    frame: &mut Frame<'_>,
) {
    let is_lowest = panes.list.bottom() == areas.bottom_rule.y;
    let Some(text) = hidden(model, panes).filter(|_| is_lowest) else { return };
    let text = format!(" {text} ");
    let cells = u16::try_from(cells::width(&text)).unwrap_or(u16::MAX);
    // A piece of line stays behind it.
    let x = panes.list.right().saturating_sub(cells + 1);
    let area = Rect { x, width: cells.min(panes.list.right() - x), ..areas.bottom_rule };
    let is_rule = |x| {
        let cell = frame.buffer_mut().cell((x, area.y));
        cell.is_some_and(|cell| cell.symbol() == theme.glyphs.rule)
    };
    if (area.left()..area.right()).all(is_rule) {
        draw_line(Line::styled(text, theme.quiet), area, frame);
    }
}

fn draw_detail(
    model: &Model,
    theme: &Theme,
    panes: &layout::FleetAreas,
    areas: Areas,
    frame: &mut Frame<'_>,
) {
    if panes.is_beside() {
        for y in panes.between.top()..panes.between.bottom() {
            let area = Rect { y, height: 1, ..panes.between };
            draw_line(Line::styled(theme.glyphs.pane, theme.quiet), area, frame);
        }
        let foot = Rect { x: panes.between.x, width: 1, ..areas.bottom_rule };
        // The answer may be longer than the list is wide: then it stays whole.
        let is_rule = frame
            .buffer_mut()
            .cell((foot.x, foot.y))
            .is_some_and(|cell| cell.symbol() == theme.glyphs.rule);
        if is_rule && areas.sheet.height == 0 {
            draw_line(Line::styled(theme.glyphs.tee_up, theme.quiet), foot, frame);
        }
    } else if panes.between.height > 0 {
        let more = hidden(model, panes).map(|text| span(&text, theme.quiet));
        let title = detail::rule_title(model, theme);
        let split = Split { right: more.into_iter().collect(), ..title };
        draw_line(rule(split, panes.between.width, theme), panes.between, frame);
    }
    let lines = detail::lines(model, panes.is_beside(), panes.detail.width, theme);
    let top = model.fleet.detail_top.min(lines.len().saturating_sub(1));
    let lines = lines.into_iter().skip(top).collect();
    draw_lines(lines, panes.detail, frame);
}

/// Every empty state says the way out.
fn draw_empty(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let plain = |text: &str| Line::styled(format!("   {text}"), theme.text);
    let quiet = |text: &str| Line::styled(format!("   {text}"), theme.quiet);
    let key = |key: &str, does: &str| {
        Line::from(vec![span(&format!("   {key}"), theme.focus), span(does, theme.quiet)])
    };
    let lines = match (&model.fleet.failed, model.fleet.complete) {
        (Some(report), _) => {
            let width = usize::from(body.width).saturating_sub(6);
            let wrapped = |text: &str, style: Style| -> Vec<Line<'static>> {
                let parts = chrome::wrap(text, width).into_iter();
                parts.map(|part| Line::from(vec![Span::raw("   "), span(&part, style)])).collect()
            };
            let is_elsewhere = report.code == Code::NotARepository;
            let mut lines = if is_elsewhere {
                wrapped("Not a git repository.", theme.text)
            } else {
                wrapped(&format!("The list could not be read: {}", report.headline), theme.bad)
            };
            let said = is_elsewhere.then_some(&report.headline);
            let more = report.causes.iter().chain(&report.safe).chain(&report.hint);
            lines.extend(said.into_iter().chain(more).flat_map(|text| wrapped(text, theme.quiet)));
            lines.push(Line::default());
            if !is_elsewhere {
                lines.push(key("R  ", "try again"));
            }
            lines.push(key("q  ", "quit"));
            if is_elsewhere {
                lines.push(quiet("   `shadowdeck -C DIR` opens another directory"));
                lines.push(quiet("   `shadowdeck demo` shows it on a throw-away repository"));
            }
            lines
        }
        (None, true) => vec![
            plain("No shadows here yet."),
            Line::default(),
            key("C  ", "make one now"),
            key(":  ", "find anything else by its name"),
            key("q  ", "quit; `shadowdeck demo` shows some on a throw-away repository"),
            Line::default(),
            quiet("Worktrees that other tools make show up too."),
        ],
        (None, false) => vec![quiet("looking for worktrees")],
    };
    let body =
        Rect { y: body.y + body.height.min(1), height: body.height.saturating_sub(1), ..body };
    draw_lines(lines, body, frame);
}

/// For rules and heads of other panes.
pub fn pane_style(model: &Model, pane: Pane, theme: &Theme) -> Style {
    if model.fleet.pane == pane { theme.focus } else { theme.quiet }
}
