//! The message of what lands: the user's own, or one made from the shadow's commits.

use std::fmt::Write;

use crate::{
    git::{Repository, obstacles::changed_paths},
    report::{Code, Report},
    review::{count, visible::visible},
    shadow::{BranchName, Oid, RepoPath, ShadowId, Strategy},
};

/// As the request format has it; a longer one is refused, never cut.
pub const MESSAGE_CHARS_MAX: usize = 2000;

/// Refuses what no commit should carry.
pub fn refuse_invalid(message: &str) -> Result<(), Report> {
    let count = message.chars().count();
    let why = if message.trim().is_empty() {
        "the message is empty".to_owned()
    } else if count > MESSAGE_CHARS_MAX {
        format!("the message has {count} characters, and {MESSAGE_CHARS_MAX} are the most")
    } else if message.contains('\0') {
        "the message holds a NUL character".to_owned()
    } else {
        return Ok(());
    };
    Err(Report::user(Code::InvalidMessage, why)
        .unchanged()
        .hint("give one of 1 to 2000 characters with -m"))
}

/// What the message is about.
pub(super) struct About<'a> {
    pub id: &'a ShadowId,
    pub branch: Option<&'a BranchName>,
    pub target: &'a BranchName,
    pub before: &'a Oid,
    pub tip: &'a Oid,
    pub snapshot: &'a Oid,
    /// The user's own uncommitted work, carried in: its message says nothing of the shadow's.
    pub carried: Option<&'a Oid>,
}

/// One commit gives its own message; several give a list of their subjects, oldest first.
pub(super) fn make(
    repository: &Repository,
    about: &About<'_>,
    strategy: Strategy,
) -> Result<String, Report> {
    let messages = read_messages(repository, about, &[])?;
    let subjects: Vec<&str> =
        messages.iter().filter_map(|message| message.lines().next()).collect();
    let name = about.branch.map_or_else(|| about.id.to_string(), ToString::to_string);
    let text = match (strategy, &messages[..]) {
        (Strategy::Merge, _) => {
            let mut text = format!("Merge branch '{name}' into {}\n", about.target);
            list(&mut text, &subjects);
            text
        }
        (_, []) => format!("Land the work of {}\n", about.id),
        (_, [only]) => only.clone(),
        (_, [first, ..]) => {
            let mut text = format!("{}\n", first.lines().next().unwrap_or_default());
            list(&mut text, &subjects);
            text
        }
    };
    Ok(cut(text.trim()))
}

/// More are not asked about: a command has room for so many names.
const PATHS_MAX: usize = 500;

/// The message of the one commit that its files are from, and of nothing uncommitted; else it names the files, and
/// lists the commits that they may be from.
pub(super) fn make_of_part(
    repository: &Repository,
    about: &About<'_>,
    taken: &[RepoPath],
) -> Result<String, Report> {
    let messages = match taken.len() {
        ..=PATHS_MAX => read_messages(repository, about, taken)?,
        _ => Vec::new(),
    };
    let diff_tree = repository.planning("diff-tree");
    let uncommitted = changed_paths(diff_tree, about.tip.as_str(), about.snapshot.as_str())?;
    let is_committed = uncommitted.iter().all(|change| !taken.contains(&change.path));
    let text = match &messages[..] {
        [only] if is_committed => only.clone(),
        several => {
            let names: Vec<String> = taken.iter().map(|path| visible(path.as_bytes())).collect();
            let subjects: Vec<&str> =
                several.iter().filter_map(|message| message.lines().next()).collect();
            let mut text = format!("Land a part of {}: {}\n", about.id, named(&names));
            list(&mut text, &subjects);
            text
        }
    };
    Ok(cut(text.trim()))
}

/// `src/api.rs`, `src/api.rs and 2 more files`.
fn named(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} and {}", count(rest.len(), "more file")),
    }
}

fn list(text: &mut String, subjects: &[&str]) {
    for (index, subject) in subjects.iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}* {subject}");
    }
}

/// Only what we made up ourselves is ever cut.
fn cut(text: &str) -> String {
    if text.chars().count() <= MESSAGE_CHARS_MAX {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MESSAGE_CHARS_MAX - 1).collect();
    short.push('…');
    short
}

/// Of the commits that changed one of these; of all where none is named.
fn read_messages(
    repository: &Repository,
    about: &About<'_>,
    paths: &[RepoPath],
) -> Result<Vec<String>, Report> {
    let output = repository
        .planning("log")
        .config("i18n.logOutputEncoding=UTF-8")
        .config("log.showSignature=false")
        .args([
            "--reverse",
            "--full-history",
            "--no-merges",
            "--no-notes",
            "--no-color",
            "--format=%H%x00%B%x00",
        ])
        .args(["--end-of-options", &format!("{}..{}", about.before, about.tip), "--"])
        .args(paths.iter().map(RepoPath::as_path))
        .run()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parts: Vec<&str> = text.split('\0').map(str::trim).collect();
    let messages = parts.chunks_exact(2).filter(|commit| {
        !commit[1].is_empty() && about.carried.is_none_or(|carried| carried.as_str() != commit[0])
    });
    Ok(messages.map(|commit| commit[1].to_owned()).collect())
}

/// Of the commit that uncommitted work becomes, where the target's history gets it.
pub(super) fn of_own_commit(id: &ShadowId, strategy: Strategy, message: &str) -> Option<String> {
    match strategy {
        Strategy::Squash => None,
        Strategy::Merge => Some(of_uncommitted(id, strategy)),
        Strategy::Rebase => Some(message.to_owned()),
    }
}

/// The commit of uncommitted work says what it is, and for which operation it was made.
pub(super) fn of_uncommitted(id: &ShadowId, strategy: Strategy) -> String {
    format!(
        "Uncommitted work of {id}\n\nCommitted by shadowdeck before landing it by {}.",
        strategy.as_str()
    )
}
