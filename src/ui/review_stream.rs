//! The stream of a review: heads, lines, folds and notes as rows, one column or side by side.

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect, style::Modifier};

use super::{
    chrome::count,
    code::Code,
    diff_rows::{
        Cursor, Gutter, Numbered, Part, Pen, draw_cursor, draw_line_part, draw_side, draw_words,
        note_text, shown_by,
    },
    review_comments::{draw_thread, draw_was},
    review_head::draw_head,
    theme::Theme,
};
use crate::{
    app::{
        Model,
        review::{ReviewScreen, line_text},
        review_comments::is_of_newer,
        review_search::find_matches,
    },
    review::{
        Accepted, Content, FileDiff, HunkLine, LineKind, ReviewPage,
        enclosing::enclosing_in,
        pieces::byte_of,
        stream::{Layout, Long, Note, Place, StreamRow},
    },
};

/// Matches drawn in one line; the search counts lines, not these.
const LINE_MATCHES_MAX: usize = 100;

pub fn draw_stream(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let gutter = Gutter::of_cells(screen.number_cells);
    let rows = usize::from(area.height);
    let mut pen = Pen { theme, buf };
    let has_keys = !screen.is_in_files(model.viewport);
    let chosen = screen.chosen();
    let accepted = model.memory.marks.accepted.get(&screen.id);
    let mut y = 0;
    for (index, place) in screen.stream.places(screen.top..screen.stream.row_count()) {
        if y >= area.height {
            break;
        }
        // The head of the file at the top stays there while its lines go by, and goes with the last of them.
        let is_sticky = y == 0 && area.height > 1 && place.row != StreamRow::Blank;
        let is_head = is_sticky || place.row == StreamRow::Head;
        let height = if is_head { 1 } else { screen.height(index, rows) };
        let height = u16::try_from(height).unwrap_or(u16::MAX).min(area.height - y);
        let place_area = Rect { y: area.y + y, height, ..area };
        y += height;
        let cursor = match (index == screen.cursor, has_keys) {
            (false, _) => Cursor::Elsewhere,
            (true, false) => Cursor::Resting,
            (true, true) => Cursor::Here,
        };
        if is_head {
            draw_head(model, screen, page, sticky_place(screen, place), place_area, &mut pen);
        } else {
            draw_row(screen, place, gutter, cursor, place_area, &mut pen);
            draw_left(screen, accepted, place, cursor, place_area, &mut pen);
        }
        if !is_head && chosen.as_ref().is_some_and(|chosen| chosen.contains(&index)) {
            draw_chosen(place_area, cursor, &mut pen);
        }
    }
}

/// A bar down the chosen lines; without colours the bar alone tells.
fn draw_chosen(area: Rect, cursor: Cursor, Pen { theme, buf }: &mut Pen<'_>) {
    for y in area.top()..area.bottom() {
        if cursor == Cursor::Elsewhere {
            buf.set_stringn(area.x, y, theme.glyphs.mark, usize::from(area.width), theme.focus);
        }
        let line = Rect { y, height: 1, ..area };
        buf.set_style(line, theme.hit.remove_modifier(Modifier::REVERSED));
    }
}

/// What stays in the shadow is quiet, and has the letter that left it out at its side.
fn draw_left(
    screen: &ReviewScreen,
    accepted: Option<&Accepted>,
    place: Place,
    cursor: Cursor,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let is_left = |line| screen.is_left(accepted, place.file, line);
    if !place.row.lines().any(is_left) {
        return;
    }
    for y in area.top()..area.bottom() {
        let line = Rect { y, height: 1, ..area };
        buf.set_style(
            Rect { x: line.x + line.width.min(1), ..line }.intersection(line),
            theme.quiet,
        );
        if cursor == Cursor::Elsewhere {
            buf.set_stringn(line.x, y, "t", usize::from(line.width), theme.target);
        }
    }
}

/// A head tells of the hunk that the cursor is in, if that is in its file.
fn sticky_place(screen: &ReviewScreen, place: Place) -> Place {
    let here = screen.stream.place(screen.cursor).filter(|here| here.file == place.file);
    here.unwrap_or(place)
}

