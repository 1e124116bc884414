//! Which removed line became which added one: told by how much of their words they share, in order. Side by side
//! such lines stand opposite each other, and only they show which words changed.

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use super::{Block, Text, visible::odd_space_len};

/// Up to so many comparisons a block is paired as well as can be.
const CELLS_MAX: usize = 4_096;
/// In larger ones a line looks so far ahead for its partner.
const LOOKAHEAD: usize = 8;
/// Larger blocks are no edit of lines but other text: nothing in them is paired.
const LINES_MAX: usize = 1_000;
/// Longer lines are compared by their beginning.
const LINE_BYTES_MAX: usize = 512;
/// At least this share of the bytes must be common to both lines, in percent.
const ALIKE_PERCENT: u32 = 55;

/// Lines of a block, both counted from its start. Each is in one pair at most, and pairs never cross.
pub type Pair = (u32, u32);

/// How many comparisons a block costs.
pub fn cost(block: &Block) -> usize {
    let (olds, news) = (block.old.len(), block.new.len());
    match olds.saturating_mul(news) {
        cells if cells <= CELLS_MAX => cells,
        _ if olds.max(news) <= LINES_MAX => olds.max(news) * LOOKAHEAD,
        _ => 0,
    }
}

/// The pairs of one block, in order.
pub fn pairs(old: &Text, new: &Text, block: &Block) -> Vec<Pair> {
    let (olds, news) = (block.old.len(), block.new.len());
    if olds.max(news) > LINES_MAX || olds == 0 || news == 0 {
        return Vec::new();
    }
    let lines = |text: &Text, range: &Range<u32>| -> Vec<Bag> {
        range.clone().map(|index| Bag::of(text.line(index))).collect()
    };
    let (olds, news) = (lines(old, &block.old), lines(new, &block.new));
    if olds.len() * news.len() <= CELLS_MAX { best(&olds, &news) } else { ahead(&olds, &news) }
}

/// The words of a line with the bytes of each, sorted by a number that tells them apart.
struct Bag {
    words: Vec<(u64, u32)>,
    bytes: u32,
}

impl Bag {
    fn of(line: &[u8]) -> Self {
        let line = line.trim_ascii();
        let line = &line[..line.len().min(LINE_BYTES_MAX)];
        let line = &without_odd_spaces(line)[..];
        let is_word = |byte: u8| byte == b'_' || byte >= 0x80 || byte.is_ascii_alphanumeric();
        let chunks = line.chunk_by(|one, other| is_word(*one) && is_word(*other));
        let of = |word: &[u8]| {
            let mut hasher = DefaultHasher::new();
            word.hash(&mut hasher);
            (hasher.finish(), u32::try_from(word.len()).unwrap_or(u32::MAX))
        };
        let seen = chunks.filter(|word| !word.iter().all(u8::is_ascii_whitespace));
        let mut words: Vec<(u64, u32)> = seen.map(of).collect();
        words.sort_unstable();
        let bytes = words.iter().map(|(_, bytes)| bytes).sum();
        Self { words, bytes }
    }

    /// In percent, and 0 where too little is common.
    fn alike(&self, other: &Self) -> u32 {
        let all = self.bytes + other.bytes;
        if self.bytes == 0
            || other.bytes == 0
            || 200 * self.bytes.min(other.bytes) < ALIKE_PERCENT * all
        {
            return 0;
        }
        let (mut one, mut two, mut common) = (0, 0, 0);
        while let (Some(left), Some(right)) = (self.words.get(one), other.words.get(two)) {
            if left == right {
                common += left.1;
            }
            one += usize::from(left <= right);
            two += usize::from(right <= left);
        }
        let percent = 200 * common / all;
        if percent >= ALIKE_PERCENT { percent } else { 0 }
    }
}

/// A blank in place of each: they part words as blanks do.
pub(super) fn without_odd_spaces(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [first, behind @ ..] = rest {
        let odd = odd_space_len(rest);
        out.push(if odd > 0 { b' ' } else { *first });
        rest = if odd > 0 { &rest[odd..] } else { behind };
    }
    Cow::Owned(out)
}

