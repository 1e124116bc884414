//! Review: one stream over all changed files, a sticky head above it, the files beside or over it.

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Span};

use super::{
    cells::{self, Code},
    chrome::{Hint, Split, age, bold, count, span},
    diff_rows::{
        Columns, Cursor, Gutter, Pen, change_spans, draw_code, draw_cursor, draw_ends, draw_words,
        name_style, note_text,
    },
    layout::WIDE,
    review_files,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        review::{ReviewScreen, line_text, panes},
        review_search::find_matches,
    },
    review::{
        Content, FileDiff, HunkLine, ReviewPage, Verdict,
        enclosing::enclosing,
        stream::{Note, Place, StreamRow},
        ticks::Reading,
        visible::visible,
    },
};

/// Matches drawn in one line; the search counts lines, not these.
const LINE_MATCHES_MAX: usize = 100;
/// In a wide pane the names of heads stand in a column of this width.
const NAME_CELLS: usize = 34;

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let Some(screen) = &model.review else { return Split::default() };
    let row = model.fleet.find(&screen.id);
    let target = screen.page.as_ref().map(|page| &page.target);
    let target = target.or(row.and_then(|row| row.target.as_ref()));
    let mut left = vec![Span::raw(" "), span(&screen.id.0, bold(theme.text))];
    if let Some(target) = target {
        left.push(span(&format!(" {} {target}", theme.glyphs.arrow), theme.quiet));
        let tip = model.fleet.target_tip.as_ref();
        if let Some(tip) = tip.filter(|_| model.fleet.target.as_ref() == Some(target)) {
            left.push(span(&format!(" {}", tip.abbreviated()), theme.quiet));
        }
    }
    if width < WIDE
        && let (Some(file), Some(page)) = (screen.file_index(), &screen.page)
    {
        let place = format!("    {}/{} ", file + 1, page.files.len());
        left.push(Span::styled(place, theme.quiet));
        let path = visible(page.files[file].change.path.as_bytes());
        let used = cells::width(&left.iter().map(|s| s.content.as_ref()).collect::<String>());
        let room = usize::from(width).saturating_sub(used + 26);
        left.push(Span::styled(cells::clip_middle(&path, room, theme), theme.text));
    }
    let mut right = Vec::new();
    if let Some(read) = model.fleet.read.get(&screen.id) {
        let style = if read.read == read.files { theme.good } else { theme.text };
        right.push(Span::styled(format!("{}/{} read", read.read, read.files), style));
    }
    if let Some(row) = row {
        right.push(Span::raw("   "));
        right.push(verdict(row.verdict, row.conflicts.len(), theme));
    }
    right.push(Span::raw(" "));
    Split { left, right }
}

fn verdict(verdict: Verdict, conflicts: usize, theme: &Theme) -> Span<'static> {
    let glyphs = theme.glyphs;
    let (glyph, word, style) = match verdict {
        Verdict::Clean => (glyphs.done, "clean".to_owned(), theme.good),
        Verdict::Conflicts => (glyphs.conflict, count(conflicts, "file"), theme.attention),
        Verdict::Landed => (glyphs.landed, "landed".to_owned(), theme.quiet),
        Verdict::Empty => (glyphs.empty, "empty".to_owned(), theme.quiet),
        Verdict::Unknown => (glyphs.dot, "not looked at yet".to_owned(), theme.quiet),
    };
    Span::styled(format!("{glyph} {word}"), style)
}

/// Says when the shadow has gone on since this page was read; nothing else moves.
pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let Some(screen) = &model.review else { return Split::default() };
    let Some(page) = &screen.page else { return Split::default() };
    let snapshot = model.fleet.find(&screen.id).and_then(|row| row.snapshot.as_ref());
    let mut split = Split::default();
    if snapshot.is_some_and(|snapshot| *snapshot != page.snapshot) {
        let text = format!(
            "changed since this page of {} ago {} R takes it and keeps your place",
            age(model.now_ms, page.read_at_ms),
            theme.glyphs.dot,
        );
        split.left.push(span(&text, theme.attention));
    }
    if let Some(search) = &screen.search {
        let found = count(search.rows.len(), "matching line");
        split.right.push(span(&format!("{found} of {}", search.needle), theme.quiet));
    }
    split
}

