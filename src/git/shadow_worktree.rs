//! A shadow's own branch, and a kept shadow's files, moved by compare-and-swap: what an agent wrote meanwhile
//! is never moved over. Each step may be repeated after a kill.

use std::{collections::HashSet, path::Path};

use rustix::{
    fs::{Access, access},
    io::Errno,
};

use super::{
    Repository,
    advance::{self, Hooks, Way, refuse_overlap},
    left_over,
    obstacles::{self, Place, changed_paths},
    overrun, settle, sparse,
    writer::Writer,
};
use crate::{
    report::{Code, Report},
    review::ChangedPath,
    shadow::{BranchName, Oid, RepoPath},
};

/// Deletes the branch where it still is at `tip`. `false` where it has moved and stays.
pub fn delete_branch(
    repository: &Repository,
    writer: &Writer<'_>,
    branch: &BranchName,
    tip: &Oid,
) -> Result<bool, Report> {
    match settle::read_tip(repository, branch)? {
        None => return Ok(true),
        Some(at) if at != *tip => return Ok(false),
        Some(_) => {}
    }
    let command = format!("delete {}\0{tip}\0", branch.full());
    update_refs(repository, writer, "shadowdeck: to the trash", command)?;
    Ok(true)
}

/// Makes the branch again at `tip`. One that is there already must be there.
pub fn restore_branch(
    repository: &Repository,
    writer: &Writer<'_>,
    branch: &BranchName,
    tip: &Oid,
) -> Result<(), Report> {
    match settle::read_tip(repository, branch)? {
        Some(at) if at == *tip => return Ok(()),
        Some(at) => return Err(refuse_taken_branch(branch, &at)),
        None => {}
    }
    let command = format!("create {}\0{tip}\0", branch.full());
    update_refs(repository, writer, "shadowdeck: back from the trash", command)
}

/// Whether all of these branches could be made now, as git itself judges it: the transaction is prepared, its locks
/// included, and given up.
pub fn refuse_uncreatable(
    repository: &Repository,
    writer: &Writer<'_>,
    branches: &[(BranchName, Oid)],
) -> Result<(), Report> {
    for (branch, tip) in branches {
        let commands = format!("start\0create {}\0{tip}\0prepare\0abort\0", branch.full());
        let tried = update_refs(repository, writer, "shadowdeck: back from the trash", commands);
        if let Err(report) = tried {
            // It says nothing about the branch.
            if report.code == Code::Timeout {
                return Err(report.unchanged());
            }
            return Err(Report::user(
                Code::CannotUndo,
                format!("branch {branch} cannot be made again: {}", report.causes.join("; ")),
            )
            .unchanged()
            .hint("take what is named here out of the way, then undo again")
            .detail("branch", branch.0.as_str()));
        }
    }
    Ok(())
}

pub fn refuse_taken_branch(branch: &BranchName, at: &Oid) -> Report {
    Report::user(Code::CannotUndo, format!("branch {branch} exists again, at {}", at.abbreviated()))
        .safe("nothing was changed, and what was discarded stays whole in the trash")
        .hint("rename or delete that branch and undo again")
        .detail("branch", branch.0.clone())
}

fn update_refs(
    repository: &Repository,
    writer: &Writer<'_>,
    message: &str,
    commands: String,
) -> Result<(), Report> {
    writer
        .quiet("update-ref")?
        .git_dir(&repository.common_dir)
        .dir(&repository.common_dir)
        .args(["-m", message, "--stdin", "-z"])
        .input(commands)
        .run()
        .map(drop)
}

/// A kept shadow's way from its own tip and snapshot to a new tip with the tree `whole`.
#[derive(Clone, Debug)]
pub struct Kept<'a> {
    pub place: &'a Place,
    /// Absent when HEAD is detached.
    pub branch: Option<&'a BranchName>,
    pub tip: &'a Oid,
    pub snapshot: &'a Oid,
    pub new_tip: &'a Oid,
    pub whole: &'a Oid,
}

