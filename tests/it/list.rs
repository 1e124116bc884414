//! The list: figures equal to git's, verdicts, broken worktrees as rows, and what looking costs.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
    time::Duration,
};

use serde_json::Value;
use shadowdeck::{
    config::Config,
    ops::{Deck, list},
    review::{Progress, Row, Verdict, Watch},
};

use crate::support::{Fixture, Run, fingerprint, script, write};

/// The row of a shadow.
fn row(fixture: &Fixture, id: &str) -> Value {
    let run = fixture.program(["list", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    let list = run.json();
    let rows = list["worktrees"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("no {id} in {rows:?}")).clone()
}

/// Plain git's tree of all that a worktree holds; writes into a directory of its own.
fn oracle_tree(fixture: &Fixture, worktree: &Path) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let admin = fixture.git_in(worktree, ["rev-parse", "--absolute-git-dir"]);
    let index = scratch.path().join("index");
    if Path::new(&admin).join("index").exists() {
        let mut copy = fixture.child("cp", worktree);
        copy.arg("-p").arg(Path::new(&admin).join("index")).arg(&index);
        assert!(copy.status().unwrap().success());
    }
    let objects = scratch.path().join("objects");
    fs::create_dir(&objects).unwrap();
    let git = |args: &[&str]| {
        let output = fixture
            .child("git", worktree)
            .args(args)
            .env("GIT_INDEX_FILE", &index)
            .env("GIT_OBJECT_DIRECTORY", &objects)
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", fixture.repository.join(".git/objects"))
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["add", "-A"]);
    git(&["write-tree"])
}

#[test]
fn uncommitted_and_untracked_work_counts() {
    let fixture = Fixture::new();
    let untracked = fixture.shadow("untracked");
    write(&untracked, "new.txt", "x\ny\nz\n");
    write(&untracked, "docs/n.md", "1\n2\n");
    let unstaged = fixture.shadow("unstaged");
    write(&unstaged, "README.md", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n");
    let staged = fixture.shadow("staged");
    write(&staged, "b.txt", "extra\n");
    fixture.git_in(&staged, ["add", "b.txt"]);
    fixture.shadow("nothing");
    for (id, path, stats) in [
        ("untracked", &untracked, [2, 5, 0]),
        ("unstaged", &unstaged, [1, 2, 1]),
        ("staged", &staged, [1, 1, 0]),
    ] {
        let row = row(&fixture, id);
        let found = ["files_changed", "insertions", "deletions"]
            .map(|key| row["diff_stats"][key].as_u64().unwrap());
        assert_eq!(found, stats, "{id}");
        assert_eq!(row["dirty"], true);
        assert_eq!(row["verdict"], "clean");
        assert_eq!(row["snapshot"], oracle_tree(&fixture, path), "{id}");
    }
    let nothing = row(&fixture, "nothing");
    assert_eq!(
        (&nothing["verdict"], &nothing["dirty"]),
        (&Value::from("empty"), &Value::from(false))
    );
}

#[test]
fn staged_and_taken_back_on_disk_is_still_uncommitted_work() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "staged\n");
    fixture.git_in(&shadow, ["add", "README.md"]);
    fs::write(shadow.join("README.md"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n").unwrap();
    let row = row(&fixture, "one");
    assert_eq!(row["dirty"], true);
    assert_eq!(row["diff_stats"]["files_changed"], 0);
}

#[test]
fn a_target_that_moved_on_is_not_the_shadows_change() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("f");
    write(&shadow, "a.txt", "ten\neleven\n");
    fixture.commit_in(&shadow, "work");
    fixture.write("big.txt", "a\n".repeat(30));
    fixture.commit("main moves");
    fixture.write("README.md", "other\n");
    fixture.commit("and again");
    let row = row(&fixture, "f");
    assert_eq!(row["diff_stats"]["files_changed"], 1);
    assert_eq!((&row["ahead"], &row["behind"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(row["base_commit"], fixture.git(["merge-base", "main", "aide-shadow/f"]));
    assert_eq!(row["verdict"], "clean");
}

#[test]
fn landed_empty_and_open_work_are_told_apart() {
    let fixture = Fixture::new();
    let shadow = |name: &str| fixture.shadow(name);
    let work = |path: &Path, file: &str, text: &str| {
        write(path, file, text);
        fixture.commit_in(path, file)
    };
    shadow("fresh");
    work(&shadow("ff"), "ff.txt", "ff\n");
    fixture.git(["merge", "-q", "--ff-only", "aide-shadow/ff"]);
    work(&shadow("merged"), "m.txt", "m\n");
    fixture.git(["merge", "-q", "--no-ff", "-m", "merge", "aide-shadow/merged"]);
    let squashed = shadow("squashed");
    work(&squashed, "README.md", "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n");
    work(&squashed, "README.md", "1\n2\nthree\nfour\n5\n6\n7\n8\n9\n10\n");
    fixture.git(["merge", "-q", "--squash", "aide-shadow/squashed"]);
    fixture.git(["commit", "-q", "-m", "squash"]);
    let half = shadow("half");
    let first = work(&half, "h1.txt", "h1\n");
    fixture.git(["cherry-pick", &first]);
    work(&half, "h2.txt", "h2\n");
    let picked = shadow("picked");
    let only = work(&picked, "p.txt", "p\n");
    fixture.git(["cherry-pick", &only]);
    let dirty = shadow("dirtyff");
    work(&dirty, "d.txt", "d\n");
    fixture.git(["merge", "-q", "--no-ff", "-m", "merge d", "aide-shadow/dirtyff"]);
    write(&dirty, "late.txt", "late\n");
    fixture.write("README.md", "1\n2\nTHREE\nfour\n5\n6\n7\n8\n9\n10\n");
    fixture.commit("main goes on in the squashed lines");
    for (id, verdict) in [
        ("fresh", "empty"),
        ("ff", "landed"),
        ("merged", "landed"),
        ("squashed", "landed"),
        ("half", "clean"),
        ("picked", "landed"),
        ("dirtyff", "clean"),
    ] {
        assert_eq!(row(&fixture, id)["verdict"], verdict, "{id}");
    }
}

#[test]
fn following_the_target_is_not_work() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("follower");
    fixture.write("more.txt", "more\n");
    fixture.commit("main moves");
    fixture.git_in(&shadow, ["merge", "-q", "--ff-only", "main"]);
    fixture.write("still.txt", "more\n");
    fixture.commit("main moves again");
    assert_ne!(row(&fixture, "follower")["verdict"], "landed");
}

#[test]
fn locked_and_missing_worktrees_are_rows() {
    let fixture = Fixture::new();
    write(&fixture.shadow("ok"), "x.txt", "x\n");
    let locked = fixture.shadow("locked");
    write(&locked, "y.txt", "y\n");
    let lock = |path: &Path, reason: &str| {
        fixture.git(["worktree", "lock", "--reason", reason, path.to_str().unwrap()]);
    };
    lock(&locked, "held by agent 7\nsecond line");
    for name in ["missing", "lockmiss"] {
        let path = fixture.shadow(name);
        write(&path, "m.txt", "m\n");
        fixture.commit_in(&path, "only here");
        if name == "lockmiss" {
            lock(&path, "usb disk");
        }
        fs::remove_dir_all(path).unwrap();
    }
    let before = fixture.git(["worktree", "list", "--porcelain"]);
    assert_eq!(row(&fixture, "ok")["verdict"], "clean");
    assert_eq!(row(&fixture, "locked")["locked"], "held by agent 7\nsecond line");
    for name in ["missing", "lockmiss"] {
        let row = row(&fixture, name);
        assert_eq!(row["verdict"], "unknown", "{name}");
        assert_eq!(row["diff_stats"], Value::Null);
        assert_eq!(row["ahead"], 1);
        assert!(row["problem"].as_str().unwrap().contains("missing"), "{row}");
    }
    assert!(row(&fixture, "lockmiss")["prunable"].is_null());
    let text = fixture.program(["list"]).text();
    assert!(text.contains("held by agent 7\u{240a}second line"), "{text}");
    assert_eq!(fixture.git(["worktree", "list", "--porcelain"]), before);
}

#[test]
fn a_worktree_without_its_git_file_is_broken_and_nothing_runs_in_it() {
    let fixture = Fixture::new();
    fixture.write(".git/info/exclude", ".aide/\n");
    let path = fixture.repository.join(".aide/worktrees/x");
    fixture.git(["worktree", "add", "-q", "-b", "box/x", path.to_str().unwrap()]);
    write(&path, "c.txt", "c\n");
    fixture.commit_in(&path, "c");
    write(&path, "agent.txt", "agent\n");
    fs::remove_file(path.join(".git")).unwrap();
    fixture.write("mine.txt", "mine\n");
    let before = fingerprint(&path);
    let row = row(&fixture, "x");
    let problem = row["problem"].as_str().unwrap();
    assert!(
        problem.contains("no .git file") && problem.contains("git worktree repair"),
        "{problem}"
    );
    assert_eq!((&row["ahead"], &row["diff_stats"]), (&Value::from(1), &Value::Null));
    let refused = fixture.program(["diff", "x", "--json"]);
    assert_eq!((refused.exit_code, refused.error_code().as_str()), (4, "wrong_state"));
    assert_eq!(fingerprint(&path), before);
    assert_eq!(fixture.git(["status", "--porcelain"]), "?? mine.txt");
}

#[test]
fn a_moved_worktree_that_does_not_point_back_is_broken() {
    let fixture = Fixture::new();
    let one = fixture.shadow("one");
    let two = fixture.shadow("two");
    fs::copy(two.join(".git"), one.join(".git")).unwrap();
    let problem = row(&fixture, "one")["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("not this registration"), "{problem}");
    assert!(row(&fixture, "two")["problem"].is_null());
}

#[test]
fn every_broken_shadow_is_mended_by_the_remedy_that_its_row_names() {
    let fixture = Fixture::new();
    let names = ["lost", "foreign", "own", "head", "tag", "config", "sound"];
    for name in names {
        write(&fixture.shadow(name), "new.txt", name);
    }
    fixture.git(["config", "extensions.worktreeConfig", "true"]);
    let at = |name: &str| fixture.repository.join(row(&fixture, name)["path"].as_str().unwrap());
    let admin = |name: &str| fixture.repository.join(".git/worktrees").join(name);
    fs::remove_file(at("lost").join(".git")).unwrap();
    fs::copy(at("sound").join(".git"), at("foreign").join(".git")).unwrap();
    fs::remove_file(at("own").join(".git")).unwrap();
    fixture.git_in(&at("own"), ["init", "-q"]);
    fs::write(admin("head").join("HEAD"), "no commit").unwrap();
    fs::write(admin("tag").join("HEAD"), "ref: refs/tags/one").unwrap();
    fs::write(admin("config").join("config.worktree"), "[core").unwrap();
    let broken = |name: &str| row(&fixture, name)["problem"].as_str().unwrap().to_owned();
    for name in &names[..6] {
        let problem = broken(name);
        assert!(problem.contains("; "), "{name} has no remedy: {problem}");
        let refused = fixture.program(["discard", name, "--yes"]);
        assert_eq!(refused.exit_code, 4, "{name} waits till its halves agree: {}", refused.stderr);
    }
    // In the order of their rows' words, as a person would.
    assert!(broken("lost").contains("`git worktree repair` in the main worktree"));
    assert!(broken("own").contains("move that .git away"));
    fs::rename(at("own").join(".git"), fixture.repository.join("../aside")).unwrap();
    assert!(broken("foreign").contains("`git worktree repair`, without a path"));
    fixture.git(["worktree", "repair"]);
    for name in ["head", "tag"] {
        let head = admin(name).join("HEAD");
        let command = format!("`echo 'ref: refs/heads/BRANCH' > {}`", head.display());
        assert!(broken(name).contains(&command), "{}", broken(name));
        let branch = row(&fixture, "sound")["branch"].as_str().unwrap().replace("sound", name);
        fs::write(head, format!("ref: refs/heads/{branch}\n")).unwrap();
    }
    assert!(broken("config").ends_with("mend that file, or move it away"));
    fs::remove_file(admin("config").join("config.worktree")).unwrap();
    for name in names {
        let row = row(&fixture, name);
        assert!(row["problem"].is_null() && row["dirty"] == true, "{row}");
        assert_eq!(fs::read(at(name).join("new.txt")).unwrap(), name.as_bytes());
    }
}

#[test]
fn config_that_makes_git_see_another_worktree_is_named() {
    let fixture = Fixture::new();
    write(&fixture.shadow("x"), "s.txt", "shadow\n");
    fixture.write("uncommitted.txt", "main precious\n");
    let main = fixture.repository.to_str().unwrap().to_owned();
    fixture.git(["config", "core.worktree", &main]);
    fixture.git(["config", "extensions.worktreeConfig", "true"]);
    let poisoned = row(&fixture, "x");
    let problem = poisoned["problem"].as_str().unwrap();
    assert!(problem.contains("resolves to") && problem.contains(&main), "{problem}");
    assert_eq!(
        (&poisoned["verdict"], &poisoned["snapshot"]),
        (&Value::from("unknown"), &Value::Null)
    );
    fixture.git(["config", "--unset", "core.worktree"]);
    assert!(row(&fixture, "x")["problem"].is_null());
}

/// A bare repository in `.bare` with a worktree of `main` and one shadow.
#[test]
fn the_default_branch_is_no_shadow_where_the_main_worktree_is_on_another() {
    let fixture = Fixture::new();
    fixture.git(["switch", "-q", "-c", "work"]);
    let path = fixture.repository.with_file_name("mainwt");
    fixture.git(["worktree", "add", "-q", path.to_str().unwrap(), "main"]);
    fixture.shadow("one");
    let ids = |args: &[&str]| -> Vec<Value> {
        let list = fixture.program(args).json();
        list["worktrees"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
    };
    assert_eq!(ids(&["list", "--json"]), ["one"]);
    assert!(ids(&["list", "--all", "--json"]).contains(&Value::from("mainwt")));
    for verb in ["land", "discard"] {
        let run = fixture.program([verb, "mainwt", "--yes", "--json"]);
        assert_eq!(run.exit_code, 4, "{verb}: {}", run.stderr);
    }
    assert!(path.join("README.md").exists());
}

fn bare_layout(fixture: &Fixture) -> PathBuf {
    let project = fixture.root().join("project");
    fs::create_dir(&project).unwrap();
    let bare = project.join(".bare");
    fixture.git(["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    fs::write(project.join(".git"), "gitdir: ./.bare\n").unwrap();
    for args in [
        ["worktree", "add", "-q", "main", "main"].as_slice(),
        &["worktree", "add", "-q", "-b", "box/w", "w", "main"],
    ] {
        fixture.git_in(&project, args);
    }
    write(&project, "w/precious.txt", "precious\n");
    project
}

fn list_in(fixture: &Fixture, dir: &Path) -> Vec<Value> {
    let run = fixture.program_in(dir, ["list", "--json"], b"");
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    run.json()["worktrees"].as_array().unwrap().clone()
}

#[test]
fn a_bare_layout_lists_its_shadows_and_not_its_target() {
    let fixture = Fixture::new();
    let project = bare_layout(&fixture);
    for dir in [&project, &project.join("w"), &project.join("main")] {
        let rows = list_in(&fixture, dir);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!((&rows[0]["id"], &rows[0]["target"]), (&Value::from("w"), &Value::from("main")));
        assert_eq!(
            (&rows[0]["verdict"], &rows[0]["diff_stats"]["insertions"]),
            (&Value::from("clean"), &Value::from(1))
        );
    }
    let all = fixture.program_in(&project, ["list", "--all", "--json"], b"").json();
    let conventions: Vec<&str> = all["worktrees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["convention"].as_str().unwrap())
        .collect();
    assert_eq!(conventions, ["foreign", "target"]);
}

#[test]
fn a_worktree_that_git_sees_as_bare_is_unreadable_never_clean() {
    let fixture = Fixture::new();
    let project = bare_layout(&fixture);
    fixture.git_in(&project, ["config", "extensions.worktreeConfig", "true"]);
    let config = fs::read(project.join(".bare/config")).unwrap();
    let rows = list_in(&fixture, &project);
    let problem = rows[0]["problem"].as_str().unwrap();
    assert!(problem.contains("git sees it as bare"), "{problem}");
    assert!(problem.contains("core.bare") && problem.contains("extensions.worktreeConfig"));
    assert_eq!(
        (&rows[0]["verdict"], &rows[0]["diff_stats"]),
        (&Value::from("unknown"), &Value::Null)
    );
    assert_eq!(fs::read(project.join(".bare/config")).unwrap(), config);
}

#[test]
fn shadows_inside_the_repository_do_not_make_it_dirty() {
    let fixture = Fixture::new();
    let path = fixture.repository.join(".aide/worktrees/one");
    fixture.git(["worktree", "add", "-q", "-b", "box/one", path.to_str().unwrap()]);
    write(&path, "x.txt", "x\n");
    fixture.commit_in(&path, "x");
    write(&path, "y.txt", "y\n");
    let row = row(&fixture, "one");
    assert_eq!(
        (&row["diff_stats"]["files_changed"], &row["diff_stats"]["insertions"]),
        (&Value::from(2), &Value::from(2))
    );
    assert_eq!(fixture.git(["ls-files", "-s", ".aide"]), "");
}

/// A wrapper named `git`, first on the PATH, that writes down each start.
struct Counter {
    dir: PathBuf,
}

impl Counter {
    fn new(fixture: &Fixture) -> Self {
        let dir = fixture.root().join("counter");
        let real = String::from_utf8(
            fixture
                .child("sh", &fixture.root())
                .args(["-c", "command -v git"])
                .output()
                .unwrap()
                .stdout,
        )
        .unwrap();
        script(
            &dir.join("git"),
            format!(
                "#!/bin/sh\necho \"$@\" >> '{}/starts'\nexec {} \"$@\"\n",
                dir.display(),
                real.trim()
            ),
        );
        Self { dir }
    }

    /// How many git processes one run of the program starts, and what it printed.
    fn count(&self, fixture: &Fixture, args: &[&str]) -> (usize, Run) {
        let starts = self.dir.join("starts");
        // Absent before the first run.
        let _ = fs::remove_file(&starts);
        let path = format!("{}:{}", self.dir.display(), std::env::var("PATH").unwrap());
        let output = fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
            .args(args)
            .env("PATH", path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let run = Run {
            exit_code: 0,
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        (fs::read_to_string(starts).unwrap_or_default().lines().count(), run)
    }
}

/// What opening a repository costs.
const GATE: usize = 3;
/// What a list costs whatever it lists: the gate (3), one merge batch, a diff a worker (2), two for patches.
const FIXED_MAX: usize = 8;

#[test]
fn a_hundred_worktrees_cost_two_processes_each_when_changed_and_none_when_not() {
    let fixture = Fixture::new();
    for number in 0..100 {
        let shadow = fixture.shadow(&format!("s{number:02}"));
        if number % 2 == 0 {
            write(&shadow, "new.txt", format!("{number}\n"));
        }
    }
    let counter = Counter::new(&fixture);
    let (first, run) = counter.count(&fixture, &["list", "--json"]);
    assert!(first <= FIXED_MAX + 2 * 100, "{first} git processes for 100 changed shadows");
    let rows = run.json();
    assert_eq!(rows["worktrees"].as_array().unwrap().len(), 100);
    // Files written in the last instants are read once more: their times may yet stand for two contents.
    counter.count(&fixture, &["list", "--json"]);
    let (unchanged, again) = counter.count(&fixture, &["list", "--json"]);
    assert!(unchanged <= FIXED_MAX, "{unchanged} git processes for no changed shadow");
    assert_eq!(again.json(), rows);
    let (page, _) = counter.count(&fixture, &["diff", "s02", "--json"]);
    // One more where a file is new: whether it is a copy.
    assert!(page <= GATE + 1, "{page} git processes for a page of what the list has read");
    for number in [3, 4, 5] {
        write(&fixture.root(), format!("shadows/s{number:02}/other.txt"), "changed\n");
    }
    let (three, changed) = counter.count(&fixture, &["list", "--json"]);
    assert!(three <= FIXED_MAX + 2 * 3, "{three} git processes for three changed shadows");
    let files: u64 = changed.json()["worktrees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["diff_stats"]["files_changed"].as_u64().unwrap())
        .sum();
    assert_eq!(files, 53);
}

/// git's own count of what the list says the shadow holds: files, insertions, deletions.
fn oracle_stats(fixture: &Fixture, row: &Value) -> [u64; 3] {
    let store = fixture.repository.join(".git/shadowdeck/objects");
    let output = fixture
        .child("git", &fixture.repository)
        .args([
            "diff-tree",
            "-r",
            "-M",
            "-l1000",
            "--numstat",
            row["base_commit"].as_str().unwrap(),
        ])
        .arg(row["snapshot"].as_str().unwrap())
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", store)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let sum = |column| {
        text.lines().map(|line| line.split('\t').nth(column).unwrap().parse().unwrap_or(0)).sum()
    };
    [text.lines().count() as u64, sum(0), sum(1)]
}

fn stats(row: &Value) -> [u64; 3] {
    ["files_changed", "insertions", "deletions"]
        .map(|key| row["diff_stats"][key].as_u64().unwrap_or_else(|| panic!("{row}")))
}

#[test]
fn only_what_changed_in_a_large_change_is_counted_again_and_every_count_is_gits() {
    let fixture = Fixture::new();
    let lines = |count: usize, tag: &str| {
        (0..count).fold(String::new(), |all, n| {
            all + &format!("{n} {}\n", if n % 3 == 0 { "same" } else { tag })
        })
    };
    for name in ["large.txt", "src/one.txt", "src/two.txt", "src/deep/three.txt", "gone/a", "b.bin"]
    {
        fixture.write(name, lines(if name == "large.txt" { 9_000 } else { 30 }, name));
    }
    fixture.write(".gitattributes", "*.bin -diff\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "large.txt", lines(9_000, "new"));
    let looked = || {
        let row = row(&fixture, "one");
        assert_eq!(stats(&row), oracle_stats(&fixture, &row));
        stats(&row)
    };
    looked();
    // Told from a count that git would never give.
    let cached = fixture.repository.join(".git/shadowdeck/cache/one.json");
    let known = fs::read_to_string(&cached).unwrap();
    assert!(known.contains("\"insertions\":6000"), "{known}");
    fs::write(&cached, known.replace("\"insertions\":6000", "\"insertions\":7000")).unwrap();
    write(&shadow, "src/new.txt", "1\n2\n");
    assert_eq!(stats(&row(&fixture, "one")), [2, 7002, 6000]);
    fs::remove_file(&cached).unwrap();
    looked();
    write(&shadow, "src/one.txt", lines(31, "edited"));
    write(&shadow, "b.bin", "other");
    looked();
    // Something added and something deleted: it may be a rename.
    fs::rename(shadow.join("src/two.txt"), shadow.join("src/deep/two.txt")).unwrap();
    looked();
    write(&shadow, "src/deep/two.txt", lines(30, "src/two.txt").replace("3 same", "3 other"));
    looked();
    fs::remove_file(shadow.join("src/new.txt")).unwrap();
    // A file where a directory was, and a directory where a file was.
    fs::remove_dir_all(shadow.join("gone")).unwrap();
    write(&shadow, "gone", "a file\n");
    fs::remove_file(shadow.join("src/one.txt")).unwrap();
    write(&shadow, "src/one.txt/inside", lines(30, "src/one.txt"));
    looked();
    fixture.git_in(&shadow, ["update-index", "--add", "--chmod=+x", "large.txt"]);
    fs::remove_file(shadow.join("src/deep/three.txt")).unwrap();
    std::os::unix::fs::symlink("../one.txt", shadow.join("src/deep/three.txt")).unwrap();
    looked();
    fixture.commit_in(&shadow, "all of it");
    looked();
    fs::remove_file(shadow.join("large.txt")).unwrap();
    looked();
    write(&shadow, "large.txt", lines(9_000, "new"));
    looked();
    // Other attributes, in no tree and in the target's: all is counted again.
    let own = fixture.repository.join(".git/info/attributes");
    fs::write(&own, "large.txt -diff\n").unwrap();
    let few = row(&fixture, "one")["diff_stats"]["insertions"].as_u64().unwrap();
    assert!(few < 200, "{few}");
    fs::remove_file(own).unwrap();
    looked();
    fixture.write(".gitattributes", "*.txt -diff\n");
    fixture.commit("no counts");
    let row = row(&fixture, "one");
    assert_eq!(row["diff_stats"]["insertions"].as_u64(), Some(1 + 1));
}

#[test]
fn an_edit_of_equal_size_in_the_same_instant_is_seen() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    for round in 0..8 {
        write(&shadow, "README.md", format!("{round}\n"));
        assert_eq!(
            row(&fixture, "one")["snapshot"],
            oracle_tree(&fixture, &shadow),
            "round {round}"
        );
    }
}

#[test]
fn what_becomes_ignored_or_forced_in_leaves_and_enters_the_snapshot() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let agrees = |what: &str| {
        assert_eq!(row(&fixture, "one")["snapshot"], oracle_tree(&fixture, &shadow), "{what}");
    };
    write(&shadow, "out/built.o", "object\n");
    agrees("untracked");
    write(&shadow, ".gitignore", "out/\n");
    agrees("ignored since");
    fixture.git_in(&shadow, ["add", "-f", "out/built.o"]);
    agrees("forced in");
    write(&shadow, "out/built.o", "changed\n");
    agrees("tracked below an ignored directory");
    fixture.git_in(&shadow, ["rm", "-q", "--cached", "-f", "out/built.o"]);
    agrees("taken out again");
    fs::remove_file(shadow.join(".gitignore")).unwrap();
    agrees("no longer ignored");
}

#[test]
fn looking_writes_nothing_but_its_own_directory_and_needs_not_even_that() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    let state = || {
        let mut state = fingerprint(&fixture.repository);
        state.retain(|path, _| !path.starts_with(".git/shadowdeck"));
        state
    };
    let before = state();
    let clean = row(&fixture, "one");
    for args in [["show", "one"], ["diff", "one"], ["conflicts", "one"]] {
        assert_eq!(fixture.program(args).exit_code, 0);
    }
    assert_eq!(state(), before);
    // A file where the directory should be: nothing can be kept, and the answer is the same.
    fs::remove_dir_all(fixture.repository.join(".git/shadowdeck")).unwrap();
    fs::write(fixture.repository.join(".git/shadowdeck"), "in the way").unwrap();
    assert_eq!(row(&fixture, "one")["snapshot"], clean["snapshot"]);
    assert_eq!(
        fs::read_dir(fixture.root().join("home")).unwrap().count(),
        0,
        "nothing is left in TMPDIR"
    );
}

#[test]
fn a_damaged_cache_is_rebuilt() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "new.txt", "new\n");
    let before = row(&fixture, "one");
    let cache = fixture.repository.join(".git/shadowdeck/cache/one.json");
    fs::write(&cache, "{\"snapshot\": 7").unwrap();
    assert_eq!(row(&fixture, "one"), before);
    fs::remove_dir_all(fixture.repository.join(".git/shadowdeck/objects")).unwrap();
    assert_eq!(row(&fixture, "one"), before);
}

#[test]
fn no_filter_or_merge_driver_of_the_repository_runs() {
    let fixture = Fixture::new();
    fixture.write(".gitattributes", "*.txt filter=evil merge=evil\n");
    fixture.write("a.txt", "1\n2\n3\n");
    fixture.commit("attributes");
    let shadow = fixture.shadow("one");
    let trace = fixture.root().join("ran");
    let run = format!("touch {}; cat", trace.display());
    for (key, value) in [
        ("filter.evil.clean", run.as_str()),
        ("filter.evil.required", "true"),
        ("merge.evil.driver", &run),
    ] {
        fixture.git(["config", key, value]);
    }
    write(&shadow, "a.txt", "1\n2\nshadow\n");
    write(&shadow, "new.txt", "new\n");
    let row = row(&fixture, "one");
    assert!(row["problem"].as_str().unwrap().contains("filter.evil"), "{row}");
    assert!(!trace.exists(), "a filter of the repository's own ran");
}

#[test]
fn processes_at_work_are_named() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let mut worker =
        fixture.child("cat", &shadow).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let shown = fixture.program(["show", "one", "--json"]).json();
    drop(worker.stdin.take());
    worker.wait().unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(shown["processes"][0]["pid"], worker.id());
        assert_eq!(shown["processes"][0]["name"], "cat");
    }
}

#[test]
fn embedded_repositories_and_moved_submodules_are_said_and_run_nothing() {
    let fixture = Fixture::new();
    let library = fixture.root().join("library");
    fixture.git(["init", "-q", library.to_str().unwrap()]);
    write(&library, "l.c", "l\n");
    fixture.commit_in(&library, "library");
    fixture.git(["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/lib"]);
    fixture.commit("submodule");
    let moved = fixture.shadow("moved");
    fixture.git_in(&moved, ["submodule", "--quiet", "update", "--init"]);
    let submodule = moved.join("vendor/lib");
    write(&submodule, "fix.c", "fix\n");
    let head = fixture.commit_in(&submodule, "local fix");
    // What git would start to see whether the submodule is dirty.
    let trace = fixture.root().join("ran");
    let monitor = format!("touch {}; exit 1", trace.display());
    fixture.git_in(&submodule, ["config", "core.fsmonitor", &monitor]);
    let embedded = fixture.shadow("embedded");
    fixture.git_in(&embedded, ["init", "-q", "nested"]);
    write(&embedded, "nested/file", "kept nowhere\n");
    fixture.commit_in(&embedded.join("nested"), "nested");
    let row_of = |id: &str| row(&fixture, id);
    let problem = |row: &Value| row["problem"].as_str().unwrap_or_default().to_owned();
    assert!(problem(&row_of("moved")).contains("vendor/lib"));
    assert!(problem(&row_of("embedded")).contains("nested"));
    let diff = fixture.program(["diff", "moved"]).text();
    assert!(diff.contains(&format!("+Subproject commit {head}")), "{diff}");
    assert!(!trace.exists(), "looking ran the submodule's own configuration");
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_not_deleted_and_can_conflict() {
    let fixture = Fixture::new();
    for (path, text) in [("app/a", "1\n2\n"), ("lib/y", "1\n"), ("big/0", "0\n"), ("big/1", "1\n")]
    {
        fixture.write(path, text);
    }
    fixture.commit("tree");
    let (inside, outside) = (fixture.shadow("inside"), fixture.shadow("outside"));
    write(&outside, "lib/y", "shadow\n");
    fixture.commit_in(&outside, "lib");
    for shadow in [&inside, &outside] {
        fixture.git_in(shadow, ["sparse-checkout", "set", "app"]);
        assert!(!shadow.join("big").exists());
    }
    write(&inside, "app/a", "1\nshadow\n");
    write(&outside, "app/a", "1\n2\n3\n");
    fixture.write("lib/y", "main\n");
    fixture.commit("main moves");
    let row_of = |id: &str| row(&fixture, id);
    let (one, two) = (row_of("inside"), row_of("outside"));
    assert_eq!(
        one["diff_stats"],
        serde_json::json!({"files_changed": 1, "insertions": 1, "deletions": 1})
    );
    assert_eq!(
        two["diff_stats"],
        serde_json::json!({"files_changed": 2, "insertions": 2, "deletions": 1})
    );
    assert_eq!((&one["verdict"], &two["verdict"]), (&"clean".into(), &"conflicts".into()));
    assert_eq!(two["conflicts"], serde_json::json!(["lib/y"]));
    assert_eq!(fixture.program(["land", "inside", "--keep", "--yes"]).exit_code, 0);
    let landed = fixture.git(["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(
        landed.lines().collect::<Vec<_>>(),
        ["README.md", "app/a", "big/0", "big/1", "lib/y"]
    );
    assert!(!inside.join("big").exists(), "a sparse shadow stays sparse");
    assert_eq!(fixture.git_in(&inside, ["status", "--porcelain"]), "");
}

#[test]
fn names_that_fold_together_are_files_of_their_own() {
    let fixture = Fixture::new();
    let (case, pair) = (fixture.shadow("case"), fixture.shadow("pair"));
    fixture.git_in(&case, ["mv", "README.md", "Readme.md"]);
    write(&pair, "src/Name.txt", "upper\n");
    write(&pair, "src/name.txt", "lower\n");
    // One letter, composed and decomposed.
    write(&pair, "caf\u{e9}.txt", "composed\n");
    write(&pair, "cafe\u{301}.txt", "decomposed\n");
    let folds = fs::read_dir(pair.join("src")).unwrap().count() == 1;
    if folds {
        return;
    }
    assert_eq!(row(&fixture, "case")["diff_stats"]["files_changed"], 1);
    let status = fixture.program(["diff", "case", "--name-status"]).text();
    assert_eq!(status, "R100\tREADME.md\tReadme.md\n");
    assert_eq!(row(&fixture, "pair")["diff_stats"]["files_changed"], 4);
    for id in ["case", "pair"] {
        assert_eq!(fixture.program(["land", id, "--yes"]).exit_code, 0);
    }
    let landed =
        fixture.git(["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "main"]);
    let mut landed: Vec<&str> = landed.lines().collect();
    landed.sort_unstable();
    assert_eq!(
        landed,
        ["Readme.md", "cafe\u{301}.txt", "caf\u{e9}.txt", "src/Name.txt", "src/name.txt"]
    );
}

#[test]
fn a_first_list_tells_its_rows_as_they_become_known_and_no_verdict_before_its_time() {
    let fixture = Fixture::new();
    for id in ["one", "two", "three"] {
        write(&fixture.shadow(id), "new.txt", id);
    }
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let read = |every: Duration| {
        let told = Mutex::new(Vec::new());
        let tell = |progress| told.lock().unwrap().push(progress);
        let watch = Watch { tell: &tell, stop: &AtomicBool::new(false) };
        let fleet = list::read_fleet_told(&deck, watch, every).unwrap();
        (fleet, told.into_inner().unwrap())
    };
    let (fleet, told) = read(Duration::ZERO);
    let mut named = Vec::new();
    for (index, progress) in told.into_iter().enumerate() {
        let Progress::Looked { rows, count, of } = progress else { panic!("{progress:?}") };
        assert_eq!((rows.len(), count, of), (1, index + 1, 3));
        let row = &rows[0];
        assert_eq!((row.verdict, row.dirty), (Verdict::Unknown, Some(true)), "no merge is known");
        assert!(row.stats.is_some() && row.problem.is_none(), "{row:?}");
        named.push(row.id.0.clone());
    }
    named.sort();
    assert_eq!(named, ["one", "three", "two"]);
    let (again, told) = read(Duration::ZERO);
    let rows: Vec<Row> = told
        .into_iter()
        .flat_map(|progress| match progress {
            Progress::Looked { rows, .. } => rows,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(rows.iter().all(|row| again.rows.contains(row)), "what is remembered is known at once");
    assert_eq!(fleet.rows, again.rows);
    let (_, told) = read(Duration::from_secs(3600));
    assert_eq!(told, [], "a quick list makes no frames");
}
