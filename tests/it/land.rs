//! Landing, with plain git as the oracle: what lands is what git would have made, and what is the user's stays.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use proptest::prelude::*;

use crate::support::{Fixture, fingerprint, script, write};

const STRATEGIES: [&str; 3] = ["squash", "merge", "rebase"];

fn land(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([&["land"], args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{}{}", run.text(), run.stderr);
    run.json()
}

fn refused(fixture: &Fixture, args: &[&str]) -> (String, String) {
    let run = fixture.program([args, &["--json"]].concat());
    let json = run.json();
    let error = &json["error"];
    assert_ne!(run.exit_code, 0, "{json}");
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

/// A shadow with two commits and a dirty file, and a `main` that has moved on.
fn diverged() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n");
    fixture.commit_in(&shadow, "ten");
    write(&shadow, "new/file.txt", "new\n");
    fixture.commit_in(&shadow, "a new file\n\nwith a body");
    fixture.write("README.md", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    fixture.commit("main moves");
    (fixture, shadow)
}

/// The tree that git itself makes of the branch in a copy of the repository.
fn oracle(fixture: &Fixture, strategy: &str) -> String {
    let copy = fixture.root().join("copy");
    fixture.git(["clone", "-q", ".", copy.to_str().unwrap()]);
    let side = "origin/aide-shadow/one";
    match strategy {
        "squash" => {
            fixture.git_in(&copy, ["merge", "-q", "--squash", side]);
            fixture.git_in(&copy, ["commit", "-q", "-m", "squash"]);
        }
        "merge" => drop(fixture.git_in(&copy, ["merge", "-q", "--no-ff", "-m", "m", side])),
        _ => {
            fixture.git_in(&copy, ["switch", "-q", "-c", "side", side]);
            fixture.git_in(&copy, ["rebase", "-q", "main"]);
        }
    }
    let tree = fixture.git_in(&copy, ["rev-parse", "HEAD^{tree}"]);
    fs::remove_dir_all(copy).unwrap();
    tree
}

#[test]
fn each_strategy_lands_the_tree_that_git_makes() {
    for strategy in STRATEGIES {
        let (fixture, shadow) = diverged();
        let expected = oracle(&fixture, strategy);
        let before = fixture.git(["rev-parse", "main"]);
        let json = land(&fixture, &["one", "--strategy", strategy]);
        assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), expected, "{strategy}");
        assert_eq!(json["before"], before.as_str());
        assert_eq!(json["after"], fixture.git(["rev-parse", "main"]).as_str());
        assert_eq!(fixture.git(["status", "--porcelain"]), "", "{strategy}");
        assert!(!shadow.exists() && json["cleaned_up"] == true, "{strategy}");
        assert_eq!(fixture.git(["branch", "--list", "aide-shadow/*"]), "");
        assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "");
        let parents = fixture.git(["log", "-1", "--format=%P", "main"]);
        assert_eq!(parents.split(' ').count(), if strategy == "merge" { 2 } else { 1 });
    }
}

#[test]
fn a_rebase_keeps_authors_dates_and_messages_and_drops_what_became_empty() {
    let (fixture, shadow) = diverged();
    write(&shadow, "same.txt", "both have it\n");
    fixture.git_in(&shadow, ["add", "-A"]);
    fixture.git_in(
        &shadow,
        ["commit", "-q", "-m", "third", "--author=Bo <bo@example.org>", "--date=1600000000 +0200"],
    );
    write(&shadow, "later.txt", "x\n");
    fixture.commit_in(&shadow, "fourth");
    fixture.write("same.txt", "both have it\n");
    fixture.commit("same on main");
    land(&fixture, &["one", "--strategy", "rebase"]);
    let log = fixture.git(["log", "-4", "--format=%an %ad %s|%b", "--date=raw"]);
    assert_eq!(
        log,
        "Ana Test 1700000000 +0000 fourth|\nAna Test 1700000000 +0000 a new file|with a body\n\n\
         Ana Test 1700000000 +0000 ten|\nAna Test 1700000000 +0000 same on main|"
    );
}

#[test]
fn a_direct_descendant_is_fast_forwarded_by_a_rebase() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    let tip = fixture.commit_in(&shadow, "a");
    land(&fixture, &["one", "--strategy", "rebase"]);
    assert_eq!(fixture.git(["rev-parse", "main"]), tip);
}

