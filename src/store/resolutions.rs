//! Decisions on conflict files, kept by what they were decided on: the path and its three versions.
//! A side that moves on makes a different question, and the old answer waits in case it comes back.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{atomic, leftovers::entries, records::file_name};
use crate::{
    report::{Blame, Code, Doing, Report},
    review::{Conflict, Resolution},
    shadow::{Oid, RepoPath, ShadowId},
};

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    pub path: RepoPath,
    pub base: Option<Oid>,
    pub target: Option<Oid>,
    pub shadow: Option<Oid>,
    pub resolution: Resolution,
}

#[derive(Clone, Debug)]
pub struct Resolutions {
    dir: PathBuf,
}

impl Resolutions {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    pub fn read(&self, id: &ShadowId) -> Result<Vec<Resolved>, Report> {
        read_file(&self.path(id))
    }

    /// The contents that all recorded answers take: they may lie in the private object store alone.
    pub fn read_contents(&self) -> Result<Vec<Oid>, Report> {
        let mut contents = Vec::new();
        for path in
            entries(&self.dir)?.iter().filter(|path| path.extension().is_some_and(|e| e == "json"))
        {
            let answers = read_file(path)?.into_iter().map(|resolved| resolved.resolution);
            contents.extend(answers.filter_map(|resolution| match resolution {
                Resolution::Content(oid) => Some(oid),
                _ => None,
            }));
        }
        Ok(contents)
    }

    /// Records the answer for this very conflict; `None` clears it.
    pub fn write(
        &self,
        id: &ShadowId,
        conflict: &Conflict,
        resolution: Option<Resolution>,
    ) -> Result<(), Report> {
        let mut all = self.read(id)?;
        all.retain(|resolved| !resolved.answers(conflict));
        all.extend(resolution.map(|resolution| Resolved::new(conflict, resolution)));
        let bytes = serde_json::to_vec_pretty(&all).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, "a resolution has no JSON").cause(error.to_string())
        })?;
        atomic::write(&self.path(id), &bytes).doing(format!("write the resolutions of {id}"))
    }

    fn path(&self, id: &ShadowId) -> PathBuf {
        self.dir.join(format!("{}.json", file_name(&id.0)))
    }
}

fn read_file(path: &Path) -> Result<Vec<Resolved>, Report> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(format!("read {}", path.display())),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        Report::environment(Code::Io, format!("the resolutions {} are damaged", path.display()))
            .cause(error.to_string())
            .hint("move that file away and decide its conflicts again; nothing else is lost")
    })
}

impl Resolved {
    pub fn new(conflict: &Conflict, resolution: Resolution) -> Self {
        let oid = |entry: &Option<crate::review::Entry>| entry.as_ref().map(|e| e.oid.clone());
        Self {
            path: conflict.path.clone(),
            base: oid(&conflict.base),
            target: oid(&conflict.target),
            shadow: oid(&conflict.shadow),
            resolution,
        }
    }

    /// Whether it was decided on the same path and the same three versions.
    pub fn answers(&self, conflict: &Conflict) -> bool {
        *self == Self::new(conflict, self.resolution.clone())
    }
}

/// Puts the recorded answers to the conflicts they were given for.
pub fn apply(conflicts: &mut [Conflict], resolved: &[Resolved]) {
    for conflict in conflicts {
        let answer = resolved.iter().find(|resolved| resolved.answers(conflict));
        conflict.resolution = answer.map(|resolved| resolved.resolution.clone());
    }
}
