//! Chosen lines and what is done with them: copied, opened in the editor; and the shell beside.

use super::{
    Effect, Model, comment_sheet,
    review::{ReviewScreen, line_text},
    review_paint::block_of,
};
use crate::review::{Content, LineKind, name::visible_name, stream::StreamRow};

/// `v`: the lines from here on are chosen, or none any more.
pub(super) fn toggle_range(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    if screen.range.take().is_some() {
        model.say("no lines are chosen");
    } else {
        screen.range = Some(screen.cursor);
        model.say("j and k choose lines · y copies them · Esc lets go");
    }
    Vec::new()
}

fn sign(kind: LineKind) -> char {
    match kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Removed => '-',
    }
}

/// The chosen lines as they are; else the hunk under the cursor as a patch's lines, with the path above.
pub(super) fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    if screen.range.is_some() {
        return copy_chosen(model);
    }
    let Some((text, what)) = hunk_text(screen) else { return Vec::new() };
    model.copy(&what, text)
}

fn hunk_text(screen: &ReviewScreen) -> Option<(String, String)> {
    let (file, here) = (screen.file()?, screen.stream.place(screen.cursor)?);
    let name = visible_name(file.change.path.as_bytes());
    let mut text = format!("{name}\n");
    let rows = screen.stream.files()[here.file].rows.clone();
    let places = rows.filter_map(|row| screen.stream.place(row));
    let in_hunk: Vec<StreamRow> =
        places.filter(|place| place.hunk == here.hunk).map(|place| place.row).collect();
    // Side by side the removed lines of a block still come before the added ones.
    for rows in in_hunk.chunk_by(|one, other| is_pair(*one) && is_pair(*other)) {
        for kind in [LineKind::Context, LineKind::Removed, LineKind::Added] {
            for line in rows.iter().flat_map(|row| row.lines()).filter(|line| line.kind == kind) {
                if let Some(bytes) = line_text(file, line) {
                    text.push(sign(line.kind));
                    text.push_str(&String::from_utf8_lossy(bytes));
                    text.push('\n');
                }
            }
        }
    }
    Some((text, format!("hunk {} of {name}", here.hunk + 1)))
}

fn is_pair(row: StreamRow) -> bool {
    matches!(row, StreamRow::Pair { .. })
}

fn copy_chosen(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let (Some(rows), Some(page)) = (screen.chosen(), screen.page.clone()) else {
        return Vec::new();
    };
    let (mut text, mut lines) = (String::new(), 0);
    for place in rows.filter_map(|row| screen.stream.place(row)) {
        let Some(line) = place.row.line() else { continue };
        let Some(bytes) = line_text(&page.files[place.file], line) else { continue };
        text.push_str(&String::from_utf8_lossy(bytes));
        text.push('\n');
        lines += 1;
    }
    screen.range = None;
    if lines == 0 {
        model.refuse("y: no line of text is chosen");
        return Vec::new();
    }
    let lines = crate::review::count(lines, "line");
    let what = lines;
    model.copy(&what, text)
}

/// The file as it lies in the worktree, at the line under the cursor.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    if comment_sheet::edit(model) {
        return Vec::new();
    }
    let Some(screen) = &model.review else { return Vec::new() };
    let (Some(file), Some(place)) = (screen.file(), screen.stream.place(screen.cursor)) else {
        return Vec::new();
    };
    if file.change.new.is_none() {
        model.refuse("e: the file is deleted there, nothing is left to edit");
        return Vec::new();
    }
    // A line that is gone was where its block begins.
    let block_start = |line| match &file.content {
        Content::Text { blocks, .. } => block_of(blocks, line).map(|at| blocks[at].new.start),
        _ => None,
    };
    let line = place.row.line();
    let line = line.and_then(|line| line.new_index.or_else(|| block_start(line))).unwrap_or(0);
    let Some(row) = model.fleet.find(&screen.id) else {
        model.refuse("e: its worktree is not known");
        return Vec::new();
    };
    let (dir, file) = (row.path.clone(), file.change.path.clone());
    vec![Effect::OpenEditor { dir, file, line: line + 1 }]
}

/// `E`: a comment of one's own in the editor too.
pub(super) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    comment_sheet::edit_outside(model).unwrap_or_else(|| edit(model))
}

pub(super) fn shell(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    if let Some(row) = model.fleet.find(&screen.id) {
        return vec![Effect::OpenShell { dir: row.path.clone() }];
    }
    model.refuse("o: its worktree is not known");
    Vec::new()
}

/// Esc: the chosen lines first, then the hits.
pub(super) fn let_go(model: &mut Model) -> bool {
    let Some(screen) = &mut model.review else { return false };
    if screen.range.take().is_some() {
        model.say("no lines are chosen");
        return true;
    }
    screen.search.take().is_some()
}

/// `ctrl-o` has a place to go back to in this diff.
pub(super) fn has_jumped(model: &Model) -> bool {
    model.review.as_ref().is_some_and(|screen| !screen.jumps.is_empty())
}
