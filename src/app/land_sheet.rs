//! The land sheet: a plan is drawn, then just that plan runs.
//! `Enter` counts only on a whole plan that was on the screen when the key was read.

use tui_textarea::TextArea;

pub use super::land_keys::COMMANDS;
use super::{
    Effect, Model, Screen, Sheet, Viewport,
    answer::Answer,
    fleet,
    job::{Job, Outcome, Slot},
    land_consent::Asked,
    land_message,
    land_moved::Moved,
    land_read::{self, Unread},
    land_words::words,
    review, running,
};
use crate::{
    report::Report,
    review::{LandOptions, LandPlan, Landing, Verify, marks::Mark},
    shadow::{Oid, ShadowId, Strategy},
};

/// What the sheet shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    Planning,
    Planned(Box<LandPlan>),
    /// Why not, what is safe, and the way out.
    Refused(Report),
    /// The shadow or its target has moved since what was approved.
    Moved(Moved),
    Running(Box<LandPlan>),
}

/// How much of it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The receipt: the same lines in the same order each time.
    #[default]
    Receipt,
    /// All that is known of it, on the whole screen.
    Whole,
}

#[derive(Debug)]
pub struct LandSheet {
    pub id: ShadowId,
    pub options: LandOptions,
    pub face: Face,
    /// The last whole plan, shown in quiet while another one is made.
    pub before: Option<Box<LandPlan>>,
    pub consents: Vec<Asked>,
    /// The first frame by which the plan was shown whole.
    pub drawn_in: Option<u64>,
    /// Lines of it that were on the screen, from the first on.
    seen_rows: usize,
    /// The message has the keys.
    pub editor: Option<TextArea<'static>>,
    pub planned_at_ms: u64,
    pub unread: Unread,
    pub top: usize,
    pub extent: Extent,
}

impl LandSheet {
    fn new(id: ShadowId, options: LandOptions) -> Self {
        Self {
            id,
            options,
            face: Face::Planning,
            before: None,
            consents: Vec::new(),
            drawn_in: None,
            seen_rows: 0,
            editor: None,
            planned_at_ms: 0,
            unread: Unread::default(),
            top: 0,
            extent: Extent::Receipt,
        }
    }

    /// What is planned, or was before it is planned anew.
    pub fn plan(&self) -> Option<&LandPlan> {
        match &self.face {
            Face::Planned(plan) | Face::Running(plan) => Some(plan),
            Face::Planning => self.before.as_deref(),
            Face::Refused(_) | Face::Moved(_) => None,
        }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.face, Face::Running(_))
    }

    fn show(&mut self, face: Face) {
        self.face = face;
        self.drawn_in = None;
        self.seen_rows = 0;
        self.top = 0;
    }

    /// A plan that is longer than its place counts once its last line was there too.
    pub(super) fn drawn(&mut self, frame: u64, viewport: Viewport) {
        if !matches!(self.face, Face::Planned(_)) {
            return;
        }
        if self.top <= self.seen_rows {
            self.seen_rows = self.seen_rows.max(self.top + viewport.sheet_rows);
        }
        if self.seen_rows >= viewport.sheet_lines {
            self.drawn_in.get_or_insert(frame);
        }
    }

    fn refuse(&mut self, report: Report, moved: Option<Moved>) {
        self.take_refused_consents(&report);
        self.show(moved.map_or(Face::Refused(report), Face::Moved));
    }
}

pub(super) fn sheet(model: &mut Model) -> Option<&mut LandSheet> {
    match model.sheets.last_mut() {
        Some(Sheet::Land(sheet)) => Some(sheet),
        _ => None,
    }
}

/// Also below another one.
pub(super) fn open_sheet(model: &mut Model) -> Option<&mut LandSheet> {
    model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Land(sheet) => Some(&mut **sheet),
        _ => None,
    })
}

pub(super) fn seen(model: &Model) -> Option<&LandSheet> {
    match model.sheets.last() {
        Some(Sheet::Land(sheet)) => Some(sheet),
        _ => None,
    }
}

/// `expect` is the snapshot that was read: another one is not landed unseen.
pub(super) fn open(model: &mut Model, id: ShadowId, expect: Option<Oid>) -> Vec<Effect> {
    open_by(model, id, expect, None)
}

