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
    review::Conflict,
    shadow::Oid,
};

/// The tree of a step that conflicts, where all of it is settled; the conflicts come without their answers.
pub type Settle<'a> = &'a dyn Fn(&Oid, &mut [Conflict]) -> Result<Option<Oid>, Report>;

/// Replays what `tip` has and `target` lacks; the answer is the last new commit.
pub fn replay(
    repository: &Repository,
    target: &Oid,
    tip: &Oid,
    signing: &Signing,
    settle: Settle<'_>,
) -> Result<Oid, Report> {
    if is_linear_descendant(repository, target, tip)? {
        return Ok(tip.clone());
    }
    let mut onto = target.clone();
    for commit in commits_to_replay(repository, target, tip)? {
        onto = replay_one(repository, target, &onto, &commit, (signing, settle))?;
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
    (signing, settle): (&Signing, Settle<'_>),
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
    let merged = merge::predict_step(repository, target, [parent, onto, commit])?;
    let tree = if merged.clean {
        merged.tree
    } else {
        let mut conflicts = merged.conflicts;
        let settled = settle(&merged.tree, &mut conflicts)?;
        settled.ok_or_else(|| conflicted(commit, &facts, &conflicts))?
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

fn conflicted(commit: &Oid, facts: &Facts, conflicts: &[Conflict]) -> Report {
    let subject = facts.message.lines().next().unwrap_or_default();
    let open = conflicts.iter().filter(|conflict| conflict.resolution.is_none());
    let names: Vec<String> = open.map(|conflict| conflict.path.to_lossy()).collect();
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
