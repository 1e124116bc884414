//! What the loop writes to the screen, and when: counted at the backend. Jobs end when the test says so.

use std::{
    cell::Cell,
    io,
    path::Path,
    rc::Rc,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
};

use ratatui::{
    Terminal,
    backend::{Backend, ClearType, TestBackend, WindowSize},
    buffer,
    layout::{Position, Size},
};
use shadowdeck::{
    app::{
        Model, Msg,
        job::{Job, Outcome, Slot},
        keymap::KeyPress,
    },
    report::{Code, Report},
    review::{Painted, TokenClass, TokenRun, marks::Marks},
    runtime::{Event, Perform, Runtime, Shell},
    ui::theme::Theme,
};

use crate::{
    bursts::{Lines, is_all_read, long_page},
    desk::{NOW_MS, fleet, places, rows, text},
};

struct NoShell;

impl Shell for NoShell {
    fn copy(&mut self, _text: &str) {}

    fn suspend(&mut self) -> Result<(), Report> {
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Report> {
        Ok(())
    }

    fn edit(&mut self, _path: &Path, _line: u32) -> Result<(), Report> {
        Ok(())
    }

    fn difftool(&mut self, _dir: &Path, _sides: [&Path; 2]) -> Result<(), Report> {
        Ok(())
    }

    fn mergetool(&mut self, _dir: &Path, _name: &std::ffi::OsStr) -> Result<(), Report> {
        Ok(())
    }

    fn shell(&mut self, _dir: &Path) -> Result<(), Report> {
        Ok(())
    }
}

/// Counts frames as they are sent off.
struct Counting {
    inner: TestBackend,
    frames: Rc<Cell<usize>>,
}

/// Nothing fails in a test backend.
fn well<T>(result: Result<T, std::convert::Infallible>) -> io::Result<T> {
    result.map_err(|never| match never {})
}

impl Backend for Counting {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a buffer::Cell)>,
    {
        well(self.inner.draw(content))
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        well(self.inner.hide_cursor())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        well(self.inner.show_cursor())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        well(self.inner.get_cursor_position())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        well(self.inner.set_cursor_position(position))
    }

    fn clear(&mut self) -> io::Result<()> {
        well(self.inner.clear())
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        well(self.inner.clear_region(clear_type))
    }

    fn size(&self) -> io::Result<Size> {
        well(self.inner.size())
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        well(self.inner.window_size())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.set(self.frames.get() + 1);
        well(self.inner.flush())
    }
}

/// The real loop; `Job::Fleet` hangs until it is let go, all else is answered at once.
struct Loop {
    runtime: Runtime,
    terminal: Terminal<Counting>,
    model: Model,
    frames: Rc<Cell<usize>>,
    lets_go: Sender<()>,
    workers: tokio::runtime::Runtime,
}

fn answers(hangs: Receiver<()>) -> Perform {
    let hangs = Mutex::new(hangs);
    let marks = Mutex::new(Marks::default());
    Arc::new(move |job, _, _| {
        Ok(match job {
            Job::Places => Outcome::Fleet(places(&["brave-otter", "swift-fox"])),
            Job::FirstFleet | Job::Fleet => {
                hangs.lock().expect("no test panics here").recv().expect("the test lets go");
                Outcome::Fleet(fleet(rows()))
            }
            Job::Review { id } => Outcome::Review(long_page(&id.0)),
            Job::Marks(changes) => {
                let mut marks = marks.lock().expect("no test panics here");
                for change in &changes {
                    marks.apply(change);
                }
                Outcome::Marks(Box::new(marks.clone().into()))
            }
            Job::Notes { id, .. } => Outcome::Notes(shadowdeck::review::comment::Notes {
                id,
                threads: Vec::new(),
                answers: Vec::new(),
            }),
            Job::Highlight { text, lines, .. } => {
                let word = TokenRun { bytes: 0..1, class: TokenClass::Keyword };
                let tokens = vec![vec![word]; lines.len()];
                Outcome::Tokens { text, lines, painted: Painted { tokens, is_guess: false } }
            }
            Job::ReadSeen | Job::WriteSeen(_) => Outcome::Seen(None),
            Job::Recover => Outcome::Recovered(Vec::new()),
            other => {
                return Err(Report::user(Code::InvalidValue, format!("not asked here: {other:?}")));
            }
        })
    })
}

impl Loop {
    /// Names and places are there, the list hangs.
    fn start() -> Self {
        let (lets_go, hangs) = channel();
        let frames = Rc::new(Cell::new(0));
        let backend = Counting { inner: TestBackend::new(80, 24), frames: Rc::clone(&frames) };
        let workers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .expect("workers start");
        let mut started = Self {
            runtime: Runtime::new(answers(hangs), Theme::default(), Box::new(NoShell)),
            terminal: Terminal::new(backend).expect("a test backend"),
            model: Model::default(),
            frames,
            lets_go,
            workers,
        };
        started.workers.block_on(async {
            started.runtime.open(&mut started.model, NOW_MS);
        });
        while !started.only_the_list_is_open() {
            started.turn();
        }
        started.draw();
        started
    }

    fn only_the_list_is_open(&self) -> bool {
        let open = [Slot::Seen, Slot::Write, Slot::Detail, Slot::Marks, Slot::Reading];
        self.model.jobs.is_open(Slot::Fleet)
            && !self.model.fleet.listed.is_empty()
            && open.iter().all(|slot| !self.model.jobs.is_open(*slot))
    }

