//! Which lines differ inside one file: blocks of changed lines, as git would cut them, within a deadline.
//! Never inherits `diff.algorithm`: some algorithms take seconds where Myers takes milliseconds.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use gix::diff::blob::{Algorithm, InternedInput, diff_with_slider_heuristics};
use similar::algorithms::{Capture, diff_slices_deadline};

use super::{
    private,
    refs::{Reading, object_id},
};
use crate::{
    report::{Code, Report},
    review::{
        Block, Content, Entry, FileChange, FileDiff, Mode, TEXT_BYTES_MAX, Text, utf16::decoded,
    },
    shadow::Oid,
};

/// Larger blobs are named with their size instead: reading them would stall the page, and nobody reads them.
pub const BLOB_BYTES_MAX: u64 = 32 << 20;

/// Below so many lines the exact diff is always quick enough to wait for.
const LINES_QUICK: usize = 4_000;
/// What the exact diff may take on larger files before the bounded one answers instead.
const EXACT_MAX: Duration = Duration::from_millis(1_500);
/// What the bounded one may take; past it, it answers with what it has.
const BOUNDED_MAX: Duration = Duration::from_millis(500);
/// How often the wait looks whether the answer is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The change with its content: lines, sizes or commits. A file that cannot be read says why.
pub fn read_file(
    local: &gix::Repository,
    change: FileChange,
    cancel: &AtomicBool,
) -> Result<FileDiff, Report> {
    read_file_within(local, change, BLOB_BYTES_MAX, cancel)
}

/// As [`read_file`], for whoever has less time.
pub fn read_file_within(
    local: &gix::Repository,
    change: FileChange,
    bytes_max: u64,
    cancel: &AtomicBool,
) -> Result<FileDiff, Report> {
    if cancel.load(Ordering::Relaxed) {
        return Err(cancelled());
    }
    let content = read_content(local, &change, bytes_max, cancel);
    told(change, content)
}

/// Its lines, whatever its size, and also where git takes its bytes for no text.
pub fn read_as_text(
    local: &gix::Repository,
    change: FileChange,
    cancel: &AtomicBool,
) -> Result<FileDiff, Report> {
    let sizes = read_sizes(local, &change);
    let content =
        sizes.and_then(|sizes| read_lines(local, &change, sizes, TEXT_BYTES_MAX as u64, cancel));
    told(change, content)
}

fn told(change: FileChange, content: Result<Content, Report>) -> Result<FileDiff, Report> {
    let content = match content {
        Ok(content) => content,
        Err(report) if report.code == Code::Timeout => return Err(report),
        Err(report) => {
            let why = report.causes.first().cloned().unwrap_or_default();
            Content::Unreadable { why: format!("{report}: {why}") }
        }
    };
    Ok(FileDiff::new(change, content))
}

/// What a job says that nobody waits for any more.
pub fn cancelled() -> Report {
    Report::environment(Code::Timeout, "cancelled: a newer question took its place")
}

fn read_content(
    local: &gix::Repository,
    change: &FileChange,
    bytes_max: u64,
    cancel: &AtomicBool,
) -> Result<Content, Report> {
    let submodule = |entry: &Option<Entry>| {
        entry.as_ref().filter(|entry| entry.mode == Mode::Submodule).map(|entry| entry.oid.clone())
    };
    let (old, new) = (submodule(&change.old), submodule(&change.new));
    if old.is_some() || new.is_some() {
        return Ok(Content::Submodule { old, new });
    }
    let [old_size, new_size] = read_sizes(local, change)?;
    if change.binary {
        return Ok(Content::Binary { old_size, new_size });
    }
    read_lines(local, change, [old_size, new_size], bytes_max, cancel)
}

fn read_lines(
    local: &gix::Repository,
    change: &FileChange,
    [old_size, new_size]: [Option<u64>; 2],
    bytes_max: u64,
    cancel: &AtomicBool,
) -> Result<Content, Report> {
    let larger = old_size.unwrap_or(0).max(new_size.unwrap_or(0));
    if larger > bytes_max {
        return Ok(Content::TooLarge { size: larger, size_max: bytes_max });
    }
    let [old, new] = read_texts(local, change)?;
    let same = Arc::ptr_eq(&old, &new);
    let blocks = if same { Vec::new() } else { blocks(&old, &new, cancel)? };
    Ok(Content::Text { old, new, blocks })
}

/// Both sides, read once where they are the same; what is decoded is what git takes for no text.
fn read_texts(local: &gix::Repository, change: &FileChange) -> Result<[Arc<Text>; 2], Report> {
    let (old, new) = (change.old.as_ref(), change.new.as_ref());
    let same = old.map(|entry| &entry.oid) == new.map(|entry| &entry.oid);
    let other = new.filter(|_| !same);
    let entries = [old, other].into_iter().flatten();
    let sides = entries.map(|entry| private::read_blob(local, &entry.oid));
    let mut sides: Vec<Vec<u8>> = sides.collect::<Result<_, _>>()?;
    if let Some(text) = change.binary.then(|| decoded(&sides)).flatten() {
        sides = text;
    }
    let mut texts = sides.into_iter().map(|side| Arc::new(Text::new(side)));
    let mut text = |entry: Option<&Entry>| entry.and_then(|_| texts.next()).unwrap_or_default();
    let old = text(old);
    let new = if same { Arc::clone(&old) } else { text(other) };
    Ok([old, new])
}

/// git's own guess: a NUL among the first bytes.
pub fn looks_binary(local: &gix::Repository, id: &Oid) -> Result<bool, Report> {
    const LOOKED_AT: usize = 8_000;
    let bytes = private::read_blob(local, id)?;
    Ok(bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0))
}

