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

use crate::{
    conflicts_git::Watcher,
    support::{Fixture, write},
};

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
    fn start(fixture: &Fixture, dir: &Path, size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
        command.env_clear();
        command.cwd(dir);
        Self::spawn(fixture, command, size)
    }

    /// Any program in the fixture's environment.
    fn spawn(fixture: &Fixture, mut command: CommandBuilder, (rows, cols): (u16, u16)) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pty");
        for (name, value) in fixture.environment() {
            command.env(name, value);
        }
        command.env("LC_ALL", "C.UTF-8");
        command.env("COLORTERM", "truecolor");
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
                let end = String::from_utf8_lossy(&self.raw[self.raw.len().saturating_sub(200)..]);
                panic!("waited in vain; the screen is:\n{}\nafter {end:?}", self.contents())
            }
        }
    }

    #[track_caller]
    fn until(&mut self, what: &str) {
        while !self.contents().contains(what) {
            assert!(self.read_more(), "ended before `{what}`:\n{}", self.contents());
        }
    }

    #[track_caller]
    fn until_gone(&mut self, what: &str) {
        while self.contents().contains(what) {
            assert!(self.read_more(), "ended before `{what}` went:\n{}", self.contents());
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

fn times(raw: &[u8], what: &str) -> usize {
    raw.windows(what.len()).filter(|bytes| *bytes == what.as_bytes()).count()
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
        ("\x1b[?7l", "\x1b[?7h"),
    ] {
        let (set_at, reset_at) = (last(raw, set), last(raw, reset));
        assert!(
            set_at.is_some() && reset_at > set_at,
            "{set:?} at {set_at:?}, reset at {reset_at:?}"
        );
    }
    // tmux leaves lines of a screen that grew above the shell's, unless nothing is on it.
    let (drawn, erased) = (last(raw, "\x1b[?2026l"), last(raw, "\x1b[2J"));
    assert!(erased > drawn && erased < last(raw, "\x1b[?1049l"), "erased at {erased:?}");
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

/// A change of size and a key in the same moment: both are seen, each time.
#[test]
fn a_key_beside_a_change_of_size_is_never_lost() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (30, 110));
    pty.until("✓ clean");
    pty.type_bytes(b"/");
    pty.until("filter:");
    for round in 0..60_u16 {
        let typed = format!("round-{round}-");
        pty.resize(30, 110 + round % 2);
        pty.type_bytes(format!("\x15{typed}").as_bytes());
        pty.until(&typed);
    }
    pty.type_bytes(b"\x03q");
    assert_eq!(pty.end().0, 0);
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
fn a_signal_to_end_gives_the_terminal_back() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::HUP, Signal::QUIT, Signal::USR1] {
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
    // Behind half a sequence, which nothing ends, and a byte of another encoding, too.
    for before in [&b""[..], b"\x1bO", b"\x1b[", b"\x1b[2", b"\xc3"] {
        let fixture = fixture();
        let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
        pty.until("✓ clean");
        pty.type_bytes(before);
        pty.type_bytes(b"\x1b[200~d\rm\rq\x1b[201~");
        pty.until("paste goes into text fields only");
        assert!(pty.contents().contains("✓ clean"), "{}", pty.contents());
        pty.type_bytes(b"q");
        assert_eq!(pty.end().0, 0);
        assert_eq!(fixture.git(["worktree", "list"]).lines().count(), 2, "nothing was discarded");
        assert_eq!(fixture.git(["ls-tree", "--name-only", "main"]), "README.md", "or landed");
    }
}