/// As its conflicts were settled, where they are those of one strategy only.
pub(super) fn open_by(
    model: &mut Model,
    id: ShadowId,
    expect: Option<Oid>,
    strategy: Option<Strategy>,
) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        let Some(plan) = model.running.landing.clone().filter(|plan| plan.id == id) else {
            model.refuse("m waits: a write is running");
            return Vec::new();
        };
        model.answer = None;
        let mut sheet = LandSheet::new(id, LandOptions::default());
        sheet.show(Face::Running(plan));
        model.sheets.push(Sheet::Land(Box::new(sheet)));
        return Vec::new();
    }
    model.answer = None;
    let message = land_message::wanted(model, &id);
    let only = review::chosen(model, &id);
    let options = LandOptions { strategy, message, expect, only, ..LandOptions::default() };
    let sheet = LandSheet::new(id, options);
    model.sheets.push(Sheet::Land(Box::new(sheet)));
    plan(model)
}

pub(super) fn plan(model: &mut Model) -> Vec<Effect> {
    model.drop_refusal();
    let Some(sheet) = sheet(model) else { return Vec::new() };
    sheet.before = sheet.plan().cloned().map(Box::new);
    sheet.show(Face::Planning);
    let job = Job::PlanLand { id: sheet.id.clone(), options: sheet.options.clone() };
    model.jobs.start(Slot::PlanLand, job)
}

pub(super) fn receive_plan(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let now_ms = model.now_ms;
    model.drop_refusal();
    match outcome {
        Ok(Outcome::PlannedLanding(plan)) => {
            let unread = land_read::unread_of(model, &plan);
            let Some(sheet) = open_sheet(model) else { return Vec::new() };
            sheet.unread = unread;
            sheet.planned_at_ms = now_ms;
            sheet.take_plan_consents(&plan);
            sheet.show(Face::Planned(plan));
            Vec::new()
        }
        Ok(_) => Vec::new(),
        Err(report) => refuse(model, report),
    }
}

pub(super) fn refuse(model: &mut Model, report: Report) -> Vec<Effect> {
    let Some(id) = open_sheet(model).map(|sheet| sheet.id.clone()) else { return Vec::new() };
    let moved = Moved::of(model, &id, &report);
    if let Some(sheet) = open_sheet(model) {
        sheet.refuse(report, moved.clone());
    }
    moved.map(|moved| moved.ask(model, &id)).unwrap_or_default()
}

/// A landing has failed; whether its sheet is there to say so.
pub(super) fn failed(model: &mut Model, report: &Report) -> Option<Vec<Effect>> {
    let sheet = open_sheet(model).filter(|sheet| sheet.is_running())?;
    // What was approved is what the next plan must be of.
    if let Some(snapshot) = sheet.plan().map(|plan| plan.snapshot.clone()) {
        sheet.options.expect = Some(snapshot);
    }
    Some(refuse(model, report.clone()))
}

/// Only here is a landing approved.
pub(super) fn land(model: &mut Model) -> Vec<Effect> {
    let key_frame = model.key_frame;
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let was_seen = sheet.drawn_in.is_some_and(|frame| key_frame >= frame);
    let Face::Planned(plan) = &sheet.face else { return Vec::new() };
    if !was_seen || sheet.lacks_consent() || !plan.needs_trust.is_empty() {
        return Vec::new();
    }
    let plan = plan.clone();
    let confirmed = (*plan).clone().confirm();
    sheet.show(Face::Running(plan));
    sheet.extent = Extent::Receipt;
    running::begin(model, Job::Land(Box::new(confirmed)))
}

/// Back to the list, with the cursor on the next that wants a person.
pub(super) fn landed(model: &mut Model, landing: &Landing) -> Vec<Effect> {
    let plan = &landing.plan;
    let (id, target, after) = (&plan.id, &plan.target, plan.after.abbreviated());
    let done = format!("landed {id} on {target} as {after}");
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Land(open) if open.id == plan.id));
    review::landed(model, plan);
    if land_message::draft_of(model, &plan.id).is_some() {
        model.memory.mark(Mark::Draft(plan.id.clone(), None));
    }
    model.fleet.select(&plan.id);
    let next = model
        .fleet
        .find_wanting(true)
        .and_then(|index| model.fleet.visible().nth(index))
        .map(|listed| listed.row.id.clone());
    if landing.cleaned_up {
        model.fleet.remove(&plan.id);
    }
    let mut warnings = landing.warnings.clone();
    warnings.extend(fleet::drop_spent_filter(model).map(str::to_owned));
    model.answer = Some(Answer::of_operation(&done, ["u", "takes it back"], &warnings));
    if let Some(next) = next {
        model.fleet.select(&next);
    }
    let reads_it = match model.screen() {
        Screen::Fleet | Screen::Radar | Screen::Log => false,
        Screen::Review | Screen::Conflicts => model.subject() == Some(&plan.id),
    };
    if reads_it {
        model.enter(Screen::Fleet);
    }
    model.fleet.detail_top = 0;
    fleet::come_back(model)
}

