//! The real loop, real workers and real git, a test backend and scripted keys: one test a user story.
//! A story goes on when the loop is idle: no open job, no waiting message. No sleeps.

use std::{fs, path::Path, sync::Arc};

use ratatui::{Terminal, backend::TestBackend};
use shadowdeck::{
    app::{Model, Screen, keymap::parse_keys},
    config::Config,
    ops::Deck,
    report::Report,
    runtime::{Runtime, Shell, perform},
    ui::theme::Theme,
};

use crate::{
    desk::text,
    support::{Fixture, fingerprint, write},
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

/// A cockpit on a fixture, played by keys.
struct Story {
    fixture: Fixture,
    runtime: Runtime,
    terminal: Terminal<TestBackend>,
    model: Model,
    workers: tokio::runtime::Runtime,
}

impl Story {
    fn open(fixture: Fixture) -> Self {
        // The operations run in this process: what they need of git's settings is the repository's own.
        for (key, value) in [
            ("user.name", "Ana Test"),
            ("user.email", "ana@example.org"),
            ("commit.gpgSign", "false"),
        ] {
            fixture.git(["config", key, value]);
        }
        let deck = Deck::open(&fixture.repository, Config::default()).expect("a repository");
        let runtime = Runtime::new(perform(Arc::new(deck)), Theme::default(), Box::new(NoShell));
        let terminal = Terminal::new(TestBackend::new(120, 40)).expect("test backend");
        let workers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .expect("workers start");
        let mut story = Self { fixture, runtime, terminal, model: Model::default(), workers };
        story.workers.block_on(async {
            story.runtime.open(&mut story.model, 1_800_000_000_000);
        });
        story.settle();
        story
    }

    /// Turns the loop until nothing is on its way.
    fn settle(&mut self) {
        self.workers.block_on(async {
            while !self.runtime.is_idle(&self.model) {
                if self.model.jobs.is_idle() && self.runtime.is_quiet() {
                    self.runtime.draw(&mut self.terminal, &mut self.model).expect("draws");
                } else {
                    let _ = self
                        .runtime
                        .turn(&mut self.terminal, &mut self.model)
                        .await
                        .expect("turns");
                }
            }
        });
    }

    /// Presses keys one by one, each when the loop is idle.
    fn press(&mut self, keys: &str) {
        for key in parse_keys(keys).expect("keys") {
            let event = self.runtime.key(key);
            self.runtime.sender().try_send(event).expect("there is room");
            self.settle();
        }
    }

    fn screen(&self) -> String {
        text(self.terminal.backend().buffer())
    }

    fn answer(&self) -> &str {
        self.model.answer.as_ref().map_or("", |answer| &answer.text)
    }
}

/// A shadow with a commit and uncommitted work.
fn fixture() -> Fixture {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("good");
    write(&shadow, "README.md", "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n");
    fixture.commit_in(&shadow, "count in words");
    write(&shadow, "new.txt", "new\n");
    fixture
}

#[test]
fn approve_then_take_back() {
    let mut story = Story::open(fixture());
    let before = story.fixture.git(["rev-parse", "main"]);
    let shadow = story.fixture.root().join("shadows/good");
    let files = fingerprint(&shadow);
    assert!(story.screen().contains("good"), "{}", story.screen());
    story.press("Enter");
    assert!(story.screen().contains("three"), "{}", story.screen());
    story.press("m");
    assert!(story.screen().contains("Enter land"), "{}", story.screen());
    story.press("Enter");
    assert!(story.answer().starts_with("landed good on main as "), "{}", story.answer());
    assert_eq!(story.fixture.git(["show", "main:new.txt"]), "new");
    assert_eq!(story.fixture.git(["status", "--porcelain"]), "");
    assert_eq!(story.model.screen(), Screen::Fleet);
    story.press("Esc Esc u");
    assert!(story.screen().contains("Take back: main"), "{}", story.screen());
    story.press("Enter");
    assert!(story.answer().starts_with("took back the landing of good"), "{}", story.answer());
    assert_eq!(story.fixture.git(["rev-parse", "main"]), before);
    assert_eq!(fingerprint(&shadow), files, "byte for byte");
}

#[test]
fn discard_then_take_back() {
    let fixture = fixture();
    let other = fixture.shadow("other");
    write(&other, "other.txt", "other\n");
    let mut story = Story::open(fixture);
    let files = fingerprint(&story.fixture.root().join("shadows"));
    story.press("Space Space d");
    assert!(story.screen().contains("Enter discard 2"), "{}", story.screen());
    story.press("Enter");
    assert_eq!(story.answer(), "discarded 2 shadows · u brings all back");
    assert!(!other.exists());
    assert!(story.screen().contains("No shadows here yet."), "{}", story.screen());
    story.press("u");
    assert!(story.answer().starts_with("brought back"), "{}", story.answer());
    assert_eq!(fingerprint(&story.fixture.root().join("shadows")), files, "byte for byte");
}

#[test]
fn an_edit_in_the_way_is_a_refusal_that_names_it() {
    let fixture = fixture();
    fixture.write("README.md", "my own edit\n");
    let mut story = Story::open(fixture);
    story.press("m");
    if !story.screen().contains("Not landed") {
        story.press("Enter");
    }
    assert!(story.screen().contains("README.md"), "{}", story.screen());
    assert!(story.screen().contains("Not landed"), "{}", story.screen());
    assert_eq!(
        fs::read_to_string(story.fixture.repository.join("README.md")).unwrap(),
        "my own edit\n"
    );
}

#[test]
fn the_log_tells_what_was_done_and_takes_it_back() {
    let mut story = Story::open(fixture());
    story.press("d Enter L");
    assert!(story.screen().contains("discard"), "{}", story.screen());
    story.press("u");
    assert!(story.answer().starts_with("brought back good"), "{}", story.answer());
    assert!(story.fixture.root().join("shadows/good/new.txt").exists());
}

#[test]
fn a_worker_that_panics_is_an_answer() {
    let work: shadowdeck::runtime::Perform = Arc::new(|_, _, _| panic!("on purpose"));
    let mut runtime = Runtime::new(work, Theme::default(), Box::new(NoShell));
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("test backend");
    let mut model = Model::default();
    let workers = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    workers.block_on(async {
        runtime.open(&mut model, 0);
        while !model.jobs.is_idle() {
            let _ = runtime.turn(&mut terminal, &mut model).await.expect("turns");
        }
    });
    let failed = model.fleet.failed.expect("the list says so");
    assert_eq!(failed.headline, "reading the list stopped unexpectedly");
}
