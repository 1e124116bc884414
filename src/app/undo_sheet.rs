//! Taking an operation back, and doing it again. Taking back a discard acts at once, for it only brings back;
//! everything else moves a branch or puts something away, so it is drawn and waits for `Enter`.

use super::{
    Command, Context, Effect, Model, Sheet,
    answer::Answer,
    command::always,
    fleet, help,
    job::{Job, Outcome, Slot},
    log,
    plan_sheet::{Face, PlanSheet},
    running,
};
use crate::{
    report::Report,
    review::{Chosen, RedoPlan, Redone, UndoPlan, Undone, visible::visible},
    shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Back,
    Again,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    Back(UndoPlan),
    Again(RedoPlan),
}

/// What is the same both ways.
pub struct Facts<'a> {
    pub verb: &'a str,
    pub shadows: &'a [ShadowId],
    /// The target and its move.
    pub moves: Option<(&'a BranchName, &'a Oid, &'a Oid)>,
    pub files: &'a [RepoPath],
    pub chosen: Option<&'a Chosen>,
}

impl Plan {
    pub fn facts(&self) -> Facts<'_> {
        let (verb, shadows, target, from, to, files, chosen) = match self {
            Self::Back(UndoPlan { verb, shadows, target, from, to, files, chosen, .. })
            | Self::Again(RedoPlan { verb, shadows, target, from, to, files, chosen, .. }) => {
                (verb, shadows, target, from, to, files, chosen)
            }
        };
        let moves = match (target, from, to) {
            (Some(target), Some(from), Some(to)) => Some((target, from, to)),
            _ => None,
        };
        Facts { verb, shadows, moves, files, chosen: chosen.as_ref() }
    }

    /// `Take back: main 4c1d2e3 → a1b2c3d, shadow as it was`.
    pub fn title(&self) -> String {
        let Facts { verb, shadows, moves, chosen, .. } = self.facts();
        let moved = moves.map_or_else(
            || format!("the {}", noun(verb)),
            |(target, from, to)| format!("{target} {} → {}", from.abbreviated(), to.abbreviated()),
        );
        if let (Self::Back(_), Some(Chosen { path, .. })) = (self, chosen) {
            return format!("Take back: {moved} for {}", visible(path.as_bytes()));
        }
        match (self, shadows.len()) {
            (Self::Again(_), _) => format!("Do again: {moved}"),
            (Self::Back(UndoPlan { trashed: Some(_), .. }), _) => {
                format!("Take back: {moved}, shadow to the trash")
            }
            (Self::Back(_), 1) if moves.is_some() => {
                format!("Take back: {moved}, shadow as it was")
            }
            (Self::Back(_), 1) => format!("Take back: {moved}, shadow as before"),
            (Self::Back(_), _) => format!("Take back: {moved}, shadows as they were"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub way: Way,
    /// The newest one where none is named.
    pub operation: Option<OperationId>,
}

pub type UndoSheet = PlanSheet<Asked, Plan>;

fn sheet(model: &mut Model) -> Option<&mut UndoSheet> {
    model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Undo(sheet) => Some(sheet),
        _ => None,
    })
}

fn seen(model: &Model) -> Option<&UndoSheet> {
    match model.sheets.last() {
        Some(Sheet::Undo(sheet)) => Some(sheet),
        _ => None,
    }
}

pub(super) fn open(model: &mut Model, way: Way, operation: Option<OperationId>) -> Vec<Effect> {
    let sheet = UndoSheet::new(Asked { way, operation }, Face::Waiting);
    model.answer = None;
    model.sheets.push(Sheet::Undo(sheet));
    go_on(model)
}

/// Plans as soon as no write runs.
pub(super) fn go_on(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        return Vec::new();
    }
    let Some(sheet) = sheet(model) else { return Vec::new() };
    if sheet.face != Face::Waiting {
        return Vec::new();
    }
    sheet.show(Face::Planning);
    let Asked { way, operation } = sheet.about;
    let job = match way {
        Way::Back => Job::PlanUndo { operation },
        Way::Again => Job::PlanRedo { operation },
    };
    model.jobs.start(Slot::PlanUndo, job)
}

