//! What is remembered of a person's reading, in one repository: ticks, places, the snapshot last looked at.
//! Changes are told one by one, so that two cockpits on one repository lose nothing of each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    HunkLine,
    stream::Layout,
    ticks::{TickKey, Ticks},
};
use crate::shadow::{Oid, RepoPath, ShadowId};

/// A place told by content, so that it is found again on another page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    pub path: RepoPath,
    pub line: HunkLine,
    /// How the line begins.
    pub text: Vec<u8>,
    /// Rows between the top of the pane and the cursor.
    pub offset: usize,
}

/// How far a shadow was read when a person left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    pub snapshot: Oid,
    pub read: usize,
    pub files: usize,
    /// Files that had changed since they were read.
    pub changed: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Marks {
    pub ticks: Ticks,
    pub places: BTreeMap<ShadowId, Anchor>,
    /// The snapshot that "since you looked" compares with, and how far it was read.
    pub looked: BTreeMap<ShadowId, Looked>,
    /// Chosen by hand; else the width decides.
    pub layout: Option<Layout>,
}

/// One change of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    Tick(ShadowId, TickKey),
    Untick(ShadowId, TickKey),
    Place(ShadowId, Anchor),
    Looked(ShadowId, Looked),
    Layout(Layout),
}

impl Marks {
    pub fn apply(&mut self, mark: &Mark) {
        match mark {
            Mark::Tick(id, key) => {
                self.ticks.tick(id, key.clone());
            }
            Mark::Untick(id, key) => self.ticks.untick(id, key),
            Mark::Place(id, anchor) => {
                self.places.insert(id.clone(), anchor.clone());
            }
            Mark::Looked(id, looked) => {
                self.looked.insert(id.clone(), looked.clone());
            }
            Mark::Layout(layout) => self.layout = Some(*layout),
        }
    }
}
