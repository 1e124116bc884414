//! The one state: a stack of screens, a stack of sheets above it, and what all of them share.
//! One owner, the loop; one struct a screen, each in its own file.

use tui_textarea::TextArea;

use super::{
    Effect,
    answer::{Answer, Mood},
    command::Context,
    comment_sheet::CommentSheet,
    commits_sheet::CommitsSheet,
    conflicts::{ConflictsScreen, Editor},
    create_sheet::CreateSheet,
    discard_sheet::DiscardSheet,
    fleet::FleetScreen,
    help::HelpSheet,
    job::{Jobs, Slot},
    keymap::{KeyPress, Keymap, SEQUENCE_MAX},
    land_sheet::LandSheet,
    log::LogScreen,
    pages::Pages,
    palette::Palette,
    prompt::{Past, Prompt},
    radar::RadarScreen,
    review::{Memory, ReviewScreen},
    review_comments::Comments,
    running::Running,
    sync_sheet::SyncSheet,
    text_field,
    trail::{self, Trail},
    undo_sheet::UndoSheet,
    viewport::{Border, Sizes, Viewport},
    why_sheet::WhySheet,
};
use crate::{config::Config, report::Report, shadow::ShadowId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Fleet,
    Review,
    Conflicts,
    Radar,
    Log,
}

/// What lies over a screen. The top one gets the keys.
#[derive(Debug)]
pub enum Sheet {
    Land(Box<LandSheet>),
    Discard(DiscardSheet),
    Undo(UndoSheet),
    Sync(SyncSheet),
    Create(CreateSheet),
    Commits(CommitsSheet),
    Comment(Box<CommentSheet>),
    Prompt(Prompt),
    Palette(Palette),
    Help(HelpSheet),
    Why(WhySheet),
}

#[derive(Debug)]
pub struct Model {
    /// Never empty, and the first is Fleet.
    pub screens: Vec<Screen>,
    pub sheets: Vec<Sheet>,
    pub fleet: FleetScreen,
    /// Kept when left, so that coming back finds its place.
    pub review: Option<ReviewScreen>,
    pub conflicts: Option<ConflictsScreen>,
    pub radar: RadarScreen,
    pub log: LogScreen,
    pub pages: Pages,
    /// Ticks and places, beyond one visit.
    pub memory: Memory,
    pub comments: Comments,
    pub config: Config,
    pub jobs: Jobs,
    pub keymap: Keymap,
    pub pending_keys: Vec<KeyPress>,
    pub viewport: Viewport,
    pub sizes: Sizes,
    /// The border under the mouse's button.
    pub dragged: Option<Border>,
    pub answer: Option<Answer>,
    /// What was typed into one-line fields before.
    pub past: Past,
    pub trail: Trail,
    /// What the running write has told.
    pub running: Running,
    /// The last frame that was drawn, and the one that was there when the last key was read.
    pub frame: u64,
    pub key_frame: u64,
    pub now_ms: u64,
    /// Quits as soon as the running write has ended.
    pub leaving: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            screens: vec![Screen::Fleet],
            sheets: Vec::new(),
            fleet: FleetScreen::default(),
            review: None,
            conflicts: None,
            radar: RadarScreen::default(),
            log: LogScreen::default(),
            pages: Pages::default(),
            memory: Memory::default(),
            comments: Comments::default(),
            config: Config::default(),
            jobs: Jobs::default(),
            keymap: Keymap::default(),
            pending_keys: Vec::new(),
            viewport: Viewport::default(),
            sizes: Sizes::default(),
            dragged: None,
            answer: None,
            past: Past::default(),
            trail: Trail::default(),
            running: Running::default(),
            frame: 0,
            key_frame: 0,
            now_ms: 0,
            leaving: false,
        }
    }
}

impl Model {
    pub fn screen(&self) -> Screen {
        *self.screens.last().expect("the list is always at the bottom")
    }

    /// Who gets the next key.
    pub fn context(&self) -> Context {
        self.context_under(self.sheets.len())
    }

