//! Taking landings back: the target by the same transaction the other way round, the shadow byte for byte.

use shadowdeck::{
    config::Config,
    ops::{Deck, redo, undo},
    shadow::RepoPath,
};

use crate::support::{Fixture, fingerprint, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

#[test]
fn a_landing_is_taken_back_whole_by_each_strategy() {
    for strategy in ["squash", "merge", "rebase"] {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", "a\n");
        fixture.commit_in(&shadow, "a");
        write(&shadow, "README.md", "changed\n");
        fixture.write("b.txt", "b\n");
        let before = fixture.commit("b");
        let (files, refs) = (fingerprint(&shadow), fixture.git(["for-each-ref", "refs/heads"]));
        run(&fixture, &["land", "one", "--strategy", strategy]);
        assert_ne!(fixture.git(["rev-parse", "main"]), before);
        run(&fixture, &["undo"]);
        assert_eq!(fixture.git(["for-each-ref", "refs/heads"]), refs, "{strategy}");
        assert_eq!(fixture.git(["status", "--porcelain"]), "");
        assert_eq!(fingerprint(&shadow), files, "{strategy}");
        // And once more, as if nothing had been.
        run(&fixture, &["land", "one", "--strategy", strategy]);
        assert_eq!(fixture.git(["show", "main:README.md"]), "changed");
    }
}

#[test]
fn a_target_that_moved_on_is_left_and_git_revert_is_named() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["land", "one"]);
    fixture.write("later.txt", "later\n");
    let later = fixture.commit("later");
    let refused = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!(refused.error_code(), "cannot_undo");
    assert!(refused.json()["error"]["help"].as_str().unwrap().contains("git revert"));
    assert_eq!(fixture.git(["rev-parse", "main"]), later);
    assert!(!shadow.exists());
}

#[test]
fn edits_in_the_landed_files_stop_an_undo_with_nothing_moved() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["land", "one"]);
    let landed = fixture.git(["rev-parse", "main"]);
    fixture.write("a.txt", "my edit of what landed\n");
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).error_code(), "dirty_overlap");
    assert_eq!(fixture.git(["rev-parse", "main"]), landed);
    assert_eq!(fixture.git(["status", "--porcelain"]), " M a.txt");
    fixture.git(["checkout", "-q", "a.txt"]);
    run(&fixture, &["undo"]);
    assert!(shadow.join("a.txt").exists() && !fixture.repository.join("a.txt").exists());
}

#[test]
fn any_operation_can_be_named_and_none_is_undone_twice() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.shadow("one"), fixture.shadow("two"));
    let first = run(&fixture, &["discard", "one"])["operation"].as_str().unwrap().to_owned();
    run(&fixture, &["discard", "two"]);
    run(&fixture, &["undo", &first]);
    assert!(one.exists() && !two.exists());
    let again = fixture.program(["undo", &first, "--yes", "--json"]);
    assert_eq!(again.error_code(), "cannot_undo");
    run(&fixture, &["undo"]);
    assert!(two.exists());
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).error_code(), "cannot_undo");
    assert_eq!(fixture.program(["undo", "x", "--yes", "--json"]).error_code(), "not_found");
}

#[test]
fn the_log_says_what_can_be_undone_now_and_why_not() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "a.txt", "a\n");
    write(&fixture.shadow("two"), "b.txt", "b\n");
    let newest = || {
        let log = fixture.program(["log", "--json"]).json();
        let entry = log["operations"].as_array().unwrap().last().unwrap().clone();
        let why = entry["undoable_why"].as_str().unwrap_or_default().to_owned();
        assert_eq!(entry["undoable"].as_bool().unwrap(), why.is_empty(), "{entry}");
        // The log and the undo agree.
        let operation = entry["operation"].as_str().unwrap().to_owned();
        (operation, why)
    };
    run(&fixture, &["land", "one"]);
    assert_eq!(newest().1, "");
    fixture.write("mine.txt", "mine\n");
    fixture.commit("mine");
    let (operation, why) = newest();
    assert!(why.contains("main is at"), "{why}");
    let refused = fixture.program(["undo", &operation, "--yes", "--json"]);
    assert_eq!(refused.json()["error"]["message"], why);
    run(&fixture, &["discard", "two"]);
    assert_eq!(newest().1, "");
    let shadow = fixture.root().join("shadows/two");
    write(&shadow, "in-the-way.txt", "x\n");
    assert!(newest().1.contains("shadows/two"), "{}", newest().1);
    std::fs::remove_dir_all(&shadow).unwrap();
    fixture.git(["branch", "aide-shadow/two", "main"]);
    assert!(newest().1.contains("aide-shadow/two"), "{}", newest().1);
    fixture.git(["branch", "-D", "aide-shadow/two"]);
    assert_eq!(newest().1, "");
    run(&fixture, &["undo"]);
    assert!(newest().1.contains("redo"), "{}", newest().1);
}

#[test]
fn a_file_that_was_renamed_is_named_once_both_ways() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["mv", "README.md", "GUIDE.md"]);
    fixture.commit_in(&shadow, "rename");
    run(&fixture, &["land", "one"]);
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let undo = undo::plan(&deck, None).unwrap();
    assert_eq!(undo.files, [RepoPath::new("README.md")], "as it is called when it is taken back");
    run(&fixture, &["undo"]);
    assert_eq!(redo::plan(&deck).unwrap().files, [RepoPath::new("GUIDE.md")]);
}
