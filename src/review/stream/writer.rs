//! The blocks of one file as runs: context, folds, and the changed lines of either layout.

use std::ops::Range;

use super::{Run, Stream};
use crate::review::{
    Block, LineKind, Text, pairs,
    stream_row::{Choices, Layout, StreamRow},
};

/// A page may cost so many comparisons of lines: a few milliseconds. Behind that lines are paired by their number.
const COMPARED_MAX: usize = 100_000;

/// Writes the blocks of one file; remembers where both sides are.
pub(super) struct FileWriter<'a> {
    pub(super) stream: &'a mut Stream,
    pub(super) file: usize,
    pub(super) texts: [&'a Text; 2],
    pub(super) hunks: Vec<Range<usize>>,
    pub(super) old: u32,
    pub(super) new: u32,
}

impl FileWriter<'_> {
    /// The one that is being written; before the first block, the first.
    fn hunk(&self) -> usize {
        self.hunks.len().saturating_sub(1)
    }

    pub(super) fn push_blocks(&mut self, blocks: &[Block], old_count: u32, choices: &Choices) {
        let context = choices.context;
        for (index, block) in blocks.iter().enumerate() {
            let gap = block.old.start - self.old;
            let is_first = index == 0;
            // Lines shown behind the change before; the first gap has none before it.
            let behind = if is_first { 0 } else { context };
            let is_open = choices.opened.contains(&(self.file, index));
            // A row that says "1 line" is no shorter than that line.
            let spare = u32::from(is_first && choices.ends);
            let is_whole = is_open || gap <= behind.saturating_add(context).saturating_add(spare);
            if is_whole {
                self.context(gap);
            } else {
                let hidden = gap - behind - context;
                self.context(behind);
                if !is_first || choices.ends {
                    let fold = StreamRow::Fold { lines: hidden, block: index };
                    self.stream.push_row(self.file, self.hunk(), fold);
                }
                if !is_first {
                    self.hunks.push(index..index);
                }
                self.old += hidden;
                self.new += hidden;
                self.context(context);
            }
            if is_first {
                self.hunks.push(0..0);
            }
            if is_first || !is_whole {
                self.stream.hunk_rows.push(self.stream.row_count);
            }
            if let Some(hunk) = self.hunks.last_mut() {
                hunk.end = index + 1;
            }
            match choices.layout {
                Layout::Unified => {
                    self.side(LineKind::Removed, block);
                    self.side(LineKind::Added, block);
                }
                Layout::Beside => self.pairs(block),
            }
            (self.old, self.new) = (block.old.end, block.new.end);
        }
        let rest = old_count - self.old;
        let is_open = choices.opened.contains(&(self.file, blocks.len()));
        if is_open || choices.ends && rest <= context.saturating_add(1) {
            self.context(rest);
            return;
        }
        self.context(rest.min(context));
        if choices.ends && rest > context {
            let fold = StreamRow::Fold { lines: rest - context, block: blocks.len() };
            self.stream.push_row(self.file, self.hunk(), fold);
        }
    }

    fn context(&mut self, lines: u32) {
        let run = Run::Lines { kind: LineKind::Context, old: self.old, new: self.new };
        self.stream.push(self.file, self.hunk(), run, lines);
        self.old += lines;
        self.new += lines;
    }

    /// Lines that are alike stand opposite each other; what has no partner stands alone.
    fn pairs(&mut self, block: &Block) {
        let cost = pairs::cost(block);
        if cost == 0 || self.stream.compared + cost > COMPARED_MAX {
            self.facing(block.old.clone(), block.new.clone());
            return;
        }
        self.stream.compared += cost;
        let [old_text, new_text] = self.texts;
        let known = pairs::pairs(old_text, new_text, block);
        let from = |range: &Range<u32>| range.start..range.start;
        // The pairs that follow one another, up to where both sides are.
        let (mut old, mut new) = (from(&block.old), from(&block.new));
        for (before, after) in known {
            let (before, after) = (block.old.start + before, block.new.start + after);
            if (before, after) != (old.end, new.end) {
                self.facing(old.clone(), new.clone());
                self.apart(old.end..before, new.end..after);
                (old, new) = (before..before, after..after);
            }
            (old.end, new.end) = (before + 1, after + 1);
        }
        self.facing(old.clone(), new.clone());
        self.apart(old.end..block.old.end, new.end..block.new.end);
    }

    /// Lines that nothing is alike to; one line in place of one faces it all the same.
    fn apart(&mut self, old: Range<u32>, new: Range<u32>) {
        if old.len() == 1 && new.len() == 1 {
            self.facing(old, new);
        } else {
            self.facing(old.clone(), new.start..new.start);
            self.facing(old.end..old.end, new);
        }
    }

    fn facing(&mut self, old: Range<u32>, new: Range<u32>) {
        let rows = old.len().max(new.len());
        let run = Run::Pairs { old: [old.start, old.end], new: [new.start, new.end] };
        self.stream.push(self.file, self.hunk(), run, u32::try_from(rows).unwrap_or(u32::MAX));
    }

    fn side(&mut self, kind: LineKind, block: &Block) {
        let range = if kind == LineKind::Removed { &block.old } else { &block.new };
        let run = Run::Lines { kind, old: block.old.start, new: block.new.start };
        self.stream.push(self.file, self.hunk(), run, range.end - range.start);
    }
}
