//! Conflicts as data: which file, which kind, the three versions, and what was decided.

use serde::{Deserialize, Serialize};

use super::{
    CommitLine, Entry, FileDiff, Text,
    weave::{Decided, Lines, Take, Weave},
};
use crate::shadow::{BranchName, Oid, RepoPath, ShadowId};

/// In git's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConflictKind {
    Content,
    AddAdd,
    ModifyDelete,
    RenameRename,
    RenameDelete,
    RenameAdd,
    DirectoryRename,
    FileDirectory,
    Binary,
    Mode,
    Symlink,
    Submodule,
    DistinctTypes,
}

impl ConflictKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::AddAdd => "add/add",
            Self::ModifyDelete => "modify/delete",
            Self::RenameRename => "rename/rename",
            Self::RenameDelete => "rename/delete",
            Self::RenameAdd => "rename/add",
            Self::DirectoryRename => "directory rename",
            Self::FileDirectory => "file/directory",
            Self::Binary => "binary",
            Self::Mode => "mode",
            Self::Symlink => "symlink",
            Self::Submodule => "submodule",
            Self::DistinctTypes => "distinct types",
        }
    }
}

/// What is to become of one conflict file, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    Target,
    Shadow,
    Base,
    /// Both sides' lines, target's first.
    Union,
    Delete,
    /// A blob in the private object store.
    Content(Oid),
    /// What a person wrote just now; kept as [`Self::Content`].
    Text(Lines),
    /// Place by place; while some are open, the file is.
    Places(Vec<Decided>),
    /// The target's under its name, the shadow's under this other one.
    Beside(RepoPath),
}

/// One conflict file of landing now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The reader's name, never git's `name~label`.
    pub path: RepoPath,
    /// The name git's merge result gives it, where that differs.
    pub working_path: Option<RepoPath>,
    pub kind: ConflictKind,
    pub base: Option<Entry>,
    pub target: Option<Entry>,
    pub shadow: Option<Entry>,
    /// The other names of one file that each side renamed differently: they are settled together.
    pub names: Vec<RepoPath>,
    /// Of base, target and shadow, where both sides renamed the file and changed the same lines: what git calls a side is
    /// its own merge of them then, and lines are chosen under each name that stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<[Entry; 3]>,
    /// Where a side put it, if the other renamed that directory and git suggests this name instead.
    #[serde(default)]
    pub moved_from: Option<RepoPath>,
    /// Never of some places only.
    pub resolution: Option<Resolution>,
}

impl Conflict {
    /// Base, target and shadow: what is compared and chosen from.
    pub fn sides(&self) -> [Option<&Entry>; 3] {
        match &self.versions {
            Some(versions) => versions.each_ref().map(Some),
            None => [&self.base, &self.target, &self.shadow].map(Option::as_ref),
        }
    }

    /// What each of the three has under this very name.
    pub fn under_name(&self) -> [Option<&Entry>; 3] {
        let [base, target, shadow] = self.sides();
        [
            base.filter(|_| self.base.is_some()),
            target.filter(|_| self.target.is_some()),
            shadow.filter(|_| self.shadow.is_some()),
        ]
    }

    /// Of a file that both sides renamed, a side that has nothing under this name leaves the name out.
    pub fn meant_by(&self, resolution: Resolution) -> Resolution {
        let [base, target, shadow] = self.under_name().map(|entry| entry.is_some());
        let is_there = match resolution {
            Resolution::Target => target,
            Resolution::Shadow => shadow,
            Resolution::Base => base,
            _ => true,
        };
        if self.versions.is_some() && !is_there { Resolution::Delete } else { resolution }
    }

    /// The directory that was renamed under it: its old name and its new one.
    pub fn moved_directories(&self) -> Option<[RepoPath; 2]> {
        let (old, new) = (self.moved_from.as_ref()?.as_bytes(), self.path.as_bytes());
        let parts = |path: &'_ [u8]| -> Vec<Vec<u8>> {
            path.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect()
        };
        let (old, new) = (parts(old), parts(new));
        let alike = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        // The file's own name may be another as well.
        let alike = alike.max(1);
        let rest = |parts: &[Vec<u8>]| {
            RepoPath::new(parts[..parts.len().saturating_sub(alike)].join(&b'/'))
        };
        Some([rest(&old), rest(&new)])
    }
}

