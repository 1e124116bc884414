//! What earlier runs left half-made in the private directory: found by its name, its age and its dead writer.
//! Nothing here holds anybody's work; each is named before it goes.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{ProcessMark, Store, records::file_name};
use crate::{
    report::{Doing, Report},
    shadow::ShadowId,
};

/// A file younger than this may belong to a run that is under way.
const AGE_MIN: Duration = Duration::from_secs(60 * 60);

impl Store {
    /// Scratch files and private indexes of nobody, by path. `live` are the shadows that there are.
    pub fn read_leftovers(&self, live: &[ShadowId]) -> Result<Vec<PathBuf>, Report> {
        let mut found = Vec::new();
        for entry in entries(self.dir())? {
            if name(&entry).starts_with("objects.") {
                found.push(entry);
            }
        }
        found.extend(entries(&self.dir().join("scratch"))?);
        let is_live = |known: &str| live.iter().any(|id| id.0 == known);
        for entry in entries(&self.dir().join("index"))? {
            let is_of_nobody = match name(&entry).rsplit_once('~') {
                Some((id, _)) => !is_live(id),
                None => is_of_dead(&name(&entry)),
            };
            if is_of_nobody {
                found.push(entry);
            }
        }
        for entry in entries(&self.dir().join("cache"))? {
            let of = name(&entry);
            let is_of_live = live.iter().any(|id| of == format!("{}.json", file_name(&id.0)));
            if !is_of_live {
                found.push(entry);
            }
        }
        for folder in ["journal/open", "journal/closed", "records", "resolutions"] {
            let half_written = entries(&self.dir().join(folder))?;
            found.extend(half_written.into_iter().filter(|entry| {
                let name = name(entry);
                name.strip_suffix(".new").is_some_and(is_of_dead)
            }));
        }
        found.retain(|path| is_old(path));
        found.sort();
        Ok(found)
    }
}

/// The writer's number stands last in the name.
fn is_of_dead(name: &str) -> bool {
    let last = name.rsplit_once('.').map_or("", |(_, last)| last);
    let pid = last.split('-').next().unwrap_or_default().parse();
    pid.is_ok_and(|pid| !ProcessMark { pid, started: 0 }.is_alive())
}

fn is_old(path: &Path) -> bool {
    let modified = fs::symlink_metadata(path).and_then(|about| about.modified());
    modified.is_ok_and(|modified| {
        SystemTime::now().duration_since(modified).is_ok_and(|age| age >= AGE_MIN)
    })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a directory holds; nothing where it is not there.
pub(super) fn entries(dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let what = || format!("read {}", dir.display());
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(what()),
    };
    listed.map(|entry| entry.map(|entry| entry.path()).doing(what())).collect()
}

/// What a file or directory takes on the disk. What goes away meanwhile takes nothing.
pub fn read_bytes(path: &Path) -> Result<u64, Report> {
    /// The unit in which the system counts, whatever the file system's own.
    const BLOCK_BYTES: u64 = 512;
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error).doing(format!("look at {}", path.display())),
    };
    let mut bytes = about.blocks() * BLOCK_BYTES;
    if about.is_dir() {
        for entry in entries(path)? {
            bytes += read_bytes(&entry)?;
        }
    }
    Ok(bytes)
}
