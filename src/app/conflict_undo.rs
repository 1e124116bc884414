//! What `u` takes back among conflicts and `ctrl-r` does again: choices, also those for another commit of a rebase, and
//! what was written to the agent.

use super::{
    Effect, Model,
    conflict_choices::write_next,
    conflicts::{Choice, ConflictsScreen},
    review::panes,
    review_comments,
};
use crate::review::{ConflictFile, Resolution, comment::Change, name::visible_name};

/// What was done at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Names of one file change together.
    Chosen(Vec<Exchange>),
    Noted {
        back: Change,
        again: Change,
        what: String,
    },
}

/// A choice, and what it took the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    before: Option<Resolution>,
    after: Choice,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Back,
    Again,
}

impl Deed {
    fn choices(&self, turn: Turn) -> Vec<Choice> {
        let Self::Chosen(all) = self else { return Vec::new() };
        let choice = |Exchange { before, after }: &Exchange| match turn {
            Turn::Back => Choice { resolution: before.clone(), ..after.clone() },
            Turn::Again => after.clone(),
        };
        all.iter().map(choice).collect()
    }
}

pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    // What was settled before this visit is opened where the cursor is.
    let Some(deed) = screen.taken.pop().or_else(|| screen.opened_here()) else {
        return Vec::new();
    };
    screen.undone.push(deed.clone());
    turn(model, &deed, Turn::Back)
}

/// What `u` took back is chosen again.
pub(super) fn choose_again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(deed) = screen.undone.pop() else { return Vec::new() };
    screen.taken.push(deed.clone());
    turn(model, &deed, Turn::Again)
}

fn turn(model: &mut Model, deed: &Deed, turn: Turn) -> Vec<Effect> {
    if let Deed::Noted { back, again, what } = deed {
        let (change, said) = match turn {
            Turn::Back => (back, format!("taken back: {what} · ctrl-r does it again")),
            Turn::Again => (again, format!("{what} again as it was")),
        };
        let id = model.conflicts.as_ref().map(|screen| screen.id.clone());
        if let Some(id) = id {
            review_comments::turn(model, id, change.clone(), said);
        }
        return Vec::new();
    }
    let choices = deed.choices(turn);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    // Those of another commit of a rebase: its conflicts, or those after it, are shown then.
    let names = if choices.iter().any(|choice| choice.step != screen.step()) {
        let names: Vec<_> =
            choices.iter().map(|choice| visible_name(choice.path.as_bytes())).collect();
        screen.queue.extend(choices);
        names.join(", ")
    } else {
        let exchanged = screen.choose_all(choices);
        go_to_first(model, &exchanged)
    };
    model.say(match turn {
        Turn::Back => format!("{names}: the choice is taken back · ctrl-r makes it again"),
        Turn::Again => format!("{names}: chosen again"),
    });
    write_next(model)
}

/// The file that changed under the cursor, at the place that did; says its name.
fn go_to_first(model: &mut Model, exchanged: &[Exchange]) -> String {
    let rows = panes(model.viewport).rows;
    let (Some(screen), Some(Exchange { before, after })) =
        (&mut model.conflicts, exchanged.first())
    else {
        return String::new();
    };
    let at = screen.files().iter().position(|file| file.conflict.path == after.path);
    let at = at.unwrap_or(screen.cursor);
    let place = screen.files().get(at).and_then(|file| {
        let known = match before {
            Some(Resolution::Places(decided)) => &decided[..],
            _ => &[],
        };
        let then = file.weave.as_ref()?.takes(known.iter());
        then.iter().zip(&file.takes).position(|(then, now)| then != now)
    });
    screen.go_to((at, place.unwrap_or(0)), rows);
    visible_name(after.path.as_bytes())
}

impl ConflictsScreen {
    pub(super) fn done(&mut self, deed: Deed) {
        self.taken.push(deed);
        self.undone.clear();
    }

    /// What `u` would take back, by name.
    pub fn taken_last(&self) -> Option<String> {
        Some(match self.taken.last()? {
            Deed::Chosen(all) => visible_name(all.first()?.after.path.as_bytes()),
            Deed::Noted { what, .. } => what.clone(),
        })
    }

    /// With what it took the place of.
    pub(super) fn choose_all(&mut self, choices: Vec<Choice>) -> Vec<Exchange> {
        let exchange = |after: Choice| {
            let before = self.choose(after.path.clone(), after.resolution.clone());
            Exchange { before, after }
        };
        choices.into_iter().map(exchange).collect()
    }

    /// What is chosen here, to be opened again: the place that is shown, or the file with its other names.
    fn opened_here(&self) -> Option<Deed> {
        let file = self.file()?;
        let step = self.step();
        self.settled_here()?;
        let exchange = |file: &ConflictFile, before: Option<Resolution>| {
            let (path, resolution) = (file.conflict.path.clone(), file.answer());
            Exchange { before, after: Choice { step, path, resolution } }
        };
        if let (Some(weave), Some(_)) = (&file.weave, self.take_here()) {
            let mut takes = file.takes.clone();
            takes[self.clash] = None;
            let left = weave.decided(&takes);
            let opened = (!left.is_empty()).then_some(Resolution::Places(left));
            let of = |choice: Choice| {
                let mut files = self.files().iter();
                let file = files.find(|file| file.conflict.path == choice.path)?;
                Some(exchange(file, choice.resolution))
            };
            let all = self.under_all_names(file, opened.as_ref()).into_iter().filter_map(of);
            return Some(Deed::Chosen(all.collect()));
        }
        let names = &file.conflict.names;
        let others = self.files().iter().filter(|other| names.contains(&other.conflict.path));
        let all = std::iter::once(file).chain(others);
        Some(Deed::Chosen(all.map(|file| exchange(file, None)).collect()))
    }
}
