//! The bounded fault campaign: killed at the boundaries between the program's own synced steps, recovery's among
//! them; killed under a running hook and a running signer. The long one is `benches/faults.rs`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::support::{Fixture, fingerprint, script, write};

/// What one writes, with work of every kind in the shadow and edits of the user's own in the target's worktree.
pub(crate) struct Ground {
    pub(crate) fixture: Fixture,
    pub(crate) shadow: PathBuf,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let fixture = Fixture::new();
        fixture.write("d/f0.txt", "1\n2\n3\n");
        fixture.write("d/f1.txt", "1\n2\n3\n");
        fixture.write("mine.txt", "mine\n");
        fixture.write(".gitignore", ".env\n");
        fixture.commit("base");
        let shadow = fixture.shadow("one");
        write(&shadow, "d/f0.txt", "changed\n");
        write(&shadow, "e/new.txt", "new\n");
        fs::remove_file(shadow.join("d/f1.txt")).unwrap();
        fixture.commit_in(&shadow, "work");
        write(&shadow, "dirty.txt", "only copy\n");
        write(&shadow, ".env", "K=1\n");
        fixture.write("mine.txt", "my edit\n");
        fixture.write("loose.txt", "loose\n");
        Self { fixture, shadow }
    }

    fn with_newer_target() -> Self {
        let ground = Self::new();
        let fixture = &ground.fixture;
        fixture.write("README.md", "changed by main\n");
        fixture.write("d/f2.txt", "added by main\n");
        fixture.write("gone.txt", "to be deleted\n");
        fixture.git(["add", "README.md", "d/f2.txt", "gone.txt"]);
        fixture.git(["commit", "-qm", "main goes on", "README.md", "d/f2.txt", "gone.txt"]);
        ground
    }

    /// All that counts: branches, the user's worktree, the shadow with its index and HEAD.
    pub(crate) fn state(&self) -> String {
        let Self { fixture, shadow } = self;
        let of_shadow = shadow.exists().then(|| {
            let status = fixture.git_in(shadow, ["status", "--porcelain", "-uall"]);
            (fingerprint(shadow), status, fixture.git_in(shadow, ["rev-parse", "HEAD"]))
        });
        let branches =
            fixture.git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]);
        let status = fixture.git(["status", "--porcelain", "-uall"]);
        format!("{branches}\n{status}\n{of_shadow:?}")
    }

    pub(crate) fn run(&self, args: &[&str]) {
        let run = self.fixture.program(args);
        assert_eq!(run.exit_code, 0, "{args:?}: {}{}", run.text(), run.stderr);
    }

    /// Runs the program till the `at`-th place between two steps of its own, where it dies; whether it came so far.
    fn run_killed(&self, args: &[&str], at: u32) -> bool {
        let status = self
            .fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &self.fixture.repository)
            .args(args)
            .env("SHADOWDECK_DIE_AT", at.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(matches!(status.code(), None | Some(0)), "{args:?} at {at}: {status}");
        status.code().is_none()
    }

    /// The next start settles it: nothing is left open or locked.
    pub(crate) fn settle(&self, name: &str) {
        let list = self.fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        let git_dir = self.fixture.repository.join(".git");
        let left: Vec<PathBuf> = fingerprint(&git_dir)
            .into_keys()
            .filter(|path| path.extension().is_some_and(|end| end == "lock"))
            .collect();
        assert_eq!(left, Vec::<PathBuf>::new(), "{name}");
        assert!(!git_dir.join("MERGE_HEAD").exists(), "{name}");
        let open = fs::read_dir(git_dir.join("shadowdeck/journal/open")).into_iter().flatten();
        let is_entry = |name: &str| Path::new(name).extension().is_some_and(|end| end == "json");
        let unfinished = open.flatten().filter(|e| is_entry(&e.file_name().to_string_lossy()));
        assert_eq!(unfinished.count(), 0, "{name}: {}", list.stderr);
        let sound = self.fixture.git(["fsck", "--no-dangling", "--connectivity-only"]);
        assert_eq!(sound, "", "{name}");
    }
}

/// Kills the command at every `every`-th of its synced writes: before or after, never between, and what is done can
/// be undone.
fn campaign(prepare: &[&[&str]], args: &[&str], every: usize) {
    for (points, at) in (1..).step_by(every).enumerate() {
        let ground = Ground::new();
        for args in prepare {
            ground.run(args);
        }
        let before = ground.state();
        let killed = ground.run_killed(args, at);
        let name = format!("{args:?} killed at {at}");
        ground.settle(&name);
        let happened = ground.state() != before;
        assert_eq!(ground.fixture.git(["diff", "--name-only"]), "mine.txt", "{name}");
        if happened {
            ground.run(&["undo", "--yes"]);
            assert_eq!(ground.state(), before, "{name}");
        }
        if !killed {
            assert!(happened && points > 2, "{name}: it was killed at {points} points");
            return;
        }
    }
}

