//! Conflicts: what each side did since the base, one above the other, and what would land below.
//! Choices are worded as what becomes of the file.

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Span};

use super::{
    cells,
    chrome::{Hint, Split, age, bold, count, span, width_of},
    code::Code,
    conflict_did::did,
    conflict_result::{Rail, draw_part_head, draw_result},
    conflict_words::{
        Room, base_label, both_label, both_names, is_rename, sentence, shadow_label, target_label,
    },
    conflicts_list::{self, OVER_CELLS},
    diff_rows::{
        Cursor, Gutter, Part as LinePart, Pen, draw_cursor, draw_ends, draw_line_part, draw_words,
        note_text,
    },
    layout::WIDE,
    review::{draw_border, inset},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model, Viewport,
        conflicts::{ConflictsScreen, Pane, Settled, Side, can_both},
        review::{line_text, panes},
        review_search::find_matches,
    },
    review::{
        ConflictFile, ConflictPage, Content, Entry, Verdict,
        enclosing::enclosing_in,
        name::visible_name,
        stream::{Layout, Long, Note, Space, StreamRow},
        visible::visible_str,
    },
};

/// Matches drawn in one line.
pub(super) const LINE_MATCHES_MAX: usize = 100;

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let Some(screen) = &model.conflicts else { return Split::default() };
    let mut left = vec![Span::raw(" "), span(&screen.id.0, bold(theme.text))];
    let Some(page) = &screen.page else {
        left.push(span("   conflicts", theme.quiet));
        return Split { left, right: Vec::new() };
    };
    let step = page.step.as_ref();
    match step.filter(|_| width < WIDE) {
        Some(step) => {
            left.push(span(&format!(" commit {} of {}", step.number, step.of), theme.attention));
        }
        None => left.push(span(&format!(" {} {}", theme.glyphs.arrow, page.target), theme.quiet)),
    }
    let (open, total) = (screen.open_count(), page.files.len());
    let attention = if open > 0 { theme.attention } else { theme.good };
    let settled = screen.settled_count();
    let right = if width >= WIDE {
        left.push(span(&format!(" {}   ", page.before.abbreviated()), theme.quiet));
        left.push(match step {
            Some(step) => {
                span(&cells::clip(&visible_str(&step.words()), 44, theme), theme.attention)
            }
            None => span("conflicts", theme.quiet),
        });
        vec![
            Span::styled(format!("{settled} of {} settled", count(total, "file")), theme.text),
            Span::styled(format!("   {} to make ", count(open, "choice")), attention),
        ]
    } else {
        let mut right = vec![
            Span::styled(format!("{settled} settled"), theme.text),
            Span::styled(format!("  {open} to choose "), attention),
        ];
        if model.viewport.is_small() {
            right.remove(0);
            left.truncate(2);
        }
        if let Some(file) = screen.file() {
            let place = format!("  {}/{total} ", screen.cursor + 1);
            left.push(Span::styled(place, theme.quiet));
            let room = (usize::from(width) + cells::width(&screen.id.0))
                .saturating_sub(width_of(&left) + width_of(&right) + 3);
            let name = visible_name(file.conflict.path.as_bytes());
            let [id, name] = both_names(&screen.id.0, &name, room, theme);
            left[1] = span(&id, bold(theme.text));
            left.push(Span::styled(name, theme.text));
        }
        right
    };
    Split { left, right }
}

pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let Some(screen) = &model.conflicts else { return Split::default() };
    let Some(page) = &screen.page else { return Split::default() };
    let moved = model.fleet.target.as_ref() == Some(&page.target)
        && model.fleet.target_tip.as_ref().is_some_and(|tip| *tip != page.before);
    let snapshot = model.fleet.find(&screen.id).and_then(|row| row.snapshot.as_ref());
    let changed = snapshot.is_some_and(|snapshot| *snapshot != page.snapshot);
    let left = if moved || changed {
        let who = if moved { page.target.0.as_str() } else { screen.id.0.as_str() };
        let text = format!("{who} has moved since {} R works it out again", theme.glyphs.dot);
        vec![span(&text, theme.attention)]
    } else {
        match screen.file() {
            Some(file) => vec![span(&sentence(file, page, theme), theme.text)],
            None => Vec::new(),
        }
    };
    let ago = age(model.now_ms, page.read_at_ms);
    let mut said = Vec::new();
    if screen.space == Space::Ignored {
        said.push("white space ignored".to_owned());
    }
    if screen.long == Long::Wraps {
        said.push("wrapped".to_owned());
    }
    if screen.settled == Settled::Hidden {
        said.push(format!("{} settled hidden", screen.settled_count()));
    }
    if let Some(needle) = &screen.needle {
        said.push(format!("finds {needle}"));
    }
    if said.is_empty() {
        let on = format!("on {} {}", page.target, page.before.abbreviated());
        said.push(format!("{on} and this snapshot, {ago} ago"));
    }
    let right = vec![span(&said.join(&format!(" {} ", theme.glyphs.dot)), theme.quiet)];
    Split { left, right }
}

pub fn footer(model: &Model, theme: &Theme, width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Conflicts, name, label);
    let Some(screen) = &model.conflicts else { return (Vec::new(), Vec::new()) };
    if screen.editor.is_some() {
        return (vec![Hint::of_keys("Esc", "keep it")], Vec::new());
    }
    let mut hints = Vec::new();
    if let (Some(file), Some(page)) = (screen.file(), &screen.page) {
        let room = Room::of(width);
        hints.push(hint("target.hunk", &target_label(file, page, room, theme)));
        hints.push(hint("shadow.hunk", &shadow_label(file, page, room, theme)));
        if can_both(file) {
            hints.push(hint("both.hunk", &both_label(file)));
        }
        if file.conflict.sides()[0].is_some() && width >= WIDE {
            hints.push(hint("base.hunk", base_label(room)));
            hints.push(hint("edit.hunk", "edit"));
        }
    }
    let made = screen.chosen_count();
    if screen.open_count() == 0 && made > 0 {
        hints.insert(0, hint("land.shadow", &format!("land with {}", count(made, "choice"))));
    } else {
        hints.extend([hint("next.open", "next open"), hint("land.shadow", "land")]);
    }
    let settled = || screen.settled_here().map(|path| visible_name(path.as_bytes()));
    if let Some(name) = screen.taken_last().or_else(settled) {
        let name = name.rsplit('/').next().unwrap_or_default();
        hints.push(hint("take-back.choice", &format!("take back {name}")));
    }
    hints.extend([
        hint("pane.switch", if width < WIDE { "files" } else { "parts" }),
        hint("help.keys", "keys"),
    ]);
    (hints.into_iter().flatten().collect(), Vec::new())
}

fn nothing_conflicts(model: &Model) -> &'static str {
    let row = model.subject().and_then(|id| model.fleet.find(id));
    match row.map(|row| row.verdict) {
        Some(Verdict::Landed) => {
            "Nothing conflicts: it has landed already, and nothing is left to land"
        }
        Some(Verdict::Empty) => "Nothing conflicts: nothing was ever done in it",
        _ => "Nothing conflicts: it lands clean · m",
    }
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.conflicts else { return };
    let buf = frame.buffer_mut();
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else {
        let (text, style) = match (&screen.page, &screen.failed) {
            (Some(_), _) => (nothing_conflicts(model), theme.text),
            (None, Some(report)) => (report.headline.as_str(), theme.bad),
            (None, None) => ("working out what landing would clash with", theme.quiet),
        };
        draw_words(inset(body), text, style, theme, buf);
        return;
    };
    let beside = u16::try_from(panes(model.viewport).files).unwrap_or(u16::MAX);
    // Dropped over the parts it moves them aside: rails and numbers stay in sight.
    let width = if beside == 0 && screen.files_open { OVER_CELLS } else { beside };
    let width = width.min(body.width.saturating_sub(1));
    let mut parts = body;
    if width > 0 {
        let list = Rect { width, ..body };
        conflicts_list::draw(model, screen, page, theme, list, buf);
        draw_border(Rect { x: list.right(), width: 1, ..body }.intersection(body), theme, buf);
        parts = Rect { x: list.right() + 1, width: body.width - width - 1, ..body };
    }
    draw_parts(model, screen, page, file, parts, Pen { theme, buf });
}

