//! The scenes that the tests and the screenshots draw: a believable day in one small repository,
//! reached by keys alone. Nothing here runs git: every job is answered from the same few facts.

pub mod facts;
pub mod sources;

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Rect};
use shadowdeck::{
    app::{
        self, Effect, Model, Msg,
        job::{Job, Outcome},
        keymap::KeyPress,
        update,
    },
    highlight::Highlighter,
    report::{Code, Report},
    review::{
        ConflictFile, ConflictPage, Copies, FileDiff, Fleet, RadarPage, Resolution, ReviewPage,
        Way,
        comment::{self, Notes, Thread},
        flag::FileFlag,
        marks::Marks,
        moved::find_moved,
    },
    shadow::{Oid, RepoPath, ShadowId, Strategy},
    ui::{self, theme::Theme},
};

/// 2026-03-14 14:05:31 UTC.
pub const NOW_MS: u64 = 1_773_497_131_000;

/// A cockpit on facts of its own: keys go in, jobs are answered at once, frames come out.
pub struct World {
    pub model: Model,
    pub area: Rect,
    pub pages: Vec<ReviewPage>,
    pub conflicts: ConflictPage,
    /// Of a rebase that conflicts on its way, commit by commit.
    pub steps: Vec<ConflictPage>,
    pub marks: Marks,
    /// Of rows; the others have none.
    pub flags: BTreeMap<ShadowId, Vec<FileFlag>>,
    /// What git finds copied.
    pub copies: Result<Copies, Report>,
    /// What a file holds that is read whole.
    pub large: String,
    /// The comments, of whichever shadow is asked for.
    pub threads: Vec<Thread>,
    pub effects: Vec<Effect>,
    highlighter: Highlighter,
    frame: u64,
}