impl Kept<'_> {
    /// Where its HEAD is now.
    pub fn read_head(&self) -> Result<Option<Oid>, Report> {
        let found =
            self.place.reading("rev-parse").args(["--verify", "--quiet", "HEAD"]).run_any()?;
        Ok(Oid::parse(found.text().trim()))
    }

    /// The files that change when it moves.
    pub fn changes(&self, repository: &Repository) -> Result<Vec<ChangedPath>, Report> {
        let diff = repository.planning("diff-tree");
        changed_paths(diff, self.snapshot.as_str(), self.whole.as_str())
    }

    /// What moving it would run into in its own directory: what git ignores, for all else is in its snapshot.
    pub fn find_obstacles(&self, repository: &Repository) -> Result<Vec<RepoPath>, Report> {
        if self.snapshot != self.whole {
            sparse::refuse_outside(repository, self.place, self.snapshot)?;
        }
        let changes = self.changes(repository)?;
        refuse_unwritable(self.place, &changes)?;
        self.find_in_the_way(changes)
    }

    fn find_in_the_way(&self, changes: Vec<ChangedPath>) -> Result<Vec<RepoPath>, Report> {
        let overrun = overrun::find_overrun(self.place, &changes)?;
        let (held, new): (Vec<_>, Vec<_>) = changes.into_iter().partition(|c| c.old.is_some());
        let mut in_the_way = obstacles::find_in_the_way(self.place, &new)?;
        // A file or link that goes makes room, also where the shadow's own index does not know it yet.
        in_the_way.retain(|path| held.iter().all(|change| change.path != *path));
        in_the_way.extend(overrun);
        in_the_way.sort();
        in_the_way.dedup();
        Ok(in_the_way)
    }

    pub fn refuse_obstacles(&self, repository: &Repository) -> Result<(), Report> {
        let in_the_way = self.find_obstacles(repository)?;
        if in_the_way.is_empty() { Ok(()) } else { Err(self.refuse(in_the_way)) }
    }

    pub fn refuse(&self, in_the_way: Vec<RepoPath>) -> Report {
        let overlap = obstacles::Overlap { in_the_way, ..obstacles::Overlap::default() };
        let branch = self.branch.cloned().unwrap_or_else(|| BranchName("HEAD".to_owned()));
        refuse_overlap(self.place, &branch, &overlap)
    }

    /// Index := snapshot; files and index to `whole`; then the branch. Refuses where a file was written since.
    pub fn move_on(&self, writer: &Writer<'_>) -> Result<(), Report> {
        let place = self.place;
        self.set_index(writer, self.snapshot.as_str())?;
        advance::refresh(writer, place).map_err(of_shadow)?;
        let changes = self.changes_between(self.snapshot, self.whole)?;
        let in_the_way = self.find_in_the_way(changes.clone())?;
        if !in_the_way.is_empty() {
            return Err(self.refuse(in_the_way));
        }
        let way = Way { from: self.snapshot, to: self.whole, paths: &changes };
        self.write_files(writer, &way)?;
        self.move_head(writer, self.tip, self.new_tip)
    }

    /// The files stay as they are.
    fn set_index(&self, writer: &Writer<'_>, tree: &str) -> Result<(), Report> {
        let git = self.place.put(writer.quiet("read-tree")?);
        git.args(["--reset", "--no-recurse-submodules", tree])
            .run()
            .map(drop)
            .map_err(|report| of_shadow(advance::explain_locked(self.place, report)))
    }

    /// A deleted file that cannot be removed would be new work of the shadow's.
    fn refuse_left_over(&self, changes: &[ChangedPath]) -> Result<(), Report> {
        let left = left_over::remove_left_over(self.place, changes)?;
        let Some(first) = left.first() else { return Ok(()) };
        let headline = format!("{} cannot be removed there", first.to_lossy());
        Err(Report::environment(Code::Io, headline))
    }

    /// The files' way back. The caller then moves HEAD and puts the saved index in its place.
    pub fn put_back(&self, writer: &Writer<'_>) -> Result<(), Report> {
        advance::refresh(writer, self.place).map_err(of_shadow)?;
        let changes = self.changes_between(self.whole, self.snapshot)?;
        // Entries whose files a run that was cut short had not put there would count as there.
        settle::drop_arrived(writer, self.place, &changes)?;
        left_over::remove_same(self.place, &changes)?;
        let way = Way { from: self.whole, to: self.snapshot, paths: &changes };
        self.write_files(writer, &way)
    }

    /// Where no file changes, the index alone: in a sparse checkout git would take files away all the same.
    fn write_files(&self, writer: &Writer<'_>, way: &Way<'_>) -> Result<(), Report> {
        if way.from == way.to {
            return self.set_index(writer, way.to.as_str());
        }
        advance::read_tree(writer, self.place, way, Hooks::Silent)
            .map_err(|stopped| of_shadow(stopped.into_report()))?;
        self.refuse_left_over(way.paths)
    }

    /// After a move that stopped halfway and whose way back is blocked: each file that is missing, or provably the
    /// move's own, goes back for itself. Others stay. The caller then puts the saved index in its place.
    pub fn take_files_back(&self, writer: &Writer<'_>) -> Result<(), Report> {
        self.set_index(writer, self.snapshot.as_str())?;
        let changes = self.changes_between(self.snapshot, self.whole)?;
        settle::take_files_back(writer, self.place, &changes).map(drop)
    }

    fn changes_between(&self, from: &Oid, to: &Oid) -> Result<Vec<ChangedPath>, Report> {
        changed_paths(self.place.reading("diff-tree"), from.as_str(), to.as_str())
    }

    /// The index as HEAD has it, the files as they are.
    pub fn reset_index(&self, writer: &Writer<'_>) -> Result<(), Report> {
        self.set_index(writer, "HEAD")?;
        advance::refresh(writer, self.place).map_err(of_shadow)
    }

    /// The branch, or a detached HEAD itself; both reflogs learn of it.
    pub fn move_head(&self, writer: &Writer<'_>, from: &Oid, to: &Oid) -> Result<(), Report> {
        let command = match self.branch {
            Some(branch) => format!("update {}\0{to}\0{from}\0", branch.full()),
            None => format!("option no-deref\0update HEAD\0{to}\0{from}\0"),
        };
        self.place
            .put(writer.quiet("update-ref")?)
            .args(["-m", "shadowdeck: moved on", "--stdin", "-z"])
            .input(command)
            .run()
            .map(drop)
    }
}

