//! Whose conflict it is. Two commits may clash in a file that one of the shadows has only from its target: then landing
//! that one changes nothing for the other, whatever `git merge-tree` says of the two.

use std::collections::BTreeMap;

use super::{
    Deck,
    list::sides::{Side, Standing},
};
use crate::{
    git::{
        at_path,
        private::{self, Local},
    },
    report::Report,
    review::{ClashFile, Conflict, ConflictKind, Meeting, RadarPair},
    shadow::{Oid, RepoPath},
};

/// What each commit did to each file that was asked for, itself.
pub(super) struct Owners<'a> {
    deck: &'a Deck,
    local: Option<Local>,
    touched: BTreeMap<(Oid, RepoPath), bool>,
}

impl<'a> Owners<'a> {
    pub(super) const fn new(deck: &'a Deck) -> Self {
        Self { deck, local: None, touched: BTreeMap::new() }
    }

    /// Puts down what comes of the two: in which files they clash by what both did, and in which by what their target did.
    pub(super) fn settle(
        &mut self,
        pair: &mut RadarPair,
        [one, other]: [&Side; 2],
        files: Vec<ClashFile>,
    ) {
        pair.through_target.clear();
        match self.split([one, other], files) {
            Ok((own, through)) => {
                pair.meeting = if own.is_empty() { Meeting::Clean } else { Meeting::Clash(own) };
                pair.through_target = through;
            }
            Err(report) => pair.meeting = Meeting::Unknown(report.headline),
        }
    }

    fn split(
        &mut self,
        sides: [&Side; 2],
        files: Vec<ClashFile>,
    ) -> Result<(Vec<ClashFile>, Vec<ClashFile>), Report> {
        let (mut own, mut through) = (Vec::new(), Vec::new());
        for file in files {
            let is_through = self.is_through(sides, &file.path, file.kind)?;
            let list = if is_through { &mut through } else { &mut own };
            list.push(file);
        }
        Ok((own, through))
    }

    /// Without those that are their target's.
    pub(super) fn keep_own(
        &mut self,
        sides: [&Side; 2],
        conflicts: &mut Vec<Conflict>,
    ) -> Result<(), Report> {
        for conflict in std::mem::take(conflicts) {
            if !self.is_through(sides, &conflict.path, conflict.kind)? {
                conflicts.push(conflict);
            }
        }
        Ok(())
    }

    fn is_through(
        &mut self,
        [one, other]: [&Side; 2],
        path: &RepoPath,
        kind: ConflictKind,
    ) -> Result<bool, Report> {
        if one.target != other.target {
            return Ok(false);
        }
        for side in [one, other] {
            let Ok(standing) = &side.standing else { continue };
            if !self.touches(standing, path, kind)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Only what stands at this very path is compared: where a name or a directory moved it counts as the shadow's own.
    fn touches(
        &mut self,
        standing: &Standing,
        path: &RepoPath,
        kind: ConflictKind,
    ) -> Result<bool, Report> {
        let may_be_gone = match kind {
            ConflictKind::ModifyDelete => true,
            ConflictKind::Content
            | ConflictKind::AddAdd
            | ConflictKind::Binary
            | ConflictKind::Mode
            | ConflictKind::Symlink
            | ConflictKind::Submodule => false,
            ConflictKind::RenameRename
            | ConflictKind::RenameDelete
            | ConflictKind::RenameAdd
            | ConflictKind::DirectoryRename
            | ConflictKind::FileDirectory
            | ConflictKind::DistinctTypes => return Ok(true),
        };
        let key = (standing.commit.clone(), path.clone());
        if let Some(known) = self.touched.get(&key) {
            return Ok(*known);
        }
        let local = match self.local.take() {
            Some(local) => local,
            None => private::local(&self.deck.repository)?,
        };
        let local = self.local.insert(local);
        let now = at_path::read_entry(local, &standing.commit, path)?;
        let mut touches = standing.bases.is_empty() || (now.is_none() && !may_be_gone);
        for base in &standing.bases {
            touches |= at_path::read_entry(local, base, path)? != now;
        }
        self.touched.insert(key, touches);
        Ok(touches)
    }
}
