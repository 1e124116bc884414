//! Lines that were moved: removed in one place and added in another of the same page, perhaps with other
//! indentation. They are told from new ones, and each names its other place.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{Block, Content, Copies, FileDiff, HunkLine, LineKind, Text};

/// So many lines that say something are a move; fewer are chance.
const LINES_MIN: u32 = 3;
/// Letters and digits of a line that says something.
const SIGNS_MIN: usize = 3;
/// Of a line that was added in many places so many are looked at.
const PLACES_MAX: usize = 16;
/// So many comparisons of lines are made: what is not found by then is told as new.
const COMPARED_MAX: usize = 4_000_000;

/// A run of lines that left one place and came to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    old_file: usize,
    old: u32,
    new_file: usize,
    new: u32,
    lines: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// By where they left; no line is in two.
    runs: Vec<Run>,
    /// Indexes into the runs, by where they came to.
    by_new: Vec<usize>,
}

impl Moved {
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The file and the line that is the other end of this one's move.
    pub fn other(&self, file: usize, line: HunkLine) -> Option<(usize, HunkLine)> {
        match (line.kind, line.old_index, line.new_index) {
            (LineKind::Removed, Some(old), _) => {
                let behind =
                    self.runs.partition_point(|run| (run.old_file, run.old) <= (file, old));
                let run = self.runs[..behind].last()?;
                (run.old_file == file && old < run.old + run.lines).then(|| {
                    let index = Some(run.new + old - run.old);
                    (
                        run.new_file,
                        HunkLine { kind: LineKind::Added, old_index: None, new_index: index },
                    )
                })
            }
            (LineKind::Added, _, Some(new)) => {
                let place = |index: &usize| (self.runs[*index].new_file, self.runs[*index].new);
                let behind = self.by_new.partition_point(|index| place(index) <= (file, new));
                let run = self.runs[*self.by_new[..behind].last()?];
                (run.new_file == file && new < run.new + run.lines).then(|| {
                    let index = Some(run.old + new - run.new);
                    (
                        run.old_file,
                        HunkLine { kind: LineKind::Removed, old_index: index, new_index: None },
                    )
                })
            }
            _ => None,
        }
    }
}

/// Looks through all that was removed for what was added elsewhere. What stands in one block was edited in its place,
/// and what stands in a copy came there by the copy, unless it is nowhere else.
pub fn find_moved(files: &[FileDiff], copies: &Copies) -> Moved {
    let mut search = Search::new(files, copies);
    let mut runs = Vec::new();
    for (file, index, block) in blocks(files) {
        let mut old = block.old.start;
        while old < block.old.end && search.compared < COMPARED_MAX {
            let found = search.find(file, index, block, old);
            old += found.map_or(1, |run| run.lines);
            runs.extend(found);
        }
    }
    let mut by_new: Vec<usize> = (0..runs.len()).collect();
    by_new.sort_unstable_by_key(|index| (runs[*index].new_file, runs[*index].new));
    Moved { runs, by_new }
}

fn blocks(files: &[FileDiff]) -> impl Iterator<Item = (usize, usize, &Block)> {
    files.iter().enumerate().flat_map(|(file, diff)| {
        let blocks = match &diff.content {
            Content::Text { blocks, .. } => &blocks[..],
            _ => &[],
        };
        blocks.iter().enumerate().map(move |(index, block)| (file, index, block))
    })
}

/// Where a line was added: its file, its block there, and its number.
type Added = (usize, usize, u32);

struct Search<'a> {
    files: &'a [FileDiff],
    is_copy: Vec<bool>,
    places: HashMap<u64, Vec<Added>>,
    /// Added lines that have come from somewhere already.
    taken: HashSet<(usize, u32)>,
    compared: usize,
}

impl<'a> Search<'a> {
    fn new(files: &'a [FileDiff], copies: &Copies) -> Self {
        let is_copy = files.iter().map(|file| copies.contains_key(&file.change.path)).collect();
        let (places, taken) = (HashMap::new(), HashSet::new());
        let mut search = Self { files, is_copy, places, taken, compared: 0 };
        search.gather();
        search
    }

    /// The lines that left, each as its number.
    fn removed(&self) -> HashSet<u64> {
        let lines = blocks(self.files).flat_map(|(file, _, block)| {
            let old = self.texts(file).map(|[old, _]| old);
            old.into_iter()
                .flat_map(|old| block.old.clone().map(|line| old.line(line).trim_ascii()))
        });
        lines.filter(|line| says_something(line)).map(number_of).collect()
    }

