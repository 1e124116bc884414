//! `log`: what was done, newest last; with `--follow` it goes on until its reader goes away.

use std::{
    io::Write,
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::{Map, Value, json};

use super::{Answer, Context, args::LogArgs, json as to_json, table, undo::names};
use crate::{
    ops::{
        Deck,
        log::{self, Event},
    },
    report::{Doing, Report},
    review::{LogEntry, visible::visible_str},
};

/// How long a new operation may go unseen: short for a person, rare for the disk.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

pub(super) fn log(context: &Context, args: &LogArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    if args.follow {
        return follow(context, &deck).map(|()| Answer::Nothing);
    }
    let entries = log::read_log(&deck)?;
    let operations: Vec<Value> = entries.iter().map(entry_json).collect();
    let events: Vec<Value> = log::events(&entries).iter().map(event_json).collect();
    let now = now_ms();
    let rows: Vec<Vec<String>> = entries.iter().map(|entry| cells(entry, now)).collect();
    let text =
        if rows.is_empty() { "nothing was done yet\n".to_owned() } else { table::aligned(&rows) };
    Ok(Answer::both(text, json!({"operations": operations, "events": events})))
}

/// Each operation when it is first seen, and again when it has become something else.
fn follow(context: &Context, deck: &Deck) -> Result<(), Report> {
    let mut shown: Vec<LogEntry> = Vec::new();
    let (mut previous, mut settled) = (None, None);
    loop {
        let now = log::read_stamp(deck)?;
        if settled != Some(now) {
            let entries = log::read_log(deck)?;
            let is_told = |entry: &LogEntry| {
                let mut told = shown.iter();
                told.any(|old| (old.operation, &old.status) == (entry.operation, &entry.status))
            };
            for entry in entries.iter().filter(|entry| !is_told(entry)) {
                if !write_line(context, entry)? {
                    return Ok(());
                }
            }
            shown = entries;
            // Clocks of file systems tick slowly: a time counts only when it is seen a second time.
            settled = (previous == Some(now)).then_some(now);
            previous = Some(now);
        }
        if is_reader_gone()? {
            return Ok(());
        }
    }
}

/// `false` where nobody reads any more.
fn write_line(context: &Context, entry: &LogEntry) -> Result<bool, Report> {
    let line = if context.json {
        to_json::text(&entry_json(entry)) + "\n"
    } else {
        table::aligned(&[cells(entry, now_ms())])
    };
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).doing("write the log"),
    }
}

/// Waits for that at most [`LOOK_EVERY`].
fn is_reader_gone() -> Result<bool, Report> {
    let stdout = std::io::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    match poll(&mut watched, Some(&LOOK_EVERY)) {
        Ok(_) => Ok(!watched[0].revents().is_empty()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(std::io::Error::from(error)).doing("wait for new operations"),
    }
}

fn entry_json(entry: &LogEntry) -> Value {
    let chosen = entry.chosen.as_ref().map(|chosen| {
        let mut object = Map::new();
        to_json::put_path(&mut object, "path", Some(&chosen.path));
        object.insert("choice".to_owned(), json!(chosen.words));
        object
    });
    json!({
        "operation": entry.operation.to_string(),
        "verb": entry.verb,
        "shadows": entry.shadows,
        "target": entry.target,
        "before": entry.before,
        "after": entry.after,
        "time": entry.time_ms,
        "status": entry.status,
        "undoable": entry.undoable,
        "undoable_why": entry.undoable_why,
        "chosen": chosen,
    })
}

fn event_json(event: &Event) -> Value {
    json!({
        "event": event.kind,
        "id": event.id,
        "operation": event.operation.to_string(),
        "time": event.time_ms,
    })
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn cells(entry: &LogEntry, now_ms: u64) -> Vec<String> {
    let moved = match (&entry.target, &entry.before, &entry.after) {
        _ if let Some(chosen) = &entry.chosen => {
            format!("{}: {}", chosen.path.to_lossy(), chosen.words)
        }
        (Some(target), Some(before), Some(after)) => {
            format!("{target} {} → {}", before.abbreviated(), after.abbreviated())
        }
        _ => String::new(),
    };
    let undoable = if entry.undoable { "can be undone" } else { "" };
    [
        entry.operation.to_string(),
        table::age(entry.time_ms, now_ms),
        entry.verb.clone(),
        names(&entry.shadows),
        moved,
        entry.status.clone(),
        undoable.to_owned(),
    ]
    .iter()
    .map(|cell| visible_str(cell))
    .collect()
}
