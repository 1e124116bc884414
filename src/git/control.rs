//! Small files that git keeps and that whoever works in a shadow can replace: `.git`, `HEAD`, `gitdir`, reflogs.
//! Read without trust: only a regular file, of a bounded size, so that no fifo or device holds anything up.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read},
    os::unix::{ffi::OsStringExt, fs::FileTypeExt},
    path::Path,
};

use rustix::fs::{Mode, OFlags};

use crate::report::{Code, Report};

/// Far more than any of them needs.
const BYTES_MAX: u64 = MB;
const MB: u64 = 1 << 20;

pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, BYTES_MAX)
}

/// Opened without waiting, and looked at before the first byte is read.
pub fn read_up_to(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(refuse(path, "is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let most =
            if bytes_max < MB { "1 MB".to_owned() } else { format!("{} MB", bytes_max / MB) };
        return Err(refuse(path, &format!("is larger than the {most} that may be")));
    }
    Ok(bytes)
}

fn refuse(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{} {why}", path.display()))
}

/// What git would wait for when it opens it: a pipe or a device, links followed. A socket, such as git's own file
/// system monitor has, cannot be opened; and nothing is ever read from the null device.
pub(super) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| would_wait(about.file_type()))
        && path.canonicalize().is_ok_and(|real| real != Path::new("/dev/null"))
}

fn would_wait(kind: fs::FileType) -> bool {
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}

/// The first of these in a directory.
pub(super) fn find_special(dir: &Path) -> Option<std::path::PathBuf> {
    let entries = fs::read_dir(dir).ok()?.flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()))
        .map(|entry| entry.path())
        .find(|path| is_special(path))
}

/// Files of a worktree that git itself opens wherever it looks.
pub(super) const RULES: [&str; 3] = [".gitignore", ".gitattributes", ".gitmodules"];

/// Refuses what git would wait for when it opens it; git follows no link there.
pub(super) fn refuse_special(path: &Path) -> Result<(), Report> {
    if !fs::symlink_metadata(path).is_ok_and(|about| would_wait(about.file_type())) {
        return Ok(());
    }
    Err(Report::user(
        Code::WrongState,
        format!("{} is no regular file, and git would wait for it", path.display()),
    )
    .unchanged()
    .hint("remove it, then try again")
    .detail("path", path.display().to_string()))
}

/// Before the first git: a pipe or device among the files that it opens would hold it up.
pub(super) fn refuse_special_around(start_dir: &Path) -> Result<(), Report> {
    let Some(dot_git) = start_dir
        .ancestors()
        .map(|dir| dir.join(".git"))
        .find(|dot_git| dot_git.symlink_metadata().is_ok())
    else {
        // A bare repository, or none: git says which.
        let is_bare = start_dir.join("objects").is_dir();
        return if is_bare { refuse_special_in(start_dir) } else { Ok(()) };
    };
    refuse_special(&dot_git)?;
    if dot_git.is_dir() {
        return refuse_special_in(&dot_git);
    }
    let named = |file: &Path| {
        let bytes = read(file).ok()?;
        let name = bytes.strip_prefix(b"gitdir:").unwrap_or(&bytes).trim_ascii().to_vec();
        Some(file.parent()?.join(OsString::from_vec(name)))
    };
    let Some(own) = named(&dot_git) else { return Ok(()) };
    refuse_special_in(&own)?;
    match named(&own.join("commondir")) {
        Some(common) => refuse_special_in(&common),
        None => Ok(()),
    }
}

pub(super) fn refuse_special_in(git_dir: &Path) -> Result<(), Report> {
    let found = [git_dir.to_owned(), git_dir.join("info")];
    match found.iter().find_map(|dir| find_special(dir)) {
        None => Ok(()),
        Some(special) => Err(Report::environment(
            Code::UnsupportedRepository,
            format!("{} is no regular file, and git would wait for it", special.display()),
        )
        .safe("nothing was read or written")
        .hint("remove it, or put back the file that belongs there")),
    }
}
