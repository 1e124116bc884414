//! The radar: a matrix of who clashes with whom, and below it what the cell under the cursor means.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    cells,
    chrome::{self, Hint, Split, age, bold, draw_line, focus_sign, rule, span},
    layout::WIDE,
    radar_met, radar_pair,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model,
        radar::RadarScreen,
        radar_keys::{clean_words, if_first, place_in_order},
        radar_panes::{NUMBER_CELLS, Panes},
    },
    review::{Meeting, Party, count},
};

pub fn header(model: &Model, theme: &Theme, width: u16) -> Split {
    let mut screen = vec![span("   radar", theme.quiet)];
    let Some(radar) = &model.radar.radar else {
        return chrome::place(model, screen, Vec::new(), width, theme);
    };
    if width >= WIDE {
        let shadows = format!("   {}", count(radar.shadows.len(), "shadow"));
        screen.push(span(&shadows, theme.quiet));
    }
    let (known, all) = (radar.known_count(), radar.pairs.len());
    let (clashing, unknown) = (radar.clashing().count(), radar.unknown().count());
    let mut right = Vec::new();
    if known < all {
        right.push(span(&format!("comparing {known}/{all} "), theme.quiet));
    } else {
        if unknown > 0 {
            right.push(span(&format!("{unknown} of {all} not compared  "), theme.bad));
        }
        let (style, words) = match (clashing, unknown) {
            (0, 0) => (theme.good, "nothing clashes ".to_owned()),
            (_, 0) => (theme.attention, format!("{clashing} of {} clash ", count(all, "pair"))),
            (0, _) => (theme.quiet, "0 clash ".to_owned()),
            _ => (theme.attention, format!("{clashing} clash ")),
        };
        right.push(span(&words, style));
    }
    chrome::place(model, screen, right, width, theme)
}

/// What the cell under the cursor is, with both names whole where there is room.
pub fn top_rule(model: &Model, theme: &Theme) -> Split {
    let screen = &model.radar;
    let (Some(radar), Some((row, party))) = (&screen.radar, screen.cell()) else {
        return Split::default();
    };
    let other = party.name();
    let (text, style) = match screen.meeting() {
        None if matches!(&party, Party::Shadow(id) if *id == row) => {
            (format!("{row}"), theme.quiet)
        }
        None => (format!("{row} does not land on {other}"), theme.quiet),
        Some(Meeting::Open) => (format!("{row} and {other}: not compared yet"), theme.quiet),
        Some(Meeting::Clean) => (clean_words(screen, &row, &party), theme.text),
        Some(Meeting::Clash(files)) => {
            (format!("{row} and {other} clash in {}", count(files.len(), "file")), theme.attention)
        }
        Some(Meeting::Unknown(why)) => (format!("{row} and {other}: {why}"), theme.bad),
    };
    let right = if screen.turns.is_empty() {
        Vec::new()
    } else {
        let ago = age(model.now_ms, radar.read_at_ms);
        let words = format!("in the order to land {} {ago} ago", theme.glyphs.dot);
        vec![span(&words, theme.quiet)]
    };
    Split { left: vec![span(&text, style)], right }
}

pub fn footer(model: &Model, _theme: &Theme, _width: u16) -> (Vec<Hint>, Vec<Span<'static>>) {
    let hint = |name: &str, label: &str| Hint::of(model, Context::Radar, name, label);
    let landed =
        model.radar.selected().map_or_else(|| "land".to_owned(), |id| format!("land {id}"));
    let hints = [
        hint("read.shadow", "read"),
        hint("land.shadow", &landed),
        hint("conflicts.show", "conflicts"),
        hint("next.clash", "next clash"),
        hint("why.cell", "why"),
        hint("again.radar", "again"),
        hint("peel.radar", "back"),
        hint("help.keys", "keys"),
    ];
    (hints.into_iter().flatten().collect(), Vec::new())
}

pub fn draw(model: &Model, theme: &Theme, body: Rect, frame: &mut Frame<'_>) {
    let screen = &model.radar;
    let Some(radar) = &screen.radar else {
        let text = screen.failed.as_ref().map_or("looking at the shadows", |it| &it.headline);
        draw_line(Line::from(vec![Span::raw("   "), span(text, theme.quiet)]), body, frame);
        return;
    };
    if radar.shadows.is_empty() {
        let lines = vec![
            Line::default(),
            Line::styled("   No shadows here, so nothing to compare.", theme.quiet),
        ];
        chrome::draw_lines(lines, body, frame);
        return;
    }
    let panes = screen.panes(model.viewport);
    let line = |row: usize| {
        let y = body.y.saturating_add(u16::try_from(row).unwrap_or(u16::MAX));
        Rect { y, height: u16::from(y < body.y + body.height), ..body }
    };
    draw_line(head_line(screen, panes, theme), line(0), frame);
    for at in 0..panes.rows {
        let index = screen.row.top + at;
        if index >= screen.rows.len() {
            break;
        }
        if index == screen.row.index {
            frame.buffer_mut().set_style(line(at + 1), theme.cursor_row);
        }
        draw_line(row_line(screen, index, panes, theme), line(at + 1), frame);
    }
    let below = panes.rows + 1;
    draw_line(rule(between(screen, panes, theme), body.width, theme), line(below), frame);
    let top = line(below + 1);
    let rest = (body.y + body.height).saturating_sub(top.y);
    if top.height == 0 || rest == 0 {
        return;
    }
    let words = order_words(model, theme);
    let page = |taken: u16| Rect { y: top.y + taken, height: rest.saturating_sub(taken), ..body };
    if matches!(screen.meeting(), Some(Meeting::Clash(_))) {
        let words = cells::clip(&words, usize::from(body.width).saturating_sub(1), theme);
        draw_line(Line::from(vec![Span::raw(" "), Span::styled(words, theme.text)]), top, frame);
        radar_pair::draw(screen, theme, page(1), frame);
    } else {
        // Here there is room for all of it.
        let words = chrome::wrap(&words, usize::from(body.width).saturating_sub(2));
        let words = words.into_iter().map(|part| Line::styled(format!(" {part}"), theme.text));
        let words: Vec<Line<'_>> = words.take(rest.into()).collect();
        let taken = u16::try_from(words.len()).unwrap_or(rest);
        chrome::draw_lines(words, page(0), frame);
        radar_met::draw(screen, theme, page(taken), frame);
    }
}

