//! Review: one stream over all changed files, a sticky head above it, the files beside or over it.

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Span};

use super::{
    cells,
    chrome::{Hint, Split, bold, count, span, width_of},
    diff_rows::{bytes, draw_words},
    fleet_row::conflicts,
    layout::WIDE,
    review_files,
    review_map::draw_map,
    review_stream::draw_stream,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        review::{ReviewScreen, View, line_text, panes},
        review_map::MAP_CELLS,
    },
    review::{
        Row, Verdict,
        comment::count_open,
        name::visible_name,
        stream::{Long, Place, StreamRow},
        ticks::Reading,
        words::LINE_BYTES_MAX,
    },
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let Some(screen) = &model.review else { return Split::default() };
    let row = model.fleet.find(&screen.id);
    let target = screen.whole.as_ref().map(|page| &page.target);
    let target = target.or(row.and_then(|row| row.target.as_ref()));
    let mut left = vec![Span::raw(" "), span(&screen.id.0, bold(theme.text))];
    if let Some(target) = target {
        left.push(span(&format!(" {} {target}", theme.glyphs.arrow), theme.quiet));
        let tip = model.fleet.target_tip.as_ref();
        if let Some(tip) = tip.filter(|_| model.fleet.target.as_ref() == Some(target)) {
            left.push(span(&format!(" {}", tip.abbreviated()), theme.quiet));
        }
    }
    let mut right = Vec::new();
    let open = count_open(&screen.threads);
    if open > 0 {
        right.push(Span::styled(format!("{}   ", count(open, "comment")), theme.text));
    }
    if let Some(read) = screen.read_count(&model.fleet) {
        let style = if read.read == read.files { theme.good } else { theme.text };
        let of = if screen.view == View::Against { "compared" } else { "read" };
        right.push(Span::styled(format!("{}/{} {of}", read.read, read.files), style));
    }
    if let Some(row) = row {
        right.push(Span::raw("   "));
        let is_unread = row.verdict == Verdict::Unknown;
        // An error looks like one: not like something that is still to come.
        right.push(if is_unread && (row.problem.is_some() || model.fleet.failed.is_some()) {
            Span::styled(format!("{} cannot be read", theme.glyphs.problem), theme.bad)
        } else {
            verdict(row, theme)
        });
    }
    if width >= WIDE && screen.whole.is_some() {
        let room = usize::from(width).saturating_sub(width_of(&left) + width_of(&right) + 1);
        left.extend(view_spans(screen, room, theme));
    }
    if width < WIDE
        && let (Some(file), Some(page)) = (screen.file_index(), &screen.page)
    {
        let place = format!("    {}/{} ", file + 1, page.files.len());
        left.push(Span::styled(place, theme.quiet));
        let path = visible_name(page.files[file].change.path.as_bytes());
        let room = usize::from(width).saturating_sub(width_of(&left) + width_of(&right) + 3);
        left.push(Span::styled(cells::clip_middle(&path, room, theme), theme.text));
    }
    right.push(Span::raw(" "));
    Split { left, right }
}

fn verdict(row: &Row, theme: &Theme) -> Span<'static> {
    let glyphs = theme.glyphs;
    let (glyph, word, style) = match row.verdict {
        Verdict::Clean => (glyphs.done, "clean".to_owned(), theme.good),
        Verdict::Conflicts => conflicts(row, theme),
        Verdict::Landed => (glyphs.landed, "landed".to_owned(), theme.quiet),
        Verdict::Empty => (glyphs.empty, "empty".to_owned(), theme.quiet),
        Verdict::Unknown => (glyphs.dot, "not looked at yet".to_owned(), theme.quiet),
    };
    Span::styled(format!("{glyph} {word}"), style)
}

/// The open view in bold, the rest quiet; words go before numbers do, the open view's last.
fn view_spans(screen: &ReviewScreen, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    let named = |is_named: &dyn Fn(View) -> bool| {
        let mut spans = vec![Span::raw("   ")];
        for (index, view) in View::EACH.into_iter().enumerate() {
            let style = if view == screen.view { bold(theme.text) } else { theme.quiet };
            let words = if is_named(view) { format!(" {}", view.words()) } else { String::new() };
            spans.push(Span::styled(format!("{}{words}", index + 1), style));
            spans.push(Span::raw("  "));
        }
        spans
    };
    // The last ones lose their names first; the open one never does.
    (0..=View::EACH.len())
        .rev()
        .map(|named_count| {
            let kept = &View::EACH[..named_count];
            named(&|view| view == screen.view || kept.contains(&view))
        })
        .find(|spans| width_of(spans) <= room)
        .unwrap_or_else(|| named(&|view| view == screen.view))
}

