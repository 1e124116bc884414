//! The sides of one file, to be handed to a program of the user's.

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

/// A file in conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeSides {
    /// Without its directories.
    pub name: Vec<u8>,
    /// `None`: both sides added it.
    pub base: Option<Vec<u8>>,
    pub target: Vec<u8>,
    pub shadow: Vec<u8>,
    /// As it would land, what is open between markers.
    pub text: Vec<u8>,
}
