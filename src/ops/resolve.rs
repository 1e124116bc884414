//! Decisions on conflict files: recorded by what they were decided on, and built into the tree that lands.

use std::{collections::BTreeSet, ffi::OsString, fs, path::PathBuf, sync::atomic::AtomicBool};

use super::{Deck, conflicts, nested::refuse_nested, recover, weave};
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
    review::{
        Conflict, ConflictKind, ConflictPage, Entry, Mode, RebaseStep, Resolution, Way,
        conflict::lines_marked_by_git,
        weave::{Lines, marked_lines},
    },
    shadow::{Oid, RepoPath, ShadowId},
    store::{
        Decision, JournalEntry, Phase, Verb, journal::now_ms, lock::WAIT_MAX, resolutions::Resolved,
    },
};

/// Records what is to become of one conflict file; `None` clears it. The answer is the page as it is then: of a
/// rebase, of the step that is open then.
pub fn resolve(
    deck: &Deck,
    id: &ShadowId,
    way: Way,
    path: &RepoPath,
    resolution: Option<Resolution>,
) -> Result<ConflictPage, Report> {
    let uncancelled = AtomicBool::new(false);
    let page = conflicts::read_conflicts(deck, id, way, &uncancelled)?;
    let conflict = page.files.iter().map(|file| &file.conflict).find(|c| c.path == *path);
    let Some(conflict) = conflict else { return Err(refuse_no_conflict(id, path)) };
    let resolution = match resolution.map(|resolution| conflict.meant_by(resolution)) {
        Some(Resolution::Text(Lines(bytes))) => {
            private::ensure(&deck.repository)?;
            Some(Resolution::Content(write_blob(&deck.repository, bytes)?))
        }
        other => other,
    };
    // Some places of a file may be left open.
    if let Some(whole) = resolution.as_ref().filter(|r| !matches!(r, Resolution::Places(_))) {
        choose(&deck.repository, conflict, whole)?;
    }
    if let Some(Resolution::Beside(name)) = &resolution {
        let step = page.step.iter().map(|step| [&step.onto, &step.commit]);
        let pairs = [[&page.before, &page.snapshot]].into_iter().chain(step);
        // Where a side put it itself, it may stay.
        let is_own = conflict.moved_from.as_ref() == Some(name);
        let trees = pairs.flat_map(|[target, shadow]| match (is_own, &conflict.shadow) {
            (true, Some(_)) => vec![target],
            (true, None) => vec![shadow],
            (false, _) => vec![target, shadow],
        });
        refuse_taken(&deck.repository, name, trees)?;
    }
    record(deck, id, conflict, resolution, [&page.before, &page.snapshot])?;
    let next = if way == Way::Whole { Way::Whole } else { Way::Rebase };
    conflicts::read_conflicts(deck, id, next, &uncancelled)
}

/// Forgets what was decided about a file in every commit of a rebase; the answer is the page of the one that is open
/// then, and the commits.
pub fn clear_steps(
    deck: &Deck,
    id: &ShadowId,
    path: &RepoPath,
) -> Result<(ConflictPage, Vec<RebaseStep>), Report> {
    let uncancelled = AtomicBool::new(false);
    let pages = conflicts::read_pages(deck, id, &uncancelled)?;
    let of_path =
        |page: &ConflictPage| page.files.iter().find(|file| file.conflict.path == *path).cloned();
    if pages.iter().all(|page| of_path(page).is_none()) {
        return Err(refuse_no_conflict(id, path));
    }
    let mut cleared = Vec::new();
    for page in pages {
        let Some(file) = of_path(&page).filter(|file| file.answer().is_some()) else { continue };
        record(deck, id, &file.conflict, None, [&page.before, &page.snapshot])?;
        cleared.extend(page.step);
    }
    Ok((conflicts::read_conflicts(deck, id, Way::Rebase, &uncancelled)?, cleared))
}

fn refuse_no_conflict(id: &ShadowId, path: &RepoPath) -> Report {
    let headline = format!("{} is no conflict file of {id}", path.to_lossy());
    Report::user(Code::NotFound, headline)
        .safe("nothing was recorded")
        .hint(format!("`shadowdeck conflicts {id}` names them"))
}

/// No other file may go for one that is kept beside.
fn refuse_taken<'a>(
    repository: &Repository,
    name: &RepoPath,
    trees: impl Iterator<Item = &'a Oid>,
) -> Result<(), Report> {
    for tree in trees {
        let mut object = OsString::from(format!("{tree}:"));
        object.push(name.as_path());
        if repository.planning("cat-file").arg("-e").arg(object).run_any()?.exit_code == 0 {
            return Err(Report::user(
                Code::AlreadyExists,
                format!("{} is there already: the file cannot be kept under it", name.to_lossy()),
            )
            .safe("nothing was recorded")
            .hint("take one side, or edit what is to land"));
        }
    }
    Ok(())
}

