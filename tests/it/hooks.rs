//! Hooks as git runs them: the target's own, before it moves, each with its say.

use std::{fs, path::Path};

use crate::support::{Fixture, script, write};

fn hook(fixture: &Fixture, name: &str, body: &str) {
    script(&fixture.repository.join(".git/hooks").join(name), format!("#!/bin/sh\n{body}"));
}

/// A shadow with one commit, and a `main` that has moved on.
fn diverged() -> Fixture {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    fixture.commit_in(&shadow, "work");
    fixture.write("main.txt", "main\n");
    fixture.commit("main moves");
    fixture
}

fn land(fixture: &Fixture, args: &[&str]) -> (i32, serde_json::Value) {
    let run = fixture.program([&["land", "one", "--yes", "--json"], args].concat());
    (run.exit_code, run.json())
}

fn state(fixture: &Fixture) -> String {
    let status = fixture.git(["status", "--porcelain"]);
    let worktrees = fixture.git(["worktree", "list", "--porcelain"]);
    format!("{}\n{status}\n{worktrees}", fixture.refs())
}

#[test]
fn a_rejection_ends_it_with_the_hooks_words_and_everything_is_as_before() {
    for (strategy, name) in [
        ("merge", "pre-merge-commit"),
        ("squash", "pre-commit"),
        ("squash", "commit-msg"),
        ("merge", "prepare-commit-msg"),
        ("rebase", "pre-rebase"),
    ] {
        let fixture = diverged();
        hook(&fixture, name, "echo not-so\nexit 3\n");
        let before = state(&fixture);
        let (exit_code, json) = land(&fixture, &["--strategy", strategy]);
        let error = &json["error"];
        assert_eq!((exit_code, error["code"].as_str()), (1, Some("hook_rejected")), "{json}");
        assert_eq!(error["details"]["hook"], name);
        assert_eq!(error["details"]["output"], "not-so");
        assert_eq!(state(&fixture), before, "{name}");
        let skipped = land(&fixture, &["--strategy", strategy, "--no-verify"]).0;
        // As git: prepare-commit-msg is no hook that verifies.
        assert_eq!(skipped, i32::from(name == "prepare-commit-msg"), "{name}");
    }
}

#[test]
fn hooks_see_the_result_and_the_target_and_a_rewritten_message_is_obeyed() {
    let fixture = diverged();
    let root = fixture.root();
    hook(
        &fixture,
        "pre-commit",
        &format!(
            "git diff --cached --name-only > {0}/seen; git rev-parse HEAD >> {0}/seen; ls >> {0}/seen\n",
            root.display()
        ),
    );
    hook(&fixture, "commit-msg", "printf '\\nTicket: X-1\\n' >> \"$1\"\n");
    let before = fixture.git(["rev-parse", "main"]);
    let (exit_code, json) = land(&fixture, &["-m", "subject"]);
    assert_eq!(exit_code, 0, "{json}");
    let seen = fs::read_to_string(root.join("seen")).unwrap();
    assert_eq!(seen, format!("new.txt\n{before}\nREADME.md\nmain.txt\nnew.txt\n"));
    assert_eq!(fixture.git(["log", "-1", "--format=%B"]), "subject\n\nTicket: X-1\n");
    assert_eq!(json["after"], fixture.git(["rev-parse", "main"]).as_str());
    assert!(!fixture.git(["worktree", "list"]).contains("rehearsal"));
    let undo = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!((undo.exit_code, fixture.git(["rev-parse", "main"])), (0, before));
}

#[test]
fn a_hook_that_changes_the_tree_needs_a_new_approval() {
    let fixture = diverged();
    hook(&fixture, "pre-commit", "echo formatted > new.txt; git add new.txt\n");
    let before = state(&fixture);
    let (exit_code, json) = land(&fixture, &[]);
    assert_eq!((exit_code, json["error"]["code"].as_str()), (4, Some("shadow_moved")));
    assert_eq!(json["error"]["details"]["files"][0], "new.txt");
    assert_eq!(state(&fixture), before);
}