fn draw_row(
    screen: &ReviewScreen,
    place: Place,
    gutter: Gutter,
    cursor: Cursor,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let Some(file) = screen.page.as_ref().and_then(|page| page.files.get(place.file)) else {
        return;
    };
    let theme = pen.theme;
    match place.row {
        StreamRow::Blank | StreamRow::Head => {}
        StreamRow::Line(_) | StreamRow::Pair { .. } => {
            draw_cursor(Rect { height: 1, ..area }, cursor, theme, pen.buf);
            let inner =
                Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(1), ..area };
            if screen.choices.layout == Layout::Beside {
                draw_sides(screen, place, file, gutter, inner, pen);
            } else if let Some(line) = place.row.line() {
                let numbered = numbered(screen, place.file, line);
                draw_parts(screen, place.file, file, line, inner, |part, code, row| {
                    draw_line_part(row, gutter, numbered, code, part, pen);
                });
            }
        }
        StreamRow::Fold { lines, block } => {
            let dots = theme.glyphs.dot.repeat(4);
            let lines = count(lines as usize, "line");
            let text = match cursor {
                Cursor::Elsewhere => format!("{dots} {lines} {dots}"),
                _ => format!("{dots} {lines}, Enter shows them, + shows more {dots}"),
            };
            let inner = draw_cursor(area, cursor, theme, pen.buf);
            let text = match around_block(file, block) {
                Some(around) => format!("{text} {around}"),
                None => text,
            };
            draw_words(inner, &text, theme.quiet, theme, pen.buf);
        }
        StreamRow::Comment { thread, is_outdated, folded_at } => {
            let is_newer = screen.threads.get(thread).is_some_and(|one| is_of_newer(screen, one));
            let state = match folded_at {
                _ if is_outdated && is_newer => "on a line newer than this page · R".to_owned(),
                _ if is_outdated => "outdated".to_owned(),
                Some(line) => format!("line {}", line + 1),
                None => String::new(),
            };
            if let Some(thread) = screen.threads.get(thread) {
                draw_thread(thread, &state, gutter.cells().saturating_sub(4), cursor, area, pen);
            }
        }
        StreamRow::Was { thread } => {
            if let Some(thread) = screen.threads.get(thread) {
                draw_was(thread, gutter.cells().saturating_sub(4), cursor, area, pen);
            }
        }
        StreamRow::Note(note) => {
            let inner = draw_cursor(area, cursor, theme, pen.buf);
            let is_bad =
                matches!(file.content, Content::Unreadable { .. }) && note == Note::Content;
            let style = if is_bad { theme.bad } else { theme.quiet };
            let indent = if is_bad { "! " } else { "  " };
            let mut text = format!("{indent}{}", note_text(file, note, theme));
            if let Some(key) = shown_by(&file.content).filter(|_| note == Note::Content) {
                text.push_str(&format!(" {} {key}", theme.glyphs.dot));
            }
            draw_words(inner, &text, style, theme, pen.buf);
        }
    }
}

/// What the change behind a fold lies in, as git's `@@` says it.
fn around_block(file: &FileDiff, block: usize) -> Option<String> {
    let Content::Text { old, new, blocks } = &file.content else { return None };
    let block = blocks.get(block)?;
    let (text, line) =
        if block.new.is_empty() { (old, block.old.start) } else { (new, block.new.start) };
    enclosing_in(&file.change.path, text, line)
}

fn numbered(screen: &ReviewScreen, file: usize, line: HunkLine) -> Numbered {
    Numbered { line, is_moved: screen.moved(file, line).is_some() }
}

/// Each screen row of one line; a line that is cut has one.
fn draw_parts(
    screen: &ReviewScreen,
    index: usize,
    file: &FileDiff,
    line: HunkLine,
    area: Rect,
    mut draw: impl FnMut(Part, Code<'_>, Rect),
) {
    let bytes = line_text(file, line).unwrap_or_default();
    let blocks = match &file.content {
        Content::Text { blocks, .. } => &blocks[..],
        _ => &[],
    };
    let hits = match &screen.search {
        Some(search) => matches_in_view(&search.needle, bytes, screen.scroll),
        None => Vec::new(),
    };
    let code = Code {
        bytes,
        kind: line.kind,
        tokens: screen.paint.tokens(index, line),
        words: screen.paint.words(index, blocks, line),
        hits: &hits,
    };
    if screen.long == Long::Cut {
        draw(Part::whole(screen.scroll), code, Rect { height: area.height.min(1), ..area });
        return;
    }
    let starts = screen.line_breaks(file, line, screen_rows(area));
    for (row, number) in (0..area.height).zip(0..starts.len()) {
        draw(Part::of(&starts, number), code, Rect { y: area.y + row, height: 1, ..area });
    }
}

/// Of what lies left of the pane, or far right of it, none is looked for.
fn matches_in_view(needle: &str, bytes: &[u8], scroll: usize) -> Vec<Range<u32>> {
    /// More than any pane shows of one line.
    const BYTES_MAX: usize = 64 * 1024;
    let from = byte_of(bytes, scroll).saturating_sub(needle.len());
    let part = &bytes[from..bytes.len().min(from + BYTES_MAX)];
    let from = u32::try_from(from).unwrap_or(u32::MAX);
    let found = find_matches(needle, part, LINE_MATCHES_MAX).into_iter();
    found.map(|range| from + range.start..from + range.end).collect()
}

/// The row's own height was worked out for the pane; here it bounds itself.
fn screen_rows(area: Rect) -> usize {
    2 * usize::from(area.height.max(1))
}

/// Old left, new right; a side that has no line stays empty.
fn draw_sides(
    screen: &ReviewScreen,
    place: Place,
    file: &FileDiff,
    gutter: Gutter,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let left_width = area.width / 2;
    let left = Rect { width: left_width, ..area };
    let right_x = area.x + left_width + u16::from(area.width > left_width);
    let right = Rect { x: right_x, width: area.right().saturating_sub(right_x), ..area };
    for y in area.top()..area.bottom() {
        if left.right() < area.right() {
            pen.buf.set_stringn(left.right(), y, pen.theme.glyphs.pane, 1, pen.theme.quiet);
        }
    }
    for line in place.row.lines() {
        // A line that did not change stands on both sides, with its number there.
        let sides = match line.kind {
            LineKind::Removed => [Some((left, line)), None],
            LineKind::Added => [None, Some((right, line))],
            LineKind::Context => {
                let old = HunkLine { new_index: line.old_index, ..line };
                [Some((left, old)), Some((right, line))]
            }
        };
        for (side, line_there) in sides.into_iter().flatten() {
            let numbered = Numbered { line: line_there, ..numbered(screen, place.file, line) };
            draw_parts(screen, place.file, file, line, side, |part, code, row| {
                draw_side(row, gutter, numbered, code, part, pen);
            });
        }
    }
}
