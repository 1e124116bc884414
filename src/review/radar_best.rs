//! The order of a few that clash in which the fewest conflicts are to be resolved: whoever lands later has them, and a
//! file in which it clashes with several counts once.

use std::ops::Add;

/// Up to so many the best order is found by weighing all; above, step by step.
pub(super) const EXACT_MAX: usize = 14;

/// What an order costs; the first counts most. Fewer shadows of which not all is known, then fewer files to resolve,
/// then fewer shadows that have some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) unsure: usize,
    pub(super) files: usize,
    pub(super) hit: usize,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            unsure: self.unsure + other.unsure,
            files: self.files + other.files,
            hit: self.hit + other.hit,
        }
    }
}

/// What one of them meets, the others by their places in the group.
#[derive(Default)]
pub(super) struct Member {
    /// Files that are to be resolved in any order.
    pub(super) files: usize,
    /// Other files, as many as are resolved once any of these has landed.
    pub(super) after: Vec<(Vec<usize>, usize)>,
    /// With whom it is not known what comes of it.
    pub(super) unsure: Vec<usize>,
}

impl Member {
    fn cost(&self, has_landed: impl Fn(usize) -> bool) -> Cost {
        let after = self.after.iter().filter(|(any, _)| any.iter().any(|one| has_landed(*one)));
        let files = self.files + after.map(|(_, count)| count).sum::<usize>();
        let is_unsure = self.unsure.iter().any(|one| has_landed(*one));
        Cost { unsure: usize::from(is_unsure), files, hit: usize::from(files > 0) }
    }
}

pub(super) fn order(group: &[Member]) -> Vec<usize> {
    if group.len() <= EXACT_MAX { exact(group) } else { step_by_step(group) }
}

/// By what is left to pay once a set of them has landed: that does not hang on their order.
fn exact(group: &[Member]) -> Vec<usize> {
    let all = (1_usize << group.len()) - 1;
    let is_in = |set: usize| move |one: usize| set & (1 << one) != 0;
    let left = |set: usize| (0..group.len()).filter(move |one| !is_in(set)(*one));
    let mut rest = vec![Cost::default(); all + 1];
    for set in (0..all).rev() {
        let costs = left(set).map(|one| group[one].cost(is_in(set)) + rest[set | (1 << one)]);
        rest[set] = costs.min().unwrap_or_default();
    }
    let mut order = Vec::new();
    let mut set = 0;
    while set != all {
        // Of several as good, whoever has the least to resolve now.
        let next = left(set)
            .map(|one| (group[one].cost(is_in(set)), one))
            .filter(|(cost, one)| *cost + rest[set | (1 << one)] == rest[set])
            .min();
        let Some((_, next)) = next else { break };
        order.push(next);
        set |= 1 << next;
    }
    order
}

/// Next whoever costs the others the least by landing now, beside what it saves itself.
fn step_by_step(group: &[Member]) -> Vec<usize> {
    let mut has_landed = vec![false; group.len()];
    let mut order = Vec::new();
    while order.len() < group.len() {
        let left = (0..group.len()).filter(|one| !has_landed[*one]);
        let next = left.min_by_key(|next| {
            let now = |one: usize| has_landed[one];
            let others = (0..group.len()).filter(|one| !has_landed[*one] && one != next);
            let (before, after) = others.fold((Cost::default(), Cost::default()), |sum, one| {
                let then = |other: usize| has_landed[other] || other == *next;
                (sum.0 + group[one].cost(now), sum.1 + group[one].cost(then))
            });
            let (own, last) = (group[*next].cost(now), group[*next].cost(|one| one != *next));
            // Both sides of a difference at once: no cost is negative.
            let gain = |cost: fn(Cost) -> usize| {
                let signed = |count: usize| isize::try_from(count).unwrap_or(isize::MAX);
                signed(cost(after)) - signed(cost(before)) + signed(cost(own)) - signed(cost(last))
            };
            (gain(|cost| cost.unsure), gain(|cost| cost.files), gain(|cost| cost.hit), *next)
        });
        let Some(next) = next else { break };
        has_landed[next] = true;
        order.push(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn total(group: &[Member], order: &[usize]) -> Cost {
        let costs = (0..)
            .zip(order)
            .map(|(at, one): (usize, _)| group[*one].cost(|other| order[..at].contains(&other)));
        costs.fold(Cost::default(), Add::add)
    }

    /// A sequence that its start determines.
    fn dice(seed: &mut u64, below: usize) -> usize {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).expect("31 bits") % below
    }

    fn random(seed: &mut u64, count: usize) -> Vec<Member> {
        let mut group: Vec<Member> = (0..count).map(|_| Member::default()).collect();
        for file in 0..dice(seed, 5) {
            let touching: Vec<usize> = (0..count).filter(|_| dice(seed, 3) == 0).collect();
            for one in &touching {
                let others: Vec<usize> =
                    touching.iter().copied().filter(|other| other != one).collect();
                if !others.is_empty() {
                    group[*one].after.push((others, 1 + file % 2));
                }
            }
        }
        group[0].files = dice(seed, 2);
        group
    }

    #[test]
    fn step_by_step_is_seldom_far_from_the_best() {
        let (mut seed, mut best, mut found) = (7, 0, 0);
        for _ in 0..60 {
            let group = random(&mut seed, 8);
            let (exact, steps) =
                (total(&group, &exact(&group)), total(&group, &step_by_step(&group)));
            assert!(exact <= steps, "{exact:?} {steps:?}");
            (best, found) = (best + exact.files, found + steps.files);
        }
        assert!(found * 10 <= best * 11, "{found} conflicts where {best} do");
    }
}
