//! Laws, on random edits of two sides: what we say and land is what git says and lands, and whatever is
//! taken back is byte for byte what it was.

use std::{collections::BTreeSet, path::Path};

use proptest::{prelude::*, test_runner::Config};

use shadowdeck::{
    git::{Repository, refs},
    shadow::Oid,
};

use crate::support::{Fixture, fingerprint, write};

/// Each case makes a repository and runs some sixty processes. `PROPTEST_CASES` asks for more.
const CASES: u32 = 8;
const FILES: usize = 4;
const LINES: usize = 12;
const STRATEGIES: [&str; 3] = ["merge", "squash", "rebase"];

/// A history of merges, old side branches and several roots, with dates that do not always follow it.
fn history(seed: &[(usize, usize, u8)]) -> String {
    let mut text = String::new();
    for (number, (one, other, kind)) in seed.iter().enumerate() {
        let time = 1_700_000_000 + number * 60 - if kind % 7 == 0 { 900 } else { 0 };
        text += &format!("commit refs/heads/c{number}\nmark :{}\n", number + 1);
        text += &format!("committer A <a@b> {time} +0000\ndata 1\nx\n");
        // Mostly a recent parent; sometimes none, sometimes a second one from far back.
        if number > 0 && kind % 11 != 0 {
            let near = number - one % number.min(3);
            text += &format!("from :{near}\n");
            let far = other % number + 1;
            if kind % 3 == 0 && far != near {
                text += &format!("merge :{far}\n");
            }
        } else {
            text += "deleteall\n";
        }
        text += "\n";
    }
    text
}

proptest! {
    #![proptest_config(Config { cases: CASES, failure_persistence: None, ..Config::default() })]

    #[test]
    fn ahead_and_behind_are_gits_on_any_history(
        seed in proptest::collection::vec((0..100_usize, 0..100_usize, 0..=255_u8), 12..40),
        pairs in proptest::collection::vec((0..100_usize, 0..100_usize), 12),
    ) {
        let fixture = Fixture::unborn();
        let text = fixture.root().join("history");
        std::fs::write(&text, history(&seed)).unwrap();
        let output = fixture
            .child("git", &fixture.repository)
            .args(["fast-import", "--quiet"])
            .stdin(std::fs::File::open(text).unwrap())
            .output()
            .unwrap();
        prop_assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let limit = std::time::Duration::from_secs(60);
        let repository = Repository::open(&fixture.repository, limit).unwrap();
        for (one, other) in pairs {
            let name = |number: usize| format!("c{}", number % seed.len());
            let tip = |name: &str| Oid::parse(&fixture.git(["rev-parse", name])).unwrap();
            let (target, side) = (tip(&name(one)), tip(&name(other)));
            let bases = refs::merge_bases(&repository, &target, &side).unwrap();
            let told = refs::distance(&repository, &target, &side, &bases).unwrap();
            // Of the whole histories: asked for a difference, git trusts dates.
            let lines = |of: &Oid| -> BTreeSet<String> {
                fixture.git(["rev-list", of.as_str()]).lines().map(str::to_owned).collect()
            };
            let (target, side) = (lines(&target), lines(&side));
            let count = |one: &BTreeSet<String>, other| one.difference(other).count();
            prop_assert_eq!(
                (told.ahead as usize, told.behind as usize),
                (count(&side, &target), count(&target, &side)),
                "{}..{}", name(one), name(other)
            );
        }
    }
}

/// One edit; files and lines by number, taken modulo what there is.
#[derive(Clone, Debug)]
enum Edit {
    Replace { file: usize, line: usize },
    Insert { file: usize, line: usize },
    Remove { file: usize, line: usize },
    Delete { file: usize },
    Rename { file: usize },
    Add { name: usize },
    Commit,
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = || (0..FILES, 0..LINES);
    prop_oneof![
        6 => place().prop_map(|(file, line)| Edit::Replace { file, line }),
        3 => place().prop_map(|(file, line)| Edit::Insert { file, line }),
        2 => place().prop_map(|(file, line)| Edit::Remove { file, line }),
        1 => (0..FILES).prop_map(|file| Edit::Delete { file }),
        1 => (0..FILES).prop_map(|file| Edit::Rename { file }),
        2 => (0..3_usize).prop_map(|name| Edit::Add { name }),
        3 => Just(Edit::Commit),
    ]
}

