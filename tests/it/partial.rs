//! Landing a part: what is accepted lands, the rest stays, together they are the whole; plain git as the oracle.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use proptest::{prelude::*, test_runner::Config as ProptestConfig};
use shadowdeck::{
    config::Config,
    ops::{Deck, diff, land},
    review::{
        Accepted, LandOptions, Only,
        accepted::{Counts, hunks_of},
    },
    shadow::ShadowId,
};

use crate::support::{Fixture, fingerprint, write};

/// Each case runs two landings and an undo.
const CASES: u32 = 6;

fn run(fixture: &Fixture, args: &[&str]) -> serde_json::Value {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    run.json()
}

fn refused(fixture: &Fixture, args: &[&str]) -> (String, String) {
    let run = fixture.program([args, &["--yes", "--json"]].concat());
    assert_ne!(run.exit_code, 0, "{args:?}: {}", run.text());
    let error = &run.json()["error"];
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

/// A shadow of five changed files, committed and not, and a `main` that has moved on.
fn prepared() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write("dir/one.txt", "1\n");
    fixture.write("dir/two.txt", "2\n");
    fixture.write("old name.txt", "a\nb\nc\nd\ne\n");
    fixture.commit("more");
    let shadow = fixture.shadow("one");
    write(&shadow, "dir/one.txt", "one\n");
    fixture.commit_in(&shadow, "one");
    fixture.git_in(&shadow, ["mv", "old name.txt", "new name.txt"]);
    write(&shadow, "dir/two.txt", "two\n");
    write(&shadow, "loose/new.sh", "#!/bin/sh\n");
    fs::set_permissions(shadow.join("loose/new.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    write(&shadow, "README.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n");
    fixture.write("README.md", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    fixture.commit("main moves");
    (fixture, shadow)
}

/// The tree that git makes of all the shadow holds and its target.
fn whole(fixture: &Fixture, shadow: &Path) -> String {
    let copy = fixture.root().join("copy");
    let branch = fixture.git_in(shadow, ["rev-parse", "HEAD"]);
    fixture.git(["worktree", "add", "-q", "--detach", copy.to_str().unwrap(), &branch]);
    fixture.git_in(&copy, ["rm", "-rq", "--ignore-unmatch", "."]);
    for (name, (_, bytes)) in fingerprint(shadow) {
        if name != Path::new(".git") && shadow.join(&name).is_file() {
            write(&copy, &name, bytes);
            let mode = fs::metadata(shadow.join(&name)).unwrap().permissions();
            fs::set_permissions(copy.join(&name), mode).unwrap();
        }
    }
    fixture.commit_in(&copy, "all of it");
    fixture.git_in(&copy, ["merge", "-q", "-m", "whole", "main"]);
    let tree = fixture.git_in(&copy, ["rev-parse", "HEAD^{tree}"]);
    fixture.git(["worktree", "remove", "--force", copy.to_str().unwrap()]);
    tree
}

fn times(dir: &Path) -> Vec<(PathBuf, i64, i64)> {
    let names = fingerprint(dir).into_keys().filter(|name| dir.join(name).is_file());
    let time = |name: PathBuf| {
        let about = fs::symlink_metadata(dir.join(&name)).unwrap();
        (name, about.mtime(), about.mtime_nsec())
    };
    names.map(time).collect()
}

#[test]
fn a_part_lands_as_one_commit_and_the_rest_is_what_the_shadow_then_proposes() {
    let (fixture, shadow) = prepared();
    let all = whole(&fixture, &shadow);
    let before = fixture.git(["rev-parse", "main"]);
    let json =
        run(&fixture, &["land", "one", "--only", "dir/one.txt", "--only", "loose/", "-m", "p"]);
    assert_eq!(fixture.git(["diff", "--name-only", &before, "main"]), "dir/one.txt\nloose/new.sh");
    assert_eq!(fixture.git(["rev-parse", "main^"]), before);
    assert_eq!(json["part"]["files"], 2);
    assert_eq!(json["part"]["files_all"], 5);
    assert_eq!(json["part"]["hunks_all"], 5);
    assert_eq!(
        json["part"]["left_out"],
        serde_json::json!(["README.md", "dir/two.txt", "new name.txt"])
    );
    assert_eq!(json["cleaned_up"], false);
    // The rest: on the new target, committed, with the target's own changes in its files.
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^"]), fixture.git(["rev-parse", "main"]));
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^{tree}"]), all);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
    assert_eq!(fixture.git_in(&shadow, ["branch", "--show-current"]), "aide-shadow/one");
    let row = fixture.program(["list", "--json"]).json()["worktrees"][0].clone();
    assert_eq!(
        (&row["verdict"], &row["diff_stats"]["files_changed"]),
        (&"clean".into(), &3.into())
    );
    run(&fixture, &["land", "one", "-m", "rest"]);
    assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), all);
    assert_eq!(fixture.git(["fsck", "--no-dangling", "--connectivity-only"]), "");
}

#[test]
fn an_undone_part_brings_back_tip_index_files_and_their_times() {
    let (fixture, shadow) = prepared();
    write(&shadow, "staged.txt", "staged\n");
    fixture.git_in(&shadow, ["add", "staged.txt"]);
    let state = |fixture: &Fixture| {
        let status = fixture.git_in(&shadow, ["status", "--porcelain", "-uall"]);
        (status, fixture.git(["for-each-ref", "refs/heads"]), fingerprint(&shadow), times(&shadow))
    };
    let before = state(&fixture);
    run(&fixture, &["land", "one", "--only", "README.md"]);
    assert_ne!(state(&fixture), before);
    run(&fixture, &["undo"]);
    assert_eq!(state(&fixture), before);
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
    run(&fixture, &["redo"]);
    assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
    assert_eq!(fixture.git(["show", "main:README.md"]), "one\n2\n3\n4\n5\n6\n7\n8\n9\nten");
    run(&fixture, &["undo"]);
    assert_eq!(state(&fixture), before);
}

#[test]
fn all_accepted_is_the_full_landing_with_the_shadow_kept_on_it() {
    let (fixture, shadow) = prepared();
    let all = whole(&fixture, &shadow);
    let paths = ["README.md", "dir", "old name.txt", "loose"];
    let only: Vec<&str> = paths.iter().flat_map(|path| ["--only", path]).collect();
    run(&fixture, &[&["land", "one"], &only[..]].concat());
    assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), all);
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD"]), fixture.git(["rev-parse", "main"]));
    assert_eq!(refused(&fixture, &["land", "one", "--only", "dir"]).0, "not_found");
}

