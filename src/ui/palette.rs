//! What the palette finds, above the line that is typed.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Split, bold, draw_line, draw_lines, focus_sign, rule, span},
    theme::Theme,
};
use crate::app::{
    Model,
    palette::{self, Palette},
    prompt::Purpose,
};

const NAME_CELLS: usize = 24;
const KEYS_CELLS: usize = 16;

pub fn draw(model: &Model, sheet: &Palette, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let items = palette::items(model, sheet);
    let what = match sheet.prompt.purpose {
        Purpose::Shadow => "Shadows".to_owned(),
        Purpose::Against => {
            let id = model.subject().map_or("", |id| &id.0);
            format!("Compare {id} with")
        }
        Purpose::File => "Files".to_owned(),
        _ => "Commands".to_owned(),
    };
    // Commands have keys; the names of shadows and branches may be long.
    let (name_cells, keys_cells) = match sheet.prompt.purpose {
        Purpose::Command => (NAME_CELLS, KEYS_CELLS),
        Purpose::File => (usize::from(area.width) * 5 / 8, 0),
        _ => ((usize::from(area.width) / 3).clamp(NAME_CELLS, 48), 0),
    };
    let split = Split {
        left: vec![span(&what, bold(theme.text))],
        right: vec![span(&format!("{} found", items.len()), theme.quiet)],
    };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let width = usize::from(area.width);
    let shown = items.iter().enumerate().skip(sheet.cursor.top).take(inner.height.into());
    let lines = shown.map(|(index, item)| {
        let name = cells::clip_middle(&item.name, name_cells, theme);
        let is_cursor = index == sheet.cursor.index;
        let name_style = if is_cursor { bold(theme.text) } else { theme.text };
        let keys_room = if width >= 60 { keys_cells } else { 0 };
        let spans = vec![
            focus_sign(if is_cursor { theme.glyphs.cursor } else { " " }, theme),
            Span::raw(" "),
            Span::styled(cells::fit(&name, name_cells, theme), name_style),
            Span::raw(" "),
            Span::styled(cells::fit(&item.keys, keys_room, theme), theme.focus),
            Span::raw(" "),
            span(&item.says, theme.quiet),
        ];
        Line::from(chrome::clip_spans(spans, width, theme))
    });
    draw_lines(lines.collect(), inner, frame);
}
