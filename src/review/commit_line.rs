//! A commit of a shadow, as far as a reader needs it to choose what to look at.

use crate::shadow::Oid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitLine {
    pub id: Oid,
    /// None for a root.
    pub parents: Vec<Oid>,
    pub author: String,
    pub subject: String,
    /// Milliseconds since the epoch.
    pub time_ms: u64,
}
