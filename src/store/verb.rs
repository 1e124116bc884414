//! What an operation does, in the word that the command line, the journal and the log have for it.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Create,
    Commit,
    Rollback,
    Resolve,
    Land,
    Discard,
    Undo,
    Gc,
    Redo,
    Sync,
}

impl Verb {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Resolve => "resolve",
            Self::Land => "land",
            Self::Discard => "discard",
            Self::Undo => "undo",
            Self::Gc => "gc",
            Self::Redo => "redo",
            Self::Sync => "sync",
        }
    }
}
