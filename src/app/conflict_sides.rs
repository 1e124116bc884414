//! What each side of a conflict did since the base, laid out in rows, and what the result shows.

use std::{collections::BTreeSet, ops::Range, slice, sync::Arc};

use super::{
    Effect, Model, Screen, conflicts::ConflictsScreen, job::Slot, review::panes,
    review_paint::Paint,
};
use crate::{
    review::{
        ConflictFile, Content, FileDiff, Resolution, Text, TokenLines,
        stream::{Choices, Layout, Stream},
    },
    shadow::RepoPath,
};

/// Under so many rows each side shows its changed lines and one around them.
const ROOMY_ROWS: usize = 26;

/// What one side did since the base, laid out in rows.
#[derive(Debug)]
pub struct Side {
    pub diff: FileDiff,
    pub stream: Stream,
    pub paint: Paint,
}

impl Side {
    fn new(diff: &FileDiff, context: u32) -> Self {
        let choices = Choices {
            context,
            folded: BTreeSet::new(),
            opened: BTreeSet::new(),
            layout: Layout::Unified,
        };
        let stream = Stream::of_files(slice::from_ref(diff), &choices);
        let mut paint = Paint::default();
        paint.ask_words(slice::from_ref(diff), &stream, 0..WORD_ROWS_MAX);
        Self { diff: diff.clone(), stream, paint }
    }
}

/// Changed words are looked for in the first rows; a conflict seldom has more.
const WORD_ROWS_MAX: usize = 400;

impl ConflictsScreen {
    pub(super) fn lay_out(&mut self, rows: usize) {
        let context = if rows < ROOMY_ROWS { 1 } else { 3 };
        let side = |diff: Option<&FileDiff>| diff.map(|diff| Side::new(diff, context));
        let file = self.file();
        // A side that deleted the file has said it all in its head.
        let target = file.filter(|file| file.conflict.target.is_some());
        let target = side(target.and_then(|file| file.target_diff.as_ref()));
        let shadow = file.filter(|file| file.conflict.shadow.is_some());
        let shadow = side(shadow.and_then(|file| file.shadow_diff.as_ref()));
        self.tops[2] = file.map_or(0, result_top);
        self.target_side = target;
        self.shadow_side = shadow;
    }

    /// Rows of a part, less its head.
    pub fn part_rows(&self, part: usize) -> usize {
        let of_side = |side: &Option<Side>| {
            // The first row of a stream is the file's head: the part has its own.
            side.as_ref().map_or(0, |side| side.stream.row_count().saturating_sub(1))
        };
        match part {
            0 => of_side(&self.target_side),
            1 => of_side(&self.shadow_side),
            _ => {
                let result = self.file().and_then(|file| file.result.as_ref());
                result.map_or(1, |text| text.line_count() as usize)
            }
        }
    }

    pub(super) fn receive_tokens(
        &mut self,
        path: &RepoPath,
        text: &Arc<Text>,
        lines: &Range<u32>,
        tokens: &TokenLines,
    ) {
        for side in [&mut self.target_side, &mut self.shadow_side].into_iter().flatten() {
            side.paint.receive(path, text, lines.clone(), tokens.clone());
        }
    }
}

/// Colours for the sides on the screen.
pub(super) fn ask_tokens(model: &mut Model) -> Vec<Effect> {
    if model.screen() != Screen::Conflicts {
        return Vec::new();
    }
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
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

/// The first change of the result, with a few lines above.
fn result_top(file: &ConflictFile) -> usize {
    let diff = match file.conflict.resolution {
        Some(Resolution::Shadow) => &file.shadow_diff,
        _ => &file.target_diff,
    };
    match diff.as_ref().map(|diff| &diff.content) {
        Some(Content::Text { blocks, .. }) => {
            blocks.first().map_or(0, |block| block.new.start.saturating_sub(3) as usize)
        }
        _ => 0,
    }
}
