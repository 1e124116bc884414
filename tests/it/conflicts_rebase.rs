//! A rebase whose commits conflict on the way, settled commit by commit: against `git rebase` by hand in a clone with
//! the same choices, from the command line, and key by key.

use std::{fs, path::Path};

use shadowdeck::{
    app::Sheet,
    review::{ConflictPage, RebaseStep},
    shadow::Strategy,
};

use crate::{
    conflicts_git::Watcher,
    desk::text,
    scenes::{World, facts},
    states::two_places,
    support::{Fixture, Run, write},
};

/// What a person makes of each commit that conflicts, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    Target,
    Shadow,
    Text(&'static str),
}

fn numbered(fifth: &str, fifteenth: &str) -> String {
    let line = |number: u32| match number {
        5 => format!("{fifth}\n"),
        15 => format!("{fifteenth}\n"),
        other => format!("{other}\n"),
    };
    (1..=20).map(line).collect()
}

/// Three commits and uncommitted work; `main` has changed the same line, and what is uncommitted.
fn moved() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    fixture.write("a.txt", numbered("5", "15"));
    fixture.write("b.txt", "b\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", numbered("first", "15"));
    fixture.commit_in(&shadow, "first");
    write(&shadow, "c.txt", "c\n");
    fixture.commit_in(&shadow, "elsewhere");
    write(&shadow, "a.txt", numbered("third", "third"));
    fixture.commit_in(&shadow, "third");
    write(&shadow, "b.txt", "uncommitted\n");
    fixture.write("a.txt", numbered("main", "15"));
    fixture.write("b.txt", "main\n");
    fixture.commit("main moves");
    (fixture, shadow)
}

/// `git rebase` in a clone, each stop answered; the tree, and how many stops there were.
fn by_hand(fixture: &Fixture, shadow: &Path, picks: &[Pick]) -> (String, usize) {
    let copy = fixture.root().join("by-hand");
    fixture.git(["clone", "-q", ".", &copy.to_string_lossy()]);
    fixture.git_in(&copy, ["switch", "-q", "-c", "side", "origin/aide-shadow/one"]);
    write(&copy, "b.txt", fs::read(shadow.join("b.txt")).unwrap());
    fixture.commit_in(&copy, "all");
    let mut picks = picks.iter();
    let mut stops = 0;
    let mut run = fixture.git_any(&copy, ["rebase", "-q", "origin/main"]);
    while !run.status.success() {
        stops += 1;
        let pick = picks.next().expect("no more stops than choices");
        let open = fixture.git_in(&copy, ["diff", "--name-only", "--diff-filter=U"]);
        for name in open.lines() {
            match pick {
                Pick::Target => drop(fixture.git_in(&copy, ["checkout", "-q", "--ours", name])),
                Pick::Shadow => drop(fixture.git_in(&copy, ["checkout", "-q", "--theirs", name])),
                Pick::Text(text) => write(&copy, name, text),
            }
            fixture.git_in(&copy, ["add", name]);
        }
        let args = ["-c", "core.editor=true", "rebase", "--continue"];
        run = fixture.git_any(&copy, args);
        assert!(stops < 9, "{}", String::from_utf8_lossy(&run.stderr));
    }
    let tree = fixture.git_in(&copy, ["rev-parse", "HEAD^{tree}"]);
    fs::remove_dir_all(&copy).unwrap();
    (tree, stops)
}

