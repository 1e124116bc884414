//! What is remembered of each shadow: one JSON file an id. A damaged one is that shadow's problem only.

use std::{fs, io, path::PathBuf};

use super::atomic;
use crate::{
    report::{Blame, Code, Doing, Report},
    shadow::{ShadowId, ShadowRecord},
};

#[derive(Clone, Debug)]
pub struct Records {
    dir: PathBuf,
}

impl Records {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// `None` where nothing was ever recorded.
    pub fn read(&self, id: &ShadowId) -> Result<Option<ShadowRecord>, Report> {
        let path = self.path(id);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).doing(format!("read {}", path.display())),
        };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            Report::environment(Code::Io, format!("the record {} is damaged", path.display()))
                .cause(error.to_string())
                .safe("the shadow itself is untouched")
                .hint("move that file away and its record starts anew")
        })
    }

    pub fn write(&self, record: &ShadowRecord) -> Result<(), Report> {
        let bytes = serde_json::to_vec_pretty(record).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, format!("the record of {} has no JSON", record.id))
                .cause(error.to_string())
        })?;
        atomic::write(&self.path(&record.id), &bytes)
            .doing(format!("write the record of {}", record.id))
    }

    pub fn remove(&self, id: &ShadowId) -> Result<(), Report> {
        atomic::remove(&self.path(id)).doing(format!("remove the record of {id}"))
    }

    fn path(&self, id: &ShadowId) -> PathBuf {
        self.dir.join(format!("{}.json", file_name(&id.0)))
    }
}

/// Longer ones are cut: a file's name may have 255 bytes, and endings are added to it.
const NAME_BYTES_MAX: usize = 200;

/// Ids that git gave may hold anything but `/`: what is not plain is written as `%XX`, so that no id can
/// name another file, and two ids never share one. A cut name ends in a digest of the whole id.
pub(super) fn file_name(id: &str) -> String {
    use std::fmt::Write;
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(name, "%{byte:02x}");
            }
        }
    }
    if name.len() > NAME_BYTES_MAX {
        let digest = digest(id.as_bytes());
        name.truncate(NAME_BYTES_MAX - 33);
        let _ = write!(name, ".{digest:032x}");
    }
    name
}

/// FNV-1a of 128 bits: the same for ever, which the standard library's hash does not promise.
fn digest(bytes: &[u8]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(START, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}
