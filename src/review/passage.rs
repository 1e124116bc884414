//! Lines told by their content: found again after edits around them, or not at all. What was commented is never taken
//! for an equal line elsewhere: the lines around it are kept as far as they tell it from every other.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Text;

/// Lines kept on either side at least, for whoever reads them.
const CONTEXT_MIN: usize = 3;
/// At most so many are kept to tell equal passages apart.
const CONTEXT_MAX: usize = 40;
/// Letters and digits that make lines which stand nowhere else their own sign.
const TELLING: usize = 16;
/// What is longer is no passage to comment on.
pub const LINES_MAX: u32 = 500;
pub const BYTES_MAX: usize = 64 * 1024;
/// Of a line around it so much is kept.
const AROUND_BYTES_MAX: usize = 400;

/// A line without its newline; a string on disk where it is UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    Text(String),
    Bytes(Vec<u8>),
}

impl Line {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes(bytes.to_owned()),
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// The lines on one side of it, nearest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Around {
    lines: Vec<Line>,
    /// They end where the file does, and only that tells them from others.
    to_end: bool,
    /// No equal passage had the same lines on this side.
    tells: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Where it was, counted from 0.
    pub start: u32,
    pub lines: Vec<Line>,
    above: Around,
    below: Around,
    /// The same lines stood nowhere else.
    is_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// How far the lines around a place are those of the passage.
struct Fit {
    start: u32,
    above: usize,
    below: usize,
    is_above: bool,
    is_below: bool,
}

impl Passage {
    /// `None` for no lines, and for more than anybody comments on.
    pub fn new(text: &Text, range: Range<u32>) -> Option<Self> {
        let count = range.end.min(text.line_count()).checked_sub(range.start)?;
        let range = range.start..range.start + count;
        if count == 0 || count > LINES_MAX || text.lines(range.clone()).len() > BYTES_MAX {
            return None;
        }
        let lines: Vec<Line> = range.clone().map(|line| Line::new(text.line(line))).collect();
        let others: Vec<u32> =
            runs(text, &lines).into_iter().filter(|start| *start != range.start).collect();
        let around = |way| around(text, &range, &others, way);
        Some(Self {
            start: range.start,
            above: around(Way::Up),
            below: around(Way::Down),
            lines,
            is_only: others.is_empty(),
        })
    }

    pub fn range(&self) -> Range<u32> {
        self.at(self.start)
    }

    fn at(&self, start: u32) -> Range<u32> {
        start..start + u32::try_from(self.lines.len()).unwrap_or(0)
    }

    /// Lines above it as they were, from the top.
    pub fn before(&self) -> impl Iterator<Item = &Line> {
        self.above.lines[..self.above.lines.len().min(CONTEXT_MIN)].iter().rev()
    }

    pub fn after(&self) -> impl Iterator<Item = &Line> {
        self.below.lines.iter().take(CONTEXT_MIN)
    }

    /// Where it is in another text of the file. `None` where it is not, or nothing tells which of several it is.
    pub fn find(&self, text: &Text) -> Option<Range<u32>> {
        let fits: Vec<Fit> =
            runs(text, &self.lines).into_iter().map(|start| self.fit(text, start)).collect();
        let found = match &fits[..] {
            [] => None,
            [only] if self.is_only => {
                let has_ground = only.is_above && !self.above.lines.is_empty()
                    || only.is_below && !self.below.lines.is_empty();
                (has_ground || self.tells_itself() || self.is_alone()).then_some(only)
            }
            _ => self.choose(&fits),
        };
        found.map(|fit| self.at(fit.start))
    }

    /// As [`Self::find`], for another file: only with all that stood around it.
    pub fn find_elsewhere(&self, text: &Text) -> Option<Range<u32>> {
        let mut fits = runs(text, &self.lines).into_iter().map(|start| self.fit(text, start));
        let is_same = |fit: &Fit| fit.is_above && fit.is_below;
        let first = fits.find(is_same)?;
        fits.all(|fit| !is_same(&fit)).then(|| self.at(first.start))
    }

