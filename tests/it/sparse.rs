//! Files that an agent writes outside of its sparse checkout: no operation takes one away that it cannot give back.

use std::{fs, path::PathBuf};

use crate::support::{Fixture, fingerprint, write};

fn run(fixture: &Fixture, args: &[&str]) {
    let run = fixture.program(args);
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
}

fn refused(fixture: &Fixture, args: &[&str]) -> (String, String) {
    let run = fixture.program([args, &["--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    (run.error_code(), run.text())
}

/// An edited and a new file outside of what is checked out, a new one within.
fn written_outside(how: &str) -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write("in/a", "base\n");
    fixture.write("out/s/f", "base\n");
    fixture.write("far/away", "base\n");
    fixture.commit("tree");
    let shadow = fixture.shadow("one");
    write(&shadow, "in/own", "own\n");
    fixture.commit_in(&shadow, "own");
    fixture.git_in(&shadow, ["sparse-checkout", "set", how, "in"]);
    assert!(!shadow.join("out").exists() && !shadow.join("far").exists());
    write(&shadow, "out/s/f", "the agent's\n");
    write(&shadow, "out/s/g", "only copy\n");
    write(&shadow, "in/u", "untracked\n");
    fixture.write("in/of-main", "main\n");
    fixture.commit("main goes on");
    (fixture, shadow)
}

#[test]
fn files_outside_of_a_sparse_checkout_are_never_taken_away() {
    for how in ["--cone", "--no-cone"] {
        let (fixture, shadow) = written_outside(how);
        let state = || {
            let status = fixture.git_in(&shadow, ["status", "--porcelain", "-uall"]);
            let index = fixture.git_in(&shadow, ["ls-files", "-v", "--stage"]);
            (fingerprint(&shadow), status, index, fixture.git(["for-each-ref", "refs/heads"]))
        };
        let before = state();
        for args in [
            &["rollback", "one", "--yes"][..],
            &["land", "one", "--keep", "--yes"],
            &["land", "one", "--only", "in/u", "--yes"],
            &["sync", "one"],
        ] {
            let (code, text) = refused(&fixture, args);
            assert_eq!(code, "wrong_state", "{how} {args:?}: {text}");
            for named in ["out/s/f", "out/s/g", "git sparse-checkout"] {
                assert!(text.contains(named), "{how} {args:?}: {text}");
            }
            assert!(!text.contains("far/away"), "{text}");
            assert_eq!(state(), before, "{how} {args:?}");
        }
        run(&fixture, &["commit", "one", "-m", "all of it"]);
        assert_eq!(fingerprint(&shadow), before.0, "{how}: a commit changes no file");
        assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "", "{how}");
        let files = fixture.git_in(&shadow, ["ls-tree", "-r", "--name-only", "HEAD", "out", "far"]);
        assert_eq!(files, "far/away\nout/s/f\nout/s/g", "{how}");
        run(&fixture, &["undo", "--yes"]);
        assert_eq!(state(), before, "{how}");
        // What is named takes them in; then they come back.
        fixture.git_in(&shadow, ["sparse-checkout", "add", "out"]);
        let before = state();
        run(&fixture, &["rollback", "one", "--yes"]);
        assert_eq!(fs::read_to_string(shadow.join("out/s/f")).unwrap(), "base\n", "{how}");
        assert!(!shadow.join("out/s/g").exists(), "{how}");
        // Not where the agent has narrowed it since.
        fixture.git_in(&shadow, ["sparse-checkout", "set", how, "in"]);
        assert_eq!(refused(&fixture, &["undo", "--yes"]).0, "cannot_undo", "{how}");
        fixture.git_in(&shadow, ["sparse-checkout", "set", how, "in", "out"]);
        run(&fixture, &["undo", "--yes"]);
        assert_eq!(state(), before, "{how}");
    }
}
