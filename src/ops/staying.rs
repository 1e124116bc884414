//! What stays after all, and how the user is told: a shadow that was written to, shadows of which one could not go,
//! files that git could not remove.

use super::{
    Deck,
    moves::{self, Start},
};
use crate::{
    git::{obstacles::Place, settle, shadow_worktree::Kept, snapshot, worktrees, writer::Writer},
    report::{Code, Report},
    shadow::{Oid, OperationId, RepoPath, ShadowId},
    store::{Advance, Fate, JournalEntry, Phase, ShadowEntry, kept as kept_files, trash},
};

/// Files that a move deleted and that are still there.
pub fn left_over(left: &[RepoPath]) -> Option<String> {
    let named: Vec<String> = left.iter().map(RepoPath::to_lossy).collect();
    (!left.is_empty())
        .then(|| format!("could not be removed, and stay as untracked files: {}", named.join(", ")))
}

/// Of several shadows to discard one cannot go: none does. What cannot come back either is named.
pub fn give_back(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
    mut shadows: Vec<ShadowEntry>,
    failure: Report,
) -> Result<(), Report> {
    let mut gone = Vec::new();
    for shadow in shadows.iter_mut().filter(|shadow| shadow.fate == Fate::Trashed) {
        if moves::has_begun(shadow)
            && let Err(report) = moves::bring_back(deck, writer, shadow)
        {
            gone.push(format!("{} is in the trash all the same: {}", shadow.id, report.headline));
            continue;
        }
        shadow.fate = Fate::Untouched;
    }
    entry.warnings.clone_from(&gone);
    let phase = if gone.is_empty() { Phase::TakenBack } else { Phase::Done };
    // The log names what is gone, and nothing else.
    shadows.retain(|shadow| gone.is_empty() || shadow.fate == Fate::Trashed);
    entry.shadows = shadows;
    deck.store.journal().close(entry, phase)?;
    if gone.is_empty() {
        return Err(failure.unchanged());
    }
    let report = gone.into_iter().fold(failure, Report::cause);
    Err(report.safe("what is in the trash is whole").hint("`shadowdeck undo` brings it back"))
}

/// Of an operation of which nothing came: the second names of files that lie where they did. What cannot be removed
/// does no harm; `gc` takes it.
pub fn forget_copies(deck: &Deck, operation: OperationId) {
    let Ok(found) = worktrees::read(&deck.repository) else { return };
    for worktree in found.linked {
        let place = deck.store.trash().place(operation, &worktree.id);
        let _ = kept_files::forget_unchanged(&worktree.path, &place);
    }
}

/// Nothing came of it: why each shadow stayed is told, and the failure behind it says what to do.
pub fn refuse_stayed(entry: &JournalEntry, why: Option<Report>) -> Report {
    let headline = entry.warnings.last().cloned().unwrap_or_default();
    match why {
        Some(why) => Report { headline, ..why }.unchanged(),
        None => Report::user(Code::ShadowMoved, headline).unchanged().hint("try again"),
    }
}

/// Somebody moved the target to where the operation neither began nor ends.
pub fn refuse_elsewhere(move_of: &Advance, at: Option<&Oid>) -> Report {
    let at = at.map_or_else(|| "gone".to_owned(), |oid| format!("at {}", oid.abbreviated()));
    Report::environment(
        Code::TargetBusy,
        format!(
            "{} is {at}, neither at {} as before nor at {} as after",
            move_of.target,
            move_of.before.abbreviated(),
            move_of.after.abbreviated()
        ),
    )
    .unchanged()
    .hint("move that branch to one of the two, then run this again")
}

/// Whether git, or a look of ours, refused before anything was written.
pub fn is_refusal(why: &Report) -> bool {
    let codes = [Code::ShadowMoved, Code::ShadowBusy, Code::DirtyOverlap, Code::TargetBusy];
    codes.contains(&why.code)
}

/// What was written after the snapshot did not land: the shadow stays, and the user learns what is new.
pub fn keep_if_written(deck: &Deck, shadow: &mut ShadowEntry, warnings: &mut Vec<String>) {
    if shadow.fate != Fate::Trashed {
        return;
    }
    let (worktree, now) = match moves::read_snapshot(deck, &shadow.id) {
        Ok(read) => read,
        Err(report) => {
            warnings.push(format!("{} stays: it cannot be read any more: {report}", shadow.id));
            shadow.fate = Fate::Untouched;
            return;
        }
    };
    let same_tip = worktree.head.tip() == Some(&shadow.tip);
    if same_tip && Some(&now) == shadow.snapshot.as_ref() {
        return;
    }
    let new = shadow.snapshot.as_ref().map(|snapshot| {
        let diff_tree = deck.repository.planning("diff-tree");
        crate::git::obstacles::changed_paths(diff_tree, snapshot.as_str(), now.as_str())
    });
    let what = match new {
        Some(Ok(changes)) if !changes.is_empty() => {
            let named: Vec<String> = changes.iter().map(|change| change.path.to_lossy()).collect();
            named.join(", ")
        }
        Some(Err(report)) => format!("something that cannot be told apart ({})", report.headline),
        _ => "new commits".to_owned(),
    };
    warnings.push(format!("{} stays: it was written to while it landed, new is {what}", shadow.id));
    shadow.fate = Fate::Untouched;
}

