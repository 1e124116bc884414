//! The list and, beside or below it, what is known of the selected shadow.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, age, bold, draw_line, draw_lines, rule, span},
    detail,
    layout::{self, Areas, WIDE},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        fleet::{ListLine, Listed, Pane},
        group::Group,
        job::Slot,
    },
    review::{Row, Verdict},
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let screen = &model.fleet;
    let mut left = vec![Span::raw(" "), span(&screen.name, bold(theme.text))];
    if let Some(target) = &screen.target {
        left.push(span(&format!(" {} {target}", theme.glyphs.arrow), bold(theme.text)));
    }
    if let Some(tip) = &screen.target_tip {
        left.push(span(&format!(" {}", tip.abbreviated()), theme.quiet));
    }
    if !screen.complete {
        return Split { left, right: vec![span("looking ", theme.quiet)] };
    }
    let counts = screen.counts();
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
    Split { left, right: vec![span(&format!("{} ", shown.join(gap)), bold(theme.text))] }
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
    let moved = screen.listed.iter().filter(|l| l.group != Group::of(&l.row)).count();
    if screen.complete && moved > 0 {
        facts.push(format!("{moved} changed place · R sorts"));
    }
    if model.jobs.is_open(Slot::Write) {
        facts.push(format!("writing: {}", model.progress.unwrap_or("started")));
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
        number => format!("discard {number} marked"),
    };
    let all = if wide { "all keys" } else { "keys" };
    let hints = [
        hint("read.shadow", "read".into()),
        hint("land.shadow", land),
        hint("discard.shadows", discard),
        hint("conflicts.show", "conflicts".into()),
        hint("search.filter", "filter".into()),
        hint("help.keys", all.into()),
    ];
    let live = match model.fleet.listed.len() {
        number if wide => format!("live · {} ", chrome::count(number, "shadow")),
        _ => "live ".to_owned(),
    };
    (hints.into_iter().flatten().collect(), vec![span(&live, theme.quiet)])
}

pub fn draw(model: &Model, theme: &Theme, areas: Areas, frame: &mut Frame<'_>) {
    if model.fleet.listed.is_empty() {
        draw_empty(model, theme, areas.body, frame);
        return;
    }
    let panes = layout::fleet(areas.body, model.fleet.pane);
    let now_ms = model.now_ms;
    let columns = Columns::of(panes.list.width);
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
                let row = ListedRow { model, listed: listed[*index], is_cursor, now_ms };
                if is_cursor {
                    frame.buffer_mut().set_style(area, theme.cursor_row);
                }
                draw_line(row.line(columns, theme), area, frame);
            }
        }
    }
    draw_detail(model, theme, &panes, areas, frame);
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
        draw_line(
            rule(detail::rule_title(model, theme), panes.between.width, theme),
            panes.between,
            frame,
        );
    }
    let lines = detail::lines(model, panes.is_beside(), panes.detail.width, theme);
    let top = model.fleet.detail_top.min(lines.len().saturating_sub(1));
    let lines = lines.into_iter().skip(top).collect();
    draw_lines(lines, panes.detail, frame);
}

/// Widths of the cells at the right of the id; zero is left out. They go in the order:
/// minus, plus, read, the verdict's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    id: usize,
    verdict: usize,
    plus: usize,
    minus: usize,
    read: usize,
    age: usize,
}

const ID_CELLS_MIN: usize = 22;
/// Cursor, mark, state and a blank.
const LEAD_CELLS: usize = 4;

impl Columns {
    fn of(width: u16) -> Self {
        let width = usize::from(width);
        let mut columns = Self { id: 0, verdict: 11, plus: 8, minus: 7, read: 8, age: 5 };
        let room = width.saturating_sub(LEAD_CELLS + 1);
        for step in 0..4 {
            if columns.rest() + ID_CELLS_MIN <= room {
                break;
            }
            match step {
                0 => columns.minus = 0,
                1 => columns.plus = 0,
                2 => columns.read = 0,
                _ => columns.verdict = 3,
            }
        }
        columns.id = room.saturating_sub(columns.rest());
        columns
    }

    fn rest(&self) -> usize {
        self.verdict + self.plus + self.minus + self.read + self.age
    }
}

struct ListedRow<'a> {
    model: &'a Model,
    listed: &'a Listed,
    is_cursor: bool,
    now_ms: u64,
}

