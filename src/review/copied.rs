//! Where an added file was copied from: a remark, that changes neither its lines nor its counts.

use std::collections::BTreeMap;

use super::name::visible_name;
use crate::shadow::RepoPath;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    pub from: RepoPath,
    /// In percent, as git counts it.
    pub similarity: u8,
}

/// By the path of the added file.
pub type Copies = BTreeMap<RepoPath, Copied>;

impl Copied {
    pub fn words(&self) -> String {
        format!("copied from {}, {} %", visible_name(self.from.as_bytes()), self.similarity)
    }
}
