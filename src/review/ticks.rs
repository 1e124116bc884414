//! Which files a reader has read: a tick holds for exactly the two blobs that were compared, so it
//! survives a rebase and falls off by itself when the file changes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{FileChange, ReviewPage};
use crate::shadow::{Oid, RepoPath, ShadowId};

/// What a tick is put on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TickKey {
    path: RepoPath,
    old: Option<Oid>,
    new: Option<Oid>,
}

impl TickKey {
    pub fn new(path: RepoPath, old: Option<Oid>, new: Option<Oid>) -> Self {
        Self { path, old, new }
    }

    pub fn of(change: &FileChange) -> Self {
        let oid = |entry: &Option<super::Entry>| entry.as_ref().map(|entry| entry.oid.clone());
        Self { path: change.path.clone(), old: oid(&change.old), new: oid(&change.new) }
    }

    pub fn path(&self) -> &RepoPath {
        &self.path
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Unread,
    Read,
    /// It was read in this shadow, and has changed since.
    ChangedSince,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticks {
    keys: BTreeSet<TickKey>,
    /// Where a reader ticked a path at all: tells "changed since" from "never read".
    seen: BTreeSet<(ShadowId, RepoPath)>,
}

impl Ticks {
    /// False where it was ticked already.
    pub fn tick(&mut self, id: &ShadowId, key: TickKey) -> bool {
        self.seen.insert((id.clone(), key.path.clone()));
        self.keys.insert(key)
    }

    pub fn untick(&mut self, id: &ShadowId, key: &TickKey) {
        self.keys.remove(key);
        self.seen.remove(&(id.clone(), key.path.clone()));
    }

    pub fn has(&self, key: &TickKey) -> bool {
        self.keys.contains(key)
    }

    pub fn reading(&self, id: &ShadowId, change: &FileChange) -> Reading {
        let key = TickKey::of(change);
        if self.keys.contains(&key) {
            Reading::Read
        } else if self.seen.contains(&(id.clone(), key.path)) {
            Reading::ChangedSince
        } else {
            Reading::Unread
        }
    }

    /// Files read, of how many.
    pub fn count(&self, page: &ReviewPage) -> (usize, usize) {
        let is_read = |change| self.reading(&page.id, change) == Reading::Read;
        (page.files.iter().filter(|file| is_read(&file.change)).count(), page.files.len())
    }
}
