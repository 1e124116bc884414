//! Conflicts against git itself: the kinds of its own merge tests, every choice as git's plumbing would make it, and
//! choices that stand while the agent goes on. At no instant is there a half-done merge in any checkout.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

use proptest::{prelude::*, test_runner::Config as Cases};
use shadowdeck::{
    config::Config,
    ops::{Deck, conflicts, land, list, resolve, weave},
    review::{
        Conflict, ConflictKind, ConflictPage, Entry, LandOptions, Mode, Resolution, Way,
        weave::{Lines, Markers, Take},
    },
    shadow::{Oid, RepoPath, ShadowId, Strategy},
};

use crate::support::{Fixture, write};

pub(crate) fn deck(fixture: &Fixture) -> Deck {
    Deck::open(&fixture.repository, Config::default()).unwrap()
}

pub(crate) fn id(name: &str) -> ShadowId {
    ShadowId(name.to_owned())
}

pub(crate) fn read(deck: &Deck, name: &str) -> ConflictPage {
    conflicts::read_conflicts(deck, &id(name), Way::Whole, &AtomicBool::new(false)).unwrap()
}

fn numbered(from: u32, to: u32) -> String {
    (from..=to).map(|number| format!("{number}\n")).collect()
}

fn rename(dir: &Path, from: &str, to: &str) {
    if let Some(parent) = dir.join(to).parent() {
        fs::create_dir_all(parent).unwrap();
    }
    fs::rename(dir.join(from), dir.join(to)).unwrap();
}

