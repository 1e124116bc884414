//! The conflicts of landing one shadow now: what each side did, and what is to become of each file.
//! A choice is written at once; keys pressed meanwhile wait in line, so fast fingers lose nothing.

use std::collections::{BTreeSet, VecDeque};

pub(super) use super::conflict_choices::{choose_again, land, take_back, write_failed};
use super::{
    Effect, Model, Screen, Viewport,
    conflict_choices::{note_settled, write_next},
    job::{Job, Outcome, Slot},
    review::panes as review_panes,
};
pub use super::{
    conflict_choices::settled_of,
    conflict_edit::Editor,
    conflict_result::Shown,
    conflict_sides::{Side, share},
    conflicts_keys::COMMANDS,
};
use crate::{
    report::Report,
    review::{
        Conflict, ConflictFile, ConflictKind, ConflictPage, Resolution,
        clash::Clash,
        marks::Marks,
        stream::{Layout, Long, Space},
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
    pub(super) path: RepoPath,
    pub(super) resolution: Option<Resolution>,
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
    /// What `u` takes back: what was chosen before. Names of one file change together.
    pub(super) taken: Vec<Vec<Choice>>,
    /// What `ctrl-r` chooses again.
    pub(super) undone: Vec<Vec<Choice>>,
    pub(super) queue: VecDeque<Choice>,
    pub(super) writing: Writing,
}

impl ConflictsScreen {
    fn new(id: ShadowId, marks: &Marks) -> Self {
        Self {
            id,
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

    pub fn file(&self) -> Option<&ConflictFile> {
        self.files().get(self.cursor)
    }

    /// The file that `u` would open again.
    pub fn taken_last(&self) -> Option<&RepoPath> {
        self.taken.last().and_then(|choices| choices.first()).map(|choice| &choice.path)
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
        self.lay_out(rows);
        self.show_clash(0);
    }

    /// The page as the choices in line will leave it: the screen does not wait for the disk.
    fn take_page(&mut self, mut page: ConflictPage) {
        for choice in &self.queue {
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
        let page = self.page.as_mut()?;
        let file = page.files.iter_mut().find(|file| file.conflict.path == path)?;
        let before = file.answer();
        file.set_answer(resolution.clone());
        file.result = None;
        file.is_reused = false;
        self.queue.push_back(Choice { path, resolution });
        before
    }
}

/// Opens the conflicts of landing a shadow now; they are always computed afresh.
pub fn open(model: &mut Model, id: ShadowId) -> Vec<Effect> {
    let kept = model.conflicts.take().filter(|screen| screen.id == id);
    let marks = &model.memory.marks;
    model.conflicts = Some(kept.unwrap_or_else(|| ConflictsScreen::new(id.clone(), marks)));
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

/// `b` fits: both sides' lines, both names, or both files.
pub fn can_both(file: &ConflictFile) -> bool {
    file.weave.is_some() || !file.conflict.names.is_empty() || can_both_files(file)
}

/// Two files want one name: one of them can have another.
pub fn can_both_files(file: &ConflictFile) -> bool {
    let Conflict { kind, target, shadow, .. } = &file.conflict;
    match kind {
        ConflictKind::FileDirectory => target.is_some() != shadow.is_some(),
        ConflictKind::Mode | ConflictKind::Submodule | ConflictKind::RenameRename => false,
        _ => target.is_some() && shadow.is_some(),
    }
}

pub(super) fn keep_in_view(model: &mut Model) {
    let (rows, viewport) = (review_panes(model.viewport).rows, model.viewport);
    if let Some(screen) = &mut model.conflicts {
        screen.lay_out(rows);
        screen.keep_in_view(viewport);
    }
}
