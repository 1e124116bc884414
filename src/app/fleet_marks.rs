//! Which rows of the list a person has read or chosen, and which come next: marks, the range, what wants someone.

use std::{collections::BTreeSet, ops::RangeInclusive};

use super::{
    fleet::FleetScreen,
    group::{Counts, Group},
    review_marks::ReadCount,
};
use crate::{
    review::Row,
    shadow::{RepoPath, ShadowId},
};

impl FleetScreen {
    /// How far what it proposes now has been read; `None` where only something older was counted.
    pub fn read_of(&self, row: &Row) -> Option<&ReadCount> {
        self.read.get(&row.id).filter(|read| row.is_of(&read.base, &read.snapshot))
    }

    /// The file is one of those that landing the shadow conflicts in, and not all of them are settled.
    pub fn is_in_conflict(&self, id: &ShadowId, path: &RepoPath) -> bool {
        self.find(id)
            .is_some_and(|row| Group::of(row) == Group::Conflicts && row.conflicts.contains(path))
    }

    pub fn counts(&self) -> Counts {
        // What was read whole waits for a landing, not for a reader.
        let is_read = |id: &ShadowId| {
            let read = self.find(id).and_then(|row| self.read_of(row));
            read.is_some_and(|read| read.files > 0 && read.read == read.files)
        };
        Counts::of(self.listed.iter().map(|listed| &listed.row), is_read)
    }

    /// Marked rows that are visible, in the order shown: what a hidden mark would do is never done unseen.
    pub fn marked(&self) -> Vec<&Row> {
        self.visible().map(|l| &l.row).filter(|row| self.marks.contains(&row.id)).collect()
    }

    /// Rows of the range, as places among the visible ones.
    pub fn range_rows(&self) -> Option<RangeInclusive<usize>> {
        let anchor = self.range.as_ref()?;
        let at = self.visible().position(|listed| listed.row.id == *anchor)?;
        Some(at.min(self.cursor.index)..=at.max(self.cursor.index))
    }

    /// The next visible row, from the cursor on and around, that wants a person.
    pub(super) fn find_wanting(&self, forward: bool) -> Option<usize> {
        let news = self.away.as_ref().filter(|away| away.has_unwalked());
        let mut wanting: Vec<bool> = self
            .visible()
            .map(|listed| news.is_some_and(|away| away.is_unwalked(&listed.row.id)))
            .collect();
        if !wanting.contains(&true) {
            wanting = self.visible().map(|listed| Group::of(&listed.row).wants_you()).collect();
        }
        let count = wanting.len();
        let at = |offset: usize| {
            let offset = if forward { offset } else { count - offset };
            (self.cursor.index + offset) % count
        };
        (1..=count).map(at).find(|index| wanting[*index])
    }

    pub(super) fn mark_newly_stale(&mut self, before: &BTreeSet<ShadowId>) {
        if !self.stale_wish {
            return;
        }
        let joining: Vec<ShadowId> = self
            .visible()
            .filter(|listed| listed.row.stale.is_some() && !before.contains(&listed.row.id))
            .map(|listed| listed.row.id.clone())
            .collect();
        self.marks.extend(joining);
    }

    pub(super) fn stale_ids(&self) -> BTreeSet<ShadowId> {
        let stale = self.listed.iter().filter(|listed| listed.row.stale.is_some());
        stale.map(|listed| listed.row.id.clone()).collect()
    }
}
