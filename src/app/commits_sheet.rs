//! View 5: the shadow's commits, to look at one of them or at a run of them.

use std::sync::Arc;

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    help,
    job::{Job, Outcome, Slot},
    list::{Cursor, half},
    review::View,
    review_views,
};
use crate::{
    report::Report,
    review::{CommitLine, ReviewPage},
    shadow::Oid,
};

/// The commit that `create` made of what was uncommitted in the person's own worktree.
const CARRIED: &str = "your own uncommitted work, carried in";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitsSheet {
    /// Newest first; `None` until they are read.
    pub commits: Option<Vec<CommitLine>>,
    pub cursor: Cursor,
    /// The other end of the chosen ones.
    pub range: Option<usize>,
    pub failed: Option<Report>,
}

/// What is looked at of the commits: one of them, or a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    newest: Oid,
    /// Parents that the run does not hold itself.
    parents: Vec<Oid>,
    /// Some of them were merged in: what came that way is not what the run did.
    merges: bool,
    pub words: String,
}

impl CommitsSheet {
    pub fn count(&self) -> usize {
        self.commits.as_ref().map_or(0, Vec::len)
    }

    /// Both ends included.
    pub fn chosen(&self) -> std::ops::RangeInclusive<usize> {
        let other = self.range.unwrap_or(self.cursor.index);
        other.min(self.cursor.index)..=other.max(self.cursor.index)
    }

    fn pick(&self) -> Option<Result<Picked, String>> {
        let run = self.commits.as_deref()?.get(self.chosen())?;
        let (newest, oldest) = (run.first()?, run.last()?);
        // Newer ones stand above older ones: what none of those above stands on is beside them.
        let mut reached = vec![&newest.id];
        for commit in run {
            if !reached.contains(&&commit.id) {
                let [newest, beside] = [&newest.id, &commit.id].map(Oid::abbreviated);
                return Some(Err(format!("{beside} is beside {newest}, not below it: no one run")));
            }
            reached.extend(&commit.parents);
        }
        let is_outside = |parent: &&Oid| run.iter().all(|commit| commit.id != **parent);
        let brought = run.iter().flat_map(|commit| commit.parents.iter().skip(1));
        let merges = brought.into_iter().any(|parent| is_outside(&parent));
        let parents = run.iter().rev().flat_map(|commit| &commit.parents);
        let [from, to] = [&oldest.id, &newest.id].map(Oid::abbreviated);
        let words = match run {
            [one] if merges => format!("merge {to}, without what it merged in: {}", one.subject),
            [one] => format!("commit {to} {}", one.subject),
            [..] if merges => {
                format!("{} commits, {from} to {to}, without what was merged in", run.len())
            }
            [..] => format!("{} commits, {from} to {to}", run.len()),
        };
        let parents = parents.filter(is_outside).cloned().collect();
        Some(Ok(Picked { newest: newest.id.clone(), parents, merges, words }))
    }
}

/// What was picked is read; the view that is shown stays until it is there.
pub(super) fn read(model: &mut Model, picked: Picked) -> Vec<Effect> {
    let Some(screen) = &mut model.review else { return Vec::new() };
    let id = screen.id.clone();
    let job = Job::Run { id, newest: picked.newest.clone(), parents: picked.parents.clone() };
    let words = format!("reading {}", picked.words);
    screen.wanted = Some(View::Commits);
    screen.to_pick = Some(picked);
    model.say(words);
    model.jobs.start(Slot::Part, job)
}

pub(super) fn receive_run(model: &mut Model, page: ReviewPage) {
    let Some(screen) = &mut model.review else { return };
    let Some(picked) = screen.to_pick.take().filter(|it| it.newest == page.snapshot) else {
        return;
    };
    if page.files.is_empty() {
        let why = if picked.merges { "it changes no file" } else { "no file changes there" };
        let place = review_views::place(model);
        model.say(format!("{}: {why}; this is {place} still", picked.words));
        return;
    }
    screen.parts.insert(View::Commits, Arc::new(page));
    screen.picked = Some(picked);
    review_views::display(model, View::Commits);
}

fn sheet(model: &mut Model) -> Option<&mut CommitsSheet> {
    match model.sheets.last_mut() {
        Some(Sheet::Commits(sheet)) => Some(sheet),
        _ => None,
    }
}

