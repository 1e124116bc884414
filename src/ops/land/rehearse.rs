//! What `git merge`, `git commit` or `git rebase` would have run, before the target moves: the target's own hooks in
//! a rehearsal. A hook that refuses ends the landing; one that rewrites the message is obeyed.

use std::{ops::ControlFlow, path::PathBuf, time::Duration};

use super::guard::Ground;
use crate::{
    git::{
        hooks::Hooks,
        obstacles::{Place, changed_paths},
        refs,
        rehearsal::{self, HookRun},
        worktrees,
        writer::Writer,
    },
    ops::Deck,
    report::{Code, Doing, Report},
    review::{Consent, LandPlan, Progress, Verify, Watch, progress::stopped},
    shadow::{Oid, RepoPath, Strategy},
    store::JournalEntry,
};

/// More of what a hook said is kept in the details only.
const LINES_MAX: usize = 40;
/// And never more than this.
const OUTPUT_BYTES_MAX: usize = 64 * 1024;

const POST_MERGE: &str = "post-merge";
/// git runs these itself whenever it moves a branch or writes an index.
const GITS_OWN: &[&str] = &["reference-transaction", "post-index-change"];

/// Whether any commit is made that is not the shadow's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    FastForward,
    NewCommits,
}

/// Hooks that may stop a landing or rewrite its message, in the order in which they run.
fn rehearsed(strategy: Strategy, course: Course, verify: Verify) -> Vec<&'static str> {
    let (asked, unasked): (&[&str], &[&str]) = match (strategy, course) {
        (_, Course::FastForward) => (&[], &[]),
        (Strategy::Merge, _) => (&["pre-merge-commit", "commit-msg"], &["prepare-commit-msg"]),
        (Strategy::Squash, _) => (&["pre-commit", "commit-msg"], &["prepare-commit-msg"]),
        (Strategy::Rebase, _) => (&["pre-rebase"], &[]),
    };
    let order =
        ["pre-rebase", "pre-merge-commit", "pre-commit", "prepare-commit-msg", "commit-msg"];
    let runs =
        |name: &&str| unasked.contains(name) || (verify == Verify::Ask && asked.contains(name));
    order.into_iter().filter(runs).collect()
}

/// Every hook that this landing runs, by name.
pub(super) fn runs(
    hooks: &Hooks,
    strategy: Strategy,
    course: Course,
    verify: Verify,
) -> Vec<String> {
    let rehearsed = rehearsed(strategy, course, verify);
    let all = rehearsed.iter().chain(GITS_OWN).chain([&POST_MERGE]);
    all.filter(|name| hooks.has(name)).map(|name| (*name).to_owned()).collect()
}

/// Hooks that git by hand would run after its commits and that a landing does not: said, never silent.
pub(super) fn left_out(hooks: &Hooks, strategy: Strategy, course: Course) -> Vec<&'static str> {
    let names: &[&str] = match (strategy, course) {
        (_, Course::FastForward) | (Strategy::Merge, _) => &[],
        (Strategy::Squash, _) => &["post-commit"],
        (Strategy::Rebase, _) => &["prepare-commit-msg", "post-commit", "post-rewrite"],
    };
    names.iter().copied().filter(|name| hooks.has(name)).collect()
}

/// Runs them. The answer is the message that they leave.
pub(super) fn rehearse(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    plan: &LandPlan,
    ground: &Ground,
    watch: Watch<'_>,
) -> Result<String, Report> {
    let hooks = &ground.safeguards.hooks;
    let names: Vec<&str> = rehearsed(plan.strategy, course(plan), plan.verify)
        .into_iter()
        .filter(|name| hooks.has(name))
        .collect();
    if names.is_empty() {
        return Ok(plan.message.clone());
    }
    let place = rehearsal::place_for(&deck.repository, entry.operation);
    entry.rehearsal = Some(place.worktree.clone());
    deck.store.journal().write(entry)?;
    let result = refs::tree_of(&deck.repository, &plan.after)?;
    rehearsal::make(&deck.repository, writer, &place, &plan.before, &result)?;
    lend(deck, entry, &place)?;
    let rehearsal = Rehearsal { deck, plan, hooks, place: &place, result: &result, watch };
    let message = rehearsal.run(&names)?;
    if let Err(report) = rehearsal::remove(&deck.repository, &place) {
        // Hidden, and nobody's work: no reason to stop.
        entry.warnings.push(format!("{}; remove it by hand", report.headline));
    }
    entry.rehearsal = None;
    Ok(message)
}

