//! A directory that goes to another file system: set aside, copied, synced, compared byte for byte, and only then
//! removed, entry by entry, each only where it is still what was compared. It is never in neither place.
//!
//! What is left when the process dies, line by line, and what the next call makes of it:
//!
//! | dies after | left behind | next call |
//! |---|---|---|
//! | set aside (a rename beside it) | all of it, beside its place | copies it |
//! | copying under way | the same, and a half copy | drops the half copy, copies anew |
//! | the mark | the same, and a whole copy | the same |
//! | copy renamed into its place | both, whole | knows the copy by its mark, compares again, removes the original |
//! | removing under way | the copy, and part of the original | the same |
//! | removed | the mark | removes it |
//!
//! Where copying fails or the original was written to meanwhile, the copy is dropped and the original renamed back.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Read},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};

use super::{atomic, boundary, process::own_pid};

/// Whether an earlier call for `from` was cut short.
pub fn is_under_way(from: &Path) -> bool {
    exists(&beside(from, "aside"))
}

/// Moves `from` to `to`, which must not exist; `mark` is a file of this move's own. The answer names what stays
/// because it was written to after it was compared.
pub fn carry(from: &Path, to: &Path, mark: &Path) -> io::Result<Option<PathBuf>> {
    let (aside, copying) = (beside(from, "aside"), beside(to, "copying"));
    if exists(&aside) && has_arrived(to, mark)? {
        return remove_original(&aside, from, to, mark);
    }
    if exists(to) {
        return Err(named(to, &io::ErrorKind::AlreadyExists.into()));
    }
    if !exists(&aside) {
        atomic::rename(from, &aside)?;
    }
    if let Err(error) = copy_whole(&aside, &copying) {
        // Ours alone, and half; where it cannot be removed the next call does.
        let _ = remove_tree(&copying);
        if !exists(from) {
            atomic::rename(&aside, from)?;
        }
        return Err(error);
    }
    let about = fs::symlink_metadata(&copying)?;
    atomic::write(mark, mark_of(&about).as_bytes())?;
    atomic::rename(&copying, to)?;
    remove_original(&aside, from, to, mark)
}

/// A rename keeps the inode, so the mark tells our copy from something new in its place.
fn has_arrived(to: &Path, mark: &Path) -> io::Result<bool> {
    match (fs::symlink_metadata(to), fs::read_to_string(mark)) {
        (Ok(about), Ok(text)) => Ok(text == mark_of(&about)),
        (Err(error), _) | (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

fn mark_of(about: &fs::Metadata) -> String {
    format!("{} {}\n", about.dev(), about.ino())
}

/// Removes a directory with all below it, also where its directories may not be written. Links are not followed.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !about.is_dir() {
        return fs::remove_file(path).map_err(|error| named(path, &error));
    }
    make_writable(path, &about)?;
    for entry in fs::read_dir(path).map_err(|error| named(path, &error))? {
        remove_tree(&entry?.path())?;
    }
    fs::remove_dir(path).map_err(|error| named(path, &error))
}

/// Why a copy of `path` could not be whole, in words: what is neither file, directory nor link.
pub fn find_uncopyable(path: &Path) -> io::Result<Option<String>> {
    let about = fs::symlink_metadata(path)?;
    let kind = about.file_type();
    if kind.is_dir() {
        for entry in fs::read_dir(path).map_err(|error| named(path, &error))? {
            if let Some(why) = find_uncopyable(&entry?.path())? {
                return Ok(Some(why));
            }
        }
        return Ok(None);
    }
    let is_plain = kind.is_file() || kind.is_symlink();
    Ok((!is_plain).then(|| format!("{} is a socket, pipe or device", path.display())))
}

fn remove_original(
    aside: &Path,
    from: &Path,
    copy: &Path,
    mark: &Path,
) -> io::Result<Option<PathBuf>> {
    let comparison = Comparison::of(aside, copy, Pass::Removing)?;
    // Deepest first: a directory comes after all that is in it. What cannot be removed stays, and is told below.
    for (path, stamp) in comparison.same.into_iter().rev() {
        let about = fs::symlink_metadata(&path)?;
        if about.is_dir() || Stamp::of(&about) == stamp {
            let _ = remove_one(&path, &about);
        }
    }
    atomic::remove(mark)?;
    if !exists(aside) {
        return Ok(None);
    }
    let left =
        if exists(from) { beside(from, &format!("left-{}", own_pid())) } else { from.to_owned() };
    atomic::rename(aside, &left)?;
    Ok(Some(left))
}

fn remove_one(path: &Path, about: &fs::Metadata) -> io::Result<()> {
    boundary::pass();
    let remove = || if about.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
    let Err(error) = remove() else { return Ok(()) };
    match path.parent() {
        Some(above) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(above, &fs::symlink_metadata(above)?)?;
            remove()
        }
        _ => Err(error),
    }
}

