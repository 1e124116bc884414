//! What one git process answers for all shadows of a target. Only what is not remembered is asked.

use std::collections::BTreeMap;

use super::{
    super::Deck,
    facts::Facts,
    remembered::{Answer, Changed, Merged},
};
use crate::{
    git::{
        diff::{self, Pair},
        landed::{self, Candidate},
        merge::{self, Prediction},
        refs, snapshot,
    },
    report::Report,
    review::DiffStats,
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
        if let Some(known) = Answer::to(fact.remembered.merge.as_ref(), &question) {
            fact.merge = Some(known.clone());
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
        let sides: Vec<Oid> = asked.iter().map(|(.., side)| side.clone()).collect();
        match merge::predict(&deck.repository, &target, &sides) {
            Ok(predictions) => {
                for ((index, question, _), prediction) in asked.into_iter().zip(predictions) {
                    match prediction.map(merged) {
                        Ok(merged) => {
                            facts[index].remembered.merge =
                                Some(Answer::new(question, merged.clone()));
                            facts[index].merge = Some(merged);
                        }
                        Err(report) => facts[index].blame(&report),
                    }
                }
            }
            Err(report) => blame_all(facts, asked.iter().map(|(index, ..)| *index), &report),
        }
    }
}

fn merged(prediction: Prediction) -> Merged {
    Merged {
        tree: prediction.tree,
        clean: prediction.clean,
        conflicts: prediction.conflicts.into_iter().map(|conflict| conflict.path).collect(),
    }
}

/// How many files and lines each changes.
pub(super) fn fill_changes(deck: &Deck, facts: &mut [Facts]) {
    let mut open: Open<Pair> = BTreeMap::new();
    for (index, fact) in facts.iter_mut().enumerate() {
        let (Some((question, pair)), Some(history)) = (fact.change_question(), &fact.history)
        else {
            continue;
        };
        match Answer::to(fact.remembered.change.as_ref(), &question) {
            Some(known) => fact.change = Some(known.clone()),
            None => {
                open.entry(history.target_tip.clone()).or_default().push((index, question, pair));
            }
        }
    }
    for (target, asked) in open {
        let pairs: Vec<Pair> = asked.iter().map(|(.., pair)| pair.clone()).collect();
        match diff::read_changes(&deck.repository, &target, &pairs) {
            Ok(all) => {
                for ((index, question, _), files) in asked.into_iter().zip(all) {
                    let stats = DiffStats::of(&files);
                    let changed = Changed {
                        files: stats.files_changed,
                        insertions: stats.insertions,
                        deletions: stats.deletions,
                        paths: files.into_iter().map(|file| file.path).collect(),
                    };
                    facts[index].remembered.change = Some(Answer::new(question, changed.clone()));
                    facts[index].change = Some(changed);
                }
            }
            Err(report) => blame_all(facts, asked.iter().map(|(index, ..)| *index), &report),
        }
    }
}

/// Which of those that neither ancestry nor tree proves landed have equal patches in the target.
pub(super) fn fill_landed(deck: &Deck, facts: &mut [Facts]) {
    let mut open: Open<Candidate> = BTreeMap::new();
    for (index, fact) in facts.iter_mut().enumerate() {
        let (Some(history), Some(snapshot), Some(change), Some(question)) =
            (&fact.history, &fact.snapshot, &fact.change, fact.merge_question())
        else {
            continue;
        };
        let asks = !snapshot.dirty
            && change.files > 0
            && history.distance.ahead > 0
            && history.distance.behind > 0;
        if !asks {
            continue;
        }
        if let Some(known) = Answer::to(fact.remembered.equal_patches.as_ref(), &question) {
            fact.equal_patches = *known;
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
                    facts[index].equal_patches = equal;
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
