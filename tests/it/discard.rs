//! Discarding and its undo: every byte, mode, link, index entry and reflog comes back.

use std::{fs, os::unix::fs::symlink, path::Path, sync::atomic::AtomicBool};

use shadowdeck::{
    config::Config,
    ops::{Deck, discard, list},
    shadow::ShadowId,
};

use crate::support::{Fixture, fingerprint, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn code(fixture: &Fixture, args: &[&str]) -> String {
    fixture.program([args, &["--yes", "--json"]].concat()).error_code()
}

/// Everything of a shadow that git or a person could tell apart. Index bytes are read before any `status`.
fn whole(fixture: &Fixture, shadow: &Path) -> (Vec<u8>, String, String, String, String) {
    let git_dir = shadow.join(fixture.git_in(shadow, ["rev-parse", "--absolute-git-dir"]));
    let index = fs::read(git_dir.join("index")).unwrap();
    let head_log = fs::read_to_string(git_dir.join("logs/HEAD")).unwrap();
    let branch = fixture.git_in(shadow, ["symbolic-ref", "HEAD"]);
    let branch_log =
        fs::read_to_string(fixture.repository.join(".git/logs").join(&branch)).unwrap();
    let registered = fixture.git(["worktree", "list", "--porcelain"]);
    let tip = fixture.git_in(shadow, ["rev-parse", "HEAD"]);
    (index, head_log, branch_log, registered, branch + &tip)
}

fn crowded(fixture: &Fixture, name: &str) -> std::path::PathBuf {
    let shadow = fixture.shadow(name);
    write(&shadow, "kept.txt", "kept\n");
    fixture.commit_in(&shadow, "kept");
    write(&shadow, "amended.txt", "first try\n");
    fixture.commit_in(&shadow, "amended");
    fixture.git_in(&shadow, ["commit", "-q", "--amend", "-m", "amended twice"]);
    write(&shadow, "staged.txt", "v1, only in the index\n");
    fixture.git_in(&shadow, ["add", "staged.txt"]);
    write(&shadow, "staged.txt", "v2\n");
    write(&shadow, "untracked/deep.txt", "untracked\n");
    write(&shadow, ".gitignore", ".env\n");
    write(&shadow, ".env", "SECRET=1\n");
    fs::create_dir(shadow.join("empty")).unwrap();
    symlink("nowhere", shadow.join("dangling")).unwrap();
    shadow
}

#[test]
fn a_discard_and_its_undo_are_byte_identical() {
    let fixture = Fixture::new();
    let shadow = crowded(&fixture, "one");
    let (files, before) = (fingerprint(&shadow), whole(&fixture, &shadow));
    let main = (fixture.git(["rev-parse", "main"]), fixture.git(["status", "--porcelain"]));
    let json = run(&fixture, &["discard", "one"]);
    assert_eq!(json["shadows"][0], "one");
    assert!(!shadow.exists());
    assert_eq!(fixture.git(["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
    assert_eq!(fixture.git(["branch", "--list", "aide-shadow/*"]), "");
    // Neither a bare prune nor a hard gc may take what the trash needs.
    fixture.git(["worktree", "prune", "--expire=now"]);
    fixture.git(["reflog", "expire", "--expire=now", "--all"]);
    fixture.git(["gc", "-q", "--prune=now"]);
    run(&fixture, &["undo"]);
    assert_eq!(whole(&fixture, &shadow), before);
    assert_eq!(fingerprint(&shadow), files);
    assert_eq!(fixture.git_in(&shadow, ["show", ":staged.txt"]), "v1, only in the index");
    assert_eq!(fixture.git_in(&shadow, ["log", "-1", "--format=%s", "HEAD@{1}"]), "amended");
    assert_eq!(main, (fixture.git(["rev-parse", "main"]), fixture.git(["status", "--porcelain"])));
    assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "");
}

#[test]
fn git_run_in_the_trash_finds_no_repository() {
    let fixture = Fixture::new();
    crowded(&fixture, "one");
    let operation = run(&fixture, &["discard", "one"])["operation"].as_str().unwrap().to_owned();
    let trashed =
        fixture.repository.join(".git/shadowdeck/trash").join(operation).join("one/worktree");
    assert!(trashed.join(".env").exists());
    assert!(!fixture.git_any(&trashed, ["status"]).status.success());
}

#[test]
fn many_are_one_operation() {
    let fixture = Fixture::new();
    let shadows = ["a", "b", "c"].map(|name| crowded(&fixture, name));
    let files = shadows.clone().map(|shadow| fingerprint(&shadow));
    run(&fixture, &["discard", "a", "b", "c"]);
    assert!(shadows.iter().all(|shadow| !shadow.exists()));
    run(&fixture, &["undo"]);
    assert_eq!(shadows.map(|shadow| fingerprint(&shadow)), files);
    let log = fixture.program(["log", "--json"]).json();
    let of_log = |key: &str| {
        log["operations"].as_array().unwrap().iter().map(|o| o[key].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of_log("verb"), ["discard", "undo"]);
    assert_eq!(of_log("status"), ["undone", "done"]);
}

#[test]
fn what_may_not_go_is_refused_by_name_and_with_it_all_others() {
    let fixture = Fixture::new();
    let (free, locked) = (crowded(&fixture, "free"), crowded(&fixture, "held"));
    fixture.git(["worktree", "lock", locked.to_str().unwrap()]);
    assert_eq!(code(&fixture, &["discard", "free", "held"]), "locked");
    assert!(free.exists() && locked.exists());
    let nested = free.join("nested");
    fixture.git(["worktree", "add", "-q", "-b", "inner", nested.to_str().unwrap()]);
    assert_eq!(code(&fixture, &["discard", "free"]), "wrong_state");
    assert!(nested.exists());
    let broken = crowded(&fixture, "broken");
    fs::remove_file(broken.join(".git")).unwrap();
    assert_eq!(code(&fixture, &["discard", "broken"]), "wrong_state");
    assert!(broken.join(".env").exists());
}

#[test]
fn a_process_at_work_in_it_is_named() {
    let fixture = Fixture::new();
    let shadow = crowded(&fixture, "one");
    let mut agent = fixture.child("sleep", &shadow).arg("60").spawn().unwrap();
    let run = fixture.program(["discard", "one", "--yes", "--json"]);
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert_eq!(run.error_code(), "shadow_busy");
    assert!(run.text().contains(&agent.id().to_string()));
    assert!(shadow.exists());
}

#[test]
fn undo_is_refused_where_something_new_has_its_place() {
    let fixture = Fixture::new();
    let shadow = crowded(&fixture, "one");
    run(&fixture, &["discard", "one"]);
    fs::create_dir_all(&shadow).unwrap();
    fs::write(shadow.join("new.txt"), "new\n").unwrap();
    assert_eq!(code(&fixture, &["undo"]), "cannot_undo");
    fs::remove_dir_all(&shadow).unwrap();
    fixture.git(["branch", "aide-shadow/one", "main"]);
    assert_eq!(code(&fixture, &["undo"]), "cannot_undo");
    fixture.git(["branch", "-D", "-q", "aide-shadow/one"]);
    run(&fixture, &["undo"]);
    assert!(shadow.join(".env").exists());
}

#[test]
fn a_shadow_whose_directory_is_gone_leaves_its_registration_and_branch_to_the_trash() {
    let fixture = Fixture::new();
    let shadow = crowded(&fixture, "one");
    let tip = fixture.git_in(&shadow, ["rev-parse", "HEAD"]);
    fs::remove_dir_all(&shadow).unwrap();
    run(&fixture, &["discard", "one"]);
    assert_eq!(fixture.git(["branch", "--list", "aide-shadow/*"]), "");
    fixture.git(["gc", "-q", "--prune=now"]);
    run(&fixture, &["undo"]);
    assert_eq!(fixture.git(["rev-parse", "aide-shadow/one"]), tip);
    let registration = fixture.repository.join(".git/worktrees/one");
    assert!(registration.join("index").exists());
    fixture.git(["worktree", "lock", shadow.to_str().unwrap()]);
    assert_eq!(code(&fixture, &["discard", "one"]), "locked");
}

#[test]
fn an_emptied_trash_is_told_before_anything_is_undone() {
    let fixture = Fixture::new();
    crowded(&fixture, "one");
    run(&fixture, &["discard", "one"]);
    fs::remove_dir_all(fixture.repository.join(".git/shadowdeck/trash")).unwrap();
    assert_eq!(code(&fixture, &["undo"]), "cannot_undo");
    assert_eq!(fixture.git(["branch", "--list", "aide-shadow/*"]), "");
}

/// What the sheet says before anything goes, counted by plain git.
#[test]
fn the_plan_says_what_is_nowhere_else() {
    let fixture = Fixture::new();
    let own = fixture.shadow("own");
    for name in ["one.txt", "two.txt"] {
        write(&own, name, "only here\n");
        fixture.commit_in(&own, name);
    }
    let detached = fixture.shadow("detached");
    fixture.git_in(&detached, ["switch", "-q", "--detach"]);
    write(&detached, "loose.txt", "on no branch\n");
    fixture.commit_in(&detached, "loose");
    let squashed = fixture.shadow("squashed");
    write(&squashed, "squashed.txt", "landed by hand\n");
    fixture.commit_in(&squashed, "squashed");
    fixture.git(["merge", "-q", "--squash", &fixture.git_in(&squashed, ["rev-parse", "HEAD"])]);
    fixture.git(["commit", "-q", "-m", "by hand"]);

    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let ids = ["own", "detached", "squashed"].map(|id| ShadowId(id.to_owned()));
    let plan = discard::plan(&deck, &ids).unwrap();
    let told = |name: &str| {
        let entry = plan.entries.iter().find(|entry| entry.id.0 == name).unwrap();
        (entry.holds.commits, entry.holds.elsewhere.is_some())
    };
    assert_eq!(told("own"), (2, false));
    assert_eq!(told("detached"), (1, false));
    assert_eq!(told("squashed"), (1, true));
    let listed = list::read_fleet(&deck, &AtomicBool::new(false)).unwrap();
    for entry in &plan.entries {
        let row = listed.rows.iter().find(|row| row.id == entry.id).unwrap();
        assert_eq!(entry.last_activity_ms, row.last_activity_ms, "{}", entry.id);
    }
}