fn executable(dir: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    write(dir, name, text);
    fs::set_permissions(dir.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn link(dir: &Path, name: &str, to: &str) {
    let _ = fs::remove_file(dir.join(name));
    std::os::unix::fs::symlink(to, dir.join(name)).unwrap();
}

fn name_commit(fixture: &Fixture, dir: &Path, digit: char) {
    let entry = format!("160000,{},sub", digit.to_string().repeat(40));
    fixture.git_in(dir, ["update-index", "--add", "--cacheinfo", &entry]);
}

/// Situations of git's own t6400 to t6437, each in files of its own name; what main did is in all.
fn situations(fixture: &Fixture) -> Vec<(&'static str, ConflictKind)> {
    let main = fixture.repository.clone();
    let files = ["content", "rr", "rrc", "rd", "md", "dm", "p", "q", "ra", "type", "rac"];
    for (number, name) in (1_u32..).zip(files) {
        fixture.write(name, numbered(100 * number, 100 * number + 19));
    }
    for name in ["a", "b", "c"] {
        fixture.write(&format!("dir/{name}"), numbered(5000, 5019) + name);
    }
    fixture.write("bin", b"a\0b");
    link(&main, "link", "one");
    fixture.commit("base");
    let mut all = Vec::new();
    let mut shadow = |name: &'static str, kind, change: &dyn Fn(&Path)| {
        let path = fixture.shadow(name);
        change(&path);
        fixture.commit_in(&path, name);
        all.push((name, kind));
    };
    shadow("content", ConflictKind::Content, &|dir| {
        write(dir, "content", numbered(100, 119).replace("105", "shadow"));
    });
    shadow("rr", ConflictKind::RenameRename, &|dir| rename(dir, "rr", "rr-shadow"));
    shadow("rrc", ConflictKind::RenameRename, &|dir| {
        rename(dir, "rrc", "rrc-shadow");
        write(dir, "rrc-shadow", numbered(300, 319) + "shadow\n");
    });
    shadow("rd", ConflictKind::RenameDelete, &|dir| rename(dir, "rd", "rd-shadow"));
    shadow("md", ConflictKind::ModifyDelete, &|dir| write(dir, "md", numbered(500, 520)));
    shadow("dm", ConflictKind::ModifyDelete, &|dir| fs::remove_file(dir.join("dm")).unwrap());
    shadow("two", ConflictKind::AddAdd, &|dir| rename(dir, "p", "pq"));
    shadow("ra", ConflictKind::AddAdd, &|dir| rename(dir, "ra", "ra-new"));
    shadow("rac", ConflictKind::RenameAdd, &|dir| {
        rename(dir, "rac", "rac-new");
        write(dir, "rac-new", numbered(1100, 1119).replace("1105", "shadow"));
    });
    shadow("type", ConflictKind::DistinctTypes, &|dir| link(dir, "type", "elsewhere"));
    shadow("aa", ConflictKind::AddAdd, &|dir| write(dir, "aa", "shadow\n"));
    shadow("df", ConflictKind::FileDirectory, &|dir| write(dir, "df", "file\n"));
    shadow("bin", ConflictKind::Binary, &|dir| write(dir, "bin", b"a\0shadow"));
    shadow("link", ConflictKind::Symlink, &|dir| link(dir, "link", "shadow"));
    shadow("mode", ConflictKind::Mode, &|dir| executable(dir, "mode", "same\n"));
    shadow("dir", ConflictKind::DirectoryRename, &|dir| write(dir, "dir/new", "new\n"));
    write(&main, "content", numbered(100, 119).replace("105", "main"));
    rename(&main, "rr", "rr-main");
    rename(&main, "rrc", "rrc-main");
    write(&main, "rrc-main", "main\n".to_owned() + &numbered(300, 319));
    for gone in ["rd", "md"] {
        fs::remove_file(main.join(gone)).unwrap();
    }
    write(&main, "dm", numbered(600, 620));
    rename(&main, "q", "pq");
    write(&main, "ra-new", "main's own\n");
    write(&main, "rac", numbered(1100, 1119).replace("1105", "main"));
    write(&main, "rac-new", "main's own\n");
    write(&main, "type", numbered(1000, 1020));
    write(&main, "aa", "main\n");
    write(&main, "df/x", "x\n");
    write(&main, "bin", b"a\0main");
    link(&main, "link", "main");
    write(&main, "mode", "same\n");
    for name in ["a", "b", "c"] {
        rename(&main, &format!("dir/{name}"), &format!("moved/{name}"));
    }
    fixture.commit("main moves");
    all
}

type Stages = BTreeMap<(String, u8), (String, String)>;

/// Stages as git names them: `path stage mode oid`, its `name~label` as the reader's name.
fn stages(fixture: &Fixture, name: &str) -> Stages {
    // git may name the sides in a version: those that we ask it by.
    let main = fixture.git(["rev-parse", "main"]);
    let branch = fixture.git(["rev-parse", &format!("aide-shadow/{name}")]);
    let output = fixture.git_any(
        &fixture.repository,
        ["merge-tree", "--write-tree", "--no-messages", "-z", &main, &branch],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut fields = text.split('\0').filter(|field| !field.is_empty());
    assert!(fields.next().is_some(), "the tree comes first");
    let stages = fields.map(|field| {
        let (head, path) = field.split_once('\t').unwrap();
        let [mode, oid, stage] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{field}") };
        let path = path.split('~').next().unwrap().to_owned();
        ((path, stage.parse().unwrap()), (mode.to_owned(), oid.to_owned()))
    });
    stages.collect()
}

/// The tree that a person makes by hand in a clone: merge, then this side of every conflict file.
pub(crate) fn by_hand(fixture: &Fixture, name: &str, stage: u8) -> String {
    let copy = fixture.root().join("by-hand");
    let (from, to) = (fixture.repository.to_string_lossy(), copy.to_string_lossy());
    fixture.git(["clone", "-q", "--shared", "--branch", "main", &from, &to]);
    let merged = fixture.git_any(&copy, ["merge", "-q", &format!("origin/aide-shadow/{name}")]);
    assert!(!merged.status.success(), "{name} conflicts");
    let listed = fixture.git_in(&copy, ["ls-files", "-u", "-z"]);
    let mut files: BTreeMap<String, BTreeMap<u8, String>> = BTreeMap::new();
    for field in listed.split('\0').filter(|field| !field.is_empty()) {
        let (head, path) = field.split_once('\t').unwrap();
        let parts: Vec<&str> = head.split(' ').collect();
        let entry = format!("{},{}", parts[0], parts[1]);
        files.entry(path.to_owned()).or_default().insert(parts[2].parse().unwrap(), entry);
    }
    // git's own other name of a clash: the reader's name is the file's.
    let mut plain: BTreeMap<String, BTreeMap<u8, String>> = BTreeMap::new();
    for (path, stages) in files {
        fixture.git_in(&copy, ["update-index", "--force-remove", &path]);
        let name = path.split('~').next().unwrap().to_owned();
        plain.entry(name).or_default().extend(stages);
    }
    for (path, stages) in plain {
        if let Some(entry) = stages.get(&stage) {
            let entry = format!("{entry},{path}");
            fixture.git_in(&copy, ["update-index", "--add", "--replace", "--cacheinfo", &entry]);
        }
    }
    let tree = fixture.git_in(&copy, ["write-tree"]);
    fs::remove_dir_all(copy).unwrap();
    tree
}

/// The tree of what a landing plans; it lies in the private store alone.
pub(crate) fn planned(fixture: &Fixture, deck: &Deck, name: &str, strategy: Strategy) -> String {
    let options = LandOptions { strategy: Some(strategy), ..LandOptions::default() };
    let plan = land::plan(deck, &id(name), &options, &AtomicBool::new(false)).unwrap();
    let mut git = fixture.child("git", &fixture.repository);
    let objects = fixture.repository.join(".git/shadowdeck/objects");
    git.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects);
    let output = git.args(["rev-parse", &format!("{}^{{tree}}", plan.after)]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn every_situation_has_gits_files_and_stages_and_each_side_lands_as_by_hand() {
    let fixture = Fixture::new();
    let all = situations(&fixture);
    let deck = deck(&fixture);
    for (name, kind) in all {
        let stages = stages(&fixture, name);
        let page = read(&deck, name);
        let mut found = BTreeMap::new();
        for file in &page.files {
            let Conflict { path, base, target, shadow, .. } = &file.conflict;
            for (stage, entry) in (1_u8..).zip([base, target, shadow]) {
                let Some(Entry { mode, oid }) = entry else { continue };
                let told = (mode.as_octal().to_owned(), oid.to_string());
                found.insert((path.to_lossy(), stage), told);
            }
        }
        assert_eq!(found, stages, "{name}: the three versions of each file");
        let kinds: Vec<_> = page.files.iter().map(|file| file.conflict.kind).collect();
        assert!(kinds.iter().all(|found| *found == kind), "{name}: {kinds:?}");
        for (stage, side) in [(2, Resolution::Target), (3, Resolution::Shadow)] {
            for file in &page.files {
                let path = &file.conflict.path;
                let chosen =
                    resolve::resolve(&deck, &id(name), Way::Whole, path, Some(side.clone()));
                match (kind, stage) {
                    // What git calls that side is its own merge of both.
                    (ConflictKind::RenameAdd, 3) => {
                        assert_eq!(chosen.unwrap_err().code.as_str(), "markers_left", "{name}");
                    }
                    _ => drop(chosen.unwrap()),
                }
            }
            if (kind, stage) == (ConflictKind::RenameAdd, 3) {
                continue;
            }
            let expected = by_hand(&fixture, name, stage);
            if expected == fixture.git(["rev-parse", "main^{tree}"]) {
                continue;
            }
            let tree = planned(&fixture, &deck, name, Strategy::Squash);
            assert_eq!(tree, expected, "{name}: stage {stage}, by hand");
        }
    }
}

/// Of a submodule that nobody fetched there are only the commits that each side names: that is enough to choose.
#[test]
fn a_submodule_that_both_moved_has_gits_stages_and_either_is_taken() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.repository.join("sub")).unwrap();
    name_commit(&fixture, &fixture.repository, '1');
    fixture.commit("base");
    let shadow = fixture.shadow("sub");
    name_commit(&fixture, &shadow, '2');
    fixture.commit_in(&shadow, "agent");
    name_commit(&fixture, &fixture.repository, '3');
    fixture.commit("main moves");
    let deck = deck(&fixture);
    let page = read(&deck, "sub");
    let [file] = &page.files[..] else { panic!("{:?}", page.files) };
    assert_eq!(file.conflict.kind, ConflictKind::Submodule);
    let sides = file.conflict.sides().into_iter().flatten();
    let found: Stages = (1..)
        .zip(sides)
        .map(|(stage, entry)| {
            let told = (entry.mode.as_octal().to_owned(), entry.oid.to_string());
            (("sub".to_owned(), stage), told)
        })
        .collect();
    assert_eq!(found, stages(&fixture, "sub"));
    for side in [Resolution::Target, Resolution::Shadow] {
        let path = RepoPath::new("sub");
        let page =
            resolve::resolve(&deck, &id("sub"), Way::Whole, &path, Some(side.clone())).unwrap();
        assert_eq!(page.files[0].conflict.resolution, Some(side));
    }
}

#[test]
fn two_files_of_one_name_are_both_kept_and_no_other_goes_for_it() {
    let fixture = Fixture::new();
    situations(&fixture);
    let deck = deck(&fixture);
    for (name, path, other) in
        [("aa", "aa", "aa-own"), ("df", "df", "df-own"), ("two", "pq", "pq-own")]
    {
        let beside = Some(Resolution::Beside(RepoPath::new(other)));
        resolve::resolve(&deck, &id(name), Way::Whole, &RepoPath::new(path), beside).unwrap();
        let tree = planned(&fixture, &deck, name, Strategy::Merge);
        let mut git = fixture.child("git", &fixture.repository);
        let objects = fixture.repository.join(".git/shadowdeck/objects");
        git.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects);
        let listed = git.args(["ls-tree", "-r", "--name-only", &tree]).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let has = |path: &str| listed.lines().any(|line| line == path);
        assert!(has(other), "{name}: {listed}");
        assert!(has(if name == "df" { "df/x" } else { path }), "{name}: {listed}");
    }
    let taken = Some(Resolution::Beside(RepoPath::new("bin")));
    let report =
        resolve::resolve(&deck, &id("aa"), Way::Whole, &RepoPath::new("aa"), taken).unwrap_err();
    assert_eq!(report.code.as_str(), "already_exists");
}

