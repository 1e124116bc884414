//! The shell of the cockpit: the one loop that owns terminal, model and workers.
//! It decides nothing: what a message means is `app`'s business, what is drawn `ui`'s.

pub mod canvas;
pub mod changed;
mod hand_over;
mod input;
mod message;
mod perform;
mod probe;
mod terminal;
mod torn;
mod turn;

pub use hand_over::edit;
pub use perform::perform;
use perform::{Opened, perform_when_opened};
pub use turn::{Event, Perform, Runtime, Shell};

use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc::Sender,
};

use crate::{
    app::{Answer, Model, Msg, away::last_seen, job::Slot, keymap::Keymap},
    config::Config,
    ops::{self, Deck},
    report::{Blame, Code, Doing, Report},
};

/// Ages on the screen count in seconds, and the list is asked for anew on a tick.
const TICK: Duration = Duration::from_secs(1);
/// Reads that are cancelled may linger for a child's timeout; more than these never run at once.
const WORKERS_MAX: usize = 32;

/// Opens the cockpit on the repository around `dir` and returns when the person has left it; where there is none the
/// screen says so. The terminal is as it was, also after a panic; a write that runs is finished first.
/// `notices` are said in the first answer.
pub fn run(dir: &Path, config: &Config, notices: &[Report]) -> Result<(), Report> {
    terminal::require()?;
    let workers = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(WORKERS_MAX)
        .enable_all()
        .build()
        .doing("start the workers")?;
    let outcome = on_terminal(|| workers.block_on(drive(dir, config, notices)));
    // Reads may still wait for a child of theirs; nobody waits for them.
    workers.shutdown_background();
    outcome
}

/// Has the terminal in the cockpit's modes for as long as `work` runs; it is as it was behind that, and a panic is a
/// report like any other.
pub fn on_terminal(work: impl FnOnce() -> Result<(), Report>) -> Result<(), Report> {
    let session = terminal::Session::start()?;
    let outcome = catch_unwind(AssertUnwindSafe(work));
    drop(session);
    outcome.unwrap_or_else(|_| Err(terminal::panic_report()))
}

async fn drive(dir: &Path, config: &Config, notices: &[Report]) -> Result<(), Report> {
    let (keymap, faults) = Keymap::with(&config.keys);
    let mut model = Model { config: config.clone(), keymap, now_ms: now_ms(), ..Model::default() };
    let theme = terminal::theme(&config.theme, terminal::ask()?);
    model.fleet.name = name_of(dir);
    say_all(&mut model, &notices.iter().chain(&faults).collect::<Vec<_>>());
    let opened = Arc::new(Opened::new());
    let work = perform_when_opened(Arc::clone(&opened));
    let mut runtime = Runtime::new(work, theme, Box::new(terminal::RealShell));
    let mut screen = terminal::screen(runtime.frames())?;
    // Before the first git process: a busy machine or a slow disk does not keep the screen black.
    runtime.draw(&mut screen, &mut model)?;
    let kept = Arc::clone(&opened);
    spawn_opening(dir.to_owned(), config.clone(), opened, runtime.sender());
    input::spawn(runtime.sender(), runtime.frames());
    spawn_signals(&runtime.sender())?;
    spawn_ticks(runtime.sender());
    loop {
        match runtime.turn(&mut screen, &mut model).await {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => {
                if let (Some(seen), Some(Ok(deck))) = (last_seen(&model), kept.get()) {
                    ops::seen::write_seen(deck, &seen);
                }
                return Ok(());
            }
            Err(report) => {
                // The terminal is gone; what writes still ends first.
                while model.jobs.is_open(Slot::Write) {
                    runtime.work(&mut model).await;
                }
                return Err(report);
            }
        }
    }
}

/// The first, and how many more there are.
fn say_all(model: &mut Model, notices: &[&Report]) {
    let Some((first, others)) = notices.split_first() else { return };
    let mut answer = Answer::of_report(first).till_next();
    if !others.is_empty() {
        answer.text = format!("{} more of its kind · {}", others.len(), answer.text);
    }
    model.answer = Some(answer);
}

/// As the list will name it, if it is the main worktree.
fn name_of(dir: &Path) -> String {
    let names: Vec<_> =
        dir.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let last: PathBuf = names[names.len().saturating_sub(2)..].iter().collect();
    last.display().to_string()
}

/// Asks git about the repository, away from the loop.
fn spawn_opening(dir: PathBuf, config: Config, opened: Arc<Opened>, sender: Sender<Event>) {
    tokio::task::spawn_blocking(move || {
        let deck = Deck::open(&dir, config).map(Arc::new);
        let answer = deck.as_ref().map(drop).map_err(Clone::clone);
        // Set here and nowhere else.
        let _ = opened.set(deck);
        // The loop may be gone already.
        let _ = sender.blocking_send(Event::Opened(answer.map_err(Box::new)));
    });
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn spawn_ticks(sender: Sender<Event>) {
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            if sender.send(Event::from(Msg::Ticked { now_ms: now_ms() })).await.is_err() {
                return;
            }
        }
    });
}

/// From here on a write beyond the limit of a file's size fails, and says so, where it would end us without a word. A
/// program that we start has the signal as it always was.
pub fn survive_file_limit() {
    let waits = tokio::runtime::Builder::new_current_thread().enable_all().build();
    if let Ok(waits) = waits {
        let _entered = waits.enter();
        // Nobody listens: to have it caught is enough. Where it cannot be, all is as with any other program.
        let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
    }
}

/// To end, from outside; and to be woken after a stop that was not our own doing.
fn spawn_signals(sender: &Sender<Event>) -> Result<(), Report> {
    let wake = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
    let kinds = [
        (SignalKind::terminate(), false),
        (SignalKind::hangup(), false),
        (SignalKind::interrupt(), false),
        (SignalKind::quit(), false),
        (SignalKind::user_defined1(), false),
        (SignalKind::user_defined2(), false),
        (wake, true),
    ];
    for (kind, wakes) in kinds {
        let mut signals = signal(kind).doing("listen for signals")?;
        let sender = sender.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                // From the keys of a terminal that another program has just now.
                let by_key = [SignalKind::interrupt(), SignalKind::quit()].contains(&kind);
                if by_key && hand_over::is_lent() {
                    continue;
                }
                let event = if wakes { Event::Woken } else { Event::from(Msg::QuitAsked) };
                if sender.send(event).await.is_err() {
                    return;
                }
            }
        });
    }
    Ok(())
}

/// A fault of ours, as a report.
fn bug(headline: String) -> Report {
    Report::new(Code::Io, Blame::Bug, headline)
        .safe("nothing was left half-done")
        .hint("this is a fault in shadowdeck: please report it")
}
