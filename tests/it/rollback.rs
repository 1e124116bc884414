//! `commit` and `rollback`: a shadow in its own place, with plain git as the oracle.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::support::{Fixture, fingerprint, script, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn refused(fixture: &Fixture, args: &[&str]) -> String {
    let run = fixture.program([args, &["--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    run.error_code()
}

/// Commits of its own, staged, unstaged, untracked and ignored files, a deleted and a renamed one.
fn full() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write(".gitignore", ".env\n");
    fixture.write("gone.txt", "gone\n");
    fixture.write("moved.txt", "moved\n");
    fixture.commit("more");
    let shadow = fixture.shadow("one");
    write(&shadow, "done.txt", "done\n");
    fixture.commit_in(&shadow, "done");
    write(&shadow, "staged.txt", "staged\n");
    fixture.git_in(&shadow, ["add", "staged.txt"]);
    write(&shadow, "staged.txt", "staged, and edited since\n");
    write(&shadow, "README.md", "edited\n");
    write(&shadow, "deep/er/untracked.sh", "only copy\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(shadow.join("deep/er/untracked.sh"), mode).unwrap();
    std::os::unix::fs::symlink("nowhere", shadow.join("link")).unwrap();
    write(&shadow, ".env", "K=1\n");
    fs::remove_file(shadow.join("gone.txt")).unwrap();
    fixture.git_in(&shadow, ["mv", "moved.txt", "elsewhere.txt"]);
    (fixture, shadow)
}

fn state(fixture: &Fixture, shadow: &Path) -> impl PartialEq + std::fmt::Debug + use<> {
    let time =
        |name: &PathBuf| fs::symlink_metadata(shadow.join(name)).unwrap().modified().unwrap();
    let files = fingerprint(shadow);
    let times: Vec<_> = files
        .keys()
        .filter(|name| !shadow.join(name).is_dir())
        .map(|n| (n.clone(), time(n)))
        .collect();
    let status = fixture.git_in(shadow, ["status", "--porcelain=v2", "-uall"]);
    let log = fixture.git_in(shadow, ["log", "--format=%H %s"]);
    (files, times, status, log, fixture.git(["for-each-ref", "refs/heads"]))
}

#[test]
fn a_commit_takes_all_and_changes_no_file() {
    let (fixture, shadow) = full();
    let (before, files) = (state(&fixture, &shadow), fingerprint(&shadow));
    let tip = fixture.git_in(&shadow, ["rev-parse", "HEAD"]);
    let json = run(&fixture, &["commit", "one", "-m", "all of it"]);
    assert_eq!(json["commit"], fixture.git(["rev-parse", "aide-shadow/one"]).as_str());
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^"]), tip);
    assert_eq!(fixture.git_in(&shadow, ["log", "-1", "--format=%s"]), "all of it");
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain", "--ignored"]), "!! .env");
    assert_eq!(fingerprint(&shadow), files);
    // What git itself would have committed.
    fixture.git_in(&shadow, ["reset", "-q", "--soft", "HEAD^"]);
    fixture.git_in(&shadow, ["add", "-A"]);
    let oracle = fixture.git_in(&shadow, ["write-tree"]);
    fixture.git_in(&shadow, ["reset", "-q", "--soft", json["commit"].as_str().unwrap()]);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^{tree}"]), oracle);
    assert_eq!(refused(&fixture, &["commit", "one", "-m", "again"]), "wrong_state");
    assert_eq!(fixture.program(["list", "--json"]).json()["worktrees"][0]["state"], "committed");
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    let log = fixture.program(["log", "--json"]).json();
    assert_eq!(log["operations"][0]["verb"], "commit");
    assert_eq!(log["operations"][0]["before"], tip.as_str());
    assert_eq!(log["operations"][0]["status"], "undone");
}

#[test]
fn an_agent_may_commit_from_within_but_no_hook_of_its_runs() {
    let (fixture, shadow) = full();
    let hooks = fixture.repository.join(".git/hooks");
    script(&hooks.join("pre-commit"), "#!/bin/sh\ntouch \"$HOME/it-ran\"\n");
    let args = ["commit", "one", "-m", "m", "--json"];
    let inside = fixture.program_in(&shadow, args, b"");
    assert_eq!(inside.error_code(), "not_trusted");
    assert!(inside.text().contains("pre-commit"));
    let passed = fixture.program_in(&shadow, ["commit", "one", "-m", "m", "--no-verify"], b"");
    assert_eq!(passed.exit_code, 0, "{}", passed.stderr);
    assert!(!fixture.root().join("home/it-ran").exists());
    assert_eq!(refused(&fixture, &["commit", "one", "-m", " "]), "invalid_message");
}

#[test]
fn a_rollback_leaves_the_base_and_its_undo_every_byte_and_time() {
    let (fixture, shadow) = full();
    let base = fixture.git(["rev-parse", "main"]);
    let before = state(&fixture, &shadow);
    let json = run(&fixture, &["rollback", "one", "--yes"]);
    assert_eq!(json["after"], base.as_str());
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), base);
    assert_eq!(fixture.git_in(&shadow, ["branch", "--show-current"]), "aide-shadow/one");
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain", "--ignored"]), "!! .env");
    assert_eq!(fs::read_to_string(shadow.join(".env")).unwrap(), "K=1\n");
    assert!(!shadow.join("deep").exists() && shadow.join("gone.txt").exists());
    assert_eq!(fixture.program(["list", "--json"]).json()["worktrees"][0]["state"], "rolled_back");
    assert_eq!(refused(&fixture, &["rollback", "one", "--yes"]), "wrong_state");
    // Nothing but pins holds what it had, and they hold through git's own cleaning.
    fixture.git(["reflog", "expire", "--expire=now", "--all"]);
    fixture.git(["gc", "-q", "--prune=now"]);
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    run(&fixture, &["redo", "--yes"]);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), base);
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
}

