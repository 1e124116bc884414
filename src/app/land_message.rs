//! The message of what lands: edited here or in the person's own editor. What was typed is never lost: it is kept
//! through leaving, restarting and even through choosing the generated message instead.

use tui_textarea::CursorMove;

use super::{
    Effect, Model, comment_sheet,
    land_sheet::{LandSheet, plan, seen, sheet},
    text_field,
};
use crate::{
    report::Report,
    review::marks::{Draft, Mark},
    shadow::ShadowId,
};

impl LandSheet {
    /// What the message is now: as edited, else as planned.
    pub fn message(&self) -> String {
        match (&self.editor, &self.options.message, self.plan()) {
            (Some(editor), ..) => editor.lines().join("\n"),
            (None, Some(message), _) => message.clone(),
            (None, None, Some(plan)) => plan.message.clone(),
            (None, None, None) => String::new(),
        }
    }
}

pub(super) fn draft_of<'a>(model: &'a Model, id: &ShadowId) -> Option<&'a Draft> {
    model.memory.marks.drafts.get(id)
}

/// The message that a plan is made with: the draft, unless the generated one was chosen over it.
pub(super) fn wanted(model: &Model, id: &ShadowId) -> Option<String> {
    draft_of(model, id).filter(|draft| draft.is_used).map(|draft| draft.text.clone())
}

pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let lines = sheet.message().trim_end().lines().map(str::to_owned).collect();
    sheet.editor = Some(text_field::new(lines, CursorMove::End));
    Vec::new()
}

pub(super) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    let text = seen(model).map(LandSheet::message).unwrap_or_default();
    vec![Effect::EditMessage { text }]
}

/// Back from the editor.
pub(super) fn edited(model: &mut Model, outcome: Result<String, Report>) -> Vec<Effect> {
    match outcome {
        Ok(text) if comment_sheet::edited(model, &text) => Vec::new(),
        Ok(text) => take(model, text),
        Err(report) => {
            model.fail(&report);
            Vec::new()
        }
    }
}

/// The text is kept whichever key ends it; the plan is made again, for the message is part of it.
pub(super) fn end_edit(model: &mut Model) -> Vec<Effect> {
    if model.sheets.is_empty() {
        return super::conflict_edit::end_edit(model);
    }
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let text = sheet.message();
    sheet.editor = None;
    take(model, text)
}

fn take(model: &mut Model, text: String) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let id = sheet.id.clone();
    let is_generated = sheet.options.message.is_none();
    let unchanged = sheet.plan().is_some_and(|plan| plan.message.trim_end() == text.trim_end());
    let is_empty = text.trim().is_empty();
    if is_empty || (unchanged && is_generated) {
        sheet.options.message = None;
        let kept = draft_of(model, &id).filter(|draft| draft.is_used).cloned();
        if let Some(draft) = kept {
            model.memory.mark(Mark::Draft(id, Some(Draft { is_used: false, ..draft })));
        }
        if is_empty {
            model.say("the generated message again");
        }
        return if unchanged { Vec::new() } else { plan(model) };
    }
    sheet.options.message = Some(text.clone());
    model.memory.mark(Mark::Draft(id, Some(Draft { text, is_used: true })));
    if unchanged { Vec::new() } else { plan(model) }
}

/// What is typed just now is kept with every tick, so that no end of the program takes it along.
pub(super) fn keep_draft(model: &mut Model) {
    let Some(sheet) = sheet(model) else { return };
    if sheet.editor.is_none() {
        return;
    }
    let (id, text) = (sheet.id.clone(), sheet.message());
    let as_planned = sheet.plan().is_some_and(|plan| plan.message.trim_end() == text.trim_end());
    let is_known = draft_of(model, &id).is_some_and(|draft| draft.text == text);
    if !as_planned && !is_known && !text.trim().is_empty() {
        model.memory.mark(Mark::Draft(id, Some(Draft { text, is_used: true })));
    }
}

/// The generated message in place of the person's own, and back: neither is lost.
pub(super) fn switch(model: &mut Model) -> Vec<Effect> {
    let Some(id) = seen(model).map(|sheet| sheet.id.clone()) else { return Vec::new() };
    let Some(draft) = draft_of(model, &id).cloned() else { return Vec::new() };
    let is_used = !draft.is_used;
    let message = is_used.then(|| draft.text.clone());
    model.memory.mark(Mark::Draft(id, Some(Draft { is_used, ..draft })));
    model.say(if is_used {
        "your own message again"
    } else {
        "the generated message; yours is kept · the same key brings it back"
    });
    if let Some(sheet) = sheet(model) {
        sheet.options.message = message;
    }
    plan(model)
}

pub(super) fn no_draft(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    if sheet.is_running() {
        return Some("it is landing");
    }
    draft_of(model, &sheet.id).is_none().then_some("the message is the generated one")
}