/// Files and index back to where they were, as far as nobody wrote meanwhile. The saved index belongs to the old tip:
/// over another one it would say that the new commit is to be taken back. After an error the operation is unfinished.
pub fn where_it_was(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &ShadowEntry,
    kept: &Kept<'_>,
    (why, start): (&Report, Start),
) -> Result<String, Report> {
    let id = &shadow.id;
    // What was cut short may have taken files away before it was refused.
    let untouched = is_refusal(why) && start == Start::Fresh;
    if kept.read_head()?.as_ref() == Some(kept.tip) {
        if !untouched {
            return_files(deck, writer, shadow, kept)
                .map_err(|report| unreturned(shadow, report))?;
        }
        kept_files::restore_files(&shadow.path, &shadow.trash)?;
        trash::restore_copy(&shadow.trash, moves::INDEX, &shadow.git_dir.join("index"))?;
        return Ok(format!("{id} stays where it was: {}", why.headline));
    }
    if !untouched
        && let Ok((_, found)) = moves::read_snapshot(deck, id)
        && found != *kept.snapshot
        && let Err(report) = kept.put_back(writer)
    {
        kept_files::return_missing(&shadow.path, &shadow.trash)
            .map_err(|report| unreturned(shadow, report))?;
        return Ok(format!(
            "{id} has a new commit, made while it was moved: its branch stays there, and its files have what landed \
             too: {}",
            report.headline
        ));
    }
    kept.reset_index(writer)?;
    Ok(format!(
        "{id} has a new commit, made while it was moved: its branch stays there, its files are as before, and nothing \
         is staged"
    ))
}

/// By git's own way back; where that cannot be gone either, one by one, and what is missing still from the trash.
fn return_files(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &ShadowEntry,
    kept: &Kept<'_>,
) -> Result<(), Report> {
    if let Ok((_, found)) = moves::read_snapshot(deck, &shadow.id) {
        if found == *kept.snapshot || (found == *kept.whole && kept.put_back(writer).is_ok()) {
            return Ok(());
        }
        let mended = mend(deck, writer, kept, found, [kept.snapshot, kept.whole]);
        if mended == *kept.snapshot {
            return Ok(());
        }
    }
    kept.take_files_back(writer)?;
    kept_files::return_missing(&shadow.path, &shadow.trash)
}

/// The tree that a shadow holds once what a killed git left half-written in it is put back; `found` where there is
/// no such thing. It goes back to the first of the two trees that the move was between.
pub fn mend(
    deck: &Deck,
    writer: &Writer<'_>,
    kept: &Kept<'_>,
    found: Oid,
    [from, to]: [&Oid; 2],
) -> Oid {
    if found == *from || found == *to {
        return found;
    }
    // What cannot be put back is somebody's own: the caller then leaves the shadow alone, and says so.
    let mended = moves::changes_between(deck, from, to)
        .and_then(|changes| settle::take_back(writer, kept.place, from, to, &changes));
    match mended {
        Ok(_) => read_tree_of(deck, kept.place).unwrap_or(found),
        Err(_) => found,
    }
}

fn read_tree_of(deck: &Deck, place: &Place) -> Option<Oid> {
    let linked = worktrees::read(&deck.repository).ok()?.linked;
    let worktree = linked.iter().find(|linked| linked.admin_dir == place.git_dir)?;
    snapshot::read(&deck.repository, worktree).ok().map(|snapshot| snapshot.tree)
}

/// Whether a way back that broke off halfway has left nothing of itself, once it is mended.
pub fn is_back(
    deck: &Deck,
    writer: &Writer<'_>,
    kept: &Kept<'_>,
    id: &ShadowId,
) -> Result<bool, Report> {
    let (_, found) = moves::read_snapshot(deck, id)?;
    let mended = mend(deck, writer, kept, found, [kept.whole, kept.snapshot]);
    let is_back = moves::is_as_left(deck, &mended, kept.snapshot, kept.whole)?;
    if is_back {
        kept.reset_index(writer)?;
    }
    Ok(is_back)
}

/// After a failure that was looked into: all is as before, but for what is `told` to stay.
pub fn taken_back(report: Report, told: Vec<String>) -> Report {
    let safe = if told.is_empty() {
        "all of it was taken back, and nothing is changed"
    } else {
        "what was its own was taken back"
    };
    let safe = report.safe.clone().unwrap_or_else(|| safe.to_owned());
    let hint = report.hint.clone().unwrap_or_else(|| "try again".to_owned());
    told.into_iter().fold(report, Report::cause).safe(safe).hint(hint)
}

/// After a failure whose rest could not be taken back yet.
pub fn unsettled(report: Report, why: Report) -> Report {
    let report = Report { safe: why.safe.or(report.safe), ..report };
    let report = if why.headline == report.headline { report } else { report.cause(why.headline) };
    if report.safe.as_deref() == Some("nothing was changed") || report.safe.is_none() {
        return report
            .safe("the journal has what it began, and the next shadowdeck command settles it");
    }
    report
}

pub fn unreturned(shadow: &ShadowEntry, report: Report) -> Report {
    report
        .safe(format!("what {} held is kept whole in {}", shadow.id, shadow.trash.display()))
        .hint("mend what is named here; the next shadowdeck command goes on with it")
}
