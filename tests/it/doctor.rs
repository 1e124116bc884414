//! `doctor`: each fault is found, named with its remedy, and mended only where nothing can be lost.

use std::fs;

use serde_json::Value;

use crate::support::{Fixture, fingerprint, write};

fn faults(fixture: &Fixture) -> Vec<Value> {
    let run = fixture.program(["doctor", "--json"]);
    assert_eq!(run.exit_code, 0, "{}{}", run.text(), run.stderr);
    let faults = run.json()["faults"].as_array().unwrap().clone();
    for fault in &faults {
        for key in ["code", "where", "message", "remedy"] {
            assert!(!fault[key].as_str().unwrap().is_empty(), "{key} of {fault}");
        }
    }
    faults
}

fn codes(faults: &[Value]) -> Vec<&str> {
    faults.iter().map(|fault| fault["code"].as_str().unwrap()).collect()
}

fn fix(fixture: &Fixture) -> Value {
    let run = fixture.program(["doctor", "--fix", "--json"]);
    assert_eq!(run.exit_code, 0, "{}{}", run.text(), run.stderr);
    run.json()
}

/// One fault of this code, fixable or not; and looking for it wrote nothing that git or a person has.
fn one(fixture: &Fixture, code: &str, fixable: bool) -> Value {
    let before = without_ours(fixture);
    let found = faults(fixture);
    assert_eq!(codes(&found), [code], "{found:?}");
    assert_eq!(found[0]["fixable"], fixable, "{}", found[0]);
    assert_eq!(without_ours(fixture), before, "{code}: looking writes nothing");
    found[0].clone()
}

fn without_ours(fixture: &Fixture) -> Vec<(std::path::PathBuf, (String, Vec<u8>))> {
    let all = fingerprint(&fixture.root()).into_iter();
    all.filter(|(path, _)| !path.to_string_lossy().contains(".git/shadowdeck")).collect()
}

#[test]
fn a_sound_repository_has_no_fault() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    assert_eq!(faults(&fixture), Vec::<Value>::new());
    assert!(fixture.program(["doctor"]).text().contains("no fault"));
    assert_eq!(fix(&fixture)["mended"], serde_json::json!([]));
}

#[test]
fn a_lost_git_file_is_written_again_and_nothing_else() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "agent.txt", "agent\n");
    let whole = fingerprint(&shadow);
    fs::remove_file(shadow.join(".git")).unwrap();
    let fault = one(&fixture, "lost_git_file", true);
    assert_eq!(fault["where"], "one");
    assert!(fault["remedy"].as_str().unwrap().contains("git worktree repair"), "{fault}");
    assert_eq!(codes(fix(&fixture)["mended"].as_array().unwrap()), ["lost_git_file"]);
    assert_eq!(fingerprint(&shadow), whole);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "?? agent.txt");
    assert_eq!(faults(&fixture), Vec::<Value>::new());
}

#[test]
fn a_moved_directory_is_followed() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let moved = shadow.with_file_name("elsewhere");
    fs::rename(&shadow, &moved).unwrap();
    let fault = one(&fixture, "moved_directory", true);
    assert!(fault["message"].as_str().unwrap().contains("elsewhere"), "{fault}");
    fix(&fixture);
    assert_eq!(faults(&fixture), Vec::<Value>::new());
    let listed = fixture.git(["worktree", "list", "--porcelain"]);
    assert!(listed.contains(moved.to_str().unwrap()), "{listed}");
    assert_eq!(fixture.git_in(&moved, ["status", "--porcelain"]), "");
}

#[test]
fn what_belongs_to_another_repository_is_never_touched() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    fs::write(shadow.join(".git"), "gitdir: /nowhere/of/another\n").unwrap();
    one(&fixture, "foreign_git_file", false);
    fix(&fixture);
    assert_eq!(fs::read(shadow.join(".git")).unwrap(), b"gitdir: /nowhere/of/another\n");
    fs::remove_file(shadow.join(".git")).unwrap();
    fixture.git_in(&shadow, ["init", "-q", "."]);
    one(&fixture, "own_repository", false);
}

#[test]
fn a_gone_directory_is_stale_or_merely_missing_where_it_is_locked() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    fs::remove_dir_all(&shadow).unwrap();
    let fault = one(&fixture, "stale_registration", false);
    assert!(fault["remedy"].as_str().unwrap().contains("shadowdeck gc"), "{fault}");
    fixture.git(["worktree", "lock", shadow.to_str().unwrap()]);
    one(&fixture, "missing_directory", false);
}

#[test]
fn poisoned_configuration_is_named_and_never_run() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    let ran = fixture.root().join("ran");
    fixture.git(["config", "core.fsmonitor", &format!("touch {}", ran.display())]);
    let fault = one(&fixture, "poisoned_config", false);
    assert_eq!(fault["where"], "core.fsmonitor");
    assert!(!ran.exists());
    fixture.git(["config", "--unset", "core.fsmonitor"]);
    fixture.git(["config", "core.hooksPath", ".husky"]);
    assert_eq!(one(&fixture, "poisoned_config", false)["where"], "core.hookspath");
    fixture.git(["config", "--unset", "core.hooksPath"]);
    fixture.git(["config", "core.bare", "true"]);
    assert!(codes(&faults(&fixture)).contains(&"poisoned_config"));
    fixture.git(["--git-dir=.git", "config", "core.bare", "false"]);
    fixture.git(["config", "extensions.worktreeConfig", "true"]);
    fixture.git(["config", "core.worktree", fixture.root().to_str().unwrap()]);
    let found = faults(&fixture);
    assert!(
        found.iter().any(|fault| fault["where"] == "one" && fault["code"] == "poisoned_config"),
        "{found:?}"
    );
}

