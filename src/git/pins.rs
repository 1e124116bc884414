//! Refs under `refs/shadowdeck/<operation>/` that keep alive whatever undo needs: commits, trees, what only an
//! index or a reflog knows. They name objects of the repository's own store, never of the private one.

use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::Path,
};

use super::{
    Repository,
    command::Git,
    private,
    worktrees::Worktree,
    writer::{self, Writer, parse_oid},
};
use crate::{
    report::{Doing, Report},
    shadow::{Oid, OperationId},
};

/// Files of a registration larger than this are no list of object ids (git's own are far smaller).
const ADMIN_FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// An object and the last part of the ref that pins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub name: String,
    pub oid: Oid,
}

impl Pin {
    pub fn new(name: impl Into<String>, oid: Oid) -> Self {
        Self { name: name.into(), oid }
    }

    pub fn full_name(&self, operation: OperationId) -> String {
        format!("{}{}", prefix(operation), self.name)
    }
}

fn prefix(operation: OperationId) -> String {
    format!("refs/shadowdeck/{operation}/")
}

/// Everything that this worktree's registration names and its tip does not reach: stages of its index, reflogs
/// of its HEAD and branch, its own refs, the heads of what is under way. `label` keeps several shadows apart.
pub fn of_worktree(
    repository: &Repository,
    worktree: &Worktree,
    label: &str,
) -> Result<Vec<Pin>, Report> {
    let mut named = BTreeSet::new();
    collect_oids(&worktree.admin_dir, &mut named)?;
    if let Some(branch) = worktree.head.branch() {
        let log = repository.common_dir.join("logs").join(branch.full());
        collect_from_file(&log, &mut named)?;
    }
    let mut pins = Vec::new();
    if let Some(tip) = worktree.head.tip() {
        pins.push(Pin::new(format!("{label}/tip"), tip.clone()));
        for (count, oid) in loose_heads(repository, &named, tip)?.into_iter().enumerate() {
            pins.push(Pin::new(format!("{label}/log-{count}"), oid));
        }
        if let Some(tree) = index_tree(repository, worktree, tip)? {
            pins.push(Pin::new(format!("{label}/index"), tree));
        }
    }
    Ok(pins)
}

/// Writes the pins, synced. Migrate what they name first.
pub fn write(
    repository: &Repository,
    writer: &Writer<'_>,
    operation: OperationId,
    pins: &[Pin],
) -> Result<(), Report> {
    let creations =
        pins.iter().map(|pin| format!("create {} {}\n", pin.full_name(operation), pin.oid));
    change(repository, writer, operation, creations.collect())
}

/// The operations that pin anything. Other refs below `refs/shadowdeck/` are left out.
pub fn read_operations(repository: &Repository) -> Result<BTreeSet<OperationId>, Report> {
    let listed = repository
        .reading("for-each-ref")
        .args(["--format=%(refname)", "refs/shadowdeck"])
        .run()?;
    let names = listed.text();
    let operation =
        |name: &str| OperationId::parse(name.strip_prefix("refs/shadowdeck/")?.split('/').next()?);
    Ok(names.lines().filter_map(operation).collect())
}

/// Lets go of all that an operation pinned.
pub fn delete(
    repository: &Repository,
    writer: &Writer<'_>,
    operation: OperationId,
) -> Result<(), Report> {
    let listed = repository
        .reading("for-each-ref")
        .arg("--format=delete %(refname)")
        .arg(prefix(operation).trim_end_matches('/'))
        .run()?;
    change(repository, writer, operation, listed.text() + "\n")
}

fn change(
    repository: &Repository,
    writer: &Writer<'_>,
    operation: OperationId,
    commands: String,
) -> Result<(), Report> {
    if commands.trim().is_empty() {
        return Ok(());
    }
    writer
        .quiet("update-ref")?
        .git_dir(&repository.common_dir)
        .dir(&repository.common_dir)
        .arg("--stdin")
        .input(commands)
        .run()
        .map(drop)
        .map_err(|report| {
            let left = remove_locks(&repository.common_dir.join(prefix(operation)));
            left.err().into_iter().fold(report, |report, left| report.cause(left.headline))
        })
}

/// Nobody but the one git that was just ended writes below an operation's own name.
fn remove_locks(dir: &Path) -> Result<(), Report> {
    let what = || format!("remove lock files of {}", dir.display());
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).doing(what()),
    };
    for entry in listed {
        let entry = entry.doing(what())?;
        let path = entry.path();
        if entry.file_type().doing(what())?.is_dir() {
            remove_locks(&path)?;
        } else if path.extension().is_some_and(|end| end == "lock") {
            fs::remove_file(&path).doing(what())?;
        }
    }
    Ok(())
}

