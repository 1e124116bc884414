//! Is what a shadow did in the target already? Only proofs count, since landed shadows are offered for discard.

use std::collections::BTreeMap;

use super::{
    Repository,
    command::Git,
    private, refs,
    worktrees::{Head, Worktree},
};
use crate::{
    report::{Code, Report},
    shadow::{BranchName, Oid},
};

/// How far back in the target a squashed shadow is looked for: each commit costs a diff, once.
const TARGET_COMMITS_MAX: usize = 300;
/// A shadow with more commits than this is not compared patch by patch.
const SHADOW_COMMITS_MAX: usize = 100;

const CLOCK_SKEW_MAX_S: i64 = 24 * 60 * 60;

/// How the shadow's branch began, as its reflog tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Birth {
    /// The commit that it was made at.
    pub at: Oid,
    /// Something was committed on it since; following another branch is no work.
    pub has_work: bool,
}

/// A longer one tells no birth.
const REFLOG_BYTES_MAX: u64 = 64 << 20;

/// `None` where the entry that created it has expired or was never written. For a detached one: its HEAD's.
pub fn find_birth(repository: &Repository, worktree: &Worktree) -> Option<Birth> {
    if repository.foreign_refs.is_some() {
        return ask_birth(repository, worktree);
    }
    let reflog = match &worktree.head {
        Head::Branch { name, .. } => repository.common_dir.join("logs").join(name.full()),
        Head::Detached { .. } | Head::Unreadable { .. } => worktree.admin_dir.join("logs/HEAD"),
    };
    parse_reflog(&super::control::read_up_to(&reflog, REFLOG_BYTES_MAX).ok()?)
}

/// Lines of `old SP new SP who SP time SP zone TAB message`.
fn parse_reflog(text: &[u8]) -> Option<Birth> {
    let mut entries = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let first = String::from_utf8_lossy(entries.next()?);
    let mut words = first.split(' ');
    let (old, at) = (Oid::parse(words.next()?)?, Oid::parse(words.next()?)?);
    // Any other first entry is what expiry left of a longer history.
    if !old.is_null() {
        return None;
    }
    let has_work = entries.any(|line| {
        let line = String::from_utf8_lossy(line);
        is_work(line.split_once('\t').map_or("", |(_, message)| message))
    });
    Some(Birth { at, has_work })
}

/// Whether a reflog's message tells of a commit that was made there.
fn is_work(message: &str) -> bool {
    ["commit", "cherry-pick", "revert", "am", "rebase"]
        .iter()
        .any(|verb| message.strip_prefix(verb).is_some_and(|rest| rest.starts_with([':', ' '])))
}

/// As git tells it, newest first. What came before the oldest entry is not told: only git's own words for a new
/// branch are taken for its birth.
fn ask_birth(repository: &Repository, worktree: &Worktree) -> Option<Birth> {
    let name = worktree.head.branch().map_or_else(|| "HEAD".to_owned(), BranchName::full);
    let told = Git::reading("reflog")
        .git_dir(&worktree.admin_dir)
        .dir(&worktree.admin_dir)
        .timeout(repository.timeout)
        .args(["show", "--format=%H %gs", &name, "--"])
        .run()
        .ok()?
        .text();
    let mut entries = told.lines().rev();
    let (at, message) = entries.next()?.split_once(' ')?;
    if !message.starts_with("branch: Created") {
        return None;
    }
    let has_work = entries.any(|line| line.split_once(' ').is_some_and(|(_, it)| is_work(it)));
    Some(Birth { at: Oid::parse(at)?, has_work })
}

/// Whether `tip`, an ancestor of `target`, came in by a merge: then it was a line of work of its own.
/// One that lies on the target's first-parent line may be no more than an old state of the target.
pub fn was_merged_in(repository: &Repository, target: &Oid, tip: &Oid) -> Result<bool, Report> {
    use super::refs::{Reading, object_id};
    let local = repository.local();
    let what = || format!("the history of {target}");
    // No parent is committed before its child by more than a skewed clock's day.
    let oldest_s =
        local.find_commit(object_id(tip)).reading(what())?.time().reading(what())?.seconds
            - CLOCK_SKEW_MAX_S;
    let line = local.rev_walk([object_id(target)]).first_parent_only().sorting(
        gix::revision::walk::Sorting::ByCommitTimeCutoff {
            order: gix::traverse::commit::simple::CommitTimeOrder::NewestFirst,
            seconds: oldest_s,
        },
    );
    for commit in line.all().reading(what())? {
        if commit.reading(what())?.id == object_id(tip) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A shadow without uncommitted work, whose change is not in the target by ancestry or tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub tip: Oid,
    /// The tree that its change is counted from.
    pub base_tree: Oid,
}

/// For each candidate, whether the target holds equal patches: one commit with the whole change, or
/// one for each of its commits. Two git processes for all of them together; none where there are none.
pub fn read_equal_patches(
    repository: &Repository,
    target: &Oid,
    candidates: &[Candidate],
) -> Result<Vec<bool>, Report> {
    let mut questions = Questions::default();
    let mut asked = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        asked.push(questions.ask(repository, target, candidate)?);
    }
    if questions.lines.is_empty() {
        return Ok(vec![false; candidates.len()]);
    }
    let patches = questions.read_answers(repository, target)?;
    Ok(asked
        .iter()
        .map(|asked| {
            let Some(asked) = asked else { return false };
            let patch = |key: &usize| patches.get(key);
            let landed: Vec<_> = asked.targets.iter().filter_map(patch).collect();
            let whole = patch(&asked.whole).is_some_and(|whole| landed.contains(&whole));
            let each = !asked.commits.is_empty()
                && asked.commits.iter().all(|c| patch(c).is_some_and(|id| landed.contains(&id)));
            whole || each
        })
        .collect())
}