#[test]
fn a_forgotten_lock_file_is_named_and_left() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    for lock in [".git/index.lock", ".git/worktrees/one/HEAD.lock", ".git/refs/heads/deep/x.lock"] {
        fixture.write(lock, "");
        let fault = one(&fixture, "stale_lock", false);
        assert!(fault["where"].as_str().unwrap().ends_with(lock), "{fault}");
        fix(&fixture);
        fs::remove_file(fixture.repository.join(lock)).unwrap();
    }
    fixture.write(".git/index.lock", "");
    let held = fs::File::open(fixture.repository.join(".git/index.lock")).unwrap();
    assert_eq!(faults(&fixture), Vec::<Value>::new(), "somebody has it open");
    drop(held);
}

#[test]
fn a_worktree_inside_the_workspace_is_excluded() {
    let fixture = Fixture::new();
    let inside = fixture.repository.join(".trees/a [b]");
    fixture.git(["worktree", "add", "-q", "-b", "inside", inside.to_str().unwrap()]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "?? .trees/");
    one(&fixture, "not_excluded", true);
    fix(&fixture);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(faults(&fixture), Vec::<Value>::new());
    let once = fs::read(fixture.repository.join(".git/info/exclude")).unwrap();
    fix(&fixture);
    assert_eq!(fs::read(fixture.repository.join(".git/info/exclude")).unwrap(), once);
}

#[test]
fn a_landing_excludes_what_lies_inside_the_workspace_and_commits_none_of_it() {
    let fixture = Fixture::new();
    let inside = fixture.repository.join(".trees/one");
    fixture.git(["worktree", "add", "-q", "-b", "one", inside.to_str().unwrap()]);
    write(&inside, "new.txt", "new\n");
    fixture.program(["list"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "?? .trees/", "looking writes nothing");
    let run = fixture.program(["land", "one", "--keep", "--yes", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["diff", "--name-only", "HEAD~1", "HEAD"]), "new.txt");
}

#[test]
fn damage_to_what_can_be_worked_out_again_is_mended() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    fixture.program(["list"]);
    let objects = fixture.repository.join(".git/shadowdeck/objects");
    let loose = fingerprint(&objects).into_iter().find(|(path, (mode, _))| {
        mode.starts_with("100") && path.parent().is_some_and(|dir| dir.as_os_str().len() == 2)
    });
    let (path, _) = loose.expect("the snapshot's objects lie there");
    fs::remove_file(objects.join(&path)).unwrap();
    fs::write(objects.join(&path), "").unwrap();
    one(&fixture, "objects_damaged", true);
    assert_eq!(codes(fix(&fixture)["mended"].as_array().unwrap()), ["objects_damaged"]);
    assert_eq!(faults(&fixture), Vec::<Value>::new());
    assert_eq!(fixture.program(["list", "--json"]).json()["worktrees"][0]["verdict"], "clean");
    write(&objects, "info/alternates", "/nowhere\n");
    one(&fixture, "objects_damaged", true);
}

#[test]
fn a_full_trash_and_a_mirror_that_would_publish_the_pins_are_told() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    assert_eq!(fixture.program(["discard", "one", "--yes"]).exit_code, 0);
    fixture.git(["remote", "add", "--mirror=push", "backup", "/nowhere"]);
    let fault = one(&fixture, "published_pins", false);
    assert!(fault["message"].as_str().unwrap().contains("backup"), "{fault}");
    fixture.git(["remote", "remove", "backup"]);
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        write(&fixture.root().join("home").join(dir), "config.toml", "trash.size_mb = 0\n");
    }
    one(&fixture, "trash_full", false);
}

#[test]
fn damaged_records_and_journal_entries_are_named() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    write(&fixture.repository.join(".git/shadowdeck"), "records/one.json", "{");
    one(&fixture, "damaged_record", false);
    fs::remove_file(fixture.repository.join(".git/shadowdeck/records/one.json")).unwrap();
    write(
        &fixture.repository.join(".git/shadowdeck"),
        "journal/closed/01ARZ3NDEKTSV4RRFFQ69G5FAV.json",
        "{",
    );
    one(&fixture, "damaged_journal", false);
}

#[test]
fn mending_from_inside_a_shadow_is_refused() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let run = fixture.program_in(&shadow, ["doctor", "--fix", "--json"], b"");
    assert_eq!(run.error_code(), "inside_shadow");
    assert_eq!(fixture.program_in(&shadow, ["doctor", "--json"], b"").exit_code, 0);
}

#[test]
fn objects_that_a_crash_left_empty_and_a_moved_repository_cost_a_look_nothing() {
    let mut fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    fixture.program(["list"]);
    let objects = fixture.repository.join(".git/shadowdeck/objects");
    for (path, (mode, _)) in fingerprint(&objects) {
        if mode.starts_with("100") && path.parent().is_some_and(|dir| dir.as_os_str().len() == 2) {
            fs::remove_file(objects.join(&path)).unwrap();
            fs::write(objects.join(&path), "").unwrap();
        }
    }
    // Something to look at anew, so that what is remembered does not answer.
    write(&shadow, "newer.txt", "newer\n");
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    assert_eq!((&row["problem"], &row["diff_stats"]["files_changed"]), (&Value::Null, &2.into()));
    let moved = fixture.root().join("moved");
    fs::rename(&fixture.repository, &moved).unwrap();
    fixture.repository = moved;
    fixture.git(["worktree", "repair", shadow.to_str().unwrap()]);
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    assert_eq!((&row["problem"], &row["diff_stats"]["files_changed"]), (&Value::Null, &2.into()));
    assert_eq!(fixture.program(["diff", "one"]).exit_code, 0);
}
