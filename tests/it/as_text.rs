//! What git takes for binary, opened as text; letters under piles of marks: all of it is shown, nothing moves what is
//! right of it, and no tick is put on what was not on the screen.

use std::sync::atomic::AtomicBool;

use shadowdeck::{
    app::Effect,
    config::Config,
    ops::{self, Deck},
    review::{Content, FileDiff, FileStatus, ReviewPage},
    shadow::ShadowId,
    ui::theme::Theme,
};

use crate::{
    desk::text,
    scenes::{World, facts},
    support::{Fixture, write},
};

fn screen(world: &World) -> String {
    text(&world.draw(&Theme::default()))
}

fn world(columns: u16, rows: u16) -> World {
    let sizes = Content::Binary { old_size: Some(1_200), new_size: Some(1_400) };
    let file = facts::with_content("t.txt", FileStatus::Modified, sizes);
    let pages = vec![facts::page("agent-swift-fox", vec![file])];
    let mut world = World::with_pages(columns, rows, pages);
    "nul\0byte\n\u{1b}[31mred\u{7}\n".clone_into(&mut world.large);
    world.press("Enter");
    world
}

fn read(world: &World) -> Option<(usize, usize)> {
    let read = world.model.fleet.read.get(&ShadowId("agent-swift-fox".into()));
    read.map(|read| (read.read, read.files))
}

#[test]
fn enter_on_a_binary_file_shows_its_bytes_as_text() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut world = world(columns, rows);
        let shown = screen(&world);
        assert!(shown.contains("binary, 1.1 KiB → 1.3 KiB · Enter shows it as text"), "{shown}");
        world.press("Enter");
        let shown = screen(&world);
        assert!(shown.contains("nul␀byte") && shown.contains("␛[31mred␇"), "{shown}");
        assert!(shown.contains("t.txt as text · to git it is binary"), "{shown}");
        assert!(!shown.contains("Enter shows it"), "{shown}");
        // What is searched for is found, and long lines wrap.
        world.press("/ b y t e Enter w");
        let search = world.model.review.as_ref().and_then(|review| review.search.as_ref());
        assert_eq!(search.map(|search| search.rows.len()), Some(1), "{}", screen(&world));
    }
}

#[test]
fn a_file_opened_as_text_is_ticked_by_its_lines() {
    let mut world = world(120, 40);
    world.large = (0..500).map(|line| format!("line\0{line}\n")).collect();
    world.press("Enter Space Space Space");
    assert_eq!(read(&world), Some((0, 1)), "{}", screen(&world));
    let mut pages = 0;
    while read(&world) == Some((0, 1)) {
        world.press("Space");
        pages += 1;
        assert!(pages < 40, "it comes to an end");
    }
    assert!(pages > 9, "ticked after {pages} pages");
}

#[test]
fn of_a_file_opened_as_text_no_hunk_is_chosen_and_a_comment_is_on_the_file() {
    let mut world = world(120, 40);
    world.press("Enter t");
    let shown = screen(&world);
    assert!(
        shown.contains("t: to git t.txt is binary: it lands whole or not · T leaves it out"),
        "{shown}"
    );
    world.press("a");
    assert!(screen(&world).contains("A takes it in"), "{}", screen(&world));
    assert!(world.model.memory.marks.accepted.is_empty());
    world.press("T");
    assert!(screen(&world).contains("t.txt is left out"), "{}", screen(&world));
    world.press("A c");
    let shown = screen(&world);
    assert!(
        shown.contains("t.txt, the file") && shown.contains("its lines have no place"),
        "{shown}"
    );
}

fn review(fixture: &Fixture) -> (Deck, ReviewPage) {
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let id = ShadowId("one".to_owned());
    let page = ops::diff::read_review(&deck, &id, &AtomicBool::new(false)).unwrap();
    (deck, page)
}

fn as_text(deck: &Deck, page: &ReviewPage, path: &str) -> FileDiff {
    let named = page.files.iter().find(|file| file.change.path.to_lossy() == path).unwrap();
    assert!(matches!(named.content, Content::Binary { .. }), "{:?}", named.change);
    let read = ops::diff::read_lines(deck, named.change.clone(), &AtomicBool::new(false));
    named.read_whole(&read.unwrap())
}

