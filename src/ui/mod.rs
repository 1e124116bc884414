//! `Model` in, cells out. Pure: no state of its own, no I/O, and no size at which it panics.

pub mod cells;
pub mod chrome;
pub mod code;
pub mod comment_sheet;
pub mod commits_sheet;
mod conflict_did;
mod conflict_edit;
pub mod conflict_result;
pub mod conflict_words;
pub mod conflicts;
pub mod conflicts_list;
pub mod create_sheet;
pub mod detail;
pub mod diff_rows;
pub mod discard_sheet;
pub mod fleet;
pub mod fleet_row;
pub mod glyphs;
pub mod help;
mod land_faces;
mod land_facts;
mod land_message;
mod land_remarks;
pub mod land_sheet;
pub mod layout;
pub mod log;
pub mod palette;
pub mod radar;
pub mod radar_met;
pub mod radar_pair;
pub mod review;
mod review_comments;
pub mod review_files;
mod review_head;
pub mod review_map;
mod review_rule;
pub mod review_stream;
pub mod sync_sheet;
pub mod theme;
pub mod undo_sheet;
pub mod why_sheet;

use ratatui::{Frame, buffer::Cell, layout::Rect, style::Modifier, text::Line};

use crate::app::{
    Context, Model, Screen, Sheet,
    prompt::Purpose,
    viewport::{COLUMNS_MIN, ROWS_MIN},
};
use chrome::{Split, answer_split, draw_line, rule};
use theme::Theme;

/// Draws; changes nothing.
pub fn view(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.is_empty() {
        return;
    }
    // Whatever it held: nobody else wipes it.
    let mut blank = Cell::default();
    blank.set_style(theme.text);
    frame.buffer_mut().content.fill(blank);
    if layout::is_tiny(area) {
        draw_tiny(theme, area, frame);
        spell_out(theme, frame);
        return;
    }
    let areas = layout::areas(model, area);
    let width = area.width;
    let (header, top) = match model.screen() {
        Screen::Fleet => (fleet::header(model, theme, width), fleet::top_rule(model, theme)),
        Screen::Review => (review::header(model, theme, width), review_rule::draw(model, theme)),
        Screen::Conflicts => {
            (conflicts::header(model, theme, width), conflicts::top_rule(model, theme))
        }
        Screen::Radar => (radar::header(model, theme, width), radar::top_rule(model, theme)),
        Screen::Log => (log::header(model, theme, width), Split::default()),
    };
    draw_line(chrome::split_line(header, width.into(), " ", theme), areas.header, frame);
    draw_line(rule(top, width, theme), areas.top_rule, frame);
    let bottom = answer_split(model.answer.as_ref(), width, theme);
    draw_line(rule(bottom, width, theme), areas.bottom_rule, frame);
    match model.screen() {
        Screen::Fleet => fleet::draw(model, theme, areas, frame),
        Screen::Review => review::draw(model, theme, areas.body, frame),
        Screen::Conflicts => conflicts::draw(model, theme, areas.body, frame),
        Screen::Radar => radar::draw(model, theme, areas.body, frame),
        Screen::Log => log::draw(model, theme, areas.body, frame),
    }
    draw_sheet(model, theme, areas, frame);
    draw_footer(model, theme, areas.footer, frame);
    mark_escapes(theme, frame);
    spell_out(theme, frame);
}

/// Where signs are ASCII, those within our sentences are too; what a file says stays as it is.
fn spell_out(theme: &Theme, frame: &mut Frame<'_>) {
    let is_ascii = *theme.glyphs == glyphs::Glyphs::ASCII;
    for cell in &mut frame.buffer_mut().content {
        if cell.modifier.contains(code::VERBATIM) {
            cell.modifier.remove(code::VERBATIM);
        } else if is_ascii && let Some(spelled) = glyphs::Glyphs::spelled(cell.symbol()) {
            cell.set_symbol(spelled);
        }
    }
}

/// How an escape character is shown.
const ESCAPE_SIGN: &str = "\u{241b}";

