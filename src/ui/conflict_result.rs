//! The result part of a conflict: what would land, or what there is to choose; and the rails of all parts.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{bold, clip_spans, span},
    code::{Code, code_line, code_part},
    conflict_edit::draw_edit,
    conflict_words::{Room, base_label, both_label, files_words, shadow_label, target_label},
    conflicts::LINE_MATCHES_MAX,
    conflicts_list,
    diff_rows::{Cursor, Gutter, Part as LinePart, Pen, draw_cursor, draw_words},
    theme::Theme,
};
use crate::{
    app::{
        Model, Viewport,
        conflicts::{ConflictsScreen, Pane, Shown, can_both},
        review_search::find_matches,
        viewport::SMALL_COLUMNS,
    },
    review::{
        ConflictFile, ConflictKind, ConflictPage, Mode, Resolution,
        name::visible_name,
        pieces::Window,
        weave::{Take, Whose},
    },
    shadow::RepoPath,
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
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let is_focused = screen.pane == Pane::Result;
    if let Some(editor) = &screen.editor {
        let label = "result, yours to write: Esc or ctrl-s keeps it";
        draw_part_head(label, theme.text, is_focused, head, theme, pen.buf);
        return draw_edit(screen, editor, gutter, rows, pen);
    }
    let label = match (&file.conflict.resolution, file.takes.len()) {
        (None, 0 | 1) => "result: not chosen".to_owned(),
        (None, places) => format!("result: {} of {places} to choose", file.open_count()),
        (Some(choice), _) => {
            let how = if file.is_reused { "as chosen before" } else { "as it would land" };
            let gone = gone_below(file)
                .map_or_else(String::new, |all| format!(", deleting {}", files_words(all)));
            format!("result, {how}: {}{gone}", conflicts_list::choice_words(choice, file, page))
        }
    };
    let style = if file.conflict.resolution.is_none() { theme.attention } else { theme.text };
    draw_part_head(&label, style, is_focused, head, theme, pen.buf);
    if rows.height == 0 {
        return;
    }
    let first = Rect { height: 1, ..rows };
    if let Some(shown) = &screen.result {
        return draw_text((screen, shown), (file, page), model.viewport, gutter, rows, pen);
    }
    let deleted = match file.conflict.kind {
        ConflictKind::FileDirectory => "   the directory stays, the file does not land",
        ConflictKind::DirectoryRename => "   the file does not land",
        _ => "   the file is deleted",
    };
    let text = match &file.conflict.resolution {
        None => return draw_open_choice(file, page, Takes::File, theme, first, pen.buf),
        Some(Resolution::Delete) => deleted,
        Some(Resolution::Target) if file.conflict.sides()[1].is_none() => deleted,
        Some(Resolution::Shadow) if file.conflict.sides()[2].is_none() => deleted,
        Some(Resolution::Beside(name)) => {
            let name = visible_name(name.as_bytes());
            let whose = match (&file.conflict.target, &file.conflict.shadow) {
                (Some(_), None) => &page.target.0,
                _ => &page.id.0,
            };
            let text = format!("   {whose}'s is kept as {name}");
            return draw_words(first, &text, theme.text, theme, pen.buf);
        }
        Some(_) if is_submodule(file) => "   a submodule: the commit that this side names",
        Some(_) => "   the file as this side has it",
    };
    draw_words(first, text, theme.text, theme, pen.buf);
}

/// The files that go because a file takes the place of their directory.
fn gone_below(file: &ConflictFile) -> Option<&[RepoPath]> {
    let [target, shadow] = &file.told;
    let below = match &file.conflict.resolution {
        Some(Resolution::Target) if file.conflict.target.is_some() => &shadow.below,
        Some(Resolution::Shadow) if file.conflict.shadow.is_some() => &target.below,
        Some(Resolution::Content(_) | Resolution::Text(_)) => {
            if target.below.is_empty() {
                &shadow.below
            } else {
                &target.below
            }
        }
        _ => return None,
    };
    (!below.is_empty()).then_some(below)
}

fn is_submodule(file: &ConflictFile) -> bool {
    let sides = [&file.conflict.target, &file.conflict.shadow];
    sides.into_iter().flatten().any(|entry| entry.mode == Mode::Submodule)
}

fn rail_of(whose: Option<Whose>, theme: &Theme) -> Rail {
    match whose {
        Some(Whose::Target) => Rail { letter: "t", style: theme.target },
        Some(Whose::Shadow) => Rail { letter: "a", style: theme.shadow },
        Some(Whose::Base) => Rail { letter: "0", style: theme.focus },
        Some(Whose::Edited) => Rail { letter: "e", style: theme.focus },
        None => Rail { letter: " ", style: theme.text },
    }
}

