//! A text as git merges it: what is merged already, and the places where both sides changed the same lines. A place
//! is told by what it holds, so that what was chosen for it stands wherever just that place comes again.

use serde::{Deserialize, Serialize};

/// Some whole lines, as the bytes are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Lines(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<Stored> for Lines {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Text(text) => Self(text.into_bytes()),
            Stored::Bytes(bytes) => Self(bytes),
        }
    }
}

impl From<Lines> for Stored {
    fn from(Lines(bytes): Lines) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }
}

/// The lines that one place has in the three versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub base: Lines,
    pub target: Lines,
    pub shadow: Lines,
}

/// What one place becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    Target,
    Shadow,
    Base,
    /// The target's lines, then the shadow's.
    Both,
    /// The shadow's lines first.
    Swapped,
    Text(Lines),
}

/// What was chosen for one place; of places that are all alike, for the `nth`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub place: Place,
    pub nth: u32,
    pub take: Take,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Merged(Vec<u8>),
    Place(Place),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weave {
    parts: Vec<Part>,
}

/// Whose lines they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Target,
    Shadow,
    Base,
    Edited,
}

impl Place {
    /// The lines that land, in runs of one origin.
    pub fn runs<'a>(&'a self, take: &'a Take) -> Vec<(Whose, &'a [u8])> {
        let target = (Whose::Target, &self.target.0[..]);
        let shadow = (Whose::Shadow, &self.shadow.0[..]);
        match take {
            Take::Target => vec![target],
            Take::Shadow => vec![shadow],
            Take::Base => vec![(Whose::Base, &self.base.0)],
            Take::Both => vec![target, shadow],
            Take::Swapped => vec![shadow, target],
            Take::Text(text) => vec![(Whose::Edited, &text.0)],
        }
    }

    pub fn text(&self, take: &Take) -> Vec<u8> {
        let (mut text, runs) = (Vec::new(), self.runs(take));
        for (index, (_, run)) in runs.iter().enumerate() {
            push_lines(&mut text, run);
            // What is followed by another side ends its line, as in git, though that has none.
            let is_bare = text.last().is_some_and(|byte| *byte != b'\n');
            if is_bare && runs.get(index + 1).is_some_and(|(_, next)| next.is_empty()) {
                text.push(b'\n');
            }
        }
        text
    }
}

/// Lines do not run into each other where the first had no end.
fn push_lines(text: &mut Vec<u8>, lines: &[u8]) {
    if !lines.is_empty() && text.last().is_some_and(|byte| *byte != b'\n') {
        let is_dos = lines.split_inclusive(|byte| *byte == b'\n').next();
        text.extend(if is_dos.is_some_and(|line| line.ends_with(b"\r\n")) {
            &b"\r\n"[..]
        } else {
            b"\n"
        });
    }
    text.extend(lines);
}

/// How a place is written between markers.
#[derive(Clone, Copy, Debug)]
pub struct Markers<'a> {
    pub size: usize,
    pub target: &'a str,
    pub base: &'a str,
    pub shadow: &'a str,
}

/// The least size of markers that no line of these texts can be taken for.
pub fn marker_size(texts: &[&[u8]]) -> usize {
    const USUAL: usize = 7;
    let run = |line: &[u8]| {
        let sign = line.first().copied().filter(|sign| b"<|=>".contains(sign));
        sign.map_or(0, |sign| line.iter().take_while(|byte| **byte == sign).count())
    };
    let lines = texts.iter().flat_map(|text| text.split(|byte| *byte == b'\n'));
    lines.map(run).max().unwrap_or(0).max(USUAL - 1) + 1
}

fn is_marker(line: &[u8], sign: u8, size: usize) -> bool {
    let rest = &line[line.iter().take_while(|byte| **byte == sign).count().min(size)..];
    line.len() >= size
        && line[..size].iter().all(|byte| *byte == sign)
        && rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\r' | b'\n'))
}

