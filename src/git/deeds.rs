//! Which commit added or deleted a file since two histories parted: asked once for all files that one wants to know of.

use std::{collections::BTreeSet, time::Duration};

use super::Repository;
use crate::{
    report::{Code, Report},
    review::{CommitLine, FileStatus},
    shadow::{Oid, RepoPath},
};

/// A name that comes later is of no use: a long history is walked no longer.
const LOOK_MAX: Duration = Duration::from_secs(2);
const COMMITS_MAX: usize = 1_000;

/// One file that one commit added or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// Of the two tips: 0 or 1.
    pub side: usize,
    /// [`FileStatus::Added`] or [`FileStatus::Deleted`]; a rename is both.
    pub status: FileStatus,
    pub path: RepoPath,
    pub commit: CommitLine,
}

/// Of these files, and of all that lie below one of these names; the newest first. Nothing where git takes too long.
pub fn read_deeds(
    repository: &Repository,
    tips: [&Oid; 2],
    paths: &BTreeSet<RepoPath>,
) -> Result<Vec<Deed>, Report> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let run = repository
        .planning("log")
        .timeout(repository.timeout.min(LOOK_MAX))
        .config("i18n.logOutputEncoding=UTF-8")
        .config("log.showSignature=false")
        .args(["-z", "--left-right", "--no-renames", "--diff-filter=AD", "--name-status", "-r"])
        .args(["--no-notes", "--no-color", "--no-ext-diff", "--no-textconv"])
        .arg(format!("--max-count={COMMITS_MAX}"))
        .arg("--format=%x01%m%x00%H%x00%P%x00%an%x00%at%x00%s")
        .arg(format!("{}...{}", tips[0], tips[1]))
        .arg("--")
        .args(paths.iter().map(RepoPath::as_path))
        .run();
    match run {
        Ok(output) => parse(&output.stdout).ok_or_else(|| {
            Report::environment(Code::Io, "git log's answer could not be read").unchanged()
        }),
        Err(report) if report.code == Code::Timeout => Ok(Vec::new()),
        Err(report) => Err(report),
    }
}

/// `SOH mark NUL id NUL parents NUL author NUL time NUL subject NUL LF (status NUL path NUL)*`, again and again.
fn parse(bytes: &[u8]) -> Option<Vec<Deed>> {
    let mut fields = bytes.split(|byte| *byte == 0).peekable();
    let mut deeds = Vec::new();
    while let Some(first) = fields.next() {
        // What ends the last path.
        if first.is_empty() && fields.peek().is_none() {
            break;
        }
        let side = match first {
            b"\x01<" => 0,
            b"\x01>" => 1,
            _ => return None,
        };
        let mut text = || Some(String::from_utf8_lossy(fields.next()?).into_owned());
        let (id, parents, author, time, subject) = (text()?, text()?, text()?, text()?, text()?);
        let seconds: i64 = time.parse().ok()?;
        let commit = CommitLine {
            id: Oid::parse(&id)?,
            parents: parents.split(' ').filter_map(Oid::parse).collect(),
            author,
            subject,
            time_ms: u64::try_from(seconds).unwrap_or(0).saturating_mul(1_000),
        };
        while let Some(field) = fields.next_if(|field| !field.starts_with(b"\x01")) {
            let status = match field.strip_prefix(b"\n").unwrap_or(field) {
                b"A" => FileStatus::Added,
                b"D" => FileStatus::Deleted,
                b"" => continue,
                _ => return None,
            };
            let path = RepoPath::new(fields.next()?);
            deeds.push(Deed { side, status, path, commit: commit.clone() });
        }
    }
    Some(deeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_their_files_are_told_apart() {
        let id = "1".repeat(40);
        let commit =
            |mark: &str| format!("\x01{mark}\0{id}\0{id}\0Ana\07\0why\0\nD\0a\0A\0\x01b\0");
        let deeds = parse((commit("<") + &commit(">")).as_bytes()).unwrap();
        let told: Vec<_> =
            deeds.iter().map(|deed| (deed.side, deed.status, deed.path.to_lossy())).collect();
        let one = |side| {
            let names = [(FileStatus::Deleted, "a"), (FileStatus::Added, "\x01b")];
            names.map(|(status, name)| (side, status, name.to_owned()))
        };
        assert_eq!(told, [one(0), one(1)].concat());
        assert_eq!((deeds[0].commit.time_ms, &deeds[0].commit.subject[..]), (7_000, "why"));
        assert_eq!(parse(b"").unwrap(), []);
        assert_eq!(parse(b"nonsense"), None);
    }
}
