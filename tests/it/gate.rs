//! The gate: what may be touched, what is refused, each by its name.

use std::{fs, os::unix::ffi::OsStrExt, path::Path};

use crate::support::{Fixture, Run, fingerprint, script, write};

fn list_in(fixture: &Fixture, dir: &Path) -> Run {
    fixture.program_in(dir, ["list", "--json"], b"")
}

fn refused(run: &Run, code: &str) {
    assert_eq!((run.exit_code, run.error_code().as_str()), (4, code), "{}", run.text());
    assert!(!run.stderr.is_empty(), "text goes to stderr as well");
}

#[test]
fn no_repository_and_no_commit_are_errors_of_their_own() {
    let fixture = Fixture::unborn();
    refused(&list_in(&fixture, &fixture.root()), "not_a_repository");
    refused(&fixture.program(["-C", "nowhere", "list", "--json"]), "not_a_repository");
    refused(&list_in(&fixture, &fixture.repository), "unborn_head");
}

#[test]
fn a_linked_worktree_is_a_good_start() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "deep/er/new.txt", "new\n");
    for dir in [&shadow, &shadow.join("deep/er")] {
        let run = list_in(&fixture, dir);
        assert_eq!(run.json()["worktrees"][0]["diff_stats"]["files_changed"], 1);
    }
    let by_path = fixture.program_in(&shadow, ["show", ".", "--json"], b"");
    assert_eq!(by_path.json()["worktree"]["id"], "one");
}

#[test]
fn an_unborn_branch_in_one_shadow_is_that_rows_problem() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    let path = fixture.root().join("shadows/orphan");
    fixture.git(["worktree", "add", "-q", "--orphan", "-b", "fresh", path.to_str().unwrap()]);
    let list = list_in(&fixture, &fixture.repository).json();
    let rows = list["worktrees"].as_array().unwrap();
    let orphan = rows.iter().find(|row| row["id"] == "orphan").unwrap();
    assert!(orphan["problem"].as_str().unwrap().contains("no commit yet"), "{orphan}");
    assert_eq!(rows.len(), 2);
}

#[test]
fn what_git_refuses_is_refused_by_name() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    fixture.git(["config", "core.repositoryformatversion", "1"]);
    fixture.git(["config", "extensions.frobnicate", "true"]);
    let run = list_in(&fixture, &fixture.repository);
    refused(&run, "unsupported_repository");
    assert!(run.text().contains("frobnicate"), "{}", run.text());
}

/// `main` of three lines with one shadow, `one`, whose refs are a reftable; `None` where git knows none.
fn reftable(fixture: &Fixture) -> Option<std::path::PathBuf> {
    let path = fixture.root().join("reftable");
    let init = ["init", "-q", "--ref-format=reftable", path.to_str().unwrap()];
    if !fixture.git_any(&fixture.root(), init).status.success() {
        return None;
    }
    write(&path, "a.txt", "1\n2\n3\n");
    fixture.commit_in(&path, "base");
    fixture.git_in(&path, ["worktree", "add", "-q", "-b", "box/one", "../one"]);
    fixture.git_in(&path, ["worktree", "add", "-q", "-b", "box/fresh", "../fresh"]);
    let shadow = fixture.root().join("one");
    write(&shadow, "a.txt", "1\n2\n3\n4\n");
    fixture.commit_in(&shadow, "four");
    write(&shadow, "new.txt", "new\n");
    Some(path)
}