impl Weave {
    /// From a text with `|`, the base, between the sides. `None`: its markers do not fit together.
    pub fn parse(text: &[u8], size: usize) -> Option<Self> {
        let mut parts = Vec::new();
        let (mut merged, mut place, mut within) = (Vec::new(), Place::default(), 0);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let is = |sign| is_marker(line, sign, size);
            match within {
                0 if is(b'<') => {
                    if !merged.is_empty() {
                        parts.push(Part::Merged(std::mem::take(&mut merged)));
                    }
                    within = 1;
                }
                1 if is(b'|') => within = 2,
                2 if is(b'=') => within = 3,
                3 if is(b'>') => {
                    parts.push(Part::Place(std::mem::take(&mut place)));
                    within = 0;
                }
                0 if is(b'>') || is(b'|') => return None,
                _ if is(b'<') || is(b'>') => return None,
                0 => merged.extend(line),
                1 => place.target.0.extend(line),
                2 => place.base.0.extend(line),
                _ => place.shadow.0.extend(line),
            }
        }
        if !merged.is_empty() {
            parts.push(Part::Merged(merged));
        }
        (within == 0).then_some(Self { parts })
    }

    /// A version that does not end its last line has no end of line in a place at the end either.
    #[must_use]
    pub fn ending_as(mut self, [base, target, shadow]: [&[u8]; 3]) -> Self {
        if let Some(Part::Place(place)) = self.parts.last_mut() {
            let ends = [(&mut place.base, base), (&mut place.target, target)];
            for (lines, whole) in ends.into_iter().chain([(&mut place.shadow, shadow)]) {
                if !whole.is_empty() && !whole.ends_with(b"\n") {
                    let bytes = &mut lines.0;
                    let length = bytes.strip_suffix(b"\n").unwrap_or(bytes).len();
                    // git ended it as the other lines end.
                    let is_dos = bytes[..length].ends_with(b"\r") && !whole.ends_with(b"\r");
                    bytes.truncate(length - usize::from(is_dos));
                }
            }
        }
        self
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.parts.iter().filter_map(|part| match part {
            Part::Place(place) => Some(place),
            Part::Merged(_) => None,
        })
    }

    /// Each place with its turn among those that are all alike.
    fn turns(&self) -> impl Iterator<Item = (&Place, u32)> {
        self.places().enumerate().map(|(index, place)| {
            let alike = self.places().take(index).filter(|other| *other == place).count();
            (place, u32::try_from(alike).unwrap_or(u32::MAX))
        })
    }

    /// What is known of each place; the first that answers it.
    pub fn takes<'a>(&self, known: impl Iterator<Item = &'a Decided>) -> Vec<Option<Take>> {
        let known: Vec<&Decided> = known.collect();
        let take = |(place, nth): (&Place, u32)| {
            let own = known.iter().find(|own| own.nth == nth && own.place == *place)?;
            Some(own.take.clone())
        };
        self.turns().map(take).collect()
    }

    pub fn decided(&self, takes: &[Option<Take>]) -> Vec<Decided> {
        let decided = |((place, nth), take): ((&Place, u32), &Option<Take>)| {
            Some(Decided { place: place.clone(), nth, take: take.clone()? })
        };
        self.turns().zip(takes).filter_map(decided).collect()
    }

    /// The whole text; `None` while a place is open.
    pub fn text(&self, takes: &[Option<Take>]) -> Option<Vec<u8>> {
        let (mut text, mut takes) = (Vec::new(), takes.iter());
        for part in &self.parts {
            match part {
                Part::Merged(lines) => push_lines(&mut text, lines),
                Part::Place(place) => {
                    push_lines(&mut text, &place.text(takes.next()?.as_ref()?));
                }
            }
        }
        Some(text)
    }

    /// The whole text for an editor, the open places between markers.
    pub fn marked(&self, takes: &[Option<Take>], markers: Markers<'_>) -> Vec<u8> {
        let (mut text, mut takes) = (Vec::new(), takes.iter());
        let mark = |sign: &str, label: &str| {
            let line = format!("{} {label}", sign.repeat(markers.size));
            format!("{}\n", line.trim_end()).into_bytes()
        };
        for part in &self.parts {
            match part {
                Part::Merged(lines) => push_lines(&mut text, lines),
                Part::Place(place) => {
                    if let Some(take) = takes.next().and_then(Option::as_ref) {
                        push_lines(&mut text, &place.text(take));
                        continue;
                    }
                    for (head, lines) in [
                        (mark("<", markers.target), &place.target),
                        (mark("|", markers.base), &place.base),
                        (mark("=", ""), &place.shadow),
                    ] {
                        push_lines(&mut text, &head);
                        push_lines(&mut text, &lines.0);
                    }
                    push_lines(&mut text, &mark(">", markers.shadow));
                }
            }
        }
        text
    }

    /// What an editor made of each place, where nothing but places was edited: one that is still between markers is
    /// open. `None`: the text has other changes, or markers of another shape.
    pub fn read_back(
        &self,
        text: &[u8],
        takes: &[Option<Take>],
        markers: Markers<'_>,
    ) -> Option<Vec<Option<Take>>> {
        let (mut rest, mut read) = (text, Vec::new());
        let mut parts = self.parts.iter().peekable();
        let mut known = takes.iter();
        while let Some(part) = parts.next() {
            match part {
                Part::Merged(lines) => rest = rest.strip_prefix(&lines[..])?,
                Part::Place(place) => {
                    let known = known.next()?;
                    let end = match parts.peek() {
                        None => rest.len(),
                        Some(Part::Merged(lines)) => find_line(rest, lines)?,
                        // Two places side by side: whose lines are whose cannot be told.
                        Some(Part::Place(_)) => return None,
                    };
                    let (own, after) = rest.split_at(end);
                    let marks = |line: &[u8]| {
                        b"<|>".iter().any(|sign| is_marker(line, *sign, markers.size))
                    };
                    let is_open = own.split(|byte| *byte == b'\n').any(marks);
                    let open = || Self { parts: vec![part.clone()] }.marked(&[None], markers);
                    // Anything else between markers is no answer, and must not be lost.
                    if is_open && open() != own {
                        return None;
                    }
                    read.push((!is_open).then(|| take_of(own, place, known.as_ref())));
                    rest = after;
                }
            }
        }
        rest.is_empty().then_some(read)
    }
}

