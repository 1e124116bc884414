//! Configuration and hooks as they were when each shadow was made or first seen, and as the user last trusted them.

use std::{fs, io, path::PathBuf};

use super::{atomic, records::file_name};
use crate::{
    report::{Blame, Code, Doing, Report},
    review::Fingerprint,
    shadow::ShadowId,
};

#[derive(Clone, Debug)]
pub struct Trusts {
    dir: PathBuf,
}

impl Trusts {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// What was seen with this shadow; `None` where it was never seen.
    pub fn read_seen(&self, id: &ShadowId) -> Result<Option<Fingerprint>, Report> {
        read(&self.seen(id))
    }

    pub fn was_seen(&self, id: &ShadowId) -> bool {
        self.seen(id).exists()
    }

    pub fn write_seen(&self, id: &ShadowId, fingerprint: &Fingerprint) -> Result<(), Report> {
        write(&self.seen(id), fingerprint)
    }

    /// What the user trusted last, for all shadows.
    pub fn read_trusted(&self) -> Result<Option<Fingerprint>, Report> {
        read(&self.trusted())
    }

    pub fn write_trusted(&self, fingerprint: &Fingerprint) -> Result<(), Report> {
        write(&self.trusted(), fingerprint)
    }

    fn seen(&self, id: &ShadowId) -> PathBuf {
        self.dir.join("seen").join(format!("{}.json", file_name(&id.0)))
    }

    fn trusted(&self) -> PathBuf {
        self.dir.join("trusted.json")
    }
}

fn read(path: &std::path::Path) -> Result<Option<Fingerprint>, Report> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).doing(format!("read {}", path.display())),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        Report::environment(Code::Io, format!("{} is damaged", path.display()))
            .cause(error.to_string())
            .unchanged()
            .hint(
                "move that file away, then look at config and hooks yourself and land with --trust",
            )
    })
}

fn write(path: &std::path::Path, fingerprint: &Fingerprint) -> Result<(), Report> {
    let bytes = serde_json::to_vec_pretty(fingerprint).map_err(|error| {
        Report::new(Code::Io, Blame::Bug, "the fingerprint has no JSON").cause(error.to_string())
    })?;
    atomic::write(path, &bytes).doing(format!("write {}", path.display()))
}
