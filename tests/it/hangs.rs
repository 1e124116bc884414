//! A git that hangs, before its work or after it, at each git process of every operation that writes: the operation
//! ends with `timeout`, or is done, the repository is as before or as after, and the next start mends what is left.
//!
//! The tests try two processes of each operation; `just hangs` tries every `HANGS_EVERY`-th, both ways.

use std::{fs, path::Path, process::Stdio};

use crate::{
    faults::{Ground, git_that},
    support::{Run, script, write},
};

/// When the chosen process hangs.
#[derive(Clone, Copy, Debug)]
enum Hangs {
    BeforeItsWork,
    AfterIt,
}

/// An operation, and how to tell that it has happened whole.
struct Operation {
    prepare: fn(&Ground),
    args: &'static [&'static str],
    after: After,
}

enum After {
    /// An undo leads back to before it.
    Undo,
    /// It leads to where its preparation began.
    Start,
    /// Nothing of what counts is changed by it, and it can be done again.
    Again,
    /// It leads to where its preparation began, and does so by itself.
    Recovered,
}

const UNDO: &[&str] = &["undo", "--yes"];

fn nothing(_: &Ground) {}

fn set(ground: &Ground, text: &str) {
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        write(&ground.fixture.root().join("home").join(dir), "config.toml", text);
    }
}

/// The program with a git that counts its starts; the one at `at` hangs, and is given a second.
fn run_hung(ground: &Ground, args: &[&str], at: Option<(usize, Hangs)>) -> (Run, usize) {
    let dir = ground.fixture.root().join("counted");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("n")).unwrap();
    let path = std::env::var("PATH").unwrap();
    let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file());
    let (number, then) = match at {
        None => (0, ""),
        Some((number, Hangs::BeforeItsWork)) => (number, "exec sleep 600"),
        Some((number, Hangs::AfterIt)) => (number, "GIT \"$@\"; exec sleep 600"),
    };
    // A name is taken once, also by two that start at the same time.
    let text = "#!/bin/sh\ni=1\nwhile ! true 2>/dev/null >\"DIR/n/$i\"; do i=$((i+1)); done\n\
                if [ $i = NUMBER ]; then THEN\nfi\nexec GIT \"$@\"\n"
        .replace("#!/bin/sh\n", "#!/bin/sh\nset -C\n")
        .replace("THEN", if then.is_empty() { "true" } else { then })
        .replace("NUMBER", &number.to_string())
        .replace("DIR", &dir.display().to_string())
        .replace("GIT", &real.unwrap().display().to_string());
    script(&dir.join("git"), text);
    set(ground, if at.is_some() { "git.timeout_s = 1\n" } else { "" });
    let output = ground
        .fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &ground.fixture.repository)
        .args(args)
        .arg("--json")
        .env("PATH", format!("{}:{path}", dir.display()))
        .output()
        .unwrap();
    set(ground, "");
    let run = Run {
        exit_code: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    (run, fs::read_dir(dir.join("n")).unwrap().count())
}

impl Operation {
    fn prepared(&self) -> (Ground, String, String) {
        let ground = Ground::new();
        let start = ground.state();
        (self.prepare)(&ground);
        let before = ground.state();
        (ground, start, before)
    }

    /// What does not hold when this process hangs.
    fn find_faults(&self, at: (usize, Hangs)) -> Vec<String> {
        let (ground, start, before) = self.prepared();
        let edits = ground.fixture.git(["diff", "--name-only"]);
        let (run, _) = run_hung(&ground, self.args, Some(at));
        let said = format!("exit {}: {}{}", run.exit_code, run.text(), run.stderr);
        let mut faults = Vec::new();
        let mut that = |holds: bool, what: &str| {
            if !holds {
                faults.push(format!("{:?} at {at:?}: {what}: {said}", self.args));
            }
        };
        let typed = run.exit_code == 0 || run.error_code() == "timeout";
        that(typed, "the error is another");
        ground.settle(&format!("{:?} at {at:?}: {said}", self.args));
        that(ground.fixture.git(["diff", "--name-only"]) == edits, "the user's edits");
        let now = ground.state();
        match self.after {
            After::Again => {
                that(now == before, "something has changed");
                ground.run(self.args);
            }
            After::Recovered => that(now == start, "it is not taken back"),
            After::Start => {
                let why = format!("neither before nor after:\n{before}\n{now}\n{start}\n");
                that(now == before || now == start, &why);
            }
            After::Undo if now == before => {}
            After::Undo => {
                let undo = ground.fixture.program(UNDO);
                that(undo.exit_code == 0, &format!("undo: {}", undo.stderr));
                that(ground.state() == before, "undo does not lead back");
            }
        }
        if run.exit_code == 0 && !matches!(self.after, After::Again) {
            that(now != before, "it said that it is done");
        }
        faults
    }

