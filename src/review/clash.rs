//! Where both sides of a conflict changed the same lines of the base.

use std::ops::Range;

use super::Block;

/// One place; the ranges are of the lines that it has in the base, and on each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub base: Range<u32>,
    pub target: Range<u32>,
    pub shadow: Range<u32>,
}

/// In order. Changes that touch clash too, as they do in git.
pub fn clashes(target: &[Block], shadow: &[Block]) -> Vec<Clash> {
    let touch =
        |one: &Range<u32>, other: &Range<u32>| one.start <= other.end && other.start <= one.end;
    let join =
        |one: &Range<u32>, other: &Range<u32>| one.start.min(other.start)..one.end.max(other.end);
    let mut found: Vec<Clash> = Vec::new();
    for one in target {
        for other in shadow.iter().filter(|other| touch(&one.old, &other.old)) {
            let clash = Clash {
                base: join(&one.old, &other.old),
                target: one.new.clone(),
                shadow: other.new.clone(),
            };
            match found.last_mut().filter(|last| touch(&last.base, &clash.base)) {
                Some(last) => {
                    *last = Clash {
                        base: join(&last.base, &clash.base),
                        target: join(&last.target, &clash.target),
                        shadow: join(&last.shadow, &clash.shadow),
                    };
                }
                None => found.push(clash),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_is_one_place() {
        let block = |old: Range<u32>, new: Range<u32>| Block { old, new };
        let target = [block(2..3, 2..4), block(10..12, 11..11), block(20..21, 19..20)];
        let shadow =
            [block(0..1, 0..1), block(3..4, 3..3), block(10..11, 9..10), block(11..12, 11..14)];
        let found = clashes(&target, &shadow);
        assert_eq!(
            found,
            [
                Clash { base: 2..4, target: 2..4, shadow: 3..3 },
                Clash { base: 10..12, target: 11..11, shadow: 9..14 },
            ]
        );
        assert_eq!(clashes(&target, &[]), []);
    }
}
