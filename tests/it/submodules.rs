//! What is checked out of a submodule may be nowhere else: nothing that moves files goes over it.

use std::{fs, os::unix::fs::symlink, path::Path};

use shadowdeck::{shadow::RepoPath, ui::theme::Theme};

use crate::{
    desk::text,
    scenes::{World, facts},
    support::{Fixture, fingerprint, script, write},
};

const LIB: &str = "vendor/lib";

/// A library beside the repository; the answer is what `git submodule add` takes.
fn library(fixture: &Fixture) -> String {
    let library = fixture.root().join("library");
    fs::create_dir(&library).unwrap();
    fixture.git_in(&library, ["init", "-q"]);
    write(&library, "l.c", "l\n");
    fixture.commit_in(&library, "library");
    library.to_str().unwrap().to_owned()
}

fn add(fixture: &Fixture, dir: &Path) {
    let url = fixture.root().join("library");
    fixture.git_in(dir, ["submodule", "--quiet", "add", url.to_str().unwrap(), LIB]);
    fixture.commit_in(dir, "submodule");
}

fn check_out(fixture: &Fixture, dir: &Path) {
    fixture.git_in(dir, ["submodule", "--quiet", "update", "--init"]);
}

fn deinit(fixture: &Fixture, dir: &Path) {
    fixture.git_in(dir, ["submodule", "--quiet", "deinit", LIB]);
}

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

/// Refused for what is in the way at the submodule, with what is in `dir` and all refs as they were.
fn assert_kept(fixture: &Fixture, dir: &Path, args: &[&str]) {
    let look = || (fingerprint(&dir.join("vendor")), fixture.refs());
    let before = look();
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.error_code(), "dirty_overlap", "{args:?}: {}", run.text());
    let error = &run.json()["error"];
    assert!(error["message"].as_str().unwrap().contains(LIB), "{args:?}: {error}");
    assert_eq!(look(), before, "{args:?}");
}

/// Puts something else in place of the submodule.
type Replace = fn(&Path);

/// What comes there, in the shadow.
const REPLACED: [(&str, Replace); 4] = [
    ("file", |lib| fs::write(lib, "file\n").unwrap()),
    ("link", |lib| symlink("l.c", lib).unwrap()),
    ("directory", |lib| write(lib, "other.c", "other\n")),
    ("above", |lib| {
        fs::remove_dir_all(lib.parent().unwrap()).unwrap();
        fs::write(lib.parent().unwrap(), "vendor\n").unwrap();
    }),
];

fn replaced(how: Replace) -> Fixture {
    let fixture = Fixture::new();
    library(&fixture);
    add(&fixture, &fixture.repository);
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["rm", "-q", "--cached", LIB]);
    fs::remove_dir_all(shadow.join(LIB)).unwrap();
    how(&shadow.join(LIB));
    fixture.commit_in(&shadow, "replaced");
    fixture
}

#[test]
fn a_landing_goes_over_no_submodule_that_is_checked_out() {
    for (name, how) in REPLACED {
        let fixture = replaced(how);
        let (main, lib) = (&fixture.repository, fixture.repository.join(LIB));
        // Clean, or with work of every kind: git would remove each with what is in it.
        assert_kept(&fixture, main, &["land", "one"]);
        write(&lib, "l.c", "edited\n");
        write(&lib, "untracked.c", "only copy\n");
        for how in ["merge", "squash", "rebase"] {
            assert_kept(&fixture, main, &["land", "one", "--strategy", how]);
        }
        assert_kept(&fixture, main, &["land", "one", "--dry-run"]);
        assert_kept(&fixture, main, &["land", "one", "--keep"]);
        let only = if name == "above" { "vendor" } else { LIB };
        if matches!(name, "file" | "link") {
            assert_kept(&fixture, main, &["land", "one", "--only", only]);
        }
        // What it says to do leads on, and undo brings back what was there then.
        fixture.git_in(&lib, ["checkout", "-q", "."]);
        fs::remove_file(lib.join("untracked.c")).unwrap();
        deinit(&fixture, main);
        let before = fingerprint(&main.join("vendor"));
        run(&fixture, &["land", "one"]);
        assert_eq!(fixture.git(["status", "--porcelain"]), "", "{name}");
        run(&fixture, &["undo"]);
        assert_eq!(fingerprint(&main.join("vendor")), before, "{name}");
        assert_eq!(fixture.git(["status", "--porcelain"]), "", "{name}");
    }
}

