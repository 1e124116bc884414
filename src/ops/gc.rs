//! Frees what is past its age or size, each thing named before: trash with its pins, leftovers, dead registrations
//! (their branches stay, and they can be had back), the private object store. Nothing that was not shown is dropped.
//!
//! What is left when the process dies, line by line, and what the next run makes of it:
//!
//! | dies after | left behind | next run |
//! |---|---|---|
//! | lock, looking again | nothing | – |
//! | pins and copies of registrations | refs, copies | harmless; the next `gc` names them |
//! | *intent* | an entry, nothing deleted | dropped, with its pins |
//! | *prepared* | the same, confirmed | finished |
//! | an operation marked as emptied | its trash still whole | emptied: it was confirmed |
//! | its trash renamed, half deleted | `….emptying` | deleted |
//! | pins deleted | the entry | closed as done |
//! | a registration in the trash | the same | the others follow, closed as done |
//! | closed; object store, scratch files | some of them | the next `gc` names them again |

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::Duration,
};

use super::{Deck, moves, recover};
use crate::{
    git::{
        migrate, pins, private, submodules, unfinished,
        worktrees::{self, Worktree},
        writer::Writer,
    },
    report::{Doing, Report},
    review::{ConfirmedGc, Freed, GcItem, GcKind, GcPlan, Progress, Step},
    shadow::{Oid, OperationId, ShadowId},
    store::{
        Decision, Fate, JournalEntry, Phase, Verb, carry,
        journal::now_ms,
        leftovers::read_bytes,
        lock::{WAIT_MAX, WAIT_OF_READER_MAX},
    },
};

/// What settings count in.
pub const MB: u64 = 1_000_000;

/// What would be freed now. Changes nothing.
pub fn plan(deck: &Deck) -> Result<GcPlan, Report> {
    let mut items = plan_trash(deck)?;
    let worktrees = worktrees::read(&deck.repository)?.linked;
    items.extend(plan_registrations(deck, &worktrees)?);
    items.extend(plan_objects(deck)?);
    let live: Vec<ShadowId> = worktrees.into_iter().map(|worktree| worktree.id).collect();
    for path in deck.store.read_leftovers(&live)? {
        items.push(GcItem {
            kind: GcKind::Scratch,
            what: path.display().to_string(),
            why: "an earlier run left it, and nobody needs it".to_owned(),
            bytes: read_bytes(&path)?,
            path,
            operation: None,
            shadows: Vec::new(),
        });
    }
    Ok(GcPlan { items })
}

/// One operation of which something is kept.
struct Kept {
    operation: OperationId,
    entry: Option<JournalEntry>,
    bytes: u64,
    since_ms: u64,
    holds_work: bool,
}

impl Kept {
    /// Nothing can be undone with it, so it goes at once.
    fn is_leftover(&self) -> bool {
        let never_happened =
            self.entry.as_ref().is_none_or(|entry| entry.phase == Phase::TakenBack);
        let is_emptied = self.entry.as_ref().is_some_and(|entry| entry.emptied_by.is_some());
        is_emptied || never_happened && !self.holds_work
    }

    fn item(&self, deck: &Deck, kind: GcKind, why: String) -> GcItem {
        let verb = self.entry.as_ref().map_or("operation", |entry| entry.verb.as_str());
        let shadows: Vec<ShadowId> = self
            .entry
            .iter()
            .flat_map(|entry| &entry.shadows)
            .map(|shadow| shadow.id.clone())
            .collect();
        let names: Vec<&str> = shadows.iter().map(|id| id.0.as_str()).collect();
        let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        GcItem {
            kind,
            what: format!("{verb} {}{of}", self.operation),
            why,
            path: deck.store.trash().dir_of(self.operation),
            bytes: self.bytes,
            operation: Some(self.operation),
            shadows,
        }
    }
}

