//! Searching in the page: all its lines with a count, those that are folded away too: `n` opens what it goes on into.
//! A text is found as it is written; small letters match both cases.

use std::ops::Range;

use super::{
    Effect, Model,
    review::{ReviewScreen, keep_in_view, line_text},
    review_moves,
};
use crate::review::{
    Content, FileDiff,
    stream::{Note, StreamRow},
};

/// More matches than this are not counted: nobody walks through them.
const MATCHES_MAX: usize = 10_000;
/// Of each line so many bytes are looked at; what is beyond can hardly be scrolled to.
const LINE_BYTES_MAX: usize = 64 * 1024;
/// Of what is folded away so much is looked at, for each letter that is typed.
const FOLDED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Rows that match, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub needle: String,
    pub rows: Vec<usize>,
    /// Rows that stand for folded lines, and how many of those match.
    folded: Vec<(usize, usize)>,
    /// Not all was looked at.
    is_cut: bool,
}

impl Search {
    pub(super) fn new(screen: &ReviewScreen, needle: String) -> Self {
        let mut search = Self { needle, rows: Vec::new(), folded: Vec::new(), is_cut: false };
        let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
        let mut budget = FOLDED_BYTES_MAX;
        for row in 0..screen.stream.row_count() {
            let Some(place) = screen.stream.place(row) else { break };
            let file = &files[place.file];
            match place.row {
                StreamRow::Note(Note::Folded) => {
                    search.count_folded(file, row, None, &mut budget);
                }
                StreamRow::Fold { lines, .. } => {
                    let hidden = hidden_lines(screen, file, row, lines);
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
            if search.rows.len() >= MATCHES_MAX {
                search.is_cut = true;
                break;
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
        let more = if self.is_cut { "+" } else { "" };
        let total = self.rows.len();
        let shown = match self.rows.binary_search(&cursor) {
            Ok(index) => format!("match {} of {total}{more}", index + 1),
            Err(_) => format!("{total}{more} matches"),
        };
        match self.folded_count() {
            0 => shown,
            folded => format!("{shown}, {folded} more in what is folded"),
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

/// Lines of the new side that the fold at `row` stands for: those right before what follows it, or the file's last.
fn hidden_lines(screen: &ReviewScreen, file: &FileDiff, row: usize, lines: u32) -> Range<u32> {
    let Content::Text { new, .. } = &file.content else { return 0..0 };
    let before = |line: u32| line.saturating_sub(lines)..line;
    // What is above it ends where it begins, if that is a line of the new side.
    let index = |row: usize| {
        let place = screen.stream.place(row)?;
        place.row.lines().find_map(|line| line.new_index)
    };
    if let Some(next) = index(row + 1).filter(|_| is_same_file(screen, row)) {
        return before(next);
    }
    match row.checked_sub(1).and_then(index) {
        Some(last) => last + 1..last + 1 + lines,
        None => before(new.line_count()),
    }
}

fn is_same_file(screen: &ReviewScreen, row: usize) -> bool {
    let file = |row| screen.stream.place(row).map(|place| place.file);
    file(row) == file(row + 1)
}

/// Byte ranges of a line; a needle without capitals matches both cases.
pub fn find_matches(needle: &str, line: &[u8], matches_max: usize) -> Vec<Range<u32>> {
    let needle = needle.as_bytes();
    let line = &line[..line.len().min(LINE_BYTES_MAX)];
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

/// While it is typed: the first match from the cursor on comes into view.
pub fn search_changed(model: &mut Model, text: &str) {
    let Some(screen) = &mut model.review else { return };
    if text.is_empty() {
        screen.search = None;
        return;
    }
    let search = Search::new(screen, text.to_owned());
    let next = search.rows.iter().find(|row| **row >= screen.cursor).or(search.rows.first());
    let next = next.copied();
    screen.search = Some(search);
    if let Some(row) = next {
        show_row(model, row);
    }
}

pub fn search_kept(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    match &screen.search {
        Some(search) if search.is_empty() => {
            let more = if search.is_cut { "; not all that is folded was looked at" } else { "" };
            screen.search = None;
            model.refuse(format!("no match of {text}{more}"));
        }
        Some(search) => {
            let count = search.count(screen.cursor);
            model.say(format!("{count} of {text} · n N walk them"));
        }
        None => {}
    }
    Vec::new()
}

pub fn search_dropped(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = &mut model.review {
        screen.search = None;
    }
    Vec::new()
}

/// Around the end, and says so. What is folded on the way opens.
pub fn step_match(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    screen.leave_mark();
    let (mut from, mut wrapped) = (screen.cursor, false);
    loop {
        let Some(screen) = &mut model.review else { return Vec::new() };
        let Some(search) = &screen.search else { return Vec::new() };
        let Some((row, is_around)) = search.next(from, direction) else { return Vec::new() };
        wrapped |= is_around;
        if search.rows.binary_search(&row).is_ok() {
            let around = if wrapped { ", around the end" } else { "" };
            let text = format!("{} of {}{around}", search.count(row), search.needle);
            screen.cursor = row;
            keep_in_view(model);
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

fn show_row(model: &mut Model, row: usize) {
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
        screen.cursor = row;
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
            is_cut: false,
        };
        assert_eq!(search.next(2, 1), Some((5, false)));
        assert_eq!(search.next(9, 1), Some((2, true)));
        assert_eq!(search.next(9, -1), Some((5, false)));
        assert_eq!(search.next(2, -1), Some((9, true)));
        assert_eq!(search.count(9), "match 2 of 2, 3 more in what is folded");
    }
}
