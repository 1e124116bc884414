//! The commits that a shadow has and its base lacks.

use super::Repository;
use crate::{
    report::{Code, Report},
    review::CommitLine,
    shadow::Oid,
};

/// Nobody chooses from more by hand.
const COMMITS_MAX: usize = 1_000;

/// Newest first, at most [`COMMITS_MAX`].
pub fn read_commits(
    repository: &Repository,
    base: &Oid,
    tip: &Oid,
) -> Result<Vec<CommitLine>, Report> {
    let output = repository
        .reading("log")
        .config("i18n.logOutputEncoding=UTF-8")
        .config("log.showSignature=false")
        .args(["-z", "--topo-order", "--no-notes", "--no-color"])
        .arg(format!("--max-count={COMMITS_MAX}"))
        .args(["--format=%H%x00%P%x00%an%x00%at%x00%s", "--end-of-options"])
        .arg(format!("{base}..{tip}"))
        .run()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let fields: Vec<&str> = text.split('\0').collect();
    fields.chunks_exact(5).map(|fields| parse(fields).ok_or_else(unreadable)).collect()
}

fn parse(fields: &[&str]) -> Option<CommitLine> {
    let [id, parents, author, time, subject] = fields else { return None };
    let seconds: i64 = time.parse().ok()?;
    Some(CommitLine {
        id: Oid::parse(id)?,
        parents: parents.split(' ').filter_map(Oid::parse).collect(),
        author: (*author).to_owned(),
        subject: (*subject).to_owned(),
        time_ms: u64::try_from(seconds).unwrap_or(0).saturating_mul(1_000),
    })
}

fn unreadable() -> Report {
    Report::environment(Code::Io, "git log's answer could not be read").unchanged()
}
