//! The reading commands: list, show, diff, conflicts. They change no repository, so they need no yes.

use std::{io::IsTerminal, os::unix::ffi::OsStrExt, sync::atomic::AtomicBool};

use serde_json::json;

use super::{
    Answer, Context,
    args::{DiffArgs, ListArgs, ShadowArgs, StrategyArg, When},
    colour::{self, Paint},
    conflict_args::ConflictsArgs,
    json as to_json, table,
};
use crate::{
    ops::{
        Deck, ask, conflicts, diff,
        diff::Format,
        list, show,
        show::{Commit, Shown},
        since_review, target,
    },
    report::Report,
    review::{ConflictPage, Fleet, Row, Way, count, name::visible_name, visible::visible_str},
    shadow::{BranchName, RepoPath, ShadowId, handle::Prefixes},
};

pub(super) fn list(context: &Context, args: &ListArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let mut fleet = list::read_fleet(&deck, &AtomicBool::new(false))?;
    let all = fleet.rows.len();
    if args.stale {
        fleet.rows.retain(|row| row.stale.is_some());
    }
    let hidden = all - fleet.rows.len();
    if args.all {
        fleet.rows.extend(list::read_targets(&deck)?);
    }
    let json = json!({"worktrees": fleet.rows.iter().map(to_json::row).collect::<Vec<_>>()});
    Ok(Answer::both(fleet_text(&fleet, hidden), json))
}

/// An empty list is empty, or nothing of it is stale.
fn none_words(hidden: usize) -> String {
    match hidden {
        0 => "no shadows; `shadowdeck create` makes one\n".to_owned(),
        _ => format!("nothing is stale; `shadowdeck list` shows {}\n", count(hidden, "shadow")),
    }
}

/// `hidden` shadows were left out of it, for they are not stale.
pub(super) fn fleet_text(fleet: &Fleet, hidden: usize) -> String {
    let target = match (&fleet.target, &fleet.target_tip) {
        (Some(target), Some(tip)) => {
            format!(" → {} {}", visible_str(&target.0), tip.abbreviated())
        }
        (Some(target), None) => format!(" → {}", visible_str(&target.0)),
        _ => " → no target".to_owned(),
    };
    let mut text = format!("{}{target}\n", visible_str(&fleet.name));
    if fleet.rows.is_empty() {
        text.push_str(&none_words(hidden));
        return text;
    }
    let rows: Vec<Vec<String>> =
        fleet.rows.iter().map(|row| cells(row, fleet.read_at_ms)).collect();
    text.push_str(&table::aligned(&rows));
    for row in &fleet.rows {
        if let Some(problem) = row.told() {
            text.extend(["! ", &visible_str(&row.id.0), ": ", &visible_str(&problem), "\n"]);
        }
    }
    text
}

fn cells(row: &Row, now_ms: u64) -> Vec<String> {
    let (files, lines) = match &row.stats {
        Some(stats) => (
            count(stats.files_changed, "file"),
            format!("+{} −{}", stats.insertions, stats.deletions),
        ),
        None => ("–".to_owned(), "–".to_owned()),
    };
    let distance = match (row.ahead, row.behind) {
        (Some(ahead), Some(behind)) => format!("↑{ahead} ↓{behind}"),
        _ => "–".to_owned(),
    };
    let age = row.last_activity_ms.map_or_else(|| "–".to_owned(), |at| table::age(at, now_ms));
    vec![
        visible_str(&row.id.0),
        verdict_text(row),
        files,
        lines,
        distance,
        age,
        branch_and_remarks(row),
    ]
}

fn verdict_text(row: &Row) -> String {
    if row.convention == crate::shadow::convention::TARGET {
        return "target".to_owned();
    }
    let files = row.conflicts.len();
    if files > 0 {
        let settled = match row.settled {
            0 => String::new(),
            settled => format!(", {settled} settled"),
        };
        return format!("{} in {}{settled}", row.verdict.as_str(), count(files, "file"));
    }
    row.verdict.as_str().to_owned()
}

fn branch_text(row: &Row) -> String {
    row.branch.as_ref().map_or_else(|| "detached".to_owned(), |branch| visible_str(&branch.0))
}

/// The list's last column: it has no column for the branch.
fn branch_and_remarks(row: &Row) -> String {
    let mut parts = vec![branch_text(row)];
    parts.extend(remarks(row));
    parts.join(" · ")
}

