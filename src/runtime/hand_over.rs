//! Another program gets the terminal: the user's editor, their shell, git's difftool and mergetool. Nothing of ours reads keys or
//! draws until it has ended.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Write as _},
    path::Path,
    process::{Command, ExitStatus},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{
    input,
    terminal::{give_back, take},
};
use crate::{
    git::command::Git,
    report::{Code, Doing, Report},
    review::visible::visible_str,
};

/// Whether another program has the terminal.
enum Lent {
    Never,
    Now,
    Till(Instant),
}

static LENT: Mutex<Lent> = Mutex::new(Lent::Never);
/// So late a signal may come to us that was meant for the program that had the terminal.
const LATE: Duration = Duration::from_secs(1);
/// An editor with the cursor on a line.
pub(super) fn edit_at(path: &Path, line: u32) -> Result<(), Report> {
    let (command, program) = editor_at(path, line);
    well_ended(&program, hand_over(command, &program)?)
}

/// git's own exit code tells whether the files differ, and nothing of the tool.
pub(super) fn difftool(dir: &Path, sides: [&Path; 2]) -> Result<(), Report> {
    hand_over(Git::difftool(dir, sides), "git difftool").map(drop)
}

pub(super) fn mergetool(dir: &Path, name: &OsStr) -> Result<(), Report> {
    let ended = hand_over(Git::mergetool(dir, name), "git mergetool")?;
    if ended.success() {
        return Ok(());
    }
    Err(Report::user(Code::GitFailed, format!("git mergetool ended with {ended}"))
        .safe("nothing was chosen")
        .hint("e or E edits the result here"))
}

pub(super) fn shell(dir: &Path) -> Result<(), Report> {
    let program = first_set(&["SHELL"], "sh");
    let mut command = hand_off(&program);
    command.current_dir(dir);
    // Said before its own prompt.
    let place = visible_str(&dir.to_string_lossy());
    let words = format!("shadowdeck: a shell in {place} · exit comes back to the cockpit");
    // How a shell ends is how its last command did: nothing of ours.
    hand_over_saying(&words, command, &program).map(drop)
}

fn editor_at(path: &Path, line: u32) -> (Command, String) {
    let editor = first_set(&["VISUAL", "EDITOR"], "vi");
    let mut words = words_of(&editor).into_iter();
    let program = words.next().unwrap_or_else(|| "vi".to_owned());
    let words: Vec<String> = words.collect();
    let mut command = hand_off(&program);
    command.args(&words).args(place_arguments(&program, &words, path, line));
    (command, program)
}

/// As a shell would take the words of a command apart: quotes hold blanks together, a backslash the next character.
fn words_of(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The user's editor on a file, where nothing of ours has the terminal.
pub fn edit(path: &Path) -> Result<(), Report> {
    let (mut command, program) = editor_at(path, 1);
    let ended = command.status().map_err(|error| does_not_start(&program, &error))?;
    well_ended(&program, ended)
}

/// An editor that says that it failed is believed: git does so, too.
fn well_ended(program: &str, ended: ExitStatus) -> Result<(), Report> {
    if ended.success() {
        return Ok(());
    }
    let name = Path::new(program).file_name().unwrap_or_default().display();
    Err(Report::user(Code::Io, format!("`{name}` ended with {ended}"))
        .safe("what it wrote is there")
        .hint("R takes what changed"))
}

fn does_not_start(program: &str, error: &io::Error) -> Report {
    Report::user(Code::Io, format!("`{program}` does not start"))
        .cause(error.to_string())
        .hint("VISUAL, EDITOR and SHELL name the programs that are started")
}

/// A program of the user's own, named by their environment: it gets the terminal, and nothing of ours.
#[expect(
    clippy::disallowed_methods,
    reason = "the one hand-off of the terminal; git is not started here"
)]
fn hand_off(program: &str) -> Command {
    Command::new(program)
}