#[test]
fn a_reftable_repository_is_read_through_git() {
    let fixture = Fixture::unborn();
    let Some(path) = reftable(&fixture) else { return };
    let list = list_in(&fixture, &path);
    assert_eq!(list.exit_code, 0, "{}", list.stderr);
    let list = list.json();
    let row = |id: &str| {
        let rows = list["worktrees"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap().clone()
    };
    let one = row("one");
    assert_eq!(one["branch"], "box/one");
    assert_eq!(
        (&one["ahead"], &one["behind"], &one["verdict"]),
        (&1.into(), &0.into(), &"clean".into())
    );
    assert_eq!(one["diff_stats"]["files_changed"], 2);
    assert_eq!(one["diff_stats"]["insertions"], 2);
    assert_eq!(one["tip"].as_str().unwrap(), fixture.git_in(&path, ["rev-parse", "box/one"]));
    assert_eq!(row("fresh")["verdict"], "empty");
    let stat = fixture.program_in(&path, ["diff", "one", "--numstat"], b"");
    assert_eq!(stat.text(), "1\t0\ta.txt\n1\t0\tnew.txt\n");
    assert_eq!(fixture.program_in(&path, ["doctor"], b"").exit_code, 0);
}

#[test]
fn nothing_is_written_in_a_reftable_repository() {
    let fixture = Fixture::unborn();
    let Some(path) = reftable(&fixture) else { return };
    let refs = || fixture.git_in(&path, ["for-each-ref"]);
    let before = (refs(), fingerprint(&fixture.root().join("one")));
    for args in [
        &["land", "one", "--yes"][..],
        &["land", "one", "--dry-run"],
        &["discard", "one", "--yes"],
        &["commit", "one", "-m", "x"],
        &["rollback", "one", "--yes"],
        &["create"],
    ] {
        let run = fixture.program_in(&path, [args, &["--json"]].concat(), b"");
        refused(&run, "unsupported_repository");
        assert!(run.text().contains("reftable"), "{}", run.text());
    }
    assert_eq!((refs(), fingerprint(&fixture.root().join("one"))), before);
}

#[test]
fn sha256_works() {
    let fixture = Fixture::unborn();
    let path = fixture.root().join("sha256");
    fixture.git(["init", "-q", "--object-format=sha256", path.to_str().unwrap()]);
    write(&path, "a.txt", "1\n2\n3\n");
    fixture.commit_in(&path, "base");
    fixture.git_in(&path, ["worktree", "add", "-q", "-b", "box/s", "../s256"]);
    let shadow = fixture.root().join("s256");
    write(&shadow, "a.txt", "1\nshadow\n3\n");
    write(&path, "a.txt", "1\nmain\n3\n");
    fixture.commit_in(&path, "main moves");
    let list = list_in(&fixture, &path).json();
    let row = &list["worktrees"][0];
    assert_eq!(
        (row["verdict"].as_str(), row["snapshot"].as_str().unwrap().len()),
        (Some("conflicts"), 64)
    );
    let conflicts = fixture.program_in(&path, ["conflicts", "s256", "--json"], b"").json();
    assert_eq!(conflicts["files"][0]["kind"], "content");
}

#[test]
fn git_variables_of_the_environment_redirect_nothing() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "new.txt", "new\n");
    let elsewhere = Fixture::new();
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["list", "--json"])
        .env("GIT_DIR", elsewhere.repository.join(".git"))
        .env("GIT_WORK_TREE", &elsewhere.repository)
        .env("GIT_INDEX_FILE", elsewhere.root().join("no-index"))
        .env("GIT_OBJECT_DIRECTORY", elsewhere.root().join("no-objects"))
        .env("GIT_CONFIG_PARAMETERS", "'core.bare=true'")
        .output()
        .unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list["worktrees"][0]["id"], "one");
    assert_eq!(list["worktrees"][0]["diff_stats"]["files_changed"], 1);
}

#[test]
fn an_old_git_is_refused() {
    let fixture = Fixture::new();
    let dir = fixture.root().join("old");
    script(&dir.join("git"), "#!/bin/sh\necho git version 2.40.1\n");
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["list", "--json"])
        .env("PATH", format!("{}:{}", dir.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    let error: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), error["error"]["code"].as_str()),
        (Some(4), Some("unsupported_git"))
    );
    assert_eq!(error["error"]["details"]["found"], "2.40");
}