fn conflicts(fixture: &Fixture) -> serde_json::Value {
    let run = fixture.program(["conflicts", "one", "--strategy", "rebase", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    run.json()
}

fn resolve(fixture: &Fixture, path: &str, pick: Pick) -> Run {
    let file = fixture.root().join("choice");
    let take = match pick {
        Pick::Target => ["--take".to_owned(), "target".to_owned()],
        Pick::Shadow => ["--take".to_owned(), "shadow".to_owned()],
        Pick::Text(text) => {
            fs::write(&file, text).unwrap();
            ["--file".to_owned(), file.to_string_lossy().into_owned()]
        }
    };
    let args = ["resolve", "one", path, "--strategy", "rebase", "--json", &take[0], &take[1]];
    fixture.program(args)
}

fn open(page: &serde_json::Value) -> Vec<String> {
    let files = page["files"].as_array().unwrap().iter();
    let open = files.filter(|file| file["resolved"] == false);
    open.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

/// As a script would: until nothing is open.
fn settle(fixture: &Fixture, picks: &[Pick]) -> usize {
    for (stops, pick) in picks.iter().enumerate() {
        let page = conflicts(fixture);
        let open = open(&page);
        if open.is_empty() {
            return stops;
        }
        for path in open {
            let run = resolve(fixture, &path, *pick);
            assert_eq!(run.exit_code, 0, "{}", run.text());
        }
    }
    picks.len()
}

const LAND: [&str; 6] = ["land", "one", "--strategy", "rebase", "--yes", "--json"];

#[test]
fn a_rebase_settled_commit_by_commit_lands_what_git_makes_by_hand() {
    let own = "own\n";
    let all = [
        [Pick::Target, Pick::Target, Pick::Target],
        [Pick::Shadow, Pick::Shadow, Pick::Shadow],
        [Pick::Target, Pick::Text(own), Pick::Shadow],
        [Pick::Text(own), Pick::Shadow, Pick::Target],
    ];
    for picks in all {
        let (fixture, shadow) = moved();
        let (tree, stops) = by_hand(&fixture, &shadow, &picks);
        let before = fixture.git(["rev-parse", "main"]);
        let watcher = Watcher::start(&fixture, vec![fixture.repository.clone(), shadow.clone()]);
        let refused = fixture.program(LAND);
        assert_eq!(refused.exit_code, 3, "{}", refused.text());
        assert!(refused.text().contains("commit 1 of 4: first"), "{}", refused.text());
        assert_eq!(settle(&fixture, &picks), stops, "{picks:?}");
        let run = fixture.program(LAND);
        watcher.end();
        assert_eq!(run.exit_code, 0, "{picks:?}: {}", run.text());
        assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), tree, "{picks:?}");
        assert_eq!(fixture.git(["status", "--porcelain"]), "");
        let undo = fixture.program(["undo", "--yes", "--json"]);
        assert_eq!(undo.exit_code, 0, "{}", undo.text());
        assert_eq!(fixture.git(["rev-parse", "main"]), before);
        assert_eq!(fs::read_to_string(shadow.join("b.txt")).unwrap(), "uncommitted\n");
    }
}

#[test]
fn a_step_names_itself_and_what_was_chosen_holds_while_both_sides_go_on() {
    let (fixture, shadow) = moved();
    let page = conflicts(&fixture);
    assert_eq!((&page["step"], &page["steps"]), (&1.into(), &4.into()));
    assert_eq!((&page["subject"], open(&page)), (&"first".into(), vec!["a.txt".to_owned()]));
    let first = fixture.git(["rev-parse", "aide-shadow/one~2"]);
    assert_eq!(page["commit"], first);
    let page = resolve(&fixture, "a.txt", Pick::Target).json();
    assert_eq!((&page["step"], &page["subject"]), (&3.into(), &"third".into()));
    // Neither what main does elsewhere nor another commit of the agent's opens it again.
    fixture.write("d.txt", "d\n");
    fixture.commit("main goes on");
    write(&shadow, "e.txt", "e\n");
    fixture.git_in(&shadow, ["add", "e.txt"]);
    fixture.git_in(&shadow, ["commit", "-q", "-m", "goes on"]);
    let page = conflicts(&fixture);
    assert_eq!((&page["step"], &page["steps"]), (&3.into(), &5.into()));
    // The same line does.
    fixture.write("a.txt", numbered("main again", "15"));
    fixture.commit("main changes the line again");
    assert_eq!(conflicts(&fixture)["step"], 1);
    // Undone, the choice is as it was before.
    let page = resolve(&fixture, "a.txt", Pick::Shadow).json();
    assert_eq!(page["step"], 5, "the rest of a.txt applies to its own line: {page}");
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).exit_code, 0);
    assert_eq!(conflicts(&fixture)["step"], 1);
}

