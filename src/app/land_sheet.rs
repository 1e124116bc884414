//! The land sheet: a plan is drawn, then just that plan runs.
//! `Enter` counts only on a whole plan that was on the screen when the key was read.

use tui_textarea::{CursorMove, Input, Key as AreaKey, TextArea};

use super::{
    Command, Context, Effect, Model, Screen, Sheet,
    answer::with_warnings,
    command::always,
    conflicts, fleet, help,
    job::{Job, Outcome, Slot},
    keymap::{Key, KeyPress},
    land_words::words,
    list::half,
    review,
};
use crate::{
    report::{Code, Report},
    review::{LandOptions, LandPlan, Landing},
    shadow::{Oid, ShadowId, Strategy},
};

/// What the sheet shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    Planning,
    Planned(Box<LandPlan>),
    /// Why not, what is safe, and the way out.
    Refused(Report),
    /// The shadow or its target has moved since what was read.
    Moved(Report),
    Running {
        plan: Box<LandPlan>,
        since_ms: u64,
    },
}

#[derive(Debug)]
pub struct LandSheet {
    pub id: ShadowId,
    pub options: LandOptions,
    pub face: Face,
    /// The first frame that showed the plan whole.
    pub drawn_in: Option<u64>,
    /// The message has the keys.
    pub editor: Option<TextArea<'static>>,
    pub planned_at_ms: u64,
    pub top: usize,
}

impl LandSheet {
    fn new(id: ShadowId, expect: Option<Oid>) -> Self {
        Self {
            id,
            options: LandOptions { expect, ..LandOptions::default() },
            face: Face::Planning,
            drawn_in: None,
            editor: None,
            planned_at_ms: 0,
            top: 0,
        }
    }

    pub fn plan(&self) -> Option<&LandPlan> {
        match &self.face {
            Face::Planned(plan) | Face::Running { plan, .. } => Some(plan),
            Face::Planning | Face::Refused(_) | Face::Moved(_) => None,
        }
    }

    /// What the message is now: as edited, else as planned.
    pub fn message(&self) -> String {
        match (&self.editor, &self.options.message, self.plan()) {
            (Some(editor), ..) => editor.lines().join("\n"),
            (None, Some(message), _) => message.clone(),
            (None, None, Some(plan)) => plan.message.clone(),
            (None, None, None) => String::new(),
        }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.face, Face::Running { .. })
    }

    fn show(&mut self, face: Face) {
        self.face = face;
        self.drawn_in = None;
        self.top = 0;
    }

    pub(super) fn drawn(&mut self, frame: u64) {
        if matches!(self.face, Face::Planned(_)) {
            self.drawn_in.get_or_insert(frame);
        }
    }

    pub(super) fn refuse(&mut self, report: Report) {
        let moved = matches!(report.code, Code::ShadowMoved | Code::TargetMoved);
        self.show(if moved { Face::Moved(report) } else { Face::Refused(report) });
    }

    pub(super) fn paste(&mut self, text: &str) {
        if let Some(editor) = &mut self.editor {
            editor.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
    }

    pub(super) fn type_key(&mut self, key: KeyPress) {
        let Some(editor) = &mut self.editor else { return };
        if key == (KeyPress { key: Key::Char('u'), ctrl: true, alt: false }) {
            editor.move_cursor(CursorMove::End);
            editor.delete_line_by_head();
            return;
        }
        // `ctrl-_` is what terminals send for undo; the text area knows it as `ctrl-u`.
        let key = match (key.key, key.ctrl) {
            (Key::Char('_' | '7' | '/'), true) => KeyPress { key: Key::Char('u'), ..key },
            _ => key,
        };
        editor.input(input_of(key));
    }
}

