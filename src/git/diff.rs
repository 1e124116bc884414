//! What changed between two trees, in git's own names and counts: one `diff-tree` is asked many pairs.
//! Renames and numbers come from the same process, so they cannot disagree. No driver of any config runs.

use std::collections::BTreeMap;

use super::{
    Repository,
    command::{Git, Running},
    private,
    refs::{self, Reading, object_id},
};
use crate::{
    report::Report,
    review::{Copied, Copies, Entry, FileChange, FileStatus, Format, Mode},
    shadow::{Oid, RepoPath},
};

/// git's own limit for inexact renames; given by hand so that no configuration shifts the result.
const RENAME_LIMIT: &str = "-l1000";

/// Where added files times all files are more than the square of this, copies are looked for among changed files alone.
const COPY_LIMIT: &str = "-l300";

/// Two trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    pub old: Oid,
    pub new: Oid,
}

/// A `diff-tree` for each tree whose attributes count, started at its first pair and asked one after the other.
pub struct Comparisons<'a> {
    pub(super) repository: &'a Repository,
    running: BTreeMap<Oid, Running>,
    /// git repeats a line that names no object, and sends with it all that it still holds back. No file's name can
    /// be made to be this one.
    mark: String,
}

impl<'a> Comparisons<'a> {
    pub fn new(repository: &'a Repository) -> Self {
        let mark = format!("end of answer {}\n", ulid::Ulid::generate());
        Self { repository, running: BTreeMap::new(), mark }
    }

    /// The changed files, by path. Attributes are those of `attributes`, a tree that no shadow can change.
    pub fn read(&mut self, attributes: &Oid, pair: &Pair) -> Result<Vec<FileChange>, Report> {
        // diff-tree reads a line that begins with a commit as that commit and its parents.
        let pair = tree_pair(&private::local(self.repository)?, pair)?;
        let mut running = match self.running.remove(attributes) {
            Some(running) => running,
            None => comparing(self.repository, attributes)
                .args(["--stdin", "-r", "--raw", "--numstat", "-z", "--no-abbrev"])
                .start()?,
        };
        running.write(format!("{} {}\n{}", pair.old, pair.new, self.mark).as_bytes())?;
        let Some(answer) = running.read_up_to(self.mark.as_bytes())? else {
            return Err(running.end()?.failure());
        };
        let changes =
            parse_pair(&mut answer.as_slice(), &pair).reading("git diff-tree's answer")?;
        // Only one that was understood is asked again.
        self.running.insert(attributes.clone(), running);
        Ok(changes)
    }
}

fn tree_pair(local: &private::Local, pair: &Pair) -> Result<Pair, Report> {
    let tree = |id: &Oid| {
        if object_id(id).is_empty_tree() {
            return Ok(id.clone());
        }
        let object = local.find_object(object_id(id)).reading(format!("object {id}"))?;
        object.peel_to_tree().map(|tree| refs::oid(tree.id)).reading(format!("the tree of {id}"))
    };
    Ok(Pair { old: tree(&pair.old)?, new: tree(&pair.new)? })
}

/// git's own text of the change.
pub fn read_text(
    repository: &Repository,
    attributes: &Oid,
    pair: &Pair,
    format: Format,
) -> Result<Vec<u8>, Report> {
    private::ensure(repository)?;
    Ok(telling(repository, attributes, pair, format).run()?.stdout)
}

/// Of these files alone.
pub fn read_text_of(
    repository: &Repository,
    attributes: &Oid,
    pair: &Pair,
    format: Format,
    paths: &[&RepoPath],
) -> Result<Vec<u8>, Report> {
    // No path at all would mean all of them.
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    private::ensure(repository)?;
    let paths = paths.iter().map(|path| path.as_path());
    let told = telling(repository, attributes, pair, format).arg("--").args(paths);
    Ok(told.run()?.stdout)
}

