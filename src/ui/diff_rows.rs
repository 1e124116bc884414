//! One row of a diff as cells: the gutters, the sign, the code. Review and Conflicts draw with it.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::{
    cells,
    code::{Code, End, draw_code},
    theme::Theme,
};
use crate::{
    app::review::number_cells,
    review::{
        Content, FileDiff, FileStatus, HunkLine, LineKind, endings::Endings, fold::Fold,
        pieces::Window, stream::Note, words::LINE_BYTES_MAX,
    },
};

/// The widths left of the code; one for a whole page, so that nothing jumps between files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gutter {
    number: usize,
}

impl Gutter {
    /// Of numbers that were measured before.
    pub fn of_cells(number: usize) -> Self {
        Self { number }
    }

    pub fn of<'a>(files: impl IntoIterator<Item = &'a FileDiff>) -> Self {
        Self { number: number_cells(files) }
    }

    /// The cursor's bar, two numbers, the sign, and the blanks between.
    pub fn cells(self) -> usize {
        2 * self.number + 5
    }

    /// In place of the numbers where a line goes on.
    fn more_spans(cells: usize, theme: &Theme) -> Vec<Span<'static>> {
        let sign = theme.glyphs.ellipsis;
        let blanks = cells.saturating_sub(2);
        vec![Span::raw(" ".repeat(blanks)), Span::styled(format!("{sign:<2}"), theme.quiet)]
    }
}

/// A line as its numbers and its sign tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    pub line: HunkLine,
    /// It stands, or stood, in another place too: it is quieter than what is new.
    pub is_moved: bool,
}

impl Numbered {
    /// The numbers, each in `digits` cells, then ` + `, of moved lines `›+ `. Cell by cell: every row of a page has one.
    fn draw(self, numbers: &[Option<u32>], digits: usize, area: Rect, pen: &mut Pen<'_>) {
        let Pen { theme, buf } = pen;
        let (sign, style) = theme.sign(self.line.kind);
        let (mark, style) = match self.line.kind {
            _ if !self.is_moved => (" ", style),
            LineKind::Removed => (theme.glyphs.moved_away, theme.quiet),
            LineKind::Added | LineKind::Context => (theme.glyphs.moved_here, theme.quiet),
        };
        let mut columns = area.left()..area.right();
        let mut put = |sign: &str, style: Style| {
            if let Some(cell) = columns.next().and_then(|x| buf.cell_mut((x, area.y))) {
                cell.set_symbol(sign).set_style(style);
            }
        };
        for (index, number) in numbers.iter().enumerate() {
            if index > 0 {
                put(" ", theme.quiet);
            }
            for place in (0..digits).rev() {
                put(digit(number.map(|index| index + 1), place), theme.quiet);
            }
        }
        put(mark, theme.quiet);
        put(sign, style);
        put(" ", style);
    }
}

/// The digit of a number at a place from its end; a blank before its first.
fn digit(number: Option<u32>, place: usize) -> &'static str {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let unit = u32::try_from(place).ok().and_then(|place| 10_u32.checked_pow(place));
    let (Some(number), Some(unit)) = (number, unit) else { return " " };
    if number < unit { " " } else { DIGITS[(number / unit % 10) as usize] }
}

impl From<HunkLine> for Numbered {
    fn from(line: HunkLine) -> Self {
        Self { line, is_moved: false }
    }
}

/// What a function draws with.
pub struct Pen<'a> {
    pub theme: &'a Theme,
    pub buf: &'a mut Buffer,
}

/// Which row of a line is drawn: the first, or one where it goes on; and whether its end is cut there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub is_first: bool,
    /// The first cell shown.
    pub offset: usize,
    /// Cells shown, where the line goes on in another row.
    pub cells: Option<usize>,
}

impl Part {
    /// A line in one row.
    pub fn whole(scroll: usize) -> Self {
        Self { is_first: true, offset: scroll, cells: None }
    }

    /// The row with this number of a line that is broken there; from the last one on, what is left.
    pub fn of(starts: &[usize], number: usize) -> Self {
        let offset = starts.get(number).or(starts.last()).copied().unwrap_or(0);
        let cells = starts.get(number + 1).map(|next| next - offset);
        Self { is_first: number == 0, offset, cells }
    }
}

/// Whether the cursor is on the row, and its pane has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    Elsewhere,
    /// The keys go to another pane.
    Resting,
    Here,
}

/// The bar, and the faint row under it. Returns the area right of the bar.
pub fn draw_cursor(area: Rect, cursor: Cursor, theme: &Theme, buf: &mut Buffer) -> Rect {
    if cursor != Cursor::Elsewhere {
        let style = if cursor == Cursor::Here { theme.focus } else { theme.quiet };
        buf.set_style(area, theme.cursor_row);
        buf.set_stringn(area.x, area.y, theme.glyphs.cursor, usize::from(area.width), style);
    }
    let taken = area.width.min(1);
    Rect { x: area.x + taken, width: area.width - taken, ..area }
}

