//! State of the cockpit and every rule that changes it. Pure: no clock, no terminal, no git.
//! One file a screen; each holds its own struct, its rows of the command table and what it does with answers.

pub mod answer;
pub mod away;
pub mod command;
pub mod comment_sheet;
pub mod commits_sheet;
pub mod compare;
pub mod conflict_choices;
mod conflict_edit;
mod conflict_moves;
mod conflict_open;
mod conflict_result;
pub mod conflict_search;
pub mod conflict_sides;
mod conflict_sizes;
mod conflict_undo;
pub mod conflicts;
pub mod conflicts_keys;
pub mod create_sheet;
pub mod detail;
pub mod discard_keys;
pub mod discard_sheet;
pub mod fleet;
mod fleet_detail;
pub mod fleet_keys;
mod fleet_known;
mod fleet_marks;
pub mod group;
pub mod help;
mod idle;
pub mod job;
pub mod keymap;
pub mod land_conflicts;
mod land_consent;
mod land_keys;
pub mod land_message;
pub mod land_moved;
pub mod land_read;
pub mod land_sheet;
pub mod land_words;
pub mod list;
pub mod log;
mod messages;
pub mod model;
mod mouse;
pub mod pages;
pub mod palette;
pub mod plan_sheet;
pub mod prompt;
pub mod radar;
pub mod radar_keys;
pub mod radar_panes;
pub mod review;
mod review_away;
pub mod review_chosen;
pub mod review_comments;
pub mod review_done;
pub mod review_files;
pub mod review_keys;
mod review_long;
pub mod review_map;
pub mod review_marks;
pub mod review_moved;
pub mod review_moves;
pub mod review_named;
pub mod review_open;
pub mod review_paint;
pub mod review_parts;
pub mod review_place;
pub mod review_reading;
mod review_remarks;
pub mod review_rows;
pub mod review_search;
pub mod review_shown;
pub mod review_views;
pub mod review_why;
mod review_within;
pub mod running;
pub mod sync_sheet;
mod text_field;
pub mod trail;
pub mod undo_sheet;
pub mod viewport;
pub mod way_out;
pub mod why_sheet;

pub use answer::{Answer, Mood};
pub use command::{Command, Context};
pub use messages::{Effect, Msg, Wheel};
pub use model::{Model, Screen, Sheet};
pub use viewport::Viewport;

use crate::{report::Report, review::Progress};
use job::{Job, Outcome, Slot};
use keymap::{KeyPress, Lookup, SEQUENCE_MAX};

/// The first questions. Places come first, so that the first paint shows names.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let mut effects = model.jobs.start(Slot::Fleet, Job::Places);
    effects.extend(model.jobs.start(Slot::Write, Job::Recover));
    effects.extend(away::ask(model));
    effects
}

/// The whole of the cockpit's behaviour: old state + what happened → new state + what to do.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let (place, said) = (answer::Place::of(model), model.answer.clone());
    let is_by_hand = !matches!(msg, Msg::JobFinished { .. } | Msg::Progressed { .. });
    let mut effects = match msg {
        Msg::KeyPressed { key, frame } => {
            model.key_frame = frame;
            let mut effects = away::key_pressed(model);
            effects.extend(press_key(model, key));
            effects
        }
        Msg::Wheeled(wheel) => mouse::turn_wheel(model, wheel),
        Msg::Clicked { column, row } => mouse::click(model, column, row),
        Msg::Dragged { column, row } => mouse::drag(model, column, row),
        Msg::Released => {
            model.dragged = None;
            Vec::new()
        }
        Msg::Pasted(text) => {
            model.paste(&text);
            Vec::new()
        }
        Msg::JobFinished { slot, id, outcome } => {
            if model.jobs.finish(slot, id) {
                receive(model, slot, outcome)
            } else {
                Vec::new()
            }
        }
        Msg::Progressed { slot, id, told } => {
            match (slot, told) {
                _ if !model.jobs.is_current(slot, id) => {}
                (Slot::Radar, Progress::Compared(known)) => radar::take_known(model, *known),
                (Slot::Fleet, told) => fleet_known::take(model, told),
                (_, told) => model.running.take(told, model.now_ms),
            }
            Vec::new()
        }
        Msg::CameBack { from, outcome } => review_away::came_back(model, from, outcome),
        Msg::MessageEdited { outcome } => land_message::edited(model, outcome),
        Msg::TextEdited { from, outcome } => conflict_edit::edited(model, from, outcome),
        Msg::Ticked { now_ms } => {
            model.now_ms = now_ms;
            land_message::keep_draft(model);
            comment_sheet::keep_draft(model);
            fleet::refresh_when_due(model)
        }
        Msg::Drawn { frame } => {
            model.drawn(frame);
            review_open::read_ahead(model);
            Vec::new()
        }
        Msg::QuitAsked => model.quit(),
    };
    effects.extend(fleet_detail::settle(model));
    effects.extend(review::settle(model));
    effects.extend(review_comments::settle(model));
    effects.extend(conflict_sides::settle(model));
    effects.extend(radar::settle(model));
    effects.extend(land_moved::notice(model));
    answer::settle(model, &place, said.as_ref());
    if is_by_hand {
        answer::let_go(model, &place, said.as_ref());
    }
    model.assert_invariants();
    effects
}

/// Whether the picture can be another one once this is taken. Colours of what is not on the screen change nothing.
pub fn may_show(model: &Model, msg: &Msg) -> bool {
    match msg {
        Msg::JobFinished { outcome: Ok(Outcome::Tokens { text, lines, painted }), .. } => {
            !painted.tokens.is_empty() && review_open::shows(model, text, lines)
        }
        // Of a row that nobody is at.
        Msg::JobFinished { slot: Slot::Ahead, outcome: Ok(Outcome::Review(page)), .. } => {
            model.fleet.selected().is_some_and(|row| row.id == page.id)
        }
        _ => true,
    }
}

