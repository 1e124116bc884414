//! The conflicts of landing one shadow now, and what is to become of each file.

use super::{
    Command, Context, Effect, Model, Screen,
    command::always,
    help,
    job::{Job, Outcome, Slot},
    land_sheet,
    list::Cursor,
    log,
};
use crate::{
    report::Report,
    review::{ConflictPage, Resolution},
    shadow::ShadowId,
};

#[derive(Debug)]
pub struct ConflictsScreen {
    pub id: ShadowId,
    pub page: Option<ConflictPage>,
    pub failed: Option<Report>,
    /// Over the page's files.
    pub cursor: Cursor,
}

impl ConflictsScreen {
    fn count(&self) -> usize {
        self.page.as_ref().map_or(0, |page| page.files.len())
    }
}

pub(super) fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    let kept = model.conflicts.take().filter(|screen| screen.id == id);
    model.conflicts = Some(kept.unwrap_or_else(|| ConflictsScreen {
        id: id.clone(),
        page: None,
        failed: None,
        cursor: Cursor::default(),
    }));
    model.enter(Screen::Conflicts);
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

/// Also what a resolution answers.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    match outcome {
        Ok(Outcome::Conflicts(page)) => {
            if let Some(screen) = model.conflicts.as_mut().filter(|screen| screen.id == page.id) {
                screen.page = Some(page);
                screen.failed = None;
            }
            keep_in_view(model);
        }
        Ok(_) => {}
        Err(report) => {
            model.fail(&report);
            if let Some(screen) = &mut model.conflicts {
                screen.failed = Some(report);
            }
        }
    }
    Vec::new()
}

/// A write has failed, maybe one of ours; the answer is in the bottom rule already.
pub(super) fn write_failed(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

pub(super) fn keep_in_view(model: &mut Model) {
    let rows = model.viewport.body_rows;
    if let Some(screen) = &mut model.conflicts {
        let count = screen.count();
        screen.cursor.keep_in_view(count, rows);
    }
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    if let Some(screen) = &mut model.conflicts {
        let count = screen.count();
        screen.cursor.step(rows, count);
    }
    keep_in_view(model);
    Vec::new()
}

fn resolve(model: &mut Model, resolution: Resolution) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let file = screen.page.as_ref().and_then(|page| page.files.get(screen.cursor.index));
    let Some(file) = file else { return Vec::new() };
    let path = file.conflict.path.clone();
    let job = Job::Resolve { id: screen.id.clone(), path, resolution: Some(resolution) };
    model.jobs.start(Slot::Write, job)
}

fn cannot_resolve(model: &Model) -> Option<&'static str> {
    let screen = model.conflicts.as_ref()?;
    if screen.count() == 0 {
        Some("nothing conflicts")
    } else if model.jobs.is_open(Slot::Write) {
        Some("the last choice is being written")
    } else {
        None
    }
}

fn land(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let expect = screen.page.as_ref().map(|page| page.snapshot.clone());
    land_sheet::open(model, screen.id.clone(), expect)
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Conflicts, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("target.file", "The target's whole file", &["T"], cannot_resolve, |model| {
        resolve(model, Resolution::Target)
    }),
    row("shadow.file", "The shadow's whole file", &["A"], cannot_resolve, |model| {
        resolve(model, Resolution::Shadow)
    }),
    row("move.down", "Down", &["j", "Down"], always, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], always, |model| step(model, -1)),
    row("land.shadow", "Land it with these choices", &["m"], always, land),
    row("again.conflicts", "Compute them again", &["R"], always, refresh),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("leave.conflicts", "Back", &["Esc"], always, Model::leave),
    row("quit.conflicts", "Back", &["q"], always, Model::leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