/// In every place that can be opened; text fields take it as text, all others refuse it.
#[test]
fn pasted_keys_and_newlines_run_in_no_context() {
    const EVIL: &[u8] = b"\x1b[200~\r*d\r\rm\r\nu\rq:q\r\x1b[201~";
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (30, 110));
    pty.until("✓ clean");
    for (keys, shows) in [
        ("\r", "1 all"),
        ("\r/", "search:"),
        ("m", "Enter land"),
        ("d", "Enter discard"),
        ("L", "was done"),
        ("?", "Keys:"),
        (":", "Commands"),
        ("/", "filter:"),
        ("C", "New shadow"),
    ] {
        pty.type_bytes(keys.as_bytes());
        pty.until(shows);
        pty.type_bytes(EVIL);
        pty.type_bytes(b"\x1b");
        pty.until_gone(shows);
        if shows == "search:" {
            pty.type_bytes(b"\x1b");
            pty.until_gone("1 all");
        }
    }
    // The message of a landing is text of many lines.
    pty.type_bytes(b"m");
    pty.until("Enter land");
    pty.type_bytes(b"e");
    pty.until("ctrl-s");
    pty.type_bytes(EVIL);
    pty.until("q:q");
    pty.type_bytes(b"\x1b");
    pty.until_gone("ctrl-s");
    pty.type_bytes(b"\x1b");
    pty.until_gone("Land swift-fox");
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
    assert_eq!(fixture.git(["worktree", "list"]).lines().count(), 2, "nothing made or discarded");
    assert_eq!(fixture.git(["ls-tree", "--name-only", "main"]), "README.md", "nothing landed");
    assert_eq!(fixture.git(["branch", "--format=%(refname:short)"]).lines().count(), 2);
}

/// The pieces of an arrow that a slow line tore apart are one key. Pieces that this machine let drift further apart
/// than that say nothing, and are typed again.
#[test]
#[expect(clippy::disallowed_methods, reason = "the pause between the pieces is what is tested")]
fn an_arrow_torn_by_20_ms_is_one_key() {
    const TORN: Duration = Duration::from_millis(20);
    const ESC_WAIT: Duration = Duration::from_millis(30);
    let fixture = fixture();
    fixture.shadow("two");
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✓ clean");
    loop {
        pty.type_bytes(b"gg/\x15");
        pty.until("filter:");
        let begun = Instant::now();
        pty.type_bytes(b"\x1b");
        thread::sleep(TORN);
        pty.type_bytes(b"[C");
        let took = begun.elapsed();
        // A whole arrow does nothing in a text field; an `Esc` would close it and make the rest keys.
        pty.type_bytes(b"torn");
        if took < ESC_WAIT {
            pty.until("filter: torn");
            break;
        }
        pty.type_bytes(b"\x03\x03");
        pty = Pty::start(&fixture, &fixture.repository, (24, 80));
        pty.until("✓ clean");
    }
    pty.type_bytes(b"\x03q");
    assert_eq!(pty.end().0, 0);
}

/// A terminal that offers kitty's protocol: its answer lies ready before it is asked.
#[test]
fn keys_are_told_apart_where_the_terminal_can_and_it_is_as_it_was_behind_that() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.type_bytes(b"\x1b[?0u\x1b[?62c");
    pty.until("✓ clean");
    pty.type_bytes(b"L");
    pty.until("was done");
    // `Esc`, `ctrl-i` (which is no `Tab` here), then `ctrl-o`.
    pty.type_bytes(b"\x1b[27u");
    pty.until("✓ clean");
    pty.type_bytes(b"\x1b[122;5u");
    while times(&pty.raw, "\x1b[>1u") < 2 {
        assert!(pty.read_more(), "it went on");
    }
    pty.until("✓ clean");
    pty.type_bytes(b"\x1b[113;9u/\x1b[27u");
    pty.type_bytes(b"q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
    assert_eq!(times(&raw, "\x1b[?u"), 1, "asked once");
    assert_eq!(times(&raw, "\x1b[>1u"), times(&raw, "\x1b[<1u"), "as often given back as taken");
    assert!(
        last(&raw, "\x1b[<1u") < last(&raw, "\x1b[?1049l"),
        "on the screen that it was taken on"
    );
}

#[test]
fn a_terminal_that_offers_no_protocol_is_sent_none() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.type_bytes(b"\x1b[?62c");
    pty.until("✓ clean");
    pty.type_bytes(b"q");
    let (_, raw) = pty.end();
    assert_eq!((times(&raw, "\x1b[>1u"), times(&raw, "\x1b[<1u")), (0, 0));
}

