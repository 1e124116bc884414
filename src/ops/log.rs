//! What was done, oldest first, and what of it can still be taken back.

use std::time::SystemTime;

use super::{Deck, undoable::Now};
use crate::{
    git::{
        diff::{self, Pair},
        refs,
    },
    report::{Code, Report},
    review::{
        Chosen, LogEntry, Resolution, count, first_ten,
        weave::{Decided, Take},
    },
    shadow::{Oid, OperationId, RepoPath, ShadowId},
    store::{Decision, Fate, JournalEntry, ShadowEntry, Verb, resolutions::Resolved},
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

/// Fewer characters of an operation's name are no name: all of one day begin alike.
const NAME_CHARS_MIN: usize = 4;

/// The operation that a person names, whole or by its beginning.
pub fn find_operation(deck: &Deck, name: &str) -> Result<OperationId, Report> {
    if let Some(operation) = OperationId::parse(name) {
        return Ok(operation);
    }
    let wanted = name.to_ascii_uppercase();
    let fits: Vec<OperationId> = if name.len() < NAME_CHARS_MIN {
        Vec::new()
    } else {
        let all = deck.store.journal().read_all()?.into_iter().map(|(operation, _)| operation);
        all.filter(|operation| operation.to_string().starts_with(&wanted)).collect()
    };
    match fits[..] {
        [only] => Ok(only),
        [] => {
            Err(Report::user(Code::NotFound, format!("`{}` is no operation", name.escape_debug()))
                .unchanged()
                .hint("`shadowdeck log` names them; 4 characters are the least"))
        }
        _ => {
            let names: Vec<String> = fits.iter().map(ToString::to_string).collect();
            let headline = format!("`{}` is the beginning of {}", name, names.join(" and "));
            Err(Report::user(Code::Ambiguous, headline)
                .unchanged()
                .hint("write more of it")
                .detail("candidates", names))
        }
    }
}

/// Changes whenever the log does; cheap.
pub fn read_stamp(deck: &Deck) -> Result<[Option<SystemTime>; 2], Report> {
    deck.store.journal().read_stamp()
}

/// Every operation that the journal knows. One that cannot be read is there too, as `unreadable`. What could be
/// taken back is said as of now: a target or a shadow that has moved since is seen.
pub fn read_log(deck: &Deck) -> Result<Vec<LogEntry>, Report> {
    let all = deck.store.journal().read_all()?;
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let now = Now::read(deck)?;
    Ok(all
        .into_iter()
        .map(|(operation, entry)| match entry {
            Ok(entry) => line(&entry, now.find_obstacle(&entry)),
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
                undoable_why: Some("its entry in the journal cannot be read".to_owned()),
                chosen: None,
            },
        })
        .collect())
}

fn line(entry: &JournalEntry, obstacle: Option<String>) -> LogEntry {
    let advance = entry.advance.as_ref();
    let own = entry.shadows.first().and_then(own_move);
    LogEntry {
        operation: entry.operation,
        verb: entry.verb.as_str().to_owned(),
        shadows: shadows_of(entry),
        target: advance.map(|advance| advance.target.clone()),
        before: advance.map(|advance| advance.before.clone()).or(own.clone().map(|own| own.0)),
        after: advance.map(|advance| advance.after.clone()).or(own.map(|own| own.1)),
        time_ms: entry.started_ms,
        status: entry.phase.as_str().to_owned(),
        undoable: obstacle.is_none(),
        undoable_why: obstacle,
        chosen: entry.decision.as_ref().and_then(chosen),
    }
}

fn chosen(Decision { before, after, .. }: &Decision) -> Option<Chosen> {
    let path = after.as_ref().or(before.as_ref())?.path.clone();
    let places = |resolved: &Option<Resolved>| match resolved.as_ref().map(|one| &one.resolution) {
        Some(Resolution::Places(decided)) => decided.clone(),
        _ => Vec::new(),
    };
    let (was, is) = (places(before), places(after));
    let now: Vec<&Decided> = is.iter().filter(|one| !was.contains(one)).collect();
    let at = |one: &Decided, all: &[Decided]| {
        all.iter().any(|other| (&other.place, other.nth) == (&one.place, one.nth))
    };
    let opened = was.iter().filter(|one| !at(one, &is)).count();
    let words = match after.as_ref().map(|after| &after.resolution) {
        Some(Resolution::Places(_)) if !now.is_empty() => {
            let mut takes: Vec<_> =
                now.iter().map(|one| take_words(&one.take).to_owned()).collect();
            takes.dedup();
            format!("{}: {}", count(now.len(), "place"), first_ten(&takes))
        }
        Some(Resolution::Places(kept)) if !kept.is_empty() => {
            format!("{} open again", count(opened, "place"))
        }
        None | Some(Resolution::Places(_)) => "open again".to_owned(),
        Some(whole) => whole_words(whole),
    };
    Some(Chosen { path, words })
}

fn whole_words(resolution: &Resolution) -> String {
    match resolution {
        Resolution::Target => "target's",
        Resolution::Shadow => "shadow's",
        Resolution::Base => "base's",
        Resolution::Union => "both",
        Resolution::Delete => "deleted",
        Resolution::Content(_) | Resolution::Text(_) => "a text of its own",
        Resolution::Places(_) => "place by place",
        Resolution::Beside(name) => {
            return format!("both, the shadow's as {}", name.to_lossy());
        }
    }
    .to_owned()
}

fn take_words(take: &Take) -> &'static str {
    match take {
        Take::Target => "target's",
        Take::Shadow => "shadow's",
        Take::Base => "base's",
        Take::Both => "both, target's first",
        Take::Swapped => "both, shadow's first",
        Take::Text(_) => "as edited",
    }
}

/// Every shadow that an operation is about.
pub(super) fn shadows_of(entry: &JournalEntry) -> Vec<ShadowId> {
    // A discard that was stopped has left some of them alone.
    let is_part = |s: &&ShadowEntry| entry.verb != Verb::Discard || s.fate != Fate::Untouched;
    let moved = entry.shadows.iter().filter(is_part).map(|shadow| shadow.id.clone());
    moved.chain(entry.decision.iter().map(|decision| decision.shadow.clone())).collect()
}

/// Files of the target that it changed, as taking it back will name them: one that was renamed is one.
pub(super) fn files_of(deck: &Deck, entry: &JournalEntry) -> Result<Vec<RepoPath>, Report> {
    let Some(advance) = &entry.advance else { return Ok(Vec::new()) };
    let tree = |commit| refs::tree_of(&deck.repository, commit);
    let pair = Pair { old: tree(&advance.after)?, new: tree(&advance.before)? };
    let files = diff::read_pair(&deck.repository, &pair.new, &pair)?;
    Ok(files.into_iter().map(|file| file.path).collect())
}

/// What taking it back makes of the choice that it made.
pub(super) fn chosen_back(entry: &JournalEntry) -> Option<Chosen> {
    chosen(&entry.decision.as_ref()?.reversed())
}

/// A shadow's own branch from one commit to another, for what moves no target.
fn own_move(shadow: &ShadowEntry) -> Option<(Oid, Oid)> {
    match &shadow.fate {
        Fate::Kept { new_tip, .. } => Some((shadow.tip.clone(), new_tip.clone())),
        Fate::PutBack { new_tip, .. } => Some((new_tip.clone(), shadow.tip.clone())),
        _ => None,
    }
}