#[test]
fn a_rollback_asks_for_a_yes_a_whole_name_and_a_quiet_shadow() {
    let (fixture, shadow) = full();
    let before = state(&fixture, &shadow);
    assert_eq!(refused(&fixture, &["rollback", "one"]), "needs_confirmation");
    assert_eq!(refused(&fixture, &["rollback", "on", "--yes"]), "not_found");
    let inside = fixture.program_in(&shadow, ["rollback", "one", "--yes", "--json"], b"");
    assert_eq!(inside.error_code(), "inside_shadow");
    let mut agent = fixture.child("sleep", &shadow).arg("600").spawn().unwrap();
    let busy = refused(&fixture, &["rollback", "one", "--yes"]);
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert_eq!(busy, "shadow_busy");
    fixture.git(["worktree", "lock", shadow.to_str().unwrap()]);
    assert_eq!(refused(&fixture, &["rollback", "one", "--yes"]), "locked");
    fixture.git(["worktree", "unlock", shadow.to_str().unwrap()]);
    assert_eq!(state(&fixture, &shadow), before);
    // Work that came after it is never gone over by its undo.
    run(&fixture, &["rollback", "one", "--yes"]);
    write(&shadow, "README.md", "written after the rollback\n");
    assert_eq!(refused(&fixture, &["undo", "--yes"]), "cannot_undo");
    assert_eq!(
        fs::read_to_string(shadow.join("README.md")).unwrap(),
        "written after the rollback\n"
    );
}

#[test]
fn a_created_shadow_goes_back_to_the_work_it_was_given() {
    let fixture = Fixture::new();
    fixture.write("mine.txt", "carried in\n");
    run(&fixture, &["create", "--id", "given"]);
    let shadow = fixture.repository.join(".aide/worktrees/given");
    let base = fixture.git_in(&shadow, ["rev-parse", "HEAD"]);
    write(&shadow, "mine.txt", "spoilt\n");
    fixture.commit_in(&shadow, "spoil");
    run(&fixture, &["rollback", "given", "--yes"]);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), base);
    assert_eq!(fs::read_to_string(shadow.join("mine.txt")).unwrap(), "carried in\n");
}