#[test]
fn what_is_not_in_the_change_is_refused_by_name() {
    let (fixture, shadow) = prepared();
    let before = (fixture.refs(), fingerprint(&shadow));
    for (path, code) in [
        ("nowhere.txt", "not_found"),
        ("dir/o", "not_found"),
        ("../x", "invalid_path"),
        ("/etc/passwd", "invalid_path"),
        ("dir//one.txt", "invalid_path"),
    ] {
        let (found, message) = refused(&fixture, &["land", "one", "--only", path]);
        assert_eq!(found, code, "{path}");
        assert!(message.contains(path), "{message}");
    }
    let by_merge = ["land", "one", "--only", "dir", "--strategy", "merge"];
    assert_eq!(refused(&fixture, &by_merge).0, "invalid_value");
    assert_eq!((fixture.refs(), fingerprint(&shadow)), before);
}

#[test]
fn a_part_is_refused_where_the_rest_conflicts_or_an_agent_is_at_work() {
    let (fixture, shadow) = prepared();
    fixture.write("dir/two.txt", "deux\n");
    fixture.commit("against it");
    let before = (fixture.refs(), fingerprint(&shadow));
    let (code, message) = refused(&fixture, &["land", "one", "--only", "loose"]);
    assert_eq!(code, "conflicts");
    assert!(message.contains("dir/two.txt"), "{message}");
    // Decided, the rest is no obstacle any more, and the decision is part of what stays.
    assert_eq!(fixture.program(["resolve", "one", "dir/two.txt", "--take", "union"]).exit_code, 0);
    let mut agent = fixture.child("sleep", &shadow).arg("600").spawn().unwrap();
    let busy = refused(&fixture, &["land", "one", "--only", "loose"]);
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert_eq!(busy.0, "shadow_busy", "{}", busy.1);
    assert_eq!((fixture.refs(), fingerprint(&shadow)), before);
    run(&fixture, &["land", "one", "--only", "loose"]);
    assert_eq!(fixture.git(["show", "main:dir/two.txt"]), "deux");
    assert_eq!(fs::read_to_string(shadow.join("dir/two.txt")).unwrap(), "deux\ntwo\n");
}

#[test]
fn a_file_cannot_come_where_one_that_is_left_out_still_stands() {
    let fixture = Fixture::new();
    fixture.write("thing", "a file\n");
    fixture.commit("thing");
    let shadow = fixture.shadow("one");
    fs::remove_file(shadow.join("thing")).unwrap();
    write(&shadow, "thing/inside.txt", "now a directory\n");
    let (code, message) = refused(&fixture, &["land", "one", "--only", "thing/inside.txt"]);
    assert_eq!(code, "invalid_path");
    assert!(message.starts_with("thing "), "{message}");
    run(&fixture, &["land", "one", "--only", "thing"]);
    assert_eq!(fixture.git(["show", "main:thing/inside.txt"]), "now a directory");
}

