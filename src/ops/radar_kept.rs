//! What two commits did to each other when they met: remembered by everything that decides it, so that a shadow that
//! changed costs just the pairs it is part of. It may be lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Deck;
use crate::{
    git::attributes,
    report::Report,
    review::ClashFile,
    shadow::{Oid, ShadowId},
    store::Cache,
};

const NAME: &str = "pairs";

/// By question: no files where they meet cleanly.
pub(super) type Answers = BTreeMap<String, Vec<ClashFile>>;

#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Kept {
    answers: Answers,
    /// What a target's attributes are called.
    attributes: BTreeMap<Oid, String>,
}

/// What was known when the program began, and what of it is in use still, with what is new.
pub(super) struct Memory {
    before: Kept,
    now: Kept,
}

impl Memory {
    pub(super) fn read(deck: &Deck) -> Self {
        let before = cache(deck).read(&ShadowId(NAME.to_owned())).unwrap_or_default();
        Self { before, now: Kept::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.before.answers.is_empty()
    }

    pub(super) fn find(&mut self, question: &str) -> Option<Vec<ClashFile>> {
        let known = self.before.answers.get(question)?.clone();
        self.now.answers.insert(question.to_owned(), known.clone());
        Some(known)
    }

    pub(super) fn note(&mut self, question: String, files: Vec<ClashFile>) {
        self.now.answers.insert(question, files);
    }

    /// What merges are judged by where they land on this commit.
    pub(super) fn attributes(&mut self, deck: &Deck, target_tip: &Oid) -> Result<String, Report> {
        let known = [&self.now, &self.before]
            .into_iter()
            .find_map(|kept| kept.attributes.get(target_tip).cloned());
        let name = match known {
            Some(name) => name,
            None => attributes::name_of(&deck.repository, target_tip)?,
        };
        self.now.attributes.insert(target_tip.clone(), name.clone());
        Ok(name)
    }

    /// The answers stay as they were: whoever only remembers forgets none.
    pub(super) fn keep_attributes(mut self, deck: &Deck) {
        if self.now.attributes.keys().any(|tip| !self.before.attributes.contains_key(tip)) {
            self.before.attributes = self.now.attributes;
            cache(deck).write(&ShadowId(NAME.to_owned()), &self.before);
        }
    }

    /// What was not asked for this time is forgotten.
    pub(super) fn keep(&self, deck: &Deck) {
        if self.now != self.before {
            cache(deck).write(&ShadowId(NAME.to_owned()), &self.now);
        }
    }
}

fn cache(deck: &Deck) -> Cache {
    Cache::new(deck.repository.looking_dir().join("radar"))
}