    fn choose<'a>(&self, fits: &'a [Fit]) -> Option<&'a Fit> {
        let tells = |around: &Around| self.is_only || around.tells;
        let held = fits.iter().filter(|fit| {
            fit.is_above && tells(&self.above) && !self.above.is_nothing()
                || fit.is_below && tells(&self.below) && !self.below.is_nothing()
        });
        let score = |fit: &Fit| fit.above + fit.below;
        let best = held.clone().max_by_key(|fit| score(fit))?;
        let is_alone = held.clone().filter(|fit| score(fit) == score(best)).count() == 1;
        is_alone.then_some(best)
    }

    fn fit(&self, text: &Text, start: u32) -> Fit {
        let range = self.at(start);
        let (above, is_above) = self.above.fit(text, &range, Way::Up);
        let (below, is_below) = self.below.fit(text, &range, Way::Down);
        Fit { start, above, below, is_above, is_below }
    }

    fn tells_itself(&self) -> bool {
        let bytes = self.lines.iter().flat_map(Line::as_bytes);
        bytes.filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count() >= TELLING
    }

    /// It was the whole file.
    fn is_alone(&self) -> bool {
        self.above.lines.is_empty() && self.below.lines.is_empty()
    }
}

impl Around {
    fn is_nothing(&self) -> bool {
        self.lines.is_empty() && !self.to_end
    }

    /// How many of the lines are there, and whether all are.
    fn fit(&self, text: &Text, range: &Range<u32>, way: Way) -> (usize, bool) {
        let there = neighbours(text, range, way);
        let same = self
            .lines
            .iter()
            .zip(there)
            .take_while(|(line, at)| line.as_bytes() == cut(text.line(*at)));
        let count = same.count();
        let ends = neighbours(text, range, way).nth(count).is_none();
        (count, count == self.lines.len() && (!self.to_end || ends))
    }
}

fn cut(line: &[u8]) -> &[u8] {
    &line[..line.len().min(AROUND_BYTES_MAX)]
}

/// The lines on one side, nearest first.
fn neighbours(text: &Text, range: &Range<u32>, way: Way) -> Box<dyn Iterator<Item = u32>> {
    match way {
        Way::Up => Box::new((0..range.start).rev()),
        Way::Down => Box::new(range.end..text.line_count()),
    }
}

/// As many lines as tell it from every other.
fn around(text: &Text, range: &Range<u32>, others: &[u32], way: Way) -> Around {
    let length = range.end - range.start;
    let shared = |other: &u32| {
        let other = *other..*other + length;
        let both = neighbours(text, range, way).zip(neighbours(text, &other, way));
        both.take(CONTEXT_MAX).take_while(|(a, b)| cut(text.line(*a)) == cut(text.line(*b))).count()
    };
    let needed = others.iter().map(|other| shared(other) + 1).max().unwrap_or(0);
    let kept = needed.clamp(CONTEXT_MIN, CONTEXT_MAX);
    let lines: Vec<Line> = neighbours(text, range, way)
        .take(kept)
        .map(|line| Line::new(cut(text.line(line))))
        .collect();
    Around { to_end: lines.len() < needed, tells: needed <= CONTEXT_MAX, lines }
}