    fn turn(&mut self) {
        let turned = self.workers.block_on(self.runtime.turn(&mut self.terminal, &mut self.model));
        assert!(turned.expect("turns").is_continue());
    }

    fn draw(&mut self) {
        let _workers = self.workers.enter();
        self.runtime.draw(&mut self.terminal, &mut self.model).expect("draws");
    }

    fn send(&mut self, event: Event) {
        self.runtime.sender().try_send(event).expect("there is room");
    }

    /// Turns until the list is whole and nothing is open.
    fn settle(&mut self) {
        while !(self.model.jobs.is_idle() && self.runtime.is_quiet()) {
            self.turn();
        }
        self.draw();
    }

    fn key(&self, key: &str) -> Event {
        self.runtime.key(KeyPress::parse(key).expect("a key"))
    }

    fn screen(&self) -> String {
        text(self.terminal.backend().inner.buffer())
    }
}

#[test]
fn a_key_is_answered_while_a_scan_hangs() {
    let mut cockpit = Loop::start();
    assert!(cockpit.screen().starts_with(" acme/api"), "{}", cockpit.screen());
    let key = cockpit.key("j");
    cockpit.send(key);
    cockpit.turn();
    assert_eq!(cockpit.model.fleet.cursor.index, 1, "by the very turn that took it");
    let shown = cockpit.frames.get();
    cockpit.draw();
    assert_eq!(cockpit.frames.get(), shown + 1, "and by one frame");
    assert!(cockpit.model.jobs.is_open(Slot::Fleet), "which the scan is not waited for");
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
    assert!(cockpit.model.fleet.complete);
}

#[test]
fn no_frame_without_a_change() {
    let mut cockpit = Loop::start();
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
    let shown = cockpit.frames.get();
    for _ in 0..10 {
        cockpit.send(Event::from(Msg::Ticked { now_ms: cockpit.model.now_ms }));
        cockpit.turn();
        cockpit.draw();
    }
    let key = cockpit.key("k");
    cockpit.send(key);
    cockpit.turn();
    cockpit.draw();
    assert_eq!(cockpit.frames.get(), shown, "ten ticks and a key at the end of the list");
    let key = cockpit.key("j");
    cockpit.send(key);
    cockpit.turn();
    cockpit.draw();
    assert_eq!(cockpit.frames.get(), shown + 1, "a cursor that moved");
    cockpit.send(Event::Resized);
    cockpit.turn();
    cockpit.draw();
    assert_eq!(cockpit.frames.get(), shown + 2, "what a terminal may have lost");
}

#[test]
fn colours_of_what_is_not_on_the_screen_are_no_frame() {
    let mut cockpit = Loop::start();
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
    let key = cockpit.key("Enter");
    cockpit.send(key);
    cockpit.turn();
    cockpit.settle();
    let mut answers = 0;
    for _ in 0..10 {
        let before = cockpit.model.frame;
        let key = cockpit.key("ctrl-f");
        cockpit.send(key);
        cockpit.turn();
        cockpit.draw();
        while !(cockpit.model.jobs.is_idle() && cockpit.runtime.is_quiet()) {
            answers += 1;
            cockpit.turn();
        }
        assert_eq!(cockpit.model.frame, before + 1, "the key's, drawn by hand");
        assert!(cockpit.runtime.is_idle(&cockpit.model), "and no other is due");
    }
    assert!(answers > 0, "colours ahead were asked for");
}

#[test]
fn keys_that_came_together_make_one_frame() {
    let mut cockpit = Loop::start();
    let shown = cockpit.frames.get();
    let typed = (0..200).map(|index| match cockpit.key(if index == 0 { "/" } else { "x" }) {
        Event::Msg(msg) => *msg,
        other => panic!("a key is a message, not {other:?}"),
    });
    let typed = typed.collect();
    cockpit.send(Event::Typed(typed));
    cockpit.turn();
    cockpit.draw();
    assert_eq!(cockpit.frames.get(), shown + 1);
    assert!(cockpit.screen().contains(&"x".repeat(40)), "{}", cockpit.screen());
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
}

#[test]
fn what_keys_that_came_together_passed_by_is_not_ticked() {
    let mut cockpit = Loop::start();
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
    let key = cockpit.key("Enter");
    cockpit.send(key);
    cockpit.turn();
    cockpit.settle();
    let mut lines = Lines::default();
    for _ in 0..40 {
        lines.see(&cockpit.screen());
        lines.check(&cockpit.model);
        let typed = (0..20).map(|_| match cockpit.key("Space") {
            Event::Msg(msg) => *msg,
            other => panic!("a key is a message, not {other:?}"),
        });
        let typed = typed.collect();
        cockpit.send(Event::Typed(typed));
        cockpit.turn();
        cockpit.settle();
    }
    lines.check(&cockpit.model);
    assert!(is_all_read(&cockpit.model), "{}", cockpit.screen());
}

#[test]
fn a_burst_of_messages_makes_few_frames() {
    let mut cockpit = Loop::start();
    let shown = cockpit.frames.get();
    for index in 0..200 {
        let key = cockpit.key(if index == 0 { "/" } else { "x" });
        cockpit.send(key);
    }
    while !cockpit.runtime.is_quiet() {
        cockpit.turn();
    }
    cockpit.draw();
    let drawn = cockpit.frames.get() - shown;
    assert!((1..=5).contains(&drawn), "{drawn} frames for 200 messages");
    cockpit.lets_go.send(()).expect("it hangs");
    cockpit.settle();
}
