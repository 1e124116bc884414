//! What happened to the list while nobody looked at it: said once in the top rule, walked by `n`.

use std::collections::BTreeMap;

use super::{
    Effect, Model, fleet_known,
    job::{Job, Slot},
};
use crate::{
    review::{News, SeenList, SeenRow},
    shadow::ShadowId,
};

/// So long without a key and the person counts as gone.
const AWAY_MS: u64 = 10 * 60 * 1000;

/// What the list was when a person was last there.
#[derive(Debug, Default)]
pub struct Seen {
    /// `None` until it is known whether there was an earlier visit.
    pub(super) list: Option<SeenList>,
    asked: bool,
    last_key_ms: u64,
}

/// What is new since then. Rows that have been gone to are walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Away {
    pub since_ms: u64,
    pub news: Vec<(ShadowId, News)>,
    pub gone: usize,
    pub walked: Vec<ShadowId>,
}

impl Away {
    fn between(before: &SeenList, now: &[SeenRow]) -> Option<Self> {
        let known: BTreeMap<&ShadowId, &SeenRow> =
            before.rows.iter().map(|row| (&row.id, row)).collect();
        let news: Vec<(ShadowId, News)> = now
            .iter()
            .filter_map(|row| {
                let news = News::between(known.get(&row.id).copied(), row)?;
                Some((row.id.clone(), news))
            })
            .collect();
        let gone = before.rows.iter().filter(|row| now.iter().all(|now| now.id != row.id)).count();
        let is_news = !news.is_empty() || gone > 0;
        is_news.then(|| Self { since_ms: before.time_ms, news, gone, walked: Vec::new() })
    }

    pub fn is_unwalked(&self, id: &ShadowId) -> bool {
        self.news.iter().any(|(new, _)| new == id) && !self.walked.contains(id)
    }

    pub fn has_unwalked(&self) -> bool {
        self.news.iter().any(|(id, _)| !self.walked.contains(id))
    }

    /// `2 new, 1 now conflicts, agent-brave-otter stopped`.
    pub fn sentence(&self) -> String {
        let mut kinds: Vec<News> = self.news.iter().map(|(_, news)| *news).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut parts: Vec<String> = kinds
            .into_iter()
            .map(|kind| {
                let of: Vec<&ShadowId> =
                    self.news.iter().filter(|(_, news)| *news == kind).map(|(id, _)| id).collect();
                match (&of[..], kind) {
                    ([only], News::Asks | News::Stopped) => format!("{only} {}", kind.words()),
                    (several, _) => format!("{} {}", several.len(), kind.words()),
                }
            })
            .collect();
        if self.gone > 0 {
            parts.push(format!("{} gone", self.gone));
        }
        parts.join(", ")
    }
}

pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    model.jobs.start(Slot::Seen, Job::ReadSeen)
}

/// The last visit is known, or that there was none.
pub(super) fn receive(model: &mut Model, before: Option<SeenList>) -> Vec<Effect> {
    if model.fleet.seen.asked {
        return Vec::new();
    }
    model.fleet.seen.asked = true;
    model.fleet.seen.list = before;
    if model.fleet.complete {
        return compare(model);
    }
    fleet_known::fill(model);
    Vec::new()
}

/// The list is whole: it is compared with what was last seen, unless someone is watching it anyway.
pub(super) fn list_is_whole(model: &mut Model) -> Vec<Effect> {
    if !model.fleet.seen.asked {
        return Vec::new();
    }
    let is_first = !model.fleet.seen.compared();
    if is_first {
        return compare(model);
    }
    let is_here = model.now_ms.saturating_sub(model.fleet.seen.last_key_ms) < AWAY_MS;
    if is_here { note(model) } else { Vec::new() }
}

/// Someone is there. After a long silence the list is compared with what it was before that.
pub(super) fn key_pressed(model: &mut Model) -> Vec<Effect> {
    let silent_ms = model.now_ms.saturating_sub(model.fleet.seen.last_key_ms);
    model.fleet.seen.last_key_ms = model.now_ms;
    let returns = silent_ms >= AWAY_MS && model.fleet.seen.compared() && model.fleet.complete;
    if returns { compare(model) } else { Vec::new() }
}

fn rows(model: &Model) -> Vec<SeenRow> {
    model.fleet.listed.iter().map(|listed| SeenRow::of(&listed.row)).collect()
}

fn compare(model: &mut Model) -> Vec<Effect> {
    let before = model.fleet.seen.list.take();
    let now = rows(model);
    model.fleet.away = before.as_ref().and_then(|before| Away::between(before, &now));
    if model.fleet.seen.last_key_ms == 0 {
        model.fleet.seen.last_key_ms = model.now_ms;
    }
    walk(model);
    note(model)
}

/// What is on the screen now has been seen; it is kept when it is another than before.
fn note(model: &mut Model) -> Vec<Effect> {
    let list = SeenList { time_ms: model.now_ms, rows: rows(model) };
    let is_same = model.fleet.seen.list.as_ref().is_some_and(|seen| seen.rows == list.rows);
    model.fleet.seen.list = Some(list.clone());
    if is_same { Vec::new() } else { model.jobs.start(Slot::Seen, Job::WriteSeen(list)) }
}

impl Seen {
    fn compared(&self) -> bool {
        self.last_key_ms > 0 && self.list.is_some()
    }
}

/// The row under the cursor has been gone to; when all have, there is no news any more.
pub(super) fn walk(model: &mut Model) {
    let Some(id) = model.fleet.selected().map(|row| row.id.clone()) else { return };
    let Some(away) = &mut model.fleet.away else { return };
    if away.is_unwalked(&id) {
        away.walked.push(id);
    }
}

/// What to keep when the program ends: the list and when it was left.
pub fn last_seen(model: &Model) -> Option<SeenList> {
    let list = model.fleet.seen.list.clone()?;
    Some(SeenList { time_ms: model.fleet.seen.last_key_ms.max(list.time_ms), ..list })
}
