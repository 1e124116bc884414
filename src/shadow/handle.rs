//! How a person names a shadow: exact id, branch, path, the branch's last segment, a prefix of the id.

use std::path::Path;

use super::{BranchName, ShadowId};

/// What a handle is matched against.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    pub id: &'a ShadowId,
    pub branch: Option<&'a BranchName>,
    pub path: &'a Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    Taken,
    /// Without a terminal nothing destructive is done on a guess.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Index into the candidates.
    One(usize),
    /// Indexes of those that fit at the same turn.
    Several(Vec<usize>),
    Nothing,
}

/// Tries the five readings in turn; the first that fits anything decides.
pub fn find(handle: &str, candidates: &[Named<'_>], prefixes: Prefixes) -> Found {
    let readings: [&dyn Fn(&Named<'_>) -> bool; 5] = [
        &|named| named.id.0 == handle,
        &|named| named.branch.is_some_and(|branch| branch.0 == handle),
        &|named| named.path == Path::new(handle),
        &|named| named.branch.is_some_and(|branch| branch.last_segment() == handle),
        &|named| !handle.is_empty() && named.id.0.starts_with(handle),
    ];
    let count = if prefixes == Prefixes::Taken { 5 } else { 4 };
    for fits in &readings[..count] {
        let hits: Vec<usize> =
            (0..candidates.len()).filter(|index| fits(&candidates[*index])).collect();
        match hits[..] {
            [] => {}
            [only] => return Found::One(only),
            _ => return Found::Several(hits),
        }
    }
    Found::Nothing
}