#[test]
fn a_shadow_with_only_uncommitted_work_is_rolled_back_too() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n");
    write(&shadow, "new.txt", "only copy\n");
    write(&shadow, "staged.txt", "staged\n");
    fixture.git_in(&shadow, ["add", "staged.txt"]);
    let before = state(&fixture, &shadow);
    run(&fixture, &["rollback", "one", "--yes"]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
    assert!(!shadow.join("new.txt").exists());
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    run(&fixture, &["redo", "--yes"]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
}

/// A git whose `read-tree -u` does its work once and then fails, and fails at once from then on: what was moved stays
/// moved, and the same way does not lead back.
#[test]
fn a_rollback_that_fails_halfway_and_cannot_go_back_by_git_leaves_every_file() {
    let (fixture, shadow) = full();
    let before = state(&fixture, &shadow);
    let bin = fixture.root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let git = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|dir| dir.join("git"))
        .find(|git| git.is_file())
        .unwrap();
    let body = format!(
        "#!/bin/sh\ncase \" $* \" in *\" read-tree \"*\" -u \"*)\n[ -e '{mark}' ] || {{ touch '{mark}'; '{git}' \"$@\"; }}\nexit 128;; esac\nexec '{git}' \"$@\"\n",
        mark = bin.join("failed").display(),
        git = git.display(),
    );
    script(&bin.join("git"), &body);
    let (exit_code, json) = crate::mended::run_with(&fixture, &bin, &["rollback", "one"]);
    assert_ne!(exit_code, 0, "{json}");
    assert!(bin.join("failed").exists());
    assert_eq!(state(&fixture, &shadow), before, "{json}");
    // Nothing of it is left that emptying the trash could take.
    run(&fixture, &["gc", "--yes"]);
    run(&fixture, &["rollback", "one", "--yes"]);
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
}

#[test]
fn what_could_not_be_removed_is_named_before_anything_moves() {
    let (fixture, shadow) = full();
    let before = state(&fixture, &shadow);
    let registration = fixture.repository.join(".git/worktrees/one");
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (dir, named) in [(shadow.join("deep/er"), "deep/er/untracked.sh"), (registration, "one")] {
        set(&dir, 0o555);
        // Who may write all the same, as root may, is not hindered.
        let hindered = fs::create_dir(dir.join("probe")).is_err();
        let _ = fs::remove_dir(dir.join("probe"));
        if hindered {
            let refusal = fixture.program(["rollback", "one", "--yes", "--json"]);
            assert_eq!(refusal.error_code(), "io", "{}", refusal.text());
            assert!(refusal.text().contains(named), "{}", refusal.text());
        }
        set(&dir, 0o755);
        assert_eq!(state(&fixture, &shadow), before);
    }
}

#[test]
fn another_gits_lock_in_the_shadow_is_named_by_whatever_meets_it_and_stays() {
    let (fixture, shadow) = full();
    let lock = fixture.repository.join(".git/worktrees/one/index.lock");
    let refused = |args: &[&str]| {
        let before = state(&fixture, &shadow);
        fs::write(&lock, "").unwrap();
        // Older than any operation of ours.
        let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        fs::File::options().write(true).open(&lock).unwrap().set_modified(hour_ago).unwrap();
        let run = fixture.program([args, &["--json"]].concat());
        assert!(run.text().contains("worktrees/one/index.lock"), "{args:?}: {}", run.text());
        assert!(lock.exists());
        fs::remove_file(&lock).unwrap();
        assert_eq!(state(&fixture, &shadow), before, "{args:?}");
        run
    };
    let commit = &["commit", "one", "-m", "x"][..];
    let rollback = &["rollback", "one", "--yes"][..];
    for args in [commit, rollback] {
        assert_eq!(refused(args).error_code(), "shadow_busy", "{args:?}");
        run(&fixture, args);
        let undo = refused(&["undo", "--yes"]);
        assert_eq!(undo.error_code(), "shadow_busy");
        assert!(undo.text().contains("wait for that git to end"), "{}", undo.text());
        run(&fixture, &["undo", "--yes"]);
    }
    run(&fixture, &["land", "one", "--keep", "--yes"]);
}

