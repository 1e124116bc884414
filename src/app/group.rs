//! Which part of the queue a row stands in: decided by what a person can do about it.

use crate::{
    config::Config,
    review::{Row, Stale, Verdict, name::visible_name, visible::visible},
    shadow::ShadowId,
};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// In the order drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Asked,
    Ready,
    Conflicts,
    AtWork,
    DoneOrStale,
    Broken,
    /// Nothing but name and place is known yet.
    Unread,
}

impl Group {
    pub fn title(self) -> &'static str {
        match self {
            Self::Asked => "ASKED FOR REVIEW",
            Self::Ready => "READY",
            Self::Conflicts => "CONFLICTS",
            Self::AtWork => "AT WORK",
            Self::DoneOrStale => "DONE OR STALE",
            Self::Broken => "BROKEN",
            Self::Unread => "LOOKING",
        }
    }

    /// The first that fits of: broken, asked, at work, done or stale, conflicts, ready.
    /// Where each conflict is settled it may land as it is.
    pub fn of(row: &Row) -> Self {
        let is_done = matches!(row.verdict, Verdict::Landed | Verdict::Empty);
        if row.problem.is_some() || row.verdict == Verdict::Unknown {
            Self::Broken
        } else if row.requested.is_some() {
            Self::Asked
        } else if !row.processes.is_empty() {
            Self::AtWork
        } else if is_done || row.stale.is_some() {
            Self::DoneOrStale
        } else if row.verdict == Verdict::Conflicts && row.settled < row.conflicts.len() {
            Self::Conflicts
        } else {
            Self::Ready
        }
    }

    /// A person can move it on now.
    pub fn wants_you(self) -> bool {
        matches!(self, Self::Asked | Self::Ready | Self::Conflicts)
    }
}

/// What the header counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub to_read: usize,
    pub conflicts: usize,
    pub at_work: usize,
    pub stale: usize,
    pub broken: usize,
}

impl Counts {
    pub fn of<'a>(
        rows: impl Iterator<Item = &'a Row>,
        is_read: impl Fn(&ShadowId) -> bool,
    ) -> Self {
        let mut counts = Self::default();
        for row in rows {
            match Group::of(row) {
                Group::Asked | Group::Ready => counts.to_read += usize::from(!is_read(&row.id)),
                Group::Conflicts => counts.conflicts += 1,
                Group::AtWork => counts.at_work += 1,
                Group::Broken => counts.broken += 1,
                Group::DoneOrStale | Group::Unread => {}
            }
            counts.stale += usize::from(row.stale.is_some());
        }
        counts
    }
}

/// What is flagged in it, the gravest with its sentence.
fn flags(row: &Row) -> Option<String> {
    let mut flags = row.marked_flags();
    let gravest = flags.next()?;
    let path = visible_name(gravest.path.as_bytes());
    let more = match flags.count() {
        0 => String::new(),
        more => format!(" and {}", crate::review::count(more, "more flag")),
    };
    Some(format!("! {path} ({}: {}){more}", gravest.flag.words(), gravest.why))
}

/// One sentence for `i`: why a row stands where it stands.
pub fn why(row: &Row, config: &Config, now_ms: u64) -> String {
    let id = &row.id;
    if let Some(problem) = &row.problem {
        // Of one without a snapshot nothing is known but its place.
        let safe = match row.snapshot {
            None => " · it is neither read nor written till then · R looks again",
            Some(_) => "",
        };
        return format!("{id}: {problem}{safe}");
    }
    let idle_ms = row.last_activity_ms.map_or(0, |at| now_ms.saturating_sub(at));
    let rests = format!("nothing happened in it for {} d", idle_ms / DAY_MS);
    let stale = row.stale.map(|stale| match stale {
        Stale::Idle => format!("stale, for {rests}; the limit is {} d", config.stale_idle_days),
        Stale::Landed => {
            format!("stale, for it landed, and {rests}; the limit is {} d", config.stale_done_days)
        }
        Stale::Empty => format!("stale, for {rests}; the limit is {} d", config.stale_done_days),
    });
    let target = row.target.as_ref().map_or("its target", |target| &target.0);
    let verdict = match row.verdict {
        Verdict::Clean => format!("would land on {target} without conflict"),
        Verdict::Conflicts => {
            let files = crate::review::count(row.conflicts.len(), "conflict file");
            match row.settled {
                0 => format!("{files} with {target} · x shows what conflicts"),
                settled => format!("{files} with {target}, {settled} settled · x shows them"),
            }
        }
        Verdict::Empty => "nothing was ever done in it".to_owned(),
        Verdict::Landed => format!("what it proposes is in {target} already"),
        Verdict::Unknown => "could not be looked at".to_owned(),
    };
    let locked = row.locked.as_ref().map(|reason| match reason.as_str() {
        "" => "locked".to_owned(),
        reason => format!("locked: {reason}"),
    });
    let at_work = row.processes.first().map(|p| format!("{} (pid {}) is in it", p.name, p.pid));
    let asks = row.requested.as_ref().map(|message| match message.as_str() {
        "" => "asks for review".to_owned(),
        message => format!("asks for review: {}", visible(message.as_bytes())),
    });
    let uncommitted = row.dirty.filter(|dirty| *dirty).map(|_| "holds uncommitted work".to_owned());
    let facts = [asks, Some(verdict), uncommitted, flags(row), stale, at_work, locked];
    format!("{id}: {}", facts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