pub fn footer(model: &Model, theme: &Theme, width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Review, name, label);
    let Some(screen) = &model.review else { return (Vec::new(), Vec::new()) };
    let in_files = screen.is_in_files(model.viewport);
    let space = if width < WIDE { "read on" } else { read_on_label(model, screen) };
    let mut hints = vec![hint("read.on", space), hint("land.shadow", "land")];
    if !screen.ticked.is_empty() {
        hints.push(hint("take-back.tick", "untick"));
    }
    let row = model.fleet.find(&screen.id);
    if row.is_some_and(|row| row.verdict == Verdict::Conflicts) {
        hints.push(hint("conflicts.show", "conflicts"));
    }
    hints.extend([
        hint("pane.switch", if in_files { "diff" } else { "files" }),
        Some(Hint::of_keys("[ ]", "hunk")),
        Some(Hint::of_keys("{ }", "file")),
        hint("search.text", "search"),
        hint("help.keys", if width < WIDE { "keys" } else { "all keys" }),
    ]);
    (hints.into_iter().flatten().collect(), position(screen, theme))
}

/// What Space will do just now.
fn read_on_label(model: &Model, screen: &ReviewScreen) -> &'static str {
    let Some((page, file)) = screen.page.as_ref().zip(screen.file_index()) else {
        return "read on";
    };
    let change = &page.files[file].change;
    let is_read = model.memory.ticks.reading(&page.id, change) == Reading::Read;
    if is_read {
        "read on: next"
    } else if screen.has_unseen(file) {
        "read on: page"
    } else {
        "read on: tick, next file"
    }
}

fn position(screen: &ReviewScreen, theme: &Theme) -> Vec<Span<'static>> {
    let Some(place) = screen.stream.place(screen.cursor) else { return Vec::new() };
    let share = screen.cursor * 100 / screen.stream.last_stop().max(1);
    let dot = theme.glyphs.dot;
    let text = match place.row {
        StreamRow::Line(line) => {
            let index = line.new_index.or(line.old_index).unwrap_or(0);
            format!("line {} {dot} {share} % ", index + 1)
        }
        _ => format!("{share} % "),
    };
    vec![Span::styled(text, theme.quiet)]
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.review else { return };
    let buf = frame.buffer_mut();
    let Some(page) = &screen.page else {
        let text = match &screen.failed {
            Some(report) => report.headline.as_str(),
            None => "reading the change",
        };
        let style = if screen.failed.is_some() { theme.bad } else { theme.quiet };
        let inner = inset(body);
        draw_words(inner, text, style, theme, buf);
        return;
    };
    if page.files.is_empty() {
        draw_words(
            inset(body),
            "Nothing changed: this shadow is as its base.",
            theme.quiet,
            theme,
            buf,
        );
        return;
    }
    let panes = panes(model.viewport);
    let mut diff = body;
    if panes.files > 0 {
        let files = Rect { width: cut(panes.files).min(body.width), ..body };
        review_files::draw(model, screen, page, theme, files, buf);
        draw_border(Rect { x: files.right(), width: 1, ..body }, theme, buf);
        let taken = (files.width + 1).min(body.width);
        diff = Rect { x: body.x + taken, width: body.width - taken, ..body };
    }
    draw_stream(model, screen, page, theme, diff, buf);
    if panes.files == 0 && screen.is_in_files(model.viewport) {
        review_files::draw_over(model, screen, page, theme, body, buf);
    }
}

fn cut(cells: usize) -> u16 {
    u16::try_from(cells).unwrap_or(u16::MAX)
}

pub fn inset(area: Rect) -> Rect {
    let left = area.width.min(2);
    let top = area.height.min(1);
    Rect { x: area.x + left, y: area.y + top, width: area.width - left, height: area.height - top }
        .intersection(area)
}

/// The line between two panes.
pub fn draw_border(area: Rect, theme: &Theme, buf: &mut Buffer) {
    for y in area.top()..area.bottom() {
        buf.set_stringn(area.x, y, theme.glyphs.pane, usize::from(area.width), theme.quiet);
    }
}

fn draw_stream(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let columns = Columns { gutter: Gutter::of(&page.files), scroll: screen.scroll };
    let mut pen = Pen { theme, buf };
    let has_keys = !screen.is_in_files(model.viewport);
    let rows = (0..area.height).zip(screen.top..screen.stream.row_count());
    for (row, index) in rows {
        let Some(place) = screen.stream.place(index) else { break };
        let line = Rect { y: area.y + row, height: 1, ..area };
        let cursor = match (index == screen.cursor, has_keys) {
            (false, _) => Cursor::Elsewhere,
            (true, false) => Cursor::Resting,
            (true, true) => Cursor::Here,
        };
        // The head of the file at the top stays there while its lines go by.
        let is_sticky = row == 0 && area.height > 1;
        if is_sticky || place.row == StreamRow::Head {
            draw_head(model, screen, page, sticky_place(screen, place), line, &mut pen);
        } else {
            draw_row(screen, place, columns, cursor, line, &mut pen);
        }
    }
}

