//! The long fault campaign: the program and its git processes are killed, or refused by the kernel, at every
//! system call that changes something, and after each the repository must be as before or as after, whole.
//! Needs `strace`. `cargo bench --bench faults -- [EVERY] [NAME]` tries every EVERY-th point (default 1: all), of the
//! operations whose name begins with NAME.

#[path = "../tests/it/support.rs"]
#[allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "written for tests, which use more of it"
)]
mod support;

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    process::{ExitCode, Stdio},
};

use support::{Fixture, fingerprint, script, write};

/// What an operation is tried on, and what comes before it.
struct Operation {
    name: &'static str,
    before: &'static [&'static [&'static str]],
    args: &'static [&'static str],
}

/// Tried on a landing that was killed after its files were moved, before its branch was.
const RECOVERY: &str = "recover";
/// Tried where the target has moved against the shadow.
const RESOLVE: &str = "resolve";
/// Tried on a discarded shadow past its age, and on a registration whose directory is gone.
const GC: &str = "gc";

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "land by squash",
        before: &[],
        args: &["land", "one", "--strategy", "squash", "-m", "x", "--yes"],
    },
    Operation {
        name: "land by merge",
        before: &[],
        args: &["land", "one", "--strategy", "merge", "-m", "x", "--yes"],
    },
    Operation {
        name: "land by rebase",
        before: &[],
        args: &["land", "one", "--strategy", "rebase", "-m", "x", "--yes"],
    },
    Operation {
        name: "land and keep",
        before: &[],
        args: &["land", "one", "--keep", "-m", "x", "--yes"],
    },
    Operation {
        name: "land a part",
        before: &[],
        args: &["land", "one", "--only", "d/f0.txt", "-m", "x", "--yes"],
    },
    Operation { name: "discard", before: &[], args: &["discard", "one", "--yes"] },
    Operation {
        name: "undo a landing",
        before: &[&["land", "one", "-m", "x", "--yes"]],
        args: &["undo", "--yes"],
    },
    Operation {
        name: "undo a part",
        before: &[&["land", "one", "--only", "d/f0.txt", "-m", "x", "--yes"]],
        args: &["undo", "--yes"],
    },
    Operation {
        name: "redo",
        before: &[&["land", "one", "-m", "x", "--yes"], &["undo", "--yes"]],
        args: &["redo", "--yes"],
    },
    Operation { name: "create", before: &[], args: &["create", "--id", "two"] },
    Operation { name: "commit", before: &[], args: &["commit", "one", "-m", "x"] },
    Operation { name: "rollback", before: &[], args: &["rollback", "one", "--yes"] },
    Operation {
        name: RESOLVE,
        before: &[],
        args: &["resolve", "one", "d/f0.txt", "--take", "shadow"],
    },
    Operation { name: GC, before: &[&["discard", "old", "--yes"]], args: &["gc", "--yes"] },
    Operation {
        name: "undo a create",
        before: &[&["create", "--id", "two"]],
        args: &["undo", "--yes"],
    },
    Operation {
        name: "undo a commit",
        before: &[&["commit", "one", "-m", "x"]],
        args: &["undo", "--yes"],
    },
    Operation {
        name: "undo a rollback",
        before: &[&["rollback", "one", "--yes"]],
        args: &["undo", "--yes"],
    },
    Operation { name: RECOVERY, before: &[], args: &["list"] },
    Operation {
        name: "undo a discard",
        before: &[&["discard", "one", "--yes"]],
        args: &["undo", "--yes"],
    },
];

/// System calls by what they do to a disk. Names that a machine does not have are marked with `?` for strace.
const CALLS: &[(&str, &str)] = &[
    ("rename", "?rename,?renameat,renameat2"),
    ("unlink", "?unlink,unlinkat,?rmdir"),
    ("write", "write,?pwrite64"),
    ("sync", "fsync,?fdatasync"),
    ("create", "?mkdir,mkdirat,?link,linkat,?symlink,symlinkat"),
];

const FAULTS: &[(&str, &str)] =
    &[("killed", "signal=KILL"), ("no space", "error=ENOSPC"), ("refused", "error=EACCES")];

/// A repository whose user has edits of their own, and a shadow with work of every kind.
struct Ground {
    fixture: Fixture,
    shadow: PathBuf,
    start: String,
    status: String,
    files: BTreeMap<PathBuf, (String, Vec<u8>)>,
    branches: String,
}