/// Looks at all checkouts again and again, until it is stopped.
pub(crate) struct Watcher {
    stop: Arc<AtomicBool>,
    looks: Arc<AtomicUsize>,
    thread: JoinHandle<Vec<String>>,
}

impl Watcher {
    pub(crate) fn start(fixture: &Fixture, checkouts: Vec<std::path::PathBuf>) -> Self {
        let (stop, looks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let git_dir = fixture.repository.join(".git");
        let (stopped, looked) = (Arc::clone(&stop), Arc::clone(&looks));
        let thread = thread::spawn(move || {
            let mut seen = Vec::new();
            while !stopped.load(Ordering::Relaxed) {
                let worktrees = fs::read_dir(git_dir.join("worktrees")).into_iter().flatten();
                let dirs = worktrees.flatten().map(|entry| entry.path());
                for dir in dirs.chain([git_dir.clone()]) {
                    for name in ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "AUTO_MERGE"] {
                        if dir.join(name).exists() {
                            seen.push(format!("{name} in {}", dir.display()));
                        }
                    }
                    // An unmerged entry has a stage in the flags that follow its id.
                    let index = fs::read(dir.join("index")).unwrap_or_default();
                    if has_stage(&index) {
                        seen.push(format!("an unmerged entry in {}", dir.display()));
                    }
                }
                for file in checkouts.iter().flat_map(|dir| fs::read_dir(dir).into_iter().flatten())
                {
                    let Ok(file) = file else { continue };
                    let text = fs::read(file.path()).unwrap_or_default();
                    let marker = [b"<".repeat(7), b" ".to_vec()].concat();
                    if text.windows(8).any(|bytes| bytes == marker) {
                        seen.push(format!("a marker in {}", file.path().display()));
                    }
                }
                looked.fetch_add(1, Ordering::Relaxed);
            }
            seen
        });
        Self { stop, looks, thread }
    }