    /// Who would get it, were there only so many sheets.
    pub(super) fn context_under(&self, sheets: usize) -> Context {
        match self.sheets[..sheets].last() {
            Some(Sheet::Land(sheet)) if sheet.editor.is_some() => Context::Text,
            Some(Sheet::Land(_)) => Context::LandSheet,
            Some(Sheet::Discard(_)) => Context::DiscardSheet,
            Some(Sheet::Undo(_)) => Context::UndoSheet,
            Some(Sheet::Sync(_)) => Context::SyncSheet,
            Some(Sheet::Create(_)) => Context::CreateSheet,
            Some(Sheet::Commits(_)) => Context::Commits,
            Some(Sheet::Comment(_)) => Context::Text,
            Some(Sheet::Prompt(_)) => Context::Search,
            Some(Sheet::Palette(_)) => Context::Palette,
            Some(Sheet::Help(_)) => Context::Help,
            Some(Sheet::Why(_)) => Context::Why,
            None => match self.screen() {
                Screen::Fleet => Context::Fleet,
                Screen::Review => Context::Review,
                Screen::Conflicts if self.writes_result() => Context::Text,
                Screen::Conflicts => Context::Conflicts,
                Screen::Radar => Context::Radar,
                Screen::Log => Context::Log,
            },
        }
    }

    /// A part of a conflict's result is being written.
    fn writes_result(&self) -> bool {
        self.conflicts.as_ref().is_some_and(|screen| screen.editor.is_some())
    }

