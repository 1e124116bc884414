//! The program in a real terminal: a pty, and a terminal emulator that reads what it writes.
//! Every wait blocks on output until the screen shows what is waited for; one deadline ends a test.

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::support::{Fixture, write};

/// Far more than any of these takes, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

struct Pty {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    deadline: Instant,
}

impl Pty {
    fn start(fixture: &Fixture, dir: &Path, (rows, cols): (u16, u16)) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pty");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
        command.env_clear();
        for (name, value) in fixture.environment() {
            command.env(name, value);
        }
        command.env("LC_ALL", "C.UTF-8");
        command.env("COLORTERM", "truecolor");
        command.cwd(dir);
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 8192];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            keys: pair.master.take_writer().expect("a writer"),
            master: pair.master,
            output,
            screen: vt100::Parser::new(cells(rows), cells(cols), 0),
            raw: Vec::new(),
            deadline: Instant::now() + DEADLINE,
        }
    }

    fn type_bytes(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).expect("the program reads");
        self.keys.flush().expect("the program reads");
    }

    fn contents(&self) -> String {
        self.screen.screen().contents()
    }

    /// False once the program has closed the terminal.
    fn read_more(&mut self) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.raw.extend_from_slice(&bytes);
                true
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => false,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                panic!("waited in vain; the screen is:\n{}", self.contents())
            }
        }
    }

    #[track_caller]
    fn until(&mut self, what: &str) {
        while !self.contents().contains(what) {
            assert!(self.read_more(), "ended before `{what}`:\n{}", self.contents());
        }
    }

    /// Reads to the end; the exit code.
    fn end(mut self) -> (u32, Vec<u8>) {
        while self.read_more() {}
        let status = self.child.wait().expect("it has ended");
        (status.exit_code(), self.raw)
    }

    fn resize(&mut self, rows: u16, cols: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("a pty has a size");
        self.screen.screen_mut().set_size(cells(rows), cells(cols));
    }
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a screen has cells")
}

fn last(raw: &[u8], what: &str) -> Option<usize> {
    raw.windows(what.len()).rposition(|bytes| bytes == what.as_bytes())
}

/// Each mode that was set is reset after that.
#[track_caller]
fn assert_restored(raw: &[u8]) {
    for (set, reset) in [
        ("\x1b[?1049h", "\x1b[?1049l"),
        ("\x1b[?2004h", "\x1b[?2004l"),
        ("\x1b[?25l", "\x1b[?25h"),
        ("\x1b[?1000h", "\x1b[?1000l"),
    ] {
        let (set_at, reset_at) = (last(raw, set), last(raw, reset));
        assert!(
            set_at.is_some() && reset_at > set_at,
            "{set:?} at {set_at:?}, reset at {reset_at:?}"
        );
    }
}

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("swift-fox");
    write(&shadow, "new.txt", "new\n");
    fixture
}

#[test]
fn starts_shows_the_list_and_quits() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("swift-fox");
    pty.until("✓ clean");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn the_flow_of_approval_lands() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    pty.type_bytes(b"\r");
    pty.until("new.txt");
    pty.type_bytes(b"m");
    pty.until("Enter land");
    pty.type_bytes(b"\r");
    pty.until("landed swift-fox on main");
    assert_eq!(fixture.git(["show", "main:new.txt"]), "new");
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
}

/// This terminal answers no question, as one that another program has just had may not.
#[test]
fn after_a_suspension_the_whole_screen_is_drawn_again() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    let start = pty.raw.len();
    pty.type_bytes(b"\x1a");
    while last(&pty.raw[start..], "\x1b[?1049h").is_none() {
        assert!(pty.read_more(), "ended instead:\n{}", pty.contents());
    }
    pty.until("swift-fox");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn a_storm_of_resizes_ends_in_the_right_picture() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    for step in 1..60_u16 {
        pty.resize(1 + step * 7 % 40, 1 + step * 13 % 120);
    }
    pty.resize(9, 36);
    pty.until("needs 40×10, is 36×9 · q quits");
    pty.resize(1, 1);
    pty.resize(30, 110);
    pty.until("swift-fox");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn one_cell_is_enough_to_quit_in() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (1, 1));
    pty.until("…");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn sigterm_and_sighup_give_the_terminal_back() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        ends_restored(signal);
    }
}

fn ends_restored(signal: rustix::process::Signal) {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    let pid = pty.child.process_id().expect("it runs");
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw).expect("a pid");
    rustix::process::kill_process(pid, signal).expect("it runs");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn ctrl_l_draws_the_whole_screen_anew() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    let drawn = pty.raw.len();
    pty.type_bytes(b"\x0c");
    while last(&pty.raw[drawn..], "swift-fox").is_none() {
        assert!(pty.read_more(), "it goes on");
    }
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
}

/// Without a shell above it nothing stops: the terminal is given back and taken again at once.
#[test]
fn suspending_gives_the_terminal_back_and_takes_it_again() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    pty.type_bytes(b"\x1a");
    let taken = |raw: &[u8]| raw.windows(8).filter(|bytes| *bytes == b"\x1b[?1049h").count();
    while taken(&pty.raw) < 2 {
        assert!(pty.read_more(), "it went on");
    }
    let given_back = last(&pty.raw, "\x1b[?1049l");
    assert!(given_back.is_some() && given_back < last(&pty.raw, "\x1b[?1049h"));
    pty.until("✓ clean");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn pasted_keys_are_not_run() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    pty.type_bytes(b"\x1b[200~d\rm\rq\x1b[201~");
    pty.until("paste goes into text fields only");
    assert!(pty.contents().contains("✓ clean"), "{}", pty.contents());
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
    assert_eq!(fixture.git(["worktree", "list"]).lines().count(), 2, "nothing was discarded");
    assert_eq!(fixture.git(["ls-tree", "--name-only", "main"]), "README.md", "or landed");
}

#[test]
fn without_a_terminal_it_names_list() {
    let fixture = fixture();
    let run = fixture.program::<&str>([]);
    assert_eq!(run.exit_code, 4);
    assert!(run.stderr.contains("needs a terminal"), "{}", run.stderr);
    assert!(run.stderr.contains("shadowdeck list"), "{}", run.stderr);
}
