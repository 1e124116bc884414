//! Searching in the page: all its lines with a count, those that are folded away too: `n` opens what it goes on into.
//! A text is found as it is written; small letters match both cases.

use std::ops::Range;

use super::{
    Effect, Model,
    review::{ReviewScreen, keep_in_view, line_text},
    review_moves,
    review_within::{self, Within},
};
use crate::review::{
    Content, FileDiff, count,
    stream::{Note, StreamRow},
};

/// Of what is folded away so much is looked at for each letter that is typed; `Enter` looks at all of it.
const FOLDED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How much of what is folded is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Typing,
    All,
}

/// Rows that match, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub needle: String,
    pub rows: Vec<usize>,
    /// Rows that stand for folded lines, and how many of those match.
    folded: Vec<(usize, usize)>,
    reach: Reach,
    /// Not all was looked at.
    pub is_cut: bool,
    /// Files with lines of which none is there to look at.
    unread: usize,
}

impl Search {
    fn new(screen: &ReviewScreen, needle: String, reach: Reach) -> Self {
        Self::of_rows(screen, needle, reach, 0..screen.stream.row_count())
    }

    /// The same in rows that are other ones now.
    pub(super) fn again(self, screen: &ReviewScreen) -> Self {
        Self::new(screen, self.needle, self.reach)
    }

    /// What matches a longer text matched the shorter one: no other row is looked at.
    fn narrowed(self, screen: &ReviewScreen, needle: String) -> Self {
        if self.is_cut || !needle.starts_with(&self.needle) {
            return Self::new(screen, needle, Reach::Typing);
        }
        let mut rows = self.rows;
        rows.extend(self.folded.iter().map(|(row, _)| *row));
        rows.sort_unstable();
        Self::of_rows(screen, needle, self.reach, rows)
    }

    fn of_rows(
        screen: &ReviewScreen,
        needle: String,
        reach: Reach,
        rows: impl IntoIterator<Item = usize>,
    ) -> Self {
        let (found, folded) = (Vec::new(), Vec::new());
        let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
        let unread = files.iter().filter(|file| is_unread(file)).count();
        let mut search = Self { needle, rows: found, folded, reach, is_cut: false, unread };
        let mut budget = match reach {
            Reach::Typing => FOLDED_BYTES_MAX,
            Reach::All => usize::MAX,
        };
        for row in rows {
            let Some(place) = screen.stream.place(row) else { break };
            let file = &files[place.file];
            match place.row {
                StreamRow::Note(Note::Folded) => {
                    search.count_folded(file, row, None, &mut budget);
                }
                StreamRow::Fold { lines, block } => {
                    let hidden = hidden_lines(screen, file, lines, block);
                    search.count_folded(file, row, Some(hidden), &mut budget);
                }
                shown => {
                    let matches = |line| {
                        let bytes = line_text(file, line).unwrap_or_default();
                        search.is_match(bytes)
                    };
                    if shown.lines().any(matches) {
                        search.rows.push(row);
                    }
                }
            }
        }
        search
    }

    fn is_match(&self, line: &[u8]) -> bool {
        !find_matches(&self.needle, line, 1).is_empty()
    }

    /// Of a folded file (`None`) all its lines count that can be shown; of a fold those of the new side.
    fn count_folded(
        &mut self,
        file: &FileDiff,
        row: usize,
        hidden: Option<Range<u32>>,
        budget: &mut usize,
    ) {
        let Content::Text { old, new, blocks } = &file.content else { return };
        let is_whole = hidden.is_none();
        let hidden = hidden.unwrap_or(0..new.line_count());
        let new_lines = hidden.filter(|line| *line < new.line_count()).map(|line| new.line(line));
        let removed = blocks.iter().filter(|_| is_whole).flat_map(|block| block.old.clone());
        let removed = removed.map(|line| old.line(line));
        let mut count = 0;
        for line in new_lines.chain(removed) {
            if line.len() >= *budget {
                self.is_cut = true;
                break;
            }
            *budget -= line.len();
            count += usize::from(self.is_match(line));
        }
        if count > 0 {
            self.folded.push((row, count));
        }
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.folded.is_empty()
    }

