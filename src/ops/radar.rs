//! Which shadows would conflict with which, and with their target: git is asked for each two, one process for many,
//! and only for those that are not remembered. Changes nothing.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    Deck, conflicts,
    ground::{Ground, check},
    list::sides::{self, Side, Standing},
    radar_kept::Memory,
    radar_through::Owners,
};
use crate::{
    git::{
        merge::{self, Prediction},
        private, refs,
    },
    report::{Code, Report},
    review::{
        Block, ClashFile, Conflict, ConflictFile, Content, FileDiff, Meeting, Party, Progress,
        Radar, RadarPage, RadarPair, RadarShadow, Watch, clash::clashes, radar::ClashLines,
    },
    shadow::{Oid, ShadowId},
    store::journal::now_ms,
};

/// So many are asked of one process where somebody watches how it goes on.
const PAIRS_TOLD: usize = 64;

/// All of it; one git process for all pairs that are judged by the same attributes.
pub fn read(deck: &Deck, cancel: &AtomicBool) -> Result<Radar, Report> {
    Scan { deck, watch: Watch { tell: &|_| {}, stop: cancel }, at_once: usize::MAX }.read()
}

/// The same; tells what is known every so many pairs.
pub fn read_told(deck: &Deck, watch: Watch<'_>) -> Result<Radar, Report> {
    Scan { deck, watch, at_once: PAIRS_TOLD }.read()
}

struct Scan<'a> {
    deck: &'a Deck,
    watch: Watch<'a>,
    at_once: usize,
}

/// What is known so far: pairs, and what one side of a conflict did to a file. A shadow meets each of the others with
/// the same change, so that is worked out once.
struct Known<'a> {
    memory: Memory,
    sides: BTreeMap<[Option<Oid>; 2], Vec<Block>>,
    owners: Owners<'a>,
}

/// A pair that git is to be asked about: its place in the radar, and the commits.
struct Asked<'a> {
    index: usize,
    question: String,
    pair: [Oid; 2],
    /// The second where it is no target.
    sides: (&'a Side, Option<&'a Side>),
}

impl Scan<'_> {
    fn read(&self) -> Result<Radar, Report> {
        let ground = Ground::read(self.deck, self.watch.stop)?;
        let sides = sides::read(self.deck, &ground, self.watch.stop)?;
        let (memory, owners) = (Memory::read(self.deck), Owners::new(self.deck));
        let mut known = Known { memory, sides: BTreeMap::new(), owners };
        let mut radar = begun(&sides);
        let open = self.open(&sides, &mut known, &mut radar)?;
        self.tell(&radar);
        for (target, asked) in open {
            for asked in asked.chunks(self.at_once.min(asked.len()).max(1)) {
                check(self.watch.stop)?;
                self.ask(&target, asked, &mut known, &mut radar)?;
                self.tell(&radar);
            }
        }
        known.memory.keep(self.deck);
        Ok(radar)
    }

    fn tell(&self, radar: &Radar) {
        (self.watch.tell)(Progress::Compared(Box::new(radar.clone())));
    }

    /// All pairs, those that are remembered with their answer; the others by the commit whose attributes they are
    /// judged by: that of the first one's target.
    fn open<'s>(
        &self,
        sides: &'s [Side],
        known: &mut Known<'_>,
        radar: &mut Radar,
    ) -> Result<BTreeMap<Oid, Vec<Asked<'s>>>, Report> {
        let mut kinship = Kinship { deck: self.deck, known: BTreeMap::new() };
        let mut open: BTreeMap<Oid, Vec<Asked<'s>>> = BTreeMap::new();
        for (side, party, other) in pairs(sides) {
            check(self.watch.stop)?;
            let mut pair = unmet(side, party);
            match Question::of(self.deck, side, other, &mut known.memory) {
                Err(why) => pair.meeting = Meeting::Unknown(why),
                Ok(question) => match known.memory.find(&question.text) {
                    Some(files) => settle(&mut known.owners, &mut pair, (side, other), files),
                    None => match kinship.check(side, other) {
                        Err(why) => pair.meeting = Meeting::Unknown(why),
                        Ok(()) => open.entry(question.target_tip).or_default().push(Asked {
                            index: radar.pairs.len(),
                            question: question.text,
                            pair: question.pair,
                            sides: (side, other),
                        }),
                    },
                },
            }
            radar.pairs.push(pair);
        }
        Ok(open)
    }

    /// A batch that fails as a whole is halved until whoever is to blame stands alone.
    fn ask(
        &self,
        target: &Oid,
        asked: &[Asked<'_>],
        known: &mut Known<'_>,
        radar: &mut Radar,
    ) -> Result<(), Report> {
        let pairs: Vec<[&Oid; 2]> = asked.iter().map(|asked| asked.pair.each_ref()).collect();
        let answered = merge::predict_pairs(&self.deck.repository, target, &pairs);
        match answered {
            Ok(predictions) => {
                let local = private::local(&self.deck.repository)?;
                for (asked, prediction) in asked.iter().zip(predictions) {
                    check(self.watch.stop)?;
                    let met_in = self.clash_files(&local, prediction, &mut known.sides);
                    let pair = &mut radar.pairs[asked.index];
                    match met_in {
                        Ok(files) => {
                            known.memory.note(asked.question.clone(), files.clone());
                            settle(&mut known.owners, pair, asked.sides, files);
                        }
                        Err(report) => pair.meeting = Meeting::Unknown(report.headline),
                    }
                }
                Ok(())
            }
            Err(report) if asked.len() == 1 || report.code == Code::Timeout => {
                for asked in asked {
                    radar.pairs[asked.index].meeting = Meeting::Unknown(report.headline.clone());
                }
                Ok(())
            }
            Err(_) => {
                check(self.watch.stop)?;
                let (one, other) = asked.split_at(asked.len() / 2);
                self.ask(target, one, known, radar)?;
                self.ask(target, other, known, radar)
            }
        }
    }

    fn clash_files(
        &self,
        local: &private::Local,
        prediction: Prediction,
        known: &mut BTreeMap<[Option<Oid>; 2], Vec<Block>>,
    ) -> Result<Vec<ClashFile>, Report> {
        let mut lines_of = |conflict: Conflict| {
            let [base, a, b] = conflict.sides();
            let sides = [a, b].map(|side| {
                let key = [base, side].map(|entry| entry.map(|it| it.oid.clone()));
                if let Entry::Vacant(open) = known.entry(key.clone()) {
                    let diff = conflicts::read_side(local, &conflict, side, self.watch.stop)?;
                    open.insert(diff.map_or_else(Vec::new, blocks));
                }
                Ok(key)
            });
            let [a, b] = sides;
            let places = clashes(&known[&a?], &known[&b?]);
            let places = places.into_iter().map(|it| ClashLines { a: it.target, b: it.shadow });
            let places = places.collect();
            Ok(ClashFile { path: conflict.path, kind: conflict.kind, places })
        };
        prediction.conflicts.into_iter().map(&mut lines_of).collect()
    }
}