fn input_of(key: KeyPress) -> Input {
    let area_key = match key.key {
        Key::Char(character) => AreaKey::Char(character),
        Key::Enter => AreaKey::Enter,
        Key::Esc => AreaKey::Esc,
        Key::Tab | Key::BackTab => AreaKey::Tab,
        Key::Backspace => AreaKey::Backspace,
        Key::Delete => AreaKey::Delete,
        Key::Up => AreaKey::Up,
        Key::Down => AreaKey::Down,
        Key::Left => AreaKey::Left,
        Key::Right => AreaKey::Right,
        Key::Home => AreaKey::Home,
        Key::End => AreaKey::End,
        Key::PageUp => AreaKey::PageUp,
        Key::PageDown => AreaKey::PageDown,
        Key::F(number) => AreaKey::F(number),
    };
    Input { key: area_key, ctrl: key.ctrl, alt: key.alt, shift: false }
}

fn sheet(model: &mut Model) -> Option<&mut LandSheet> {
    match model.sheets.last_mut() {
        Some(Sheet::Land(sheet)) => Some(sheet),
        _ => None,
    }
}

fn seen(model: &Model) -> Option<&LandSheet> {
    match model.sheets.last() {
        Some(Sheet::Land(sheet)) => Some(sheet),
        _ => None,
    }
}

/// `expect` is the snapshot that was read: another one is not landed unseen.
pub(super) fn open(model: &mut Model, id: ShadowId, expect: Option<Oid>) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        model.refuse("m waits: a write is running");
        return Vec::new();
    }
    model.answer = None;
    let mut sheet = LandSheet::new(id, expect);
    sheet.options.message = model.drafts.get(&sheet.id).cloned();
    sheet.options.only = review::chosen(model, &sheet.id);
    model.sheets.push(Sheet::Land(Box::new(sheet)));
    plan(model)
}

fn plan(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    sheet.show(Face::Planning);
    let job = Job::PlanLand { id: sheet.id.clone(), options: sheet.options.clone() };
    model.jobs.start(Slot::PlanLand, job)
}

pub(super) fn receive_plan(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let open = model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Land(sheet) => Some(sheet),
        _ => None,
    });
    let Some(sheet) = open else { return Vec::new() };
    sheet.planned_at_ms = now_ms;
    match outcome {
        Ok(Outcome::PlannedLanding(plan)) => sheet.show(Face::Planned(plan)),
        Ok(_) => {}
        Err(report) => sheet.refuse(report),
    }
    Vec::new()
}

/// Only here is a landing approved.
fn land(model: &mut Model) -> Vec<Effect> {
    let (key_frame, now_ms) = (model.key_frame, model.now_ms);
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let was_seen = sheet.drawn_in.is_some_and(|frame| key_frame >= frame);
    let Face::Planned(plan) = &sheet.face else { return Vec::new() };
    if !was_seen {
        return Vec::new();
    }
    let plan = plan.clone();
    let confirmed = (*plan).clone().confirm();
    sheet.show(Face::Running { plan, since_ms: now_ms });
    model.progress = None;
    model.jobs.start(Slot::Write, Job::Land(Box::new(confirmed)))
}

/// Back to the list, with the cursor on the next that wants a person.
pub(super) fn landed(model: &mut Model, landing: &Landing) -> Vec<Effect> {
    let plan = &landing.plan;
    let (id, target, after) = (&plan.id, &plan.target, plan.after.abbreviated());
    let text = format!("landed {id} on {target} as {after} · u takes it back");
    model.say(with_warnings(text, &landing.warnings));
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Land(open) if open.id == plan.id));
    model.drafts.remove(&plan.id);
    review::landed(model, plan);
    model.fleet.select(&plan.id);
    let next = model
        .fleet
        .find_wanting(true)
        .and_then(|index| model.fleet.visible().nth(index))
        .map(|listed| listed.row.id.clone());
    if landing.cleaned_up {
        model.fleet.remove(&plan.id);
    }
    if let Some(next) = next {
        model.fleet.select(&next);
    }
    let reads_it = match model.screen() {
        Screen::Fleet | Screen::Log => false,
        Screen::Review | Screen::Conflicts => model.subject() == Some(&plan.id),
    };
    if reads_it {
        model.enter(Screen::Fleet);
    }
    model.fleet.detail_top = 0;
    fleet::come_back(model)
}

