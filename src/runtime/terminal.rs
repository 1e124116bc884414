//! The terminal: its modes are taken and given back here and nowhere else.
//! Given back on leaving, on a panic of the loop, on suspending; twice does no harm.

use std::{
    ffi::OsStr,
    io::{self, IsTerminal, Write},
    panic,
    path::Path,
    sync::{
        Arc, Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ThreadId},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use crossterm::{
    cursor::{Hide, Show},
    event::{
        DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
        KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
    },
    execute,
    terminal::{
        Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen,
        LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
    },
};
use ratatui::Terminal;

use super::{
    bug,
    canvas::Canvas,
    hand_over, probe,
    turn::{Frames, Shell},
};
use crate::{
    git::command::hold_starts,
    report::{Code, Doing, Report},
    review::visible::without_controls,
    ui::{
        glyphs::Glyphs,
        theme::{Depth, Ground, Palette, Theme, Vision},
    },
};

/// A terminal that knows these shows what lies between them at once; others ignore them.
const BEGIN_FRAME: &[u8] = b"\x1b[?2026h";
const END_FRAME: &[u8] = b"\x1b[?2026l";
/// Terminals drop longer clipboard texts.
const COPY_BYTES_MAX: usize = 64 * 1024;

static TAKEN: AtomicBool = AtomicBool::new(false);
/// The terminal tells keys apart that others send as the same bytes: it said so when it was asked.
static TELLS_KEYS: AtomicBool = AtomicBool::new(false);
static PANICKED: Mutex<Option<String>> = Mutex::new(None);

/// Without a terminal there is nothing to draw on.
pub(super) fn require() -> Result<(), Report> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Report::user(Code::NeedsTerminal, "the cockpit needs a terminal")
        .hint("`shadowdeck list` prints the shadows, `shadowdeck list --json` for programs"))
}

pub(super) type Screen = Terminal<Canvas<FrameWriter>>;

pub(super) fn screen(frames: Arc<Frames>) -> Result<Screen, Report> {
    Terminal::new(Canvas::new(FrameWriter { bytes: Vec::new(), frames }))
        .doing("ask the terminal for its size")
}

/// A frame goes out whole, in one write. Says that it is shown in the instant in which its bytes go out, so that a
/// key pressed by who sees it never counts as pressed before.
pub(super) struct FrameWriter {
    bytes: Vec<u8>,
    frames: Arc<Frames>,
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(BEGIN_FRAME);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frames.is_partial() || self.bytes.is_empty() {
            return Ok(());
        }
        self.bytes.extend_from_slice(END_FRAME);
        self.frames.show();
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.bytes).and_then(|()| out.flush());
        self.bytes.clear();
        written
    }
}

/// The terminal is the cockpit's while this lives.
pub(super) struct Session(());

impl Session {
    pub(super) fn start() -> Result<Self, Report> {
        install_hook(thread::current().id());
        take().doing("set up the terminal")?;
        Ok(Self(()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        give_back();
    }
}

pub(super) fn take() -> io::Result<()> {
    if TAKEN.swap(true, Ordering::SeqCst) {
        // Someone else may have had it meanwhile: what was set is not relied upon, and nothing is set twice.
        pop_keys();
        set_raw_again()?;
    }
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        DisableLineWrap,
        EnableBracketedPaste,
        EnableMouseCapture,
        Hide
    )?;
    push_keys()
}

/// Never by way of the shell's mode: a `ctrl-z` in that instant would stop the program with its screen still there.
fn set_raw_again() -> io::Result<()> {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let terminal = io::stdin();
    let mut modes = tcgetattr(&terminal)?;
    modes.make_raw();
    Ok(tcsetattr(&terminal, OptionalActions::Now, &modes)?)
}

/// On the alternate screen, which has a stack of its own: whatever happens, the shell's keys are as they were.
fn push_keys() -> io::Result<()> {
    if !TELLS_KEYS.load(Ordering::SeqCst) {
        return Ok(());
    }
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
    execute!(io::stdout(), PushKeyboardEnhancementFlags(flags))
}

/// A terminal that takes no bytes is found out by the next frame.
fn pop_keys() {
    if TELLS_KEYS.load(Ordering::SeqCst) {
        let _ = execute!(io::stdout(), PopKeyboardEnhancementFlags);
    }
}

/// Whether an `Esc` is a key and nothing else.
pub(super) fn tells_keys() -> bool {
    TELLS_KEYS.load(Ordering::SeqCst)
}

/// Nothing more can be done about a terminal that takes no bytes.
pub(super) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        pop_keys();
        let _ = execute!(
            io::stdout(),
            DisableMouseCapture,
            DisableBracketedPaste,
            EnableLineWrap,
            // Of a screen that grew meanwhile tmux would leave lines above the shell's.
            Clear(ClearType::All),
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
    }
}

/// A panic of the loop gives the terminal back; a worker's becomes an answer on the screen, so
/// neither may print over it.
fn install_hook(loop_thread: ThreadId) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == loop_thread {
                give_back();
            }
            let mut last = PANICKED.lock().unwrap_or_else(PoisonError::into_inner);
            *last = Some(info.to_string());
        }));
    });
}

/// What the last panic said.
pub(super) fn panic_report() -> Report {
    let said = PANICKED.lock().unwrap_or_else(PoisonError::into_inner).take();
    bug("the cockpit stopped unexpectedly".to_owned()).cause(said.unwrap_or_default())
}

pub(super) struct RealShell;

