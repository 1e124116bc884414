//! What one git process answers for all shadows of a target. Only what is not remembered is asked.

use std::collections::BTreeMap;

use super::{
    super::Deck,
    facts::Facts,
    remembered::{Answer, Merged},
};
use crate::{
    git::{
        landed::{self, Candidate},
        merge::{self, Prediction},
        refs, snapshot,
    },
    report::Report,
    shadow::Oid,
};

/// Indexes of the facts to be asked for, by target.
type Open<T> = BTreeMap<Oid, Vec<(usize, String, T)>>;

/// What landing each would do.
pub(super) fn fill_merges(deck: &Deck, facts: &mut [Facts]) {
    let mut open: Open<Oid> = BTreeMap::new();
    for (index, fact) in facts.iter_mut().enumerate() {
        let (Some(question), Some(history), Some(snapshot)) =
            (fact.merge_question(), &fact.history, &fact.snapshot)
        else {
            continue;
        };
        if fact.merge.is_some() {
            continue;
        }
        if history.base.commits.is_empty() {
            let report = merge::unrelated(&history.target_tip, &history.tip);
            fact.blame(&report);
            continue;
        }
        match snapshot::side(&deck.repository, &snapshot.tree, &history.tip) {
            Ok(side) => {
                open.entry(history.target_tip.clone()).or_default().push((index, question, side));
            }
            Err(report) => fact.blame(&report),
        }
    }
    for (target, asked) in open {
        let sides: Vec<&Oid> = asked.iter().map(|(.., side)| side).collect();
        match merge::predict_related(&deck.repository, &target, &sides) {
            Ok(predictions) => {
                for ((index, question, _), prediction) in asked.into_iter().zip(predictions) {
                    let merged = merged(prediction);
                    facts[index].remembered.merge = Some(Answer::new(question, merged.clone()));
                    facts[index].merge = Some(merged);
                }
            }
            Err(report) => blame_all(facts, asked.iter().map(|(index, ..)| *index), &report),
        }
    }
}

fn merged(prediction: Prediction) -> Merged {
    Merged { tree: prediction.tree, clean: prediction.clean, conflicts: prediction.conflicts }
}

/// Which of those that neither ancestry nor tree proves landed have equal patches in the target.
pub(super) fn fill_landed(deck: &Deck, facts: &mut [Facts]) {
    let mut open: Open<Candidate> = BTreeMap::new();
    for (index, fact) in facts.iter().enumerate() {
        let (Some(history), Some(question)) = (&fact.history, fact.merge_question()) else {
            continue;
        };
        if !fact.asks_patches() || fact.equal_patches.is_some() {
            continue;
        }
        let candidate =
            Candidate { tip: history.tip.clone(), base_tree: history.base.tree.clone() };
        open.entry(history.target_tip.clone()).or_default().push((index, question, candidate));
    }
    for (target, asked) in open {
        let candidates: Vec<Candidate> = asked.iter().map(|(.., c)| c.clone()).collect();
        match landed::read_equal_patches(&deck.repository, &target, &candidates) {
            Ok(answers) => {
                for ((index, question, _), equal) in asked.into_iter().zip(answers) {
                    facts[index].remembered.equal_patches = Some(Answer::new(question, equal));
                    facts[index].equal_patches = Some(equal);
                }
            }
            Err(report) => blame_all(facts, asked.iter().map(|(index, ..)| *index), &report),
        }
    }
}

/// Whether the merge gives just the tree that the target has.
pub(super) fn adds_nothing(deck: &Deck, fact: &Facts) -> bool {
    let (Some(history), Some(merge)) = (&fact.history, &fact.merge) else { return false };
    merge.clean
        && refs::tree_of(&deck.repository, &history.target_tip).is_ok_and(|tree| tree == merge.tree)
}

fn blame_all(facts: &mut [Facts], indexes: impl Iterator<Item = usize>, report: &Report) {
    for index in indexes {
        facts[index].blame(report);
    }
}
