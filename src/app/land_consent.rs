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
    let asked = new
        .iter()
        .cloned()
        .map(|asked| Asked { ticked: asked.kind == Kind::AtWork && is_known(&asked), ..asked });
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

    fn trust(&self) -> Trust {
        let trusted = self.consents.iter().filter(|c| c.kind == Kind::Trust && c.ticked);
        let marks: Vec<String> = trusted.map(|asked| asked.mark.clone()).collect();
        if marks.is_empty() { Trust::AsRecorded } else { Trust::Shown(marks) }
    }
}

/// Ticks the next one, or takes all back where all are ticked. Lines of one state are ticked together: nobody can
/// trust half of it.
pub(super) fn tick(model: &mut Model) -> Vec<Effect> {
    model.drop_refusal();
    let Some(sheet) = land_sheet::sheet(model) else { return Vec::new() };
    let next = sheet.consents.iter().find(|asked| !asked.ticked).map(|asked| asked.mark.clone());
    for asked in &mut sheet.consents {
        asked.ticked = match &next {
            Some(mark) => asked.ticked || asked.mark == *mark,
            None => false,
        };
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
        _ if sheet.consents.is_empty() => Some("nothing here needs your consent"),
        _ => None,
    }
}
