//! The result part of a conflict: what would land, or what there is to choose; and the rails of all parts.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells::{self, Code, code_line, code_part},
    chrome::{bold, clip_spans, span},
    conflict_words::{Room, base_label, shadow_label, target_label},
    conflicts::LINE_MATCHES_MAX,
    conflicts_list,
    diff_rows::{Cursor, Gutter, Part as LinePart, Pen, draw_cursor, draw_words},
    theme::Theme,
};
use crate::{
    app::{
        Model,
        conflicts::{ConflictsScreen, Pane, can_union},
        model::SMALL_COLUMNS,
        review_search::find_matches,
    },
    review::{ConflictFile, ConflictPage, Resolution, pieces::Window},
};

#[derive(Clone, Copy)]
pub struct Rail {
    pub letter: &'static str,
    pub style: Style,
}

impl Rail {
    /// Returns what is right of the rail.
    pub fn draw(self, area: Rect, buf: &mut Buffer) -> Rect {
        buf.set_stringn(area.x, area.y, format!(" {}", self.letter), area.width.into(), self.style);
        let taken = area.width.min(2);
        Rect { x: area.x + taken, width: area.width - taken, ..area }
    }
}

pub fn draw_part_head(
    label: &str,
    style: Style,
    is_focused: bool,
    area: Rect,
    theme: &Theme,
    buf: &mut Buffer,
) {
    let style = if is_focused { bold(theme.focus) } else { style };
    let room = usize::from(area.width).saturating_sub(1);
    let text = cells::clip(label, room, theme);
    buf.set_line(
        area.x,
        area.y,
        &Line::from(vec![Span::raw(" "), Span::styled(text, style)]),
        area.width,
    );
}

pub fn draw_result(
    model: &Model,
    page: &ConflictPage,
    file: &ConflictFile,
    gutter: Gutter,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let theme = pen.theme;
    let Some(screen) = model.conflicts.as_ref().filter(|_| area.height > 0) else { return };
    let head = Rect { height: 1, ..area };
    let (label, rail) = match &file.conflict.resolution {
        None => ("result: not chosen".to_owned(), None),
        Some(choice) => (
            format!(
                "result, as it would land: {}",
                conflicts_list::choice_words(choice, file, page)
            ),
            rail_of(choice, theme),
        ),
    };
    let style = if file.conflict.resolution.is_none() { theme.attention } else { theme.text };
    let is_focused = screen.pane == Pane::Result;
    draw_part_head(&label, style, is_focused, head, theme, pen.buf);
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if rows.height == 0 {
        return;
    }
    let first = Rect { height: 1, ..rows };
    match (&file.conflict.resolution, &file.result) {
        (None, _) => draw_open_choice(file, page, theme, first, pen.buf),
        (Some(_), Some(text)) => {
            let rail = rail.unwrap_or(Rail { letter: " ", style: theme.text });
            let cells = screen.code_cells(2, model.viewport);
            draw_text(screen, text.line_count() as usize, (rail, cells), gutter, rows, pen);
        }
        (Some(choice), None) => {
            let text = match choice {
                Resolution::Delete => "   the file is deleted",
                Resolution::Target if file.conflict.target.is_none() => "   the file is deleted",
                Resolution::Shadow if file.conflict.shadow.is_none() => "   the file is deleted",
                _ => "   a submodule: the commit that this side names",
            };
            draw_words(first, text, theme.text, theme, pen.buf);
        }
    }
}

fn rail_of(choice: &Resolution, theme: &Theme) -> Option<Rail> {
    match choice {
        Resolution::Target => Some(Rail { letter: "t", style: theme.target }),
        Resolution::Shadow => Some(Rail { letter: "a", style: theme.shadow }),
        _ => None,
    }
}

/// The open place: what each letter would make of the file.
fn draw_open_choice(
    file: &ConflictFile,
    page: &ConflictPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let room = if area.width < SMALL_COLUMNS { Room::Tight } else { Room::Wide };
    let mut spans = vec![
        Span::styled(theme.glyphs.cursor, theme.attention),
        Span::styled(" ? ", bold(theme.attention)),
        Span::styled("t ", theme.target),
        span(&target_label(file, page, room, theme), theme.text),
        Span::styled("   a ", theme.shadow),
        span(&shadow_label(file, page, room, theme), theme.text),
    ];
    if can_union(file) {
        spans.push(Span::styled("   b ", theme.focus));
        spans.push(Span::styled("both", theme.text));
    }
    if file.conflict.base.is_some() {
        spans.push(Span::styled("   0 ", theme.focus));
        spans.push(Span::styled(base_label(room), theme.text));
    }
    let spans = clip_spans(spans, area.width.into(), theme);
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn draw_text(
    screen: &ConflictsScreen,
    line_count: usize,
    (rail, cells): (Rail, usize),
    gutter: Gutter,
    rows: Rect,
    pen: &mut Pen<'_>,
) {
    let theme = pen.theme;
    let is_focused = screen.pane == Pane::Result;
    let here = screen.cursors[2];
    let chosen = screen.range.filter(|_| is_focused).map(|other| other.min(here)..=other.max(here));
    let mut y = 0;
    for index in screen.tops[2]..line_count {
        if y >= rows.height {
            break;
        }
        let line = screen.row_text(2, index).unwrap_or_default();
        let starts = screen.line_breaks(line, cells, usize::from(rows.height));
        let height = u16::try_from(starts.len()).unwrap_or(1).clamp(1, rows.height - y);
        for offset in 0..height {
            let at = Rect { y: rows.y + y + offset, height: 1, ..rows };
            let is_here = is_focused && index == here && offset == 0;
            let cursor = if is_here { Cursor::Here } else { Cursor::Elsewhere };
            let inner = draw_cursor(rail.draw(at, pen.buf), cursor, theme, pen.buf);
            if !is_here && chosen.as_ref().is_some_and(|chosen| chosen.contains(&index)) {
                pen.buf.set_stringn(at.x, at.y, theme.glyphs.mark, 1, theme.focus);
            }
            let part = LinePart::of(&starts, usize::from(offset));
            draw_result_line(screen, (line, index), part, gutter, inner, pen);
        }
        y += height;
    }
}

fn draw_result_line(
    screen: &ConflictsScreen,
    (bytes, index): (&[u8], usize),
    part: LinePart,
    gutter: Gutter,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let cells = gutter.cells() - 1;
    let taken = u16::try_from(cells).unwrap_or(u16::MAX).min(area.width);
    let number =
        if part.is_first { (index + 1).to_string() } else { theme.glyphs.ellipsis.to_owned() };
    let number = format!("{number:>width$}", width = cells.saturating_sub(3));
    buf.set_stringn(area.x, area.y, number, usize::from(taken), theme.quiet);
    if part.is_first && part.offset > 0 && taken > 0 {
        buf.set_stringn(area.x + taken - 1, area.y, theme.glyphs.cut_left, 1, theme.quiet);
    }
    let hits = match &screen.needle {
        Some(needle) => find_matches(needle, bytes, LINE_MATCHES_MAX),
        None => Vec::new(),
    };
    let code = Code { hits: &hits, ..Code::plain(bytes) };
    let width = usize::from(area.width - taken);
    let window = Window { offset: part.offset, width: part.cells.unwrap_or(width).min(width) };
    let line = match part.cells {
        Some(_) => code_part(code, window, theme),
        None => code_line(code, window, theme),
    };
    buf.set_line(area.x + taken, area.y, &line, area.width - taken);
}
