//! All arithmetic on rectangles: the only file that knows where a pane is. Pure, for any size from 0×0.

use std::sync::LazyLock;

use ratatui::layout::Rect;

use super::{land_sheet, sync_sheet, theme::Theme, undo_sheet, why_sheet};
use crate::app::{
    Model, Screen, Sheet, Viewport, discard_sheet,
    fleet::Pane,
    land_sheet::{Extent, LandSheet},
    review,
    viewport::{Border, COLUMNS_MIN, ROWS_MIN, SMALL_COLUMNS, Sizes},
};

/// Lines are counted with some theme: how many there are hangs on none.
static COUNTING: LazyLock<Theme> = LazyLock::new(Theme::default);

/// From here on there is room for two panes side by side.
pub const WIDE: u16 = 100;
/// Under so many rows of list the detail below it goes, and the heads.
const LIST_ROWS_MIN: u16 = 12;
/// With the rule above it.
const DETAIL_ROWS: u16 = 8;
/// The list's part of a wide body, of a hundred.
const LIST_SHARE: u16 = 55;
const LIST_COLUMNS_MAX: u16 = 90;
/// What either pane keeps when the border between them is dragged.
const PANE_COLUMNS_MIN: u16 = 30;
const PANE_ROWS_MIN: u16 = 4;
/// With its title.
const PALETTE_ROWS: u16 = 12;

/// From the top: header, top rule, body, docked sheet, bottom rule, footer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    pub header: Rect,
    pub top_rule: Rect,
    pub body: Rect,
    /// Takes its rows from the body's lower end; its first row is its title.
    pub sheet: Rect,
    pub bottom_rule: Rect,
    pub footer: Rect,
}

pub fn is_tiny(area: Rect) -> bool {
    area.width < COLUMNS_MIN || area.height < ROWS_MIN
}

pub fn areas(model: &Model, area: Rect) -> Areas {
    let mut rest = area;
    let header = take_top(&mut rest, 1);
    let top_rule = take_top(&mut rest, 1);
    let footer = take_bottom(&mut rest, 1);
    let bottom_rule = take_bottom(&mut rest, 1);
    let rows = sheet_rows(model, rest);
    let sheet = take_bottom(&mut rest, rows);
    Areas { header, top_rule, body: rest, sheet, bottom_rule, footer }
}

fn take_top(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let taken = Rect { height: rows, ..*rest };
    rest.y += rows;
    rest.height -= rows;
    taken
}

fn take_bottom(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    rest.height -= rows;
    Rect { y: rest.y + rest.height, height: rows, ..*rest }
}

/// The same for every face of a sheet, so that nothing moves when the plan comes.
fn sheet_rows(model: &Model, body: Rect) -> u16 {
    match model.docked() {
        Some(Sheet::Land(_) | Sheet::Discard(_) | Sheet::Undo(_) | Sheet::Sync(_))
            if body.width < SMALL_COLUMNS =>
        {
            body.height
        }
        Some(Sheet::Land(sheet)) => land_rows(model, sheet, body),
        Some(Sheet::Discard(sheet)) => discard_rows(sheet, body.height),
        Some(Sheet::Undo(sheet)) => {
            let lines = undo_sheet::line_count(model, sheet, body.width, &COUNTING);
            grown(7, lines, body.height)
        }
        Some(Sheet::Sync(sheet)) => {
            let lines = sync_sheet::line_count(model, sheet, body.width, &COUNTING);
            grown(8, lines, body.height)
        }
        Some(Sheet::Create(_)) => 6,
        Some(Sheet::Comment(_)) => 8.min(body.height.saturating_sub(3).max(4)),
        Some(Sheet::Commits(_) | Sheet::Palette(_)) => {
            PALETTE_ROWS.min(body.height.saturating_sub(4).max(6))
        }
        Some(Sheet::Help(_)) => body.height,
        Some(Sheet::Why(sheet)) => why_sheet::rows(sheet, body),
        Some(Sheet::Prompt(_)) | None => 0,
    }
}

/// The receipt's place; more only where there is more to say than ever.
fn land_rows(model: &Model, sheet: &LandSheet, body: Rect) -> u16 {
    let narrow = body.width < WIDE;
    if sheet.extent == Extent::Whole {
        return body.height;
    }
    if sheet.editor.is_some() && narrow {
        return 14.min(body.height);
    }
    let lines = land_sheet::line_count(model, sheet, body.width, &COUNTING);
    grown(if narrow { 9 } else { 10 }, lines, body.height)
}

/// Some of what lies below stays in view.
fn grown(usual: u16, lines: usize, body_rows: u16) -> u16 {
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(1);
    usual.max(wanted.min(body_rows.saturating_sub(4)))
}

