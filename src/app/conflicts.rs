//! The conflicts of landing one shadow now: what each side did, and what is to become of each file.
//! A choice is written at once; keys pressed meanwhile wait in line, so fast fingers lose nothing.

use std::collections::VecDeque;

use super::{
    Effect, Model, Screen, Viewport,
    job::{Job, Outcome, Slot},
    land_sheet,
    review::panes as review_panes,
};
pub use super::{conflict_sides::Side, conflicts_keys::COMMANDS};
use crate::{
    report::Report,
    review::{
        Conflict, ConflictFile, ConflictKind, ConflictPage, Content, FileDiff, Resolution,
        visible::visible,
    },
    shadow::{RepoPath, ShadowId},
};

/// What has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Files,
    Target,
    Shadow,
    Result,
}

impl Pane {
    pub const PARTS: [Self; 3] = [Self::Target, Self::Shadow, Self::Result];

    /// Its place among the three parts.
    pub fn part_index(self) -> Option<usize> {
        Self::PARTS.iter().position(|part| *part == self)
    }
}

/// A choice that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    path: RepoPath,
    resolution: Option<Resolution>,
}

/// What the screen waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Writing {
    #[default]
    Nothing,
    /// The write that runs is a choice of ours.
    Choice,
    /// As before, and `m` was pressed: the sheet opens when all choices are written.
    LandNext,
}

impl Writing {
    fn began(self) -> Self {
        if self == Self::LandNext { self } else { Self::Choice }
    }

    fn ended(self) -> Self {
        if self == Self::Choice { Self::Nothing } else { self }
    }
}

#[derive(Debug)]
pub struct ConflictsScreen {
    pub id: ShadowId,
    pub page: Option<ConflictPage>,
    pub failed: Option<Report>,
    /// Index of a file; 0 where there is none.
    pub cursor: usize,
    pub pane: Pane,
    /// The list is dropped over the parts, where it has no place of its own.
    pub files_open: bool,
    /// First row shown of each part.
    pub tops: [usize; 3],
    pub scroll: usize,
    /// The part in focus takes most of the height.
    pub enlarged: bool,
    /// Of the file under the cursor; `None` where there is nothing to compare.
    pub target_side: Option<Side>,
    pub shadow_side: Option<Side>,
    /// What `u` takes back: the path, and what was chosen before.
    taken: Vec<Choice>,
    queue: VecDeque<Choice>,
    writing: Writing,
}

impl ConflictsScreen {
    fn new(id: ShadowId) -> Self {
        Self {
            id,
            page: None,
            failed: None,
            cursor: 0,
            pane: Pane::Files,
            files_open: false,
            tops: [0; 3],
            scroll: 0,
            enlarged: false,
            target_side: None,
            shadow_side: None,
            taken: Vec::new(),
            queue: VecDeque::new(),
            writing: Writing::Nothing,
        }
    }

    pub fn files(&self) -> &[ConflictFile] {
        self.page.as_ref().map_or(&[], |page| &page.files)
    }

    pub fn file(&self) -> Option<&ConflictFile> {
        self.files().get(self.cursor)
    }

    pub fn open_count(&self) -> usize {
        self.files().iter().filter(|file| file.conflict.resolution.is_none()).count()
    }

    pub fn has_choice_to_take_back(&self) -> bool {
        !self.taken.is_empty()
    }

    /// The list has the keys, and is drawn.
    pub fn is_in_files(&self, viewport: Viewport) -> bool {
        self.pane == Pane::Files && (review_panes(viewport).files > 0 || self.files_open)
    }

    /// The part that scrolls.
    pub fn part(&self) -> usize {
        self.pane.part_index().unwrap_or(0)
    }

    /// The next open file, from the one under the cursor on and around.
    pub(super) fn next_open(&self) -> Option<usize> {
        let count = self.files().len();
        let is_open = |index: &usize| self.files()[*index].conflict.resolution.is_none();
        (self.cursor + 1..count)
            .chain(0..=self.cursor.min(count.saturating_sub(1)))
            .find(|index| *index < count && is_open(index))
    }

