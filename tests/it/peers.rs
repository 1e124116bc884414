//! The eight ways in which other tools of this kind have lost people's work, each tried here.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::{
    mended::{interfere, run_with},
    support::{Fixture, Run, fingerprint, script, write},
};

fn done(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn refused(fixture: &Fixture, args: &[&str]) -> Run {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert!(run.exit_code != 0, "{args:?}: {}", run.text());
    assert!(!run.error_code().is_empty(), "{args:?}: {}", run.text());
    run
}

type Files = BTreeMap<PathBuf, (String, Vec<u8>)>;

/// Everything of the repository and the shadows but objects and what the program keeps for itself.
fn state(fixture: &Fixture) -> Files {
    let mut files = fingerprint(&fixture.repository);
    let own = [".git/shadowdeck", ".git/refs/shadowdeck", ".git/objects"];
    files.retain(|path, _| !own.iter().any(|own| path.starts_with(own)));
    let shadows = fixture.root().join("shadows");
    if shadows.exists() {
        files.extend(
            fingerprint(&shadows).into_iter().map(|(path, held)| (shadows.join(path), held)),
        );
    }
    files
}

fn assert_same(before: &Files, after: &Files, name: &str) {
    let both = before.keys().chain(after.keys());
    let changed: BTreeSet<&PathBuf> =
        both.filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(changed.is_empty(), "{name}: {changed:?}");
}

#[test]
fn the_wrong_directory_is_never_deleted() {
    // A registration that names the main worktree, another shadow, a link to the repository, or nothing of git's.
    type Twist = fn(&Fixture, &Path);
    let twists: [(&str, Twist); 4] = [
        ("the main worktree", |fixture, _| {
            let gitdir = fixture.repository.join(".git").display().to_string() + "\n";
            fs::write(fixture.repository.join(".git/worktrees/one/gitdir"), gitdir).unwrap();
        }),
        ("another shadow", |fixture, _| {
            let gitdir = fixture.root().join("shadows/two/.git").display().to_string() + "\n";
            fs::write(fixture.repository.join(".git/worktrees/one/gitdir"), gitdir).unwrap();
        }),
        ("a link to the repository", |fixture, shadow| {
            fs::rename(shadow, fixture.root().join("moved")).unwrap();
            symlink(&fixture.repository, shadow).unwrap();
        }),
        ("a directory of the user's", |_, shadow| {
            fs::remove_dir_all(shadow).unwrap();
            write(shadow, "photos/only.jpg", "only copy\n");
        }),
    ];
    for (name, twist) in twists {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&fixture.shadow("two"), "two.txt", "two\n");
        fixture.write("loose.txt", "loose\n");
        twist(&fixture, &shadow);
        let before = state(&fixture);
        for verb in ["discard", "land", "rollback"] {
            let run = refused(&fixture, &[verb, "one"]);
            assert_eq!(run.exit_code, 4, "{name}: {}", run.text());
            assert_same(&before, &state(&fixture), &format!("{verb}, {name}"));
        }
    }
    let fixture = Fixture::new();
    fixture.shadow("one");
    let before = state(&fixture);
    let repository = fixture.repository.to_str().unwrap();
    for handle in [repository, "repository", "main", "."] {
        refused(&fixture, &["discard", handle]);
        refused(&fixture, &["land", handle]);
    }
    assert_same(&before, &state(&fixture), "handles of what is no shadow");
}

