//! The conflicts of landing one shadow now: what each side did, and what is to become of each file.
//! A choice is written at once; keys pressed meanwhile wait in line, so fast fingers lose nothing.

use std::collections::{BTreeSet, VecDeque};

use super::{
    Effect, Model, Screen, Viewport,
    conflict_choices::{choices_left, note_settled, write_next},
    conflict_undo::Deed,
    job::{Job, Outcome, Slot},
    review::panes as review_panes,
};
pub use super::{
    conflict_choices::settled_of,
    conflict_edit::Editor,
    conflict_open::{can_both, can_both_files},
    conflict_result::Shown,
    conflict_sides::Side,
    conflict_sizes::share,
    conflicts_keys::COMMANDS,
};
pub(super) use super::{
    conflict_choices::{land, write_failed},
    conflict_undo::{choose_again, take_back},
};
use crate::{
    report::Report,
    review::{
        ConflictFile, ConflictPage, Resolution, Way,
        clash::Clash,
        marks::Marks,
        stream::{Layout, Long, Space},
        visible::visible_str,
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
pub(super) struct Choice {
    /// Of a rebase: the number of the commit whose conflict it is.
    pub(super) step: Option<usize>,
    pub(super) path: RepoPath,
    pub(super) resolution: Option<Resolution>,
}

impl Choice {
    pub(super) fn way(&self) -> Way {
        self.step.map_or(Way::Whole, Way::Step)
    }
}

/// Whether the list names the files that are settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Settled {
    #[default]
    Shown,
    Hidden,
}

/// What the screen waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Writing {
    #[default]
    Nothing,
    /// The write that runs is a choice of ours.
    Choice,
    /// As before, and `m` was pressed: the sheet opens when all choices are written.
    LandNext,
}

impl Writing {
    pub(super) fn began(self) -> Self {
        if self == Self::LandNext { self } else { Self::Choice }
    }

    fn ended(self) -> Self {
        if self == Self::Choice { Self::Nothing } else { self }
    }
}

#[derive(Debug)]
pub struct ConflictsScreen {
    pub id: ShadowId,
    /// Never of one step: which is open is found anew.
    pub way: Way,
    pub page: Option<ConflictPage>,
    pub failed: Option<Report>,
    /// Index of a file; 0 where there is none.
    pub cursor: usize,
    pub pane: Pane,
    /// The list is dropped over the parts, where it has no place of its own.
    pub files_open: bool,
    /// First row shown of each part, and the one that its cursor is on.
    pub tops: [usize; 3],
    pub cursors: [usize; 3],
    pub scroll: usize,
    /// The other end of the chosen lines of the part in focus.
    pub range: Option<usize>,
    pub long: Long,
    pub space: Space,
    pub layout: Layout,
    pub settled: Settled,
    /// Lines around each change; what fits where nobody chose.
    pub context: Option<u32>,
    /// Gaps of each side that are shown whole.
    pub(super) opened: [BTreeSet<(usize, usize)>; 2],
    /// What is searched for.
    pub needle: Option<String>,
    pub(super) searched_from: (usize, usize, usize),
    /// Where both sides changed the same lines, and the place that is shown.
    pub clashes: Vec<Clash>,
    pub clash: usize,
    /// Cells of a line number.
    pub number_cells: usize,
    /// What would land, of the file under the cursor.
    pub result: Option<Shown>,
    /// A place, or the whole file, being written in the result.
    pub editor: Option<Editor>,
    /// What a person wrote of this file and what could not be taken as it is.
    pub(super) draft: Option<(RepoPath, Vec<u8>)>,
    /// The part in focus takes most of the height.
    pub enlarged: bool,
    /// Of the file under the cursor; `None` where there is nothing to compare.
    pub target_side: Option<Side>,
    pub shadow_side: Option<Side>,
    /// What `u` takes back, the last first.
    pub(super) taken: Vec<Deed>,
    /// What `ctrl-r` does again.
    pub(super) undone: Vec<Deed>,
    pub(super) queue: VecDeque<Choice>,
    pub(super) writing: Writing,
}