/// The branch and the index that are busy, or have moved, are the shadow's own here.
pub fn of_shadow(report: Report) -> Report {
    let code = match report.code {
        Code::TargetBusy => Code::ShadowBusy,
        Code::TargetMoved => Code::ShadowMoved,
        other => other,
    };
    Report { code, ..report }
}

/// What would stop git halfway: a registration or a directory that it may not write, a file that nobody may.
pub fn refuse_unwritable(place: &Place, changes: &[ChangedPath]) -> Result<(), Report> {
    // One that is gone meanwhile is not in the way of anything.
    let may_write = |dir: &Path| {
        let answer = access(dir, Access::WRITE_OK | Access::EXEC_OK);
        answer.is_ok() || answer == Err(Errno::NOENT)
    };
    let refuse = |path: &Path| {
        Report::environment(Code::Io, format!("{} may not be written", path.display()))
            .unchanged()
            .hint("make it writable, then try again")
            .detail("path", path.display().to_string())
    };
    if access(&place.git_dir, Access::EXISTS) == Err(Errno::NOENT) {
        let gone = format!("{} was removed meanwhile", place.worktree.display());
        return Err(Report::user(Code::NotFound, gone).unchanged().hint("list the shadows again"));
    }
    if !may_write(&place.git_dir) {
        return Err(refuse(&place.git_dir));
    }
    let mut seen = HashSet::new();
    for change in changes {
        let full = place.worktree.join(change.path.as_path());
        // What a link leads to is not written.
        let is_dir = |dir: &&Path| dir.symlink_metadata().is_ok_and(|about| about.is_dir());
        let dir = full.ancestors().skip(1).find(is_dir).unwrap_or(&place.worktree);
        if seen.insert(dir.to_owned()) && !may_write(dir) {
            return Err(refuse(&place.worktree.join(change.path.as_path())));
        }
        // A file's own mode does not keep it from being replaced; only an immutable one answers so.
        if full.is_file() && access(&full, Access::WRITE_OK) == Err(Errno::PERM) {
            return Err(refuse(&full));
        }
    }
    Ok(())
}
