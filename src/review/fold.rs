//! Which files nobody reads line by line: they start folded, and are named apart instead of counted. What decides is
//! the target's, the user's or the name: a shadow folds nothing by what it writes into its own files.

use super::{
    Content, FileChange, FileStatus, Text, flag::Finding, fold_rules::FoldRules, formatting,
};

/// Files with more changed lines start folded: nobody reads them line by line, and saying so is honest.
pub(super) const FOLD_LINES_MIN: u32 = 5_000;
/// Written by tools, read by nobody.
const LOCKFILES: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "flake.lock",
];
/// What generators call what they write.
const GENERATED_ENDS: &[&str] = &[
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb2.pyi",
    ".g.dart",
    ".freezed.dart",
    ".Designer.cs",
    ".designer.cs",
    ".js.map",
    ".css.map",
];
const VENDOR_DIRECTORIES: &[&[u8]] = &[b"vendor", b"node_modules", b"third_party"];
const MINIFIED_ENDS: &[&str] = &[".min.js", ".min.mjs", ".min.css"];
/// A generator says so at the top.
const HEADER_BYTES: usize = 2_048;
/// Of code that a person writes no line is as long as these are on average.
const MINIFIED_LINE_BYTES: usize = 500;
const MINIFIED_BYTES_MIN: usize = 4_096;

/// Why a file starts folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// By the user's own rule.
    Asked,
    Lockfile,
    Generated,
    Vendored,
    Minified,
    Renamed,
    Formatting,
    Long,
}

impl Fold {
    pub fn words(self) -> &'static str {
        match self {
            Self::Asked => "your rule",
            Self::Lockfile => "lockfile",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Minified => "minified",
            Self::Renamed => "renamed, not a line changed",
            Self::Formatting => "white space only",
            Self::Long => "very long",
        }
    }

    /// What decided it.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Asked => "fold.patterns of your settings name it",
            Self::Lockfile => "a package manager writes it",
            Self::Generated => {
                "by its name, the target's attributes, or the head that the target's own text has"
            }
            Self::Vendored => {
                "it lies in a directory of others' code, or the target's attributes say so"
            }
            Self::Minified => "by its name, or since its lines are as long as no person's",
            Self::Renamed => "its content is byte for byte what it was",
            Self::Formatting => {
                "line by line only white space changed, in a language where that means nothing"
            }
            Self::Long => "it has 5,000 changed lines or more",
        }
    }
}

/// What the target's attributes say of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    pub generated: bool,
    pub vendored: bool,
}

/// Nothing with a flag that only its lines explain is folded.
pub(super) fn find(
    change: &FileChange,
    content: &Content,
    findings: &[Finding],
    rules: &FoldRules,
    marked: Marked,
) -> Option<Fold> {
    if findings.iter().any(|finding| !finding.flag.may_fold()) {
        return None;
    }
    let path = change.path.as_bytes();
    if rules.keeps_open(path) {
        return None;
    }
    let lines = change.insertions.saturating_add(change.deletions);
    let (old, new) = match content {
        Content::Text { old, new, .. } => (Some(&**old), Some(&**new)),
        _ => (None, None),
    };
    let tests: [(Fold, &dyn Fn() -> bool); 8] = [
        (Fold::Asked, &|| rules.folds(path)),
        (Fold::Lockfile, &|| is_lockfile(path)),
        (Fold::Generated, &|| {
            marked.generated || ends(path, GENERATED_ENDS) || old.is_some_and(says_generated)
        }),
        (Fold::Vendored, &|| marked.vendored || is_vendored(path)),
        (Fold::Minified, &|| {
            ends(path, MINIFIED_ENDS) || new.is_some_and(|new| is_minified(path, new))
        }),
        (Fold::Renamed, &|| is_pure_rename(change)),
        (Fold::Formatting, &|| formatting::is_all(change, content)),
        (Fold::Long, &|| lines >= FOLD_LINES_MIN),
    ];
    tests.into_iter().find(|(_, is)| is()).map(|(fold, _)| fold)
}

pub(super) fn is_lockfile(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    LOCKFILES.iter().any(|lockfile| lockfile.as_bytes() == name)
}

fn ends(path: &[u8], ends: &[&str]) -> bool {
    ends.iter().any(|end| path.ends_with(end.as_bytes()))
}

fn is_vendored(path: &[u8]) -> bool {
    let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    parts.pop();
    parts.iter().any(|part| VENDOR_DIRECTORIES.contains(part))
}

/// In the target's text: a head that the shadow wrote itself folds nothing.
fn says_generated(old: &Text) -> bool {
    let bytes = old.as_bytes();
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER_BYTES)]);
    let mut lines = head.lines().take(20);
    lines.any(|line| {
        line.contains("@generated")
            || line.to_ascii_lowercase().contains("generated") && line.contains("DO NOT EDIT")
    })
}

fn is_minified(path: &[u8], new: &Text) -> bool {
    const KINDS: &[&str] = &[".js", ".mjs", ".cjs", ".css"];
    let bytes = new.as_bytes().len();
    ends(path, KINDS)
        && bytes >= MINIFIED_BYTES_MIN
        && bytes / new.line_count().max(1) as usize >= MINIFIED_LINE_BYTES
}

fn is_pure_rename(change: &FileChange) -> bool {
    matches!(change.status, FileStatus::Renamed(_)) && change.old == change.new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_heads_tell_what_tools_write() {
        assert!(is_vendored(b"a/vendor/x.c") && !is_vendored(b"src/vendor"));
        assert!(ends(b"a/x.pb.go", GENERATED_ENDS) && !ends(b"a/pb.go", GENERATED_ENDS));
        let says = |text: &str| says_generated(&Text::new(text.as_bytes().to_vec()));
        assert!(says("// @generated by x\n") && says("# Code generated by x. DO NOT EDIT.\n"));
        assert!(!says("// how it is generated\n") && !says("// DO NOT EDIT in a hurry\n"));
        assert!(!says(&format!("{}@generated\n", "\n".repeat(40))));
    }

    #[test]
    fn long_lines_alone_are_no_reason_in_prose() {
        let text = Text::new(format!("{}\n", "x".repeat(9_000)).into_bytes());
        assert!(is_minified(b"a.js", &text) && !is_minified(b"a.md", &text));
    }
}