    pub(super) fn go(&mut self, index: usize, rows: usize) {
        self.cursor = index.min(self.files().len().saturating_sub(1));
        self.tops = [0; 3];
        self.lay_out(rows);
    }

    /// The page as the choices in line will leave it: the screen does not wait for the disk.
    fn take_page(&mut self, mut page: ConflictPage) {
        for choice in &self.queue {
            let file = page.files.iter_mut().find(|file| file.conflict.path == choice.path);
            if let Some(file) = file {
                file.conflict.resolution.clone_from(&choice.resolution);
                file.result = None;
            }
        }
        let here = self.file().map(|file| file.conflict.path.clone());
        let at = here.and_then(|path| page.files.iter().position(|f| f.conflict.path == path));
        self.cursor = at.unwrap_or(self.cursor).min(page.files.len().saturating_sub(1));
        self.page = Some(page);
    }

    /// Notes a choice and what it replaced.
    fn choose(&mut self, path: RepoPath, resolution: Option<Resolution>) -> Option<Resolution> {
        let page = self.page.as_mut()?;
        let file = page.files.iter_mut().find(|file| file.conflict.path == path)?;
        let before = std::mem::replace(&mut file.conflict.resolution, resolution.clone());
        file.result = None;
        self.queue.push_back(Choice { path, resolution });
        before
    }
}

/// Opens the conflicts of landing a shadow now; they are always computed afresh.
pub fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    let kept = model.conflicts.take().filter(|screen| screen.id == id);
    model.conflicts = Some(kept.unwrap_or_else(|| ConflictsScreen::new(id.clone())));
    model.enter(Screen::Conflicts);
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let id = screen.id.clone();
    model.say("working the conflicts out again");
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

/// Also what a resolution answers.
pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let page = match outcome {
        Ok(Outcome::Conflicts(page)) => page,
        Ok(_) => return Vec::new(),
        Err(report) => {
            model.fail(&report);
            if let Some(screen) = &mut model.conflicts {
                screen.failed = Some(report);
            }
            return Vec::new();
        }
    };
    let rows = review_panes(model.viewport).rows;
    let write_ended = !model.jobs.is_open(Slot::Write);
    let Some(screen) = model.conflicts.as_mut().filter(|screen| screen.id == page.id) else {
        return Vec::new();
    };
    let is_first = screen.page.is_none();
    let before = screen.page.as_ref().map(|page| (page.before.clone(), page.snapshot.clone()));
    let moved =
        before.is_some_and(|(before, snapshot)| before != page.before || snapshot != page.snapshot);
    screen.failed = None;
    screen.take_page(page);
    if is_first && screen.file().is_some_and(|file| file.conflict.resolution.is_some()) {
        screen.cursor = screen.next_open().unwrap_or(0);
    }
    screen.lay_out(rows);
    if write_ended {
        screen.writing = screen.writing.ended();
    }
    if moved {
        let (settled, open) = (screen.files().len() - screen.open_count(), screen.open_count());
        model.say(format!("computed anew: {settled} choices hold, {open} to make"));
    }
    write_next(model)
}

/// The next choice in line, and when all are written the landing that waited for them.
fn write_next(model: &mut Model) -> Vec<Effect> {
    if model.jobs.is_open(Slot::Write) {
        return Vec::new();
    }
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if let Some(choice) = screen.queue.pop_front() {
        screen.writing = screen.writing.began();
        let (id, Choice { path, resolution }) = (screen.id.clone(), choice);
        return model.jobs.start(Slot::Write, Job::Resolve { id, path, resolution });
    }
    let lands = screen.writing == Writing::LandNext;
    screen.writing = Writing::Nothing;
    if lands { land(model) } else { Vec::new() }
}

/// A write has failed; if it was a choice, what the disk holds is read again, and the answer stays.
pub(super) fn write_failed(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    if std::mem::take(&mut screen.writing) == Writing::Nothing {
        return Vec::new();
    }
    screen.queue.clear();
    screen.taken.clear();
    let id = screen.id.clone();
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id })
}

