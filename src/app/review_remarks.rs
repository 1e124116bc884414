//! `<` and `>`: through what was remarked on the change, flags and comments alike, each said in words.

use super::{Effect, Model, review, review::ReviewScreen};
use crate::review::{comment_words::status_words, name::visible_name};

/// Where something was remarked, and what.
struct Remark {
    row: usize,
    said: String,
}

/// In the order of the stream. Further kinds of remarks are pushed here.
fn remarks(screen: &ReviewScreen) -> Vec<Remark> {
    let mut all = Vec::new();
    push_flags(screen, &mut all);
    push_comments(screen, &mut all);
    // Of one row the first said is the gravest.
    all.sort_by_key(|remark: &Remark| remark.row);
    all
}

/// Their rows, in order.
pub(super) fn rows(screen: &ReviewScreen) -> Vec<usize> {
    remarks(screen).into_iter().map(|remark| remark.row).collect()
}

fn push_flags(screen: &ReviewScreen, all: &mut Vec<Remark>) {
    let files = screen.page.as_ref().map_or(&[][..], |page| &page.files);
    for (index, (file, span)) in files.iter().zip(screen.stream.files()).enumerate() {
        for finding in &file.findings {
            let name = visible_name(file.change.path.as_bytes());
            let said = format!("! {name}: {}", finding.sentence());
            let rows = finding.lines.iter().filter_map(|line| screen.stream.row_of(index, *line));
            let rows: Vec<usize> = rows.collect();
            // A flag on the file, and any flag on a folded one, is walked to at its head.
            let rows = if rows.is_empty() { vec![span.first_stop] } else { rows };
            all.extend(rows.into_iter().map(|row| Remark { row, said: said.clone() }));
        }
    }
}

fn push_comments(screen: &ReviewScreen, all: &mut Vec<Remark>) {
    for &(row, thread) in screen.stream.comments() {
        let Some(thread) = screen.threads.get(thread) else { continue };
        let state = status_words(thread.status);
        let said = format!("comment {}, {state} · i shows all of it, c answers", thread.number);
        all.push(Remark { row, said });
    }
}

pub(super) fn step(model: &mut Model, direction: isize) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let all = remarks(screen);
    let here = screen.cursor;
    let found = if direction > 0 {
        all.iter().map(|remark| remark.row).find(|row| *row > here)
    } else {
        all.iter().map(|remark| remark.row).rfind(|row| *row < here)
    };
    let Some(row) = found else {
        model.say(match (all.is_empty(), direction > 0) {
            (true, _) => "nothing is flagged in this view, and nobody commented on it",
            (false, true) => "this is the last flag or comment",
            (false, false) => "this is the first flag or comment",
        });
        return Vec::new();
    };
    screen.leave_mark();
    screen.cursor = screen.stream.stop_from(row);
    let said: Vec<String> =
        all.into_iter().filter(|remark| remark.row == row).map(|remark| remark.said).collect();
    model.say(said.join(" · "));
    review::keep_in_view(model);
    Vec::new()
}