fn side() -> impl Strategy<Value = Vec<Edit>> {
    proptest::collection::vec(edit(), 1..7)
}

fn file_name(file: usize) -> String {
    format!("src/file {file}.txt")
}

fn base() -> Fixture {
    let fixture = Fixture::new();
    for file in 0..FILES {
        let lines =
            (0..LINES).fold(String::new(), |all, line| all + &format!("{file}: line {line}\n"));
        fixture.write(&file_name(file), lines);
    }
    fixture.commit("base");
    fixture
}

fn apply(fixture: &Fixture, dir: &Path, who: &str, edits: &[Edit]) {
    for (step, edit) in edits.iter().enumerate() {
        let text = format!("{who} {step}\n");
        let change_lines = |file: usize, change: &dyn Fn(&mut Vec<String>)| {
            let path = dir.join(file_name(file));
            let Ok(old) = std::fs::read_to_string(&path) else { return };
            let mut lines: Vec<String> = old.split_inclusive('\n').map(str::to_owned).collect();
            change(&mut lines);
            std::fs::write(path, lines.concat()).unwrap();
        };
        match edit {
            Edit::Replace { file, line } => change_lines(*file, &|lines| {
                if let Some(found) = lines.get_mut(*line) {
                    found.clone_from(&text);
                }
            }),
            Edit::Insert { file, line } => change_lines(*file, &|lines| {
                lines.insert((*line).min(lines.len()), text.clone());
            }),
            Edit::Remove { file, line } => change_lines(*file, &|lines| {
                if *line < lines.len() {
                    lines.remove(*line);
                }
            }),
            Edit::Delete { file } => drop(std::fs::remove_file(dir.join(file_name(*file)))),
            Edit::Rename { file } => {
                let renamed = dir.join(format!("src/{who} has {file}.txt"));
                drop(std::fs::rename(dir.join(file_name(*file)), renamed));
            }
            Edit::Add { name } => write(dir, format!("new {name}.txt"), &text),
            Edit::Commit => drop(fixture.commit_in(dir, &format!("{who} {step}"))),
        }
    }
}

