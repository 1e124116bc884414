//! Conflicts: what each side did since the base, one above the other, and what would land below.
//! Choices are worded as what becomes of the file.

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Span};

use super::{
    cells::{self, Code},
    chrome::{Hint, Split, age, bold, count, span},
    conflict_result::{Rail, draw_part_head, draw_result},
    conflict_words::{base_label, sentence, shadow_label, target_label},
    conflicts_list,
    diff_rows::{Columns, Cursor, Gutter, Pen, draw_code, draw_ends, draw_words, note_text},
    layout::WIDE,
    review::{draw_border, inset},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        conflicts::{ConflictsScreen, Pane, Side, can_union},
        review::{line_text, panes},
    },
    review::{ConflictFile, ConflictPage, Content, stream::StreamRow, visible::visible},
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let Some(screen) = &model.conflicts else { return Split::default() };
    let mut left = vec![Span::raw(" "), span(&screen.id.0, bold(theme.text))];
    let Some(page) = &screen.page else {
        left.push(span("   conflicts", theme.quiet));
        return Split { left, right: Vec::new() };
    };
    left.push(span(&format!(" {} {}", theme.glyphs.arrow, page.target), theme.quiet));
    let (open, total) = (screen.open_count(), page.files.len());
    let attention = if open > 0 { theme.attention } else { theme.good };
    let settled = total - open;
    let right = if width >= WIDE {
        left.push(span(&format!(" {}   conflicts", page.before.abbreviated()), theme.quiet));
        vec![
            Span::styled(format!("{settled} of {} settled", count(total, "file")), theme.text),
            Span::styled(format!("   {} to make ", count(open, "choice")), attention),
        ]
    } else {
        if let Some(file) = screen.file() {
            let place = format!("    {}/{total} ", screen.cursor + 1);
            left.push(Span::styled(place, theme.quiet));
            left.push(span(&visible(file.conflict.path.as_bytes()), theme.text));
        }
        vec![
            Span::styled(format!("{settled} settled"), theme.text),
            Span::styled(format!("  {open} to choose "), attention),
        ]
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
            Some(file) => vec![span(&sentence(file, page), theme.text)],
            None => Vec::new(),
        }
    };
    let ago = age(model.now_ms, page.read_at_ms);
    let right = vec![span(
        &format!("on {} {} and this snapshot, {ago} ago", page.target, page.before.abbreviated()),
        theme.quiet,
    )];
    Split { left, right }
}

pub fn footer(model: &Model, _theme: &Theme, width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Conflicts, name, label);
    let Some(screen) = &model.conflicts else { return (Vec::new(), Vec::new()) };
    let mut hints = Vec::new();
    if let (Some(file), Some(page)) = (screen.file(), &screen.page) {
        hints.push(hint("target.file", &target_label(file, page)));
        hints.push(hint("shadow.file", &shadow_label(file, page)));
        if can_union(file) {
            hints.push(hint("both.file", "both"));
        }
        if file.conflict.base.is_some() && width >= WIDE {
            hints.push(hint("base.file", base_label()));
        }
    }
    let made = screen.files().len() - screen.open_count();
    let land = match screen.open_count() {
        0 => format!("land with {}", count(made, "choice")),
        _ => "land".to_owned(),
    };
    if screen.open_count() == 0 {
        hints.insert(0, hint("land.shadow", &land));
    } else {
        hints.extend([hint("next.open", "next"), hint("land.shadow", &land)]);
    }
    hints.extend([
        hint("take-back.choice", "take back"),
        hint("pane.switch", if width < WIDE { "files" } else { "parts" }),
        hint("help.keys", "keys"),
    ]);
    (hints.into_iter().flatten().collect(), Vec::new())
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.conflicts else { return };
    let buf = frame.buffer_mut();
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else {
        let (text, style) = match (&screen.page, &screen.failed) {
            (Some(_), _) => ("Nothing conflicts: it lands clean · m", theme.text),
            (None, Some(report)) => (report.headline.as_str(), theme.bad),
            (None, None) => ("working out what landing would clash with", theme.quiet),
        };
        draw_words(inset(body), text, style, theme, buf);
        return;
    };
    let panes = panes(model.viewport);
    let mut parts = body;
    if panes.files > 0 {
        let width = u16::try_from(panes.files).unwrap_or(u16::MAX).min(body.width);
        let list = Rect { width, ..body };
        conflicts_list::draw(model, screen, page, theme, list, buf);
        draw_border(Rect { x: list.right(), width: 1, ..body }.intersection(body), theme, buf);
        let taken = (width + 1).min(body.width);
        parts = Rect { x: body.x + taken, width: body.width - taken, ..body };
    }
    draw_parts(model, screen, page, file, parts, Pen { theme, buf });
    if panes.files == 0 && screen.files_open {
        conflicts_list::draw_over(model, screen, page, theme, body, buf);
    }
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
        draw_title(file, theme, Rect { height: 1, ..area }, buf);
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    let gutter = Gutter::of(file.target_diff.iter().chain(&file.shadow_diff));
    let columns = Columns { gutter, scroll: screen.scroll };
    let wanted_rows = [0, 1, 2].map(|part| screen.part_rows(part) + 1);
    let focus = if screen.enlarged { screen.pane.part_index() } else { None };
    let heights = share(usize::from(area.height), wanted_rows, focus);
    let mut pen = Pen { theme, buf };
    let mut y = area.y;
    for (index, height) in heights.into_iter().enumerate() {
        let height = u16::try_from(height).unwrap_or(0).min(area.bottom().saturating_sub(y));
        let place = Rect { y, height, ..area };
        y += height;
        let part = Pane::PARTS[index];
        let (letter, style, name, side) = match part {
            Pane::Target => ("t", theme.target, &page.target.0, &screen.target_side),
            Pane::Shadow => ("a", theme.shadow, &page.id.0, &screen.shadow_side),
            Pane::Files | Pane::Result => {
                draw_result(screen, page, file, columns, place, &mut pen);
                continue;
            }
        };
        let shown = Part {
            rail: Rail { letter, style },
            label: format!("{name}: {}", did(file, page, part, theme)),
            is_focused: screen.pane == part,
            top: screen.tops[index],
        };
        draw_side(side.as_ref(), &shown, columns, place, &mut pen);
    }
}

