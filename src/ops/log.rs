//! What was done, oldest first, and what of it can still be taken back.

use std::time::SystemTime;

use super::{Deck, undo};
use crate::{
    report::Report,
    review::LogEntry,
    shadow::{OperationId, ShadowId},
    store::JournalEntry,
};

/// What became of one shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `worktree_created`, `worktree_merged` or `worktree_discarded`.
    pub kind: &'static str,
    pub id: ShadowId,
    pub operation: OperationId,
    /// Milliseconds since the epoch.
    pub time_ms: u64,
}

/// Of each operation that happened, what it made of its shadows.
pub fn events(entries: &[LogEntry]) -> Vec<Event> {
    let happened = entries.iter().filter(|entry| matches!(&*entry.status, "done" | "undone"));
    happened
        .filter_map(|entry| {
            let kind = match entry.verb.as_str() {
                "create" => "worktree_created",
                "land" => "worktree_merged",
                "discard" => "worktree_discarded",
                _ => return None,
            };
            Some(entry.shadows.iter().map(move |id| Event {
                kind,
                id: id.clone(),
                operation: entry.operation,
                time_ms: entry.time_ms,
            }))
        })
        .flatten()
        .collect()
}

/// Changes whenever the log does; cheap.
pub fn read_stamp(deck: &Deck) -> Result<[Option<SystemTime>; 2], Report> {
    deck.store.journal().read_stamp()
}

/// Every operation that the journal knows. One that cannot be read is there too, as `unreadable`.
pub fn read_log(deck: &Deck) -> Result<Vec<LogEntry>, Report> {
    let all = deck.store.journal().read_all()?;
    Ok(all
        .into_iter()
        .map(|(operation, entry)| match entry {
            Ok(entry) => line(&entry),
            Err(report) => LogEntry {
                operation,
                verb: "unknown".to_owned(),
                shadows: Vec::new(),
                target: None,
                before: None,
                after: None,
                time_ms: operation.0.timestamp_ms(),
                status: format!("unreadable: {}", report.causes.join(": ")),
                undoable: false,
            },
        })
        .collect())
}

fn line(entry: &JournalEntry) -> LogEntry {
    let advance = entry.advance.as_ref();
    LogEntry {
        operation: entry.operation,
        verb: entry.verb.as_str().to_owned(),
        shadows: entry.shadows.iter().map(|shadow| shadow.id.clone()).collect(),
        target: advance.map(|advance| advance.target.clone()),
        before: advance.map(|advance| advance.before.clone()),
        after: advance.map(|advance| advance.after.clone()),
        time_ms: entry.started_ms,
        status: entry.phase.as_str().to_owned(),
        undoable: undo::is_undoable(entry),
    }
}
