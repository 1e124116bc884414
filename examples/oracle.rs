//! Any real repository as a test: makes shadows in a clone of it, and compares what shadowdeck says and
//! lands with git's own answers. `cargo run --release --example oracle -- REPOSITORY [SEED] [SHADOWS]`.
//! The program must have been built with the same profile. Works in a temporary directory only.

#![allow(
    clippy::print_stdout,
    clippy::panic,
    reason = "a report is what this program is for, and a fault ends it"
)]

#[path = "../benches/fixture/mod.rs"]
mod fixture;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{ExitCode, Output},
};

use fixture::{Load, Shadows, child, git, git_any, make};
use serde_json::Value;

const STRATEGIES: [&str; 3] = ["merge", "squash", "rebase"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(source) = words.first() else {
        println!("name a repository");
        return ExitCode::FAILURE;
    };
    let number = |index: usize, default: u64| {
        words.get(index).map_or(default, |word| word.parse().expect("a number"))
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = Path::new(source).canonicalize().expect("the repository is there");
    let count = usize::try_from(number(2, 20)).expect("it fits");
    let shadows = make(&source, dir.path(), count, number(1, 1), Load::Light);
    let commits = git(&shadows.repository, &["rev-list", "--count", "main"]);
    println!("{commits} commits, {count} shadows, seed {}", number(1, 1));
    let mut check = Check {
        program: program(),
        dir: dir.path(),
        shadows: &shadows,
        faults: 0,
        compared: 0,
        landed: 0,
        refused: 0,
    };
    check.reading();
    check.landing();
    println!("{} landings, {} refusals that git shares", check.landed, check.refused);
    println!("{} answers compared, {} differ", check.compared, check.faults);
    if check.faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The program beside this example, in the same profile's directory.
fn program() -> PathBuf {
    let own = std::env::current_exe().expect("it has a path");
    let program = own.ancestors().nth(2).expect("target/<profile>/examples").join("shadowdeck");
    assert!(program.exists(), "build {} first", program.display());
    program
}

struct Check<'a> {
    program: PathBuf,
    dir: &'a Path,
    shadows: &'a Shadows,
    faults: usize,
    compared: usize,
    landed: usize,
    /// Conflicts and nothing to land, as git says too.
    refused: usize,
}

/// What git says of one shadow.
struct Facts {
    base: String,
    snapshot: String,
    counts: String,
    clean: bool,
}

impl Check<'_> {
    fn run(&self, args: &[&str]) -> Output {
        child(&self.program, &self.shadows.repository).args(args).output().expect("it starts")
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, ours: &T, theirs: &T) {
        self.compared += 1;
        if ours != theirs {
            self.faults += 1;
            println!("DIFFERS {what}\n  ours   {ours:?}\n  git's  {theirs:?}");
        }
    }

    /// The tree of everything in the shadow's directory, made with an index of our own.
    fn facts(&self, path: &Path) -> Facts {
        let index = self.dir.join("index");
        let own = git(path, &["rev-parse", "--path-format=absolute", "--git-path", "index"]);
        fs::copy(own, &index).expect("the shadow has an index");
        let with_index = |args: &[&str]| {
            let output = child("git", path).env("GIT_INDEX_FILE", &index).args(args).output();
            let output = output.expect("git is installed");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        // Nothing is trusted by its time: an edit within the same second must be seen.
        with_index(&["read-tree", "--empty"]);
        with_index(&["add", "-A"]);
        let snapshot = with_index(&["write-tree"]);
        let base = git(path, &["merge-base", "main", "HEAD"]);
        let counts = git(path, &["rev-list", "--left-right", "--count", "main...HEAD"]);
        let commit = git(path, &["commit-tree", "-p", "HEAD", "-m", "all of it", &snapshot]);
        let merged = git_any(path, &["merge-tree", "--write-tree", "main", &commit]);
        Facts { base, snapshot, counts, clean: merged.status.success() }
    }

    fn reading(&mut self) {
        let list = json(&self.run(&["list", "--json"]));
        for (id, path) in &self.shadows.shadows {
            let facts = self.facts(path);
            let rows = list["worktrees"].as_array().expect("the list has rows");
            let row = rows.iter().find(|row| row["id"] == id.as_str());
            let row = row.unwrap_or_else(|| panic!("{id} is not listed")).clone();
            let numstat = git(path, &["diff", "--numstat", &facts.base, &facts.snapshot]);
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            self.same(&format!("{id} base"), &text("base_commit"), &facts.base);
            self.same(&format!("{id} snapshot"), &text("snapshot"), &facts.snapshot);
            self.same(
                &format!("{id} counts"),
                &format!("{}\t{}", row["behind"], row["ahead"]),
                &facts.counts,
            );
            let stats = &row["diff_stats"];
            let ours = [&stats["files_changed"], &stats["insertions"], &stats["deletions"]];
            self.same(
                &format!("{id} stats"),
                &ours.map(|cell| cell.as_u64().unwrap_or(u64::MAX)),
                &sum(&numstat),
            );
            if !["empty", "landed"].contains(&text("verdict").as_str()) {
                let expected = if facts.clean { "clean" } else { "conflicts" };
                self.same(&format!("{id} verdict"), &text("verdict").as_str(), &expected);
            }
            for form in ["--numstat", "--name-status"] {
                let ours = self.run(&["diff", id, form]).stdout;
                let theirs = git_any(path, &["diff", form, &facts.base, &facts.snapshot]).stdout;
                self.same(
                    &format!("{id} diff {form}"),
                    &String::from_utf8_lossy(&ours),
                    &String::from_utf8_lossy(&theirs),
                );
            }
            let applied = self.apply(path, id, &facts.base);
            self.same(&format!("{id} patch applied"), &applied, &facts.snapshot);
        }
    }

    /// The tree that our patch makes of the base.
    fn apply(&self, path: &Path, id: &str, base: &str) -> String {
        let proposed = self.dir.join("patch");
        fs::write(&proposed, self.run(&["diff", id]).stdout).expect("it is ours");
        let index = self.dir.join("index");
        let with_index = |args: &[&str]| {
            let output = child("git", path).env("GIT_INDEX_FILE", &index).args(args).output();
            let output = output.expect("git is installed");
            let words = if output.status.success() { output.stdout } else { output.stderr };
            String::from_utf8_lossy(&words).trim().to_owned()
        };
        with_index(&["read-tree", base]);
        let empty = fs::metadata(&proposed).is_ok_and(|about| about.len() == 0);
        let failed = if empty {
            String::new()
        } else {
            with_index(&["apply", "--cached", &proposed.to_string_lossy()])
        };
        if failed.is_empty() { with_index(&["write-tree"]) } else { failed }
    }

    /// Lands every shadow by every strategy, looks at the tree, and takes it back.
    fn landing(&mut self) {
        for (id, path) in self.shadows.shadows.clone() {
            let facts = self.facts(&path);
            let refs = self.refs();
            let status = git(&path, &["status", "--porcelain"]);
            for strategy in STRATEGIES {
                let what = format!("{id} {strategy}");
                let theirs = self.landed_by_git(&path, &facts.snapshot, strategy);
                let output = self.run(&["land", &id, "--strategy", strategy, "--yes", "--json"]);
                let answer = json(&output);
                let code = answer["error"]["code"].as_str().unwrap_or_default();
                let ours = match output.status.code() {
                    Some(0) => Ok(git(&self.shadows.repository, &["rev-parse", "main^{tree}"])),
                    _ => Err(code.to_owned()),
                };
                let undoable = ours.is_ok();
                self.same(&what, &ours, &theirs);
                if undoable {
                    self.landed += 1;
                } else {
                    self.refused += 1;
                }
                if undoable {
                    let clean = git(&self.shadows.repository, &["status", "--porcelain"]);
                    self.same(&format!("{what}: main worktree"), &clean.as_str(), &"");
                    let undone = self.run(&["undo", "--yes", "--json"]);
                    self.same(&format!("{what}: undo"), &undone.status.code(), &Some(0));
                }
                self.same(&format!("{what}: refs after it"), &self.refs(), &refs);
                let now = git(&path, &["status", "--porcelain"]);
                self.same(&format!("{what}: status after it"), &now, &status);
            }
        }
    }

    fn refs(&self) -> String {
        // Pins under refs/shadowdeck stay while an operation can be taken back or is in the trash.
        git(&self.shadows.repository, &["for-each-ref", "refs/heads"])
    }

    /// The tree that git lands in a copy, or the code that we should refuse with.
    fn landed_by_git(&self, path: &Path, snapshot: &str, strategy: &str) -> Result<String, String> {
        let copy = self.dir.join("copy");
        let tip = git(path, &["rev-parse", "HEAD"]);
        let dirty = git(path, &["rev-parse", "HEAD^{tree}"]) != snapshot;
        let whole = if dirty {
            git(path, &["commit-tree", "-p", &tip, "-m", "uncommitted work", snapshot])
        } else {
            tip
        };
        let base = git(path, &["merge-base", "main", &whole]);
        if base == whole {
            return Err("nothing_to_land".to_owned());
        }
        let source = self.shadows.repository.to_string_lossy();
        git(self.dir, &["clone", "--quiet", "--shared", "--branch", "main", &source, "copy"]);
        let head = git(&copy, &["rev-parse", "HEAD^{tree}"]);
        let done = match strategy {
            "merge" => git_any(&copy, &["merge", "--quiet", "--no-ff", "-m", "land", &whole]),
            "squash" => git_any(&copy, &["merge", "--quiet", "--squash", &whole]),
            _ => {
                git(&copy, &["checkout", "--quiet", "--detach", &whole]);
                git_any(&copy, &["rebase", "--quiet", "main"])
            }
        };
        let tree = done.status.success().then(|| git(&copy, &["write-tree"]));
        fs::remove_dir_all(&copy).expect("it is ours");
        match tree {
            None => Err("conflicts".to_owned()),
            Some(tree) if tree == head => Err("nothing_to_land".to_owned()),
            Some(tree) => Ok(tree),
        }
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "not JSON ({error}): {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// Files, insertions and deletions of a `--numstat`.
fn sum(numstat: &str) -> [u64; 3] {
    numstat.lines().fold([0; 3], |[files, added, removed], line| {
        let mut cells = line.split('\t').map(|cell| cell.parse::<u64>().unwrap_or(0));
        let mut next = || cells.next().unwrap_or(0);
        [files + 1, added + next(), removed + next()]
    })
}
