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
    review::{Conflict, Mode, Resolution},
    shadow::{Oid, RepoPath, ShadowId},
};

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    pub path: RepoPath,
    pub base: Option<Oid>,
    pub target: Option<Oid>,
    pub shadow: Option<Oid>,
    /// Of the three: a file that became executable since is another question. Unknown in what was recorded before.
    #[serde(default)]
    pub modes: Option<[Option<Mode>; 3]>,
    pub resolution: Resolution,
    /// Target and snapshot that the person saw then.
    #[serde(default)]
    pub seen: Option<[Oid; 2]>,
}

/// What becomes of one question: `before` and `after` answer the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub shadow: ShadowId,
    pub before: Option<Resolved>,
    pub after: Option<Resolved>,
}

impl Decision {
    /// The contents that it may bring back.
    pub fn contents(&self) -> impl Iterator<Item = Oid> + '_ {
        let both = self.before.iter().chain(&self.after);
        both.filter_map(|resolved| match &resolved.resolution {
            Resolution::Content(oid) => Some(oid.clone()),
            _ => None,
        })
    }

    #[must_use]
    pub fn reversed(&self) -> Self {
        let Self { shadow, before, after } = self.clone();
        Self { shadow, before: after, after: before }
    }
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

    /// The answer recorded for the same question as `asked`.
    pub fn find(&self, id: &ShadowId, asked: &Resolved) -> Result<Option<Resolved>, Report> {
        Ok(self.read(id)?.into_iter().find(|resolved| resolved.asks_the_same(asked)))
    }

    /// Records what was decided. It may be done already.
    pub fn write(&self, decision: &Decision) -> Result<(), Report> {
        let Decision { shadow, before, after } = decision;
        let mut all = self.read(shadow)?;
        let asked = [before, after];
        let asked: Vec<&Resolved> = asked.into_iter().flatten().collect();
        all.retain(|resolved| !asked.iter().any(|asked| resolved.asks_the_same(asked)));
        all.extend(after.clone());
        let bytes = serde_json::to_vec_pretty(&all).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, "a resolution has no JSON").cause(error.to_string())
        })?;
        atomic::write(&self.path(shadow), &bytes)
            .doing(format!("write the resolutions of {shadow}"))
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
        let oids = conflict.sides().map(|entry| entry.map(|entry| entry.oid.clone()));
        let [base, target, shadow] = oids;
        let modes = Some(conflict.sides().map(|entry| entry.map(|entry| entry.mode)));
        let path = conflict.path.clone();
        Self { path, base, target, shadow, modes, resolution, seen: None }
    }

    #[must_use]
    pub fn seen_on(self, before: &Oid, snapshot: &Oid) -> Self {
        Self { seen: Some([before.clone(), snapshot.clone()]), ..self }
    }

    /// Whether it was decided for just this target and snapshot; unknown counts as so.
    pub fn is_of(&self, before: &Oid, snapshot: &Oid) -> bool {
        self.seen.as_ref().is_none_or(|[at, of]| at == before && of == snapshot)
    }

    fn asks_the_same(&self, other: &Self) -> bool {
        let question = |one: &Self| {
            (one.path.clone(), one.base.clone(), one.target.clone(), one.shadow.clone())
        };
        let same_modes = match (self.modes, other.modes) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
        same_modes && question(self) == question(other)
    }

    /// Whether it was decided on the same path and the same three versions.
    pub fn answers(&self, conflict: &Conflict) -> bool {
        self.asks_the_same(&Self::new(conflict, self.resolution.clone()))
    }
}
