//! The target merged into a shadow: what is uncommitted there stays byte for byte, and undo takes the merge back.

use std::fs;

use crate::{
    conflicts_git::Watcher,
    support::{Fixture, fingerprint, write},
};

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// A shadow with a commit and work of every other kind, and a target that went on elsewhere.
struct Ground {
    fixture: Fixture,
    shadow: std::path::PathBuf,
}

impl Ground {
    fn new() -> Self {
        let fixture = Fixture::new();
        fixture.write(".gitignore", ".env\n");
        fixture.write("staged.txt", LINES);
        fixture.write("edited.txt", LINES);
        fixture.commit("base");
        let shadow = fixture.shadow("one");
        write(&shadow, "README.md", LINES.replace("2\n", "agent\n"));
        fixture.commit_in(&shadow, "work");
        write(&shadow, "staged.txt", "staged\n");
        fixture.git_in(&shadow, ["add", "staged.txt"]);
        write(&shadow, "staged.txt", "staged, then edited\n");
        write(&shadow, "edited.txt", "edited\n");
        write(&shadow, "untracked/file", "only copy\n");
        write(&shadow, ".env", "K=1\n");
        fixture.write("README.md", LINES.replace("9\n", "main\n"));
        fixture.write("new/of-main.txt", "main\n");
        fixture.commit("main goes on");
        Self { fixture, shadow }
    }

    /// Files, index and branch of the shadow, as git tells them.
    fn state(&self) -> String {
        let staged = self.fixture.git_in(&self.shadow, ["ls-files", "--stage"]);
        let status = self.fixture.git_in(&self.shadow, ["status", "--porcelain", "-uall"]);
        let head = self.fixture.git_in(&self.shadow, ["rev-parse", "HEAD"]);
        format!("{staged}\n{status}\n{head}\n{:?}", fingerprint(&self.shadow))
    }

    fn git(&self, args: &[&str]) -> String {
        self.fixture.git_in(&self.shadow, args)
    }
}