fn choose(model: &mut Model, strategy: Strategy) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.strategy = Some(strategy);
    }
    plan(model)
}

fn toggle_keep(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.keep = !sheet.options.keep;
    }
    plan(model)
}

fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let lines = sheet.message().trim_end().lines().map(str::to_owned).collect();
    let mut editor = TextArea::new(lines);
    editor.move_cursor(CursorMove::End);
    sheet.editor = Some(editor);
    Vec::new()
}

/// The text is kept whichever key ends it; the plan is made again, for the message is part of it.
fn end_edit(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let text = sheet.message();
    sheet.editor = None;
    let unchanged = sheet.plan().is_some_and(|plan| plan.message.trim_end() == text.trim_end());
    if unchanged {
        return Vec::new();
    }
    sheet.options.message = Some(text.clone());
    let id = sheet.id.clone();
    model.drafts.insert(id, text);
    plan(model)
}

/// What a newer snapshot holds is landed only after this key.
fn plan_anew(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.options.expect = None;
    }
    plan(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let was_running = seen(model).is_some_and(LandSheet::is_running);
    model.sheets.pop();
    if was_running {
        model.say("it goes on landing; the answer comes here");
    }
    model.jobs.cancel(Slot::PlanLand)
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = seen(model).map(|sheet| sheet.id.clone()) else { return Vec::new() };
    model.sheets.pop();
    let mut effects = model.jobs.cancel(Slot::PlanLand);
    effects.extend(conflicts::open(model, id));
    effects
}

fn say_why(model: &mut Model) -> Vec<Effect> {
    let text = seen(model).map(words).unwrap_or_default();
    model.say(text);
    Vec::new()
}

fn copy_plan(model: &mut Model) -> Vec<Effect> {
    let Some(text) = seen(model).map(words) else { return Vec::new() };
    model.say("copied what the sheet says");
    vec![Effect::Copy(text)]
}

fn scroll(model: &mut Model, rows: isize) -> Vec<Effect> {
    if let Some(sheet) = sheet(model) {
        sheet.top = sheet.top.saturating_add_signed(rows).min(SCROLL_MAX);
    }
    Vec::new()
}

/// Far more lines than a sheet ever has; the view stops at its last one.
const SCROLL_MAX: usize = 200;

fn runs(model: &Model) -> Option<&'static str> {
    seen(model).is_some_and(LandSheet::is_running).then_some("it is landing")
}

fn not_planned(model: &Model) -> Option<&'static str> {
    match &seen(model)?.face {
        Face::Planned(_) => None,
        Face::Planning => Some("still working it out"),
        Face::Refused(_) => Some("it cannot land as it is: the sheet says why"),
        Face::Moved(_) => Some("something moved: R plans on what is there now"),
        Face::Running { .. } => Some("it is landing"),
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
    row("leave.sheet", "Leave; a landing that runs goes on", &["Esc", "ctrl-c"], always, leave),
    row("quit.sheet", "Leave", &["q"], always, leave),
    row("option.squash", "One commit with all of it", &["1"], runs, |model| {
        choose(model, Strategy::Squash)
    }),
    row("option.merge", "A merge commit", &["2"], runs, |model| choose(model, Strategy::Merge)),
    row("option.rebase", "Its commits, one by one", &["3"], runs, |model| {
        choose(model, Strategy::Rebase)
    }),
    row("option.keep", "Keep the shadow after it landed", &["4"], runs, toggle_keep),
    row("edit.message", "Edit the message", &["e"], runs, edit),
    row("conflicts.show", "Show and settle its conflicts", &["x"], runs, show_conflicts),
    row("again.plan", "Plan on what is there now", &["R"], runs, plan_anew),
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
    row("why.plan", "Why it lands so, or why it does not", &["i"], always, say_why),
    row("copy.plan", "Copy what the sheet says", &["y"], always, copy_plan),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    Command {
        name: "keep.text",
        help: "End editing; the text is kept",
        keys: &["Esc", "ctrl-s", "ctrl-c"],
        context: Context::Text,
        refusal: always,
        run: end_edit,
    },
];
