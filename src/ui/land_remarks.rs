//! Open comments and flags of what goes in, on the land sheet.

use ratatui::text::Line;

use super::{
    cells,
    chrome::span,
    land_facts::{LABEL_CELLS, wrapped},
    theme::Theme,
};
use crate::{
    app::land_sheet::{Extent, LandSheet},
    review::LandPlan,
};

/// The gravest, or each remark in full.
pub(super) fn remark_lines(
    sheet: &LandSheet,
    plan: &LandPlan,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let remarks = &plan.remarks[..];
    if sheet.extent == Extent::Whole {
        let each = remarks.iter().enumerate().flat_map(|(index, words)| {
            let label = if index == 0 { "look at" } else { "" };
            wrapped(label, words, theme.attention, width, theme)
        });
        return each.collect();
    }
    if remarks.is_empty() {
        return Vec::new();
    }
    // A count of comments never takes the place of the gravest flag: the path gives way.
    let (first, rest) = remarks.split_at(remarks.len().min(2));
    let room = usize::from(width).saturating_sub(LABEL_CELLS + 1);
    let more =
        |left: usize| if left == 0 { String::new() } else { format!(" · {left} more · i") };
    let (mut text, mut left) = (first.join(" · "), rest.len());
    for words in rest {
        let longer = format!("{text} · {words}");
        if cells::width(&longer) + cells::width(&more(left - 1)) > room {
            break;
        }
        (text, left) = (longer, left - 1);
    }
    // The gravest is never cut, and how to see the others is not torn apart.
    let mut lines = wrapped("look at", &text, theme.attention, width, theme);
    let more = more(left);
    match lines.last_mut() {
        Some(last) if last.width() + cells::width(&more) < usize::from(width) => {
            last.spans.push(span(&more, theme.attention));
        }
        _ => {
            let more = more.trim_start_matches(" · ");
            lines.extend(wrapped("", more, theme.attention, width, theme));
        }
    }
    lines
}