fn draw_parts(
    model: &Model,
    screen: &ConflictsScreen,
    page: &ConflictPage,
    file: &ConflictFile,
    area: Rect,
    Pen { theme, buf }: Pen<'_>,
) {
    let mut area = area;
    if model.viewport.columns >= WIDE && area.height > 0 {
        draw_title(screen, file, theme, Rect { height: 1, ..area }, buf);
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    let gutter = Gutter::of(file.target_diff.iter().chain(&file.shadow_diff));
    let heights = screen.heights(model.viewport);
    let is_beside = screen.layout_in(model.viewport) == Layout::Beside;
    let mut pen = Pen { theme, buf };
    let mut y = area.y;
    for (index, height) in heights.into_iter().enumerate() {
        let height = u16::try_from(height).unwrap_or(0).min(area.bottom().saturating_sub(y));
        let mut place = Rect { y, height, ..area };
        match (is_beside, index) {
            (true, 0) => place.width = area.width.saturating_sub(1) / 2,
            (true, 1) => {
                let left = area.width.saturating_sub(1) / 2;
                place = Rect { x: area.x + left + 1, width: area.width - left - 1, ..place };
                let border = Rect { x: area.x + left, width: 1, ..place };
                draw_border(border.intersection(area), theme, pen.buf);
            }
            _ => {}
        }
        if !(is_beside && index == 0) {
            y += height;
        }
        let part = Pane::PARTS[index];
        let (letter, style, name, side) = match part {
            Pane::Target => ("t", theme.target, &page.target.0, &screen.target_side),
            Pane::Shadow => ("a", theme.shadow, &page.id.0, &screen.shadow_side),
            Pane::Files | Pane::Result => {
                draw_result(model, page, file, gutter, place, &mut pen);
                continue;
            }
        };
        let shown = Part {
            rail: Rail { letter, style },
            label: format!("{name}: {}", did(file, page, part, model.now_ms, theme)),
            is_focused: screen.pane == part,
            index,
            viewport: model.viewport,
        };
        draw_side(screen, side.as_ref(), &shown, gutter, place, &mut pen);
    }
}

/// What one side's part shows beside its rows.
struct Part {
    rail: Rail,
    label: String,
    is_focused: bool,
    /// Its place among the parts.
    index: usize,
    viewport: Viewport,
}

/// `src/api.rs   conflict 2 of 2   fn call`
fn draw_title(
    screen: &ConflictsScreen,
    file: &ConflictFile,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let room = usize::from(area.width).saturating_sub(50).max(20);
    let name = cells::clip_middle(&visible_name(file.conflict.path.as_bytes()), room, theme);
    let mut left = vec![Span::raw(" "), Span::styled(name, bold(theme.text))];
    if let Some(clash) = screen.clashes.get(screen.clash) {
        let (here, all) = (screen.clash + 1, screen.clashes.len());
        left.push(Span::styled(format!("   conflict {here} of {all}"), theme.text));
        let base = file.target_diff.as_ref().map(|diff| &diff.content);
        if let Some(Content::Text { old, .. }) = base
            && let Some(around) = enclosing_in(&file.conflict.path, old, clash.base.start)
        {
            let around = cells::clip(&around, 24, theme);
            left.push(Span::styled(format!("   both changed {around}"), theme.quiet));
        }
    }
    let right = vec![Span::styled(format!("{} ", file.conflict.kind.as_str()), theme.attention)];
    draw_ends(area, left, right, buf);
}

fn draw_side(
    screen: &ConflictsScreen,
    side: Option<&Side>,
    part: &Part,
    gutter: Gutter,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let theme = pen.theme;
    if area.height == 0 {
        return;
    }
    let Part { rail, label, is_focused, index, viewport } = part;
    let head = rail.draw(Rect { height: 1, ..area }, pen.buf);
    draw_part_head(label, rail.style, *is_focused, head, theme, pen.buf);
    let chosen = screen.range.filter(|_| *is_focused).map(|other| {
        let here = screen.cursors[*index];
        other.min(here)..=other.max(here)
    });
    let (mut y, mut row) = (1, screen.tops[*index]);
    while y < area.height {
        let shown = side.filter(|_| row < screen.part_rows(*index));
        // Row 0 of the stream is the file's head: the part has its own.
        let place = shown.and_then(|side| Some((side, side.stream.place(row + 1)?)));
        let line = screen.row_text(*index, row).unwrap_or_default();
        let starts = screen.line_breaks(*index, line, *viewport);
        let height = u16::try_from(starts.len()).unwrap_or(1).clamp(1, area.height - y);
        for offset in 0..height {
            let at = Rect { y: area.y + y + offset, height: 1, ..area };
            let inner = rail.draw(at, pen.buf);
            let Some((side, place)) = &place else { continue };
            let is_here = *is_focused && row == screen.cursors[*index] && offset == 0;
            let cursor = if is_here { Cursor::Here } else { Cursor::Elsewhere };
            let inner = draw_cursor(inner, cursor, theme, pen.buf);
            if !is_here && chosen.as_ref().is_some_and(|chosen| chosen.contains(&row)) {
                pen.buf.set_stringn(at.x, at.y, theme.glyphs.mark, 1, theme.focus);
            }
            draw_row(screen, side, place.row, (gutter, &starts, usize::from(offset)), inner, pen);
        }
        y += height;
        row += 1;
    }
}

fn draw_row(
    screen: &ConflictsScreen,
    side: &Side,
    row: StreamRow,
    (gutter, starts, number): (Gutter, &[usize], usize),
    inner: Rect,
    pen: &mut Pen<'_>,
) {
    let theme = pen.theme;
    match row {
        StreamRow::Fold { lines, .. } => {
            let dots = theme.glyphs.dot.repeat(4);
            let text = format!("{dots} {} {dots}", count(lines as usize, "line"));
            draw_words(inner, &text, theme.quiet, theme, pen.buf);
        }
        StreamRow::Note(note) => {
            let change = &side.diff.change;
            let mode = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.mode);
            let text = match note {
                // The file is not as it was: its mode is, or its name.
                Note::NoLines if change.old.is_some() && mode(&change.old) != mode(&change.new) => {
                    " only its mode changed".to_owned()
                }
                Note::NoLines if screen.file().is_some_and(is_rename) => {
                    " only its name changed".to_owned()
                }
                note => format!(" {}", note_text(&side.diff, note, theme)),
            };
            draw_words(inner, &text, theme.quiet, theme, pen.buf);
        }
        StreamRow::Line(line) => {
            let blocks = match &side.diff.content {
                Content::Text { blocks, .. } => &blocks[..],
                _ => &[],
            };
            let bytes = line_text(&side.diff, line).unwrap_or_default();
            let hits = match &screen.needle {
                Some(needle) => find_matches(needle, bytes, LINE_MATCHES_MAX),
                None => Vec::new(),
            };
            let code = Code {
                bytes,
                kind: line.kind,
                tokens: side.paint.tokens(0, line),
                words: side.paint.words(0, blocks, line),
                hits: &hits,
            };
            draw_line_part(inner, gutter, line, code, LinePart::of(starts, number), pen);
        }
        _ => {}
    }
}