/// An escape and what it would have introduced stand out together, wherever on the screen they are. The change of style
/// behind them, which there is in a text of the same style too, keeps the bytes that follow from reading as one sequence.
fn mark_escapes(theme: &Theme, frame: &mut Frame<'_>) {
    let buffer = frame.buffer_mut();
    let width = usize::from(buffer.area.width).max(1);
    for index in 0..buffer.content.len() {
        if buffer.content[index].symbol() != ESCAPE_SIGN {
            continue;
        }
        let is_last = (index + 1) % width == 0;
        let end = if is_last { index } else { index + 1 };
        let mut style = theme.attention;
        let after = buffer.content.get(end + 1).map(Cell::style);
        let mut marked = buffer.content[end].clone();
        marked.set_style(style);
        if Some(marked.style()) == after {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        for cell in &mut buffer.content[index..=end] {
            cell.set_style(style);
        }
    }
}

/// What lies below a sheet is quiet: it has no keys now.
fn draw_sheet(model: &Model, theme: &Theme, areas: layout::Areas, frame: &mut Frame<'_>) {
    let Some(sheet) = model.docked() else { return };
    quieten(areas.body, theme, frame);
    match sheet {
        Sheet::Land(sheet) => land_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Discard(sheet) => discard_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Undo(sheet) => undo_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Sync(sheet) => sync_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Create(sheet) => create_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Comment(sheet) => comment_sheet::draw(sheet, theme, areas.sheet, frame),
        Sheet::Commits(sheet) => commits_sheet::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Palette(sheet) => palette::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Help(sheet) => help::draw(model, sheet, theme, areas.sheet, frame),
        Sheet::Why(sheet) => why_sheet::draw(sheet, theme, areas.sheet, frame),
        Sheet::Prompt(_) => {}
    }
}

fn quieten(area: Rect, theme: &Theme, frame: &mut Frame<'_>) {
    let quiet = theme.quiet.remove_modifier(Modifier::BOLD | Modifier::REVERSED);
    frame.buffer_mut().set_style(area, quiet);
}

fn draw_footer(model: &Model, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let typed = match model.sheets.last() {
        Some(Sheet::Prompt(prompt)) => Some((prompt, "Enter keep  Esc as before ")),
        Some(Sheet::Palette(sheet)) => {
            let hints = match sheet.prompt.purpose {
                Purpose::Against => "Enter compare  Tab complete  Esc close ",
                Purpose::File => "Enter go there  Tab complete  Esc close ",
                _ => "Enter run  Tab complete  Esc close ",
            };
            Some((&sheet.prompt, hints))
        }
        _ => None,
    };
    if let Some((prompt, hints)) = typed {
        let label = match prompt.purpose {
            Purpose::Filter => " filter: ",
            Purpose::Search | Purpose::Help | Purpose::Log => " search: ",
            Purpose::Command => " :",
            Purpose::Shadow => " shadow: ",
            Purpose::Against => " compare with: ",
            Purpose::File => " file: ",
        };
        let mut left = vec![
            chrome::span(label, theme.focus),
            chrome::span(&prompt.text, theme.text),
            chrome::span(theme.glyphs.cursor, theme.focus),
        ];
        if prompt.text.is_empty() {
            left.push(chrome::span(&prompt.before, theme.quiet));
        }
        // What is typed matters more than how it ends.
        let fits = chrome::width_of(&left) + cells::width(hints) < area.width.into();
        let right = if fits { vec![chrome::span(hints, theme.quiet)] } else { Vec::new() };
        draw_line(
            chrome::split_line(Split { left, right }, area.width.into(), " ", theme),
            area,
            frame,
        );
        return;
    }
    let width = area.width;
    let (hints, right) = match model.context() {
        Context::Fleet | Context::Everywhere | Context::Search | Context::Palette => {
            fleet::footer(model, theme, width)
        }
        Context::Review => review::footer(model, theme, width),
        Context::Conflicts => conflicts::footer(model, theme, width),
        Context::Radar => radar::footer(model, theme, width),
        Context::Log => log::footer(model, theme, width),
        Context::Text if model.sheets.is_empty() => conflicts::footer(model, theme, width),
        Context::LandSheet | Context::Text => match model.sheets.last() {
            Some(Sheet::Comment(sheet)) => comment_sheet::footer(sheet),
            _ => land_sheet::footer(model, theme),
        },
        Context::DiscardSheet => discard_sheet::footer(model, theme),
        Context::UndoSheet => undo_sheet::footer(model),
        Context::SyncSheet => sync_sheet::footer(model),
        Context::CreateSheet => create_sheet::footer(model),
        Context::Commits => match model.sheets.last() {
            Some(Sheet::Commits(sheet)) => commits_sheet::footer(model, sheet),
            _ => (Vec::new(), Vec::new()),
        },
        Context::Help => help::footer(model, theme),
        Context::Why => why_sheet::footer(model),
    };
    draw_line(chrome::footer(hints, right, width, theme), area, frame);
}

fn draw_tiny(theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    let text =
        format!("needs {COLUMNS_MIN}×{ROWS_MIN}, is {}×{} · q quits", area.width, area.height);
    let text = cells::clip(&text, area.width.into(), theme);
    draw_line(Line::styled(text, theme.text), area, frame);
}

#[cfg(test)]
mod tests {
    use ratatui::{Terminal, backend::TestBackend};

    use super::*;

    #[test]
    fn what_follows_an_escape_is_never_in_its_style() {
        let theme = Theme::default();
        for style in [theme.text, theme.quiet, theme.attention, theme.bad] {
            let mut terminal = Terminal::new(TestBackend::new(8, 1)).expect("a test backend");
            let drawn = terminal.draw(|frame| {
                draw_line(Line::styled("a\u{241b}]0;evi", style), frame.area(), frame);
                mark_escapes(&theme, frame);
            });
            let cells = &drawn.expect("draws").buffer.content;
            assert_eq!(cells[1].style(), cells[2].style());
            assert_ne!(cells[2].style(), cells[3].style(), "{style:?}");
        }
    }
}
