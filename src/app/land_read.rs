//! What of a plan's change has not been read: worked out once for each plan, since it looks at every line.

use super::Model;
use crate::{
    review::{LandPlan, ReviewPage, digest::digests, ticks::Reading},
    shadow::RepoPath,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    pub files: Vec<RepoPath>,
    /// Not counted in the list, and so named.
    pub folded: Vec<RepoPath>,
}

/// Nothing where no page of just this snapshot is there.
pub(super) fn unread_of(model: &Model, plan: &LandPlan) -> Unread {
    let is_same = |page: &&ReviewPage| page.id == plan.id && page.snapshot == plan.snapshot;
    let open = model.review.as_ref().and_then(|screen| screen.whole.as_deref()).filter(is_same);
    let known = || model.pages.find(&plan.id).map(|page| &**page).filter(is_same);
    let mut unread = Unread::default();
    let Some(page) = open.or_else(known) else { return unread };
    let is_all_folded = page.is_all_folded();
    for file in &page.files {
        let ticks = &model.memory.marks.ticks;
        if ticks.reading(&plan.id, &file.change, &digests(file)) == Reading::Read {
            continue;
        }
        let list = match file.fold {
            Some(_) if !is_all_folded => &mut unread.folded,
            _ => &mut unread.files,
        };
        list.push(file.change.path.clone());
    }
    unread
}
