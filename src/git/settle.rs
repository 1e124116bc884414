//! After a kill or a failure: where a branch's move stands, and its files taken back where it did not happen.
//! Only the journal's paths are looked at; a file that is not provably ours stays as it is.

use std::{collections::HashSet, fs, os::unix::fs::PermissionsExt, path::Path};

use super::{
    Repository,
    advance::{self, Hooks, Step, Way},
    arrivals,
    index_side::{self, IndexSide},
    left_over,
    obstacles::{Place, find_in_the_way},
    overrun::{is_empty, is_submodule},
    writer::Writer,
    written::{read_content, read_written_whole, written_forms},
};
use crate::{
    report::{Code, Doing, Report},
    review::{ChangedPath, Mode, first_ten},
    shadow::{BranchName, Oid, RepoPath},
};

/// Where the branch is, seen from a planned move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    Before,
    /// At the move's end, or further on with it in its history.
    After,
    /// Somewhere that fits neither.
    Elsewhere(Option<Oid>),
}

pub fn read_standing(
    repository: &Repository,
    target: &BranchName,
    before: &Oid,
    after: &Oid,
) -> Result<Standing, Report> {
    let Some(at) = read_tip(repository, target)? else { return Ok(Standing::Elsewhere(None)) };
    if at == *before {
        return Ok(Standing::Before);
    }
    if at == *after {
        return Ok(Standing::After);
    }
    // Someone went on from where the move ended. A move back ends at an ancestor of its start, so that the end
    // is in every history tells nothing while the start is in it too.
    let holds = |history: &Oid, commit: &Oid| -> Result<bool, Report> {
        let args = ["--is-ancestor", commit.as_str(), history.as_str()];
        Ok(repository.reading("merge-base").args(args).run_any()?.exit_code == 0)
    };
    let moved_on = holds(&at, after)? && (holds(after, before)? || !holds(&at, before)?);
    Ok(if moved_on { Standing::After } else { Standing::Elsewhere(Some(at)) })
}

/// Asked of git itself each time: nothing read earlier may decide here.
pub fn read_tip(repository: &Repository, branch: &BranchName) -> Result<Option<Oid>, Report> {
    let found = repository
        .reading("rev-parse")
        .args(["--verify", "--quiet", "--end-of-options", &branch.full()])
        .run_any()?;
    Ok(Oid::parse(found.text().trim()))
}

/// Puts index and files of `place` back to `from`, as they were before a move `from` → `to` that was stopped.
/// Trees or commits. The answer names the files that were left because they may be the user's.
pub fn take_back(
    writer: &Writer<'_>,
    place: &Place,
    from: &Oid,
    to: &Oid,
    paths: &[ChangedPath],
) -> Result<Vec<RepoPath>, Report> {
    let left = match index_side::read(place, paths)? {
        IndexSide::New { returned } => {
            arrivals::take_back(writer, place, &returned)?;
            left_over::remove_same(place, &reversed(paths))?;
            refuse_in_the_way(place, paths)?;
            advance::refresh(writer, place)?;
            let back = reversed(paths);
            let way = Way { from: to, to: from, paths: &back };
            advance::read_tree(writer, place, &way, Hooks::Silent)
                .map_err(advance::Stopped::into_report)?;
            let left = left_over::remove_left_over(place, way.paths)?;
            // They are the move's own, so it stays unfinished: the next start finds the old index and goes on.
            if !left.is_empty() {
                return Err(refuse_left(place, &left));
            }
            left
        }
        IndexSide::Old { arrived } => {
            let left = take_files_back(writer, place, paths)?;
            arrivals::drop_entries(writer, place, &arrived)?;
            left
        }
        IndexSide::Mixed { moved, skipped } => {
            arrivals::restore_entries(writer, place, &moved)?;
            index_side::skip(writer, place, &skipped)?;
            let mut written = paths.to_vec();
            written.retain(|change| !skipped.contains(&change.path));
            take_files_back(writer, place, &written)?
        }
        IndexSide::Neither(path) => {
            let what = format!("{} is staged there as neither has it", path.to_lossy());
            return Err(refuse_in_between(place, &what)
                .hint(format!("unstage {}, then run this again", path.to_lossy())));
        }
    };
    refuse_untaken(place, paths, &left)?;
    Ok(left)
}

fn refuse_in_between(place: &Place, what: &str) -> Report {
    let worktree = place.worktree.display();
    Report::environment(
        Code::TargetBusy,
        format!("an unfinished move left {worktree} between before and after: {what}"),
    )
    .safe("what is yours there stays as it is")
}

