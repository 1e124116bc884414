//! Taking an undo back, on just the state that it left.

use std::fs;

use crate::support::{Fixture, fingerprint, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn refused(fixture: &Fixture, args: &[&str]) -> String {
    let run = fixture.program([args, &["--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    run.error_code()
}

#[test]
fn a_landing_goes_back_and_forth_with_one_and_the_same_commit() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    fixture.commit_in(&shadow, "a");
    write(&shadow, "dirty.txt", "only copy\n");
    let files = fingerprint(&shadow);
    let start = fixture.git(["rev-parse", "main"]);
    let landed = run(&fixture, &["land", "one"])["after"].as_str().unwrap().to_owned();
    assert_eq!(refused(&fixture, &["redo", "--yes"]), "cannot_undo");
    for _ in 0..2 {
        run(&fixture, &["undo"]);
        assert_eq!(fixture.git(["rev-parse", "main"]), start);
        assert_eq!(fingerprint(&shadow), files);
        assert_eq!(refused(&fixture, &["redo"]), "needs_confirmation");
        let json = run(&fixture, &["redo"]);
        assert_eq!(json["after"], landed.as_str());
        assert_eq!(fixture.git(["rev-parse", "main"]), landed);
        assert_eq!(fixture.git(["status", "--porcelain"]), "");
        assert!(!shadow.exists());
        assert_eq!(fixture.git(["branch", "--list", "aide-shadow/*"]), "");
    }
    let log = fixture.program(["log", "--json"]).json();
    let verbs: Vec<&str> = log["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|operation| operation["verb"].as_str().unwrap())
        .collect();
    assert_eq!(verbs, ["land", "undo", "redo", "undo", "redo"]);
}

#[test]
fn discards_and_creations_come_and_go() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "only copy\n");
    let files = fingerprint(&shadow);
    run(&fixture, &["discard", "one"]);
    run(&fixture, &["undo"]);
    run(&fixture, &["redo"]);
    assert!(!shadow.exists());
    run(&fixture, &["undo"]);
    assert_eq!(fingerprint(&shadow), files);
    assert_eq!(fixture.program(["create", "--id", "new"]).exit_code, 0);
    let made = fixture.repository.join(".aide/worktrees/new");
    run(&fixture, &["undo"]);
    assert!(!made.exists());
    run(&fixture, &["redo"]);
    assert!(made.join("README.md").exists());
}

#[test]
fn what_was_written_since_the_undo_is_never_swept_along() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["land", "one"]);
    run(&fixture, &["undo"]);
    write(&shadow, "new.txt", "since the undo\n");
    assert_eq!(refused(&fixture, &["redo", "--yes"]), "cannot_undo");
    assert!(shadow.join("new.txt").exists());
    fs::remove_file(shadow.join("new.txt")).unwrap();
    fixture.write("later.txt", "later\n");
    let later = fixture.commit("later");
    assert_eq!(refused(&fixture, &["redo", "--yes"]), "cannot_undo");
    assert_eq!(fixture.git(["rev-parse", "main"]), later);
    let inside = fixture.program_in(&shadow, ["redo", "--yes", "--json"], b"");
    assert_eq!(inside.error_code(), "inside_shadow");
}
