//! Moves what a plan made from the private object store into the repository's own, before any ref names it.
//! What leaves here is complete: git itself has walked it with the repository's own objects alone.

use std::{fs::File, path::Path, time::SystemTime};

use super::{
    Repository, private, unfinished,
    writer::{self, Writer},
};
use crate::{
    report::{Code, Doing, Report},
    shadow::Oid,
};

/// Packs everything that `wanted` (commits or trees) reaches and no ref does, and checks that all of it arrived.
pub fn migrate(repository: &Repository, writer: &Writer<'_>, wanted: &[Oid]) -> Result<(), Report> {
    if wanted.is_empty() {
        return Ok(());
    }
    private::ensure(repository)?;
    let wanted: String = writer::lines(wanted);
    let listed = repository
        .planning("rev-list")
        .args(["--objects", "--no-object-names"])
        .args(promised(repository))
        .args(["--single-worktree", "--stdin", "--not", "--all"])
        .input(wanted.clone())
        .run()?;
    if !listed.stdout.is_empty() {
        pack(repository, writer, listed.stdout)?;
    }
    check(repository, &wanted)
}

/// In a partial clone, what the remote has promised is no gap.
fn promised(repository: &Repository) -> Option<&'static str> {
    repository.settings.is_partial_clone().then_some("--exclude-promisor-objects")
}

fn pack(repository: &Repository, writer: &Writer<'_>, listed: Vec<u8>) -> Result<(), Report> {
    let objects = repository.common_dir.join("objects");
    let packs = objects.join("pack");
    let since = SystemTime::now();
    let packed = writer
        .quiet("pack-objects")?
        .git_dir(&repository.common_dir)
        .dir(&repository.common_dir)
        // The other way round than in planning: a pack is written where it is to be, not renamed into it.
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.private_alternate())
        .args(["--quiet", "--non-empty"])
        .arg(packs.join("pack"))
        .input(listed)
        .run();
    if let Err(report) = packed {
        // What cannot be removed now is git's own gc's.
        let _ = unfinished::drop_own(repository, since);
        return Err(report);
    }
    sync_dir(&packs)
}

fn sync_dir(dir: &Path) -> Result<(), Report> {
    File::open(dir).and_then(|dir| dir.sync_all()).doing(format!("sync {}", dir.display()))
}

/// In the plain environment: what only the private store holds is missing here.
fn check(repository: &Repository, wanted: &str) -> Result<(), Report> {
    let output = repository
        .reading("rev-list")
        .args(["--objects", "--quiet"])
        .args(promised(repository))
        .args(["--single-worktree", "--stdin", "--not", "--all"])
        .input(wanted)
        .run_any()?;
    if output.exit_code == 0 {
        return Ok(());
    }
    let failure = output.failure();
    Err(Report {
        code: Code::GitFailed,
        headline: "the result did not reach the repository's own objects whole".to_owned(),
        ..failure
    }
    .safe("no branch was moved and nothing is lost")
    .hint("`git fsck` says whether the repository is sound"))
}
