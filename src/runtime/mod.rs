//! The shell of the cockpit: the one loop that owns terminal, model and workers.
//! It decides nothing: what a message means is `app`'s business, what is drawn `ui`'s.

mod input;
mod perform;
mod probe;
mod terminal;
mod turn;

pub use perform::perform;
pub use turn::{Event, Perform, Runtime, Shell};

use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc::Sender,
};

use crate::{
    app::{Answer, Model, Msg, away::last_seen, job::Slot, keymap::Keymap},
    ops::{self, Deck},
    report::{Blame, Code, Doing, Report},
};

/// Ages on the screen count in seconds, and the list is asked for anew on a tick.
const TICK: Duration = Duration::from_secs(1);
/// Reads that are cancelled may linger for a child's timeout; more than these never run at once.
const WORKERS_MAX: usize = 32;

/// Opens the cockpit and returns when the person has left it. The terminal is as it was, also after
/// a panic; a write that runs is finished first. `notices` are said in the first answer.
pub fn run(deck: Deck, notices: &[Report]) -> Result<(), Report> {
    terminal::require()?;
    let workers = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(WORKERS_MAX)
        .enable_all()
        .build()
        .doing("start the workers")?;
    let session = terminal::Session::start()?;
    let outcome = catch_unwind(AssertUnwindSafe(|| workers.block_on(drive(deck, notices))));
    drop(session);
    // Reads may still wait for a child of theirs; nobody waits for them.
    workers.shutdown_background();
    outcome.unwrap_or_else(|_| Err(terminal::panic_report()))
}

async fn drive(deck: Deck, notices: &[Report]) -> Result<(), Report> {
    let (keymap, faults) = Keymap::with(&deck.config.keys);
    let mut model = Model { config: deck.config.clone(), keymap, ..Model::default() };
    let theme = terminal::theme(&model.config.theme);
    let deck = Arc::new(deck);
    let kept = Arc::clone(&deck);
    let work = perform(deck);
    let mut runtime = Runtime::new(work, theme, Box::new(terminal::RealShell));
    let mut screen = terminal::screen(runtime.frames())?;
    input::spawn(runtime.sender(), runtime.frames());
    spawn_signals(&runtime.sender())?;
    spawn_ticks(runtime.sender());
    let mut notices: Vec<&Report> = notices.iter().chain(&faults).collect();
    notices.reverse();
    while let Some(notice) = notices.pop() {
        model.fail(notice);
        if !notices.is_empty() {
            let answer = model.answer.take().expect("it was just said");
            let text = format!("{} more of its kind · {}", notices.len(), answer.text);
            model.answer = Some(Answer { text, ..answer });
            break;
        }
    }
    runtime.open(&mut model, now_ms());
    loop {
        match runtime.turn(&mut screen, &mut model).await {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => {
                if let Some(seen) = last_seen(&model) {
                    ops::seen::write_seen(&kept, &seen);
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

/// To end, from outside; and to be woken after a stop that was not our own doing.
fn spawn_signals(sender: &Sender<Event>) -> Result<(), Report> {
    let wake = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
    let kinds = [
        (SignalKind::terminate(), false),
        (SignalKind::hangup(), false),
        (SignalKind::interrupt(), false),
        (wake, true),
    ];
    for (kind, wakes) in kinds {
        let mut signals = signal(kind).doing("listen for signals")?;
        let sender = sender.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
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