/// Takes a choice for the file under the cursor and goes on to the next open one.
pub(super) fn choose(model: &mut Model, resolution: Resolution) -> Vec<Effect> {
    let rows = review_panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(file) = screen.file() else { return Vec::new() };
    let path = file.conflict.path.clone();
    let words = outcome_words(&file.conflict, &resolution, screen);
    let before = screen.choose(path.clone(), Some(resolution));
    screen.taken.push(Choice { path: path.clone(), resolution: before });
    if let Some(next) = screen.next_open() {
        screen.go(next, rows);
    }
    let open = screen.open_count();
    let rest = match open {
        0 => "m lands with these choices".to_owned(),
        1 => "1 choice to make".to_owned(),
        open => format!("{open} choices to make"),
    };
    model.say(format!("{}: {words} · {rest}", visible(path.as_bytes())));
    write_next(model)
}

pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let rows = review_panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(Choice { path, resolution }) = screen.taken.pop() else { return Vec::new() };
    screen.choose(path.clone(), resolution);
    let at = screen.files().iter().position(|file| file.conflict.path == path);
    screen.go(at.unwrap_or(screen.cursor), rows);
    model.say(format!("{}: the choice is taken back", visible(path.as_bytes())));
    write_next(model)
}

/// With open choices it goes to the next one and says so; with none it opens the sheet.
pub(super) fn land(model: &mut Model) -> Vec<Effect> {
    let rows = review_panes(model.viewport).rows;
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let open = screen.open_count();
    if open > 0 {
        let here = screen.file().is_some_and(|file| file.conflict.resolution.is_none());
        if !here && let Some(next) = screen.next_open() {
            screen.go(next, rows);
        }
        let name = screen.file().map(|file| visible(file.conflict.path.as_bytes()));
        let name = name.unwrap_or_default();
        let choices = if open == 1 { "1 choice".to_owned() } else { format!("{open} choices") };
        let place = if here { " (you are on it)" } else { "" };
        model.refuse(format!("m waits: {choices} to make, next is {name}{place}"));
        return Vec::new();
    }
    if screen.writing != Writing::Nothing || !screen.queue.is_empty() {
        screen.writing = Writing::LandNext;
        model.say("writing the choices, then the sheet opens");
        return Vec::new();
    }
    let (id, expect) = (screen.id.clone(), screen.page.as_ref().map(|page| page.snapshot.clone()));
    land_sheet::open(model, id, expect)
}

/// What becomes of the file, never which side is "ours".
fn outcome_words(conflict: &Conflict, resolution: &Resolution, screen: &ConflictsScreen) -> String {
    let target = screen.page.as_ref().map(|page| page.target.0.clone()).unwrap_or_default();
    match resolution {
        Resolution::Delete => "it is deleted".to_owned(),
        Resolution::Target if conflict.target.is_none() => "it is deleted".to_owned(),
        Resolution::Shadow if conflict.shadow.is_none() => "it is deleted".to_owned(),
        Resolution::Target => format!("{target}'s"),
        Resolution::Shadow => format!("{}'s", screen.id),
        Resolution::Base => "as it was before both".to_owned(),
        Resolution::Union => format!("both, {target}'s lines first"),
        Resolution::Content(_) => "as edited".to_owned(),
    }
}

/// Both sides have text that can stand one after the other.
pub fn can_union(file: &ConflictFile) -> bool {
    let is_text = |diff: &Option<FileDiff>| {
        diff.as_ref().is_some_and(|diff| matches!(diff.content, Content::Text { .. }))
    };
    matches!(file.conflict.kind, ConflictKind::Content | ConflictKind::AddAdd)
        && file.conflict.target.is_some()
        && file.conflict.shadow.is_some()
        && is_text(&file.target_diff)
        && is_text(&file.shadow_diff)
}

pub(super) fn keep_in_view(model: &mut Model) {
    let rows = review_panes(model.viewport).rows;
    if let Some(screen) = &mut model.conflicts {
        for part in 0..3 {
            let last = screen.part_rows(part).saturating_sub(1);
            screen.tops[part] = screen.tops[part].min(last);
        }
        let tops = screen.tops;
        screen.lay_out(rows);
        screen.tops = tops;
    }
}