impl ListedRow<'_> {
    fn line(&self, columns: Columns, theme: &Theme) -> Line<'static> {
        let row = &self.listed.row;
        let glyphs = theme.glyphs;
        let is_marked = self.model.fleet.marks.contains(&row.id);
        let (state, state_style) = self.state(theme);
        let mut spans = vec![
            span(if self.is_cursor { glyphs.cursor } else { " " }, theme.focus),
            span(if is_marked { glyphs.mark } else { " " }, theme.focus),
            span(state, state_style),
            Span::raw(" "),
            Span::styled(
                pad(&cells::clip_middle(&row.id.0, columns.id, theme), columns.id),
                self.id_style(theme),
            ),
            Span::raw(" "),
        ];
        match &row.problem {
            Some(problem) => {
                let room = columns.rest() - columns.age;
                let text = format!("{problem} · i why");
                let text = if columns.verdict < 11 { glyphs.problem.to_owned() } else { text };
                spans.push(Span::styled(
                    cells::fit(&text, room.saturating_sub(1), theme),
                    theme.bad,
                ));
                spans.push(Span::raw(" "));
            }
            None => spans.extend(self.cells(columns, theme)),
        }
        let age = row.last_activity_ms.map(|then| age(self.now_ms, then));
        spans.push(right(&age.unwrap_or_else(|| glyphs.dot.to_owned()), columns.age, theme.quiet));
        Line::from(spans)
    }

    fn cells(&self, columns: Columns, theme: &Theme) -> Vec<Span<'static>> {
        let row = &self.listed.row;
        let dot = theme.glyphs.dot;
        let (glyph, word, style) = verdict(row, self.model.fleet.complete, theme);
        let text = if columns.verdict < 11 { glyph.to_owned() } else { format!("{glyph} {word}") };
        let mut spans = vec![Span::styled(pad(&text, columns.verdict), style)];
        let is_quiet = !self.is_cursor || self.is_done();
        let (plus_style, minus_style) =
            if is_quiet { (theme.quiet, theme.quiet) } else { (theme.good, theme.bad) };
        let nothing = matches!(row.verdict, Verdict::Landed | Verdict::Empty);
        let number = |sign: &str, number: Option<u32>| match number {
            None => dot.to_owned(),
            Some(_) if nothing => String::new(),
            Some(number) => format!("{sign}{number}"),
        };
        let plus = number("+", row.stats.map(|stats| stats.insertions));
        let minus = number(theme.glyphs.minus, row.stats.map(|stats| stats.deletions));
        spans.push(right(&plus, columns.plus, plus_style));
        spans.push(right(&minus, columns.minus, minus_style));
        spans.extend(self.read_cell(columns.read, theme));
        spans
    }

    fn read_cell(&self, width: usize, theme: &Theme) -> Vec<Span<'static>> {
        let row = &self.listed.row;
        let Some(count) = self.model.fleet.read.get(&row.id) else {
            let text = match row.snapshot {
                None => theme.glyphs.dot,
                Some(_) if self.is_done() => "",
                Some(_) => "new",
            };
            return vec![right(text, width, theme.quiet)];
        };
        let style = if self.is_done() { theme.quiet } else { theme.text };
        let text = format!("{}/{}", count.read, count.files);
        if count.changed == 0 || width == 0 {
            return vec![right(&text, width, style)];
        }
        let changed = format!(" {}{}", theme.glyphs.changed, count.changed);
        let room = width.saturating_sub(cells::width(&changed));
        vec![right(&text, room, style), span(&changed, theme.attention)]
    }

    /// One bold thing a row: the id, until it has been read.
    fn id_style(&self, theme: &Theme) -> Style {
        let row = &self.listed.row;
        if self.is_done() {
            theme.quiet
        } else if self.model.fleet.read.contains_key(&row.id) || row.snapshot.is_none() {
            theme.text
        } else {
            bold(theme.text)
        }
    }

    fn is_done(&self) -> bool {
        self.listed.group == Group::DoneOrStale
    }

    fn state(&self, theme: &Theme) -> (&'static str, Style) {
        let (row, glyphs) = (&self.listed.row, theme.glyphs);
        if row.problem.is_some() {
            (glyphs.problem, theme.bad)
        } else if row.requested.is_some() {
            (glyphs.asks, theme.text)
        } else if !row.processes.is_empty() {
            (glyphs.active, theme.text)
        } else {
            (glyphs.idle, theme.quiet)
        }
    }
}

/// Glyph, word and colour of what landing would do.
pub fn verdict(row: &Row, looked_at: bool, theme: &Theme) -> (&'static str, String, Style) {
    let glyphs = theme.glyphs;
    match row.verdict {
        Verdict::Clean => {
            let style = if row.stale.is_some() { theme.quiet } else { theme.good };
            (glyphs.done, "clean".to_owned(), style)
        }
        Verdict::Conflicts => {
            (glyphs.conflict, chrome::count(row.conflicts.len(), "file"), theme.attention)
        }
        Verdict::Empty => (glyphs.empty, "empty".to_owned(), theme.quiet),
        Verdict::Landed => (glyphs.landed, "landed".to_owned(), theme.quiet),
        Verdict::Unknown if looked_at => (glyphs.problem, "unknown".to_owned(), theme.bad),
        Verdict::Unknown => (glyphs.dot, "looking".to_owned(), theme.quiet),
    }
}

fn pad(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(cells::width(text));
    format!("{text}{}", " ".repeat(gap))
}

/// Right-aligned; nothing at all in a column that is left out.
fn right(text: &str, width: usize, style: Style) -> Span<'static> {
    if width == 0 {
        return Span::raw("");
    }
    let gap = width.saturating_sub(cells::width(text));
    Span::styled(format!("{}{text}", " ".repeat(gap)), style)
}

/// Every empty state says the way out.
fn draw_empty(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let plain = |text: &str| Line::styled(format!("   {text}"), theme.text);
    let quiet = |text: &str| Line::styled(format!("   {text}"), theme.quiet);
    let lines = match (&model.fleet.failed, model.fleet.complete) {
        (Some(report), _) => {
            let mut lines = vec![Line::from(vec![
                Span::raw("   "),
                span(&format!("The list could not be read: {}", report.headline), theme.bad),
            ])];
            lines.extend(
                report
                    .causes
                    .iter()
                    .chain(&report.hint)
                    .map(|more| Line::from(vec![Span::raw("   "), span(more, theme.quiet)])),
            );
            lines.extend([Line::default(), quiet("R   tries again     q   quits")]);
            lines
        }
        (None, true) => vec![
            plain("No shadows here yet."),
            Line::default(),
            quiet("shadowdeck create   makes one"),
            quiet("shadowdeck demo     shows some on a throw-away repository"),
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