fn plan_trash(deck: &Deck) -> Result<Vec<GcItem>, Report> {
    let (kept, half_emptied) = read_kept(deck)?;
    let age_max_ms = u64::from(deck.config.trash_age_days) * 24 * 60 * 60 * 1000;
    let size_max = deck.config.trash_size_mb.saturating_mul(MB);
    let total: u64 = kept.iter().map(|one| one.bytes).sum();
    let mut left = total;
    let mut items = Vec::new();
    for one in &kept {
        let age_ms = now_ms().saturating_sub(one.since_ms);
        let (kind, why) = if one.is_leftover() {
            (GcKind::Leftover, "nothing can be undone with it".to_owned())
        } else if age_ms > age_max_ms {
            let days = Duration::from_millis(age_ms).as_secs() / (24 * 60 * 60);
            let limit = deck.config.trash_age_days;
            (GcKind::Trash, format!("done {days} days ago, trash.age_days is {limit}"))
        } else if left > size_max && one.bytes > 0 {
            let limit = deck.config.trash_size_mb;
            let words = format!("the trash holds {} MB, trash.size_mb is {limit}", total / MB);
            (GcKind::Trash, words)
        } else {
            continue;
        };
        let places = one.entry.iter().flat_map(|entry| &entry.shadows).map(|shadow| &shadow.trash);
        let only_copies = submodules::find_only_copies(&deck.repository, places);
        let why = [vec![why], only_copies].concat().join("; ");
        left -= one.bytes;
        items.push(one.item(deck, kind, why));
    }
    for path in half_emptied {
        items.push(GcItem {
            kind: GcKind::Leftover,
            what: path.display().to_string(),
            why: "an earlier gc could not delete all of it".to_owned(),
            bytes: read_bytes(&path)?,
            path,
            operation: None,
            shadows: Vec::new(),
        });
    }
    Ok(items)
}

/// Oldest first, and what an earlier emptying left. What is unfinished or unreadable is never among them.
fn read_kept(deck: &Deck) -> Result<(Vec<Kept>, Vec<PathBuf>), Report> {
    let trash = deck.store.trash();
    let (in_trash, half_emptied) = trash.read()?;
    let mut operations: BTreeSet<OperationId> = in_trash.into_iter().collect();
    operations.extend(pins::read_operations(&deck.repository)?);
    let mut entries: BTreeMap<OperationId, Result<JournalEntry, Report>> =
        deck.store.journal().read_all()?.into_iter().collect();
    let open = entries.values().flatten().filter(|entry| entry.phase.is_open());
    let needed: BTreeSet<OperationId> =
        open.flat_map(|entry| [Some(entry.operation), entry.undoes]).flatten().collect();
    let mut kept = Vec::new();
    for operation in operations.into_iter().filter(|operation| !needed.contains(operation)) {
        let entry = match entries.remove(&operation) {
            Some(Err(_)) => continue,
            Some(Ok(entry)) => Some(entry),
            None => None,
        };
        let closed_ms = entry.as_ref().map(|entry| entry.closed_ms.unwrap_or(entry.started_ms));
        kept.push(Kept {
            operation,
            since_ms: closed_ms.unwrap_or_else(|| operation.0.timestamp_ms()),
            bytes: read_bytes(&trash.dir_of(operation))?,
            holds_work: trash.holds_work(operation)?,
            entry,
        });
    }
    Ok((kept, half_emptied))
}

fn plan_registrations(deck: &Deck, worktrees: &[Worktree]) -> Result<Vec<GcItem>, Report> {
    let open = deck.store.journal().read_open()?;
    let concerned = |id: &ShadowId| {
        open.iter().any(|entry| entry.shadows.iter().any(|shadow| shadow.id == *id))
    };
    let mut items = Vec::new();
    for worktree in worktrees.iter().filter(|one| is_dead(one) && !concerned(&one.id)) {
        let branch = worktree
            .head
            .branch()
            .map_or_else(String::new, |branch| format!("; branch {branch} stays"));
        items.push(GcItem {
            kind: GcKind::Registration,
            what: format!("worktree {}, which was at {}", worktree.id, worktree.path.display()),
            why: format!("its directory is gone{branch}, and undo brings the registration back"),
            path: worktree.admin_dir.clone(),
            bytes: read_bytes(&worktree.admin_dir)?,
            operation: None,
            shadows: vec![worktree.id.clone()],
        });
    }
    Ok(items)
}

