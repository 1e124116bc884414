//! What is ours goes by itself: empty directories, files of a full disk, an object store past its size. And what an
//! agent leaves lying about holds nothing up and starts nothing.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use crate::support::{Fixture, script, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn make_old(path: &Path) {
    let old = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
}

#[test]
fn the_directories_made_for_a_shadow_go_with_the_last_of_them() {
    let fixture = Fixture::new();
    run(&fixture, &["create", "--id", "one"]);
    run(&fixture, &["create", "--id", "two"]);
    run(&fixture, &["undo", "--yes"]);
    assert!(fixture.repository.join(".aide/worktrees/one").exists());
    run(&fixture, &["discard", "one", "--yes"]);
    assert!(!fixture.repository.join(".aide").exists());
    run(&fixture, &["undo", "--yes"]);
    assert!(fixture.repository.join(".aide/worktrees/one/README.md").exists());
}

#[test]
fn a_filter_that_only_the_repository_defines_does_not_run_for_a_new_shadow() {
    let fixture = Fixture::new();
    let ran = fixture.root().join("ran");
    fixture.write(".gitattributes", "*.txt filter=x\n");
    fixture.write("a.txt", "a\n");
    fixture.commit("filtered");
    let filter = fixture.root().join("filter");
    script(&filter, format!("#!/bin/sh\ntouch {}\nexec cat\n", ran.display()));
    fixture.git(["config", "filter.x.smudge", filter.to_str().unwrap()]);
    fixture.git(["config", "filter.x.required", "true"]);
    let made = fixture.program(["create", "--id", "one"]);
    assert_eq!(made.exit_code, 0, "{}", made.stderr);
    assert!(!ran.exists());
    assert!((made.text() + &made.stderr).contains("filter.x"), "{}{}", made.text(), made.stderr);
    let file = fixture.repository.join(".aide/worktrees/one/a.txt");
    assert_eq!(fs::read_to_string(file).unwrap(), "a\n");
}

#[test]
fn the_object_store_is_kept_below_its_size_without_gc() {
    let fixture = Fixture::new();
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        let dir = fixture.root().join("home").join(dir);
        write(&dir, "config.toml", "objects.size_mb = 1\n");
    }
    let shadow = fixture.shadow("one");
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    })
    .take(3_000_000)
    .collect();
    write(&shadow, "big.bin", noise);
    run(&fixture, &["list"]);
    let store = fixture.repository.join(".git/shadowdeck");
    let size = || size_of(&store.join("objects"));
    assert!(size() > 1_000_000);
    fs::remove_file(shadow.join("big.bin")).unwrap();
    let begun = store.join("objects/pack/tmp_pack_old");
    write(&store, "objects/pack/tmp_pack_old", "half");
    write(&store, "objects/pack/tmp_pack_new", "half");
    make_old(&begun);
    run(&fixture, &["list"]);
    assert!(size() > 1_000_000 && begun.exists(), "not at every look");
    make_old(&store.join("objects-measured"));
    assert_eq!(run(&fixture, &["list"])["worktrees"][0]["verdict"], "empty");
    assert!(size() < 1_000_000);
    assert!(!begun.exists());
}

fn size_of(path: &Path) -> u64 {
    let about = fs::symlink_metadata(path).unwrap();
    if !about.is_dir() {
        return about.len();
    }
    fs::read_dir(path).unwrap().map(|entry| size_of(&entry.unwrap().path())).sum()
}

fn mkfifo(fixture: &Fixture, path: &Path) {
    assert!(fixture.child("mkfifo", &fixture.root()).arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_where_git_reads_its_rules_holds_nothing_up() {
    let fixture = Fixture::new();
    fixture.write("d/a.txt", "a\n");
    fixture.commit("a");
    let shadow = fixture.shadow("one");
    let sound = fixture.shadow("two");
    write(&sound, "d/a.txt", "changed\n");
    mkfifo(&fixture, &shadow.join("d/.gitignore"));
    let rows = run(&fixture, &["list"])["worktrees"].clone();
    let problem = |id: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        row["problem"].as_str().unwrap_or_default().to_owned()
    };
    assert!(problem("one").contains("d/.gitignore"), "{rows}");
    assert_eq!(problem("two"), "");
    for rule in [".gitattributes", "d/.gitignore"] {
        let pipe = fixture.repository.join(rule);
        mkfifo(&fixture, &pipe);
        let refused = fixture.program(["land", "two", "--yes", "--json"]);
        assert_ne!(refused.exit_code, 0);
        assert!(refused.text().contains(rule), "{}", refused.text());
        fs::remove_file(pipe).unwrap();
    }
    let config = fixture.repository.join(".git/config");
    let kept = fs::read(&config).unwrap();
    fs::remove_file(&config).unwrap();
    mkfifo(&fixture, &config);
    let refused = fixture.program(["list", "--json"]);
    assert_eq!(refused.error_code(), "unsupported_repository");
    fs::remove_file(&config).unwrap();
    fs::write(&config, kept).unwrap();
    run(&fixture, &["land", "two", "--yes"]);
}

#[test]
fn an_object_store_that_fails_is_made_anew() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["list"]);
    let store = fixture.repository.join(".git/shadowdeck/objects");
    for dir in fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().path()) {
        let is_fan = dir.file_name().unwrap().len() == 2;
        for file in fs::read_dir(&dir).unwrap().filter(|_| is_fan) {
            let file = file.unwrap().path();
            fs::remove_file(&file).unwrap();
            fs::write(&file, "damaged").unwrap();
        }
    }
    let failed = fixture.program(["diff", "one", "--json"]);
    assert_ne!(failed.exit_code, 0);
    assert!(failed.text().contains("made anew"), "{}", failed.text());
    run(&fixture, &["diff", "one"]);
    run(&fixture, &["land", "one", "--yes"]);
}
