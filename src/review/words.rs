//! Which words of a changed line changed: told only where two lines are alike, since emphasis on
//! everything says nothing. Every cost is bounded, whatever the lines hold.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::{
    Block, Text,
    pairs::{pairs, without_odd_spaces},
    visible::odd_space_len,
};

/// Longer lines get no emphasis: a diff of words in megabytes costs seconds.
pub const LINE_BYTES_MAX: usize = 2_048;
/// At least this share of the bytes must be common to both lines, in percent.
const ALIKE_PERCENT: usize = 55;

/// Byte ranges of a line.
pub type Words = Vec<Range<u32>>;

/// The changed words of a block: one entry a line, empty where a line has no partner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockWords {
    pub old: Vec<Words>,
    pub new: Vec<Words>,
}

/// Looks at one block of a file.
pub fn block_words(old: &Text, new: &Text, block: &Block) -> BlockWords {
    let mut words = BlockWords {
        old: vec![Words::new(); block.old.len()],
        new: vec![Words::new(); block.new.len()],
    };
    for (before, after) in pairs(old, new, block) {
        let lines = [old.line(block.old.start + before), new.line(block.new.start + after)];
        if let Some((removed, added)) = changed_words(lines[0], lines[1]) {
            words.old[before as usize] = removed;
            words.new[after as usize] = added;
        }
    }
    // Nothing but blanks on both sides: what they are is all that changed.
    let blank = |text: &Text, range: &Range<u32>| {
        let lines = range.clone().zip(0..).filter(|(line, _)| is_blank(text.line(*line)));
        lines.map(|(line, index)| (index, text.line(line).len())).collect::<Vec<(usize, usize)>>()
    };
    let (olds, news) = (blank(old, &block.old), blank(new, &block.new));
    if !olds.is_empty() && !news.is_empty() {
        for (side, lines) in [(&mut words.old, olds), (&mut words.new, news)] {
            for (index, length) in lines.into_iter().filter(|(_, length)| *length > 0) {
                side[index].push(0..u32::try_from(length).unwrap_or(u32::MAX));
            }
        }
    }
    words
}

/// What left the old line and what came into the new one; `None` where the lines are not alike.
pub fn changed_words(old: &[u8], new: &[u8]) -> Option<(Words, Words)> {
    if old.len() > LINE_BYTES_MAX || new.len() > LINE_BYTES_MAX {
        return None;
    }
    let (old_words, new_words) = (split(old), split(new));
    // The same word twice is one word: indentation and punctuation must not make lines alike.
    let shorter = old.trim_ascii().len().min(new.trim_ascii().len());
    let longer = old.trim_ascii().len().max(new.trim_ascii().len());
    if shorter == 0 || shorter * 100 < longer * ALIKE_PERCENT / 2 {
        return None;
    }
    let old_keys: Vec<&[u8]> = old_words.iter().map(|word| &old[word.clone()]).collect();
    let new_keys: Vec<&[u8]> = new_words.iter().map(|word| &new[word.clone()]).collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys);
    let (mut removed, mut added, mut common) = (Words::new(), Words::new(), 0);
    for op in &ops {
        match *op {
            DiffOp::Equal { old_index, len, .. } => {
                let kept = &old_keys[old_index..old_index + len];
                common += kept.iter().map(|word| word.trim_ascii().len()).sum::<usize>();
            }
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                push(&mut removed, &old_words, op.old_range());
                push(&mut added, &new_words, op.new_range());
            }
        }
    }
    let [before, after] = [old, new].map(indentation);
    if before.starts_with(after) || after.starts_with(before) {
        drop_indentation(&mut removed, before);
        drop_indentation(&mut added, after);
    }
    let alike_percent = 2 * common * 100 / (visible_len(old) + visible_len(new)).max(1);
    widen(&mut removed, old);
    widen(&mut added, new);
    (alike_percent >= ALIKE_PERCENT).then_some((removed, added))
}

