//! What a landing needs a person's consent for: an unticked line each, which `Enter` never takes along.

use super::{
    Effect, Model,
    land_sheet::{self, Face, LandSheet},
};
use crate::{
    report::{Code, Report},
    review::{Consent, LandPlan, Trust},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The plan itself asks for it, and is made anew with it.
    Trust,
    /// Somebody is at work in the directory that goes to the trash.
    AtWork,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub kind: Kind,
    pub words: String,
    /// Names just this state of it.
    pub mark: String,
    pub ticked: bool,
}

impl Asked {
    fn of(consent: Consent) -> Self {
        let Consent { words, mark } = consent;
        Self { kind: Kind::Trust, words, mark, ticked: false }
    }
}

/// What was ticked stays so while it is the same thing; what is otherwise now is asked anew.
fn merge(before: &[Asked], new: &[Asked]) -> Vec<Asked> {
    let is_asked_anew = |old: &Asked| new.iter().any(|asked| asked.words == old.words);
    let is_known = |asked: &Asked| {
        before
            .iter()
            .any(|old| old.ticked && (&old.mark, &old.words) == (&asked.mark, &asked.words))
    };
    let covered =
        before.iter().filter(|old| old.kind == Kind::Trust && old.ticked && !is_asked_anew(old));
    // Trust that was given whole and is wanted all the same was given for another state.
    let was_trusted = before.iter().filter(|old| old.kind == Kind::Trust).all(|old| old.ticked);
    let asked = new.iter().cloned().map(|asked| {
        let holds = asked.kind == Kind::AtWork || !was_trusted;
        Asked { ticked: holds && is_known(&asked), ..asked }
    });
    covered.cloned().chain(asked).collect()
}

impl LandSheet {
    pub(super) fn take_plan_consents(&mut self, plan: &LandPlan) {
        let mut new: Vec<Asked> = plan.needs_trust.iter().cloned().map(Asked::of).collect();
        if !plan.keep && !plan.at_work.is_empty() {
            let named = plan.at_work.iter().map(|p| format!("{} (pid {})", p.name, p.pid));
            let named = named.collect::<Vec<_>>().join(", ");
            new.push(Asked {
                kind: Kind::AtWork,
                words: format!("{named} is at work in it, and its directory goes to the trash"),
                mark: named,
                ticked: false,
            });
        }
        self.consents = merge(&self.consents, &new);
    }

    /// A refusal may be for want of trust alone: it names what it wants.
    pub(super) fn take_refused_consents(&mut self, report: &Report) {
        let texts = |name: &str| -> Vec<String> {
            let list = report.details.get(name).and_then(|value| value.as_array());
            list.into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
        };
        let new = if report.code == Code::NotTrusted {
            let pairs = texts("needs_trust").into_iter().zip(texts("marks"));
            pairs.map(|(words, mark)| Asked::of(Consent { words, mark })).collect()
        } else {
            Vec::new()
        };
        self.consents = merge(&self.consents, &new);
    }

    pub fn lacks_consent(&self) -> bool {
        self.consents.iter().any(|asked| !asked.ticked)
    }

    /// Nothing is trusted before every line of it was ticked: several lines may be of one state.
    fn trust(&self) -> Trust {
        let asked = || self.consents.iter().filter(|asked| asked.kind == Kind::Trust);
        let mut marks: Vec<String> = asked().map(|asked| asked.mark.clone()).collect();
        marks.dedup();
        if marks.is_empty() || asked().any(|asked| !asked.ticked) {
            return Trust::AsRecorded;
        }
        Trust::Shown(marks)
    }
}

/// Ticks the next one, or takes all back where all are ticked.
pub(super) fn tick(model: &mut Model) -> Vec<Effect> {
    model.drop_refusal();
    let Some(sheet) = land_sheet::sheet(model) else { return Vec::new() };
    match sheet.consents.iter_mut().find(|asked| !asked.ticked) {
        Some(next) => next.ticked = true,
        None => sheet.consents.iter_mut().for_each(|asked| asked.ticked = false),
    }
    let trust = sheet.trust();
    if sheet.options.trust == trust {
        // What is drawn has changed: it is approved only as it is drawn now.
        sheet.drawn_in = None;
        return Vec::new();
    }
    sheet.options.trust = trust;
    land_sheet::plan(model)
}

pub(super) fn nothing_asked(model: &Model) -> Option<&'static str> {
    let sheet = land_sheet::seen(model)?;
    match &sheet.face {
        Face::Running(_) => Some("it is landing"),
        // What was consented to stands in no line of a refusal.
        Face::Refused(_) | Face::Moved(_) if !sheet.lacks_consent() => {
            Some("nothing here needs your consent")
        }
        _ if sheet.consents.is_empty() => Some("nothing here needs your consent"),
        _ => None,
    }
}
