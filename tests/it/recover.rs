//! `kill -9` at every git process and at every step between: before or after, and nothing is lost.

use std::{fs, path::PathBuf, process::Stdio};

use crate::support::{Fixture, fingerprint, script, write};

/// A `git` that counts its starts and kills whoever started it at the n-th, before or after its own work.
const WRAPPER: &str = r#"#!/bin/sh
count=1
until mkdir "$SD_KILL_DIR/started/$count" 2>/dev/null; do count=$((count + 1)); done
if [ "$count" = "$SD_KILL_AT" ]; then
    [ "$SD_KILL_WHEN" = after ] && "$SD_KILL_GIT" "$@"
    kill -9 $PPID
    [ "$SD_KILL_WHEN" = before ] && exec "$SD_KILL_GIT" "$@"
    exit 0
fi
exec "$SD_KILL_GIT" "$@"
"#;

struct Campaign {
    fixture: Fixture,
    shadow: PathBuf,
}

impl Campaign {
    fn new() -> Self {
        let fixture = Fixture::new();
        for file in 0..4 {
            fixture.write(&format!("d/f{file}.txt"), "1\n2\n3\n");
        }
        fixture.write("mine.txt", "mine\n");
        fixture.write(".gitignore", ".env\n");
        fixture.commit("base");
        let shadow = fixture.shadow("one");
        write(&shadow, "d/f0.txt", "changed\n");
        write(&shadow, "d/new.txt", "new\n");
        fs::remove_file(shadow.join("d/f1.txt")).unwrap();
        fixture.commit_in(&shadow, "work");
        write(&shadow, "dirty.txt", "only copy\n");
        write(&shadow, ".env", "K=1\n");
        fixture.write("mine.txt", "my edit\n");
        fixture.write("staged.txt", "staged\n");
        fixture.git(["add", "staged.txt"]);
        fixture.write("loose.txt", "loose\n");
        Self { fixture, shadow }
    }

    /// Runs the program with the wrapper first on its PATH; whether it was killed.
    fn run_killed(&self, args: &[&str], at: u32, when: &str) -> bool {
        let dir = self.fixture.root().join("kill");
        fs::create_dir_all(&dir).unwrap();
        // A number is taken by making its directory: two git processes may start at once.
        let started = dir.join("started");
        if started.exists() {
            fs::remove_dir_all(&started).unwrap();
        }
        fs::create_dir(&started).unwrap();
        let wrapper = dir.join("git");
        script(&wrapper, WRAPPER);
        let path = std::env::var("PATH").unwrap_or_default();
        let real = std::env::split_paths(&path)
            .map(|dir| dir.join("git"))
            .find(|git| git.is_file())
            .expect("git is installed");
        let status = self
            .fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &self.fixture.repository)
            .args(args)
            .env("PATH", format!("{}:{path}", dir.display()))
            .env("SD_KILL_DIR", &dir)
            .env("SD_KILL_AT", at.to_string())
            .env("SD_KILL_WHEN", when)
            .env("SD_KILL_GIT", real)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        status.code().is_none()
    }
}

/// Kills one command at each of its git processes in turn, and looks at what the next `list` makes of it.
fn campaign(prepare: &dyn Fn(&Campaign), args: &[&str], when: &str) {
    for at in 1.. {
        let campaign = Campaign::new();
        let Campaign { fixture, shadow } = &campaign;
        let (start, files) = (fixture.git(["rev-parse", "main"]), fingerprint(shadow));
        let status = fixture.git(["status", "--porcelain"]);
        prepare(&campaign);
        let killed = campaign.run_killed(args, at, when);
        let name = format!("{args:?} killed {when} git process {at}");
        let list = fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        assert_eq!(fixture.git(["status", "--porcelain"]), status, "{name}: {}", list.stderr);
        for left in ["index.lock", "MERGE_HEAD", "HEAD.lock", "refs/heads/main.lock"] {
            assert!(!fixture.repository.join(".git").join(left).exists(), "{name}: {left}");
        }
        let open = fixture.repository.join(".git/shadowdeck/journal/open");
        let unfinished = fs::read_dir(open).map_or(0, Iterator::count);
        assert_eq!(unfinished, 0, "{name}: {}", list.stderr);
        if fixture.git(["rev-parse", "main"]) != start || !shadow.exists() {
            let undo = fixture.program(["undo", "--yes", "--json"]);
            assert_eq!(undo.exit_code, 0, "{name}: {}", undo.text());
        }
        assert_eq!(fingerprint(shadow), files, "{name}");
        assert_eq!(fixture.git(["rev-parse", "main"]), start, "{name}");
        assert_eq!(fixture.git(["status", "--porcelain"]), status, "{name}");
        assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "", "{name}");
        if !killed {
            assert!(at > 5, "the wrapper was in use");
            return;
        }
    }
}

