//! Many processes and many agents at once, from a seed: whatever an agent ever wrote or committed in a shadow is
//! afterwards on the target, in a live shadow, or in the trash, and the target has one serial history.
//!
//! `just campaign SEED` runs it at full length; the size is read from `CAMPAIGN_*` of the environment.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use serde_json::Value;

use crate::support::{Fixture, write};

/// splitmix64: what a seed leads to is the same everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count).unwrap()).unwrap()
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { Some(&all[self.below(all.len())]) }
    }
}

#[derive(Clone, Copy)]
struct Size {
    seed: u64,
    shadows: usize,
    processes: usize,
    /// Of each process in turn.
    operations: usize,
    agents: usize,
}

impl Size {
    fn of_environment() -> Self {
        let number = |name: &str, default: usize| {
            std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
        };
        Self {
            seed: u64::try_from(number("CAMPAIGN_SEED", 1)).unwrap(),
            shadows: number("CAMPAIGN_SHADOWS", 16),
            processes: number("CAMPAIGN_PROCESSES", 8),
            operations: number("CAMPAIGN_OPERATIONS", 5),
            agents: number("CAMPAIGN_AGENTS", 3),
        }
    }
}

/// Fewer than so many things are done by agents beside each operation.
const TURNS_MAX: usize = 5;

struct Campaign {
    fixture: Fixture,
    size: Size,
    /// Words that stand in files which agents or the user wrote, each once in the world.
    written: Mutex<Vec<String>>,
    /// Commits that agents or the user made.
    committed: Mutex<Vec<String>>,
    numbers: AtomicUsize,
    /// How operations ended: `land squash: 0`, `discard: 4 shadow_busy`.
    ends: Mutex<BTreeMap<String, usize>>,
    wrong: Mutex<Vec<String>>,
}

impl Campaign {
    fn new(size: Size) -> Self {
        let fixture = Fixture::new();
        fixture.write(".gitignore", "*.log\n");
        fixture.write("shared.txt", "one\ntwo\nthree\n");
        fixture.write("mine.txt", "mine\n");
        fixture.commit("base");
        for number in 0..size.shadows {
            fixture.shadow(&format!("s{number}"));
        }
        fixture.write("mine.txt", "my edit\n");
        fixture.write("staged.txt", "staged\n");
        fixture.git(["add", "staged.txt"]);
        fixture.write("loose.txt", "loose\n");
        Self {
            fixture,
            size,
            written: Mutex::default(),
            committed: Mutex::default(),
            numbers: AtomicUsize::new(0),
            ends: Mutex::default(),
            wrong: Mutex::default(),
        }
    }

    fn word(&self) -> String {
        format!("word-{}-{}-", self.size.seed, self.numbers.fetch_add(1, Ordering::Relaxed))
    }