fn telling(repository: &Repository, attributes: &Oid, pair: &Pair, format: Format) -> Git {
    let options: &[&str] = match format {
        Format::Patch => &["-p", "--binary", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"],
        Format::Stat => &["--stat"],
        Format::Numstat => &["--numstat"],
        Format::NameStatus => &["--name-status"],
    };
    comparing(repository, attributes)
        .arg("-r")
        .args(options)
        .args([pair.old.as_str(), pair.new.as_str()])
}

/// The added files that are copies, also of files that did not change. Attributes are those of the old tree.
pub fn read_copies(repository: &Repository, pair: &Pair) -> Result<Copies, Report> {
    private::ensure(repository)?;
    let output = comparing(repository, &pair.old)
        .args(["--find-copies-harder", COPY_LIMIT, "--diff-filter=C", "-r", "--raw", "-z"])
        .args(["--no-abbrev", pair.old.as_str(), pair.new.as_str()])
        .run()?;
    parse_copies(&output.stdout).reading("git diff-tree's answer")
}

/// The renames of the whole change, as a merge of it sees them: the old name, then the new one.
pub fn read_renames(
    repository: &Repository,
    pair: &Pair,
) -> Result<Vec<(RepoPath, RepoPath)>, Report> {
    private::ensure(repository)?;
    let output = comparing(repository, &pair.old)
        .args(["--diff-filter=R", "-r", "--raw", "-z", "--no-abbrev"])
        .args([pair.old.as_str(), pair.new.as_str()])
        .run()?;
    parse_renames(&output.stdout).reading("git diff-tree's answer")
}

fn parse_renames(mut rest: &[u8]) -> Result<Vec<(RepoPath, RepoPath)>, &'static str> {
    let mut renames = Vec::new();
    while let Some(record) = rest.strip_prefix(b":") {
        rest = record;
        let change = parse_raw(&mut rest)?;
        renames.extend(change.old_path.map(|old| (old, change.path)));
    }
    if rest.is_empty() { Ok(renames) } else { Err("there is more of it than files") }
}

fn parse_copies(mut rest: &[u8]) -> Result<Copies, &'static str> {
    let mut copies = Copies::new();
    while let Some(record) = rest.strip_prefix(b":") {
        rest = record;
        if let FileChange {
            path,
            old_path: Some(from),
            status: FileStatus::Copied(similarity),
            ..
        } = parse_raw(&mut rest)?
        {
            copies.insert(path, Copied { from, similarity });
        }
    }
    if rest.is_empty() { Ok(copies) } else { Err("there is more of it than files") }
}

fn comparing(repository: &Repository, attributes: &Oid) -> Git {
    repository.planning("diff-tree").global(format!("--attr-source={attributes}")).args([
        "-M",
        RENAME_LIMIT,
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--diff-algorithm=myers",
        "--ignore-submodules=none",
        "--submodule=short",
    ])
}

/// `old SP new LF`, then the raw records, then the numstat records.
fn parse_pair(rest: &mut &[u8], pair: &Pair) -> Result<Vec<FileChange>, &'static str> {
    let header = format!("{} {}\n", pair.old, pair.new);
    *rest = rest.strip_prefix(header.as_bytes()).ok_or("a pair is missing")?;
    let mut changes = Vec::new();
    while let Some(record) = rest.strip_prefix(b":") {
        *rest = record;
        changes.push(parse_raw(rest)?);
    }
    for change in &mut changes {
        parse_numstat(rest, change)?;
    }
    if rest.is_empty() { Ok(changes) } else { Err("there is more of it than files") }
}

fn field<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], &'static str> {
    let end = rest.iter().position(|byte| *byte == 0).ok_or("it ends early")?;
    let (field, tail) = rest.split_at(end);
    *rest = &tail[1..];
    Ok(field)
}

