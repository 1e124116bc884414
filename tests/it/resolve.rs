//! Conflict files decided from the command line: what lands is what was decided, and no checkout is touched before.

use std::{fs, path::PathBuf, sync::atomic::AtomicBool};

use shadowdeck::{
    config::Config,
    ops::{Deck, conflicts},
    review::ConflictKind,
    shadow::ShadowId,
};

use crate::support::{Fixture, fingerprint, write};

const README: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// `README.md` is changed in line 5 by both, and `gone.txt` deleted by one and edited by the other.
fn conflicted() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write("gone.txt", "g\n");
    fixture.commit("gone");
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", README.replace("5\n", "shadow\n"));
    write(&shadow, "gone.txt", "edited\n");
    fixture.write("README.md", README.replace("5\n", "target\n"));
    fs::remove_file(fixture.repository.join("gone.txt")).unwrap();
    fixture.commit("main moves");
    (fixture, shadow)
}

fn resolve(fixture: &Fixture, args: &[&str]) -> (i32, serde_json::Value) {
    let run = fixture.program([&["resolve", "one"], args, &["--json"]].concat());
    (run.exit_code, run.json())
}

#[test]
fn a_content_of_ones_own_lands_and_its_markers_are_refused_by_line() {
    let (fixture, shadow) = conflicted();
    let before = (fixture.refs(), fingerprint(&shadow), fixture.git(["status", "--porcelain"]));
    let own = fixture.root().join("own.txt");
    fs::write(&own, "a\n=======\nb\n>>>>>>> theirs\n").unwrap();
    let own = own.to_str().unwrap();
    let (_, json) = resolve(&fixture, &["README.md", "--file", own]);
    assert_eq!(json["error"]["code"], "markers_left");
    assert_eq!(json["error"]["details"]["lines"], serde_json::json!([4]));
    assert_eq!(resolve(&fixture, &["README.md", "--file", own, "--allow-markers"]).0, 0);
    fs::write(own, "a heading\n=======\nboth\n").unwrap();
    assert_eq!(resolve(&fixture, &["README.md", "--file", own]).0, 0);
    assert_eq!(resolve(&fixture, &["gone.txt", "--take", "shadow"]).0, 0);
    let now = (fingerprint(&shadow), fixture.git(["status", "--porcelain"]));
    assert_eq!(now, (before.1, before.2), "no checkout is touched");
    // It was written by hand, and is kept even where the private store is made anew.
    for dir in ["objects", "index"] {
        fs::remove_dir_all(fixture.repository.join(".git/shadowdeck").join(dir)).unwrap();
    }
    let land = fixture.program(["land", "one", "--yes", "--json"]);
    assert_eq!(land.exit_code, 0, "{}", land.text());
    assert_eq!(fixture.git(["show", "main:README.md"]), "a heading\n=======\nboth");
    assert_eq!(fixture.git(["show", "main:gone.txt"]), "edited");
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
}

#[test]
fn decisions_are_operations_that_can_be_taken_back() {
    let (fixture, _) = conflicted();
    let open = |fixture: &Fixture| -> Vec<bool> {
        let json = fixture.program(["conflicts", "one", "--json"]).json();
        let files = json["files"].as_array().unwrap().clone();
        files.iter().map(|file| !file["resolved"].as_bool().unwrap()).collect()
    };
    resolve(&fixture, &["README.md", "--take", "union"]);
    resolve(&fixture, &["gone.txt", "--take", "delete"]);
    assert_eq!(open(&fixture), [false, false]);
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert_eq!(open(&fixture), [false, true]);
    assert_eq!(fixture.program(["redo", "--yes"]).exit_code, 0);
    assert_eq!(open(&fixture), [false, false]);
    resolve(&fixture, &["gone.txt", "--clear"]);
    assert_eq!(open(&fixture), [false, true]);
    let log = fixture.program(["log", "--json"]).json();
    let operations = log["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 5, "{log}");
    assert_eq!(operations[0]["verb"], "resolve");
    assert_eq!(operations[0]["shadows"], serde_json::json!(["one"]));
    let chosen = |at: usize| {
        let chosen = &operations[at]["chosen"];
        format!("{}: {}", chosen["path"].as_str().unwrap(), chosen["choice"].as_str().unwrap())
    };
    let all: Vec<String> = (0..5).map(chosen).collect();
    let taken_back = "gone.txt: open again";
    let deleted = "gone.txt: deleted";
    assert_eq!(all, ["README.md: both", deleted, taken_back, deleted, taken_back]);
    let shown = fixture.program(["log"]).text();
    assert!(shown.contains("gone.txt: open again"), "{shown}");
    let first = operations[0]["operation"].as_str().unwrap();
    assert_eq!(fixture.program(["undo", first, "--yes"]).exit_code, 0);
    assert_eq!(open(&fixture), [true, true]);
}

#[test]
fn an_errored_shadow_shows_its_failure_and_lands_once_it_is_decided() {
    let (fixture, shadow) = conflicted();
    let none = fixture.program(["errors", "one", "--json"]).json();
    assert_eq!(none["last_error"], serde_json::Value::Null);
    assert_eq!(fixture.program(["land", "one", "--yes"]).exit_code, 3);
    assert_eq!(fixture.program(["list", "--json"]).json()["worktrees"][0]["state"], "errored");
    let json = fixture.program(["errors", "one", "--json"]).json();
    assert_eq!(json["last_error"]["code"], "conflicts");
    let named = json["last_error"]["details"]["merge_conflict"]["files"].as_array().unwrap();
    assert_eq!(named.len(), 2);
    assert!(fixture.program(["errors", "one"]).text().contains("README.md"));
    resolve(&fixture, &["README.md", "--take", "target"]);
    resolve(&fixture, &["gone.txt", "--take", "shadow"]);
    let land = fixture.program(["land", "one", "--keep", "--yes", "--json"]);
    assert_eq!(land.exit_code, 0, "{}", land.text());
    assert!(shadow.exists());
    assert_eq!(fixture.program(["list", "--json"]).json()["worktrees"][0]["state"], "active");
    let none = fixture.program(["errors", "one", "--json"]).json();
    assert_eq!(none["last_error"], serde_json::Value::Null);
}

/// What the pane shows as the result is the text that lands, whatever was chosen.
#[test]
fn the_result_shown_is_the_text_that_lands() {
    for take in ["target", "shadow", "base", "union"] {
        let (fixture, _) = conflicted();
        let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
        let id = ShadowId("one".to_owned());
        let read = || {
            conflicts::read_conflicts(
                &deck,
                &id,
                shadowdeck::review::Way::Whole,
                &AtomicBool::new(false),
            )
            .unwrap()
        };
        for file in read().files {
            let path = file.conflict.path.to_lossy();
            let takes = if file.conflict.kind == ConflictKind::Content { take } else { "shadow" };
            let (code, json) = resolve(&fixture, &[&path, "--take", takes]);
            assert_eq!(code, 0, "{takes} {path}: {json}");
        }
        let shown = read();
        let run = fixture.program(["land", "one", "-m", "x", "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{take}: {}", run.text());
        for file in shown.files {
            let path = file.conflict.path.to_lossy();
            let landed = fixture.git_any(&fixture.repository, ["show", &format!("main:{path}")]);
            match &file.result {
                Some(text) => assert_eq!(text.as_bytes(), landed.stdout, "{take} {path}"),
                None => assert!(!landed.status.success(), "{take} {path} was shown as gone"),
            }
        }
    }
}