    /// Directories that are worktrees now.
    fn shadows(&self) -> Vec<PathBuf> {
        let places =
            [self.fixture.root().join("shadows"), self.fixture.repository.join(".aide/worktrees")];
        let mut found: Vec<PathBuf> = places
            .iter()
            .filter_map(|place| fs::read_dir(place).ok())
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|dir| dir.join(".git").is_file())
            .collect();
        found.sort();
        found
    }

    /// One thing that an agent does. A shadow may vanish under it at any moment.
    fn work(&self, chance: &mut Chance) {
        let shadows = self.shadows();
        let Some(shadow) = chance.one_of(&shadows) else { return };
        let word = self.word();
        let text = format!("{word}\n");
        let noted = |result: std::io::Result<()>| {
            if result.is_ok() {
                self.written.lock().unwrap().push(word.clone());
            }
        };
        match chance.below(10) {
            0..3 => noted(fs::write(shadow.join(format!("{word}.txt")), &text)),
            3 => noted(fs::write(shadow.join(format!("{word}.log")), &text)),
            4 => {
                let dir = shadow.join("deep");
                // Never the directories above it: what was discarded does not come back by this.
                let made = fs::create_dir(&dir).is_ok() || dir.is_dir();
                if made {
                    noted(fs::write(dir.join(&word), &text));
                }
            }
            5..7 => {
                let shared = shadow.join("shared.txt");
                let appended = fs::OpenOptions::new().append(true).open(shared);
                noted(appended.and_then(|mut file| file.write_all(text.as_bytes())));
            }
            7 => {
                self.fixture.git_any(shadow, ["add", "-A"]);
            }
            _ => self.commit_in(shadow, &["commit", "-q", "-a", "-m", &word]),
        }
    }

    fn commit_in(&self, dir: &Path, args: &[&str]) {
        // Named before: where a directory lost its `.git` file, git would act on what is around it.
        let git_dir = fs::read_to_string(dir.join(".git"))
            .ok()
            .and_then(|text| Some(PathBuf::from(text.strip_prefix("gitdir: ")?.trim())))
            .unwrap_or_else(|| dir.join(".git"));
        let (git_dir, dir_text) = (git_dir.to_str().unwrap(), dir.to_str().unwrap());
        let place = ["--git-dir", git_dir, "--work-tree", dir_text];
        let made = self.fixture.git_any(dir, [&place[..], args].concat());
        if made.status.success() {
            let tip = self.fixture.git_any(dir, ["--git-dir", git_dir, "rev-parse", "HEAD"]);
            if tip.status.success() {
                let tip = String::from_utf8(tip.stdout).unwrap().trim().to_owned();
                self.committed.lock().unwrap().push(tip);
            }
        }
    }

    /// What the user does on the target's own worktree meanwhile.
    fn use_target(&self) {
        let word = self.word();
        let name = format!("user-{word}.txt");
        self.fixture.write(&name, format!("{word}\n"));
        self.written.lock().unwrap().push(word.clone());
        let repository = &self.fixture.repository;
        if self.fixture.git_any(repository, ["add", &name]).status.success() {
            self.commit_in(repository, &["commit", "-q", "-m", &word, "--", &name]);
        }
    }

    fn run(&self, args: &[&str]) -> Value {
        let all = [args, &["--json"]].concat();
        let run = self.fixture.program(&all);
        let json: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
        let code = json["error"]["code"].as_str().unwrap_or_default().to_owned();
        let end = format!("{}: {} {code}", args[0], run.exit_code);
        *self.ends.lock().unwrap().entry(end).or_default() += 1;
        // Everything that can happen here is a success or a refusal with its reason.
        let expected =
            matches!(run.exit_code, 0 | 3 | 4) && (run.exit_code == 0) == code.is_empty();
        if !expected {
            let told =
                format!("{args:?} ended with {}: {}{}", run.exit_code, run.text(), run.stderr);
            self.wrong.lock().unwrap().push(told);
        }
        json
    }

    /// One operation of one process.
    fn operate(&self, chance: &mut Chance) {
        let shadows = self.shadows();
        let Some(shadow) = chance.one_of(&shadows) else { return };
        let id = shadow.file_name().unwrap().to_str().unwrap().to_owned();
        let id = id.as_str();
        match chance.below(20) {
            0 if shadows.len() < self.size.shadows + self.size.processes => {
                self.run(&["create"]);
            }
            0 | 1 => {
                let only = ["land", id, "--yes", "--only", "shared.txt", "-m", "a part"];
                self.run(&only);
            }
            2..7 => {
                let strategy = ["squash", "merge", "rebase"][chance.below(3)];
                let mut args = vec!["land", id, "--strategy", strategy, "--yes"];
                if chance.below(2) == 0 {
                    args.push("--keep");
                }
                self.run(&args);
            }
            7 | 8 => {
                self.run(&["commit", id, "-m", "by the program"]);
            }
            9 => {
                self.run(&["rollback", id, "--yes"]);
            }
            10 | 11 => {
                self.run(&["discard", id, "--yes"]);
            }
            12..15 => {
                self.run(&["undo", "--yes"]);
            }
            15 => self.undo_any(chance),
            16 => {
                self.run(&["redo", "--yes"]);
            }
            17 => {
                self.run(&["gc", "--yes"]);
            }
            18 => {
                self.run(&["doctor", "--fix"]);
            }
            _ => self.look(id, chance),
        }
    }

    fn undo_any(&self, chance: &mut Chance) {
        let log = self.run(&["log"]);
        let operations = log["operations"].as_array().cloned().unwrap_or_default();
        if let Some(operation) = chance.one_of(&operations) {
            self.run(&["undo", operation["operation"].as_str().unwrap(), "--yes"]);
        }
    }

    fn look(&self, id: &str, chance: &mut Chance) {
        match chance.below(4) {
            0 => self.run(&["list"]),
            1 => self.run(&["diff", id]),
            2 => self.run(&["conflicts", id]),
            _ => self.run(&["show", id]),
        };
    }

    /// Agents do as many things as operations give them turns for, each while that operation runs.
    fn play(&self) {
        let (turns, taken) = mpsc::channel();
        let taken = Mutex::new(taken);
        thread::scope(|scope| {
            for number in 0..self.size.processes {
                let turns = turns.clone();
                scope.spawn(move || self.run_process(number, &turns));
            }
            drop(turns);
            for number in 0..self.size.agents {
                let taken = &taken;
                scope.spawn(move || self.run_agent(number, taken));
            }
        });
    }

    fn run_process(&self, number: usize, turns: &Sender<()>) {
        let mut chance = self.chance(number);
        for _ in 0..self.size.operations {
            for _ in 0..chance.below(TURNS_MAX) {
                turns.send(()).unwrap();
            }
            self.operate(&mut chance);
        }
    }

    fn run_agent(&self, number: usize, turns: &Mutex<Receiver<()>>) {
        let mut chance = self.chance(self.size.processes + number);
        // The lock is let go before the work: another agent may take the next turn meanwhile.
        let next = || turns.lock().unwrap().recv().is_ok();
        while next() {
            if chance.below(20) == 0 { self.use_target() } else { self.work(&mut chance) }
        }
    }

    fn chance(&self, number: usize) -> Chance {
        Chance(self.size.seed.wrapping_mul(1000) + u64::try_from(number).unwrap())
    }

    #[expect(clippy::print_stdout, reason = "what a campaign came to is its result, too")]
    fn check(&self) {
        let (fixture, name) = (&self.fixture, format!("seed {}", self.size.seed));
        let wrong = self.wrong.lock().unwrap();
        let ends = self.ends.lock().unwrap();
        assert!(wrong.is_empty(), "{name}: {ends:#?}\n{}", wrong.join("\n"));
        let list = fixture.program(["list", "--json"]);
        assert_eq!(list.exit_code, 0, "{name}: {}", list.stderr);
        let open = fixture.repository.join(".git/shadowdeck/journal/open");
        assert_eq!(fs::read_dir(open).map_or(0, Iterator::count), 0, "{name}: {}", list.stderr);
        self.check_user(&name);
        self.check_history(&name);
        // What only the reachable keeps is what is really kept.
        fixture.git(["gc", "-q", "--prune=now"]);
        fixture.git(["fsck", "--strict", "--no-dangling"]);
        let kept: HashSet<String> = fixture
            .git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"])
            .lines()
            .map(str::to_owned)
            .collect();
        let committed = self.committed.lock().unwrap();
        let gone: Vec<&String> = committed.iter().filter(|oid| !kept.contains(*oid)).collect();
        assert!(gone.is_empty(), "{name}: commits lost: {gone:?}");
        let written = self.written.lock().unwrap();
        let gone = self.find_lost(&written);
        assert!(
            gone.is_empty(),
            "{name}: {} of {} words lost: {gone:?}",
            gone.len(),
            written.len()
        );
        println!("{name}: {} words, {} commits kept; {ends:#?}", written.len(), committed.len());
    }

    /// The user's own edits on the target are as they were, and no git was left in the middle of anything.
    fn check_user(&self, name: &str) {
        let fixture = &self.fixture;
        let read =
            |file: &str| fs::read_to_string(fixture.repository.join(file)).unwrap_or_default();
        assert_eq!(read("mine.txt"), "my edit\n", "{name}");
        assert_eq!(read("staged.txt"), "staged\n", "{name}");
        assert_eq!(read("loose.txt"), "loose\n", "{name}");
        let status = fixture.git(["status", "--porcelain"]);
        let others: Vec<&str> =
            status.lines().filter(|line| !line.contains("user-word-")).collect();
        assert_eq!(others, [" M mine.txt", "A  staged.txt", "?? loose.txt"], "{name}");
        let mut locks = Vec::new();
        find_locks(&fixture.repository.join(".git"), &mut locks);
        assert!(locks.is_empty(), "{name}: {locks:?}");
    }

    /// Every move of the target is an operation's own or a commit of the user's, one after the other.
    fn check_history(&self, name: &str) {
        let fixture = &self.fixture;
        let moves = fixture.git(["reflog", "show", "--format=%H %gs", "main"]);
        let mut moves: Vec<(&str, &str)> =
            moves.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
        moves.reverse();
        let steps: Vec<(&str, &str, &str)> =
            moves.windows(2).map(|pair| (pair[0].0, pair[1].0, pair[1].1)).collect();
        let log = fixture.program(["log", "--json"]).json();
        let operations = log["operations"].as_array().unwrap();
        let mut own = 0;
        for operation in operations.iter().filter(|one| one["target"] == "main") {
            let status = operation["status"].as_str().unwrap();
            if !matches!(status, "done" | "undone") {
                continue;
            }
            let ends =
                (operation["before"].as_str().unwrap(), operation["after"].as_str().unwrap());
            let found = steps.iter().filter(|step| (step.0, step.1) == ends).count();
            assert!(found >= 1, "{name}: {operation} is no move of main");
            own += 1;
        }
        let told = steps.iter().filter(|step| step.2.starts_with("shadowdeck")).count();
        let landed = steps.iter().filter(|step| !step.2.starts_with("commit")).count();
        assert_eq!(own, landed, "{name}: {told} {steps:#?}");
    }

    /// Those that are in no file of a live shadow, the target or the trash, and in no object that is kept.
    fn find_lost<'a>(&self, written: &'a [String]) -> Vec<&'a String> {
        let fixture = &self.fixture;
        let mut found = HashSet::new();
        let objects = fixture
            .git_any(&fixture.repository, ["cat-file", "--batch-all-objects", "--batch"])
            .stdout;
        gather_words(&objects, &mut found);
        for dir in [fixture.root().join("shadows"), fixture.repository.clone()] {
            gather_files(&dir, &mut found);
        }
        written.iter().filter(|word| !found.contains(*word)).collect()
    }
}

