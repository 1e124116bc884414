//! What is remembered of a shadow between looks, each part with the question that it answers.

use serde::{Deserialize, Serialize};

use crate::{
    git::{base::Base, refs::Distance, snapshot::Snapshot},
    review::{Conflict, FileChange, flag::FileFlag},
    shadow::Oid,
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Remembered {
    pub(super) snapshot: Option<Answer<Snapshot>>,
    pub(super) course: Option<Answer<Course>>,
    pub(super) merge: Option<Answer<Merged>>,
    pub(super) change: Option<Answer<Vec<FileChange>>>,
    pub(super) flags: Option<Answer<Vec<FileFlag>>>,
    pub(super) equal_patches: Option<Answer<bool>>,
}

/// An answer holds for just its question: the ids of everything that went into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer<T> {
    question: String,
    pub(super) answer: T,
}

impl<T> Answer<T> {
    pub(super) fn new(question: String, answer: T) -> Self {
        Self { question, answer }
    }

    /// What was answered to a question that begins so.
    pub(super) fn begun<'a>(known: Option<&'a Self>, beginning: &str) -> Option<&'a T> {
        known.filter(|known| known.question.starts_with(beginning)).map(|known| &known.answer)
    }

    pub(super) fn to<'a>(known: Option<&'a Self>, question: &str) -> Option<&'a T> {
        known.filter(|known| known.question == question).map(|known| &known.answer)
    }
}

/// How tip and target lie to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Course {
    pub(super) base: Base,
    pub(super) distance: Distance,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Merged {
    pub(super) tree: Oid,
    pub(super) clean: bool,
    pub(super) conflicts: Vec<Conflict>,
}