    #[track_caller]
    pub(crate) fn end(self) {
        while self.looks.load(Ordering::Relaxed) < 3 {
            thread::yield_now();
        }
        self.stop.store(true, Ordering::Relaxed);
        assert_eq!(self.thread.join().unwrap(), Vec::<String>::new());
    }
}

/// Of an index of version 2 with SHA-1 ids.
fn has_stage(index: &[u8]) -> bool {
    const FIXED: usize = 62;
    let number =
        |at: usize| index.get(at..at + 4).map(|b| u32::from_be_bytes(b.try_into().unwrap()));
    let (Some(2), Some(count)) = (number(4), number(8)) else { return false };
    let mut at = 12;
    for _ in 0..count {
        let Some(flags) = index.get(at + 60..at + 62) else { return false };
        if flags[0] >> 4 & 3 != 0 {
            return true;
        }
        let name = index[at + FIXED..].iter().position(|byte| *byte == 0).unwrap_or(0);
        at += (FIXED + name + 8) & !7;
    }
    false
}

#[test]
fn the_watcher_sees_an_unmerged_entry() {
    let fixture = Fixture::new();
    situations(&fixture);
    assert!(!has_stage(&fs::read(fixture.repository.join(".git/index")).unwrap()));
    assert!(
        !fixture.git_any(&fixture.repository, ["merge", "aide-shadow/content"]).status.success()
    );
    assert!(has_stage(&fs::read(fixture.repository.join(".git/index")).unwrap()));
}

