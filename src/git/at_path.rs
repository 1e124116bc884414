//! One file of a tree by its path, also where nothing of it changed.

use super::{
    private::{self, Local},
    refs::{Reading, object_id, oid},
};
use crate::{
    report::Report,
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