/// Some tools keep their caches in directories that nobody may write.
fn make_writable(dir: &Path, about: &fs::Metadata) -> io::Result<()> {
    if about.mode() & 0o700 == 0o700 {
        return Ok(());
    }
    fs::set_permissions(dir, Permissions::from_mode(about.mode() & 0o7777 | 0o700))
        .map_err(|error| named(dir, &error))
}

/// Strict: whatever differs, on either side, means that the original was written to meanwhile.
fn copy_whole(from: &Path, copying: &Path) -> io::Result<()> {
    remove_tree(copying)?;
    if let Some(above) = copying.parent() {
        atomic::make_dirs(above)?;
    }
    let device = fs::symlink_metadata(from)?.dev();
    Copy { device, links: HashMap::new() }.entry(from, copying)?;
    let comparison = Comparison::of(from, copying, Pass::Copied)?;
    match comparison.differing.first().or(comparison.missing.first()) {
        None => Ok(()),
        Some(path) => {
            Err(io::Error::other(format!("{} was written to while it was copied", path.display())))
        }
    }
}

struct Copy {
    device: u64,
    /// Where each file with several names was copied first.
    links: HashMap<u64, PathBuf>,
}

impl Copy {
    fn entry(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let about = fs::symlink_metadata(from)?;
        if about.dev() != self.device {
            return Err(io::Error::other(format!("{} is a mount of its own", from.display())));
        }
        let kind = about.file_type();
        let copied = if kind.is_dir() {
            self.directory(from, to, &about)
        } else if kind.is_symlink() {
            fs::read_link(from).and_then(|target| symlink(target, to))
        } else if kind.is_file() {
            self.file(from, to, &about)
        } else {
            Err(io::Error::other("it is a socket, pipe or device"))
        };
        copied.map_err(|error| named(from, &error))?;
        let owner = fs::symlink_metadata(to)?;
        if (owner.uid(), owner.gid()) != (about.uid(), about.gid()) {
            // Only root may give files away; everybody else's copies are their own.
            let _ = std::os::unix::fs::lchown(to, Some(about.uid()), Some(about.gid()));
        }
        if !kind.is_symlink() {
            fs::set_permissions(to, Permissions::from_mode(about.mode() & 0o7777))?;
        }
        set_times(to, &about)?;
        if kind.is_dir() { File::open(to)?.sync_all() } else { Ok(()) }
    }

    fn directory(&mut self, from: &Path, to: &Path, about: &fs::Metadata) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700 | (about.mode() & 0o777)).create(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            self.entry(&from.join(&name), &to.join(&name))?;
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, to: &Path, about: &fs::Metadata) -> io::Result<()> {
        if about.nlink() > 1 {
            if let Some(first) = self.links.get(&about.ino()) {
                return fs::hard_link(first, to);
            }
            self.links.insert(about.ino(), to.to_owned());
        }
        let mut source = File::open(from)?;
        let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
        io::copy(&mut source, &mut copy)?;
        boundary::pass();
        copy.sync_all()
    }
}