/// As a choice where it is one, and as the one that was made where several fit.
fn take_of(text: &[u8], place: &Place, known: Option<&Take>) -> Take {
    let plain = [Take::Target, Take::Shadow, Take::Base, Take::Both, Take::Swapped];
    let mut all = known.cloned().into_iter().chain(plain);
    all.find(|take| place.text(take) == text).unwrap_or_else(|| Take::Text(Lines(text.to_vec())))
}

/// Where these lines begin, at the beginning of a line.
fn find_line(text: &[u8], lines: &[u8]) -> Option<usize> {
    let starts = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(starts).find(|start| text[*start..].starts_with(lines))
}

/// Numbers of the lines that git's own conflict markers are in. A line of `=` alone is a heading in many a text.
pub fn marked_lines(text: &[u8]) -> Vec<u32> {
    const WIDTH: usize = 7;
    let is_mark = |line: &[u8]| {
        b"<>|".iter().any(|sign| is_marker(line, *sign, WIDTH) && line.get(WIDTH) != Some(sign))
    };
    let lines = (1_u32..).zip(text.split(|byte| *byte == b'\n'));
    lines.filter(|(_, line)| is_mark(line)).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"a\n<<<<<<< t\nb\n||||||| o\n=======\nc\n>>>>>>> s\nd\n<<<<<<< t\nx\n||||||| o\ny\n=======\n>>>>>>> s\n";
    const MARKERS: Markers<'_> = Markers { size: 7, target: "t", base: "o", shadow: "s" };

    #[test]
    fn every_choice_is_its_lines() {
        let weave = Weave::parse(TEXT, 7).unwrap();
        let text = |first, second| {
            String::from_utf8(weave.text(&[Some(first), Some(second)]).unwrap()).unwrap()
        };
        assert_eq!(text(Take::Target, Take::Shadow), "a\nb\nd\n");
        assert_eq!(text(Take::Both, Take::Base), "a\nb\nc\nd\ny\n");
        assert_eq!(text(Take::Swapped, Take::Text(Lines(b"z\n".to_vec()))), "a\nc\nb\nd\nz\n");
        assert_eq!(weave.text(&[Some(Take::Both), None]), None);
        assert_eq!(weave.marked(&[None, None], MARKERS), TEXT);
        let takes = vec![None, Some(Take::Base)];
        assert_eq!(weave.takes(weave.decided(&takes).iter()), takes);
    }

    #[test]
    fn what_an_editor_left_is_read_place_by_place() {
        let weave = Weave::parse(TEXT, 7).unwrap();
        let open = [None, None];
        assert_eq!(weave.read_back(TEXT, &open, MARKERS), Some(vec![None, None]));
        let edited = b"a\nmine\nd\n<<<<<<< t\nx\n||||||| o\ny\n=======\n>>>>>>> s\n";
        let mine = Some(Take::Text(Lines(b"mine\n".to_vec())));
        assert_eq!(weave.read_back(edited, &open, MARKERS), Some(vec![mine, None]));
        assert_eq!(
            weave.read_back(b"a\nc\nd\nx\n", &open, MARKERS),
            Some(vec![Some(Take::Shadow), Some(Take::Target)])
        );
        assert_eq!(weave.read_back(b"A\nc\nd\nx\n", &open, MARKERS), None);
        assert_eq!(marked_lines(b"<<<<<<< x\n=======\n<<<<<<<<\n>>>>>>>"), [1, 4]);
    }

    #[test]
    fn a_last_line_without_an_end_keeps_none() {
        let text = b"<<<<<<< t\nb\n||||||| o\na\n=======\nc\n>>>>>>> s\n";
        let weave = Weave::parse(text, 7).unwrap().ending_as([b"a\n", b"b", b"c"]);
        assert_eq!(weave.text(&[Some(Take::Target)]).unwrap(), b"b");
        assert_eq!(weave.text(&[Some(Take::Base)]).unwrap(), b"a\n");
        assert_eq!(weave.text(&[Some(Take::Both)]).unwrap(), b"b\nc");
    }
}