/// Tracked files became directories, and a directory a file; what is there now is ignored, in part or all of it.
pub(crate) fn in_the_way() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write(".gitignore", "*.env\nbuild/\nalone/\nwas-dir\n");
    for name in ["config", "build", "alone"] {
        fixture.write(name, format!("{name}, a file\n"));
    }
    fixture.write("was-dir/inner.txt", "inner\n");
    fixture.git(["add", "-f", "."]);
    fixture.commit("files");
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["rm", "-q", "-r", "config", "build", "alone", "was-dir"]);
    write(&shadow, "config/tracked.txt", "tracked\n");
    write(&shadow, "config/secret.env", "K=1\n");
    write(&shadow, "build/out/deep.o", "only copy\n");
    fs::create_dir_all(shadow.join("build/empty/er")).unwrap();
    fs::create_dir_all(shadow.join("alone/empty")).unwrap();
    write(&shadow, "was-dir", "a file now, and ignored\n");
    std::os::unix::fs::symlink("nowhere", shadow.join("build/link")).unwrap();
    let mode = |name: &str, mode| {
        fs::set_permissions(shadow.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("config/secret.env", 0o600);
    mode("config/tracked.txt", 0o640);
    mode("config", 0o750);
    mode("build/out", 0o700);
    (fixture, shadow)
}

#[test]
fn ignored_files_where_the_base_has_its_own_are_named_make_room_and_come_back() {
    let (fixture, shadow) = in_the_way();
    let before = state(&fixture, &shadow);
    let asked = fixture.program(["rollback", "one"]);
    assert!(asked.stderr.contains("config/secret.env"), "{}", asked.stderr);
    assert_eq!(state(&fixture, &shadow), before);
    let json = run(&fixture, &["rollback", "one", "--yes"]);
    let named = ["build/link", "build/out/deep.o", "config/secret.env", "was-dir"];
    assert_eq!(json["ignored"], serde_json::json!(named));
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain", "--ignored"]), "");
    assert_eq!(fs::read_to_string(shadow.join("build")).unwrap(), "build, a file\n");
    assert!(shadow.join("alone").is_file() && shadow.join("was-dir/inner.txt").exists());
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    run(&fixture, &["redo", "--yes"]);
    assert!(shadow.join("build").is_file());
    // What came in their place is not gone over either.
    fs::remove_file(shadow.join("was-dir/inner.txt")).unwrap();
    fixture.git_in(&shadow, ["checkout", "-q", "--", "was-dir"]);
    write(&shadow, "was-dir/mine.env", "newer\n");
    let refusal = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!(refusal.error_code(), "cannot_undo", "{}", refusal.text());
    assert!(refusal.text().contains("was-dir/mine.env"), "{}", refusal.text());
    fs::remove_file(shadow.join("was-dir/mine.env")).unwrap();
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    // In the way only since it was undone: named, and nothing is gone over.
    write(&shadow, "build/new.o", "newer\n");
    let refusal = fixture.program(["redo", "--yes", "--json"]);
    assert_eq!(refusal.error_code(), "dirty_overlap", "{}", refusal.text());
    assert!(refusal.text().contains("build/new.o"), "{}", refusal.text());
    assert_eq!(fs::read_to_string(shadow.join("build/new.o")).unwrap(), "newer\n");
}

#[test]
fn a_landing_s_undo_gives_back_the_modes_of_files_and_directories() {
    let fixture = Fixture::new();
    fixture.write("private/key.txt", "key\n");
    fixture.write("gone/deep/only.txt", "only\n");
    fixture.commit("more");
    let shadow = fixture.shadow("one");
    write(&shadow, "private/key.txt", "changed\n");
    fs::remove_dir_all(shadow.join("gone")).unwrap();
    fixture.commit_in(&shadow, "change and delete");
    let at = |name: &str| fixture.repository.join(name);
    let set = |name: &str, mode| {
        fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    let modes = || {
        let names = ["private/key.txt", "gone", "gone/deep", "gone/deep/only.txt"];
        names.map(|name| fs::symlink_metadata(at(name)).unwrap().permissions().mode() & 0o7777)
    };
    set("private/key.txt", 0o600);
    set("gone/deep/only.txt", 0o640);
    set("gone/deep", 0o700);
    set("gone", 0o2750);
    let before = modes();
    for _ in 0..2 {
        run(&fixture, &["land", "one", "--yes"]);
        assert!(!at("gone").exists());
        set("private/key.txt", 0o660);
        run(&fixture, &["undo", "--yes"]);
        assert_eq!(modes(), before);
        run(&fixture, &["redo", "--yes"]);
        assert_eq!(
            fs::symlink_metadata(at("private/key.txt")).unwrap().permissions().mode() & 0o7777,
            0o660
        );
        run(&fixture, &["undo", "--yes"]);
        assert_eq!(modes(), before);
    }
}

#[test]
fn a_rollback_over_a_submodules_move_is_undone() {
    let fixture = Fixture::new();
    let library = fixture.root().join("library");
    fs::create_dir_all(&library).unwrap();
    fixture.git_in(&library, ["init", "-q", "-b", "main"]);
    write(&library, "lib.txt", "one\n");
    fixture.commit_in(&library, "one");
    let allow = "protocol.file.allow=always";
    let url = library.to_str().unwrap();
    fixture.git(["-c", allow, "submodule", "--quiet", "add", url, "lib"]);
    fixture.commit("submodule");
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["-c", allow, "submodule", "--quiet", "update", "--init"]);
    write(&shadow.join("lib"), "lib.txt", "two\n");
    fixture.commit_in(&shadow.join("lib"), "two");
    fixture.git_in(&shadow.join("lib"), ["push", "-q", "origin", "HEAD:refs/heads/two"]);
    fixture.commit_in(&shadow, "bump");
    write(&shadow, "untracked.txt", "only copy\n");
    let before = state(&fixture, &shadow);
    run(&fixture, &["rollback", "one", "--yes"]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), " M lib");
    run(&fixture, &["undo", "--yes"]);
    assert_eq!(state(&fixture, &shadow), before);
    // What the submodule moved to since is somebody's work.
    run(&fixture, &["rollback", "one", "--yes"]);
    write(&shadow.join("lib"), "lib.txt", "three\n");
    fixture.commit_in(&shadow.join("lib"), "three");
    assert_eq!(refused(&fixture, &["undo", "--yes"]), "cannot_undo");
}

