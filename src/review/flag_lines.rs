//! What new lines tell: hidden characters, a conflict that nobody settled, what looks like a secret.
//! Lines that were there before are nobody's news.

use std::collections::BTreeMap;

use super::{
    Block, Text, count,
    flag::{Finding, Flag, added},
    pieces::is_piled,
    secret,
    visible::is_hidden,
};

/// Of each file so many bytes of new lines are searched.
const SEARCHED_BYTES_MAX: usize = 4 << 20;

pub(super) fn findings(text: &Text, blocks: &[Block]) -> Vec<Finding> {
    let mut left = SEARCHED_BYTES_MAX;
    let mut hidden = Vec::new();
    let mut conflict = Conflict::default();
    let mut secrets: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut stopped = None;
    for index in blocks.iter().flat_map(|block| block.new.clone()) {
        let whole = text.line(index);
        let line = &whole[..whole.len().min(left)];
        left -= line.len();
        if has_hidden(line) {
            hidden.push(index);
        }
        conflict.take(index, line, text);
        if let Some(looks_like) = secret::find(line, line_of(text, index + 1)) {
            secrets.entry(looks_like).or_default().push(index);
        }
        if line.len() < whole.len() {
            stopped = Some(index);
            break;
        }
    }
    let mut found = Vec::new();
    if !secrets.is_empty() {
        found.push(of_secrets(&secrets));
    }
    if !hidden.is_empty() {
        found.push(Finding {
            lines: hidden.into_iter().take(100).map(added).collect(),
            ..Finding::of_file(Flag::HiddenCharacters)
        });
    }
    let left = conflict.finish();
    if let Some(Left { index, is_whole }) = left.first() {
        let does = if *is_whole { "begins" } else { "is left of" };
        let why = format!("line {} {does} a conflict that nobody settled", index + 1);
        let lines = left.iter().map(|left| added(left.index));
        found.push(Finding::of_lines(Flag::ConflictMarkers, why, lines));
    }
    if let Some(index) = stopped {
        let why = format!("of its new lines the first 4 MiB are, up to line {}", index + 1);
        found.push(Finding::of_lines(Flag::Unsearched, why, [added(index)]));
    }
    found
}

fn of_secrets(secrets: &BTreeMap<String, Vec<u32>>) -> Finding {
    let mut lines: Vec<u32> = secrets.values().flatten().copied().collect();
    lines.sort_unstable();
    let kinds: Vec<&str> = secrets.keys().map(String::as_str).collect();
    let place = match &lines[..] {
        [one] => format!("line {} holds", one + 1),
        many => format!("{} hold", count(many.len(), "new line")),
    };
    let why = format!("{place} what looks like {}", kinds.join(" and "));
    Finding::of_lines(Flag::Secret, why, lines.into_iter().map(added))
}

/// Nothing where there is no such line.
fn line_of(text: &Text, index: u32) -> &[u8] {
    if index < text.line_count() { text.line(index) } else { b"" }
}

/// A line that a conflict left behind.
struct Left {
    index: u32,
    /// All three markers are there.
    is_whole: bool,
}

/// All three markers of one size among the new lines, in their order, whatever size the attributes ask for; or one of
/// git's own size that is left alone. A heading's underline is none.
#[derive(Default)]
struct Conflict {
    begun: Option<(u32, Marker)>,
    parted: bool,
    left: Vec<Left>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Marker {
    size: usize,
    is_named: bool,
}

impl Marker {
    /// Shorter ones are other signs.
    const SIZE_MIN: usize = 5;
    const SIZE_USUAL: usize = 7;

    /// So many of them, and then a name or nothing.
    fn of(line: &[u8], sign: u8) -> Option<Self> {
        let size = line.iter().take_while(|byte| **byte == sign).count();
        let is_named = line.len() > size + 1;
        (size >= Self::SIZE_MIN && line.get(size).is_none_or(|byte| *byte == b' '))
            .then_some(Self { size, is_named })
    }

