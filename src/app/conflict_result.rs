//! The result of a conflict as rows: what would land with the present choices, whose lines they are, and where it is
//! still open. Made anew with every choice, without asking anybody.

use std::ops::Range;

use super::conflicts::ConflictsScreen;
use crate::review::{
    ConflictFile, Content, FileDiff, Resolution, Text,
    weave::{Lines, Part, Take, Whose},
};

/// Some rows of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub rows: Range<u32>,
    /// `None`: merged without a choice, or open.
    pub whose: Option<Whose>,
    /// Of the places.
    pub place: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// An open place has one row, empty.
    pub text: Text,
    pub runs: Vec<Run>,
}

impl Shown {
    /// `None`: there is no text, or none is chosen yet.
    pub(super) fn of(file: &ConflictFile) -> Option<Self> {
        let (target, shadow) = (file.target_diff.as_ref(), file.shadow_diff.as_ref());
        let whole =
            |diff, version, whose| text_of(diff, version).map(|text| Self::whole(text, whose));
        match &file.conflict.resolution {
            None | Some(Resolution::Places(_)) => Self::woven(file),
            Some(Resolution::Target) => whole(target, Version::Side, Whose::Target),
            Some(Resolution::Shadow) => whole(shadow, Version::Side, Whose::Shadow),
            Some(Resolution::Base) => whole(target.or(shadow), Version::Base, Whose::Base),
            Some(Resolution::Text(Lines(bytes))) => {
                Some(Self::whole(Text::new(bytes.clone()), Whose::Edited))
            }
            Some(Resolution::Content(_)) => {
                file.result.clone().map(|text| Self::whole(text, Whose::Edited))
            }
            Some(_) => file.result.clone().map(|text| Self { text, runs: Vec::new() }),
        }
    }

    fn whole(text: Text, whose: Whose) -> Self {
        let runs = vec![Run { rows: 0..text.line_count(), whose: Some(whose), place: None }];
        Self { text, runs }
    }

    fn woven(file: &ConflictFile) -> Option<Self> {
        let weave = file.weave.as_ref()?;
        let (mut bytes, mut runs, mut row) = (Vec::new(), Vec::new(), 0);
        let mut push = |lines: &[u8], whose: Option<Whose>, place: Option<usize>| {
            if lines.is_empty() && place.is_none() {
                return;
            }
            bytes.extend(lines);
            if lines.last().is_some_and(|byte| *byte != b'\n') {
                bytes.push(b'\n');
            }
            let text = lines.split_inclusive(|byte| *byte == b'\n').count();
            let end = row + u32::try_from(text).unwrap_or(u32::MAX);
            runs.push(Run { rows: row..end, whose, place });
            row = end;
        };
        let mut places = file.takes.iter().enumerate();
        for part in weave.parts() {
            match part {
                Part::Merged(lines) => push(lines, None, None),
                Part::Place(place) => {
                    let (index, take) = places.next()?;
                    match take {
                        None => push(b"\n", None, Some(index)),
                        Some(take) => {
                            for (whose, lines) in place.runs(take) {
                                push(lines, Some(whose), Some(index));
                            }
                        }
                    }
                }
            }
        }
        Some(Self { text: Text::new(bytes), runs })
    }

    pub fn run(&self, row: usize) -> Option<&Run> {
        let at = self.runs.partition_point(|run| (run.rows.end as usize) <= row);
        self.runs.get(at).filter(|run| run.rows.contains(&u32::try_from(row).unwrap_or(u32::MAX)))
    }

    /// The place that has its one row here, because it is open.
    pub fn open_place(&self, row: usize) -> Option<usize> {
        self.run(row).filter(|run| run.whose.is_none()).and_then(|run| run.place)
    }

    /// As the file will number it: an open place has no lines yet.
    pub fn number(&self, row: usize) -> usize {
        let before = self.runs.iter().filter(|run| {
            (run.rows.end as usize) <= row && run.whose.is_none() && run.place.is_some()
        });
        row + 1 - before.count()
    }

    /// The rows of a place: what was chosen for it, or the one row of an open one.
    pub fn rows_of(&self, place: usize) -> Option<Range<usize>> {
        let mut runs = self.runs.iter().filter(|run| run.place == Some(place));
        let first = runs.next()?;
        let end = runs.next_back().unwrap_or(first).rows.end;
        Some(first.rows.start as usize..end as usize)
    }

    /// The first row of a place.
    pub fn row_of(&self, place: usize) -> Option<usize> {
        let run = self.runs.iter().find(|run| run.place == Some(place))?;
        Some(run.rows.start as usize)
    }
}

/// The text before, or after.
fn text_of(diff: Option<&FileDiff>, version: Version) -> Option<Text> {
    match (diff.map(|diff| &diff.content), version) {
        (Some(Content::Text { old, .. }), Version::Base) => Some((**old).clone()),
        (Some(Content::Text { new, .. }), Version::Side) => Some((**new).clone()),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Version {
    Base,
    Side,
}

impl ConflictsScreen {
    /// What is chosen for the place under the cursor.
    pub fn take_here(&self) -> Option<&Take> {
        self.file()?.takes.get(self.clash)?.as_ref()
    }
}