/// Where the lines stand, from the top.
fn runs(text: &Text, lines: &[Line]) -> Vec<u32> {
    let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let Some(last) = text.line_count().checked_sub(count) else { return Vec::new() };
    let is_there =
        |start: &u32| (*start..).zip(lines).all(|(at, line)| text.line(at) == line.as_bytes());
    (0..=last).filter(is_there).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(lines: &[String]) -> Text {
        Text::new(lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect())
    }

    fn of(text: &str) -> Text {
        Text::new(text.as_bytes().to_vec())
    }

    #[test]
    fn an_equal_line_elsewhere_never_takes_its_place() {
        let file = "[a]\ntimeout = 5\nretries = 3\n\n[b]\ntimeout = 5\nretries = 3\n";
        let passage = Passage::new(&of(file), 1..2).expect("a line");
        assert_eq!(passage.find(&of(file)), Some(1..2));
        assert_eq!(passage.find(&of(&file.replacen("timeout = 5", "timeout = 6", 1))), None);
        let moved = "[b]\ntimeout = 5\nretries = 3\n\n[a]\ntimeout = 5\nretries = 3\n";
        assert_eq!(passage.find(&of(moved)), Some(5..6));
        let code = "fn a() {\n    x();\n}\nfn b() {\n    x();\n}\n";
        let passage = Passage::new(&of(code), 1..2).expect("a line");
        assert_eq!(passage.find(&of(&code.replacen("x()", "y()", 1))), None);
        assert_eq!(passage.find(&of(&format!("// new\n{code}"))), Some(2..3));
    }

    #[test]
    fn a_copy_that_is_added_leaves_it_where_it_is() {
        let code = "fn one() {\n    let wait = Duration::from_millis(50);\n}\n";
        let passage = Passage::new(&of(code), 1..2).expect("a line");
        let copied = format!("{code}fn two() {{\n    let wait = Duration::from_millis(50);\n}}\n");
        assert_eq!(passage.find(&of(&copied)), Some(1..2));
        let moved =
            "// a head\nfn late() {\n    let wait = Duration::from_millis(50);\n    go();\n}\n";
        assert_eq!(passage.find(&of(moved)), Some(2..3), "telling lines are found where they went");
    }

    proptest! {
        /// Lines from few letters: most are there several times.
        #[test]
        fn edits_elsewhere_keep_it_and_an_edit_of_it_outdates_it(
            letters in prop::collection::vec(0_u8..4, 1..30), at in 0_usize..30, length in 1_usize..3,
            cut in 0_usize..30, many in 1_usize..4,
        ) {
            let lines: Vec<String> = letters.iter().map(|l| format!("line {l}")).collect();
            let start = at % lines.len();
            let end = (start + length).min(lines.len());
            let range = u32::try_from(start).expect("small")..u32::try_from(end).expect("small");
            let passage = Passage::new(&text(&lines), range.clone()).expect("lines");
            prop_assert_eq!(passage.find(&text(&lines)), Some(range.clone()));

            // Fresh lines before or behind all that was kept of it.
            let fresh: Vec<String> = (0..many).map(|n| format!("fresh {n}")).collect();
            let from = (start + 1).saturating_sub(1);
            let put = cut % (lines.len() + 1);
            let mut longer = lines.clone();
            longer.splice(put..put, fresh);
            if put <= from || put >= end {
                let by = if put <= start { u32::try_from(many).expect("small") } else { 0 };
                let moved = range.start + by..range.end + by;
                let found = passage.find(&text(&longer));
                // Where it is found, it is found right; beyond its context it is always found.
                prop_assert!(found.is_none() || found == Some(moved.clone()), "{:?}", found);
                if passage.above.lines.len() < start.abs_diff(put) && put < start && !passage.above.to_end
                    || put > end + passage.below.lines.len() && !passage.below.to_end {
                    prop_assert_eq!(found, Some(moved));
                }
            }
            let mut edited = lines.clone();
            edited[start].push_str(" edited");
            let found = passage.find(&text(&edited));
            prop_assert!(found.is_none(), "{:?} took the place of {:?} in {:?}", found, range, edited);
        }

        #[test]
        fn a_telling_line_is_kept_through_any_edit_elsewhere(
            count in 2_usize..20, at in 0_usize..20, others in prop::collection::vec((0_usize..20, 0_u8..3), 0..8),
        ) {
            let lines: Vec<String> = (0..count).map(|n| format!("a line that tells itself {n}")).collect();
            let start = at % count;
            let mine = lines[start].clone();
            let line = u32::try_from(start).expect("small");
            let passage = Passage::new(&text(&lines), line..line + 1).expect("a line");
            let mut edited = lines;
            for (place, kind) in others {
                let place = place % edited.len();
                match kind {
                    0 => edited.insert(place, format!("fresh {place}")),
                    _ if edited[place] == mine => {}
                    1 => drop(edited.remove(place)),
                    _ => edited[place].push('!'),
                }
            }
            let now = edited.iter().position(|line| *line == mine).expect("it stays");
            let now = u32::try_from(now).expect("small");
            prop_assert_eq!(passage.find(&text(&edited)), Some(now..now + 1));
        }
    }
}
