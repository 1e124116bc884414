//! What makes a page easier to read: token classes, which a job finds, and changed words.
//! Only of what is or was on the screen; without it the page is whole, just plain.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use super::job::{Job, Slot};
use crate::{
    review::{
        Block, Content, FileDiff, HunkLine, LineKind, Text,
        stream::{Place, Stream},
        token::{Painted, TokenLines, TokenRun},
        words::{BlockWords, Words, block_words},
    },
    shadow::RepoPath,
};

/// Tokens are asked for and kept in chunks of this many lines.
const CHUNK_LINES: u32 = 128;
/// Chunks kept; then all are dropped and those on the screen asked for again.
const CHUNKS_MAX: usize = 512;
/// Colours are asked for so far before and behind what is shown.
const PAGES_AHEAD: usize = 2;
/// Times that a chunk is asked for while the highlighter is still on its way to it.
const TRIES_MAX: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Old,
    New,
}

type ChunkKey = (usize, Side, u32);

#[derive(Debug, Default)]
struct Chunk {
    tokens: TokenLines,
    is_guess: bool,
    is_whole: bool,
    tries: u32,
}

#[derive(Debug, Default)]
pub struct Paint {
    chunks: BTreeMap<ChunkKey, Chunk>,
    /// What each slot was asked last.
    asked: BTreeMap<Slot, (ChunkKey, Arc<Text>)>,
    /// By file and block.
    words: BTreeMap<(usize, usize), BlockWords>,
}

impl Paint {
    /// The classes of a line on the side that its row shows; empty while they are not known.
    pub fn tokens(&self, file: usize, line: HunkLine) -> &[TokenRun] {
        let Some((side, index)) = side_of(line) else { return &[] };
        let chunk = self.chunks.get(&(file, side, index / CHUNK_LINES));
        let runs = chunk.and_then(|chunk| chunk.tokens.get((index % CHUNK_LINES) as usize));
        runs.map_or(&[], Vec::as_slice)
    }

