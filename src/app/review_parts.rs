//! What of a change is to land: each hunk and each file is taken in or left out. All of it is in before anything
//! was chosen; a file that has changed since its part was chosen is out, until it is taken in again.

use std::{collections::BTreeSet, ops::Range};

use super::{
    Effect, Model,
    review::{ReviewScreen, View},
    review_done::{Done, mark},
    review_moves::in_files,
    review_paint::block_of,
};
use crate::{
    review::{
        Accepted, Content, FileDiff, HunkLine, LandPlan, LineKind, Only, ReviewPage,
        accepted::Portion,
        count, count_of,
        marks::Mark,
        name::visible_name,
        stream::Space,
        ticks::{Reading, TickKey, Ticks},
    },
    shadow::ShadowId,
};

/// How much of a hunk or a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    In,
    Some,
    Out,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Hunk,
    File,
}

fn blocks(file: &FileDiff) -> &[crate::review::Block] {
    match &file.content {
        Content::Text { blocks, .. } => blocks,
        _ => &[],
    }
}

impl ReviewScreen {
    /// The blocks of the whole file that a hunk on the screen stands for. `None` where only a part of the change
    /// is shown: its hunks are others. Where white space is ignored, a block may be shown in pieces.
    fn whole_blocks(&self, file: usize, hunk: usize) -> Option<Range<usize>> {
        if !matches!(self.view, View::All | View::Against) || self.choices.folded.contains(&file) {
            return None;
        }
        let range = self.stream.files().get(file)?.hunks.get(hunk)?.clone();
        if self.space == Space::Shown || range.is_empty() {
            return Some(range);
        }
        let (shown, whole) =
            (blocks(self.page.as_ref()?.files.get(file)?), self.whole_file(file)?.0);
        let of = |index: usize| {
            let piece = shown.get(index)?;
            blocks(whole).iter().position(|block| {
                block.old.start <= piece.old.start
                    && piece.old.end <= block.old.end
                    && block.new.start <= piece.new.start
                    && piece.new.end <= block.new.end
            })
        };
        Some(of(range.start)?..of(range.end - 1)? + 1)
    }

    /// By its file's tick, or block by block.
    pub fn is_hunk_read(&self, ticks: &Ticks, file: usize, hunk: usize) -> bool {
        self.has_hunk(ticks, file, hunk) || self.reading(ticks, file) == Reading::Read
    }

    /// Block by block.
    fn has_hunk(&self, ticks: &Ticks, file: usize, hunk: usize) -> bool {
        let Some((_, digests)) = self.whole_file(file) else { return false };
        let blocks = self.whole_blocks(file, hunk).and_then(|blocks| digests.get(blocks));
        blocks.is_some_and(|blocks| {
            !blocks.is_empty() && blocks.iter().all(|block| ticks.has_block(block))
        })
    }

    /// Of the hunks on the screen; `None` where they are not told apart.
    pub(super) fn count_hunks(&self, ticks: &Ticks, file: usize) -> Option<(usize, usize)> {
        let count = self.stream.files().get(file)?.hunks.len();
        self.whole_blocks(file, 0)?;
        let read = match self.reading(ticks, file) {
            Reading::Read => count,
            _ => (0..count).filter(|hunk| self.has_hunk(ticks, file, *hunk)).count(),
        };
        Some((read, count))
    }

    /// Digests of what `Space` may tick of a hunk: only where all of it is drawn.
    pub(super) fn hunk_digests(
        &self,
        file: usize,
        hunk: usize,
    ) -> &[crate::review::digest::Digest] {
        let blocks = self.whole_blocks(file, hunk).filter(|_| self.space == Space::Shown);
        let digests = self.whole_file(file).map_or(&[][..], |(_, digests)| digests);
        blocks.and_then(|blocks| digests.get(blocks)).unwrap_or_default()
    }

    pub fn part_of_file(&self, accepted: Option<&Accepted>, file: usize) -> Part {
        let (Some(accepted), Some((whole, _))) = (accepted, self.whole_file(file)) else {
            return Part::In;
        };
        if self.view == View::Against {
            return Part::In;
        }
        match accepted.portion(whole) {
            None => Part::Out,
            Some(Portion::Blocks(_)) => Part::Some,
            Some(Portion::Whole) => Part::In,
        }
    }

