//! Each job is one operation: nothing is decided here.

use std::{
    ops::{ControlFlow, Range},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock, atomic::AtomicBool, mpsc},
    thread,
    time::Duration,
};

use super::{bug, turn::Perform};
use crate::{
    app::job::{Job, Outcome},
    highlight::Highlighter,
    ops::{
        self, Deck, diff,
        sync::{self, Resolutions},
    },
    report::Report,
    review::{
        Landing, Painted, ReviewPage, Tell, Text, Watch, moved::find_moved, plan::ConfirmedPlan,
    },
    shadow::RepoPath,
};

/// Rows of the first list are told together, so often at most: each time is a frame.
const ROWS_EVERY: Duration = Duration::from_millis(100);

/// How far what nobody waits for stands back where processors are scarce.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The repository, as soon as git has been asked about it; or why there is none.
pub(super) type Opened = OnceLock<Result<Arc<Deck>, Report>>;

/// The real thing: operations on one repository.
pub fn perform(deck: Arc<Deck>) -> Perform {
    perform_when_opened(Arc::new(Opened::from(Ok(deck))))
}

/// As [`perform`], for one that is still being opened: jobs wait for it.
pub(super) fn perform_when_opened(opened: Arc<Opened>) -> Perform {
    let painter = Painter::start();
    Arc::new(move |job, cancel, tell| match opened.wait() {
        Ok(deck) => work(deck, &painter, job, cancel, tell)
            .map_err(|report| ops::gc::mend_store(deck, report)),
        Err(report) => Err(report.clone()),
    })
}

fn work(
    deck: &Deck,
    painter: &Painter,
    job: Job,
    cancel: &Arc<AtomicBool>,
    tell: Tell<'_>,
) -> Result<Outcome, Report> {
    let watch = Watch { tell, stop: cancel };
    match job {
        Job::Places => ops::list::read_places(deck).map(Outcome::Fleet),
        Job::FirstFleet => ops::list::read_fleet_told(deck, watch, ROWS_EVERY).map(Outcome::Fleet),
        Job::Fleet => aside(|| ops::list::read_fleet_meeting(deck, cancel)).map(Outcome::Fleet),
        Job::Review { id } => diff::read_review(deck, &id, cancel).map(Outcome::Review),
        Job::Part { id, between } => {
            diff::read_part(deck, &id, between, cancel).map(Outcome::Review)
        }
        Job::Run { id, newest, parents } => {
            diff::read_run(deck, &id, newest, &parents, cancel).map(Outcome::Review)
        }
        Job::Against { id, snapshot, against } => {
            ops::compare::read_comparison(deck, &id, &snapshot, &against, cancel)
                .map(Outcome::Review)
        }
        Job::Sides { id, path, old, new } => {
            ops::difftool::read_sides(deck, &id, &path, old.as_ref(), new.as_ref())
                .map(Box::new)
                .map(Outcome::Sides)
        }
        Job::Names => ops::compare::read_choices(deck).map(Outcome::Names),
        Job::Lines(change) => {
            diff::read_lines(deck, *change, cancel).map(Box::new).map(Outcome::Lines)
        }
        Job::Commits { base, tip } => diff::read_commits(deck, &base, &tip).map(Outcome::Commits),
        Job::Marks(changes) => ops::marks::keep(deck, &changes).map(Box::new).map(Outcome::Marks),
        Job::Notes { id, changes } => ops::notes::change(deck, &id, &changes).map(Outcome::Notes),
        Job::Conflicts { id, way } => {
            ops::conflicts::read_conflicts(deck, &id, way, cancel).map(Outcome::Conflicts)
        }
        Job::Highlight { path, text, lines, has_guess } => {
            let told = painter.paint(&path, &text, &lines, has_guess, cancel)?;
            Ok(Outcome::Tokens { text, lines, painted: told })
        }
        Job::FindMoved { page } => Ok(aside(|| read_moved(deck, page))),
        Job::Resolve { id, way, path, resolution } => {
            ops::resolve::resolve(deck, &id, way, &path, resolution).map(Outcome::Conflicts)
        }
        Job::PlanLand { id, options } => {
            ops::land::plan(deck, &id, &options, cancel).map(Box::new).map(Outcome::PlannedLanding)
        }
        Job::Land(plan) => land(deck, &plan, watch).map(Box::new).map(Outcome::Landed),
        Job::PlanDiscard { ids } => ops::discard::plan(deck, &ids).map(Outcome::PlannedDiscard),
        Job::Discard(plan) => {
            ops::discard::carry_out_watched(deck, &plan, watch).map(Outcome::Discarded)
        }
        Job::PlanUndo { operation } => ops::undo::plan(deck, operation).map(Outcome::PlannedUndo),
        Job::Undo(plan) => ops::undo::carry_out(deck, &plan, tell).map(Outcome::Undone),
        Job::PlanRedo { operation } => {
            ops::redo::plan_of(deck, operation).map(Outcome::PlannedRedo)
        }
        Job::Redo(plan) => ops::redo::carry_out(deck, &plan, tell).map(Outcome::Redone),
        Job::PlanSync { id } => {
            sync::plan(deck, &id, Resolutions::Taken).map(Box::new).map(Outcome::PlannedSync)
        }
        Job::Sync(plan) => sync::carry_out(deck, &plan, tell).map(Box::new).map(Outcome::Synced),
        Job::Radar => ops::radar::read_told(deck, watch).map(Box::new).map(Outcome::Radar),
        Job::RadarPair { a, b } => {
            ops::radar::read_pair(deck, &a, &b, cancel).map(Box::new).map(Outcome::RadarPair)
        }
        Job::Log => ops::log::read_log(deck).map(Outcome::Log),
        Job::Create { id } => create(deck, id),
        Job::ReadSeen => Ok(Outcome::Seen(ops::seen::read_seen(deck))),
        Job::WriteSeen(seen) => {
            ops::seen::write_seen(deck, &seen);
            Ok(Outcome::Seen(None))
        }
        Job::Recover => ops::recover::recover(deck).map(Outcome::Recovered),
    }
}

