//! The result part of a conflict: what would land, or what there is to choose; and the rails of all parts.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells::{self, Code, code_line},
    chrome::{bold, span},
    conflict_words::{base_label, shadow_label, target_label},
    conflicts_list,
    diff_rows::{Columns, Pen, draw_words},
    theme::Theme,
};
use crate::{
    app::conflicts::{ConflictsScreen, Pane, can_union},
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
    screen: &ConflictsScreen,
    page: &ConflictPage,
    file: &ConflictFile,
    columns: Columns,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    let Pen { theme, buf } = pen;
    if area.height == 0 {
        return;
    }
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
    draw_part_head(&label, style, is_focused, head, theme, buf);
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if rows.height == 0 {
        return;
    }
    let first = Rect { height: 1, ..rows };
    match (&file.conflict.resolution, &file.result) {
        (None, _) => draw_open_choice(file, page, theme, first, buf),
        (Some(_), Some(text)) => {
            let from = u32::try_from(screen.tops[2]).unwrap_or(u32::MAX);
            for (offset, index) in (0..rows.height).zip(from..text.line_count()) {
                let row = Rect { y: rows.y + offset, height: 1, ..rows };
                let inner = match rail {
                    Some(rail) => rail.draw(row, buf),
                    None => Rail { letter: " ", style: theme.text }.draw(row, buf),
                };
                draw_result_line(text.line(index), index, columns, inner, theme, buf);
            }
        }
        (Some(choice), None) => {
            let text = match choice {
                Resolution::Delete => "   the file is deleted",
                Resolution::Target if file.conflict.target.is_none() => "   the file is deleted",
                Resolution::Shadow if file.conflict.shadow.is_none() => "   the file is deleted",
                _ => "   a submodule: the commit that this side names",
            };
            draw_words(first, text, theme.text, theme, buf);
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
    let mut spans = vec![
        Span::styled(theme.glyphs.cursor, theme.attention),
        Span::styled(" ? ", bold(theme.attention)),
        Span::styled("t ", theme.target),
        span(&target_label(file, page), theme.text),
        Span::styled("   a ", theme.shadow),
        span(&shadow_label(file, page), theme.text),
    ];
    if can_union(file) {
        spans.push(Span::styled("   b ", theme.focus));
        spans.push(Span::styled("both", theme.text));
    }
    if file.conflict.base.is_some() {
        spans.push(Span::styled("   0 ", theme.focus));
        spans.push(Span::styled(base_label(), theme.text));
    }
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn draw_result_line(
    bytes: &[u8],
    index: u32,
    Columns { gutter, scroll }: Columns,
    area: Rect,
    theme: &Theme,
    buf: &mut Buffer,
) {
    let taken = u16::try_from(gutter.cells()).unwrap_or(u16::MAX).min(area.width);
    let number = format!("{:>width$}", index + 1, width = gutter.cells().saturating_sub(3));
    buf.set_stringn(area.x, area.y, number, usize::from(taken), theme.quiet);
    let window = Window { offset: scroll, width: usize::from(area.width - taken) };
    let line = code_line(Code::plain(bytes), window, theme);
    buf.set_line(area.x + taken, area.y, &line, area.width - taken);
}
