//! What the keys do on the radar.

use super::{
    Command, Context, Effect, Model,
    command::always,
    conflicts, help, land_sheet,
    list::half,
    log,
    radar::{self, RadarScreen},
    review, why_sheet,
};
use crate::{
    review::{
        Meeting, Party, Verdict, count,
        radar_order::{Consequence, consequences},
    },
    shadow::ShadowId,
};

fn step_row(model: &mut Model, rows: isize) -> Vec<Effect> {
    let count = model.radar.rows.len();
    model.radar.row.step(rows, count);
    radar::show_cursor(model);
    Vec::new()
}

fn step_column(model: &mut Model, columns: isize) -> Vec<Effect> {
    let count = model.radar.parties().len();
    model.radar.column.step(columns, count);
    radar::show_cursor(model);
    Vec::new()
}

fn scroll(model: &mut Model, rows: isize) -> Vec<Effect> {
    model.radar.page_top = model.radar.page_top.saturating_add_signed(rows);
    radar::keep_in_view(model);
    Vec::new()
}

fn page_rows(model: &Model) -> isize {
    half(model.radar.panes(model.viewport).rows)
}

fn go_to_clash(model: &mut Model, forward: bool) -> Vec<Effect> {
    match model.radar.find_clash(forward) {
        Some((row, column)) => {
            (model.radar.row.index, model.radar.column.index) = (row, column);
            radar::show_cursor(model);
        }
        None => model.refuse("no other two clash"),
    }
    Vec::new()
}

fn selected(model: &Model) -> Option<ShadowId> {
    model.radar.selected().cloned()
}

fn read(model: &mut Model) -> Vec<Effect> {
    selected(model).map_or_else(Vec::new, |id| review::open(model, id))
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    selected(model).map_or_else(Vec::new, |id| conflicts::open(model, id))
}

fn land(model: &mut Model) -> Vec<Effect> {
    selected(model).map_or_else(Vec::new, |id| land_sheet::open(model, id, None))
}

fn copy_id(model: &mut Model) -> Vec<Effect> {
    let Some(id) = selected(model) else { return Vec::new() };
    let what = id.to_string();
    model.copy(&what, id.0)
}

fn say_why(model: &mut Model) -> Vec<Effect> {
    let text = explain(model);
    why_sheet::explain(model, text);
    Vec::new()
}

/// The cell in words, where its row stands in the order, and why.
fn explain(model: &Model) -> String {
    let screen = &model.radar;
    let Some((row, party)) = screen.cell() else { return String::new() };
    let cell = match (screen.meeting(), &party) {
        (None, Party::Shadow(other)) if *other == row => {
            format!("{row} is not compared with itself")
        }
        (None, party) => format!("{row} does not land on {}", party.name()),
        (Some(Meeting::Open), _) => format!("{row} and {} are not compared yet", party.name()),
        (Some(Meeting::Clean), _) => clean_words(screen, &row, &party),
        (Some(Meeting::Unknown(why)), _) => {
            format!("{row} and {} could not be compared: {why}", party.name())
        }
        (Some(Meeting::Clash(files)), _) => {
            let named: Vec<String> = files
                .iter()
                .map(|file| format!("{} ({})", file.path.to_lossy(), file.kind.as_str()))
                .collect();
            format!("{row} and {} clash in {}", party.name(), named.join(", "))
        }
    };
    let mut told = vec![cell];
    told.extend(place_in_order(model, &row));
    told.extend(if_first(model, &row, &row.0));
    if nothing_to_land(model, &row).is_none() {
        told.push(order_rule(model, &row).to_owned());
    }
    told.join(" · ")
}

/// Two commits in conflict may be two shadows that are none.
pub fn clean_words(screen: &RadarScreen, row: &ShadowId, party: &Party) -> String {
    let other = party.name();
    let radar = screen.radar.as_ref();
    match radar.map_or(&[][..], |radar| radar.through_target(row, party)) {
        [] => format!("{row} and {other} merge cleanly"),
        files => {
            let files = count(files.len(), "file");
            format!("{row} and {other} do not clash: what meets in {files} is the target's work")
        }
    }
}

fn order_rule(model: &Model, id: &ShadowId) -> &'static str {
    match model.radar.turn(id) {
        Some((_, turn)) if turn.is_best => {
            "the order goes by pairs, and makes the fewest conflicts of all orders"
        }
        Some((_, turn)) if !turn.is_unsure => {
            "the order goes by pairs, and makes few conflicts: too many clash to weigh all orders"
        }
        _ => "what is not all known goes last",
    }
}

fn nothing_to_land(model: &Model, id: &ShadowId) -> Option<&'static str> {
    match model.fleet.find(id)?.verdict {
        Verdict::Landed => Some("it has landed already"),
        Verdict::Empty => Some("nothing was ever done in it"),
        Verdict::Clean | Verdict::Conflicts | Verdict::Unknown => None,
    }
}

