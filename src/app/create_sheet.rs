//! A new shadow: its name is typed on a sheet, and `Enter` there makes it.

use super::{
    Command, Context, Effect, Model, Sheet,
    answer::Answer,
    fleet,
    job::{Job, Slot},
    keymap::KeyPress,
    prompt::{Prompt, Purpose},
    running,
};
use crate::{report::Report, shadow::ShadowId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    Asking,
    Refused(Report),
    Running,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateSheet {
    /// Empty: two friendly words are chosen.
    pub prompt: Prompt,
    pub face: Face,
    /// The first frame that showed what is asked now.
    pub drawn_in: Option<u64>,
}

impl CreateSheet {
    pub fn name(&self) -> &str {
        self.prompt.text.trim()
    }

    pub fn is_running(&self) -> bool {
        self.face == Face::Running
    }

    pub(super) fn drawn(&mut self, frame: u64) {
        self.drawn_in.get_or_insert(frame);
    }

    pub(super) fn refuse(&mut self, report: Report) {
        self.face = Face::Refused(report);
    }

    pub(super) fn paste(&mut self, text: &str) -> Option<String> {
        if self.is_running() {
            return None;
        }
        let cut = self.prompt.push_text(text);
        self.changed();
        cut
    }

    pub(super) fn type_key(&mut self, key: KeyPress) {
        if !self.is_running() {
            self.prompt.type_key(key);
            self.changed();
        }
    }

    /// Another name is another question.
    fn changed(&mut self) {
        self.face = Face::Asking;
        self.drawn_in = None;
    }
}

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        model.refuse("C waits: a write is running");
        return Vec::new();
    }
    let prompt = Prompt::new(Purpose::Shadow, "");
    model.answer = None;
    model.sheets.push(Sheet::Create(CreateSheet { prompt, face: Face::Asking, drawn_in: None }));
    Vec::new()
}

fn create(model: &mut Model) -> Vec<Effect> {
    let (key_frame, busy) = (model.key_frame, model.jobs.is_open(Slot::Write));
    let Some(Sheet::Create(sheet)) = model.sheets.last_mut() else { return Vec::new() };
    let was_seen = sheet.drawn_in.is_some_and(|frame| key_frame >= frame);
    if !was_seen || busy {
        return Vec::new();
    }
    let id = Some(sheet.name().to_owned()).filter(|name| !name.is_empty());
    sheet.face = Face::Running;
    running::begin(model, Job::Create { id })
}

/// The cursor goes to it as soon as the list has it.
pub(super) fn created(model: &mut Model, id: ShadowId, warnings: &[String]) -> Vec<Effect> {
    let done = format!("made {id} · its worktree is there for an agent");
    model.answer = Some(Answer::of_operation(&done, ["u", "takes it back"], warnings));
    model.sheets.retain(|sheet| !matches!(sheet, Sheet::Create(_)));
    model.fleet.awaited = Some(id);
    fleet::come_back(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    model.sheets.pop();
    Vec::new()
}

fn runs(model: &Model) -> Option<&'static str> {
    match model.sheets.last() {
        Some(Sheet::Create(sheet)) if sheet.is_running() => Some("it is being made"),
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
    Command { name, help, keys, context: Context::CreateSheet, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("confirm.create", "Make it", &["Enter"], runs, create),
    row("leave.sheet", "Leave", &["Esc", "ctrl-c"], runs, leave),
];
