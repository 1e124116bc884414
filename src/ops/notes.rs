//! The comments on a shadow's change: read with their places of now, added, answered, settled. No worktree is touched.

use std::{collections::BTreeMap, ops::Range, path::Path, sync::atomic::AtomicBool};

use super::{Deck, diff, ground::Ground, path};
use crate::{
    git::{at_path, private},
    report::{Code, Report},
    review::{
        Content, Entry, FileChange, FileDiff, FileStatus, Mode, ReviewPage, Text,
        comment::{self, At, Author, Change, Changed, Notes, OpenComments, Side, Spot, Thread},
        passage,
    },
    shadow::{Oid, RepoPath, ShadowId},
    store::journal::now_ms,
};

/// Longer ones are no comments.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// A thread with where it stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub thread: Thread,
    /// As the file is called now.
    pub path: RepoPath,
    /// `None` where the shadow cannot be read just now.
    pub at: Option<At>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub id: ShadowId,
    /// By number; what was taken back is not among them.
    pub threads: Vec<Placed>,
    /// Why their places are not known.
    pub problem: Option<Report>,
}

/// What a comment is put on, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: RepoPath,
    /// Lines count from 0; `None` is the file.
    pub lines: Option<Range<u32>>,
}

/// With their places: what changed since is found again, or outdated.
pub fn read(deck: &Deck, id: &ShadowId) -> Result<Read, Report> {
    let threads = change(deck, id, &[])?.threads;
    let threads: Vec<Thread> = threads.into_iter().filter(Thread::is_shown).collect();
    if threads.is_empty() {
        return Ok(Read { id: id.clone(), threads: Vec::new(), problem: None });
    }
    let (page, problem) = match diff::read_review(deck, id, &AtomicBool::new(false)) {
        Ok(page) => (Some(page), None),
        Err(report) => (None, Some(report)),
    };
    let placed = threads.into_iter().map(|thread| place(deck, page.as_ref(), thread));
    Ok(Read { id: id.clone(), threads: placed.collect::<Result<_, _>>()?, problem })
}

fn place(deck: &Deck, page: Option<&ReviewPage>, thread: Thread) -> Result<Placed, Report> {
    let path = thread.spot.path.clone();
    let Some(page) = page else { return Ok(Placed { thread, path, at: None }) };
    if let Some(found) = comment::find(&page.files, &thread.spot) {
        let path = page.files[found.file].change.path.clone();
        return Ok(Placed { thread, path, at: Some(found.at) });
    }
    let unchanged = read_unchanged(deck, &page.snapshot, &path)?;
    let found = unchanged.and_then(|file| comment::find(&[file], &thread.spot));
    let at = found.map_or(At::Outdated, |found| found.at);
    Ok(Placed { thread, path, at: Some(at) })
}

/// A file that the change leaves as it is.
fn read_unchanged(deck: &Deck, tree: &Oid, path: &RepoPath) -> Result<Option<FileDiff>, Report> {
    let local = private::local(&deck.repository)?;
    let Some((oid, bytes)) = at_path::read_file(&local, tree, path)? else { return Ok(None) };
    let entry = Some(Entry { mode: Mode::File, oid });
    let binary = bytes.contains(&0) || bytes.len() > crate::review::text::TEXT_BYTES_MAX;
    let size = Some(bytes.len() as u64);
    let content = if binary {
        Content::Binary { old_size: size, new_size: size }
    } else {
        let text = std::sync::Arc::new(Text::new(bytes));
        Content::Text { old: text.clone(), new: text, blocks: Vec::new() }
    };
    let change = FileChange {
        path: path.clone(),
        old_path: None,
        status: FileStatus::Modified,
        old: entry.clone(),
        new: entry,
        insertions: 0,
        deletions: 0,
        binary,
    };
    Ok(Some(FileDiff::new(change, content)))
}

/// Changes them, and gives them as they are then. Without changes it only reads; nothing is written then.
pub fn change(deck: &Deck, id: &ShadowId, changes: &[Change]) -> Result<Notes, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let kept = deck.store.comments(id, &ground.find(id)?.worktree.admin_dir)?;
    if changes.is_empty() {
        return Ok(Notes { id: id.clone(), threads: kept.read()?, answers: Vec::new() });
    }
    for text in changes.iter().filter_map(text_of) {
        refuse_text(text)?;
    }
    let lock = deck.store.lock_comments()?;
    kept.change(&lock, changes, now_ms())
}

/// Of each shadow that has some. What cannot be read is `None`, never none.
pub(super) fn read_open(deck: &Deck, ground: &Ground) -> BTreeMap<ShadowId, Option<OpenComments>> {
    let mut all = BTreeMap::new();
    for place in ground.shadows() {
        let (id, dir) = (&place.worktree.id, &place.worktree.admin_dir);
        let threads = deck.store.comments(id, dir).and_then(|comments| comments.read());
        let open = threads.ok().map(|threads| OpenComments::of(&threads));
        if open.is_none_or(|open| open.count > 0) {
            all.insert(id.clone(), open);
        }
    }
    all
}

/// One change, of which the refusal is the answer.
pub fn change_one(deck: &Deck, id: &ShadowId, one: Change) -> Result<Changed, Report> {
    let mut notes = change(deck, id, &[one])?;
    notes.answers.pop().unwrap_or_else(|| Err(comment::missing(0)))
}

