//! What a reader has read. A file's tick holds for exactly the two entries that were compared; a block's holds
//! for its lines and those right beside them, so it survives a rebase, and an edit elsewhere in the file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Entry, FileChange, Mode, digest::Digest};
use crate::shadow::{RepoPath, ShadowId};

/// What a file's tick is put on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TickKey {
    path: RepoPath,
    old: Option<Entry>,
    new: Option<Entry>,
}

impl TickKey {
    pub fn new(path: RepoPath, old: Option<Entry>, new: Option<Entry>) -> Self {
        Self { path, old, new }
    }

    pub fn of(change: &FileChange) -> Self {
        Self::new(change.path.clone(), change.old.clone(), change.new.clone())
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

/// What is ticked, or no more, in one go: a file, blocks of it, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tick {
    pub file: Option<TickKey>,
    pub blocks: Vec<Digest>,
    /// The file was read before, as something else.
    pub was_read: bool,
    /// It is of a comparison: it says nothing of what was read of the change that lands.
    pub is_apart: bool,
    /// None of the file's lines was shown: it is of the sizes that stand for them.
    pub is_of_sizes: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ticks {
    keys: BTreeSet<TickKey>,
    /// Those of them that are void once the file's lines are shown.
    of_sizes: BTreeSet<TickKey>,
    /// Where a reader ticked a path at all: tells "changed since" from "never read".
    seen: BTreeSet<(ShadowId, RepoPath)>,
    blocks: BTreeSet<Digest>,
}

impl Ticks {
    pub fn tick(&mut self, id: &ShadowId, tick: &Tick) {
        if let Some(key) = &tick.file {
            if !tick.is_apart {
                self.seen.insert((id.clone(), key.path.clone()));
            }
            self.keys.insert(key.clone());
            if tick.is_of_sizes {
                self.of_sizes.insert(key.clone());
            } else {
                self.of_sizes.remove(key);
            }
        }
        self.blocks.extend(&tick.blocks);
    }

    pub fn untick(&mut self, id: &ShadowId, tick: &Tick) {
        if let Some(key) = &tick.file {
            self.keys.remove(key);
            self.of_sizes.remove(key);
            if !tick.was_read && !tick.is_apart {
                self.seen.remove(&(id.clone(), key.path.clone()));
            }
        }
        for block in &tick.blocks {
            self.blocks.remove(block);
        }
    }

    pub fn has(&self, key: &TickKey) -> bool {
        self.keys.contains(key)
    }

    /// It was ticked, and none of its lines was shown then.
    pub fn is_of_sizes(&self, key: &TickKey) -> bool {
        self.of_sizes.contains(key)
    }

    pub fn has_block(&self, block: &Digest) -> bool {
        self.blocks.contains(block)
    }

    /// `blocks` are those of the file: one of which each block was read is read, where its lines are all that changed.
    pub fn reading(&self, id: &ShadowId, change: &FileChange, blocks: &[Digest]) -> Reading {
        let key = TickKey::of(change);
        let has_all = || {
            !turns_into_another(change)
                && !blocks.is_empty()
                && blocks.iter().all(|block| self.has_block(block))
        };
        if self.keys.contains(&key) || has_all() {
            Reading::Read
        } else if self.seen.contains(&(id.clone(), key.path)) {
            Reading::ChangedSince
        } else {
            Reading::Unread
        }
    }
}

/// Whether the change is more than its lines say: what kind of file it becomes.
fn turns_into_another(change: &FileChange) -> bool {
    let before = change.old.as_ref().map_or(Mode::File, |entry| entry.mode);
    change.new.as_ref().is_some_and(|entry| entry.mode != before)
}
