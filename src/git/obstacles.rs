//! What in a worktree a change of its branch would run into: the user's own edits, and files git does not track.
//! git itself guards edits and untracked files; ignored ones it would overwrite, so they are looked for here.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{command::Git, control, overrun, settings::Settings};
use crate::{
    report::{Code, Doing, Report},
    review::ChangedPath,
    shadow::{BranchName, RepoPath},
};

/// A worktree with its own git directory; both were seen to name each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub worktree: PathBuf,
    pub git_dir: PathBuf,
    /// How long any one git process may take there.
    pub timeout: Duration,
}

impl Place {
    pub fn reading(&self, subcommand: &'static str) -> Git {
        self.put(Git::reading(subcommand).timeout(self.timeout))
    }

    pub fn put(&self, git: Git) -> Git {
        git.git_dir(&self.git_dir).work_tree(&self.worktree)
    }

    /// What its HEAD is on, for words only.
    pub(super) fn branch_name(&self) -> BranchName {
        let head = self.reading("symbolic-ref").args(["--quiet", "--short", "HEAD"]).run_any();
        let name = head.map(|output| output.text()).unwrap_or_default();
        BranchName(if name.is_empty() { "HEAD".to_owned() } else { name })
    }

    pub fn settings(&self) -> Result<Settings, Report> {
        Settings::read(&self.git_dir, self.timeout)
    }
}

/// What the user has there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// Tracked files with staged or unstaged edits that the change touches.
    pub edited: Vec<RepoPath>,
    /// Files that git does not track, ignored ones included, where the change needs the room.
    pub in_the_way: Vec<RepoPath>,
    /// Edited files that the change does not touch.
    pub edits_kept: u32,
}

impl Overlap {
    pub fn is_empty(&self) -> bool {
        self.edited.is_empty() && self.in_the_way.is_empty()
    }
}

/// Reads it without writing: the index is refreshed in memory only.
pub fn read_overlap(place: &Place, changes: &[ChangedPath]) -> Result<Overlap, Report> {
    refuse_special_rules(place, changes)?;
    let edited = read_edited(place)?;
    let (touched, untouched): (Vec<RepoPath>, Vec<RepoPath>) =
        edited.into_iter().partition(|path| changes.iter().any(|change| overlaps(path, change)));
    Ok(Overlap {
        in_the_way: find_in_the_way(place, changes)?,
        edits_kept: u32::try_from(untouched.len()).unwrap_or(u32::MAX),
        edited: touched,
    })
}

/// git reads rules from every directory that it looks at, and would wait for a pipe there for ever.
fn refuse_special_rules(place: &Place, changes: &[ChangedPath]) -> Result<(), Report> {
    let tracked = read_tracked(place)?;
    let paths = tracked.iter().map(Vec::as_slice);
    let mut dirs: HashSet<&[u8]> = HashSet::from([&b""[..]]);
    for path in paths.chain(changes.iter().map(|change| change.path.as_bytes())) {
        let mut path = path;
        while let Some(end) = path.iter().rposition(|byte| *byte == b'/') {
            path = &path[..end];
            if !dirs.insert(path) {
                break;
            }
        }
    }
    for dir in dirs {
        let dir = place.worktree.join(OsStr::from_bytes(dir));
        for name in control::RULES {
            control::refuse_special(&dir.join(name))?;
        }
    }
    Ok(())
}

/// The same path, or one a directory of the other.
pub(super) fn overlaps(path: &RepoPath, change: &ChangedPath) -> bool {
    let (one, other) = (path.as_bytes(), change.path.as_bytes());
    let below = |inner: &[u8], outer: &[u8]| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with(b"/"))
    };
    one == other || below(one, other) || below(other, one)
}

fn read_edited(place: &Place) -> Result<Vec<RepoPath>, Report> {
    let status = place
        .reading("status")
        .config("status.renames=false")
        .args(["--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all"])
        .run()?;
    let entries: Vec<&[u8]> =
        status.stdout.split(|byte| *byte == 0).filter(|entry| entry.len() > 3).collect();
    let is_unmerged =
        |entry: &&&[u8]| matches!(&entry[..2], b"DD" | b"AA") || entry[..2].contains(&b'U');
    if let Some(entry) = entries.iter().find(is_unmerged) {
        return Err(Report::user(
            Code::TargetBusy,
            format!(
                "{} has unmerged files, {} for one",
                place.worktree.display(),
                RepoPath::new(&entry[3..]).to_lossy()
            ),
        )
        .unchanged()
        .hint("resolve and stage them there, then try again"));
    }
    Ok(entries.into_iter().map(|entry| RepoPath::new(&entry[3..])).collect())
}

