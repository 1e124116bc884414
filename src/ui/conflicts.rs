//! Conflicts: the files that landing now would clash in.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{Hint, Split, bold, draw_line, span},
    theme::Theme,
};
use crate::app::{Context, Model};

pub fn header(model: &Model, theme: &Theme, _width: u16) -> Split {
    let Some(screen) = &model.conflicts else { return Split::default() };
    Split {
        left: vec![
            Span::raw(" "),
            span(&screen.id.0, bold(theme.text)),
            span("   conflicts", theme.quiet),
        ],
        right: Vec::new(),
    }
}

pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let reading = model.conflicts.as_ref().is_some_and(|screen| screen.page.is_none());
    let left = if reading { vec![span("working it out", theme.quiet)] } else { Vec::new() };
    Split { left, right: Vec::new() }
}

pub fn footer(model: &Model, _theme: &Theme, _width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Conflicts, name, label);
    let hints = [
        hint("target.file", "target's file"),
        hint("shadow.file", "shadow's file"),
        hint("land.shadow", "land"),
        hint("leave.conflicts", "back"),
        hint("help.keys", "keys"),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.conflicts else { return };
    let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
    let shown = files.iter().enumerate().skip(screen.cursor.top);
    for (row, (index, file)) in (0..body.height).zip(shown) {
        let area = Rect { y: body.y + row, height: 1, ..body };
        let is_cursor = index == screen.cursor.index;
        let conflict = &file.conflict;
        let mark = if conflict.resolution.is_some() { theme.glyphs.done } else { " " };
        let width = usize::from(area.width).saturating_sub(24);
        draw_line(
            Line::from(vec![
                span(if is_cursor { theme.glyphs.cursor } else { " " }, theme.focus),
                span(mark, theme.good),
                Span::raw(" "),
                Span::styled(cells::fit(&conflict.path.to_lossy(), width, theme), theme.text),
                span(conflict.kind.as_str(), theme.attention),
            ]),
            area,
            frame,
        );
    }
}
