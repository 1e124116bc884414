//! One file of a tree by its path, also where nothing of it changed; and the names below a directory.

use super::{
    Repository,
    private::{self, Local},
    refs::{Reading, object_id, oid},
};
use crate::{
    report::Report,
    review::{Entry, Mode},
    shadow::{Oid, RepoPath},
};

/// `None` where the tree has no file of that path.
pub fn read_file(
    local: &Local,
    tree: &Oid,
    path: &RepoPath,
) -> Result<Option<(Oid, Vec<u8>)>, Report> {
    let root = local.find_tree(object_id(tree)).reading(format!("tree {tree}"))?;
    let found = root.lookup_entry_by_path(path.as_path()).reading(format!("tree {tree}"))?;
    let Some(entry) = found.filter(|entry| entry.mode().is_blob_or_symlink()) else {
        return Ok(None);
    };
    let id = oid(entry.object_id());
    let bytes = private::read_blob(local, &id)?;
    Ok(Some((id, bytes)))
}

/// What a commit or a tree has at a path.
pub fn read_entry(local: &Local, commit: &Oid, path: &RepoPath) -> Result<Option<Entry>, Report> {
    let what = || format!("the tree of {commit}");
    let object = local.find_object(object_id(commit)).reading(what())?;
    let tree = object.peel_to_tree().reading(what())?;
    let found = tree.lookup_entry_by_path(path.as_path()).reading(what())?;
    Ok(found.and_then(|entry| {
        let mode = Mode::parse_octal(&format!("{:06o}", entry.mode().value()))?;
        Some(Entry { mode, oid: oid(entry.object_id()) })
    }))
}

/// The files in a directory of a tree; none where it has no such directory.
pub fn read_below(
    repository: &Repository,
    tree: &Oid,
    directory: &RepoPath,
) -> Result<Vec<RepoPath>, Report> {
    let below = [directory.as_bytes(), b"/"].concat();
    let below = RepoPath::new(below);
    let output = repository
        .planning("ls-tree")
        .args(["-r", "-z", "--name-only", "--full-tree", tree.as_str(), "--"])
        .arg(below.as_path())
        .run()?;
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(RepoPath::new).collect())
}
