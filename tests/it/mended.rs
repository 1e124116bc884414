//! What once went wrong under hostile use, each kept from coming back.

use std::fs;

use crate::support::{Fixture, fingerprint, script, write};

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

/// How it was refused.
fn refused(fixture: &Fixture, args: &[&str]) -> (i32, String, String) {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    let message = run.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    (run.exit_code, run.error_code(), message)
}

#[test]
fn a_target_that_is_another_name_of_a_branch_moves_that_branchs_worktree() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n");
    fixture.git(["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    fixture.write("README.md", "mine\n");
    assert_eq!(refused(&fixture, &["land", "one", "--target", "alias"]).1, "dirty_overlap");
    fixture.git(["checkout", "-q", "README.md"]);
    run(&fixture, &["land", "one", "--target", "alias"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["show", "main:README.md"]), "agent");
    run(&fixture, &["undo"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
}

#[test]
fn a_worktree_on_another_name_of_the_target_moves_with_it() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "agent\n");
    fixture.git(["symbolic-ref", "refs/heads/master", "refs/heads/main"]);
    fixture.git(["symbolic-ref", "HEAD", "refs/heads/master"]);
    fixture.write("README.md", "mine\n");
    assert_eq!(refused(&fixture, &["land", "one", "--target", "main"]).1, "dirty_overlap");
    fixture.git(["checkout", "-q", "README.md"]);
    run(&fixture, &["land", "one"]);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["show", "main:README.md"]), "agent");
}

#[test]
fn a_target_that_leads_out_of_the_branches_is_refused_by_name() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    fixture.git(["update-ref", "refs/tags/t", "HEAD"]);
    fixture.git(["symbolic-ref", "refs/heads/alias", "refs/tags/t"]);
    let (exit_code, code, message) = refused(&fixture, &["land", "one", "--target", "alias"]);
    assert_eq!((exit_code, code.as_str()), (4, "wrong_state"));
    assert!(message.contains("refs/tags/t"), "{message}");
}

/// Everything that must be as it was after a refusal.
fn state(fixture: &Fixture) -> (String, String, String) {
    (
        fixture.git(["for-each-ref", "refs/heads"]),
        fixture.git(["status", "--porcelain"]),
        fixture.git(["worktree", "list", "--porcelain"]),
    )
}

#[test]
fn an_undo_whose_branch_cannot_come_back_moves_nothing() {
    for verb in ["land", "discard"] {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", "a\n");
        let files = fingerprint(&shadow);
        run(&fixture, &[verb, "one"]);
        fixture.git(["branch", "aide-shadow"]);
        let before = state(&fixture);
        let (exit_code, code, message) = refused(&fixture, &["undo"]);
        assert_eq!((exit_code, code.as_str()), (4, "cannot_undo"), "{message}");
        assert!(message.contains("aide-shadow/one"), "{message}");
        assert_eq!(state(&fixture), before);
        fixture.git(["branch", "-D", "aide-shadow"]);
        let lock = fixture.repository.join(".git/refs/heads/aide-shadow/one.lock");
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        fs::write(&lock, "").unwrap();
        let refusal = refused(&fixture, &["undo"]);
        assert_eq!((refusal.0, refusal.1.as_str()), (4, "cannot_undo"), "{refusal:?}");
        fs::remove_file(&lock).unwrap();
        run(&fixture, &["undo"]);
        assert_eq!(fingerprint(&shadow), files);
    }
}

#[test]
fn an_undo_whose_directory_cannot_come_back_moves_nothing() {
    for verb in ["land", "discard"] {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", "a\n");
        run(&fixture, &[verb, "one"]);
        let above = shadow.parent().unwrap();
        fs::remove_dir(above).unwrap();
        fs::write(above, "a file\n").unwrap();
        let before = state(&fixture);
        let (exit_code, code, message) = refused(&fixture, &["undo"]);
        assert_eq!((exit_code, code.as_str()), (4, "cannot_undo"), "{message}");
        assert!(message.contains(above.to_str().unwrap()), "{message}");
        assert_eq!(state(&fixture), before);
        fs::remove_file(above).unwrap();
        run(&fixture, &["undo"]);
        assert!(shadow.join("a.txt").exists());
    }
}

#[test]
fn a_discard_is_undone_after_the_repository_was_moved() {
    let mut fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["discard", "one"]);
    let moved = fixture.root().join("elsewhere");
    fs::rename(&fixture.repository, &moved).unwrap();
    fixture.repository.clone_from(&moved);
    run(&fixture, &["undo"]);
    fixture.git(["worktree", "repair", shadow.to_str().unwrap()]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "?? a.txt");
    assert!(!fixture.root().join("repository").exists());
}