#[test]
fn the_border_follows_the_mouse() {
    let fixture = fixture();
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 110));
    pty.until("✓ clean");
    let bar = |pty: &Pty| {
        let contents = pty.contents();
        let line = contents.lines().nth(4).unwrap_or_default().to_owned();
        line.chars().position(|character| character == '│')
    };
    let from = bar(&pty).expect("a border");
    let to = from - 15;
    // Columns of the mouse count from 1.
    let mouse = |button: u8, column: usize, end: char| {
        format!("\x1b[<{button};{};5{end}", column + 1).into_bytes()
    };
    pty.type_bytes(&mouse(0, from, 'M'));
    pty.type_bytes(&mouse(32, to + 4, 'M'));
    pty.type_bytes(&mouse(32, to, 'M'));
    pty.type_bytes(&mouse(0, to, 'm'));
    while bar(&pty) != Some(to) {
        assert!(pty.read_more(), "it goes on");
    }
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
}

/// A shell with job control: `ctrl-z` is answered by its prompt, `fg` by the whole screen.
#[test]
fn suspended_in_a_shell_and_back_by_fg() {
    let fixture = fixture();
    let mut command = CommandBuilder::new("sh");
    command.arg("-i");
    command.env_clear();
    command.env("PS1", "ready> ");
    command.cwd(&fixture.repository);
    let mut pty = Pty::spawn(&fixture, command, (24, 100));
    // What is typed before the shell reads is still the cockpit's.
    let prompts = |pty: &mut Pty, count: usize| {
        while times(&pty.raw, "ready> ") < count {
            assert!(pty.read_more(), "the shell goes on");
        }
    };
    prompts(&mut pty, 1);
    pty.type_bytes(format!("'{}'\r", env!("CARGO_BIN_EXE_shadowdeck")).as_bytes());
    pty.until("✓ clean");
    for round in 0..3 {
        pty.type_bytes(b"\x1a");
        prompts(&mut pty, 2 + round);
        let screen = pty.contents();
        assert!(!screen.contains("✓ clean"), "the shell's own screen:\n{screen}");
        pty.type_bytes(b"fg\r");
        pty.until("✓ clean");
    }
    pty.type_bytes(b"/swift");
    pty.until("filter: swift");
    pty.type_bytes(b"\x03q");
    prompts(&mut pty, 5);
    pty.type_bytes(b"exit 7\r");
    let (code, raw) = pty.end();
    assert_eq!(code, 7, "the shell reads lines again");
    assert_restored(&raw);
}

/// No test of its own: what the one below starts in a terminal. The cockpit that the command line opens is a loop
/// that fails.
#[test]
fn a_cockpit_that_panics() {
    if std::env::var_os("SHADOWDECK_TEST_PANICS").is_none() {
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hands = shadowdeck::cli::Hands {
        cockpit: &|_, _, _| shadowdeck::runtime::on_terminal(|| panic!("a fault\nof our own")),
        editor: &|_| Ok(()),
    };
    let code = shadowdeck::cli::run(Vec::new(), here, hands);
    std::process::exit(code.into());
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_read_on_it() {
    let fixture = fixture();
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "terminal::a_cockpit_that_panics", "--nocapture"]);
    command.env_clear();
    command.env("SHADOWDECK_TEST_PANICS", "1");
    let pty = Pty::spawn(&fixture, command, (24, 100));
    let (code, raw) = pty.end();
    assert_restored(&raw);
    let behind = last(&raw, "\x1b[?1049l").expect("it was restored");
    let said = String::from_utf8_lossy(&raw[behind..]);
    for part in ["the cockpit stopped unexpectedly", "a fault", "please report it"] {
        assert!(said.contains(part), "{part}:\n{said}");
    }
    assert!(said.contains("\r\n"), "lines begin at the left again");
    assert_eq!(code, 1);
}