fn read_sizes(local: &gix::Repository, change: &FileChange) -> Result<[Option<u64>; 2], Report> {
    let size = |entry: &Option<Entry>| entry.as_ref().map(|e| read_size(local, &e.oid)).transpose();
    Ok([size(&change.old)?, size(&change.new)?])
}

fn read_size(local: &gix::Repository, id: &Oid) -> Result<u64, Report> {
    Ok(local.find_header(object_id(id)).reading(format!("blob {id}"))?.size())
}

/// The runs of lines that differ. Exact where that is quick, bounded where it is not.
pub fn blocks(old: &Arc<Text>, new: &Arc<Text>, cancel: &AtomicBool) -> Result<Vec<Block>, Report> {
    let lines = (old.line_count() + new.line_count()) as usize;
    // Nothing to compare, however long the other side is.
    if lines > 0 && (old.line_count() == 0 || new.line_count() == 0) {
        return Ok(vec![Block { old: 0..old.line_count(), new: 0..new.line_count() }]);
    }
    if lines <= LINES_QUICK {
        return Ok(exact_blocks(old, new));
    }
    let (sender, answer) = mpsc::channel();
    let (old_shared, new_shared) = (Arc::clone(old), Arc::clone(new));
    // A thread of its own, since the exact diff cannot be stopped; given up, it ends by itself.
    thread::spawn(move || sender.send(exact_blocks(&old_shared, &new_shared)));
    let deadline = Instant::now() + EXACT_MAX;
    loop {
        match answer.recv_timeout(LOOK_EVERY) {
            Ok(blocks) => return Ok(blocks),
            Err(_) if cancel.load(Ordering::Relaxed) => return Err(cancelled()),
            Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
            Err(_) => return Ok(bounded_blocks(old, new, Instant::now() + BOUNDED_MAX)),
        }
    }
}

fn exact_blocks(old: &Text, new: &Text) -> Vec<Block> {
    let input = InternedInput::new(old.as_bytes(), new.as_bytes());
    let diff = diff_with_slider_heuristics(Algorithm::Myers, &input);
    diff.hunks().map(|hunk| Block { old: hunk.before, new: hunk.after }).collect()
}

fn bounded_blocks(old: &Text, new: &Text, deadline: Instant) -> Vec<Block> {
    let (old_lines, new_lines): (Vec<&[u8]>, Vec<&[u8]>) =
        (lines_of(old).collect(), lines_of(new).collect());
    let mut captured = Capture::new();
    let outcome = diff_slices_deadline(
        similar::Algorithm::Myers,
        &mut captured,
        &old_lines,
        &new_lines,
        Some(deadline),
    );
    if outcome.is_err() {
        // It cannot fail: capturing has no error. Were it to, all of it is shown as changed.
        return vec![Block { old: 0..old.line_count(), new: 0..new.line_count() }];
    }
    joined(captured.into_ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal).map(|op| {
        let side = |range: std::ops::Range<usize>| {
            let index = |at| u32::try_from(at).expect("lines are counted in 32 bits");
            index(range.start)..index(range.end)
        };
        Block { old: side(op.old_range()), new: side(op.new_range()) }
    }))
}

fn lines_of(text: &Text) -> impl Iterator<Item = &[u8]> {
    (0..text.line_count()).map(|index| text.line_with_end(index))
}

/// Neighbours that touch become one: blocks never touch.
fn joined(blocks: impl Iterator<Item = Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match out.last_mut() {
            Some(last) if last.old.end == block.old.start && last.new.end == block.new.start => {
                last.old.end = block.old.end;
                last.new.end = block.new.end;
            }
            _ => out.push(block),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Arc<Text> {
        Arc::new(Text::new(lines.concat().into_bytes()))
    }

    #[test]
    fn both_ways_find_the_same_plain_change() {
        let old = text(&["a\n", "b\n", "c\n", "d"]);
        let new = text(&["a\n", "x\n", "y\n", "c\n", "d\n"]);
        let expected = vec![Block { old: 1..2, new: 1..3 }, Block { old: 3..4, new: 4..5 }];
        assert_eq!(exact_blocks(&old, &new), expected);
        let deadline = Instant::now() + Duration::from_secs(60);
        assert_eq!(bounded_blocks(&old, &new, deadline), expected);
    }

    #[test]
    fn all_of_a_file_that_came_or_went_is_one_block() {
        let (none, lines) = (text(&[]), text(&vec!["a\n"; 5_000]));
        let never = AtomicBool::new(false);
        let whole = |old, new| vec![Block { old, new }];
        assert_eq!(blocks(&none, &lines, &never).unwrap(), whole(0..0, 0..5_000));
        assert_eq!(blocks(&lines, &none, &never).unwrap(), whole(0..5_000, 0..0));
        assert_eq!(blocks(&none, &none, &never).unwrap(), exact_blocks(&none, &none));
    }

    #[test]
    fn an_expired_deadline_still_covers_every_difference() {
        let old = text(&["a\n", "b\n", "c\n"]);
        let new = text(&["c\n", "b\n", "a\n"]);
        let blocks = bounded_blocks(&old, &new, Instant::now());
        assert!(!blocks.is_empty());
    }

    #[test]
    fn a_cancelled_diff_says_so() {
        let many: Vec<String> = (0..6_000).map(|n| format!("{n}\n")).collect();
        let lines: Vec<&str> = many.iter().map(String::as_str).collect();
        let (old, new) = (text(&lines), text(&lines[1..]));
        let cancel = AtomicBool::new(false);
        assert_eq!(blocks(&old, &new, &cancel).unwrap(), vec![Block { old: 0..1, new: 0..0 }]);
    }
}
