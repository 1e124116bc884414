//! What the mouse does: the wheel moves what has the keys, a click selects, borders are dragged. It never approves
//! anything.

use super::{
    Effect, Model, Screen, Wheel, command::find_command, fleet, fleet::ListLine, review_map,
    viewport::Border,
};

/// Rows of one notch.
const WHEEL_ROWS: usize = 3;

/// As the keys that go down and up there.
pub(super) fn turn_wheel(model: &mut Model, wheel: Wheel) -> Vec<Effect> {
    let name = match wheel {
        Wheel::Up => "move.up",
        Wheel::Down => "move.down",
    };
    let Some(command) = find_command(model.context(), name) else { return Vec::new() };
    let mut effects = Vec::new();
    for _ in 0..WHEEL_ROWS {
        if (command.refusal)(model).is_none() {
            effects.extend((command.run)(model));
        }
    }
    effects
}

/// A border follows the button that went down on it. Either pane keeps a little: `ui::layout` sees to that.
pub(super) fn drag(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    let view = model.viewport;
    match model.dragged {
        Some(Border::BesideList(_)) => model.sizes.list_columns = Some(column),
        Some(Border::BelowList(_)) => {
            let body_end = view.body_row + u16::try_from(view.body_rows).unwrap_or(u16::MAX);
            model.sizes.detail_rows = Some(body_end.saturating_sub(row));
        }
        Some(Border::Files(_)) => model.sizes.files_columns = Some(column),
        Some(Border::Map) => return review_map::go(model, row),
        None => {}
    }
    Vec::new()
}

fn border_at(model: &Model, column: u16, row: u16) -> Option<Border> {
    let view = model.viewport;
    let rows = view.body_row..view.body_row + u16::try_from(view.body_rows).unwrap_or(0);
    view.border.filter(|border| {
        model.sheets.is_empty()
            && rows.contains(&row)
            && match *border {
                Border::BesideList(at) | Border::Files(at) => at == column,
                Border::BelowList(at) => at == row,
                Border::Map => false,
            }
    })
}

/// Rows of the list; a second click on the same one changes nothing.
pub(super) fn click(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    model.dragged =
        border_at(model, column, row).or_else(|| review_map::border_at(model, column, row));
    if model.dragged == Some(Border::Map) {
        review_map::leave_mark(model);
        return review_map::go(model, row);
    }
    let view = model.viewport;
    let is_in_list = model.screen() == Screen::Fleet
        && model.sheets.is_empty()
        && column < view.list_columns
        && row >= view.list_row;
    if !is_in_list {
        return Vec::new();
    }
    let line = usize::from(row - view.list_row);
    if line >= view.list_rows {
        return Vec::new();
    }
    let lines = model.fleet.lines(view.list_heads);
    if let Some(ListLine::Row(index)) = lines.get(model.fleet.cursor.top + line) {
        let count = model.fleet.visible_count();
        if model.fleet.cursor.index != *index {
            model.fleet.detail_top = 0;
        }
        model.fleet.cursor.go(*index, count);
        model.fleet.moved = true;
        super::away::walk(model);
        fleet::keep_in_view(model);
    }
    Vec::new()
}
