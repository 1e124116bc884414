//! The keys of the land sheet.

use super::{
    Command, Context, Effect, Model,
    command::always,
    help,
    land_conflicts::{no_conflict, show_conflicts},
    land_consent, land_message,
    land_moved::{self, Since, What},
    land_sheet::{
        self as sheet, Face, choose, copy_plan, land, leave, no_keep, no_strategy, not_planned,
        scroll, show_whole, stop, toggle_hooks, toggle_keep, unplanned,
    },
    list::half,
};
use crate::shadow::Strategy;

/// What moved is looked at; else it is planned anew, for the snapshot that was read.
fn again(model: &mut Model) -> Vec<Effect> {
    match sheet::seen(model).map(|sheet| &sheet.face) {
        Some(Face::Moved(moved)) if moved.since == Since::Read => land_moved::show(model),
        Some(Face::Moved(moved)) if moved.what == What::Shadow => land_moved::plan_anew(model),
        _ => sheet::plan(model),
    }
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::LandSheet, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("confirm.landing", "Land exactly this", &["Enter"], not_planned, land),
    row("leave.sheet", "Leave; a landing that runs goes on", &["Esc"], always, leave),
    row("stop.landing", "Stop it while it can be stopped; else leave", &["ctrl-c"], always, stop),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row(
        "tick.consent",
        "Consent to the next unticked line",
        &["Space"],
        land_consent::nothing_asked,
        land_consent::tick,
    ),
    row("option.squash", "One commit with all of it", &["1"], no_strategy, |model| {
        choose(model, Strategy::Squash)
    }),
    row("option.merge", "A merge commit", &["2"], no_strategy, |model| {
        choose(model, Strategy::Merge)
    }),
    row("option.rebase", "Its commits, one by one", &["3"], no_strategy, |model| {
        choose(model, Strategy::Rebase)
    }),
    row("option.keep", "Keep the shadow after it landed", &["4"], no_keep, toggle_keep),
    row("option.hooks", "Land past the hooks that may refuse", &["5"], unplanned, toggle_hooks),
    row("edit.message", "Edit the message", &["e"], unplanned, land_message::edit),
    row(
        "edit.outside",
        "Edit the message in $EDITOR",
        &["E"],
        unplanned,
        land_message::edit_outside,
    ),
    row(
        "switch.message",
        "The generated message, or yours again",
        &["Backspace"],
        land_message::no_draft,
        land_message::switch,
    ),
    row("conflicts.show", "Show and settle its conflicts", &["x"], no_conflict, show_conflicts),
    row("again.plan", "Plan it again; show what moved", &["R"], unplanned, again),
    row("move.down", "Scroll down", &["j", "Down"], always, |model| scroll(model, 1)),
    row("move.up", "Scroll up", &["k", "Up"], always, |model| scroll(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], always, |model| {
        scroll(model, half(model.viewport.sheet_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], always, |model| {
        scroll(model, -half(model.viewport.sheet_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], always, |model| {
        scroll(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], always, |model| {
        scroll(model, -2 * half(model.viewport.sheet_rows))
    }),
    row("move.first", "To the top", &["g g", "Home"], always, |model| scroll(model, isize::MIN)),
    row("move.last", "To the end", &["G", "End"], always, |model| scroll(model, isize::MAX)),
    row("why.plan", "The whole plan, or the whole refusal", &["i"], always, show_whole),
    row("copy.plan", "Copy what the sheet says", &["y"], always, copy_plan),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
