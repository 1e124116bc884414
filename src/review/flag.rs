//! What a reviewer should not overlook in a file, whoever wrote it, each with its reason and its lines.
//! Each rule prefers to stay silent: a flag that is mostly wrong is one that nobody reads.

use serde::{Deserialize, Serialize};

use super::{
    Content, FileChange, FileDiff, HunkLine, LineKind, Mode, flag_lines, flag_path,
    fold::is_lockfile, pieces::is_piled, visible::is_hidden,
};
use crate::shadow::RepoPath;

/// Of each finding so many lines are walked; the sentence counts them all.
const LINES_MAX: usize = 100;

/// One reason for a second look, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    Secret,
    HiddenCharacters,
    ConflictMarkers,
    HiddenByAttributes,
    LinkLeaves,
    NameClash,
    Ci,
    Hook,
    Attributes,
    DeletedTests,
    WeakenedTests,
    OutsideTask,
    Executable,
    Symlink,
    Submodule,
    Large,
    Binary,
    Lockfile,
    /// The list looks into so much and no further; the page itself looks into all of it.
    Unsearched,
}

impl Flag {
    pub const ALL: [Self; 19] = [
        Self::Secret,
        Self::HiddenCharacters,
        Self::ConflictMarkers,
        Self::HiddenByAttributes,
        Self::LinkLeaves,
        Self::NameClash,
        Self::Ci,
        Self::Hook,
        Self::Attributes,
        Self::DeletedTests,
        Self::WeakenedTests,
        Self::OutsideTask,
        Self::Executable,
        Self::Symlink,
        Self::Submodule,
        Self::Large,
        Self::Binary,
        Self::Lockfile,
        Self::Unsearched,
    ];

    /// For heads and lists.
    pub fn words(self) -> &'static str {
        match self {
            Self::Secret => "possible secret",
            Self::HiddenCharacters => "hidden characters",
            Self::ConflictMarkers => "conflict markers",
            Self::HiddenByAttributes => "attributes of this shadow hide it",
            Self::LinkLeaves => "symlink out of the shadow",
            Self::NameClash => "name clash",
            Self::Ci => "CI file",
            Self::Hook => "hook",
            Self::Attributes => "attributes",
            Self::DeletedTests => "deleted tests",
            Self::WeakenedTests => "weakened tests",
            Self::OutsideTask => "outside the task",
            Self::Executable => "executable",
            Self::Symlink => "symlink",
            Self::Submodule => "submodule",
            Self::Large => "very large",
            Self::Binary => "binary",
            Self::Lockfile => "lockfile",
            Self::Unsearched => "not searched",
        }
    }

    /// For programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::HiddenCharacters => "hidden_characters",
            Self::ConflictMarkers => "conflict_markers",
            Self::HiddenByAttributes => "hidden_by_attributes",
            Self::LinkLeaves => "link_leaves",
            Self::NameClash => "name_clash",
            Self::Ci => "ci",
            Self::Hook => "hook",
            Self::Attributes => "attributes",
            Self::DeletedTests => "deleted_tests",
            Self::WeakenedTests => "weakened_tests",
            Self::OutsideTask => "outside_task",
            Self::Executable => "executable",
            Self::Symlink => "symlink",
            Self::Submodule => "submodule",
            Self::Large => "large",
            Self::Binary => "binary",
            Self::Lockfile => "lockfile",
            Self::Unsearched => "unsearched",
        }
    }

    /// The sentence behind it where the file itself has no better one.
    fn reason(self) -> &'static str {
        match self {
            Self::Secret => "its new lines hold what looks like a key or a token",
            Self::HiddenCharacters => {
                "its new lines hold characters that do not show or that reorder text"
            }
            Self::ConflictMarkers => "its new lines hold a conflict that nobody settled",
            Self::HiddenByAttributes => {
                "the attributes that this shadow writes would keep it out of a diff"
            }
            Self::LinkLeaves => "it points out of the worktree",
            Self::NameClash => "its name and another fold into one",
            Self::Ci => "it runs with your secrets",
            Self::Hook => "it runs on your machine",
            Self::Attributes => "it changes how git reads and writes other files",
            Self::DeletedTests => "tests are gone",
            Self::WeakenedTests => "tests check less than before",
            Self::OutsideTask => "what its agent was asked for names other paths",
            Self::Executable => "it may be run now",
            Self::Symlink => "it stands for another file",
            Self::Submodule => "it brings in another repository's commit",
            Self::Large => "it is too large to be read unasked",
            Self::Binary => "not searched until Enter shows it as text",
            Self::Lockfile => "it decides which code of others is used",
            Self::Unsearched => {
                "it is too large for the list to look into; open it to have it searched"
            }
        }
    }

    /// Whether the row in the list has a sign for it. What a file is by its kind alone would mark most rows.
    pub fn marks_row(self) -> bool {
        !matches!(self, Self::Large | Self::Binary | Self::Lockfile | Self::Unsearched)
    }

    /// Whether a file may be folded all the same: what these say can be seen without its lines.
    pub(super) fn may_fold(self) -> bool {
        matches!(
            self,
            Self::NameClash | Self::Large | Self::Binary | Self::Lockfile | Self::Unsearched
        )
    }
}

