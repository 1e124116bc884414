//! To the trash across file systems: a verified copy, found again after a kill at any step; and what is refused by name.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use shadowdeck::store::carry;

use crate::support::{Fixture, fingerprint, write};

/// Bytes, modes, links, times, and files with two names.
fn fill(dir: &Path) {
    write(dir, "a.txt", "a\n");
    write(dir, "deep/er/b.bin", [0, 159, 146, 150]);
    write(dir, "run.sh", "#!/bin/sh\n");
    fs::set_permissions(dir.join("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    fs::hard_link(dir.join("a.txt"), dir.join("deep/same")).unwrap();
    symlink("nowhere/at/all", dir.join("dangling")).unwrap();
    fs::create_dir(dir.join("empty")).unwrap();
    let old = std::time::UNIX_EPOCH + std::time::Duration::new(1_600_000_000, 123_000_000);
    fs::File::options().write(true).open(dir.join("a.txt")).unwrap().set_modified(old).unwrap();
    write(dir, "sealed/c.txt", "c\n");
    fs::set_permissions(dir.join("sealed"), fs::Permissions::from_mode(0o555)).unwrap();
}

/// Another hand's copy, times included.
fn copy(from: &Path, to: &Path) {
    let fixture = Fixture::unborn();
    let status = fixture.child("cp", &fixture.root()).arg("-a").args([from, to]).status().unwrap();
    assert!(status.success());
}

type Times = Vec<(PathBuf, i64, i64)>;

fn times(dir: &Path) -> Times {
    let entries = fingerprint(dir).into_keys();
    entries
        .map(|name| {
            let about = fs::symlink_metadata(dir.join(&name)).unwrap();
            (name, about.mtime(), about.mtime_nsec())
        })
        .collect()
}

struct Move {
    _dir: tempfile::TempDir,
    from: PathBuf,
    to: PathBuf,
    mark: PathBuf,
    aside: PathBuf,
    copying: PathBuf,
}

impl Move {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (here, there) = (dir.path().join("here"), dir.path().join("there"));
        fs::create_dir_all(&there).unwrap();
        fill(&here.join("one"));
        Self {
            from: here.join("one"),
            to: there.join("worktree"),
            mark: there.join("carried"),
            aside: here.join(".one.shadowdeck-aside"),
            copying: there.join(".worktree.shadowdeck-copying"),
            _dir: dir,
        }
    }

    fn carry(&self) -> std::io::Result<Option<PathBuf>> {
        carry::carry(&self.from, &self.to, &self.mark)
    }

    fn nothing_else_is_left(&self) {
        for path in [&self.from, &self.aside, &self.copying, &self.mark] {
            assert!(fs::symlink_metadata(path).is_err(), "{} is left", path.display());
        }
    }
}

#[test]
fn a_copy_has_bytes_modes_links_and_times() {
    let one = Move::new();
    let (files, before) = (fingerprint(&one.from), times(&one.from));
    assert_eq!(one.carry().unwrap(), None);
    assert_eq!(fingerprint(&one.to), files);
    assert_eq!(times(&one.to), before);
    let ino = |name: &str| fs::metadata(one.to.join(name)).unwrap().ino();
    assert_eq!(ino("a.txt"), ino("deep/same"), "one file of two names");
    one.nothing_else_is_left();
}

#[test]
fn a_kill_at_any_step_is_gone_on_from() {
    // Set aside only; a half copy; a whole copy with its mark.
    for step in ["aside", "half", "marked"] {
        let one = Move::new();
        let files = fingerprint(&one.from);
        fs::rename(&one.from, &one.aside).unwrap();
        if step != "aside" {
            write(&one.copying, "a.txt", "half");
        }
        if step == "marked" {
            fs::write(&one.mark, "1 2\n").unwrap();
        }
        assert!(carry::is_under_way(&one.from));
        assert_eq!(one.carry().unwrap(), None, "{step}");
        assert_eq!(fingerprint(&one.to), files, "{step}");
        one.nothing_else_is_left();
    }
}

#[test]
fn a_kill_while_the_original_is_removed_is_gone_on_from() {
    let one = Move::new();
    let files = fingerprint(&one.from);
    let before = one.from.with_file_name("before");
    copy(&one.from, &before);
    one.carry().unwrap();
    // As if half of the original were still there.
    fs::rename(&before, &one.aside).unwrap();
    fs::remove_file(one.aside.join("run.sh")).unwrap();
    let about = fs::metadata(&one.to).unwrap();
    fs::write(&one.mark, format!("{} {}\n", about.dev(), about.ino())).unwrap();
    assert_eq!(one.carry().unwrap(), None);
    assert_eq!(fingerprint(&one.to), files);
    one.nothing_else_is_left();
}

#[test]
fn what_was_written_after_the_copy_stays_and_is_named() {
    let one = Move::new();
    let before = one.from.with_file_name("before");
    copy(&one.from, &before);
    one.carry().unwrap();
    fs::rename(&before, &one.aside).unwrap();
    fs::write(one.aside.join("deep/new.txt"), "written late\n").unwrap();
    fs::write(one.aside.join("run.sh"), "changed late\n").unwrap();
    let about = fs::metadata(&one.to).unwrap();
    fs::write(&one.mark, format!("{} {}\n", about.dev(), about.ino())).unwrap();
    assert_eq!(one.carry().unwrap(), Some(one.from.clone()), "back where it was, and named");
    let left: Vec<PathBuf> =
        fingerprint(&one.from).into_keys().filter(|name| one.from.join(name).is_file()).collect();
    assert_eq!(left, [PathBuf::from("deep/new.txt"), PathBuf::from("run.sh")]);
}

#[test]
fn something_new_in_its_place_is_never_replaced() {
    let one = Move::new();
    let files = fingerprint(&one.from);
    write(&one.to, "other.txt", "somebody else's\n");
    assert!(one.carry().is_err());
    assert_eq!(fingerprint(&one.from), files);
    assert!(one.to.join("other.txt").exists());
}

#[test]
fn a_failed_copy_leaves_all_where_it_was() {
    let one = Move::new();
    let socket = std::os::unix::net::UnixListener::bind(one.from.join("socket")).unwrap();
    let before = times(&one.from);
    let error = one.carry().unwrap_err().to_string();
    assert!(error.contains("socket"), "{error}");
    assert_eq!(times(&one.from), before);
    assert!(!one.to.exists() && !one.copying.exists() && !one.aside.exists());
    assert!(carry::find_uncopyable(&one.from).unwrap().unwrap().contains("socket"));
    drop(socket);
}

/// A directory on another file system than the fixture's, where the machine has one.
fn elsewhere(fixture: &Fixture) -> Option<tempfile::TempDir> {
    let dir = tempfile::Builder::new().prefix("shadowdeck-test-").tempdir_in("/dev/shm").ok()?;
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    (device(dir.path()) != device(&fixture.root())).then_some(dir)
}

#[test]
fn a_shadow_on_another_file_system_goes_to_the_trash_and_comes_back_whole() {
    let fixture = Fixture::new();
    let Some(other) = elsewhere(&fixture) else { return };
    let shadow = other.path().join("one");
    fixture.git(["worktree", "add", "-q", "-b", "one", shadow.to_str().unwrap()]);
    fill(&shadow);
    fs::set_permissions(shadow.join("sealed"), fs::Permissions::from_mode(0o755)).unwrap();
    fixture.git_in(&shadow, ["add", "a.txt"]);
    let (files, before) = (fingerprint(&shadow), times(&shadow));
    let discard = fixture.program(["discard", "one", "--yes", "--json"]);
    assert_eq!(discard.exit_code, 0, "{}", discard.text());
    assert_eq!(discard.json()["warnings"], serde_json::json!([]));
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0, "nothing is left there");
    let undo = fixture.program(["undo", "--yes", "--json"]);
    assert_eq!(undo.exit_code, 0, "{}", undo.text());
    assert_eq!(fingerprint(&shadow), files);
    assert_eq!(times(&shadow), before);
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1, "nothing else is left there");
    assert_eq!(fixture.git_in(&shadow, ["diff", "--cached", "--name-only"]), "a.txt");
    let socket = std::os::unix::net::UnixListener::bind(shadow.join("socket")).unwrap();
    let run = fixture.program(["discard", "one", "--yes", "--json"]);
    assert_eq!(run.error_code(), "wrong_state");
    assert!(run.text().contains("socket"), "{}", run.text());
    assert_eq!(fingerprint(&shadow).len(), files.len() + 1);
    drop(socket);
}

