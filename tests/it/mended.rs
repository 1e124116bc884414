//! What a hostile tester found, each kept from coming back.

use crate::support::{Fixture, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

/// How it was refused.
fn refused(fixture: &Fixture, args: &[&str]) -> (i32, String, String) {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    let message = run.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    (run.exit_code, run.error_code(), message)
}

#[test]
fn a_target_that_is_another_name_of_a_branch_moves_that_branchs_worktree() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n");
    fixture.git(["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    fixture.write("README.md", "mine\n");
    assert_eq!(refused(&fixture, &["land", "one", "--target", "alias"]).1, "dirty_overlap");
    fixture.git(["checkout", "-q", "README.md"]);
    run(&fixture, &["land", "one", "--target", "alias"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["show", "main:README.md"]), "agent");
    run(&fixture, &["undo"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
}

#[test]
fn a_worktree_on_another_name_of_the_target_moves_with_it() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n");
    fixture.git(["symbolic-ref", "refs/heads/master", "refs/heads/main"]);
    fixture.git(["symbolic-ref", "HEAD", "refs/heads/master"]);
    fixture.write("README.md", "mine\n");
    assert_eq!(refused(&fixture, &["land", "one", "--target", "main"]).1, "dirty_overlap");
    fixture.git(["checkout", "-q", "README.md"]);
    run(&fixture, &["land", "one"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["show", "main:README.md"]), "agent");
}

#[test]
fn a_target_that_leads_out_of_the_branches_is_refused_by_name() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    fixture.git(["update-ref", "refs/tags/t", "HEAD"]);
    fixture.git(["symbolic-ref", "refs/heads/alias", "refs/tags/t"]);
    let (exit_code, code, message) = refused(&fixture, &["land", "one", "--target", "alias"]);
    assert_eq!((exit_code, code.as_str()), (4, "wrong_state"));
    assert!(message.contains("refs/tags/t"), "{message}");
}
