//! The attributes that a commit brings along, as one name: merges are judged by them.

use gix::objs::tree::EntryKind;

use super::{
    Repository,
    refs::{Reading, object_id},
};
use crate::{report::Report, shadow::Oid};

const FILE: &[u8] = b".gitattributes";

/// The places and ids of all its attribute files. Two commits with equal ones are alike to a merge.
pub fn name_of(repository: &Repository, commit: &Oid) -> Result<String, Report> {
    let local = repository.local();
    let what = || format!("the attributes of {commit}");
    let commit = local.find_commit(object_id(commit)).reading(what())?;
    let mut open = vec![(Vec::new(), commit.tree_id().reading(what())?.detach())];
    let mut name = Vec::new();
    while let Some((path, id)) = open.pop() {
        let tree = local.find_tree(id).reading(what())?;
        for entry in tree.iter() {
            let entry = entry.reading(what())?;
            match entry.mode().kind() {
                EntryKind::Tree => {
                    let below = [&path[..], entry.filename(), b"/"].concat();
                    open.push((below, entry.object_id()));
                }
                EntryKind::Commit => {}
                _ if entry.filename() == FILE => {
                    name.extend([&path[..], entry.object_id().as_bytes(), b"\0"].concat());
                }
                _ => {}
            }
        }
    }
    let hash = gix::objs::compute_hash(local.object_hash(), gix::object::Kind::Blob, &name);
    hash.map(|id| id.to_hex().to_string()).reading(what())
}
