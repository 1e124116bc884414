//! The changed files of a page by directory: beside the diff, or dropped over it.

use std::collections::BTreeMap;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::bold,
    diff_rows::{Cursor, draw_cursor, draw_ends, thousands},
    review::draw_border,
    theme::Theme,
};
use crate::{
    app::{
        Model,
        review::{Part, ReviewScreen},
    },
    review::{FileDiff, ReviewPage, comment::Thread, name::visible_name, ticks::Reading},
};

/// Cells of the list when it lies over the diff.
const OVER_CELLS: u16 = 40;

enum ListRow<'a> {
    Directory(&'a [u8]),
    File(usize),
    Blank,
    Folded(Vec<usize>),
}

/// In the order of the stream; a directory is named where its files begin, the topmost only behind another.
fn list_rows<'a>(screen: &ReviewScreen, page: &'a ReviewPage) -> Vec<ListRow<'a>> {
    let mut rows = Vec::new();
    let mut directory: &[u8] = b"";
    for (index, file) in page.files.iter().enumerate() {
        if screen.choices.folded.contains(&index) {
            continue;
        }
        let (parent, _) = split(file.change.path.as_bytes());
        if parent != directory {
            directory = parent;
            rows.push(ListRow::Directory(directory));
        }
        rows.push(ListRow::File(index));
    }
    rows
}

/// What stands below the list, and in sight however long the list is.
fn folded_rows(screen: &ReviewScreen) -> Vec<ListRow<'static>> {
    if screen.choices.folded.is_empty() {
        return Vec::new();
    }
    vec![ListRow::Blank, ListRow::Folded(screen.choices.folded.iter().copied().collect())]
}

/// As much of the list as has room, around the file that the cursor is in; one that is folded away moves nothing.
fn in_view(mut rows: Vec<ListRow<'_>>, current: Option<usize>, height: usize) -> Vec<ListRow<'_>> {
    let is_reached = |row: &ListRow<'_>| match row {
        ListRow::File(index) => current.is_some_and(|current| *index <= current),
        _ => false,
    };
    let middle = rows.iter().rposition(is_reached).unwrap_or(0).saturating_sub(height / 2);
    rows.drain(..middle.min(rows.len().saturating_sub(height)));
    rows.truncate(height);
    rows
}

/// Directory and name.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

pub fn draw(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let current = screen.file_index();
    let folded = folded_rows(screen);
    let height = usize::from(area.height).saturating_sub(folded.len());
    let mut rows = in_view(list_rows(screen, page), current, height);
    rows.extend(folded);
    let place = rows.iter().position(|row| match row {
        ListRow::File(index) => Some(*index) == current,
        ListRow::Folded(indexes) => current.is_some_and(|current| indexes.contains(&current)),
        ListRow::Directory(_) | ListRow::Blank => false,
    });
    let has_keys = screen.is_in_files(model.viewport);
    let comments = open_comments(screen);
    for (offset, (index, row)) in (0..area.height).zip(rows.iter().enumerate()) {
        let line = Rect { y: area.y + offset, height: 1, ..area };
        let cursor = match (Some(index) == place, has_keys) {
            (false, _) => Cursor::Elsewhere,
            (true, false) => Cursor::Resting,
            (true, true) => Cursor::Here,
        };
        match row {
            ListRow::Blank => {}
            ListRow::Directory(name) => {
                let name = if name.is_empty() { "./".to_owned() } else { visible_name(name) };
                let room = usize::from(area.width).saturating_sub(3);
                let name = cells::clip_middle(&name, room, theme);
                let text = format!("{} {name}", theme.glyphs.open);
                buf.set_line(line.x, line.y, &Line::styled(text, theme.quiet), line.width);
            }
            ListRow::File(index) => {
                let reading = screen.reading(&model.memory.marks.ticks, *index);
                let flagged = !page.files[*index].findings.is_empty();
                let hunks = screen.hunks_read(*index);
                let accepted = model.memory.marks.accepted.get(&screen.id);
                let share = accepted.map(|accepted| screen.part_of_file(Some(accepted), *index));
                let on_it = || comments.get(index).copied().unwrap_or(0);
                let comments = (!comments.is_empty()).then(on_it);
                let conflicts =
                    model.fleet.is_in_conflict(&screen.id, &page.files[*index].change.path);
                let state = FileState { reading, flagged, conflicts, hunks, share, comments };
                draw_file(&page.files[*index], state, cursor, theme, line, buf);
            }
            ListRow::Folded(indexes) => draw_folded(page, indexes, cursor, theme, line, buf),
        }
    }
}

/// Of each file that has some; none where nobody commented on what is shown.
fn open_comments(screen: &ReviewScreen) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for &(row, thread) in screen.stream.comments() {
        let is_open = screen.threads.get(thread).is_some_and(Thread::is_open);
        if let Some(place) = screen.stream.place(row).filter(|_| is_open) {
            *counts.entry(place.file).or_default() += 1;
        }
    }
    counts
}

