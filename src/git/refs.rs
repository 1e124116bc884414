//! Refs and history, read in process: tips, merge bases, distances. Moves nothing.

use std::collections::HashSet;

use gix::bstr::ByteSlice;
use serde::{Deserialize, Serialize};

use super::{Repository, private};
use crate::{
    report::{Code, Report},
    shadow::{BranchName, Oid},
};

/// Whatever gix says, worded by what we were doing.
pub(super) trait Reading<T> {
    /// `what` completes the sentence "could not read …".
    fn reading(self, what: impl std::fmt::Display) -> Result<T, Report>;
}

impl<T, E: std::fmt::Display> Reading<T> for Result<T, E> {
    fn reading(self, what: impl std::fmt::Display) -> Result<T, Report> {
        self.map_err(|error| {
            Report::environment(Code::Io, format!("could not read {what}")).cause(error.to_string())
        })
    }
}

pub(super) fn oid(id: impl AsRef<gix::oid>) -> Oid {
    Oid::parse(&id.as_ref().to_hex().to_string()).expect("gix prints full lowercase hex")
}

pub(super) fn object_id(oid: &Oid) -> gix::ObjectId {
    gix::ObjectId::from_hex(oid.as_str().as_bytes()).expect("an Oid is full hex")
}

/// The commit that a full ref name leads to; `None` where there is no such ref.
pub(super) fn find_commit(repository: &Repository, full_name: &str) -> Result<Option<Oid>, Report> {
    if repository.foreign_refs.is_some() {
        return verify(repository, &format!("{full_name}^{{}}"));
    }
    let local = repository.local();
    let Some(mut reference) = local.try_find_reference(full_name).reading(full_name)? else {
        return Ok(None);
    };
    let id = reference.peel_to_id().reading(full_name)?;
    Ok(Some(oid(id)))
}

/// git's own answer, for refs that gix does not see.
fn verify(repository: &Repository, revision: &str) -> Result<Option<Oid>, Report> {
    let found = repository
        .reading("rev-parse")
        .args(["--verify", "--quiet", "--end-of-options", revision])
        .run_any()?;
    Ok(Oid::parse(found.text().trim()))
}

/// The tip of a local branch; `None` where there is no such branch.
pub fn find_branch_tip(
    repository: &Repository,
    branch: &BranchName,
) -> Result<Option<Oid>, Report> {
    find_commit(repository, &branch.full())
}

/// Whether git takes this as a branch's name.
pub fn is_valid_branch(branch: &BranchName) -> bool {
    !branch.0.starts_with('-')
        && branch.0 != "HEAD"
        && gix::validate::reference::name(branch.full().as_str().into()).is_ok()
}

/// Where a symbolic ref points, as a full name.
pub fn find_symbolic(repository: &Repository, full_name: &str) -> Option<String> {
    if repository.foreign_refs.is_some() {
        let asked = repository.reading("symbolic-ref").args(["--quiet", full_name]).run_any();
        return asked.ok().filter(|answer| answer.exit_code == 0).map(|answer| answer.text());
    }
    let local = repository.local();
    let reference = local.try_find_reference(full_name).ok()??;
    reference.target().try_name().map(|name| name.as_bstr().to_str_lossy().into_owned())
}

/// As deep as git itself follows them.
const SYMBOLIC_DEPTH_MAX: usize = 5;

/// The branch that git really moves under this name: branches that are symbolic refs are followed. The answer is
/// one itself only where it leads out of the branches, or in a circle.
pub fn follow(repository: &Repository, branch: &BranchName) -> BranchName {
    let mut branch = branch.clone();
    for _ in 0..SYMBOLIC_DEPTH_MAX {
        let next = find_symbolic(repository, &branch.full());
        match next.as_deref().and_then(BranchName::from_full) {
            Some(next) => branch = next,
            None => break,
        }
    }
    branch
}