/// A flag on a file: why, and on which lines, if it is some lines and not the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub flag: Flag,
    /// A sentence, safe to draw.
    pub why: String,
    pub lines: Vec<HunkLine>,
}

impl Finding {
    /// Of the whole file.
    pub fn of_file(flag: Flag) -> Self {
        Self { flag, why: flag.reason().to_owned(), lines: Vec::new() }
    }

    pub fn of_lines(flag: Flag, why: String, lines: impl IntoIterator<Item = HunkLine>) -> Self {
        Self { flag, why, lines: lines.into_iter().take(LINES_MAX).collect() }
    }

    /// `CI file: it runs with your secrets`.
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.flag.words(), self.why)
    }
}

/// A flag as a row of the list remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFlag {
    pub path: RepoPath,
    pub flag: Flag,
    pub why: String,
}

/// What the file's own change tells, the gravest first.
pub(super) fn findings(change: &FileChange, content: &Content) -> Vec<Finding> {
    let mut found = of_place(change);
    let Some(new) = &change.new else { return found };
    let had = |mode: Mode| change.old.as_ref().is_some_and(|old| old.mode == mode);
    match new.mode {
        Mode::Executable if !had(Mode::Executable) => {
            found.push(Finding::of_file(Flag::Executable));
        }
        Mode::Symlink => found.push(Finding::of_file(Flag::Symlink)),
        Mode::Submodule => found.push(Finding::of_file(Flag::Submodule)),
        Mode::File | Mode::Executable => {}
    }
    match content {
        Content::Text { new: text, blocks, .. } => {
            if new.mode == Mode::Symlink
                && flag_path::leaves(change.path.as_bytes(), text.as_bytes())
            {
                found.push(Finding::of_file(Flag::LinkLeaves));
            }
            found.extend(flag_lines::findings(text, blocks));
            if change.binary {
                let why = "git takes it for no text; its bytes are shown as text".to_owned();
                found.push(Finding::of_lines(Flag::Binary, why, []));
            }
        }
        Content::Binary { .. } => found.push(Finding::of_file(Flag::Binary)),
        Content::TooLarge { .. } => {
            found.push(Finding::of_file(Flag::Large));
            let why = "nothing in it is searched until Enter shows all of it".to_owned();
            found.push(Finding::of_lines(Flag::Unsearched, why, []));
        }
        Content::Submodule { .. } | Content::Unreadable { .. } => {}
    }
    found.sort_by_key(|finding| finding.flag);
    found
}

/// What its name alone tells; a file that is gone, or was moved away, is flagged for the name that it had.
fn of_place(change: &FileChange) -> Vec<Finding> {
    let paths = [Some(&change.path), change.old_path.as_ref()];
    let is_any = |is: fn(&[u8]) -> bool| paths.iter().flatten().any(|path| is(path.as_bytes()));
    let mut found = Vec::new();
    for (flag, is) in [
        (Flag::Ci, flag_path::is_ci as fn(&[u8]) -> bool),
        (Flag::Hook, flag_path::is_hook),
        (Flag::Attributes, flag_path::is_attributes),
        (Flag::Lockfile, is_lockfile),
    ] {
        if is_any(is) {
            found.push(Finding::of_file(flag));
        }
    }
    if is_any(has_hidden) {
        let why = "its name holds characters that do not show or that reorder text".to_owned();
        found.push(Finding::of_lines(Flag::HiddenCharacters, why, []));
    }
    found
}

/// In a name the end of a line and a tab are as strange as any other.
fn has_hidden(name: &[u8]) -> bool {
    let is_strange = |sign: char| sign.is_control() || is_hidden(sign);
    let hides = |text: &str| text.chars().any(is_strange) || is_piled(text);
    name.utf8_chunks().any(|chunk| hides(chunk.valid()))
}

/// An added line by its index in the new text.
pub(super) fn added(index: u32) -> HunkLine {
    HunkLine { kind: LineKind::Added, old_index: None, new_index: Some(index) }
}

/// A removed line by its index in the old text.
pub(super) fn removed(index: u32) -> HunkLine {
    HunkLine { kind: LineKind::Removed, old_index: Some(index), new_index: None }
}

impl FileDiff {
    /// Read whole after all: what is known of it by its size and from elsewhere holds.
    #[must_use]
    pub fn read_whole(&self, read: &Self) -> Self {
        let mut whole = Self { fold: self.fold, ..read.clone() };
        let is_told = |flag| whole.findings.iter().any(|finding| finding.flag == flag);
        let holds = |finding: &&Finding| finding.flag != Flag::Unsearched && !is_told(finding.flag);
        let held: Vec<_> = self.findings.iter().filter(holds).cloned().collect();
        whole.findings.extend(held);
        whole.findings.sort_by_key(|finding| finding.flag);
        whole
    }

    /// The gravest flag of the file.
    pub fn gravest(&self) -> Option<&Finding> {
        self.findings.first()
    }
}
