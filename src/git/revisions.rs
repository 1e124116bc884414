//! The names that commits have in a repository, and what a person's own words for one stand for in a shadow.

use super::{Repository, worktrees::Worktree};
use crate::{
    report::{Code, Report},
    review::{Against, Comparable},
    shadow::{BranchName, Oid},
};

/// Nobody looks through more; a name beyond these is typed.
const NAMES_MAX: usize = 2_000;

/// Branches, those of remotes too, and tags; the newest commit first.
pub fn read_names(repository: &Repository) -> Result<Vec<Comparable>, Report> {
    let output = repository
        .reading("for-each-ref")
        .arg(format!("--count={NAMES_MAX}"))
        .arg("--sort=-creatordate")
        .arg("--format=%(refname)%00%(objectname)%00%(*objectname)%00%(contents:subject)%00")
        .args(["refs/heads", "refs/remotes", "refs/tags"])
        .run()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split('\n').filter_map(|line| parse(&line.split('\0').collect::<Vec<_>>())).collect())
}

/// `None` for what no one compares with: the empty line at the end, or a remote's `HEAD`.
fn parse(fields: &[&str]) -> Option<Comparable> {
    let [name, object, peeled, subject, ..] = fields else { return None };
    let against = if let Some(branch) = name.strip_prefix("refs/heads/") {
        Against::Branch(BranchName(branch.to_owned()))
    } else if let Some(tag) = name.strip_prefix("refs/tags/") {
        Against::Tag(tag.to_owned())
    } else {
        let remote = name.strip_prefix("refs/remotes/").filter(|name| !name.ends_with("/HEAD"))?;
        Against::Revision(remote.to_owned())
    };
    let tip = Oid::parse(if peeled.is_empty() { object } else { peeled })?;
    Some(Comparable { against, tip, subject: (*subject).to_owned() })
}

/// The commit that `revision` names in the worktree.
pub fn find_commit(worktree: &Worktree, revision: &str) -> Result<Oid, Report> {
    let found = worktree
        .reading("rev-parse")
        .args(["--verify", "--quiet", "--end-of-options"])
        .arg(format!("{revision}^{{commit}}"))
        .run_any()?;
    Oid::parse(found.text().trim()).ok_or_else(|| {
        Report::user(Code::NotFound, format!("`{}` names no commit", revision.escape_debug()))
            .unchanged()
            .hint("choose a shadow, a branch or a tag, or write a commit as git takes it: `HEAD~2`")
            .detail("revision", revision)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_and_a_tag_is_its_commit() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let of = |line: String| parse(&line.split('\0').collect::<Vec<_>>());
        let tag = of(format!("refs/tags/v1\0{one}\0{two}\0first\0")).expect("a tag");
        assert_eq!((tag.against.words().as_str(), tag.tip.as_str()), ("tag v1", two.as_str()));
        let branch = of(format!("refs/heads/a/b\0{one}\0\0x\0")).expect("a branch");
        assert_eq!(branch.against, Against::Branch(BranchName("a/b".to_owned())));
        let remote = of(format!("refs/remotes/origin/main\0{one}\0\0x\0")).expect("a remote's");
        assert_eq!(remote.against, Against::Revision("origin/main".to_owned()));
        assert_eq!(of(format!("refs/remotes/origin/HEAD\0{one}\0\0x\0")), None);
        assert_eq!(of(String::new()), None);
    }
}