pub(super) fn receive_plan(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    match outcome {
        Ok(Outcome::PlannedUndo(plan)) if plan.verb == "discard" => {
            return carry_out(model, Plan::Back(plan));
        }
        Ok(Outcome::PlannedUndo(plan)) => sheet.show(Face::Planned(Plan::Back(plan))),
        Ok(Outcome::PlannedRedo(plan)) => sheet.show(Face::Planned(Plan::Again(plan))),
        Ok(_) => {}
        Err(report) => sheet.refuse(report),
    }
    Vec::new()
}

fn confirm(model: &mut Model) -> Vec<Effect> {
    let key_frame = model.key_frame;
    let plan = seen(model).and_then(|sheet| sheet.seen_plan(key_frame)).cloned();
    plan.map_or_else(Vec::new, |plan| carry_out(model, plan))
}

fn carry_out(model: &mut Model, plan: Plan) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        model.refuse("u waits: a write is running");
        return Vec::new();
    }
    if let Some(sheet) = sheet(model) {
        sheet.show(Face::Running(plan.clone()));
    }
    let job = match plan {
        Plan::Back(plan) => Job::Undo(Box::new(plan.confirm())),
        Plan::Again(plan) => Job::Redo(Box::new(plan.confirm())),
    };
    running::begin(model, job)
}

fn named(shadows: &[ShadowId]) -> String {
    match shadows {
        [only] => only.to_string(),
        several => crate::review::count(several.len(), "shadow"),
    }
}

fn words(Chosen { path, words }: &Chosen) -> String {
    format!(": {} is {words}", visible(path.as_bytes()))
}

pub(super) fn undone(model: &mut Model, undone: &Undone) -> Vec<Effect> {
    let plan = &undone.plan;
    let what = named(&plan.shadows);
    let text = match (plan.verb.as_str(), &plan.target, &plan.to) {
        ("discard", ..) => format!("brought back {what}"),
        (_, Some(target), Some(to)) => {
            format!(
                "took back the {} of {what}: {target} is at {} again",
                noun(&plan.verb),
                to.abbreviated()
            )
        }
        (verb, ..) => {
            let chosen = plan.chosen.as_ref().map(words).unwrap_or_default();
            format!("took back the {} of {what}{chosen}", noun(verb))
        }
    };
    let keys = ["ctrl-r", "does it again"];
    ended(model, Answer::of_operation(&text, keys, &undone.warnings))
}

pub(super) fn redone(model: &mut Model, redone: &Redone) -> Vec<Effect> {
    let plan = &redone.plan;
    let (noun, what) = (noun(&plan.verb), named(&plan.shadows));
    let text = if let (Some(target), Some(to)) = (&plan.target, &plan.to) {
        format!("did the {noun} of {what} again: {target} is at {}", to.abbreviated())
    } else {
        let chosen = plan.chosen.as_ref().map(words).unwrap_or_default();
        format!("did the {noun} of {what} again{chosen}")
    };
    let keys = ["u", "takes it back"];
    ended(model, Answer::of_operation(&text, keys, &redone.warnings))
}

fn ended(model: &mut Model, answer: Answer) -> Vec<Effect> {
    model.answer = Some(answer);
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Undo(_)));
    let mut effects = log::read_when_open(model);
    effects.extend(fleet::come_back(model));
    effects
}

/// The operation as a noun.
pub fn noun(verb: &str) -> &str {
    match verb {
        "land" => "landing",
        "create" => "creation",
        "resolve" => "choice",
        verb => verb,
    }
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let was_running = seen(model).is_some_and(UndoSheet::is_running);
    model.sheets.pop();
    if was_running {
        model.say("it goes on; the answer comes here");
    }
    model.jobs.cancel(Slot::PlanUndo)
}

fn not_planned(model: &Model) -> Option<&'static str> {
    seen(model)?.not_planned()
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::UndoSheet, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("confirm.take-back", "Take it back, or do it again", &["Enter"], not_planned, confirm),
    row("leave.sheet", "Leave", &["Esc", "ctrl-c"], always, leave),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
];
