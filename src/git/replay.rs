//! A rebase worked out in the private object store: each commit replayed on the target, nothing checked out.
//! Author and date stay; merges are linearised, and commits that became empty are dropped, as git does.

use super::{
    Repository,
    commit::{Author, Draft, Signing},
    merge,
    writer::parse_oid,
};
use crate::{
    report::{Code, Report},
    review::{Conflict, RebaseStep},
    shadow::Oid,
};

/// A commit that conflicts with what it is replayed on.
#[derive(Clone, Debug)]
pub struct Step {
    pub name: RebaseStep,
    /// Its merge with that, markers and all.
    pub merged: Oid,
    pub conflicts: Vec<Conflict>,
}

/// The tree of a step that conflicts, where all of it is settled; the conflicts come without their answers.
pub type Settle<'a> = &'a dyn Fn(&mut Step) -> Result<Option<Oid>, Report>;

/// How far a replay came.
#[derive(Debug)]
pub struct Replay {
    /// The steps that conflict and are settled, in order.
    pub settled: Vec<Step>,
    pub end: End,
}

#[derive(Debug)]
pub enum End {
    /// The last new commit.
    Tip(Oid),
    /// What conflicts here is not settled.
    Stop(Box<Step>),
}

impl Replay {
    /// All that conflict, as far as it came.
    pub fn into_steps(self) -> Vec<Step> {
        let Self { mut settled, end } = self;
        if let End::Stop(step) = end {
            settled.push(*step);
        }
        settled
    }
}

/// Replays what `tip` has and `target` lacks, up to the first step that is not settled.
pub fn replay(
    repository: &Repository,
    target: &Oid,
    tip: &Oid,
    signing: &Signing,
    settle: Settle<'_>,
) -> Result<Replay, Report> {
    let mut settled = Vec::new();
    if is_linear_descendant(repository, target, tip)? {
        return Ok(Replay { settled, end: End::Tip(tip.clone()) });
    }
    let mut onto = target.clone();
    let commits = commits_to_replay(repository, target, tip)?;
    for (index, commit) in commits.iter().enumerate() {
        let facts = Facts::read(repository, commit)?;
        let parent = facts.parent(commit)?;
        if *parent == onto {
            onto = commit.clone();
            continue;
        }
        let merged = merge::predict_step(repository, target, [parent, &onto, commit])?;
        let tree = if merged.clean {
            merged.tree
        } else {
            let subject = facts.message.lines().next().unwrap_or_default().to_owned();
            let (number, of) = (index + 1, commits.len());
            let (commit, onto) = (commit.clone(), onto.clone());
            let name = RebaseStep { number, of, commit, subject, onto };
            let mut step = Step { name, merged: merged.tree, conflicts: merged.conflicts };
            let Some(tree) = settle(&mut step)? else {
                return Ok(Replay { settled, end: End::Stop(Box::new(step)) });
            };
            settled.push(step);
            tree
        };
        onto = facts.write(repository, &onto, &tree, signing)?;
    }
    Ok(Replay { settled, end: End::Tip(onto) })
}

fn is_linear_descendant(repository: &Repository, target: &Oid, tip: &Oid) -> Result<bool, Report> {
    let merges = |args: &[&str]| -> Result<String, Report> {
        Ok(repository.planning("rev-list").args(args).run()?.text())
    };
    let range = format!("{target}..{tip}");
    let missing = format!("{tip}..{target}");
    Ok(merges(&["--max-count=1", "--end-of-options", &missing])?.is_empty()
        && merges(&["--max-count=1", "--merges", "--end-of-options", &range])?.is_empty())
}

/// As `git rebase` chooses them: oldest first, without merges and without what the target has as a patch.
fn commits_to_replay(repository: &Repository, target: &Oid, tip: &Oid) -> Result<Vec<Oid>, Report> {
    let listed = repository
        .planning("rev-list")
        .args(["--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only"])
        .args(["--end-of-options", &format!("{target}...{tip}")])
        .run()?;
    Ok(listed.text().lines().filter_map(Oid::parse).collect())
}

/// Reads in the private store too, where git's own answer is needed.
fn read_tree(repository: &Repository, commit: &Oid) -> Result<Oid, Report> {
    let text = repository
        .planning("rev-parse")
        .args(["--verify", "--end-of-options", &format!("{commit}^{{tree}}")])
        .run()?
        .text();
    parse_oid(&text)
}

/// What of a commit goes into its replayed form.
struct Facts {
    parent: Option<Oid>,
    tree: Oid,
    author: Author,
    message: String,
}

impl Facts {
    fn parent(&self, commit: &Oid) -> Result<&Oid, Report> {
        self.parent.as_ref().ok_or_else(|| {
            Report::user(
                Code::UnsupportedRepository,
                format!("commit {} has no parent and cannot be rebased", commit.abbreviated()),
            )
            .unchanged()
            .hint("land it with --strategy merge or squash")
        })
    }

    /// The commit anew, with this tree; `onto` itself where nothing is left of it.
    fn write(
        &self,
        repository: &Repository,
        onto: &Oid,
        tree: &Oid,
        signing: &Signing,
    ) -> Result<Oid, Report> {
        let was_empty = || -> Result<bool, Report> {
            let Some(parent) = &self.parent else { return Ok(false) };
            Ok(self.tree == read_tree(repository, parent)?)
        };
        if *tree == read_tree(repository, onto)? && !was_empty()? {
            return Ok(onto.clone());
        }
        let author = Some(&self.author);
        Draft { tree, parents: &[onto], message: &self.message, author }.write(repository, signing)
    }

    fn read(repository: &Repository, commit: &Oid) -> Result<Self, Report> {
        let text = repository
            .planning("show")
            .config("i18n.logOutputEncoding=UTF-8")
            .config("log.showSignature=false")
            .args(["--no-patch", "--no-notes", "--date=raw"])
            .args(["--format=%P%x00%T%x00%an%x00%ae%x00%ad%x00%B", "--end-of-options"])
            .arg(commit.as_str())
            .run()?;
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        let mut fields = text.splitn(6, '\0').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let parents = next();
        let tree = next();
        let author = [next(), next(), next()];
        let message = next();
        Ok(Self {
            parent: parents.split(' ').next().and_then(Oid::parse),
            tree: parse_oid(&tree)?,
            author,
            message: message.strip_suffix('\n').unwrap_or(&message).to_owned(),
        })
    }
}