    /// The changed words of a line; empty where it has no partner.
    pub fn words(&self, file: usize, blocks: &[Block], line: HunkLine) -> &[Range<u32>] {
        let Some(block) = block_of(blocks, line) else { return &[] };
        let Some(words) = self.words.get(&(file, block)) else { return &[] };
        let (known, index): (&[Words], u32) = match (line.kind, line.old_index, line.new_index) {
            (LineKind::Removed, Some(old), _) => (&words.old, old - blocks[block].old.start),
            (LineKind::Added, _, Some(new)) => (&words.new, new - blocks[block].new.start),
            _ => return &[],
        };
        known.get(index as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn forget_words(&mut self) {
        self.words.clear();
    }

    pub(super) fn ask_words(&mut self, files: &[FileDiff], stream: &Stream, shown: Range<usize>) {
        for (_, place) in stream.places(shown) {
            let Content::Text { old, new, blocks } = &files[place.file].content else {
                continue;
            };
            for block in place.row.lines().filter_map(|line| block_of(blocks, line)) {
                self.words
                    .entry((place.file, block))
                    .or_insert_with(|| block_words(old, new, &blocks[block]));
            }
        }
    }

    /// A job for the first chunk that is not known, of the slot's side: on the screen, else where a reader comes next,
    /// so that a page is coloured when it is turned. Guesses are made exact once all of that has some colour.
    pub(super) fn ask_tokens(
        &mut self,
        slot: Slot,
        files: &[FileDiff],
        stream: &Stream,
        shown: Range<usize>,
    ) -> Option<Job> {
        let wanted = if slot == Slot::HighlightOld { Side::Old } else { Side::New };
        let reach = PAGES_AHEAD * shown.len();
        let ahead = shown.end..(shown.end + reach).min(stream.row_count());
        let behind = shown.start.saturating_sub(reach)..shown.start;
        let rows = [shown, ahead, behind].into_iter().flat_map(|rows| stream.places(rows));
        self.ask(slot, Some(wanted), files, rows.map(|(_, place)| place))
    }

    /// As [`Self::ask_tokens`], of either side.
    pub(super) fn ask_all_tokens(
        &mut self,
        slot: Slot,
        files: &[FileDiff],
        stream: &Stream,
        shown: Range<usize>,
    ) -> Option<Job> {
        self.ask(slot, None, files, stream.places(shown).map(|(_, place)| place))
    }

    fn ask(
        &mut self,
        slot: Slot,
        wanted: Option<Side>,
        files: &[FileDiff],
        places: impl Iterator<Item = Place>,
    ) -> Option<Job> {
        let wanted = places.filter_map(|place| {
            let mut sides = place.row.lines().filter_map(side_of);
            let (side, index) =
                sides.find(|(side, _)| wanted.is_none_or(|wanted| *side == wanted))?;
            let Content::Text { old, new, .. } = &files[place.file].content else { return None };
            let key = (place.file, side, index / CHUNK_LINES);
            Some((key, if side == Side::Old { old } else { new }))
        });
        let mut guessed = None;
        let mut plain = None;
        for (key, text) in wanted {
            match self.chunks.get(&key) {
                Some(chunk) if chunk.is_whole => {}
                Some(chunk) if chunk.is_guess => guessed = guessed.or(Some((key, text))),
                _ => {
                    plain = Some((key, text));
                    break;
                }
            }
        }
        let (key, text) = plain.or(guessed)?;
        if self.chunks.len() > CHUNKS_MAX {
            self.chunks.clear();
        }
        let start = key.2 * CHUNK_LINES;
        let lines = start..text.line_count().min(start + CHUNK_LINES);
        self.asked.insert(slot, (key, Arc::clone(text)));
        let path = path_on(files, key);
        let has_guess = plain.is_none();
        Some(Job::Highlight { path, text: Arc::clone(text), lines, has_guess })
    }

    pub(super) fn receive(&mut self, text: &Arc<Text>, lines: Range<u32>, painted: Painted) {
        let asked = self.asked.values().find(|((_, _, chunk), asked)| {
            Arc::ptr_eq(asked, text) && *chunk * CHUNK_LINES == lines.start
        });
        let Some((key, _)) = asked else { return };
        let chunk = self.chunks.entry(*key).or_default();
        let Painted { tokens, is_guess } = painted;
        let is_whole = tokens.len() >= lines.len();
        chunk.tries += u32::from(!is_guess);
        chunk.is_whole = !is_guess && is_whole || chunk.tries >= TRIES_MAX;
        chunk.is_guess |= is_guess && is_whole;
        // What is exact takes a guess's place as a whole.
        if tokens.len() > chunk.tokens.len() || is_whole {
            chunk.tokens = tokens;
        }
    }

    pub(super) fn give_up(&mut self, slot: Slot) {
        if let Some((key, _)) = self.asked.get(&slot) {
            self.chunks.entry(*key).or_default().is_whole = true;
        }
    }
}

/// The side that a row shows, and the line's index there.
fn side_of(line: HunkLine) -> Option<(Side, u32)> {
    match line.kind {
        LineKind::Removed => line.old_index.map(|index| (Side::Old, index)),
        LineKind::Added | LineKind::Context => line.new_index.map(|index| (Side::New, index)),
    }
}

pub(super) fn block_of(blocks: &[Block], line: HunkLine) -> Option<usize> {
    let (index, found) = match (line.kind, line.old_index, line.new_index) {
        (LineKind::Removed, Some(old), _) => {
            let index = blocks.partition_point(|block| block.old.end <= old);
            (index, blocks.get(index)?.old.contains(&old))
        }
        (LineKind::Added, _, Some(new)) => {
            let index = blocks.partition_point(|block| block.new.end <= new);
            (index, blocks.get(index)?.new.contains(&new))
        }
        _ => return None,
    };
    found.then_some(index)
}

/// A renamed file's old side has the syntax of its old name.
fn path_on(files: &[FileDiff], (file, side, _): ChunkKey) -> RepoPath {
    let change = &files[file].change;
    match (side, &change.old_path) {
        (Side::Old, Some(old)) => old.clone(),
        _ => change.path.clone(),
    }
}
