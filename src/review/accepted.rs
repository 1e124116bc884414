//! What of a shadow's change a person accepts: whole files, or single blocks of lines in them. Pure.
//! It holds for exactly the blobs that were compared: a file that has changed since is accepted no more.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

use super::{
    Block, Content, FileDiff, Hunk, Text,
    diff::{CONTEXT_LINES, hunks},
    ticks::TickKey,
};
use crate::shadow::RepoPath;

/// How much of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Portion {
    Whole,
    /// Some of its blocks, in order; never none, and never all.
    Blocks(Vec<Block>),
}

/// Files that are not named are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(TickKey, Portion)>", into = "Vec<(TickKey, Portion)>")]
pub struct Accepted {
    files: BTreeMap<TickKey, Portion>,
}

/// What is to land of a shadow's change, when not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// Files by name; a directory stands for everything below it.
    Paths(Vec<RepoPath>),
    /// Files and hunks as they were read.
    Accepted(Accepted),
}

/// `3 of 7 hunks, 2 of 4 files`. A file that has no lines to choose from counts as one hunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub hunks: u32,
    pub hunks_all: u32,
    pub files: u32,
    pub files_all: u32,
}

impl From<Vec<(TickKey, Portion)>> for Accepted {
    fn from(files: Vec<(TickKey, Portion)>) -> Self {
        Self { files: files.into_iter().collect() }
    }
}

impl From<Accepted> for Vec<(TickKey, Portion)> {
    fn from(accepted: Accepted) -> Self {
        accepted.files.into_iter().collect()
    }
}

impl Accepted {
    /// All of it: what there is before anything was left out.
    pub fn all(files: &[FileDiff]) -> Self {
        let whole = |file: &FileDiff| (TickKey::of(&file.change), Portion::Whole);
        Self { files: files.iter().map(whole).collect() }
    }

    /// What of it is still there as it was accepted.
    #[must_use]
    pub fn only_in(&self, files: &[FileDiff]) -> Self {
        let portion =
            |file: &FileDiff| Some((TickKey::of(&file.change), self.portion(file)?.clone()));
        Self { files: files.iter().filter_map(portion).collect() }
    }

    pub fn is_all(&self, files: &[FileDiff]) -> bool {
        files.iter().all(|file| self.portion(file) == Some(&Portion::Whole))
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn files(&self) -> impl Iterator<Item = (&TickKey, &Portion)> {
        self.files.iter()
    }

    pub fn portion(&self, file: &FileDiff) -> Option<&Portion> {
        self.files.get(&TickKey::of(&file.change))
    }

    pub fn accept_file(&mut self, file: &FileDiff) {
        self.files.insert(TickKey::of(&file.change), Portion::Whole);
    }

    pub fn leave_file(&mut self, file: &FileDiff) {
        self.files.remove(&TickKey::of(&file.change));
    }

    pub fn accept_blocks(&mut self, file: &FileDiff, blocks: Range<usize>) {
        self.change_blocks(file, blocks, |chosen, block| {
            if !chosen.contains(block) {
                chosen.push(block.clone());
            }
        });
    }

    pub fn leave_blocks(&mut self, file: &FileDiff, blocks: Range<usize>) {
        self.change_blocks(file, blocks, |chosen, block| chosen.retain(|other| other != block));
    }

    pub fn has_block(&self, file: &FileDiff, block: usize) -> bool {
        match (self.portion(file), blocks_of(file).and_then(|blocks| blocks.get(block))) {
            (None, _) | (Some(Portion::Blocks(_)), None) => false,
            (Some(Portion::Whole), _) => true,
            (Some(Portion::Blocks(chosen)), Some(block)) => chosen.contains(block),
        }
    }

    pub fn counts(&self, files: &[FileDiff]) -> Counts {
        files.iter().fold(Counts::default(), |sum, file| {
            let (hunks, hunks_all) = self.count_hunks(file);
            Counts {
                hunks: sum.hunks + hunks,
                hunks_all: sum.hunks_all + hunks_all,
                files: sum.files + u32::from(self.portion(file).is_some()),
                files_all: sum.files_all + 1,
            }
        })
    }

    fn count_hunks(&self, file: &FileDiff) -> (u32, u32) {
        let all = hunks_of(file);
        if all.is_empty() {
            return (u32::from(self.portion(file).is_some()), 1);
        }
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let is_in = |hunk: &&Hunk| hunk.blocks.clone().all(|block| self.has_block(file, block));
        (count(all.iter().filter(is_in).count()), count(all.len()))
    }

    fn change_blocks(
        &mut self,
        file: &FileDiff,
        blocks: Range<usize>,
        change: impl Fn(&mut Vec<Block>, &Block),
    ) {
        let Some(all) = blocks_of(file) else { return };
        let mut chosen = match self.portion(file) {
            None => Vec::new(),
            Some(Portion::Whole) => all.to_vec(),
            Some(Portion::Blocks(chosen)) => chosen.clone(),
        };
        for block in all.get(blocks).unwrap_or_default() {
            change(&mut chosen, block);
        }
        chosen.sort_by_key(|block| (block.old.start, block.new.start));
        let key = TickKey::of(&file.change);
        match chosen.len() {
            0 => drop(self.files.remove(&key)),
            count if count == all.len() => drop(self.files.insert(key, Portion::Whole)),
            _ => drop(self.files.insert(key, Portion::Blocks(chosen))),
        }
    }
}

/// The hunks that a reader chooses from, as they are shown.
pub fn hunks_of(file: &FileDiff) -> Vec<Hunk> {
    match &file.content {
        Content::Text { old, blocks, .. } => hunks(blocks, old.line_count(), CONTEXT_LINES),
        _ => Vec::new(),
    }
}

fn blocks_of(file: &FileDiff) -> Option<&[Block]> {
    match &file.content {
        Content::Text { blocks, .. } => Some(blocks),
        _ => None,
    }
}

/// The old text with just these blocks of the new one. `None` where they are no blocks of the two.
pub fn apply(old: &Text, new: &Text, blocks: &[Block]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for block in blocks {
        let fits = |range: &Range<u32>, from: u32, count: u32| {
            from <= range.start && range.start <= range.end && range.end <= count
        };
        if !fits(&block.old, old_at, old.line_count())
            || !fits(&block.new, new_at, new.line_count())
        {
            return None;
        }
        bytes.extend_from_slice(old.lines(old_at..block.old.start));
        bytes.extend_from_slice(new.lines(block.new.clone()));
        (old_at, new_at) = (block.old.end, block.new.end);
    }
    bytes.extend_from_slice(old.lines(old_at..old.line_count()));
    Some(bytes)
}