/// Whether a style sequence names a colour: 30 to 49, 90 to 107, and all that begins so (`38;2;…`).
fn names_a_color(raw: &[u8]) -> bool {
    String::from_utf8_lossy(raw).split("\x1b[").skip(1).any(|rest| {
        let Some((numbers, _)) = rest.split_once('m') else { return false };
        // 39 and 49 are the terminal's own.
        let is_color = |number: &u32| matches!(number, 30..=38 | 40..=48 | 90..=97 | 100..=107);
        let numbers: Result<Vec<u32>, _> = numbers.split(';').map(str::parse).collect();
        numbers.is_ok_and(|numbers| numbers.iter().any(is_color))
    })
}

#[test]
fn with_no_color_no_color_is_written_and_signs_say_all() {
    let fixture = fixture();
    let drawn = |no_color: &str| {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
        command.env_clear();
        command.cwd(&fixture.repository);
        command.env("NO_COLOR", no_color);
        let mut pty = Pty::spawn(&fixture, command, (24, 80));
        pty.until("✓ clean");
        pty.type_bytes(b"\r");
        pty.until("hunk 1 of 1");
        pty.until("1 + new");
        pty.type_bytes(b"qq");
        let (code, raw) = pty.end();
        assert_eq!(code, 0);
        raw
    };
    assert!(!names_a_color(&drawn("1")));
    assert!(names_a_color(&drawn("")), "an empty one says nothing");
}

#[test]
fn without_a_terminal_it_names_list() {
    let fixture = fixture();
    let run = fixture.program::<&str>([]);
    assert_eq!(run.exit_code, 4);
    assert!(run.stderr.contains("needs a terminal"), "{}", run.stderr);
    assert!(run.stderr.contains("shadowdeck list"), "{}", run.stderr);
}

/// On the first line of the first file of the first shadow.
fn in_review(fixture: &Fixture, visual: &str) -> Pty {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
    command.env_clear();
    command.cwd(&fixture.repository);
    command.env("VISUAL", visual);
    command.env("EDITOR", "false");
    let mut pty = Pty::spawn(fixture, command, (24, 80));
    pty.until("✓ clean");
    pty.type_bytes(b"\r");
    pty.until("hunk 1 of 1");
    pty
}

#[test]
fn a_link_out_of_the_shadow_is_not_edited() {
    let fixture = Fixture::new();
    let outside = fixture.root().join("outside");
    std::fs::write(&outside, "mine\n").expect("it can be written");
    let link = fixture.shadow("swift-fox").join("new.txt");
    std::os::unix::fs::symlink(&outside, &link).expect("it can be made");
    let mut pty = in_review(&fixture, "sed -i s/mine/theirs/");
    pty.type_bytes(b"e");
    pty.until("goes through a link that leaves the shadow");
    assert_eq!(std::fs::read_to_string(&outside).expect("it is there"), "mine\n");
}

#[test]
fn an_editor_has_the_terminal_and_what_it_changed_is_counted() {
    let fixture = fixture();
    let editor = fixture.root().join("my editor");
    let told = fixture.root().join("told");
    // It is told to fail by what is typed.
    let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" > 'TOLD'\necho >> 'TOLD.count'; echo EDITING $(wc -l < 'TOLD.count')\nread how\n\
                case $how in edit) echo more >> \"$3\" ;; fail) exit 3 ;; esac\n";
    crate::support::script(&editor, text.replace("TOLD", told.to_str().expect("a path")));
    let mut pty = in_review(&fixture, &format!("'{}' --flag", editor.display()));
    pty.type_bytes(b"e");
    pty.until("EDITING 1");
    assert_restored(&pty.raw);
    pty.resize(30, 100);
    pty.type_bytes(b"edit\r");
    pty.until("you changed 1 file · R");
    let words = std::fs::read_to_string(&told).expect("it was told");
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(words[..2], ["--flag", "+1"]);
    assert!(words[2].ends_with("new.txt"), "{words:?}");
    let footer = pty.screen.screen().rows(0, 100).nth(29).expect("30 rows");
    assert!(footer.contains("all keys"), "it is drawn as large as it is now: {footer}");
    pty.type_bytes(b"R");
    pty.until("1 file changed since the page before");
    pty.type_bytes(b"e");
    pty.until("EDITING 2");
    pty.type_bytes(b"fail\r");
    pty.until("ended with exit status: 3");
    pty.type_bytes(b"e");
    pty.until("EDITING 3");
    pty.type_bytes(b"\r");
    pty.until("back from the editor: nothing changed");
    pty.type_bytes(b"e");
    pty.until("EDITING 4");
    // `ctrl-c` there ends the editor alone.
    pty.type_bytes(b"\x03");
    pty.until("my editor` ended with signal");
    pty.type_bytes(b"qq");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert_restored(&raw);
}