/// Prunable, as git says it, and not locked; one without a commit has nothing that could be pinned and stays.
fn is_dead(worktree: &Worktree) -> bool {
    worktree.prunable.is_some() && worktree.locked.is_none() && worktree.head.tip().is_some()
}

fn plan_objects(deck: &Deck) -> Result<Option<GcItem>, Report> {
    let path = deck.repository.private_dir().join("objects");
    let bytes = read_bytes(&path)?;
    let limit = deck.config.objects_size_mb;
    Ok((bytes > limit.saturating_mul(MB)).then(|| GcItem {
        kind: GcKind::Objects,
        what: "the private object store".to_owned(),
        why: format!(
            "it takes {} MB, objects.size_mb is {limit}; all in it is worked out again",
            bytes / MB
        ),
        path,
        bytes,
        operation: None,
        shadows: Vec::new(),
    }))
}

/// Measuring the private object store takes a look at each of its files: not more often than this.
const MEASURE_EVERY: Duration = Duration::from_secs(10 * 60);

/// Keeps the private object store below its size whoever looks, also where nobody ever calls `gc`: all in it can be
/// worked out again. What fails here is tried again next time, and costs space only.
pub fn trim_objects(deck: &Deck) -> Result<(), Report> {
    let measured = deck.store.dir().join("objects-measured");
    let is_recent = std::fs::symlink_metadata(&measured)
        .and_then(|about| about.modified())
        .is_ok_and(|at| at.elapsed().is_ok_and(|age| age < MEASURE_EVERY));
    if is_recent || deck.repository.looking_dir() != deck.repository.private_dir() {
        return Ok(());
    }
    std::fs::write(&measured, "").doing(format!("write {}", measured.display()))?;
    unfinished::drop_private(&deck.repository, unfinished::AGE_MIN)?;
    if plan_objects(deck)?.is_none() {
        return Ok(());
    }
    // A landing under way reads its plan from there: then it is another time's turn.
    let Ok(_lock) = deck.store.lock("trim the object store", Duration::ZERO) else { return Ok(()) };
    if deck.store.journal().read_open()?.is_empty() {
        rebuild_objects(deck, &mut Vec::new())?;
    }
    Ok(())
}

/// Frees what was confirmed, as far as it is still there to be freed.
pub fn carry_out(
    deck: &Deck,
    confirmed: &ConfirmedGc,
    progress: &dyn Fn(Progress),
) -> Result<Freed, Report> {
    if confirmed.plan().items.is_empty() {
        return Ok(Freed { operation: None, items: Vec::new(), warnings: Vec::new() });
    }
    progress(Step::Lock.into());
    let lock = deck.store.lock("gc", WAIT_MAX)?;
    let mut warnings = recover::recover_locked(deck, &lock)?;
    let shown = &confirmed.plan().items;
    let mut items = plan(deck)?.items;
    items.retain(|item| shown.iter().any(|shown| shown.is_same(item)));
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let mut entry = write_intent(deck, &writer, &items)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    progress(Step::Empty.into());
    recover::run(deck, &writer, &mut entry, "")?;
    warnings.append(&mut entry.warnings);
    progress(Step::CleanUp.into());
    for item in &items {
        let failed = match item.kind {
            GcKind::Scratch => carry::remove_tree(&item.path)
                .doing(format!("remove {}", item.path.display()))
                .err(),
            GcKind::Leftover if item.operation.is_none() => carry::remove_tree(&item.path)
                .doing(format!("remove {}", item.path.display()))
                .err(),
            GcKind::Objects => rebuild_objects(deck, &mut warnings).err(),
            GcKind::Trash | GcKind::Leftover | GcKind::Registration => None,
        };
        warnings.extend(failed.map(|report| in_words(&report)));
    }
    Ok(Freed { operation: Some(entry.operation), items, warnings })
}

/// Whether git's words, or ours, name a file of the private object store.
pub fn concerns_store(report: &Report) -> bool {
    let mut told = std::iter::once(&report.headline).chain(&report.causes);
    told.any(|words| words.contains("shadowdeck/objects/"))
}