/// What a reader sees as one character changes as a whole: a sign and the marks on it.
fn widen(words: &mut Words, line: &[u8]) {
    let Some(text) = str::from_utf8(line).ok().filter(|text| !text.is_ascii()) else { return };
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut ends =
        text.grapheme_indices(true).map(|(at, cluster)| offset(at)..offset(at + cluster.len()));
    let mut cluster = 0..0;
    for word in words.iter_mut() {
        while cluster.end <= word.start {
            let Some(next) = ends.next() else { return };
            cluster = next;
        }
        word.start = cluster.start;
        while cluster.end < word.end {
            let Some(next) = ends.next() else { return };
            cluster = next;
        }
        word.end = cluster.end;
    }
    words.dedup_by(|next, last| {
        let touches = next.start < last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

fn indentation(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}

fn is_blank(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(first) = rest.first() {
        match odd_space_len(rest) {
            0 if !first.is_ascii_whitespace() => return false,
            0 => rest = &rest[1..],
            odd => rest = &rest[odd..],
        }
    }
    true
}

/// A block that moved to the right has no changed words; one that is indented by other blanks has.
fn drop_indentation(words: &mut Words, indentation: &[u8]) {
    let indentation = u32::try_from(indentation.len()).unwrap_or(u32::MAX);
    for word in words.iter_mut() {
        word.start = word.start.max(indentation);
    }
    words.retain(|word| word.start < word.end);
}

fn visible_len(line: &[u8]) -> usize {
    without_odd_spaces(line).iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}

fn push(ranges: &mut Words, words: &[Range<usize>], changed: Range<usize>) {
    let (Some(first), Some(last)) = (words.get(changed.start), words[..changed.end].last()) else {
        return;
    };
    if changed.is_empty() {
        return;
    }
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ranges.push(offset(first.start)..offset(last.end));
}

/// Words, runs of blanks, and single signs. Bytes above ASCII belong to words, but those of an odd space are one sign.
fn split(line: &[u8]) -> Vec<Range<usize>> {
    #[derive(PartialEq)]
    enum Class {
        Word,
        Blank,
        Sign,
    }
    let class = |byte: u8| match byte {
        b' ' | b'\t' => Class::Blank,
        b'_' | 0x80.. => Class::Word,
        _ if byte.is_ascii_alphanumeric() => Class::Word,
        _ => Class::Sign,
    };
    let mut words: Vec<Range<usize>> = Vec::new();
    let (mut at, mut last) = (0, Class::Sign);
    while at < line.len() {
        let odd = odd_space_len(&line[at..]);
        let (this, end) = if odd > 0 { (Class::Sign, at + odd) } else { (class(line[at]), at + 1) };
        match words.last_mut() {
            Some(word) if this != Class::Sign && this == last => word.end = end,
            _ => words.push(at..end),
        }
        (at, last) = (end, this);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> Option<(Vec<String>, Vec<String>)> {
        let (removed, added) = changed_words(old.as_bytes(), new.as_bytes())?;
        let texts = |line: &str, ranges: &Words| {
            ranges.iter().map(|r| line[r.start as usize..r.end as usize].to_owned()).collect()
        };
        Some((texts(old, &removed), texts(new, &added)))
    }

    #[test]
    fn only_what_changed_is_marked() {
        let (removed, added) = marked("    let limit = 5;", "    let limit = config.max;").unwrap();
        assert_eq!((removed, added), (vec!["5".to_owned()], vec!["config.max".to_owned()]));
    }

    #[test]
    fn blanks_that_became_other_blanks_are_marked() {
        let texts = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let cases: [(&str, &str, &[&str], &[&str]); 5] = [
            ("    /// Create", "\t/// Create", &["    "], &["\t"]),
            ("\tlet x = 1;", "    let x = 2;", &["\t", "1"], &["    ", "2"]),
            ("impl Builder {", "impl\u{a0}Builder {", &[" "], &["\u{a0}"]),
            ("a = \u{3000}b", "a = \u{2003}b", &["\u{3000}"], &["\u{2003}"]),
            // Deeper by the same: nothing but its place changed.
            ("\tlet x = 1;", "\t\tlet x = 1;", &[], &[]),
        ];
        for (old, new, removed, added) in cases {
            assert_eq!(marked(old, new), Some((texts(removed), texts(added))), "{old:?} {new:?}");
            let texts = [old, new].map(|line| Text::new(format!("{line}\n").into_bytes()));
            let words = block_words(&texts[0], &texts[1], &Block { old: 0..1, new: 0..1 });
            assert_eq!([words.old[0].len(), words.new[0].len()], [removed.len(), added.len()]);
        }
        let texts = ["    \nx\n", "\t\u{a0}\n"].map(|text| Text::new(text.as_bytes().to_vec()));
        let words = block_words(&texts[0], &texts[1], &Block { old: 0..2, new: 0..1 });
        let first = [&words.old[0], &words.new[0]].map(|words| words.first().cloned());
        assert_eq!(first, [Some(0..4), Some(0..3)]);
    }

    #[test]
    fn unlike_lines_are_left_alone() {
        assert_eq!(marked("    return None;", "    let x = compute(&state, 14)?;"), None);
        assert_eq!(marked("", "x"), None);
        let long = "word ".repeat(1_000);
        assert_eq!(marked(&long, &long), None);
    }

    #[test]
    fn uneven_blocks_find_the_partner() {
        let old = Text::new(b"self.client.get(url).send()\n".to_vec());
        let new = Text::new(
            b"// try again\nretry(3, || self.client.get(url).send())\n// done\n".to_vec(),
        );
        let words = block_words(&old, &new, &Block { old: 0..1, new: 0..3 });
        assert!(words.new[0].is_empty() && !words.new[1].is_empty() && words.new[2].is_empty());
    }

    proptest::proptest! {
        #[test]
        fn no_character_is_split(old in "[ab=世\u{301}\u{338}\u{200d}👍🏽 ]{0,30}", new in "[ab=世\u{301}\u{338}\u{200d}👍🏽 ]{0,30}") {
            if let Some((removed, added)) = changed_words(old.as_bytes(), new.as_bytes()) {
                for (line, ranges) in [(&old, &removed), (&new, &added)] {
                    let ends: Vec<usize> = line.grapheme_indices(true).map(|(at, _)| at).chain([line.len()]).collect();
                    for range in ranges {
                        assert!(ends.contains(&(range.start as usize)) && ends.contains(&(range.end as usize)), "{line:?} {range:?}");
                    }
                }
            }
        }

        #[test]
        fn ranges_are_sorted_and_inside(old in ".{0,60}", new in ".{0,60}") {
            if let Some((removed, added)) = changed_words(old.as_bytes(), new.as_bytes()) {
                for (line, ranges) in [(&old, &removed), (&new, &added)] {
                    let mut end = 0;
                    for range in ranges {
                        assert!(range.start >= end && range.end > range.start);
                        assert!(line.is_char_boundary(range.start as usize));
                        end = range.end;
                    }
                    assert!(end as usize <= line.len());
                }
            }
        }
    }
}