/// What is remembered of just these shadows, and nothing asked of git; `None` where nothing ever was.
pub(super) fn remembered(deck: &Deck, sides: &[Side]) -> Option<Radar> {
    let mut memory = Memory::read(deck);
    if memory.is_empty() {
        return None;
    }
    let (mut radar, mut owners) = (begun(sides), Owners::new(deck));
    for (side, party, other) in pairs(sides) {
        let mut pair = unmet(side, party);
        match Question::of(deck, side, other, &mut memory) {
            Err(why) => pair.meeting = Meeting::Unknown(why),
            Ok(question) => {
                if let Some(files) = memory.find(&question.text) {
                    settle(&mut owners, &mut pair, (side, other), files);
                }
            }
        }
        radar.pairs.push(pair);
    }
    memory.keep_attributes(deck);
    Some(radar)
}

/// With no pair yet.
fn begun(sides: &[Side]) -> Radar {
    let shadow = |side: &Side| RadarShadow {
        id: side.id.clone(),
        target: side.target.clone(),
        // Where its target holds all of it as it is; what was landed otherwise is known to the list.
        is_done: side.standing.as_ref().is_ok_and(|its| its.bases.contains(&its.commit)),
    };
    let shadows = sides.iter().map(shadow).collect();
    Radar { shadows, pairs: Vec::new(), read_at_ms: now_ms() }
}

/// Each with its target, and each two.
fn pairs(sides: &[Side]) -> impl Iterator<Item = (&Side, Party, Option<&Side>)> {
    sides.iter().enumerate().flat_map(|(at, side)| {
        let target = side.target.clone().map(|target| (side, Party::Target(target), None));
        let others = sides[at + 1..].iter();
        let others = others.map(move |other| (side, Party::Shadow(other.id.clone()), Some(other)));
        target.into_iter().chain(others)
    })
}

/// Everything that decides what comes of two, as a text.
struct Question {
    text: String,
    /// Whose attributes count.
    target_tip: Oid,
    pair: [Oid; 2],
}

impl Question {
    /// `other` is the target where there is none. Or why they cannot be compared.
    fn of(
        deck: &Deck,
        side: &Side,
        other: Option<&Side>,
        memory: &mut Memory,
    ) -> Result<Self, String> {
        let one = standing_of(side)?;
        let (commit, rules) = match other.map(standing_of).transpose()? {
            None => (&one.target_tip, ""),
            Some(other) => (&other.commit, other.rules.as_str()),
        };
        let attributes = memory.attributes(deck, &one.target_tip);
        let attributes = attributes.map_err(|report| report.headline)?;
        Ok(Self {
            text: format!("{} {rules} {attributes} {} {commit}", one.rules, one.commit),
            target_tip: one.target_tip.clone(),
            pair: [one.commit.clone(), commit.clone()],
        })
    }
}