#[test]
fn a_hook_over_its_time_is_ended_and_nothing_has_moved() {
    let fixture = diverged();
    let config = fixture.root().join("home/.config/shadowdeck");
    write(&config, "config.toml", "[hooks]\ntimeout_s = 1\n");
    hook(&fixture, "pre-commit", "sleep 600\n");
    let before = state(&fixture);
    let (exit_code, json) = land(&fixture, &[]);
    assert_eq!((exit_code, json["error"]["code"].as_str()), (1, Some("timeout")), "{json}");
    assert!(json["error"]["message"].as_str().unwrap().contains("pre-commit"));
    assert_eq!(state(&fixture), before);
}

#[test]
fn post_merge_runs_where_the_target_is_and_its_failure_is_a_warning() {
    let fixture = diverged();
    hook(&fixture, "post-merge", "pwd > ../where; echo sorry; exit 1\n");
    let (exit_code, json) = land(&fixture, &[]);
    assert_eq!(exit_code, 0, "{json}");
    let where_run = fs::read_to_string(fixture.root().join("where")).unwrap();
    assert_eq!(Path::new(where_run.trim()), fixture.repository);
    assert!(json["warnings"].to_string().contains("sorry"), "{json}");
}

#[test]
fn a_rehearsal_is_hidden_from_the_list_and_no_hook_holds_the_lock() {
    let fixture = diverged();
    let program = env!("CARGO_BIN_EXE_shadowdeck");
    let (root, repository) = (fixture.root(), fixture.repository.clone());
    hook(
        &fixture,
        "pre-commit",
        &format!(
            "{program} -C {0} list --all --json > {1}/listed; ls -l /proc/self/fd > {1}/open 2>&1; exit 0\n",
            repository.display(),
            root.display()
        ),
    );
    let (exit_code, json) = land(&fixture, &[]);
    assert_eq!(exit_code, 0, "{json}");
    let listed = fs::read_to_string(root.join("listed")).unwrap();
    assert!(listed.contains("\"one\"") && !listed.contains("rehearsal-"), "{listed}");
    assert!(!fs::read_to_string(root.join("open")).unwrap().contains("shadowdeck/lock"));
}

#[test]
fn ignored_directories_are_lent_and_outlive_the_rehearsal() {
    let fixture = diverged();
    write(
        &fixture.root().join("home/.config/shadowdeck"),
        "config.toml",
        "[rehearsal]\nlink = ['deps']\n",
    );
    fixture.write(".git/info/exclude", "deps\n");
    fixture.write("deps/tool", "tool\n");
    hook(&fixture, "pre-commit", "grep -q tool deps/tool\n");
    let (exit_code, json) = land(&fixture, &[]);
    assert_eq!(exit_code, 0, "{json}");
    assert_eq!(fs::read_to_string(fixture.repository.join("deps/tool")).unwrap(), "tool\n");
}

#[test]
fn what_nobody_has_trusted_does_not_run_in_an_undo_a_redo_or_a_discard() {
    let fixture = diverged();
    let other = fixture.shadow("two");
    write(&other, "two.txt", "two\n");
    assert_eq!(fixture.program(["list"]).exit_code, 0);
    assert_eq!(land(&fixture, &[]).0, 0);
    let ran = fixture.root().join("ran");
    for name in ["reference-transaction", "post-index-change"] {
        hook(&fixture, name, &format!("touch {}\n", ran.display()));
    }
    let undo = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!(undo.exit_code, 0, "{}", undo.text());
    assert!(undo.json()["warnings"].to_string().contains("hooks have changed"), "{}", undo.text());
    fixture.git(["config", "filter.x.smudge", "false"]);
    assert_eq!(fixture.program(["redo", "--yes", "--json"]).error_code(), "not_trusted");
    fixture.git(["config", "--unset", "filter.x.smudge"]);
    assert_eq!(fixture.program(["redo", "--yes"]).exit_code, 0);
    assert_eq!(fixture.program(["discard", "two", "--yes"]).exit_code, 0);
    assert!(!ran.exists());
    // As they are known, they run.
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert_ne!(land(&fixture, &["--keep"]).0, 0);
    assert_eq!(fixture.program(["land", "two", "--yes", "--trust"]).exit_code, 0);
    fs::remove_file(&ran).unwrap();
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert!(ran.exists());
}
