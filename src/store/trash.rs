//! Where discarded and landed shadows lie, whole: `trash/<operation>/<id>/` holds `worktree`, `admin` (git's
//! registration), `gitfile` (the worktree's own `.git`) and copies of the branch's reflog and a kept shadow's index.
//! Everything moves by rename (across file systems by `carry`), each step can be repeated after a kill, and nothing is replaced.
//! Only [`Trash::empty`] deletes.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::Access;

use super::{
    ShadowEntry, atomic, carry, kept, leftovers::entries, process::own_pid, records::file_name,
};
use crate::{
    report::{Code, Doing, Report},
    shadow::{OperationId, ShadowId},
};

/// Points nowhere, so that a git run in the trash finds no repository, least of all the one around it.
const DISCARDED: &[u8] = b"gitdir: shadowdeck-discarded\n";
/// The ending of what is being deleted.
const EMPTYING: &str = ".emptying";
/// Tells a copy from another file system that is whole.
const MARK: &str = "carried";

#[derive(Clone, Debug)]
pub struct Trash {
    dir: PathBuf,
}

impl Trash {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Where one shadow's parts go in one operation.
    pub fn place(&self, operation: OperationId, id: &ShadowId) -> PathBuf {
        self.dir_of(operation).join(file_name(&id.0))
    }

    /// Makes the place, before the journal names it.
    pub fn make_place(&self, operation: OperationId, id: &ShadowId) -> Result<PathBuf, Report> {
        let place = self.place(operation, id);
        atomic::make_dirs(&place).doing(format!("make {}", place.display()))?;
        Ok(place)
    }

    /// All that one operation put here.
    pub fn dir_of(&self, operation: OperationId) -> PathBuf {
        self.dir.join(operation.to_string())
    }

    /// Every operation that has something here, and what an earlier emptying left.
    pub fn read(&self) -> Result<(Vec<OperationId>, Vec<PathBuf>), Report> {
        let (mut operations, mut half_emptied) = (Vec::new(), Vec::new());
        for path in entries(&self.dir)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            operations.extend(OperationId::parse(&name));
            if name.strip_suffix(EMPTYING).and_then(OperationId::parse).is_some() {
                half_emptied.push(path);
            }
        }
        operations.sort_unstable();
        Ok((operations, half_emptied))
    }

    /// Whether it holds a worktree, a registration, or the last name of a file: not only copies of what is elsewhere.
    pub fn holds_work(&self, operation: OperationId) -> Result<bool, Report> {
        let places = entries(&self.dir_of(operation))?;
        Ok(places.iter().any(|place| {
            let [worktree, admin, _] = parts(place);
            exists(&worktree)
                || exists(&admin)
                || carry::is_under_way(&worktree)
                // What cannot be read is not known to be elsewhere.
                || kept::holds_last_name(&place.join(kept::FILES)).unwrap_or(true)
        }))
    }

    /// Deletes all that one operation put here: first out of everybody's sight by a rename, so that nothing half
    /// deleted is ever brought back. Repeatable.
    pub fn empty(&self, operation: OperationId) -> io::Result<()> {
        let (dir, emptying) = (self.dir_of(operation), self.emptying(operation));
        if exists(&dir) {
            // A half-deleted one of an earlier call is in the way of the rename.
            carry::remove_tree(&emptying)?;
            atomic::rename(&dir, &emptying)?;
        }
        carry::remove_tree(&emptying)
    }

    fn emptying(&self, operation: OperationId) -> PathBuf {
        self.dir.join(format!("{operation}{EMPTYING}"))
    }

    /// Why `path` cannot be moved here whole, in words; `None` where it can.
    pub fn obstacle(&self, path: &Path) -> Result<Option<String>, Report> {
        if !exists(path) {
            return Ok(None);
        }
        if let Some(mount) = mounts_below(path).first() {
            return Ok(Some(format!("{} is a mount", mount.display())));
        }
        let above = path.parent().unwrap_or(path);
        if rustix::fs::access(above, Access::WRITE_OK | Access::EXEC_OK).is_err() {
            return Ok(Some(format!("{} may not be written", above.display())));
        }
        let store = self.dir.parent().unwrap_or(&self.dir);
        let ours = device_of_nearest(store).doing(format!("look at {}", store.display()))?;
        let about = fs::symlink_metadata(path).doing(format!("look at {}", path.display()))?;
        if about.dev() == ours {
            return Ok(None);
        }
        // It will be copied: what a copy cannot be made of is found before anything moves.
        match carry::find_uncopyable(path) {
            Ok(why) => Ok(why),
            Err(error) => Ok(Some(error.to_string())),
        }
    }
}

/// The registration first: as long as it lies in git's own place, a `git worktree prune` could take it once the
/// directory is away. The directory with a `.git` that points nowhere is refused by git meanwhile, never mistaken.
///
/// The answer is what the user should know.
pub fn put_away(shadow: &ShadowEntry) -> Result<Vec<String>, Report> {
    let [worktree, admin, gitfile] = parts(&shadow.trash);
    let doing = || format!("move {} to the trash", shadow.path.display());
    move_unless_there(&shadow.git_dir, &admin).doing(doing())?;
    let told = match carry_unless_there(&shadow.path, &worktree, &shadow.trash) {
        Ok(told) => told,
        Err(error) => {
            if !exists(&worktree) && exists(&shadow.path) && !exists(&shadow.git_dir) {
                atomic::rename(&admin, &shadow.git_dir)
                    .doing(format!("put {} back", shadow.git_dir.display()))?;
            }
            return Err(error).doing(doing());
        }
    };
    let own = worktree.join(".git");
    if !exists(&gitfile) && own.is_file() {
        atomic::rename(&own, &gitfile).doing(doing())?;
    }
    if worktree.is_dir() && !exists(&own) {
        let marker = shadow.trash.join("marker");
        atomic::write(&marker, DISCARDED).doing(doing())?;
        atomic::rename(&marker, &own).doing(doing())?;
    }
    Ok(told)
}

