//! A rebase worked out in the private object store: each commit replayed on the target, nothing checked out.
//! Author and date stay; merges are linearised, and commits that became empty are dropped, as git does.

use super::{
    Repository,
    commit::{Author, Draft, Signing},
    writer::parse_oid,
};
use crate::{
    report::{Code, Report},
    shadow::{Oid, RepoPath},
};

/// Replays what `tip` has and `target` lacks; the answer is the last new commit.
pub fn replay(
    repository: &Repository,
    target: &Oid,
    tip: &Oid,
    signing: &Signing,
) -> Result<Oid, Report> {
    if is_linear_descendant(repository, target, tip)? {
        return Ok(tip.clone());
    }
    let mut onto = target.clone();
    for commit in commits_to_replay(repository, target, tip)? {
        onto = replay_one(repository, target, &onto, &commit, signing)?;
    }
    Ok(onto)
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

fn replay_one(
    repository: &Repository,
    target: &Oid,
    onto: &Oid,
    commit: &Oid,
    signing: &Signing,
) -> Result<Oid, Report> {
    let facts = Facts::read(repository, commit)?;
    let Some(parent) = &facts.parent else {
        return Err(Report::user(
            Code::UnsupportedRepository,
            format!("commit {} has no parent and cannot be rebased", commit.abbreviated()),
        )
        .unchanged()
        .hint("land it with --strategy merge or squash"));
    };
    if parent == onto {
        return Ok(commit.clone());
    }
    let merged = repository
        .planning("merge-tree")
        .global(format!("--attr-source={target}"))
        .args(["--write-tree", "-z", "--name-only", "--no-messages"])
        .arg(format!("--merge-base={parent}"))
        .args([onto.as_str(), commit.as_str()])
        .run_any()?;
    let mut fields = merged.stdout.split(|byte| *byte == 0).filter(|field| !field.is_empty());
    let tree = fields.next().map(String::from_utf8_lossy).and_then(|hex| Oid::parse(hex.trim()));
    let tree = match (merged.exit_code, tree) {
        (0, Some(tree)) => tree,
        (1, Some(_)) => {
            return Err(conflicted(commit, &facts, &fields.map(RepoPath::new).collect::<Vec<_>>()));
        }
        _ => return Err(merged.failure()),
    };
    let became_empty =
        tree == read_tree(repository, onto)? && facts.tree != read_tree(repository, parent)?;
    if became_empty {
        return Ok(onto.clone());
    }
    let draft = Draft {
        tree: &tree,
        parents: &[onto],
        message: &facts.message,
        author: Some(&facts.author),
    };
    draft.write(repository, signing)
}

fn conflicted(commit: &Oid, facts: &Facts, files: &[RepoPath]) -> Report {
    let subject = facts.message.lines().next().unwrap_or_default();
    let names: Vec<String> = files.iter().map(RepoPath::to_lossy).collect();
    Report::user(
        Code::Conflicts,
        format!(
            "rebase stops at {} \"{subject}\": it conflicts in {}",
            commit.abbreviated(),
            names.join(", ")
        ),
    )
    .unchanged()
    .hint("the whole change may still merge: try --strategy squash or merge")
    .detail("commit", commit.as_str())
    .detail("files", names)
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