#[test]
fn a_name_as_long_as_a_file_name_may_be_lands_and_comes_back() {
    let fixture = Fixture::new();
    let name = "文".repeat(80);
    let shadow = fixture.root().join(&name);
    fixture.git(["worktree", "add", "-q", "-b", "agent/long", shadow.to_str().unwrap()]);
    write(&shadow, "a.txt", "a\n");
    run(&fixture, &["land", &name]);
    assert_eq!(fixture.git(["show", "main:a.txt"]), "a");
    run(&fixture, &["undo"]);
    assert!(shadow.join("a.txt").exists());
}

/// A `git` that does something first, once, when it is started with this word.
pub(crate) fn interfere(fixture: &Fixture, word: &str, meanwhile: &str) -> std::path::PathBuf {
    let dir = fixture.root().join("bin");
    fs::create_dir(&dir).unwrap();
    let real = String::from_utf8(
        fixture
            .child("sh", &fixture.root())
            .args(["-c", "command -v git"])
            .output()
            .unwrap()
            .stdout,
    )
    .unwrap();
    let (real, once) = (real.trim(), dir.join("once"));
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *\" {word} \"*) if mkdir '{}' 2>/dev/null; then\n\
         (unset GIT_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE; git() {{ '{real}' \"$@\"; }}; {meanwhile}) >/dev/null 2>&1 </dev/null\nfi;; esac\n\
         exec '{real}' \"$@\"\n",
        once.display()
    );
    script(&dir.join("git"), text);
    dir
}

pub(crate) fn run_with(
    fixture: &Fixture,
    bin: &std::path::Path,
    args: &[&str],
) -> (i32, serde_json::Value) {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args([args, &["--yes", "--json"]].concat())
        .env("PATH", path)
        .output()
        .unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_commit_made_while_it_is_discarded_stops_the_discard() {
    // Before anything moved, and after the directory went.
    for word in ["pack-objects", "shadowdeck: to the trash"] {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", "a\n");
        let commit = format!(
            "cd '{}'; b=refs/heads/aide-shadow/one; git update-ref $b $(git commit-tree -p $b -m theirs $b^{{tree}})",
            fixture.repository.display()
        );
        let bin = interfere(&fixture, word, &commit);
        let (exit_code, json) = run_with(&fixture, &bin, &["discard", "one"]);
        assert_eq!(json["error"]["code"], "shadow_moved", "{word}: {exit_code} {json}");
        assert_eq!(fixture.git_in(&shadow, ["log", "-1", "--format=%s"]), "theirs");
        assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "?? a.txt");
        run(&fixture, &["discard", "one"]);
        run(&fixture, &["undo"]);
        assert_eq!(fixture.git_in(&shadow, ["log", "-1", "--format=%s"]), "theirs");
    }
}

#[test]
fn several_shadows_are_discarded_together_or_not_at_all() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.shadow("one"), fixture.shadow("two"));
    write(&one, "a.txt", "a\n");
    let commit = format!("cd '{}' && git commit -q --allow-empty -m theirs", two.display());
    let bin = interfere(&fixture, "pack-objects", &commit);
    // So that there is something to pack.
    write(&two, "b.txt", "b\n");
    let before = fingerprint(&one);
    let (exit_code, json) = run_with(&fixture, &bin, &["discard", "one", "two"]);
    assert_ne!(exit_code, 0, "{json}");
    assert_eq!(fingerprint(&one), before);
    assert!(two.join("b.txt").exists());
    assert_eq!(fixture.git_in(&one, ["status", "--porcelain"]), "?? a.txt");
    let log = fixture.program(["log", "--json"]).json();
    assert!(!log.to_string().contains("\"done\""), "{log}");
}

#[test]
fn a_commit_made_while_a_kept_shadow_moves_stays_its_newest_with_its_index() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    fixture.write("README.md", "main went on\n");
    fixture.commit("main");
    // The landing's own update-ref is the first, `checkout` of the shadow's files comes after it.
    let commit = format!(
        "grep -q theirs '{0}/.log' 2>/dev/null || (cd '{1}' && git commit -qam theirs)",
        fixture.root().display(),
        shadow.display()
    );
    let bin = interfere(&fixture, "--reset", &commit);
    let (exit_code, json) = run_with(&fixture, &bin, &["land", "one", "--keep"]);
    assert_eq!(exit_code, 0, "{json}");
    assert_eq!(fixture.git_in(&shadow, ["diff", "--cached", "--name-only"]), "", "{json}");
    assert!(shadow.join("a.txt").exists());
}