/// `f`, which both sides renamed, or just main where the shadow gives it no name; both changed lines 5 and 15.
fn renamed(shadow_name: &str) -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    fixture.write("f", numbered(1, 20));
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    let change = |who: &str| {
        let text = numbered(1, 20).replace("\n5\n", &format!("\n{who} 5\n"));
        text.replace("\n15\n", &format!("\n{who} 15\n")).replace("\n20\n", "\n20\nalike\n")
    };
    if shadow_name != "f" {
        rename(&shadow, "f", shadow_name);
    }
    write(&shadow, shadow_name, change("shadow"));
    write(&shadow, "own", "agent\n");
    fixture.commit_in(&shadow, "agent");
    rename(&fixture.repository, "f", "main-name");
    write(&fixture.repository, "main-name", change("main"));
    fixture.commit("main moves");
    (fixture, shadow)
}

/// What `git merge-file` makes of the three with one side everywhere, each named by the commit that has it.
fn merge_file(fixture: &Fixture, shadow_name: &str, option: &str) -> String {
    for (name, rev) in [
        ("base", "main~1:f".to_owned()),
        ("target", "main:main-name".to_owned()),
        ("shadow", format!("aide-shadow/one:{shadow_name}")),
    ] {
        let text = fixture.git_any(&fixture.repository, ["show", &rev]).stdout;
        write(&fixture.root(), name, text);
    }
    let args = ["merge-file", "-p", option, "target", "base", "shadow"];
    String::from_utf8(fixture.git_any(&fixture.root(), args).stdout).unwrap()
}

/// Those that the file has where it has landed.
fn names(fixture: &Fixture) -> String {
    fixture.git(["ls-tree", "--name-only", "main", "f", "main-name", "shadow-name"])
}

