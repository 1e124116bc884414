//! Signed where git signs, with a throw-away key; nothing unsigned where it cannot be.

use crate::support::{Fixture, script, write};

fn diverged() -> Fixture {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    fixture.commit_in(&shadow, "work");
    write(&shadow, "loose.txt", "loose\n");
    fixture.write("main.txt", "main\n");
    fixture.commit("main moves");
    fixture
}

fn sign_with(fixture: &Fixture, format: &str, key: &str) {
    for (name, value) in
        [("commit.gpgsign", "true"), ("gpg.format", format), ("user.signingKey", key)]
    {
        fixture.git(["config", "--global", name, value]);
    }
}

#[test]
fn every_commit_that_lands_is_signed_the_safety_net_too() {
    for strategy in ["squash", "merge", "rebase"] {
        let fixture = diverged();
        let key = fixture.root().join("key");
        let made = fixture
            .child("ssh-keygen", &fixture.root())
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(&key)
            .status()
            .unwrap();
        assert!(made.success());
        sign_with(&fixture, "ssh", key.to_str().unwrap());
        let before = fixture.git(["rev-parse", "main"]);
        let run = fixture.program(["land", "one", "--strategy", strategy, "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
        let range = format!("{before}..main");
        for commit in fixture.git(["rev-list", "--first-parent", &range]).lines() {
            assert!(fixture.git(["cat-file", "commit", commit]).contains("SSH SIGNATURE"));
        }
        if strategy == "merge" {
            assert!(fixture.git(["cat-file", "commit", "main^2"]).contains("SSH SIGNATURE"));
        }
        assert_eq!(fixture.git(["status", "--porcelain"]), "");
        assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "what is passed over is said")]
fn a_landing_is_signed_with_a_gpg_key() {
    let fixture = diverged();
    // The agent's socket must have a short name.
    let home = tempfile::Builder::new().prefix("gpg").tempdir_in("/tmp").unwrap();
    let key = "--quick-generate-key";
    let gpg = |args: &[&str]| {
        let mut gpg = fixture.child("gpg", &fixture.root());
        gpg.env("GNUPGHOME", home.path()).args(["--batch", "--quiet"]).args(args).output()
    };
    let Ok(_) = gpg(&["--version"]) else {
        eprintln!("passed over: gpg is not installed");
        return;
    };
    let args = ["--passphrase", "", key, "Ana Test <ana@example.org>", "ed25519", "sign", "never"];
    let made = gpg(&args).unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fixture.git(["config", "--global", "commit.gpgsign", "true"]);
    let land = |dir: &std::path::Path| {
        fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), dir)
            .env("GNUPGHOME", home.path())
            .args(["land", "one", "--yes", "--json"])
            .output()
            .unwrap()
    };
    let landed = land(&fixture.repository);
    assert!(landed.status.success(), "{}", String::from_utf8_lossy(&landed.stdout));
    let verified = fixture
        .child("git", &fixture.repository)
        .env("GNUPGHOME", home.path())
        .args(["verify-commit", "main"])
        .output()
        .unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    let mut ended = fixture.child("gpgconf", &fixture.root());
    let ended = ended.env("GNUPGHOME", home.path()).args(["--kill", "all"]).status().unwrap();
    assert!(ended.success());
}

#[test]
fn a_signer_that_fails_or_waits_ends_it_with_nothing_moved() {
    for body in ["exit 1", "exec sleep 600"] {
        let fixture = diverged();
        let settings = fixture.root().join("home/.config/shadowdeck");
        write(&settings, "config.toml", "[signing]\ntimeout_s = 1\n");
        let program = fixture.root().join("signer");
        script(&program, format!("#!/bin/sh\n{body}\n"));
        sign_with(&fixture, "openpgp", "nobody");
        fixture.git(["config", "--global", "gpg.program", program.to_str().unwrap()]);
        let before = (fixture.refs(), fixture.git(["status", "--porcelain"]));
        let run = fixture.program(["land", "one", "--yes", "--json"]);
        assert_eq!((run.exit_code, run.error_code().as_str()), (1, "signing_failed"));
        assert_eq!((fixture.refs(), fixture.git(["status", "--porcelain"])), before);
    }
}