/// The way back: the directory first, then the registration that names it, for the same reason.
pub fn bring_back(shadow: &ShadowEntry) -> Result<(), Report> {
    let [worktree, admin, gitfile] = parts(&shadow.trash);
    let doing = || format!("bring {} back from the trash", shadow.path.display());
    if carry::is_under_way(&worktree) {
        carry::carry(&worktree, &shadow.path, &shadow.trash.join(MARK)).doing(doing())?;
    } else if exists(&worktree) {
        refuse_taken(&shadow.path)?;
        if exists(&gitfile) {
            atomic::rename(&gitfile, &worktree.join(".git")).doing(doing())?;
        }
        if let Some(above) = shadow.path.parent() {
            atomic::make_dirs(above).doing(doing())?;
        }
        move_or_carry(&worktree, &shadow.path, &shadow.trash).doing(doing())?;
    }
    if exists(&admin) {
        refuse_taken(&shadow.git_dir)?;
        if let Some(above) = shadow.git_dir.parent() {
            atomic::make_dirs(above).doing(doing())?;
        }
        atomic::rename(&admin, &shadow.git_dir).doing(doing())?;
    }
    Ok(())
}

/// Refuses where something new stands at the place of what is to come back.
pub fn refuse_taken(path: &Path) -> Result<(), Report> {
    if !exists(path) {
        return Ok(());
    }
    Err(Report::user(Code::CannotUndo, format!("{} is taken by something new", path.display()))
        .safe("nothing was changed, and what was discarded stays whole in the trash")
        .hint("move that away and undo again")
        .detail("path", path.display().to_string()))
}

/// A copy of a file that git will change or delete, with its mode, synced. One that does not exist is not copied.
pub fn save_copy(file: &Path, place: &Path, name: &str) -> Result<(), Report> {
    let doing = || format!("copy {} to {}", file.display(), place.display());
    if file.is_file() { copy(file, &place.join(name)).doing(doing()) } else { Ok(()) }
}

/// Puts a saved copy over `file`. `false` where none was saved.
pub fn restore_copy(place: &Path, name: &str, file: &Path) -> Result<bool, Report> {
    let saved = place.join(name);
    if !saved.is_file() {
        return Ok(false);
    }
    if let Some(above) = file.parent() {
        atomic::make_dirs(above).doing(format!("make {}", above.display()))?;
    }
    copy(&saved, file).doing(format!("restore {}", file.display()))?;
    Ok(true)
}

/// Keeps mode and modification time: git tells a racily clean index entry by the index's own time.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut beside = to.file_name().unwrap_or_default().to_owned();
    beside.push(format!(".{}.new", own_pid()));
    let beside = to.with_file_name(beside);
    fs::copy(from, &beside)?;
    let file = File::options().write(true).open(&beside)?;
    file.set_modified(fs::metadata(from)?.modified()?)?;
    file.sync_all()?;
    atomic::rename(&beside, to)
}

fn parts(place: &Path) -> [PathBuf; 3] {
    ["worktree", "admin", "gitfile"].map(|name| place.join(name))
}

/// Whether anything is there, a dangling link included.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Nothing is done where it lies there already, or nothing is left to move.
fn move_unless_there(from: &Path, to: &Path) -> io::Result<()> {
    if exists(to) || !exists(from) { Ok(()) } else { atomic::rename(from, to) }
}

/// As [`move_unless_there`], also to another file system, and where an earlier call was cut short there.
fn carry_unless_there(from: &Path, to: &Path, place: &Path) -> io::Result<Vec<String>> {
    let left = if carry::is_under_way(from) {
        carry::carry(from, to, &place.join(MARK))?
    } else if exists(to) || !exists(from) {
        None
    } else {
        move_or_carry(from, to, place)?
    };
    Ok(left.into_iter().map(|left| left_over(&left)).collect())
}

fn left_over(left: &Path) -> String {
    format!("left over at {}: what was written there while it was moved", left.display())
}

fn move_or_carry(from: &Path, to: &Path, place: &Path) -> io::Result<Option<PathBuf>> {
    match atomic::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            carry::carry(from, to, &place.join(MARK))
        }
        moved => moved.map(|()| None),
    }
}

fn device_of_nearest(path: &Path) -> io::Result<u64> {
    let mut path = path;
    loop {
        match (fs::metadata(path), path.parent()) {
            (Err(error), Some(above)) if error.kind() == io::ErrorKind::NotFound => path = above,
            (result, _) => return Ok(result?.dev()),
        }
    }
}

/// Mount points at or below `path`, where the system lists them. Elsewhere the rename itself refuses.
fn mounts_below(path: &Path) -> Vec<PathBuf> {
    let Ok(table) = fs::read_to_string("/proc/self/mountinfo") else { return Vec::new() };
    let points = table.lines().filter_map(|line| line.split(' ').nth(4));
    points
        .map(|point| PathBuf::from(point.replace("\\040", " ").replace("\\011", "\t")))
        .filter(|point| point.starts_with(path))
        .collect()
}
