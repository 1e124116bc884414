//! How a path of the file system is stored: text where it is UTF-8, else its bytes, so that no name is lost.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::RepoPath;

pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    RepoPath::new(path.as_os_str().as_bytes()).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    let bytes = RepoPath::deserialize(deserializer)?.as_bytes().to_vec();
    Ok(PathBuf::from(OsString::from_vec(bytes)))
}

/// The same for a path that may be absent.
pub mod optional {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::shadow::RepoPath;

    pub fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        path.as_ref().map(|path| RepoPath::new(path.as_os_str().as_bytes())).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        let stored = Option::<RepoPath>::deserialize(deserializer)?;
        Ok(stored.map(|path| PathBuf::from(OsStr::from_bytes(path.as_bytes()))))
    }
}
