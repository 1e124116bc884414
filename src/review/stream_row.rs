//! What one row of the stream of a page shows, and what a reader chooses to see of the page.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{HunkLine, LineKind, endings::Endings};

/// What the reader has chosen to see of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Lines around each change.
    pub context: u32,
    /// Files of which only the head and one line show.
    pub folded: BTreeSet<usize>,
    /// Gaps shown whole: file, and the index of the block behind the gap.
    pub opened: BTreeSet<(usize, usize)>,
    /// Lines before the first change and behind the last one have a row too, that says how many and opens them.
    pub ends: bool,
    pub layout: Layout,
}

/// How the two sides of a change stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Removed lines above added ones.
    #[default]
    Unified,
    /// Old left, new right.
    Beside,
}

/// What a line that is longer than the pane does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Long {
    /// Its rest is cut off; `h` and `l` scroll.
    #[default]
    Cut,
    /// It goes on in the next row.
    Wraps,
}

/// Whether changes of white space alone are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    #[default]
    Shown,
    Ignored,
}

/// One row of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamRow {
    /// Between files. The cursor never stands on it, nor on a head.
    Blank,
    Head,
    /// Says in words what has no lines: binary, mode, submodule, too large, unreadable.
    Note(Note),
    /// Lines that are not shown; `block` is the one behind them, or how many there are behind the last.
    Fold {
        lines: u32,
        block: usize,
    },
    Line(HunkLine),
    /// A thread of comments, by its place among all of the shadow.
    Comment {
        thread: usize,
        is_outdated: bool,
        /// Its line, where that is not shown just above.
        folded_at: Option<u32>,
    },
    /// The lines that an outdated one was on.
    Was {
        thread: usize,
    },
    /// A changed line of each side, side by side; the longer side's rest stands alone.
    Pair {
        old: Option<u32>,
        new: Option<u32>,
    },
}

impl StreamRow {
    /// The lines that the row shows, old before new.
    pub fn lines(self) -> impl Iterator<Item = HunkLine> {
        let lines = match self {
            Self::Line(line) => [Some(line), None],
            Self::Pair { old, new } => [
                old.map(|index| HunkLine {
                    kind: LineKind::Removed,
                    old_index: Some(index),
                    new_index: None,
                }),
                new.map(|index| HunkLine {
                    kind: LineKind::Added,
                    old_index: None,
                    new_index: Some(index),
                }),
            ],
            Self::Blank
            | Self::Head
            | Self::Note(_)
            | Self::Fold { .. }
            | Self::Comment { .. }
            | Self::Was { .. } => [None, None],
        };
        lines.into_iter().flatten()
    }

    /// The newest line that it shows.
    pub fn line(self) -> Option<HunkLine> {
        self.lines().last()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The content, which has no lines to show.
    Content,
    /// Only the name or the mode changed, or the file is empty.
    NoLines,
    Mode,
    /// What it holds is where it points.
    Link,
    /// Nothing changed but how lines end; they follow.
    Endings(Endings),
    /// A commit that a submodule came by, by its place among them.
    Passed(usize),
    /// The file is folded.
    Folded,
    /// The last line of that side has no newline.
    NoNewline(LineKind),
}
