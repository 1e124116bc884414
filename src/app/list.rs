//! A cursor in a list that is longer than the screen.

/// `index` is in range of the list, or zero when it is empty; `top` is the first row shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub index: usize,
    pub top: usize,
}

impl Cursor {
    /// Stops at both ends.
    pub fn step(&mut self, rows: isize, count: usize) {
        self.go(self.index.saturating_add_signed(rows), count);
    }

    pub fn go(&mut self, index: usize, count: usize) {
        self.index = index.min(count.saturating_sub(1));
    }

    /// Scrolls just as far as needed.
    pub fn keep_in_view(&mut self, count: usize, rows: usize) {
        self.index = self.index.min(count.saturating_sub(1));
        self.top = self.top.min(count.saturating_sub(rows)).min(self.index);
        if rows > 0 && self.index >= self.top + rows {
            self.top = self.index + 1 - rows;
        }
    }
}

/// Half of what a pane shows, at least one row.
pub fn half(rows: usize) -> isize {
    isize::try_from((rows / 2).max(1)).unwrap_or(isize::MAX)
}
