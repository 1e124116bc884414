//! The JSON of `cli.md`, key by key. Times are integer milliseconds, object ids hex, paths UTF-8 with
//! `path_bytes` (base64) beside one that is not.

use std::{os::unix::ffi::OsStrExt, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    ops::show::Shown,
    report::Report,
    review::{
        Conflict, ConflictPage, Content, Copies, DiffStats, FileChange, FileDiff, FileStatus,
        LineKind, ReviewPage, Row, Stale, diff, flag::FileFlag, fold::Fold, visible,
    },
    shadow::RepoPath,
};

/// One line of JSON in which no byte can drive a terminal: characters that are not drawn as themselves
/// (C1 controls, bidi, zero-width, tags) are escaped too, which JSON leaves to the writer. They can
/// stand in strings only, so the text may be escaped as a whole.
pub(super) fn text(value: &Value) -> String {
    let mut out = String::new();
    for character in value.to_string().chars() {
        if visible::is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(character);
        }
    }
    out
}

pub(super) fn error(report: &Report) -> Value {
    let mut details = report.details.clone();
    if !report.causes.is_empty() {
        details.entry("causes").or_insert_with(|| json!(report.causes));
    }
    if let Some(safe) = &report.safe {
        details.entry("safe").or_insert_with(|| json!(safe));
    }
    json!({"error": {
        "code": report.code.as_str(),
        "message": report.headline,
        "help": report.hint,
        "details": details,
    }})
}

/// One worktree, as `list` has it.
pub(super) fn row(row: &Row) -> Value {
    let branch = row.branch.as_ref().map(|branch| &branch.0);
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("id", json!(row.id));
    put("branch", json!(branch));
    put("target", json!(row.target));
    put("base_ref", json!(row.base_ref));
    put("path", json!(row.path.to_string_lossy()));
    put("created_at", json!(row.created_at_ms));
    put("diff_stats", json!(row.stats.as_ref().map(stats)));
    put("flags", json!(row.flags.as_ref().map(|all| all.iter().map(flag).collect::<Vec<_>>())));
    put("convention", json!(row.convention));
    put("agent", json!(row.agent));
    put("plan", json!(row.plan));
    put("state", json!(row.state.as_str()));
    put("base_commit", json!(row.base));
    put("tip", json!(row.tip));
    put("snapshot", json!(row.snapshot));
    put("ahead", json!(row.ahead));
    put("behind", json!(row.behind));
    put("dirty", json!(row.dirty));
    put("carried", json!(row.carried));
    put("last_activity", json!(row.last_activity_ms));
    put("verdict", json!(row.verdict.as_str()));
    put("conflicts", json!(row.conflicts.iter().map(RepoPath::to_lossy).collect::<Vec<_>>()));
    put("stale", json!(row.stale.is_some()));
    put("stale_why", json!(row.stale.map(Stale::as_str)));
    put("locked", json!(row.locked));
    put("prunable", json!(row.prunable));
    put("problem", json!(row.told()));
    put("requested", json!(row.requested));
    if let Some(bytes) = path_bytes(&row.path) {
        put("path_bytes", json!(bytes));
    }
    Value::Object(object)
}

/// A flag of a file, as rows have it.
fn flag(flag: &FileFlag) -> Value {
    let mut object = Map::new();
    put_path(&mut object, "path", Some(&flag.path));
    object.insert("flag".to_owned(), json!(flag.flag.as_str()));
    object.insert("words".to_owned(), json!(flag.flag.words()));
    object.insert("reason".to_owned(), json!(flag.why));
    Value::Object(object)
}

fn stats(stats: &DiffStats) -> Value {
    json!({
        "files_changed": stats.files_changed,
        "insertions": stats.insertions,
        "deletions": stats.deletions,
    })
}

fn path_bytes(path: &Path) -> Option<String> {
    path.to_str().is_none().then(|| STANDARD.encode(path.as_os_str().as_bytes()))
}

/// Puts a repository path, with its bytes where they are not UTF-8.
pub(super) fn put_path(object: &mut Map<String, Value>, key: &str, path: Option<&RepoPath>) {
    object.insert(key.to_owned(), json!(path.map(RepoPath::to_lossy)));
    if let Some(path) = path.filter(|path| !path.is_utf8()) {
        object.insert(format!("{key}_bytes"), json!(STANDARD.encode(path.as_bytes())));
    }
}

/// Puts a line, with its bytes where they are not UTF-8.
pub(super) fn put_text(object: &mut Map<String, Value>, bytes: &[u8]) {
    object.insert("text".to_owned(), json!(String::from_utf8_lossy(bytes)));
    if std::str::from_utf8(bytes).is_err() {
        object.insert("text_bytes".to_owned(), json!(STANDARD.encode(bytes)));
    }
}

/// A changed file.
pub(super) fn file(change: &FileChange) -> Map<String, Value> {
    let mut object = Map::new();
    put_path(&mut object, "path", Some(&change.path));
    put_path(&mut object, "old_path", change.old_path.as_ref());
    let mode = |entry: &Option<crate::review::Entry>| entry.as_ref().map(|e| e.mode.as_octal());
    object.insert("status".to_owned(), json!(change.status.letter().to_string()));
    object.insert("old_mode".to_owned(), json!(mode(&change.old)));
    object.insert("new_mode".to_owned(), json!(mode(&change.new)));
    object.insert("insertions".to_owned(), json!(change.insertions));
    object.insert("deletions".to_owned(), json!(change.deletions));
    object.insert("binary".to_owned(), json!(change.binary));
    object
}

