//! The one way a branch moves: a prepared ref transaction, with the files of the worktree that has it checked out
//! changed under its lock. Until the last `commit` nothing has moved; any refusal is an abort.

use super::{
    Repository, arrivals,
    command::{Output, Running},
    left_over,
    obstacles::{Overlap, Place, find_in_the_way},
    overrun, refs,
    writer::Writer,
};
use crate::{
    report::{Code, Report},
    review::{ChangedPath, first_ten},
    shadow::{BranchName, Oid, RepoPath},
};

/// A branch's move from one commit to another.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    pub target: &'a BranchName,
    pub before: &'a Oid,
    pub after: &'a Oid,
    /// Where the branch is checked out, if anywhere.
    pub place: Option<&'a Place>,
    pub paths: &'a [ChangedPath],
    /// Branches that come into being with the move, or neither does.
    pub creates: &'a [(BranchName, Oid)],
    /// For the reflog.
    pub message: &'a str,
}

/// Why a move did not happen.
#[derive(Debug)]
pub enum Stopped {
    /// Nothing was touched.
    Refused(Report),
    /// A full disk, a timeout or a kill stopped git somewhere: ask `settle` what was touched.
    Broken(Report),
}

impl Stopped {
    /// A git that failed may have done all of its work, or a part: what was said before anybody looked is not known
    /// to be true, nor that it refused.
    pub(super) fn broken(report: Report) -> Self {
        let refusals = [Code::DirtyOverlap, Code::TargetBusy, Code::TargetMoved];
        let code = if refusals.contains(&report.code) { Code::GitFailed } else { report.code };
        Self::Broken(Report { code, safe: None, ..report })
    }

    pub(super) fn into_report(self) -> Report {
        match self {
            Self::Refused(report) | Self::Broken(report) => report,
        }
    }
}

/// Moves the branch, or says why not and whether everything is as it was. The answer names deleted files that could
/// not be removed.
pub fn advance(
    repository: &Repository,
    writer: &Writer<'_>,
    step: &Step<'_>,
) -> Result<Vec<RepoPath>, Stopped> {
    if let Some(place) = step.place {
        refresh(writer, place).map_err(Stopped::Refused)?;
    }
    let transaction = Transaction::prepare(repository, writer, step).map_err(Stopped::Refused)?;
    // Its lock is held: nobody makes it one any more.
    if let Some(other) = refs::find_symbolic(repository, &step.target.full()) {
        transaction.abort();
        return Err(Stopped::Refused(refuse_symbolic(step.target, &other)));
    }
    let moved = step.place.map_or(Ok(Vec::new()), |place| move_files(writer, place, step));
    match moved {
        Ok(left) => transaction.commit().map(|()| left).map_err(Stopped::broken),
        Err(stopped) => {
            transaction.abort();
            Err(stopped)
        }
    }
}

/// Another branch would move, and that one's worktree was not looked for.
fn refuse_symbolic(target: &BranchName, other: &str) -> Report {
    let headline = format!("{target} has become a symbolic ref to {other}");
    Report::user(Code::TargetMoved, headline).unchanged().hint("look at the plan again")
}

/// So that a file which was only touched does not count as edited.
pub(super) fn refresh(writer: &Writer<'_>, place: &Place) -> Result<(), Report> {
    let output = place.put(writer.quiet("update-index")?).args(["-q", "--refresh"]).run_any()?;
    // 1: some files are edited. 128 without a word: another git holds the index.
    if output.exit_code <= 1 {
        return Ok(());
    }
    let lock = place.git_dir.join("index.lock");
    if lock.exists() {
        return Err(busy(&lock.display().to_string()));
    }
    Err(output.failure())
}

fn busy(lock: &str) -> Report {
    Report::environment(Code::TargetBusy, format!("another git is at work: {lock} exists"))
        .unchanged()
        .hint("wait for that git to end, then try again")
        .detail("lock", lock)
}

fn move_files(
    writer: &Writer<'_>,
    place: &Place,
    step: &Step<'_>,
) -> Result<Vec<RepoPath>, Stopped> {
    let head = place.reading("symbolic-ref").args(["--quiet", "HEAD"]).run_any();
    let head = head.map_err(Stopped::broken)?;
    if head.exit_code > 1 {
        return Err(Stopped::broken(head.failure()));
    }
    if head.text() != step.target.full() {
        let report = Report::user(
            Code::TargetMoved,
            format!("{} no longer has {} checked out", place.worktree.display(), step.target),
        );
        return Err(Stopped::Refused(report.unchanged().hint("look at the plan again")));
    }
    let in_the_way = find_in_the_way(place, step.paths).map_err(Stopped::broken)?;
    if !in_the_way.is_empty() {
        let overlap = Overlap { in_the_way, ..Overlap::default() };
        return Err(Stopped::Refused(refuse_overlap(place, step.target, &overlap)));
    }
    let way = Way { from: step.before, to: step.after, paths: step.paths };
    read_tree(writer, place, &way, Hooks::Run)?;
    left_over::remove_left_over(place, step.paths).map_err(Stopped::broken)
}

