//! What each side of a conflict did with the file since the base: in one line, with the commit that did it.

use super::{
    cells,
    chrome::age,
    conflict_words::{directory_words, files_words, new_name},
    theme::Theme,
};
use crate::{
    app::conflicts::Pane,
    review::{
        Conflict, ConflictFile, ConflictKind, ConflictPage, Told, name::visible_name,
        visible::visible_str,
    },
    shadow::RepoPath,
};

const SUBJECT_CELLS: usize = 40;
const AUTHOR_CELLS: usize = 20;

/// What a side did, in short.
pub(super) fn did(
    file: &ConflictFile,
    page: &ConflictPage,
    side: Pane,
    now_ms: u64,
    theme: &Theme,
) -> String {
    let (entry, diff, told) = if side == Pane::Target {
        (&file.conflict.target, &file.target_diff, &file.told[0])
    } else {
        (&file.conflict.shadow, &file.shadow_diff, &file.told[1])
    };
    let base = page.base.abbreviated();
    let is_side = |conflict: &Conflict| match side {
        Pane::Target => conflict.target.is_some(),
        _ => conflict.shadow.is_some(),
    };
    if let Some(name) = new_name(file, page, is_side) {
        return format!("named it {name} since {base}");
    }
    let by = by(told, now_ms, theme);
    let since = if by.is_empty() { format!(" since {base}") } else { by.clone() };
    let added = match &told.renamed {
        Some(old) => format!("renamed {} to it{since}", visible_name(old.as_bytes())),
        None => format!("added it{by}"),
    };
    match (entry, &file.conflict.base, diff) {
        (None, base, _) => absent(file, told, &since, base.is_some()),
        (Some(now), None, _) if file.conflict.kind == ConflictKind::Mode => {
            format!("added it with mode {}", now.mode.as_octal())
        }
        (Some(_), None, _) => match &file.conflict.moved_from {
            Some(put) => format!("put it at {}{since}", visible_name(put.as_bytes())),
            None => added,
        },
        (Some(_), Some(_), _) if told.renamed.is_some() => added,
        (Some(now), Some(then), _) if now == then => format!("as it was in {base}"),
        (Some(now), Some(then), _) if now.mode != then.mode => format!(
            "mode {} {} {} since {base}",
            then.mode.as_octal(),
            theme.glyphs.arrow,
            now.mode.as_octal()
        ),
        (Some(_), Some(_), Some(diff)) => {
            let change = &diff.change;
            let lines = match (change.insertions, change.deletions) {
                (0, 0) => String::new(),
                (added, removed) => format!(": +{added} {}{removed}", theme.glyphs.minus),
            };
            format!("what it did since {base}{lines}")
        }
        (Some(_), Some(_), None) => format!("changed it since {base}"),
    }
}

/// Of a side without the file: never that it deleted what the base has not either.
fn absent(file: &ConflictFile, told: &Told, since: &str, was_there: bool) -> String {
    if !told.below.is_empty() {
        return format!("a directory: {}", files_words(&told.below));
    }
    if let Some([from, to]) = file.conflict.moved_directories() {
        let [from, to] = [from, to].map(|directory: RepoPath| directory_words(&directory));
        return format!("renamed {from} to {to}{since}");
    }
    match (&told.renamed, was_there) {
        (Some(new), _) => format!("renamed it to {}{since}", visible_name(new.as_bytes())),
        (None, true) => format!("deleted it{since}"),
        (None, false) => "has no such file".to_owned(),
    }
}

/// ` in 77ab01e "drop the old client" by Ana, 2d ago`; nothing where git does not tell.
fn by(told: &Told, now_ms: u64, theme: &Theme) -> String {
    let Some(commit) = &told.by else { return String::new() };
    let subject = cells::clip(&visible_str(&commit.subject), SUBJECT_CELLS, theme);
    let author = cells::clip(&visible_str(&commit.author), AUTHOR_CELLS, theme);
    let ago = age(now_ms, commit.time_ms);
    format!(" in {} \"{subject}\" by {author}, {ago} ago", commit.id.abbreviated())
}
