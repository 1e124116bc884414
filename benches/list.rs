//! `list --json` beside the plain git commands that answer the same questions, and the cockpit's first
//! frame beside a bare ratatui program's: interleaved in one run, medians, and above all ratios.
//!
//! `cargo bench --bench list -- REPOSITORY [SHADOWS] [ROUNDS]`; without a repository it does nothing.

#![allow(
    clippy::print_stdout,
    clippy::panic,
    reason = "a report is what this program is for, and a fault ends it"
)]

mod fixture;

use std::{
    io::{Read, Write},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use fixture::{Load, Shadows, child, git, make};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const PROGRAM: &str = env!("CARGO_BIN_EXE_shadowdeck");
const ROWS: NonZero<u16> = NonZero::new(48).expect("it is not zero");
const COLUMNS: NonZero<u16> = NonZero::new(160).expect("it is not zero");
const FRAME_LIMIT: Duration = Duration::from_secs(20);

fn main() {
    // cargo passes `--bench` to a harness of one's own.
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let Some(source) = words.first() else {
        println!("name a repository to make shadows from; nothing was measured");
        return;
    };
    let number = |index: usize, default| {
        words.get(index).map_or(default, |word| word.parse().expect("a number"))
    };
    let (count, rounds) = (number(1, 20), number(2, 7));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = Path::new(source).canonicalize().expect("the repository is there");
    let shadows = make(&source, dir.path(), count, 1, Load::Heavy);
    let files = git(&shadows.repository, &["ls-files"]).lines().count();
    println!("{count} shadows of {files} files, {rounds} rounds, medians\n");
    list(&shadows, rounds);
    radar(&shadows, rounds);
    first_frame(&shadows.repository, rounds);
}

/// One thing to measure: its name, what is done before it (not measured), and what is.
type Contender<'a> = (&'a str, Box<dyn Fn() + 'a>, Box<dyn Fn() + 'a>);

fn list(shadows: &Shadows, rounds: usize) {
    let base = git(&shadows.repository, &["merge-base", "main", &branch(&shadows.shadows[0].0)]);
    let parts: [(&str, Vec<&str>); 4] = [
        ("git status", vec!["status", "--porcelain"]),
        ("git diff --numstat", vec!["diff", "--numstat", &base]),
        ("ahead and behind", vec!["rev-list", "--left-right", "--count", "main...HEAD"]),
        ("git merge-tree", vec!["merge-tree", "--write-tree", "main", "HEAD"]),
    ];
    let repository = &shadows.repository;
    let mut contenders: Vec<Contender<'_>> = vec![
        ("nothing changed since the last list", Box::new(|| {}), Box::new(|| run_list(repository))),
        (
            "every shadow was written to since",
            Box::new(|| touch(shadows)),
            Box::new(|| run_list(repository)),
        ),
        ("the first list ever", Box::new(|| forget(repository)), Box::new(|| run_list(repository))),
    ];
    let ours = contenders.len();
    for (name, args) in &parts {
        contenders.push((name, Box::new(|| {}), Box::new(|| each(shadows, args))));
    }
    let times = interleaved(&contenders, rounds);
    let sum: f64 = times[ours..].iter().sum();
    println!("| `list --json` and git | ms | of plain git's time |\n|---|---:|---:|");
    for ((name, ..), time) in contenders.iter().zip(&times) {
        println!("| {name} | {time:.0} | {:.2} |", time / sum);
    }
    println!("| plain git, these four | {sum:.0} | 1.00 |\n");
}

fn branch(id: &str) -> String {
    format!("aide-shadow/{id}")
}

