//! One row of the list: its cells, and which of them go as the screen narrows.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, age, bold, focus_sign, span},
    land_faces::told,
    theme::Theme,
};
use crate::{
    app::{Model, conflicts::settled_of, fleet::Listed, group::Group, viewport::SMALL_COLUMNS},
    review::{Row, Verdict},
};

/// Widths of the cells at the right of the id; zero is left out. They go in the order:
/// minus, plus, read, the verdict's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    id: usize,
    verdict: usize,
    plus: usize,
    minus: usize,
    read: usize,
    age: usize,
    /// For signs behind the id that a narrow list does without.
    has_room: bool,
}

/// An id is shown whole up to here before anything is left out for it.
const ID_CELLS: std::ops::RangeInclusive<usize> = 12..=32;
/// Cursor, mark, state and a blank.
const LEAD_CELLS: usize = 4;
/// Behind the id, and before the edge of the list where there is room for that.
const fn gap_cells(width: usize) -> usize {
    if width < 48 { 1 } else { 2 }
}

impl Columns {
    /// `longest`: cells of the longest id.
    pub(super) fn of(width: u16, longest: usize) -> Self {
        let width = usize::from(width);
        let id = longest.clamp(*ID_CELLS.start(), *ID_CELLS.end());
        let has_room = width >= usize::from(SMALL_COLUMNS);
        let mut columns = Self { id: 0, verdict: 11, plus: 8, minus: 7, read: 8, age: 5, has_room };
        let room = width.saturating_sub(LEAD_CELLS + gap_cells(width));
        for step in 0..5 {
            if columns.rest() + id <= room {
                break;
            }
            match step {
                // Closer together first; then they go one by one.
                0 => columns = Self { plus: 6, minus: 6, read: 7, ..columns },
                1 => columns.minus = 0,
                2 => columns.plus = 0,
                3 => columns.read = 0,
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

pub(super) struct ListedRow<'a> {
    pub(super) model: &'a Model,
    pub(super) listed: &'a Listed,
    pub(super) is_cursor: bool,
    pub(super) in_range: bool,
}

impl ListedRow<'_> {
    pub(super) fn line(&self, columns: Columns, theme: &Theme) -> Line<'static> {
        let row = &self.listed.row;
        let glyphs = theme.glyphs;
        let is_marked = self.model.fleet.marks.contains(&row.id);
        let mark = match (is_marked, self.in_range) {
            (true, _) => glyphs.mark,
            (false, true) => glyphs.pane,
            (false, false) => " ",
        };
        let (state, state_style) = self.state(theme);
        let mut spans = vec![
            focus_sign(if self.is_cursor { glyphs.cursor } else { " " }, theme),
            focus_sign(mark, theme),
            span(state, state_style),
            Span::raw(" "),
        ];
        spans.extend(self.id(columns, theme));
        // What stands in place of verdict and counts.
        let room = (columns.rest() - columns.age).saturating_sub(1);
        let instead = match (self.landing(room, theme), &row.problem) {
            (Some(told), _) => Some((told, theme.text)),
            (None, Some(_)) if columns.verdict < 11 => Some((glyphs.problem.to_owned(), theme.bad)),
            (None, Some(problem)) => {
                let why = if room < 2 * cells::width(WHY) { "" } else { WHY };
                let said = brief(row, problem);
                let said = cells::clip(&said, room - cells::width(why), theme);
                Some((format!("{said}{why}"), theme.bad))
            }
            (None, None) => None,
        };
        match instead {
            Some((text, style)) => {
                spans.push(Span::styled(cells::fit(&text, room, theme), style));
                spans.push(Span::raw(" "));
            }
            None => spans.extend(self.cells(columns, theme)),
        }
        let age = row.last_activity_ms.map(|then| age(self.model.now_ms, then));
        spans.push(right(&age.unwrap_or_else(|| glyphs.dot.to_owned()), columns.age, theme.quiet));
        Line::from(spans)
    }

    /// With signs behind it: of what is to be known of it besides.
    fn id(&self, columns: Columns, theme: &Theme) -> Vec<Span<'static>> {
        let signs = self.signs(columns, theme);
        let room = columns.id.saturating_sub(chrome::width_of(&signs));
        let id = cells::clip_middle(&self.listed.row.id.0, room, theme);
        if signs.is_empty() {
            return vec![Span::styled(pad(&id, room), self.id_style(theme)), Span::raw(" ")];
        }
        let gap = room.saturating_sub(cells::width(&id)) + 1;
        let mut spans = vec![Span::styled(id, self.id_style(theme))];
        spans.extend(signs);
        spans.push(Span::raw(" ".repeat(gap)));
        spans
    }

