//! Decisions on conflict files: recorded by what they were decided on, and built into the tree that lands.

use std::{ffi::OsString, fs, path::PathBuf, sync::atomic::AtomicBool};

use super::{Deck, conflicts, recover};
use crate::{
    git::{
        Repository,
        command::Git,
        migrate,
        pins::{self, Pin},
        private,
        writer::{Writer, parse_oid},
    },
    report::{Code, Doing, Report},
    review::{Conflict, ConflictPage, Entry, Mode, Resolution},
    shadow::{Oid, RepoPath, ShadowId},
    store::{
        Decision, JournalEntry, Phase, Verb,
        journal::now_ms,
        lock::WAIT_MAX,
        resolutions::{self, Resolved},
    },
};

/// Records what is to become of one conflict file; `None` clears it. The answer is the page as it is then.
pub fn resolve(
    deck: &Deck,
    id: &ShadowId,
    path: &RepoPath,
    resolution: Option<Resolution>,
) -> Result<ConflictPage, Report> {
    let uncancelled = AtomicBool::new(false);
    let page = conflicts::read_conflicts(deck, id, &uncancelled)?;
    let conflict = page.files.iter().map(|file| &file.conflict).find(|c| c.path == *path);
    let Some(conflict) = conflict else {
        return Err(Report::user(
            Code::NotFound,
            format!("{} is no conflict file of {id}", path.to_lossy()),
        )
        .safe("nothing was recorded")
        .hint(format!("`shadowdeck conflicts {id}` names them")));
    };
    if let Some(resolution) = &resolution {
        choose(&deck.repository, conflict, resolution)?;
    }
    record(deck, id, conflict, resolution)?;
    conflicts::read_conflicts(deck, id, &uncancelled)
}