/// Local branches with their tips.
pub fn read_branches(repository: &Repository) -> Result<Vec<(BranchName, Oid)>, Report> {
    if repository.foreign_refs.is_some() {
        let listed = repository
            .reading("for-each-ref")
            .args(["--format=%(objectname) %(refname)", "refs/heads"])
            .run()?
            .text();
        let branch = |line: &str| {
            let (oid, name) = line.split_once(' ')?;
            Some((BranchName::from_full(name)?, Oid::parse(oid)?))
        };
        return Ok(listed.lines().filter_map(branch).collect());
    }
    let local = repository.local();
    let platform = local.references().reading("the refs")?;
    let mut branches = Vec::new();
    for reference in platform.local_branches().reading("the branches")? {
        let mut reference = reference.reading("a branch")?;
        let name = reference.name().as_bstr().to_str_lossy().into_owned();
        // A branch whose object is missing is git's to report; it is no reason to fail the rest.
        if let (Some(branch), Ok(id)) = (BranchName::from_full(&name), reference.peel_to_id()) {
            branches.push((branch, oid(id)));
        }
    }
    Ok(branches)
}

/// Every best common ancestor, as `git merge-base --all`; empty where histories are unrelated.
pub fn merge_bases(repository: &Repository, one: &Oid, other: &Oid) -> Result<Vec<Oid>, Report> {
    merge_bases_in(&repository.local(), one, other)
}

pub(super) fn merge_bases_in(
    local: &gix::Repository,
    one: &Oid,
    other: &Oid,
) -> Result<Vec<Oid>, Report> {
    if one == other {
        return Ok(vec![one.clone()]);
    }
    let bases = local
        .merge_bases_many(object_id(one), &[object_id(other)])
        .reading(format!("the merge base of {one} and {other}"))?;
    Ok(bases.into_iter().map(oid).collect())
}

/// Commits that only one of the two has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distance {
    pub ahead: u32,
    pub behind: u32,
}

/// How many commits `tip` has that `target` lacks, and the other way round. `bases` are all their merge bases.
pub fn distance(
    repository: &Repository,
    target: &Oid,
    tip: &Oid,
    bases: &[Oid],
) -> Result<Distance, Report> {
    let local = repository.local();
    let histories = Histories::new(&local)?;
    let count = |from: &Oid, hidden: &Oid| -> Result<u32, Report> {
        if bases.contains(from) || from == hidden {
            return Ok(0);
        }
        let counted = if let Some(counted) = count_down_to(&histories, from, bases)? {
            counted
        } else {
            let behind = histories.read_all(hidden, &HashSet::new())?;
            histories.read_all(from, &behind)?.len()
        };
        Ok(u32::try_from(counted).unwrap_or(u32::MAX))
    };
    Ok(Distance { ahead: count(tip, target)?, behind: count(target, tip)? })
}

/// How many commits lie on the way down to the bases. `None` where a way leads past them: then some of these may be
/// in what lies behind the bases too, and only all of that can tell. Such a way ends at no base, so it is told by its
/// end, a commit without a parent; mostly a commit older than the bases tells it before.
fn count_down_to(
    histories: &Histories<'_>,
    from: &Oid,
    bases: &[Oid],
) -> Result<Option<usize>, Report> {
    let bases: Vec<gix::ObjectId> = bases.iter().map(object_id).collect();
    let mut oldest_s = i64::MAX;
    for base in &bases {
        oldest_s = oldest_s.min(histories.read_step(*base)?.time_s);
    }
    let mut seen = HashSet::from([object_id(from)]);
    let mut open = vec![object_id(from)];
    while let Some(id) = open.pop() {
        let Step { parents, time_s } = histories.read_step(id)?;
        let goes_on = !parents.iter().all(|id| bases.contains(id));
        if parents.is_empty() || (goes_on && time_s < oldest_s) {
            return Ok(None);
        }
        open.extend(parents.into_iter().filter(|id| !bases.contains(id) && seen.insert(*id)));
    }
    Ok(Some(seen.len()))
}

/// Commits as a walk sees them.
struct Histories<'a> {
    local: &'a gix::Repository,
    /// Where a shallow clone ends: parents of these are named, and not there.
    ends: HashSet<gix::ObjectId>,
}

struct Step {
    parents: Vec<gix::ObjectId>,
    time_s: i64,
}

