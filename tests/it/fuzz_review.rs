//! Whatever a shadow holds, on a screen of any size: no panic, nothing that a terminal would obey, every changed line
//! reached by keys and drawn. Written as the real program writes its frames, and read by a terminal.

use std::{
    collections::BTreeSet,
    io::Write,
    num::NonZeroU16,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

use proptest::{prelude::*, test_runner::Config};
use ratatui::{backend::Backend as _, buffer::Buffer, layout::Rect};
use shadowdeck::{
    app::{
        self,
        review::{ReviewScreen, line_text, panes},
    },
    git::lines::blocks,
    review::{
        Content, Entry, FileChange, FileDiff, FileStatus, HunkLine, LineKind, Mode, Text,
        comment::{self, Author, Change},
        diff::Passed,
        judge::{Given, judge},
        stream::{Note, StreamRow},
    },
    runtime::{canvas::Canvas, changed::changed_cells},
    shadow::{Oid, RepoPath},
    ui::{
        glyphs::Glyphs,
        theme::{Depth, Ground, Theme},
    },
};

use unicode_width::UnicodeWidthStr;

use crate::{
    desk::text,
    scenes::{NOW_MS, World, facts},
};

/// `just fuzz` asks for more.
const CASES: u32 = 64;

/// Pieces that have broken screens: of terminals, of bidi, of widths, of git, and of plain text.
const PIECES: &[&[u8]] = &[
    b"\x1b]52;c;UFdORUQ=\x1b\\",
    b"\x1b]0;PWNED\x07",
    b"\x1b[2J\x1b[H",
    b"\x1bP0;1|17/ab\x1b\\",
    b"\x1b[6n",
    b"\x9b31m",
    b"\xc2\x9b31m",
    b"\xc2\x90",
    b"\x0e\x0f\x08\x7f",
    b"\r",
    b"\x00",
    b"\t",
    b"\xff\xfe",
    "\u{202e}\u{2066}".as_bytes(),
    "\u{200b}\u{feff}\u{e0041}".as_bytes(),
    "e\u{301}\u{301}".as_bytes(),
    "世界".as_bytes(),
    "👩\u{200d}👩\u{200d}👧".as_bytes(),
    "🇩🇪❤\u{fe0f}".as_bytes(),
    "\u{1100}\u{1161}\u{11a8}".as_bytes(),
    "ไทย नमस्ते".as_bytes(),
    b"<<<<<<< a",
    b"=======",
    b">>>>>>> b",
    b"fn call() {",
    b"    x = \"a b\";",
    b"word",
    b" ",
];

/// Keys that lay out, move and open, one or a few of which go before the walk.
const WAYS: &[&str] = &[
    "s",
    "w",
    "W",
    "+",
    "-",
    "H",
    "l",
    "l l l l l l",
    "h",
    "Tab",
    ">",
    "<",
    "i",
    "v",
    "v j j",
    "y",
    "J",
    "t",
    "T",
    "r",
    "Space",
    "G",
    "g g",
    "ctrl-d",
    "ctrl-f",
    "]",
    "}",
    "z t",
    "z b",
    "/ w Enter",
    "c w Esc",
    "c Tab w Esc",
    "j j c x Esc",
    "v j c x Esc",
    "Enter",
    "2",
    "4",
    "1",
    "5",
    "B",
    "ctrl-p w",
    ": w",
    "?",
];

/// A line without its end.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => (0..PIECES.len()).prop_map(|at| PIECES[at].to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => (0..PIECES.len(), 1..60_usize).prop_map(|(at, times)| PIECES[at].repeat(times)),
    ];
    prop::collection::vec(piece, 0..4)
        .prop_map(|pieces| pieces.concat().into_iter().filter(|byte| *byte != b'\n').collect())
}