/// Numbers of the diffs that decide one candidate.
struct Asked {
    whole: usize,
    commits: Vec<usize>,
    targets: Vec<usize>,
}

/// Diffs to be made, each once: `old new` trees.
#[derive(Default)]
struct Questions {
    lines: Vec<String>,
    known: BTreeMap<String, usize>,
}

impl Questions {
    fn ask(
        &mut self,
        repository: &Repository,
        target: &Oid,
        candidate: &Candidate,
    ) -> Result<Option<Asked>, Report> {
        let commits = refs::commits_between(repository, target, &candidate.tip)?;
        if commits.is_empty() || commits.len() > SHADOW_COMMITS_MAX {
            return Ok(None);
        }
        let mut landed = refs::commits_between(repository, &candidate.tip, target)?;
        landed.truncate(TARGET_COMMITS_MAX);
        let whole = self.pair(&candidate.base_tree, &refs::tree_of(repository, &candidate.tip)?);
        let mut numbers = |commits: &[Oid]| -> Result<Vec<usize>, Report> {
            let pairs = commits.iter().map(|commit| single_change(repository, commit));
            let pairs: Result<Vec<_>, Report> = pairs.collect();
            // Merges propose nothing of their own.
            Ok(pairs?.iter().flatten().map(|(old, new)| self.pair(old, new)).collect())
        };
        Ok(Some(Asked { whole, commits: numbers(&commits)?, targets: numbers(&landed)? }))
    }

    fn pair(&mut self, old: &Oid, new: &Oid) -> usize {
        let line = format!("{old} {new}");
        if let Some(number) = self.known.get(&line) {
            return *number;
        }
        let number = self.lines.len();
        self.known.insert(line.clone(), number);
        self.lines.push(line);
        number
    }

    /// Patch ids by number; an empty diff has none.
    fn read_answers(
        &self,
        repository: &Repository,
        target: &Oid,
    ) -> Result<BTreeMap<usize, String>, Report> {
        private::ensure(repository)?;
        let mut input = self.lines.join("\n");
        input.push('\n');
        let patches = repository
            .planning("diff-tree")
            .global(format!("--attr-source={target}"))
            .args(["--stdin", "-p", "-r", "--full-index", "--no-renames", "--no-color"])
            .args(["--no-ext-diff", "--no-textconv", "--diff-algorithm=myers"])
            .input(input)
            .run()?
            .stdout;
        let ids = Git::reading("patch-id")
            .timeout(repository.timeout)
            .git_dir(&repository.common_dir)
            .arg("--stable")
            .input(self.numbered(&patches, target.as_str().len())?)
            .run()?
            .text();
        ids.lines()
            .map(|line| {
                let (patch, number) = line.split_once(' ').ok_or_else(misunderstood)?;
                let number = usize::from_str_radix(number.trim_start_matches('0'), 16).unwrap_or(0);
                Ok((number, patch.to_owned()))
            })
            .collect()
    }

    /// patch-id names each patch by the line before it: the pair's own header gives way to its number,
    /// since two pairs may share a tree.
    fn numbered(&self, patches: &[u8], digits: usize) -> Result<Vec<u8>, Report> {
        let mut out = Vec::with_capacity(patches.len());
        let mut next = 0;
        for line in patches.split_inclusive(|byte| *byte == b'\n') {
            let is_header = self
                .lines
                .get(next)
                .is_some_and(|header| line.strip_suffix(b"\n") == Some(header.as_bytes()));
            if is_header {
                out.extend_from_slice(format!("commit {next:0digits$x}\n").as_bytes());
                next += 1;
            } else {
                out.extend_from_slice(line);
            }
        }
        if next == self.lines.len() { Ok(out) } else { Err(misunderstood()) }
    }
}

fn misunderstood() -> Report {
    Report::environment(Code::GitFailed, "git's patches were not understood")
}

/// The trees before and after a commit; `None` for a merge.
fn single_change(repository: &Repository, commit: &Oid) -> Result<Option<(Oid, Oid)>, Report> {
    use super::refs::{Reading, object_id, oid};
    let local = repository.local();
    let what = || format!("commit {commit}");
    let object = local.find_commit(object_id(commit)).reading(what())?;
    let parents: Vec<_> = object.parent_ids().map(oid).collect();
    let new = oid(object.tree_id().reading(what())?);
    Ok(match &parents[..] {
        [] => Some((oid(gix::ObjectId::empty_tree(local.object_hash())), new)),
        [parent] => Some((refs::tree_of(repository, parent)?, new)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reflog_tells_birth_and_work() {
        let (zero, a, b) = ("0".repeat(40), "a".repeat(40), "b".repeat(40));
        let made = format!("{zero} {a} Ana <a@b> 1 +0000\tbranch: Created from main\n");
        let at = Oid::parse(&a).unwrap();
        let birth = |log: String| parse_reflog(log.as_bytes());
        assert_eq!(birth(made.clone()), Some(Birth { at: at.clone(), has_work: false }));
        let followed = format!("{made}{a} {b} Ana <a@b> 2 +0000\tmerge main: Fast-forward\n");
        assert_eq!(birth(followed), Some(Birth { at: at.clone(), has_work: false }));
        let worked = format!("{made}{a} {b} Ana <a@b> 2 +0000\tcommit: x\n");
        assert_eq!(birth(worked), Some(Birth { at, has_work: true }));
        assert_eq!(birth(format!("{a} {b} Ana <a@b> 2 +0000\tcommit: x\n")), None);
    }
}
