//! Where the journal's entries say that things lie, also after the repository was moved on the disk: trash is written
//! from the private directory on, and what an earlier place names is found where the journal lies now.

use std::path::{Path, PathBuf};

use super::JournalEntry;

/// As it goes to the disk.
pub fn stored(entry: &JournalEntry, private_dir: &Path) -> JournalEntry {
    let mut entry = entry.clone();
    for shadow in &mut entry.shadows {
        if let Ok(within) = shadow.trash.strip_prefix(private_dir) {
            shadow.trash = within.to_owned();
        }
    }
    entry
}

/// As it is worked with: `trash/<operation>/<id>` below the private directory, `worktrees/<id>` below the git
/// directory, and a shadow within the main worktree still within it.
pub fn placed(mut entry: JournalEntry, private_dir: &Path) -> JournalEntry {
    let Some(common_dir) = private_dir.parent() else { return entry };
    for shadow in &mut entry.shadows {
        if let Some(within) = last_components(&shadow.trash, 3)
            && within.starts_with("trash")
        {
            shadow.trash = private_dir.join(within);
        }
        let Some(within) = last_components(&shadow.git_dir, 2) else { continue };
        let Some(earlier) = shadow.git_dir.ancestors().nth(2) else { continue };
        if !within.starts_with("worktrees") || earlier == common_dir {
            continue;
        }
        if let (Some(from), Some(to)) = (earlier.parent(), common_dir.parent())
            && earlier.file_name() == common_dir.file_name()
            && let Ok(inside) = shadow.path.strip_prefix(from)
            && earlier.ends_with(".git")
        {
            shadow.path = to.join(inside);
        }
        shadow.git_dir = common_dir.join(within);
    }
    entry
}

fn last_components(path: &Path, count: usize) -> Option<PathBuf> {
    let all: Vec<_> = path.components().collect();
    let first = all.len().checked_sub(count)?;
    Some(all[first..].iter().collect())
}
