//! Answers that a person or a script goes on with: each says what is so, and nothing ends without one.

use crate::support::{Fixture, fingerprint, write};

const README: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

fn verdict(fixture: &Fixture) -> String {
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    row["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn a_renamed_file_is_named_as_gone_and_as_new() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["mv", "README.md", "READ.md"]);
    let land = fixture.program(["land", "one", "--yes", "--json"]).json();
    let named = ["added", "changed", "deleted"].map(|list| land[list].clone());
    assert_eq!(serde_json::json!(named), serde_json::json!([["READ.md"], [], ["README.md"]]));
}

/// What a landing would refuse because there is nothing in it is not listed as ready for one.
#[test]
fn a_shadow_of_which_nothing_is_left_to_land_is_not_clean() {
    type Change = fn(&Fixture);
    let changes: [(&str, Change); 4] = [
        ("landed", |fixture| {
            let shadow = fixture.root().join("shadows/one");
            fixture.git_in(&shadow, ["commit", "-q", "--allow-empty", "-m", "nothing"]);
        }),
        ("landed", |fixture| {
            let shadow = fixture.root().join("shadows/one");
            write(&shadow, "README.md", "other\n");
            fixture.commit_in(&shadow, "there");
            write(&shadow, "README.md", README);
            fixture.commit_in(&shadow, "and back");
            fixture.write("more.txt", "more\n");
            fixture.commit("main moves");
        }),
        // Uncommitted, and main has come to the same.
        ("landed", |fixture| {
            write(&fixture.root().join("shadows/one"), "new.txt", "same\n");
            fixture.write("new.txt", "same\n");
            fixture.commit("main moves");
        }),
        // It only followed.
        ("empty", |fixture| {
            fixture.write("more.txt", "more\n");
            fixture.commit("main moves");
            let shadow = fixture.root().join("shadows/one");
            fixture.git_in(&shadow, ["merge", "-q", "--ff-only", "main"]);
            fixture.write("still.txt", "more\n");
            fixture.commit("main moves again");
        }),
    ];
    for (wanted, change) in changes {
        let fixture = Fixture::new();
        fixture.shadow("one");
        change(&fixture);
        assert_eq!(verdict(&fixture), wanted);
        let land = fixture.program(["land", "one", "--dry-run", "--json"]);
        assert_eq!(land.error_code(), "nothing_to_land", "{}", land.text());
    }
}

/// git knows of none, and takes away those that a file comes in place of.
#[test]
fn the_users_empty_directories_are_back_after_an_undo() {
    let fixture = Fixture::new();
    fixture.write("c/x.txt", "x\n");
    fixture.commit("directory");
    let shadow = fixture.shadow("one");
    std::fs::remove_dir_all(shadow.join("c")).unwrap();
    write(&shadow, "c", "file\n");
    write(&shadow, "new/z.txt", "z\n");
    for dir in ["c/empty/within", "new"] {
        std::fs::create_dir_all(fixture.repository.join(dir)).unwrap();
    }
    let look = || {
        let mut all = fingerprint(&fixture.repository);
        all.retain(|path, _| !path.starts_with(".git"));
        all
    };
    let before = look();
    for command in ["land", "undo"] {
        let args =
            if command == "land" { &["land", "one", "--yes"][..] } else { &["undo", "--yes"] };
        let run = fixture.program(args);
        assert_eq!(run.exit_code, 0, "{command}: {}", run.stderr);
    }
    assert_eq!(look(), before);
}

/// `README.md` is changed in line 5 by both.
fn conflicted() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", README.replace("5\n", "shadow\n"));
    fixture.commit_in(&shadow, "work");
    fixture.write("README.md", README.replace("5\n", "target\n"));
    fixture.commit("main moves");
    (fixture, shadow)
}

fn resolve(fixture: &Fixture, take: &str) {
    let run = fixture.program(["resolve", "one", "README.md", "--take", take]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
}

#[test]
fn choices_that_leave_nothing_to_land_are_named_as_the_reason() {
    let (fixture, _) = conflicted();
    resolve(&fixture, "target");
    for strategy in ["squash", "merge", "rebase"] {
        let land = fixture.program(["land", "one", "--strategy", strategy, "--yes", "--json"]);
        assert_eq!(land.error_code(), "nothing_to_land", "{}", land.text());
        let error = &land.json()["error"];
        let said = error["message"].as_str().unwrap();
        assert!(said.contains("what was chosen") && said.contains("README.md"), "{error}");
        let help = error["help"].as_str().unwrap();
        assert!(help.contains("--take shadow") && !help.contains("discard"), "{error}");
    }
    // What it says to do leads on.
    resolve(&fixture, "shadow");
    let land = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(land.exit_code, 0, "{}", land.text());
}

#[test]
fn a_choice_does_not_hold_for_another_mode() {
    let (fixture, shadow) = conflicted();
    resolve(&fixture, "target");
    let resolved = || {
        let files = fixture.program(["conflicts", "one", "--json"]).json();
        files["files"][0]["resolved"].as_bool().unwrap()
    };
    assert!(resolved());
    fixture.git_in(&shadow, ["update-index", "--chmod=+x", "README.md"]);
    fixture.git_in(&shadow, ["checkout-index", "-f", "README.md"]);
    fixture.git_in(&shadow, ["commit", "-q", "-m", "executable"]);
    assert!(!resolved(), "its mode was never asked about");
    let land = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(land.error_code(), "conflicts", "{}", land.text());
}

#[test]
fn help_is_a_command_too() {
    let fixture = Fixture::new();
    for (args, says) in [(&["help"][..], "Exit codes:"), (&["help", "land"], "--strategy")] {
        let help = fixture.program(args);
        assert_eq!(help.exit_code, 0, "{}", help.stderr);
        assert!(help.text().contains(says), "{}", help.text());
    }
}

/// The signal of a file that grows beyond its limit ends a program without a word.
#[test]
fn a_limit_of_a_files_size_is_an_answer() {
    let (fixture, _) = conflicted();
    let binary = env!("CARGO_BIN_EXE_shadowdeck");
    let words = format!("ulimit -f 0; exec '{binary}' resolve one README.md --take shadow --json");
    let run = fixture.child("sh", &fixture.repository).args(["-c", &words]).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{:?}", run.status);
    let said: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(said["error"]["message"].is_string(), "{said}");
    resolve(&fixture, "shadow");
}
