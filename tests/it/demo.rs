//! The demo's repository: real git finds in it what it promises, the same every time.

use std::path::Path;

use shadowdeck::ops::demo;

use crate::support::{Fixture, fingerprint};

/// The fixture gives plain git its environment; the demo is built beside its repository.
fn built(fixture: &Fixture, name: &str) -> std::path::PathBuf {
    let dir = fixture.root().join(name);
    std::fs::create_dir(&dir).unwrap();
    demo::build(&dir).unwrap()
}

fn shadow_of(repository: &Path, branch: &str, fixture: &Fixture) -> std::path::PathBuf {
    let list = fixture.git_in(repository, ["worktree", "list", "--porcelain", "-z"]);
    let entry = list.split("\0\0").find(|entry| entry.contains(&format!("refs/heads/{branch}")));
    let path = entry.unwrap_or_else(|| panic!("no {branch} in {list:?}")).split('\0').next();
    path.unwrap().trim_start_matches("worktree ").into()
}

#[test]
fn git_finds_a_sound_repository_and_an_untouched_main_worktree() {
    let fixture = Fixture::new();
    let repository = built(&fixture, "demo");
    fixture.git_in(&repository, ["fsck", "--strict", "--no-dangling"]);
    assert_eq!(fixture.git_in(&repository, ["status", "--porcelain", "--branch"]), "## main");
    assert_eq!(fixture.git_in(&repository, ["rev-list", "--count", "main"]), "15");
    assert_eq!(
        fixture.git_in(&repository, ["shortlog", "-sn", "--no-merges", "main"]).lines().count(),
        3
    );
    assert!(fixture.git_in(&repository, ["ls-files"]).lines().count() >= 24);
    let refs = fixture.git_in(&repository, ["for-each-ref", "--format=%(refname)"]);
    assert!(refs.lines().all(|name| name.starts_with("refs/heads/")), "{refs}");
    let list = fixture.git_in(&repository, ["worktree", "list", "--porcelain"]);
    assert!(list.matches("worktree ").count() > 8, "{list}");
    assert!(list.contains("locked a soak test"), "{list}");
    assert!(list.contains("detached"), "{list}");
}

#[test]
fn the_same_objects_are_made_every_time() {
    let fixture = Fixture::new();
    let refs = |repository: &Path| fixture.git_in(repository, ["for-each-ref"]);
    let [one, two] = ["one", "two"].map(|name| built(&fixture, name));
    assert_eq!(refs(&one), refs(&two));
    let branch = "wt/fixer/quiet-otter";
    let [one, two] = [&one, &two].map(|demo| shadow_of(demo, branch, &fixture));
    let without_git = |dir: &Path| {
        let mut entries = fingerprint(dir);
        entries.remove(Path::new(".git"));
        entries
    };
    assert_eq!(without_git(&one), without_git(&two));
}

#[test]
fn each_state_is_what_git_says_it_is() {
    let fixture = Fixture::new();
    let repository = built(&fixture, "demo");
    let status = |branch: &str| {
        let path = shadow_of(&repository, branch, &fixture);
        fixture.git_in(&path, ["status", "--porcelain", "--untracked-files=all"])
    };
    let ahead = |branch: &str| {
        fixture.git_in(&repository, ["rev-list", "--count", &format!("main..{branch}")])
    };
    assert_eq!(
        (
            status("aide-shadow/probe-timeouts").as_str(),
            ahead("aide-shadow/probe-timeouts").as_str()
        ),
        ("", "2")
    );
    assert_eq!(
        status("aide-shadow/tidy-board"),
        "M  web/src/board.ts\n D web/src/format.ts\n M web/src/style.css"
    );
    assert_eq!(ahead("aide-shadow/tidy-board"), "0");
    let untracked = status("aide-shadow/decisions");
    assert!(
        untracked.lines().count() == 2 && untracked.lines().all(|line| line.starts_with("??")),
        "{untracked}"
    );
    assert_eq!(ahead("aide-shadow/health-endpoint"), "0");
    assert_eq!(
        (status("wt/scout/calm-heron").as_str(), ahead("wt/scout/calm-heron").as_str()),
        ("", "0")
    );
    let merge = |branch: &str| {
        let output = fixture.git_any(&repository, ["merge-tree", "--write-tree", "main", branch]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(merge("aide-shadow/probe-timeouts").0, Some(0));
    let (code, words) = merge("cleveragents/plan-paged-history");
    assert_eq!(code, Some(1));
    for kind in ["(content)", "(modify/delete)", "(rename/delete)"] {
        assert!(words.contains(kind), "{kind} in {words}");
    }
    let hostile =
        fixture.git_in(&repository, ["log", "-1", "--format=%s", "wt/fix\u{202e}gnp/typo"]);
    assert!(hostile.contains("\u{1b}]52;c;"), "{hostile:?}");
}

#[test]
fn a_directory_that_holds_a_demo_already_is_left_alone() {
    let fixture = Fixture::new();
    let repository = built(&fixture, "demo");
    let before = fingerprint(&repository);
    let refused = demo::build(repository.parent().unwrap()).unwrap_err();
    assert_eq!(refused.code.as_str(), "already_exists");
    assert_eq!(before, fingerprint(&repository));
}

#[test]
fn the_walk_without_a_terminal_says_what_it_did_and_leaves_nothing() {
    let fixture = Fixture::new();
    let run = fixture.program(["demo", "--headless"]);
    let text = run.text();
    assert_eq!(run.exit_code, 0, "{text}{}", run.stderr);
    for said in ["12 shadows", "looking changed nothing", "landed probe-timeouts on main by squash"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
    assert!(text.contains("everything is as it was"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    let left: Vec<_> = std::fs::read_dir(fixture.root().join("home")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_program_sees_every_state() {
    let fixture = Fixture::new();
    let repository = built(&fixture, "demo");
    let list = fixture.program_in(&repository, ["list", "--json"], b"").json();
    let rows = list["worktrees"].as_array().unwrap().clone();
    let row = |id: &str| {
        rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id}")).clone()
    };
    let says = |id: &str, key: &str, expected: &str| {
        let row = row(id);
        assert_eq!(row[key].as_str(), Some(expected), "{id} {key}");
    };
    says("probe-timeouts", "verdict", "clean");
    says("ca-sandbox-paged-history-01JRA2M4Z8", "verdict", "conflicts");
    says("ca-sandbox-paged-history-01JRA2M4Z8", "convention", "plan");
    says("fixer-quiet-otter", "convention", "agent");
    says("health-endpoint", "verdict", "landed");
    says("health-endpoint", "stale_why", "landed");
    says("scout-calm-heron", "verdict", "empty");
    says("scout-calm-heron", "stale_why", "empty");
    says("old-charts", "stale_why", "idle");
    says("painter-amber-wren", "stale_why", "idle");
    says("ca-sandbox-soak-test-01JRC7Q2VB", "locked", "a soak test runs in here until Friday");
    assert!(row("bisect-latency")["branch"].is_null());
    assert_eq!(row("decisions")["dirty"], true);
    assert_eq!(row("probe-timeouts")["stale"], false);
    let conflicts =
        fixture.program_in(&repository, ["conflicts", "plan-paged-history", "--json"], b"");
    let conflicts = conflicts.json();
    let mut kinds: Vec<_> =
        conflicts["files"].as_array().unwrap().iter().map(|file| file["kind"].clone()).collect();
    kinds.sort_by_key(ToString::to_string);
    assert_eq!(kinds, ["content", "modify/delete", "rename/delete"]);
}