const LAND: &[&str] = &["land", "one", "-m", "x", "--yes"];
const PART: &[&str] = &["land", "one", "--only", "e/new.txt", "-m", "x", "--yes"];
const DISCARD: &[&str] = &["discard", "one", "--yes"];
const SYNC: &[&str] = &["sync", "one"];
const UNDO: &[&str] = &["undo", "--yes"];

#[test]
fn a_landing_killed_between_its_own_steps_is_whole_or_not_at_all() {
    campaign(&[], LAND, 2);
}

#[test]
fn a_discard_killed_between_its_own_steps_is_whole_or_not_at_all() {
    campaign(&[], DISCARD, 2);
}

#[test]
fn a_redo_killed_between_its_own_steps_is_whole_or_not_at_all() {
    campaign(&[PART, UNDO], &["redo", "--yes"], 3);
}

#[test]
fn a_shadow_killed_in_the_making_is_whole_or_not_at_all() {
    campaign(&[], &["create", "--id", "two", "--clean"], 2);
}

/// The target has moved on, and its merge changes, adds and deletes beside what is uncommitted in the shadow.
#[test]
fn a_sync_killed_between_its_own_steps_is_whole_or_not_at_all() {
    for at in 1.. {
        let ground = Ground::with_newer_target();
        let before = ground.state();
        let killed = ground.run_killed(SYNC, at);
        let name = format!("sync killed at {at}");
        ground.settle(&name);
        assert!(
            !ground.fixture.repository.join(".git/worktrees/one/index.lock").exists(),
            "{name}"
        );
        let happened = ground.state() != before;
        if happened {
            ground.run(UNDO);
            assert_eq!(ground.state(), before, "{name}");
        }
        if !killed {
            assert!(happened && at > 5, "{name}");
            return;
        }
    }
}

/// git is killed with its work done or not, and the program with it.
#[test]
fn a_sync_whose_git_is_killed_is_taken_back_or_finished() {
    for (word, then) in [
        ("pack-objects", "kill -9 $PPID; exit 0"),
        ("checkout-index", "GIT \"$@\"; kill -9 $PPID; exit 0"),
        ("read-tree", "kill -9 $PPID; exit 0"),
        ("read-tree", "GIT \"$@\"; kill -9 $PPID; exit 0"),
    ] {
        let ground = Ground::with_newer_target();
        let before = ground.state();
        let path = git_that(&ground, word, then);
        let status = ground
            .fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &ground.fixture.repository)
            .args(SYNC)
            .env("PATH", path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), None, "{word}: it was killed");
        ground.settle(word);
        assert_eq!(ground.state(), before, "{word}: {then}");
    }
}

/// An undo is taken back by a redo; here it is enough that all of it happened or nothing.
#[test]
fn an_undo_of_a_part_killed_between_its_own_steps_is_whole_or_not_at_all() {
    for at in (1..).step_by(2) {
        let ground = Ground::new();
        let start = ground.state();
        ground.run(PART);
        let landed = ground.state();
        let killed = ground.run_killed(UNDO, at);
        let name = format!("undo killed at {at}");
        ground.settle(&name);
        if ground.state() == landed {
            ground.run(UNDO);
        }
        assert_eq!(ground.state(), start, "{name}");
        if !killed {
            assert!(at > 4);
            return;
        }
    }
}

#[test]
fn a_resolution_killed_between_its_own_steps_is_recorded_or_not() {
    for at in 1.. {
        let fixture = Fixture::new();
        let shadow = fixture.shadow("one");
        write(&shadow, "README.md", "shadow\n");
        fixture.write("README.md", "target\n");
        fixture.commit("main moves");
        let ground = Ground { fixture, shadow };
        let killed = ground.run_killed(&["resolve", "one", "README.md", "--take", "shadow"], at);
        ground.settle(&format!("resolve killed at {at}"));
        let conflicts = ground.fixture.program(["conflicts", "one", "--json"]).json();
        let recorded = conflicts["files"][0]["resolved"] == true;
        assert!(recorded || killed);
        if recorded {
            ground.run(UNDO);
        }
        if !killed {
            assert!(at > 3);
            return;
        }
    }
}

