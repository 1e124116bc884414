//! Review: one stream over all changed files, with a line cursor.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells::{self, Code, Window},
    chrome::{Hint, Split, bold, draw_line, span},
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        review::{ReviewScreen, StreamLine},
    },
    review::{Content, LineKind},
};

pub fn header(model: &Model, theme: &Theme, _width: u16) -> Split {
    let Some(screen) = &model.review else { return Split::default() };
    let target = screen.page.as_ref().map(|page| page.target.0.clone()).unwrap_or_default();
    Split {
        left: vec![
            Span::raw(" "),
            span(&screen.id.0, bold(theme.text)),
            span(&format!(" {} {target}", theme.glyphs.arrow), theme.quiet),
        ],
        right: Vec::new(),
    }
}

pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let reading = model.review.as_ref().is_some_and(|screen| screen.page.is_none());
    let left = if reading { vec![span("reading", theme.quiet)] } else { Vec::new() };
    Split { left, right: Vec::new() }
}

pub fn footer(model: &Model, _theme: &Theme, _width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Review, name, label);
    let hints = [
        hint("land.shadow", "land"),
        hint("discard.shadows", "discard this"),
        hint("conflicts.show", "conflicts"),
        hint("leave.review", "back"),
        hint("help.keys", "keys"),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let Some(screen) = &model.review else { return };
    let lines = screen.lines.iter().enumerate().skip(screen.cursor.top);
    for (row, (index, line)) in (0..body.height).zip(lines) {
        let area = Rect { y: body.y + row, height: 1, ..body };
        draw_line(
            stream_line(screen, *line, index == screen.cursor.index, area, theme),
            area,
            frame,
        );
    }
}

fn stream_line(
    screen: &ReviewScreen,
    line: StreamLine,
    is_cursor: bool,
    area: Rect,
    theme: &Theme,
) -> Line<'static> {
    let width = usize::from(area.width).saturating_sub(1);
    let mut spans = vec![span(if is_cursor { theme.glyphs.cursor } else { " " }, theme.focus)];
    let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
    match line {
        StreamLine::FileHead(file) => {
            let change = &files[file].change;
            spans.push(Span::styled(
                cells::clip_middle(&change.path.to_lossy(), width, theme),
                bold(theme.text),
            ));
        }
        StreamLine::HunkHead { .. } => spans.push(span("····", theme.quiet)),
        StreamLine::Note { file } => {
            let what = match &files[file].content {
                Content::Text { .. } => String::new(),
                Content::Binary { .. } => "binary".to_owned(),
                Content::Submodule { .. } => "submodule".to_owned(),
                Content::TooLarge { size, size_max } => {
                    format!("{size} bytes, over the limit of {size_max}")
                }
                Content::Unreadable { why } => format!("cannot be read: {why}"),
            };
            spans.push(Span::styled(cells::clip(&what, width, theme), theme.quiet));
        }
        StreamLine::Line { file, line } => {
            let Content::Text { old, new, .. } = &files[file].content else {
                return Line::default();
            };
            let (bytes, kind) = match (line.kind, line.old_index, line.new_index) {
                (LineKind::Removed, Some(index), _) => (old.line(index), LineKind::Removed),
                (kind, _, Some(index)) => (new.line(index), kind),
                (kind, ..) => (&b""[..], kind),
            };
            let (sign, style) = theme.sign(kind);
            spans.push(span(sign, style));
            spans.push(Span::raw(" "));
            let window = Window { offset: 0, width: width.saturating_sub(2) };
            let code = Code { kind, ..Code::plain(bytes) };
            spans.extend(cells::code_line(code, window, theme).spans);
            return Line::from(spans).style(theme.line(kind));
        }
    }
    Line::from(spans)
}