/// Both sides of a file: lines of one pool, so that many are alike; then the ends.
fn sides() -> impl Strategy<Value = [Vec<u8>; 2]> {
    let pool = prop::collection::vec(line(), 1..8);
    let places = || prop::collection::vec(0..8_usize, 0..24);
    let crlf = || prop::bool::weighted(0.2);
    let ends = || (any::<bool>(), crlf());
    (pool, places(), places(), [ends(), ends()]).prop_map(|(pool, old, new, ends)| {
        [(old, ends[0]), (new, ends[1])].map(|(places, (has_end, is_crlf))| {
            let end: &[u8] = if is_crlf { b"\r\n" } else { b"\n" };
            let mut bytes = Vec::new();
            for (number, place) in places.iter().enumerate() {
                bytes.extend_from_slice(&pool[place % pool.len()]);
                if has_end || number + 1 < places.len() {
                    bytes.extend_from_slice(end);
                }
            }
            bytes
        })
    })
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        (0..PIECES.len()).prop_map(|at| PIECES[at].to_vec()),
        Just(b".github/x".to_vec()),
        Just(b"src/a.rs".to_vec()),
        Just(b"vendor/b".to_vec()),
        Just(b"a\nb".to_vec()),
        prop::collection::vec(1..=255_u8, 1..5),
    ];
    prop::collection::vec(part, 1..3).prop_map(|parts| parts.concat())
}

/// As many files as names are different.
fn files() -> impl Strategy<Value = Vec<FileDiff>> {
    prop::collection::vec((name(), sides(), 0..12_u8), 1..4).prop_map(|all| {
        let mut names = BTreeSet::new();
        let new_name = |(name, ..): &(Vec<u8>, [Vec<u8>; 2], u8)| names.insert(name.clone());
        let kept: Vec<_> = all.into_iter().filter(new_name).collect();
        let mut files: Vec<FileDiff> =
            kept.into_iter().map(|(name, sides, kind)| file(name, sides, kind)).collect();
        judge(&mut files, &Given::default());
        files
    })
}

/// As text; without the sign for what is none, which the terminal that reads it here leaves out.
fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\u{fffd}', "")
}

/// Of each kind that git tells, most of them plain edits.
fn file(name: Vec<u8>, [old, new]: [Vec<u8>; 2], kind: u8) -> FileDiff {
    let entry =
        |digit: &str, mode| Some(Entry { mode, oid: Oid::parse(&digit.repeat(40)).unwrap() });
    let (old, new) = match kind {
        8 => (Vec::new(), new),
        9 => (old, Vec::new()),
        _ => (old, new),
    };
    let (old, new) = (Arc::new(Text::new(old)), Arc::new(Text::new(new)));
    let blocks = blocks(&old, &new, &AtomicBool::new(false)).unwrap();
    let count = |lines: &dyn Fn(&shadowdeck::review::Block) -> usize| {
        u32::try_from(blocks.iter().map(lines).sum::<usize>()).unwrap()
    };
    let change = FileChange {
        path: RepoPath::new(name),
        old_path: (kind == 6).then(|| RepoPath::new(&b"old\x1b[31m"[..])),
        status: match kind {
            6 => FileStatus::Renamed(80),
            8 => FileStatus::Added,
            9 => FileStatus::Deleted,
            _ => FileStatus::Modified,
        },
        old: entry("1", Mode::File).filter(|_| kind != 8),
        new: entry("2", if kind == 7 { Mode::Symlink } else { Mode::File }).filter(|_| kind != 9),
        insertions: count(&|block| block.new.len()),
        deletions: count(&|block| block.old.len()),
        binary: kind == 5,
    };
    let content = match kind {
        4 => Content::Unreadable { why: words(PIECES[0]) },
        5 => Content::Binary { old_size: Some(1), new_size: None },
        10 => Content::Submodule { old: Oid::parse(&"1".repeat(40)), new: None },
        11 => Content::TooLarge { size: 90_000_000, size_max: 50_000_000 },
        _ => Content::Text { old, new, blocks },
    };
    let mut file = FileDiff::new(change, content);
    if kind == 10 {
        let subject = words(&PIECES.concat());
        file.passed = vec![Passed { kind: LineKind::Added, subject }];
    }
    file
}