#[test]
fn what_is_no_regular_file_is_one_shadows_problem_and_holds_up_nothing() {
    for name in ["HEAD", "index", "gitdir", "commondir", ".git"] {
        let fixture = Fixture::new();
        let (one, two) = (fixture.shadow("one"), fixture.shadow("two"));
        write(&two, "a.txt", "a\n");
        let file = match name {
            ".git" => one.join(".git"),
            _ => fixture.repository.join(".git/worktrees/one").join(name),
        };
        fs::remove_file(&file).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &file,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        let list = fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        assert!(list.text().contains("regular file"), "{name}: {}", list.text());
        assert_ne!(fixture.program(["land", "one", "--yes"]).exit_code, 0);
        run(&fixture, &["land", "two"]);
    }
}

/// A library with one commit, a submodule of it in `main`, and a shadow whose commit names `fix`, made there.
fn bumped(fixture: &Fixture) -> (std::path::PathBuf, std::path::PathBuf, String) {
    let library = fixture.root().join("library");
    fs::create_dir(&library).unwrap();
    fixture.git_in(&library, ["init", "-q"]);
    write(&library, "l.c", "l\n");
    fixture.commit_in(&library, "library");
    fixture.git(["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/lib"]);
    fixture.commit("submodule");
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["submodule", "--quiet", "update", "--init"]);
    let inner = shadow.join("vendor/lib");
    write(&inner, "fix.c", "fix\n");
    let fix = fixture.commit_in(&inner, "fix");
    write(&shadow, "README.md", "agent\n");
    fixture.commit_in(&shadow, "bump");
    (shadow, inner, fix)
}