    pub fn part_of_hunk(&self, accepted: Option<&Accepted>, file: usize, hunk: usize) -> Part {
        let of_file = self.part_of_file(accepted, file);
        let (Part::Some, Some(accepted)) = (of_file, accepted) else { return of_file };
        let (Some(blocks), Some((whole, _))) =
            (self.whole_blocks(file, hunk), self.whole_file(file))
        else {
            return of_file;
        };
        let all = blocks.len();
        match blocks.filter(|block| accepted.has_block(whole, *block)).count() {
            0 => Part::Out,
            some if some == all => Part::In,
            _ => Part::Some,
        }
    }

    /// Whether a changed line stays in the shadow.
    pub fn is_left(&self, accepted: Option<&Accepted>, file: usize, line: HunkLine) -> bool {
        let (Part::Some, Some(accepted)) = (self.part_of_file(accepted, file), accepted) else {
            return line.kind != LineKind::Context
                && self.part_of_file(accepted, file) == Part::Out;
        };
        let (Some((whole, _)), View::All) = (self.whole_file(file), self.view) else {
            return false;
        };
        block_of(blocks(whole), line).is_some_and(|block| !accepted.has_block(whole, block))
    }

    /// The hunks that the keys speak of: those of the chosen lines, else the one under the cursor.
    fn hunks_here(&self) -> Vec<(usize, usize)> {
        let rows = self.chosen().unwrap_or(self.cursor..=self.cursor);
        let mut hunks: Vec<(usize, usize)> = rows
            .filter_map(|row| self.stream.place(row))
            .map(|place| (place.file, place.hunk))
            .collect();
        hunks.dedup();
        hunks
    }
}

pub(super) fn take_hunk(model: &mut Model) -> Vec<Effect> {
    choose(model, Way::In, Extent::Hunk)
}

pub(super) fn leave_hunk(model: &mut Model) -> Vec<Effect> {
    choose(model, Way::Out, Extent::Hunk)
}

pub(super) fn take_file(model: &mut Model) -> Vec<Effect> {
    choose(model, Way::In, Extent::File)
}

pub(super) fn leave_file(model: &mut Model) -> Vec<Effect> {
    choose(model, Way::Out, Extent::File)
}

/// Nothing of it is in, so that single hunks can be taken.
pub(super) fn leave_all(model: &mut Model) -> Vec<Effect> {
    put(model, Some(Accepted::default()), "all of it is left out");
    Vec::new()
}

pub(super) fn take_all(model: &mut Model) -> Vec<Effect> {
    put(model, None, "all of it is taken in");
    Vec::new()
}

fn choose(model: &mut Model, way: Way, extent: Extent) -> Vec<Effect> {
    let extent = if in_files(model) { Extent::File } else { extent };
    let Some(screen) = &model.review else { return Vec::new() };
    let Some(whole) = screen.whole.clone() else { return Vec::new() };
    if screen.view == View::Against {
        model.refuse("what lands is chosen in the change itself, not in a comparison · 1 shows it");
        return Vec::new();
    }
    let known = model.memory.marks.accepted.get(&screen.id);
    let mut accepted =
        known.map_or_else(|| Accepted::all(&whole.files), |known| known.only_in(&whole.files));
    let mut names = Vec::new();
    for (file, hunk) in screen.hunks_here() {
        let Some((of_whole, _)) = screen.whole_file(file) else { continue };
        let name = visible_name(of_whole.change.path.as_bytes());
        let is_folded = screen.choices.folded.contains(&file);
        let range = screen.whole_blocks(file, hunk);
        match (extent, range, way) {
            (Extent::Hunk, None, _) if !is_folded => {
                let [hunk, file] = if way == Way::In { ["a", "A"] } else { ["t", "T"] };
                model.refuse(format!(
                    "{hunk}: hunks are chosen where all of the change is shown · 1 shows it, {file} is for the file"
                ));
                return Vec::new();
            }
            // git has no lines of it to put together.
            (Extent::Hunk, Some(blocks), way) if !blocks.is_empty() && of_whole.change.binary => {
                let [hunk, file, does] = match way {
                    Way::In => ["a", "A", "takes it in"],
                    Way::Out => ["t", "T", "leaves it out"],
                };
                model.refuse(format!(
                    "{hunk}: to git {name} is binary: it lands whole or not · {file} {does}"
                ));
                return Vec::new();
            }
            (Extent::Hunk, Some(blocks), way) if !blocks.is_empty() => {
                let of = screen.stream.files()[file].hunks.len();
                names.push(format!("hunk {} of {of} of {name}", hunk + 1));
                match way {
                    Way::In => accepted.accept_blocks(of_whole, blocks),
                    Way::Out => accepted.leave_blocks(of_whole, blocks),
                }
            }
            (_, _, Way::In) => {
                names.push(name);
                accepted.accept_file(of_whole);
            }
            (_, _, Way::Out) => {
                names.push(name);
                accepted.leave_file(of_whole);
            }
        }
    }
    names.dedup();
    let what = match &names[..] {
        [] => return Vec::new(),
        [one] => one.clone(),
        [first, ..] => format!("{first} and {} more", names.len() - 1),
    };
    let words = if way == Way::In { "is taken in" } else { "is left out" };
    let after = (!accepted.is_all(&whole.files)).then_some(accepted);
    put(model, after, &format!("{what} {words}"));
    Vec::new()
}

