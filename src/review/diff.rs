//! What changed inside files: blocks of changed lines, and the hunks that show them in context.

use std::{ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    FileChange, Text,
    flag::{self, Finding},
    fold::{self, Fold, Marked},
    fold_rules::FoldRules,
};
use crate::shadow::{BranchName, Oid, ShadowId};

/// A run of lines of the old text replaced by a run of the new one; line indexes count from 0.
/// Blocks are sorted and never touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub old: Range<u32>,
    pub new: Range<u32>,
}

/// Blocks that lie close together, with the lines around them. Ranges include the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<u32>,
    pub new: Range<u32>,
    /// Indexes into the file's blocks.
    pub blocks: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    Context,
    Removed,
    Added,
}

/// One line of a unified view: the index on each side that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkLine {
    pub kind: LineKind,
    pub old_index: Option<u32>,
    pub new_index: Option<u32>,
}

/// Lines of context that git shows around a change.
pub const CONTEXT_LINES: u32 = 3;

/// What there is to show of a changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Also symlinks (their target is the text). Equal texts have no blocks: only mode or name changed.
    Text { old: Arc<Text>, new: Arc<Text>, blocks: Vec<Block> },
    /// Sizes in bytes; `None` where that side does not exist.
    Binary { old_size: Option<u64>, new_size: Option<u64> },
    /// The commits that a submodule is at.
    Submodule { old: Option<Oid>, new: Option<Oid> },
    /// Over the size limit named; sizes in bytes.
    TooLarge { size: u64, size_max: u64 },
    /// Reading it failed; the reason. Never shown as "no change".
    Unreadable { why: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    pub change: FileChange,
    pub content: Content,
    /// What is not to be overlooked, the gravest first.
    pub findings: Vec<Finding>,
    /// Why it starts folded.
    pub fold: Option<Fold>,
    /// Of a submodule: the commits between its two, as far as they are at hand.
    pub passed: Vec<Passed>,
}

/// A commit that a submodule has come by, or goes without; the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    pub kind: LineKind,
    pub subject: String,
}

impl FileDiff {
    /// With what the file tells by itself; [`super::judge::judge`] adds what is known from elsewhere.
    pub fn new(change: FileChange, content: Content) -> Self {
        let findings = flag::findings(&change, &content);
        let fold =
            fold::find(&change, &content, &findings, &FoldRules::default(), Marked::default());
        Self { change, content, findings, fold, passed: Vec::new() }
    }
}

/// As git prints it for people and programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What `git apply` takes, binary files included.
    Patch,
    Stat,
    Numstat,
    NameStatus,
}

/// One fixed page of review: the proposed change of one shadow, read at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewPage {
    pub id: ShadowId,
    pub target: BranchName,
    pub base: Oid,
    pub tip: Oid,
    /// The tree of all that the shadow held when the page was read.
    pub snapshot: Oid,
    pub files: Vec<FileDiff>,
    pub read_at_ms: u64,
}

impl ReviewPage {
    /// There is nothing but noise in it: that is what there is to read then.
    pub fn is_all_folded(&self) -> bool {
        self.files.iter().all(|file| file.fold.is_some())
    }
}

/// Groups blocks into hunks with `context` lines around; hunks whose context meets are one, as in git.
pub fn hunks(blocks: &[Block], old_count: u32, context: u32) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let before = context.min(block.old.start);
        let after = context.min(old_count - block.old.end);
        let grown = Hunk {
            old: block.old.start - before..block.old.end + after,
            // Context that reaches over the block before counts its lines as if none were removed;
            // such a hunk joins the one before and its start is not used.
            new: block.new.start.saturating_sub(before)..block.new.end + after,
            blocks: index..index + 1,
        };
        match hunks.last_mut() {
            Some(last) if grown.old.start <= last.old.end => {
                last.old.end = grown.old.end;
                last.new.end = grown.new.end;
                last.blocks.end = grown.blocks.end;
            }
            _ => hunks.push(grown),
        }
    }
    hunks
}

impl Hunk {
    /// The hunk's lines in unified order: within a block, removed ones first.
    pub fn lines(&self, blocks: &[Block]) -> Vec<HunkLine> {
        let mut lines = Vec::new();
        let (mut old, mut new) = (self.old.start, self.new.start);
        let context = |lines: &mut Vec<HunkLine>, old: &mut u32, new: &mut u32, until: u32| {
            while *old < until {
                lines.push(HunkLine {
                    kind: LineKind::Context,
                    old_index: Some(*old),
                    new_index: Some(*new),
                });
                *old += 1;
                *new += 1;
            }
        };
        for block in &blocks[self.blocks.clone()] {
            context(&mut lines, &mut old, &mut new, block.old.start);
            lines.extend(block.old.clone().map(|index| HunkLine {
                kind: LineKind::Removed,
                old_index: Some(index),
                new_index: None,
            }));
            lines.extend(block.new.clone().map(|index| HunkLine {
                kind: LineKind::Added,
                old_index: None,
                new_index: Some(index),
            }));
            (old, new) = (block.old.end, block.new.end);
        }
        context(&mut lines, &mut old, &mut new, self.old.end);
        lines
    }

    /// The numbers of git's `@@ -start,lines +start,lines @@`: an empty side starts one line earlier.
    pub fn header(&self) -> [u32; 4] {
        let side = |range: &Range<u32>| {
            let lines = range.end - range.start;
            [range.start + u32::from(lines > 0), lines]
        };
        let ([old_start, old_lines], [new_start, new_lines]) = (side(&self.old), side(&self.new));
        [old_start, old_lines, new_start, new_lines]
    }
}