/// What the program's own backend wrote.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<Vec<u8>>>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// One screen over many frames, so that what an earlier one left is seen.
struct Screen {
    theme: Theme,
    wire: Wire,
    backend: Canvas<Wire>,
    shown: Buffer,
    parser: vt100::Parser,
    area: Rect,
}

impl Screen {
    fn new(columns: u16, rows: u16, theme: Theme) -> Self {
        let wire = Wire::default();
        let area = Rect::new(0, 0, columns, rows);
        let backend = Canvas::new(wire.clone());
        let cells = |number: u16| NonZeroU16::new(number).expect("a screen has cells");
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        Self { theme, wire, backend, shown: Buffer::empty(area), parser, area }
    }

    fn draw(&mut self, world: &World) -> Result<(), TestCaseError> {
        let drawn = world.draw(&self.theme);
        let before = std::mem::replace(&mut self.shown, drawn.clone());
        let changed = changed_cells(&before, &drawn);
        let cells = changed.iter().map(|index| {
            let (x, y) = drawn.pos_of(*index);
            (x, y, &drawn.content[*index])
        });
        self.backend.draw(cells).unwrap();
        let bytes = std::mem::take(&mut *self.wire.0.lock().unwrap());
        prop_assert_eq!(obeyed(&bytes), None);
        self.parser.process(&bytes);
        for y in 0..self.area.height {
            let (mut read, mut wanted) = (String::new(), String::new());
            for x in 0..self.area.width {
                let cell = self.parser.screen().cell(y, x).expect("a cell of the screen");
                if !cell.is_wide_continuation() {
                    read.push_str(if cell.has_contents() { cell.contents() } else { " " });
                }
            }
            let mut x = 0;
            while x < self.area.width {
                // What lies under the second half of a wide character is not sent.
                let symbol = drawn[(x, y)].symbol();
                wanted.push_str(symbol);
                x += u16::try_from(symbol.width()).unwrap_or(1).max(1);
            }
            prop_assert_eq!(read, wanted, "row {}", y);
        }
        Ok(())
    }
}

/// What of it a terminal would do besides placing the cursor and choosing colours.
fn obeyed(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte < 0x20 || *byte == 0x7f) {
        let told = String::from_utf8_lossy(&rest[at..rest.len().min(at + 20)]).into_owned();
        let Some(sequence) = rest[at..].strip_prefix(b"\x1b[") else { return Some(told) };
        let end = sequence.iter().position(|byte| (0x40..=0x7e).contains(byte));
        match end.map(|end| (end, sequence[end])) {
            Some((end, b'H' | b'm')) => rest = &sequence[end + 1..],
            Some((3, b'l' | b'h')) if sequence.starts_with(b"?25") => rest = &sequence[4..],
            _ => return Some(told),
        }
    }
    let text = std::str::from_utf8(bytes).ok();
    let Some(text) = text else { return Some("not UTF-8".to_owned()) };
    let evil = text.chars().find(|char| {
        matches!(u32::from(*char), 0x80..=0x9f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xe0000..=0xe007f)
    });
    evil.map(|char| format!("{char:?}"))
}

/// Every line of the blocks, as the page that is shown has them.
fn changed(files: &[FileDiff]) -> BTreeSet<(usize, bool, u32)> {
    let mut all = BTreeSet::new();
    for (file, diff) in files.iter().enumerate() {
        let Content::Text { blocks, .. } = &diff.content else { continue };
        for block in blocks {
            all.extend(block.old.clone().map(|at| (file, false, at)));
            all.extend(block.new.clone().map(|at| (file, true, at)));
        }
    }
    all
}

fn key_of(file: usize, line: HunkLine) -> Option<(usize, bool, u32)> {
    match (line.kind, line.old_index, line.new_index) {
        (LineKind::Removed, Some(at), _) => Some((file, false, at)),
        (LineKind::Added, _, Some(at)) => Some((file, true, at)),
        _ => None,
    }
}

