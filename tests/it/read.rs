//! Reading one shadow: patches that apply, names as git has them, conflicts in git's own kinds.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, os::unix::fs::PermissionsExt, path::Path};

use serde_json::Value;
use shadowdeck::{
    config::Config,
    ops::{self, Deck},
    review::marks::{Looked, Mark},
    shadow::{Oid, ShadowId},
};

use crate::support::{Fixture, write};

/// The numbers of a range, a line each.
fn numbered(from: u32, to: u32) -> String {
    let lines: Vec<String> = (from..=to).map(|number| format!("{number}\n")).collect();
    lines.concat()
}

/// The patch of a shadow, applied to its base in an index of its own, gives its snapshot.
fn applies(fixture: &Fixture, id: &str) {
    let row = fixture.program(["show", id, "--json"]).json()["worktree"].clone();
    let patch = fixture.program(["diff", id]).stdout;
    let scratch = tempfile::tempdir().unwrap();
    let git = |args: &[&str], input: &Path| {
        let output = fixture
            .child("git", &fixture.repository)
            .args(args)
            .env("GIT_INDEX_FILE", scratch.path().join("index"))
            .stdin(fs::File::open(input).unwrap())
            .output()
            .unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let file = scratch.path().join("patch");
    fs::write(&file, &patch).unwrap();
    git(&["read-tree", row["base_commit"].as_str().unwrap()], &file);
    git(&["apply", "--cached", "--whitespace=nowarn", "-"], &file);
    assert_eq!(git(&["write-tree"], &file), row["snapshot"].as_str().unwrap());
}

const ODD_NAMES: &[&[u8]] = &[
    b" lead",
    b"trail ",
    b"new\nline",
    b"tab\there",
    b"quo\"te",
    b"-rf",
    b"--",
    b"*",
    b"[x]",
    b":(glob)**",
    b":!x",
    b":(top)",
    b"$(touch PWNED)",
    b"back\\slash",
    b"%s%n",
    b"~",
    b"inval\x80\xffid",
    b"cr\rname",
    b"HEAD",
    b"esc\x1b[2J",
];

#[test]
fn hostile_names_are_listed_counted_and_applied() {
    let fixture = Fixture::new();
    for name in ODD_NAMES {
        write(&fixture.repository, Path::new(OsStr::from_bytes(name)), "1\n2\n");
    }
    fixture.commit("odd names");
    let shadow = fixture.shadow("s");
    for name in ODD_NAMES {
        write(&shadow, Path::new(OsStr::from_bytes(name)), "1\n2\n3\n");
    }
    write(&shadow, "dir \"q\"/un\ttracked", "u\n");
    let shown = fixture.program(["show", "s", "--json"]).json();
    let files = shown["files"].as_array().unwrap();
    assert_eq!(files.len(), ODD_NAMES.len() + 1);
    assert!(files.iter().all(|file| file["insertions"] == 1 && file["deletions"] == 0));
    let encoded =
        files.iter().find(|file| file["path"].as_str().unwrap().starts_with("inval")).unwrap();
    assert_eq!(encoded["path_bytes"], "aW52YWyA/2lk");
    assert!(!fixture.repository.join("PWNED").exists() && !shadow.join("PWNED").exists());
    applies(&fixture, "s");
    let numstat = fixture.program(["diff", "s", "--numstat"]).text();
    assert!(numstat.contains("1\t0\t\"new\\nline\"\n"), "{numstat}");
    let text = fixture.program(["show", "s"]).stdout;
    assert!(
        !text.contains(&0x1b) && !text.contains(&b'\r'),
        "control characters reach the terminal"
    );
}

#[test]
fn modes_binaries_links_and_missing_newlines_are_carried() {
    let fixture = Fixture::new();
    let mut random: Vec<u8> =
        (0..70_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[1]).collect();
    random[17] = 0;
    for (name, bytes) in [
        ("run.sh", b"#!/bin/sh\n".as_slice()),
        ("nonl.txt", b"a\nb"),
        ("nl.txt", b"a\nb\n"),
        ("type", b"t\n"),
        ("img.gif", b"GIF\0\x01\x02"),
        ("moved.bin", &random),
    ] {
        fixture.write(name, bytes);
    }
    fixture.commit("base");
    let shadow = fixture.shadow("s");
    fs::set_permissions(shadow.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    write(&shadow, "nonl.txt", "a\nb\n");
    write(&shadow, "nl.txt", "a\nb");
    fs::remove_file(shadow.join("type")).unwrap();
    std::os::unix::fs::symlink("nl.txt", shadow.join("type")).unwrap();
    write(&shadow, "img.gif", b"GIF\0\x01\x03");
    fs::rename(shadow.join("moved.bin"), shadow.join("moved2.bin")).unwrap();
    let late = numbered(1, 3000);
    write(&shadow, "late-nul.dat", late + "\0\n");
    applies(&fixture, "s");
    let diff = fixture.program(["diff", "s", "--json"]).json();
    let file = |path: &str| -> Value {
        let files = diff["files"].as_array().unwrap();
        files
            .iter()
            .find(|file| file["path"] == path)
            .unwrap_or_else(|| panic!("no {path}"))
            .clone()
    };
    assert_eq!(
        (&file("run.sh")["old_mode"], &file("run.sh")["new_mode"]),
        (&Value::from("100644"), &Value::from("100755"))
    );
    assert_eq!(file("type")["status"], "T");
    assert_eq!(
        (&file("img.gif")["binary"], &file("img.gif")["hunks"]),
        (&Value::from(true), &Value::from(Vec::<u8>::new()))
    );
    assert_eq!(
        (&file("moved2.bin")["status"], &file("moved2.bin")["old_path"]),
        (&Value::from("R"), &Value::from("moved.bin"))
    );
    assert_eq!(
        (&file("late-nul.dat")["binary"], &file("late-nul.dat")["insertions"]),
        (&Value::from(false), &Value::from(3001))
    );
    assert_eq!(
        (&file("nl.txt")["insertions"], &file("nl.txt")["deletions"]),
        (&Value::from(1), &Value::from(1))
    );
}

#[test]
fn hunks_and_names_are_gits_own() {
    let fixture = Fixture::new();
    let text = numbered(1, 120).replace('\n', " line\n");
    fixture.write("a.txt", &text);
    fixture.write("gone.txt", "gone\n");
    fixture.commit("base");
    let shadow = fixture.shadow("s");
    let edited = text
        .replace("\n7 line\n", "\n")
        .replace("\n60 line\n", "\nnew\n60 line\n")
        .replace("\n64 line\n", "\nx\n");
    write(&shadow, "a.txt", edited);
    fs::remove_file(shadow.join("gone.txt")).unwrap();
    fixture.commit_in(&shadow, "work");
    let base = fixture.git(["merge-base", "main", "aide-shadow/s"]);
    let git = |format: &str| fixture.git(["diff-tree", "-r", "-M", format, &base, "aide-shadow/s"]);
    for format in ["--numstat", "--name-status", "--stat"] {
        assert_eq!(
            fixture.program(["diff", "s", format]).text().trim_end(),
            git(format),
            "{format}"
        );
    }
    let patch = git("-p");
    let headers: Vec<&str> = patch
        .lines()
        .filter(|line| line.starts_with("@@ "))
        .map(|line| line.split(" @@").next().unwrap())
        .collect();
    let diff = fixture.program(["diff", "s", "--json"]).json();
    let mut ours = Vec::new();
    for file in diff["files"].as_array().unwrap() {
        for hunk in file["hunks"].as_array().unwrap() {
            let side = |start: &str, lines: &str| match hunk[lines].as_u64().unwrap() {
                1 => hunk[start].to_string(),
                count => format!("{},{count}", hunk[start]),
            };
            ours.push(format!(
                "@@ -{} +{}",
                side("old_start", "old_lines"),
                side("new_start", "new_lines")
            ));
        }
    }
    assert_eq!(ours, headers);
}

#[test]
fn a_criss_cross_history_shows_what_landing_changes_and_no_line_taken_back() {
    let fixture = Fixture::new();
    let lines = |five: &str, fifteen: &str| -> String {
        (1..=30)
            .map(|n| match n {
                5 => format!("{five}\n"),
                15 => format!("{fifteen}\n"),
                _ => format!("{n}\n"),
            })
            .collect()
    };
    fixture.write("a.txt", lines("5", "15"));
    fixture.commit("base");
    let shadow = fixture.shadow("f");
    write(&shadow, "a.txt", lines("5", "B"));
    let theirs = fixture.commit_in(&shadow, "15 -> B");
    fixture.write("a.txt", lines("A", "15"));
    let ours = fixture.commit("5 -> A");
    fixture.git(["merge", "-q", "--no-edit", &theirs]);
    fixture.git_in(&shadow, ["merge", "-q", "--no-edit", &ours]);
    fixture.write("a.txt", lines("5", "B"));
    fixture.commit("main takes A back");
    write(&shadow, "a.txt", lines("A", "15"));
    write(&shadow, "z.txt", "z\n");
    fixture.commit_in(&shadow, "shadow takes B back");
    assert_eq!(fixture.git(["merge-base", "--all", "main", "aide-shadow/f"]).lines().count(), 2);
    let shown = fixture.program(["show", "f", "--json"]).json();
    assert_eq!(shown["worktree"]["verdict"], "clean");
    assert_eq!(fixture.program(["diff", "f", "--numstat"]).text(), "1\t1\ta.txt\n1\t0\tz.txt\n");
    let patch = fixture.program(["diff", "f"]).text();
    assert!(patch.contains("-B\n+15\n") && !patch.contains("-A"), "{patch}");
}

/// Every structural conflict, each in a shadow of its name, as git's own tests have them.
fn zoo() -> Fixture {
    let fixture = Fixture::new();
    let lines = numbered;
    for (name, from, to) in [
        ("mm.txt", 1, 9),
        ("rn.txt", 100, 119),
        ("rd.txt", 200, 219),
        ("md.txt", 300, 309),
        ("p.txt", 400, 419),
        ("q.txt", 500, 519),
        ("s.txt", 600, 629),
    ] {
        fixture.write(name, lines(from, to));
    }
    fixture.write("bin", b"a\0b");
    fixture.commit("base");
    let shadow = |name: &str, change: &dyn Fn(&Path)| {
        let path = fixture.shadow(name);
        change(&path);
        fixture.commit_in(&path, name);
    };
    let rename =
        |dir: &Path, from: &str, to: &str| fs::rename(dir.join(from), dir.join(to)).unwrap();
    shadow("mm", &|dir| write(dir, "mm.txt", lines(1, 9).replace("5\n", "box\n")));
    shadow("rr", &|dir| rename(dir, "rn.txt", "rn-box.txt"));
    shadow("rd", &|dir| {
        rename(dir, "rd.txt", "rd-new.txt");
        write(dir, "rd-new.txt", lines(200, 219) + "x\n");
    });
    shadow("md", &|dir| write(dir, "md.txt", lines(300, 309) + "x\n"));
    shadow("aa", &|dir| write(dir, "aa.txt", "box\n"));
    shadow("ident", &|dir| {
        write(dir, "ident.txt", "same\n");
        write(dir, "i.txt", "i\n");
    });
    shadow("df", &|dir| write(dir, "df", "file\n"));
    shadow("two1", &|dir| rename(dir, "p.txt", "z.txt"));
    shadow("both", &|dir| {
        rename(dir, "s.txt", "s2.txt");
        write(dir, "s2.txt", lines(600, 629).replace("629", "last"));
    });
    shadow("type", &|dir| {
        rename(dir, "mm.txt", "mm2.txt");
        std::os::unix::fs::symlink("mm2.txt", dir.join("mm.txt")).unwrap();
    });
    shadow("bi", &|dir| write(dir, "bin", b"a\0c"));
    let main = fixture.repository.clone();
    write(&main, "mm.txt", lines(1, 9).replace("5\n", "main\n"));
    rename(&main, "rn.txt", "rn-main.txt");
    fs::remove_file(main.join("rd.txt")).unwrap();
    fs::remove_file(main.join("md.txt")).unwrap();
    write(&main, "aa.txt", "main\n");
    write(&main, "ident.txt", "same\n");
    write(&main, "df/x", "x\n");
    rename(&main, "q.txt", "z.txt");
    rename(&main, "s.txt", "s2.txt");
    write(&main, "s2.txt", lines(600, 629).replace("600", "first"));
    write(&main, "bin", b"a\0d");
    fixture.commit("main moves");
    fixture
}

#[test]
fn every_structural_conflict_has_gits_files_and_its_kind() {
    let fixture = zoo();
    let list = fixture.program(["list", "--json"]).json();
    for (id, kind, paths) in [
        ("mm", "content", ["mm.txt"].as_slice()),
        ("rr", "rename/rename", &["rn-box.txt", "rn-main.txt", "rn.txt"]),
        ("rd", "rename/delete", &["rd-new.txt"]),
        ("md", "modify/delete", &["md.txt"]),
        ("aa", "add/add", &["aa.txt"]),
        ("ident", "", &[]),
        ("df", "file/directory", &["df"]),
        ("two1", "add/add", &["z.txt"]),
        ("both", "", &[]),
        ("type", "distinct types", &["mm.txt"]),
        ("bi", "binary", &["bin"]),
    ] {
        let conflicts = fixture.program(["conflicts", id, "--json"]).json();
        let files = conflicts["files"].as_array().unwrap();
        let found: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
        assert_eq!(found, paths, "{id}");
        assert!(files.iter().all(|file| file["kind"] == kind), "{id}: {files:?}");
        let row = list["worktrees"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        assert_eq!(row["verdict"], if paths.is_empty() { "clean" } else { "conflicts" }, "{id}");
        let branch = format!("aide-shadow/{id}");
        let oracle = fixture.git_any(
            &fixture.repository,
            ["merge-tree", "--write-tree", "--name-only", "--no-messages", "main", &branch],
        );
        let mut named: Vec<String> = String::from_utf8(oracle.stdout)
            .unwrap()
            .lines()
            .skip(1)
            .map(|name| name.split('~').next().unwrap().to_owned())
            .collect();
        named.dedup();
        assert_eq!(found, named, "{id}: git's own names");
    }
}

#[test]
fn unrelated_histories_do_not_spoil_the_others() {
    let fixture = Fixture::new();
    write(&fixture.shadow("good"), "new.txt", "new\n");
    let path = fixture.root().join("shadows/alien");
    fixture.git(["worktree", "add", "-q", "--orphan", "-b", "alien", path.to_str().unwrap()]);
    write(&path, "a.txt", "alien\n");
    fixture.commit_in(&path, "alien");
    let list = fixture.program(["list", "--json"]).json();
    let row = |id: &str| {
        list["worktrees"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone()
    };
    assert_eq!(row("good")["verdict"], "clean");
    assert_eq!(row("alien")["verdict"], "unknown");
    assert!(row("alien")["problem"].as_str().unwrap().contains("no common history"));
}

#[test]
fn nothing_that_a_repository_holds_drives_the_terminal() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("esc");
    write(&shadow, "a\u{1b}[2Jb.txt", "x\n");
    write(&shadow, "c1\u{9b}31m.txt", "x\n");
    write(
        &shadow,
        "payload.txt",
        "\u{1b}]52;c;UFdORUQ=\u{7} line\nvisible\rOVERWRITTEN\nc1 \u{9b}2J\n\u{202e}bidi\n",
    );
    fixture.git_in(&shadow, ["add", "payload.txt"]);
    fixture.git_in(
        &shadow,
        ["-c", "user.name=Eve \u{1b}[31m", "commit", "-q", "-m", "subject \u{1b}[2J"],
    );
    fixture.git([
        "worktree",
        "lock",
        "--reason",
        "why \u{1b}]0;PWNED\u{7}",
        shadow.to_str().unwrap(),
    ]);
    for args in [
        ["list", "--all"].as_slice(),
        &["show", "esc"],
        &["conflicts", "esc"],
        &["diff", "esc", "--stat"],
    ] {
        let run = fixture.program(args);
        assert!(
            !run.stdout.contains(&0x1b) && !run.stdout.contains(&b'\r'),
            "{args:?}: {}",
            run.text()
        );
        assert!(!run.text().contains(['\u{9b}', '\u{202e}', '\u{7}']), "{args:?}");
    }
    let painted = fixture.program(["diff", "esc", "--color=always"]).text();
    assert!(
        !painted.contains("\u{1b}]52") && !painted.contains('\r') && !painted.contains('\u{9b}')
    );
    assert!(painted.contains("\u{1b}[32m+\u{241b}]52;c;UFdORUQ=\u{2407} line"), "{painted}");
    let missing = fixture.program(["show", "no\u{1b}[2Jpe"]);
    assert!(!missing.stderr.contains('\u{1b}'), "{}", missing.stderr);
}

#[test]
fn usage_errors_and_the_missing_terminal_are_told_to_scripts() {
    let fixture = Fixture::new();
    let usage = fixture.program(["frobnicate", "--json"]);
    assert_eq!((usage.exit_code, usage.error_code().as_str()), (2, "usage"));
    assert_eq!(fixture.program(["list", "--wrong"]).exit_code, 2);
    let bare = fixture.program::<&str>([]);
    assert_eq!(bare.exit_code, 4);
    assert!(bare.stderr.contains("shadowdeck list"), "{}", bare.stderr);
    assert_eq!(fixture.program(["--json"]).error_code(), "needs_terminal");
    assert_eq!(fixture.program(["--help"]).exit_code, 0);
}

#[test]
fn handles_are_read_in_turn() {
    let fixture = Fixture::new();
    fixture.shadow("alpha");
    fixture.shadow("alpine");
    let id =
        |handle: &str| fixture.program(["show", handle, "--json"]).json()["worktree"]["id"].clone();
    let path = fixture.root().join("shadows/alpine");
    assert_eq!(id("aide-shadow/alpha"), "alpha");
    assert_eq!(id(path.to_str().unwrap()), "alpine");
    assert_eq!(id("alph"), "alpha");
    let both = fixture.program(["show", "alp", "--json"]);
    assert_eq!(both.error_code(), "ambiguous");
    assert_eq!(
        both.json()["error"]["details"]["candidates"],
        serde_json::json!(["alpha", "alpine"])
    );
}

#[test]
fn a_rename_says_how_much_of_it_is_alike() {
    let fixture = Fixture::new();
    fixture.write("a.txt", numbered(1, 40));
    fixture.commit("base");
    let shadow = fixture.shadow("s");
    fs::remove_file(shadow.join("a.txt")).unwrap();
    write(&shadow, "b.txt", numbered(2, 40));
    let page = fixture.program(["diff", "s", "--json"]).json();
    let percent = page["files"][0]["similarity"].as_u64().expect("a number");
    assert!((90..100).contains(&percent), "{page}");
}

#[test]
fn what_changed_since_somebody_looked_is_told_alone() {
    let fixture = Fixture::new();
    for name in ["a.txt", "b.txt", "t.txt"] {
        fixture.write(name, "1\n2\n3\n");
    }
    fixture.commit("base");
    let shadow = fixture.shadow("s");
    write(&shadow, "a.txt", "1\n2\n3\nfirst\n");
    write(&shadow, "b.txt", "1\n2\n3\nfirst\n");
    let asked = ["diff", "s", "--since-review"];
    let never = fixture.program(asked);
    assert_eq!(never.exit_code, 4, "{}", never.stderr);
    assert!(never.stderr.contains("nobody has looked at s"), "{}", never.stderr);

    let page = fixture.program(["diff", "s", "--json"]).json();
    let oid = |key: &str| Oid::parse(page[key].as_str().unwrap()).unwrap();
    let (snapshot, base) = (oid("snapshot"), Some(oid("base")));
    let looked = Looked { snapshot, base, read: 0, files: 2, changed: 0 };
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    ops::marks::keep(&deck, &[Mark::Looked(ShadowId("s".to_owned()), looked)]).unwrap();
    assert_eq!(fixture.program(asked).text(), "", "nothing is new");

    write(&shadow, "a.txt", "1\n2\n3\nfirst\nsecond\n");
    let patch = fixture.program(asked).text();
    assert!(patch.contains(" first\n+second\n") && !patch.contains("b.txt"), "{patch}");
    let names = |fixture: &Fixture| {
        let page = fixture.program(["diff", "s", "--since-review", "--json"]).json();
        let names = page["files"].as_array().unwrap().iter();
        names.map(|file| file["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&fixture), ["a.txt"]);

    // What the target did meanwhile is not the shadow's.
    fixture.write("t.txt", "1\n2\n3\ntarget\n");
    fixture.commit("target");
    fixture.commit_in(&shadow, "work");
    fixture.git_in(&shadow, ["merge", "-q", "main"]);
    let patch = fixture.program(asked).text();
    assert!(patch.contains("+first\n+second\n") && !patch.contains("target"), "{patch}");
    assert!(!patch.contains("b.txt"), "{patch}");
    assert_eq!(names(&fixture), ["a.txt"]);
    write(&shadow, "a.txt", "1\n2\n3\nfirst\n");
    assert_eq!(fixture.program(asked).text(), "", "as it was then");
    assert_eq!(names(&fixture), Vec::<String>::new());
}