/// What git calls a side of it is its own merge of both, markers and all: lines are chosen of the three versions.
#[test]
fn a_file_that_both_renamed_and_changed_lands_as_git_merges_its_three_versions() {
    for (answer, option) in [("target", "--ours"), ("shadow", "--theirs"), ("union", "--union")] {
        let (fixture, _) = renamed("shadow-name");
        let resolve = |path: &str, answer: &str| {
            let run = fixture.program(["resolve", "one", path, "--take", answer, "--json"]);
            assert_eq!(run.exit_code, 0, "{}", run.text());
        };
        let name = if answer == "shadow" { "shadow-name" } else { "main-name" };
        for path in ["f", "main-name", "shadow-name"] {
            resolve(path, if path == name { answer } else { "delete" });
        }
        let expected = merge_file(&fixture, "shadow-name", option);
        let run = fixture.program(["land", "one", "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
        assert_eq!(names(&fixture), name);
        assert_eq!(fixture.git(["show", &format!("main:{name}")]), expected.trim_end());
    }
}

/// The tree of a merge by hand where `f` and its new names go, and this one version of it stands under its own name.
fn named_by_hand(fixture: &Fixture, rev: &str) -> String {
    let copy = fixture.root().join("by-hand");
    let (from, to) = (fixture.repository.to_string_lossy(), copy.to_string_lossy());
    fixture.git(["clone", "-q", "--shared", "--branch", "main", &from, &to]);
    let merged = fixture.git_any(&copy, ["merge", "-q", "origin/aide-shadow/one"]);
    assert!(!merged.status.success(), "it conflicts");
    let gone = ["update-index", "--force-remove", "f", "main-name", "shadow-name"];
    fixture.git_in(&copy, gone);
    let (_, name) = rev.split_once(':').unwrap();
    let entry = format!("100644,{},{name}", fixture.git(["rev-parse", rev]));
    fixture.git_in(&copy, ["update-index", "--add", "--cacheinfo", &entry]);
    let tree = fixture.git_in(&copy, ["write-tree"]);
    fs::remove_dir_all(copy).unwrap();
    tree
}

/// A side that has nothing under a name leaves it out: one side for every name is that side's tree.
#[test]
fn one_side_for_every_name_of_a_renamed_file_is_that_side() {
    let (fixture, _) = renamed("shadow-name");
    let deck = deck(&fixture);
    let revs = ["main~1:f", "main:main-name", "aide-shadow/one:shadow-name"];
    let [base, target, shadow] = revs.map(|rev| fixture.git(["rev-parse", rev]));
    let json = fixture.program(["conflicts", "one", "--json"]).json();
    let none = serde_json::Value::Null;
    for (file, (name, versions)) in json["files"].as_array().unwrap().iter().zip([
        ("f", [base.into(), none.clone(), none.clone()]),
        ("main-name", [none.clone(), target.into(), none.clone()]),
        ("shadow-name", [none.clone(), none, shadow.into()]),
    ]) {
        assert_eq!(file["path"], name);
        assert_eq!(["base", "target", "shadow"].map(|side| file[side].clone()), versions, "{name}");
    }
    for (side, rev) in ["base", "target", "shadow"].iter().zip(revs) {
        for path in ["f", "main-name", "shadow-name"] {
            let run = fixture.program(["resolve", "one", path, "--take", side, "--json"]);
            assert_eq!(run.exit_code, 0, "{}", run.text());
        }
        let expected = named_by_hand(&fixture, rev);
        for strategy in [Strategy::Squash, Strategy::Merge, Strategy::Rebase] {
            let tree = planned(&fixture, &deck, "one", strategy);
            assert_eq!(tree, expected, "{side} for every name, {strategy:?}");
        }
        let run = fixture.program(["land", "one", "--dry-run", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
        // The pane shows a result under this name alone.
        for file in read(&deck, "one").files {
            let is_named = rev.ends_with(&format!(":{}", file.conflict.path.to_lossy()));
            assert_eq!(file.result.is_some(), is_named, "{:?}", file.conflict);
            assert!(file.conflict.resolution.is_some());
        }
    }
}

#[test]
fn places_of_a_renamed_file_are_chosen_alone() {
    for shadow_name in ["f", "shadow-name"] {
        let (fixture, shadow) = renamed(shadow_name);
        let deck = deck(&fixture);
        let page = read(&deck, "one");
        let file = |page: &ConflictPage| {
            page.files.iter().find(|file| file.conflict.path.to_lossy() == "main-name").cloned()
        };
        let own = file(&page).expect("main's name of it");
        let weave = own.weave.as_ref().expect("lines can be chosen");
        assert_eq!(weave.places().count(), 2);
        let resolve = |path: &str, answer: Resolution| {
            let path = RepoPath::new(path);
            resolve::resolve(&deck, &id("one"), Way::Whole, &path, Some(answer)).unwrap()
        };
        if shadow_name != "f" {
            resolve("f", Resolution::Delete);
            resolve("shadow-name", Resolution::Delete);
        }
        let some = weave.decided(&[Some(Take::Shadow), None]);
        let page = resolve("main-name", Resolution::Places(some));
        assert_eq!(file(&page).unwrap().takes, [Some(Take::Shadow), None]);
        let all = weave.decided(&[Some(Take::Shadow), Some(Take::Target)]);
        resolve("main-name", Resolution::Places(all));
        // What was chosen holds while the agent goes on, though git's markers name another commit then.
        write(&shadow, "elsewhere", "agent\n");
        fixture.commit_in(&shadow, "elsewhere");
        let page = read(&deck, "one");
        assert!(page.files.iter().all(|file| file.conflict.resolution.is_some()), "{page:?}");
        let ours = merge_file(&fixture, shadow_name, "--ours");
        let expected = ours.replace("main 5", "shadow 5");
        let run = fixture.program(["land", "one", "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.text());
        assert_eq!(fixture.git(["show", "main:main-name"]), expected.trim_end());
        assert_eq!(names(&fixture), "main-name");
    }
}

/// `two.txt` is changed by both in lines 5 and 15, `other.txt` is nobody's.
fn two_places() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    fixture.write("two.txt", numbered(1, 20));
    fixture.write("other.txt", "other\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    let change = |who: &str| {
        numbered(1, 20)
            .replace("\n5\n", &format!("\n{who} 5\n"))
            .replace("\n15\n", &format!("\n{who} 15\n"))
    };
    write(&shadow, "two.txt", change("shadow"));
    fixture.commit_in(&shadow, "agent");
    fixture.write("two.txt", change("main"));
    fixture.commit("main moves");
    (fixture, shadow)
}

fn choose(deck: &Deck, takes: &[Option<Take>]) -> ConflictPage {
    let page = read(deck, "one");
    let weave = page.files[0].weave.as_ref().expect("lines can be chosen");
    let resolution = Resolution::Places(weave.decided(takes));
    resolve::resolve(deck, &id("one"), Way::Whole, &page.files[0].conflict.path, Some(resolution))
        .unwrap()
}

#[test]
fn places_land_as_chosen_by_every_strategy_and_no_checkout_is_ever_in_a_merge() {
    for strategy in [Strategy::Merge, Strategy::Squash, Strategy::Rebase] {
        let (fixture, shadow) = two_places();
        let watcher = Watcher::start(&fixture, vec![fixture.repository.clone(), shadow]);
        let deck = deck(&fixture);
        let page = choose(&deck, &[Some(Take::Shadow), None]);
        assert_eq!(page.files[0].conflict.resolution, None, "one place is open");
        let options = LandOptions { strategy: Some(strategy), ..LandOptions::default() };
        let refused = land::plan(&deck, &id("one"), &options, &AtomicBool::new(false)).unwrap_err();
        assert_eq!(refused.code.as_str(), "conflicts");
        let text = Take::Text(Lines(b"mine 15\n".to_vec()));
        let page = choose(&deck, &[Some(Take::Swapped), Some(text)]);
        let shown = page.files[0].result.clone().expect("a text");
        let tree = planned(&fixture, &deck, "one", strategy);
        let run =
            fixture.program(["land", "one", "--strategy", strategy.as_str(), "--yes", "--json"]);
        assert_eq!(run.exit_code, 0, "{}: {}", strategy.as_str(), run.text());
        assert_eq!(fixture.git(["rev-parse", "main^{tree}"]), tree, "as planned");
        let landed = fixture.git_any(&fixture.repository, ["show", "main:two.txt"]).stdout;
        assert_eq!(landed, shown.as_bytes());
        let expected = numbered(1, 20)
            .replace("\n5\n", "\nshadow 5\nmain 5\n")
            .replace("\n15\n", "\nmine 15\n");
        assert_eq!(String::from_utf8(landed).unwrap(), expected);
        let log = fixture.program(["log"]).text();
        for row in
            ["two.txt: 1 place: shadow's", "two.txt: 2 places: both, shadow's first, as edited"]
        {
            assert!(log.contains(row), "{log}");
        }
        watcher.end();
    }
}

#[test]
fn choices_stand_while_the_agent_goes_on_and_are_shown_as_reused() {
    let (fixture, shadow) = two_places();
    let deck = deck(&fixture);
    let settled = || {
        let fleet = list::read_fleet(&deck, &AtomicBool::new(false)).unwrap();
        (fleet.rows[0].settled, fleet.rows[0].conflicts.len())
    };
    assert_eq!(settled(), (0, 1));
    assert!(!choose(&deck, &[Some(Take::Shadow), Some(Take::Target)]).files[0].is_reused);
    assert_eq!(settled(), (1, 1), "the list knows without the pane");
    write(&shadow, "other.txt", "agent\n");
    fixture.commit_in(&shadow, "elsewhere");
    let file = &read(&deck, "one").files[0];
    assert!(file.conflict.resolution.is_some() && file.is_reused);
    // The other part of the file changes: the first choice stands, the second is another question.
    let text = fs::read_to_string(shadow.join("two.txt")).unwrap();
    write(&shadow, "two.txt", text.replace("shadow 15", "again 15"));
    let file = &read(&deck, "one").files[0];
    assert_eq!(file.takes, [Some(Take::Shadow), None]);
    assert!(file.conflict.resolution.is_none() && file.is_reused);
    assert_eq!(settled(), (0, 1));
    // Taken back, the older choice does not come again.
    let path = RepoPath::new("two.txt");
    let page = resolve::resolve(&deck, &id("one"), Way::Whole, &path, None).unwrap();
    assert_eq!(page.files[0].takes, [None, None]);
    // And after a restart what was chosen is there.
    choose(&deck, &[Some(Take::Base), None]);
    assert_eq!(read(&self::deck(&fixture), "one").files[0].takes, [Some(Take::Base), None]);
}

fn cases() -> Cases {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    Cases { cases: more.unwrap_or(24), failure_persistence: None, ..Cases::default() }
}

/// Few different lines, so that they come again.
fn text() -> impl Strategy_<Value = String> {
    let line = prop::sample::select(vec!["a", "b", "c", "d", "e", "}", "", "<<<<<<< x"]);
    (prop::collection::vec(line, 0..14), any::<bool>()).prop_map(|(lines, ends)| {
        let mut text = lines.join("\n");
        if ends && !text.is_empty() {
            text.push('\n');
        }
        text
    })
}

use proptest::strategy::Strategy as Strategy_;

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn every_choice_is_what_merge_file_makes(
        texts in [text(), text(), text()],
        picks in prop::collection::vec(0..5_usize, 14),
    ) {
        let fixture = Fixture::new();
        let deck = deck(&fixture);
        let names = ["base", "target", "shadow"];
        for (name, text) in names.iter().zip(&texts) {
            fixture.write(name, text);
        }
        let entry = |name: &str| {
            let oid = Oid::parse(&fixture.git(["hash-object", "-w", name])).unwrap();
            Some(Entry { mode: Mode::File, oid })
        };
        let conflict = Conflict {
            path: RepoPath::new("a.txt"),
            working_path: None,
            kind: ConflictKind::Content,
            base: entry("base"),
            target: entry("target"),
            shadow: entry("shadow"),
            names: Vec::new(),
 versions: None,
            moved_from: None,
            resolution: None,
        };
        let merge = |options: &[&str]| {
            let labels = ["-L", "target", "-L", "base", "-L", "shadow"];
            let args = ["merge-file", "-p", "-q", "--diff3", "--diff-algorithm=histogram"];
            let files = ["target", "base", "shadow"];
            let args = [&args[..], &labels, options, &files].concat();
            fixture.git_any(&fixture.repository, args)
        };
        let marked = merge(&["--marker-size=20"]);
        let woven = weave::read_weave(&deck.repository, &conflict).unwrap();
        let count = woven.as_ref().map_or(0, |weave| weave.places().count());
        prop_assert_eq!(i32::try_from(count).ok(), marked.status.code(), "as many places");
        let Some(woven) = woven else { return Ok(()) };
        let markers = Markers { size: 20, target: "target", base: "base", shadow: "shadow" };
        prop_assert_eq!(woven.marked(&vec![None; count], markers), marked.stdout.clone());
        for (take, option) in [(Take::Target, "--ours"), (Take::Shadow, "--theirs"), (Take::Both, "--union")] {
            let all = vec![Some(take); count];
            prop_assert_eq!(woven.text(&all).unwrap(), merge(&[option]).stdout, "{}", option);
            prop_assert_eq!(woven.takes(woven.decided(&all).iter()), all);
        }
        // Any choices: git's own text with the other parts of each place cut out.
        let takes = [Take::Target, Take::Shadow, Take::Base, Take::Both, Take::Swapped];
        let takes: Vec<_> = picks.iter().map(|pick| Some(takes[*pick].clone())).take(count).collect();
        if texts.iter().all(|text| text.is_empty() || text.ends_with('\n')) && takes.len() == count {
            let by_hand = cut(&String::from_utf8(marked.stdout).unwrap(), &takes);
            prop_assert_eq!(String::from_utf8(woven.text(&takes).unwrap()).unwrap(), by_hand);
        }
    }
}

fn cut(marked: &str, takes: &[Option<Take>]) -> String {
    let (mut out, mut side, mut place) = (String::new(), 0, 0);
    let mut sides = [const { String::new() }; 3];
    for line in marked.split_inclusive('\n') {
        let starts = |sign: &str| line.starts_with(&sign.repeat(20));
        match side {
            0 if starts("<") => side = 1,
            1 if starts("|") => side = 2,
            2 if starts("=") => side = 3,
            3 if starts(">") => {
                let [target, base, shadow] = std::mem::take(&mut sides);
                out += &match takes[place].as_ref().unwrap() {
                    Take::Target => target,
                    Take::Shadow => shadow,
                    Take::Base => base,
                    Take::Both => target + &shadow,
                    Take::Swapped => shadow + &target,
                    Take::Text(_) => unreachable!("none is drawn"),
                };
                (side, place) = (0, place + 1);
            }
            0 => out += line,
            side => sides[side - 1] += line,
        }
    }
    out
}
