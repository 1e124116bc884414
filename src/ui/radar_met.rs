//! Whom the row under the cursor clashes with, where the cell itself is no clash to be read line by line.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, bold, path, span},
    theme::Theme,
};
use crate::{
    app::{radar::RadarScreen, radar_panes::Met},
    review::ClashFile,
};

pub fn draw(screen: &RadarScreen, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let Some(id) = screen.selected() else { return };
    let met = screen.met();
    let names = met.iter().map(|met| match met {
        Met::Clash(name, _) | Met::Unknown(name, _) => cells::width(name),
        Met::ClashesWith | Met::NotComparedWith => 0,
    });
    let names = names.max().unwrap_or(0).min(usize::from(area.width) / 2);
    let glyphs = theme.glyphs;
    let who = |sign: &'static str, style, name: &str| {
        vec![
            Span::styled(format!("   {sign} "), style),
            span(
                &cells::fit(&cells::clip_middle(name, names, theme), names, theme),
                bold(theme.text),
            ),
            Span::raw("  "),
        ]
    };
    let line = |met: &Met<'_>| {
        let spans = match met {
            Met::ClashesWith => vec![span(&format!(" {id} clashes with"), theme.quiet)],
            Met::NotComparedWith => {
                vec![span(&format!(" {id} was not compared with"), theme.quiet)]
            }
            Met::Clash(name, files) => {
                let mut spans = who(glyphs.conflict, theme.attention, name);
                spans.push(span(&files_text(files), theme.text));
                spans
            }
            Met::Unknown(name, why) => {
                let mut spans = who(glyphs.problem, theme.bad, name);
                spans.push(span(why, theme.quiet));
                spans
            }
        };
        Line::from(chrome::clip_spans(spans, area.width.into(), theme))
    };
    let lines = met.iter().skip(screen.page_top).take(area.height.into()).map(line).collect();
    chrome::draw_lines(lines, area, frame);
}

/// `2 files  Cargo.toml  src/api.rs`
fn files_text(files: &[ClashFile]) -> String {
    let names: Vec<String> = files.iter().map(|file| path(&file.path)).collect();
    format!("{}  {}", chrome::count(files.len(), "file"), names.join("  "))
}
