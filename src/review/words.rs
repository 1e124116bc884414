//! Which words of a changed line changed: told only where two lines are alike, since emphasis on
//! everything says nothing. Every cost is bounded, whatever the lines hold.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::{Block, Text, pairs::pairs};

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
    drop_indentation(&mut removed, old);
    drop_indentation(&mut added, new);
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

/// A block that moved to the right has no changed words.
fn drop_indentation(words: &mut Words, line: &[u8]) {
    let blanks = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let indentation = u32::try_from(blanks).unwrap_or(u32::MAX);
    for word in words.iter_mut() {
        word.start = word.start.max(indentation);
    }
    words.retain(|word| word.start < word.end);
}

fn visible_len(line: &[u8]) -> usize {
    line.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
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

/// Words, runs of blanks, and single signs. Bytes above ASCII belong to words.
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
    for (at, byte) in line.iter().enumerate() {
        let joins = at > 0 && class(*byte) != Class::Sign && class(*byte) == class(line[at - 1]);
        match words.last_mut() {
            Some(last) if joins => last.end = at + 1,
            _ => words.push(at..at + 1),
        }
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
