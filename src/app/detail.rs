//! What the list's detail pane says of the selected shadow, as data: facts, files, first changed lines.

use super::{Model, pages::Glance};
use crate::review::{
    Content, FileDiff, ReviewPage, Row,
    diff::{self, CONTEXT_LINES, HunkLine},
    radar::Clashes,
    ticks::Reading,
};

/// More of the change is read in Review.
const DIFF_LINES_MAX: usize = 200;
const FILES_MAX: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DetailLine<'a> {
    /// Name and verdict.
    Title(&'a Row),
    /// What its agent asks for.
    Asks(&'a Row),
    /// Base, target, commits.
    Facts(&'a Row),
    /// Which others change the same lines, as far as that is known.
    Clashes(Clashes<'a>),
    Blank,
    /// How many files, how many lines.
    Totals(&'a ReviewPage),
    /// With what is to be looked at twice.
    File(&'a FileDiff),
    /// So many more that are not listed.
    More(usize),
    /// The first changed lines follow.
    DiffHead(&'a FileDiff),
    Diff(&'a FileDiff, HunkLine),
    /// The page is being read, or why it cannot be.
    Note(String),
}

pub fn lines(model: &Model) -> Vec<DetailLine<'_>> {
    let Some(row) = model.fleet.selected() else { return Vec::new() };
    let mut lines = vec![DetailLine::Title(row)];
    if row.requested.is_some() {
        lines.push(DetailLine::Asks(row));
    }
    lines.push(DetailLine::Facts(row));
    let clashes = model.fleet.met.as_ref().map(|met| met.clashes_of(&row.id));
    // Where none was compared there is nothing to say, and that is not that none clashes.
    lines.extend(clashes.filter(|known| known.compared > 0).map(DetailLine::Clashes));
    if let Some(told) = row.told() {
        lines.push(DetailLine::Note(told));
    }
    match model.pages.find(&row.id) {
        Some(page) => push_page(model, &mut lines, page),
        None => lines.extend(note(model, row).map(DetailLine::Note)),
    }
    lines
}

fn note(model: &Model, row: &Row) -> Option<String> {
    let failed = model.fleet.unreadable.as_ref().filter(|(id, ..)| *id == row.id);
    match failed {
        Some((_, _, report)) => Some(report.headline.clone()),
        None if row.problem.is_some() => None,
        None if model.fleet.failed.is_some() => {
            Some("it could not be looked at · R tries again".to_owned())
        }
        None if row.snapshot.is_none() && model.fleet.complete => {
            Some("it could not be looked at".to_owned())
        }
        None if model.fleet.complete => Some("reading its change".to_owned()),
        None => Some("not looked at yet".to_owned()),
    }
}

/// What most needs eyes comes first: flagged files, then those that changed since they were read, then the unread.
fn by_need<'a>(model: &'a Model, page: &'a ReviewPage) -> Vec<(&'a FileDiff, &'a Glance)> {
    let ticks = &model.memory.marks.ticks;
    let mut files: Vec<_> = page.files.iter().zip(model.pages.glances(&page.id)).collect();
    files.sort_by_key(|(file, glance)| {
        let reading = ticks.reading(&page.id, &file.change, &glance.digests);
        match reading {
            _ if !file.findings.is_empty() && reading != Reading::Read => 0,
            Reading::ChangedSince => 1,
            Reading::Unread => 2,
            Reading::Read => 3,
        }
    });
    files
}

fn push_page<'a>(model: &'a Model, lines: &mut Vec<DetailLine<'a>>, page: &'a ReviewPage) {
    lines.push(DetailLine::Blank);
    lines.push(DetailLine::Totals(page));
    let files = by_need(model, page);
    lines.extend(files.iter().take(FILES_MAX).map(|(file, _)| DetailLine::File(file)));
    if page.files.len() > FILES_MAX {
        lines.push(DetailLine::More(page.files.len() - FILES_MAX));
    }
    let mut room = DIFF_LINES_MAX;
    for (file, _) in &files {
        let Content::Text { old, blocks, .. } = &file.content else { continue };
        for (index, hunk) in diff::hunks(blocks, old.line_count(), CONTEXT_LINES).iter().enumerate()
        {
            if room == 0 {
                return;
            }
            lines.push(DetailLine::Blank);
            if index == 0 {
                lines.push(DetailLine::DiffHead(file));
            }
            let of_hunk = hunk.lines(blocks).into_iter().take(room);
            let before = lines.len();
            lines.extend(of_hunk.map(|line| DetailLine::Diff(file, line)));
            room -= lines.len() - before;
        }
    }
}

impl Model {
    /// The detail stops scrolling at its last line.
    pub(super) fn detail_top_max(&self) -> usize {
        lines(self).len().saturating_sub(self.viewport.detail_rows.max(1))
    }
}
