//! Configuration and hooks that changed are shown before anything of them runs, and land with `--trust` only.

use std::path::Path;

use crate::support::{Fixture, Run, write};

fn diverged() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    fixture.commit_in(&shadow, "work");
    (fixture, shadow)
}

fn script(file: &Path, ran: &Path) {
    crate::support::script(file, format!("#!/bin/sh\ntouch {}\ncat\n", ran.display()));
}

fn refused(run: &Run, word: &str) {
    assert_eq!((run.exit_code, run.error_code().as_str()), (4, "not_trusted"), "{}", run.text());
    assert!(run.text().contains(word), "{}", run.text());
}

const LAND: [&str; 4] = ["land", "one", "--yes", "--json"];
const TRUST: [&str; 5] = ["land", "one", "--yes", "--json", "--trust"];

#[test]
fn what_changed_since_the_shadow_was_seen_is_named_and_runs_nothing_untrusted() {
    let (fixture, _) = diverged();
    assert_eq!(fixture.program(["list"]).exit_code, 0);
    let ran = fixture.root().join("ran");
    script(&fixture.repository.join(".git/hooks/pre-commit"), &ran);
    refused(&fixture.program(LAND), "the hook file pre-commit is new");
    fixture.git(["config", "core.sshCommand", "evil"]);
    refused(&fixture.program(LAND), "core.sshcommand was set to `evil`");
    assert!(!ran.exists());
    let run = fixture.program(TRUST);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    assert!(ran.exists());
    // What was trusted is trusted for every shadow; branches and remotes never counted.
    let shadow = fixture.shadow("two");
    write(&shadow, "two.txt", "two\n");
    fixture.git(["config", "branch.main.remote", "origin"]);
    assert_eq!(fixture.program(["land", "two", "--yes"]).exit_code, 0);
}

#[test]
fn a_shadow_that_changes_hooks_is_announced_and_looking_runs_none() {
    let (fixture, shadow) = diverged();
    fixture.git(["config", "core.hooksPath", ".githooks"]);
    let ran = fixture.root().join("ran");
    for name in ["pre-commit", "post-merge", "post-index-change"] {
        script(&shadow.join(".githooks").join(name), &ran);
    }
    for looking in [vec!["list"], vec!["show", "one"], vec!["diff", "one"]] {
        assert_eq!(fixture.program(looking).exit_code, 0);
    }
    refused(&fixture.program(LAND), ".githooks/post-merge");
    assert!(!ran.exists());
    assert_eq!(fixture.program(TRUST).exit_code, 0);
}

#[test]
fn own_filters_and_merge_drivers_run_only_once_trusted() {
    let (fixture, shadow) = diverged();
    let ran = fixture.root().join("ran");
    script(&fixture.root().join("clean"), &ran);
    let clean = fixture.root().join("clean");
    fixture.git(["config", "filter.x.clean", clean.to_str().unwrap()]);
    fixture.git(["config", "merge.mine.driver", "true"]);
    write(&shadow, ".gitattributes", "*.x filter=x\n");
    write(&shadow, "a.x", "a\n");
    assert_eq!(fixture.program(["list"]).exit_code, 0);
    refused(&fixture.program(LAND), "filter.x");
    assert!(!ran.exists());
    let run = fixture.program(TRUST);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    assert!(ran.exists());
    assert_eq!(fixture.git(["show", "main:a.x"]), "a");
}