/// Whether the user's `post-index-change` hook learns of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hooks {
    Run,
    Silent,
}

/// From one tree or commit to another, and the paths in which they differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub(super) from: &'a Oid,
    pub(super) to: &'a Oid,
    pub(super) paths: &'a [ChangedPath],
}

/// Two-way: index and files go from one tree to the other; edits elsewhere stay, overlapping ones refuse, and so does
/// whatever lies where a file is added.
pub(super) fn read_tree(
    writer: &Writer<'_>,
    place: &Place,
    way: &Way<'_>,
    hooks: Hooks,
) -> Result<(), Stopped> {
    let in_the_way = overrun::find_overrun(place, way.paths).map_err(Stopped::broken)?;
    if !in_the_way.is_empty() {
        let overlap = Overlap { in_the_way, ..Overlap::default() };
        return Err(Stopped::Refused(refuse_overlap(place, &place.branch_name(), &overlap)));
    }
    let arrived = arrivals::put(writer, place, way.to.as_str(), way.paths)?;
    let git = match hooks {
        Hooks::Run => writer.git("read-tree"),
        Hooks::Silent => writer.quiet("read-tree"),
    };
    let git = place.put(git.map_err(Stopped::broken)?);
    let ends = [way.from.as_str(), way.to.as_str()];
    let git = git.args(["-m", "-u", "--no-recurse-submodules"]).args(ends);
    let output = git.run_any().map_err(Stopped::broken)?;
    if output.exit_code == 0 {
        return Ok(());
    }
    // Whatever else it says, it may have moved any of it, or all.
    let Some(refusal) = find_refusal(place, &output) else {
        return Err(Stopped::broken(output.failure()));
    };
    match arrivals::take_back(writer, place, &arrived) {
        Ok(()) => Err(Stopped::Refused(refusal)),
        // No refusal any more: what was put there has to be settled.
        Err(left) => Err(Stopped::broken(left.cause(refusal.headline))),
    }
}

pub(super) fn explain_locked(place: &Place, report: Report) -> Report {
    if is_locked_out(&report) {
        return busy(&place.git_dir.join("index.lock").display().to_string());
    }
    report
}

/// git itself says that another one holds the index, before it has done anything.
pub(super) fn is_locked_out(report: &Report) -> bool {
    let says = |cause: &String| cause.contains("index.lock") && cause.contains("File exists");
    report.details.get("exit_code") == Some(&REFUSED.into()) && report.causes.iter().any(says)
}

/// With which git ends where it refuses.
const REFUSED: i32 = 128;

/// What git's own check found before it wrote the first file. Its words name the file in quotes; the whole of them is
/// kept as causes.
fn find_refusal(place: &Place, output: &Output) -> Option<Report> {
    let failure = output.failure();
    if output.exit_code != REFUSED {
        return None;
    }
    if is_locked_out(&failure) {
        return Some(explain_locked(place, failure));
    }
    let words = failure.causes.join("\n");
    if words.contains("resolve your current index") {
        let report = Report { code: Code::TargetBusy, ..failure }.unchanged();
        return Some(report.hint("resolve and stage the unmerged files there, then try again"));
    }
    let refusals = ["not uptodate", "would be overwritten", "would be removed", "would lose"];
    if !refusals.iter().any(|refusal| words.contains(refusal)) {
        return None;
    }
    let quoted = failure.causes.iter().filter_map(|line| line.split('\'').nth(1));
    let files: Vec<String> = quoted.map(str::to_owned).collect();
    let headline = format!(
        "your own uncommitted work in {} is in the way: {}",
        place.worktree.display(),
        first_ten(&files)
    );
    let report = Report { code: Code::DirtyOverlap, headline, ..failure }.unchanged();
    Some(report.hint("commit or move those files, then try again").detail("files", files))
}

