//! In which order to land so that the fewest conflicts are to be resolved. By pairs: two that clash cost whoever lands
//! later a conflict in any order, but a file in which it clashes with several it resolves once.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::{
    Meeting, Party, Radar, RadarShadow,
    radar_best::{self, EXACT_MAX, Member},
};
use crate::shadow::{RepoPath, ShadowId};

/// One landing of the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub id: ShadowId,
    /// Files that it would conflict in by then: with its target as it is, and with those that landed before.
    pub files: Vec<RepoPath>,
    /// Whoever of those that landed before it clashes with.
    pub after: Vec<ShadowId>,
    /// Not everything that bears on its place is known.
    pub is_unsure: bool,
    /// All orders of those that it clashes with, directly or through others, were weighed.
    pub is_best: bool,
}

/// "If a lands first, b gets so many conflicts", beside those that it has anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    pub first: ShadowId,
    pub then: ShadowId,
    pub files: usize,
}

/// What comes of any two, by their names: asked for too often here to look through all pairs each time.
struct Known<'a>(HashMap<(&'a str, &'a str, Side), &'a Meeting>);

/// A branch may have the name of a shadow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Shadow,
    Target,
}

impl<'a> Known<'a> {
    fn of(radar: &'a Radar) -> Self {
        let mut known = HashMap::with_capacity(2 * radar.pairs.len());
        for pair in &radar.pairs {
            let (a, b) = (pair.a.0.as_str(), pair.b.name());
            match &pair.b {
                Party::Target(_) => drop(known.insert((a, b, Side::Target), &pair.meeting)),
                Party::Shadow(_) => {
                    known.insert((a, b, Side::Shadow), &pair.meeting);
                    known.insert((b, a, Side::Shadow), &pair.meeting);
                }
            }
        }
        Self(known)
    }

    fn with_target(&self, one: &'a RadarShadow) -> Option<&'a Meeting> {
        let target = one.target.as_ref()?;
        self.0.get(&(one.id.0.as_str(), target.0.as_str(), Side::Target)).copied()
    }

    fn with(&self, one: &'a ShadowId, other: &'a ShadowId) -> Option<&'a Meeting> {
        self.0.get(&(one.0.as_str(), other.0.as_str(), Side::Shadow)).copied()
    }
}

/// All shadows that have a target and something left to land, in the suggested order. Those of one target follow each other.
pub fn order(radar: &Radar) -> Vec<Turn> {
    let known = Known::of(radar);
    let mut turns = Vec::new();
    for target in radar.targets() {
        let to_land = radar.shadows.iter().filter(|shadow| !shadow.is_done);
        let of_target = to_land.filter(|shadow| shadow.target.as_ref() == Some(target));
        let of_target: Vec<&RadarShadow> = of_target.collect();
        // Whoever could not be read goes last: nobody knows whom it hits.
        let (read, unread): (Vec<_>, Vec<_>) =
            of_target.iter().partition(|shadow| is_known(known.with_target(shadow)));
        let mut landed = read.clone();
        turns.extend(merged(groups(&known, &read), &known));
        for shadow in unread {
            turns.push(Turn { is_best: false, ..turn(&known, shadow, &landed) });
            landed.push(shadow);
        }
    }
    turns
}

const fn is_known(meeting: Option<&Meeting>) -> bool {
    matches!(meeting, Some(Meeting::Clean | Meeting::Clash(_)))
}

/// Those that bear on each other, directly or through others. Between groups no order costs anything.
fn groups<'a>(known: &Known<'a>, shadows: &[&'a RadarShadow]) -> Vec<Vec<&'a RadarShadow>> {
    let mut groups = Vec::new();
    let mut left: Vec<&RadarShadow> = shadows.to_vec();
    while !left.is_empty() {
        let mut group = vec![left.remove(0)];
        let mut at = 0;
        while at < group.len() {
            let one = group[at];
            let is_met =
                |other: &&RadarShadow| known.with(&one.id, &other.id) != Some(&Meeting::Clean);
            let (met, rest) = left.into_iter().partition(is_met);
            let met: Vec<&RadarShadow> = met;
            group.extend(met);
            left = rest;
            at += 1;
        }
        // As they are listed, which decides between orders that are as good.
        group.sort_by_key(|one| shadows.iter().position(|shadow| shadow.id == one.id));
        groups.push(group);
    }
    groups
}

/// The turns of all groups, always next whoever has the least to resolve of those that each group would land next.
fn merged<'a>(groups: Vec<Vec<&'a RadarShadow>>, known: &Known<'a>) -> Vec<Turn> {
    let mut queues: Vec<VecDeque<Turn>> = Vec::new();
    for group in groups {
        let order = radar_best::order(&members(known, &group));
        let order: Vec<&RadarShadow> = order.into_iter().map(|at| group[at]).collect();
        let is_best = order.len() <= EXACT_MAX;
        let turns = order.iter().enumerate();
        let turns = turns.map(|(at, one)| Turn { is_best, ..turn(known, one, &order[..at]) });
        queues.push(turns.collect());
    }
    let mut turns = Vec::new();
    let weight =
        |queue: &VecDeque<Turn>| queue.front().map(|turn| (turn.is_unsure, turn.files.len()));
    while let Some(queue) =
        queues.iter_mut().filter(|queue| !queue.is_empty()).min_by_key(|queue| weight(queue))
    {
        turns.extend(queue.pop_front());
    }
    turns
}