    /// Work that is in no commit, where there is room for that; comments that the agent answered; something flagged in
    /// its files, or some of them not searched. Which, and why, stands in the detail.
    fn signs(&self, columns: Columns, theme: &Theme) -> Vec<Span<'static>> {
        let row = &self.listed.row;
        let glyphs = theme.glyphs;
        let attention = if self.is_done() || self.is_old() { theme.quiet } else { theme.attention };
        let uncommitted = (row.dirty == Some(true) && columns.has_room)
            .then(|| (glyphs.uncommitted.to_owned(), theme.quiet));
        let comments = self.model.fleet.open_comments.get(&row.id).copied().flatten();
        let answered = comments
            .filter(|comments| comments.answered > 0)
            .map(|comments| (format!("{}{}", glyphs.comment, comments.answered), attention));
        let flagged = if row.marked_flags().next().is_some() {
            Some((glyphs.problem.to_owned(), attention))
        } else {
            let unsearched = row.unsearched().next();
            unsearched.map(|_| (glyphs.dot.to_owned(), theme.quiet))
        };
        let signs = [uncommitted, answered, flagged].into_iter().flatten();
        signs.map(|(sign, style)| Span::styled(format!(" {sign}"), style)).collect()
    }

    /// Where its landing is, while it runs.
    fn landing(&self, room: usize, theme: &Theme) -> Option<String> {
        let plan = self.model.running.landing.as_ref()?;
        if plan.id != self.listed.row.id {
            return None;
        }
        let (words, age) = told(self.model);
        let room = room.saturating_sub(cells::width(&age) + 3);
        Some(format!("{} {} {age}", theme.glyphs.cut, cells::clip(&words, room, theme)))
    }

    fn cells(&self, columns: Columns, theme: &Theme) -> Vec<Span<'static>> {
        let row = &self.listed.row;
        let dot = theme.glyphs.dot;
        let (glyph, word, style) = verdict(row, self.model, theme);
        let style = if self.is_old() { theme.quiet } else { style };
        let text = if columns.verdict < 11 { glyph.to_owned() } else { format!("{glyph} {word}") };
        let mut spans = vec![Span::styled(pad(&text, columns.verdict), style)];
        let is_quiet = !self.is_cursor || self.is_done() || self.is_old();
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
        let Some(count) = self.model.fleet.read_of(row) else {
            let is_older = self.model.fleet.read.contains_key(&row.id);
            let text = match row.snapshot {
                None => theme.glyphs.dot,
                Some(_) if self.is_done() => "",
                // It is counted anew.
                Some(_) if is_older => theme.glyphs.dot,
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
        if self.is_done() || self.is_old() {
            theme.quiet
        } else if self.model.fleet.read.contains_key(&row.id) || row.snapshot.is_none() {
            theme.text
        } else {
            bold(theme.text)
        }
    }

    /// Of an earlier visit: nothing of it stands out until it has been looked at.
    fn is_old(&self) -> bool {
        self.listed.as_of_ms.is_some()
    }

    fn is_done(&self) -> bool {
        self.listed.group == Group::DoneOrStale
    }

    fn state(&self, theme: &Theme) -> (&'static str, Style) {
        let (row, glyphs) = (&self.listed.row, theme.glyphs);
        if row.problem.is_some() {
            (glyphs.problem, theme.bad)
        } else if self.is_old() {
            (if row.requested.is_some() { glyphs.asks } else { glyphs.dot }, theme.quiet)
        } else if row.requested.is_some() {
            (glyphs.asks, theme.text)
        } else if !row.processes.is_empty() {
            (glyphs.active, theme.text)
        } else {
            (glyphs.idle, theme.quiet)
        }
    }
}

/// Said of every broken row.
const WHY: &str = " · i why";

/// A row's problem without the way out, and without the path that its id stands for.
fn brief(row: &Row, problem: &str) -> String {
    let said = problem.split_once("; ").map_or(problem, |(said, _)| said);
    let own = row.path.display().to_string();
    let said = said.replace(&format!("its directory {own}"), "its directory").replace(&own, "it");
    said.strip_prefix("it ").map_or(said.clone(), str::to_owned)
}

/// Whether what is unknown will stay so: nothing is on its way.
fn looked_at(model: &Model) -> bool {
    model.fleet.complete || model.fleet.failed.is_some()
}

/// Glyph, word and colour of what landing would do.
pub fn verdict(row: &Row, model: &Model, theme: &Theme) -> (&'static str, String, Style) {
    let glyphs = theme.glyphs;
    match row.verdict {
        Verdict::Clean => {
            let style = if row.stale.is_some() { theme.quiet } else { theme.good };
            (glyphs.done, "clean".to_owned(), style)
        }
        Verdict::Conflicts => conflicts(row, theme),
        Verdict::Empty => (glyphs.empty, "empty".to_owned(), theme.quiet),
        Verdict::Landed => (glyphs.landed, "landed".to_owned(), theme.quiet),
        Verdict::Unknown if looked_at(model) => (glyphs.problem, "unknown".to_owned(), theme.bad),
        Verdict::Unknown => (glyphs.dot, "looking".to_owned(), theme.quiet),
    }
}

/// How many files of it conflict, and how many of them are settled.
pub(super) fn conflicts(row: &Row, theme: &Theme) -> (&'static str, String, Style) {
    let glyphs = theme.glyphs;
    match settled_of(row) {
        Some((settled, files)) if settled == files => {
            (glyphs.done, format!("{settled} settled"), theme.good)
        }
        Some((settled, files)) => {
            (glyphs.conflict, format!("{settled}/{files} files"), theme.attention)
        }
        None => (glyphs.conflict, chrome::count(row.conflicts.len(), "file"), theme.attention),
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