#[test]
fn uncommitted_work_lands_through_the_safety_net_and_is_told() {
    let (fixture, shadow) = diverged();
    write(&shadow, "untracked.txt", "only copy\n");
    let json = land(&fixture, &["one", "--strategy", "merge", "-m", "by hand"]);
    assert_eq!(json["safety_net"], true);
    assert!(json["warnings"][0].as_str().unwrap().contains("uncommitted work"));
    assert_eq!(fixture.git(["show", "main:untracked.txt"]), "only copy");
    assert_eq!(fixture.git(["log", "-1", "--format=%s", "main"]), "by hand");
    let net = fixture.git(["log", "-1", "--format=%B", "main^2"]);
    assert!(net.contains("one") && net.contains("before landing"), "{net}");
}

#[test]
fn the_commit_that_uncommitted_work_becomes_is_shown_with_its_message() {
    let (fixture, shadow) = diverged();
    write(&shadow, "untracked.txt", "only copy\n");
    for strategy in ["merge", "rebase"] {
        let args = ["land", "one", "--strategy", strategy, "--dry-run", "--json"];
        let plan = fixture.program(args).json();
        let message = plan["safety_net_message"].as_str().unwrap();
        assert!(message.starts_with("Uncommitted work of one\n"), "{plan}");
        assert!(
            plan["warnings"][0].as_str().unwrap().contains("Uncommitted work of one"),
            "{plan}"
        );
    }
    let plan = fixture.program(["land", "one", "--strategy", "squash", "--dry-run", "--json"]);
    assert!(plan.json()["safety_net_message"].is_null());
    // The one commit that a rebase makes anew takes the message that was given; the others keep theirs.
    land(&fixture, &["one", "--strategy", "rebase", "-m", "the rest of it"]);
    let subjects = fixture.git(["log", "-2", "--format=%s", "main"]);
    assert_eq!(subjects.lines().next(), Some("the rest of it"));
    assert!(!subjects.contains("Uncommitted"), "{subjects}");
}

#[test]
fn the_users_own_edits_survive_staged_ones_too() {
    for strategy in STRATEGIES {
        let (fixture, _shadow) = diverged();
        fixture.write("mine.txt", "mine\n");
        fixture.write("mode.txt", "mode\n");
        fixture.commit("more files");
        fixture.write("mine.txt", "my edit\n");
        fixture.write("staged.txt", "staged\n");
        fixture.git(["add", "staged.txt"]);
        fixture.write("loose.txt", "loose\n");
        let mode = fixture.repository.join("mode.txt");
        fs::set_permissions(&mode, fs::Permissions::from_mode(0o755)).unwrap();
        let before = fixture.git(["status", "--porcelain"]);
        land(&fixture, &["one", "--strategy", strategy]);
        assert_eq!(fixture.git(["status", "--porcelain"]), before, "{strategy}");
        assert_eq!(fs::read_to_string(fixture.repository.join("mine.txt")).unwrap(), "my edit\n");
        assert!(!fixture.git(["ls-tree", "-r", "--name-only", "main"]).contains("staged.txt"));
        assert_eq!(fixture.git(["stash", "list"]), "");
        let undo = fixture.program(["undo", "--yes", "--json"]);
        assert_eq!(undo.exit_code, 0, "{}", undo.text());
        assert_eq!(fixture.git(["status", "--porcelain"]), before, "{strategy}");
    }
}

/// Everything in the main worktree and all branches, before and after something that must change nothing.
fn unchanged(fixture: &Fixture, action: impl FnOnce()) {
    let state = || {
        let mut files = fingerprint(&fixture.repository);
        files.retain(|path, _| !path.starts_with(".git"));
        (files, fixture.git(["for-each-ref", "refs/heads"]), fixture.git(["ls-files", "-s"]))
    };
    let before = state();
    action();
    assert_eq!(before, state());
}

#[test]
fn edits_in_the_landed_files_are_named_and_nothing_moves() {
    let (fixture, _shadow) = diverged();
    fixture.write("README.md", "my own\n");
    unchanged(&fixture, || {
        for dry in ["--dry-run", "--yes"] {
            let (code, message) = refused(&fixture, &["land", "one", dry]);
            assert_eq!(code, "dirty_overlap");
            assert!(message.contains("README.md"), "{message}");
        }
    });
}

