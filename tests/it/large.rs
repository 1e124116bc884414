//! Very many lines, lines of megabytes, files of more than is read unasked: every part of them is reached, and
//! what is worked out for a key is what is on the screen.

use std::{collections::VecDeque, fs, ops::Range, sync::Arc, sync::atomic::AtomicBool};

use shadowdeck::{
    app::{
        Effect, Msg,
        job::{Job, Outcome},
        keymap::{KeyPress, parse_keys},
        update,
    },
    config::Config,
    ops::{self, Deck},
    review::{
        Block, Content, FileDiff, FileStatus, HunkLine, LineKind, Painted, Text, TokenClass,
        TokenRun, flag::Flag, ticks::Reading,
    },
    shadow::ShadowId,
    ui::theme::Theme,
};

use crate::{
    desk::text,
    scenes::{World, facts},
    support::Fixture,
};

fn world(files: Vec<FileDiff>) -> World {
    World::with_pages(120, 40, vec![facts::page("agent-swift-fox", files)])
}

fn screen(world: &World) -> String {
    text(&world.draw(&Theme::default()))
}

/// 100,000 lines replaced by as many.
fn rewritten() -> FileDiff {
    let side = |tag: &str| {
        let lines: String =
            (0..100_000).map(|line| format!("let {tag}{line:06} = {line};\n")).collect();
        Arc::new(Text::new(lines.into_bytes()))
    };
    let mut file = facts::text_file("src/all.rs", Some("a\n"), Some("b\n"));
    (file.change.insertions, file.change.deletions) = (100_000, 100_000);
    let blocks = vec![Block { old: 0..100_000, new: 0..100_000 }];
    FileDiff::new(file.change, Content::Text { old: side("old"), new: side("new"), blocks })
}

#[test]
fn of_two_hundred_thousand_lines_both_ends_and_what_is_searched_are_reached() {
    let mut world = world(vec![rewritten()]);
    world.press("Enter");
    assert!(screen(&world).contains("very long, folded"), "{}", screen(&world));
    world.press("Enter");
    assert!(screen(&world).contains("let old000000"), "{}", screen(&world));
    world.press("G");
    assert!(screen(&world).contains("let new099999"), "{}", screen(&world));
    world.press("/ n e w 0 5 0 1 2 3 Enter");
    assert!(screen(&world).contains("let new050123"), "{}", screen(&world));
    let review = world.model.review.as_ref().expect("it is open");
    assert!(review.stream.row_count() > 200_000);
    world.press("g g");
    assert!(screen(&world).contains("let old000000"), "{}", screen(&world));
}