    fn texts(&self, file: usize) -> Option<[&'a Text; 2]> {
        match &self.files[file].content {
            Content::Text { old, new, .. } => Some([old, new]),
            _ => None,
        }
    }

    /// Only of what was removed somewhere: a file of a million new lines costs nothing.
    fn gather(&mut self) {
        let removed = self.removed();
        // Of the few places that are looked at, copies are the last.
        let is_copy = |file: usize| self.is_copy[file];
        let own = blocks(self.files).filter(|(file, ..)| !is_copy(*file));
        let copied = blocks(self.files).filter(|(file, ..)| is_copy(*file));
        for (file, index, block) in own.chain(copied).collect::<Vec<_>>() {
            let Some([_, new]) = self.texts(file) else { continue };
            for line in block.new.clone() {
                let text = new.line(line).trim_ascii();
                let number = number_of(text);
                if removed.contains(&number) {
                    let places = self.places.entry(number).or_default();
                    if places.len() < PLACES_MAX {
                        places.push((file, index, line));
                    }
                }
            }
        }
    }

    /// The longest run that begins with this line; of those, one in the same file.
    fn find(&mut self, file: usize, index: usize, block: &Block, old: u32) -> Option<Run> {
        let [text, _] = self.texts(file)?;
        let first = text.line(old).trim_ascii();
        if !says_something(first) {
            return None;
        }
        let mut best: Option<Run> = None;
        for (new_file, new_index, new) in self.places.get(&number_of(first))?.clone() {
            if (new_file, new_index) == (file, index) || self.taken.contains(&(new_file, new)) {
                continue;
            }
            let Content::Text { new: other, blocks, .. } = &self.files[new_file].content else {
                continue;
            };
            let room = (block.old.end - old).min(blocks[new_index].new.end - new);
            let (mut lines, mut telling) = (0, 0);
            while lines < room && !self.taken.contains(&(new_file, new + lines)) {
                self.compared += 1;
                let line = text.line(old + lines).trim_ascii();
                if line != other.line(new + lines).trim_ascii() {
                    break;
                }
                telling += u32::from(says_something(line));
                lines += 1;
            }
            let run = Run { old_file: file, old, new_file, new, lines };
            let weight =
                |run: &Run| (!self.is_copy[run.new_file], run.lines, run.new_file == run.old_file);
            if telling >= LINES_MIN && best.is_none_or(|best| weight(&run) > weight(&best)) {
                best = Some(run);
            }
        }
        if let Some(run) = best {
            self.taken.extend((run.new..run.new + run.lines).map(|line| (run.new_file, line)));
        }
        best
    }
}

fn says_something(line: &[u8]) -> bool {
    line.iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80)
        .nth(SIGNS_MIN - 1)
        .is_some()
}