impl Ground {
    fn new() -> Self {
        let fixture = Fixture::new();
        for file in 0..6 {
            fixture.write(&format!("d/f{file}.txt"), "1\n2\n3\n");
        }
        fixture.write("mine.txt", "mine\n");
        fixture.write(".gitignore", ".env\n");
        fixture.commit("base");
        let shadow = fixture.shadow("one");
        write(&shadow, "d/f0.txt", "changed\n");
        write(&shadow, "d/f1.txt", "1\n2\n3\n4\n");
        fs::remove_file(shadow.join("d/f2.txt")).expect("it is there");
        fixture.commit_in(&shadow, "work");
        write(&shadow, "e/new.txt", "only copy\n");
        write(&shadow, ".env", "K=1\n");
        fixture.write("mine.txt", "my edit\n");
        fixture.write("staged.txt", "staged\n");
        fixture.git(["add", "staged.txt"]);
        fixture.write("loose.txt", "loose\n");
        let start = fixture.git(["rev-parse", "main"]);
        let status = fixture.git(["status", "--porcelain"]);
        let files = fingerprint(&shadow);
        let branches = branches_of(&fixture);
        Self { fixture, shadow, start, status, files, branches }
    }

    fn prepare(&mut self, operation: &Operation) {
        match operation.name {
            RECOVERY => self.die_in_read_tree(),
            RESOLVE => {
                self.fixture.write("d/f0.txt", "on the target\n");
                self.fixture.git(["commit", "-qm", "main moves", "--", "d/f0.txt"]);
                self.start = self.fixture.git(["rev-parse", "main"]);
                self.branches = branches_of(&self.fixture);
            }
            GC => {
                self.fixture.shadow("old");
                let dead = self.fixture.shadow("dead");
                fs::remove_dir_all(dead).expect("it is there");
                for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
                    let dir = self.fixture.root().join("home").join(dir);
                    write(&dir, "config.toml", "trash.age_days = 0\n");
                }
            }
            _ => {}
        }
        for args in operation.before {
            let run = self.fixture.program(*args);
            assert_eq!(run.exit_code, 0, "{args:?}: {}", run.stderr);
        }
        if operation.name == GC {
            self.branches = branches_of(&self.fixture);
        }
    }

    /// A landing whose `read-tree` ends and takes the program with it.
    fn die_in_read_tree(&self) {
        let dir = self.fixture.root().join("wrapped");
        let path = std::env::var("PATH").unwrap_or_default();
        let real =
            std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file());
        let real = real.expect("git is installed").display().to_string();
        let text = format!(
            "#!/bin/sh\ncase \" $* \" in *\" read-tree \"*) {real} \"$@\"; kill -9 $PPID; exit 0 ;; esac\n\
             exec {real} \"$@\"\n"
        );
        script(&dir.join("git"), text);
        let status = self
            .fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &self.fixture.repository)
            .args(["land", "one", "-m", "x", "--yes"])
            .env("PATH", format!("{}:{path}", dir.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("it runs");
        assert_eq!(status.code(), None, "it was killed");
    }

    fn branches(&self) -> String {
        branches_of(&self.fixture)
    }

    /// The operation under strace; what strace wrote.
    fn traced(&self, operation: &Operation, options: &[String]) -> String {
        let log = self.fixture.root().join("strace.log");
        self.fixture
            .child("strace", &self.fixture.repository)
            .args(["-f", "-qq", "-o"])
            .arg(&log)
            .args(options)
            .arg(env!("CARGO_BIN_EXE_shadowdeck"))
            .args(operation.args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("strace is installed");
        fs::read_to_string(log).unwrap_or_default()
    }

    /// What does not hold after the fault and one more start of the program.
    fn faults(&self, operation: &Operation) -> Vec<String> {
        let Self { fixture, shadow, start, status, files, branches } = self;
        let mut faults = Vec::new();
        let mut that = |holds: bool, what: String| {
            if !holds {
                faults.push(what);
            }
        };
        let list = fixture.program(["list", "--json"]);
        that(
            list.exit_code == 0,
            format!("the next list ended with {}: {}", list.exit_code, list.stderr),
        );
        let now = fixture.git(["status", "--porcelain"]);
        that(now == *status, format!("the user's worktree shows {now:?}; {}", list.stderr));
        for left in ["index.lock", "HEAD.lock", "MERGE_HEAD", "refs/heads/main.lock"] {
            that(!fixture.repository.join(".git").join(left).exists(), format!("{left} is left"));
        }
        let open = fixture.repository.join(".git/shadowdeck/journal/open");
        let unfinished = fs::read_dir(open).map_or(0, |entries| {
            entries
                .flatten()
                .filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"))
                .count()
        });
        that(unfinished == 0, format!("an entry stays unfinished: {}", list.stderr));
        let changed = || !shadow.exists() || fingerprint(shadow) != *files;
        let decided = |fixture: &Fixture| {
            let conflicts = fixture.program(["conflicts", "one", "--json"]);
            String::from_utf8_lossy(&conflicts.stdout).contains("\"resolved\":true")
        };
        if self.branches() != *branches || changed() || decided(fixture) {
            let undo = fixture.program(["undo", "--yes"]);
            that(
                undo.exit_code == 0,
                format!("undo ended with {}: {}", undo.exit_code, undo.stderr),
            );
        }
        that(shadow.exists() && !changed(), "the shadow is not as it was".to_owned());
        that(!decided(fixture), "the conflict stays resolved".to_owned());
        that(fixture.git(["rev-parse", "main"]) == *start, "main is not back".to_owned());
        that(self.branches() == *branches, "the branches are not as they were".to_owned());
        let now = fixture.git(["status", "--porcelain"]);
        that(now == *status, format!("after undo the user's worktree shows {now:?}"));
        if operation.name == GC {
            let again = fixture.program(["gc", "--yes"]);
            that(again.exit_code == 0, format!("the next gc ended with {}", again.exit_code));
            let left = fixture.program(["gc", "--dry-run", "--json"]);
            // What it keeps of the registration it took is past its age too.
            let text = String::from_utf8_lossy(&left.stdout).into_owned();
            that(!text.contains("discard "), format!("not freed: {text}"));
        }
        let sound =
            fixture.git_any(&fixture.repository, ["fsck", "--no-dangling", "--connectivity-only"]);
        that(sound.status.success(), format!("fsck: {}", String::from_utf8_lossy(&sound.stderr)));
        faults
    }
}

fn branches_of(fixture: &Fixture) -> String {
    fixture.git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"])
}

/// How often the process that makes most of these calls makes them.
fn count(operation: &Operation, calls: &str) -> u32 {
    let mut ground = Ground::new();
    ground.prepare(operation);
    let log = ground.traced(operation, &[format!("--trace={calls}")]);
    let mut by_process: BTreeMap<&str, u32> = BTreeMap::new();
    for line in log.lines().filter(|line| !line.contains("resumed>")) {
        if let Some((process, _)) = line.split_once(' ') {
            *by_process.entry(process).or_default() += 1;
        }
    }
    by_process.into_values().max().unwrap_or_default()
}

#[expect(clippy::print_stdout, reason = "its report is its purpose")]
fn main() -> ExitCode {
    let every: usize = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1).max(1);
    let name = std::env::args().skip(1).find(|arg| arg.starts_with(|c: char| c.is_alphabetic()));
    let name = name.unwrap_or_default();
    let (mut tried, mut survived) = (0_u32, 0_u32);
    for operation in OPERATIONS.iter().filter(|operation| operation.name.starts_with(&name)) {
        for (kind, calls) in CALLS {
            let points = count(operation, calls);
            for (fault, injected) in FAULTS {
                for point in (1..=points).step_by(every) {
                    let mut ground = Ground::new();
                    ground.prepare(operation);
                    ground.traced(
                        operation,
                        &[
                            format!("--trace={calls}"),
                            format!("--inject={calls}:{injected}:when={point}"),
                        ],
                    );
                    tried += 1;
                    let faults = ground.faults(operation);
                    survived += u32::from(faults.is_empty());
                    for fault_found in faults {
                        println!("{}, {fault} at {kind} {point}: {fault_found}", operation.name);
                    }
                }
            }
            println!(
                "{}: {kind} tried at {points} points; {survived} of {tried} survived so far",
                operation.name
            );
        }
    }
    println!("{survived} of {tried} points survived");
    if survived == tried && tried > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
