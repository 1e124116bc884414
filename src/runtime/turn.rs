//! One turn of the loop: draw if something changed, wait, take a bounded batch, perform its effects.

use std::{
    collections::{BTreeMap, VecDeque},
    ffi::OsStr,
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
    buffer::Buffer,
};
use tokio::sync::mpsc;

use super::{bug, changed::changed_cells, message};
use crate::{
    app::{
        Effect, Model, Msg,
        job::{Job, JobId, Outcome, Slot},
        keymap::KeyPress,
        may_show, start, update,
    },
    report::{Code, Report},
    review::Tell,
    ui::{self, theme::Theme},
};

/// Messages taken before the next frame, so that a busy worker cannot starve the screen.
const BATCH_MAX: usize = 64;
const INBOX_MAX: usize = 4 * BATCH_MAX;

/// What reaches the loop.
#[derive(Debug)]
pub enum Event {
    Msg(Box<Msg>),
    /// Keys that were there when the first of them was read: they are taken together, and then a frame is drawn.
    Typed(Vec<Msg>),
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

/// Runs one job to its end on a blocking thread: it looks at the flag between steps and tells how it goes.
pub type Perform =
    Arc<dyn Fn(Job, &Arc<AtomicBool>, Tell<'_>) -> Result<Outcome, Report> + Send + Sync>;

/// What only a real terminal can do.
pub trait Shell {
    fn copy(&mut self, text: &str);
    /// Stops this process with the terminal restored; returns when it goes on.
    fn suspend(&mut self) -> Result<(), Report>;
    /// Puts the terminal back into the cockpit's modes.
    fn resume(&mut self) -> Result<(), Report>;
    /// Hands the terminal to the person's editor; returns when that has ended.
    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Report>;
    /// Hands the terminal to the person's difftool, started in a directory of no repository.
    fn difftool(&mut self, dir: &Path, sides: [&Path; 2]) -> Result<(), Report>;
    /// Hands the terminal to the person's mergetool, for the file that is in conflict in a repository of its own.
    fn mergetool(&mut self, dir: &Path, name: &OsStr) -> Result<(), Report>;
    /// Hands the terminal to the person's shell, in that directory.
    fn shell(&mut self, dir: &Path) -> Result<(), Report>;
}

/// Counts frames: a key carries the number of the last one that could be seen when it was pressed.
#[derive(Debug, Default)]
pub struct Frames {
    shown: AtomicU64,
    drawn: AtomicU64,
    /// A frame is being drawn: nothing of it may be seen yet.
    is_partial: AtomicBool,
}

impl Frames {
    /// The number of the frame that is drawn from here on.
    fn begin(&self) -> u64 {
        self.is_partial.store(true, Ordering::Release);
        self.drawn.fetch_add(1, Ordering::AcqRel) + 1
    }

    fn end(&self) {
        self.is_partial.store(false, Ordering::Release);
    }

    pub(super) fn is_partial(&self) -> bool {
        self.is_partial.load(Ordering::Acquire)
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
    /// Jobs to start or cancel once the frame is out: starting a thread is a fifth of a frame's time.
    due: Vec<Effect>,
    theme: Theme,
    shell: Box<dyn Shell>,
    frames: Arc<Frames>,
    changed: bool,
    /// What is on the screen: a picture equal to it is not written again.
    shown: Buffer,
    /// Nothing on the screen can be relied upon: the next frame draws every cell.
    lost: bool,
}

impl Runtime {
    pub fn new(perform: Perform, theme: Theme, shell: Box<dyn Shell>) -> Self {
        let (sender, inbox) = mpsc::channel(INBOX_MAX);
        Self {
            inbox,
            sender,
            perform,
            cancel_flags: BTreeMap::new(),
            due: Vec::new(),
            theme,
            shell,
            frames: Arc::default(),
            changed: true,
            shown: Buffer::default(),
            lost: false,
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
        self.start_due(); // What came without a frame may ask for jobs too.
        let mut batch = Vec::with_capacity(BATCH_MAX);
        self.inbox.recv_many(&mut batch, BATCH_MAX).await;
        let mut batch = VecDeque::from(batch);
        while let Some(event) = batch.pop_front() {
            self.changed |= !matches!(&event, Event::Msg(msg) if !may_show(model, msg));
            let msg = match event {
                Event::Msg(msg) => *msg,
                Event::Typed(msgs) => {
                    for msg in msgs.into_iter().rev() {
                        batch.push_front(Event::from(msg));
                    }
                    continue;
                }
                // Perhaps there and back again: what the terminal made of its cells is unknown.
                Event::Resized => {
                    self.lost = true;
                    continue;
                }
                Event::Woken => {
                    self.shell.resume()?;
                    self.lost = true;
                    continue;
                }
                Event::Opened(answer) => {
                    match answer {
                        Ok(()) => self.ask_first(model),
                        Err(report) => model.fleet.failed = Some(*report),
                    }
                    continue;
                }
            };
            if self.carry_out(model, msg)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.cancel_flags.retain(|_, flag| Arc::strong_count(flag) > 1);
        Ok(ControlFlow::Continue(()))
    }

    /// Takes one message, and does all that it asks for.
    fn carry_out(&mut self, model: &mut Model, msg: Msg) -> Result<ControlFlow<()>, Report> {
        let mut effects = VecDeque::from(update(model, msg));
        while let Some(effect) = effects.pop_front() {
            if matches!(effect, Effect::StartJob { .. } | Effect::CancelJob { .. }) {
                self.due.push(effect);
                continue;
            }
            self.start_due(); // The rest leaves the loop, or may hold it up.
            match effect {
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Copy(text) => self.shell.copy(&text),
                Effect::Suspend => {
                    self.shell.suspend()?;
                    self.lost = true;
                }
                Effect::OpenEditor { dir, file, line } => {
                    let outcome = message::edit_within(&mut *self.shell, &dir, &file, line);
                    self.lost = true;
                    effects.extend(update(model, Msg::CameBack { from: "editor", outcome }));
                }
                Effect::OpenShell { dir } => {
                    let outcome = self.shell.shell(&dir);
                    self.lost = true;
                    effects.extend(update(model, Msg::CameBack { from: "shell", outcome }));
                }
                Effect::OpenDifftool(sides) => {
                    let outcome = message::compare(&mut *self.shell, &sides);
                    self.lost = true;
                    effects.extend(update(model, Msg::CameBack { from: "difftool", outcome }));
                }
                Effect::EditMessage { text } => {
                    let outcome = message::edit(&mut *self.shell, &text);
                    self.lost = true;
                    effects.extend(update(model, Msg::MessageEdited { outcome }));
                }
                Effect::EditText { name, text, line } => {
                    let outcome = message::edit_file(&mut *self.shell, &name, &text, line);
                    self.lost = true;
                    effects.extend(update(model, Msg::TextEdited { from: "editor", outcome }));
                }
                Effect::OpenMergetool(sides) => {
                    let outcome = message::merge(&mut *self.shell, &sides);
                    self.lost = true;
                    effects.extend(update(model, Msg::TextEdited { from: "mergetool", outcome }));
                }
                Effect::Redraw => self.lost = true,
                start_or_cancel => self.start_or_cancel(start_or_cancel),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// One batch without a screen: what is left to do when the terminal is gone.
    pub(super) async fn work(&mut self, model: &mut Model) {
        self.start_due();
        let Some(event) = self.inbox.recv().await else { return };
        let msgs = match event {
            Event::Msg(msg) => vec![*msg],
            Event::Typed(msgs) => msgs,
            Event::Resized | Event::Woken | Event::Opened(_) => Vec::new(),
        };
        for effect in msgs.into_iter().flat_map(|msg| update(model, msg)).collect::<Vec<_>>() {
            self.start_or_cancel(effect);
        }
    }

    /// Draws now, and writes what differs. A real screen counts the frame as it is written: who sees it may answer.
    pub fn draw<B: Backend>(
        &mut self,
        terminal: &mut Terminal<B>,
        model: &mut Model,
    ) -> Result<(), Report> {
        let frame = self.frames.begin();
        let painted = self.paint(terminal, model).map_err(lost);
        self.start_due();
        painted?;
        for effect in update(model, Msg::Drawn { frame }) {
            self.start_or_cancel(effect);
        }
        self.frames.show();
        self.changed = false;
        Ok(())
    }

    fn paint<B: Backend>(
        &mut self,
        terminal: &mut Terminal<B>,
        model: &mut Model,
    ) -> Result<(), B::Error> {
        let is_lost = std::mem::take(&mut self.lost);
        if is_lost {
            // `Terminal::clear` would ask the terminal where its cursor is, and the answer goes to whoever reads
            // the keys.
            terminal.backend_mut().clear_region(ClearType::All)?;
            self.shown.reset();
        }
        terminal.autoresize()?;
        let area = terminal.get_frame().area();
        model.fit(ui::layout::viewport(model, area));
        ui::view(model, &self.theme, &mut terminal.get_frame());
        // `ui::view` wipes what it draws on; `Terminal::flush` writes something even where nothing differs.
        let picture = std::mem::take(terminal.current_buffer_mut());
        let mut before = std::mem::replace(&mut self.shown, picture);
        if before.area != self.shown.area {
            before = Buffer::empty(self.shown.area);
        }
        let changed = changed_cells(&before, &self.shown);
        let is_same = !is_lost && changed.is_empty();
        let cells = changed.iter().map(|index| {
            let (x, y) = self.shown.pos_of(*index);
            (x, y, &self.shown.content[*index])
        });
        let drawn = if is_same { Ok(()) } else { terminal.backend_mut().draw(cells) };
        *terminal.current_buffer_mut() = before;
        drawn?;
        self.frames.end();
        if is_same { Ok(()) } else { terminal.backend_mut().flush() }
    }

    fn start_due(&mut self) {
        for effect in std::mem::take(&mut self.due) {
            self.start_or_cancel(effect);
        }
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
            | Effect::EditMessage { .. }
            | Effect::EditText { .. }
            | Effect::OpenShell { .. }
            | Effect::OpenDifftool(_)
            | Effect::OpenMergetool(_)
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
            let progress = move |told| {
                // What finds the inbox full is not worth waiting for.
                let _ = steps.try_send(Event::from(Msg::Progressed { slot, id, told }));
            };
            let what = job.words();
            let outcome = catch_unwind(AssertUnwindSafe(|| perform(job, &cancelled, &progress)))
                .unwrap_or_else(|_| Err(bug(format!("{what} stopped unexpectedly"))));
            // The loop may be gone already; then nobody waits for the answer.
            let _ = sender.blocking_send(Event::from(Msg::JobFinished { slot, id, outcome }));
        });
    }
}

fn lost(error: impl std::error::Error) -> Report {
    Report::environment(Code::Io, "the terminal is gone").cause(error.to_string())
}
