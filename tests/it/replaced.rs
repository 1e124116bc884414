//! `git replace` and grafts put one object in the place of another, for one repository and for all of its worktrees: an
//! agent can write them, and no clone has them. What is read, shown and landed is what is stored.

use std::fs;

use crate::support::{Fixture, write};

fn diff(fixture: &Fixture, format: &[&str]) -> String {
    let run = fixture.program([&["diff", "one"], format].concat());
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    run.text()
}

/// As a clone has it.
fn stored(fixture: &Fixture, name: &str) -> String {
    fixture.git(["--no-replace-objects", "show", name])
}

fn fixture() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "evil\n");
    fixture.commit_in(&shadow, "one");
    (fixture, shadow)
}

/// What is shown is all that lands, and the target's worktree holds it.
fn lands_as_shown(fixture: &Fixture) {
    let numstat = diff(fixture, &["--numstat"]);
    assert!(numstat.contains("README.md"), "{numstat}");
    let patch = diff(fixture, &[]);
    assert!(patch.contains("+evil"), "{patch}");
    let listed = fixture.program(["list", "--json"]).json();
    assert_eq!(
        listed["worktrees"][0]["diff_stats"]["files_changed"],
        numstat.lines().count(),
        "{listed}"
    );
    let landed = fixture.program(["land", "one", "--yes"]);
    assert_eq!(landed.exit_code, 0, "{}{}", landed.text(), landed.stderr);
    assert_eq!(stored(fixture, "main:README.md"), "evil");
    assert_eq!(fs::read_to_string(fixture.repository.join("README.md")).unwrap(), "evil\n");
}

#[test]
fn a_base_that_was_replaced_hides_nothing() {
    let (fixture, shadow) = fixture();
    write(&shadow, "new.txt", "new\n");
    let evil = fixture.git_in(&shadow, ["rev-parse", "HEAD^{tree}"]);
    let other = fixture.git_in(&shadow, ["commit-tree", "-m", "x", &evil]);
    fixture.git_in(&shadow, ["replace", "main", &other]);
    lands_as_shown(&fixture);
    assert_eq!(stored(&fixture, "main:new.txt"), "new");
}

#[test]
fn a_blob_that_was_replaced_is_shown_as_it_lands() {
    let (fixture, shadow) = fixture();
    write(&shadow, "benign", "benign\n");
    let benign = fixture.git_in(&shadow, ["hash-object", "-w", "benign"]);
    fs::remove_file(shadow.join("benign")).unwrap();
    fixture.git_in(&shadow, ["replace", "HEAD:README.md", &benign]);
    lands_as_shown(&fixture);
}

#[test]
fn a_tree_that_was_replaced_leaves_nothing_out() {
    let (fixture, shadow) = fixture();
    fixture.git_in(&shadow, ["replace", "HEAD^{tree}", "main^{tree}"]);
    write(&shadow, "new.txt", "new\n");
    lands_as_shown(&fixture);
}

#[test]
fn grafts_move_no_base() {
    let (fixture, shadow) = fixture();
    let tip = fixture.git_in(&shadow, ["rev-parse", "HEAD"]);
    fixture.write(".git/info/grafts", format!("{tip}\n"));
    lands_as_shown(&fixture);
    fs::remove_file(fixture.repository.join(".git/info/grafts")).unwrap();
    assert_eq!(fixture.git(["merge-base", "main", "HEAD"]), fixture.git(["rev-parse", "main"]));
}