/// Begins a thread on a file of the shadow as it is now, changed or not; its number.
pub fn add(
    deck: &Deck,
    id: &ShadowId,
    author: Author,
    target: &Target,
    text: &str,
) -> Result<u32, Report> {
    refuse_text(text)?;
    let spot = Box::new(find_spot(deck, id, target)?);
    let added = Change::Add { spot, author, text: text.to_owned() };
    change_one(deck, id, added).map(|changed| changed.number)
}

/// The agent says that it is done.
pub fn resolve(deck: &Deck, id: &ShadowId, number: u32) -> Result<Changed, Report> {
    change_one(deck, id, Change::Resolve { number })
}

fn find_spot(deck: &Deck, id: &ShadowId, target: &Target) -> Result<Spot, Report> {
    path::resolve_path(deck, id, target.path.as_path())?;
    let page = diff::read_review(deck, id, &AtomicBool::new(false))?;
    let changed = page.files.iter().find(|file| file.change.path == target.path).cloned();
    let found = match changed {
        Some(file) => Some(file),
        None => read_unchanged(deck, &page.snapshot, &target.path)?,
    };
    let Some(file) = found else {
        let headline = format!("{id} has no file {}", target.path.to_lossy());
        return Err(Report::user(Code::InvalidPath, headline)
            .unchanged()
            .hint("name a file below its directory, as `diff --name-status` does")
            .detail("path", target.path.to_lossy()));
    };
    let Some(range) = &target.lines else { return Ok(Spot::file(&file)) };
    // Of a deleted file only the old side has lines.
    let side = if file.change.new.is_some() { Side::New } else { Side::Old };
    let count = side.of(&file).map_or(0, Text::line_count);
    let has_lines = range.start < range.end && range.end <= count;
    let spot = has_lines.then(|| Spot::lines(&file, side, range.clone())).flatten();
    spot.ok_or_else(|| refuse_lines(&target.path, range, count))
}

fn refuse_lines(path: &RepoPath, range: &Range<u32>, count: u32) -> Report {
    let why = match count {
        0 => "it has no lines to comment on".to_owned(),
        _ if range.start < range.end && range.end <= count => {
            format!("at most {} lines and {} bytes", passage::LINES_MAX, passage::BYTES_MAX)
        }
        _ => format!("it has lines 1 to {count}"),
    };
    let lines = if range.end > range.start + 1 {
        format!("{}-{}", u64::from(range.start) + 1, range.end)
    } else {
        (u64::from(range.start) + 1).to_string()
    };
    let headline = format!("no comment can stand on {}:{lines}: {why}", path.to_lossy());
    Report::user(Code::InvalidValue, headline)
        .unchanged()
        .hint("name other lines, or the file without any")
        .detail("path", path.to_lossy())
        .detail("lines", count)
}

fn text_of(change: &Change) -> Option<&str> {
    match change {
        Change::Add { text, .. }
        | Change::Ask { text, .. }
        | Change::Reply { text, .. }
        | Change::Edit { text, .. } => Some(text),
        Change::TakeBack { .. }
        | Change::BringBack { .. }
        | Change::Resolve { .. }
        | Change::Put { .. } => None,
    }
}

fn refuse_text(text: &str) -> Result<(), Report> {
    let why = match text.len() {
        _ if text.trim().is_empty() => "is empty".to_owned(),
        size if size > TEXT_BYTES_MAX => format!("has {size} bytes; {TEXT_BYTES_MAX} are the most"),
        _ => return Ok(()),
    };
    Err(Report::user(Code::InvalidValue, format!("the comment {why}"))
        .unchanged()
        .hint("write what is to be said of the place"))
}

/// As [`parse_target`]; but a file of the shadow that is named so is that file.
pub fn find_target(deck: &Deck, id: &ShadowId, text: &str) -> Result<Target, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let full = ground.find(id)?.worktree.path.join(text);
    if full.symlink_metadata().is_ok_and(|about| !about.is_dir()) {
        return Ok(Target { path: plain(text), lines: None });
    }
    parse_target(text)
}

fn plain(path: &str) -> RepoPath {
    let parts = Path::new(path).components().filter(|c| *c != std::path::Component::CurDir);
    let clean: std::path::PathBuf = parts.collect();
    RepoPath::new(clean.as_os_str().as_encoded_bytes().to_vec())
}

/// `src/a.rs`, `src/a.rs:12`, `src/a.rs:12-20`; lines count from 1.
fn parse_target(text: &str) -> Result<Target, Report> {
    let Some((path, lines)) = text.rsplit_once(':').filter(|(path, lines)| {
        let is_number = |c: char| c.is_ascii_digit() || c == '-';
        !path.is_empty() && !lines.is_empty() && lines.chars().all(is_number)
    }) else {
        return Ok(Target { path: plain(text), lines: None });
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first @ 1..), Ok(last)) if first <= last => {
            Ok(Target { path: plain(path), lines: Some(first - 1..last) })
        }
        _ => Err(Report::user(Code::InvalidValue, format!("`{lines}` names no lines"))
            .unchanged()
            .hint("write PATH:LINE or PATH:FIRST-LAST; the first line is 1")
            .detail("lines", lines)),
    }
}
