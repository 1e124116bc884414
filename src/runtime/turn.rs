//! One turn of the loop: draw if something changed, wait, take a bounded batch, perform its effects.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use ratatui::{
    Terminal,
    backend::{Backend, ClearType},
    layout::Rect,
};
use tokio::sync::mpsc;

use super::bug;
use crate::{
    app::{
        Effect, Model, Msg,
        job::{Job, JobId, Outcome, Slot},
        keymap::KeyPress,
        start, update,
    },
    report::{Code, Report},
    ui::{self, theme::Theme},
};

/// Messages taken before the next frame, so that a busy worker cannot starve the screen.
const BATCH_MAX: usize = 64;
const INBOX_MAX: usize = 4 * BATCH_MAX;

/// What reaches the loop.
#[derive(Debug)]
pub enum Event {
    Msg(Box<Msg>),
    /// The terminal has another size now.
    Resized,
    /// We were stopped and go on: the terminal may be in any state.
    Woken,
    /// The repository is there, or git refuses it.
    Opened(Result<(), Box<Report>>),
}

impl From<Msg> for Event {
    fn from(msg: Msg) -> Self {
        Self::Msg(Box::new(msg))
    }
}

/// Runs one job to its end on a blocking thread: it looks at the flag between steps and tells the
/// steps of a write.
pub type Perform = Arc<
    dyn Fn(Job, &Arc<AtomicBool>, &dyn Fn(&'static str)) -> Result<Outcome, Report> + Send + Sync,
>;

/// What only a real terminal can do.
pub trait Shell {
    fn copy(&mut self, text: &str);
    /// Stops this process with the terminal restored; returns when it goes on.
    fn suspend(&mut self) -> Result<(), Report>;
    /// Puts the terminal back into the cockpit's modes.
    fn resume(&mut self) -> Result<(), Report>;
    /// Hands the terminal to the person's editor; returns when that has ended.
    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Report>;
    /// Hands the terminal to the person's shell, in that directory.
    fn shell(&mut self, dir: &Path) -> Result<(), Report>;
}

/// Counts frames: a key carries the number of the last one that could be seen when it was pressed.
#[derive(Debug, Default)]
pub struct Frames {
    shown: AtomicU64,
    drawn: AtomicU64,
}

impl Frames {
    /// The number of the frame that is drawn from here on.
    fn begin(&self) -> u64 {
        self.drawn.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// What is drawn goes out to the screen now.
    pub(super) fn show(&self) {
        self.shown.store(self.drawn.load(Ordering::Acquire), Ordering::Release);
    }

    pub(super) fn shown(&self) -> u64 {
        self.shown.load(Ordering::Acquire)
    }
}

pub struct Runtime {
    inbox: mpsc::Receiver<Event>,
    sender: mpsc::Sender<Event>,
    perform: Perform,
    cancel_flags: BTreeMap<JobId, Arc<AtomicBool>>,
    theme: Theme,
    shell: Box<dyn Shell>,
    frames: Arc<Frames>,
    changed: bool,
}

impl Runtime {
    pub fn new(perform: Perform, theme: Theme, shell: Box<dyn Shell>) -> Self {
        let (sender, inbox) = mpsc::channel(INBOX_MAX);
        Self {
            inbox,
            sender,
            perform,
            cancel_flags: BTreeMap::new(),
            theme,
            shell,
            frames: Arc::default(),
            changed: true,
        }
    }

    pub fn sender(&self) -> mpsc::Sender<Event> {
        self.sender.clone()
    }

    pub fn frames(&self) -> Arc<Frames> {
        Arc::clone(&self.frames)
    }

    /// As the input thread would say it now.
    pub fn key(&self, key: KeyPress) -> Event {
        Event::from(Msg::KeyPressed { key, frame: self.frames.shown() })
    }

    /// Nothing is on its way: no job is open, no message waits and the last change is on the screen.
    pub fn is_idle(&self, model: &Model) -> bool {
        model.jobs.is_idle() && self.is_quiet() && !self.changed
    }

    /// No message waits.
    pub fn is_quiet(&self) -> bool {
        self.inbox.is_empty()
    }

    /// Asks the first questions.
    pub fn open(&mut self, model: &mut Model, now_ms: u64) {
        model.now_ms = now_ms;
        self.ask_first(model);
    }

    fn ask_first(&mut self, model: &mut Model) {
        for effect in start(model) {
            self.start_or_cancel(effect);
        }
    }

    /// Draws once if something changed, then waits for at least one message and takes one batch.
    pub async fn turn<B: Backend>(
        &mut self,
        terminal: &mut Terminal<B>,
        model: &mut Model,
    ) -> Result<ControlFlow<()>, Report> {
        if self.changed {
            self.draw(terminal, model)?;
        }
        let mut batch = Vec::with_capacity(BATCH_MAX);
        self.inbox.recv_many(&mut batch, BATCH_MAX).await;
        self.changed = true;
        for event in batch {
            let msg = match event {
                Event::Msg(msg) => *msg,
                Event::Resized => continue,
                Event::Woken => {
                    self.shell.resume()?;
                    blank(terminal)?;
                    continue;
                }
                Event::Opened(answer) => {
                    answer.map_err(|report| *report)?;
                    self.ask_first(model);
                    continue;
                }
            };
            for effect in update(model, msg) {
                match effect {
                    Effect::Quit => return Ok(ControlFlow::Break(())),
                    Effect::Copy(text) => self.shell.copy(&text),
                    Effect::Suspend => {
                        self.shell.suspend()?;
                        blank(terminal)?;
                    }
                    Effect::OpenEditor { path, line } => {
                        let ended = self.shell.edit(&path, line);
                        blank(terminal)?;
                        come_back(model, ended, "back from the editor");
                    }
                    Effect::OpenShell { dir } => {
                        let ended = self.shell.shell(&dir);
                        blank(terminal)?;
                        come_back(model, ended, "back from the shell");
                    }
                    Effect::Redraw => blank(terminal)?,
                    start_or_cancel => self.start_or_cancel(start_or_cancel),
                }
            }
        }
        self.cancel_flags.retain(|_, flag| Arc::strong_count(flag) > 1);
        Ok(ControlFlow::Continue(()))
    }

    /// One batch without a screen: what is left to do when the terminal is gone.
    pub(super) async fn work(&mut self, model: &mut Model) {
        let Some(event) = self.inbox.recv().await else { return };
        if let Event::Msg(msg) = event {
            for effect in update(model, *msg) {
                self.start_or_cancel(effect);
            }
        }
    }

    /// Draws now, changed or not. A real screen counts the frame itself, in the instant in which it is
    /// written: who sees it may answer at once.
    pub fn draw<B: Backend>(
        &mut self,
        terminal: &mut Terminal<B>,
        model: &mut Model,
    ) -> Result<(), Report> {
        terminal.autoresize().map_err(lost)?;
        let size = terminal.size().map_err(lost)?;
        let area = Rect::new(0, 0, size.width, size.height);
        model.fit(ui::layout::viewport(model, area));
        let frame = self.frames.begin();
        terminal.draw(|frame| ui::view(model, &self.theme, frame)).map_err(lost)?;
        for effect in update(model, Msg::Drawn { frame }) {
            self.start_or_cancel(effect);
        }
        self.frames.show();
        self.changed = false;
        Ok(())
    }

    fn start_or_cancel(&mut self, effect: Effect) {
        match effect {
            Effect::StartJob { slot, id, job } => self.start(slot, id, job),
            Effect::CancelJob { id } => {
                if let Some(flag) = self.cancel_flags.get(&id) {
                    flag.store(true, Ordering::Relaxed);
                }
            }
            Effect::Copy(_)
            | Effect::Suspend
            | Effect::OpenEditor { .. }
            | Effect::OpenShell { .. }
            | Effect::Redraw
            | Effect::Quit => {}
        }
    }

    fn start(&mut self, slot: Slot, id: JobId, job: Job) {
        let cancelled = Arc::new(AtomicBool::new(false));
        self.cancel_flags.insert(id, Arc::clone(&cancelled));
        let (perform, sender) = (Arc::clone(&self.perform), self.sender.clone());
        tokio::task::spawn_blocking(move || {
            let steps = sender.clone();
            let progress = move |step| {
                // A step that finds the inbox full is not worth waiting for.
                let _ = steps.try_send(Event::from(Msg::Progressed { slot, id, step }));
            };
            let what = name(&job);
            let outcome = catch_unwind(AssertUnwindSafe(|| perform(job, &cancelled, &progress)))
                .unwrap_or_else(|_| Err(bug(format!("{what} stopped unexpectedly"))));
            // The loop may be gone already; then nobody waits for the answer.
            let _ = sender.blocking_send(Event::from(Msg::JobFinished { slot, id, outcome }));
        });
    }
}

/// What another program has changed is seen by the next reading of the list.
fn come_back(model: &mut Model, ended: Result<(), Report>, text: &str) {
    match ended {
        Ok(()) => model.say(format!("{text} · R takes what changed")),
        Err(report) => model.fail(&report),
    }
}

fn lost(error: impl std::error::Error) -> Report {
    Report::environment(Code::Io, "the terminal is gone").cause(error.to_string())
}

fn name(job: &Job) -> &'static str {
    match job {
        Job::Places | Job::Fleet => "reading the list",
        Job::Review { .. } | Job::Part { .. } => "reading a change",
        Job::Commits { .. } => "reading commits",
        Job::Marks(_) => "keeping what was read",
        Job::Conflicts { .. } => "working out conflicts",
        Job::Resolve { .. } => "recording a choice",
        Job::Highlight { .. } => "colouring source text",
        Job::PlanLand { .. } => "planning a landing",
        Job::Land(_) => "landing",
        Job::PlanDiscard { .. } => "planning a discard",
        Job::Discard(_) => "discarding",
        Job::PlanUndo { .. } => "planning to take back",
        Job::Undo(_) => "taking back",
        Job::Log => "reading the log",
        Job::Create { .. } => "making a shadow",
        Job::ReadSeen | Job::WriteSeen(_) => "what was last seen",
        Job::Recover => "recovery",
    }
}

/// An empty screen, of which every cell is drawn next. `Terminal::clear` would ask the terminal where its
/// cursor is, and the answer goes to whoever reads the keys.
fn blank<B: Backend>(terminal: &mut Terminal<B>) -> Result<(), Report> {
    terminal.backend_mut().clear_region(ClearType::All).map_err(lost)?;
    // After a frame this empties the one to compare the next with.
    terminal.swap_buffers();
    Ok(())
}