/// A rebase that ends at the shadow's own commit makes none.
fn course(plan: &LandPlan) -> Course {
    let head = plan.safety_net.as_ref().unwrap_or(&plan.tip);
    course_of(plan.strategy, head, &plan.after)
}

pub(super) fn course_of(strategy: Strategy, head: &Oid, after: &Oid) -> Course {
    match strategy {
        Strategy::Rebase if head == after => Course::FastForward,
        _ => Course::NewCommits,
    }
}

fn lend(deck: &Deck, entry: &mut JournalEntry, place: &Place) -> Result<(), Report> {
    let names = &deck.config.rehearsal_link;
    let main = worktrees::read(&deck.repository)?.main.path;
    let (Some(main), false) = (main, names.is_empty()) else { return Ok(()) };
    for name in rehearsal::lend(place, &main, names)? {
        entry.warnings.push(format!(
            "{name} was not lent to the hooks: it is not ignored, or is in the result itself"
        ));
    }
    Ok(())
}

struct Rehearsal<'a> {
    deck: &'a Deck,
    plan: &'a LandPlan,
    hooks: &'a Hooks,
    place: &'a Place,
    result: &'a Oid,
    watch: Watch<'a>,
}

impl Rehearsal<'_> {
    fn run(&self, names: &[&str]) -> Result<String, Report> {
        let message_file = self.write_message()?;
        for name in names {
            self.watch.refuse_stopped(&format!("landing {}", self.plan.id))?;
            self.run_one(name, &message_file)?;
            self.refuse_changed_tree(name)?;
        }
        let message = rehearsal::read_message(self.place, &message_file)?;
        if message.trim().is_empty() {
            return Err(Report::user(
                Code::HookRejected,
                format!("the hooks {} left an empty message", names.join(", ")),
            )
            .unchanged()
            .hint("git makes no commit without a message"));
        }
        // What the hooks left as it was stays as it was, to the byte.
        let given = rehearsal::stripped(self.place, &self.plan.message)?;
        Ok(if message == given { self.plan.message.clone() } else { message })
    }

    /// Where git itself would have it while these hooks run.
    fn write_message(&self) -> Result<PathBuf, Report> {
        let dir = &self.place.git_dir;
        let is_merge = self.plan.strategy == Strategy::Merge;
        let file = dir.join(if is_merge { "MERGE_MSG" } else { "COMMIT_EDITMSG" });
        let doing = || format!("write {}", file.display());
        std::fs::write(&file, format!("{}\n", self.plan.message.trim_end())).doing(doing())?;
        if is_merge {
            let head = self.plan.safety_net.as_ref().unwrap_or(&self.plan.tip);
            std::fs::write(dir.join("MERGE_HEAD"), format!("{head}\n")).doing(doing())?;
        }
        Ok(file)
    }

    fn run_one(&self, name: &str, message_file: &std::path::Path) -> Result<(), Report> {
        let kind = if self.plan.strategy == Strategy::Merge { "merge" } else { "message" };
        let args: Vec<PathBuf> = match name {
            "prepare-commit-msg" => vec![message_file.to_owned(), kind.into()],
            "commit-msg" => vec![message_file.to_owned()],
            "pre-rebase" => {
                let branch = self.plan.branch.iter().map(|branch| branch.0.clone().into());
                std::iter::once(self.plan.target.0.clone().into()).chain(branch).collect()
            }
            _ => Vec::new(),
        };
        let timeout = Duration::from_secs(self.deck.config.hooks_timeout_s);
        let run = HookRun { hooks: self.hooks, place: self.place, name, args, timeout };
        (self.watch.tell)(Progress::Hook(name.to_owned()));
        let output = run.run(&mut |piece| {
            tell_lines(self.watch, piece);
            self.watch.goes_on()
        })?;
        let Some(output) = output else {
            return Err(stopped(&format!("landing {}, with its hook {name},", self.plan.id)));
        };
        if output.exit_code == 0 {
            return Ok(());
        }
        let said = said(&output.stdout, &output.stderr);
        let mut report = Report::user(
            Code::HookRejected,
            format!("the hook {name} rejected landing {} on {}", self.plan.id, self.plan.target),
        )
        .unchanged()
        .hint("see to what the hook says, or land with --no-verify")
        .detail("hook", name)
        .detail("exit_code", output.exit_code)
        .detail("output", said.clone());
        report.causes = said.lines().take(LINES_MAX).map(str::to_owned).collect();
        Err(report)
    }

    fn refuse_changed_tree(&self, name: &str) -> Result<(), Report> {
        let tree = rehearsal::read_index_tree(self.place)?;
        if tree == *self.result {
            return Ok(());
        }
        let diff_tree = self.place.reading("diff-tree");
        let changes = changed_paths(diff_tree, self.result.as_str(), tree.as_str())?;
        let files: Vec<String> = changes.iter().map(|c| RepoPath::to_lossy(&c.path)).collect();
        Err(Report::user(
            Code::ShadowMoved,
            format!(
                "the hook {name} changed what would land, and that was not approved: {}",
                files.join(", ")
            ),
        )
        .unchanged()
        .hint(format!("make the same change in {}, look at it, and land that", self.plan.id))
        .detail("hook", name)
        .detail("files", files)
        .detail("expected", self.result.as_str())
        .detail("found", tree.as_str()))
    }
}