/// A row of a line of code, right of the cursor's bar.
pub fn draw_line_part(
    inner: Rect,
    gutter: Gutter,
    row: impl Into<Numbered>,
    code: Code<'_>,
    part: Part,
    pen: &mut Pen<'_>,
) {
    let row = row.into();
    let numbers = [row.line.old_index, row.line.new_index];
    draw_numbered(inner, gutter, row, &numbers, (code, part), pen);
}

/// One side of a row where the sides stand side by side.
pub fn draw_side(
    inner: Rect,
    gutter: Gutter,
    row: Numbered,
    code: Code<'_>,
    part: Part,
    pen: &mut Pen<'_>,
) {
    let line = row.line;
    let number = if line.kind == LineKind::Removed { line.old_index } else { line.new_index };
    draw_numbered(inner, gutter, row, &[number], (code, part), pen);
}

/// The faint ground of a line that changed, where it is not only its place.
fn draw_tint(area: Rect, row: Numbered, Pen { theme, buf }: &mut Pen<'_>) {
    if row.line.kind != LineKind::Context && !row.is_moved {
        buf.set_style(area, theme.line(row.line.kind));
    }
}

fn draw_numbered(
    inner: Rect,
    gutter: Gutter,
    row: Numbered,
    numbers: &[Option<u32>],
    (code, part): (Code<'_>, Part),
    pen: &mut Pen<'_>,
) {
    draw_tint(inner, row, pen);
    let cells = numbers.len() * (gutter.number + 1) + 2;
    if part.is_first {
        row.draw(numbers, gutter.number, inner, pen);
    } else {
        let more = Line::from(Gutter::more_spans(cells, pen.theme));
        pen.buf.set_line(inner.x, inner.y, &more, inner.width);
    }
    let Pen { theme, buf } = &mut *pen;
    let taken = u16::try_from(cells).unwrap_or(u16::MAX).min(inner.width);
    if part.is_first && part.offset > 0 && taken > 0 {
        let mark = theme.glyphs.cut_left;
        buf.set_stringn(inner.x + taken - 1, inner.y, mark, 1, theme.quiet);
    }
    let room = Rect { x: inner.x + taken, width: inner.width - taken, ..inner };
    let width = usize::from(room.width);
    let window = Window { offset: part.offset, width: part.cells.unwrap_or(width).min(width) };
    let end = if part.cells.is_some() { End::GoesOn } else { End::Cut };
    draw_code(code, window, end, (room.x, room.y), pen);
}

/// `M  +30 −5`, the numbers in their colours; of a rename `R 87 %`, how much of it stayed.
pub fn change_spans(file: &FileDiff, theme: &Theme) -> Vec<Span<'static>> {
    let change = &file.change;
    let letter = change.status.letter();
    let status = match change.status {
        FileStatus::Renamed(percent) | FileStatus::Copied(percent) => {
            format!("{letter} {percent} %")
        }
        _ => letter.to_string(),
    };
    let mut spans = vec![Span::styled(status, theme.quiet)];
    if change.insertions > 0 {
        spans.push(Span::styled(format!("  +{}", thousands(change.insertions)), theme.good));
    }
    if change.deletions > 0 {
        let minus = theme.glyphs.minus;
        spans.push(Span::styled(format!("  {minus}{}", thousands(change.deletions)), theme.bad));
    }
    spans
}

/// 8412 → 8,412.
pub fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What a note says; from the file it belongs to.
pub fn note_text(file: &FileDiff, note: Note, theme: &Theme) -> String {
    let change = &file.change;
    let arrow = theme.glyphs.arrow;
    match note {
        Note::NoNewline(kind) => {
            let side = if kind == LineKind::Removed { "old" } else { "new" };
            format!("the {side} file has no newline at its end")
        }
        Note::Mode => {
            let mode = |entry: &Option<crate::review::Entry>| {
                entry.as_ref().map_or("none", |entry| entry.mode.as_octal())
            };
            format!("mode {} {arrow} {}", mode(&change.old), mode(&change.new))
        }
        Note::Passed(index) => file.passed.get(index).map_or(String::new(), |passed| {
            format!("  {} {}", theme.sign(passed.kind).0, passed.subject)
        }),
        Note::Link => "a symlink: the line is where it points".to_owned(),
        Note::Endings(endings) => match endings {
            Endings::ToCrlf => format!("only line endings changed: LF {arrow} CRLF"),
            Endings::ToLf => format!("only line endings changed: CRLF {arrow} LF"),
            Endings::Mixed => "only line endings changed, some each way".to_owned(),
        },
        Note::NoLines => match change.status {
            FileStatus::Renamed(_) => "renamed, not a line changed".to_owned(),
            FileStatus::Copied(_) => "copied, not a line changed".to_owned(),
            FileStatus::Added | FileStatus::Deleted => "an empty file".to_owned(),
            FileStatus::Modified | FileStatus::TypeChanged => "no lines changed".to_owned(),
        },
        Note::Folded => {
            let why = file.fold.map_or("this file is", Fold::words);
            let dot = theme.glyphs.dot;
            match &file.content {
                Content::TooLarge { .. } => {
                    let size = content_text(&file.content, theme);
                    format!("{why}, folded {dot} {size} {dot} Enter shows it")
                }
                content => {
                    let plain = plain_lines(content).map(|words| format!("{words}, "));
                    format!("{}{why}, folded {dot} Enter opens it", plain.unwrap_or_default())
                }
            }
        }
        Note::Content => content_text(&file.content, theme),
    }
}

