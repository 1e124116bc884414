//! What a command answers with: text for people and one JSON object for programs, or bytes for both.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The text ends with a newline, and everything in it that came from a repository is visible.
    Both {
        text: String,
        json: Value,
    },
    /// A patch, as it is.
    Bytes(Vec<u8>),
    Nothing,
}

impl Answer {
    pub fn both(text: impl Into<String>, json: Value) -> Self {
        Self::Both { text: text.into(), json }
    }
}