impl World {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with_pages(columns, rows, facts::pages())
    }

    pub fn with_pages(columns: u16, rows: u16, pages: Vec<ReviewPage>) -> Self {
        let mut world = Self {
            model: Model::default(),
            area: Rect::new(0, 0, columns, rows),
            pages,
            conflicts: facts::conflict_page(),
            steps: Vec::new(),
            marks: Marks::default(),
            flags: BTreeMap::new(),
            copies: Ok(Copies::new()),
            large: "all\nof it\n".to_owned(),
            threads: Vec::new(),
            effects: Vec::new(),
            highlighter: Highlighter::default(),
            frame: 0,
        };
        world.restart();
        world
    }

    /// A new model asks its first questions.
    pub fn restart(&mut self) {
        self.fit();
        self.send(Msg::Ticked { now_ms: NOW_MS });
        let effects = app::start(&mut self.model);
        self.perform(effects);
    }

    /// Keys with blanks between, as the command table writes them.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.fit();
            self.frame += 1;
            self.send(Msg::Drawn { frame: self.frame });
            let key = KeyPress::parse(key).expect("scenes press keys of the table");
            self.send(Msg::KeyPressed { key, frame: self.frame });
        }
        self.fit();
        self
    }

    /// What is no key: the mouse, the clock.
    pub fn tell(&mut self, msg: Msg) {
        self.send(msg);
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.area = Rect::new(0, 0, columns, rows);
        self.fit();
        self
    }

    /// The loop does this before it waits.
    fn fit(&mut self) {
        let viewport = ui::layout::viewport(&self.model, self.area);
        self.model.fit(viewport);
    }

    pub fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.model, msg);
        self.fit();
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::StartJob { slot, id, job } => {
                    let outcome = self.answer(job);
                    self.send(Msg::JobFinished { slot, id, outcome });
                }
                other => self.effects.push(other),
            }
        }
    }

    fn page(&self, id: &ShadowId) -> ReviewPage {
        let known = self.pages.iter().find(|page| page.id == *id);
        known.cloned().unwrap_or_else(|| ReviewPage { id: id.clone(), ..facts::empty_page() })
    }

    /// The last file alone, as if that were all that lies between.
    fn part(&self, id: &ShadowId, [base, snapshot]: [Oid; 2]) -> ReviewPage {
        let page = self.page(id);
        let files = page.files.last().cloned().into_iter().collect();
        ReviewPage { base, snapshot, files, ..page }
    }

    fn answer(&mut self, job: Job) -> Result<Outcome, Report> {
        Ok(match job {
            Job::Places => Outcome::Fleet(facts::fleet(false)),
            Job::FirstFleet | Job::Fleet => Outcome::Fleet(self.fleet()),
            Job::Review { id } => Outcome::Review(self.page(&id)),
            Job::Part { id, between } => Outcome::Review(self.part(&id, between)),
            Job::Run { id, newest, .. } => {
                Outcome::Review(self.part(&id, [facts::oid("below"), newest]))
            }
            Job::Against { id, snapshot, against } => {
                Outcome::Review(facts::comparison(self.page(&id), snapshot, &against)?)
            }
            Job::Names => Outcome::Names(facts::names()),
            Job::Lines(change) => {
                let read = facts::text_file("large", Some("a\n"), Some(&self.large));
                Outcome::Lines(Box::new(FileDiff::new(*change, read.content)))
            }
            Job::Commits { .. } => Outcome::Commits(facts::commits()),
            Job::Notes { id, changes } => {
                let put = |change| comment::apply(&mut self.threads, change, NOW_MS);
                let answers = changes.iter().map(put).collect();
                Outcome::Notes(Notes { id, threads: self.threads.clone(), answers })
            }
            Job::Marks(changes) => {
                for change in &changes {
                    self.marks.apply(change);
                }
                Outcome::Marks(Box::new(self.marks.clone().into()))
            }
            Job::Conflicts { way, .. } => self.conflicts(way, None),
            Job::Resolve { way, path, resolution: chosen, .. } => {
                self.conflicts(way, Some((path, chosen)))
            }
            Job::Highlight { path, text, lines, has_guess } => {
                let (cancel, asked) = (AtomicBool::new(false), lines.clone());
                let painted = self.highlighter.lines(&path, &text, asked, has_guess, &cancel);
                Outcome::Tokens { text, lines, painted }
            }
            Job::FindMoved { page } => {
                let known = self.copies.clone().unwrap_or_default();
                let moved = find_moved(&page.files, &known);
                Outcome::Moved { page, moved, copies: self.copies.clone() }
            }
            Job::PlanLand { options, .. }
                if options.strategy == Some(Strategy::Rebase) && is_open(self.step()) =>
            {
                return Err(facts::stopped(self.step()));
            }
            Job::PlanLand { id, options } => {
                Outcome::PlannedLanding(Box::new(facts::land_plan(&self.page(&id), &options)))
            }
            Job::PlanDiscard { ids } => Outcome::PlannedDiscard(facts::discard_plan(&ids)),
            Job::Radar => Outcome::Radar(Box::new(facts::radar())),
            Job::RadarPair { a, b } => {
                Outcome::RadarPair(Box::new(RadarPage { a, b, ..facts::radar_page() }))
            }
            Job::Log => Outcome::Log(facts::log()),
            Job::Recover => Outcome::Recovered(Vec::new()),
            other => {
                let what = format!("no scene answers {other:?}");
                return Err(Report::user(Code::InvalidValue, what));
            }
        })
    }

    fn fleet(&self) -> Fleet {
        let mut fleet = facts::fleet(true);
        for row in &mut fleet.rows {
            let page = self.pages.iter().find(|page| page.id == row.id);
            row.flags = self.flags.get(&row.id).cloned();
            row.snapshot = page.map(|page| page.snapshot.clone()).or(row.snapshot.take());
            if row.id == self.conflicts.id {
                let files = self.conflicts.files.iter();
                let is_settled = |file: &&ConflictFile| file.conflict.resolution.is_some();
                row.settled = files.filter(is_settled).count();
            }
        }
        fleet
    }

    /// With what was chosen of a file, where it was chosen just now.
    fn conflicts(&mut self, way: Way, chosen: Option<(RepoPath, Option<Resolution>)>) -> Outcome {
        if let Some((path, resolution)) = chosen {
            let is_it = |page: &&mut ConflictPage| {
                page.step.as_ref().is_some_and(|step| way == Way::Step(step.number))
            };
            let page = self.steps.iter_mut().find(is_it).unwrap_or(&mut self.conflicts);
            facts::resolve(page, &path, resolution);
        }
        Outcome::Conflicts(if way == Way::Whole { &self.conflicts } else { self.step() }.clone())
    }

    /// The first that is not settled, else the last.
    fn step(&self) -> &ConflictPage {
        let open = self.steps.iter().find(|page| is_open(page));
        open.or(self.steps.last()).unwrap_or(&self.conflicts)
    }

    pub fn draw(&self, theme: &Theme) -> Buffer {
        let backend = TestBackend::new(self.area.width, self.area.height);
        let mut terminal = Terminal::new(backend).expect("a test backend");
        terminal.draw(|frame| ui::view(&self.model, theme, frame)).expect("draws");
        terminal.backend().buffer().clone()
    }
}

/// Some conflict file of a rebase's commit waits for a choice.
fn is_open(page: &ConflictPage) -> bool {
    page.step.is_some() && page.files.iter().any(|file| file.conflict.resolution.is_none())
}

/// One picture: its name, and the keys that lead there.
pub struct Scene {
    pub name: &'static str,
    pub keys: &'static str,
}

pub const SCENES: &[Scene] = &[
    Scene { name: "fleet", keys: "*" },
    Scene { name: "review", keys: "Enter Space ]" },
    Scene { name: "review-beside", keys: "Enter Space s" },
    Scene { name: "land", keys: "Enter r } } r } r m" },
    Scene { name: "conflicts", keys: "/ c a l m Enter x t" },
    Scene { name: "radar", keys: "X n" },
    Scene { name: "discard", keys: "* d" },
];
