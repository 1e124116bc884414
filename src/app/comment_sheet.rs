//! Writing a comment: a field of many lines below the diff. `Esc` and `ctrl-s` keep it, `ctrl-c` leaves it a draft;
//! `Tab` says what it is on.

use tui_textarea::{CursorMove, TextArea};

use super::{
    Effect, Model, Sheet,
    conflicts::{ConflictsScreen, Pane},
    review::ReviewScreen,
    review_comments as comments, review_moves, text_field,
};
use crate::{
    review::{
        Content, FileDiff, HunkLine, LineKind,
        comment::{At, Author, Change, Side, Spot, find},
        comment_words::numbers,
        marks::{About, Mark, NoteDraft},
        name::visible_name,
    },
    shadow::ShadowId,
};

#[derive(Clone, Debug)]
pub struct CommentSheet {
    pub id: ShadowId,
    /// What it may be on, the nearest first: where it was begun.
    pub abouts: Vec<About>,
    pub chosen: usize,
    pub editor: TextArea<'static>,
    /// Of an edit, what it was.
    before: String,
}

impl CommentSheet {
    pub fn about(&self) -> &About {
        &self.abouts[self.chosen.min(self.abouts.len() - 1)]
    }

    fn text(&self) -> String {
        self.editor.lines().join("\n").trim_end().to_owned()
    }

    fn draft(&self) -> NoteDraft {
        let (about, place) = (self.about().clone(), &self.abouts[0]);
        let begun_on = (about != *place).then(|| place.clone());
        NoteDraft { about, text: self.text(), begun_on }
    }
}

/// `src/a.rs:12-14, old side`.
pub fn about_words(about: &About) -> String {
    match about {
        About::Reply(number) | About::Edit(number, _) => format!("comment {number}"),
        About::Spot(spot) => {
            let path = visible_name(spot.path.as_bytes());
            let Some(passage) = &spot.passage else { return format!("{path}, the file") };
            let side = if spot.side == Side::Old { ", old side" } else { "" };
            format!("{path}:{}{side}", numbers(&passage.range()))
        }
    }
}

/// With what was begun on this place; `abouts` are what it may be on, that place first.
fn open_on(model: &mut Model, id: ShadowId, mut abouts: Vec<About>, text: &str) {
    if model.comments.is_unsaved() {
        model.refuse("the comment before is still being kept");
        return;
    }
    let Some(place) = abouts.first().cloned() else { return };
    let before = match &place {
        About::Edit(number, post) => comments::text_of(model, &id, *number, *post),
        _ => None,
    };
    let drafts = drafts_of(model, &id);
    let begun = drafts.iter().find(|draft| *draft.place() == place).cloned();
    let elsewhere = drafts.iter().find(|draft| *draft.place() != place);
    let waits = elsewhere.map(|draft| {
        format!("a draft on {} waits · :go.draft opens it", about_words(&draft.about))
    });
    let begun_text = begun.as_ref().map_or(text, |draft| &draft.text);
    let chosen = begun.as_ref().map_or(0, |draft| {
        abouts.iter().position(|about| *about == draft.about).unwrap_or_else(|| {
            abouts.push(draft.about.clone());
            abouts.len() - 1
        })
    });
    let before = before.unwrap_or_default();
    let sheet = CommentSheet { id, abouts, chosen, editor: field(begun_text), before };
    model.sheets.push(Sheet::Comment(Box::new(sheet)));
    if begun.is_some() {
        model.say("what you had begun to write here");
    } else if let Some(words) = waits {
        model.say(words);
    }
}

fn drafts_of<'a>(model: &'a Model, id: &ShadowId) -> &'a [NoteDraft] {
    model.memory.marks.note_drafts.get(id).map_or(&[], |drafts| &drafts.0)
}

/// The oldest draft of what is read, also where its place is gone by now.
pub(super) fn go_on(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    if let Some(draft) = drafts_of(model, &id).first() {
        let place = draft.place().clone();
        open_on(model, id, vec![place], "");
    }
    Vec::new()
}

pub(super) fn no_draft(model: &Model) -> Option<&'static str> {
    let has_some = model.subject().is_some_and(|id| !drafts_of(model, id).is_empty());
    (!has_some).then_some("no comment was begun and left")
}

fn field(text: &str) -> TextArea<'static> {
    let lines = text.lines().map(str::to_owned).collect();
    let mut editor = text_field::new(lines, CursorMove::Bottom);
    editor.move_cursor(CursorMove::End);
    editor
}

/// `c`: what was begun here and not kept goes on; on a comment it is an answer.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let in_files = review_moves::in_files(model);
    let Some(id) = model.review.as_ref().map(|screen| screen.id.clone()) else { return Vec::new() };
    let Some(screen) = &mut model.review else { return Vec::new() };
    let abouts = match comments::here(screen) {
        Some(thread) if !in_files => vec![About::Reply(thread.number)],
        _ => spots(screen, in_files).into_iter().map(|s| About::Spot(Box::new(s))).collect(),
    };
    if abouts.is_empty() {
        model.refuse("c: no file is here to comment on");
        return Vec::new();
    }
    screen.range = None;
    let on_line = screen.stream.place(screen.cursor).and_then(|place| place.row.line());
    let is_binary = screen.file().is_some_and(|file| file.change.binary);
    open_on(model, id, abouts, "");
    if is_binary && on_line.is_some() {
        model.say("to git the file is binary, its lines have no place: the comment is on the file");
    }
    Vec::new()
}

