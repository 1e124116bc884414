//! What is measured: for each program, how it is started and what is typed into it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    PROGRAM,
    fixture::{Shadows, large},
    patch,
    pty::{PAUSE, SILENCE},
};

pub(crate) const OURS: &str = "shadowdeck";
pub(crate) const AT_ONCE: &str = "shadowdeck from its start";

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The shadow that the others look at.
    pub(crate) dir: PathBuf,
    pub(crate) contenders: Vec<Contender>,
}

pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// What must be there for it; nothing where it always is.
    pub(crate) program: String,
    pub(crate) words: String,
    pub(crate) steps: Vec<Step>,
}

pub(crate) enum Step {
    /// From the start of the program to this text.
    Ready {
        name: &'static str,
        text: String,
    },
    /// Until nothing moves.
    Rest,
    Keys(String),
    /// From these keys to this text; all that stand between bars must be there.
    Until {
        name: &'static str,
        keys: String,
        text: String,
    },
    /// One key after the other, each when nothing moved for `pause`: the middle and the slowest.
    Paced {
        names: [&'static str; 2],
        key: &'static str,
        count: usize,
        pause: Duration,
    },
    /// All at once, until the screen has caught up.
    Burst {
        name: &'static str,
        key: &'static str,
        count: usize,
    },
}

/// Keys that move in a diff.
#[derive(Clone, Copy)]
struct Keys {
    down: &'static str,
    right: &'static str,
    page: &'static str,
    end: &'static str,
}

const OUR_KEYS: Keys = Keys { down: "j", right: "l", page: "\x06", end: "G" };
const LESS_KEYS: Keys = Keys { down: "j", right: "\x1b[C", page: " ", end: "G" };
const ARROWS: Keys = Keys { down: "\x1b[B", right: "\x1b[C", page: "\x1b[6~", end: "\x1b[F" };

/// A program for reading a diff that shows it as soon as it starts.
struct Reader {
    name: &'static str,
    program: &'static str,
    words: &'static str,
    keys: Keys,
}

const READERS: [Reader; 4] = [
    Reader {
        name: "git diff, less",
        program: "less",
        words: "git -c core.pager='less -R' diff --color=always",
        keys: LESS_KEYS,
    },
    Reader {
        name: "delta",
        program: "delta",
        words: "git diff | delta --paging=always",
        keys: LESS_KEYS,
    },
    Reader {
        name: "tig",
        program: "tig",
        words: "git diff | tig",
        keys: Keys { end: "\x1bOF", ..LESS_KEYS },
    },
    Reader {
        name: "tuicr",
        program: "tuicr",
        words: "exec tuicr --working-tree --no-update-check",
        keys: OUR_KEYS,
    },
];

/// What is the same for all programs in one scenario.
struct Diff<'a> {
    name: &'static str,
    shadow: usize,
    /// On the first screen of the diff, and on its last.
    first: &'a str,
    last: Option<&'a str>,
    /// Rows that there are at least to move over.
    lines: usize,
    /// Keys that open what is folded.
    unfold: &'static str,
    /// Rows of a tree above the first file.
    dirs: usize,
}

pub(crate) fn scenarios(shadows: &Shadows, dir: &Path) -> Vec<Scenario> {
    let lines = |name, shadow, first, last| Diff {
        name,
        shadow,
        first,
        last: Some(last),
        lines: 10_000,
        unfold: "\r",
        dirs: 1,
    };
    let line = |name, shadow| Diff {
        name,
        shadow,
        first: "function f0(a,b)",
        last: None,
        lines: 0,
        unfold: "\r",
        dirs: 1,
    };
    let files = |name, shadow| Diff {
        name,
        shadow,
        first: "rewritten_f0()",
        last: None,
        lines: 10_000,
        unfold: "",
        dirs: 3,
    };
    let diffs = [
        lines("100,000 changed lines", large::LINES_100K, "value 7919 rew", "ITEM_74999"),
        Diff {
            name: "a small change",
            shadow: large::SMALL,
            first: "first(9, \"rewritten",
            last: None,
            lines: 10,
            unfold: "",
            dirs: 1,
        },
        files("1,000 changed files", large::FILES_1000),
        line("a line of 2 MB", large::ONE_LINE_2_MB),
        line("limits: a line of 5 MB", large::ONE_LINE_5_MB),
        lines("limits: 200,000 new lines", large::LINES_200K, "value 7919 rew", "ITEM_199999"),
        files("limits: 5,000 changed files", large::FILES_5000),
    ];
    let mut all: Vec<Scenario> = diffs.iter().map(|diff| reading(diff, shadows, dir)).collect();
    all.push(start(shadows));
    all
}