/// `one line of 5.1 MiB, plain`: where lines are too long for colours and for the words that changed.
fn plain_lines(content: &Content) -> Option<String> {
    /// With more lines than these no line is what makes the file large.
    const LOOKED_AT_MAX: u32 = 10_000;
    let Content::Text { new, .. } = content else { return None };
    let lines = 0..new.line_count().min(LOOKED_AT_MAX);
    let longest = lines.map(|line| new.line(line).len()).max()?;
    let size = (longest > LINE_BYTES_MAX).then(|| bytes(longest as u64))?;
    Some(match new.line_count() {
        1 => format!("one line of {size}, plain"),
        _ => format!("lines of up to {size}, those plain"),
    })
}

/// What the row of a file adds that is named with its sizes alone, where `Enter` reads its lines.
pub fn shown_by(content: &Content) -> Option<&'static str> {
    match content {
        Content::Binary { .. } => Some("Enter shows it as text"),
        Content::TooLarge { .. } => Some("Enter shows it"),
        Content::Text { .. } | Content::Submodule { .. } | Content::Unreadable { .. } => None,
    }
}

fn content_text(content: &Content, theme: &Theme) -> String {
    let arrow = theme.glyphs.arrow;
    match content {
        Content::Text { .. } => String::new(),
        Content::Binary { old_size, new_size } => match (old_size, new_size) {
            (Some(old), Some(new)) => format!("binary, {} {arrow} {}", bytes(*old), bytes(*new)),
            (None, Some(new)) => format!("binary, {}", bytes(*new)),
            (Some(old), None) => format!("binary, was {}", bytes(*old)),
            (None, None) => "binary".to_owned(),
        },
        Content::Submodule { old, new } => {
            let oid = |oid: &Option<crate::shadow::Oid>| {
                oid.as_ref().map_or("none".to_owned(), |oid| oid.abbreviated().to_owned())
            };
            format!("submodule at {} {arrow} {}", oid(old), oid(new))
        }
        Content::TooLarge { size, size_max } => {
            let (size, size_max) = (bytes(*size), bytes(*size_max));
            format!("{size} is over the limit of {size_max}")
        }
        Content::Unreadable { why } => format!("cannot be read: {why}"),
    }
}

/// 1536 → 1.5 KiB.
pub fn bytes(size: u64) -> String {
    let mut unit = 0;
    let mut rest = size;
    let mut tenths = 0;
    while rest >= 1_024 && unit < 4 {
        tenths = rest % 1_024 * 10 / 1_024;
        rest /= 1_024;
        unit += 1;
    }
    let name = ["bytes", "KiB", "MiB", "GiB", "TiB"][unit];
    if unit == 0 || rest >= 100 {
        format!("{rest} {name}")
    } else {
        format!("{rest}.{tenths} {name}")
    }
}

/// Left and right parts of one row; the left one gives way.
pub fn draw_ends(
    area: Rect,
    left: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    buf: &mut Buffer,
) {
    let right = Line::from(right);
    let taken = u16::try_from(right.width()).unwrap_or(u16::MAX);
    let gap = u16::from(taken > 0) * 2;
    if taken + gap <= area.width {
        let room = area.width - taken - gap;
        buf.set_line(area.x, area.y, &Line::from(left), room);
        buf.set_line(area.x + area.width - taken, area.y, &right, taken);
    } else {
        buf.set_line(area.x, area.y, &Line::from(left), area.width);
    }
}

/// The words of a row that is not code.
pub fn draw_words(area: Rect, text: &str, style: Style, theme: &Theme, buf: &mut Buffer) {
    let text = cells::clip(text, usize::from(area.width), theme);
    buf.set_stringn(area.x, area.y, text, usize::from(area.width), style);
}

/// The name in a head: the one bold thing of its row.
pub fn name_style(theme: &Theme) -> Style {
    theme.text.add_modifier(Modifier::BOLD)
}