#[test]
fn a_writer_that_outlives_its_agent_finds_its_directory_gone_and_all_of_it_in_the_trash() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("live");
    fixture.write(".gitignore", "logs/\n");
    write(&shadow, "feature.txt", "new\n");
    fs::create_dir(shadow.join("logs")).unwrap();
    // Started elsewhere, so nothing tells that it is at work there; `mkdir -p` would go into the directory.
    let script = format!(
        "i=0; while :; do i=$((i+1)); [ -d {0}/logs ] || mkdir -p {0}/logs; echo $i >>{0}/logs/$i; done",
        shadow.display()
    );
    let mut writer = fixture
        .child("sh", &fixture.root())
        .args(["-c", &script])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let run = fixture.program(["discard", "live", "--yes", "--json"]);
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert_eq!(run.exit_code, 0, "{}", run.text());
    let operation = run.json()["operation"].as_str().unwrap().to_owned();
    let place = fixture.repository.join(".git/shadowdeck/trash").join(operation).join("live");
    assert_eq!(fs::read(place.join("worktree/feature.txt")).unwrap(), b"new\n");
    // What it wrote afterwards is in the way of the undo, and is never replaced.
    if shadow.exists() {
        assert_eq!(fixture.program(["undo", "--yes", "--json"]).error_code(), "cannot_undo");
        fs::rename(&shadow, fixture.root().join("late")).unwrap();
    }
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert!(shadow.join("feature.txt").exists());
}

#[test]
fn commits_of_a_submodule_survive_its_shadow() {
    let fixture = Fixture::new();
    let library = fixture.root().join("library");
    fs::create_dir(&library).unwrap();
    fixture.git_in(&library, ["init", "-q"]);
    write(&library, "l.c", "l\n");
    fixture.commit_in(&library, "library");
    fixture.git(["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/lib"]);
    fixture.commit("submodule");
    let shadow = fixture.shadow("s");
    fixture.git_in(&shadow, ["submodule", "--quiet", "update", "--init"]);
    let inner = shadow.join("vendor/lib");
    write(&inner, "fix.c", "fix\n");
    let commit = fixture.commit_in(&inner, "local fix");
    write(&inner, "untracked.c", "more\n");
    assert_eq!(fixture.program(["discard", "s", "--yes"]).exit_code, 0);
    fixture.git(["gc", "-q", "--prune=now"]);
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert_eq!(fixture.git_in(&inner, ["rev-parse", "HEAD"]), commit);
    assert_eq!(fixture.git_in(&inner, ["status", "--porcelain"]), "?? untracked.c");
}
