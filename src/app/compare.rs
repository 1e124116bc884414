//! Comparing a shadow with something else than its own base: what there is to choose from, and the comparison itself.
//! It is for reading alone: what lands is counted from the base, whatever a person compares with.

use std::sync::Arc;

use super::{
    Effect, Model, Screen, Sheet,
    job::{Job, Outcome, Slot},
    palette::{self, Palette},
    prompt::Purpose,
    review::{self, View},
    review_open::come_in,
    review_views,
};
use crate::{
    report::Report,
    review::{Against, ReviewPage, digest::digests, marks::Mark, visible::visible},
    shadow::ShadowId,
};

/// What can be chosen: its name, what it is, and what it stands for; `None` is its own base.
pub struct Choice {
    pub name: String,
    pub says: String,
    pub against: Option<Against>,
}

/// `B`: a picker. Branches and tags join as soon as they are read.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    palette::open(model, Purpose::Against);
    model.jobs.start(Slot::Names, Job::Names)
}

pub(super) fn receive_names(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let open = model.sheets.iter_mut().find_map(|sheet| match sheet {
        Sheet::Palette(palette) if palette.prompt.purpose == Purpose::Against => Some(palette),
        _ => None,
    });
    match outcome {
        Ok(Outcome::Names(names)) => {
            if let Some(palette) = open {
                palette.names = names;
            }
        }
        Ok(_) => {}
        Err(report) => model.fail(&report),
    }
    Vec::new()
}

/// Its own base first, then the other shadows, then what git has names for.
pub(super) fn choices(model: &Model, palette: &Palette) -> Vec<Choice> {
    let here = model.subject();
    let own = Choice {
        name: "as it lands".to_owned(),
        says: "its own change, from the base that landing counts from".to_owned(),
        against: None,
    };
    let others = model.fleet.listed.iter().map(|listed| &listed.row);
    let others = others.filter(|row| Some(&row.id) != here && row.problem.is_none());
    let shadows = others.map(|row| {
        let branch = row.branch.as_ref().map_or_else(String::new, |branch| format!(" · {branch}"));
        let against = Some(Against::Shadow(row.id.clone()));
        Choice { name: row.id.0.clone(), says: format!("shadow, as it is now{branch}"), against }
    });
    let before = Choice {
        name: "HEAD~1".to_owned(),
        says: "the commit before its last; any commit can be typed".to_owned(),
        against: Some(Against::Revision("HEAD~1".to_owned())),
    };
    let names = palette.names.iter().map(|known| {
        let kind = match &known.against {
            Against::Branch(_) => "branch",
            Against::Tag(_) => "tag",
            _ => "remote branch",
        };
        let subject = visible(known.subject.as_bytes());
        let says = format!("{kind} · {} {subject}", known.tip.abbreviated());
        Choice { name: known.against.words(), says, against: Some(known.against.clone()) }
    });
    std::iter::once(own).chain(shadows).chain([before]).chain(names).collect()
}

/// The shadow that the picker was opened on is compared with it, in Review; or as it lands again.
pub(super) fn choose(model: &mut Model, against: Option<Against>) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    let Some(against) = against else { return take_back(model, &id) };
    let mut effects =
        if model.screen() == Screen::Review { Vec::new() } else { review::open(model, id) };
    if let Some(screen) = &mut model.review {
        screen.asked = Some(against);
        // Else as soon as its page is there.
        if screen.whole.is_some() {
            effects.extend(show(model));
        }
    }
    effects
}

fn take_back(model: &mut Model, id: &ShadowId) -> Vec<Effect> {
    let had = model.memory.marks.against.contains_key(id);
    if had {
        model.memory.mark(Mark::Against(id.clone(), None));
    }
    let open = model.review.as_mut().filter(|screen| screen.id == *id);
    let was_shown = open.is_some_and(|screen| {
        (screen.asked, screen.against) = (None, None);
        screen.view == View::Against
    });
    let effects = if was_shown { review_views::show(model, View::All) } else { Vec::new() };
    if let Some(screen) = model.review.as_mut().filter(|screen| screen.id == *id) {
        screen.parts.remove(&View::Against);
    }
    let words =
        if had || was_shown { "is shown as it lands again" } else { "is shown as it lands" };
    model.say(format!("{id} {words}"));
    effects
}

/// What was chosen is read; what was read is shown at once.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let Some(whole) = &screen.whole else { return Vec::new() };
    let Some(against) = screen.asked.clone() else {
        let view =
            if screen.parts.contains_key(&View::Against) { View::Against } else { View::All };
        review_views::display(model, view);
        return Vec::new();
    };
    screen.wanted = Some(View::Against);
    let (id, snapshot) = (screen.id.clone(), whole.snapshot.clone());
    model.say(format!("comparing with {}", against.words()));
    model.jobs.start(Slot::Part, Job::Against { id, snapshot, against })
}

/// It is remembered from here on: it was there, and something differs.
pub(super) fn receive(model: &mut Model, page: ReviewPage) {
    let Some(screen) = &mut model.review else { return };
    let is_of_page = screen.whole.as_ref().is_some_and(|whole| whole.snapshot == page.snapshot);
    let Some(against) = screen.asked.take().filter(|_| is_of_page) else { return };
    if page.files.is_empty() {
        let is_bare = screen.page.is_none();
        if is_bare {
            come_in(model);
        }
        model.say(format!("{}: nothing differs from it", against.words()));
        return;
    }
    let id = screen.id.clone();
    screen.against_digests = page.files.iter().map(digests).collect();
    screen.parts.insert(View::Against, Arc::new(page));
    screen.against = Some(against.clone());
    if model.memory.marks.against.get(&id) != Some(&against) {
        model.memory.mark(Mark::Against(id, Some(against)));
    }
    review_views::display(model, View::Against);
}
