//! Where a person was, so that `ctrl-o` goes back there: a screen and the shadow it was about.

use super::{
    Command, Context, Effect, Model, Screen, command::always, conflicts, fleet, log, radar, review,
    review_chosen, review_moves,
};
use crate::shadow::ShadowId;

/// Older ones are forgotten.
const SPOTS_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    screen: Screen,
    id: Option<ShadowId>,
}

#[derive(Debug, Default)]
pub struct Trail {
    back: Vec<Spot>,
    forward: Vec<Spot>,
}

fn here(model: &Model) -> Spot {
    Spot { screen: model.screen(), id: model.subject().cloned() }
}

/// Call it before going somewhere else.
pub(super) fn note(model: &mut Model) {
    let spot = here(model);
    let trail = &mut model.trail;
    trail.forward.clear();
    if trail.back.last() != Some(&spot) {
        trail.back.push(spot);
        let surplus = trail.back.len().saturating_sub(SPOTS_MAX);
        trail.back.drain(..surplus);
    }
}

fn go_back(model: &mut Model) -> Vec<Effect> {
    // A jump within the diff is the last place before the screen itself.
    if model.screen() == Screen::Review && review_chosen::has_jumped(model) {
        return review_moves::go_back(model);
    }
    let from = here(model);
    while let Some(spot) = model.trail.back.pop() {
        if spot != from {
            model.trail.forward.push(from);
            return visit(model, spot);
        }
    }
    model.refuse("ctrl-o: there is no place before this one");
    Vec::new()
}

fn go_forward(model: &mut Model) -> Vec<Effect> {
    let from = here(model);
    let Some(spot) = model.trail.forward.pop() else {
        model.refuse("there is no place after this one");
        return Vec::new();
    };
    model.trail.back.push(from);
    visit(model, spot)
}

/// Walking the trail leaves it as it is.
fn visit(model: &mut Model, spot: Spot) -> Vec<Effect> {
    let trail = std::mem::take(&mut model.trail);
    review::remember_place(model);
    let effects = match (spot.screen, spot.id) {
        (Screen::Review, Some(id)) => review::open(model, id),
        (Screen::Conflicts, Some(id)) => conflicts::come_back(model, id),
        (Screen::Radar, _) => radar::open(model),
        (Screen::Log, _) => log::open(model),
        (_, id) => {
            model.enter(Screen::Fleet);
            if let Some(id) = id {
                model.fleet.show(&id);
            }
            fleet::keep_in_view(model);
            Vec::new()
        }
    };
    model.trail = trail;
    effects
}

const fn back(context: Context) -> Command {
    Command {
        name: "go.back",
        help: "Back to the last place",
        keys: &["ctrl-o"],
        context,
        refusal: always,
        run: go_back,
    }
}

/// `ctrl-i` is what most terminals send for `Tab`: it comes from those that can tell, `ctrl-n` from all.
const fn forward(context: Context) -> Command {
    Command {
        name: "go.forward",
        help: "Forward again, where ctrl-o came from",
        keys: &["ctrl-n", "ctrl-i"],
        context,
        refusal: always,
        run: go_forward,
    }
}

pub const COMMANDS: &[Command] = &[
    back(Context::Fleet),
    back(Context::Review),
    back(Context::Conflicts),
    back(Context::Radar),
    back(Context::Log),
    forward(Context::Fleet),
    forward(Context::Review),
    forward(Context::Conflicts),
    forward(Context::Radar),
    forward(Context::Log),
];