/// What each meets in the group and on the branch that it lands on.
fn members<'a>(known: &Known<'a>, group: &[&'a RadarShadow]) -> Vec<Member> {
    let member = |one: &&'a RadarShadow| {
        let target = known.with_target(one).map(Meeting::files).unwrap_or_default();
        let mut clashes: BTreeMap<&RepoPath, Vec<usize>> = BTreeMap::new();
        let mut unsure = Vec::new();
        for (at, other) in group.iter().enumerate().filter(|(_, other)| other.id != one.id) {
            let meeting = known.with(&one.id, &other.id);
            if !is_known(meeting) {
                unsure.push(at);
            }
            for file in meeting.map(Meeting::files).unwrap_or_default() {
                if target.iter().all(|of_target| of_target.path != file.path) {
                    clashes.entry(&file.path).or_default().push(at);
                }
            }
        }
        let mut after: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for whom in clashes.into_values() {
            *after.entry(whom).or_default() += 1;
        }
        Member { files: target.len(), after: after.into_iter().collect(), unsure }
    };
    group.iter().map(member).collect()
}

fn turn<'a>(known: &Known<'a>, shadow: &'a RadarShadow, landed: &[&'a RadarShadow]) -> Turn {
    let before = landed.iter().map(|other| (Some(&other.id), known.with(&shadow.id, &other.id)));
    let mut turn = Turn {
        id: shadow.id.clone(),
        files: Vec::new(),
        after: Vec::new(),
        is_unsure: false,
        is_best: true,
    };
    for (who, meeting) in std::iter::once((None, known.with_target(shadow))).chain(before) {
        turn.is_unsure |= !is_known(meeting);
        let files = meeting.map(Meeting::files).unwrap_or_default();
        turn.after.extend(who.filter(|_| !files.is_empty()).cloned());
        turn.files.extend(files.iter().map(|file| file.path.clone()));
    }
    turn.files.sort();
    turn.files.dedup();
    turn
}

