//! Moved lines and copied files of the page: found by a job when the screen is drawn and coloured, told by a sign, by `i`, and by a
//! jump to the other place.

use std::sync::Arc;

use super::{
    Effect, Model,
    job::{Job, Slot},
    review::{ReviewScreen, keep_in_view},
};
use crate::{
    report::Report,
    review::{
        Copied, Copies, FileStatus, HunkLine, LineKind, ReviewPage, moved::Moved,
        name::visible_name,
    },
};

/// What is known of one page.
#[derive(Debug, Default)]
pub struct MovedLines {
    page: Option<Arc<ReviewPage>>,
    moved: Moved,
    copies: Copies,
    /// Why they could not be looked for.
    copies_failed: Option<Report>,
}

impl MovedLines {
    pub(super) fn new(page: Arc<ReviewPage>, moved: Moved, copies: Result<Copies, Report>) -> Self {
        let (copies, copies_failed) = match copies {
            Ok(copies) => (copies, None),
            Err(report) => (Copies::new(), Some(report)),
        };
        Self { page: Some(page), moved, copies, copies_failed }
    }
}

impl ReviewScreen {
    /// What the file was copied from, where it is new; that this is not known, where looking for it failed.
    pub fn copied_words(&self, file: usize) -> Option<String> {
        let change = &self.page.as_ref()?.files.get(file)?.change;
        let known = self.knows_moved().then_some(&self.moved)?;
        let is_unknown = known.copies_failed.is_some() && change.status == FileStatus::Added;
        let copied = known.copies.get(&change.path).map(Copied::words);
        copied.or_else(|| is_unknown.then(|| "a copy? not known · i".to_owned()))
    }

    /// For `i`: the same, with the reason.
    pub(super) fn copied_why(&self, file: usize) -> Option<String> {
        let words = self.copied_words(file)?;
        Some(match &self.moved.copies_failed {
            Some(report) => format!("whether it is a copy is not known: {}", report.headline),
            None => words,
        })
    }

    fn knows_moved(&self) -> bool {
        let [page, known] = [&self.page, &self.moved.page];
        page.as_ref().zip(known.as_ref()).is_some_and(|(page, known)| Arc::ptr_eq(page, known))
    }

    /// Where the line came from, or went to.
    pub fn moved(&self, file: usize, line: HunkLine) -> Option<(usize, HunkLine)> {
        self.knows_moved().then(|| self.moved.moved.other(file, line)).flatten()
    }

    /// Of the row under the cursor.
    fn moved_here(&self) -> Option<(usize, HunkLine)> {
        let place = self.stream.place(self.cursor)?;
        let mut lines = place.row.lines().collect::<Vec<_>>().into_iter().rev();
        lines.find_map(|line| self.moved(place.file, line))
    }

    /// `moved here from src/old.rs line 12`.
    pub(super) fn moved_words(&self) -> Option<String> {
        let (file, line) = self.moved_here()?;
        let path = &self.page.as_ref()?.files.get(file)?.change.path;
        let (verb, index) = match line.kind {
            LineKind::Removed => ("moved here from", line.old_index),
            _ => ("moved from here to", line.new_index),
        };
        let number = index.map_or(0, |index| index + 1);
        Some(format!(
            "{verb} {} line {number}: Enter goes there, ctrl-o back",
            visible_name(path.as_bytes())
        ))
    }
}

/// Once the colours of what is on the screen are there: nobody waits for this.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let is_busy = [Slot::Moved, Slot::HighlightOld, Slot::HighlightNew, Slot::Review, Slot::Part]
        .iter()
        .any(|slot| model.jobs.is_open(*slot));
    let Some(screen) = model.review.as_mut().filter(|_| !is_busy) else { return Vec::new() };
    let Some(page) = screen.page.clone().filter(|_| !screen.knows_moved()) else {
        return Vec::new();
    };
    screen.moved = MovedLines { page: Some(Arc::clone(&page)), ..MovedLines::default() };
    model.jobs.start(Slot::Moved, Job::FindMoved { page })
}

pub(super) fn receive(model: &mut Model, moved: MovedLines) {
    if let Some(screen) = &mut model.review {
        screen.moved = moved;
    }
}

/// To the other place of the line under the cursor; false where it has none.
pub(super) fn jump(model: &mut Model) -> bool {
    let Some(screen) = &mut model.review else { return false };
    let Some((file, line)) = screen.moved_here() else { return false };
    let Some(span) = screen.stream.files().get(file) else { return false };
    let row = screen.stream.row_of(file, line).unwrap_or(span.first_stop);
    screen.leave_mark();
    screen.cursor = screen.stream.stop_from(row);
    keep_in_view(model);
    true
}
