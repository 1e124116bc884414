//! `config` and `log --follow` through the program.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use crate::support::{Fixture, write};

fn set(fixture: &Fixture, text: &str) {
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        write(&fixture.root().join("home").join(dir), "config.toml", text);
    }
}

#[test]
fn every_setting_is_shown_with_its_value_and_where_it_comes_from() {
    let fixture = Fixture::new();
    set(&fixture, "theme = 'dark'\n\n[trash]\nage_days = 7\n");
    let home = fixture.root().join("home");
    // No repository is needed.
    let json = fixture.program_in(&home, ["config", "--json"], b"").json();
    let find = |key: &str| {
        let settings = json["settings"].as_array().unwrap();
        settings.iter().find(|setting| setting["key"] == key).unwrap().clone()
    };
    let age = find("trash.age_days");
    assert_eq!((&age["value"], &age["from"], &age["line"]), (&7.into(), &"file".into(), &4.into()));
    let timeout = find("git.timeout_s");
    assert_eq!((&timeout["value"], &timeout["from"]), (&30.into(), &"default".into()));
    let text = fixture.program_in(&home, ["config"], b"").text();
    assert!(text.contains("trash.age_days"), "{text}");
    let path = fixture.program_in(&home, ["config", "path"], b"").text();
    assert_eq!(
        std::fs::read_to_string(path.trim_end()).unwrap().lines().next(),
        Some("theme = 'dark'")
    );
    let default = fixture.program_in(&home, ["config", "default"], b"").text();
    set(&fixture, &default);
    let run = fixture.program_in(&home, ["config", "--json"], b"");
    assert_eq!(run.stderr, "", "the default file has no fault");
    assert!(run.json()["settings"].as_array().unwrap().iter().all(|one| one["from"] == "default"));
}

#[test]
fn the_log_is_followed_and_tells_events() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    assert_eq!(fixture.program(["create", "--id", "two"]).exit_code, 0);
    let mut following = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["log", "--follow", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    let mut next = |verb: &str, status: &str| loop {
        let line: serde_json::Value =
            serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["verb"], verb, "{line}");
        if line["status"] == status {
            return;
        }
    };
    next("create", "done");
    assert_eq!(fixture.program(["land", "one", "--yes"]).exit_code, 0);
    next("land", "done");
    assert_eq!(fixture.program(["discard", "two", "--yes"]).exit_code, 0);
    next("discard", "done");
    drop(lines);
    // Its reader is gone, so it ends by itself.
    assert!(following.wait().unwrap().success());
    let log = fixture.program(["log", "--json"]).json();
    let events: Vec<String> = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| {
            format!("{} {}", event["event"].as_str().unwrap(), event["id"].as_str().unwrap())
        })
        .collect();
    assert_eq!(events, ["worktree_created two", "worktree_merged one", "worktree_discarded two"]);
}

#[test]
fn keys_of_the_cockpit_are_listed_and_the_file_is_made_for_the_editor() {
    let fixture = Fixture::new();
    set(&fixture, "[keys]\nmove.down = ['n']\n");
    let json = fixture.program(["config", "--json"]).json();
    let settings = json["settings"].as_array().unwrap();
    let key = settings.iter().find(|setting| setting["key"] == "keys.move.down").unwrap();
    assert_eq!((&key["value"][0], &key["line"]), (&"n".into(), &2.into()));
    assert!(fixture.program(["config"]).text().contains("keys.move.down"));
    let run = fixture.program(["config", "edit", "--json"]);
    assert_eq!((run.exit_code, run.error_code().as_str()), (4, "needs_terminal"));
}

#[test]
fn the_editor_gets_the_settings_file_and_its_faults_are_told_after_it() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    let fixture = Fixture::new();
    let editor = fixture.root().join("an editor/ed");
    let dir = editor.parent().unwrap().to_owned();
    let link = fixture.root().join("ed");
    crate::support::script(
        &editor,
        "#!/bin/sh\nfor last; do :; done\necho 'them = 1' >>\"$last\"\n",
    );
    std::os::unix::fs::symlink(&editor, &link).unwrap();
    assert!(dir.is_dir());
    let size = PtySize { rows: 24, cols: 200, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
    command.env_clear();
    for (name, value) in fixture.environment() {
        command.env(name, value);
    }
    command.env("EDITOR", &link);
    command.args(["config", "edit"]);
    command.cwd(fixture.root());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut output = Vec::new();
    // At the end of a pty's other side Linux says EIO.
    let _ = std::io::Read::read_to_end(&mut reader, &mut output);
    assert!(child.wait().unwrap().success());
    let output = String::from_utf8_lossy(&output);
    assert!(output.contains("`keys.them`: it must be a list of keys"), "{output}");
    let path = fixture.program(["config", "path"]).text();
    let text = std::fs::read_to_string(path.trim_end()).unwrap();
    assert!(text.starts_with("# Settings of shadowdeck") && text.ends_with("them = 1\n"), "{text}");
}
