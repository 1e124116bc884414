//! What each side of a conflict did since the base, laid out in rows, and the place of each that is shown.

use std::{collections::BTreeSet, ops::Range, slice, sync::Arc};

use super::{
    Effect, Model, Screen,
    conflicts::{ConflictsScreen, Shown},
    job::Slot,
    review::{line_text, number_cells, panes},
    review_paint::Paint,
};
use crate::review::{
    Block, ConflictFile, Content, FileDiff, HunkLine, LineKind, Painted, Resolution, Text,
    clash::{Clash, clashes},
    space::without_space_changes,
    stream::{Choices, Layout, Space, Stream},
    weave::Weave,
};

/// Under so many rows each side shows its changed lines and one around them.
const ROOMY_ROWS: usize = 26;
/// Changed words are looked for in the first rows; a conflict seldom has more.
const WORD_ROWS_MAX: usize = 400;
/// Lines kept in sight above a place that is gone to.
const ROWS_ABOVE: usize = 2;

/// What one side did since the base, laid out in rows.
#[derive(Debug)]
pub struct Side {
    pub diff: FileDiff,
    pub stream: Stream,
    pub paint: Paint,
}

impl Side {
    fn new(diff: &FileDiff, context: u32, opened: &BTreeSet<(usize, usize)>, space: Space) -> Self {
        let choices = Choices {
            context,
            folded: BTreeSet::new(),
            opened: opened.clone(),
            ends: false,
            layout: Layout::Unified,
        };
        let diff = match space {
            Space::Shown => diff.clone(),
            Space::Ignored => without_space_changes(diff),
        };
        let stream = Stream::of_files(slice::from_ref(&diff), &choices);
        let mut paint = Paint::default();
        paint.ask_words(slice::from_ref(&diff), &stream, 0..WORD_ROWS_MAX);
        Self { diff, stream, paint }
    }

    /// The row of the part that shows this line, or the nearest one.
    fn row_of(&self, line: HunkLine) -> Option<usize> {
        self.stream.row_of(0, line)?.checked_sub(1)
    }
}

/// Where each place lies in the three texts: as the diffs cut it, or else the next lines that are just its own.
fn locate(weave: &Weave, file: &ConflictFile, cut: &[Clash]) -> Vec<Clash> {
    let texts = |diff: &Option<FileDiff>| match diff.as_ref().map(|diff| &diff.content) {
        Some(Content::Text { old, new, .. }) => Some((Arc::clone(old), Arc::clone(new))),
        _ => None,
    };
    let (Some((base, target)), Some((_, shadow))) =
        (texts(&file.target_diff), texts(&file.shadow_diff))
    else {
        return Vec::new();
    };
    let mut from = Clash { base: 0..0, target: 0..0, shadow: 0..0 };
    let mut found = Vec::new();
    for place in weave.places() {
        let is_it = |clash: &&Clash| {
            clash.target.start >= from.target.end
                && clash.shadow.start >= from.shadow.end
                && has_lines(&target, &clash.target, &place.target.0)
                && has_lines(&shadow, &clash.shadow, &place.shadow.0)
        };
        let clash = cut.iter().find(is_it).cloned().unwrap_or_else(|| Clash {
            base: next_lines(&base, from.base.end, &place.base.0),
            target: next_lines(&target, from.target.end, &place.target.0),
            shadow: next_lines(&shadow, from.shadow.end, &place.shadow.0),
        });
        from = clash.clone();
        found.push(clash);
    }
    found
}

fn has_lines(text: &Text, range: &Range<u32>, lines: &[u8]) -> bool {
    range.end <= text.line_count() && text.lines(range.clone()) == lines
}

fn next_lines(text: &Text, from: u32, lines: &[u8]) -> Range<u32> {
    let count = lines.split_inclusive(|byte| *byte == b'\n').count();
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let last = text.line_count().saturating_sub(count);
    let mut starts = (from..=last).map(|start| start..start + count);
    starts.find(|range| has_lines(text, range, lines)).unwrap_or(from..from)
}

fn blocks(diff: Option<&FileDiff>) -> &[Block] {
    match diff.map(|diff| &diff.content) {
        Some(Content::Text { blocks, .. }) => blocks,
        _ => &[],
    }
}

impl ConflictsScreen {
    pub(super) fn lay_out(&mut self, rows: usize) {
        let by_room = if rows < ROOMY_ROWS { 1 } else { 3 };
        let context = self.context.unwrap_or(by_room);
        let file = self.file();
        let side = |diff: Option<&FileDiff>, part: usize| {
            diff.map(|diff| Side::new(diff, context, &self.opened[part], self.space))
        };
        // A side that deleted the file has said it all in its head.
        let target = file.filter(|file| file.conflict.sides()[1].is_some());
        let target = side(target.and_then(|file| file.target_diff.as_ref()), 0);
        let shadow = file.filter(|file| file.conflict.sides()[2].is_some());
        let shadow = side(shadow.and_then(|file| file.shadow_diff.as_ref()), 1);
        let (of_target, of_shadow) = match file {
            Some(file) => (blocks(file.target_diff.as_ref()), blocks(file.shadow_diff.as_ref())),
            None => (&[][..], &[][..]),
        };
        let clashes = match file.and_then(|file| file.weave.as_ref().map(|weave| (file, weave))) {
            Some((file, weave)) => locate(weave, file, &clashes(of_target, of_shadow)),
            None => clashes(of_target, of_shadow),
        };
        let result = file.and_then(Shown::of);
        let diffs =
            file.into_iter().flat_map(|file| file.target_diff.iter().chain(&file.shadow_diff));
        self.number_cells = number_cells(diffs);
        self.clashes = clashes;
        self.result = result;
        (self.target_side, self.shadow_side) = (target, shadow);
    }