    /// Lines that match and are folded away.
    pub fn folded_count(&self) -> usize {
        self.folded.iter().map(|(_, count)| count).sum()
    }

    /// For the bottom rule.
    fn count(&self, cursor: usize) -> String {
        let total = self.rows.len();
        let shown = match self.rows.binary_search(&cursor) {
            Ok(index) => format!("match {} of {total}", index + 1),
            Err(_) => format!("{total} matches"),
        };
        match self.folded_count() {
            0 => shown,
            folded => format!("{shown}, {folded} more in what is folded"),
        }
    }

    fn none(&self) -> String {
        format!("no match of {}{}", self.needle, self.unread_words())
    }

    /// For what says how much was found.
    pub fn unread_words(&self) -> String {
        match self.unread {
            0 => String::new(),
            files => format!(" · not looked into: {}", count(files, "file")),
        }
    }

    /// The next row to go to, shown or folded, and whether it lies around the end.
    fn next(&self, from: usize, direction: isize) -> Option<(usize, bool)> {
        let rows = self.rows.iter().copied().chain(self.folded.iter().map(|(row, _)| *row));
        if direction > 0 {
            let ahead = rows.clone().filter(|row| *row > from).min();
            ahead.map(|row| (row, false)).or_else(|| Some((rows.min()?, true)))
        } else {
            let behind = rows.clone().filter(|row| *row < from).max();
            behind.map(|row| (row, false)).or_else(|| Some((rows.max()?, true)))
        }
    }
}

/// A search says that it did not look into it. A binary file has no lines until they are asked for.
fn is_unread(file: &FileDiff) -> bool {
    matches!(file.content, Content::TooLarge { .. } | Content::Unreadable { .. })
}

/// The lines of the new side that a fold hides, told by the change behind it or, at the end, before it.
fn hidden_lines(screen: &ReviewScreen, file: &FileDiff, lines: u32, block: usize) -> Range<u32> {
    let Content::Text { blocks, .. } = &file.content else { return 0..0 };
    let context = screen.choices.context;
    match (blocks.get(block), blocks.last()) {
        (Some(behind), _) => {
            let end = behind.new.start.saturating_sub(context);
            end.saturating_sub(lines)..end
        }
        (None, Some(last)) => {
            let start = last.new.end.saturating_add(context);
            start..start.saturating_add(lines)
        }
        (None, None) => 0..0,
    }
}

/// Byte ranges of a line; a needle without capitals matches both cases.
pub fn find_matches(needle: &str, line: &[u8], matches_max: usize) -> Vec<Range<u32>> {
    let needle = needle.as_bytes();
    let mut found = Vec::new();
    if needle.is_empty() || needle.len() > line.len() {
        return found;
    }
    let exact = needle.iter().any(u8::is_ascii_uppercase);
    let first = needle[0];
    let mut at = 0;
    while at + needle.len() <= line.len() && found.len() < matches_max {
        let part = &line[at..at + needle.len()];
        let starts = part[0] == first || (!exact && part[0].eq_ignore_ascii_case(&first));
        if starts && (part == needle || (!exact && part.eq_ignore_ascii_case(needle))) {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            found.push(offset(at)..offset(at + needle.len()));
            at += needle.len();
        } else {
            at += 1;
        }
    }
    found
}

/// While it is typed: the first match from where it began comes into view; where nothing matches, that place.
pub fn search_changed(model: &mut Model, text: &str) {
    let Some(screen) = &mut model.review else { return };
    let began = screen.jumps.last().and_then(|anchor| screen.find_anchor(anchor));
    let began = began.unwrap_or(screen.cursor);
    if text.is_empty() {
        screen.search = None;
        show_row(model, began, None);
        return;
    }
    let search = match screen.search.take() {
        Some(before) => before.narrowed(screen, text.to_owned()),
        None => Search::new(screen, text.to_owned(), Reach::Typing),
    };
    let next = search.rows.iter().find(|row| **row >= began).or(search.rows.first());
    let next = next.copied().unwrap_or(began);
    screen.search = Some(search);
    show_row(model, next, None);
}