/// The row under the cursor is on the screen, once, with the beginning of what it holds: a line that the stream has and
/// nobody sees is not reached.
fn cursor_is_drawn(world: &World, theme: &Theme) -> Result<(), TestCaseError> {
    let (view, review) = (world.model.viewport, world.model.review.as_ref().expect("it is open"));
    if view.is_tiny() || review.is_covered(view) {
        return Ok(());
    }
    let drawn = world.draw(theme);
    let files = u16::try_from(panes(view).files).unwrap();
    let bar = files + u16::from(files > 0);
    let body = view.body_row..view.body_row + u16::try_from(view.body_rows).unwrap();
    let rows: Vec<u16> =
        body.filter(|y| drawn[(bar, *y)].symbol() == theme.glyphs.cursor).collect();
    prop_assert_eq!(rows.len(), 1, "the cursor is on rows {:?}:\n{}", rows, text(&drawn));
    let row: String = (bar + 1..world.area.width).map(|x| drawn[(x, rows[0])].symbol()).collect();
    let Some(place) = review.stream.place(review.cursor) else { return Ok(()) };
    let page = review.page.as_ref().expect("a page is shown");
    for line in place.row.lines().filter(|_| review.scroll == 0) {
        let bytes = line_text(&page.files[place.file], line).unwrap_or_default();
        let start = &bytes[..bytes.len().min(6)];
        if start.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            let start = String::from_utf8_lossy(start).into_owned();
            prop_assert!(row.contains(&start), "{start:?} in {row:?}");
        }
    }
    Ok(())
}

/// From the top to the end with `j`, what is folded opened with `Enter`.
fn walk(world: &mut World, screen: &mut Screen) -> Result<(), TestCaseError> {
    world.press("g g");
    let mut seen = BTreeSet::new();
    for step in 0..4_000 {
        let review = world.model.review.as_ref().expect("a review is open");
        let (cursor, top, count) = (review.cursor, review.top, review.stream.row_count());
        let Some(place) = review.stream.place(cursor) else { break };
        prop_assert!(top <= cursor && cursor < count, "{cursor} of {count}, from {top}");
        seen.extend(place.row.lines().filter_map(|line| key_of(place.file, line)));
        if place.row == StreamRow::Note(Note::Folded) {
            world.press("Enter");
            continue;
        }
        if step % 7 == 0 {
            screen.draw(world)?;
        }
        cursor_is_drawn(world, &screen.theme)?;
        world.press("j");
        let after = world.model.review.as_ref().expect("a review is open").cursor;
        if after == cursor {
            break;
        }
    }
    let review = world.model.review.as_ref().expect("a review is open");
    let page = review.page.as_ref().expect("a page is shown");
    prop_assert_eq!(seen, changed(&page.files));
    Ok(())
}

fn config() -> Config {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    Config {
        cases: more.unwrap_or(CASES),
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    }
}

/// One of the sixteen that are built in.
fn theme(number: usize) -> Theme {
    let grounds = [Ground::Dark, Ground::Light];
    let depths = [Depth::True, Depth::Indexed, Depth::Sixteen, Depth::None];
    let glyphs = [&Glyphs::UNICODE, &Glyphs::ASCII];
    Theme::built_in(grounds[number % 2], depths[number / 2 % 4], glyphs[number / 8 % 2])
}

/// Whatever has the keys, and wherever they led.
fn back_to_the_diff(world: &mut World) {
    while !world.model.sheets.is_empty() {
        world.press("Esc");
    }
    if world.model.screen() != app::Screen::Review {
        world.press("Enter");
    }
    let is = |world: &World, what: &dyn Fn(&ReviewScreen) -> bool| {
        what(world.model.review.as_ref().expect("a review is open"))
    };
    if is(world, &|review| review.is_in_files(world.model.viewport)) {
        world.press("Tab");
    }
    if is(world, &|review| review.range.is_some()) {
        world.press("v");
    }
    if is(world, &|review| !review.hidden.is_empty()) {
        world.press("H");
    }
}

