//! The map at the right of a diff: a sign for what lies there, and which part of it is on the screen.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
};

use super::theme::Theme;
use crate::app::{review::ReviewScreen, review_map::Spot};

pub fn draw_map(screen: &ReviewScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let in_view = screen.map_in_view(usize::from(area.height));
    // Without tints the part in view stands out by being reversed.
    let ground = match theme.cursor_row.bg {
        Some(_) => theme.cursor_row,
        None => Style::new().add_modifier(Modifier::REVERSED),
    };
    for ((cell, spot), y) in screen.map().iter().enumerate().zip(area.top()..area.bottom()) {
        let is_shown = in_view.contains(&cell);
        let (sign, style) = sign(*spot, is_shown, theme);
        let style = if is_shown { style.patch(ground) } else { style };
        buf.set_stringn(area.x, y, sign, usize::from(area.width), style);
    }
}

fn sign(spot: Spot, is_shown: bool, theme: &Theme) -> (&'static str, Style) {
    match spot {
        Spot::Plain if is_shown => (theme.glyphs.pane, theme.quiet),
        Spot::Plain => (" ", theme.quiet),
        Spot::Read => (theme.glyphs.dot, theme.quiet),
        Spot::Removed | Spot::Added => theme.sign(spot.kind()),
        Spot::Remark => (theme.glyphs.problem, theme.attention),
        Spot::Hit => (theme.glyphs.mark, theme.focus),
    }
}