/// Now all that is folded is looked at, however much it is.
pub fn search_kept(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    if let Some(search) = screen.search.take() {
        screen.search = Some(if search.is_cut {
            Search::new(screen, search.needle, Reach::All)
        } else {
            Search { reach: Reach::All, ..search }
        });
    }
    match &screen.search {
        // It stays, so that `n` says so again.
        Some(search) if search.is_empty() => {
            let text = search.none();
            model.refuse(text);
        }
        // All of it is folded away: the first comes out.
        Some(search) if search.rows.is_empty() => return step_match(model, 1),
        Some(search) => {
            let count = search.count(screen.cursor);
            let unread = search.unread_words();
            model.say(format!("{count} of {text}{unread} · n N walk them"));
        }
        None => {}
    }
    Vec::new()
}

pub fn search_dropped(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = &mut model.review {
        screen.search = None;
    }
    review_moves::go_back(model)
}

/// Within a line that is longer than the pane first; around the end, and says so. What is folded on the way opens.
pub fn step_match(model: &mut Model, direction: isize) -> Vec<Effect> {
    if step_within(model, direction).is_some() {
        return Vec::new();
    }
    let Some(screen) = &mut model.review else { return Vec::new() };
    screen.leave_mark();
    let (mut from, mut wrapped) = (screen.cursor, false);
    loop {
        let Some(screen) = &mut model.review else { return Vec::new() };
        let Some(search) = &screen.search else { return Vec::new() };
        let Some((row, is_around)) = search.next(from, direction) else {
            let text = search.none();
            model.refuse(text);
            return Vec::new();
        };
        wrapped |= is_around;
        if search.rows.binary_search(&row).is_ok() {
            let around = if wrapped { ", around the end" } else { "" };
            let text = format!("{} of {}{around}", search.count(row), search.needle);
            let end = if direction > 0 { Within::first() } else { Within::last() };
            let cell = review_within::find(screen, row, &search.needle, end);
            show_row(model, row, cell);
            model.say(text);
            return Vec::new();
        }
        let before = (screen.stream.row_count(), search.folded.len());
        screen.cursor = row;
        review_moves::open_here(model);
        let Some(screen) = &model.review else { return Vec::new() };
        let (rows, folded) = (screen.stream.row_count(), screen.search.as_ref());
        if (rows, folded.map_or(0, |search| search.folded.len())) == before {
            return Vec::new();
        }
        // Once more from beside it: what was hidden is between rows now.
        let opened = rows.saturating_sub(before.0);
        from = if direction > 0 { row.saturating_sub(1) } else { row + opened + 1 };
    }
}

/// To a match of the cursor's line that lies out of sight.
fn step_within(model: &mut Model, direction: isize) -> Option<()> {
    let rows = review_moves::rows(model);
    let screen = model.review.as_ref()?;
    let search = screen.search.as_ref()?;
    let row = search.rows[search.rows.binary_search(&screen.cursor).ok()?];
    let beyond = Within::out_of_sight(screen, &search.needle, direction, rows);
    let cell = review_within::find(screen, row, &search.needle, beyond)?;
    let text = format!("{} of {}, further in this line", search.count(row), search.needle);
    show_row(model, row, Some(cell));
    model.say(text);
    Some(())
}

/// With its match at this cell in sight, else its first.
fn show_row(model: &mut Model, row: usize, cell: Option<usize>) {
    let rows = review_moves::rows(model);
    if let Some(screen) = &mut model.review {
        screen.cursor = row;
        let needle = screen.search.as_ref().map_or("", |search| &search.needle);
        let cell = cell.or_else(|| review_within::find(screen, row, needle, Within::first()));
        if let Some(cell) = cell {
            screen.scroll = review_within::scroll_to(screen, cell, needle.len(), rows);
        }
    }
    keep_in_view(model);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_is_shown_or_folded_and_around_the_end() {
        let search = Search {
            needle: "x".to_owned(),
            rows: vec![2, 9],
            folded: vec![(5, 3)],
            reach: Reach::All,
            is_cut: false,
            unread: 0,
        };
        assert_eq!(search.next(2, 1), Some((5, false)));
        assert_eq!(search.next(9, 1), Some((2, true)));
        assert_eq!(search.next(9, -1), Some((5, false)));
        assert_eq!(search.next(2, -1), Some((9, true)));
        assert_eq!(search.count(9), "match 2 of 2, 3 more in what is folded");
    }
}
