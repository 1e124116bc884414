//! One row of a diff as cells: the gutters, the sign, the code. Review and Conflicts draw with it.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::{
    cells::{self, Code, Window, code_line},
    theme::Theme,
};
use crate::review::{
    Content, FileDiff, FileStatus, HunkLine, LineKind, fold::why_folded, stream::Note,
};

/// Cells that line numbers take at least, so that most files look alike.
const NUMBER_CELLS_MIN: usize = 4;

/// The widths left of the code; one for a whole page, so that nothing jumps between files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gutter {
    number: usize,
}

impl Gutter {
    pub fn of<'a>(files: impl IntoIterator<Item = &'a FileDiff>) -> Self {
        let lines = files.into_iter().map(|file| match &file.content {
            Content::Text { old, new, .. } => old.line_count().max(new.line_count()),
            _ => 0,
        });
        let most = lines.max().unwrap_or(0);
        Self { number: most.to_string().len().max(NUMBER_CELLS_MIN) }
    }

    /// The cursor's bar, two numbers, the sign, and the blanks between.
    pub fn cells(self) -> usize {
        2 * self.number + 5
    }

    fn spans(self, line: HunkLine, theme: &Theme) -> Vec<Span<'static>> {
        let number = |index: Option<u32>| {
            let text = index.map_or(String::new(), |index| (index + 1).to_string());
            format!("{text:>width$} ", width = self.number)
        };
        let (sign, style) = theme.sign(line.kind);
        vec![
            Span::styled(number(line.old_index), theme.quiet),
            Span::styled(number(line.new_index), theme.quiet),
            Span::styled(format!("{sign} "), style),
        ]
    }
}

/// What a function draws with.
pub struct Pen<'a> {
    pub theme: &'a Theme,
    pub buf: &'a mut Buffer,
}

/// How the cells of a row are shared out: the gutters, and how far the code is scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    pub gutter: Gutter,
    pub scroll: usize,
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

/// A line of code in a row of its own.
pub fn draw_code(
    area: Rect,
    Columns { gutter, scroll }: Columns,
    line: HunkLine,
    code: Code<'_>,
    cursor: Cursor,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let inner = draw_cursor(area, cursor, theme, buf);
    if line.kind != LineKind::Context {
        buf.set_style(inner, theme.line(line.kind));
    }
    let numbers = Line::from(gutter.spans(line, theme));
    let taken = u16::try_from(gutter.cells() - 1).unwrap_or(u16::MAX).min(inner.width);
    buf.set_line(inner.x, inner.y, &numbers, inner.width);
    let room = Rect { x: inner.x + taken, width: inner.width - taken, ..inner };
    let window = Window { offset: scroll, width: usize::from(room.width) };
    buf.set_line(room.x, room.y, &code_line(code, window, theme), room.width);
}

/// `M  +30 −5`, the numbers in their colours.
pub fn change_spans(file: &FileDiff, theme: &Theme) -> Vec<Span<'static>> {
    let change = &file.change;
    let mut spans = vec![Span::styled(change.status.letter().to_string(), theme.quiet)];
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
        Note::NoLines => match change.status {
            FileStatus::Renamed(_) => "renamed, not a line changed".to_owned(),
            FileStatus::Copied(_) => "copied, not a line changed".to_owned(),
            FileStatus::Added | FileStatus::Deleted => "an empty file".to_owned(),
            FileStatus::Modified | FileStatus::TypeChanged => "no lines changed".to_owned(),
        },
        Note::Folded => {
            let why = why_folded(file).unwrap_or("this file is");
            format!("{why}, folded {} Enter opens it", theme.glyphs.dot)
        }
        Note::Content => content_text(&file.content, arrow),
    }
}

fn content_text(content: &Content, arrow: &str) -> String {
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
            format!("{} is over the limit of {}, not shown", bytes(*size), bytes(*size_max))
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