/// A failure that came of a damaged private object store: the store is made anew, and the report says so. Any other
/// stays as it is.
pub fn mend_store(deck: &Deck, report: Report) -> Report {
    if !concerns_store(&report) {
        return report;
    }
    let mend = || -> Result<bool, Report> {
        if private::find_damage(&deck.repository)?.is_none() {
            return Ok(false);
        }
        let _lock = deck.store.lock("mend the object store", WAIT_OF_READER_MAX)?;
        rebuild_objects(deck, &mut Vec::new())?;
        Ok(true)
    };
    match mend() {
        Ok(true) => report
            .safe("nothing is lost: what the private object store held is worked out again")
            .hint("the store was damaged and has been made anew; run this again"),
        Ok(false) => report,
        Err(failed) => report.cause(failed.headline),
    }
}

/// Makes the private object store anew. What it alone held of a decision that is gone is told.
pub fn rebuild_objects(deck: &Deck, told: &mut Vec<String>) -> Result<(), Report> {
    let contents = deck.store.resolutions().read_contents()?;
    let mut keep = contents.clone();
    // What an undo or a redo would bring back; one that cannot be read keeps the store as it is.
    for (_, entry) in deck.store.journal().read_all()? {
        keep.extend(entry?.decision.iter().flat_map(Decision::contents));
    }
    let lost = private::rebuild(&deck.repository, &keep)?;
    told.extend(lost.iter().filter(|oid| contents.contains(oid)).map(|oid| {
        format!(
            "the content {} that a conflict was resolved with was damaged: resolve it again",
            oid.abbreviated()
        )
    }));
    Ok(())
}

fn in_words(report: &Report) -> String {
    [&[report.headline.clone()][..], &report.causes[..]].concat().join(": ")
}

fn write_intent(
    deck: &Deck,
    writer: &Writer<'_>,
    items: &[GcItem],
) -> Result<JournalEntry, Report> {
    let operation = deck.store.journal().next_operation()?;
    let mut entry = JournalEntry::begin(operation, Verb::Gc);
    entry.empties = items.iter().filter_map(|item| item.operation).collect();
    let registrations = items.iter().filter(|item| item.kind == GcKind::Registration);
    let dead: Vec<Worktree> = registrations
        .flat_map(|item| &item.shadows)
        .filter_map(|id| worktrees::read_one(&deck.repository, id))
        .filter(is_dead)
        .collect();
    let mut pins = Vec::new();
    for (index, worktree) in dead.iter().enumerate() {
        pins.extend(moves::pins_of(deck, worktree, index, None)?);
    }
    let wanted: Vec<Oid> = pins.iter().map(|pin| pin.oid.clone()).collect();
    migrate::migrate(&deck.repository, writer, &wanted)?;
    pins::write(&deck.repository, writer, operation, &pins)?;
    entry.pins = pins.iter().map(|pin| pin.full_name(operation)).collect();
    for worktree in &dead {
        let mut shadow = moves::note(deck, operation, worktree, None, Fate::Trashed)?;
        // Only the registration goes: the branch is not this entry's, so nothing deletes or restores it.
        shadow.branch = None;
        entry.shadows.push(shadow);
    }
    deck.store.journal().write(&entry)?;
    Ok(entry)
}

/// Empties what a confirmed `gc` named. Each step may be done already; what fails is told, and named again next time.
pub(super) fn empty(deck: &Deck, writer: &Writer<'_>, entry: &mut JournalEntry) {
    for operation in entry.empties.clone() {
        if let Err(report) = empty_one(deck, writer, operation, entry.operation) {
            entry.warnings.push(format!("{operation} is not emptied whole: {}", in_words(&report)));
        }
    }
}

fn empty_one(
    deck: &Deck,
    writer: &Writer<'_>,
    operation: OperationId,
    gc: OperationId,
) -> Result<(), Report> {
    let journal = deck.store.journal();
    if let Some(mut emptied) = journal.read(operation)?
        && emptied.emptied_by.is_none()
    {
        emptied.emptied_by = Some(gc);
        journal.write(&emptied)?;
    }
    let trash = deck.store.trash();
    trash.empty(operation).doing(format!("empty {}", trash.dir_of(operation).display()))?;
    pins::delete(&deck.repository, writer, operation)
}