/// Where a shadow stands in the order, once all is known.
pub fn place_in_order(model: &Model, id: &ShadowId) -> Option<String> {
    if let Some(done) = nothing_to_land(model, id) {
        return Some(format!("{done}: it has no place in the order to land"));
    }
    let (at, turn) = model.radar.turn(id)?;
    let what = match (turn.files.len(), turn.is_unsure) {
        (0, false) => "without conflict".to_owned(),
        (0, true) => "what it meets is not all known".to_owned(),
        (files, _) => format!("with {} by then", count(files, "conflict")),
    };
    Some(format!("{} to land, {what}", ordinal(at + 1)))
}

/// "If agent-a lands first, agent-b gets 2 conflicts", with what agent-a is called there.
pub fn if_first(model: &Model, id: &ShadowId, name: &str) -> Option<String> {
    let radar = model.radar.radar.as_ref().filter(|_| model.radar.turn(id).is_some())?;
    let hits: Vec<String> = consequences(radar, id)
        .into_iter()
        .map(|Consequence { then, files, .. }| format!("{then} gets {}", count(files, "conflict")))
        .collect();
    let what =
        if hits.is_empty() { "nobody gets a conflict by it".to_owned() } else { hits.join(", ") };
    Some(format!("if {name} lands first, {what}"))
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn no_row(model: &Model) -> Option<&'static str> {
    match (&model.radar.radar, &model.radar.failed) {
        (None, Some(_)) => Some("the shadows could not be compared · R tries again"),
        (None, None) => Some("still comparing"),
        (Some(_), _) => model.radar.selected().is_none().then_some("there is no shadow here"),
    }
}

fn no_conflict(model: &Model) -> Option<&'static str> {
    if let Some(why) = no_row(model) {
        return Some(why);
    }
    let id = model.radar.selected()?;
    if let Some(done) = nothing_to_land(model, id) {
        return Some(done);
    }
    let target = Party::Target(model.radar.target_of(id)?.clone());
    match model.radar.radar.as_ref()?.meeting(id, &target) {
        Some(Meeting::Clean) => Some("it lands clean: nothing conflicts with its target"),
        Some(Meeting::Unknown(_)) => Some("it could not be compared · i says why"),
        _ => None,
    }
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Radar, refusal, run }
}

/// The same from wherever a shadow is looked at.
const fn opener(context: Context) -> Command {
    Command {
        name: "radar.show",
        help: "Which shadows would conflict with which",
        keys: &["X"],
        context,
        refusal: always,
        run: radar::open,
    }
}

pub const COMMANDS: &[Command] = &[
    opener(Context::Fleet),
    opener(Context::Review),
    opener(Context::Conflicts),
    row("read.shadow", "Read the row's change", &["Enter"], no_row, read),
    row("land.shadow", "Land the row's shadow", &["m"], no_row, land),
    row("conflicts.show", "Settle its conflicts", &["x"], no_conflict, show_conflicts),
    row("move.down", "Down", &["j", "Down"], no_row, |model| step_row(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_row, |model| step_row(model, -1)),
    row("move.left", "A column to the left", &["h", "Left"], no_row, |model| {
        step_column(model, -1)
    }),
    row("move.right", "A column to the right", &["l", "Right"], no_row, |model| {
        step_column(model, 1)
    }),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_row, |model| {
        step_row(model, page_rows(model))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_row, |model| {
        step_row(model, -page_rows(model))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], no_row, |model| {
        step_row(model, 2 * page_rows(model))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], no_row, |model| {
        step_row(model, -2 * page_rows(model))
    }),
    row("move.first", "First row", &["g g", "Home"], no_row, |model| step_row(model, isize::MIN)),
    row("move.last", "Last row", &["G", "End"], no_row, |model| step_row(model, isize::MAX)),
    row("scroll.down", "Scroll the lines down", &["J"], no_row, |model| scroll(model, 1)),
    row("scroll.up", "Scroll the lines up", &["K"], no_row, |model| scroll(model, -1)),
    row("next.clash", "Next two that clash", &["n"], no_row, |model| go_to_clash(model, true)),
    row("previous.clash", "The two before that clash", &["N"], no_row, |model| {
        go_to_clash(model, false)
    }),
    row("why.cell", "What these two do to each other", &["i"], no_row, say_why),
    row("copy.id", "Copy the row's id", &["y"], no_row, copy_id),
    row("again.radar", "Compare again", &["R"], always, radar::read_again),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("peel.radar", "Back", &["Esc"], always, Model::leave),
    row("radar.leave", "Back", &["X"], always, Model::leave),
    row("quit.radar", "Back", &["q"], always, Model::leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