/// Says whose files are in the way, and that this is no merge conflict.
pub fn refuse_overlap(place: &Place, target: &BranchName, overlap: &Overlap) -> Report {
    let list =
        |paths: &[RepoPath]| -> Vec<String> { paths.iter().map(RepoPath::to_lossy).collect() };
    let holds = |path: &RepoPath| overrun::holds_repository(&place.worktree.join(path.as_path()));
    let (modules, files): (Vec<_>, Vec<_>) = overlap.in_the_way.iter().cloned().partition(holds);
    let (edited, in_the_way, modules) = (list(&overlap.edited), list(&files), list(&modules));
    let mut parts = Vec::new();
    if !edited.is_empty() {
        parts.push(format!("your uncommitted edits in {}", first_ten(&edited)));
    }
    if !in_the_way.is_empty() {
        parts.push(format!("your untracked or ignored {}", first_ten(&in_the_way)));
    }
    let hint = match modules.first() {
        None => "commit them, or move them out of the way, then try again".to_owned(),
        Some(first) => format!(
            "save what is only in it, then `git submodule deinit {first}` there, or move it away; then try again"
        ),
    };
    if !modules.is_empty() {
        parts.push(format!("the repository that is checked out in {}", first_ten(&modules)));
    }
    Report::user(
        Code::DirtyOverlap,
        format!(
            "{} would be overwritten in {}, where {target} is checked out",
            parts.join(" and "),
            place.worktree.display()
        ),
    )
    .cause("this is no merge conflict: the files are yours, and they are as they were")
    .unchanged()
    .hint(hint)
    .detail("files", [edited, in_the_way, modules].concat())
    .detail("worktree", place.worktree.display().to_string())
}

/// `update-ref --stdin` held open. Dropped without a commit it changes nothing.
struct Transaction {
    git: Running,
    target: BranchName,
    creates: Vec<BranchName>,
    /// Why it was ended, where it did not answer in time.
    silent: Option<Report>,
}

impl Transaction {
    /// From here on no other git can move the branch.
    fn prepare(
        repository: &Repository,
        writer: &Writer<'_>,
        step: &Step<'_>,
    ) -> Result<Self, Report> {
        let git = writer.git("update-ref")?;
        let git = match step.place {
            Some(place) => place.put(git),
            None => git.git_dir(&repository.common_dir).dir(&repository.common_dir),
        };
        let git = git.args(["-m", step.message, "--stdin", "-z"]).start()?;
        let creates = step.creates.iter().map(|(branch, _)| branch.clone()).collect();
        let target = step.target.clone();
        let mut transaction = Self { git, target, creates, silent: None };
        let mut changes =
            format!("update {}\0{}\0{}\0", step.target.full(), step.after, step.before);
        for (branch, tip) in step.creates {
            changes.extend(["create ", &branch.full(), "\0", tip.as_str(), "\0"]);
        }
        for (command, answer) in
            [("start\0", Some("start: ok")), (&changes, None), ("prepare\0", Some("prepare: ok"))]
        {
            if !transaction.say(command, answer) {
                return Err(transaction.explain());
            }
        }
        Ok(transaction)
    }

    fn commit(mut self) -> Result<(), Report> {
        if self.say("commit\0", Some("commit: ok")) {
            // Its work is done; how it ends after that changes nothing.
            let _ = self.git.end();
            return Ok(());
        }
        Err(self.explain())
    }

    fn abort(mut self) {
        // Gone already, or it aborts at the end of its input: either way nothing moves.
        self.say("abort\0", Some("abort: ok"));
        let _ = self.git.end();
    }

    fn say(&mut self, command: &str, answer: Option<&str>) -> bool {
        let said = self.git.write(command.as_bytes()).is_ok();
        let Some(answer) = answer.filter(|_| said) else { return said };
        match self.git.read_line() {
            Ok(line) => line.is_some_and(|line| line == answer.as_bytes()),
            Err(report) => {
                self.silent = Some(report);
                false
            }
        }
    }

    fn explain(self) -> Report {
        let (target, creates) = (self.target, self.creates);
        if let Some(report) = self.silent {
            return report;
        }
        let failure = match self.git.end() {
            Ok(output) => output.failure(),
            Err(report) => return report,
        };
        let words = failure.causes.join("\n");
        let named = creates.iter().find(|branch| words.contains(&format!("'{}'", branch.full())));
        let (code, headline, hint) = if let Some(branch) = named {
            (
                Code::CannotUndo,
                format!("branch {branch} cannot be made again"),
                "take what is named here out of the way, then undo again",
            )
        } else if words.contains("by hook") {
            (
                Code::HookRejected,
                format!("your reference-transaction hook refused to move {target}"),
                "satisfy that hook, then land again",
            )
        } else if words.contains("but expected") || words.contains("reference is missing") {
            (
                Code::TargetMoved,
                format!("{target} was moved by someone else meanwhile"),
                "look at the plan again: it is made anew on the new commit",
            )
        } else if words.contains("File exists") || words.contains("Unable to create") {
            (
                Code::TargetBusy,
                format!("another git holds {target}"),
                "wait for that git to end, then try again",
            )
        } else {
            return failure;
        };
        Report { code, headline, ..failure }.unchanged().hint(hint).detail("target", target.0)
    }
}