fn run_list(repository: &Path) {
    let output = child(PROGRAM, repository).args(["list", "--json"]).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// An edit in every shadow, so that none is as it was.
fn touch(shadows: &Shadows) {
    for (_, path) in &shadows.shadows {
        let now = format!("{:?}", Instant::now());
        std::fs::write(path.join("touched.txt"), now).expect("it is ours");
    }
}

/// Puts away all that is remembered of the fixture. It goes with the fixture: a file system may be busy with files
/// just deleted where new ones are made.
fn forget(repository: &Path) {
    let dir = repository.join(".git/shadowdeck");
    if dir.exists() {
        let away = format!(".git/forgotten-{:?}", Instant::now());
        std::fs::rename(dir, repository.join(away)).expect("it is ours");
    }
}

/// Every pair of shadows, and each with the target, beside git's own batch of just these merges. All is committed
/// before, so that git can name it.
fn radar(shadows: &Shadows, rounds: usize) {
    let repository = &shadows.repository;
    let mut tips = vec![git(repository, &["rev-parse", "main"])];
    for (_, path) in &shadows.shadows {
        git(path, &["add", "-A"]);
        fixture::git_any(path, &["commit", "--quiet", "--message", "all of it"]);
        tips.push(git(path, &["rev-parse", "HEAD"]));
    }
    let mut pairs = String::new();
    for (at, one) in tips.iter().enumerate() {
        for other in &tips[at + 1..] {
            pairs.push_str(&format!("{other} {one}\n"));
        }
    }
    let count = pairs.lines().count();
    let forget_pairs = || {
        let pairs = repository.join(".git/shadowdeck/radar");
        std::fs::remove_dir_all(pairs).expect("the run before kept them");
    };
    let contenders: [Contender<'_>; 5] = [
        ("git merge-tree --stdin", Box::new(|| {}), Box::new(|| merge_all(repository, &pairs))),
        (
            "nothing known, the private store empty",
            Box::new(|| forget(repository)),
            Box::new(|| run_radar(repository)),
        ),
        (
            "no pair known, merged objects kept",
            Box::new(forget_pairs),
            Box::new(|| run_radar(repository)),
        ),
        (
            "one shadow was written to since",
            Box::new(|| touch_one(&shadows.shadows[0].1)),
            Box::new(|| run_radar(repository)),
        ),
        ("nothing changed since", Box::new(|| {}), Box::new(|| run_radar(repository))),
    ];
    run_radar(repository);
    let times = interleaved(&contenders, rounds);
    println!("| `radar --json`, {count} pairs | ms | of git's own batch |\n|---|---:|---:|");
    for ((name, ..), time) in contenders.iter().zip(&times) {
        println!("| {name} | {time:.0} | {:.2} |", time / times[0]);
    }
    println!();
}

fn run_radar(repository: &Path) {
    let output = child(PROGRAM, repository).args(["radar", "--json"]).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// In a store of its own, as radar does it: the repository is to stay as small as it is.
fn merge_all(repository: &Path, pairs: &str) {
    let store = tempfile::tempdir().expect("a temporary directory");
    let mut git = child("git", repository)
        .args(["--attr-source=main", "merge-tree", "--write-tree", "--messages", "--stdin", "-z"])
        .env("GIT_OBJECT_DIRECTORY", store.path())
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.join(".git/objects"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("git is installed");
    let mut stdin = git.stdin.take().expect("it is piped");
    let pairs = pairs.to_owned();
    let writing = thread::spawn(move || stdin.write_all(pairs.as_bytes()));
    let output = git.wait_with_output().expect("it ends");
    writing.join().expect("it does not fail").expect("git reads all");
    assert!(output.status.success() && !output.stdout.is_empty());
}

fn touch_one(shadow: &Path) {
    let now = format!("{:?}", Instant::now());
    std::fs::write(shadow.join("touched.txt"), now).expect("it is ours");
}

/// One git command in every shadow, two at a time.
fn each(shadows: &Shadows, args: &[&str]) {
    let left = Mutex::new(shadows.shadows.iter());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = left.lock().expect("no thread fails while it holds it").next();
                    let Some((_, path)) = next else { break };
                    // merge-tree ends with 1 where there are conflicts: that is an answer too.
                    fixture::git_any(path, args);
                }
            });
        }
    });
}

/// Medians in milliseconds, the first round (caches) left out.
fn interleaved(contenders: &[Contender<'_>], rounds: usize) -> Vec<f64> {
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..=rounds {
        for ((_, prepare, run), times) in contenders.iter().zip(&mut times) {
            prepare();
            let started = Instant::now();
            run();
            if round > 0 {
                times.push(started.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn first_frame(repository: &Path, rounds: usize) {
    let bare = Path::new(PROGRAM).with_file_name("examples").join("bare");
    if !bare.exists() {
        println!(
            "build the examples (`cargo build --release --examples`) to measure the first frame"
        );
        return;
    }
    let programs = [PathBuf::from(PROGRAM), bare];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (program, times) in programs.iter().zip(&mut times) {
            times.push(frame(program, repository));
        }
    }
    let [ours, bare] = times.map(median);
    println!("| first frame | ms | of the bare program's |\n|---|---:|---:|");
    println!("| shadowdeck | {ours:.1} | {:.1} |", ours / bare);
    println!("| a bare ratatui list | {bare:.1} | 1.0 |");
}

/// From the start of the program to the first text on a screen of 160×48.
fn frame(program: &Path, repository: &Path) -> f64 {
    let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo terminal");
    let mut command = CommandBuilder::new(program);
    command.cwd(repository);
    for (name, value) in [
        ("TERM", "xterm-256color"),
        ("COLORTERM", "truecolor"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
    ] {
        command.env(name, value);
    }
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let mut writer = pair.master.take_writer().expect("a writer");
    let (sender, pieces) = mpsc::channel();
    thread::spawn(move || {
        let mut piece = [0; 16 * 1024];
        while let Ok(count) = reader.read(&mut piece) {
            if count == 0 || sender.send(piece[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let started = Instant::now();
    let mut running = pair.slave.spawn_command(command).expect("it starts");
    let mut screen = vt100::Parser::new(ROWS, COLUMNS, 0);
    let time = loop {
        match pieces.recv_timeout(FRAME_LIMIT) {
            Ok(piece) => {
                answer(&piece, &mut writer);
                screen.process(&piece);
                if screen.screen().contents().chars().any(char::is_alphanumeric) {
                    break started.elapsed();
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                panic!("{} drew nothing", program.display())
            }
        }
    };
    let _ = writer.write_all(b"q");
    let _ = writer.flush();
    // The bare program ends at any key, and ours at this one; both leave nothing to wait for.
    let _ = running.wait();
    time.as_secs_f64() * 1000.0
}

/// What a terminal answers when it is asked who it is and how bright.
fn answer(piece: &[u8], writer: &mut dyn Write) {
    let asked = |question: &[u8]| piece.windows(question.len()).any(|window| window == question);
    if asked(b"\x1b]11;?") {
        let _ = writer.write_all(b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\");
    }
    if asked(b"\x1b[c") {
        let _ = writer.write_all(b"\x1b[?62;22c");
    }
}