#[test]
fn untracked_and_ignored_files_in_the_way_are_named_directories_too() {
    for (path, in_the_way) in
        [("new.txt", "new.txt"), (".env", ".env"), ("conf/x", "conf"), ("build", "build/out.o")]
    {
        let fixture = Fixture::new();
        fixture.write(".gitignore", ".env\n*.o\n");
        fixture.commit("ignore");
        let shadow = fixture.shadow("one");
        write(&shadow, path, "theirs\n");
        fixture.git_in(&shadow, ["add", "-f", "."]);
        fixture.git_in(&shadow, ["commit", "-q", "-m", "add"]);
        fixture.write(in_the_way, "mine\n");
        unchanged(&fixture, || {
            let (code, message) = refused(&fixture, &["land", "one", "--yes"]);
            assert_eq!(code, "dirty_overlap", "{path}");
            assert!(message.contains(in_the_way), "{message}");
        });
    }
}

#[test]
fn a_target_checked_out_elsewhere_is_landed_there_and_one_checked_out_nowhere_without_files() {
    let (fixture, _shadow) = diverged();
    fixture.git(["switch", "-q", "-c", "work"]);
    let main_worktree = fixture.root().join("main-worktree");
    fixture.git(["worktree", "add", "-q", main_worktree.to_str().unwrap(), "main"]);
    land(&fixture, &["one", "--target", "main"]);
    assert_eq!(fixture.git_in(&main_worktree, ["status", "--porcelain"]), "");
    assert!(main_worktree.join("new/file.txt").exists());
    assert!(!fixture.repository.join("new/file.txt").exists());

    let (fixture, _shadow) = diverged();
    fixture.git(["checkout", "-q", "--detach"]);
    fixture.write("README.md", "an edit\n");
    let head = fixture.git(["rev-parse", "HEAD"]);
    land(&fixture, &["one", "--target", "main"]);
    assert_eq!(fixture.git(["rev-parse", "HEAD"]), head);
    assert_eq!(fixture.git(["status", "--porcelain"]), " M README.md");
    assert_eq!(fixture.git(["show", "main:new/file.txt"]), "new");
}

#[test]
fn what_is_under_way_on_the_target_or_in_the_shadow_stops_it() {
    let (fixture, shadow) = diverged();
    let git_dir = fixture.repository.join(".git");
    fs::write(git_dir.join("MERGE_HEAD"), "x").unwrap();
    assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "target_busy");
    fs::remove_file(git_dir.join("MERGE_HEAD")).unwrap();
    let other = fixture.shadow("two");
    let other_dir = fixture.git_in(&other, ["rev-parse", "--absolute-git-dir"]);
    write(Path::new(&other_dir), "rebase-merge/head-name", "refs/heads/main\n");
    assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "target_busy");
    fs::remove_dir_all(Path::new(&other_dir).join("rebase-merge")).unwrap();
    let own = fixture.git_in(&shadow, ["rev-parse", "--absolute-git-dir"]);
    write(Path::new(&own), "CHERRY_PICK_HEAD", "x");
    assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "shadow_busy");
}

#[test]
fn unmerged_files_of_the_user_stop_it() {
    let (fixture, _shadow) = diverged();
    fixture.write("mine.txt", "base\n");
    fixture.commit("mine");
    fixture.write("mine.txt", "stashed\n");
    fixture.git(["stash", "-q"]);
    fixture.write("mine.txt", "committed\n");
    fixture.commit("mine again");
    assert!(!fixture.git_any(&fixture.repository, ["stash", "pop"]).status.success());
    unchanged(&fixture, || {
        let (code, message) = refused(&fixture, &["land", "one", "--yes"]);
        assert_eq!(code, "target_busy");
        assert!(message.contains("mine.txt"), "{message}");
    });
}

#[test]
fn a_shadow_with_another_one_inside_lands_and_stays() {
    let (fixture, shadow) = diverged();
    let nested = shadow.join(".nested");
    fixture.git(["worktree", "add", "-q", "-b", "inner", nested.to_str().unwrap()]);
    write(&fixture.repository.join(".git"), "info/exclude", ".nested\n");
    let json = land(&fixture, &["one"]);
    assert_eq!(json["cleaned_up"], false);
    assert!(json["warnings"][0].as_str().unwrap().contains("contains another worktree"), "{json}");
    assert!(nested.join("README.md").exists());
}

