//! What the screen says of each side of a conflict, read from real histories: nothing that git does not tell, by the
//! sides' names, and what a choice takes away.

use std::fs;

use shadowdeck::{
    ops::resolve,
    review::{ConflictKind, ConflictPage, Resolution, Way},
    shadow::{RepoPath, Strategy},
    ui::theme::Theme,
};

use crate::{
    conflicts_git::{deck, id, planned, read},
    desk::text,
    scenes::World,
    support::{Fixture, write},
};

/// The base has `dir` and `old`, and what `also` adds; then the shadow and main go on.
fn histories(
    base: &[(&str, &str)],
    own: &dyn Fn(&Fixture, &std::path::Path),
    main: &dyn Fn(&Fixture, &std::path::Path),
) -> Fixture {
    let fixture = Fixture::new();
    for (name, content) in base {
        fixture.write(name, content);
    }
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    own(&fixture, &shadow);
    fixture.commit_in(&shadow, "agent goes on");
    main(&fixture, &fixture.repository);
    fixture.commit("main goes on");
    fixture
}

/// The screen of just these conflicts.
fn world(page: ConflictPage) -> World {
    let mut world = World::new(160, 40);
    let ConflictPage { id, before, snapshot, .. } = world.conflicts.clone();
    world.conflicts = ConflictPage { id, before, snapshot, ..page };
    world.press("/ c a l m Enter x");
    world
}

fn screen(world: &World) -> String {
    text(&world.draw(&Theme::default()))
}

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