#[test]
fn no_refusal_is_retried_with_force() {
    let fixture = Fixture::new();
    let (one, locked) = (fixture.shadow("one"), fixture.shadow("locked"));
    write(&one, "a.txt", "a\n");
    write(&locked, "a.txt", "a\n");
    fixture.git(["worktree", "lock", "--reason", "in use", locked.to_str().unwrap()]);
    let dir = fixture.root().join("bin");
    let said = fixture.root().join("said");
    let real =
        fixture.child("sh", &fixture.root()).args(["-c", "command -v git"]).output().unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    script(
        &dir.join("git"),
        format!(
            "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{}'\nexec '{}' \"$@\"\n",
            said.display(),
            real.trim()
        ),
    );
    let before = fingerprint(&locked);
    for (args, ends) in [
        (&["discard", "locked"][..], 4),
        (&["land", "locked"], 4),
        (&["discard", "locked"], 4),
        (&["land", "one", "--keep"], 0),
        (&["undo"], 0),
        (&["rollback", "one"], 0),
        (&["undo"], 0),
        (&["land", "one"], 0),
        (&["undo"], 0),
        (&["discard", "one"], 0),
        (&["undo"], 0),
        (&["gc"], 0),
    ] {
        let (exit_code, json) = run_with(&fixture, &dir, args);
        assert_eq!(exit_code, ends, "{args:?}: {json}");
    }
    assert_eq!(fingerprint(&locked), before);
    let said = fs::read_to_string(said).unwrap();
    let words = ["--force", "-f", "-D", "--hard", "clean", "stash", "prune", "remove", "unlock"];
    let forced = said.lines().filter(|line| line.split(' ').any(|word| words.contains(&word)));
    assert_eq!(forced.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn uncommitted_work_is_not_deleted_after_only_commits_were_landed() {
    for strategy in ["squash", "merge", "rebase"] {
        let fixture = Fixture::new();
        fixture.write(".gitignore", "*.log\n");
        fixture.commit("ignore");
        let shadow = fixture.shadow("one");
        write(&shadow, "committed.txt", "committed\n");
        fixture.commit_in(&shadow, "work");
        write(&shadow, "staged.txt", "staged\n");
        fixture.git_in(&shadow, ["add", "staged.txt"]);
        write(&shadow, "staged.txt", "staged, then edited\n");
        write(&shadow, "committed.txt", "committed, then edited\n");
        write(&shadow, "untracked.txt", "untracked\n");
        write(&shadow, "ignored.log", "ignored\n");
        let files = fingerprint(&shadow);
        let told = done(&fixture, &["land", "one", "--strategy", strategy]);
        assert_eq!(told["safety_net"], true, "{strategy}: {told}");
        let landed = |path: &str| fixture.git(["show", &format!("main:{path}")]);
        assert_eq!(landed("committed.txt"), "committed, then edited", "{strategy}");
        assert_eq!(landed("staged.txt"), "staged, then edited", "{strategy}");
        assert_eq!(landed("untracked.txt"), "untracked", "{strategy}");
        done(&fixture, &["undo"]);
        assert_eq!(fingerprint(&shadow), files, "{strategy}");
        let staged = fixture.git_in(&shadow, ["show", ":staged.txt"]);
        assert_eq!(staged, "staged", "{strategy}: what was only in the index");
    }
}

#[test]
fn the_users_dirty_target_is_neither_overwritten_nor_stashed_away() {
    for strategy in ["squash", "merge", "rebase"] {
        let fixture = Fixture::new();
        fixture.write("other.txt", "other\n");
        fixture.commit("other");
        let (one, two) = (fixture.shadow("one"), fixture.shadow("two"));
        write(&one, "README.md", "by the agent\n");
        write(&two, "new.txt", "by the agent\n");
        fixture.write("README.md", "my only copy\n");
        fixture.write("other.txt", "my staged edit\n");
        fixture.git(["add", "other.txt"]);
        fixture.write("loose.txt", "loose\n");
        let before = state(&fixture);
        let run = refused(&fixture, &["land", "one", "--strategy", strategy]);
        assert_eq!(run.error_code(), "dirty_overlap", "{strategy}");
        assert!(run.text().contains("README.md"), "{strategy}: {}", run.text());
        assert_same(&before, &state(&fixture), strategy);
        done(&fixture, &["land", "two", "--strategy", strategy]);
        let status = fixture.git(["status", "--porcelain"]);
        assert_eq!(status, " M README.md\nM  other.txt\n?? loose.txt", "{strategy}");
        assert_eq!(
            fs::read_to_string(fixture.repository.join("README.md")).unwrap(),
            "my only copy\n"
        );
        assert_eq!(fixture.git(["stash", "list"]), "", "{strategy}");
    }
}

#[test]
fn a_squash_is_not_left_half_applied_by_a_failing_hook_or_a_moved_target() {
    for strategy in ["squash", "merge", "rebase"] {
        for hook in
            ["pre-commit", "pre-merge-commit", "commit-msg", "pre-rebase", "reference-transaction"]
        {
            let fixture = Fixture::new();
            let shadow = fixture.shadow("one");
            write(&shadow, "new.txt", "new\n");
            fixture.commit_in(&shadow, "work");
            fixture.write("main.txt", "main went on\n");
            fixture.commit("main");
            let runs = match strategy {
                "squash" => &["pre-commit", "commit-msg"][..],
                "merge" => &["pre-merge-commit", "commit-msg"],
                _ => &["pre-rebase"],
            };
            let veto = "#!/bin/sh\n[ \"$1\" = committed ] || [ \"$1\" = aborted ] || exit 1\n";
            let no = "#!/bin/sh\necho no; exit 1\n";
            let is_veto = hook == "reference-transaction";
            script(
                &fixture.repository.join(".git/hooks").join(hook),
                if is_veto { veto } else { no },
            );
            if !is_veto && !runs.contains(&hook) {
                continue;
            }
            let before = state(&fixture);
            let run = refused(&fixture, &["land", "one", "--strategy", strategy, "--trust"]);
            assert_eq!(run.error_code(), "hook_rejected", "{strategy} {hook}: {}", run.text());
            assert_same(&before, &state(&fixture), &format!("{strategy} {hook}"));
        }
        // The user commits while the plan is being carried out.
        let fixture = Fixture::new();
        write(&fixture.shadow("one"), "new.txt", "new\n");
        let commit = format!(
            "cd '{}' && echo mine >mine.txt && git add mine.txt && git commit -qm mine",
            fixture.repository.display()
        );
        let bin = interfere(&fixture, "update-ref", &commit);
        let (exit_code, json) =
            run_with(&fixture, &bin, &["land", "one", "--strategy", strategy, "-m", "theirs"]);
        assert_eq!(fixture.git(["status", "--porcelain"]), "", "{strategy}: {exit_code} {json}");
        let log = fixture.git(["log", "--format=%s", "main"]);
        assert!(log.contains("mine") && fixture.repository.join("mine.txt").exists(), "{log}");
        assert_eq!(fixture.repository.join("new.txt").exists(), exit_code == 0, "{json}");
    }
}

#[test]
fn an_error_is_never_shown_as_clean() {
    type Fault = fn(&Fixture, &Path);
    let faults: [(&str, Fault); 6] = [
        ("a damaged index", |fixture, _| {
            fs::write(fixture.repository.join(".git/worktrees/one/index"), "no index").unwrap();
        }),
        ("a HEAD of nonsense", |fixture, _| {
            fs::write(fixture.repository.join(".git/worktrees/one/HEAD"), "nonsense\n").unwrap();
        }),
        ("a branch without its commit", |fixture, _| {
            let tip = fixture.git(["rev-parse", "aide-shadow/one"]);
            let object = format!(".git/objects/{}/{}", &tip[..2], &tip[2..]);
            fs::remove_file(fixture.repository.join(object)).unwrap();
        }),
        ("no .git file", |_, shadow| fs::remove_file(shadow.join(".git")).unwrap()),
        ("no directory", |fixture, shadow| {
            fs::rename(shadow, fixture.root().join("gone")).unwrap();
        }),
        ("a repository of its own", |fixture, shadow| {
            fs::remove_file(shadow.join(".git")).unwrap();
            fixture.git_in(shadow, ["init", "-q"]);
        }),
    ];
    for (name, fault) in faults {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", "a\n");
        fixture.commit_in(&shadow, "work");
        write(&fixture.shadow("two"), "b.txt", "b\n");
        fault(&fixture, &shadow);
        let list = fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        let rows = list.json();
        let rows = rows["worktrees"].as_array().unwrap();
        let row = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap();
        let one = row("one");
        assert_eq!(one["verdict"], "unknown", "{name}: {one}");
        assert!(one["problem"].is_string() && one["diff_stats"].is_null(), "{name}: {one}");
        assert_eq!(row("two")["verdict"], "clean", "{name}: one broken row spoils no other");
        refused(&fixture, &["land", "one"]);
        assert_ne!(fixture.program(["diff", "one"]).exit_code, 0, "{name}");
    }
}

#[test]
fn what_an_agent_writes_between_the_check_and_the_act_is_kept() {
    for verb in ["land", "discard", "rollback"] {
        for word in ["merge-tree", "pack-objects", "update-ref", "read-tree", "for-each-ref"] {
            let fixture = Fixture::new();
            let shadow = fixture.shadow("one");
            write(&shadow, "a.txt", "a\n");
            fixture.commit_in(&shadow, "work");
            write(&shadow, "dirty.txt", "dirty\n");
            let late = format!(
                "cd '{}' && echo late >late.txt && echo late >>dirty.txt",
                shadow.display()
            );
            let bin = interfere(&fixture, word, &late);
            let (exit_code, json) = run_with(&fixture, &bin, &[verb, "one"]);
            let name = format!("{verb}, {word}: {exit_code} {json}");
            // It was written only where that git process was really started.
            if !bin.join("once").exists() {
                continue;
            }
            let mut held = fingerprint(&fixture.root().join("shadows"));
            let trash = fixture.repository.join(".git/shadowdeck/trash");
            if trash.exists() {
                held.extend(fingerprint(&trash));
            }
            let landed = fixture.git_any(&fixture.repository, ["show", "main:late.txt"]);
            let is_held = held.values().any(|(_, bytes)| bytes == b"late\n");
            assert!(is_held || landed.status.success(), "{name}");
            let held_too = held.values().any(|(_, bytes)| bytes == b"dirty\nlate\n");
            let landed = fixture.git_any(&fixture.repository, ["show", "main:dirty.txt"]);
            assert!(held_too || landed.stdout == b"dirty\nlate\n", "{name}");
        }
    }
}

#[test]
fn bystanders_are_not_hurt_by_a_prune() {
    let fixture = Fixture::new();
    let (one, two, away) = (fixture.shadow("one"), fixture.shadow("two"), fixture.shadow("away"));
    write(&one, "a.txt", "a\n");
    write(&two, "b.txt", "b\n");
    write(&away, "precious.txt", "precious\n");
    // As on a disk that is not mounted just now.
    let unmounted = fixture.root().join("unmounted");
    fs::rename(&away, &unmounted).unwrap();
    fixture.program(["list"]);
    done(&fixture, &["land", "one"]);
    done(&fixture, &["discard", "two"]);
    done(&fixture, &["undo"]);
    done(&fixture, &["rollback", "two"]);
    fixture.program(["create", "--id", "three"]);
    fixture.program(["doctor", "--fix"]);
    let registered = fixture.git(["worktree", "list", "--porcelain"]);
    assert!(registered.contains("shadows/away"), "{registered}");
    // gc is what puts dead registrations away: it says so before, and it can be undone.
    let planned = fixture.program(["gc", "--dry-run", "--json"]);
    assert!(planned.text().contains("away"), "{}", planned.text());
    done(&fixture, &["gc"]);
    done(&fixture, &["undo"]);
    fs::rename(&unmounted, &away).unwrap();
    assert_eq!(fixture.git_in(&away, ["status", "--porcelain"]), "?? precious.txt");
    done(&fixture, &["land", "away"]);
    assert_eq!(fixture.git(["show", "main:precious.txt"]), "precious");
}