#[test]
fn five_thousand_files_are_walked_searched_and_read_on() {
    let file = |number: usize| {
        let new = format!("new{number:04}\n");
        facts::text_file(&format!("d{}/f{number:04}.rs", number / 100), Some("old\n"), Some(&new))
    };
    let mut world = world((0..5_000).map(file).collect());
    world.press("Enter");
    assert!(screen(&world).contains("+ new0000"), "{}", screen(&world));
    let review = world.model.review.as_ref().expect("it is open");
    assert_eq!(review.stream.files().len(), 5_000);
    world.press("G");
    assert!(screen(&world).contains("+ new4999"), "{}", screen(&world));
    world.press("/ n e w 2 5 0 1 Enter");
    assert!(screen(&world).contains("+ new2501"), "{}", screen(&world));
    world.press("g g Space Space Space");
    let review = world.model.review.as_ref().expect("it is open");
    let ticks = &world.model.memory.marks.ticks;
    let is_read = |file: &usize| review.reading(ticks, *file) == Reading::Read;
    assert_eq!((0..5_000).filter(is_read).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(screen(&world).contains("3/5000 read"), "{}", screen(&world));
}

#[test]
fn a_key_asks_for_the_colours_of_the_screen_alone() {
    let mut world = world(vec![rewritten()]);
    world.press("Enter Enter");
    for keys in ["G", "g g", "ctrl-f", "j"] {
        for key in parse_keys(keys).expect("keys") {
            let frame = world.model.frame;
            for effect in update(&mut world.model, Msg::KeyPressed { key, frame }) {
                let Effect::StartJob { job, .. } = effect else { continue };
                match job {
                    Job::Highlight { lines, .. } => {
                        assert!(lines.len() <= 128, "{keys}: {lines:?}");
                    }
                    Job::Marks(_) => {}
                    other => panic!("{keys} asks for {other:?}"),
                }
            }
        }
    }
}

/// What a highlighter that is far behind tells of them.
fn painted(lines: &Range<u32>, class: TokenClass, is_guess: bool) -> Painted {
    let run = TokenRun { bytes: 0..3, class };
    Painted { tokens: vec![vec![run]; lines.len()], is_guess }
}

#[test]
fn a_guess_is_shown_until_the_colours_are_known_exactly() {
    let mut world = world(vec![rewritten()]);
    world.press("Enter Enter");
    let class_at_the_end = |world: &World| {
        let line = HunkLine { kind: LineKind::Added, old_index: None, new_index: Some(99_999) };
        let review = world.model.review.as_ref().expect("it is open");
        review.paint.tokens(0, line).first().map(|run| run.class)
    };
    let frame = world.model.frame;
    let key = KeyPress::parse("G").expect("a key");
    let mut effects = VecDeque::from(update(&mut world.model, Msg::KeyPressed { key, frame }));
    let mut answered = Vec::new();
    while let Some(effect) = effects.pop_front() {
        let Effect::StartJob { slot, id, job } = effect else { continue };
        let Job::Highlight { text, lines, has_guess, .. } = job else { continue };
        answered.push(has_guess);
        let class = if has_guess { TokenClass::Number } else { TokenClass::String };
        let painted = painted(&lines, class, !has_guess);
        let outcome = Ok(Outcome::Tokens { text, lines, painted });
        effects.extend(update(&mut world.model, Msg::JobFinished { slot, id, outcome }));
        let is_exact = class_at_the_end(&world) == Some(TokenClass::Number);
        assert!(!is_exact || has_guess, "after {answered:?}");
        assert!(answered.len() < 20, "it comes to an end");
    }
    assert!(answered.iter().filter(|has_guess| !**has_guess).count() > 1, "{answered:?}");
    assert!(answered.is_sorted(), "all has some colour before it is exact: {answered:?}");
    assert_eq!(class_at_the_end(&world), Some(TokenClass::Number));
}

fn far(word: &str) -> String {
    format!("{}{word}", "function f(a,b){return a}".repeat(90_000))
}

#[test]
fn every_match_in_a_line_of_megabytes_comes_to_the_screen() {
    let line = format!("{}{}tail\n", far("needle"), far("needle"));
    let file = facts::text_file("app.js", Some("a\n"), Some(&line));
    let mut world = world(vec![file]);
    world.press("Enter Enter / n e e d l e Enter");
    let at = |world: &World| world.model.review.as_ref().expect("it is open").scroll;
    let first = at(&world);
    assert!(screen(&world).contains("needlefunction"), "{}", screen(&world));
    assert!(first > 2_000_000, "{first}");
    world.press("n");
    assert!(screen(&world).contains("needletail"), "{}", screen(&world));
    assert!(at(&world) > 4_000_000, "{}", at(&world));
    world.press("N");
    assert_eq!(at(&world), first);
    world.press("N");
    assert!(at(&world) > 4_000_000, "around the beginning comes the last: {}", at(&world));
}

#[test]
fn every_match_is_counted_and_enter_looks_at_all_that_is_folded() {
    let every = "needle\n".repeat(12_000);
    let filler = format!("{}\n", "x".repeat(1_000));
    let folded = format!("{}needle\n", filler.repeat(10_000));
    let files = vec![
        facts::text_file("a.txt", Some("a\n"), Some(&every)),
        facts::text_file("Cargo.lock", Some("a\n"), Some(&folded)),
    ];
    let mut world = world(files);
    world.press("Enter Enter / n e e d l e");
    assert!(screen(&world).contains("more is folded: Enter looks there"), "{}", screen(&world));
    world.press("Enter");
    let said = world.model.answer.as_ref().map_or("", |answer| &answer.text);
    assert!(said.contains("12000, 1 more in what is folded"), "{said}");
}

#[test]
fn a_held_key_scrolls_to_the_end_of_a_line_of_megabytes() {
    let line = format!("{}tail\n", "x".repeat(2_000_000));
    let file = facts::text_file("app.js", Some("a\n"), Some(&line));
    let mut world = world(vec![file]);
    world.press("Enter Enter");
    let mut keys = 0;
    while !screen(&world).contains("tail") {
        world.press("l");
        keys += 1;
        assert!(keys < 300, "{}", world.model.review.as_ref().expect("it is open").scroll);
    }
}

#[test]
fn a_folded_file_over_the_limit_says_its_size_and_the_limit() {
    let large = Content::TooLarge { size: 90_000_000, size_max: 50_000_000 };
    let mut file = facts::with_content("big.sql", FileStatus::Modified, large);
    file.change.insertions = 40_000;
    let mut world = world(vec![FileDiff::new(file.change, file.content)]);
    world.press("Enter");
    let said = "very long, folded · 85.8 MiB is over the limit of 47.6 MiB · Enter shows it";
    assert!(screen(&world).contains(said), "{}", screen(&world));
    assert!(screen(&world).contains("very large"), "{}", screen(&world));
    // The landing names it, whether or not its page is at hand.
    world.press("m");
    assert!(screen(&world).contains("folded: big.sql"), "{}", screen(&world));
}

#[test]
fn lines_that_are_too_long_for_colours_say_so() {
    let line = format!("{}\n", "x".repeat(5_000_000));
    let files = vec![
        facts::text_file("app.js", Some("a\n"), Some(&line)),
        facts::text_file("b.md", Some("a\n"), Some(&line)),
    ];
    let mut world = world(files);
    world.press("Enter");
    let text = screen(&world);
    assert!(text.contains("one line of 4.7 MiB, plain, minified, folded"), "{text}");
    world.press("G k j");
    let text = screen(&world);
    assert!(text.contains("line 1, 4.7 MiB, plain · "), "{text}");
}

#[test]
fn what_is_too_large_is_read_when_a_person_says_so() {
    let large = Content::TooLarge { size: 90_000_000, size_max: 50_000_000 };
    let mut world = world(vec![facts::with_content("big.sql", FileStatus::Modified, large)]);
    world.press("Enter");
    assert!(screen(&world).contains("Enter shows it"), "{}", screen(&world));
    world.press("Enter");
    assert!(screen(&world).contains("of it"), "{}", screen(&world));
    assert!(!screen(&world).contains("over the limit"), "{}", screen(&world));
}

/// What was shown of a file's size says nothing of its lines.
#[test]
fn what_is_read_whole_is_not_seen_by_having_been_named() {
    let large = Content::TooLarge { size: 90_000_000, size_max: 50_000_000 };
    let mut world = world(vec![facts::with_content("big.sql", FileStatus::Modified, large)]);
    world.large = (0..500).map(|line| format!("line {line}\n")).collect();
    let read = |world: &World| {
        let read = world.model.fleet.read.get(&ShadowId("agent-swift-fox".into()));
        read.map(|read| (read.read, read.files))
    };
    world.press("Enter Enter");
    assert!(
        screen(&world).contains("very large"),
        "read whole, it is as large: {}",
        screen(&world)
    );
    world.press("Space Space Space");
    assert_eq!(read(&world), Some((0, 1)), "{}", screen(&world));
    let mut pages = 0;
    while read(&world) == Some((0, 1)) {
        world.press("Space");
        pages += 1;
        assert!(pages < 40, "it comes to an end");
    }
    assert!(pages > 9, "ticked after {pages} pages");
}

/// `Space` ticks what was shown; a tick that a person asked for is of the sizes, until the lines are there.
#[test]
fn of_a_file_without_lines_no_tick_outlives_its_lines() {
    let named = |path, content| facts::with_content(path, FileStatus::Modified, content);
    let read = |world: &World| {
        let read = world.model.fleet.read.get(&ShadowId("agent-swift-fox".into()));
        read.map(|read| (read.read, read.files))
    };
    let large = Content::TooLarge { size: 90_000_000, size_max: 50_000_000 };
    let gone = Content::Unreadable { why: "it is gone".to_owned() };
    for (content, why) in [
        (large.clone(), "not ticked: none of its lines was shown"),
        (gone, "not ticked: it could not be read"),
    ] {
        let last = facts::text_file("z.txt", Some("a\n"), Some("b\n"));
        let mut world = world(vec![named("big.sql", content), last]);
        world.press("Enter Space");
        assert!(screen(&world).contains(why), "{}", screen(&world));
        assert_eq!(read(&world), Some((0, 2)), "{}", screen(&world));
        world.press("Space");
        let review = world.model.review.as_ref().expect("it is open");
        assert_eq!(review.file_index(), Some(1), "the next Space goes on");
    }
    let sizes = Content::Binary { old_size: Some(1_200), new_size: Some(1_400) };
    for (content, key) in [(large, "r"), (sizes.clone(), "r"), (sizes, "Space")] {
        let mut world = world(vec![named("big.sql", content)]);
        world.large = (0..500).map(|line| format!("line {line}\n")).collect();
        world.press("Enter");
        world.press(key);
        assert_eq!(read(&world), Some((1, 1)), "{}", screen(&world));
        world.press("Enter");
        let shown = screen(&world);
        assert!(shown.contains("line 0") && shown.contains("its tick was of the sizes"), "{shown}");
        assert_eq!(read(&world), Some((0, 1)), "{shown}");
        world.press("u ctrl-r");
        assert_eq!(read(&world), Some((0, 1)), "nothing of it comes back: {}", screen(&world));
        // A tick on its lines is one.
        world.press("r");
        assert_eq!(read(&world), Some((1, 1)), "{}", screen(&world));
    }
}

#[test]
fn a_blob_over_the_limit_is_named_first_and_read_whole_then() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let line = [vec![b'x'; 1 << 20], b"\n".to_vec()].concat();
    fs::write(shadow.join("big.txt"), line.repeat(33)).expect("it is ours");
    let deck = Deck::open(&fixture.repository, Config::default()).expect("it opens");
    let cancel = AtomicBool::new(false);
    let list = fixture.program(["list"]).text();
    assert!(list.contains("not searched: big.txt"), "{list}");
    let plan = fixture.program(["land", "one", "--dry-run", "--json"]).text();
    assert!(plan.contains("not searched: big.txt"), "{plan}");
    let page = ops::diff::read_review(&deck, &ShadowId("one".to_owned()), &cancel).expect("reads");
    let file = page.files.into_iter().next().expect("a file");
    assert!(matches!(file.content, Content::TooLarge { size, .. } if size == 33 * ((1 << 20) + 1)));
    let flags = |file: &FileDiff| file.findings.iter().map(|one| one.flag).collect::<Vec<_>>();
    assert_eq!(flags(&file), [Flag::Large, Flag::Unsearched]);
    let whole = ops::diff::read_lines(&deck, file.change.clone(), &cancel).expect("reads");
    let whole = file.read_whole(&whole);
    assert_eq!(flags(&whole), [Flag::Large, Flag::Unsearched], "4 MiB of it are searched");
    assert!(whole.findings[1].why.contains("the first 4 MiB"), "{:?}", whole.findings);
    let Content::Text { new, .. } = whole.content else { panic!("{:?}", whole.change) };
    assert_eq!(new.line_count(), 33);
}