#[test]
fn a_shadow_that_was_removed_meanwhile_is_not_found_and_no_fault_of_the_disk() {
    let (fixture, shadow) = full();
    let place = shadowdeck::git::obstacles::Place {
        worktree: shadow,
        git_dir: fixture.repository.join(".git/worktrees/gone"),
        timeout: std::time::Duration::from_secs(9),
    };
    let report = shadowdeck::git::shadow_worktree::refuse_unwritable(&place, &[]).unwrap_err();
    assert_eq!(report.code.as_str(), "not_found", "{report:?}");
}

/// Runs the program till the `at`-th place between two of its own steps; whether it came so far.
fn kill(fixture: &Fixture, args: &[&str], at: u32) -> bool {
    let status = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(args)
        .env("SHADOWDECK_DIE_AT", at.to_string())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(matches!(status.code(), None | Some(0)), "{args:?} at {at}: {status}");
    status.code().is_none()
}

/// Whoever writes into a file with a second name in the trash would write into both.
#[test]
fn what_was_kept_for_a_move_that_never_came_has_no_second_name() {
    for args in [&["rollback", "one", "--yes"][..], &["land", "one", "--keep", "--yes"]] {
        let (fixture, shadow) = full();
        fixture.write("of-main.txt", "main\n");
        fixture.write("moved.txt", "moved\n");
        fixture.commit("main goes on");
        let links = || -> Vec<PathBuf> {
            let is_linked = |name: &PathBuf| {
                let about = fs::symlink_metadata(shadow.join(name)).unwrap();
                !about.is_dir() && about.nlink() > 1
            };
            fingerprint(&shadow).into_keys().filter(is_linked).collect()
        };
        let before = state(&fixture, &shadow);
        for at in 1.. {
            let killed = kill(&fixture, args, at);
            let list = fixture.program(["list", "--json"]);
            assert_eq!(list.exit_code, 0, "{args:?} at {at}: {}", list.stderr);
            if state(&fixture, &shadow) != before {
                assert!(at > 10, "{args:?}");
                break;
            }
            assert!(killed, "{args:?} at {at}");
            assert_eq!(links(), Vec::<PathBuf>::new(), "{args:?} at {at}: {}", list.stderr);
        }
    }
}

/// At each place between two of its own steps: before or after, and every byte of what is ignored comes back.
#[test]
fn a_rollback_over_ignored_files_killed_between_its_own_steps_loses_none() {
    for (args, undone) in [(&["rollback", "one", "--yes"][..], false), (&["undo", "--yes"], true)] {
        for at in (1..).step_by(3) {
            let (fixture, shadow) = in_the_way();
            let before = state(&fixture, &shadow);
            if undone {
                run(&fixture, &["rollback", "one", "--yes"]);
            }
            let killed = kill(&fixture, args, at);
            let list = fixture.program(["list", "--json"]);
            assert_eq!(list.exit_code, 0, "{at}: {}", list.stderr);
            if state(&fixture, &shadow) != before {
                assert!(!undone || killed, "{at}: {}", list.stderr);
                assert!(shadow.join("build").is_file(), "{args:?} at {at}: {}", list.stderr);
                run(&fixture, &["undo", "--yes"]);
            }
            assert_eq!(state(&fixture, &shadow), before, "{args:?} at {at}: {}", list.stderr);
            if !killed {
                assert!(at > 10);
                break;
            }
        }
    }
}