#[test]
fn the_user_s_own_difftool_is_handed_both_sides_and_the_repository_s_never_runs() {
    let fixture = fixture();
    let ran = fixture.root().join("ran");
    let evil = format!("echo evil >> '{}'", ran.display());
    for (key, value) in [
        ("diff.tool", "evil"),
        ("difftool.evil.cmd", &evil),
        ("difftool.mine.cmd", &evil),
        ("diff.external", &evil),
        ("core.pager", &evil),
        ("core.editor", &evil),
    ] {
        fixture.git(["config", key, value]);
    }
    let mut pty = in_review(&fixture, "true");
    pty.type_bytes(b"D");
    pty.until("only the repository sets a difftool");
    let seen = fixture.root().join("seen");
    let own = format!(
        "ls -l \"$LOCAL\" > '{0}'; cat \"$LOCAL\" \"$REMOTE\" >> '{0}'; echo edited >> \"$REMOTE\"; \
         echo COMPARING; read x",
        seen.display()
    );
    let global = fixture.root().join("gitconfig");
    let global = global.to_str().expect("a path");
    fixture.git(["config", "--file", global, "diff.tool", "mine"]);
    fixture.git(["config", "--file", global, "difftool.mine.cmd", &own]);
    pty.type_bytes(b"D");
    pty.until("COMPARING");
    assert_restored(&pty.raw);
    pty.type_bytes(b"\r");
    pty.until("you changed 1 file · R");
    let seen = std::fs::read_to_string(&seen).expect("it ran");
    assert!(seen.starts_with("-r--------") && seen.ends_with("\nnew\n"), "{seen}");
    assert!(!ran.exists(), "{:?}", std::fs::read_to_string(&ran));
    let left = std::fs::read_dir(fixture.root().join("home")).expect("a directory");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("shadowdeck-")), "{left:?}");
    pty.type_bytes(b"qq");
    assert_eq!(pty.end().0, 0);
}