#[test]
fn what_somebody_put_in_a_submodules_place_is_theirs() {
    for (name, how) in REPLACED {
        let fixture = replaced(how);
        let lib = fixture.repository.join(LIB);
        deinit(&fixture, &fixture.repository);
        write(&lib, "mine.c", "only copy\n");
        assert_kept(&fixture, &fixture.repository, &["land", "one"]);
        fs::remove_dir_all(&lib).unwrap();
        fs::write(&lib, "only copy\n").unwrap();
        assert_kept(&fixture, &fixture.repository, &["land", "one"]);
        assert_eq!(fs::read_to_string(&lib).unwrap(), "only copy\n", "{name}");
    }
    // Nor does git look at it where the submodule only moves.
    let fixture = Fixture::new();
    library(&fixture);
    add(&fixture, &fixture.repository);
    let shadow = fixture.shadow("one");
    check_out(&fixture, &shadow);
    write(&shadow.join(LIB), "l.c", "two\n");
    fixture.commit_in(&shadow.join(LIB), "two");
    fixture.git_in(&shadow.join(LIB), ["push", "-q", "origin", "HEAD:refs/heads/two"]);
    fixture.commit_in(&shadow, "bump");
    let lib = fixture.repository.join(LIB);
    fs::remove_dir_all(&lib).unwrap();
    symlink("nowhere", &lib).unwrap();
    assert_kept(&fixture, &fixture.repository, &["land", "one"]);
}

#[test]
fn what_is_checked_out_while_a_landing_runs_stops_it() {
    let fixture = replaced(REPLACED[0].1);
    deinit(&fixture, &fixture.repository);
    let lib = fixture.repository.join(LIB);
    let body = format!("#!/bin/sh\necho only copy >'{}/mine.c'\n", lib.display());
    script(&fixture.repository.join(".git/hooks/pre-commit"), body);
    let before = fixture.refs();
    let land = fixture.program(["land", "one", "--strategy", "squash", "--yes", "--json"]);
    assert_eq!(land.error_code(), "dirty_overlap", "{}", land.text());
    assert_eq!(fs::read_to_string(lib.join("mine.c")).unwrap(), "only copy\n");
    assert_eq!(fixture.refs(), before);
    assert_eq!(fixture.git(["ls-files", "-s", LIB]).split(' ').next(), Some("160000"));
}

/// A file in `main`, and a shadow that has a submodule there.
fn arrived() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    library(&fixture);
    fixture.write(LIB, "file\n");
    fixture.commit("file");
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["rm", "-q", LIB]);
    add(&fixture, &shadow);
    (fixture, shadow)
}