fn gather_words(bytes: &[u8], found: &mut HashSet<String>) {
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.starts_with(b"word-") {
            found.insert(String::from_utf8_lossy(line).into_owned());
        }
    }
}

/// Of the program's own directory only the trash counts.
fn gather_files(dir: &Path, found: &mut HashSet<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let entry = entry.unwrap();
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if path.ends_with(".git") && kind.is_dir() {
            gather_files(&path.join("shadowdeck/trash"), found);
        } else if kind.is_dir() {
            gather_files(&path, found);
        } else if kind.is_file() {
            gather_words(&fs::read(&path).unwrap(), found);
        }
    }
}

fn find_locks(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_locks(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lock") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_lost_by_many_processes_and_agents_at_once() {
    let campaign = Campaign::new(Size::of_environment());
    campaign.play();
    campaign.check();
}

#[test]
fn the_campaign_notices_what_is_lost() {
    let size = Size { seed: 7, shadows: 1, processes: 0, operations: 0, agents: 0 };
    let campaign = Campaign::new(size);
    write(&campaign.shadows()[0], "kept.txt", "word-7-0-\n");
    let written = ["word-7-0-".to_owned(), "word-7-1-".to_owned()];
    assert_eq!(campaign.find_lost(&written), ["word-7-1-"]);
    let trash = campaign.fixture.repository.join(".git/shadowdeck/trash");
    write(&trash, "one/kept.txt", "word-7-1-\n");
    assert!(campaign.find_lost(&written).is_empty());
}