/// What the letters of an open choice stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    File,
    Place,
}

/// The open place: what each letter would make of the file.
fn draw_open_choice(
    file: &ConflictFile,
    page: &ConflictPage,
    takes: Takes,
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
    if can_both(file) {
        spans.push(Span::styled("   b ", theme.focus));
        spans.push(Span::styled(both_label(file), theme.text));
    }
    if file.conflict.sides()[0].is_some() {
        spans.push(Span::styled("   0 ", theme.focus));
        spans.push(Span::styled(base_label(room), theme.text));
    }
    if takes == Takes::Place {
        spans.push(Span::styled("   e ", theme.focus));
        spans.push(Span::styled("edit", theme.text));
    }
    let spans = clip_spans(spans, area.width.into(), theme);
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn draw_text(
    (screen, shown): (&ConflictsScreen, &Shown),
    (file, page): (&ConflictFile, &ConflictPage),
    viewport: Viewport,
    gutter: Gutter,
    rows: Rect,
    pen: &mut Pen<'_>,
) {
    let theme = pen.theme;
    let is_focused = screen.pane == Pane::Result;
    let here = screen.cursors[2];
    let chosen = screen.range.filter(|_| is_focused).map(|other| other.min(here)..=other.max(here));
    let mut y = 0;
    for index in screen.tops[2]..shown.text.line_count() as usize {
        if y >= rows.height {
            break;
        }
        let at = Rect { y: rows.y + y, height: 1, ..rows };
        if let Some(place) = shown.open_place(index) {
            draw_open_choice(file, page, Takes::Place, theme, at, pen.buf);
            if place != screen.clash {
                // The letters are for the place that is shown.
                pen.buf.set_stringn(at.x, at.y, " ", 1, theme.text);
                pen.buf.set_style(at, theme.quiet);
            }
            y += 1;
            continue;
        }
        let run = shown.run(index);
        let rail = rail_of(run.and_then(|run| run.whose), theme);
        let line = screen.row_text(2, index).unwrap_or_default();
        let starts = screen.line_breaks(2, line, viewport);
        let height = u16::try_from(starts.len()).unwrap_or(1).clamp(1, rows.height - y);
        for offset in 0..height {
            let at = Rect { y: at.y + offset, ..at };
            let is_here = is_focused && index == here && offset == 0;
            let cursor = if is_here { Cursor::Here } else { Cursor::Elsewhere };
            let inner = draw_cursor(rail.draw(at, pen.buf), cursor, theme, pen.buf);
            if !is_here && chosen.as_ref().is_some_and(|chosen| chosen.contains(&index)) {
                pen.buf.set_stringn(at.x, at.y, theme.glyphs.mark, 1, theme.focus);
            }
            let part = LinePart::of(&starts, usize::from(offset));
            draw_result_line(screen, (line, shown.number(index)), part, gutter, inner, pen);
        }
        if let Some(place) =
            run.filter(|run| run.rows.start as usize == index).and_then(|r| r.place)
        {
            draw_place(file, place, at, pen);
        }
        y += height;
    }
}

/// `conflict 1: b, both`, at the right of the first row of it.
fn draw_place(file: &ConflictFile, place: usize, row: Rect, pen: &mut Pen<'_>) {
    let Some(Some(take)) = file.takes.get(place).filter(|_| file.takes.len() > 1) else { return };
    let how = match take {
        Take::Target => "t",
        Take::Shadow => "a",
        Take::Base => "0, base",
        Take::Both | Take::Swapped => "b, both",
        Take::Text(_) => "e, edited",
    };
    let text = format!(" conflict {}: {how} ", place + 1);
    let cells = u16::try_from(text.len()).unwrap_or(u16::MAX);
    if row.width > 3 * cells {
        pen.buf.set_stringn(row.right() - cells, row.y, text, cells.into(), pen.theme.quiet);
    }
}

pub fn draw_result_line(
    screen: &ConflictsScreen,
    (bytes, number): (&[u8], usize),
    part: LinePart,
    gutter: Gutter,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let cells = gutter.cells() - 1;
    let taken = u16::try_from(cells).unwrap_or(u16::MAX).min(area.width);
    let number = if part.is_first { number.to_string() } else { theme.glyphs.ellipsis.to_owned() };
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