fn number_of(line: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use similar::{Algorithm, DiffOp, capture_diff_slices};

    use super::*;
    use crate::{
        review::{Copied, FileChange, FileStatus},
        shadow::RepoPath,
    };

    fn file(name: &str, old: &str, new: &str) -> FileDiff {
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        let index = |at: usize| u32::try_from(at).expect("few lines");
        let blocks = capture_diff_slices(Algorithm::Myers, &lines(old), &lines(new))
            .iter()
            .filter(|op| !matches!(op, DiffOp::Equal { .. }))
            .map(|op| Block {
                old: index(op.old_range().start)..index(op.old_range().end),
                new: index(op.new_range().start)..index(op.new_range().end),
            })
            .collect();
        let text = |text: &str| Arc::new(Text::new(text.as_bytes().to_vec()));
        let change = FileChange {
            path: RepoPath::new(name),
            old_path: None,
            status: FileStatus::Modified,
            old: None,
            new: None,
            insertions: 0,
            deletions: 0,
            binary: false,
        };
        FileDiff::new(change, Content::Text { old: text(old), new: text(new), blocks })
    }

    fn removed(index: u32) -> HunkLine {
        HunkLine { kind: LineKind::Removed, old_index: Some(index), new_index: None }
    }

    fn added(index: u32) -> HunkLine {
        HunkLine { kind: LineKind::Added, old_index: None, new_index: Some(index) }
    }

    const BODY: &str = "let wait = first;\nfor try in 0..times {\n    call();\n}\n";

    #[test]
    fn a_function_that_went_to_another_file_is_found_at_another_depth() {
        let inside: String = BODY.lines().map(|line| format!("    {line}\n")).collect();
        let files = [
            file("a", &format!("x\n{BODY}y\n"), "x\ny\n"),
            file("b", "p\nq\n", &format!("p\nfn own() {{\n{inside}}}\nq\n")),
        ];
        let moved = find_moved(&files, &Copies::new());
        assert_eq!(moved.other(0, removed(1)), Some((1, added(2))));
        assert_eq!(moved.other(0, removed(4)), Some((1, added(5))));
        assert_eq!(moved.other(1, added(5)), Some((0, removed(4))));
        // What stands around it is new.
        assert_eq!([moved.other(1, added(1)), moved.other(1, added(6))], [None, None]);
        assert_eq!(moved.other(0, removed(0)), None);
    }

    #[test]
    fn of_new_lines_only_those_that_left_somewhere_are_kept() {
        let new: String = (0..1_000).map(|line| format!("new line {line}\n")).collect();
        let files = [file("a", "x\n", &new), file("b", BODY, ""), file("c", "", BODY)];
        let search = Search::new(&files, &Copies::new());
        assert_eq!(search.places.len(), 3, "those of the body that say something");
    }

    #[test]
    fn what_says_little_is_no_move_and_each_line_moves_once() {
        let few = "}\n\n{\nlet a = b;\nlet c = d;\n}\n";
        let files = [file("a", few, ""), file("b", "", few)];
        assert!(find_moved(&files, &Copies::new()).is_empty());
        let files = [file("a", BODY, ""), file("b", "", BODY), file("c", "", BODY)];
        let moved = find_moved(&files, &Copies::new());
        assert_eq!(moved.other(0, removed(0)), Some((1, added(0))));
        assert_eq!(moved.other(2, added(0)), None);
    }

    #[test]
    fn a_copy_of_the_file_takes_no_move_from_it() {
        // More than moves, else it is the rest that does.
        let rest = "p\nq\nr\ns\nt\nu\n";
        let (old, new) = (format!("{BODY}{rest}"), format!("{rest}{BODY}"));
        let files = [file("a_copy", "", &format!("{old}{BODY}z\n")), file("b", &old, &new)];
        let from = Copied { from: RepoPath::new("b"), similarity: 100 };
        let copies = Copies::from([(RepoPath::new("a_copy"), from)]);
        let moved = find_moved(&files, &copies);
        assert_eq!(moved.other(1, removed(0)), Some((1, added(6))));
        assert_eq!(moved.other(0, added(0)), None);
        // Where the lines are nowhere else, they went there.
        let files = [file("a_copy", "", BODY), file("b", &old, rest)];
        let moved = find_moved(&files, &copies);
        assert_eq!(moved.other(1, removed(0)), Some((0, added(0))));
        // And two that are as long as each other: the one in the same file.
        let files = [file("a", "", BODY), file("b", &old, &new)];
        let moved = find_moved(&files, &Copies::new());
        assert_eq!(moved.other(1, removed(0)), Some((1, added(6))));
    }

    proptest! {
        #[test]
        fn both_ends_are_equal_but_for_their_indentation_and_name_each_other(
            texts in prop::collection::vec(("( ?[abc]{3}\n|\n|}\n){0,24}", "( ?[abc]{3}\n|\n|}\n){0,24}"), 1..4),
        ) {
            let files: Vec<FileDiff> =
                texts.iter().map(|(old, new)| file("a", old, new)).collect();
            let moved = find_moved(&files, &Copies::new());
            for (at, diff) in files.iter().enumerate() {
                let Content::Text { old, new, blocks } = &diff.content else { unreachable!() };
                for line in blocks.iter().flat_map(|block| block.old.clone().map(removed)) {
                    if let Some((there, other)) = moved.other(at, line) {
                        prop_assert_eq!(moved.other(there, other), Some((at, line)));
                        let Content::Text { new, .. } = &files[there].content else { unreachable!() };
                        let (left, came) = (line.old_index.expect("old"), other.new_index.expect("new"));
                        prop_assert_eq!(old.line(left).trim_ascii(), new.line(came).trim_ascii());
                    }
                }
                for line in blocks.iter().flat_map(|block| block.new.clone().map(added)) {
                    if let Some((there, other)) = moved.other(at, line) {
                        prop_assert_eq!(moved.other(there, other), Some((at, line)));
                    }
                }
                prop_assert!(new.line_count() < 100);
            }
        }
    }
}