fn put(model: &mut Model, after: Option<Accepted>, what: &str) {
    let Some(screen) = &mut model.review else { return };
    screen.range = None;
    let before = model.memory.marks.accepted.get(&screen.id).cloned();
    if before == after {
        model.say(format!("{what} already"));
        return;
    }
    mark(model, Done::Chose { before, after, what: what.to_owned() });
    // How much of it lands stands in the rule above.
    let all = if how_much(model).is_none() { " · all of it lands" } else { "" };
    model.say(format!("{what}{all} · u takes that back"));
}

/// `3 of 7 hunks, 2 of 4 files`; nothing where all of it is in.
pub fn how_much(model: &Model) -> Option<String> {
    let screen = model.review.as_ref()?;
    let accepted = model.memory.marks.accepted.get(&screen.id)?;
    let counts = accepted.counts(&screen.whole.as_ref()?.files);
    let hunks = count_of(counts.hunks, counts.hunks_all, "hunk");
    Some(format!("{hunks}, {}", count_of(counts.files, counts.files_all, "file")))
}

/// What a landing of this shadow is to take, when not all of it.
pub fn chosen(model: &Model, id: &ShadowId) -> Option<Only> {
    let accepted = model.memory.marks.accepted.get(id)?;
    let open = model.review.as_ref().filter(|screen| screen.id == *id);
    let page = open.and_then(|screen| screen.whole.as_ref()).or_else(|| model.pages.find(id));
    match page {
        Some(page) if accepted.is_all(&page.files) => None,
        Some(page) => Some(Only::Accepted(accepted.only_in(&page.files))),
        None => Some(Only::Accepted(accepted.clone())),
    }
}

/// Why nothing can land: all of it is left out.
pub(super) fn is_nothing(model: &Model, id: &ShadowId) -> bool {
    matches!(chosen(model, id), Some(Only::Accepted(accepted)) if accepted.is_empty())
}

/// What was chosen has landed; of what is left all is in again.
pub(super) fn landed(model: &mut Model, plan: &LandPlan) {
    if model.memory.marks.accepted.contains_key(&plan.id) {
        model.memory.mark(Mark::Accepted(plan.id.clone(), None));
    }
}

/// Of the files that are new on this page those that are out, for nobody took them in.
pub(super) fn left_since(model: &Model, before: &ReviewPage) -> Option<String> {
    let screen = model.review.as_ref()?;
    let accepted = model.memory.marks.accepted.get(&screen.id)?;
    let known: BTreeSet<TickKey> =
        before.files.iter().map(|file| TickKey::of(&file.change)).collect();
    let is_left = |file: &&FileDiff| {
        !known.contains(&TickKey::of(&file.change)) && accepted.portion(file).is_none()
    };
    let left = screen.whole.as_ref()?.files.iter().filter(is_left).count();
    (left > 0).then(|| format!("{} left out until A takes it in", count(left, "file")))
}