/// A `git` that does its work and then kills whoever started it, where its arguments hold a word.
pub(crate) fn git_that(ground: &Ground, word: &str, then: &str) -> String {
    let dir = ground.fixture.root().join("wrapped");
    let path = std::env::var("PATH").unwrap_or_default();
    let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file());
    let real = real.expect("git is installed");
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *\" {word} \"*) {then} ;; esac\nexec {} \"$@\"\n",
        real.display()
    );
    script(&dir.join("git"), text.replace("GIT", &real.display().to_string()));
    format!("{}:{path}", dir.display())
}

/// A landing killed after `read-tree` is taken back, one killed after the branch has moved is finished; recovery is
/// killed at its own synced writes, and the next one goes on from there.
#[test]
fn a_recovery_that_is_killed_itself_is_finished_by_the_next() {
    for at in 1..=4 {
        let ground = Ground::new();
        let before = ground.state();
        let path = git_that(&ground, "read-tree", "GIT \"$@\"; kill -9 $PPID; exit 0");
        let status = ground
            .fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &ground.fixture.repository)
            .args(LAND)
            .env("PATH", path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), None, "it was killed");
        ground.run_killed(&["list"], at);
        ground.settle(&format!("recovery killed at {at}"));
        assert_eq!(ground.state(), before, "{at}");
    }
    for at in 1..=4 {
        let ground = Ground::new();
        let before = ground.state();
        // Late enough for the branch to have moved: the shadow is on its way to the trash.
        let mut late = 1;
        while ground.fixture.git(["log", "-1", "--format=%s", "main"]) != "x" {
            assert_eq!(ground.state(), before);
            ground.run_killed(LAND, late);
            late += 1;
        }
        ground.run_killed(&["list"], at);
        ground.settle(&format!("finishing killed at {at}"));
        ground.run(UNDO);
        assert_eq!(ground.state(), before, "{at}");
    }
}

/// Entries of files that come back are in the index before the files are.
#[test]
fn an_undo_of_a_rollback_killed_before_its_files_are_there_brings_each_of_them() {
    let ground = Ground::new();
    let before = ground.state();
    ground.run(&["rollback", "one", "--yes"]);
    let path = git_that(&ground, "--index-info", "GIT \"$@\"; kill -9 $PPID; exit 0");
    let status = ground
        .fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &ground.fixture.repository)
        .args(UNDO)
        .env("PATH", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), None, "it was killed");
    ground.settle("an undo of a rollback");
    assert_eq!(ground.state(), before);
}

/// Kills the program from below: this process's parent is git, and git's parent the program.
const KILL_THE_PROGRAM: &str =
    "#!/bin/sh\nread -r _ _ _ program _ < /proc/$PPID/stat\nkill -9 $program\n";

#[test]
fn killed_under_a_running_hook_or_signer_nothing_has_moved_or_all_of_it() {
    for hook in ["pre-commit", "commit-msg", "post-merge"] {
        let ground = Ground::new();
        let before = ground.state();
        let file = ground.fixture.repository.join(".git/hooks").join(hook);
        script(&file, format!("{KILL_THE_PROGRAM}echo ran >>../../{hook}.log\n"));
        let killed = ground.fixture.program(LAND);
        assert_eq!(killed.exit_code, -1, "{hook}: {}", killed.stderr);
        fs::remove_file(&file).unwrap();
        ground.settle(hook);
        assert!(!ground.fixture.repository.join(".git/shadowdeck/rehearsals").exists());
        assert_eq!(ground.state() == before, hook != "post-merge", "{hook}");
        if hook == "post-merge" {
            ground.run(UNDO);
        }
        assert_eq!(ground.state(), before, "{hook}");
    }
    let ground = Ground::new();
    let before = ground.state();
    let signer = ground.fixture.root().join("signer");
    script(&signer, KILL_THE_PROGRAM);
    ground.fixture.git(["config", "--global", "commit.gpgsign", "true"]);
    ground.fixture.git(["config", "--global", "gpg.program", signer.to_str().unwrap()]);
    assert_eq!(ground.fixture.program(LAND).exit_code, -1);
    ground.settle("a signer");
    assert_eq!(ground.state(), before);
}

