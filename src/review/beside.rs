//! Both sides of one file, to be handed to a program of the user's.

use std::path::PathBuf;

use crate::shadow::RepoPath;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    pub path: RepoPath,
    /// As it was; empty where it is new.
    pub old: Vec<u8>,
    /// The file itself; `None` where it is gone.
    pub new: Option<PathBuf>,
}