/// What tells whether an entry was touched. Not its change time: removing one name of a file changes that.
#[derive(PartialEq, Eq)]
struct Stamp(u64, u64, u32, i64, i64);

impl Stamp {
    fn of(about: &fs::Metadata) -> Self {
        Self(about.ino(), about.size(), about.mode(), about.mtime(), about.mtime_nsec())
    }
}

#[derive(Default)]
struct Comparison {
    /// Entries of the original that the copy has just so, each directory before what is in it.
    same: Vec<(PathBuf, Stamp)>,
    /// Entries of the original that the copy has otherwise, or not at all.
    differing: Vec<PathBuf>,
    /// Entries of the copy that the original has not.
    missing: Vec<PathBuf>,
}

impl Comparison {
    fn of(original: &Path, copy: &Path, pass: Pass) -> io::Result<Self> {
        let mut comparison = Self::default();
        comparison.entry(original, copy, pass)?;
        Ok(comparison)
    }

    fn entry(&mut self, original: &Path, copy: &Path, pass: Pass) -> io::Result<()> {
        let about = fs::symlink_metadata(original)?;
        let other = match fs::symlink_metadata(copy) {
            Ok(other) => other,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.differing.push(original.to_owned());
                return Ok(());
            }
            Err(error) => return Err(named(copy, &error)),
        };
        if !is_same((original, &about), (copy, &other), pass)? {
            self.differing.push(original.to_owned());
            return Ok(());
        }
        self.same.push((original.to_owned(), Stamp::of(&about)));
        if !about.is_dir() {
            return Ok(());
        }
        for entry in fs::read_dir(original).map_err(|error| named(original, &error))? {
            let name = entry?.file_name();
            self.entry(&original.join(&name), &copy.join(&name), pass)?;
        }
        for entry in fs::read_dir(copy).map_err(|error| named(copy, &error))? {
            let name = entry?.file_name();
            if !exists(&original.join(&name)) {
                self.missing.push(copy.join(&name));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Copied,
    /// Part of the original may be gone: its directories have other times then, and modes that let us remove.
    Removing,
}

fn is_same(
    (original, about): (&Path, &fs::Metadata),
    (copy, other): (&Path, &fs::Metadata),
    pass: Pass,
) -> io::Result<bool> {
    let facts = |about: &fs::Metadata| (about.mode(), about.mtime(), about.mtime_nsec());
    if about.is_dir() && pass == Pass::Removing {
        return Ok(other.is_dir());
    }
    if facts(about) != facts(other) {
        return Ok(false);
    }
    if about.is_symlink() {
        return Ok(fs::read_link(original)? == fs::read_link(copy)?);
    }
    Ok(about.is_dir() || about.size() == other.size() && have_same_bytes(original, copy)?)
}

fn have_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    const PIECE_BYTES: usize = 64 * 1024;
    let open = |path: &Path| File::open(path).map_err(|error| named(path, &error));
    let (mut one, mut other) = (open(one)?, open(other)?);
    let (mut left, mut right) = (vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]);
    loop {
        let count = one.read(&mut left)?;
        if count == 0 {
            return Ok(other.read(&mut right)? == 0);
        }
        match other.read_exact(&mut right[..count]) {
            Ok(()) if left[..count] == right[..count] => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}

fn set_times(path: &Path, about: &fs::Metadata) -> io::Result<()> {
    let times = Timestamps {
        last_access: Timespec { tv_sec: about.atime(), tv_nsec: about.atime_nsec() },
        last_modification: Timespec { tv_sec: about.mtime(), tv_nsec: about.mtime_nsec() },
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from)
}

/// Beside `path`, of the same name with our own ending; hidden, so that nothing takes it for a worktree.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".shadowdeck-{what}"));
    path.with_file_name(name)
}

/// Whether anything is there, a dangling link included.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The same failure, saying on what.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