/// A head tells of the hunk that the cursor is in, if that is in its file.
fn sticky_place(screen: &ReviewScreen, place: Place) -> Place {
    let file =
        if place.row == StreamRow::Blank { place.file.saturating_sub(1) } else { place.file };
    let here = screen.stream.place(screen.cursor).filter(|here| here.file == file);
    here.unwrap_or(Place { file, ..place })
}

fn draw_row(
    screen: &ReviewScreen,
    place: Place,
    columns: Columns,
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
        StreamRow::Line(line) => {
            let bytes = line_text(file, line).unwrap_or_default();
            let blocks = match &file.content {
                Content::Text { blocks, .. } => &blocks[..],
                _ => &[],
            };
            let hits = match &screen.search {
                Some(search) => find_matches(&search.needle, bytes, LINE_MATCHES_MAX),
                None => Vec::new(),
            };
            let code = Code {
                bytes,
                kind: line.kind,
                tokens: screen.paint.tokens(place.file, line),
                words: screen.paint.words(place.file, blocks, line),
                hits: &hits,
            };
            draw_code(area, columns, line, code, cursor, pen);
        }
        StreamRow::Fold { lines, .. } => {
            let dots = theme.glyphs.dot.repeat(4);
            let lines = count(lines as usize, "line");
            let text = match cursor {
                Cursor::Elsewhere => format!("{dots} {lines} {dots}"),
                _ => format!("{dots} {lines}, Enter shows them, + shows more {dots}"),
            };
            let inner = draw_cursor(area, cursor, theme, pen.buf);
            draw_words(inner, &text, theme.quiet, theme, pen.buf);
        }
        StreamRow::Note(note) => {
            let inner = draw_cursor(area, cursor, theme, pen.buf);
            let is_bad =
                matches!(file.content, Content::Unreadable { .. }) && note == Note::Content;
            let style = if is_bad { theme.bad } else { theme.quiet };
            let indent = if is_bad { "! " } else { "  " };
            let text = format!("{indent}{}", note_text(file, note, theme));
            draw_words(inner, &text, style, theme, pen.buf);
        }
    }
}

fn draw_head(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    place: Place,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let Some(file) = page.files.get(place.file) else { return };
    let is_wide = area.width >= 80 && model.viewport.columns >= WIDE;
    let path = visible(file.change.path.as_bytes());
    let old = file.change.old_path.as_ref().map(|old| visible(old.as_bytes()));
    let name = match old {
        Some(old) => format!("{old} {} {path}", theme.glyphs.arrow),
        None => path,
    };
    let beside = if area.width < 60 { 16 } else { 30 };
    let room = usize::from(area.width).saturating_sub(beside).max(8);
    let name = cells::clip_middle(&name, room, theme);
    let pad = if is_wide { NAME_CELLS.saturating_sub(cells::width(&name)) } else { 0 };
    let mut left =
        vec![Span::raw(" "), Span::styled(name, name_style(theme)), Span::raw(" ".repeat(pad + 2))];
    left.extend(change_spans(file, theme));
    if !screen.choices.folded.contains(&place.file) {
        left.extend(hunk_spans(file, place, screen, if is_wide { 36 } else { 24 }, theme));
    }
    let right = match model.memory.ticks.reading(&page.id, &file.change) {
        Reading::Unread => Vec::new(),
        Reading::Read => vec![Span::styled(format!("{} read ", theme.glyphs.done), theme.quiet)],
        Reading::ChangedSince => {
            vec![Span::styled("changed since you looked ", theme.attention)]
        }
    };
    draw_ends(area, left, right, buf);
}

/// Which hunk, and what it lies in.
fn hunk_spans(
    file: &FileDiff,
    place: Place,
    screen: &ReviewScreen,
    name_cells: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Content::Text { old, new, blocks } = &file.content else { return Vec::new() };
    if blocks.is_empty() {
        return Vec::new();
    }
    let hunks = screen.stream.files()[place.file].hunk_count;
    let text = format!("  hunk {} of {hunks}", place.hunk + 1);
    let mut spans = vec![Span::styled(text, theme.quiet)];
    let around = match place.row {
        StreamRow::Line(HunkLine { new_index: Some(index), .. }) => enclosing(new, index),
        StreamRow::Line(HunkLine { old_index: Some(index), .. }) => enclosing(old, index),
        _ => None,
    };
    if let Some(name) = around {
        spans.push(Span::styled(
            format!("  {}", cells::clip(&name, name_cells, theme)),
            theme.quiet,
        ));
    }
    spans
}
