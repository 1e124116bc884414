//! In which order to land so that the fewest shadows have conflicts to resolve. By pairs: two that clash cost whoever
//! lands later a conflict in any order, so what an order decides is how many shadows are hit, not how often.

use std::collections::HashMap;

use super::{Meeting, Party, Radar, RadarShadow};
use crate::shadow::{RepoPath, ShadowId};

/// Up to so many the best order is found by trying all; above, by landing next whoever hits the fewest.
const EXACT_MAX: usize = 12;

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
}

/// "If a lands first, b gets so many conflicts."
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

/// All shadows that have a target, in the suggested order. Those of one target follow each other.
pub fn order(radar: &Radar) -> Vec<Turn> {
    let known = Known::of(radar);
    let mut turns = Vec::new();
    for target in radar.targets() {
        let of_target: Vec<&RadarShadow> =
            radar.shadows.iter().filter(|shadow| shadow.target.as_ref() == Some(target)).collect();
        // Whoever conflicts with the target already has something to resolve in any order, and so goes last; so does
        // whoever is not known.
        let is_free = |shadow: &&RadarShadow| known.with_target(shadow) == Some(&Meeting::Clean);
        let free: Vec<&RadarShadow> = of_target.iter().copied().filter(is_free).collect();
        let mut landed = unclashing(&known, &free);
        while landed.len() < of_target.len() {
            let rest = of_target.iter().filter(|one| !landed.iter().any(|it| it.id == one.id));
            // The first of those that would have the fewest files to resolve now.
            let Some(next) = rest.min_by_key(|one| {
                let turn = turn(&known, one, &landed);
                (turn.is_unsure, turn.files.len())
            }) else {
                break;
            };
            landed.push(next);
        }
        for (index, shadow) in landed.iter().enumerate() {
            turns.push(turn(&known, shadow, &landed[..index]));
        }
    }
    turns
}

/// As many as can land one after the other without any conflict.
fn unclashing<'a>(known: &Known<'a>, free: &[&'a RadarShadow]) -> Vec<&'a RadarShadow> {
    let hits = |one: &'a RadarShadow, other: &'a RadarShadow| {
        one.id != other.id && known.with(&one.id, &other.id) != Some(&Meeting::Clean)
    };
    if free.len() <= EXACT_MAX {
        let hit_by: Vec<u32> = free
            .iter()
            .map(|one| {
                (0..)
                    .zip(free)
                    .filter(|(_, other)| hits(one, other))
                    .map(|(at, _)| 1_u32 << at)
                    .sum()
            })
            .collect();
        let stand_together =
            |set: u32| (0..free.len()).all(|at| set & (1 << at) == 0 || set & hit_by[at] == 0);
        // Of several as large the one with the earliest shadows.
        let best = (0..1_u32 << free.len())
            .filter(|set| stand_together(*set))
            .max_by_key(|set| (set.count_ones(), set.reverse_bits()))
            .unwrap_or(0);
        return (0..free.len()).filter(|at| best & (1 << at) != 0).map(|at| free[at]).collect();
    }
    let mut left: Vec<&RadarShadow> = free.to_vec();
    let mut chosen = Vec::new();
    while let Some(next) =
        left.iter().min_by_key(|one| left.iter().filter(|other| hits(one, other)).count()).copied()
    {
        chosen.push(next);
        left.retain(|other| other.id != next.id && !hits(next, other));
    }
    chosen.sort_by_key(|one| free.iter().position(|free| free.id == one.id));
    chosen
}

fn turn<'a>(known: &Known<'a>, shadow: &'a RadarShadow, landed: &[&'a RadarShadow]) -> Turn {
    let before = landed.iter().map(|other| (Some(&other.id), known.with(&shadow.id, &other.id)));
    let mut turn =
        Turn { id: shadow.id.clone(), files: Vec::new(), after: Vec::new(), is_unsure: false };
    for (who, meeting) in std::iter::once((None, known.with_target(shadow))).chain(before) {
        turn.is_unsure |= !matches!(meeting, Some(Meeting::Clean | Meeting::Clash(_)));
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
    let Some(first) = radar.shadow(first) else { return Vec::new() };
    let known = Known::of(radar);
    let mut found = Vec::new();
    for then in radar.shadows.iter().filter(|one| one.target == first.target) {
        let clashes = known.with(&then.id, &first.id);
        if clashes.is_some_and(|meeting| !meeting.files().is_empty()) {
            let files = turn(&known, then, &[first]).files.len();
            found.push(Consequence { first: first.id.clone(), then: then.id.clone(), files });
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
        let shadows =
            (0..count).map(|at| RadarShadow { id: id(at), target: Some(main.clone()) }).collect();
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
            pairs.push(RadarPair { a: id(a), b: Party::Target(main.clone()), meeting: of_target });
            for b in a + 1..count {
                let meeting = meeting(format!("{}{}", id(a), id(b)));
                pairs.push(RadarPair { a: id(a), b: Party::Shadow(id(b)), meeting });
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
    }

    #[test]
    fn consequences_count_what_is_to_be_resolved_then() {
        let radar = radar(3, &["ab", "b!"]);
        let first = ShadowId("a".to_owned());
        let hit = Consequence { first: first.clone(), then: ShadowId("b".to_owned()), files: 2 };
        assert_eq!(consequences(&radar, &first), [hit]);
    }
}