#[test]
fn an_owner_that_git_does_not_trust_is_refused() {
    let fixture = Fixture::new();
    // git's own switch for its tests: it then takes every repository for another user's.
    let output = fixture
        .child("git", &fixture.repository)
        .args(["status"])
        .env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        .output()
        .unwrap();
    assert!(!output.status.success(), "this git has no such switch");
    let wrapper = fixture.root().join("wrapper");
    script(
        &wrapper.join("git"),
        format!(
            "#!/bin/sh\nPATH='{}'\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git \"$@\"\n",
            std::env::var("PATH").unwrap()
        ),
    );
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["list", "--json"])
        .env("PATH", format!("{}:{}", wrapper.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    let error: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(error["error"]["code"], "unsupported_repository");
    assert!(error["error"]["help"].as_str().unwrap().contains("safe.directory"), "{error}");
}

#[test]
fn the_target_is_found_where_no_worktree_tells_it() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    let target = || {
        let list = list_in(&fixture, &fixture.repository).json();
        list["worktrees"][0]["target"].as_str().map(str::to_owned)
    };
    fixture.git(["switch", "-q", "--detach"]);
    assert_eq!(target().as_deref(), Some("main"), "init.defaultBranch");
    fixture.git(["config", "init.defaultBranch", "absent"]);
    assert_eq!(target().as_deref(), Some("main"), "the only one of main and master");
    fixture.git(["branch", "master"]);
    let list = list_in(&fixture, &fixture.repository).json();
    let row = &list["worktrees"][0];
    assert_eq!(row["target"], serde_json::Value::Null);
    assert!(row["problem"].as_str().unwrap().contains("no target"), "{row}");
    fixture.git(["branch", "trunk"]);
    let named = fixture.program(["show", "one", "--target", "trunk", "--json"]).json();
    assert_eq!(named["worktree"]["target"], "trunk");
    assert_eq!(target().as_deref(), Some("trunk"), "it is remembered");
    refused(&fixture.program(["show", "one", "--target", "nowhere", "--json"]), "not_found");
}

#[test]
fn a_path_with_newlines_and_colons_is_read_landed_and_undone() {
    let mut fixture = Fixture::new();
    let odd = fixture.root().join("a\n\"b\":c");
    fs::rename(&fixture.repository, &odd).unwrap();
    fixture.repository = odd;
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "only on disk\n");
    let row = &fixture.program(["list", "--json"]).json()["worktrees"][0];
    assert_eq!(row["verdict"], "clean", "{row}");
    assert_eq!(row["diff_stats"]["files_changed"], 1);
    let run = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.text());
    assert_eq!(fixture.git(["show", "main:new.txt"]), "only on disk");
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert!(shadow.join("new.txt").exists());
    assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "");
}

#[test]
fn the_configured_time_limit_holds_for_a_git_that_only_reads() {
    let fixture = Fixture::new();
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        write(&fixture.root().join("home").join(dir), "config.toml", "git.timeout_s = 1\n");
    }
    let dir = fixture.root().join("stuck");
    script(&dir.join("git"), "#!/bin/sh\nexec sleep 20\n");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["list", "--json"])
        .env("PATH", format!("{}:{path}", dir.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("did not end within 1 s"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_name_that_no_branch_can_have_is_an_invalid_value_and_one_that_none_has_is_not_found() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "a.txt", "a\n");
    for name in ["a..b", "x.lock", "@{", "a b", "", "/x", "HEAD", "a\nb"] {
        for verb in ["land", "show", "diff", "conflicts"] {
            let run = fixture.program([verb, "one", "--target", name, "--json"]);
            refused(&run, "invalid_value");
        }
        refused(&fixture.program(["create", "--target", name, "--json"]), "invalid_value");
    }
    refused(&fixture.program(["land", "one", "--target", "nowhere", "--json"]), "not_found");
    assert_eq!(fixture.program(["show", "one", "--json"]).json()["worktree"]["target"], "main");
}

#[test]
fn a_branch_whose_name_is_not_utf8_is_that_rows_problem_with_its_remedy() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fixture.git_in(&shadow, ["switch".as_ref(), "-q".as_ref(), "-c".as_ref(), name]);
    write(&shadow, "a.txt", "a\n");
    let list = list_in(&fixture, &fixture.repository).json();
    let problem = list["worktrees"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("not UTF-8") && problem.contains("git branch -m"), "{problem}");
    let run = fixture.program(["land", "one", "--yes", "--json"]);
    refused(&run, "wrong_state");
    assert!(run.text().contains("not UTF-8"), "{}", run.text());
}