    pub fn side(&self, part: usize) -> Option<&Side> {
        [self.target_side.as_ref(), self.shadow_side.as_ref(), None][part.min(2)]
    }

    /// Rows of a part, less its head.
    pub fn part_rows(&self, part: usize) -> usize {
        match part {
            // The first row of a stream is the file's head: the part has its own.
            0 | 1 => self.side(part).map_or(0, |side| side.stream.row_count().saturating_sub(1)),
            _ => self.result.as_ref().map_or(1, |result| result.text.line_count() as usize),
        }
    }

    /// The line that a row of a part shows, with its text.
    pub fn row_text(&self, part: usize, row: usize) -> Option<&[u8]> {
        match self.side(part) {
            Some(side) => line_text(&side.diff, side.stream.place(row + 1)?.row.line()?),
            None if part == 2 => {
                let text = &self.result.as_ref()?.text;
                let index = u32::try_from(row).ok().filter(|index| *index < text.line_count())?;
                Some(text.line(index))
            }
            None => None,
        }
    }

    /// All three parts at one place where both sides changed the same lines.
    pub(super) fn show_clash(&mut self, index: usize) {
        self.clash = index;
        self.tops = [0; 3];
        self.cursors = [0; 3];
        let Some(Clash { target, shadow, .. }) = self.clashes.get(index).cloned() else {
            self.show_result();
            return;
        };
        let at = |index: u32| HunkLine {
            kind: LineKind::Added,
            old_index: None,
            new_index: Some(index),
        };
        let rows = [
            self.target_side.as_ref().and_then(|side| side.row_of(at(target.start))),
            self.shadow_side.as_ref().and_then(|side| side.row_of(at(shadow.start))),
            Some(self.result_line()),
        ];
        let above = |part: usize| match (self.layout, rows[part]) {
            // The same place of both sides stands in one row.
            (Layout::Beside, Some(_)) if part < 2 => {
                ROWS_ABOVE.min(rows[0].unwrap_or(0)).min(rows[1].unwrap_or(0))
            }
            _ => ROWS_ABOVE,
        };
        let tops = [0, 1, 2].map(|part| rows[part].unwrap_or(0).saturating_sub(above(part)));
        (self.cursors, self.tops) = (rows.map(|row| row.unwrap_or(0)), tops);
    }

    /// A result that has just come, at the place that is shown of the sides.
    pub(super) fn show_result(&mut self) {
        let line = self.result_line();
        (self.cursors[2], self.tops[2]) = (line, line.saturating_sub(ROWS_ABOVE));
    }

    /// The row of the result at the place that is shown; of the first change where there is none.
    fn result_line(&self) -> usize {
        if let Some(row) = self.result.as_ref().and_then(|result| result.row_of(self.clash)) {
            return row;
        }
        let Some(file) = self.file() else { return 0 };
        let of_shadow = file.conflict.resolution == Some(Resolution::Shadow);
        let diff = if of_shadow { &file.shadow_diff } else { &file.target_diff };
        let first = blocks(diff.as_ref()).first().map_or(0, |block| block.new.start);
        let clash = self.clashes.get(self.clash);
        let of_side =
            |clash: &Clash| if of_shadow { clash.shadow.start } else { clash.target.start };
        clash.map_or(first, of_side) as usize
    }

    /// The lines of the hunk under the cursor of a side, as a patch has them.
    pub fn hunk_text(&self, part: usize) -> Option<String> {
        let side = self.side(part)?;
        let here = side.stream.place(self.cursors[part] + 1)?;
        let rows = side.stream.rows_of_hunk(0, here.hunk);
        let mut text = String::new();
        for line in rows.filter_map(|row| side.stream.place(row)?.row.line()) {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            };
            let bytes = line_text(&side.diff, line).unwrap_or_default();
            text.push(sign);
            text.push_str(&String::from_utf8_lossy(bytes));
            text.push('\n');
        }
        Some(text)
    }

    pub(super) fn receive_tokens(
        &mut self,
        text: &Arc<Text>,
        lines: &Range<u32>,
        painted: &Painted,
    ) {
        for side in [&mut self.target_side, &mut self.shadow_side].into_iter().flatten() {
            side.paint.receive(text, lines.clone(), painted.clone());
        }
    }
}

/// After every message: the cursors are in sight, and the sides on the screen want their colours.
pub(super) fn settle(model: &mut Model) -> Vec<Effect> {
    if model.screen() != Screen::Conflicts {
        return Vec::new();
    }
    let (rows, viewport) = (panes(model.viewport).rows, model.viewport);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    screen.keep_in_view(viewport);
    let tops = screen.tops;
    let sides = [
        (Slot::HighlightOld, &mut screen.target_side, tops[0]),
        (Slot::HighlightNew, &mut screen.shadow_side, tops[1]),
    ];
    let mut effects = Vec::new();
    for (slot, side, top) in sides {
        let Some(Side { diff, stream, paint }) = side else { continue };
        if model.jobs.is_open(slot) {
            continue;
        }
        let shown = top..(top + rows).min(stream.row_count());
        let files = slice::from_ref(&*diff);
        if let Some(job) = paint.ask_all_tokens(slot, files, stream, shown) {
            effects.extend(model.jobs.start(slot, job));
        }
    }
    effects
}