#[track_caller]
fn says(world: &World, words: &[&str]) {
    let screen = screen(world);
    for words in words {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

fn long(word: &str) -> String {
    (0..20).map(|line| format!("{word} {line}\n")).collect()
}

#[test]
fn a_file_in_the_place_of_a_directory_says_what_goes() {
    let fixture = histories(&[], &|_, dir| write(dir, "df", "file\n"), &|_, dir| {
        write(dir, "df/x", "x\n");
        write(dir, "df/y", "y\n");
    });
    let deck = deck(&fixture);
    let page = read(&deck, "one");
    assert_eq!(page.files[0].conflict.kind, ConflictKind::FileDirectory);
    let mut world = world(page);
    says(
        &world,
        &[
            "it is a directory in main and a file in agent-calm-pine",
            "main: a directory: df/x and 1 more",
            "agent-calm-pine: added it in ",
            "\"agent goes on\" by ",
            "t the directory, no file   a the file, deleting df/x and 1 more   b keep both",
        ],
    );
    assert!(!screen(&world).contains("deleted it"), "{}", screen(&world));
    world.press("i");
    let why = "main has a directory there · agent-calm-pine added it · it is open: t a b e choose";
    assert!(answer(&world).ends_with(why), "{}", answer(&world));
    world.press("a");
    assert!(answer(&world).contains("2 files of the directory deleted"), "{}", answer(&world));
    says(&world, &["as it would land: agent-calm-pine's, deleting df/x and 1 more"]);
    world.press("t");
    says(&world, &["the directory stays, the file does not land"]);
}

#[test]
fn a_file_in_a_renamed_directory_lands_in_either_or_not() {
    let base: Vec<_> = ["a", "b", "c"].map(|name| (format!("dir/{name}"), long(name))).into();
    let base: Vec<_> = base.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    let fixture = histories(&base, &|_, dir| write(dir, "dir/new", "new\n"), &|_, dir| {
        fs::rename(dir.join("dir"), dir.join("moved")).unwrap();
    });
    let deck = deck(&fixture);
    let mut world = world(read(&deck, "one"));
    says(
        &world,
        &[
            "main renamed dir/ to moved/, agent-calm-pine put dir/new there",
            "main: renamed dir/ to moved/ in ",
            "\"main goes on\" by ",
            "agent-calm-pine: put it at dir/new in ",
            "t leave it out   a put it in moved/   b leave it in dir/",
        ],
    );
    world.press("b");
    assert!(answer(&world).contains("it stays at dir/new"), "{}", answer(&world));
    let kept = world.conflicts.files[0].conflict.resolution.clone();
    assert_eq!(kept, Some(Resolution::Beside(RepoPath::new("dir/new"))));
    // As it was put by its side, beside what main has.
    resolve::resolve(&deck, &id("one"), Way::Whole, &RepoPath::new("moved/new"), kept).unwrap();
    let tree = planned(&fixture, &deck, "one", Strategy::Squash);
    let mut git = fixture.child("git", &fixture.repository);
    git.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", fixture.repository.join(".git/shadowdeck/objects"));
    let listed = git.args(["ls-tree", "-r", "--name-only", &tree]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let files: Vec<_> = listed.lines().filter(|name| name.contains('/')).collect();
    assert_eq!(files, ["dir/new", "moved/a", "moved/b", "moved/c"]);
}

#[test]
fn two_files_of_one_name_are_told_by_the_names_they_had() {
    let fixture = histories(
        &[("p", &long("p")), ("q", &long("q"))],
        &|_, dir| fs::rename(dir.join("p"), dir.join("pq")).unwrap(),
        &|_, dir| fs::rename(dir.join("q"), dir.join("pq")).unwrap(),
    );
    let deck = deck(&fixture);
    let page = read(&deck, "one");
    says(
        &world(page),
        &[
            "main renamed q to this, agent-calm-pine renamed p",
            "main: renamed q to it in ",
            "agent-calm-pine: renamed p to it in ",
        ],
    );
    let fixture = histories(
        &[("ra", &long("ra"))],
        &|_, dir| {
            fs::remove_file(dir.join("ra")).unwrap();
            write(dir, "ra-new", long("ra").replace("ra 5", "own"));
        },
        &|_, dir| {
            write(dir, "ra", long("ra").replace("ra 5", "main"));
            write(dir, "ra-new", "another\n");
        },
    );
    let page = read(&crate::conflicts_git::deck(&fixture), "one");
    assert_eq!(page.files[0].conflict.kind, ConflictKind::RenameAdd);
    says(
        &world(page),
        &[
            "agent-calm-pine renamed ra to this, main added it",
            "main: added it in ",
            "agent-calm-pine: renamed ra to it in ",
        ],
    );
}

#[test]
fn who_deleted_a_file_is_named_with_the_commit() {
    let fixture = histories(
        &[("old.rs", &long("old"))],
        &|_, dir| write(dir, "old.rs", long("old") + "more\n"),
        &|fixture, dir| {
            fs::remove_file(dir.join("old.rs")).unwrap();
            fixture.commit("drop the old client");
            write(dir, "other", "later\n");
        },
    );
    let deck = deck(&fixture);
    let page = read(&deck, "one");
    let by = page.files[0].told[0].by.clone().expect("git tells");
    let expected = fixture.git(["rev-parse", "main^"]);
    assert_eq!((by.id.to_string(), &by.subject[..]), (expected, "drop the old client"));
    let world = world(page);
    says(
        &world,
        &[&format!("main: deleted it in {} \"drop the old client\" by ", by.id.abbreviated())],
    );
}

#[test]
fn what_each_side_made_of_a_name_is_said_with_their_names() {
    let fixture = histories(
        &[("type", "a\n")],
        &|_, dir| {
            fs::remove_file(dir.join("type")).unwrap();
            std::os::unix::fs::symlink("elsewhere", dir.join("type")).unwrap();
        },
        &|_, dir| write(dir, "type", "b\n"),
    );
    let page = read(&deck(&fixture), "one");
    says(&world(page), &["it is a file in main and a symlink in agent-calm-pine"]);
}

/// git's index would take the one and silently drop the other.
#[test]
fn a_file_and_what_is_in_its_directory_are_never_chosen_both() {
    let fixture = histories(
        &[("df/x", "x\n")],
        &|_, dir| {
            fs::remove_dir_all(dir.join("df")).unwrap();
            write(dir, "df", "file\n");
        },
        &|_, dir| write(dir, "df/x", "main\n"),
    );
    let deck = deck(&fixture);
    let paths: Vec<_> = read(&deck, "one").files.into_iter().map(|f| f.conflict.path).collect();
    assert_eq!(paths, ["df", "df/x"].map(RepoPath::new));
    for (path, side) in paths.iter().zip([Resolution::Shadow, Resolution::Target]) {
        resolve::resolve(&deck, &id("one"), Way::Whole, path, Some(side)).unwrap();
    }
    let run = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(run.error_code(), "conflicts", "{}", run.text());
    assert!(run.text().contains("both cannot land"), "{}", run.text());
    resolve::resolve(&deck, &id("one"), Way::Whole, &paths[1], Some(Resolution::Delete)).unwrap();
    let run = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    assert_eq!(fixture.git(["show", "main:df"]), "file");
}