pub(super) fn shown(shown: &Shown) -> Value {
    let commits: Vec<Value> = shown
        .commits
        .iter()
        .map(|commit| {
            json!({
                "id": commit.id,
                "subject": commit.subject,
                "author": commit.author,
                "time": commit.time_ms,
            })
        })
        .collect();
    let processes: Vec<Value> = shown
        .row
        .processes
        .iter()
        .map(|process| json!({"pid": process.pid, "name": process.name}))
        .collect();
    json!({
        "worktree": row(&shown.row),
        "commits": commits,
        "files": shown.files.iter().map(file).collect::<Vec<_>>(),
        "open_comments": shown.comments,
        "processes": processes,
    })
}

pub(super) fn review(page: &ReviewPage, copies: &Copies) -> Value {
    json!({
        "base": page.base,
        "snapshot": page.snapshot,
        "files": page.files.iter().map(|diff| file_diff(diff, copies)).collect::<Vec<_>>(),
    })
}

fn file_diff(diff: &FileDiff, copies: &Copies) -> Value {
    let mut object = file(&diff.change);
    let source = copies.get(&diff.change.path);
    put_path(&mut object, "copied_from", source.map(|source| &source.from));
    let similarity = match diff.change.status {
        FileStatus::Renamed(percent) | FileStatus::Copied(percent) => Some(percent),
        _ => source.map(|source| source.similarity),
    };
    object.insert("similarity".to_owned(), json!(similarity));
    let flags = diff.findings.iter().map(|finding| {
        // As the file counts them, from 1; lines that are gone are not in it.
        let lines = finding.lines.iter().filter_map(|line| line.new_index).map(|at| at + 1);
        json!({
            "flag": finding.flag.as_str(),
            "words": finding.flag.words(),
            "reason": finding.why,
            "lines": lines.collect::<Vec<_>>(),
        })
    });
    object.insert("flags".to_owned(), flags.collect());
    object.insert("folded".to_owned(), json!(diff.fold.map(Fold::words)));
    let mut hunks = Vec::new();
    match &diff.content {
        Content::Text { old, new, blocks } => {
            for hunk in diff::hunks(blocks, old.line_count(), diff::CONTEXT_LINES) {
                let [old_start, old_lines, new_start, new_lines] = hunk.header();
                let lines: Vec<Value> = hunk
                    .lines(blocks)
                    .iter()
                    .map(|line| {
                        let (kind, bytes) = match (line.kind, line.old_index, line.new_index) {
                            (LineKind::Removed, Some(index), _) => ("removed", old.line(index)),
                            (LineKind::Added, _, Some(index)) => ("added", new.line(index)),
                            (_, Some(index), _) => ("context", old.line(index)),
                            _ => ("context", &b""[..]),
                        };
                        let mut object = Map::new();
                        object.insert("kind".to_owned(), json!(kind));
                        put_text(&mut object, bytes);
                        Value::Object(object)
                    })
                    .collect();
                hunks.push(json!({
                    "old_start": old_start, "old_lines": old_lines,
                    "new_start": new_start, "new_lines": new_lines,
                    "lines": lines,
                }));
            }
        }
        Content::Binary { .. } | Content::Submodule { .. } => {}
        Content::TooLarge { size, size_max } => {
            let why = format!("{size} bytes are over the limit of {size_max}");
            object.insert("omitted".to_owned(), json!(why));
        }
        Content::Unreadable { why } => {
            object.insert("omitted".to_owned(), json!(why));
        }
    }
    object.insert("hunks".to_owned(), Value::Array(hunks));
    Value::Object(object)
}

pub(super) fn conflicts(page: &ConflictPage) -> Value {
    let mut json = json!({
        "id": page.id,
        "target": page.target,
        "files": page.files.iter().map(|file| conflict(&file.conflict)).collect::<Vec<_>>(),
    });
    if let Some(step) = &page.step {
        json["step"] = json!(step.number);
        json["steps"] = json!(step.of);
        json["commit"] = json!(step.commit);
        json["subject"] = json!(step.subject);
    }
    json
}

fn conflict(conflict: &Conflict) -> Value {
    let [base, target, shadow] = conflict.under_name().map(|entry| entry.map(|it| &it.oid));
    let mut object = Map::new();
    put_path(&mut object, "path", Some(&conflict.path));
    object.insert("kind".to_owned(), json!(conflict.kind.as_str()));
    object.insert("base".to_owned(), json!(base));
    object.insert("target".to_owned(), json!(target));
    object.insert("shadow".to_owned(), json!(shadow));
    object.insert("resolved".to_owned(), json!(conflict.resolution.is_some()));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_text_escapes_what_a_terminal_would_obey_and_reads_back_the_same() {
        let value = json!({"a\u{9b}": "\u{202e}x\u{e0041}\t\u{1b}\u{7f} plain \u{e9}"});
        let text = text(&value);
        assert!(text.chars().all(|c| !visible::is_hidden(c)), "{text:?}");
        assert!(text.contains("plain \u{e9}"), "what can be drawn stays");
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }
}