/// Title, three heads at most, one row an entry; some of the list stays in view.
fn discard_rows(sheet: &discard_sheet::DiscardSheet, body_rows: u16) -> u16 {
    let wanted = u16::try_from(sheet.ids.len()).unwrap_or(u16::MAX).saturating_add(4);
    wanted.clamp(7, body_rows.saturating_sub(4).max(7))
}

/// The list with its detail beside or below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FleetAreas {
    pub list: Rect,
    /// The column, or the row, between the two.
    pub between: Rect,
    pub detail: Rect,
    pub heads: bool,
}

impl FleetAreas {
    pub fn is_beside(&self) -> bool {
        self.between.width == 1 && self.between.height > 0
    }
}

pub fn fleet(body: Rect, pane: Pane, sizes: Sizes) -> FleetAreas {
    if body.width >= WIDE {
        let columns = match sizes.list_columns {
            Some(dragged) => dragged.clamp(PANE_COLUMNS_MIN, body.width - PANE_COLUMNS_MIN - 1),
            None => (body.width * LIST_SHARE / 100).min(LIST_COLUMNS_MAX),
        };
        let list = Rect { width: columns, ..body };
        let between = Rect { x: body.x + columns, width: 1, ..body };
        let detail = Rect { x: body.x + columns + 1, width: body.width - columns - 1, ..body };
        return FleetAreas { list, between, detail, heads: body.height >= LIST_ROWS_MIN };
    }
    let mut rest = body;
    if body.height < LIST_ROWS_MIN + DETAIL_ROWS || body.width < 60 {
        // Too little for both: Tab turns one into the other.
        return match pane {
            Pane::List => FleetAreas {
                list: body,
                heads: body.height >= LIST_ROWS_MIN,
                ..FleetAreas::default()
            },
            Pane::Detail => {
                let between = take_top(&mut rest, 1);
                FleetAreas { between, detail: rest, ..FleetAreas::default() }
            }
        };
    }
    let rows = sizes.detail_rows.unwrap_or(DETAIL_ROWS);
    let rows = rows.clamp(PANE_ROWS_MIN, body.height - PANE_ROWS_MIN);
    let detail = take_bottom(&mut rest, rows - 1);
    let between = take_bottom(&mut rest, 1);
    FleetAreas { list: rest, between, detail, heads: true }
}

fn sheet_lines(model: &Model, width: u16) -> usize {
    match model.sheets.last() {
        Some(Sheet::Land(sheet)) => land_sheet::line_count(model, sheet, width, &COUNTING),
        Some(Sheet::Discard(sheet)) => sheet.lines(width).len(),
        Some(Sheet::Undo(sheet)) => undo_sheet::line_count(model, sheet, width, &COUNTING),
        Some(Sheet::Sync(sheet)) => sync_sheet::line_count(model, sheet, width, &COUNTING),
        Some(Sheet::Why(sheet)) => why_sheet::line_count(sheet, width),
        _ => 0,
    }
}

/// What `update` needs to know of sizes.
pub fn viewport(model: &Model, area: Rect) -> Viewport {
    let areas = areas(model, area);
    let fleet = fleet(areas.body, model.fleet.pane, model.sizes);
    let body_rows = match (model.screen(), model.docked()) {
        (_, Some(Sheet::Help(_))) => areas.sheet.height.saturating_sub(1),
        (Screen::Fleet | Screen::Review | Screen::Conflicts | Screen::Radar | Screen::Log, _) => {
            areas.body.height
        }
    };
    let mut viewport = Viewport {
        columns: area.width,
        rows: area.height,
        body_rows: usize::from(body_rows),
        list_rows: usize::from(fleet.list.height),
        list_row: fleet.list.y,
        list_columns: fleet.list.width,
        list_heads: fleet.heads,
        detail_rows: usize::from(fleet.detail.height),
        border: None,
        body_row: areas.body.y,
        files_columns: model.sizes.files_columns,
        files_hidden: model.screen() == Screen::Review && model.memory.marks.files_hidden,
        sheet_rows: usize::from(areas.sheet.height.saturating_sub(1)),
        sheet_lines: sheet_lines(model, area.width),
    };
    viewport.border = match model.screen() {
        Screen::Fleet if fleet.is_beside() => Some(Border::BesideList(fleet.between.x)),
        Screen::Fleet if fleet.list.height > 0 && fleet.between.height > 0 => {
            Some(Border::BelowList(fleet.between.y))
        }
        Screen::Review | Screen::Conflicts => match review::panes(viewport).files {
            0 => None,
            files => u16::try_from(files).ok().map(Border::Files),
        },
        Screen::Fleet | Screen::Radar | Screen::Log => None,
    };
    viewport
}