/// What it means for the others that land on the same branch if this one lands next: only whom it hits.
pub fn consequences(radar: &Radar, first: &ShadowId) -> Vec<Consequence> {
    let Some(first) = radar.shadow(first).filter(|first| !first.is_done) else {
        return Vec::new();
    };
    let known = Known::of(radar);
    let mut found = Vec::new();
    let others = radar.shadows.iter().filter(|one| one.target == first.target && !one.is_done);
    for then in others {
        let clashes = known.with(&then.id, &first.id);
        if clashes.is_some_and(|meeting| !meeting.files().is_empty()) {
            // What it has with its target anyway is not the first one's doing.
            let anyway = turn(&known, then, &[]).files.len();
            let files = turn(&known, then, &[first]).files.len() - anyway;
            if files > 0 {
                found.push(Consequence { first: first.id.clone(), then: then.id.clone(), files });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        review::{ClashFile, ConflictKind, RadarPair},
        shadow::BranchName,
    };

    /// Shadows `a`, `b`, … ; pairs written `ab`, and `a!` for one that clashes with the target, each in a file of its
    /// own name.
    fn radar(count: u8, clashes: &[&str]) -> Radar {
        let id = |at: u8| ShadowId(char::from(b'a' + at).to_string());
        let main = BranchName("main".to_owned());
        let shadow = |at| RadarShadow { id: id(at), target: Some(main.clone()), is_done: false };
        let shadows = (0..count).map(shadow).collect();
        let meeting = |name: String| {
            if clashes.contains(&name.as_str()) {
                let path = RepoPath::new(name);
                Meeting::Clash(vec![ClashFile {
                    path,
                    kind: ConflictKind::Content,
                    places: vec![],
                }])
            } else {
                Meeting::Clean
            }
        };
        let mut pairs = Vec::new();
        for a in 0..count {
            let of_target = meeting(format!("{}!", id(a)));
            pairs.push(RadarPair {
                a: id(a),
                b: Party::Target(main.clone()),
                meeting: of_target,
                through_target: vec![],
            });
            for b in a + 1..count {
                let meeting = meeting(format!("{}{}", id(a), id(b)));
                pairs.push(RadarPair {
                    a: id(a),
                    b: Party::Shadow(id(b)),
                    meeting,
                    through_target: vec![],
                });
            }
        }
        Radar { shadows, pairs, read_at_ms: 0 }
    }

    fn names(radar: &Radar) -> String {
        order(radar).iter().map(|turn| format!("{}{} ", turn.id, turn.files.len())).collect()
    }

    #[test]
    fn whoever_hits_many_lands_last() {
        assert_eq!(names(&radar(4, &["ab", "ac", "ad"])), "b0 c0 d0 a3 ");
        assert_eq!(names(&radar(3, &[])), "a0 b0 c0 ");
        assert_eq!(names(&radar(3, &["a!"])), "b0 c0 a1 ");
        // A ring of five: two may land without conflict, never three.
        let ring = radar(5, &["ab", "bc", "cd", "de", "ae"]);
        assert_eq!(order(&ring).iter().filter(|turn| turn.files.is_empty()).count(), 2);
    }

    #[test]
    fn whoever_has_nothing_left_to_land_has_no_place() {
        let mut radar = radar(3, &["ab", "bc"]);
        radar.note_done(|id| id.0 == "b");
        assert_eq!(names(&radar), "a0 c0 ");
        let hit = |first: &str| consequences(&radar, &ShadowId(first.to_owned()));
        assert_eq!((hit("a"), hit("b")), (Vec::new(), Vec::new()));
    }

    #[test]
    fn what_is_not_known_is_not_taken_for_clean() {
        let mut radar = radar(2, &[]);
        radar.pairs[0].meeting = Meeting::Unknown("broken".to_owned());
        let turns = order(&radar);
        assert_eq!(turns.iter().map(|turn| turn.id.0.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert!(turns[1].is_unsure && !turns[0].is_unsure);
    }

    #[test]
    fn many_are_ordered_too_and_each_once() {
        let clashes: Vec<String> =
            (1..20).map(|at| format!("a{}", char::from(b'a' + at))).collect();
        let clashes: Vec<&str> = clashes.iter().map(String::as_str).collect();
        let turns = order(&radar(20, &clashes));
        assert_eq!(turns.len(), 20);
        assert_eq!(
            turns.last().map(|turn| (turn.id.0.as_str(), turn.files.len())),
            Some(("a", 19))
        );
        assert!(turns.iter().all(|turn| !turn.is_best), "nobody weighed all orders of twenty");
    }

    #[test]
    fn consequences_count_what_is_to_be_resolved_by_it() {
        let radar = radar(3, &["ab", "b!"]);
        let first = ShadowId("a".to_owned());
        let hit = Consequence { first: first.clone(), then: ShadowId("b".to_owned()), files: 1 };
        assert_eq!(consequences(&radar, &first), [hit]);
    }

    /// Every order of them.
    fn orders(of: &[usize]) -> Vec<Vec<usize>> {
        if of.is_empty() {
            return vec![Vec::new()];
        }
        let first = |at: usize| {
            let (mut rest, one) = (of.to_vec(), of[at]);
            rest.remove(at);
            orders(&rest).into_iter().map(move |rest| [vec![one], rest].concat())
        };
        (0..of.len()).flat_map(first).collect()
    }

    /// By the definition: files to resolve one landing after the other, and shadows that have some.
    fn cost(radar: &Radar, order: &[ShadowId]) -> (usize, usize) {
        let target = Party::Target(BranchName("main".to_owned()));
        let mut cost = (0, 0);
        for (at, id) in order.iter().enumerate() {
            let before = order[..at].iter().map(|other| Party::Shadow(other.clone()));
            let files: std::collections::BTreeSet<&RepoPath> = before
                .chain([target.clone()])
                .flat_map(|other| radar.meeting(id, &other).expect("a pair").files())
                .map(|file| &file.path)
                .collect();
            cost = (cost.0 + files.len(), cost.1 + usize::from(!files.is_empty()));
        }
        cost
    }

    #[test]
    fn no_order_of_up_to_six_makes_fewer_conflicts() {
        let mut seed: u64 = 11;
        let mut dice = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for round in 0..40 {
            let mut radar = radar(2 + round % 5, &[]);
            for pair in &mut radar.pairs {
                let files: Vec<ClashFile> = ["one", "two", "three"]
                    .into_iter()
                    .filter(|_| dice(5) == 0)
                    .map(|path| ClashFile {
                        path: RepoPath::new(path),
                        kind: ConflictKind::Content,
                        places: vec![],
                    })
                    .collect();
                if !files.is_empty() {
                    pair.meeting = Meeting::Clash(files);
                }
            }
            let ids: Vec<ShadowId> = radar.shadows.iter().map(|one| one.id.clone()).collect();
            let all: Vec<usize> = (0..ids.len()).collect();
            let named = |order: Vec<usize>| order.into_iter().map(|at| ids[at].clone()).collect();
            let best = orders(&all).into_iter().map(|order| {
                let order: Vec<ShadowId> = named(order);
                cost(&radar, &order)
            });
            let turns = order(&radar);
            let found: Vec<ShadowId> = turns.iter().map(|turn| turn.id.clone()).collect();
            assert_eq!(Some(cost(&radar, &found)), best.min(), "{radar:?}");
            let told: usize = turns.iter().map(|turn| turn.files.len()).sum();
            assert_eq!(told, cost(&radar, &found).0, "what is told of each is what it costs");
            assert!(turns.iter().all(|turn| turn.is_best));
        }
    }
}