/// Dies after the blob's pin: a ref that `gc` takes. After *prepared*: the next run writes the answer, for nothing
/// else can be meant. The file of answers is replaced whole, so there is no state between.
fn record(
    deck: &Deck,
    id: &ShadowId,
    conflict: &Conflict,
    resolution: Option<Resolution>,
) -> Result<(), Report> {
    let lock = deck.store.lock(&format!("resolve {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    let known = deck.store.resolutions().read(id)?;
    let before = known.into_iter().find(|resolved| resolved.answers(conflict));
    let after = resolution.map(|resolution| Resolved::new(conflict, resolution));
    if before == after {
        return Ok(());
    }
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let mut entry = JournalEntry::begin(deck.store.journal().next_operation()?, Verb::Resolve);
    if let Some(Resolution::Content(oid)) = after.as_ref().map(|after| &after.resolution) {
        // Somebody wrote it by hand: it may not go when the private store is made anew.
        let pin = Pin::new("content", oid.clone());
        migrate::migrate(&deck.repository, &writer, std::slice::from_ref(oid))?;
        pins::write(&deck.repository, &writer, entry.operation, std::slice::from_ref(&pin))?;
        entry.pins = vec![pin.full_name(entry.operation)];
    }
    entry.decision = Some(Decision { shadow: id.clone(), before, after });
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    recover::run(deck, &writer, &mut entry, "")
}

/// Whether a content may land that still holds conflict markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markers {
    Refused,
    Allowed,
}

/// A person's own content as the answer: kept in the private object store, as the bytes are.
pub fn write_content(
    deck: &Deck,
    path: &RepoPath,
    content: &[u8],
    markers: Markers,
) -> Result<Resolution, Report> {
    let lines = (1_u32..).zip(content.split(|byte| *byte == b'\n'));
    let marked: Vec<u32> =
        lines.filter(|(_, line)| is_marker(line)).map(|(number, _)| number).collect();
    if let (Some(first), Markers::Refused) = (marked.first(), markers) {
        return Err(Report::user(
            Code::MarkersLeft,
            format!("{} still holds a conflict marker in line {first}", path.to_lossy()),
        )
        .safe("nothing was recorded")
        .hint("take them out, or add --allow-markers if they belong there")
        .detail("path", path.to_lossy())
        .detail("lines", marked));
    }
    private::ensure(&deck.repository)?;
    write_blob(&deck.repository, content).map(Resolution::Content)
}

/// Into the private object store, which must be there.
pub(super) fn write_blob(
    repository: &Repository,
    content: impl Into<Vec<u8>>,
) -> Result<Oid, Report> {
    let made = repository.planning("hash-object").args(["-w", "--stdin"]).input(content).run()?;
    parse_oid(&made.text())
}

/// The outer two that git writes: a line of `=` alone is a heading in many a text.
fn is_marker(line: &[u8]) -> bool {
    const WIDTH: usize = 7;
    ["<", ">", "|"].iter().any(|sign| {
        line.strip_prefix(sign.repeat(WIDTH).as_bytes())
            .is_some_and(|rest| rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\r')))
    })
}

/// Puts what was recorded for these very conflicts to them.
pub fn put_answers(deck: &Deck, id: &ShadowId, conflicts: &mut [Conflict]) -> Result<(), Report> {
    resolutions::apply(conflicts, &deck.store.resolutions().read(id)?);
    Ok(())
}

/// The merge's tree with every conflict as it was resolved. All of them must be.
pub fn write_resolved_tree(
    repository: &Repository,
    merged: &Oid,
    conflicts: &[Conflict],
) -> Result<Oid, Report> {
    let scratch = Scratch::new(repository)?;
    scratch.git(repository, "read-tree").arg(merged.as_str()).run()?;
    let mut removals = Vec::new();
    let mut additions = Vec::new();
    for conflict in conflicts {
        let Some(resolution) = &conflict.resolution else {
            return Err(Report::user(
                Code::Conflicts,
                format!("{} is not resolved", conflict.path.to_lossy()),
            ));
        };
        for path in [Some(&conflict.path), conflict.working_path.as_ref()].into_iter().flatten() {
            removals.extend(index_line("0", repository.null_oid().as_str(), path));
        }
        if let Some(entry) = choose(repository, conflict, resolution)? {
            additions.extend(index_line(entry.mode.as_octal(), entry.oid.as_str(), &conflict.path));
        }
    }
    removals.extend(additions);
    scratch
        .git(repository, "update-index")
        .args(["-z", "--replace", "--index-info"])
        .input(removals)
        .run()?;
    parse_oid(&scratch.git(repository, "write-tree").run()?.text())
}

pub(super) fn index_line(mode: &str, oid: &str, path: &RepoPath) -> Vec<u8> {
    [mode.as_bytes(), b" ", oid.as_bytes(), b"\t", path.as_bytes(), b"\0"].concat()
}

/// What the path becomes; `None` where it goes.
pub fn choose(
    repository: &Repository,
    conflict: &Conflict,
    resolution: &Resolution,
) -> Result<Option<Entry>, Report> {
    Ok(match resolution {
        Resolution::Target => conflict.target.clone(),
        Resolution::Shadow => conflict.shadow.clone(),
        Resolution::Base => conflict.base.clone(),
        Resolution::Delete => None,
        Resolution::Union => Some(union(repository, conflict)?),
        Resolution::Content(oid) => {
            // A text is no link and no submodule: it takes the mode of a side that is a plain file.
            let sides = [&conflict.shadow, &conflict.target, &conflict.base];
            let mut modes = sides.into_iter().flatten().map(|entry| entry.mode);
            let plain = modes.find(|mode| matches!(mode, Mode::File | Mode::Executable));
            let Some(mode) = plain else {
                return Err(Report::user(
                    Code::InvalidValue,
                    format!("{} is no plain file on either side", conflict.path.to_lossy()),
                )
                .safe("nothing was recorded")
                .hint("take target, shadow, base, or delete it"));
            };
            Some(Entry { mode, oid: oid.clone() })
        }
    })
}

/// Both sides' lines, the target's first, as git's own union merge makes them.
fn union(repository: &Repository, conflict: &Conflict) -> Result<Entry, Report> {
    let sides = (&conflict.target, &conflict.shadow);
    let (Some(target), Some(shadow)) = sides else {
        return Err(refuse_union(conflict, "only one side has the file"));
    };
    let plain = |entry: &Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    if !plain(target) || !plain(shadow) {
        return Err(refuse_union(conflict, "not both sides are plain files"));
    }
    let local = private::local(repository)?;
    let base = match &conflict.base {
        Some(base) if plain(base) => private::read_blob(&local, &base.oid)?,
        _ => Vec::new(),
    };
    let scratch = Scratch::new(repository)?;
    let mut args: Vec<OsString> = Vec::new();
    for (name, bytes) in [
        ("target", private::read_blob(&local, &target.oid)?),
        ("base", base),
        ("shadow", private::read_blob(&local, &shadow.oid)?),
    ] {
        let file = scratch.dir.join(name);
        fs::write(&file, bytes).doing(format!("write {}", file.display()))?;
        args.push(file.into());
    }
    let merged = Git::reading("merge-file")
        .timeout(repository.timeout)
        .args(["-p", "-q", "--union"])
        .args(args)
        .run_any()?;
    if merged.exit_code != 0 {
        return Err(refuse_union(conflict, "git cannot merge such content line by line"));
    }
    Ok(Entry { mode: shadow.mode, oid: write_blob(repository, merged.stdout)? })
}

fn refuse_union(conflict: &Conflict, why: &str) -> Report {
    Report::user(
        Code::InvalidValue,
        format!("{} cannot keep both sides' lines: {why}", conflict.path.to_lossy()),
    )
    .safe("nothing was recorded")
    .hint("take target, shadow, base, or delete it")
}

/// A directory for one question, gone with it.
pub(super) struct Scratch {
    dir: PathBuf,
}

impl Scratch {
    pub(super) fn new(repository: &Repository) -> Result<Self, Report> {
        private::ensure(repository)?;
        let dir = repository.looking_dir().join("scratch").join(ulid::Ulid::generate().to_string());
        fs::create_dir_all(&dir).doing(format!("make {}", dir.display()))?;
        Ok(Self { dir })
    }

    pub(super) fn git(&self, repository: &Repository, subcommand: &'static str) -> Git {
        repository.planning(subcommand).env("GIT_INDEX_FILE", self.dir.join("index"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Ours alone, and of no use any more; a leftover only costs space.
        let _ = fs::remove_dir_all(&self.dir);
    }
}