/// Looked at once more before it is said that all is as before. What git finds unchanged is; the rest is judged.
fn refuse_untaken(place: &Place, paths: &[ChangedPath], left: &[RepoPath]) -> Result<(), Report> {
    let refuse = |path: &RepoPath| {
        let what = format!("{} did not go back", path.to_lossy());
        refuse_in_between(place, &what).hint("run this again")
    };
    match index_side::read(place, paths)? {
        IndexSide::Old { arrived } if arrived.is_empty() => {}
        IndexSide::Old { arrived: moved } | IndexSide::Mixed { moved, .. } => {
            return Err(refuse(&moved[0].path));
        }
        IndexSide::New { .. } => return Err(refuse_in_between(place, "its index did not go back")),
        IndexSide::Neither(path) => return Err(refuse(&path)),
    }
    let differ = place
        .reading("diff-files")
        .args(["--name-only", "-z", "--no-renames", "--ignore-submodules=all"])
        .run()?
        .stdout;
    let differ: HashSet<&[u8]> = differ.split(|byte| *byte == 0).collect();
    let doubtful: Vec<ChangedPath> = paths
        .iter()
        .filter(|change| change.old.is_none() || differ.contains(change.path.as_bytes()))
        .filter(|change| !left.contains(&change.path))
        .cloned()
        .collect();
    let whole = read_written_whole(place, &doubtful)?;
    for change in &doubtful {
        if judge(place, change, &whole)? == OnDisk::Ours {
            return Err(refuse(&change.path));
        }
    }
    Ok(())
}

/// In an index that is otherwise the one before a move, the entries of files that the move adds.
pub fn drop_arrived(
    writer: &Writer<'_>,
    place: &Place,
    paths: &[ChangedPath],
) -> Result<(), Report> {
    match index_side::read(place, paths)? {
        IndexSide::Old { arrived } => arrivals::drop_entries(writer, place, &arrived),
        IndexSide::New { .. } | IndexSide::Mixed { .. } | IndexSide::Neither(_) => Ok(()),
    }
}

/// As [`take_back`], where the branch is checked out by the step's place.
pub fn take_step_back(writer: &Writer<'_>, step: &Step<'_>) -> Result<Vec<RepoPath>, Report> {
    let Some(place) = step.place else { return Ok(Vec::new()) };
    let head = place.reading("symbolic-ref").args(["--quiet", "HEAD"]).run_any()?;
    if head.exit_code > 1 {
        return Err(head.failure());
    }
    if head.text() != step.target.full() {
        return Err(Report::environment(
            Code::TargetBusy,
            format!(
                "an unfinished landing on {} cannot be taken back: {} has left that branch",
                step.target,
                place.worktree.display()
            ),
        )
        .unchanged()
        .hint("switch it back there and run this again"));
    }
    take_back(writer, place, step.before, step.after, step.paths)
}

/// The same paths, the other way round.
pub fn reversed(paths: &[ChangedPath]) -> Vec<ChangedPath> {
    let reverse = |change: &ChangedPath| ChangedPath {
        path: change.path.clone(),
        old: change.new.clone(),
        new: change.old.clone(),
    };
    paths.iter().map(reverse).collect()
}

/// What comes back may not go over a file that the user put there since.
fn refuse_in_the_way(place: &Place, paths: &[ChangedPath]) -> Result<(), Report> {
    let in_the_way = find_in_the_way(place, &reversed(paths))?;
    if in_the_way.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = in_the_way.iter().map(RepoPath::to_lossy).collect();
    Err(Report::environment(
        Code::DirtyOverlap,
        format!("taking it back would go over your own {}", first_ten(&named)),
    )
    .unchanged()
    .hint("move that away and run this again")
    .detail("files", named))
}

fn refuse_left(place: &Place, left: &[RepoPath]) -> Report {
    let named: Vec<String> = left.iter().map(RepoPath::to_lossy).collect();
    Report::environment(
        Code::Io,
        format!(
            "what an unfinished move put there cannot be removed from {}: {}",
            place.worktree.display(),
            named.join(", ")
        ),
    )
    .safe("everything else is as it was before that move")
    .hint("see that its directory may be written, then run this again")
}

/// What became of one path on disk.
#[derive(PartialEq, Eq)]
enum OnDisk {
    /// As before, or not ours to judge by the index alone.
    Untouched,
    /// Ours, whole or half-written.
    Ours,
    Users,
}

