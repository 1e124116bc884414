//! New shadows and paths inside them: nothing that exists is reused, nothing leaves the shadow.

use std::{fs, os::unix::fs::symlink};

use crate::support::{Fixture, script, write};

fn create(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([&["create", "--json"], args].concat());
    assert_eq!(run.exit_code, 0, "{}{}", run.text(), run.stderr);
    run.json()
}

#[test]
fn the_default_convention_makes_branch_worktree_and_record() {
    let fixture = Fixture::new();
    let row = create(&fixture, &["--id", "one"]);
    assert_eq!((&row["id"], &row["branch"]), (&"one".into(), &"aide-shadow/one".into()));
    assert_eq!((&row["target"], &row["verdict"]), (&"main".into(), &"empty".into()));
    assert!(fixture.repository.join(".aide/worktrees/one/README.md").exists());
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    let generated = create(&fixture, &[]);
    assert_eq!(generated["id"].as_str().unwrap().split('-').count(), 2);
}

#[test]
fn collisions_and_bad_ids_make_nothing() {
    let fixture = Fixture::new();
    create(&fixture, &["--id", "one"]);
    fixture.git(["branch", "aide-shadow/taken"]);
    write(&fixture.repository, ".aide/worktrees/there/file", "mine\n");
    let long = "x".repeat(65);
    for (id, code) in [
        ("one", "already_exists"),
        ("taken", "already_exists"),
        ("there", "already_exists"),
        ("Bad_Id", "invalid_id"),
        ("", "invalid_id"),
        ("../x", "invalid_id"),
        ("-x", "invalid_id"),
        (&long, "invalid_id"),
    ] {
        let run = fixture.program(["create", "--json", &format!("--id={id}")]);
        assert_eq!((run.exit_code, run.error_code().as_str()), (4, code), "{id}");
    }
    assert_eq!(fixture.git(["worktree", "list", "--porcelain"]).matches("worktree ").count(), 2);
    let run = fixture.program(["create", "--json", "--base", "nowhere"]);
    assert_eq!(run.error_code(), "not_found");
}

#[test]
fn uncommitted_work_is_carried_in_and_stays_where_it_was() {
    let fixture = Fixture::new();
    fixture.write("README.md", "edited\n");
    fixture.write("loose.txt", "loose\n");
    let status = fixture.git(["status", "--porcelain"]);
    create(&fixture, &["--id", "one"]);
    let shadow = fixture.repository.join(".aide/worktrees/one");
    assert_eq!(fs::read_to_string(shadow.join("README.md")).unwrap(), "edited\n");
    assert!(shadow.join("loose.txt").exists());
    assert_eq!(fixture.git(["status", "--porcelain"]), status);
    create(&fixture, &["--id", "two", "--clean"]);
    assert!(!fixture.repository.join(".aide/worktrees/two/loose.txt").exists());
}

