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
        conflict.take(index, line);
        if let Some(looks_like) = secret::find(line) {
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
    if !conflict.settled_by_nobody.is_empty() {
        let lines = conflict.settled_by_nobody;
        let why = format!("line {} begins a conflict that nobody settled", lines[0] + 1);
        found.push(Finding::of_lines(Flag::ConflictMarkers, why, lines.into_iter().map(added)));
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

/// All three markers among the new lines, in their order: a heading's underline alone is none.
#[derive(Default)]
struct Conflict {
    begun: Option<u32>,
    parted: bool,
    settled_by_nobody: Vec<u32>,
}

impl Conflict {
    fn take(&mut self, index: u32, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if is_marker(line, b'<') {
            (self.begun, self.parted) = (Some(index), false);
        } else if line == b"=======" {
            self.parted = self.begun.is_some();
        } else if is_marker(line, b'>') && self.parted {
            self.settled_by_nobody.extend(self.begun.take());
            self.parted = false;
        }
    }
}

/// Seven of them, and then a name or nothing.
fn is_marker(line: &[u8], sign: u8) -> bool {
    line.len() >= 7
        && line[..7].iter().all(|byte| *byte == sign)
        && line.get(7).is_none_or(|byte| *byte == b' ')
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
            "<<<<<<< HEAD\nx\n=======\n",
            "<<<<<<<<<\n=======\n>>>>>>>>>\n",
            ">>>>>>> b\n=======\n<<<<<<< a\n",
        ] {
            assert_eq!(found(none), [], "{none}");
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