fn reading(diff: &Diff<'_>, shadows: &Shadows, dir: &Path) -> Scenario {
    let (id, worktree) = &shadows.shadows[diff.shadow];
    let file = dir.join(format!("{id}.patch"));
    let patched = patch(worktree);
    fs::write(&file, &patched).expect("it is ours");
    let mut contenders = vec![ours(diff, id), ours_at_once(diff, id)];
    let floor = Path::new(PROGRAM).with_file_name("examples").join("floor");
    if !patched.is_empty() {
        contenders.push(Contender {
            name: "floor",
            program: floor.to_string_lossy().into_owned(),
            words: format!("exec {} {}", floor.display(), file.display()),
            steps: steps(diff, LESS_KEYS),
        });
    }
    // What is new is in no `git diff`: then nobody else shows it.
    contenders.extend(READERS.iter().filter(|_| !patched.is_empty()).map(|reader| Contender {
        name: reader.name,
        program: reader.program.to_owned(),
        words: reader.words.to_owned(),
        steps: steps(diff, reader.keys),
    }));
    if !patched.is_empty() {
        contenders.push(gitui(diff));
    }
    Scenario { name: diff.name, dir: worktree.clone(), contenders }
}

/// What a file that starts folded says.
const FOLDED: &str = "Enter opens it";
/// What only the review says, not the pane beside the list.
const IN_REVIEW: &str = "hunk 1 of";
const OPEN: &str = "on the screen";

fn steps(diff: &Diff<'_>, keys: Keys) -> Vec<Step> {
    let mut steps = vec![Step::Ready { name: OPEN, text: diff.first.to_owned() }, Step::Rest];
    steps.extend(moves(diff, keys));
    steps
}

/// A list of files comes first here too: from the key that goes to the first of them.
fn gitui(diff: &Diff<'_>) -> Contender {
    let mut steps = vec![
        Step::Ready { name: "the list", text: "Unstaged Changes|large".to_owned() },
        Step::Rest,
        Step::Until {
            name: OPEN,
            keys: ARROWS.down.repeat(diff.dirs),
            text: diff.first.to_owned(),
        },
        Step::Keys("\x1b[C".to_owned()),
    ];
    steps.extend(moves(diff, ARROWS));
    let program = "gitui".to_owned();
    Contender { name: "gitui", words: "exec gitui".to_owned(), program, steps }
}

/// The list comes first. Its detail pane reads the change that the cursor rests on, so `Enter` finds it read.
fn ours(diff: &Diff<'_>, id: &str) -> Contender {
    let mut steps = vec![
        Step::Ready { name: "the list", text: id.to_owned() },
        Step::Rest,
        Step::Keys(format!("/{id}\r")),
        Step::Rest,
        Step::Until {
            name: OPEN,
            keys: format!("\r{}", diff.unfold),
            text: format!("{IN_REVIEW}|{}", diff.first),
        },
        Step::Rest,
    ];
    steps.extend(moves(diff, OUR_KEYS));
    Contender { name: OURS, program: PROGRAM.to_owned(), words: format!("exec {PROGRAM}"), steps }
}

/// The same by one who types ahead: the change is asked for as soon as its name is there.
fn ours_at_once(diff: &Diff<'_>, id: &str) -> Contender {
    let text = || match diff.unfold {
        "" => format!("{IN_REVIEW}|{}", diff.first),
        _ => FOLDED.to_owned(),
    };
    let steps = vec![
        Step::Ready { name: "the list", text: id.to_owned() },
        Step::Until {
            name: "`Enter`, nothing read before",
            keys: format!("/{id}\r\r"),
            text: text(),
        },
        Step::Ready { name: OPEN, text: text() },
    ];
    Contender {
        name: AT_ONCE,
        program: PROGRAM.to_owned(),
        words: format!("exec {PROGRAM}"),
        steps,
    }
}

fn moves(diff: &Diff<'_>, keys: Keys) -> impl Iterator<Item = Step> {
    let Keys { down, right, page, end } = keys;
    let pause = PAUSE;
    let mut steps = Vec::new();
    if diff.lines == 0 {
        steps.push(Step::Paced {
            names: ["right, p50", "right, p99"],
            key: right,
            count: 60,
            pause,
        });
    } else {
        let count = diff.lines.min(60);
        steps.push(Step::Paced { names: ["`j`, p50", "`j`, p99"], key: down, count, pause });
    }
    if diff.lines > 1_000 {
        steps.push(Step::Burst { name: "200 `j` at once", key: down, count: 200 });
        steps.push(Step::Paced { names: ["page, p50", "page, p99"], key: page, count: 40, pause });
        steps.push(Step::Burst { name: "100 pages at once", key: page, count: 100 });
    }
    if let Some(last) = diff.last {
        steps.push(Step::Until { name: "to the end", keys: end.to_owned(), text: last.to_owned() });
    }
    steps.into_iter()
}

/// The list itself, and moving in it with a change beside it.
fn start(shadows: &Shadows) -> Scenario {
    let list = |name, program: &str, words: String, text: &str, key| Contender {
        name,
        program: program.to_owned(),
        words,
        steps: vec![
            Step::Ready { name: OPEN, text: text.to_owned() },
            Step::Rest,
            // What stands beside it is read meanwhile.
            Step::Paced { names: ["`j`, p50", "`j`, p99"], key, count: 12, pause: SILENCE },
        ],
    };
    Scenario {
        name: "the list of 20 shadows",
        dir: shadows.repository.clone(),
        contenders: vec![
            list(OURS, PROGRAM, format!("exec {PROGRAM}"), "shadow-0", "j"),
            list("tig refs", "tig", "tig refs".to_owned(), "aide-shadow/", "j"),
        ],
    }
}