impl Shell for RealShell {
    /// OSC 52: base64 alone, so nothing in the text can act on the terminal, nor on the one where it is pasted.
    fn copy(&mut self, text: &str) {
        let text = without_controls(text);
        let bytes = text.as_bytes();
        let coded = STANDARD.encode(&bytes[..bytes.len().min(COPY_BYTES_MAX)]);
        let mut out = io::stdout().lock();
        // A terminal that takes no bytes is found out by the next frame.
        let _ = write!(out, "\x1b]52;c;{coded}\x07").and_then(|()| out.flush());
    }

    fn suspend(&mut self) -> Result<(), Report> {
        let held = hold_starts();
        give_back();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)
            .map_err(io::Error::from)
            .doing("suspend")?;
        drop(held);
        self.resume()
    }

    fn resume(&mut self) -> Result<(), Report> {
        take().doing("set up the terminal")
    }

    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Report> {
        hand_over::edit_at(path, line)
    }

    fn difftool(&mut self, dir: &Path, sides: [&Path; 2]) -> Result<(), Report> {
        hand_over::difftool(dir, sides)
    }

    fn mergetool(&mut self, dir: &Path, name: &OsStr) -> Result<(), Report> {
        hand_over::mergetool(dir, name)
    }

    fn shell(&mut self, dir: &Path) -> Result<(), Report> {
        hand_over::shell(dir)
    }
}

/// What the terminal itself answers, asked once; from here on it tells keys apart where it can.
pub(super) fn ask() -> Result<probe::Told, Report> {
    if env("TERM") == "dumb" {
        return Ok(probe::Told::default());
    }
    let told = probe::ask();
    TELLS_KEYS.store(told.tells_keys, Ordering::SeqCst);
    push_keys().doing("set up the terminal")?;
    Ok(told)
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// By what the terminal answers, what the environment says of it, and the user's setting.
pub(super) fn theme(name: &str, told: probe::Told) -> Theme {
    let of = env;
    let palette = palette(name, || told.ground.unwrap_or_else(|| ground_of(&of("COLORFGBG"))));
    let depth = depth_of(&of("NO_COLOR"), &of("COLORTERM"), &of("TERM"));
    let locale = glyphs_of(&of("LC_ALL"), &of("LC_CTYPE"), &of("LANG"));
    Theme::new(&palette, depth, if told.is_wide { &Glyphs::ASCII } else { locale })
}

/// The settings hold no other name.
fn palette(name: &str, asked: impl Fn() -> Ground) -> Palette {
    let (vision, ground) = match name {
        "dark" => (Vision::Usual, Ground::Dark),
        "light" => (Vision::Usual, Ground::Light),
        "colour-blind" => (Vision::ColourBlind, asked()),
        "colour-blind-dark" => (Vision::ColourBlind, Ground::Dark),
        "colour-blind-light" => (Vision::ColourBlind, Ground::Light),
        _ => (Vision::Usual, asked()),
    };
    Palette::made_for(vision, ground)
}

/// `15;0`: the last number is the background.
fn ground_of(colorfgbg: &str) -> Ground {
    let background = colorfgbg.rsplit(';').next().and_then(|text| text.parse::<u8>().ok());
    match background {
        Some(7 | 9..=15) => Ground::Light,
        _ => Ground::Dark,
    }
}

fn depth_of(no_color: &str, colorterm: &str, term: &str) -> Depth {
    if !no_color.is_empty() || term == "dumb" {
        Depth::None
    } else if matches!(colorterm, "truecolor" | "24bit") {
        Depth::True
    } else if term.contains("256color") {
        Depth::Indexed
    } else {
        Depth::Sixteen
    }
}

/// The first that is set decides, as in every program.
fn glyphs_of(lc_all: &str, lc_ctype: &str, lang: &str) -> &'static Glyphs {
    let locale = [lc_all, lc_ctype, lang].into_iter().find(|value| !value.is_empty());
    let is_ascii = matches!(locale, Some("C" | "POSIX"));
    if is_ascii { &Glyphs::ASCII } else { &Glyphs::UNICODE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_the_theme() {
        assert_eq!(depth_of("1", "truecolor", "xterm-256color"), Depth::None);
        assert_eq!(depth_of("", "truecolor", "xterm"), Depth::True);
        assert_eq!(depth_of("", "", "screen-256color"), Depth::Indexed);
        assert_eq!(depth_of("", "", "xterm"), Depth::Sixteen);
        assert_eq!(ground_of("0;15"), Ground::Light);
        assert_eq!(ground_of("15;0"), Ground::Dark);
        assert_eq!(ground_of(""), Ground::Dark);
        let asked = || Ground::Light;
        for (name, expected) in [
            ("auto", (Vision::Usual, Ground::Light)),
            ("dark", (Vision::Usual, Ground::Dark)),
            ("light", (Vision::Usual, Ground::Light)),
            ("colour-blind", (Vision::ColourBlind, Ground::Light)),
            ("colour-blind-dark", (Vision::ColourBlind, Ground::Dark)),
            ("colour-blind-light", (Vision::ColourBlind, Ground::Light)),
        ] {
            assert!(crate::config::THEMES.contains(&name));
            assert_eq!(palette(name, asked), Palette::made_for(expected.0, expected.1), "{name}");
        }
        assert_eq!(glyphs_of("", "", "de_DE.UTF-8"), &Glyphs::UNICODE);
        assert_eq!(glyphs_of("C", "", "de_DE.UTF-8"), &Glyphs::ASCII);
    }
}
