//! Names of a tree that are one name to a file system which folds them.

use std::collections::{BTreeMap, HashMap};

use super::{
    private::Local,
    refs::{Reading, object_id},
};
use crate::{
    report::Report,
    review::name::folded,
    shadow::{Oid, RepoPath},
};

/// The names of a directory by what they fold into.
type Directory = HashMap<Vec<u8>, Vec<Vec<u8>>>;

/// Of each path that has some: the file, or the first directory above it, beside which another of its name stands once
/// names are folded; and that other one. `tree` may be a commit.
pub fn twins(
    local: &Local,
    tree: &Oid,
    paths: &[&RepoPath],
) -> Result<BTreeMap<RepoPath, [RepoPath; 2]>, Report> {
    let mut known: HashMap<&[u8], Directory> = HashMap::new();
    let mut twins = BTreeMap::new();
    for path in paths {
        let bytes = path.as_bytes();
        let slashes = (0..bytes.len()).filter(|at| bytes[*at] == b'/');
        let mut start = 0;
        for end in slashes.chain([bytes.len()]) {
            let (above, name) = (&bytes[..start], &bytes[start..end]);
            if !known.contains_key(above) {
                known.insert(above, read_directory(local, tree, above)?);
            }
            let alike = known[above].get(&*folded(name)).map_or(&[][..], Vec::as_slice);
            if let Some(other) = alike.iter().find(|other| *other != name) {
                let twin = RepoPath::new([above, other].concat());
                twins.insert((*path).clone(), [RepoPath::new(&bytes[..end]), twin]);
                break;
            }
            start = end + 1;
        }
    }
    Ok(twins)
}

/// `path` ends in a slash; the top has none.
fn read_directory(local: &Local, tree: &Oid, path: &[u8]) -> Result<Directory, Report> {
    let mut names = Directory::new();
    let object = local.find_object(object_id(tree)).reading(format!("object {tree}"))?;
    let mut directory = object.peel_to_tree().reading(format!("the tree of {tree}"))?;
    if let Some(path) = path.strip_suffix(b"/").map(RepoPath::new) {
        let found = directory.lookup_entry_by_path(path.as_path()).reading(path.to_lossy())?;
        let Some(entry) = found.filter(|entry| entry.mode().is_tree()) else { return Ok(names) };
        let id = entry.object_id();
        directory = local.find_tree(id).reading(format!("tree {id}"))?;
    }
    for entry in directory.iter() {
        let name = entry.reading(format!("the tree of {tree}"))?.filename().to_vec();
        names.entry(folded(&name).into_owned()).or_default().push(name);
    }
    Ok(names)
}