#[test]
fn a_submodule_commit_that_only_the_shadow_holds_does_not_land() {
    let fixture = Fixture::new();
    let (shadow, inner, fix) = bumped(&fixture);
    let (before, refs) = (fingerprint(&shadow), fixture.refs());
    for how in [
        &["--strategy", "squash"][..],
        &["--strategy", "merge"],
        &["--strategy", "rebase"],
        &["--keep"],
        &["--only", "vendor/lib"],
    ] {
        let (_, code, message) = refused(&fixture, &[&["land", "one"], how].concat());
        assert_eq!(code, "wrong_state", "{how:?}");
        assert!(message.contains("vendor/lib") && message.contains(&fix), "{how:?}: {message}");
    }
    assert_eq!((fingerprint(&shadow), fixture.refs()), (before, refs));
    // Whoever looks is told before they try.
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    let problem = row["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("vendor/lib") && problem.contains("landing refuses"), "{problem}");
    // What does not touch it lands, and so does all of it once a remote has the commit.
    run(&fixture, &["land", "one", "--only", "README.md"]);
    run(&fixture, &["undo"]);
    fixture.git_in(&inner, ["push", "-q", "origin", "HEAD:refs/heads/fix"]);
    run(&fixture, &["land", "one"]);
    assert_eq!(fixture.git(["rev-parse", "main:vendor/lib"]), fix);
}

/// The result names it no more, but a commit that lands by merge or rebase would.
#[test]
fn a_submodule_commit_that_a_later_one_takes_back_is_looked_at_too() {
    let fixture = Fixture::new();
    let (shadow, _, fix) = bumped(&fixture);
    let old = fixture.git(["rev-parse", "main:vendor/lib"]);
    fixture.git_in(&shadow.join("vendor/lib"), ["checkout", "-q", &old]);
    fixture.commit_in(&shadow, "back");
    for strategy in ["merge", "rebase"] {
        let (_, code, message) = refused(&fixture, &["land", "one", "--strategy", strategy]);
        assert_eq!(code, "wrong_state", "{strategy}");
        assert!(message.contains("vendor/lib") && message.contains(&fix), "{message}");
    }
    run(&fixture, &["land", "one", "--strategy", "squash"]);
}

#[test]
fn gc_says_that_it_would_free_the_only_copy_of_a_submodules_commit() {
    let fixture = Fixture::new();
    let (_, inner, fix) = bumped(&fixture);
    run(&fixture, &["discard", "one"]);
    let dir = fixture.root().join("home/.config/shadowdeck");
    write(&dir, "config.toml", "trash.age_days = 0\n");
    let why = || {
        let plan = fixture.program(["gc", "--dry-run", "--json"]).json();
        plan["freed"][0]["why"].as_str().unwrap().to_owned()
    };
    assert!(why().contains("only copy of submodule commit"), "{}", why());
    assert!(why().contains(&fix[..7]), "{}", why());
    run(&fixture, &["undo"]);
    fixture.git_in(&inner, ["push", "-q", "origin", "HEAD:refs/heads/fix"]);
    run(&fixture, &["discard", "one"]);
    assert!(!why().contains("only copy"), "{}", why());
}

#[test]
fn a_submodule_commit_that_the_main_worktree_fetched_lands() {
    let fixture = Fixture::new();
    let (_, inner, fix) = bumped(&fixture);
    let main = fixture.repository.join("vendor/lib");
    fixture.git_in(&main, ["fetch", "-q", inner.to_str().unwrap(), "HEAD"]);
    run(&fixture, &["land", "one"]);
    assert_eq!(fixture.git(["rev-parse", "main:vendor/lib"]), fix);
}

#[test]
fn a_link_that_a_landing_puts_in_place_of_a_directory_hides_nothing_from_undo() {
    let outside = |fixture: &Fixture, name: &str| {
        let dir = fixture.root().join("outside");
        write(&dir, name, "outside\n");
        dir
    };
    // A directory becomes a link to one that holds a file of the same name.
    for keep in [&["--keep"][..], &[]] {
        let fixture = Fixture::new();
        fixture.write("dir/a", "a\n");
        fixture.commit("dir");
        let shadow = fixture.shadow("one");
        fs::remove_dir_all(shadow.join("dir")).unwrap();
        let dir = outside(&fixture, "a");
        std::os::unix::fs::symlink(&dir, shadow.join("dir")).unwrap();
        let before = fingerprint(&shadow);
        run(&fixture, &[&["land", "one"], keep].concat());
        assert!(fixture.repository.join("dir").is_symlink());
        run(&fixture, &["undo"]);
        assert!(!fixture.repository.join("dir").is_symlink());
        assert_eq!(fixture.git(["status", "--porcelain"]), "");
        assert_eq!(fingerprint(&shadow), before);
        run(&fixture, &["rollback", "one"]);
        assert_eq!(fs::read_to_string(shadow.join("dir/a")).unwrap(), "a\n");
        run(&fixture, &["undo"]);
        assert_eq!(fingerprint(&shadow), before);
        assert_eq!(fs::read_to_string(dir.join("a")).unwrap(), "outside\n");
    }
    // A link becomes a directory.
    for keep in [&["--keep"][..], &[]] {
        let fixture = Fixture::new();
        let dir = outside(&fixture, "a");
        std::os::unix::fs::symlink(&dir, fixture.repository.join("dir")).unwrap();
        fixture.commit("link");
        let shadow = fixture.shadow("one");
        fs::remove_file(shadow.join("dir")).unwrap();
        write(&shadow, "dir/a", "agent\n");
        let before = fingerprint(&shadow);
        run(&fixture, &["rollback", "one"]);
        assert!(shadow.join("dir").is_symlink());
        run(&fixture, &["undo"]);
        assert_eq!(fingerprint(&shadow), before);
        run(&fixture, &[&["land", "one"], keep].concat());
        assert_eq!(fs::read_to_string(fixture.repository.join("dir/a")).unwrap(), "agent\n");
        run(&fixture, &["undo"]);
        assert!(fixture.repository.join("dir").is_symlink());
        assert_eq!(fingerprint(&shadow), before);
        assert_eq!(fs::read_to_string(dir.join("a")).unwrap(), "outside\n");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_changes_nothing_about_what_was_done() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "n", "n\n");
    let full = |args: &[&str]| {
        let stdout = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = fixture.child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository);
        let output = command.args(args).stdout(stdout).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (args, exit_code) in [
        (&["list"][..], 1),
        (&["land", "one", "--dry-run"], 1),
        (&["land", "one", "--yes", "--json"], 0),
        (&["undo", "--yes"], 0),
        (&["land", "two", "--yes", "--json"], 2),
    ] {
        let (found, stderr) = full(args);
        if exit_code == 2 {
            assert!(found != Some(0) && stderr.starts_with("error: "), "{args:?}: {stderr}");
            continue;
        }
        assert_eq!(found, Some(exit_code), "{args:?}: {stderr}");
        assert!(stderr.contains("could not be written"), "{args:?}: {stderr}");
        if exit_code == 0 {
            let log = fixture.program(["log", "--json"]).json();
            let newest = log["operations"].as_array().unwrap().last().unwrap().clone();
            let operation = newest["operation"].as_str().unwrap();
            assert!(stderr.contains(operation), "{stderr}");
        }
    }
}

#[test]
fn work_that_the_index_hides_from_git_is_no_empty_shadow() {
    for flag in ["--skip-worktree", "--assume-unchanged"] {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        fixture.git_in(&shadow, ["update-index", flag, "README.md"]);
        let row = || fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
        assert_eq!((&row()["verdict"], row()["problem"].is_null()), (&"empty".into(), true));
        write(&shadow, "README.md", "agent\n");
        let found = row();
        assert_eq!(found["verdict"], "clean", "{flag}");
        assert!(found["problem"].as_str().unwrap().contains("README.md"), "{flag}: {found}");
        // Before it lands without them, too.
        write(&shadow, "new.txt", "new\n");
        let plan = run(&fixture, &["land", "one", "--dry-run"]);
        let warnings = plan["warnings"].to_string();
        assert!(warnings.contains("README.md") && warnings.contains("do not land"), "{warnings}");
    }
}

#[test]
fn the_radar_says_first_what_it_could_not_compare() {
    let fixture = Fixture::new();
    for id in ["one", "two", "three"] {
        write(&fixture.shadow(id), format!("{id}.txt"), "a\n");
    }
    fs::write(fixture.root().join("shadows/two/.git"), "garbage").unwrap();
    let run = fixture.program(["radar"]);
    let text = run.text();
    let first =
        "3 of 6 pairs compared, 3 not; 1 of 3 shadows not at all; of those compared none clashes\n";
    assert!(text.starts_with(first), "{text}");
    assert!(!text.contains("nothing clashes"), "{text}");
}

#[test]
fn a_named_file_that_does_not_end_is_refused_by_name() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "README.md", "agent\n");
    fixture.write("README.md", "main\n");
    fixture.commit("main");
    let fifo = fixture.root().join("fifo");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
    let large = fixture.root().join("large");
    fs::File::create(&large).unwrap().set_len((100 << 20) + 1).unwrap();
    let named = [
        (fifo.as_path(), "is no regular file"),
        (std::path::Path::new("/dev/zero"), "is no regular file"),
        (large.as_path(), "is larger than the 100 MB"),
    ];
    for (file, why) in named {
        let file = file.to_str().unwrap();
        let resolve = fixture.program(["resolve", "one", "README.md", "--file", file, "--json"]);
        let land = fixture.program(["land", "--request", file, "--yes", "--json"]);
        for run in [resolve, land] {
            assert_eq!(run.error_code(), "invalid_value", "{file}");
            assert!(run.text().contains(file) && run.text().contains(why), "{}", run.text());
        }
    }
}

