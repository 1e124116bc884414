//! View 5: the shadow's commits, to look at one of them or at a run of them.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    help,
    job::{Job, Outcome, Slot},
    list::{Cursor, half},
    review_views,
};
use crate::{report::Report, review::CommitLine, shadow::Oid};

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

/// What is looked at of the commits: the trees on both sides of it, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    pub between: [Oid; 2],
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

    fn pick(&self) -> Option<Result<Picked, &'static str>> {
        let commits = self.commits.as_deref()?;
        let (newest, oldest) =
            (commits.get(*self.chosen().start())?, commits.get(*self.chosen().end())?);
        let Some(before) = &oldest.parent else {
            return Some(Err("that commit has no parent to compare it with"));
        };
        let words = if newest == oldest {
            format!("commit {} {}", newest.id.abbreviated(), newest.subject)
        } else {
            let count = self.chosen().count();
            format!("{count} commits, {} to {}", oldest.id.abbreviated(), newest.id.abbreviated())
        };
        Some(Ok(Picked { between: [before.clone(), newest.id.clone()], words }))
    }
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
            review_views::show_commits(model, picked)
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