/// It gets git's three files of the conflict, no repository of anybody's, and what it leaves is a choice like any other.
#[test]
fn the_user_s_own_mergetool_settles_a_file_and_the_repository_s_never_runs() {
    let fixture = Fixture::new();
    fixture.write(".gitattributes", "base\n");
    fixture.commit("base");
    let shadow = fixture.shadow("calm-pine");
    write(&shadow, ".gitattributes", "agent\n");
    fixture.write(".gitattributes", "main\n");
    fixture.commit("main moves");
    let ran = fixture.root().join("ran");
    let evil = format!("echo evil >> '{}'; false", ran.display());
    for key in ["merge.tool", "mergetool.evil.cmd", "mergetool.mine.cmd"] {
        fixture.git(["config", key, if key == "merge.tool" { "evil" } else { &evil }]);
    }
    let mut pty = Pty::start(&fixture, &fixture.repository, (24, 80));
    pty.until("✗ 1 file");
    pty.type_bytes(b"x");
    pty.until("result: not chosen");
    pty.type_bytes(b"D");
    pty.until("no mergetool of your own is set");
    let seen = fixture.root().join("seen");
    let tool = fixture.root().join("tool");
    let text = "#!/bin/sh\ncat \"$1\" \"$2\" \"$3\" \"$4\" > SEEN\ngit rev-parse --show-toplevel >> SEEN\n\
                echo run >> SEEN.runs\necho RUN $(wc -l < SEEN.runs) MERGING $(wc -l < \"$4\")\nread how\n\
                case $how in end) exit 3 ;; mark) echo '<<<<<<< own' > \"$4\" ;; *) echo merged > \"$4\" ;; esac\n";
    crate::support::script(&tool, text.replace("SEEN", seen.to_str().expect("a path")));
    let global = fixture.root().join("gitconfig");
    let global = global.to_str().expect("a path");
    let own = format!("'{}' \"$BASE\" \"$LOCAL\" \"$REMOTE\" \"$MERGED\"", tool.display());
    for (key, value) in [
        ("merge.tool", "mine"),
        ("mergetool.mine.cmd", &own),
        ("mergetool.mine.trustExitCode", "true"),
        ("core.autocrlf", "true"),
    ] {
        fixture.git(["config", "--file", global, key, value]);
    }
    pty.type_bytes(b"D");
    pty.until("RUN 1 MERGING 7");
    assert_restored(&pty.raw);
    pty.type_bytes(b"end\r");
    pty.until("git mergetool ended with");
    let given = std::fs::read_to_string(&seen).expect("it ran");
    let marked = "<<<<<<< main\nmain\n||||||| base\nbase\n=======\nagent\n>>>>>>> calm-pine\n";
    assert!(given.starts_with(&format!("base\nmain\nagent\n{marked}")), "{given}");
    assert!(!given.contains(fixture.repository.to_str().expect("a path")), "{given}");
    pty.type_bytes(b"D");
    pty.until("RUN 2 MERGING 7");
    pty.type_bytes(b"mark\r");
    pty.until("line 1 is a conflict marker");
    pty.type_bytes(b"D");
    pty.until("RUN 3 MERGING 1");
    pty.type_bytes(b"\r");
    pty.until("m lands with these choices");
    pty.type_bytes(b"m");
    pty.until("Enter land");
    pty.type_bytes(b"\r");
    pty.until("landed calm-pine on main");
    assert_eq!(fixture.git(["show", "main:.gitattributes"]), "merged");
    assert!(!ran.exists(), "{:?}", std::fs::read_to_string(&ran));
    let left = std::fs::read_dir(fixture.root().join("home")).expect("a directory");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("shadowdeck-")), "{left:?}");
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
}

/// Types each of these keys when the one before shows what it came to; what is written is looked at all the while.
fn type_watched(
    fixture: &Fixture,
    shadow: std::path::PathBuf,
    size: (u16, u16),
    steps: &[(&[u8], &str)],
) {
    let mut pty = Pty::start(fixture, &fixture.repository, size);
    pty.until("✗ 3 files");
    let watcher = Watcher::start(fixture, vec![fixture.repository.clone(), shadow]);
    for (keys, shows) in steps {
        pty.type_bytes(keys);
        pty.until(shows);
    }
    watcher.end();
    pty.type_bytes(b"q");
    assert_eq!(pty.end().0, 0);
}

/// Three files of one conflict each, from the first screen: six keys, and at no instant a merge in any checkout.
#[test]
fn three_conflicts_are_settled_and_landed_in_six_keys() {
    let fixture = Fixture::new();
    let files = ["a.txt", "b.txt", "c.txt"];
    for name in files {
        fixture.write(name, "base\n");
    }
    fixture.commit("base");
    let shadow = fixture.shadow("calm-pine");
    for name in files {
        write(&shadow, name, "agent\n");
        fixture.write(name, "main\n");
    }
    fixture.commit("main moves");
    let steps: [(&[u8], &str); 7] = [
        (b"x", "3 choices to make"),
        (b"A", "a.txt: calm-pine's"),
        (b"T", "b.txt: main's"),
        (b"a", "m lands with these choices"),
        (b"m", "Land calm-pine on main"),
        (b"", "Enter land"),
        (b"\r", "landed calm-pine on main"),
    ];
    assert_eq!(steps.iter().map(|(keys, _)| keys.len()).sum::<usize>(), 6);
    type_watched(&fixture, shadow, (40, 120), &steps);
    let landed = files.map(|name| fixture.git(["show", &format!("main:{name}")]));
    assert_eq!(landed, ["agent", "main", "agent"]);
}