impl<'a> Histories<'a> {
    fn new(local: &'a gix::Repository) -> Result<Self, Report> {
        let ends = local.shallow_commits().reading("the ends of a shallow clone")?;
        Ok(Self { local, ends: ends.iter().flat_map(|ends| ends.iter().copied()).collect() })
    }

    fn read_step(&self, id: gix::ObjectId) -> Result<Step, Report> {
        let what = || format!("commit {id}");
        let commit = self.local.find_commit(id).reading(what())?;
        let time_s = commit.time().reading(what())?.seconds;
        let parents = if self.ends.contains(&id) {
            Vec::new()
        } else {
            commit.parent_ids().map(gix::Id::detach).collect()
        };
        Ok(Step { parents, time_s })
    }

    /// The commit and all behind it, but for `known`, which holds everything behind its own. No date is trusted.
    fn read_all(
        &self,
        from: &Oid,
        known: &HashSet<gix::ObjectId>,
    ) -> Result<HashSet<gix::ObjectId>, Report> {
        let mut seen = HashSet::from([object_id(from)]);
        let mut open = vec![object_id(from)];
        while let Some(id) = open.pop() {
            let parents = self.read_step(id)?.parents.into_iter();
            open.extend(parents.filter(|id| !known.contains(id) && seen.insert(*id)));
        }
        Ok(seen)
    }
}

/// The commits that `tip` has and `target` lacks, newest first.
pub fn commits_between(
    repository: &Repository,
    target: &Oid,
    tip: &Oid,
) -> Result<Vec<Oid>, Report> {
    walk(&repository.local(), tip, target)
}

fn walk(local: &gix::Repository, from: &Oid, hidden: &Oid) -> Result<Vec<Oid>, Report> {
    let what = || format!("the history of {from}");
    let commits = local
        .rev_walk([object_id(from)])
        .with_hidden([object_id(hidden)])
        .sorting(gix::revision::walk::Sorting::ByCommitTime(
            gix::traverse::commit::simple::CommitTimeOrder::NewestFirst,
        ))
        .all()
        .reading(what())?;
    commits.map(|info| info.map(|info| oid(info.id)).reading(what())).collect()
}

/// Whether `ancestor` is reachable from `descendant` (or is it).
pub fn is_ancestor(
    repository: &Repository,
    ancestor: &Oid,
    descendant: &Oid,
) -> Result<bool, Report> {
    Ok(merge_bases(repository, ancestor, descendant)?.contains(ancestor))
}

/// When a commit was made, in milliseconds since the epoch.
pub fn commit_time_ms(repository: &Repository, commit: &Oid) -> Result<u64, Report> {
    let local = repository.local();
    let object = local.find_commit(object_id(commit)).reading(format!("commit {commit}"))?;
    let time = object.time().reading(format!("the date of {commit}"))?;
    Ok(u64::try_from(time.seconds).unwrap_or(0) * 1000)
}

/// What a commit says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub subject: String,
    pub author: String,
    pub time_ms: u64,
}

pub fn read_commit(repository: &Repository, commit: &Oid) -> Result<About, Report> {
    let local = repository.local();
    let what = || format!("commit {commit}");
    let object = local.find_commit(object_id(commit)).reading(what())?;
    let message = object.message().reading(what())?;
    let author = object.author().reading(what())?;
    Ok(About {
        subject: message.summary().to_str_lossy().into_owned(),
        author: author.name.to_str_lossy().into_owned(),
        time_ms: commit_time_ms(repository, commit)?,
    })
}

/// Also of a commit that only the private store has; `None` for a root.
pub fn first_parent(repository: &Repository, commit: &Oid) -> Result<Option<Oid>, Report> {
    let local = private::local(repository)?;
    let object = local.find_commit(object_id(commit)).reading(format!("commit {commit}"))?;
    Ok(object.parent_ids().next().map(oid))
}

/// The tree of a commit.
pub fn tree_of(repository: &Repository, commit: &Oid) -> Result<Oid, Report> {
    let local = repository.local();
    let commit_object = local.find_commit(object_id(commit)).reading(format!("commit {commit}"))?;
    let tree = commit_object.tree_id().reading(format!("the tree of {commit}"))?;
    Ok(oid(tree))
}
