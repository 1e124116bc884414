//! What the list knows of each shadow, for whoever compares them with each other.

use super::{Asked, Place, cache, facts::Facts, read_side_by_side};
use crate::{
    git::{private, snapshot},
    ops::{Deck, ground::Ground},
    report::{Code, Report},
    shadow::{BranchName, Oid, ShadowId},
};

pub(in crate::ops) struct Side {
    pub(in crate::ops) id: ShadowId,
    pub(in crate::ops) target: Option<BranchName>,
    /// Or why it cannot be compared.
    pub(in crate::ops) standing: Result<Standing, String>,
}

/// Where it stands, with all that it holds.
pub(in crate::ops) struct Standing {
    pub(in crate::ops) target_tip: Oid,
    pub(in crate::ops) tip: Oid,
    /// A commit of its snapshot; the tip itself where nothing is uncommitted.
    pub(in crate::ops) commit: Oid,
    /// The best ancestors that it has in common with its target.
    pub(in crate::ops) bases: Vec<Oid>,
    /// What git judges by that is in no tree, as a name.
    pub(in crate::ops) rules: String,
}

/// Of all shadows. One that cannot be read says so for itself.
pub(in crate::ops) fn read(
    deck: &Deck,
    ground: &Ground,
    cancel: &std::sync::atomic::AtomicBool,
) -> Result<Vec<Side>, Report> {
    let shadows: Vec<&Place> = ground.shadows().collect();
    let asked = Asked::quietly(&shadows, cancel);
    let sides = read_once(deck, ground, &asked)?;
    // As the list does: objects of ours that a crash left empty are dropped, and all is read once more.
    let has_failed = sides.iter().any(|side| side.standing.is_err());
    if has_failed && private::drop_empty(&deck.repository)? > 0 {
        return read_once(deck, ground, &asked);
    }
    Ok(sides)
}

fn read_once(deck: &Deck, ground: &Ground, asked: &Asked<'_>) -> Result<Vec<Side>, Report> {
    let cache = &cache(deck);
    let facts = read_side_by_side(asked, || {
        |place: &Place| Facts::read_standing(deck, ground, place, cache)
    })?;
    for fact in &facts {
        fact.keep(cache);
    }
    Ok(of(deck, ground, facts))
}

pub(super) fn of(deck: &Deck, ground: &Ground, facts: Vec<Facts>) -> Vec<Side> {
    let side = |fact: Facts| {
        let id = fact.place.worktree.id.clone();
        let target = ground.target_of(&fact.place);
        Side { id, target, standing: stand(deck, fact) }
    };
    facts.into_iter().map(side).collect()
}

fn stand(deck: &Deck, mut fact: Facts) -> Result<Standing, String> {
    let (Some(history), Some(snapshot)) = (fact.history.take(), fact.snapshot.take()) else {
        return Err(fact.problem.unwrap_or_else(|| "it has no commit to start from".to_owned()));
    };
    let commit = snapshot::side(&deck.repository, &snapshot.tree, &history.tip);
    let commit = commit.map_err(|report| {
        fact.blame(&report);
        fact.problem.clone().unwrap_or(report.headline)
    })?;
    Ok(Standing {
        target_tip: history.target_tip,
        tip: history.tip,
        commit,
        bases: history.base.commits,
        rules: fact.rules,
    })
}

/// A shadow by its id, or why there is none to compare.
pub(in crate::ops) fn find<'a>(sides: &'a [Side], id: &ShadowId) -> Result<&'a Standing, Report> {
    let found = sides.iter().find(|side| side.id == *id);
    match found.map(|side| &side.standing) {
        Some(Ok(standing)) => Ok(standing),
        Some(Err(why)) => {
            Err(Report::user(Code::WrongState, format!("{id} cannot be compared: {why}"))
                .unchanged()
                .hint("mend that first, then compare again"))
        }
        None => Err(Report::user(Code::NotFound, format!("there is no shadow {id}"))
            .unchanged()
            .hint("`shadowdeck list` names them")),
    }
}
