//! Searching in the page: all its shown lines, with a count. Small letters match both cases.

use std::ops::Range;

use super::{
    Effect, Model,
    review::{ReviewScreen, keep_in_view, line_text},
};

/// More matches than this are not counted: nobody walks through them.
const MATCHES_MAX: usize = 10_000;
/// Of each line so many bytes are looked at; what is beyond can hardly be scrolled to.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Rows that match, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub needle: String,
    pub rows: Vec<usize>,
}

impl Search {
    pub(super) fn new(screen: &ReviewScreen, needle: String) -> Self {
        let mut rows = Vec::new();
        let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
        for row in 0..screen.stream.row_count() {
            let Some(place) = screen.stream.place(row) else { break };
            let matches = |line| {
                let bytes = line_text(&files[place.file], line).unwrap_or_default();
                !find_matches(&needle, bytes, 1).is_empty()
            };
            if place.row.lines().any(matches) {
                rows.push(row);
            }
            if rows.len() >= MATCHES_MAX {
                break;
            }
        }
        Self { needle, rows }
    }

    /// For the bottom rule.
    fn count(&self, cursor: usize) -> String {
        let more = if self.rows.len() >= MATCHES_MAX { "+" } else { "" };
        let total = self.rows.len();
        match self.rows.binary_search(&cursor) {
            Ok(index) => format!("match {} of {total}{more}", index + 1),
            Err(_) => format!("{total}{more} matches"),
        }
    }
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
        Some(search) if search.rows.is_empty() => {
            screen.search = None;
            model.refuse(format!("no match of {text}"));
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

/// Around the end, and says so.
pub fn step_match(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let Some(search) = &screen.search else { return Vec::new() };
    let rows = &search.rows;
    let ahead = rows.partition_point(|row| *row <= screen.cursor);
    let behind = rows.partition_point(|row| *row < screen.cursor);
    let (found, wrapped) = if direction > 0 {
        (rows.get(ahead).or(rows.first()), ahead == rows.len())
    } else {
        (behind.checked_sub(1).map_or(rows.last(), |index| rows.get(index)), behind == 0)
    };
    let Some(row) = found.copied() else { return Vec::new() };
    let count = search.count(row);
    let around = if wrapped { ", around the end" } else { "" };
    let text = format!("{count} of {}{around}", search.needle);
    show_row(model, row);
    model.say(text);
    Vec::new()
}

fn show_row(model: &mut Model, row: usize) {
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
        screen.cursor = row;
    }
    keep_in_view(model);
}