/// What else there is to know of it; the branch stands elsewhere.
fn remarks(row: &Row) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut flags = row.marked_flags();
    if let Some(gravest) = flags.next() {
        let more = match flags.count() {
            0 => String::new(),
            more => format!(" and {}", count(more, "more flag")),
        };
        let path = visible_name(gravest.path.as_bytes());
        remarks.push(format!("! {}: {path}{more}", gravest.flag.words()));
    }
    let mut unsearched = row.unsearched();
    if let Some(first) = unsearched.next() {
        let more = match unsearched.count() {
            0 => String::new(),
            more => format!(" and {}", count(more, "more file")),
        };
        remarks.push(format!("not searched: {}{more}", visible_name(first.path.as_bytes())));
    }
    if row.carried.is_some() {
        remarks.push("your own uncommitted work, carried in".to_owned());
    }
    if row.dirty == Some(true) {
        remarks.push("uncommitted work".to_owned());
    }
    if let Some(message) = &row.requested {
        remarks.push(format!("asks for review: {}", visible_str(message)));
    }
    if let Some(stale) = row.stale {
        remarks.push(format!("stale ({})", stale.as_str()));
    }
    match row.locked.as_deref() {
        Some("") => remarks.push("locked".to_owned()),
        Some(reason) => remarks.push(format!("locked: {}", visible_str(reason))),
        None => {}
    }
    if row.prunable.is_some() {
        remarks.push("prunable".to_owned());
    }
    remarks
}

/// The shadow that is meant, with another target remembered where one was named.
pub(super) fn find(context: &Context, args: &ShadowArgs) -> Result<(Deck, ShadowId), Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    if let Some(branch) = &args.target {
        target::remember(&deck, &id, &BranchName(branch.clone()))?;
    }
    Ok((deck, id))
}

pub(super) fn show(context: &Context, args: &ShadowArgs) -> Result<Answer, Report> {
    let (deck, id) = find(context, args)?;
    let shown = show::read_shadow(&deck, &id)?;
    Ok(Answer::both(shown_text(&shown), to_json::shown(&shown)))
}

fn comments_text(open: Option<usize>) -> String {
    match open {
        Some(open) => format!("{open} open: `shadowdeck notes` shows them"),
        None => "cannot be read: `shadowdeck notes` says why".to_owned(),
    }
}

/// What was carried in is told as the user's own, and not by the message that we gave it.
fn commits_text(shown: &Shown) -> String {
    if shown.commits.is_empty() {
        return String::new();
    }
    let subject = |commit: &Commit| {
        if shown.row.carried.as_ref() == Some(&commit.id) {
            "your own uncommitted work, carried in".to_owned()
        } else {
            visible_str(&commit.subject)
        }
    };
    let cells = |commit: &Commit| {
        vec![format!("  {}", commit.id.abbreviated()), visible_str(&commit.author), subject(commit)]
    };
    let commits: Vec<Vec<String>> = shown.commits.iter().map(cells).collect();
    format!("\ncommits\n{}", table::aligned(&commits))
}

fn shown_text(shown: &Shown) -> String {
    let row = &shown.row;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut put = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    put("shadow", visible_str(&row.id.0));
    put("branch", branch_text(row));
    put("path", visible_str(&row.path.to_string_lossy()));
    put("target", row.target.as_ref().map_or_else(|| "none".to_owned(), |t| visible_str(&t.0)));
    put("verdict", verdict_text(row));
    if let Some(problem) = row.told() {
        put("problem", visible_str(&problem));
    }
    if let (Some(ahead), Some(behind)) = (row.ahead, row.behind) {
        put("history", format!("{ahead} ahead, {behind} behind"));
    }
    if let Some(base) = &row.base {
        put("base", base.to_string());
    }
    if let Some(snapshot) = &row.snapshot {
        put("snapshot", snapshot.to_string());
    }
    if let Some(at) = row.last_activity_ms {
        put("last activity", format!("{} ago", table::age(at, shown.read_at_ms)));
    }
    let remarks = remarks(row);
    if !remarks.is_empty() {
        put("remarks", remarks.join(" · "));
    }
    if shown.comments != Some(0) {
        put("comments", comments_text(shown.comments));
    }
    for process in &row.processes {
        put("at work", format!("{} {}", process.pid, visible_str(&process.name)));
    }
    let mut text = table::aligned(&rows);
    text.push_str(&commits_text(shown));
    if !shown.files.is_empty() {
        text.push_str("\nfiles\n");
        let files: Vec<Vec<String>> = shown
            .files
            .iter()
            .map(|file| {
                let lines = if file.binary {
                    "binary".to_owned()
                } else {
                    format!("+{} −{}", file.insertions, file.deletions)
                };
                let mut name = visible_name(file.path.as_bytes());
                if let Some(old) = &file.old_path {
                    name = format!("{} → {name}", visible_name(old.as_bytes()));
                }
                vec![format!("  {}", file.status.letter()), lines, name]
            })
            .collect();
        text.push_str(&table::aligned(&files));
    }
    text
}