    fn tells_alone(self) -> bool {
        self.size == Self::SIZE_USUAL && self.is_named
    }
}

impl Conflict {
    fn take(&mut self, index: u32, line: &[u8], text: &Text) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(begin) = Marker::of(line, b'<') {
            self.leave_alone();
            self.begun = Some((index, begin));
        } else if let Some(end) = Marker::of(line, b'>') {
            // Mail that was answered seven times over is quoted so.
            let is_quoted = [index.wrapping_sub(1), index + 1]
                .iter()
                .any(|beside| line_of(text, *beside).starts_with(b">"));
            match self.begun {
                Some((index, begin)) if self.parted && begin.size == end.size => {
                    self.left.push(Left { index, is_whole: true });
                    (self.begun, self.parted) = (None, false);
                }
                _ if end.tells_alone() && !is_quoted => {
                    self.left.push(Left { index, is_whole: false });
                }
                _ => {}
            }
        } else if let (Some(part), Some((_, begin))) = (Marker::of(line, b'='), self.begun) {
            self.parted |= part == Marker { size: begin.size, is_named: false };
        }
    }

    /// What was begun is not gone on with.
    fn leave_alone(&mut self) {
        if let Some((index, _)) = self.begun.take().filter(|(_, begin)| begin.tells_alone()) {
            self.left.push(Left { index, is_whole: false });
        }
        self.parted = false;
    }

    fn finish(mut self) -> Vec<Left> {
        self.leave_alone();
        self.left
    }
}

fn has_hidden(line: &[u8]) -> bool {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\r' | b'\t');
    let hides = |text: &str| text.chars().any(is_hidden) || is_piled(text);
    !line.iter().all(plain) && line.utf8_chunks().any(|chunk| hides(chunk.valid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        let text = Text::new(text.as_bytes().to_vec());
        let all = Block { old: 0..0, new: 0..text.line_count() };
        findings(&text, &[all])
    }

    #[test]
    fn hidden_characters_are_found_and_marks_on_letters_are_not() {
        let has = |text: &str| has_hidden(text.as_bytes());
        assert!(has("a\u{202e}b") && has("\u{200b}") && has("\u{1b}[31m"));
        assert!(!has("e\u{301} über 世界\tx\r"));
    }

    #[test]
    fn a_conflict_is_all_three_markers_and_a_heading_is_none() {
        let conflict = "a\n<<<<<<< HEAD\nx\n||||||| base\n=======\ny\n>>>>>>> other\n";
        let told = found(conflict);
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].flag, &told[0].lines[..]), (Flag::ConflictMarkers, &[added(1)][..]));
        assert_eq!(told[0].why, "line 2 begins a conflict that nobody settled");
        for none in [
            "Heading\n=======\n\ntext\n",
            "=======\nx\n=======\n",
            "<<<<<<<<<\n=======\n>>>>>>>>>\n",
            "<<<<<<<\nx\n=======\n",
            ">>>>>> a\n>>>>>>> answered seven times\n>>>>>>> b\n",
            "<<<< a\n====\n>>>> b\n",
        ] {
            assert_eq!(found(none), [], "{none}");
        }
    }

    #[test]
    fn a_marker_that_was_left_alone_is_told_and_so_is_another_size() {
        let told = |text: &str| found(text).pop().map(|finding| finding.why);
        let left = |line| Some(format!("line {line} is left of a conflict that nobody settled"));
        assert_eq!(told("<<<<<<< HEAD\nx\n=======\n"), left(1));
        assert_eq!(told("x\n=======\ny\n>>>>>>> other\n"), left(4));
        assert_eq!(told(">>>>>>> b\n=======\n<<<<<<< a\n"), left(1));
        let begins = |line| Some(format!("line {line} begins a conflict that nobody settled"));
        for size in [5, 9, 32] {
            let [open, part, close] = ["<", "=", ">"].map(|sign| sign.repeat(size));
            let text = format!("a\n{open} HEAD\nx\n{part}\ny\n{close} other\r\n");
            assert_eq!(told(&text), begins(2), "{size}");
        }
    }

    #[test]
    fn where_the_search_stops_is_told() {
        let line = format!("{}\n", "x".repeat(1 << 20));
        assert_eq!(found(&line.repeat(4)), []);
        let told = found(&line.repeat(6));
        assert_eq!((told[0].flag, &told[0].lines[..]), (Flag::Unsearched, &[added(4)][..]));
    }

    #[test]
    fn a_secret_is_named_by_its_kind_and_never_told() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
        let told = found(&format!("x\nlet t = \"{token}\";\n"));
        assert_eq!(told[0].flag, Flag::Secret);
        assert_eq!(told[0].why, "line 2 holds what looks like a GitHub token (ghp_…)");
        assert!(!told[0].why.contains(&token[4..]));
    }
}
