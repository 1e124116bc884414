//! What only the terminal itself can tell: its background, and how wide it draws our signs. Asked once, before
//! any key is read, with a deadline; what is not answered in time is as if never asked.

use std::{
    io::{self, Write},
    os::fd::AsFd,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::ui::theme::Ground;

/// A terminal answers in a few milliseconds; one that never answers costs this once.
const DEADLINE: Duration = Duration::from_millis(100);
/// A remote one is as far away as its line is long.
const DEADLINE_SSH: Duration = Duration::from_millis(500);
/// Answers are short; more than this is no answer.
const BYTES_MAX: usize = 4096;

/// Signs that East Asian settings widen.
const SIGNS: &str = "●○◆▌─→…";
const SIGNS_COUNT: u32 = 7;
/// The signs and where the cursor is behind them, wiped off again; the background; whether it tells keys apart
/// (kitty's protocol); and last what every terminal answers, so that nobody waits for an answer that will not come.
const QUESTIONS: [&str; 6] =
    ["\x1b[H", SIGNS, "\x1b[6n", "\r\x1b[2K\x1b]11;?\x1b\\", "\x1b[?u", "\x1b[c"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) ground: Option<Ground>,
    /// The signs take more than a cell each.
    pub(super) is_wide: bool,
    /// It can send keys in a way that tells `Tab` from `ctrl-i` and `Esc` from the start of an arrow.
    pub(super) tells_keys: bool,
}

/// In raw mode only, and before anybody else reads.
pub(super) fn ask() -> Told {
    let mut out = io::stdout().lock();
    if out.write_all(QUESTIONS.concat().as_bytes()).and_then(|()| out.flush()).is_err() {
        return Told::default();
    }
    let ssh = std::env::var_os("SSH_TTY").is_some();
    read_answers(if ssh { DEADLINE_SSH } else { DEADLINE })
}

fn read_answers(deadline: Duration) -> Told {
    let stdin = io::stdin();
    let end = Instant::now() + deadline;
    let mut heard = Vec::new();
    while !is_complete(&heard) && heard.len() < BYTES_MAX {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else { break };
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        if !matches!(poll(&mut fds, Some(&left)), Ok(1..)) {
            break;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(stdin.as_fd(), &mut bytes) {
            Ok(count @ 1..) => heard.extend_from_slice(&bytes[..count]),
            _ => break,
        }
    }
    parse(&heard)
}

/// The last question is answered: `ESC [ ? … c`.
fn is_complete(heard: &[u8]) -> bool {
    sequence(heard, b"\x1b[?", b'c').is_some()
}

fn parse(heard: &[u8]) -> Told {
    let column = sequence(heard, b"\x1b[", b'R')
        .and_then(|place| place.split(';').nth(1)?.parse::<u32>().ok());
    Told {
        ground: background(heard).map(ground_of),
        is_wide: column.is_some_and(|column| column > SIGNS_COUNT + 1),
        tells_keys: sequence(heard, b"\x1b[?", b'u').is_some(),
    }
}

/// What stands between `start` and `last`, where that is digits and semicolons only.
fn sequence<'a>(heard: &'a [u8], start: &[u8], last: u8) -> Option<&'a str> {
    let starts = heard.windows(start.len()).enumerate().filter(|(_, bytes)| *bytes == start);
    starts.map(|(at, _)| &heard[at + start.len()..]).find_map(|rest| {
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
        (rest[end] == last).then(|| str::from_utf8(&rest[..end]).ok())?
    })
}

/// `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits.
fn background(heard: &[u8]) -> Option<[f32; 3]> {
    let start = b"\x1b]11;rgb:";
    let at = heard.windows(start.len()).position(|bytes| bytes == start)? + start.len();
    let text: String = heard[at..]
        .iter()
        .map(|byte| char::from(*byte))
        .take_while(|character| character.is_ascii_hexdigit() || *character == '/')
        .collect();
    let parts: Vec<f32> = text.split('/').filter_map(share).collect();
    parts.try_into().ok()
}

fn share(digits: &str) -> Option<f32> {
    let value = u16::from_str_radix(digits, 16).ok()?;
    let most = match digits.len() {
        1 => 0xf,
        2 => 0xff,
        3 => 0xfff,
        _ => u16::MAX,
    };
    Some(f32::from(value) / f32::from(most))
}

fn ground_of([red, green, blue]: [f32; 3]) -> Ground {
    let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    if brightness > 0.5 { Ground::Light } else { Ground::Dark }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_understood_in_any_order_and_amid_keys() {
        let light = parse(b"\x1b[1;8Rj\x1b]11;rgb:ffff/fbfb/f0f0\x1b\\\x1b[?0u\x1b[?62;22c");
        let tells_keys = true;
        assert_eq!(light, Told { ground: Some(Ground::Light), is_wide: false, tells_keys });
        let dark = parse(b"\x1b[?1;2c\x1b]11;rgb:1e/1e/2e\x07\x1b[1;15R");
        assert_eq!(dark, Told { ground: Some(Ground::Dark), is_wide: true, tells_keys: false });
    }

    #[test]
    fn no_answer_is_no_answer() {
        assert_eq!(parse(b""), Told::default());
        assert_eq!(parse(b"\x1b]11;rgb:zz/1\x1b\\\x1b[AR\x1b[1;1R"), Told::default());
        assert!(!is_complete(b"\x1b[?1;2") && is_complete(b"x\x1b[?62;22c"));
    }
}