pub(super) fn choose(model: &mut Model, strategy: Strategy) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.strategy = Some(strategy);
    }
    plan(model)
}

pub(super) fn toggle_keep(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.keep = !sheet.options.keep;
    }
    plan(model)
}

pub(super) fn toggle_hooks(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.verify = match sheet.options.verify {
            Verify::Ask => Verify::Skip,
            Verify::Skip => Verify::Ask,
        };
    }
    plan(model)
}

pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    let was_running = seen(model).is_some_and(LandSheet::is_running);
    let id = seen(model).map(|sheet| sheet.id.clone());
    model.sheets.pop();
    if let Some(id) = id.filter(|_| was_running) {
        model.say(format!("it goes on landing; the answer comes here · m on {id} shows it again"));
    }
    let mut effects = model.jobs.cancel(Slot::PlanLand);
    effects.extend(model.jobs.cancel(Slot::Compare));
    effects
}

/// Out; of a landing that runs: stop it while it can be stopped.
pub(super) fn stop(model: &mut Model) -> Vec<Effect> {
    if !seen(model).is_some_and(LandSheet::is_running) {
        return leave(model);
    }
    if model.running.is_too_late() {
        model.refuse("ctrl-c: too late, finishing");
        return Vec::new();
    }
    running::ask_stop(model, "stopping: nothing has moved yet, and nothing will")
}

pub(super) fn show_whole(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.top = 0;
        sheet.extent = match sheet.extent {
            Extent::Receipt => Extent::Whole,
            Extent::Whole => Extent::Receipt,
        };
    }
    Vec::new()
}

pub(super) fn copy_plan(model: &mut Model) -> Vec<Effect> {
    let Some(text) = seen(model).map(words) else { return Vec::new() };
    model.copy("what the sheet says", text)
}

pub(super) fn scroll(model: &mut Model, rows: isize) -> Vec<Effect> {
    let viewport = model.viewport;
    model.drop_refusal();
    if let Some(sheet) = sheet(model) {
        let last = viewport.sheet_lines.saturating_sub(viewport.sheet_rows);
        sheet.top = sheet.top.min(last).saturating_add_signed(rows).min(last);
    }
    Vec::new()
}

/// Keys from before the first plan are dropped: they were meant for something nobody saw.
pub(super) fn unplanned(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    match &sheet.face {
        Face::Planning if sheet.before.is_none() => Some("still working it out"),
        Face::Running(_) => Some("it is landing"),
        _ => None,
    }
}

/// A part of a shadow lands as one commit, however. A key from before the first plan counts: it only says which plan.
pub(super) fn no_strategy(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    if sheet.is_running() {
        return Some("it is landing");
    }
    sheet.options.only.is_some().then_some("a part of it lands as one commit")
}

pub(super) fn no_keep(model: &Model) -> Option<&'static str> {
    let is_part = seen(model).is_some_and(|sheet| sheet.options.only.is_some());
    unplanned(model).or(is_part.then_some("what is left out stays in the shadow, so it is kept"))
}

pub(super) fn not_planned(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    match &sheet.face {
        Face::Planned(_) if sheet.lacks_consent() => {
            Some("it needs your consent first: Space ticks it")
        }
        Face::Planned(_) if sheet.drawn_in.is_none() && sheet.seen_rows > 0 => {
            Some("its last line was not on the screen yet: j scrolls")
        }
        Face::Planned(_) => None,
        Face::Planning => Some("still working it out"),
        Face::Refused(_) => Some("it cannot land as it is: the sheet says why"),
        Face::Moved(_) => Some("something moved since: R goes on"),
        Face::Running(_) => Some("it is landing"),
    }
}