/// Untracked or ignored files, links, full directories and repositories where the change adds or replaces something.
pub fn find_in_the_way(place: &Place, changes: &[ChangedPath]) -> Result<Vec<RepoPath>, Report> {
    let arriving = || changes.iter().filter(|change| change.new.is_some());
    if arriving().next().is_none() {
        return Ok(Vec::new());
    }
    let tracked = read_tracked(place)?;
    let mut found = overrun::find_overrun(place, changes)?;
    let mut seen_clear: HashSet<PathBuf> = HashSet::new();
    for change in arriving() {
        match read_way(place, &change.path, &tracked, &mut seen_clear)? {
            Way::Open => {}
            // Nothing of this worktree's is below it, and what a link there leads to is not looked at.
            Way::MakesRoom => continue,
            Way::Blocked(blocker) => {
                found.push(blocker);
                continue;
            }
        }
        let full = place.worktree.join(change.path.as_path());
        let Some(metadata) = metadata(&full)? else { continue };
        if metadata.is_dir() {
            let is_submodule = [&change.old, &change.new]
                .into_iter()
                .flatten()
                .any(|entry| entry.mode.is_submodule());
            if !is_submodule {
                untracked_below(place, &full, &tracked, &mut found)?;
            }
        } else if !tracked.contains(change.path.as_bytes()) {
            found.push(change.path.clone());
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

pub(super) fn read_tracked(place: &Place) -> Result<HashSet<Vec<u8>>, Report> {
    let listed = place.reading("ls-files").args(["-z", "--cached"]).run()?;
    Ok(listed.stdout.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
}

/// What stands where the change needs directories.
enum Way {
    /// Directories, all the way.
    Open,
    /// Nothing, or a tracked file or link, which the change itself replaces.
    MakesRoom,
    /// A file or link that is not tracked.
    Blocked(RepoPath),
}

fn read_way(
    place: &Place,
    path: &RepoPath,
    tracked: &HashSet<Vec<u8>>,
    seen_clear: &mut HashSet<PathBuf>,
) -> Result<Way, Report> {
    let mut above: Vec<&Path> = path.as_path().ancestors().skip(1).collect();
    above.retain(|dir| !dir.as_os_str().is_empty());
    for dir in above.into_iter().rev() {
        if seen_clear.contains(dir) {
            continue;
        }
        match metadata(&place.worktree.join(dir))? {
            Some(metadata) if metadata.is_dir() => {
                seen_clear.insert(dir.to_owned());
            }
            Some(_) if !tracked.contains(dir.as_os_str().as_bytes()) => {
                return Ok(Way::Blocked(RepoPath::new(dir.as_os_str().as_bytes())));
            }
            Some(_) | None => return Ok(Way::MakesRoom),
        }
    }
    Ok(Way::Open)
}

/// Everything below a directory that has to go, but is not tracked.
fn untracked_below(
    place: &Place,
    dir: &Path,
    tracked: &HashSet<Vec<u8>>,
    found: &mut Vec<RepoPath>,
) -> Result<(), Report> {
    let what = || format!("read {}", dir.display());
    for entry in fs::read_dir(dir).doing(what())? {
        let entry = entry.doing(what())?;
        let full = entry.path();
        let is_dir = entry.file_type().doing(what())?.is_dir();
        if is_dir && !overrun::holds_repository(&full) {
            untracked_below(place, &full, tracked, found)?;
            continue;
        }
        let relative = full.strip_prefix(&place.worktree).unwrap_or(&full).as_os_str().as_bytes();
        if is_dir || !tracked.contains(relative) {
            found.push(RepoPath::new(relative));
        }
    }
    Ok(())
}

pub(super) fn metadata(path: &Path) -> Result<Option<fs::Metadata>, Report> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error).doing(format!("look at {}", path.display())),
    }
}

/// The paths in which two trees differ; renames are a deletion and an addition. `git` looks where both trees are.
pub fn changed_paths(git: Git, old: &str, new: &str) -> Result<Vec<ChangedPath>, Report> {
    let output = git
        .args(["-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--end-of-options", old, new])
        .run()?;
    Ok(parse_raw(&output.stdout))
}

/// The same of every commit that `after` has and `before` lacks, each against its parents.
pub fn changed_in_commits(
    planning: impl Fn(&'static str) -> Git,
    before: &str,
    after: &str,
) -> Result<Vec<ChangedPath>, Report> {
    let commits = planning("rev-list").args([after, "--not", before, "--"]).run()?.stdout;
    let output = planning("diff-tree")
        .args(["--stdin", "-r", "-m", "--root", "-z", "--raw", "--no-abbrev", "--no-renames"])
        .arg("--no-commit-id")
        .input(commits)
        .run()?;
    Ok(parse_raw(&output.stdout))
}

fn parse_raw(raw: &[u8]) -> Vec<ChangedPath> {
    let mut fields = raw.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let (Some(raw), Some(path)) = (fields.next(), fields.next()) {
        let text = String::from_utf8_lossy(raw);
        let words: Vec<&str> = text.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old_oid, new_oid, _status] = words[..] else { continue };
        changes.push(ChangedPath {
            path: RepoPath::new(path),
            old: crate::review::Entry::parse(old_mode, old_oid),
            new: crate::review::Entry::parse(new_mode, new_oid),
        });
    }
    changes
}
