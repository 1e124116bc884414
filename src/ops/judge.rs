//! The files of a change with all that is to be said of them: what they tell themselves, and what the target, the task
//! and the user's settings tell of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::AtomicBool,
};

use super::{Deck, ground::check};
use crate::{
    git::{
        attribute_values as attributes,
        diff::{self, Pair},
        folded, lines,
        private::{self, Local},
    },
    report::Report,
    review::{
        FileChange, FileDiff, FileStatus,
        fold::Marked,
        fold_rules::FoldRules,
        judge::{Attributes, Given, judge},
        task,
    },
    shadow::{Oid, RepoPath},
};

/// Whose change it is.
pub(super) struct Source<'a> {
    /// The commit whose attributes count.
    pub(super) target_tip: &'a Oid,
    pub(super) pair: &'a Pair,
    /// What its agent was asked for, or asks for.
    pub(super) task: Option<&'a str>,
}

/// With every changed line.
pub(super) fn read_files(
    deck: &Deck,
    source: &Source<'_>,
    cancel: &AtomicBool,
) -> Result<Vec<FileDiff>, Report> {
    let changes = diff::read_pair(&deck.repository, source.target_tip, source.pair)?;
    check(cancel)?;
    read_changes(deck, source, changes, cancel)
}

/// Of a pair whose changed files are known.
pub(super) fn read_changes(
    deck: &Deck,
    source: &Source<'_>,
    changes: Vec<FileChange>,
    cancel: &AtomicBool,
) -> Result<Vec<FileDiff>, Report> {
    let local = private::local(&deck.repository)?;
    let given = given(deck, &local, source, &changes)?;
    let mut files = Vec::with_capacity(changes.len());
    for change in changes {
        files.push(lines::read_file(&local, change, cancel)?);
    }
    judge(&mut files, &given);
    Ok(files)
}

/// What is known of the files from elsewhere.
pub(super) fn given(
    deck: &Deck,
    local: &Local,
    source: &Source<'_>,
    changes: &[FileChange],
) -> Result<Given, Report> {
    let config = &deck.config;
    Ok(Given {
        rules: FoldRules::new(&config.fold_patterns, &config.fold_never),
        named: named(local, source, changes)?,
        attributes: read_attributes(deck, local, source, changes)?,
        twins: twins(local, source, changes)?,
    })
}

/// Paths that the task names and one of the two sides has. A bare name is that of a file at the top, or of any changed
/// one.
fn named(
    local: &Local,
    source: &Source<'_>,
    changes: &[FileChange],
) -> Result<Vec<RepoPath>, Report> {
    let mut named = BTreeSet::new();
    for candidate in task::candidates(source.task.unwrap_or_default()) {
        let path = RepoPath::new(candidate.as_bytes());
        let sides = [&source.pair.old, &source.pair.new];
        for side in sides {
            if attributes::holds(local, side, &path)? {
                named.insert(path.clone());
            }
        }
        if !candidate.contains('/') {
            let paths = changes.iter().map(|change| &change.path);
            named.extend(paths.filter(|path| is_called(path, &candidate)).cloned());
        }
    }
    Ok(named.into_iter().collect())
}

/// Of names that the change brings; those that clashed before are nobody's news.
fn twins(
    local: &Local,
    source: &Source<'_>,
    changes: &[FileChange],
) -> Result<BTreeMap<RepoPath, [RepoPath; 2]>, Report> {
    let is_new = |change: &&FileChange| {
        let status = change.status;
        matches!(status, FileStatus::Added | FileStatus::Renamed(_) | FileStatus::Copied(_))
    };
    let paths: Vec<&RepoPath> = changes.iter().filter(is_new).map(|change| &change.path).collect();
    folded::twins(local, &source.pair.new, &paths)
}

fn is_called(path: &RepoPath, name: &str) -> bool {
    path.as_path().file_name().is_some_and(|own| own == name)
}

/// That keep a file out of a diff, an archive or a reviewer's sight, or show other bytes than git keeps.
const HIDING: [&str; 5] =
    ["diff", "export-ignore", "linguist-generated", "linguist-vendored", "working-tree-encoding"];

/// git is asked only where an attribute file could say something.
fn read_attributes(
    deck: &Deck,
    local: &Local,
    source: &Source<'_>,
    changes: &[FileChange],
) -> Result<BTreeMap<RepoPath, Attributes>, Report> {
    let paths: Vec<&RepoPath> = changes.iter().map(|change| &change.path).collect();
    let writes =
        |change: &FileChange| change.new.is_some() && is_called(&change.path, ".gitattributes");
    let hides = changes.iter().any(writes);
    if !hides && !attributes::mention(local, source.target_tip, "linguist-", &paths)? {
        return Ok(BTreeMap::new());
    }
    let of_target = attributes::read(&deck.repository, source.target_tip, &HIDING, &paths)?;
    let of_shadow = if hides {
        attributes::read(&deck.repository, &source.pair.new, &HIDING, &paths)?
    } else {
        of_target.clone()
    };
    let mut all = BTreeMap::new();
    for ((path, target), shadow) in paths.into_iter().zip(&of_target).zip(&of_shadow) {
        let marked = Marked { generated: is_true(&target[2]), vendored: is_true(&target[3]) };
        all.insert(path.clone(), Attributes { marked, hide: hiding(target, shadow) });
    }
    Ok(all)
}

fn is_true(value: &str) -> bool {
    matches!(value, "set" | "true")
}

/// Those that the target does not give to the file, as they are written.
fn hiding(target: &[String], shadow: &[String]) -> Vec<String> {
    let written = |(name, value): (&str, &str)| match (name, value) {
        (_, "unspecified") | ("diff", "set") | ("working-tree-encoding", "unset") => None,
        ("diff", "unset") => Some("-diff".to_owned()),
        ("diff" | "working-tree-encoding", value) => Some(format!("{name}={value}")),
        (name, value) => is_true(value).then(|| name.to_owned()),
    };
    HIDING
        .into_iter()
        .zip(target.iter().zip(shadow))
        .filter(|(_, (target, shadow))| target != shadow)
        .filter_map(|(name, (_, shadow))| written((name, shadow)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_shadow_adds_and_what_hides_is_told() {
        let values = |values: [&str; 5]| values.map(str::to_owned).to_vec();
        let plain = values(["unspecified"; 5]);
        let hides = values(["unset", "set", "true", "false", "UTF-16"]);
        assert_eq!(
            hiding(&plain, &hides),
            ["-diff", "export-ignore", "linguist-generated", "working-tree-encoding=UTF-16"]
        );
        assert_eq!(hiding(&hides, &hides), Vec::<String>::new());
        assert_eq!(hiding(&hides, &plain), Vec::<String>::new());
    }
}