/// git names the sides by the ids that it was asked to merge, which nobody writes behind such a sign.
pub fn lines_marked_by_git(content: &[u8]) -> Vec<usize> {
    let is_marked = |line: &[u8]| {
        let signs = line.iter().take_while(|byte| **byte == b'<').count();
        let Some(label) = line[signs..].strip_prefix(b" ").filter(|_| signs >= 7) else {
            return false;
        };
        let id = label.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        id >= 40 && matches!(label.get(id), None | Some(b':' | b'\r'))
    };
    let lines = content.split(|byte| *byte == b'\n').zip(1..);
    lines.filter(|(line, _)| is_marked(line)).map(|(_, number)| number).collect()
}

/// What one side did with a file beside its content, as git tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The name that the file had before; of a side that has none of this name, the one that it has now.
    pub renamed: Option<RepoPath>,
    /// The newest commit that added the file, or deleted it.
    pub by: Option<CommitLine>,
    /// The files in a directory that has its name.
    pub below: Vec<RepoPath>,
}

/// One commit of a rebase, as it is named to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RebaseStep {
    /// From 1, of all that are replayed.
    pub number: usize,
    pub of: usize,
    pub commit: Oid,
    pub subject: String,
    /// The last new commit before it, in the private store.
    pub onto: Oid,
}

impl RebaseStep {
    /// `commit 2 of 5: subject`
    pub fn words(&self) -> String {
        format!("commit {} of {}: {}", self.number, self.of, self.subject)
    }
}

/// What the conflicts are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// The whole change, merged at once: by squash and merge alike.
    #[default]
    Whole,
    /// The first commit of a rebase that is not settled; the last that conflicts where all are.
    Rebase,
    /// The commit of this number among them.
    Step(usize),
}

/// All conflicts of landing one shadow now; everything the Conflicts pane draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictPage {
    pub id: ShadowId,
    pub target: BranchName,
    /// The target's commit and the shadow's snapshot that this was computed for.
    pub before: Oid,
    pub snapshot: Oid,
    pub base: Oid,
    /// Of a rebase: the commit that they are of, if any conflicts.
    pub step: Option<RebaseStep>,
    pub files: Vec<ConflictFile>,
    pub read_at_ms: u64,
}

/// A conflict with what each side did since the base, and the file as it would land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictFile {
    pub conflict: Conflict,
    /// base → target and base → shadow; `None` where there is nothing to compare (see the kind).
    pub target_diff: Option<FileDiff>,
    pub shadow_diff: Option<FileDiff>,
    /// The text that would land with the present resolution; `None` while undecided or when deleted.
    pub result: Option<Text>,
    /// Where both sides changed the same lines; `None` where lines cannot be chosen.
    pub weave: Option<Weave>,
    /// What was chosen for each place of it.
    pub takes: Vec<Option<Take>>,
    /// Of target and shadow, where not all three have the file.
    pub told: [Told; 2],
    /// What was chosen was chosen for an earlier state of target or shadow.
    pub is_reused: bool,
}

impl ConflictFile {
    /// Of the file: one choice, or one for each place.
    pub fn open_count(&self) -> usize {
        match (&self.conflict.resolution, &self.weave) {
            (Some(_), _) => 0,
            (None, Some(_)) => self.takes.iter().filter(|take| take.is_none()).count(),
            (None, None) => 1,
        }
    }

    /// As it is kept: also of some places only.
    pub fn answer(&self) -> Option<Resolution> {
        let decided = self.weave.as_ref().map(|weave| weave.decided(&self.takes));
        let of_places = decided.filter(|decided| !decided.is_empty()).map(Resolution::Places);
        self.conflict.resolution.clone().or(of_places)
    }

    pub fn set_answer(&mut self, answer: Option<Resolution>) {
        let known = match &answer {
            Some(Resolution::Places(decided)) => &decided[..],
            _ => &[],
        };
        self.takes = self.weave.as_ref().map_or(Vec::new(), |weave| weave.takes(known.iter()));
        let is_open =
            matches!(answer, Some(Resolution::Places(_))) && self.takes.iter().any(Option::is_none);
        self.conflict.resolution = answer.filter(|_| !is_open);
    }
}
