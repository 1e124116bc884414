//! Keys that come faster than frames: nothing is ticked of which a line was in no frame, and `Space` passes nothing by.

use std::{collections::BTreeSet, fmt::Write as _};

use shadowdeck::{
    app::{
        Model,
        job::{Outcome, Slot},
    },
    review::{FileDiff, ReviewPage, ticks::Reading},
};

use crate::{
    desk::{Desk, page, row, text},
    scenes::facts,
};

/// Of each file the hunks' changed lines; each is a word of its own.
const FILES: usize = 4;
const HUNKS: usize = 6;
/// Lines that the last file adds at once.
const ADDED: usize = 60;

fn old_line(file: usize, hunk: usize) -> String {
    format!("f{file}old{hunk:03};")
}

fn new_line(file: usize, hunk: usize) -> String {
    format!("f{file}new{hunk:03};")
}

/// Hunks far apart, and a file of one hunk that is longer than a screen.
pub(crate) fn long_page(name: &str) -> ReviewPage {
    let edited = |file: usize| -> FileDiff {
        let (mut old, mut new) = (String::new(), String::new());
        for hunk in 0..HUNKS {
            let around: String = (0..20).map(|line| format!("same {line} of {hunk}\n")).collect();
            writeln!(old, "{around}{}", old_line(file, hunk)).expect("writes");
            writeln!(new, "{around}{}", new_line(file, hunk)).expect("writes");
        }
        facts::text_file(&format!("f{file}.txt"), Some(&old), Some(&new))
    };
    let added: String = (0..ADDED).map(|line| format!("{}\n", new_line(FILES, line))).collect();
    let last = facts::text_file("z.txt", None, Some(&added));
    ReviewPage { files: (0..FILES).map(edited).chain([last]).collect(), ..page(name) }
}

/// The changed lines that were in some frame.
#[derive(Default)]
pub(crate) struct Lines(BTreeSet<String>);

impl Lines {
    pub(crate) fn see(&mut self, screen: &str) {
        for word in screen.split_whitespace() {
            let at = word.find("old").or(word.find("new")).and_then(|at| at.checked_sub(2));
            self.0.extend(at.and_then(|at| word.get(at..)).map(str::to_owned));
        }
    }

    /// Nothing is read that was not seen.
    #[track_caller]
    pub(crate) fn check(&self, model: &Model) {
        let Some(review) = &model.review else { return };
        let ticks = &model.memory.marks.ticks;
        for file in 0..=FILES {
            for hunk in 0..if file == FILES { 1 } else { HUNKS } {
                if !review.is_hunk_read(ticks, file, hunk) {
                    continue;
                }
                let lines = match file {
                    FILES => (0..ADDED).map(|line| new_line(file, line)).collect(),
                    _ => vec![old_line(file, hunk), new_line(file, hunk)],
                };
                for line in lines {
                    assert!(self.0.contains(&line), "{line} is ticked and was in no frame");
                }
            }
        }
    }
}

pub(crate) fn is_all_read(model: &Model) -> bool {
    let review = model.review.as_ref().expect("a review is open");
    let ticks = &model.memory.marks.ticks;
    (0..=FILES).all(|file| review.reading(ticks, file) == Reading::Read)
}

/// Frames are looked at, and what is ticked in each.
struct Reader {
    desk: Desk,
    lines: Lines,
}

impl Reader {
    fn new(size: (u16, u16)) -> Self {
        let mut desk = Desk::with(vec![row("swift-fox")], size);
        desk.press("Enter");
        desk.answer(Slot::Review, Ok(Outcome::Review(long_page("swift-fox"))));
        let mut reader = Self { desk, lines: Lines::default() };
        reader.look();
        reader
    }

    #[track_caller]
    fn look(&mut self) {
        self.lines.see(&text(&self.desk.picture()));
        self.lines.check(&self.desk.model);
    }

    #[track_caller]
    fn burst(&mut self, keys: &str) {
        self.desk.burst(keys);
        self.lines.check(&self.desk.model);
        self.look();
    }
}

#[test]
fn spaces_without_a_frame_between_go_one_page_and_tick_nothing_unseen() {
    for count in [2, 5, 20, 200] {
        let (mut one, mut many) = (Reader::new((80, 24)), Reader::new((80, 24)));
        for _ in 0..60 {
            one.burst("Space");
            many.burst(&"Space ".repeat(count));
        }
        assert!(is_all_read(&many.desk.model), "{}", text(&many.desk.picture()));
        assert!(is_all_read(&one.desk.model));
    }
    let mut reader = Reader::new((80, 24));
    let review = |reader: &Reader| {
        let review = reader.desk.model.review.as_ref().expect("it is open");
        (review.top, review.cursor)
    };
    reader.burst("Space");
    let after_one = review(&reader);
    let mut reader = Reader::new((80, 24));
    reader.burst(&"Space ".repeat(20));
    assert_eq!(review(&reader), after_one);
}

#[test]
fn bursts_of_any_keys_tick_nothing_that_was_in_no_frame() {
    const KEYS: [&str; 20] = [
        "Space", "Space", "Space", "Space", "Space", "j", "j", "k", "ctrl-f", "ctrl-b", "G", "g g",
        "]", "[", "}", "{", "l", "h", "w", "Tab",
    ];
    for (size, seeds) in [((80, 24), 0..12_u64), ((44, 12), 12..20), ((130, 30), 20..26)] {
        for seed in seeds {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut below = |end: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                usize::try_from(state >> 33).expect("31 bits") % end
            };
            let mut reader = Reader::new(size);
            for _ in 0..25 {
                let keys: Vec<&str> = (0..=below(20)).map(|_| KEYS[below(KEYS.len())]).collect();
                reader.burst(&keys.join(" "));
            }
            for _ in 0..400 {
                if is_all_read(&reader.desk.model) {
                    break;
                }
                reader.burst("Space");
            }
            let is_read = is_all_read(&reader.desk.model);
            assert!(is_read, "{seed}: {}", text(&reader.desk.picture()));
        }
    }
}

#[test]
fn a_page_under_a_sheet_was_not_shown() {
    let mut reader = Reader::new((80, 24));
    reader.burst("Space m");
    reader.burst("Esc Space");
    reader.burst("Space : Esc Space Space");
}