#[test]
fn an_undo_or_a_redo_goes_over_no_submodule_that_is_checked_out_since() {
    let (fixture, _) = arrived();
    let main = &fixture.repository;
    run(&fixture, &["land", "one"]);
    check_out(&fixture, main);
    write(&main.join(LIB), "untracked.c", "only copy\n");
    assert_kept(&fixture, main, &["undo"]);
    fs::remove_file(main.join(LIB).join("untracked.c")).unwrap();
    deinit(&fixture, main);
    run(&fixture, &["undo"]);
    assert_eq!(fs::read_to_string(main.join(LIB)).unwrap(), "file\n");
    run(&fixture, &["redo"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");

    let fixture = replaced(REPLACED[0].1);
    let main = &fixture.repository;
    deinit(&fixture, main);
    run(&fixture, &["land", "one"]);
    run(&fixture, &["undo"]);
    check_out(&fixture, main);
    write(&main.join(LIB), "untracked.c", "only copy\n");
    assert_kept(&fixture, main, &["redo"]);
}

#[test]
fn a_rollback_and_its_undo_go_over_no_submodule_that_is_checked_out() {
    let (fixture, shadow) = arrived();
    write(&shadow.join(LIB), "l.c", "edited\n");
    write(&shadow.join(LIB), "untracked.c", "only copy\n");
    assert_kept(&fixture, &shadow, &["rollback", "one"]);
    fixture.git_in(&shadow.join(LIB), ["checkout", "-q", "."]);
    fs::remove_file(shadow.join(LIB).join("untracked.c")).unwrap();
    deinit(&fixture, &shadow);
    run(&fixture, &["rollback", "one"]);
    assert_eq!(fs::read_to_string(shadow.join(LIB)).unwrap(), "file\n");
    run(&fixture, &["undo"]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");

    let fixture = replaced(REPLACED[0].1);
    let shadow = fixture.root().join("shadows/one");
    run(&fixture, &["rollback", "one"]);
    check_out(&fixture, &shadow);
    write(&shadow.join(LIB), "untracked.c", "only copy\n");
    assert_kept(&fixture, &shadow, &["undo"]);
}

#[test]
fn a_submodule_commit_that_no_repository_here_holds_does_not_land() {
    let fixture = Fixture::new();
    library(&fixture);
    add(&fixture, &fixture.repository);
    let shadow = fixture.shadow("one");
    let nowhere = "1".repeat(40);
    let entry = format!("160000,{nowhere},{LIB}");
    fixture.git_in(&shadow, ["update-index", "--cacheinfo", &entry]);
    fixture.git_in(&shadow, ["commit", "-qm", "bump"]);
    let before = fixture.refs();
    let land = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(land.error_code(), "wrong_state", "{}", land.text());
    let said = land.text();
    assert!(said.contains(&nowhere) && said.contains("submodule update --init"), "{said}");
    assert_eq!(fixture.refs(), before);
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    assert!(row["problem"].as_str().unwrap().contains("no repository here holds"), "{row}");
}

/// Dies when the landing is prepared and nothing has moved.
#[cfg(debug_assertions)]
fn die_prepared(fixture: &Fixture) {
    let open = fixture.repository.join(".git/shadowdeck/journal/open");
    for at in 1.. {
        let status = fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
            .args(["land", "one", "--yes"])
            .env("SHADOWDECK_DIE_AT", at.to_string())
            .output()
            .unwrap()
            .status;
        assert!(status.code().is_none(), "it was never prepared: {status}");
        let entries = fs::read_dir(&open).into_iter().flatten().flatten();
        // One that is being written has no name yet.
        let is_prepared = |path: std::path::PathBuf| {
            let is_entry = path.extension().is_some_and(|end| end == "json");
            is_entry && fs::read_to_string(path).unwrap().contains("\"prepared\"")
        };
        if entries.into_iter().any(|entry| is_prepared(entry.path())) {
            return;
        }
        fixture.program(["list"]);
    }
}

/// What a git that was killed leaves where a file and a submodule change places, its index not yet written.
#[cfg(debug_assertions)]
#[test]
fn a_landing_that_was_cut_short_there_is_taken_back() {
    let fixture = replaced(REPLACED[0].1);
    let (main, lib) = (&fixture.repository, fixture.repository.join(LIB));
    deinit(&fixture, main);
    die_prepared(&fixture);
    fs::remove_dir(&lib).unwrap();
    fs::write(&lib, "file\n").unwrap();
    assert_eq!(fixture.program(["list"]).exit_code, 0);
    assert!(lib.is_dir() && fs::read_dir(&lib).unwrap().next().is_none());
    assert_eq!(fixture.git(["status", "--porcelain"]), "");

    for (theirs, status) in [(None, ""), (Some("mine.c"), " D vendor/lib")] {
        let (fixture, _) = arrived();
        let lib = fixture.repository.join(LIB);
        die_prepared(&fixture);
        fs::remove_file(&lib).unwrap();
        fs::create_dir(&lib).unwrap();
        if let Some(name) = theirs {
            write(&lib, name, "only copy\n");
        }
        assert_eq!(fixture.program(["list"]).exit_code, 0);
        assert_eq!(fixture.git(["status", "--porcelain"]), status);
    }
}

/// What somebody does in the submodule.
type Edit = fn(&Fixture, &Path);

/// A shadow with the submodule checked out, and what was written of it.
fn with_submodule() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    library(&fixture);
    add(&fixture, &fixture.repository);
    // Then `git status` says nothing of what is in it.
    fixture.git(["config", "submodule.vendor/lib.ignore", "all"]);
    let shadow = fixture.shadow("one");
    check_out(&fixture, &shadow);
    (fixture, shadow)
}

#[test]
fn work_in_a_submodule_that_is_in_no_commit_is_no_empty_shadow() {
    let edits: [(&str, bool, Edit); 8] = [
        ("edited", true, |_, lib| write(lib, "l.c", "edited\n")),
        ("deleted", true, |_, lib| fs::remove_file(lib.join("l.c")).unwrap()),
        ("untracked", true, |_, lib| write(lib, "below/new.c", "new\n")),
        ("staged", true, |fixture, lib| {
            write(lib, "l.c", "edited\n");
            fixture.git_in(lib, ["add", "l.c"]);
            write(lib, "l.c", "l\n");
        }),
        ("in no repository", true, |_, lib| {
            fs::remove_dir_all(lib).unwrap();
            write(lib, "new.c", "new\n");
        }),
        ("none", false, |_, _| {}),
        ("ignored", false, |fixture, lib| {
            let exclude = ["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"];
            fs::write(fixture.git_in(lib, exclude), "*.o\n").unwrap();
            write(lib, "out/l.o", "out\n");
        }),
        ("touched", false, |_, lib| write(lib, "l.c", "l\n")),
    ];
    for (what, is_work, edit) in edits {
        let (fixture, shadow) = with_submodule();
        let row = || fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
        let before = row();
        assert_eq!(
            (&before["verdict"], &before["dirty"]),
            (&"empty".into(), &false.into()),
            "{what}"
        );
        edit(&fixture, &shadow.join(LIB));
        let after = row();
        let told = after["problem"].as_str().is_some_and(|problem| problem.contains(LIB));
        let verdict = if is_work { "clean" } else { "empty" };
        assert_eq!((&after["verdict"], told), (&verdict.into(), is_work), "{what}: {after}");
        assert_eq!(after["dirty"], is_work, "{what}: {after}");
        write(&shadow, "new.txt", "new\n");
        let plan = run(&fixture, &["land", "one", "--dry-run"]);
        assert_eq!(plan["warnings"].to_string().contains(LIB), is_work, "{what}: {plan}");
        let asked = fixture.program(["discard", "one"]);
        let edited = format!("{}{}", asked.text(), asked.stderr);
        assert_eq!(edited.contains("1 edited"), is_work, "{what}: {edited}");
    }
}

#[test]
fn a_review_of_nothing_names_the_submodules_that_hold_work() {
    let mut world = World::with_pages(120, 40, vec![facts::page("agent-swift-fox", Vec::new())]);
    world.press("Enter");
    assert!(text(&world.draw(&Theme::default())).contains("Nothing changed"));
    let mut rows = world.model.fleet.listed.iter_mut().map(|listed| &mut listed.row);
    let row = rows.find(|row| row.id.0 == "agent-swift-fox").expect("it is listed");
    row.busy_submodules = vec![RepoPath::new(LIB)];
    let shown = text(&world.draw(&Theme::default()));
    assert!(shown.contains(LIB) && !shown.contains("Nothing changed"), "{shown}");
}