fn press_key(model: &mut Model, key: KeyPress) -> Vec<Effect> {
    let context = model.context();
    model.pending_keys.push(key);
    match model.keymap.find(context, &model.pending_keys) {
        Lookup::Prefix if model.pending_keys.len() < SEQUENCE_MAX => Vec::new(),
        Lookup::Found(command) => {
            model.pending_keys.clear();
            run(model, command)
        }
        Lookup::Prefix | Lookup::Nothing => {
            let pressed = std::mem::take(&mut model.pending_keys);
            if context.is_typed_in() {
                return model.type_key(key);
            }
            // What works everywhere does so in the middle of a sequence, too.
            let alone = |place| model.keymap.find(place, &[key]);
            if let (Lookup::Found(_), Lookup::Found(command)) =
                (alone(Context::Everywhere), alone(context))
            {
                return run(model, command);
            }
            let why = idle::explain(model, context, &pressed);
            model.refuse(why);
            Vec::new()
        }
    }
}

/// Runs a command of the table, or says in the bottom rule why it cannot run now.
pub fn run(model: &mut Model, command: &Command) -> Vec<Effect> {
    if command.verb() == "why"
        && command.context != Context::Why
        && why_sheet::take_long_answer(model)
    {
        return Vec::new();
    }
    match (command.refusal)(model) {
        None => (command.run)(model),
        Some(reason) => {
            let keys = model.keymap.keys_of(command);
            let key = keys.first().map_or(command.name, String::as_str);
            model.refuse(format!("{key}: {reason}"));
            Vec::new()
        }
    }
}

/// Each answer goes to the screen or sheet that asked.
fn receive(model: &mut Model, slot: Slot, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match slot {
        Slot::Fleet => {
            model.comments.read_again();
            fleet::receive(model, outcome)
        }
        Slot::Detail | Slot::Ahead => fleet_detail::receive(model, slot, outcome),
        Slot::Notes => review_comments::receive(model, outcome),
        Slot::Review
        | Slot::HighlightOld
        | Slot::HighlightNew
        | Slot::Moved
        | Slot::Part
        | Slot::Commits
        | Slot::Names
        | Slot::Sides
        | Slot::Lines
        | Slot::Newer
        | Slot::Reading
        | Slot::Marks => review::receive(model, slot, outcome),
        Slot::Conflicts => conflicts::receive(model, outcome),
        Slot::PlanLand => land_sheet::receive_plan(model, outcome),
        Slot::Compare => land_moved::receive(model, outcome),
        Slot::PlanDiscard => discard_sheet::receive_plan(model, outcome),
        Slot::PlanSync => sync_sheet::receive_plan(model, outcome),
        Slot::PlanUndo => undo_sheet::receive_plan(model, outcome),
        Slot::Radar => radar::receive(model, outcome),
        Slot::RadarPair => radar::receive_page(model, outcome),
        Slot::Log => log::receive(model, outcome),
        Slot::Seen => match outcome {
            Ok(Outcome::Seen(seen)) => away::receive(model, seen),
            // Kept for comfort only: without it nothing is news.
            _ => away::receive(model, None),
        },
        Slot::Write => receive_write(model, outcome),
    }
}

/// A write has ended: its sheet is told, what waited for it goes on, and a quit that waited quits.
fn receive_write(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    model.running = running::Running::default();
    let mut effects = match outcome {
        Ok(Outcome::Landed(landing)) => land_sheet::landed(model, &landing),
        Ok(Outcome::Discarded(discarded)) => discard_sheet::discarded(model, &discarded),
        Ok(Outcome::Undone(undone)) => undo_sheet::undone(model, &undone),
        Ok(Outcome::Redone(redone)) => undo_sheet::redone(model, &redone),
        Ok(Outcome::Synced(synced)) => sync_sheet::synced(model, &synced),
        Ok(Outcome::Created { id, warnings }) => create_sheet::created(model, id, &warnings),
        Ok(Outcome::Conflicts(page)) => conflicts::receive(model, Ok(Outcome::Conflicts(page))),
        Ok(Outcome::Recovered(what)) => {
            if !what.is_empty() {
                let said = Answer::done(format!("{} · L", what.join(" · ")));
                model.answer = Some(said.till_next());
            }
            Vec::new()
        }
        Ok(_) => Vec::new(),
        Err(report) => write_failed(model, &report),
    };
    effects.extend(undo_sheet::go_on(model));
    effects.extend(radar::read_when_open(model));
    effects.extend(model.quit_when_kept());
    effects
}

/// The sheet that asked shows the whole report, where it is still open; the list is read again, for a failed write
/// may have changed what it shows.
fn write_failed(model: &mut Model, report: &Report) -> Vec<Effect> {
    let told_by_land = land_sheet::failed(model, report);
    let mut is_told = told_by_land.is_some();
    for sheet in &mut model.sheets {
        match sheet {
            Sheet::Discard(sheet) if sheet.is_running() => sheet.refuse(report.clone()),
            Sheet::Undo(sheet) if sheet.is_running() => sheet.refuse(report.clone()),
            Sheet::Sync(sheet) if sheet.is_running() => sheet.refuse(report.clone()),
            Sheet::Create(sheet) if sheet.is_running() => sheet.refuse(report.clone()),
            _ => continue,
        }
        is_told = true;
    }
    // What a sheet says is not said below it once more.
    model.answer = (!is_told).then(|| Answer::of_report(report).till_next());
    let mut effects = told_by_land.unwrap_or_default();
    effects.extend(conflicts::write_failed(model));
    effects.extend(fleet::read_again(model));
    effects
}