/// `old-mode new-mode old-oid new-oid status NUL path NUL`, for renames with two paths.
fn parse_raw(rest: &mut &[u8]) -> Result<FileChange, &'static str> {
    let head = std::str::from_utf8(field(rest)?).map_err(|_| "a raw record is not text")?;
    let [old_mode, new_mode, old_oid, new_oid, status] = head.split(' ').collect::<Vec<_>>()[..]
    else {
        return Err("a raw record has not five parts");
    };
    let (letter, score) = status.split_at(1);
    let score: u8 = if score.is_empty() { 100 } else { score.parse().map_err(|_| "a score")? };
    let status = match letter {
        "A" => FileStatus::Added,
        "D" => FileStatus::Deleted,
        "M" => FileStatus::Modified,
        "T" => FileStatus::TypeChanged,
        "R" => FileStatus::Renamed(score),
        "C" => FileStatus::Copied(score),
        _ => return Err("an unknown status"),
    };
    let first = RepoPath::new(field(rest)?);
    let (path, old_path) = match status {
        FileStatus::Renamed(_) | FileStatus::Copied(_) => {
            (RepoPath::new(field(rest)?), Some(first))
        }
        _ => (first, None),
    };
    Ok(FileChange {
        path,
        old_path,
        status,
        old: parse_entry(old_mode, old_oid)?,
        new: parse_entry(new_mode, new_oid)?,
        insertions: 0,
        deletions: 0,
        binary: false,
    })
}

fn parse_entry(mode: &str, oid: &str) -> Result<Option<Entry>, &'static str> {
    if mode == "000000" {
        return Ok(None);
    }
    // Old trees may hold group-writable files: git treats them as plain ones.
    let mode = Mode::parse_octal(mode)
        .or_else(|| mode.starts_with("1006").then_some(Mode::File))
        .or_else(|| mode.starts_with("1007").then_some(Mode::Executable))
        .ok_or("an unknown mode")?;
    let oid = Oid::parse(oid).ok_or("an object id")?;
    Ok(Some(Entry { mode, oid }))
}

/// `insertions TAB deletions TAB path NUL`, for renames `… TAB NUL old NUL new NUL`.
fn parse_numstat(rest: &mut &[u8], change: &mut FileChange) -> Result<(), &'static str> {
    let record = field(rest)?;
    let mut parts = record.splitn(3, |byte| *byte == b'\t');
    let mut count = || parts.next().and_then(|part| std::str::from_utf8(part).ok());
    let (insertions, deletions) =
        (count().ok_or("a count is missing")?, count().ok_or("a count is missing")?);
    let named = parts.next().ok_or("a count has no path")?;
    if named.is_empty() {
        field(rest)?;
        field(rest)?;
    } else if named != change.path.as_bytes() {
        return Err("counts and files are not in the same order");
    }
    change.binary = insertions == "-";
    if !change.binary {
        change.insertions = insertions.parse().map_err(|_| "a count is no number")?;
        change.deletions = deletions.parse().map_err(|_| "a count is no number")?;
    }
    Ok(())
}

/// The changes of one pair.
pub fn read_pair(
    repository: &Repository,
    attributes: &Oid,
    pair: &Pair,
) -> Result<Vec<FileChange>, Report> {
    Comparisons::new(repository).read(attributes, pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_parsed_with_renames_binaries_and_odd_names() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let pair = Pair { old: Oid::parse(&one).unwrap(), new: Oid::parse(&two).unwrap() };
        let text = format!(
            "{one} {two}\n:100644 100755 {one} {two} M|a\tb\n|:100644 100644 {one} {one} R087|x|y|\
             -\t-\ta\tb\n|3\t1\t|x|y|"
        );
        let bytes: Vec<u8> = text.bytes().map(|b| if b == b'|' { 0 } else { b }).collect();
        let mut rest = bytes.as_slice();
        let changes = parse_pair(&mut rest, &pair).unwrap();
        assert!(rest.is_empty());
        assert_eq!(changes[0].path.as_bytes(), b"a\tb\n");
        assert!(changes[0].binary && changes[0].status == FileStatus::Modified);
        assert_eq!(changes[1].status, FileStatus::Renamed(87));
        assert_eq!(changes[1].old_path, Some(RepoPath::new("x")));
        assert_eq!((changes[1].insertions, changes[1].deletions), (3, 1));
    }
}