#[test]
fn what_was_decided_is_cleared_in_every_commit_of_the_rebase() {
    let (fixture, _) = moved();
    settle(&fixture, &[Pick::Target, Pick::Text("own\n"), Pick::Shadow]);
    assert!(open(&conflicts(&fixture)).is_empty());
    let clear = || fixture.program(["resolve", "one", "a.txt", "--strategy", "rebase", "--clear"]);
    let run = clear();
    assert_eq!(run.exit_code, 0, "{}", run.text());
    for words in ["open again in commit 1 of 4: first\n", "open again in commit 3 of 4: third\n"] {
        assert!(run.text().contains(words), "{}", run.text());
    }
    assert_eq!(conflicts(&fixture)["step"], 1);
    // Each commit's is an operation; another file's stays as it was.
    assert!(!clear().text().contains("open again"), "nothing is decided any more");
    for _ in 0..2 {
        assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    }
    assert!(open(&conflicts(&fixture)).is_empty());
    let args = ["resolve", "one", "none", "--strategy", "rebase", "--clear", "--json"];
    assert_eq!(fixture.program(args).error_code(), "not_found");
}

fn step(number: usize) -> RebaseStep {
    RebaseStep {
        number,
        of: 5,
        commit: facts::oid("commit"),
        subject: "Read the file once".into(),
        onto: facts::oid("onto"),
    }
}

/// The Land sheet of a rebase that stops twice.
pub(crate) fn stopping(columns: u16, rows: u16) -> World {
    let mut world = World::new(columns, rows);
    let of = |number: usize| ConflictPage { step: Some(step(number)), ..two_places() };
    world.steps = vec![of(2), of(4)];
    world.press("/ c a l m Enter m 3");
    world
}

#[test]
fn the_pane_goes_from_commit_to_commit_and_back() {
    let mut world = stopping(120, 40);
    let screen = |world: &World| text(&world.draw(&shadowdeck::ui::theme::Theme::default()));
    let says = |world: &World, words: &str| {
        let shown = screen(world);
        assert!(shown.contains(words), "{words}: {shown}");
    };
    let answer = |world: &World| world.model.answer.as_ref().unwrap().text.clone();
    says(&world, "commit 2 of 5");
    world.press("x");
    says(&world, "commit 2 of 5: Read the file once");
    world.press("a");
    says(&world, "1 choice to make");
    world.press("t");
    assert_eq!(answer(&world), "commit 4 of 5: Read the file once · 2 choices to make");
    says(&world, "conflict 1 of 2");
    // Of the commit before, and its conflicts come back.
    world.press("u");
    assert_eq!(answer(&world), "commit 2 of 5: Read the file once · 1 choice to make");
    // Made again it is the next commit's turn; that too is taken back and made again from there.
    world.press("ctrl-r");
    says(&world, "commit 4 of 5");
    world.press("t u u");
    says(&world, "commit 2 of 5");
    world.press("ctrl-r");
    says(&world, "commit 4 of 5");
    says(&world, "2 choices to make");
    world.press("ctrl-r");
    says(&world, "1 choice to make");
    world.press("u u u");
    says(&world, "commit 2 of 5");
    world.press("t t t");
    says(&world, "commit 4 of 5");
    world.press("m");
    assert!(answer(&world).starts_with("m waits: 1 choice"), "{}", answer(&world));
    world.press("A");
    assert!(answer(&world).ends_with("m lands with these choices"), "{}", answer(&world));
    world.press("m");
    says(&world, "Land agent-calm-pine on main");
    let sheet = world.model.sheets.last();
    let Some(Sheet::Land(sheet)) = sheet else { panic!("{sheet:?}") };
    assert_eq!(sheet.options.strategy, Some(Strategy::Rebase));
    let mut small = stopping(80, 24);
    small.press("x");
    says(&small, "commit 2 of 5");
}