/// The shadow's whole content as a commit, without touching its index: what landing is about.
fn whole(fixture: &Fixture, shadow: &Path) -> (String, String) {
    let index = fixture.root().join("oracle-index");
    let run = |args: &[&str]| {
        let mut git = fixture.child("git", shadow);
        let output = git.env("GIT_INDEX_FILE", &index).args(args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    run(&["read-tree", "--empty"]);
    run(&["add", "-A"]);
    let tree = run(&["write-tree"]);
    let tip = fixture.git_in(shadow, ["rev-parse", "HEAD"]);
    if fixture.git_in(shadow, ["rev-parse", "HEAD^{tree}"]) == tree {
        return (tree, tip);
    }
    (tree.clone(), run(&["commit-tree", "-p", &tip, "-m", "the uncommitted work", &tree]))
}

/// The tree that plain git lands in a copy; `None` where it says that there are conflicts.
fn landed_by_git(fixture: &Fixture, whole: &str, strategy: &str) -> Option<String> {
    let copy = fixture.root().join("copy");
    let (from, to) = (fixture.repository.to_string_lossy(), copy.to_string_lossy());
    fixture.git(["clone", "-q", "--shared", "--branch", "main", &from, &to]);
    let output = match strategy {
        "merge" => fixture.git_any(&copy, ["merge", "--no-ff", "-m", "landed", whole]),
        "squash" => fixture.git_any(&copy, ["merge", "--squash", whole]),
        _ => {
            fixture.git_in(&copy, ["checkout", "-q", "--detach", whole]);
            fixture.git_any(&copy, ["rebase", "-q", "main"])
        }
    };
    let tree = output.status.success().then(|| fixture.git_in(&copy, ["write-tree"]));
    std::fs::remove_dir_all(copy).unwrap();
    tree
}

fn config() -> Config {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    Config { cases: more.unwrap_or(CASES), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_lands_is_what_git_lands(target in side(), shadow in side()) {
        let fixture = base();
        let path = fixture.shadow("one");
        apply(&fixture, &fixture.repository, "main", &target);
        fixture.commit("main's last");
        apply(&fixture, &path, "agent", &shadow);

        let (snapshot, whole) = whole(&fixture, &path);
        let before = fixture.git(["rev-parse", "main^{tree}"]);
        let row = fixture.program(["show", "one", "--json"]).json()["worktree"].clone();
        prop_assert_eq!(row["snapshot"].as_str(), Some(snapshot.as_str()));
        let git_merges = fixture.git_any(&fixture.repository, ["merge-tree", "--write-tree", "main", &whole]);
        let verdict = row["verdict"].as_str().unwrap_or_default();
        prop_assert_eq!(verdict == "conflicts", !git_merges.status.success(), "{}", verdict);

        let refs = fixture.git(["for-each-ref", "refs/heads"]);
        let (files, main_files) = (fingerprint(&path), main_fingerprint(&fixture));
        for strategy in STRATEGIES {
            let theirs = landed_by_git(&fixture, &whole, strategy);
            let run = fixture.program(["land", "one", "--strategy", strategy, "--yes", "--json"]);
            match &theirs {
                None => prop_assert_eq!(run.exit_code, 3, "{}: {}", strategy, run.text()),
                Some(tree) if *tree == before => {
                    prop_assert_eq!(run.error_code(), "nothing_to_land", "{}", strategy);
                }
                // git's replay may end in another tree than its merge: then we refuse to rebase.
                Some(tree) if run.exit_code != 0 => {
                    let merged = landed_by_git(&fixture, &whole, "merge");
                    prop_assert!(strategy == "rebase" && merged.as_ref() != Some(tree), "{}: {}", strategy, run.text());
                }
                Some(tree) => {
                    prop_assert_eq!(&fixture.git(["rev-parse", "main^{tree}"]), tree, "{}", strategy);
                    prop_assert_eq!(fixture.git(["status", "--porcelain"]), "", "{}", strategy);
                    let undone = fixture.program(["undo", "--yes", "--json"]);
                    prop_assert_eq!(undone.exit_code, 0, "{}", undone.text());
                }
            }
            prop_assert_eq!(&fixture.git(["for-each-ref", "refs/heads"]), &refs, "{}", strategy);
            prop_assert!(fingerprint(&path) == files, "{}: the shadow's files differ", strategy);
            prop_assert!(main_fingerprint(&fixture) == main_files, "{}: main's files differ", strategy);
        }
    }

    #[test]
    fn discard_then_undo_is_byte_identical(edits in side(), ignored in any::<[u8; 16]>()) {
        let fixture = base();
        fixture.write(".gitignore", "kept/\n");
        fixture.commit("ignore");
        let path = fixture.shadow("one");
        apply(&fixture, &path, "agent", &edits);
        write(&path, "kept/build.bin", ignored);
        std::os::unix::fs::symlink("nowhere", path.join("a link")).unwrap();
        let admin = fixture.repository.join(".git/worktrees/one");
        let read = || (fingerprint(&path), fingerprint(&admin), fixture.git(["for-each-ref", "refs/heads"]));
        let before = read();

        let run = fixture.program(["discard", "one", "--yes", "--json"]);
        prop_assert_eq!(run.exit_code, 0, "{}", run.text());
        prop_assert!(!path.exists() && !admin.exists());
        prop_assert!(!fixture.git(["worktree", "list"]).contains("one"));

        let undone = fixture.program(["undo", "--yes", "--json"]);
        prop_assert_eq!(undone.exit_code, 0, "{}", undone.text());
        prop_assert!(read() == before, "what came back is not what was discarded");
    }
}

/// The main worktree's files, without its git directory.
fn main_fingerprint(fixture: &Fixture) -> impl PartialEq + use<> {
    let mut entries = fingerprint(&fixture.repository);
    entries.retain(|path, _| !path.starts_with(".git"));
    entries
}
