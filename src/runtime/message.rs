//! A text in the person's own editor, or the sides of a file in their difftool or mergetool: through files of theirs alone, which
//! are gone afterwards.

use std::{
    ffi::OsStr,
    fs::{self, DirBuilder},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, PermissionsExt},
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use super::turn::Shell;
use crate::{
    git::merge_tool,
    ops::path::path_within,
    report::{Doing, Report},
    review::{Beside, ThreeSides},
    shadow::RepoPath,
};

/// Editors know from this name what they are for.
const NAME: &[u8] = b"COMMIT_EDITMSG";

/// What the editor left of a message: its last line is a whole one there, as git gives it, and as it is kept has no end.
pub(super) fn edit(shell: &mut dyn Shell, text: &str) -> Result<String, Report> {
    let text = if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end()) };
    let bytes = edit_file(shell, NAME, text.as_bytes(), 1)?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim_end().to_owned())
}

/// What it left of any file. Where it did not start, or left nothing that can be read, the text is as it was.
pub(super) fn edit_file(
    shell: &mut dyn Shell,
    name: &[u8],
    text: &[u8],
    line: u32,
) -> Result<Vec<u8>, Report> {
    let dir = make_dir()?;
    let file = dir.join(OsStr::from_bytes(name));
    let edited = fs::write(&file, text)
        .doing(format!("write {}", file.display()))
        .and_then(|()| shell.edit(&file, line))
        .and_then(|()| fs::read(&file).doing(format!("read {}", file.display())));
    if edited.is_ok() {
        // What cannot be removed is a copy.
        let _ = fs::remove_dir_all(&dir);
    }
    edited
}

/// A file of a shadow, unless it leads out of it.
pub(super) fn edit_within(
    shell: &mut dyn Shell,
    dir: &Path,
    file: &RepoPath,
    line: u32,
) -> Result<(), Report> {
    let path = path_within(dir, file.as_path())
        .map_err(|report| report.hint("o opens a shell in the shadow"))?;
    shell.edit(&path, line)
}

/// The old side may not be written: nothing would come of it. The new one is the shadow's own file.
pub(super) fn compare(shell: &mut dyn Shell, sides: &Beside) -> Result<(), Report> {
    let dir = make_dir()?;
    let compared = write_old(&dir.join("old"), sides, &sides.old).and_then(|old| {
        let new = match &sides.new {
            Some(new) => new.clone(),
            None => write_old(&dir.join("gone"), sides, b"")?,
        };
        shell.difftool(&dir, [&old, &new])
    });
    // It is a copy.
    let _ = fs::remove_dir_all(&dir);
    compared
}

/// What the tool left of the file. Where it ended badly and left it as it was, that is said.
pub(super) fn merge(shell: &mut dyn Shell, sides: &ThreeSides) -> Result<Vec<u8>, Report> {
    let dir = make_dir()?;
    let merged = merge_tool::lay_out(&dir, sides).and_then(|file| {
        let ended = shell.mergetool(&dir, file.file_name().unwrap_or_default());
        let text = fs::read(&file).doing(format!("read {}", file.display()))?;
        if text == sides.text { ended.map(|()| text) } else { Ok(text) }
    });
    // It is a copy.
    let _ = fs::remove_dir_all(&dir);
    merged
}

/// Under the file's own name, from which tools know what it is.
fn write_old(dir: &Path, sides: &Beside, bytes: &[u8]) -> Result<PathBuf, Report> {
    let name = sides.path.as_path().file_name().unwrap_or_default();
    let file = dir.join(name);
    let written = fs::create_dir(dir)
        .and_then(|()| fs::write(&file, bytes))
        .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o400)));
    written.doing(format!("write {}", file.display()))?;
    Ok(file)
}

/// Nobody else may look into it, and no name is taken that is there already.
fn make_dir() -> Result<PathBuf, Report> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let own = rustix::process::getpid().as_raw_nonzero();
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("shadowdeck-{own}-{count}"));
        match DirBuilder::new().mode(0o700).create(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).doing(format!("make {}", dir.display())),
        }
    }
}