/// An ignored file that comes to lie in the way in the last instant, which git's own `read-tree` would overwrite.
#[test]
fn what_appears_in_the_way_in_the_last_instant_stays_and_stops_the_landing() {
    let ground = Ground::new();
    let Ground { fixture, shadow } = &ground;
    write(&fixture.repository, ".git/info/exclude", "*.log\n");
    write(shadow, "out/a.log", "landed\n");
    fixture.git_in(shadow, ["add", "-f", "out/a.log"]);
    fixture.git_in(shadow, ["commit", "-qm", "a log"]);
    let before = ground.state();
    let appears =
        format!("mkdir -p {0}/out; echo mine >{0}/out/a.log", fixture.repository.display());
    let path = git_that(&ground, "checkout-index", &appears);
    let output = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(LAND)
        .arg("--json")
        .env("PATH", path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("dirty_overlap") && said.contains("out/a.log"), "{said}");
    assert_eq!(fs::read_to_string(fixture.repository.join("out/a.log")).unwrap(), "mine\n");
    ground.settle("an ignored file");
    assert_eq!(ground.state(), before);
    fs::remove_dir_all(fixture.repository.join("out")).unwrap();
    ground.run(LAND);
    assert_eq!(fs::read_to_string(fixture.repository.join("out/a.log")).unwrap(), "landed\n");
}

/// What a hook of git's own leaves running does not hold the repository's lock.
#[test]
fn a_process_that_a_hook_leaves_behind_does_not_hold_the_lock() {
    let ground = Ground::new();
    let log = ground.fixture.root().join("left");
    for hook in ["reference-transaction", "post-index-change"] {
        let file = ground.fixture.repository.join(".git/hooks").join(hook);
        let text = format!("#!/bin/sh\nsleep 300 >/dev/null 2>&1 &\necho $! >>{}\n", log.display());
        script(&file, text);
    }
    ground.run(LAND);
    let pids = fs::read_to_string(&log).unwrap();
    let holds = |pid: &str| {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
        open.filter_map(|fd| fs::read_link(fd.path()).ok())
            .any(|file| file.ends_with("shadowdeck/lock"))
    };
    let holding: Vec<&str> = pids.lines().filter(|pid| holds(pid)).collect();
    for pid in pids.lines() {
        ground.fixture.child("kill", &ground.fixture.root()).arg(pid).status().unwrap();
    }
    assert!(pids.lines().count() > 2, "{pids}");
    assert_eq!(holding, Vec::<&str>::new());
}

/// One git alone is killed or fails, with its work done, a part of it, or none; the program lives, and settles it.
#[test]
fn a_git_that_dies_alone_leaves_nothing_of_its_work() {
    const KEEP: &[&str] = &["land", "one", "-m", "x", "--yes", "--keep"];
    let operations = [(None, LAND), (None, KEEP), (None, SYNC), (Some(PART), UNDO)];
    for (nth, (prepare, args)) in operations.into_iter().enumerate() {
        let deaths = [
            ("-u", "GIT \"$@\"; kill -9 $$"),
            ("-u", "GIT \"$@\"; exit 1"),
            ("-u", "GIT \"$@\" & sleep 0.003; kill -9 $!; kill -9 $$"),
            ("checkout-index", "GIT \"$@\"; kill -9 $$"),
            ("checkout-index", ": >GITDIR/index.lock; kill -9 $$"),
            ("--index-info", "GIT \"$@\"; exit 1"),
        ];
        for (word, then) in deaths.into_iter().skip(nth % 2).step_by(2) {
            let ground = Ground::with_newer_target();
            if let Some(prepare) = prepare {
                ground.run(prepare);
            }
            let before = ground.state();
            let once = ground.fixture.root().join("once").display().to_string();
            let git_dir = if args == SYNC { ".git/worktrees/one" } else { ".git" };
            let git_dir = ground.fixture.repository.join(git_dir).display().to_string();
            let once = format!("[ -e {once} ] || {{ : >{once}; {then}; }}");
            let path = git_that(&ground, word, &once.replace("GITDIR", &git_dir));
            let run = ground
                .fixture
                .child(env!("CARGO_BIN_EXE_shadowdeck"), &ground.fixture.repository)
                .args(args)
                .env("PATH", path)
                .output()
                .unwrap();
            let name =
                format!("{args:?}, {word}: {then}: {}", String::from_utf8_lossy(&run.stderr));
            let at_once = ground.state();
            ground.settle(&name);
            assert_eq!(ground.state(), at_once, "settled only by the next start: {name}");
            assert_eq!(ground.fixture.git(["diff", "--cached", "--name-only"]), "", "{name}");
            if run.status.success() {
                assert_ne!(at_once, before, "{name}");
            } else {
                assert_eq!(at_once, before, "{name}");
            }
        }
    }
}
