//! What `.gitattributes` of a tree say of paths. They are read from trees alone, and nothing here obeys them.

use super::{
    Repository,
    private::{self, Local},
    refs::{Reading, object_id},
};
use crate::{
    report::Report,
    shadow::{Oid, RepoPath},
};

/// Looking for more attribute files takes longer than asking git.
const FILES_MAX: usize = 64;

/// For each path the value of each of `names`, as git writes it: `set`, `unset`, `unspecified`, or a text.
pub fn read(
    repository: &Repository,
    source: &Oid,
    names: &[&str],
    paths: &[&RepoPath],
) -> Result<Vec<Vec<String>>, Report> {
    let mut input = Vec::new();
    for path in paths {
        input.extend_from_slice(path.as_bytes());
        input.push(0);
    }
    private::ensure(repository)?;
    let output = repository
        .planning("check-attr")
        .global(format!("--attr-source={source}"))
        // It asks for a worktree, and reads none of it.
        .work_tree(&repository.common_dir)
        .args(["--stdin", "-z"])
        .args(names)
        .input(input)
        .run()?;
    // Path, name and value, each with its NUL.
    let mut fields = output.stdout.split(|byte| *byte == 0).skip(2).step_by(3);
    let mut values = Vec::with_capacity(paths.len());
    for _ in paths {
        let of_path: Vec<String> = fields
            .by_ref()
            .take(names.len())
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect();
        if of_path.len() != names.len() {
            return Err("it ends early").reading("git check-attr's answer");
        }
        values.push(of_path);
    }
    Ok(values)
}

/// Whether any attribute file that counts for these paths holds the word: without it git need not be asked.
pub fn mention(local: &Local, tree: &Oid, word: &str, paths: &[&RepoPath]) -> Result<bool, Report> {
    let mut files: Vec<Vec<u8>> = vec![b".gitattributes".to_vec()];
    for path in paths.iter().map(|path| path.as_bytes()) {
        let slashes = (0..path.len()).filter(|at| path[*at] == b'/');
        files.extend(slashes.map(|at| [&path[..=at], b".gitattributes"].concat()));
    }
    files.sort();
    files.dedup();
    if files.len() > FILES_MAX {
        return Ok(true);
    }
    for file in files {
        let Some(id) = find(local, tree, &RepoPath::new(file))? else { continue };
        let text = private::read_blob(local, &id)?;
        if text.windows(word.len()).any(|part| part == word.as_bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the tree holds the path, a file or a directory.
pub fn holds(local: &Local, tree: &Oid, path: &RepoPath) -> Result<bool, Report> {
    find(local, tree, path).map(|found| found.is_some())
}

/// `tree` may be a commit.
fn find(local: &Local, tree: &Oid, path: &RepoPath) -> Result<Option<Oid>, Report> {
    let id = object_id(tree);
    if id.is_empty_tree() {
        return Ok(None);
    }
    let object = local.find_object(id).reading(format!("object {tree}"))?;
    let tree = object.peel_to_tree().reading(format!("the tree of {tree}"))?;
    let entry = tree.lookup_entry_by_path(path.as_path()).reading(path.to_lossy())?;
    Ok(entry.map(|entry| super::refs::oid(entry.oid())))
}