fn first_set(names: &[&str], otherwise: &str) -> String {
    let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
    values.find(|value| !value.trim().is_empty()).unwrap_or_else(|| otherwise.to_owned())
}

/// How editors want to be told a line; those that come back at once are asked to wait.
fn place_arguments(program: &str, words: &[String], path: &Path, line: u32) -> Vec<OsString> {
    let name = Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or_default();
    let at_line = || {
        let mut text = path.as_os_str().to_owned();
        text.push(format!(":{line}"));
        text
    };
    let (waits, place): (&[&str], _) = match name {
        "code" | "codium" | "cursor" | "windsurf" => {
            (&["--wait", "-w"], vec!["--goto".into(), at_line()])
        }
        "zed" | "subl" => (&["--wait", "-w"], vec![at_line()]),
        "mate" => (&["--wait", "-w"], vec!["--line".into(), line.to_string().into(), path.into()]),
        "gvim" | "mvim" => (&["--nofork", "-f"], vec![format!("+{line}").into(), path.into()]),
        "hx" | "helix" => (&[], vec![at_line()]),
        _ => (&[], vec![format!("+{line}").into(), path.into()]),
    };
    let is_told = words.iter().any(|word| waits.contains(&word.as_str()));
    let wait = waits.first().filter(|_| !is_told).map(OsString::from);
    wait.into_iter().chain(place).collect()
}

/// The terminal is the other program's until it ends; nothing of ours reads keys meanwhile.
fn hand_over(command: Command, program: &str) -> Result<ExitStatus, Report> {
    hand_over_saying("", command, program)
}

fn hand_over_saying(
    words: &str,
    mut command: Command,
    program: &str,
) -> Result<ExitStatus, Report> {
    let keys = input::GATE.close();
    *LENT.lock().unwrap_or_else(PoisonError::into_inner) = Lent::Now;
    give_back();
    if !words.is_empty() {
        // A terminal that takes no line will not take the program either, and that is told.
        let _ = writeln!(io::stdout(), "{words}");
    }
    let ended = command.status();
    let taken = take().doing("set up the terminal");
    *LENT.lock().unwrap_or_else(PoisonError::into_inner) = Lent::Till(Instant::now());
    taken?;
    drop(keys);
    ended.map_err(|error| does_not_start(program, &error))
}

/// `ctrl-c` in another program is that program's; it may be heard of when that has ended already.
pub(super) fn is_lent() -> bool {
    match *LENT.lock().unwrap_or_else(PoisonError::into_inner) {
        Lent::Never => false,
        Lent::Now => true,
        Lent::Till(ended) => ended.elapsed() < LATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_told_the_line_in_their_own_way() {
        let of = |editor: &str| {
            let words = words_of(editor);
            place_arguments(&words[0], &words[1..], Path::new("/a b/c.rs"), 7)
        };
        assert_eq!(of("/usr/bin/nvim"), ["+7", "/a b/c.rs"]);
        assert_eq!(of("hx"), ["/a b/c.rs:7"]);
        assert_eq!(of("code"), ["--wait", "--goto", "/a b/c.rs:7"]);
        assert_eq!(of("code -w"), ["--goto", "/a b/c.rs:7"]);
        assert_eq!(of("'/Applications/Sub lime/subl' --wait"), ["/a b/c.rs:7"]);
        assert_eq!(of("gvim"), ["--nofork", "+7", "/a b/c.rs"]);
        assert_eq!(of("gvim -f"), ["+7", "/a b/c.rs"]);
    }

    #[test]
    fn the_words_of_a_command_are_a_shell_s() {
        let of = |text: &str| words_of(text).join("|");
        assert_eq!(of("  vim  -u NONE "), "vim|-u|NONE");
        assert_eq!(of(r#"'/opt/my editor' --a="b c" d\ e """#), "/opt/my editor|--a=b c|d e|");
        assert_eq!(of(r#""a\"b" 'c\d' "open end"#), r#"a"b|c\d|open end"#);
        assert_eq!(words_of(" "), Vec::<String>::new());
    }
}
