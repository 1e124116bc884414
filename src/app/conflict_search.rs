//! Finding in Conflicts: text in all parts of all files.

use super::{
    Effect, Model, Sheet, Viewport,
    conflicts::{ConflictsScreen, Pane},
    prompt::{Prompt, Purpose},
    review::panes,
    review_search::find_matches,
    review_within::{Within, find_in},
};
use crate::review::count;

/// A row that has it: file, part, row.
type Found = (usize, usize, usize);

impl ConflictsScreen {
    /// In the file under the cursor, in order.
    fn found_here(&self, needle: &str) -> Vec<Found> {
        let rows = |part: usize| (0..self.part_rows(part)).map(move |row| (part, row));
        (0..3)
            .flat_map(rows)
            .filter(|(part, row)| {
                let line = self.row_text(*part, *row).unwrap_or_default();
                !find_matches(needle, line, 1).is_empty()
            })
            .map(|(part, row)| (self.cursor, part, row))
            .collect()
    }

    /// In all files; the screen is where it was afterwards.
    fn found(&mut self, needle: &str, rows: usize) -> Vec<Found> {
        let kept = (self.cursor, self.clash, self.tops, self.cursors);
        let (scroll, range) = (self.scroll, self.range);
        let opened = self.opened.clone();
        let mut all = Vec::new();
        for file in 0..self.files().len() {
            self.go(file, rows);
            all.extend(self.found_here(needle));
        }
        self.cursor = kept.0;
        self.opened = opened;
        self.lay_out(rows);
        (self.clash, self.tops, self.cursors) = (kept.1, kept.2, kept.3);
        (self.scroll, self.range) = (scroll, range);
        all
    }

    fn place(&self) -> Found {
        let part = self.pane.part_index().unwrap_or(0);
        (self.cursor, part, self.cursors[part])
    }

    /// With its match at this cell in sight, else its first.
    fn show(
        &mut self,
        (file, part, row): Found,
        needle: &str,
        cell: Option<usize>,
        viewport: Viewport,
    ) {
        if file != self.cursor {
            self.go(file, panes(viewport).rows);
        }
        self.pane = Pane::PARTS[part];
        self.files_open = false;
        self.cursors[part] = row;
        let line = self.row_text(part, row);
        let cell = cell.or_else(|| find_in(line.into_iter(), needle, Within::first()));
        if let Some(cell) = cell {
            self.scroll = self.sight(part, viewport).scroll_to(cell, needle.len());
        }
    }

    /// The next match of the cursor's line that lies out of sight.
    fn find_beyond(&self, needle: &str, direction: isize, viewport: Viewport) -> Option<usize> {
        let (_, part, row) = self.place();
        let beyond = Within::beyond(self.sight(part, viewport), needle, direction);
        find_in(self.row_text(part, row).into_iter(), needle, beyond)
    }
}

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let known = model.conflicts.as_ref().and_then(|screen| screen.needle.clone());
    if let Some(screen) = &mut model.conflicts {
        screen.searched_from = screen.place();
    }
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::Search, known.unwrap_or_default())));
    Vec::new()
}

pub(super) fn changed(model: &mut Model, text: &str) {
    let (rows, viewport) = (panes(model.viewport).rows, model.viewport);
    let Some(screen) = &mut model.conflicts else { return };
    screen.needle = (!text.is_empty()).then(|| text.to_owned());
    let from = screen.searched_from;
    let found = if text.is_empty() { Vec::new() } else { screen.found(text, rows) };
    let next = found.iter().find(|found| **found >= from).or(found.first());
    if let Some(next) = next {
        screen.show(*next, text, None, viewport);
    }
    screen.keep_in_view(viewport);
}

pub(super) fn kept(model: &mut Model, text: &str) -> Vec<Effect> {
    let rows = panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if text.is_empty() {
        return Vec::new();
    }
    let found = screen.found(text, rows).len();
    if found == 0 {
        screen.needle = None;
        model.refuse(format!("no match of {text}"));
    } else {
        model.say(format!("{} of {text} · n N walk them", count(found, "matching line")));
    }
    Vec::new()
}

pub(super) fn dropped(model: &mut Model) -> Vec<Effect> {
    let (rows, viewport) = (panes(model.viewport).rows, model.viewport);
    if let Some(screen) = &mut model.conflicts {
        screen.needle = None;
        let from = screen.searched_from;
        if from.0 != screen.cursor {
            screen.go(from.0, rows);
        }
        screen.cursors[from.1] = from.2;
        screen.keep_in_view(viewport);
    }
    Vec::new()
}

/// Around the end, and says so.
pub(super) fn step(model: &mut Model, direction: isize) -> Vec<Effect> {
    let (rows, viewport) = (panes(model.viewport).rows, model.viewport);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(needle) = screen.needle.clone() else { return Vec::new() };
    let found = screen.found(&needle, rows);
    let here = screen.place();
    let beyond = screen.find_beyond(&needle, direction, viewport);
    if let (Ok(index), Some(cell)) = (found.binary_search(&here), beyond) {
        screen.show(here, &needle, Some(cell), viewport);
        screen.keep_in_view(viewport);
        let count = found.len();
        model.say(format!("match {} of {count} of {needle}, further in this line", index + 1));
        return Vec::new();
    }
    let (ahead, behind) = (
        found.partition_point(|found| *found <= here),
        found.partition_point(|found| *found < here),
    );
    let index = match (direction > 0, found.len()) {
        (_, 0) => return Vec::new(),
        (true, count) => ahead % count,
        (false, count) => behind.checked_sub(1).unwrap_or(count - 1),
    };
    let wrapped = if direction > 0 { ahead == found.len() } else { behind == 0 };
    let around = if wrapped { ", around the end" } else { "" };
    let end = if direction > 0 { Within::first() } else { Within::last() };
    let (file, part, row) = found[index];
    // Of another file it is known when that is shown.
    let line = screen.row_text(part, row).filter(|_| file == screen.cursor);
    let cell = find_in(line.into_iter(), &needle, end);
    screen.show(found[index], &needle, cell, viewport);
    screen.keep_in_view(viewport);
    model.say(format!("match {} of {} of {needle}{around}", index + 1, found.len()));
    Vec::new()
}

pub(super) fn no_search(model: &Model) -> Option<&'static str> {
    let searches = model.conflicts.as_ref().is_some_and(|screen| screen.needle.is_some());
    (!searches).then_some("nothing is searched for · / searches")
}
