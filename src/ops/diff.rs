//! The proposed change of one shadow: as a page to review, and as git's own text.

use std::sync::atomic::AtomicBool;

use super::{
    Deck,
    ground::Ground,
    judge::{Source, read_changes, read_files},
    list,
    standing::{self, Standing},
    target,
};
pub use crate::review::Format;
use crate::{
    git::{
        base,
        diff::{self, Pair},
        history, lines, private, submodules,
        worktrees::{self, Worktree},
    },
    report::Report,
    review::{CommitLine, Content, Copies, FileChange, FileDiff, FileStatus, ReviewPage},
    shadow::{Oid, RepoPath, ShadowId},
    store::journal::now_ms,
};

/// The change with every changed line, read at one moment.
pub fn read_review(deck: &Deck, id: &ShadowId, cancel: &AtomicBool) -> Result<ReviewPage, Report> {
    if let Some(known) = list::read_change(deck, id, cancel)? {
        let task = known.task.as_deref();
        let source = Source { target_tip: &known.target_tip, pair: &known.pair, task };
        let mut files = read_changes(deck, &source, known.files, cancel)?;
        name_passed(deck, &known.worktree, &mut files);
        return Ok(ReviewPage {
            id: id.clone(),
            target: known.target,
            base: known.base,
            tip: known.tip,
            snapshot: known.pair.new,
            files,
            read_at_ms: now_ms(),
        });
    }
    let standing = standing::read(deck, id, cancel)?;
    page(deck, &standing, cancel)
}

/// The changed files between two trees that are known of this shadow: a part of its change, or what it
/// did since another snapshot.
pub fn read_part(
    deck: &Deck,
    id: &ShadowId,
    between: [Oid; 2],
    cancel: &AtomicBool,
) -> Result<ReviewPage, Report> {
    let ground = Ground::read(deck, cancel)?;
    let place = ground.find(id)?;
    let (target, target_tip) = target::find_tip(deck, ground.target_of(place).as_ref())?;
    let [old, new] = between;
    let pair = Pair { old: old.clone(), new: new.clone() };
    let task = place.known_record().and_then(|record| record.requested.as_deref());
    let source = Source { target_tip: &target_tip, pair: &pair, task };
    let files = read_files(deck, &source, cancel)?;
    let tip = place.worktree.head.tip().unwrap_or(&new).clone();
    Ok(ReviewPage {
        id: id.clone(),
        target,
        base: old,
        tip,
        snapshot: new,
        files,
        read_at_ms: now_ms(),
    })
}

/// What a run of the shadow's commits did: up to `newest`, from the parents that it does not hold itself.
pub fn read_run(
    deck: &Deck,
    id: &ShadowId,
    newest: Oid,
    parents: &[Oid],
    cancel: &AtomicBool,
) -> Result<ReviewPage, Report> {
    let below = base::read_below(&deck.repository, parents)?;
    read_part(deck, id, [below, newest], cancel)
}

/// One file of a page that was named with its size alone, for that or since git takes it for no text: its lines.
pub fn read_lines(
    deck: &Deck,
    change: FileChange,
    cancel: &AtomicBool,
) -> Result<FileDiff, Report> {
    let local = private::local(&deck.repository)?;
    lines::read_as_text(&local, change, cancel)
}

/// Which added files of a page are copies.
pub fn read_copies(deck: &Deck, page: &ReviewPage) -> Result<Copies, Report> {
    if page.files.iter().all(|file| file.change.status != FileStatus::Added) {
        return Ok(Copies::new());
    }
    let pair = Pair { old: page.base.clone(), new: page.snapshot.clone() };
    let mut copies = diff::read_copies(&deck.repository, &pair)?;
    // Where a deleted file had several successors, the page calls one of them its new name.
    let added = |path: &RepoPath| {
        let is_it = |file: &&FileDiff| file.change.path == *path;
        page.files.iter().find(is_it).is_some_and(|file| file.change.status == FileStatus::Added)
    };
    copies.retain(|path, _| added(path));
    Ok(copies)
}

/// The commits that a page is made of, newest first.
pub fn read_commits(deck: &Deck, base: &Oid, tip: &Oid) -> Result<Vec<CommitLine>, Report> {
    history::read_commits(&deck.repository, base, tip)
}

fn page(deck: &Deck, standing: &Standing, cancel: &AtomicBool) -> Result<ReviewPage, Report> {
    let pair = standing.change();
    let task = standing.record.as_ref().and_then(|record| record.requested.as_deref());
    let source = Source { target_tip: &standing.target_tip, pair: &pair, task };
    let mut files = read_files(deck, &source, cancel)?;
    name_passed(deck, &standing.worktree, &mut files);
    Ok(ReviewPage {
        id: standing.worktree.id.clone(),
        target: standing.target.clone(),
        base: standing.base_commit(),
        tip: standing.tip.clone(),
        snapshot: standing.snapshot.tree.clone(),
        files,
        read_at_ms: now_ms(),
    })
}

/// Which commits a moved submodule came by.
fn name_passed(deck: &Deck, worktree: &Worktree, files: &mut [FileDiff]) {
    let modules = files.iter_mut().filter(|file| matches!(file.content, Content::Submodule { .. }));
    let mut main = None;
    for file in modules {
        let main = main.get_or_insert_with(|| {
            worktrees::read(&deck.repository).ok().and_then(|worktrees| worktrees.main.path)
        });
        file.passed =
            submodules::read_passed(&deck.repository, worktree, main.as_deref(), &file.change);
    }
}

/// git's own words for it; a patch is what `git apply` takes.
pub fn read_text(deck: &Deck, id: &ShadowId, format: Format) -> Result<Vec<u8>, Report> {
    let standing = standing::read(deck, id, &AtomicBool::new(false))?;
    diff::read_text(&deck.repository, &standing.target_tip, &standing.change(), format)
}