pub(super) fn diff(context: &Context, args: &DiffArgs) -> Result<Answer, Report> {
    let (deck, id) = find(context, &args.shadow)?;
    if context.json {
        let cancel = AtomicBool::new(false);
        let page = if args.since_review {
            since_review::read_page(&deck, &id, &cancel)?
        } else {
            diff::read_review(&deck, &id, &cancel)?
        };
        let copies = diff::read_copies(&deck, &page)?;
        return Ok(Answer::both(String::new(), to_json::review(&page, &copies)));
    }
    let format = match (args.stat, args.numstat, args.name_status) {
        (true, ..) => Format::Stat,
        (_, true, _) => Format::Numstat,
        (_, _, true) => Format::NameStatus,
        _ => Format::Patch,
    };
    let text = if args.since_review {
        since_review::read_text(&deck, &id, format)?
    } else {
        diff::read_text(&deck, &id, format)?
    };
    let is_terminal = std::io::stdout().is_terminal();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let coloured = match args.color {
        When::Always => true,
        When::Never => false,
        When::Auto => is_terminal && !no_colour,
    };
    Ok(Answer::Bytes(if coloured && format == Format::Patch {
        colour::for_terminal(&text, Paint::Coloured)
    } else if coloured || is_terminal {
        colour::for_terminal(&text, Paint::Plain)
    } else {
        text
    }))
}

pub(super) fn conflicts(context: &Context, args: &ConflictsArgs) -> Result<Answer, Report> {
    let (deck, id) = find(context, &args.shadow)?;
    let way = way(args.strategy);
    let page = conflicts::read_conflicts(&deck, &id, way, &AtomicBool::new(false))?;
    let (mut text, mut json) = (conflicts_text(&page), to_json::conflicts(&page));
    if let Some(paths) = &args.ask {
        let paths: Vec<_> =
            paths.iter().map(|path| RepoPath::new(path.as_os_str().as_bytes())).collect();
        let asked = ask::ask(&deck, &page, &paths)?;
        json["notes"] = asked.iter().map(|(_, number)| *number).collect();
        for (path, number) in &asked {
            let path = visible_name(path.as_bytes());
            text.push_str(&format!(
                "asked the agent about {path} as note {number}; Delete on it in Review takes it back\n"
            ));
        }
    }
    Ok(Answer::both(text, json))
}

/// Squash and merge ask the same of a person.
pub(super) fn way(strategy: Option<StrategyArg>) -> Way {
    match strategy {
        Some(StrategyArg::Rebase) => Way::Rebase,
        Some(StrategyArg::Merge | StrategyArg::Squash) | None => Way::Whole,
    }
}

fn conflicts_text(page: &ConflictPage) -> String {
    let (id, target) = (visible_str(&page.id.0), visible_str(&page.target.0));
    if page.files.is_empty() {
        return format!("{id} lands on {target} without conflicts\n");
    }
    let files = count(page.files.len(), "file");
    let step = page.step.as_ref();
    let at = step.map_or(String::new(), |step| format!(" at {}", visible_str(&step.words())));
    let mut text = format!("{id} conflicts with {target} in {files}{at}\n");
    let rows: Vec<Vec<String>> = page
        .files
        .iter()
        .map(|file| {
            let state = if file.conflict.resolution.is_some() { "resolved" } else { "open" };
            vec![
                format!("  {state}"),
                file.conflict.kind.as_str().to_owned(),
                visible_name(file.conflict.path.as_bytes()),
            ]
        })
        .collect();
    text.push_str(&table::aligned(&rows));
    text
}