/// Puts back what is missing or provably ours, and removes what was added. The answer names what stays because it may
/// be the user's.
pub(super) fn take_files_back(
    writer: &Writer<'_>,
    place: &Place,
    paths: &[ChangedPath],
) -> Result<Vec<RepoPath>, Report> {
    let whole = read_written_whole(place, paths)?;
    let (mut restored, mut left) = (Vec::new(), Vec::new());
    // What was added makes room for what comes back.
    let (held, added): (Vec<_>, Vec<_>) = paths.iter().partition(|change| change.old.is_some());
    for change in added.into_iter().chain(held) {
        match judge(place, change, &whole)? {
            OnDisk::Untouched => {}
            OnDisk::Users => left.push(change.path.clone()),
            OnDisk::Ours if change.old.is_some() => match make_room(place, &change.path) {
                Ok(()) => restored.push(change.path.clone()),
                Err(_) => left.push(change.path.clone()),
            },
            OnDisk::Ours => remove_added(place, &change.path)?,
        }
    }
    if !restored.is_empty() {
        let input: Vec<u8> =
            restored.iter().flat_map(|path| [path.as_bytes(), &[0]].concat()).collect();
        place
            .put(writer.quiet("checkout-index")?)
            .args(["--force", "--index", "-z", "--stdin"])
            .input(input)
            .run()?;
    }
    advance::refresh(writer, place)?;
    Ok(left)
}

/// An empty directory goes; one that was filled in the last instant stays, where git would remove all of it.
fn make_room(place: &Place, path: &RepoPath) -> std::io::Result<()> {
    let full = place.worktree.join(path.as_path());
    match full.symlink_metadata() {
        Ok(about) if about.is_dir() => fs::remove_dir(&full),
        _ => Ok(()),
    }
}

fn judge(place: &Place, change: &ChangedPath, whole: &[RepoPath]) -> Result<OnDisk, Report> {
    let full = place.worktree.join(change.path.as_path());
    let is_blocked = |dir: &Path| dir.symlink_metadata().is_ok_and(|about| !about.is_dir());
    if full.ancestors().skip(1).take_while(|dir| *dir != place.worktree).any(is_blocked) {
        // A file or a link of somebody's stands where its directory was; nothing is looked at through it.
        return Ok(if change.old.is_some() { OnDisk::Users } else { OnDisk::Untouched });
    }
    let Some(metadata) = full.symlink_metadata().ok() else {
        // A file that the user deleted would have stopped the landing before.
        return Ok(if change.old.is_some() { OnDisk::Ours } else { OnDisk::Untouched });
    };
    let (old, new) = (change.old.as_ref(), change.new.as_ref());
    if metadata.is_dir() {
        // A file made room for a submodule, of which git makes the empty directory.
        let was_file = is_submodule(new) && old.is_some() && !is_submodule(old);
        return Ok(match was_file {
            true if is_empty(&full)? => OnDisk::Ours,
            true => OnDisk::Users,
            false => OnDisk::Untouched,
        });
    }
    if is_submodule(new) {
        return Ok(OnDisk::Untouched);
    }
    let is_link = metadata.is_symlink();
    if !is_link && !metadata.is_file() {
        return Ok(OnDisk::Users);
    }
    let content = read_content(&full, is_link)?;
    // A way back that was cut short leaves a part of the old file.
    let mut half_written = false;
    if let Some(old) = old.filter(|old| !old.mode.is_submodule())
        && is_link == (old.mode == Mode::Symlink)
    {
        let forms = written_forms(place, &change.path, old)?;
        if forms.contains(&content) {
            let executable = metadata.permissions().mode() & 0o100 != 0;
            let same_mode = is_link || executable == (old.mode == Mode::Executable);
            return Ok(if same_mode { OnDisk::Untouched } else { OnDisk::Ours });
        }
        half_written = forms.iter().any(|form| form.starts_with(&content));
    }
    if half_written || whole.contains(&change.path) {
        return Ok(OnDisk::Ours);
    }
    let Some(new) = new else { return Ok(OnDisk::Users) };
    let forms = written_forms(place, &change.path, new)?;
    let half_written = is_link == (new.mode == Mode::Symlink)
        && forms.iter().any(|form| form.starts_with(&content));
    Ok(if half_written { OnDisk::Ours } else { OnDisk::Users })
}

/// Directories that were made for it go too, as far as they are empty.
pub(super) fn remove_added(place: &Place, path: &RepoPath) -> Result<(), Report> {
    let full = place.worktree.join(path.as_path());
    fs::remove_file(&full).doing(format!("remove {}", full.display()))?;
    let within = |dir: &&Path| dir.starts_with(&place.worktree) && *dir != place.worktree;
    for dir in full.ancestors().skip(1).take_while(within) {
        // Not empty: it is in use, and so is everything above it.
        if fs::remove_dir(dir).is_err() {
            break;
        }
    }
    Ok(())
}
