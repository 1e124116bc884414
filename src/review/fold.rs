//! Which files nobody reads line by line: they start folded, and are named apart instead of counted.

use super::FileDiff;

/// Files with more changed lines start folded: nobody reads them line by line, and saying so is honest.
pub(super) const FOLD_LINES_MIN: u32 = 5_000;
/// Written by tools, read by nobody.
const LOCKFILES: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "flake.lock",
];

/// Why a file starts folded.
pub fn why_folded(file: &FileDiff) -> Option<&'static str> {
    let lines = file.change.insertions.saturating_add(file.change.deletions);
    if is_lockfile(file.change.path.as_bytes()) {
        Some("lockfile")
    } else if lines >= FOLD_LINES_MIN {
        Some("very long")
    } else {
        None
    }
}

pub(super) fn is_lockfile(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    LOCKFILES.iter().any(|lockfile| lockfile.as_bytes() == name)
}