    /// The field of many lines that has the keys, to write in.
    pub(super) fn text_field(&mut self) -> Option<&mut TextArea<'static>> {
        let is_in_conflicts = self.screen() == Screen::Conflicts;
        match self.sheets.last_mut() {
            Some(Sheet::Land(sheet)) => sheet.editor.as_mut(),
            Some(Sheet::Comment(sheet)) => Some(&mut sheet.editor),
            None if is_in_conflicts => self.conflicts.as_mut()?.editor.as_mut().map(Editor::write),
            _ => None,
        }
    }

    /// The sheet that is drawn: a prompt has the footer alone.
    pub fn docked(&self) -> Option<&Sheet> {
        self.sheets.iter().rev().find(|sheet| !matches!(sheet, Sheet::Prompt(_)))
    }

    /// The shadow that the keys `m`, `d`, `x` speak of.
    pub fn subject(&self) -> Option<&ShadowId> {
        match self.screen() {
            Screen::Fleet | Screen::Log => self.fleet.selected().map(|row| &row.id),
            Screen::Review => self.review.as_ref().map(|screen| &screen.id),
            Screen::Conflicts => self.conflicts.as_ref().map(|screen| &screen.id),
            Screen::Radar => self.radar.selected(),
        }
    }

    /// Opens a screen; one that is open already comes to the top. The list closes all others.
    pub fn enter(&mut self, screen: Screen) {
        if self.screen() != screen {
            trail::note(self);
        }
        if screen == Screen::Fleet {
            self.screens.truncate(1);
            return;
        }
        self.screens.retain(|open| *open != screen);
        self.screens.push(screen);
    }

    /// Leaves the top screen; the list stays.
    pub fn leave(&mut self) -> Vec<Effect> {
        if self.screens.len() > 1 {
            trail::note(self);
            self.screens.pop();
        }
        if self.screen() == Screen::Fleet { super::fleet::come_back(self) } else { Vec::new() }
    }

    pub fn close_sheet(&mut self) -> Vec<Effect> {
        self.sheets.pop();
        Vec::new()
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.answer = Some(Answer::done(text));
    }

    pub fn refuse(&mut self, text: impl Into<String>) {
        self.answer = Some(Answer::refused(text));
    }

    /// What was asked last stands: what stood in its way is another thing now.
    pub(super) fn drop_refusal(&mut self) {
        self.answer.take_if(|answer| answer.mood == Mood::Refused);
    }

    pub fn fail(&mut self, report: &Report) {
        self.answer = Some(Answer::of_report(report));
    }

    /// Waits for a running write, so that nothing is left half-done, and for ticks and places to be kept.
    pub fn quit(&mut self) -> Vec<Effect> {
        super::land_message::keep_draft(self);
        super::comment_sheet::keep_draft(self);
        let asked_again = std::mem::replace(&mut self.leaving, true);
        if self.jobs.is_open(Slot::Write) {
            self.say("quits when done: a write is running");
            return Vec::new();
        }
        super::review::remember_place(self);
        if asked_again || !(self.memory.is_unsaved() || self.comments.is_unsaved()) {
            self.leaving = false;
            return vec![Effect::Quit];
        }
        super::review::keep_marks(self)
    }

    /// After each job that quitting may have waited for.
    pub(super) fn quit_when_kept(&mut self) -> Vec<Effect> {
        if !self.leaving || self.jobs.is_open(Slot::Write) {
            return Vec::new();
        }
        if self.memory.is_unsaved() {
            return super::review::keep_marks(self);
        }
        if self.comments.is_unsaved() {
            return Vec::new();
        }
        self.leaving = false;
        vec![Effect::Quit]
    }

    /// Sizes of the next frame; every cursor is brought back into view. It is drawn right after: what a review has in
    /// view counts as shown from here on.
    pub fn fit(&mut self, viewport: Viewport) {
        if self.viewport != viewport {
            self.viewport = viewport;
            super::fleet::keep_in_view(self);
            super::discard_sheet::keep_in_view(self);
            super::log::keep_in_view(self);
            super::review::keep_in_view(self);
            super::conflicts::keep_in_view(self);
            super::radar::keep_in_view(self);
        }
        super::review::note_frame(self);
    }

    /// What a sheet shows counts as seen from here on; a screen too small to show it shows nothing.
    pub(super) fn drawn(&mut self, frame: u64) {
        self.frame = frame;
        if self.viewport.is_tiny() {
            return;
        }
        match self.sheets.last_mut() {
            Some(Sheet::Land(sheet)) => sheet.drawn(frame, self.viewport),
            Some(Sheet::Discard(sheet)) => sheet.drawn(frame, self.viewport),
            Some(Sheet::Undo(sheet)) => sheet.drawn(frame),
            Some(Sheet::Sync(sheet)) => sheet.drawn(frame),
            Some(Sheet::Create(sheet)) => sheet.drawn(frame),
            Some(
                Sheet::Commits(_)
                | Sheet::Comment(_)
                | Sheet::Prompt(_)
                | Sheet::Palette(_)
                | Sheet::Help(_)
                | Sheet::Why(_),
            )
            | None => {}
        }
    }

    /// What becomes of it in the terminal nobody tells.
    pub(super) fn copy(&mut self, what: &str, text: String) -> Vec<Effect> {
        self.say(format!("sent {what} to the terminal's clipboard"));
        vec![Effect::Copy(text)]
    }

    pub(super) fn paste(&mut self, text: &str) {
        if let Some(area) = self.text_field() {
            return text_field::insert(area, text);
        }
        let cut = match self.sheets.last_mut() {
            Some(Sheet::Create(sheet)) => sheet.paste(text),
            Some(Sheet::Prompt(prompt)) => {
                let cut = prompt.push_text(text);
                super::prompt::changed(self);
                cut
            }
            Some(Sheet::Palette(palette)) => {
                let cut = palette.prompt.push_text(text);
                super::palette::changed(self);
                cut
            }
            _ => Some("paste goes into text fields only".to_owned()),
        };
        if let Some(words) = cut {
            self.refuse(words);
        }
    }

    pub(super) fn type_key(&mut self, key: KeyPress) -> Vec<Effect> {
        if let Some(area) = self.text_field() {
            text_field::type_in(area, key);
            return Vec::new();
        }
        match self.sheets.last_mut() {
            Some(Sheet::Create(sheet)) => sheet.type_key(key),
            Some(Sheet::Prompt(prompt)) => {
                prompt.type_key(key);
                super::prompt::changed(self);
            }
            Some(Sheet::Palette(palette)) => {
                palette.prompt.type_key(key);
                super::palette::changed(self);
            }
            _ => {}
        }
        Vec::new()
    }

    /// Called after every update: a broken model is a bug and stops here, not three screens later.
    pub fn assert_invariants(&self) {
        assert_eq!(self.screens.first(), Some(&Screen::Fleet), "the list is at the bottom");
        let mut open = self.screens.clone();
        open.dedup();
        assert_eq!(open.len(), self.screens.len(), "no screen is open twice");
        assert!(
            !self.screens.contains(&Screen::Review) || self.review.is_some(),
            "an open review has a shadow"
        );
        assert!(
            !self.screens.contains(&Screen::Conflicts) || self.conflicts.is_some(),
            "an open conflict page has a shadow"
        );
        assert!(self.pending_keys.len() < SEQUENCE_MAX, "a key sequence is bounded");
        assert!(
            !self.leaving
                || [Slot::Write, Slot::Marks, Slot::Notes].iter().any(|s| self.jobs.is_open(*s)),
            "only what is being written holds up quitting"
        );
        self.fleet.assert_invariants();
    }
}