fn sides(file: &FileDiff) -> [Vec<u8>; 2] {
    let Content::Text { old, new, .. } = &file.content else { panic!("{:?}", file.content) };
    [old.as_bytes().to_vec(), new.as_bytes().to_vec()]
}

#[test]
fn the_lines_of_what_git_calls_binary_are_its_bytes_or_its_utf_16() {
    let fixture = Fixture::new();
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    fixture.write("t.txt", "a\nb\n");
    fixture.write("u.txt", utf16("hi\nthere\n"));
    fixture.write("v.txt", utf16("hi\n"));
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "t.txt", "a\nb\0\x1b[31m\n\0");
    write(&shadow, "u.txt", utf16("hi\nthere, world\n"));
    write(&shadow, "v.txt", "hi\n\0");
    write(&shadow, "w.txt", utf16("new\n"));
    let (deck, page) = review(&fixture);
    let file = as_text(&deck, &page, "t.txt");
    assert_eq!(sides(&file), [b"a\nb\n".to_vec(), b"a\nb\0\x1b[31m\n\0".to_vec()]);
    let Content::Text { blocks, .. } = &file.content else { panic!("{:?}", file.content) };
    assert_eq!((blocks.len(), blocks[0].old.clone(), blocks[0].new.clone()), (1, 1..2, 1..3));
    // Counts stay git's, and what it holds is searched now.
    assert_eq!((file.change.insertions, file.change.deletions), (0, 0));
    let flags: Vec<_> = file.findings.iter().map(|one| one.flag.as_str()).collect();
    assert_eq!(flags, ["hidden_characters", "binary"]);
    let bom = |text: &str| format!("\u{feff}{text}").into_bytes();
    assert_eq!(
        sides(&as_text(&deck, &page, "u.txt")),
        [bom("hi\nthere\n"), bom("hi\nthere, world\n")]
    );
    assert_eq!(sides(&as_text(&deck, &page, "w.txt")), [Vec::new(), bom("new\n")]);
    // Of two encodings neither is read as the other: what differs is the bytes.
    assert_eq!(sides(&as_text(&deck, &page, "v.txt")), [utf16("hi\n"), b"hi\n\0".to_vec()]);
}

/// Letters under more marks than a terminal shows, in content and in names.
#[test]
fn what_is_right_of_a_pile_of_marks_stays_where_it_is() {
    let pile = |marks: usize| format!("x{}|zalgo", "\u{300}".repeat(marks));
    let lines = format!("{}\n{}\n{}\n", pile(500), pile(5_000), pile(0));
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let name = format!("d/{}/f{}.txt", "\u{301}".repeat(120), "\u{300}".repeat(100));
        let file = facts::text_file(&name, Some("a\n"), Some(&lines));
        let page = facts::page("agent-swift-fox", vec![file]);
        let mut world = World::with_pages(columns, rows, vec![page]);
        world.press("Enter");
        for keys in
            ["j", "k", "w", "l", "h", "w", "s", "G", "g g", "/ z a l g o Enter", "v", "y", "Tab"]
        {
            world.press(keys);
            let buffer = world.draw(&Theme::default());
            assert!(buffer.content.iter().all(|cell| cell.symbol().len() <= 32), "{keys}");
        }
        world.press("Tab g g");
        let buffer = world.draw(&Theme::default());
        let column = |line: &str| {
            line.find("|zalgo").map(|at| line[..at].chars().filter(|c| *c != '\u{300}').count())
        };
        let shown = text(&buffer);
        let mut columns: Vec<usize> = shown.lines().filter_map(column).collect();
        assert!(columns.len() >= 3, "{shown}");
        columns.dedup();
        assert_eq!(columns.len(), 1, "{shown}");
    }
}

#[test]
fn what_is_copied_of_a_pile_is_all_of_it() {
    let line = format!("x{}|\n", "\u{300}".repeat(500));
    let file = facts::text_file("a.txt", None, Some(&line));
    let mut world = World::with_pages(120, 40, vec![facts::page("agent-swift-fox", vec![file])]);
    world.press("Enter y");
    let copied = world
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Copy(text) if text.contains(line.trim_end())));
    assert!(copied, "{:?}", world.effects);
}
