//! One program in a pseudo terminal of 160×48: what is typed into it, what its screen holds, and when.
//! Output is stamped by the thread that reads it; what the screen makes of it is worked out afterwards.

use std::{
    fs,
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const ROWS: NonZero<u16> = NonZero::new(48).expect("it is not zero");
const COLUMNS: NonZero<u16> = NonZero::new(160).expect("it is not zero");
/// Nothing more comes when nothing came for so long.
pub(crate) const SILENCE: Duration = Duration::from_millis(250);
/// The same between two keys of a person.
pub(crate) const PAUSE: Duration = Duration::from_millis(30);
/// A key that changes nothing is waited for so long, and after some of them no more are pressed.
const KEY_LIMIT: Duration = Duration::from_secs(2);
const IDLE_KEYS_MAX: usize = 3;

type Keys = Arc<Mutex<Box<dyn Write + Send>>>;

pub(crate) struct Running {
    pieces: Receiver<(Instant, Vec<u8>)>,
    keys: Keys,
    child: Box<dyn Child + Send + Sync>,
    screen: vt100::Parser,
    pub(crate) started: Instant,
    /// Closed last: the program would be told that its terminal is gone.
    _master: Box<dyn MasterPty + Send>,
}

impl Running {
    /// `words` as a shell reads them, so that a pipe is a pipe.
    pub(crate) fn start(words: &str, dir: &Path, home: &Path) -> Self {
        let size =
            PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo terminal");
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", words]);
        command.cwd(dir);
        command.env("HOME", home);
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("COLORTERM", "truecolor"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("LESS", ""),
        ] {
            command.env(name, value);
        }
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let keys: Keys = Arc::new(Mutex::new(writer));
        let (sender, pieces) = mpsc::channel();
        let answers = Arc::clone(&keys);
        thread::spawn(move || {
            let mut piece = vec![0; 64 * 1024];
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                answer(&piece[..count], &answers);
                if sender.send((Instant::now(), piece[..count].to_vec())).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("it starts");
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        Self { pieces, keys, child, screen, started, _master: pair.master }
    }

    pub(crate) fn press(&self, keys: &str) -> Instant {
        let now = Instant::now();
        type_in(&self.keys, keys.as_bytes());
        now
    }

    /// The next piece of output, put on the screen.
    fn take(&mut self, limit: Duration) -> Option<Instant> {
        let (at, piece) = self.pieces.recv_timeout(limit).ok()?;
        self.screen.process(&piece);
        Some(at)
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// When all parts of `text`, between bars, were first on the screen. `None` where they did not come.
    pub(crate) fn wait_for(&mut self, text: &str, limit: Duration) -> Option<Instant> {
        let end = Instant::now() + limit;
        let mut last = Instant::now();
        while !self.shows(text) {
            last = self.take(end.saturating_duration_since(Instant::now()))?;
        }
        Some(last)
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        let shown = self.text();
        text.split('|').all(|part| shown.contains(part))
    }

    /// When the screen last changed before it fell silent.
    pub(crate) fn settle(&mut self, silence: Duration) -> Option<Instant> {
        let mut last = None;
        let mut before = self.text();
        while let Some(at) = self.take(silence) {
            let now = self.text();
            if now != before {
                (before, last) = (now, Some(at));
            }
        }
        last
    }

    pub(crate) fn come_to_rest(&mut self) {
        self.settle(SILENCE);
    }

    /// Presses `key` again and again, each time when nothing moves; from each press till its change is there whole.
    pub(crate) fn paced(&mut self, key: &str, count: usize, pause: Duration) -> Vec<Duration> {
        let mut times = Vec::with_capacity(count);
        for pressed in 0..count {
            if pressed > times.len() + IDLE_KEYS_MAX {
                break;
            }
            let before = self.text();
            let pressed = self.press(key);
            let end = pressed + KEY_LIMIT;
            while let Some(at) = self.take(end.saturating_duration_since(Instant::now())) {
                if self.text() != before {
                    times.push(self.settle(pause).unwrap_or(at) - pressed);
                    break;
                }
            }
        }
        times
    }

    /// All at once; till the screen has caught up.
    pub(crate) fn burst(&mut self, key: &str, count: usize) -> Option<Duration> {
        let pressed = self.press(&key.repeat(count));
        self.settle(SILENCE).map(|last| last - pressed)
    }

    /// In MB, of the program and all that it has running.
    pub(crate) fn peak_memory(&self) -> f64 {
        let mut left: Vec<u32> = self.child.process_id().into_iter().collect();
        let mut sum = 0.0;
        while let Some(id) = left.pop() {
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kb = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<f64>().ok());
            sum += kb.unwrap_or(0.0) / 1024.0;
            let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
            left.extend(
                children
                    .unwrap_or_default()
                    .split_whitespace()
                    .filter_map(|id| id.parse::<u32>().ok()),
            );
        }
        sum
    }

    /// Out by its own keys, else by force; its end is waited for.
    pub(crate) fn end(mut self) {
        self.press("q");
        for _ in 0..40 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            self.take(PAUSE);
            self.press("q");
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a terminal answers when it is asked who it is, how bright, and where its cursor is.
fn answer(piece: &[u8], keys: &Keys) {
    let asked = |question: &[u8]| piece.windows(question.len()).any(|window| window == question);
    for (question, answer) in [
        (&b"\x1b]10;?"[..], &b"\x1b]10;rgb:dddd/dddd/dddd\x1b\\"[..]),
        (b"\x1b]11;?", b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"),
        (b"\x1b[6n", b"\x1b[1;1R"),
        (b"\x1b[?u", b"\x1b[?0u"),
        (b"\x1b[c", b"\x1b[?62;22c"),
    ] {
        if asked(question) {
            type_in(keys, answer);
        }
    }
}

/// A program that has ended reads nothing any more.
fn type_in(keys: &Keys, bytes: &[u8]) {
    let mut keys = keys.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = keys.write_all(bytes);
    let _ = keys.flush();
}