/// Every full object id that a text file below `dir` names. The index is binary, and asked for by git.
fn collect_oids(dir: &Path, into: &mut BTreeSet<Oid>) -> Result<(), Report> {
    let what = || format!("read {}", dir.display());
    for entry in fs::read_dir(dir).doing(what())? {
        let entry = entry.doing(what())?;
        let kind = entry.file_type().doing(what())?;
        if kind.is_dir() && entry.file_name() != "modules" {
            collect_oids(&entry.path(), into)?;
        } else if kind.is_file() && entry.file_name() != "index" {
            collect_from_file(&entry.path(), into)?;
        }
    }
    Ok(())
}

fn collect_from_file(file: &Path, into: &mut BTreeSet<Oid>) -> Result<(), Report> {
    match fs::metadata(file) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= ADMIN_FILE_BYTES_MAX => {}
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).doing(format!("read {}", file.display())),
    }
    let bytes = super::control::read_up_to(file, ADMIN_FILE_BYTES_MAX)
        .doing(format!("read {}", file.display()))?;
    let words = bytes.split(|byte| !byte.is_ascii_hexdigit());
    let oids = words.filter_map(|word| std::str::from_utf8(word).ok()).filter_map(Oid::parse);
    into.extend(oids.filter(|oid| !oid.is_null()));
    Ok(())
}

/// Those of `named` that exist, that `tip` does not reach, and that no other of them reaches.
fn loose_heads(
    repository: &Repository,
    named: &BTreeSet<Oid>,
    tip: &Oid,
) -> Result<Vec<Oid>, Report> {
    let (commits, others) = existing(repository, named)?;
    let mut heads = others;
    if !commits.is_empty() {
        let input: String = writer::lines(&commits);
        let walked = repository
            .reading("rev-list")
            .args(["--parents", "--stdin", &format!("^{tip}")])
            .input(input)
            .run()?
            .text();
        let mut outside = HashSet::new();
        let mut parents = HashSet::new();
        for line in walked.lines() {
            let mut words = line.split(' ');
            outside.extend(words.next());
            parents.extend(words);
        }
        heads.extend(
            commits
                .into_iter()
                .filter(|oid| outside.contains(oid.as_str()) && !parents.contains(oid.as_str())),
        );
    }
    Ok(heads)
}

/// The commits among `named`, and the other objects; ids that name nothing here are left out.
fn existing(
    repository: &Repository,
    named: &BTreeSet<Oid>,
) -> Result<(Vec<Oid>, Vec<Oid>), Report> {
    let (mut commits, mut others) = (Vec::new(), Vec::new());
    if named.is_empty() {
        return Ok((commits, others));
    }
    let input: String = writer::lines(named);
    let answered = repository.reading("cat-file").arg("--batch-check").input(input).run()?.text();
    for line in answered.lines() {
        let mut words = line.split(' ');
        match (words.next().and_then(Oid::parse), words.next()) {
            (Some(oid), Some("commit")) => commits.push(oid),
            (Some(oid), Some("tree" | "blob" | "tag")) => others.push(oid),
            _ => {}
        }
    }
    Ok((commits, others))
}

/// One flat tree of every blob that the index names and the tip does not have there, all stages and what is kept
/// for taking a resolution back included. The names are only there to be distinct.
fn index_tree(
    repository: &Repository,
    worktree: &Worktree,
    tip: &Oid,
) -> Result<Option<Oid>, Report> {
    let mut named = BTreeSet::new();
    // Its directory may be gone, so git is run in the registration.
    let admin_dir = &worktree.admin_dir;
    let reading = |subcommand| {
        let git = Git::reading(subcommand).timeout(repository.timeout);
        git.git_dir(admin_dir).dir(admin_dir)
    };
    let staged = reading("diff-index")
        .args(["--cached", "--raw", "--no-abbrev", "--no-renames", "-z", tip.as_str(), "--"])
        .run()?;
    for field in staged.stdout.split(|byte| *byte == 0).filter(|field| field.starts_with(b":")) {
        // `:old-mode new-mode old-oid new-oid status`
        let text = String::from_utf8_lossy(field).into_owned();
        let mut words = text.split(' ').skip(1);
        let submodule = words.next() == Some("160000");
        named.extend(words.nth(1).and_then(Oid::parse).filter(|_| !submodule));
    }
    for which in ["--unmerged", "--resolve-undo"] {
        let listed = reading("ls-files").args([which, "-z"]).run()?;
        for entry in listed.stdout.split(|byte| *byte == 0) {
            let text = String::from_utf8_lossy(entry).into_owned();
            let mut words = text.split(' ');
            let submodule = words.next() == Some("160000");
            named.extend(words.next().and_then(Oid::parse).filter(|_| !submodule));
        }
    }
    let (_, blobs) =
        existing(repository, &named.into_iter().filter(|oid| !oid.is_null()).collect())?;
    if blobs.is_empty() {
        return Ok(None);
    }
    let entry = |oid: &Oid| ["100644 blob ", oid.as_str(), "\t", oid.as_str(), "\n"].concat();
    let listed: Vec<String> = blobs.iter().map(entry).collect();
    private::ensure(repository)?;
    let made = repository.planning("mktree").input(listed.concat()).run()?;
    parse_oid(&made.text()).map(Some)
}
