//! What is measured: for each program, how it is started and what is typed into it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    PROGRAM,
    fixture::{Shadows, large},
    patch,
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
    /// One key after the other, each when nothing moves: the middle and the slowest.
    Paced {
        names: [&'static str; 2],
        key: &'static str,
        count: usize,
    },
    /// All at once, until the screen has caught up.
    Burst {
        name: &'static str,
        key: &'static str,
        count: usize,
    },
}

/// Keys of a program for reading a diff.
struct Reader {
    name: &'static str,
    program: &'static str,
    words: &'static str,
    page: &'static str,
    end: &'static str,
}

const READERS: [Reader; 3] = [
    Reader {
        name: "git diff, less",
        program: "less",
        words: "git -c core.pager='less -R' diff --color=always",
        page: " ",
        end: "G",
    },
    Reader {
        name: "delta",
        program: "delta",
        words: "git diff | delta --paging=always",
        page: " ",
        end: "G",
    },
    Reader { name: "tig", program: "tig", words: "git diff | tig", page: " ", end: "\x1bOF" },
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
}

pub(crate) fn scenarios(shadows: &Shadows, dir: &Path) -> Vec<Scenario> {
    let lines = |name, shadow, first, last| Diff {
        name,
        shadow,
        first,
        last: Some(last),
        lines: 10_000,
        unfold: "\r",
    };
    let line = |name, shadow| Diff {
        name,
        shadow,
        first: "function f0(a,b)",
        last: None,
        lines: 0,
        unfold: "\r",
    };
    let files = |name, shadow| Diff {
        name,
        shadow,
        first: "rewritten_f0()",
        last: None,
        lines: 10_000,
        unfold: "",
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
            steps: steps(diff, " ", "G"),
        });
    }
    // What is new is in no `git diff`: then nobody else shows it.
    contenders.extend(READERS.iter().filter(|_| !patched.is_empty()).map(|reader| Contender {
        name: reader.name,
        program: reader.program.to_owned(),
        words: reader.words.to_owned(),
        steps: steps(diff, reader.page, reader.end),
    }));
    Scenario { name: diff.name, dir: worktree.clone(), contenders }
}

/// What a file that starts folded says.
const FOLDED: &str = "Enter opens it";
/// What only the review says, not the pane beside the list.
const IN_REVIEW: &str = "hunk 1 of";
const OPEN: &str = "on the screen";

fn steps(diff: &Diff<'_>, page: &'static str, end: &str) -> Vec<Step> {
    let mut steps = vec![Step::Ready { name: OPEN, text: diff.first.to_owned() }, Step::Rest];
    steps.extend(moves(diff, page, end));
    steps
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
    steps.extend(moves(diff, "\x06", "G"));
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

fn moves(diff: &Diff<'_>, page: &'static str, end: &str) -> impl Iterator<Item = Step> {
    let mut steps = Vec::new();
    if diff.lines > 0 {
        let count = diff.lines.min(60);
        steps.push(Step::Paced { names: ["`j`, p50", "`j`, p99"], key: "j", count });
    }
    if diff.lines > 1_000 {
        steps.push(Step::Burst { name: "200 `j` at once", key: "j", count: 200 });
        steps.push(Step::Paced { names: ["page, p50", "page, p99"], key: page, count: 40 });
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
            Step::Paced { names: ["`j`, p50", "`j`, p99"], key, count: 12 },
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
