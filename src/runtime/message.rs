//! A message in the person's own editor: through a file of theirs alone, which is gone afterwards.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use super::turn::Shell;
use crate::report::{Doing, Report};

/// Editors know from this name what they are for.
const NAME: &str = "COMMIT_EDITMSG";

/// What the editor left. Where it did not start, or left nothing that can be read, the text is as it was.
pub(super) fn edit(shell: &mut dyn Shell, text: &str) -> Result<String, Report> {
    let dir = make_dir()?;
    let file = dir.join(NAME);
    let edited = fs::write(&file, text)
        .doing(format!("write {}", file.display()))
        .and_then(|()| shell.edit(&file, 1))
        .and_then(|()| read(&file));
    if edited.is_ok() {
        // What cannot be removed is a copy.
        let _ = fs::remove_dir_all(&dir);
    }
    edited
}

fn read(file: &Path) -> Result<String, Report> {
    let bytes = fs::read(file).doing(format!("read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
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