/// What one side's part shows beside its rows.
struct Part {
    rail: Rail,
    label: String,
    is_focused: bool,
    top: usize,
}

fn draw_title(file: &ConflictFile, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(20);
    let name = cells::clip_middle(&visible(file.conflict.path.as_bytes()), room, theme);
    let left = vec![Span::raw(" "), Span::styled(name, bold(theme.text))];
    let right = vec![Span::styled(format!("{} ", file.conflict.kind.as_str()), theme.attention)];
    draw_ends(area, left, right, buf);
}

/// Each part gets what it wants up to a third; what is left over goes to those that want more.
fn share(height: usize, wanted: [usize; 3], focus: Option<usize>) -> [usize; 3] {
    let mut given = match focus {
        Some(part) => {
            let mut given = wanted.map(|rows| rows.min(3));
            given[part] = wanted[part].min(height.saturating_sub(6));
            given
        }
        None => wanted.map(|rows| rows.min(height / 3)),
    };
    let mut left = height.saturating_sub(given.iter().sum());
    for part in 0..3 {
        let more = left.min(wanted[part].saturating_sub(given[part]));
        given[part] += more;
        left -= more;
    }
    // The result takes what nobody wants, so that its head stays in one place.
    given[2] += left;
    given
}

/// What a side did, in short.
fn did(file: &ConflictFile, page: &ConflictPage, side: Pane, theme: &Theme) -> String {
    let (entry, diff) = if side == Pane::Target {
        (&file.conflict.target, &file.target_diff)
    } else {
        (&file.conflict.shadow, &file.shadow_diff)
    };
    let base = page.base.abbreviated();
    match (entry, &file.conflict.base, diff) {
        (None, ..) => format!("deleted it since {base}"),
        (Some(_), None, _) => "added it".to_owned(),
        (Some(_), Some(_), Some(diff)) => {
            let change = &diff.change;
            let lines = match (change.insertions, change.deletions) {
                (0, 0) => String::new(),
                (added, removed) => format!(": +{added} {}{removed}", theme.glyphs.minus),
            };
            format!("what it did since {base}{lines}")
        }
        (Some(_), Some(_), None) => format!("as it has it since {base}"),
    }
}

fn draw_side(side: Option<&Side>, part: &Part, columns: Columns, area: Rect, pen: &mut Pen<'_>) {
    let theme = pen.theme;
    for offset in 0..area.height {
        let row = Rect { y: area.y + offset, height: 1, ..area };
        let inner = part.rail.draw(row, pen.buf);
        if offset == 0 {
            let Part { rail, label, is_focused, .. } = part;
            draw_part_head(label, rail.style, *is_focused, inner, theme, pen.buf);
            continue;
        }
        let Some(side) = side else { continue };
        // Row 0 of the stream is the file's head: the part has its own.
        let index = part.top + usize::from(offset);
        let Some(place) = side.stream.place(index) else { continue };
        match place.row {
            StreamRow::Blank | StreamRow::Head | StreamRow::Pair { .. } => {}
            StreamRow::Fold { lines, .. } => {
                let dots = theme.glyphs.dot.repeat(4);
                let text = format!(" {dots} {} {dots}", count(lines as usize, "line"));
                draw_words(inner, &text, theme.quiet, theme, pen.buf);
            }
            StreamRow::Note(note) => {
                let text = format!("  {}", note_text(&side.diff, note, theme));
                draw_words(inner, &text, theme.quiet, theme, pen.buf);
            }
            StreamRow::Line(line) => {
                let blocks = match &side.diff.content {
                    Content::Text { blocks, .. } => &blocks[..],
                    _ => &[],
                };
                let code = Code {
                    bytes: line_text(&side.diff, line).unwrap_or_default(),
                    kind: line.kind,
                    tokens: side.paint.tokens(0, line),
                    words: side.paint.words(0, blocks, line),
                    hits: &[],
                };
                draw_code(inner, columns, line, code, Cursor::Elsewhere, pen);
            }
        }
    }
}