const LAND: [&str; 6] = ["land", "one", "--strategy", "merge", "--yes", "--json"];

#[test]
fn a_landing_killed_before_each_git_process_is_whole_or_not_at_all() {
    campaign(&|_| {}, &LAND, "before");
}

#[test]
fn a_landing_killed_after_each_git_process_is_whole_or_not_at_all() {
    campaign(&|_| {}, &LAND, "after");
}

#[test]
fn a_discard_killed_at_each_git_process_is_whole_or_not_at_all() {
    campaign(&|_| {}, &["discard", "one", "--yes"], "after");
}

#[test]
fn an_undo_killed_at_each_git_process_is_whole_or_not_at_all() {
    let landed = |campaign: &Campaign| {
        let run = campaign.fixture.program(LAND);
        assert_eq!(run.exit_code, 0, "{}", run.text());
    };
    campaign(&landed, &["undo", "--yes"], "after");
}

/// As [`campaign`], for what leaves a shadow in its place: before or after, tip, index and files together.
fn campaign_in_place(args: &[&str]) {
    for at in 1.. {
        let Campaign { fixture, shadow } = Campaign::new();
        let start = fixture.git(["rev-parse", "main"]);
        let before = in_place(&fixture, &shadow);
        let campaign = Campaign { fixture, shadow };
        let killed = campaign.run_killed(args, at, "after");
        let Campaign { fixture, shadow } = campaign;
        let name = format!("{args:?} killed after git process {at}");
        let list = fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        let open = fixture.repository.join(".git/shadowdeck/journal/open");
        assert_eq!(fs::read_dir(open).map_or(0, Iterator::count), 0, "{name}: {}", list.stderr);
        let now = in_place(&fixture, &shadow);
        let moved = fixture.git(["rev-parse", "main"]) != start;
        if now == before {
            assert!(!moved, "{name}: {}", list.stderr);
        } else {
            assert_eq!(
                fixture.git_in(&shadow, ["status", "--porcelain"]),
                "",
                "{name}: {}",
                list.stderr
            );
            let undo = fixture.program(["undo", "--yes", "--json"]);
            assert_eq!(undo.exit_code, 0, "{name}: {}", undo.text());
            assert_eq!(in_place(&fixture, &shadow), before, "{name}");
        }
        assert_eq!(fixture.git(["rev-parse", "main"]), start, "{name}");
        assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "", "{name}");
        if !killed {
            assert!(at > 5 && now != before, "the wrapper was in use");
            return;
        }
    }
}

fn in_place(
    fixture: &Fixture,
    shadow: &std::path::Path,
) -> impl PartialEq + std::fmt::Debug + use<> {
    let status = fixture.git_in(shadow, ["status", "--porcelain", "-uall"]);
    (fingerprint(shadow), status, fixture.git_in(shadow, ["rev-parse", "HEAD"]))
}

#[test]
fn a_part_killed_at_each_git_process_is_whole_or_not_at_all() {
    campaign_in_place(&["land", "one", "--only", "d/new.txt", "--yes"]);
}

#[test]
fn a_rollback_killed_at_each_git_process_is_whole_or_not_at_all() {
    campaign_in_place(&["rollback", "one", "--yes"]);
}

#[test]
fn a_commit_killed_at_each_git_process_is_whole_or_not_at_all() {
    campaign_in_place(&["commit", "one", "-m", "all of it"]);
}

/// Puts an entry of a finished landing back to *prepared*, as a kill would have left it.
fn reopen(fixture: &Fixture, operation: &str) {
    let journal = fixture.repository.join(".git/shadowdeck/journal");
    let closed = journal.join("closed").join(format!("{operation}.json"));
    let text = fs::read_to_string(&closed).unwrap();
    let mut entry: serde_json::Value = serde_json::from_str(&text).unwrap();
    entry["phase"] = "prepared".into();
    entry["closed_ms"] = serde_json::Value::Null;
    entry["process"]["started"] = 1.into();
    let open = journal.join("open").join(format!("{operation}.json"));
    fs::create_dir_all(open.parent().unwrap()).unwrap();
    fs::write(open, entry.to_string()).unwrap();
    fs::remove_file(closed).unwrap();
}