/// What of the matrix is not on the screen.
fn between(screen: &RadarScreen, panes: Panes, theme: &Theme) -> Split {
    let mut hidden = Vec::new();
    let rows = screen.rows.len();
    if rows > panes.rows {
        let last = (screen.row.top + panes.rows).min(rows);
        hidden.push(format!("rows {}-{last} of {rows}", screen.row.top + 1));
    }
    let columns = rows;
    if columns > panes.columns {
        let last = (screen.column.top + panes.columns).min(columns);
        hidden.push(format!("columns {}-{last} of {columns}", screen.column.top + 1));
    }
    if hidden.is_empty() {
        return Split::default();
    }
    let words = hidden.join(&format!(" {} ", theme.glyphs.dot));
    Split { left: Vec::new(), right: vec![span(&words, theme.quiet)] }
}

fn order_words(model: &Model, theme: &Theme) -> String {
    let Some(id) = model.radar.selected() else { return String::new() };
    let words: Vec<String> =
        place_in_order(model, id).into_iter().chain(if_first(model, id, "it")).collect();
    if words.is_empty() {
        "the order to land is known when all are compared".to_owned()
    } else {
        words.join(&format!(" {} ", theme.glyphs.dot))
    }
}

/// Numbers are those of the rows; a branch has its name.
fn head_line(screen: &RadarScreen, panes: Panes, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NUMBER_CELLS + panes.names + 1))];
    let branches = screen.target_count();
    for (index, party) in screen.shown(panes) {
        let room = column_cells(&party, panes);
        let head = match &party {
            Party::Target(branch) => cells::clip_middle(&branch.0, room - 1, theme),
            Party::Shadow(_) => format!("{}", index + 1 - branches),
        };
        let style = if index == screen.column.index { bold(theme.focus) } else { theme.quiet };
        spans.push(Span::raw(pad(&head, room)));
        spans.push(span(&head, style));
    }
    Line::from(spans)
}

const fn column_cells(party: &Party, panes: Panes) -> usize {
    match party {
        Party::Target(_) => panes.branch_cells,
        Party::Shadow(_) => panes.cells,
    }
}

fn pad(text: &str, room: usize) -> String {
    " ".repeat(room.saturating_sub(cells::width(text)))
}

fn row_line(screen: &RadarScreen, index: usize, panes: Panes, theme: &Theme) -> Line<'static> {
    let Some(id) = screen.rows.get(index) else { return Line::default() };
    let is_cursor = index == screen.row.index;
    let name = cells::clip_middle(&id.0, panes.names, theme);
    let gap = " ".repeat(panes.names.saturating_sub(cells::width(&name)) + 1);
    let mut spans = vec![
        focus_sign(if is_cursor { theme.glyphs.cursor } else { " " }, theme),
        Span::styled(format!("{:>2} ", index + 1), theme.quiet),
        Span::styled(name, if is_cursor { bold(theme.text) } else { theme.text }),
        Span::raw(gap),
    ];
    for (column, party) in screen.shown(panes) {
        let meeting = screen.radar.as_ref().and_then(|radar| radar.meeting(id, &party));
        let is_same = matches!(&party, Party::Shadow(other) if other == id);
        let room = column_cells(&party, panes);
        let (sign, style) = sign(meeting, is_same, room, theme);
        if is_cursor && column == screen.column.index {
            // Told by characters too, where there is no colour.
            spans.push(Span::raw(pad(&sign, room - 1)));
            spans.push(focus_sign(theme.glyphs.cursor, theme));
            spans.push(Span::styled(sign, bold(style)));
        } else {
            spans.push(Span::raw(pad(&sign, room)));
            spans.push(Span::styled(sign, style));
        }
    }
    Line::from(spans)
}

/// One sign, and how many files clash.
fn sign(meeting: Option<&Meeting>, is_same: bool, room: usize, theme: &Theme) -> (String, Style) {
    let glyphs = theme.glyphs;
    match meeting {
        None if is_same => (glyphs.rule.to_owned(), theme.quiet),
        None => (" ".to_owned(), theme.quiet),
        Some(Meeting::Open) => (glyphs.dot.to_owned(), theme.quiet),
        Some(Meeting::Clean) => (glyphs.done.to_owned(), theme.quiet),
        Some(Meeting::Unknown(_)) => (glyphs.problem.to_owned(), theme.bad),
        Some(Meeting::Clash(files)) => {
            let mut files = files.len().to_string();
            // The gap before it and the sign take a cell each.
            if files.len() + 2 > room {
                "+".clone_into(&mut files);
            }
            (format!("{}{files}", glyphs.conflict), theme.attention)
        }
    }
}