fn tell_lines(watch: Watch<'_>, piece: &[u8]) {
    for line in String::from_utf8_lossy(piece).lines() {
        (watch.tell)(Progress::Said(line.to_owned()));
    }
}

/// Both streams as one text, its end cut off where it is endless.
fn said(stdout: &[u8], stderr: &[u8]) -> String {
    let both = [stdout, stderr].concat();
    let kept = &both[..both.len().min(OUTPUT_BYTES_MAX)];
    String::from_utf8_lossy(kept).trim().to_owned()
}

/// After the target has moved: a failure is a warning, and recovery never runs it again.
pub(super) fn run_post_merge(
    deck: &Deck,
    plan: &LandPlan,
    ground: &Ground,
    hook_changes: Option<&Consent>,
    watch: Watch<'_>,
) -> Vec<String> {
    let Some(place) = &ground.place else { return Vec::new() };
    if !plan.runs.iter().any(|name| name == POST_MERGE) {
        return Vec::new();
    }
    if hook_changes.is_some() {
        return vec![format!("{POST_MERGE} was not run: this landing changes hooks")];
    }
    let run = HookRun {
        hooks: &ground.safeguards.hooks,
        place,
        name: POST_MERGE,
        // Not a squash of git's own, which leaves the commit to the user.
        args: vec!["0".into()],
        timeout: Duration::from_secs(deck.config.hooks_timeout_s),
    };
    (watch.tell)(Progress::Hook(POST_MERGE.to_owned()));
    // It has landed: this is not stopped any more.
    let ended = run.run(&mut |piece| {
        tell_lines(watch, piece);
        ControlFlow::Continue(())
    });
    match ended {
        Ok(None) => Vec::new(),
        Ok(Some(output)) if output.exit_code == 0 => Vec::new(),
        Ok(Some(output)) => {
            let said = said(&output.stdout, &output.stderr);
            let said: Vec<&str> = said.lines().take(LINES_MAX).collect();
            vec![format!("it has landed, and the hook {POST_MERGE} failed: {}", said.join(" · "))]
        }
        Err(report) => vec![format!("it has landed, but {}", report.headline)],
    }
}