/// Three files, five conflicts, from the first screen: nine keys. One conflict each would be six.
#[test]
fn three_conflict_files_are_settled_and_landed_in_nine_keys() {
    let fixture = Fixture::new();
    let lines = |who: &str, places: &[u32]| -> String {
        let line = |number: u32| {
            let who = if places.contains(&number) { who } else { "" };
            format!("{number}{who}\n")
        };
        (1..=30).map(line).collect()
    };
    let files: [(&str, &[u32]); 3] = [("a.txt", &[5, 15]), ("b.txt", &[5, 15]), ("c.txt", &[5])];
    for (name, _) in files {
        fixture.write(name, lines("", &[]));
    }
    fixture.commit("base");
    let shadow = fixture.shadow("calm-pine");
    for (name, places) in files {
        write(&shadow, name, lines(" agent", places));
        fixture.write(name, lines(" main", places));
    }
    fixture.commit("main moves");
    let steps: [(&[u8], &str); 10] = [
        (b"x", "conflict 1 of 2"),
        (b"a", "1 of 2: calm-pine's"),
        (b"t", "2 of 2: main's"),
        (b"b", "b.txt: 1 of 2: both"),
        (b" ", "b.txt   conflict 2 of 2"),
        (b"0", "b.txt: 2 of 2: as it was before both"),
        (b"t", "m lands with these choices"),
        (b"m", "Land calm-pine on main"),
        (b"", "Enter land"),
        (b"\r", "landed calm-pine on main"),
    ];
    assert_eq!(steps.iter().map(|(keys, _)| keys.len()).sum::<usize>(), 9);
    type_watched(&fixture, shadow, (40, 120), &steps);
    let landed = |name: &str| fixture.git(["show", &format!("main:{name}")]);
    assert!(landed("a.txt").contains("\n5 agent\n") && landed("a.txt").contains("\n15 main\n"));
    assert!(landed("b.txt").contains("\n5 main\n5 agent\n") && landed("b.txt").contains("\n15\n"));
    assert_eq!(landed("c.txt") + "\n", lines(" main", &[5]));
}

/// What a script passes on may be named by an agent: on the command line, and where a path is told.
#[test]
fn no_argument_and_no_path_drives_the_terminal_that_it_is_told_on() {
    let fixture = Fixture::new();
    let evil = "a\u{1b}]0;evil\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{200b}\u{3164}\u{e0041}";
    let shadow = fixture.root().join(evil.replace('/', ""));
    let place = shadow.to_str().expect("it is UTF-8");
    fixture.git(["worktree", "add", "-q", "-b", "wt/one", place]);
    let list = fixture.program(["list", "--json"]).json();
    let id = list["worktrees"][0]["id"].as_str().expect("an id").to_owned();
    let told = |args: &[&str]| {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_shadowdeck"));
        command.env_clear();
        command.cwd(&fixture.repository);
        command.args(args);
        let (_, raw) = Pty::spawn(&fixture, command, (40, 200)).end();
        let text = String::from_utf8(raw).expect("it is UTF-8").replace("\r\n", "\n");
        let is_strange = |sign: char| sign != '\n' && shadowdeck::review::visible::is_hidden(sign);
        assert!(!text.contains(is_strange), "{args:?}: {text:?}");
        text
    };
    let shown = "a␛]0;evil␇␛[2J<9B>31m<U+202E><U+200B><U+3164><U+E0041>";
    assert!(told(&["path", &id]).contains(shown), "{}", told(&["path", &id]));
    for args in [&["path", &id, evil][..], &["list", "-C", evil], &["show", evil]] {
        told(args);
    }
    for args in [&[evil][..], &["help", evil], &["land", &id, "--strategy", evil]] {
        assert!(told(args).contains("<9B>31m<U+202E>"), "{args:?}");
    }
    // A script gets the path as it is.
    let path = fixture.program(["path", &id]);
    assert_eq!(path.text().trim_end(), place);
}