/// `c` among conflicts: on the shadow's own line, which is what its agent can change; else on its file.
pub(super) fn open_in_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.conflicts.as_ref().map(|screen| screen.id.clone()) else {
        return Vec::new();
    };
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(file) = screen.file().and_then(|file| file.shadow_diff.as_ref()) else {
        model.refuse("c: the shadow has no file here to comment on");
        return Vec::new();
    };
    let mut spots = conflict_spots(screen, file);
    let is_elsewhere = spots.is_empty() && screen.pane.part_index().is_some();
    spots.push(Spot::file(file));
    screen.range = None;
    if is_elsewhere {
        model.say("neither the shadow nor the base has this line: the comment is on the file");
    }
    open_on(model, id, spots.into_iter().map(|s| About::Spot(Box::new(s))).collect(), "");
    Vec::new()
}

/// The chosen lines or the line under the cursor of the shadow's part; of another part, the line of the shadow that is
/// the same, where there is just one, and what of the target's part the base has too.
fn conflict_spots(screen: &ConflictsScreen, file: &FileDiff) -> Vec<Spot> {
    let mut spots = Vec::new();
    let Some(part) = screen.pane.part_index() else { return spots };
    let here = screen.cursors[part];
    let other = screen.range.unwrap_or(here);
    let stream = screen.side(part).map(|side| &side.stream);
    let lines: Vec<HunkLine> = (here.min(other)..=here.max(other))
        .filter_map(|row| stream?.place(row + 1))
        .flat_map(|place| place.row.lines())
        .collect();
    if screen.pane == Pane::Shadow {
        push_sides(file, &lines, &mut spots);
        return spots;
    }
    let text = screen.row_text(part, here).filter(|_| other == here);
    if let (Some(text), Some(new)) = (text, Side::New.of(file)) {
        let mut same = (0..new.line_count()).filter(|line| new.line(*line) == text);
        if let (Some(line), None) = (same.next(), same.next()) {
            spots.extend(Spot::lines(file, Side::New, line..line + 1));
        }
    }
    // The base is the old side of the shadow's change too.
    let old = || lines.iter().filter_map(|line| line.old_index);
    if let (Some(first), Some(last)) = (old().min(), old().max()) {
        spots.extend(Spot::lines(file, Side::Old, first..last + 1));
    }
    spots
}

/// `e` on a comment of one's own.
pub(super) fn edit(model: &mut Model) -> bool {
    let Some((number, post, own)) = comments::own_here(model) else { return false };
    let Some(id) = model.review.as_ref().map(|screen| screen.id.clone()) else { return false };
    open_on(model, id, vec![About::Edit(number, post)], &own.text);
    true
}

/// `E`: the same in $EDITOR. What it leaves stands in the field then, and is kept as what is typed there.
pub(super) fn edit_outside(model: &mut Model) -> Option<Vec<Effect>> {
    if !edit(model) {
        return None;
    }
    let Some(Sheet::Comment(sheet)) = model.sheets.last() else { return Some(Vec::new()) };
    Some(vec![Effect::EditMessage { text: sheet.text() }])
}

/// Back from the editor; false where no comment waits for it.
pub(super) fn edited(model: &mut Model, text: &str) -> bool {
    let Some(Sheet::Comment(sheet)) = model.sheets.last_mut() else { return false };
    sheet.editor = field(text.trim_end());
    keep_draft(model);
    true
}

/// The chosen lines or the line under the cursor, the other side of it, its hunk, its file.
fn spots(screen: &ReviewScreen, in_files: bool) -> Vec<Spot> {
    let (Some(file), Some(place)) = (screen.file(), screen.stream.place(screen.cursor)) else {
        return Vec::new();
    };
    let mut spots = Vec::new();
    // Of what git takes for no text the agent's side reads no lines, and would find none again.
    if !in_files && !file.change.binary {
        let rows = screen.chosen().unwrap_or(screen.cursor..=screen.cursor);
        let places = rows.filter_map(|row| screen.stream.place(row));
        let lines: Vec<HunkLine> = places
            .filter(|other| other.file == place.file)
            .flat_map(|place| place.row.lines())
            .collect();
        push_sides(file, &lines, &mut spots);
        let hunk = screen.stream.files().get(place.file).and_then(|f| f.hunks.get(place.hunk));
        if let (Some(hunk), Content::Text { blocks, .. }) = (hunk, &file.content)
            && let Some(blocks) = blocks.get(hunk.clone()).filter(|blocks| !blocks.is_empty())
        {
            let (first, last) = (&blocks[0], &blocks[blocks.len() - 1]);
            let new = first.new.start..last.new.end;
            let old = first.old.start..last.old.end;
            let (side, range) = if new.is_empty() { (Side::Old, old) } else { (Side::New, new) };
            spots.extend(Spot::lines(file, side, range));
        }
    }
    // In a part of the change the sides may be others: only what the whole has too holds.
    if let Some(whole) = &screen.whole {
        let holds = |spot: &Spot| {
            find(&whole.files, spot).is_some_and(|found| matches!(found.at, At::Lines(_)))
        };
        spots.retain(holds);
    }
    spots.dedup();
    spots.push(Spot::file(file));
    spots
}

