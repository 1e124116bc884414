//! What of a conflict the two did themselves. Where one was made from a newer target, what the target did since is on
//! its side too, and that is nothing that the two do to each other.

use std::{ops::Range, sync::atomic::AtomicBool};

use super::conflicts;
use crate::{
    git::{at_path, private},
    report::Report,
    review::{Block, Conflict, ConflictKind, Content, Entry, FileDiff, clash::clashes},
    shadow::Oid,
};

/// All that one holds, and the tree that it began from.
pub(super) struct Own {
    pub(super) commit: Oid,
    pub(super) begun: Oid,
}

/// Of what each side did since the base, what is its own; `None` where the two do nothing to each other.
pub(super) fn own_blocks(
    local: &private::Local,
    conflict: &Conflict,
    all: [&[Block]; 2],
    owns: &[Own; 2],
    cancel: &AtomicBool,
) -> Result<Option<[Vec<Block>; 2]>, Report> {
    let [_, a, b] = conflict.sides();
    let side = |at: usize, entry| blocks_of(local, conflict, entry, all[at], &owns[at], cancel);
    let (Some(a), Some(b)) = (side(0, a)?, side(1, b)?) else { return Ok(None) };
    let are_of_others = clashes(&a, &b).is_empty() && !clashes(all[0], all[1]).is_empty();
    Ok((!are_of_others).then_some([a, b]))
}

/// `None` where it left the path as it found it.
fn blocks_of(
    local: &private::Local,
    conflict: &Conflict,
    entry: Option<&Entry>,
    all: &[Block],
    own: &Own,
    cancel: &AtomicBool,
) -> Result<Option<Vec<Block>>, Report> {
    if is_of_names(conflict.kind) {
        return Ok(Some(all.to_vec()));
    }
    let before = at_path::find_entry(local, &own.begun, &conflict.path)?;
    if at_path::find_entry(local, &own.commit, &conflict.path)? == before {
        return Ok(None);
    }
    let Some(before) = before.and_then(at_path::Found::into_entry) else {
        return Ok(Some(all.to_vec()));
    };
    if conflict.sides()[0] == Some(&before) {
        return Ok(Some(all.to_vec()));
    }
    let since = Conflict { base: Some(before), versions: None, ..conflict.clone() };
    let diff = conflicts::read_side(local, &since, entry, cancel)?;
    let Some(Content::Text { blocks: own, .. }) = diff.map(|FileDiff { content, .. }| content)
    else {
        return Ok(Some(all.to_vec()));
    };
    let touch =
        |one: &Range<u32>, other: &Range<u32>| one.start <= other.end && other.start <= one.end;
    let is_own = |block: &&Block| own.iter().any(|own| touch(&own.new, &block.new));
    Ok(Some(all.iter().filter(is_own).cloned().collect()))
}

/// The path alone does not tell who did what: such a conflict counts whole.
const fn is_of_names(kind: ConflictKind) -> bool {
    matches!(
        kind,
        ConflictKind::RenameAdd
            | ConflictKind::RenameRename
            | ConflictKind::RenameDelete
            | ConflictKind::DirectoryRename
    )
}
