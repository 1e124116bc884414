//! What is read of one shadow by itself, before the batches that answer for all.

use super::{
    super::{
        Deck,
        ground::{Ground, Place},
        target,
    },
    remembered::{Answer, Course, Merged, Remembered},
};
use crate::{
    git::{
        base::{self, Base},
        diff::{Comparisons, Pair},
        recount,
        refs::{self, Distance},
        scan,
        snapshot::{self, Snapshot},
    },
    report::Report,
    review::{FileChange, flag::FileFlag},
    shadow::Oid,
    store::Cache,
};

pub(super) struct Facts {
    pub(super) place: Place,
    pub(super) history: Option<History>,
    pub(super) snapshot: Option<Snapshot>,
    pub(super) rules: String,
    pub(super) merge: Option<Merged>,
    pub(super) change: Option<Vec<FileChange>>,
    pub(super) flags: Option<Vec<FileFlag>>,
    /// `None`: nobody has asked.
    pub(super) equal_patches: Option<bool>,
    /// The first thing that could not be read, in words.
    pub(super) problem: Option<String>,
    pub(super) remembered: Remembered,
    before: Remembered,
}

/// How the shadow lies to its target: known also for one whose files cannot be read.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) target_tip: Oid,
    pub(super) tip: Oid,
    pub(super) base: Base,
    pub(super) distance: Distance,
}

impl Facts {
    pub(super) fn read(
        deck: &Deck,
        ground: &Ground,
        place: &Place,
        cache: &Cache,
        comparisons: &mut Comparisons<'_>,
    ) -> Self {
        let mut facts = Self::read_standing(deck, ground, place, cache);
        if facts.snapshot.is_some()
            && let Err(report) =
                facts.read_change(comparisons).and_then(|()| facts.read_flags(deck))
        {
            facts.blame(&report);
        }
        facts.recall();
        facts
    }

    /// History and snapshot alone: nothing that it changes is counted.
    pub(super) fn read_standing(
        deck: &Deck,
        ground: &Ground,
        place: &Place,
        cache: &Cache,
    ) -> Self {
        let remembered: Remembered = cache.read(&place.worktree.id).unwrap_or_default();
        let mut facts = Self {
            place: place.clone(),
            history: None,
            snapshot: None,
            rules: String::new(),
            merge: None,
            change: None,
            flags: None,
            equal_patches: None,
            problem: place.worktree.problem.clone(),
            before: remembered.clone(),
            remembered,
        };
        if let Err(report) = place.record() {
            facts.blame(&report);
        }
        if let Err(report) = facts.read_history(deck, ground) {
            facts.blame(&report);
        }
        if place.worktree.problem.is_none()
            && let Err(report) = facts.read_snapshot(deck)
        {
            facts.blame(&report);
        }
        facts
    }

    /// What the batches were asked before of just these sides.
    fn recall(&mut self) {
        let Some(question) = self.merge_question() else { return };
        self.merge = Answer::to(self.remembered.merge.as_ref(), &question).cloned();
        let equal = self.remembered.equal_patches.as_ref();
        self.equal_patches = Answer::to(equal, &question).copied();
    }

    /// Nothing is left to ask that its verdict hangs on.
    pub(super) fn is_answered(&self) -> bool {
        self.merge.is_some() && (self.equal_patches.is_some() || !self.asks_patches())
    }

    /// Whether equal patches may prove it landed.
    pub(super) fn asks_patches(&self) -> bool {
        let (Some(history), Some(snapshot), Some(change)) =
            (&self.history, &self.snapshot, &self.change)
        else {
            return false;
        };
        let distance = history.distance;
        !snapshot.dirty && !change.is_empty() && distance.ahead > 0 && distance.behind > 0
    }

    /// Remembers the first problem: the others mostly follow from it.
    pub(super) fn blame(&mut self, report: &Report) {
        let mut words = report.headline.clone();
        for cause in report.causes.iter().take(1) {
            words.push_str(": ");
            words.push_str(cause);
        }
        if let Some(hint) = &report.hint {
            words.push_str("; ");
            words.push_str(hint);
        }
        self.problem.get_or_insert(words);
    }

    fn read_history(&mut self, deck: &Deck, ground: &Ground) -> Result<(), Report> {
        let Some(tip) = self.place.worktree.head.tip().cloned() else { return Ok(()) };
        let (_, target_tip) = target::find_tip(deck, ground.target_of(&self.place).as_ref())?;
        let question = format!("{target_tip} {tip}");
        let known = Answer::to(self.remembered.course.as_ref(), &question)
            .filter(|known| base::is_stored(&deck.repository, &known.base));
        let Course { base, distance } = if let Some(known) = known {
            known.clone()
        } else {
            let base = base::read(&deck.repository, &target_tip, &tip)?;
            let commits = &base.commits;
            let distance = refs::distance(&deck.repository, &target_tip, &tip, commits)?;
            Course { base, distance }
        };
        let course = Course { base: base.clone(), distance };
        self.remembered.course = Some(Answer::new(question, course));
        self.history = Some(History { target_tip, tip, base, distance });
        Ok(())
    }

    fn read_snapshot(&mut self, deck: &Deck) -> Result<(), Report> {
        let repository = &deck.repository;
        let worktree = &self.place.worktree;
        let look = scan::look(repository, worktree)?;
        let known = look
            .signature
            .as_ref()
            .and_then(|signature| Answer::to(self.remembered.snapshot.as_ref(), signature))
            .filter(|known| snapshot::is_stored(repository, known));
        let snapshot = match known {
            Some(known) => known.clone(),
            None => snapshot::read_looked(repository, worktree, &look)?,
        };
        self.rules = look.rules;
        self.remembered.snapshot =
            look.signature.map(|signature| Answer::new(signature, snapshot.clone()));
        self.snapshot = Some(snapshot);
        Ok(())
    }

    /// How many files and lines it changes. Asked at once, while another shadow's files are read.
    fn read_change(&mut self, comparisons: &mut Comparisons<'_>) -> Result<(), Report> {
        let (Some((question, pair)), Some(history)) = (self.change_question(), &self.history)
        else {
            return Ok(());
        };
        let known = self.remembered.change.as_ref();
        let changed = if let Some(known) = Answer::to(known, &question) {
            known.clone()
        } else {
            let before = Answer::begun(known, &self.ground_of(history));
            let before = before.map(Vec::as_slice).unwrap_or_default();
            recount::read(comparisons, &history.target_tip, &pair, before)?
        };
        self.remembered.change = Some(Answer::new(question, changed.clone()));
        self.change = Some(changed);
        Ok(())
    }

    /// The prediction's question, once both sides are known.
    pub(super) fn merge_question(&self) -> Option<String> {
        let (history, snapshot) = (self.history.as_ref()?, self.snapshot.as_ref()?);
        Some(format!("{}{} {}", self.ground_of(history), history.tip, snapshot.tree))
    }

    /// The change's question, and its trees.
    pub(super) fn change_question(&self) -> Option<(String, Pair)> {
        let (history, snapshot) = (self.history.as_ref()?, self.snapshot.as_ref()?);
        let pair = Pair { old: history.base.tree.clone(), new: snapshot.tree.clone() };
        Some((format!("{}{} {}", self.ground_of(history), pair.old, pair.new), pair))
    }

    /// How both questions begin: what git judges by that is in neither tree, and the target with its attributes.
    fn ground_of(&self, history: &History) -> String {
        format!("{} {} ", self.rules, history.target_tip)
    }

    pub(super) fn keep(&self, cache: &Cache) {
        if self.remembered != self.before {
            cache.write(&self.place.worktree.id, &self.remembered);
        }
    }
}