/// Dies after the blob's pin: a ref that `gc` takes. After *prepared*: the next run writes the answer, for nothing
/// else can be meant. The file of answers is replaced whole, so there is no state between.
fn record(
    deck: &Deck,
    id: &ShadowId,
    conflict: &Conflict,
    resolution: Option<Resolution>,
    [target, snapshot]: [&Oid; 2],
) -> Result<(), Report> {
    let lock = deck.store.lock(&format!("resolve {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    let known = deck.store.resolutions().read(id)?;
    // What was chosen for another state of the file would answer again: that nothing is chosen is an answer too.
    let none = || weave::has_others(conflict, &known).then(|| Resolution::Places(Vec::new()));
    let after = resolution.or_else(none).map(|resolution| Resolved::new(conflict, resolution));
    let after = after.map(|after| after.seen_on(target, snapshot));
    let before = known.into_iter().find(|resolved| resolved.answers(conflict));
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
    let marked = marked_lines(content);
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

/// The merge's tree with every conflict as it was resolved. All of them must be.
pub fn write_resolved_tree(
    repository: &Repository,
    merged: &Oid,
    conflicts: &[Conflict],
) -> Result<Oid, Report> {
    let scratch = Scratch::new(repository)?;
    scratch.git(repository, "read-tree").arg(merged.as_str()).run()?;
    let mut removals = Vec::new();
    let (mut additions, mut landing) = (Vec::new(), BTreeSet::new());
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
        for (path, entry) in land_as(repository, conflict, resolution)? {
            additions.extend(index_line(entry.mode.as_octal(), entry.oid.as_str(), &path));
            landing.insert(path);
        }
    }
    refuse_nested(&landing)?;
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

/// All that lands of one conflict, by name.
fn land_as(
    repository: &Repository,
    conflict: &Conflict,
    resolution: &Resolution,
) -> Result<Vec<(RepoPath, Entry)>, Report> {
    let Resolution::Beside(name) = resolution else {
        let entry = choose(repository, conflict, resolution)?;
        return Ok(entry.map(|entry| (conflict.path.clone(), entry)).into_iter().collect());
    };
    // Beside a directory, and beside its own other place, there is one file only, whichever side has it.
    let (under, beside) = match conflict.kind {
        ConflictKind::FileDirectory | ConflictKind::DirectoryRename => {
            (&None, conflict.shadow.as_ref().or(conflict.target.as_ref()))
        }
        _ => (&conflict.target, conflict.shadow.as_ref()),
    };
    for entry in [under.as_ref(), beside] {
        refuse_marked(repository, conflict, entry)?;
    }
    let sides = [(&conflict.path, under.as_ref()), (name, beside)];
    let entries =
        sides.into_iter().filter_map(|(path, entry)| Some((path.clone(), entry?.clone())));
    Ok(entries.collect())
}

/// What the path becomes; `None` where it goes.
pub fn choose(
    repository: &Repository,
    conflict: &Conflict,
    resolution: &Resolution,
) -> Result<Option<Entry>, Report> {
    let side = |entry: Option<&Entry>| -> Result<Option<Entry>, Report> {
        refuse_marked(repository, conflict, entry)?;
        Ok(entry.cloned())
    };
    let [base, target, shadow] = conflict.sides();
    Ok(match resolution {
        Resolution::Target | Resolution::Beside(_) => side(target)?,
        Resolution::Shadow => side(shadow)?,
        Resolution::Base => side(base)?,
        Resolution::Delete => None,
        Resolution::Union => Some(union(repository, conflict)?),
        Resolution::Text(Lines(bytes)) => {
            let oid = write_blob(repository, bytes.clone())?;
            choose(repository, conflict, &Resolution::Content(oid))?
        }
        Resolution::Places(decided) => {
            let weave = weave::read_weave(repository, conflict)?;
            let text = weave.and_then(|weave| weave.text(&weave.takes(decided.iter())));
            let Some(text) = text else {
                return Err(Report::user(
                    Code::Conflicts,
                    format!("places of {} are still open", conflict.path.to_lossy()),
                )
                .unchanged()
                .hint("choose for each of them"));
            };
            let mode = merged_mode(conflict).unwrap_or(Mode::File);
            Some(Entry { mode, oid: write_blob(repository, text)? })
        }
        Resolution::Content(oid) => {
            // A text is no link and no submodule: it takes the mode of a side that is a plain file.
            let Some(mode) = merged_mode(conflict) else {
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

/// Where a file was renamed, what git calls a side may be its own merge of both, markers and all.
fn refuse_marked(
    repository: &Repository,
    conflict: &Conflict,
    entry: Option<&Entry>,
) -> Result<(), Report> {
    let plain = |entry: &&Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    let Some(entry) = entry.filter(plain) else { return Ok(()) };
    let content = private::read_blob(&private::local(repository)?, &entry.oid)?;
    let lines = lines_marked_by_git(&content);
    if lines.is_empty() {
        return Ok(());
    }
    let path = conflict.path.to_lossy();
    Err(Report::user(
        Code::MarkersLeft,
        format!("both sides renamed {path} and changed the same lines: no side of it is whole"),
    )
    .safe("nothing was recorded")
    .hint("write what it is to hold: `resolve` with --file, or e or E in the cockpit")
    .detail("path", path)
    .detail("lines", lines))
}

/// Both sides' lines, the target's first, as git's own union merge makes them.
fn union(repository: &Repository, conflict: &Conflict) -> Result<Entry, Report> {
    let Some([base, target, shadow]) = weave::read_texts(repository, conflict)? else {
        return Err(refuse_union(conflict, "not both sides are plain files"));
    };
    let union = ["--union"].into_iter();
    let merged = weave::merge_texts(repository, union, [&base, &target, &shadow])?;
    if merged.exit_code != 0 {
        return Err(refuse_union(conflict, "git cannot merge such content line by line"));
    }
    let mode = merged_mode(conflict).unwrap_or(Mode::File);
    Ok(Entry { mode, oid: write_blob(repository, merged.stdout)? })
}

/// As git merges modes: the side that changed it wins. `None`: it is no plain file on any side.
fn merged_mode(conflict: &Conflict) -> Option<Mode> {
    let plain = |entry: Option<&Entry>| {
        let mode = entry?.mode;
        matches!(mode, Mode::File | Mode::Executable).then_some(mode)
    };
    let [base, target, shadow] = conflict.sides().map(plain);
    let merged = if shadow == base { target.or(shadow) } else { shadow.or(target) };
    merged.or(base)
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
    pub(super) dir: PathBuf,
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
