//! Classes of source text, as a highlighter tells them; which colour each has is the theme's business.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenClass {
    Comment,
    Keyword,
    String,
    Number,
    Constant,
    Type,
    Function,
    Attribute,
    Tag,
    Punctuation,
}

/// A run of bytes of one line with one class; runs are sorted and do not overlap, gaps are plain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRun {
    pub bytes: Range<u32>,
    pub class: TokenClass,
}

/// One entry a line.
pub type TokenLines = Vec<Vec<TokenRun>>;

/// What a highlighter tells of some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Painted {
    pub tokens: TokenLines,
    /// From a place nearby, as if the text began there: to be shown until it is known exactly.
    pub is_guess: bool,
}