#[test]
fn the_target_comes_in_as_a_merge_and_nothing_uncommitted_is_touched() {
    let ground = Ground::new();
    let before = ground.state();
    let run = ground.fixture.program(["sync", "one", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["shadows"], serde_json::json!(["one"]));
    assert_eq!(json["files"], serde_json::json!(["README.md", "new/of-main.txt"]));
    let parents = ground.git(&["log", "-1", "--format=%P %s"]);
    let ours = json["before"].as_str().unwrap();
    let main = ground.fixture.git(["rev-parse", "main"]);
    assert_eq!(parents, format!("{ours} {main} Merge branch 'main' into aide-shadow/one"));
    // The tree is the one of git's own merge of the same commits.
    let merged = ground.fixture.git(["merge-tree", "--write-tree", ours, "main"]);
    assert_eq!(ground.git(&["rev-parse", "HEAD^{tree}"]), merged);
    let status = ground.git(&["status", "--porcelain", "-uall"]);
    assert_eq!(status, " M edited.txt\nMM staged.txt\n?? untracked/file");
    assert_eq!(ground.git(&["show", ":staged.txt"]), "staged");
    for (file, text) in [
        ("README.md", LINES.replace("2\n", "agent\n").replace("9\n", "main\n")),
        ("staged.txt", "staged, then edited\n".to_owned()),
        (".env", "K=1\n".to_owned()),
        ("untracked/file", "only copy\n".to_owned()),
    ] {
        assert_eq!(fs::read_to_string(ground.shadow.join(file)).unwrap(), text, "{file}");
    }
    let log = ground.fixture.program(["log", "--json"]).json();
    assert_eq!(log["operations"][0]["verb"], "sync");
    let after = ground.state();
    for (args, state) in [(["undo", "--yes"], &before), (["redo", "--yes"], &after)] {
        let run = ground.fixture.program(args);
        assert_eq!(run.exit_code, 0, "{args:?}: {}", run.stderr);
        assert_eq!(ground.state(), *state, "{args:?}");
    }
    let undone = ground.fixture.program(["undo", "--yes"]);
    assert_eq!((undone.exit_code, ground.state()), (0, before), "{}", undone.stderr);
    let again = ground.fixture.program(["sync", "one"]);
    assert_eq!(again.exit_code, 0, "{}", again.stderr);
    assert_eq!(ground.fixture.program(["sync", "one", "--json"]).error_code(), "wrong_state");
}

#[test]
fn a_conflict_is_named_and_changes_nothing_till_its_resolution_is_taken() {
    let ground = Ground::new();
    ground.fixture.write("README.md", LINES.replace("2\n", "main too\n"));
    ground.fixture.commit("the same line");
    let before = ground.state();
    for args in [&["sync", "one", "--json"][..], &["sync", "one", "--with-resolutions", "--json"]] {
        let run = ground.fixture.program(args);
        assert_eq!((run.exit_code, run.error_code().as_str()), (3, "conflicts"), "{args:?}");
        let files = &run.json()["error"]["details"]["files"];
        assert_eq!(*files, serde_json::json!([{"path": "README.md", "kind": "content"}]));
        assert_eq!(ground.state(), before, "{args:?}");
    }
    let resolve = ["resolve", "one", "README.md", "--take", "union"];
    assert_eq!(ground.fixture.program(resolve).exit_code, 0);
    let left = ground.fixture.program(["sync", "one", "--json"]);
    assert!(left.exit_code == 3 && left.stderr.contains("--with-resolutions"), "{}", left.stderr);
    let checkouts = vec![ground.fixture.repository.clone(), ground.shadow.clone()];
    let watcher = Watcher::start(&ground.fixture, checkouts);
    let run = ground.fixture.program(["sync", "one", "--with-resolutions", "--json"]);
    watcher.end();
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    assert_eq!(run.json()["resolved"], serde_json::json!(["README.md"]));
    let text = fs::read_to_string(ground.shadow.join("README.md")).unwrap();
    assert!(text.contains("main too\nagent\n"), "{text}");
    assert!(!ground.fixture.repository.join(".git/worktrees/one/MERGE_HEAD").exists());
    assert_eq!(
        ground.fixture.program(["conflicts", "one", "--json"]).json()["files"],
        serde_json::json!([])
    );
    let undone = ground.fixture.program(["undo", "--yes"]);
    assert_eq!((undone.exit_code, ground.state()), (0, before), "{}", undone.stderr);
}

#[test]
fn a_commit_is_asked_for_only_where_a_conflict_file_has_uncommitted_lines() {
    let ground = Ground::new();
    ground.fixture.write("README.md", LINES.replace("2\n", "main too\n"));
    ground.fixture.commit("the same line");
    let help = || {
        let run = ground.fixture.program(["sync", "one", "--json"]);
        run.json()["error"]["help"].as_str().unwrap_or_default().to_owned()
    };
    assert!(!help().contains("a merge is of commits"), "{}", help());
    write(&ground.shadow, "README.md", "rewritten, and not committed\n");
    assert!(help().contains("a merge is of commits"), "{}", help());
}

#[test]
fn uncommitted_work_in_the_way_is_named_and_stays() {
    for (file, text) in [("README.md", "edited\n"), ("new/of-main.txt", "mine\n")] {
        let ground = Ground::new();
        write(&ground.shadow, file, text);
        let before = ground.state();
        let run = ground.fixture.program(["sync", "one", "--json"]);
        assert_eq!((run.exit_code, run.error_code().as_str()), (4, "dirty_overlap"), "{file}");
        assert!(run.stderr.contains(file), "{}", run.stderr);
        assert_eq!(ground.state(), before);
    }
    // An ignored file is work too.
    let ground = Ground::new();
    ground.fixture.write(".env", "main\n");
    ground.fixture.git(["add", "-f", ".env"]);
    ground.fixture.commit("its own");
    let before = ground.state();
    let run = ground.fixture.program(["sync", "one", "--json"]);
    assert_eq!(run.error_code(), "dirty_overlap", "{}", run.stderr);
    assert_eq!(ground.state(), before);
}

#[test]
fn whoever_is_at_work_in_it_is_named() {
    let ground = Ground::new();
    let before = ground.state();
    let lock = ground.fixture.repository.join(".git/worktrees/one/index.lock");
    fs::write(&lock, "").unwrap();
    let run = ground.fixture.program(["sync", "one", "--json"]);
    assert_eq!(run.error_code(), "shadow_busy", "{}", run.stderr);
    assert!(run.stderr.contains("index.lock"), "{}", run.stderr);
    fs::remove_file(lock).unwrap();
    #[cfg(target_os = "linux")]
    {
        let mut agent = ground.fixture.child("sleep", &ground.shadow).arg("300").spawn().unwrap();
        let run = ground.fixture.program(["sync", "one", "--json"]);
        assert_eq!(run.error_code(), "shadow_busy", "{}", run.stderr);
        assert!(run.stderr.contains(&agent.id().to_string()), "{}", run.stderr);
        agent.kill().unwrap();
        agent.wait().unwrap();
    }
    ground.git(&["checkout", "-q", "--detach"]);
    assert_eq!(ground.fixture.program(["sync", "one", "--json"]).error_code(), "wrong_state");
    ground.git(&["checkout", "-q", "aide-shadow/one"]);
    assert_eq!(ground.state(), before);
}

/// Whoever works in the shadow may have written them.
#[test]
fn no_hook_runs() {
    let ground = Ground::new();
    let hooks = ground.fixture.repository.join(".git/hooks");
    for hook in ["reference-transaction", "post-index-change", "pre-merge-commit", "post-merge"] {
        let text = format!("#!/bin/sh\ntouch {}/ran-{hook}\n", ground.fixture.root().display());
        crate::support::script(&hooks.join(hook), text);
    }
    for args in [&["sync", "one"][..], &["undo", "--yes"], &["redo", "--yes"], &["undo", "--yes"]] {
        let run = ground.fixture.program(args);
        assert_eq!(run.exit_code, 0, "{args:?}: {}", run.stderr);
        let ran = fs::read_dir(ground.fixture.root()).unwrap().flatten();
        let ran: Vec<_> = ran
            .map(|it| it.file_name())
            .filter(|it| it.to_string_lossy().starts_with("ran-"))
            .collect();
        assert!(ran.is_empty(), "{args:?}: {ran:?}");
    }
}

/// git would move its entry alone, and what is checked out would then read as the shadow's wish to move it back.
#[test]
fn a_submodule_that_the_target_moved_is_not_left_behind() {
    let fixture = Fixture::new();
    let library = fixture.root().join("library");
    fs::create_dir_all(&library).unwrap();
    fixture.git_in(&library, ["init", "-q", "-b", "main"]);
    write(&library, "lib.txt", "one\n");
    fixture.commit_in(&library, "one");
    let allow = "protocol.file.allow=always";
    let url = library.to_str().unwrap();
    fixture.git(["-c", allow, "submodule", "--quiet", "add", url, "lib"]);
    fixture.commit("submodule");
    let (shadow, bare) = (fixture.shadow("one"), fixture.shadow("bare"));
    let update = ["-c", allow, "submodule", "--quiet", "update", "--init"];
    fixture.git_in(&shadow, update);
    for shadow in [&shadow, &bare] {
        write(shadow, shadow.file_name().unwrap().to_str().unwrap(), "own\n");
        fixture.commit_in(shadow, "own");
    }
    write(&library, "lib.txt", "two\n");
    fixture.commit_in(&library, "two");
    let inner = fixture.repository.join("lib");
    fixture.git_in(&inner, ["pull", "-q"]);
    let moved = fixture.git_in(&inner, ["rev-parse", "HEAD"]);
    fixture.commit("bump");
    let before = (fingerprint(&shadow), fixture.refs());
    for args in [&["sync", "one"][..], &["land", "one", "--keep", "--yes"]] {
        let run = fixture.program([args, &["--json"]].concat());
        assert_eq!(run.error_code(), "wrong_state", "{args:?}: {}", run.text());
        let text = run.text();
        assert!(text.contains("lib") && text.contains("git submodule update"), "{text}");
        assert_eq!((fingerprint(&shadow), fixture.refs()), before, "{args:?}");
    }
    // What it says to do leads on, and nothing of the move is taken back.
    fixture.git_in(&shadow, ["merge", "-q", "--no-edit", "main"]);
    let report = fixture.program(["land", "one", "--yes", "--json"]).text();
    assert!(report.contains("git submodule update"), "{report}");
    fixture.git_in(&shadow, update);
    let land = fixture.program(["land", "one", "--yes"]);
    assert_eq!(land.exit_code, 0, "{}{}", land.text(), land.stderr);
    assert_eq!(fixture.git(["rev-parse", "main:lib"]), moved);
    // Where nothing of it is checked out nothing can be left behind.
    let sync = fixture.program(["sync", "bare"]);
    assert_eq!(sync.exit_code, 0, "{}{}", sync.text(), sync.stderr);
    assert_eq!(fixture.git_in(&bare, ["rev-parse", "HEAD:lib"]), moved);
    assert_eq!(fixture.git_in(&bare, ["status", "--porcelain"]), "");
}