/// What an agent says is no more trusted than what it writes.
fn answer_comments(world: &mut World, text: &str) {
    let numbers: Vec<u32> = world.threads.iter().map(|thread| thread.number).collect();
    for number in numbers.into_iter().filter(|_| !text.trim().is_empty()) {
        let change = Change::Reply { number, author: Author::Agent, text: text.to_owned() };
        comment::apply(&mut world.threads, &change, NOW_MS).expect("a reply");
        world.press("R");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_content_on_any_screen_is_shown_and_never_obeyed(
        files in files(),
        (columns, rows) in prop_oneof![
            1 => (1..=45_u16, 1..=14_u16),
            3 => (40..=200_u16, 10..=60_u16),
        ],
        look in 0..16_usize,
        ways in prop::collection::vec(prop::sample::select(WAYS), 0..6),
        said in line(),
    ) {
        let mut world = World::with_pages(columns, rows, vec![facts::page("agent-swift-fox", files)]);
        let mut screen = Screen::new(columns, rows, theme(look));
        screen.draw(&world)?;
        world.press("Enter");
        screen.draw(&world)?;
        for way in ways {
            world.press(way);
            screen.draw(&world)?;
        }
        back_to_the_diff(&mut world);
        answer_comments(&mut world, &words(&said));
        walk(&mut world, &mut screen)?;
        screen.draw(&world)?;
    }
}

/// Tabs, wide and combining characters, joined emoji, control characters, a directory's name of eighty cells.
#[test]
fn the_border_of_the_list_stays_straight_beside_odd_characters_and_after_scrolling() {
    let pile = format!("x{}|pile\n", "\u{300}".repeat(500));
    let lines = [
        "a\t\tb\tc\n",
        "漢字漢字|wide\n",
        "e\u{301}\u{301}|combining\n",
        "👩\u{200d}👩\u{200d}👧\u{200d}👦🏳\u{fe0f}\u{200d}🌈|joined\n",
        "ที่|thai\n",
        "mid\rcr\n",
        &pile,
        "｜ambiguous § ± ½\n",
        "\u{b}\u{c}|vt ff\n",
    ];
    let wide = format!("{}/f", "漢".repeat(40));
    let (plain, returns) = ("one\ntwo\nthree\n", "one\r\ntwo\r\nthree\r\n");
    let files = [
        ("crlf.txt", [plain, returns].map(|text| text.as_bytes().to_vec())),
        ("t.txt", [b"a\tb\tc\nend\n".to_vec(), lines.concat().into_bytes()]),
        (&wide, [Vec::new(), b"x \xff\xfe|invalid \xc3(\n".to_vec()]),
    ];
    let files: Vec<FileDiff> =
        files.into_iter().map(|(name, sides)| file(name.into(), sides, 0)).collect();
    for (columns, rows) in [(40, 20), (80, 24), (100, 30), (120, 40), (163, 40), (200, 60)] {
        let page = facts::page("agent-swift-fox", files.clone());
        let mut world = World::with_pages(columns, rows, vec![page]);
        let mut screen = Screen::new(columns, rows, Theme::default());
        for key in "Enter j j G k k w l l h w s g g j".split(' ') {
            world.press(key);
            screen.draw(&world).unwrap();
            if columns < 100 || world.model.screens.len() < 2 {
                continue;
            }
            let border = u16::try_from(panes(world.model.viewport).files).unwrap();
            for y in 2..rows - 2 {
                let cell = screen.parser.screen().cell(y, border).expect("a cell");
                assert_eq!(cell.contents(), "│", "row {y} after {key}");
            }
        }
        let told = screen.parser.screen().contents();
        assert!(told.contains('␍'), "{told}");
    }
}