#[test]
fn half_written_files_of_a_killed_checkout_are_taken_back_and_the_users_are_left() {
    let Campaign { fixture, shadow } = Campaign::new();
    let start = fixture.git(["rev-parse", "main"]);
    let status = fixture.git(["status", "--porcelain"]);
    let index = fs::read(fixture.repository.join(".git/index")).unwrap();
    let operation = fixture.program(LAND).json()["operation"].as_str().unwrap().to_owned();
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).exit_code, 0);
    // As if git had died while it wrote files: the old index, and of the new files a part.
    reopen(&fixture, &operation);
    fs::write(fixture.repository.join(".git/index"), index).unwrap();
    fs::write(fixture.repository.join(".git/index.lock"), "").unwrap();
    fixture.write("d/f0.txt", "chan");
    fs::remove_file(fixture.repository.join("d/f1.txt")).unwrap();
    fixture.write("d/new.txt", "");
    fixture.write("dirty.txt", "the user wrote this himself\n");
    let list = fixture.program(["list", "--json"]);
    assert_eq!(list.exit_code, 0, "{}", list.stderr);
    assert!(
        list.stderr.contains("taken back") && list.stderr.contains("dirty.txt"),
        "{}",
        list.stderr
    );
    let now = fixture.git(["status", "--porcelain"]);
    assert_eq!(now.replace("?? dirty.txt\n", ""), status);
    assert_eq!(
        fs::read_to_string(fixture.repository.join("dirty.txt")).unwrap(),
        "the user wrote this himself\n"
    );
    assert_eq!(fixture.git(["rev-parse", "main"]), start);
    assert!(shadow.join("dirty.txt").exists());
}

#[test]
fn a_lock_file_older_than_the_landing_is_not_ours_and_stays() {
    let Campaign { fixture, .. } = Campaign::new();
    let operation = fixture.program(LAND).json()["operation"].as_str().unwrap().to_owned();
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).exit_code, 0);
    reopen(&fixture, &operation);
    let lock = fixture.repository.join(".git/index.lock");
    fs::write(&lock, "").unwrap();
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
    fs::File::options().write(true).open(&lock).unwrap().set_modified(old).unwrap();
    let list = fixture.program(["list", "--json"]);
    assert_eq!(list.exit_code, 0);
    assert!(lock.exists() && list.stderr.contains("unfinished"), "{}", list.stderr);
    fs::remove_file(&lock).unwrap();
    let list = fixture.program(["list", "--json"]);
    assert!(list.stderr.contains("taken back"), "{}", list.stderr);
}

#[test]
fn a_damaged_journal_entry_or_record_never_stops_the_list() {
    let Campaign { fixture, .. } = Campaign::new();
    let store = fixture.repository.join(".git/shadowdeck");
    write(&store, "journal/open/01ARZ3NDEKTSV4RRFFQ69G5FAV.json", "{");
    write(&store, "records/one.json", "not json");
    let list = fixture.program(["list", "--json"]);
    assert_eq!(list.exit_code, 0, "{}", list.stderr);
    assert_eq!(list.json()["worktrees"][0]["id"], "one");
}

#[test]
fn names_that_git_would_unquote_hold_no_recovery_up() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    for name in ["\"n\"", "n", "\"", "two\nlines", "end\r"] {
        write(&shadow, name, format!("{name}\n"));
    }
    fixture.commit_in(&shadow, "work");
    let index = fs::read(fixture.repository.join(".git/index")).unwrap();
    let status = fixture.git(["status", "--porcelain"]);
    let operation = fixture.program(LAND).json()["operation"].as_str().unwrap().to_owned();
    assert_eq!(fixture.program(["undo", "--yes", "--json"]).exit_code, 0);
    reopen(&fixture, &operation);
    fs::write(fixture.repository.join(".git/index"), index).unwrap();
    for name in ["\"n\"", "n", "\"", "two\nlines", "end\r"] {
        fixture.write(name, format!("{name}\n"));
    }
    let list = fixture.program(["list", "--json"]);
    assert!(list.exit_code == 0 && list.stderr.contains("taken back"), "{}", list.stderr);
    assert_eq!(fixture.git(["status", "--porcelain"]), status);
}
