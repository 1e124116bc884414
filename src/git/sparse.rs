//! Files that lie outside of a sparse checkout all the same: git takes them away as soon as it moves an index that has
//! them, and puts none of them back.

use std::collections::HashSet;

use super::{Repository, obstacles::Place};
use crate::{
    report::{Code, Report},
    shadow::{Oid, RepoPath},
};

/// Of what a shadow holds, the files that a move of its index would take away for good.
pub fn refuse_outside(
    repository: &Repository,
    place: &Place,
    snapshot: &Oid,
) -> Result<(), Report> {
    if !is_sparse(place)? {
        return Ok(());
    }
    let listed = repository
        .planning("ls-tree")
        .args(["-r", "-z", "--name-only", "--full-tree", snapshot.as_str()])
        .run()?
        .stdout;
    let listed_paths = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let written = listed_paths.map(|name| RepoPath::new(name.to_vec())).filter(|path| {
        let full = place.worktree.join(path.as_path());
        full.symlink_metadata().is_ok_and(|about| !about.is_dir())
    });
    let outside = find_outside(place, written.collect())?;
    if outside.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = outside.iter().map(RepoPath::to_lossy).collect();
    Err(Report::user(
        Code::WrongState,
        format!(
            "files outside of the sparse checkout of {} would be taken away: {}",
            place.worktree.display(),
            named.join(", ")
        ),
    )
    .unchanged()
    .hint("take them in there: `git sparse-checkout add` their directory, or `git sparse-checkout disable`")
    .detail("files", named))
}

/// Those of the paths that git would not write there.
pub fn find_outside(place: &Place, paths: Vec<RepoPath>) -> Result<Vec<RepoPath>, Report> {
    if paths.is_empty() || !is_sparse(place)? {
        return Ok(Vec::new());
    }
    let listed_paths: Vec<u8> =
        paths.iter().flat_map(|path| [path.as_bytes(), &[0]].concat()).collect();
    let listed = place
        .reading("sparse-checkout")
        .args(["check-rules", "-z"])
        .input(listed_paths)
        .run()?
        .stdout;
    let inside: HashSet<&[u8]> = listed.split(|byte| *byte == 0).collect();
    Ok(paths.into_iter().filter(|path| !inside.contains(path.as_bytes())).collect())
}

fn is_sparse(place: &Place) -> Result<bool, Report> {
    Ok(place.git_dir.join("info/sparse-checkout").exists()
        && place.settings()?.is_true("core.sparsecheckout"))
}
