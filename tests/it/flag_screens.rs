//! Flags, folds and what a shadow's own attributes would hide: the characters and the styles, at three sizes.

use shadowdeck::{
    review::{
        Content, FileChange, FileDiff, FileStatus, ReviewPage,
        flag::{Finding, Flag},
        fold::Marked,
        fold_rules::FoldRules,
        judge::{Attributes, Given, file_flags, judge},
    },
    shadow::RepoPath,
    ui::{
        glyphs::Glyphs,
        theme::{Depth, Ground, Theme},
    },
};

use crate::{
    desk::text,
    matrix,
    scenes::{World, facts},
};

const TESTS: &str = "#[test]\nfn retries() {\n    assert_eq!(calls(), 3);\n}\n\n#[test]\nfn gives_up() {\n    assert!(failed());\n}\n";

/// One file of each flag that is new, and one of each fold.
fn files() -> Vec<FileDiff> {
    let token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    let secret = format!("url = \"https://api\"\ntoken = \"{token}\"\n");
    let weak = TESTS.replacen("#[test]\nfn gives_up", "#[test]\n#[ignore]\nfn gives_up", 1);
    let moved = facts::text_file("src/new.rs", Some("a\n"), Some("a\n"));
    let moved = FileDiff::new(
        FileChange {
            status: FileStatus::Renamed(100),
            old_path: Some(RepoPath::new("src/old.rs")),
            ..moved.change
        },
        moved.content,
    );
    vec![
        facts::text_file("api/gen.rs", Some("// @generated\na\n"), Some("// @generated\nb\n")),
        facts::text_file("app.js", Some("ok();\n"), Some("ok();\nsend(document.cookie);\n")),
        facts::text_file("config.toml", Some("url = \"https://api\"\n"), Some(&secret)),
        facts::text_file(
            "notes.md",
            Some("Notes\n=====\n"),
            Some("Notes\n=====\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> b\n"),
        ),
        facts::text_file(
            "src/lib.rs",
            Some("fn f() {\ng();\n}\n"),
            Some("fn f() {\n    g();\n}\n"),
        ),
        moved,
        facts::text_file("tests/gone.rs", Some(TESTS), None),
        facts::text_file(
            "tests/weak.rs",
            Some(&TESTS.replace("s()", "ed()")),
            Some(&weak.replace("s()", "ed()")),
        ),
        facts::text_file("vendor/lib.c", Some("a\n"), Some("b\n")),
    ]
}

fn page() -> ReviewPage {
    let mut files = files();
    let hidden = Attributes { marked: Marked::default(), hide: vec!["-diff".into()] };
    let given = Given {
        rules: FoldRules::default(),
        named: ["app.js", "config.toml", "src", "tests", "api"].map(RepoPath::new).to_vec(),
        attributes: [(RepoPath::new("app.js"), hidden)].into(),
        twins: [].into(),
    };
    judge(&mut files, &given);
    facts::page("agent-swift-fox", files)
}

fn world((columns, rows): (u16, u16)) -> World {
    let page = page();
    let mut world = World::with_pages(columns, rows, vec![page.clone()]);
    world.flags.insert(page.id.clone(), file_flags(&page.files));
    world.restart();
    world
}

#[track_caller]
fn check(name: &str, keys: &str) {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut world = world(size);
        world.press(keys);
        matrix::keep(&format!("{name}_{}x{}", size.0, size.1), &|theme| world.draw(theme));
        // A light ground changes colours and nothing else.
        let dark = text(&world.draw(&Theme::built_in(Ground::Dark, Depth::True, &Glyphs::UNICODE)));
        let light = world.draw(&Theme::built_in(Ground::Light, Depth::True, &Glyphs::UNICODE));
        assert_eq!(text(&light), dark, "{name}");
    }
}

#[test]
fn the_list_has_a_sign_and_the_detail_a_reason() {
    check("flags_list", "");
}

#[test]
fn beside_its_counts_a_reason_is_said_once_and_apart() {
    let mut binary = facts::with_content(
        "x.bin",
        FileStatus::Modified,
        Content::Binary { old_size: Some(3), new_size: Some(6) },
    );
    binary.change.binary = true;
    let mut large = facts::text_file("large.txt", Some("a\n"), Some("b\n"));
    large.change.insertions = 100_000;
    large.findings = vec![Finding::of_file(Flag::Large)];
    binary.findings = vec![Finding::of_file(Flag::Binary)];
    let mut world =
        World::with_pages(120, 40, vec![facts::page("agent-swift-fox", vec![binary, large])]);
    world.press("j k");
    let screen = text(&world.draw(&Theme::default()));
    let line = |name: &str| screen.lines().find(|line| line.contains(name)).unwrap_or_default();
    assert_eq!(line("x.bin").matches("binary").count(), 1, "{screen}");
    assert!(line("large.txt").contains("very large +100000"), "{screen}");
}

#[test]
fn every_flag_stands_in_the_head_of_its_file() {
    check("flags_review", "Enter");
}

#[test]
fn folded_files_say_why() {
    check("flags_folded", "Enter g g");
}

#[test]
fn the_walk_says_each_flag_in_words() {
    check("flags_walk", "Enter g g > >");
}

#[test]
fn a_file_that_attributes_hide_is_shown_and_flagged() {
    let mut world = world((120, 40));
    world.press("Enter g g > i");
    let screen = text(&world.draw(&Theme::default()));
    assert!(screen.contains("attributes of this shadow hide it"), "{screen}");
    assert!(screen.contains("send(document.cookie);"), "{screen}");
}

#[test]
fn flags_are_walked_both_ways_and_end() {
    let mut world = world((120, 40));
    world.press("Enter g g");
    let mut rows = Vec::new();
    loop {
        world.press(">");
        let cursor = world.model.review.as_ref().expect("a review").cursor;
        if rows.last() == Some(&cursor) {
            break;
        }
        rows.push(cursor);
    }
    assert!(rows.len() >= 5, "{rows:?}");
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    for expected in rows.iter().rev().skip(1) {
        world.press("<");
        assert_eq!(world.model.review.as_ref().expect("a review").cursor, *expected);
    }
}