#[test]
fn a_vetoing_reference_transaction_hook_stops_it_with_nothing_moved() {
    let (fixture, shadow) = diverged();
    let hook = fixture.repository.join(".git/hooks/reference-transaction");
    script(
        &hook,
        "#!/bin/sh\n[ \"$1\" = prepared ] && grep -q refs/heads/main && exit 1\nexit 0\n",
    );
    unchanged(&fixture, || {
        assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "hook_rejected");
    });
    assert!(shadow.exists());
    fs::remove_file(&hook).unwrap();
    land(&fixture, &["one", "--trust"]);
}

#[test]
fn another_git_at_work_in_the_target_stops_it_and_its_lock_stays() {
    let (fixture, _shadow) = diverged();
    let lock = fixture.repository.join(".git/index.lock");
    fs::write(&lock, "").unwrap();
    unchanged(&fixture, || {
        assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "target_busy");
    });
    assert!(lock.exists());
    fs::remove_file(&lock).unwrap();
    land(&fixture, &["one"]);
}

#[test]
fn an_approval_is_for_one_snapshot_and_a_clear_message() {
    let (fixture, _shadow) = diverged();
    let snapshot =
        fixture.program(["show", "one", "--json"]).json()["worktree"]["snapshot"].clone();
    let other = "0".repeat(40);
    let long = "x".repeat(2001);
    for (args, code) in [
        (vec!["land", "one", "--yes", "--expect", &other], "shadow_moved"),
        (vec!["land", "one", "--yes", "-m", &long], "invalid_message"),
        (vec!["land", "one", "--yes", "-m", ""], "invalid_message"),
        (vec!["land", "one"], "needs_confirmation"),
        (vec!["land", "on", "--yes"], "not_found"),
        (vec!["land", "one", "--yes", "--target", "nowhere"], "not_found"),
    ] {
        assert_eq!(refused(&fixture, &args).0, code, "{args:?}");
    }
    land(&fixture, &["one", "--expect", snapshot.as_str().unwrap()]);
    let fixture = Fixture::new();
    fixture.shadow("one");
    assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "nothing_to_land");
}

#[test]
fn a_request_is_strict() {
    let (fixture, _shadow) = diverged();
    let ask = |text: &str| {
        let dir = &fixture.repository;
        fixture.program_in(dir, ["land", "--request", "-", "--yes", "--json"], text.as_bytes())
    };
    let run = ask(r#"{"id": "one", "strategy": "merge", "force": true}"#);
    assert_eq!(run.error_code(), "invalid_value");
    assert_eq!(ask(r#"{"id": "one", "commit_message": ""}"#).error_code(), "invalid_message");
    let run = ask(r#"{"id": "one", "commit_message": "asked for"}"#);
    assert_eq!(run.json()["strategy"], "squash", "{}", run.stderr);
    assert_eq!(fixture.git(["log", "-1", "--format=%s"]), "asked for");
}

#[test]
fn a_missing_identity_is_named_and_none_is_invented() {
    let (fixture, _shadow) = diverged();
    fs::write(fixture.root().join("gitconfig"), "[user]\n\tuseConfigOnly = true\n").unwrap();
    unchanged(&fixture, || {
        let (code, message) = refused(&fixture, &["land", "one", "--yes"]);
        assert_eq!(code, "identity_missing");
        assert!(message.contains("user.name") && message.contains("user.email"), "{message}");
    });
}

#[test]
fn a_locked_shadow_lands_only_when_it_is_kept() {
    let (fixture, shadow) = diverged();
    fixture.git(["worktree", "lock", "--reason", "mine", shadow.to_str().unwrap()]);
    let (code, message) = refused(&fixture, &["land", "one", "--yes"]);
    assert_eq!(code, "locked");
    assert!(message.contains("mine"));
    land(&fixture, &["one", "--keep"]);
    assert!(shadow.exists());
}

#[test]
fn a_kept_shadow_moves_onto_the_new_target_and_back() {
    let (fixture, shadow) = diverged();
    write(&shadow, "README.md", "1\n2\n3\n4\n5\n6\n7\n8\nnine\nten\n");
    write(&shadow, "loose.txt", "loose\n");
    fixture.git_in(&shadow, ["add", "loose.txt"]);
    let git_dir = fixture.git_in(&shadow, ["rev-parse", "--absolute-git-dir"]);
    let index = fs::read(Path::new(&git_dir).join("index")).unwrap();
    let (tip, files) = (fixture.git_in(&shadow, ["rev-parse", "HEAD"]), fingerprint(&shadow));
    let status = fixture.git_in(&shadow, ["status", "--porcelain"]);
    let index_after_status = fs::read(Path::new(&git_dir).join("index")).unwrap();
    let json = land(&fixture, &["one", "--keep"]);
    assert_eq!(json["cleaned_up"], false);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), json["after"].as_str().unwrap());
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
    let first = fs::read_to_string(shadow.join("README.md")).unwrap();
    assert!(first.starts_with("one\n") && first.ends_with("nine\nten\n"), "{first}");
    let undo = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!(undo.exit_code, 0, "{}", undo.text());
    let restored = fs::read(Path::new(&git_dir).join("index")).unwrap();
    assert!(restored == index || restored == index_after_status);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), tip);
    assert_eq!(fingerprint(&shadow), files);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), status);
}