pub fn footer(model: &Model, theme: &Theme, width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Review, name, label);
    let Some(screen) = &model.review else { return (Vec::new(), Vec::new()) };
    let in_files = screen.is_in_files(model.viewport);
    let space = if width < WIDE { "read on" } else { read_on_label(model, screen) };
    let mut hints = vec![hint("read.on", space), hint("land.shadow", "land")];
    let row = model.fleet.find(&screen.id);
    if row.is_some_and(|row| row.verdict == Verdict::Conflicts) {
        hints.push(hint("conflicts.show", "conflicts"));
    }
    let is_flagged = screen.file().is_some_and(|file| !file.findings.is_empty());
    if width >= WIDE && screen.view != View::Against {
        hints.push(Some(Hint::of_keys("a t", "in/out")));
    }
    hints.extend([
        hint("pane.switch", if in_files { "diff" } else { "files" }),
        Some(Hint::of_keys("[ ]", "hunk")),
        // Where the files stand beside it, the place says more.
        (panes(model.viewport).files == 0).then(|| Hint::of_keys("{ }", "file")),
        if is_flagged { hint("why.here", "why") } else { hint("search.text", "search") },
        hint("help.keys", if width < WIDE { "keys" } else { "all keys" }),
    ]);
    (hints.into_iter().flatten().collect(), position(screen, theme))
}

/// What Space will do just now.
fn read_on_label(model: &Model, screen: &ReviewScreen) -> &'static str {
    let Some((page, file)) = screen.page.as_ref().zip(screen.file_index()) else {
        return "read on";
    };
    let is_read = screen.reading(&model.memory.marks.ticks, file) == Reading::Read;
    let has_more = (0..page.files.len()).any(|index| {
        index != file
            && !screen.is_apart(index)
            && screen.reading(&model.memory.marks.ticks, index) != Reading::Read
    });
    if is_read && has_more {
        "read on: next unread"
    } else if is_read {
        "next shadow"
    } else if screen.first_unseen(&model.memory.marks.ticks, file).is_some() {
        "read on: page"
    } else if screen.first_cut(&model.memory.marks.ticks, file).is_some() {
        "read on"
    } else if !screen.view.counts() {
        "read on: next file"
    } else if has_more {
        "read on: tick, next file"
    } else {
        "tick the last file"
    }
}

fn position(screen: &ReviewScreen, theme: &Theme) -> Vec<Span<'static>> {
    let Some(place) = screen.stream.place(screen.cursor) else { return Vec::new() };
    let share = screen.cursor * 100 / screen.stream.last_stop().max(1);
    let dot = theme.glyphs.dot;
    let text = match place.row {
        StreamRow::Line(line) => {
            let index = line.new_index.or(line.old_index).unwrap_or(0);
            format!("line {}{} {dot} {share} % ", index + 1, plain(screen, place))
        }
        StreamRow::Pair { old, new } => {
            let index = new.or(old).unwrap_or(0);
            format!("line {}{} {dot} {share} % ", index + 1, plain(screen, place))
        }
        _ => format!("{share} % "),
    };
    vec![Span::styled(text, theme.quiet)]
}

/// A line that is too long for colours, and for the words that changed in it.
fn plain(screen: &ReviewScreen, place: Place) -> String {
    let Some(file) = screen.file() else { return String::new() };
    let sizes = place.row.lines().filter_map(|line| line_text(file, line)).map(<[u8]>::len);
    let longest = sizes.max().filter(|longest| *longest > LINE_BYTES_MAX);
    longest.map_or(String::new(), |longest| format!(", {}, plain", bytes(longest as u64)))
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.review else { return };
    let buf = frame.buffer_mut();
    let Some(page) = &screen.page else {
        let text = match &screen.failed {
            Some(report) => report.headline.as_str(),
            None if screen.asks_to_compare() => "comparing",
            None if screen.whole.is_some() => "reading what changed since you looked",
            None => "reading the change",
        };
        let style = if screen.failed.is_some() { theme.bad } else { theme.quiet };
        let inner = inset(body);
        draw_words(inner, text, style, theme, buf);
        return;
    };
    if page.files.is_empty() {
        // Work that is no part of a change is work all the same.
        let told = model.fleet.find(&screen.id).and_then(Row::told);
        let (text, style) = match &told {
            Some(told) => (told.as_str(), theme.attention),
            None => ("Nothing changed: this shadow is as its base.", theme.quiet),
        };
        draw_words(inset(body), text, style, theme, buf);
        return;
    }
    let panes = panes(model.viewport);
    let map_width = cut(MAP_CELLS).min(body.width);
    let map = Rect { x: body.right() - map_width, width: map_width, ..body };
    draw_map(screen, theme, map, buf);
    let body = Rect { width: body.width - map_width, ..body };
    let mut diff = body;
    if panes.files > 0 {
        let files = Rect { width: cut(panes.files).min(body.width), ..body };
        review_files::draw(model, screen, page, theme, files, buf);
        draw_border(Rect { x: files.right(), width: 1, ..body }, theme, buf);
        let taken = (files.width + 1).min(body.width);
        diff = Rect { x: body.x + taken, width: body.width - taken, ..body };
    }
    if screen.is_covered(model.viewport) {
        let rest = review_files::draw_over(model, screen, page, theme, body, buf);
        // Lines are cut at their end, not at their beginning; wrapped ones were laid out for more room.
        if screen.long == Long::Cut {
            draw_stream(model, screen, page, theme, rest, buf);
        }
    } else {
        draw_stream(model, screen, page, theme, diff, buf);
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