/// New lines first; lines that only the old side has are on the old side.
fn push_sides(file: &FileDiff, lines: &[HunkLine], spots: &mut Vec<Spot>) {
    let range = |indexes: Vec<u32>| Some(*indexes.iter().min()?..*indexes.iter().max()? + 1);
    let new = range(lines.iter().filter_map(|line| line.new_index).collect());
    let old = range(
        lines
            .iter()
            .filter(|line| line.kind == LineKind::Removed)
            .filter_map(|line| line.old_index)
            .collect(),
    );
    spots.extend(new.and_then(|range| Spot::lines(file, Side::New, range)));
    spots.extend(old.and_then(|range| Spot::lines(file, Side::Old, range)));
}

/// `Tab`: the next thing that it may be on.
pub(super) fn next_about(model: &mut Model) -> bool {
    let Some(Sheet::Comment(sheet)) = model.sheets.last_mut() else { return false };
    if sheet.abouts.len() > 1 {
        sheet.chosen = (sheet.chosen + 1) % sheet.abouts.len();
    } else {
        let text = format!("Tab: this is on {} and nothing else", about_words(sheet.about()));
        model.refuse(text);
    }
    true
}

/// Out of it: what was typed stays a draft, which the agent cannot read, and `c` goes on with it.
pub(super) fn leave(model: &mut Model) -> bool {
    keep_draft(model);
    let Some(Sheet::Comment(sheet)) = model.sheets.last() else { return false };
    let (id, place, is_empty) =
        (sheet.id.clone(), sheet.abouts[0].clone(), sheet.text().trim().is_empty());
    model.sheets.pop();
    if is_empty {
        model.memory.mark(Mark::NoteDraftGone(id, place));
        model.say("no comment is kept");
    } else {
        model.say("a draft, which nobody else reads · c here goes on with it, emptied it is gone");
    }
    true
}

/// It is said, and the agent can read it; an empty one is none.
pub(super) fn end(model: &mut Model) -> bool {
    let Some(Sheet::Comment(sheet)) = model.sheets.last() else { return false };
    let (id, about, text) = (sheet.id.clone(), sheet.about().clone(), sheet.text());
    let (before, draft) = (sheet.before.clone(), sheet.draft());
    model.sheets.pop();
    let is_edit = matches!(about, About::Edit(..));
    if text.trim().is_empty() || (text == before && is_edit) {
        model.memory.mark(Mark::NoteDraftGone(id, draft.place().clone()));
        model.say(if is_edit {
            "the comment stays as it was · Delete on it takes it back"
        } else {
            "no comment is kept"
        });
        return true;
    }
    keep_draft_of(model, id.clone(), draft);
    let author = Author::Reviewer;
    match about {
        About::Spot(spot) => {
            let said = format!("commented on {}", about_words(&About::Spot(spot.clone())));
            comments::add(model, id, Change::Add { spot, author, text }, &said);
        }
        About::Reply(number) => {
            comments::add(model, id, Change::Reply { number, author, text }, "answered");
        }
        About::Edit(number, post) => {
            comments::edit(model, id, Change::Edit { number, post, text }, before);
        }
    }
    true
}

fn keep_draft_of(model: &mut Model, id: ShadowId, draft: NoteDraft) {
    if !drafts_of(model, &id).contains(&draft) {
        model.memory.mark(Mark::NoteDraft(id, draft));
    }
}

/// It is kept now.
pub(super) fn forget_draft(model: &mut Model, id: &ShadowId, change: &Change) {
    let (about, text) = match change {
        Change::Add { spot, text, .. } => (About::Spot(spot.clone()), text),
        Change::Reply { number, text, .. } => (About::Reply(*number), text),
        Change::Edit { number, post, text } => (About::Edit(*number, *post), text),
        _ => return,
    };
    let own = drafts_of(model, id).iter().find(|draft| draft.about == about && draft.text == *text);
    if let Some(place) = own.map(|draft| draft.place().clone()) {
        model.memory.mark(Mark::NoteDraftGone(id.clone(), place));
    }
}

/// What is typed just now is kept with every tick.
pub(super) fn keep_draft(model: &mut Model) {
    let Some(Sheet::Comment(sheet)) = model.sheets.last() else { return };
    let (id, draft) = (sheet.id.clone(), sheet.draft());
    if !draft.text.trim().is_empty() {
        keep_draft_of(model, id, draft);
    }
}