#[test]
fn no_hook_runs_and_an_undone_creation_can_come_back() {
    let fixture = Fixture::new();
    let hook = fixture.repository.join(".git/hooks/post-checkout");
    script(&hook, "#!/bin/sh\ntouch \"$GIT_DIR/ran\"\n");
    create(&fixture, &["--id", "one"]);
    assert!(!fixture.repository.join(".git/worktrees/one/ran").exists());
    let shadow = fixture.repository.join(".aide/worktrees/one");
    write(&shadow, "work.txt", "only copy\n");
    for expected in [false, true] {
        let run = fixture.program(["undo", "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
        assert_eq!(shadow.join("work.txt").exists(), expected);
    }
}

#[test]
fn a_path_stays_inside_the_shadow() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    symlink("/etc", shadow.join("out")).unwrap();
    fs::create_dir(shadow.join("dir")).unwrap();
    symlink("dir", shadow.join("in")).unwrap();
    let path = |relative: &str| fixture.program(["path", "one", relative, "--json"]);
    let expected = shadow.join("dir/new.txt");
    assert_eq!(path("dir/new.txt").json()["path"], expected.to_str().unwrap());
    assert_eq!(path("in/new.txt").exit_code, 0);
    for bad in ["../x", "/etc/passwd", "a/../../x", "out/passwd", "out", ".git/config"] {
        assert_eq!(path(bad).error_code(), "invalid_path", "{bad}");
    }
}

#[test]
fn undoing_an_old_create_leaves_a_newer_shadow_of_the_same_name_alone() {
    let fixture = Fixture::new();
    let operation = |args: &[&str]| {
        let run = fixture.program([args, &["--json"]].concat());
        assert_eq!(run.exit_code, 0, "{args:?}: {}", run.text());
        let log = fixture.program(["log", "--json"]).json();
        let newest = log["operations"].as_array().unwrap().last().unwrap();
        newest["operation"].as_str().unwrap().to_owned()
    };
    let first = operation(&["create", "--id", "one"]);
    operation(&["discard", "one", "--yes"]);
    operation(&["create", "--id", "one"]);
    let path = fixture.repository.join(".aide/worktrees/one");
    write(&path, "newer.txt", "work of the second\n");
    let run = fixture.program(["undo", &first, "--yes", "--json"]);
    assert_eq!(run.error_code(), "cannot_undo", "{}", run.text());
    assert!(path.join("newer.txt").exists());
}

#[test]
fn what_was_carried_in_is_the_users_own_and_never_told_as_the_shadows() {
    let fixture = Fixture::new();
    fixture.write("FAQ.md", "first\n");
    fixture.commit("a FAQ");
    fixture.write("FAQ.md", "first\nmine\n");
    fixture.write("notes.txt", "my notes\n");
    let row = create(&fixture, &["--id", "one"]);
    assert_eq!((&row["verdict"], &row["carried"]), (&"empty".into(), &row["tip"]));
    let shown = fixture.program(["show", "one"]).text();
    assert_eq!(shown.matches("your own uncommitted work, carried in").count(), 2, "{shown}");
    let shadow = fixture.repository.join(".aide/worktrees/one");
    write(&shadow, "README.md", "1\n2\n3\n4\nagent\n6\n7\n8\n9\n10\n");
    fixture.commit_in(&shadow, "x");

    // The files in the way are the very ones that were carried in, and the way on is named.
    let refused = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(refused.error_code(), "dirty_overlap");
    let help = refused.json()["error"]["help"].as_str().unwrap().to_owned();
    assert!(help.contains("commit your work there first"), "{help}");

    // A message is drafted from the agent's commits alone.
    let args = ["land", "one", "--only", "README.md", "--dry-run"];
    let part = fixture.program(args).text();
    assert!(part.contains('x') && !part.contains("Uncommitted work of the workspace"), "{part}");

    fixture.commit("my own work");
    let landed = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(landed.exit_code, 0, "{}", landed.text());
    assert_eq!(fixture.git(["log", "-1", "--format=%s", "main"]), "x");
    assert_eq!(fixture.git(["diff", "--name-only", "main^", "main"]), "README.md");
    let warned = landed.json()["warnings"].to_string();
    assert!(!warned.contains("carried in"), "{warned}");
}

#[test]
fn a_landing_that_takes_carried_work_along_says_so() {
    let fixture = Fixture::new();
    fixture.write("notes.txt", "my notes\n");
    create(&fixture, &["--id", "one"]);
    let shadow = fixture.repository.join(".aide/worktrees/one");
    write(&shadow, "README.md", "agent\n");
    fixture.commit_in(&shadow, "x");
    fixture.git(["stash", "-u", "-q"]);
    let plan = fixture.program(["land", "one", "--dry-run", "--json"]).json();
    let warned = plan["warnings"].to_string();
    assert!(warned.contains("carried in when it was made, lands too: notes.txt"), "{warned}");
}
