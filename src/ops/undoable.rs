//! Whether an operation could be taken back now, as cheaply as a list needs it: by refs, names and registrations,
//! all read in process. An undo itself looks again, and reads the files too.

use super::{Deck, returning, undo};
use crate::{
    git::{
        refs,
        worktrees::{self, Worktree, Worktrees},
    },
    report::Report,
    shadow::ShadowId,
    store::{Fate, JournalEntry, Phase, ShadowEntry, Verb},
};

/// What is true of the repository now, read once for a whole log.
pub(super) struct Now<'a> {
    deck: &'a Deck,
    worktrees: Worktrees,
}

impl<'a> Now<'a> {
    pub(super) fn read(deck: &'a Deck) -> Result<Self, Report> {
        Ok(Self { deck, worktrees: worktrees::read(&deck.repository)? })
    }

    /// Why it cannot be taken back; `None` where nothing is known to be in the way.
    pub(super) fn find_obstacle(&self, entry: &JournalEntry) -> Option<String> {
        find_own_obstacle(entry).or_else(|| self.read_obstacle(entry).err().map(|it| it.headline))
    }

    fn read_obstacle(&self, entry: &JournalEntry) -> Result<(), Report> {
        if let Some(advance) = &entry.advance {
            let at = refs::find_branch_tip(&self.deck.repository, &advance.target)?;
            undo::refuse_moved(advance, at.as_ref())?;
        }
        if let Some(decision) = &entry.decision {
            undo::refuse_decided_anew(self.deck, decision)?;
        }
        entry.shadows.iter().try_for_each(|shadow| self.refuse_changed(shadow))
    }

    fn refuse_changed(&self, shadow: &ShadowEntry) -> Result<(), Report> {
        let id = &shadow.id;
        match &shadow.fate {
            Fate::Trashed => {
                returning::refuse_gone(shadow)?;
                returning::refuse_branch(shadow, |branch| {
                    refs::find_branch_tip(&self.deck.repository, branch)
                })
            }
            Fate::Kept { new_tip, .. } => {
                let tip = self.find(id).and_then(|worktree| worktree.head.tip());
                if tip == Some(new_tip) {
                    return Ok(());
                }
                Err(undo::cannot(format!("{id} has moved on since")))
            }
            Fate::Made => {
                let known =
                    self.find(id).map(|_| self.deck.store.records().read(id)).transpose()?;
                let made = shadow.record.as_ref().map(|record| record.ulid);
                match known {
                    None => Err(undo::cannot(format!("{id} is gone"))),
                    Some(known) if known.as_ref().map(|record| record.ulid) != made => Err(
                        undo::cannot(format!("{id} is another shadow by now, of the same name")),
                    ),
                    Some(_) => Ok(()),
                }
            }
            Fate::Restored | Fate::PutBack { .. } | Fate::Untouched => Ok(()),
        }
    }

    fn find(&self, id: &ShadowId) -> Option<&Worktree> {
        self.worktrees.linked.iter().find(|worktree| worktree.id == *id)
    }
}

/// What the journal itself says.
fn find_own_obstacle(entry: &JournalEntry) -> Option<String> {
    if let Some(gc) = entry.emptied_by {
        return Some(format!("gc {gc} emptied its trash"));
    }
    let why = match entry.phase {
        Phase::Done if undo::is_undoable(entry) => return None,
        Phase::Done if entry.verb == Verb::Gc => "what gc empties does not come back",
        Phase::Done => "an undo is taken back with redo",
        Phase::Undone => "it was undone already",
        Phase::TakenBack => "it was taken back: it never happened",
        Phase::Intent | Phase::Prepared => "it is unfinished",
    };
    Some(why.to_owned())
}