    #[expect(clippy::print_stderr, reason = "the recipe shows how many were tried")]
    fn try_all(&self) {
        let (ground, _, _) = self.prepared();
        let (run, count) = run_hung(&ground, self.args, None);
        assert_eq!(run.exit_code, 0, "{:?}: {}{}", self.args, run.text(), run.stderr);
        let every = std::env::var("HANGS_EVERY").ok().and_then(|text| text.parse().ok());
        let points: Vec<(usize, Hangs)> = match every {
            Some(every) => (1..=count)
                .step_by(every)
                .flat_map(|at| [(at, Hangs::BeforeItsWork), (at, Hangs::AfterIt)])
                .collect(),
            None if count % 2 == 0 => vec![(count / 2, Hangs::AfterIt)],
            None => vec![(count * 3 / 4, Hangs::BeforeItsWork)],
        };
        let mut survived = 0;
        let mut all = Vec::new();
        for at in &points {
            let faults = self.find_faults(*at);
            survived += usize::from(faults.is_empty());
            all.extend(faults);
        }
        let name = self.args.join(" ");
        eprintln!("{name}: {count} git processes, {survived} of {} points survived", points.len());
        assert!(all.is_empty(), "{}", all.join("\n"));
    }
}

fn landing(args: &'static [&'static str]) {
    Operation { prepare: nothing, args, after: After::Undo }.try_all();
}

fn undoing(prepare: fn(&Ground)) {
    Operation { prepare, args: UNDO, after: After::Start }.try_all();
}

const PART: &[&str] = &["land", "one", "--only", "e/new.txt", "-m", "x", "--yes"];

#[test]
fn a_git_that_hangs_in_a_squash() {
    landing(&["land", "one", "--strategy", "squash", "-m", "x", "--yes"]);
}

#[test]
fn a_git_that_hangs_in_a_merge() {
    landing(&["land", "one", "--strategy", "merge", "-m", "x", "--yes"]);
}

#[test]
fn a_git_that_hangs_in_a_rebase() {
    landing(&["land", "one", "--strategy", "rebase", "-m", "x", "--yes"]);
}

#[test]
fn a_git_that_hangs_while_a_part_lands() {
    landing(PART);
}

#[test]
fn a_git_that_hangs_in_a_discard() {
    landing(&["discard", "one", "--yes"]);
}

#[test]
fn a_git_that_hangs_in_a_create() {
    landing(&["create", "--id", "two", "--clean"]);
}

#[test]
fn a_git_that_hangs_in_a_commit() {
    landing(&["commit", "one", "-m", "x"]);
}

#[test]
fn a_git_that_hangs_in_a_rollback() {
    landing(&["rollback", "one", "--yes"]);
}

#[test]
fn a_git_that_hangs_in_a_redo() {
    let prepare = |ground: &Ground| {
        ground.run(PART);
        ground.run(UNDO);
    };
    Operation { prepare, args: &["redo", "--yes"], after: After::Undo }.try_all();
}

#[test]
fn a_git_that_hangs_in_an_undo() {
    undoing(|ground| ground.run(&["land", "one", "-m", "x", "--yes"]));
}

#[test]
fn a_git_that_hangs_in_an_undo_of_a_part() {
    undoing(|ground| ground.run(PART));
}

#[test]
fn a_git_that_hangs_in_an_undo_of_a_discard() {
    undoing(|ground| ground.run(&["discard", "one", "--yes"]));
}

#[test]
fn a_git_that_hangs_in_an_undo_of_a_create() {
    undoing(|ground| ground.run(&["create", "--id", "two", "--clean"]));
}

#[test]
fn a_git_that_hangs_in_an_undo_of_a_commit() {
    undoing(|ground| ground.run(&["commit", "one", "-m", "x"]));
}

#[test]
fn a_git_that_hangs_in_an_undo_of_a_rollback() {
    undoing(|ground| ground.run(&["rollback", "one", "--yes"]));
}

#[test]
fn a_git_that_hangs_in_a_resolution() {
    let prepare = |ground: &Ground| {
        ground.fixture.write("d/f0.txt", "on the target\n");
        ground.fixture.git(["commit", "-qm", "main moves", "--", "d/f0.txt"]);
    };
    let args = &["resolve", "one", "d/f0.txt", "--take", "shadow"];
    Operation { prepare, args, after: After::Undo }.try_all();
}

#[test]
fn a_git_that_hangs_in_a_gc() {
    let prepare = |ground: &Ground| {
        let dead = ground.fixture.shadow("dead");
        fs::remove_dir_all(dead).unwrap();
    };
    Operation { prepare, args: &["gc", "--yes"], after: After::Again }.try_all();
}

/// Its landing was killed when its files had moved and its branch had not.
#[test]
fn a_git_that_hangs_in_a_recovery() {
    let prepare = |ground: &Ground| {
        let path = git_that(ground, "read-tree", "GIT \"$@\"; kill -9 $PPID; exit 0");
        let program = Path::new(env!("CARGO_BIN_EXE_shadowdeck"));
        let status = ground
            .fixture
            .child(program, &ground.fixture.repository)
            .args(["land", "one", "-m", "x", "--yes"])
            .env("PATH", path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), None, "it was killed");
    };
    Operation { prepare, args: &["list"], after: After::Recovered }.try_all();
}