/// Of all ways to pair without crossing, the one that is alike most; of equal ones that with the later lines.
fn best(olds: &[Bag], news: &[Bag]) -> Vec<Pair> {
    let width = news.len() + 1;
    let mut sums = vec![0_u32; (olds.len() + 1) * width];
    let mut alike = vec![0_u32; olds.len() * news.len()];
    for (row, old) in olds.iter().enumerate() {
        for (column, new) in news.iter().enumerate() {
            let percent = old.alike(new);
            alike[row * news.len() + column] = percent;
            let at = row * width + column;
            let skipped = sums[at + 1].max(sums[at + width]);
            let paired = if percent > 0 { sums[at] + percent } else { 0 };
            sums[at + width + 1] = skipped.max(paired);
        }
    }
    let mut out = Vec::new();
    let (mut row, mut column) = (olds.len(), news.len());
    while row > 0 && column > 0 {
        let at = row * width + column;
        let percent = alike[(row - 1) * news.len() + column - 1];
        if percent > 0 && sums[at] == sums[at - width - 1] + percent {
            (row, column) = (row - 1, column - 1);
            out.push((number(row), number(column)));
        } else if sums[at] == sums[at - width] {
            row -= 1;
        } else {
            column -= 1;
        }
    }
    out.reverse();
    out
}

/// Each line takes the one most alike among the next few.
fn ahead(olds: &[Bag], news: &[Bag]) -> Vec<Pair> {
    let mut out = Vec::new();
    let mut next = 0;
    for (row, old) in olds.iter().enumerate() {
        // Lines that stand for lines keep step; else a gap on one side could never be made good.
        let from = next.max((row * news.len() / olds.len()).saturating_sub(LOOKAHEAD / 2));
        let reach = from..news.len().min(from + LOOKAHEAD);
        let found =
            reach.map(|column| (old.alike(&news[column]), column)).filter(|(alike, _)| *alike > 0);
        if let Some((_, column)) = found.rev().max_by_key(|(alike, _)| *alike) {
            out.push((number(row), number(column)));
            next = column + 1;
        }
    }
    out
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paired(old: &str, new: &str) -> Vec<Pair> {
        let text = |text: &str| Text::new(text.as_bytes().to_vec());
        let (old, new) = (text(old), text(new));
        let block = Block { old: 0..old.line_count(), new: 0..new.line_count() };
        pairs(&old, &new, &block)
    }

    #[test]
    fn a_line_finds_what_became_of_it() {
        let old = "let a = read(path)?;\nlet b = parse(&a);\n";
        let new = "// first the text\nlet a = read(&path)?;\nif a.is_empty() { return None; }\nlet b = parse(&a)?;\n";
        assert_eq!(paired(old, new), [(0, 1), (1, 3)]);
    }

    #[test]
    fn unlike_lines_have_no_partner() {
        assert_eq!(paired("return None;\n", "let x = compute(&state, 14)?;\n"), []);
        assert_eq!(paired("\n", "\n\n"), []);
    }

    #[test]
    fn a_large_block_keeps_in_step_behind_a_gap() {
        let lines = |skip: &dyn Fn(usize) -> bool, word: &str| -> String {
            let numbers = (0..300).filter(|n| !skip(*n));
            numbers.map(|n| format!("value_{n} = old.field_{n}({word})\n")).collect()
        };
        let found = paired(&lines(&|n| (100..104).contains(&n), "a"), &lines(&|_| false, "b"));
        assert_eq!(found.len(), 296);
        assert!(
            found.iter().all(|(old, new)| *new == old + 4 * u32::from(*old >= 100)),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn pairs_never_cross(old in "([ab ]{0,6}\n){0,80}", new in "([ab ]{0,6}\n){0,80}") {
            let found = paired(&old, &new);
            prop_assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        }
    }
}