/// Accepts those hunks of the page whose turn in `choice` is true.
fn accept(deck: &Deck, choice: &[bool]) -> (Counts, LandOptions) {
    let page = diff::read_review(deck, &ShadowId("one".into()), &AtomicBool::new(false)).unwrap();
    let mut accepted = Accepted::default();
    let mut turns = choice.iter().cycle();
    for file in &page.files {
        let hunks = hunks_of(file);
        if hunks.is_empty() && *turns.next().unwrap() {
            accepted.accept_file(file);
        }
        for hunk in &hunks {
            if *turns.next().unwrap() {
                accepted.accept_blocks(file, hunk.blocks.clone());
            }
        }
    }
    let counts = accepted.counts(&page.files);
    let only = Some(Only::Accepted(accepted));
    (counts, LandOptions { only, expect: Some(page.snapshot), ..LandOptions::default() })
}

const LINES: usize = 40;

fn text(edits: &[(usize, u8)], who: &str) -> String {
    (0..LINES).fold(String::new(), |all, line| {
        all + &match edits.iter().find(|(at, _)| *at == line) {
            None => format!("line {line}\n"),
            Some((_, 0)) => String::new(),
            Some((_, 1)) => format!("line {line}\nadded by {who}\n"),
            Some(_) => format!("changed by {who}\n"),
        }
    })
}

/// The target's edits lie in the upper half, the shadow's in the lower: they merge, in hunks of their own.
fn edits(lines: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(usize, u8)>> {
    proptest::collection::vec((lines, 0_u8..3), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn accepted_and_rest_are_the_whole(
        mine in edits(18..LINES), theirs in edits(0..12), added in any::<bool>(),
        choice in proptest::collection::vec(any::<bool>(), 1..6),
    ) {
        let fixture = Fixture::new();
        fixture.git(["config", "user.name", "Ana Test"]);
        fixture.git(["config", "user.email", "ana@example.org"]);
        fixture.write("a.txt", text(&[], ""));
        fixture.write("b.txt", text(&[], ""));
        fixture.commit("base");
        let shadow = fixture.shadow("one");
        write(&shadow, "a.txt", text(&mine, "the shadow"));
        fixture.commit_in(&shadow, "a");
        write(&shadow, "b.txt", text(&mine[1..], "the shadow"));
        if added {
            write(&shadow, "new.bin", b"\0\x01");
        }
        fixture.write("a.txt", text(&theirs, "main"));
        fixture.commit("main moves");
        let (all, main) = (whole(&fixture, &shadow), fixture.git(["rev-parse", "main^{tree}"]));
        let id = ShadowId("one".into());
        let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
        let (counts, options) = accept(&deck, &choice);
        let planned = land::plan(&deck, &id, &options, &AtomicBool::new(false));
        if counts.files == 0 {
            prop_assert_eq!(planned.unwrap_err().code.as_str(), "nothing_to_land");
            prop_assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), main);
            return Ok(());
        }
        let plan = planned.unwrap();
        let everything = counts.hunks == counts.hunks_all;
        land::carry_out(&deck, &plan.confirm(), &|_| {}).unwrap();
        let part = fixture.git(["rev-parse", "main^{tree}"]);
        prop_assert_eq!(part == all, everything, "{:?}", counts);
        prop_assert_ne!(part, main);
        prop_assert_eq!(fixture.git_in(&shadow, ["status", "--porcelain"]), "");
        prop_assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^{tree}"]), &all[..]);
        if !everything {
            run(&fixture, &["land", "one", "-m", "rest"]);
        }
        prop_assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), all);
        prop_assert_eq!(fixture.git(["status", "--porcelain"]), "");
    }
}

/// What the message of a part says is what lands: the one commit that it is from, or what the files are.
#[test]
fn the_message_of_a_part_is_of_what_lands() {
    let (fixture, shadow) = prepared();
    write(&shadow, "late.txt", "late\n");
    fixture.git_in(&shadow, ["add", "late.txt"]);
    fixture.git_in(&shadow, ["commit", "-qm", "Come late\n\nWith a reason.", "--", "late.txt"]);
    let message = |only: &[&str]| {
        let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
        let only = only.iter().map(|path| shadowdeck::shadow::RepoPath::new(*path)).collect();
        let options = LandOptions { only: Some(Only::Paths(only)), ..LandOptions::default() };
        let id = ShadowId("one".to_owned());
        land::plan(&deck, &id, &options, &AtomicBool::new(false)).unwrap().message
    };
    assert_eq!(message(&["late.txt"]), "Come late\n\nWith a reason.", "not the first commit's");
    assert_eq!(message(&["dir/one.txt"]), "one");
    assert_eq!(message(&["loose"]), "Land a part of one: loose/new.sh", "no commit has it");
    let both = "Land a part of one: dir/one.txt and 1 more file\n\n* one\n* Come late";
    assert_eq!(message(&["late.txt", "dir/one.txt"]), both);
    write(&shadow, "late.txt", "later\n");
    let mixed = "Land a part of one: late.txt\n\n* Come late";
    assert_eq!(message(&["late.txt"]), mixed, "some of it is in no commit");
}