/// On a thread of its own that lets the next frame go first: a list read again, second after second, takes every
/// processor that there is.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let stood_back = || {
        stand_back();
        work()
    };
    thread::scope(|scope| scope.spawn(stood_back).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// This thread and what it starts; elsewhere than on Linux it would be the whole process.
fn stand_back() {
    // Where it is refused all is as before, a little less smooth.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
}

fn read_moved(deck: &Deck, page: Arc<ReviewPage>) -> Outcome {
    let copies = diff::read_copies(deck, &page);
    // Without them a copy reads as any new file does.
    let known = copies.clone().unwrap_or_default();
    let moved = find_moved(&page.files, &known);
    Outcome::Moved { page, moved, copies }
}

fn create(deck: &Deck, id: Option<String>) -> Result<Outcome, Report> {
    let options = ops::create::CreateOptions { id, ..Default::default() };
    let made = ops::create::create(deck, &options)?;
    Ok(Outcome::Created { id: made.id, warnings: made.warnings })
}

/// What failed is on record for its agent; what a person stopped did not fail.
fn land(deck: &Deck, plan: &ConfirmedPlan, watch: Watch<'_>) -> Result<Landing, Report> {
    let landed = ops::land::carry_out_watched(deck, plan, watch);
    if let (Err(report), ControlFlow::Continue(())) = (&landed, watch.goes_on()) {
        // That it could not be written down must not hide the failure itself.
        let _ = ops::errors::remember(deck, &plan.plan().id, report);
    }
    landed
}

/// What the highlighter remembers cannot leave its thread, so it has one, and questions go there.
struct Painter {
    questions: mpsc::Sender<Question>,
}

struct Question {
    path: RepoPath,
    text: Arc<Text>,
    lines: Range<u32>,
    has_guess: bool,
    cancel: Arc<AtomicBool>,
    answer: mpsc::Sender<Painted>,
}

impl Painter {
    fn start() -> Self {
        let (questions, inbox) = mpsc::channel::<Question>();
        thread::spawn(move || {
            // Colours may come a moment later; the next frame may not.
            stand_back();
            let mut highlighter = Highlighter::default();
            for Question { path, text, lines, has_guess, cancel, answer } in inbox {
                let paint = || highlighter.lines(&path, &text, lines, has_guess, &cancel);
                match catch_unwind(AssertUnwindSafe(paint)) {
                    // Nobody may wait for it any more.
                    Ok(painted) => drop(answer.send(painted)),
                    Err(_) => highlighter = Highlighter::default(),
                }
            }
        });
        Self { questions }
    }

    fn paint(
        &self,
        path: &RepoPath,
        text: &Arc<Text>,
        lines: &Range<u32>,
        has_guess: bool,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Painted, Report> {
        let (answer, answered) = mpsc::channel();
        let question = Question {
            path: path.clone(),
            text: Arc::clone(text),
            lines: lines.clone(),
            has_guess,
            cancel: Arc::clone(cancel),
            answer,
        };
        let failed = || bug("source text could not be coloured".to_owned());
        self.questions.send(question).map_err(|_| failed())?;
        answered.recv().map_err(|_| failed())
    }
}
