//! A file that both sides renamed and changed in the same lines: what git calls a side of it is its own merge, markers and
//! all. Its three versions are read where the sides have them.

use crate::{
    git::{
        at_path::read_entry,
        private::{self, Local},
    },
    report::Report,
    review::{Conflict, ConflictKind, Entry, Mode, conflict::lines_marked_by_git},
    shadow::Oid,
};

/// Of merges of these two commits.
pub(super) fn fill(
    local: &Local,
    [target, shadow]: [&Oid; 2],
    conflicts: &mut [Conflict],
) -> Result<(), Report> {
    for index in 0..conflicts.len() {
        let own = &conflicts[index];
        if own.kind != ConflictKind::RenameRename || own.base.is_none() {
            continue;
        }
        let named = own.names.clone();
        let find = |has: fn(&Conflict) -> bool| {
            conflicts.iter().position(|it| named.contains(&it.path) && has(it))
        };
        let is_targets = |it: &Conflict| it.target.is_some() && it.shadow.is_none();
        let is_shadows = |it: &Conflict| it.shadow.is_some() && it.target.is_none();
        let (Some(base), Some(one), Some(other)) =
            (own.base.clone(), find(is_targets), find(is_shadows))
        else {
            continue;
        };
        if !is_marked(local, conflicts[one].target.as_ref())? {
            continue;
        }
        let of_target = read_entry(local, target, &conflicts[one].path)?;
        let of_shadow = read_entry(local, shadow, &conflicts[other].path)?;
        if let (Some(of_target), Some(of_shadow)) = (of_target, of_shadow) {
            for at in [one, other] {
                conflicts[at].versions = Some([base.clone(), of_target.clone(), of_shadow.clone()]);
            }
        }
    }
    Ok(())
}

fn is_marked(local: &Local, entry: Option<&Entry>) -> Result<bool, Report> {
    let plain = |entry: &&Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    let Some(entry) = entry.filter(plain) else { return Ok(false) };
    Ok(!lines_marked_by_git(&private::read_blob(local, &entry.oid)?).is_empty())
}
