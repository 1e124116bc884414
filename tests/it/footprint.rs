//! Looking leaves no trace: agents' indexes stay byte-identical, no lock file is made among them, and whatever an
//! agent does with git beside it succeeds. Told by inotify, not by looking now and then.
//!
//! `just footprint SECONDS` runs it longer; the time is read from `FOOTPRINT_SECONDS`.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::support::{Fixture, write};

/// Worktrees whose files all look changed to a `stat`: git would write their indexes anew if it could.
fn stale_worktrees(fixture: &Fixture, count: usize) -> Vec<PathBuf> {
    for number in 0..20 {
        fixture.write(&format!("src/f{number}.txt"), format!("{number}\n").repeat(20));
    }
    fixture.commit("files");
    let shadows: Vec<PathBuf> =
        (0..count).map(|number| fixture.shadow(&format!("s{number}"))).collect();
    let later = fs::metadata(&fixture.repository).unwrap().modified().unwrap();
    for shadow in &shadows {
        for number in 0..20 {
            let file =
                fs::File::options().write(true).open(shadow.join(format!("src/f{number}.txt")));
            file.unwrap().set_modified(later + Duration::from_secs(1_000_000)).unwrap();
        }
        write(shadow, "new.txt", "new\n");
    }
    shadows
}

fn admin_dirs(fixture: &Fixture) -> Vec<PathBuf> {
    let dir = fixture.repository.join(".git/worktrees");
    fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Bytes, inode and time of every file of the registrations and of the main worktree's index.
fn footprint(
    fixture: &Fixture,
    left_out: &str,
) -> BTreeMap<PathBuf, (u64, std::time::SystemTime, Vec<u8>)> {
    use std::os::unix::fs::MetadataExt;
    let mut files = vec![fixture.repository.join(".git/index")];
    for dir in admin_dirs(fixture).iter().filter(|dir| !dir.ends_with(left_out)) {
        files.extend(fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.is_file());
    let read = |file: PathBuf| {
        let about = fs::metadata(&file).unwrap();
        let bytes = fs::read(&file).unwrap();
        (file, (about.ino(), about.modified().unwrap(), bytes))
    };
    files.into_iter().map(read).collect()
}

/// What is made in, renamed into or written to directories, as the kernel tells it.
struct Watch {
    inotify: OwnedFd,
}

impl Watch {
    fn new(dirs: &[PathBuf]) -> Self {
        use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
        let what =
            WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::MODIFY | WatchFlags::DELETE;
        for dir in dirs {
            inotify::add_watch(&inotify, dir, what).unwrap();
        }
        Self { inotify }
    }

    /// The names of all that happened so far.
    fn names(&self) -> Vec<OsString> {
        use rustix::fs::inotify::Reader;
        let mut names = Vec::new();
        let mut buffer = vec![std::mem::MaybeUninit::uninit(); 64 * 1024];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| name.to_bytes().to_vec());
                    names.push(OsString::from(std::ffi::OsStr::from_bytes(
                        &name.unwrap_or_default(),
                    )));
                }
                Err(rustix::io::Errno::AGAIN) => return names,
                Err(error) => panic!("inotify: {error}"),
            }
        }
    }
}

/// The cockpit, open in a terminal of its own until it is dropped.
struct Cockpit {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Cockpit {
    fn open(fixture: &Fixture) -> Self {
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
        command.env_clear();
        for (name, value) in fixture.environment() {
            command.env(name, value);
        }
        command.cwd(&fixture.repository);
        let child = pair.slave.spawn_command(command).unwrap();
        let mut output = pair.master.try_clone_reader().unwrap();
        thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Self { child, _master: pair.master }
    }
}

impl Drop for Cockpit {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One round of what an agent does; every command must succeed.
fn agent(fixture: &Fixture, dir: &Path, round: usize) {
    let git = |args: &[&str]| fixture.git_in(dir, args);
    write(dir, "src/f0.txt", format!("round {round}\n"));
    write(dir, format!("work{round}.txt"), "work\n");
    git(&["add", "-A"]);
    git(&["stash", "-q"]);
    git(&["stash", "pop", "-q", "--index"]);
    git(&["commit", "-q", "-m", &format!("round {round}")]);
    git(&["commit", "-q", "--amend", "--no-edit", "--date", "1700000100 +0000"]);
    git(&["rebase", "-q", "--force-rebase", "HEAD~1"]);
    git(&["reset", "-q", "--mixed", "HEAD"]);
    git(&["status", "--porcelain"]);
}

fn seconds() -> u64 {
    std::env::var("FOOTPRINT_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

#[test]
fn looking_touches_no_index_makes_no_lock_and_fails_no_agent() {
    const LOOKS: [&[&str]; 5] = [
        &["list", "--json"],
        &["diff", "s1"],
        &["show", "agent"],
        &["diff", "agent"],
        &["conflicts", "agent"],
    ];
    let fixture = Fixture::new();
    stale_worktrees(&fixture, 50);
    let agents = fixture.shadow("agent");
    let quiet: Vec<PathBuf> =
        admin_dirs(&fixture).into_iter().filter(|dir| !dir.ends_with("agent")).collect();
    let before = footprint(&fixture, "agent");
    let watch = Watch::new(&quiet);
    // The agent's own git locks and writes shared refs there.
    let of_main = Watch::new(&[fixture.repository.join(".git")]);
    let over = AtomicBool::new(false);
    let failed = Mutex::new(Vec::new());
    let deadline = Instant::now() + Duration::from_secs(seconds());
    let mut followed = fixture
        .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
        .args(["log", "--follow"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let rounds = thread::scope(|scope| {
        let cockpit = Cockpit::open(&fixture);
        scope.spawn(|| {
            for look in LOOKS.iter().cycle() {
                let run = fixture.program(*look);
                if run.exit_code != 0 {
                    failed.lock().unwrap().push(format!("{look:?}: {}", run.stderr));
                }
                if over.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let mut rounds = 0;
        // At least a few, however slow the machine.
        while rounds < 5 || Instant::now() < deadline {
            agent(&fixture, &agents, rounds);
            rounds += 1;
        }
        over.store(true, Ordering::Relaxed);
        drop(cockpit);
        rounds
    });
    followed.kill().unwrap();
    followed.wait().unwrap();
    assert_eq!(failed.into_inner().unwrap(), Vec::<String>::new(), "{rounds} rounds");
    assert!(footprint(&fixture, "agent") == before, "an index was written");
    assert_eq!(watch.names(), Vec::<OsString>::new(), "{rounds} rounds");
    let names = of_main.names();
    assert!(!names.iter().any(|name| name.as_bytes().starts_with(b"index")), "{names:?}");
}

#[test]
fn a_lock_that_comes_and_goes_is_noticed() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    let watch = Watch::new(&admin_dirs(&fixture));
    let lock = fixture.repository.join(".git/worktrees/one/index.lock");
    fs::write(&lock, "").unwrap();
    fs::remove_file(&lock).unwrap();
    assert!(watch.names().iter().any(|name| name == "index.lock"));
}
