//! Which shadows would conflict with which, and with the branch that they land on: two at a time, all that they
//! hold included.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{ConflictFile, ConflictKind};
use crate::shadow::{BranchName, RepoPath, ShadowId};

/// Who a shadow is compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    Shadow(ShadowId),
    /// The branch that the shadow lands on.
    Target(BranchName),
}

impl Party {
    pub fn name(&self) -> &str {
        match self {
            Self::Shadow(id) => &id.0,
            Self::Target(branch) => &branch.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarShadow {
    pub id: ShadowId,
    pub target: Option<BranchName>,
    /// Landed or empty: nothing of it is left to land.
    pub is_done: bool,
}

/// What comes of two that meet. Only [`Self::Clean`] says that nothing clashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Not compared yet.
    Open,
    Clean,
    /// By path; never empty.
    Clash(Vec<ClashFile>),
    /// They could not be compared, and why.
    Unknown(String),
}

impl Meeting {
    pub fn files(&self) -> &[ClashFile] {
        match self {
            Self::Clash(files) => files,
            _ => &[],
        }
    }
}

/// A file in which two clash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClashFile {
    pub path: RepoPath,
    pub kind: ConflictKind,
    /// Where both changed the same lines; none where it is not lines that clash.
    pub places: Vec<ClashLines>,
}

/// Lines of either side, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClashLines {
    pub a: Range<u32>,
    pub b: Range<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarPair {
    pub a: ShadowId,
    pub b: Party,
    pub meeting: Meeting,
    /// Files in which git finds their commits in conflict, though one of the two has them only from its target: landing
    /// that one changes nothing for the other. No clash of theirs.
    pub through_target: Vec<ClashFile>,
}

impl RadarPair {
    fn is_of(&self, one: &ShadowId, other: &Party) -> bool {
        let other_is_a = |id: &ShadowId| matches!(other, Party::Shadow(other) if other == id);
        let one_is_b = matches!(&self.b, Party::Shadow(id) if id == one);
        (self.a == *one && self.b == *other) || (one_is_b && other_is_a(&self.a))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Radar {
    pub shadows: Vec<RadarShadow>,
    /// Each shadow with its target, and each two shadows.
    pub pairs: Vec<RadarPair>,
    pub read_at_ms: u64,
}

impl Radar {
    pub fn meeting(&self, one: &ShadowId, other: &Party) -> Option<&Meeting> {
        self.pairs.iter().find(|pair| pair.is_of(one, other)).map(|pair| &pair.meeting)
    }

    /// Files of a conflict that is not theirs but their target's.
    pub fn through_target(&self, one: &ShadowId, other: &Party) -> &[ClashFile] {
        let pair = self.pairs.iter().find(|pair| pair.is_of(one, other));
        pair.map_or(&[], |pair| &pair.through_target)
    }

    /// The list knows of more that are.
    pub fn note_done(&mut self, is_done: impl Fn(&ShadowId) -> bool) {
        for shadow in &mut self.shadows {
            shadow.is_done |= is_done(&shadow.id);
        }
    }

    pub fn shadow(&self, id: &ShadowId) -> Option<&RadarShadow> {
        self.shadows.iter().find(|shadow| shadow.id == *id)
    }

    /// The branches that they land on, in the order of the shadows.
    pub fn targets(&self) -> Vec<&BranchName> {
        let mut targets: Vec<&BranchName> = Vec::new();
        for target in self.shadows.iter().filter_map(|shadow| shadow.target.as_ref()) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        targets
    }

    pub fn clashes_of(&self, id: &ShadowId) -> Clashes<'_> {
        let mut clashes = Clashes { with: Vec::new(), compared: 0, not_compared: 0 };
        for pair in &self.pairs {
            let other = match &pair.b {
                Party::Shadow(b) if pair.a == *id => b,
                Party::Shadow(b) if b == id => &pair.a,
                _ => continue,
            };
            match &pair.meeting {
                Meeting::Open | Meeting::Unknown(_) => clashes.not_compared += 1,
                Meeting::Clean => clashes.compared += 1,
                Meeting::Clash(files) => {
                    clashes.compared += 1;
                    clashes.with.push((other, files));
                }
            }
        }
        clashes
    }

    pub fn clashing(&self) -> impl Iterator<Item = &RadarPair> {
        self.pairs.iter().filter(|pair| matches!(pair.meeting, Meeting::Clash(_)))
    }

    /// Those that could not be compared, with the reason.
    pub fn unknown(&self) -> impl Iterator<Item = (&RadarPair, &str)> {
        self.pairs.iter().filter_map(|pair| match &pair.meeting {
            Meeting::Unknown(why) => Some((pair, why.as_str())),
            _ => None,
        })
    }

    /// Pairs that were compared.
    pub fn compared_count(&self) -> usize {
        self.known_count() - self.unknown().count()
    }

    /// Shadows of which no pair could be compared.
    pub fn uncompared(&self) -> impl Iterator<Item = &RadarShadow> {
        self.shadows.iter().filter(|shadow| {
            let mut own = self
                .pairs
                .iter()
                .filter(|pair| pair.a == shadow.id || pair.b == Party::Shadow(shadow.id.clone()));
            own.clone().next().is_some()
                && own.all(|pair| matches!(pair.meeting, Meeting::Unknown(_)))
        })
    }

    /// How many were compared, or could not be.
    pub fn known_count(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.meeting != Meeting::Open).count()
    }
}

/// How one shadow meets the others, the branch not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clashes<'a> {
    pub with: Vec<(&'a ShadowId, &'a [ClashFile])>,
    pub compared: usize,
    /// Not yet, or they could not be.
    pub not_compared: usize,
}

/// Two that clash, with what each did since their common base: `a` stands where a conflict has the target, `b` where
/// it has the shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarPage {
    pub a: ShadowId,
    pub b: Party,
    pub files: Vec<ConflictFile>,
}
