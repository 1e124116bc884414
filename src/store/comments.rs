//! Comments of reviewers and agents, one file a shadow: told by its id and by when its registration was made, so that
//! a new shadow of the same name has none of the old one's, and one that comes back from the trash has its own.
//! Writers take turns: none loses what another wrote.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use serde::{Deserialize, Serialize};

use super::{Lock, Store, atomic, records::file_name};
use crate::{
    report::{Blame, Code, Doing, Report},
    review::comment::{Change, Notes, Thread, apply},
    shadow::ShadowId,
};

#[derive(Debug)]
pub struct Comments {
    path: PathBuf,
    id: ShadowId,
}

#[derive(Debug, Default, Deserialize)]
struct Stored {
    threads: Vec<Thread>,
}

#[derive(Serialize)]
struct Storing<'a> {
    id: &'a ShadowId,
    threads: &'a [Thread],
}

impl Store {
    /// Of the shadow that git has registered in `admin_dir`.
    pub fn comments(&self, id: &ShadowId, admin_dir: &Path) -> Result<Comments, Report> {
        // git writes it once, when it makes the worktree; a rename keeps its time.
        let mark = admin_dir.join("commondir");
        let made = fs::symlink_metadata(&mark)
            .and_then(|about| about.modified())
            .doing(format!("tell when {id} was made: read {}", mark.display()))?;
        let since = made.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let name = format!("{}~{since:x}.json", file_name(&id.0));
        Ok(Comments { path: self.comments_dir().join(name), id: id.clone() })
    }

    fn comments_dir(&self) -> PathBuf {
        self.dir().join("comments")
    }

    /// Of its own: who comments does not wait for a landing.
    pub fn lock_comments(&self) -> Result<Lock, Report> {
        self.lock_file(&self.comments_dir().join("lock"), "notes")
    }
}

impl Comments {
    pub fn read(&self) -> Result<Vec<Thread>, Report> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).doing(format!("read {}", self.path.display())),
        };
        let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| {
            Report::environment(
                Code::Io,
                format!("the comments {} are damaged", self.path.display()),
            )
            .cause(error.to_string())
            .safe("nothing was written over them")
            .hint("mend that file, or move it away and the comments start anew")
        })?;
        Ok(stored.threads)
    }

    /// The threads afterwards, and what became of each change. One that is refused holds up no other.
    pub fn change(&self, _lock: &Lock, changes: &[Change], now_ms: u64) -> Result<Notes, Report> {
        let before = self.read()?;
        let mut threads = before.clone();
        let answers = changes.iter().map(|one| apply(&mut threads, one, now_ms)).collect();
        if threads != before {
            self.write(&threads)?;
        }
        Ok(Notes { id: self.id.clone(), threads, answers })
    }

    fn write(&self, threads: &[Thread]) -> Result<(), Report> {
        let stored = Storing { id: &self.id, threads };
        let bytes = serde_json::to_vec_pretty(&stored).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, "a comment has no JSON").cause(error.to_string())
        })?;
        atomic::write(&self.path, &bytes).doing(format!("write the comments of {}", self.id))
    }
}