#[test]
fn a_lock_of_the_shadows_is_the_shadows_everywhere() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "a\n");
    fixture.commit_in(&shadow, "a");
    write(&shadow, "b.txt", "b\n");
    fixture.write("m.txt", "m\n");
    fixture.commit("m");
    let lock = fixture.repository.join(".git/worktrees/one/index.lock");
    fs::write(&lock, "").unwrap();
    for args in [&["sync", "one"][..], &["rollback", "one"], &["commit", "one", "-m", "b"]] {
        let run = fixture.program(
            [args, if args[0] == "rollback" { &["--yes", "--json"] } else { &["--json"] }].concat(),
        );
        assert_eq!(run.error_code(), "shadow_busy", "{args:?}: {}", run.text());
        assert!(run.text().contains("index.lock"), "{args:?}: {}", run.text());
    }
    fs::remove_file(&lock).unwrap();
    run(&fixture, &["rollback", "one"]);
}

#[test]
fn many_files_in_the_way_are_ten_names_and_a_count() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    for number in 0..14 {
        write(&shadow, format!("f{number:02}.txt"), "agent\n");
        fixture.write(&format!("f{number:02}.txt"), "mine\n");
    }
    let run = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(run.error_code(), "dirty_overlap");
    let error = &run.json()["error"];
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("f09.txt and 4 more would be"), "{message}");
    assert!(run.text().contains("f13.txt"), "all are in the details: {}", run.text());
}

#[test]
fn a_repository_without_a_commit_inside_a_shadow_is_named_with_its_remedy() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    fs::create_dir(shadow.join("nested")).unwrap();
    fixture.git_in(&shadow.join("nested"), ["init", "-q"]);
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    let problem = row["problem"].as_str().unwrap();
    assert!(problem.contains("no commit yet") && problem.contains("nested; "), "{problem}");
    assert!(problem.contains("commit in it, remove its .git"), "{problem}");
    let (exit_code, code, message) = refused(&fixture, &["land", "one"]);
    assert_eq!((exit_code, code.as_str()), (4, "wrong_state"), "{message}");
}
