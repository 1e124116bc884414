//! What a reviewer should not overlook in a file, whoever wrote it: found from the change alone, with its reason.

use super::{Content, FileDiff, Mode, fold::is_lockfile, visible::is_hidden};

/// Of each file so many bytes of new lines are searched for hidden characters.
const SEARCHED_BYTES_MAX: usize = 1 << 20;

/// One reason for a second look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    HiddenCharacters,
    LinkLeaves,
    Ci,
    Hook,
    Attributes,
    Executable,
    Symlink,
    Submodule,
    Large,
    Binary,
    Lockfile,
}

impl Flag {
    /// For heads and lists.
    pub fn words(self) -> &'static str {
        match self {
            Self::HiddenCharacters => "hidden characters",
            Self::LinkLeaves => "symlink out of the shadow",
            Self::Ci => "CI file",
            Self::Hook => "hook",
            Self::Attributes => "attributes",
            Self::Executable => "executable",
            Self::Symlink => "symlink",
            Self::Submodule => "submodule",
            Self::Large => "very large",
            Self::Binary => "binary",
            Self::Lockfile => "lockfile",
        }
    }

    /// The sentence behind it.
    pub fn reason(self) -> &'static str {
        match self {
            Self::HiddenCharacters => {
                "its new lines hold characters that do not show or that reorder text"
            }
            Self::LinkLeaves => "it points out of the worktree",
            Self::Ci => "it runs with your secrets",
            Self::Hook => "it runs on your machine",
            Self::Attributes => "it changes how git reads and writes other files",
            Self::Executable => "it may be run now",
            Self::Symlink => "it stands for another file",
            Self::Submodule => "it brings in another repository's commit",
            Self::Large => "it is too large to show",
            Self::Binary => "its lines cannot be read",
            Self::Lockfile => "it decides which code of others is used",
        }
    }
}

/// The gravest first.
pub fn flags(file: &FileDiff) -> Vec<Flag> {
    let change = &file.change;
    let Some(new) = &change.new else { return Vec::new() };
    let had = |mode: Mode| change.old.as_ref().is_some_and(|old| old.mode == mode);
    let path = change.path.as_bytes();
    let mut found = Vec::new();
    if let Content::Text { new: text, blocks, .. } = &file.content {
        if new.mode == Mode::Symlink && leaves(path, text.as_bytes()) {
            found.push(Flag::LinkLeaves);
        }
        let lines = blocks.iter().map(|block| text.lines(block.new.clone()));
        if has_hidden(lines) {
            found.push(Flag::HiddenCharacters);
        }
    }
    if is_ci(path) {
        found.push(Flag::Ci);
    }
    if is_hook(path) {
        found.push(Flag::Hook);
    }
    if matches!(name(path), b".gitattributes" | b".gitmodules") {
        found.push(Flag::Attributes);
    }
    if is_lockfile(path) {
        found.push(Flag::Lockfile);
    }
    match new.mode {
        Mode::Executable if !had(Mode::Executable) => found.push(Flag::Executable),
        Mode::Symlink => found.push(Flag::Symlink),
        Mode::Submodule => found.push(Flag::Submodule),
        Mode::File | Mode::Executable => {}
    }
    match &file.content {
        Content::Binary { .. } => found.push(Flag::Binary),
        Content::TooLarge { .. } => found.push(Flag::Large),
        Content::Text { .. } | Content::Submodule { .. } | Content::Unreadable { .. } => {}
    }
    found.sort();
    found
}

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

fn is_ci(path: &[u8]) -> bool {
    const DIRECTORIES: [&[u8]; 5] =
        [b".github/", b".circleci/", b".buildkite/", b".gitlab/", b".forgejo/"];
    const FILES: [&[u8]; 6] = [
        b".gitlab-ci.yml",
        b".travis.yml",
        b"Jenkinsfile",
        b"azure-pipelines.yml",
        b"bitbucket-pipelines.yml",
        b".drone.yml",
    ];
    DIRECTORIES.iter().any(|directory| path.starts_with(directory)) || FILES.contains(&path)
}

fn is_hook(path: &[u8]) -> bool {
    const DIRECTORIES: [&[u8]; 3] = [b".husky/", b".githooks/", b"hooks/"];
    const FILES: [&[u8]; 4] =
        [b".pre-commit-config.yaml", b"lefthook.yml", b".lefthook.yml", b".overcommit.yml"];
    DIRECTORIES.iter().any(|directory| path.starts_with(directory)) || FILES.contains(&path)
}

/// A link's target is its text; from the link's own directory it must not climb over the top.
fn leaves(path: &[u8], target: &[u8]) -> bool {
    if target.starts_with(b"/") {
        return true;
    }
    let mut depth = path.split(|byte| *byte == b'/').count() - 1;
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

fn has_hidden<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut left = SEARCHED_BYTES_MAX;
    for bytes in lines {
        let bytes = &bytes[..bytes.len().min(left)];
        left -= bytes.len();
        let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
        if bytes.iter().all(plain) {
            continue;
        }
        if bytes.utf8_chunks().any(|chunk| chunk.valid().chars().any(is_hidden)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_climb_out_are_told_from_those_that_stay() {
        assert!(
            leaves(b"a/b", b"../../etc") && leaves(b"a", b"/etc") && leaves(b"a", b"x/../../y")
        );
        assert!(!leaves(b"a/b", b"../c") && !leaves(b"a", b"b/../c"));
    }

    #[test]
    fn hidden_characters_are_found_and_marks_on_letters_are_not() {
        let has = |text: &str| has_hidden(std::iter::once(text.as_bytes()));
        assert!(has("a\u{202e}b") && has("\u{200b}") && has("\u{1b}[31m"));
        assert!(!has("e\u{301} über 世界\tx\r\n"));
    }

    #[test]
    fn what_runs_by_itself_is_known_by_its_place() {
        assert!(
            is_ci(b".github/workflows/x.yml")
                && is_ci(b"Jenkinsfile")
                && is_hook(b".husky/pre-push")
        );
        assert!(!is_ci(b"docs/.github") && !is_hook(b"src/hooks/use.ts"));
    }
}
