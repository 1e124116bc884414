//! A block of changed lines told by its content: what a tick on it is put on. Not made to withstand somebody
//! who searches for two blocks of one digest; it tells what was read, and decides nothing.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::{Block, Content, FileDiff, Text};

/// Files with more blocks are ticked whole only.
const BLOCKS_MAX: usize = 2_000;
/// And those with more changed lines: they start folded, and nobody reads them hunk by hunk.
const LINES_MAX: u32 = super::fold::FOLD_LINES_MIN;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(u128);

impl From<Digest> for String {
    fn from(Digest(number): Digest) -> Self {
        format!("{number:032x}")
    }
}

impl TryFrom<String> for Digest {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u128::from_str_radix(&text, 16).map(Self)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Of each block of the file, in order; none where it has no lines, or too many.
pub fn digests(file: &FileDiff) -> Vec<Digest> {
    let Content::Text { old, new, blocks } = &file.content else { return Vec::new() };
    let lines = file.change.insertions.saturating_add(file.change.deletions);
    if blocks.len() > BLOCKS_MAX || lines >= LINES_MAX {
        return Vec::new();
    }
    let mut name = Fold::default();
    name.push(file.change.path.as_bytes());
    for entry in [&file.change.old, &file.change.new] {
        name.push(entry.as_ref().map_or("", |entry| entry.mode.as_octal()).as_bytes());
    }
    // Of blocks that are all alike the first is the first, wherever it stands.
    let mut alike = BTreeMap::new();
    let digest = |block: &Block| {
        let mut fold = name;
        push_block(&mut fold, old, new, block);
        let turn: &mut u64 = alike.entry(fold.0).or_default();
        fold.push(&turn.to_le_bytes());
        *turn += 1;
        Digest(fold.0)
    };
    blocks.iter().map(digest).collect()
}

/// The lines of both sides, and one line of what did not change on either side of them.
fn push_block(fold: &mut Fold, old: &Text, new: &Text, block: &Block) {
    let Block { old: before, new: after } = block;
    fold.push(old.lines(before.start.saturating_sub(1)..before.start));
    fold.push(old.lines(before.clone()));
    fold.push(new.lines(after.clone()));
    fold.push(old.lines(before.end..old.line_count().min(before.end + 1)));
}

/// Eight bytes at a time, so that a large change costs a reader nothing.
#[derive(Clone, Copy)]
struct Fold(u128);

impl Default for Fold {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fold {
    /// The length first: two parts are never one.
    fn push(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn mix(&mut self, word: u64) {
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(FACTOR);
        self.0 ^= self.0 >> 67;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        review::{Entry, FileChange, FileStatus, Mode},
        shadow::{Oid, RepoPath},
    };

    fn file(old: &str, new: &str, blocks: Vec<Block>) -> FileDiff {
        let entry = |digit: &str| Entry {
            mode: Mode::File,
            oid: Oid::parse(&digit.repeat(40)).expect("40 digits"),
        };
        let text = |text: &str| Arc::new(Text::new(text.as_bytes().to_vec()));
        let change = FileChange {
            path: RepoPath::new("a"),
            old_path: None,
            status: FileStatus::Modified,
            old: Some(entry("1")),
            new: Some(entry("2")),
            insertions: 1,
            deletions: 1,
            binary: false,
        };
        FileDiff::new(change, Content::Text { old: text(old), new: text(new), blocks })
    }

    #[test]
    fn a_block_keeps_its_digest_where_it_moves_and_loses_it_with_a_line() {
        let block = |at: u32| Block { old: at..at + 1, new: at..at + 1 };
        let before = digests(&file("a\nx\nb\n", "a\ny\nb\n", vec![block(1)]));
        let moved = digests(&file("1\n2\na\nx\nb\n", "1\n2\na\ny\nb\n", vec![block(3)]));
        assert_eq!(before, moved);
        let edited = digests(&file("a\nx\nb\n", "a\nz\nb\n", vec![block(1)]));
        let elsewhere = digests(&file("c\nx\nb\n", "c\ny\nb\n", vec![block(1)]));
        assert!(before != edited && before != elsewhere);
        let mut runs = file("a\nx\nb\n", "a\ny\nb\n", vec![block(1)]);
        runs.change.new.as_mut().expect("is there").mode = Mode::Executable;
        assert_ne!(before, digests(&runs), "a new mode is something to read");
        let text = String::from(before[0]);
        assert_eq!(Digest::try_from(text), Ok(before[0]));
    }

    #[test]
    fn blocks_that_are_alike_are_told_apart() {
        let two = vec![Block { old: 1..1, new: 1..2 }, Block { old: 3..3, new: 4..5 }];
        let found = digests(&file("a\nb\na\nb\n", "a\nx\nb\na\nx\nb\n", two));
        assert!(found.len() == 2 && found[0] != found[1]);
    }
}