#[test]
fn poisoned_configuration_runs_nothing_while_looking() {
    let (fixture, shadow) = diverged();
    let ran = fixture.root().join("ran");
    let program = fixture.root().join("evil");
    script(&program, &ran);
    let program = program.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.x.textconv",
        "filter.x.clean",
        "core.pager",
        "core.editor",
        "alias.worktree",
        "core.sshCommand",
    ] {
        fixture.git(["config", key, program]);
    }
    script(&fixture.root().join("hooks/post-index-change"), &ran);
    let hooks = fixture.root().join("hooks");
    fixture.git(["config", "core.hooksPath", hooks.to_str().unwrap()]);
    write(&shadow, ".gitattributes", "*.txt diff=x filter=x\n");
    write(&shadow, "new.txt", "changed\n");
    for looking in [
        vec!["list", "--json"],
        vec!["show", "one"],
        vec!["diff", "one"],
        vec!["conflicts", "one"],
        vec!["land", "one", "--dry-run"],
    ] {
        fixture.program(looking);
    }
    assert!(!ran.exists());
}

/// Settings that make git start a program or act elsewhere; `PROGRAM` leaves a mark when it runs.
const POISON: [(&str, &str); 15] = [
    ("core.worktree", "ELSEWHERE"),
    ("core.bare", "true"),
    ("core.fsmonitor", "PROGRAM"),
    ("core.hooksPath", "HOOKS"),
    ("core.pager", "PROGRAM"),
    ("core.editor", "PROGRAM"),
    ("core.sshCommand", "PROGRAM"),
    ("diff.external", "PROGRAM"),
    ("diff.x.textconv", "PROGRAM"),
    ("diff.x.command", "PROGRAM"),
    ("filter.x.clean", "PROGRAM"),
    ("filter.x.process", "PROGRAM"),
    ("merge.x.driver", "PROGRAM"),
    ("gpg.program", "PROGRAM"),
    ("include.path", "INCLUDED"),
];

#[test]
fn each_poisoned_setting_runs_nothing_while_reviewing_and_is_named_before_a_landing() {
    for (key, value) in POISON {
        let (fixture, shadow) = diverged();
        write(&shadow, ".gitattributes", "*.txt diff=x filter=x merge=x\n");
        assert_eq!(fixture.program(["list"]).exit_code, 0);
        let ran = fixture.root().join("ran");
        let program = fixture.root().join("evil");
        script(&program, &ran);
        for hook in ["post-index-change", "post-checkout", "pre-commit", "reference-transaction"] {
            script(&fixture.root().join("hooks").join(hook), &ran);
        }
        let included = format!("[core]\n\tfsmonitor = {}\n", program.display());
        write(&fixture.root(), "included", included);
        let elsewhere = fixture.root().join("elsewhere");
        write(&elsewhere, "precious.txt", "precious\n");
        let path = |name: &str| fixture.root().join(name).display().to_string();
        let value = value
            .replace("PROGRAM", &path("evil"))
            .replace("HOOKS", &path("hooks"))
            .replace("INCLUDED", &path("included"))
            .replace("ELSEWHERE", &path("elsewhere"));
        fixture.git(["config", key, &value]);
        write(&shadow, "new.txt", "changed\n");
        let before = crate::support::fingerprint(&shadow);
        for looking in [
            &["list", "--json"][..],
            &["list", "--all"],
            &["show", "one"],
            &["diff", "one"],
            &["diff", "one", "--stat"],
            &["diff", "one", "--json"],
            &["conflicts", "one"],
            &["log"],
            &["errors", "one"],
            &["doctor"],
            &["land", "one", "--dry-run"],
        ] {
            fixture.program(looking);
            assert!(!ran.exists(), "{key}: {looking:?} ran it");
        }
        let diff = fixture.program(["diff", "one"]).text();
        assert!(diff.contains("+changed"), "{key}: {diff}");
        let run = fixture.program(LAND);
        assert_eq!(run.exit_code, 4, "{key}: {}", run.text());
        assert!(run.text().to_lowercase().contains(&key.to_lowercase()), "{key}: {}", run.text());
        assert!(!ran.exists(), "{key}: refusing ran it");
        let doctor = fixture.program(["doctor", "--json"]).text();
        assert!(doctor.contains(&key.to_lowercase()), "{key}: {doctor}");
        assert_eq!(crate::support::fingerprint(&shadow), before, "{key}");
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 1, "{key}");
    }
}