fn standing_of(side: &Side) -> Result<&Standing, String> {
    side.standing.as_ref().map_err(|why| format!("{}: {why}", side.id))
}

fn unmet(side: &Side, b: Party) -> RadarPair {
    RadarPair { a: side.id.clone(), b, meeting: Meeting::Open, through_target: Vec::new() }
}

/// What git said of the two is put down.
fn settle(
    owners: &mut Owners<'_>,
    pair: &mut RadarPair,
    (one, other): (&Side, Option<&Side>),
    files: Vec<ClashFile>,
) {
    match other {
        _ if files.is_empty() => pair.meeting = Meeting::Clean,
        None => pair.meeting = Meeting::Clash(files),
        Some(other) => owners.settle(pair, [one, other], files),
    }
}

/// None where it is not lines that differ.
fn blocks(diff: FileDiff) -> Vec<Block> {
    match diff.content {
        Content::Text { blocks, .. } => blocks,
        _ => Vec::new(),
    }
}

/// Whether two have any history in common: git ends a whole batch at two that have none.
struct Kinship<'a> {
    deck: &'a Deck,
    known: BTreeMap<[Oid; 2], bool>,
}

impl Kinship<'_> {
    /// Or why git would not merge them.
    fn check(&mut self, side: &Side, other: Option<&Side>) -> Result<(), String> {
        let one = standing_of(side)?;
        let (commit, are_related) = match other.map(standing_of).transpose()? {
            None => (&one.target_tip, !one.bases.is_empty()),
            Some(other) => {
                let are_related = self.are_related(one, other).map_err(|report| report.headline)?;
                (&other.commit, are_related)
            }
        };
        if are_related { Ok(()) } else { Err(merge::unrelated(commit, &one.tip).headline) }
    }

    fn are_related(&mut self, one: &Standing, other: &Standing) -> Result<bool, Report> {
        if one.bases.iter().any(|base| other.bases.contains(base)) {
            return Ok(true);
        }
        // What their bases have in common, they have too; and there are few bases.
        if let (Some(base), Some(other)) = (one.bases.first(), other.bases.first())
            && self.have_common([base, other])?
        {
            return Ok(true);
        }
        self.have_common([&one.tip, &other.tip])
    }

    fn have_common(&mut self, pair: [&Oid; 2]) -> Result<bool, Report> {
        let pair = pair.map(Clone::clone);
        if let Some(known) = self.known.get(&pair) {
            return Ok(*known);
        }
        let [one, other] = &pair;
        let is_so = !refs::merge_bases(&self.deck.repository, one, other)?.is_empty();
        self.known.insert(pair, is_so);
        Ok(is_so)
    }
}

/// One pair with the lines of both sides, read fresh.
pub fn read_pair(
    deck: &Deck,
    a: &ShadowId,
    b: &Party,
    cancel: &AtomicBool,
) -> Result<RadarPage, Report> {
    let ground = Ground::read(deck, cancel)?;
    let sides = sides::read(deck, &ground, cancel)?;
    let one = sides::find(&sides, a)?;
    let mut kinship = Kinship { deck, known: BTreeMap::new() };
    let (commit, are_related) = match b {
        Party::Target(_) => (&one.target_tip, !one.bases.is_empty()),
        Party::Shadow(id) => {
            let other = sides::find(&sides, id)?;
            (&other.commit, kinship.are_related(one, other)?)
        }
    };
    if !are_related {
        return Err(merge::unrelated(commit, &one.tip));
    }
    let pair = [&one.commit, commit];
    let mut found = merge::predict_pair(&deck.repository, &one.target_tip, pair)?.conflicts;
    if let Party::Shadow(id) = b {
        let two = [a, id].map(|id| sides.iter().find(|side| side.id == *id));
        if let [Some(one), Some(other)] = two {
            Owners::new(deck).keep_own([one, other], &mut found)?;
        }
    }
    let local = private::local(&deck.repository)?;
    let file = |conflict: Conflict| {
        if cancel.load(Ordering::Relaxed) {
            return Err(crate::git::lines::cancelled());
        }
        let [target_diff, shadow_diff] = conflicts::read_sides(&local, &conflict, cancel)?;
        Ok(ConflictFile {
            conflict,
            target_diff,
            shadow_diff,
            result: None,
            weave: None,
            takes: Vec::new(),
            told: Default::default(),
            is_reused: false,
        })
    };
    let files = found.into_iter().map(file).collect::<Result<Vec<_>, Report>>()?;
    Ok(RadarPage { a: a.clone(), b: b.clone(), files })
}