#[test]
fn conflicts_are_data_and_whole_file_choices_land() {
    let fixture = Fixture::new();
    fixture.write("gone.txt", "1\n2\n3\n");
    fixture.commit("gone.txt");
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    write(&shadow, "gone.txt", "1\n2\nthree\n");
    write(&shadow, "clean.txt", "clean\n");
    fixture.commit_in(&shadow, "agent");
    fixture.write("README.md", "user\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    fs::remove_file(fixture.repository.join("gone.txt")).unwrap();
    fixture.commit("user");
    unchanged(&fixture, || {
        let run = fixture.program(["land", "one", "--yes", "--json"]);
        assert_eq!((run.exit_code, run.error_code().as_str()), (3, "conflicts"));
        let details = &run.json()["error"]["details"];
        assert_eq!(details["files"][0]["path"], "README.md");
        assert_eq!(details["files"][1]["kind"], "modify/delete");
        assert!(details["merge_conflict"].is_object() && details["shadow_rollback"].is_object());
    });
    assert_eq!(fixture.program(["show", "one", "--json"]).json()["worktree"]["state"], "errored");
    let take = |path: &str, side: &str| {
        let run = fixture.program(["resolve", "one", path, "--take", side, "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
    };
    take("README.md", "union");
    assert_eq!(refused(&fixture, &["land", "one", "--yes"]).0, "conflicts");
    take("gone.txt", "shadow");
    land(&fixture, &["one"]);
    let readme = fs::read_to_string(fixture.repository.join("README.md")).unwrap();
    assert!(readme.starts_with("user\nagent\n2\n"), "{readme}");
    assert_eq!(fs::read_to_string(fixture.repository.join("gone.txt")).unwrap(), "1\n2\nthree\n");
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
}

#[test]
fn the_main_worktree_is_never_landed_or_discarded_and_no_shadow_lands_from_within() {
    let (fixture, shadow) = diverged();
    fixture.git(["switch", "-q", "-c", "feature"]);
    let path = fixture.repository.to_str().unwrap().to_owned();
    unchanged(&fixture, || {
        for handle in ["repository", "feature", &path] {
            assert_eq!(refused(&fixture, &["land", handle, "--yes"]).0, "not_found");
            assert_eq!(refused(&fixture, &["discard", handle, "--yes"]).0, "not_found");
        }
        let run = fixture.program_in(&shadow, ["land", "one", "--yes", "--json"], b"");
        assert_eq!(run.error_code(), "inside_shadow");
    });
}

/// One side's edits: a line of a file set to a value, or a file added or removed.
#[derive(Clone, Debug)]
enum Edit {
    Line(usize, usize),
    Add(usize),
    Remove(usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        4 => (0..4usize, 0..12usize).prop_map(|(file, line)| Edit::Line(file, line)),
        1 => (0..3usize).prop_map(Edit::Add),
        1 => (0..4usize).prop_map(Edit::Remove),
    ];
    proptest::collection::vec(edit, 0..5)
}

fn apply(dir: &Path, side: &str, edits: &[Edit]) {
    for edit in edits {
        match edit {
            Edit::Line(file, line) => {
                let path = dir.join(format!("f{file}.txt"));
                let Ok(text) = fs::read_to_string(&path) else { continue };
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines[*line] = format!("{side} {line}");
                fs::write(&path, lines.join("\n") + "\n").unwrap();
            }
            Edit::Add(file) => write(dir, format!("new{file}.txt"), format!("{side}\n")),
            Edit::Remove(file) => {
                // Removed already by an edit before.
                let _ = fs::remove_file(dir.join(format!("f{file}.txt")));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Verdict and tree equal git's for any two sides, and undo brings the shadow back byte for byte.
    #[test]
    fn random_edits_land_as_git_merges_them(
        committed in edits(), dirty in edits(), main in edits(), strategy in 0..3usize,
    ) {
        let fixture = Fixture::new();
        for file in 0..4 {
            let lines: Vec<String> = (0..12).map(|line| format!("line {line}\n")).collect();
            fixture.write(&format!("f{file}.txt"), lines.concat());
        }
        fixture.commit("files");
        let shadow = fixture.shadow("one");
        apply(&shadow, "shadow", &committed);
        fixture.commit_in(&shadow, "committed");
        apply(&shadow, "dirty", &dirty);
        apply(&fixture.repository, "main", &main);
        let before = fixture.commit("main");
        let files = fingerprint(&shadow);
        let copy = fixture.root().join("copy");
        fixture.git(["clone", "-q", ".", copy.to_str().unwrap()]);
        fixture.git_in(&copy, ["switch", "-q", "-c", "side", "origin/aide-shadow/one"]);
        apply(&copy, "dirty", &dirty);
        fixture.commit_in(&copy, "all");
        let merged = fixture.git_any(&copy, ["merge-tree", "--write-tree", "main", "side"]);
        let expected = String::from_utf8_lossy(&merged.stdout).lines().next().unwrap().to_owned();
        let same = expected == fixture.git(["rev-parse", "main^{tree}"]);
        let args = ["land", "one", "--strategy", STRATEGIES[strategy], "--yes", "--json"];
        let run = fixture.program(args);
        match run.exit_code {
            0 => {
                prop_assert!(merged.status.success());
                prop_assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), expected);
                prop_assert_eq!(fixture.git(["status", "--porcelain"]), "");
                let undo = fixture.program(["undo", "--yes", "--json"]);
                prop_assert_eq!(undo.exit_code, 0, "{}", undo.text());
            }
            // A rebase may stop where the whole would have merged: it is refused, and says so.
            3 => prop_assert!(!merged.status.success() || STRATEGIES[strategy] == "rebase"),
            _ => {
                let code = run.error_code();
                let refused_rebase = code == "wrong_state" && STRATEGIES[strategy] == "rebase";
                prop_assert!(same && code == "nothing_to_land" || refused_rebase, "{}", run.text());
            }
        }
        prop_assert_eq!(fixture.git(["rev-parse", "main"]), before);
        prop_assert_eq!(fingerprint(&shadow), files);
    }
}

/// Names that another system forbids are names here: based on them, landed, kept and taken back.
#[test]
fn every_name_that_git_takes_can_be_reviewed_landed_and_taken_back() {
    let names = [
        "a:b",
        "C:x",
        ":x",
        ":",
        ":(top)magic",
        "aux",
        "con.txt",
        "COM1",
        "NUL",
        "a\\b",
        "trail.",
        "trail ",
        "x<y",
        "q?*",
        "pipe|",
        "quo\"te",
        "new\nline",
        "-rf",
        "--",
        "HEAD",
    ];
    let fixture = Fixture::new();
    for name in &names[..names.len() / 2] {
        fixture.write(name, "1\n");
    }
    fixture.commit("half of them");
    let shadow = fixture.shadow("odd");
    for name in names {
        write(&shadow, name, "1\n2\n");
    }
    let list = fixture.program(["list", "--json"]).json();
    let row = &list["worktrees"][0];
    assert_eq!((&row["verdict"], &row["problem"]), (&"clean".into(), &serde_json::Value::Null));
    assert_eq!(row["diff_stats"]["files_changed"], names.len());
    let before = fingerprint(&shadow);
    let start = fixture.git(["rev-parse", "main"]);
    for keep in [&["--keep"][..], &[]] {
        let run = fixture.program([&["land", "odd", "-m", "x", "--yes", "--json"], keep].concat());
        assert_eq!(run.exit_code, 0, "{keep:?}: {}", run.text());
        let listed = fixture.git(["ls-tree", "-r", "-z", "--name-only", "main"]);
        assert_eq!(listed.split_terminator('\0').count(), names.len() + 1);
        let run = fixture.program(["undo", "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{keep:?}: {}", run.text());
        assert_eq!(fixture.git(["rev-parse", "main"]), start);
        assert_eq!(fingerprint(&shadow), before);
    }
}
