//! Sizes: what each part of the screen can show, as `ui::layout` computed it, and what a person has dragged.

/// Under this a screen says its size and nothing else.
pub const COLUMNS_MIN: u16 = 40;
pub const ROWS_MIN: u16 = 10;
/// Under this there is room for one thing at a time.
pub const SMALL_COLUMNS: u16 = 60;

/// Rows and columns that each pane can show. Computed by `ui::layout`, stored by the loop before it
/// waits, so that `update` and `view` read the same numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Viewport {
    pub columns: u16,
    pub rows: u16,
    /// Between the two rules, less what a docked sheet takes.
    pub body_rows: usize,
    pub list_rows: usize,
    /// Where the list is: its first row on the screen, and its columns from the left edge.
    pub list_row: u16,
    pub list_columns: u16,
    /// The list shows the heads of its groups: they take rows too.
    pub list_heads: bool,
    pub detail_rows: usize,
    /// What can be dragged: where it lies, and the cell of the body that it is counted from.
    pub border: Option<Border>,
    pub body_row: u16,
    /// Of the files beside a diff, where a person has put that border.
    pub files_columns: Option<u16>,
    /// They have no place of their own, at any width.
    pub files_hidden: bool,
    pub sheet_rows: usize,
    /// Lines that the sheet has; more than its rows scroll.
    pub sheet_lines: usize,
}

/// A line between two panes, at this column or row of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Between the list and its detail.
    BesideList(u16),
    BelowList(u16),
    /// Between the files and the diff.
    Files(u16),
    /// No line but the map of a diff: it scrolls there.
    Map,
}

/// Sizes that a person has dragged to; the others follow from the screen's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    pub list_columns: Option<u16>,
    pub detail_rows: Option<u16>,
    pub files_columns: Option<u16>,
}

impl Viewport {
    pub fn is_tiny(&self) -> bool {
        self.columns < COLUMNS_MIN || self.rows < ROWS_MIN
    }

    /// A sheet takes the whole body here.
    pub fn is_small(&self) -> bool {
        self.columns < SMALL_COLUMNS
    }
}
