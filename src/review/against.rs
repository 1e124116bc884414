//! What a person compares a change with instead of its own base: another shadow, or a commit by any of its names.

use serde::{Deserialize, Serialize};

use crate::shadow::{BranchName, Oid, ShadowId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Against {
    /// As it is now, uncommitted work included.
    Shadow(ShadowId),
    Branch(BranchName),
    Tag(String),
    /// Whatever git takes for a commit, read in the shadow itself: `HEAD~2` is its own.
    Revision(String),
}

impl Against {
    /// As it is named on the screen.
    pub fn words(&self) -> String {
        match self {
            Self::Shadow(id) => id.0.clone(),
            Self::Branch(name) => name.0.clone(),
            Self::Tag(name) => format!("tag {name}"),
            Self::Revision(text) => text.clone(),
        }
    }
}

/// A branch or a tag, to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparable {
    pub against: Against,
    pub tip: Oid,
    pub subject: String,
}