impl ConflictsScreen {
    fn new(id: ShadowId, way: Way, marks: &Marks) -> Self {
        Self {
            id,
            way,
            page: None,
            failed: None,
            cursor: 0,
            pane: Pane::Files,
            files_open: false,
            tops: [0; 3],
            cursors: [0; 3],
            scroll: 0,
            range: None,
            long: marks.long,
            space: marks.space,
            layout: Layout::Unified,
            settled: Settled::Shown,
            context: None,
            opened: [BTreeSet::new(), BTreeSet::new()],
            needle: None,
            searched_from: (0, 0, 0),
            clashes: Vec::new(),
            clash: 0,
            number_cells: 0,
            result: None,
            editor: None,
            draft: None,
            enlarged: false,
            target_side: None,
            shadow_side: None,
            taken: Vec::new(),
            undone: Vec::new(),
            queue: VecDeque::new(),
            writing: Writing::Nothing,
        }
    }

    pub fn files(&self) -> &[ConflictFile] {
        self.page.as_ref().map_or(&[], |page| &page.files)
    }

    /// Number of the commit whose conflicts are shown, of a rebase.
    pub(super) fn step(&self) -> Option<usize> {
        self.page.as_ref().and_then(|page| page.step.as_ref()).map(|step| step.number)
    }

    pub fn file(&self) -> Option<&ConflictFile> {
        self.files().get(self.cursor)
    }

    /// The file under the cursor, if something is chosen for it, or for its place that is shown.
    pub fn settled_here(&self) -> Option<&RepoPath> {
        let file = self.file()?;
        let is_chosen = file.conflict.resolution.is_some() || self.take_here().is_some();
        is_chosen.then_some(&file.conflict.path)
    }

    pub fn has_choice_to_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Named in the list: the one under the cursor always.
    pub fn is_listed(&self, index: usize) -> bool {
        let is_settled =
            self.files().get(index).is_some_and(|file| file.conflict.resolution.is_some());
        index == self.cursor || self.settled == Settled::Shown || !is_settled
    }

    /// The list has the keys, and is drawn.
    pub fn is_in_files(&self, viewport: Viewport) -> bool {
        self.pane == Pane::Files && (review_panes(viewport).files > 0 || self.files_open)
    }

    /// The part that scrolls.
    pub fn part(&self) -> usize {
        self.pane.part_index().unwrap_or(0)
    }

    pub(super) fn go_to(&mut self, (file, place): (usize, usize), rows: usize) {
        if file == self.cursor {
            self.lay_out(rows);
        } else {
            self.go(file, rows);
        }
        self.show_clash(place);
    }

    pub(super) fn go(&mut self, index: usize, rows: usize) {
        self.cursor = index.min(self.files().len().saturating_sub(1));
        self.opened = [BTreeSet::new(), BTreeSet::new()];
        self.range = None;
        self.scroll = 0;
        self.lay_out(rows);
        self.show_clash(0);
    }

    /// The page as the choices in line will leave it: the screen does not wait for the disk.
    fn take_page(&mut self, mut page: ConflictPage) {
        let step = page.step.as_ref().map(|step| step.number);
        for choice in self.queue.iter().filter(|choice| choice.step == step) {
            let file = page.files.iter_mut().find(|file| file.conflict.path == choice.path);
            if let Some(file) = file {
                file.set_answer(choice.resolution.clone());
                file.result = None;
            }
        }
        let here = self.file().map(|file| file.conflict.path.clone());
        let at = here.and_then(|path| page.files.iter().position(|f| f.conflict.path == path));
        self.cursor = at.unwrap_or(self.cursor).min(page.files.len().saturating_sub(1));
        self.page = Some(page);
    }

    /// Notes a choice and what it replaced.
    pub(super) fn choose(
        &mut self,
        path: RepoPath,
        resolution: Option<Resolution>,
    ) -> Option<Resolution> {
        let step = self.step();
        let page = self.page.as_mut()?;
        let file = page.files.iter_mut().find(|file| file.conflict.path == path)?;
        let before = file.answer();
        file.set_answer(resolution.clone());
        file.result = None;
        file.is_reused = false;
        self.queue.push_back(Choice { step, path, resolution });
        before
    }
}

