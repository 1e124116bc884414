//! The lines in which two clash, side by side: the row's shadow left, the column's shadow or branch right.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    chrome::{bold, draw_line, path, span},
    code::{Code, code_line},
    theme::Theme,
};
use crate::{
    app::radar::{PairRow, RadarScreen},
    review::{ConflictFile, Content, Entry, FileDiff, Meeting, Party, RadarPage, pieces::Window},
};

/// A line's number with the blank behind it.
const NUMBER_CELLS: usize = 6;

pub fn draw(screen: &RadarScreen, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let Some(page) = screen.page_here() else {
        let (text, style) = match (screen.meeting(), &screen.page_failed) {
            (Some(Meeting::Clash(_)), Some(report)) => (report.headline.clone(), theme.bad),
            (Some(Meeting::Clash(_)), None) => ("reading the lines".to_owned(), theme.quiet),
            _ => return,
        };
        draw_line(Line::from(vec![Span::raw(" "), span(&text, style)]), area, frame);
        return;
    };
    let rows = screen.page_rows.iter().skip(screen.page_top);
    for (at, row) in (0..area.height).zip(rows) {
        let line = Rect { y: area.y + at, height: 1, ..area };
        match row {
            PairRow::File(file) => draw_line(file_line(page, *file, theme), line, frame),
            PairRow::Words(file) => {
                let words = page.files.get(*file).map(|file| words(page, file)).unwrap_or_default();
                let spans = vec![Span::raw("   "), span(&words, theme.quiet)];
                draw_line(Line::from(spans), line, frame);
            }
            PairRow::Lines { file, a, b } => {
                let Some(clash) = page.files.get(*file) else { continue };
                let half = area.width / 2;
                let left = Rect { width: half, ..line };
                let right = Rect { x: area.x + half, width: area.width - half, ..line };
                let [a_style, b_style] = styles(page, theme);
                draw_side(clash.target_diff.as_ref(), *a, ("a", a_style), theme, left, frame);
                draw_side(
                    clash.shadow_diff.as_ref(),
                    *b,
                    (letter(page), b_style),
                    theme,
                    right,
                    frame,
                );
            }
        }
    }
}

/// The roles of Conflicts: the branch that is landed on has its own.
fn styles(page: &RadarPage, theme: &Theme) -> [Style; 2] {
    match page.b {
        Party::Target(_) => [theme.shadow, theme.target],
        Party::Shadow(_) => [theme.shadow, theme.text],
    }
}

fn letter(page: &RadarPage) -> &'static str {
    match page.b {
        Party::Target(_) => "t",
        Party::Shadow(_) => "b",
    }
}

fn file_line(page: &RadarPage, file: usize, theme: &Theme) -> Line<'static> {
    let Some(clash) = page.files.get(file) else { return Line::default() };
    let [a, b] = styles(page, theme);
    Line::from(vec![
        Span::raw(" "),
        span(&path(&clash.conflict.path), bold(theme.text)),
        span(&format!("  {}   ", clash.conflict.kind.as_str()), theme.quiet),
        span(&format!("a {}", page.a), a),
        span(&format!("   {} {}", letter(page), page.b.name()), b),
    ])
}

fn draw_side(
    diff: Option<&FileDiff>,
    index: Option<u32>,
    (letter, style): (&str, Style),
    theme: &Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let Some(Content::Text { new, blocks, .. }) = diff.map(|diff| &diff.content) else {
        return;
    };
    let Some(index) = index else { return };
    let is_changed = blocks.iter().any(|block| block.new.contains(&index));
    let head = Line::from(vec![
        Span::raw(" "),
        Span::styled(letter.to_owned(), style),
        Span::styled(format!(" {:>4} ", index + 1), theme.quiet),
        Span::styled(if is_changed { "+ " } else { "  " }, theme.good),
    ]);
    draw_line(head, area, frame);
    let taken = u16::try_from(NUMBER_CELLS + 4).unwrap_or(0).min(area.width);
    let text = Rect { x: area.x + taken, width: area.width - taken, ..area };
    let window = Window { offset: 0, width: usize::from(text.width).saturating_sub(1) };
    draw_line(code_line(Code::plain(new.line(index)), window, theme), text, frame);
}

/// What each did to a file in which no lines clash.
fn words(page: &RadarPage, file: &ConflictFile) -> String {
    let side = |name: &str, entry: &Option<Entry>| match (entry, &file.conflict.base) {
        (None, _) => format!("{name} has no such file"),
        (Some(_), None) => format!("{name} added it"),
        (Some(_), Some(base)) if Some(base) == entry.as_ref() => {
            format!("{name} left it as it was")
        }
        (Some(_), Some(_)) => format!("{name} changed it"),
    };
    let a = side(&page.a.0, &file.conflict.target);
    let b = side(page.b.name(), &file.conflict.shadow);
    format!("{a}, {b}")
}
