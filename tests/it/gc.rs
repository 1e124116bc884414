//! `gc`: what is named is freed, nothing else, and what was freed can no longer be undone.

use std::fs;

use serde_json::Value;

use crate::support::{Fixture, fingerprint, write};

fn set(fixture: &Fixture, text: &str) {
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        write(&fixture.root().join("home").join(dir), "config.toml", text);
    }
}

fn run(fixture: &Fixture, args: &[&str]) -> Value {
    let run = fixture.program([args, &["--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

/// `kind what` of each item.
fn items(json: &Value) -> Vec<(String, String)> {
    let text = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
    let items = json["freed"].as_array().unwrap().iter();
    items.map(|item| (text(item, "kind"), text(item, "what"))).collect()
}

fn discarded(fixture: &Fixture, name: &str, bytes: usize) -> String {
    let shadow = fixture.shadow(name);
    write(&shadow, "own.bin", vec![7; bytes]);
    fixture.commit_in(&shadow, "own");
    write(&shadow, "untracked.txt", "nowhere else\n");
    run(fixture, &["discard", name, "--yes"])["operation"].as_str().unwrap().to_owned()
}

fn trash(fixture: &Fixture) -> std::path::PathBuf {
    fixture.repository.join(".git/shadowdeck/trash")
}

#[test]
fn what_is_young_and_small_stays() {
    let fixture = Fixture::new();
    let operation = discarded(&fixture, "one", 10);
    let before = (fingerprint(&trash(&fixture)), fixture.refs());
    let json = run(&fixture, &["gc", "--yes"]);
    assert_eq!(json["operation"], Value::Null);
    assert_eq!(items(&json), []);
    assert_eq!((fingerprint(&trash(&fixture)), fixture.refs()), before);
    run(&fixture, &["undo", &operation, "--yes"]);
}

#[test]
fn trash_past_its_age_is_named_confirmed_and_emptied_with_its_pins() {
    let fixture = Fixture::new();
    let operation = discarded(&fixture, "one", 10);
    set(&fixture, "trash.age_days = 0\n");
    let before = fingerprint(&fixture.repository.join(".git"));
    let named = run(&fixture, &["gc", "--dry-run"]);
    assert_eq!(items(&named), [("trash".to_owned(), format!("discard {operation} of one"))]);
    assert_eq!(fingerprint(&fixture.repository.join(".git")), before, "a dry run changes nothing");
    let refused = fixture.program(["gc", "--json"]);
    assert_eq!((refused.exit_code, refused.error_code().as_str()), (4, "needs_confirmation"));
    assert!(refused.text().contains(&operation), "it names what it would free");
    assert_eq!(fingerprint(&fixture.repository.join(".git")), before);
    let freed = run(&fixture, &["gc", "--yes"]);
    assert_eq!(items(&freed), items(&named));
    assert_eq!(fs::read_dir(trash(&fixture)).unwrap().count(), 0);
    assert_eq!(fixture.git(["for-each-ref", "refs/shadowdeck"]), "");
    let undo = fixture.program(["undo", &operation, "--yes", "--json"]);
    assert_eq!(undo.error_code(), "cannot_undo");
    assert!(undo.text().contains("emptied"), "{}", undo.text());
    let log = run(&fixture, &["log"]);
    assert_eq!(log["operations"][0]["undoable"], false);
    assert_eq!(
        (&log["operations"][1]["verb"], &log["operations"][1]["status"]),
        (&"gc".into(), &"done".into())
    );
}

#[test]
fn over_its_size_the_oldest_goes_first() {
    let fixture = Fixture::new();
    let oldest = discarded(&fixture, "one", 2_000_000);
    discarded(&fixture, "two", 2_000_000);
    let newest = discarded(&fixture, "three", 10);
    set(&fixture, "trash.size_mb = 3\n");
    let freed = run(&fixture, &["gc", "--yes"]);
    assert_eq!(items(&freed), [("trash".to_owned(), format!("discard {oldest} of one"))]);
    run(&fixture, &["undo", &newest, "--yes"]);
    run(&fixture, &["undo", "--yes"]);
    assert!(fixture.root().join("shadows/two/untracked.txt").exists());
}

#[test]
fn a_dead_registration_goes_its_branch_stays_and_undo_brings_it_back() {
    let fixture = Fixture::new();
    let (gone, locked) = (fixture.shadow("gone"), fixture.shadow("locked"));
    fixture.shadow("alive");
    write(&gone, "staged.txt", "only staged\n");
    fixture.git_in(&gone, ["add", "staged.txt"]);
    let blob = fixture.git_in(&gone, ["rev-parse", ":staged.txt"]);
    fixture.git(["worktree", "lock", "--reason", "usb disk", locked.to_str().unwrap()]);
    let branches = fixture.git(["for-each-ref", "refs/heads"]);
    fs::remove_dir_all(&gone).unwrap();
    fs::remove_dir_all(&locked).unwrap();
    let admin = fixture.repository.join(".git/worktrees/gone");
    let before = fingerprint(&admin);
    let freed = run(&fixture, &["gc", "--yes"]);
    assert_eq!(freed["shadows"], serde_json::json!(["gone"]));
    assert_eq!(items(&freed).len(), 1);
    assert!(!admin.exists());
    assert!(fixture.repository.join(".git/worktrees/locked").exists());
    assert!(fixture.repository.join(".git/worktrees/alive").exists());
    assert_eq!(fixture.git(["for-each-ref", "refs/heads"]), branches);
    fixture.git(["gc", "-q", "--prune=now"]);
    assert_eq!(fixture.git(["cat-file", "-p", &blob]), "only staged");
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(fingerprint(&admin), before);
}

#[test]
fn an_unfinished_or_unreadable_operation_is_never_emptied() {
    let fixture = Fixture::new();
    let operation = discarded(&fixture, "one", 10);
    set(&fixture, "trash.age_days = 0\n");
    let entry = fixture.repository.join(format!(".git/shadowdeck/journal/closed/{operation}.json"));
    let text = fs::read_to_string(&entry).unwrap();
    fs::write(&entry, "{").unwrap();
    assert_eq!(items(&run(&fixture, &["gc", "--yes"])), []);
    fs::write(&entry, text).unwrap();
    run(&fixture, &["undo", &operation, "--yes"]);
}

#[test]
fn a_gc_that_was_cut_short_is_finished() {
    let fixture = Fixture::new();
    let operation = discarded(&fixture, "one", 10);
    set(&fixture, "trash.age_days = 0\n");
    run(&fixture, &["gc", "--yes"]);
    // As if it had died before it closed its entry, half of another operation's trash deleted.
    let second = discarded(&fixture, "two", 10);
    let journal = fixture.repository.join(".git/shadowdeck/journal");
    let log = run(&fixture, &["log"]);
    let gc = log["operations"].as_array().unwrap().iter().find(|one| one["verb"] == "gc").unwrap()
        ["operation"]
        .as_str()
        .unwrap()
        .to_owned();
    let closed = journal.join(format!("closed/{gc}.json"));
    let mut entry: Value = serde_json::from_slice(&fs::read(&closed).unwrap()).unwrap();
    assert_eq!(entry["empties"], serde_json::json!([operation]));
    entry["phase"] = "prepared".into();
    entry["process"]["pid"] = 4_000_000.into();
    entry["empties"] = serde_json::json!([second]);
    fs::write(journal.join(format!("open/{gc}.json")), entry.to_string()).unwrap();
    fs::remove_file(closed).unwrap();
    fs::rename(trash(&fixture).join(&second), trash(&fixture).join(format!("{second}.emptying")))
        .unwrap();
    run(&fixture, &["list"]);
    assert_eq!(fs::read_dir(trash(&fixture)).unwrap().count(), 0);
    assert_eq!(fixture.git(["for-each-ref", "refs/shadowdeck"]), "");
    assert_eq!(fs::read_dir(journal.join("open")).unwrap().count(), 0);
    assert_eq!(fixture.program(["undo", &second, "--yes", "--json"]).error_code(), "cannot_undo");
}

#[test]
fn the_private_object_store_is_made_anew_and_keeps_what_a_conflict_was_resolved_with() {
    let fixture = Fixture::new();
    fixture.write("f.txt", "base\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "f.txt", "shadow\n");
    // Nothing that compresses: the store must be over its size.
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(1_500_000)
    .collect();
    write(&shadow, "noise.bin", noise);
    fixture.write("f.txt", "target\n");
    fixture.commit("target");
    fixture.write("../answer.txt", "both\n");
    let answer = fixture.root().join("answer.txt");
    run(&fixture, &["resolve", "one", "f.txt", "--file", answer.to_str().unwrap()]);
    // An undo may bring back what is recorded no longer.
    run(&fixture, &["resolve", "one", "f.txt", "--clear"]);
    set(&fixture, "objects.size_mb = 1\n");
    let freed = run(&fixture, &["gc", "--yes"]);
    assert_eq!(items(&freed)[0].0, "objects");
    assert_eq!(freed["warnings"], serde_json::json!([]));
    let log = run(&fixture, &["log"]);
    let cleared =
        log["operations"].as_array().unwrap().iter().rev().find(|one| one["verb"] == "resolve");
    let cleared = cleared.unwrap()["operation"].as_str().unwrap();
    run(&fixture, &["undo", cleared, "--yes"]);
    run(&fixture, &["land", "one", "--yes"]);
    assert_eq!(fixture.git(["show", "main:f.txt"]), "both");
    let left = fs::read_dir(fixture.repository.join(".git/shadowdeck")).unwrap();
    let stores = left.filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("objects")
    });
    assert_eq!(stores.count(), 1);
}

#[test]
fn gc_from_inside_a_shadow_is_refused() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    discarded(&fixture, "two", 10);
    set(&fixture, "trash.age_days = 0\n");
    let run = fixture.program_in(&shadow, ["gc", "--yes", "--json"], b"");
    assert_eq!(run.error_code(), "inside_shadow");
}

/// A rollback that was taken back, but a file of it came back nowhere: what is kept of it is the last of it.
#[test]
fn the_last_name_of_a_file_is_no_leftover_whatever_the_journal_says() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "nowhere else\n");
    write(&shadow, "b.txt", "in both\n");
    let json = run(&fixture, &["rollback", "one", "--yes"]);
    let operation = json["operation"].as_str().unwrap().to_owned();
    let closed = fixture.repository.join(".git/shadowdeck/journal/closed");
    let file = closed.join(format!("{operation}.json"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"done\""), "{text}");
    fs::write(&file, text.replace("\"done\"", "\"taken_back\"")).unwrap();
    let kept = trash(&fixture).join(&operation).join("one/files");
    fs::hard_link(kept.join("b.txt"), shadow.join("b.txt")).unwrap();
    assert_eq!(items(&run(&fixture, &["gc", "--yes"])), []);
    assert_eq!(fs::read_to_string(kept.join("a.txt")).unwrap(), "nowhere else\n");
    fs::hard_link(kept.join("a.txt"), shadow.join("a.txt")).unwrap();
    let kinds: Vec<String> =
        items(&run(&fixture, &["gc", "--yes"])).into_iter().map(|item| item.0).collect();
    assert_eq!(kinds, ["leftover"]);
    assert_eq!(fs::read_to_string(shadow.join("a.txt")).unwrap(), "nowhere else\n");
}