/// Opens the conflicts of landing a shadow now; they are always computed afresh.
pub fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    open_way(model, id, Way::Whole)
}

pub(super) fn open_way(model: &mut Model, id: ShadowId, way: Way) -> Vec<Effect> {
    let kept = model.conflicts.take().filter(|screen| screen.id == id && screen.way == way);
    let marks = &model.memory.marks;
    model.conflicts = Some(kept.unwrap_or_else(|| ConflictsScreen::new(id.clone(), way, marks)));
    model.enter(Screen::Conflicts);
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id, way })
}

/// As it was open before, if it was.
pub(super) fn come_back(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    let before = model.conflicts.as_ref().filter(|screen| screen.id == id);
    let way = before.map_or(Way::Whole, |screen| screen.way);
    open_way(model, id, way)
}

pub(super) fn read_again(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let (id, way) = (screen.id.clone(), screen.way);
    model.say("working the conflicts out again");
    model.jobs.start(Slot::Conflicts, Job::Conflicts { id, way })
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
    // Without any file it may be of either way.
    let is_asked = |screen: &&mut ConflictsScreen| {
        let is_rebase = screen.way == Way::Rebase;
        screen.id == page.id && (page.files.is_empty() || page.step.is_some() == is_rebase)
    };
    let Some(screen) = model.conflicts.as_mut().filter(is_asked) else { return Vec::new() };
    let step = page.step.clone();
    let other_step = screen.step() != step.as_ref().map(|step| step.number);
    let is_first = screen.page.is_none() || other_step;
    if other_step {
        screen.cursor = 0;
        screen.draft = None;
    }
    let here = screen.file().map(|file| file.conflict.path.clone());
    let before = screen.page.as_ref().map(|page| (page.before.clone(), page.snapshot.clone()));
    let moved =
        before.is_some_and(|(before, snapshot)| before != page.before || snapshot != page.snapshot);
    screen.failed = None;
    let had_result = screen.result.is_some();
    let chosen = screen.chosen_count();
    screen.take_page(page);
    let first_open = if is_first { screen.open_places().first().copied() } else { None };
    if let Some((file, place)) = first_open {
        screen.go(file, rows);
        screen.show_clash(place);
    } else if !is_first && screen.file().map(|file| &file.conflict.path) == here.as_ref() {
        screen.lay_out(rows);
        if !had_result && screen.result.is_some() {
            screen.show_result();
        }
    } else {
        screen.go(screen.cursor, rows);
    }
    if write_ended {
        screen.writing = screen.writing.ended();
    }
    note_settled(model);
    let Some(screen) = &model.conflicts else { return Vec::new() };
    if let Some(step) = step.filter(|_| other_step) {
        let rest = choices_left(screen.open_count());
        model.say(format!("{} · {rest}", visible_str(&step.words())));
        return write_next(model);
    }
    if moved {
        let (hold, open) = (screen.chosen_count(), screen.open_count());
        let hold =
            if hold == 1 { "1 choice holds".to_owned() } else { format!("{hold} choices hold") };
        // What was chosen and does not hold is looked at again; the rest is open as before.
        let again = chosen.saturating_sub(screen.chosen_count()).min(open);
        let rest = match (again, open) {
            (0, open) => format!("{open} to make"),
            (again, open) if again == open => format!("{again} to look at"),
            (again, open) => format!("{again} to look at, {} to make", open - again),
        };
        model.say(format!("computed anew: {hold}, {rest}"));
    }
    write_next(model)
}

pub(super) fn keep_in_view(model: &mut Model) {
    let (rows, viewport) = (review_panes(model.viewport).rows, model.viewport);
    if let Some(screen) = &mut model.conflicts {
        screen.lay_out(rows);
        screen.keep_in_view(viewport);
    }
}