fn seen(model: &Model) -> Option<&CommitsSheet> {
    match model.sheets.last() {
        Some(Sheet::Commits(sheet)) => Some(sheet),
        _ => None,
    }
}

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let Some(whole) = model.review.as_ref().and_then(|screen| screen.whole.clone()) else {
        return Vec::new();
    };
    model.sheets.push(Sheet::Commits(CommitsSheet::default()));
    let job = Job::Commits { base: whole.base.clone(), tip: whole.tip.clone() };
    model.jobs.start(Slot::Commits, job)
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    let row = model.review.as_ref().and_then(|screen| model.fleet.find(&screen.id));
    let carried = row.and_then(|row| row.carried.clone());
    let open = model.sheets.iter_mut().rev().find_map(|sheet| match sheet {
        Sheet::Commits(sheet) => Some(sheet),
        _ => None,
    });
    let Some(sheet) = open else { return Vec::new() };
    match outcome {
        Ok(Outcome::Commits(commits)) if commits.is_empty() => {
            model.sheets.retain(|sheet| !matches!(sheet, Sheet::Commits(_)));
            model.refuse("5: nothing is committed here · 3 shows what is uncommitted");
        }
        Ok(Outcome::Commits(mut commits)) => {
            // The person's own is told apart from what was done in the shadow.
            for commit in commits.iter_mut().filter(|commit| carried.as_ref() == Some(&commit.id)) {
                CARRIED.clone_into(&mut commit.subject);
            }
            sheet.commits = Some(commits);
        }
        Ok(_) => {}
        Err(report) => {
            sheet.failed = Some(report.clone());
            model.fail(&report);
        }
    }
    Vec::new()
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    let shown = model.viewport.sheet_rows;
    if let Some(sheet) = sheet(model) {
        let count = sheet.count();
        sheet.cursor.step(rows, count);
        sheet.cursor.keep_in_view(count, shown);
    }
    Vec::new()
}

fn toggle_range(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    sheet.range = if sheet.range.is_some() { None } else { Some(sheet.cursor.index) };
    model.say("j and k choose commits · Enter shows them as one change");
    Vec::new()
}

fn show(model: &mut Model) -> Vec<Effect> {
    match seen(model).and_then(CommitsSheet::pick) {
        None => Vec::new(),
        Some(Err(why)) => {
            model.refuse(format!("Enter: {why}"));
            Vec::new()
        }
        Some(Ok(picked)) => {
            model.sheets.pop();
            read(model, picked)
        }
    }
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let at = |sheet: &CommitsSheet| {
        Some(sheet.commits.as_ref()?.get(sheet.cursor.index)?.id.to_string())
    };
    let Some(id) = seen(model).and_then(at) else { return Vec::new() };
    let what = id.clone();
    model.copy(&what, id)
}

/// The range first, then the sheet.
fn peel(model: &mut Model) -> Vec<Effect> {
    if sheet(model).is_some_and(|sheet| sheet.range.take().is_some()) {
        model.say("no commits are chosen");
        return Vec::new();
    }
    leave(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    model.sheets.pop();
    model.jobs.cancel(Slot::Commits)
}

fn unread(model: &Model) -> Option<&'static str> {
    seen(model).is_some_and(|sheet| sheet.commits.is_none()).then_some("still reading them")
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Commits, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("read.commits", "Show this one, or the chosen ones", &["Enter"], unread, show),
    row("range.commits", "Choose commits from here on", &["v"], unread, toggle_range),
    row("copy.id", "Copy its id", &["y"], unread, copy),
    row("move.down", "Down", &["j", "Down"], unread, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], unread, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], unread, |model| {
        step(model, half(model.viewport.sheet_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], unread, |model| {
        step(model, -half(model.viewport.sheet_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], unread, |model| {
        step(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], unread, |model| {
        step(model, -2 * half(model.viewport.sheet_rows))
    }),
    row("move.first", "The newest", &["g g", "Home"], unread, |model| step(model, isize::MIN)),
    row("move.last", "The oldest", &["G", "End"], unread, |model| step(model, isize::MAX)),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    row("peel.commits", "The chosen ones off, then leave", &["Esc", "ctrl-c"], always, peel),
    row("quit.commits", "Leave", &["q"], always, leave),
];