#[derive(Clone, Copy)]
struct FileState {
    reading: Reading,
    flagged: bool,
    /// With what the shadow lands on.
    conflicts: bool,
    /// Hunks read, of how many.
    hunks: Option<(usize, usize)>,
    /// How much of it is in, where some of the change is out.
    share: Option<Part>,
    /// Open ones on it, where some file of the list has one.
    comments: Option<usize>,
}

fn draw_file(
    file: &FileDiff,
    FileState { reading, flagged, conflicts, hunks, share, comments }: FileState,
    cursor: Cursor,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let inner = draw_cursor(area, cursor, theme, buf);
    let (mark, mark_style) = match reading {
        Reading::Unread if flagged => (theme.glyphs.problem, theme.attention),
        Reading::Unread => (" ", theme.text),
        Reading::Read => (theme.glyphs.done, theme.quiet),
        Reading::ChangedSince => (theme.glyphs.changed, theme.attention),
    };
    let name_style = match (reading, cursor) {
        (_, Cursor::Here) => bold(theme.text),
        _ if share == Some(Part::Out) => theme.quiet,
        (Reading::Read, _) => theme.quiet,
        _ => theme.text,
    };
    let mut numbers = Vec::new();
    if let Some((read, all)) = hunks
        && reading != Reading::Read
        && read > 0
    {
        numbers.push(Span::styled(format!("{read}/{all}  "), theme.text));
    }
    numbers.extend(change_numbers(file, reading, theme));
    match comments {
        None => {}
        Some(0) => numbers.push(Span::raw("   ")),
        Some(open) => numbers.push(Span::styled(format!("{open:>2} "), theme.text)),
    }
    match share {
        None => {}
        Some(Part::In) => numbers.push(Span::raw("   ")),
        Some(Part::Some) => numbers.push(Span::styled("at ", theme.target)),
        Some(Part::Out) => numbers.push(Span::styled(" t ", theme.target)),
    }
    let taken: usize = numbers.iter().map(|span| cells::width(&span.content)).sum();
    let (_, name) = split(file.change.path.as_bytes());
    let name = visible_name(name);
    let room = usize::from(inner.width).saturating_sub(taken + 8);
    let clash = if conflicts {
        Span::styled(theme.glyphs.conflict, theme.attention)
    } else {
        Span::raw(" ")
    };
    let left = vec![
        clash,
        Span::styled(mark, mark_style),
        Span::raw(" "),
        Span::styled(file.change.status.letter().to_string(), theme.quiet),
        Span::raw(" "),
        Span::styled(cells::clip_middle(&name, room, theme), name_style),
    ];
    draw_ends(inner, left, numbers, buf);
}

/// ` +30  −5`, each in a column of its own.
fn change_numbers(file: &FileDiff, reading: Reading, theme: &Theme) -> Vec<Span<'static>> {
    let done = reading == Reading::Read;
    let style = |style: Style| if done { theme.quiet } else { style };
    let cell = |sign: &str, number: u32| match number {
        0 => String::new(),
        number => format!("{sign}{}", thousands(number)),
    };
    if file.change.binary {
        return vec![Span::styled("binary ", theme.quiet)];
    }
    let added = cell("+", file.change.insertions);
    // A cell between them, however long they are.
    let removed = cell(&format!(" {}", theme.glyphs.minus), file.change.deletions);
    vec![
        Span::styled(added, style(theme.good)),
        Span::styled(format!("{removed:>5} "), style(theme.bad)),
    ]
}

fn draw_folded(
    page: &ReviewPage,
    indexes: &[usize],
    cursor: Cursor,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let names: Vec<String> = indexes
        .iter()
        .map(|index| visible_name(split(page.files[*index].change.path.as_bytes()).1))
        .collect();
    let text = format!("{} {} folded: {}", theme.glyphs.closed, indexes.len(), names.join(", "));
    // The bar takes the place of the sign, so that no letter moves.
    let room = usize::from(area.width).saturating_sub(1);
    buf.set_stringn(area.x, area.y, cells::clip(&text, room, theme), room, theme.quiet);
    draw_cursor(area, cursor, theme, buf);
}

/// Over the left of the diff, with a border at its right.
pub fn draw_over(
    model: &Model,
    screen: &ReviewScreen,
    page: &ReviewPage,
    theme: &Theme,
    body: Rect,
    buf: &mut Buffer,
) -> Rect {
    let width = OVER_CELLS.min(body.width.saturating_sub(1));
    let area = Rect { width, ..body };
    draw(model, screen, page, theme, area, buf);
    draw_border(Rect { x: area.right(), width: 1, ..body }.intersection(body), theme, buf);
    let taken = (width + 1).min(body.width);
    Rect { x: body.x + taken, width: body.width - taken, ..body }
}
