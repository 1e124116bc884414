//! Worktrees that lie inside the workspace, and the repository's own list of what is never untracked there.
//! The file is the user's: lines are added to it, none is changed.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{obstacles::Place, worktrees::Worktree};
use crate::report::{Doing, Report};

/// Those below the main worktree that git would show there as untracked, by no rule of the user's ignored yet.
pub fn find_shown(place: &Place, linked: &[Worktree]) -> Result<Vec<PathBuf>, Report> {
    let inside = linked.iter().filter(|worktree| {
        worktree.path.starts_with(&place.worktree)
            && !worktree.path.starts_with(&place.git_dir)
            && worktree.path.is_dir()
    });
    let mut shown: Vec<PathBuf> = inside.map(|worktree| worktree.path.clone()).collect();
    if shown.is_empty() {
        return Ok(shown);
    }
    let asked = shown.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\0"]).flatten();
    let input: Vec<u8> = asked.copied().collect();
    // The one command that refuses literal pathspecs; these paths begin with `/`, and it takes them as they are.
    let git = place.reading("check-ignore").pathspec_magic();
    let output = git.args(["-z", "--stdin"]).input(input).run_any()?;
    if output.exit_code > 1 {
        return Err(output.failure());
    }
    shown.retain(|path| {
        !output
            .stdout
            .split(|byte| *byte == 0)
            .any(|ignored| ignored == path.as_os_str().as_bytes())
    });
    Ok(shown)
}

/// Adds a line for each, anchored to the workspace and quoted, so that it can mean nothing else.
pub fn add(common_dir: &Path, main: &Path, dirs: &[PathBuf]) -> Result<(), Report> {
    let mut lines = Vec::new();
    for dir in dirs {
        lines.extend(line_for(dir.strip_prefix(main).unwrap_or(dir)));
    }
    if lines.is_empty() {
        return Ok(());
    }
    let file = common_dir.join("info/exclude");
    let doing = || format!("add a line to {}", file.display());
    let text = fs::read(&file).or_else(|error| {
        if error.kind() == std::io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(error) }
    });
    let text = text.doing(doing())?;
    let gap: &[u8] = if text.is_empty() || text.ends_with(b"\n") { b"" } else { b"\n" };
    fs::create_dir_all(common_dir.join("info")).doing(doing())?;
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(&file)
        .and_then(|mut file| {
            file.write_all(&[gap, &lines].concat())?;
            file.sync_all()
        })
        .doing(doing())
}

/// No line for a name that no line can hold.
fn line_for(relative: &Path) -> Vec<u8> {
    let bytes = relative.as_os_str().as_bytes();
    if bytes.is_empty() || bytes.contains(&b'\n') {
        return Vec::new();
    }
    let mut line = vec![b'/'];
    for byte in bytes {
        if matches!(byte, b'*' | b'?' | b'[' | b'\\') {
            line.push(b'\\');
        }
        line.push(*byte);
    }
    line.extend_from_slice(b"/\n");
    line
}
