//! The list: every linked worktree as a row, the broken ones with their problem. Looking writes nothing
//! outside the private directory, and starts no process for a shadow in which nothing changed.

mod batch;
mod facts;
mod flags;
mod known;
mod remembered;
mod row;
pub(super) mod sides;
mod told;

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    Deck,
    ground::{Ground, Place, check},
    processes::Processes,
    radar, target, trust,
};
use crate::{
    git::{diff::Comparisons, private, worktrees::Head},
    report::{Code, Report},
    review::{Fleet, Row, Watch},
    shadow::{ShadowId, convention, handle},
    store::{Cache, journal::now_ms},
};
use facts::Facts;
pub(super) use flags::read as read_flags;
pub(super) use known::read_change;
use told::Teller;

/// Shadows are read so many at a time: more would only wait for the same disk.
const SHADOWS_AT_ONCE: usize = 2;

/// The id that the main worktree is listed under: git gives it none, and no directory is named so.
const MAIN_ID: &str = "(main)";

/// Names and places only: one cheap step.
pub fn read_places(deck: &Deck) -> Result<Fleet, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let rows = ground.shadows().map(|place| row::begin(&ground, place)).collect();
    Ok(fleet(deck, &ground, rows, Rows::Named))
}

/// The whole list, most recently active first.
pub fn read_fleet(deck: &Deck, cancel: &AtomicBool) -> Result<Fleet, Report> {
    timed(|| {
        let ground = Ground::read(deck, cancel)?;
        let shadows: Vec<&Place> = ground.shadows().collect();
        let read = read_whole(deck, &ground, &Asked::quietly(&shadows, cancel))?;
        Ok(fleet(deck, &ground, read.rows, Rows::Whole))
    })
}

/// The same; tells what is known by then every so often.
pub fn read_fleet_told(deck: &Deck, watch: Watch<'_>, every: Duration) -> Result<Fleet, Report> {
    timed(|| {
        let ground = Ground::read(deck, watch.stop)?;
        let shadows: Vec<&Place> = ground.shadows().collect();
        let teller = Teller::new(deck, &ground, watch, every);
        let asked = Asked { teller: Some(&teller), ..Asked::quietly(&shadows, watch.stop) };
        let read = read_whole(deck, &ground, &asked)?;
        Ok(meeting(deck, &ground, read))
    })
}

/// The whole list, with what is remembered of how its shadows meet.
pub fn read_fleet_meeting(deck: &Deck, cancel: &AtomicBool) -> Result<Fleet, Report> {
    timed(|| {
        let ground = Ground::read(deck, cancel)?;
        let shadows: Vec<&Place> = ground.shadows().collect();
        let read = read_whole(deck, &ground, &Asked::quietly(&shadows, cancel))?;
        Ok(meeting(deck, &ground, read))
    })
}

/// With what reading it took.
fn timed(read: impl FnOnce() -> Result<Fleet, Report>) -> Result<Fleet, Report> {
    let began = Instant::now();
    let fleet = read()?;
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Fleet { took_ms, ..fleet })
}

fn meeting(deck: &Deck, ground: &Ground, read: Looked) -> Fleet {
    let met = radar::remembered(deck, &sides::of(deck, ground, read.facts));
    Fleet { met, ..fleet(deck, ground, read.rows, Rows::Whole) }
}

fn read_whole(deck: &Deck, ground: &Ground, asked: &Asked<'_>) -> Result<Looked, Report> {
    // It costs space only, and the next list tries again.
    let _ = super::gc::trim_objects(deck);
    thread::scope(|scope| {
        // It waits for the disk, and reading rows for the processors.
        scope.spawn(|| trust::note_first_sights(deck, ground));
        read_rows(deck, ground, asked)
    })
}

/// Rows in the list's order, and what they were made from.
struct Looked {
    rows: Vec<Row>,
    facts: Vec<Facts>,
}

/// Which shadows, and who waits for them.
struct Asked<'a> {
    shadows: &'a [&'a Place],
    cancel: &'a AtomicBool,
    teller: Option<&'a Teller<'a>>,
}

impl<'a> Asked<'a> {
    fn quietly(shadows: &'a [&'a Place], cancel: &'a AtomicBool) -> Self {
        Self { shadows, cancel, teller: None }
    }
}

/// One row of it, read fresh.
pub fn read_row(deck: &Deck, id: &ShadowId, cancel: &AtomicBool) -> Result<Row, Report> {
    let ground = Ground::read(deck, cancel)?;
    let place = ground.find(id)?;
    let mut row = read_rows(deck, &ground, &Asked::quietly(&[place], cancel))?
        .rows
        .pop()
        .ok_or_else(|| Report::user(Code::NotFound, format!("there is no shadow {id}")))?;
    if ground.is_target(place) {
        convention::TARGET.clone_into(&mut row.convention);
    }
    Ok(row)
}

/// These rows, read fresh in one go, in the list's order. One that is no shadow is not among them.
pub fn read_some(deck: &Deck, ids: &[ShadowId], cancel: &AtomicBool) -> Result<Vec<Row>, Report> {
    let ground = Ground::read(deck, cancel)?;
    let asked: Vec<&Place> =
        ground.shadows().filter(|place| ids.contains(&place.worktree.id)).collect();
    Ok(read_rows(deck, &ground, &Asked::quietly(&asked, cancel))?.rows)
}

/// A problem of reading, none of the worktree's own, may come of objects of ours that a crash left empty: then they
/// are dropped, and all is read once more.
fn read_rows(deck: &Deck, ground: &Ground, asked: &Asked<'_>) -> Result<Looked, Report> {
    let looked = read_rows_once(deck, ground, asked)?;
    let is_sound = |row: &Row| {
        asked.shadows.iter().any(|one| one.worktree.id == row.id && one.worktree.problem.is_none())
    };
    let has_failed = looked.rows.iter().any(|row| row.problem.is_some() && is_sound(row));
    if has_failed && private::drop_empty(&deck.repository)? > 0 {
        return read_rows_once(deck, ground, asked);
    }
    Ok(looked)
}

fn read_rows_once(deck: &Deck, ground: &Ground, asked: &Asked<'_>) -> Result<Looked, Report> {
    let cache = &cache(deck);
    let mut facts = read_side_by_side(asked, || {
        let mut comparisons = Comparisons::new(&deck.repository);
        move |place: &Place| Facts::read(deck, ground, place, cache, &mut comparisons)
    })?;
    batch::fill_merges(deck, &mut facts);
    check(asked.cancel)?;
    batch::fill_landed(deck, &mut facts);
    check(asked.cancel)?;
    let processes = Processes::read();
    let now = now_ms();
    let mut rows = Vec::with_capacity(facts.len());
    for fact in &facts {
        fact.keep(cache);
        rows.push(row::finish(deck, ground, fact, &processes, now));
    }
    rows.sort_by(|one, other| {
        other.last_activity_ms.cmp(&one.last_activity_ms).then_with(|| one.id.cmp(&other.id))
    });
    Ok(Looked { rows, facts })
}

/// The worktrees that are not shadows: the main one, and those that have a target checked out.
pub fn read_targets(deck: &Deck) -> Result<Vec<Row>, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let mut rows = Vec::new();
    if let Some(path) = &ground.main.path {
        let mut main = Row::unread(ShadowId(MAIN_ID.to_owned()), path.clone());
        main.branch = ground.main.head.branch().cloned();
        main.tip = ground.main.head.tip().cloned();
        convention::TARGET.clone_into(&mut main.convention);
        if let Head::Unreadable { why } = &ground.main.head {
            main.problem = Some(why.clone());
        }
        rows.push(main);
    }
    for place in ground.places.iter().filter(|place| ground.is_target(place)) {
        let mut row = row::begin(&ground, place);
        convention::TARGET.clone_into(&mut row.convention);
        row.target = None;
        rows.push(row);
    }
    Ok(rows)
}

/// The worktree that a person means.
pub fn find(deck: &Deck, handle: &str, prefixes: handle::Prefixes) -> Result<ShadowId, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let named: Vec<handle::Named<'_>> = ground
        .places
        .iter()
        .map(|place| handle::Named {
            id: &place.worktree.id,
            branch: place.worktree.head.branch(),
            path: &place.worktree.path,
        })
        .collect();
    let as_path = deck.repository.start_dir.join(handle);
    let as_path = as_path.canonicalize().unwrap_or(as_path);
    let found = match handle::find(handle, &named, prefixes) {
        handle::Found::Nothing => find_path(&as_path, &named),
        found => found,
    };
    let id = |index: usize| named[index].id.clone();
    match found {
        handle::Found::One(index) => Ok(id(index)),
        handle::Found::Several(indexes) => {
            let candidates: Vec<String> = indexes.into_iter().map(|index| id(index).0).collect();
            Err(Report::user(
                Code::Ambiguous,
                format!("{handle} fits {}", candidates.join(" and ")),
            )
            .unchanged()
            .hint("name one by its whole id")
            .detail("candidates", candidates))
        }
        handle::Found::Nothing => Err(not_found(handle, &named)),
    }
}

/// A beginning that would do on a terminal is told as one.
fn not_found(handle: &str, named: &[handle::Named<'_>]) -> Report {
    let begun = match handle::find(handle, named, handle::Prefixes::Taken) {
        handle::Found::Nothing => Vec::new(),
        handle::Found::One(index) => vec![index],
        handle::Found::Several(indexes) => indexes,
    };
    let begun: Vec<&str> = begun.into_iter().map(|index| named[index].id.0.as_str()).collect();
    let (headline, hint) = if handle.is_empty() {
        ("the name of the shadow is empty".to_owned(), "`shadowdeck list` names the shadows")
    } else if begun.is_empty() {
        (format!("there is no shadow `{handle}`"), "`shadowdeck list` names them")
    } else {
        (
            format!("`{handle}` is only the beginning of {}", begun.join(" and ")),
            "write it whole: a beginning is enough on a terminal only, where its whole name is shown before anything is done",
        )
    };
    Report::user(Code::NotFound, headline).unchanged().hint(hint).detail("id", handle)
}

fn find_path(path: &Path, named: &[handle::Named<'_>]) -> handle::Found {
    let fits = |named: &handle::Named<'_>| {
        named.path == path || named.path.canonicalize().is_ok_and(|canonical| canonical == path)
    };
    named.iter().position(fits).map_or(handle::Found::Nothing, handle::Found::One)
}

/// Where what was worked out is remembered; away from the store where that cannot be written.
fn cache(deck: &Deck) -> Cache {
    Cache::new(deck.repository.looking_dir().join("cache"))
}

/// Each thread has a reader of its own.
fn read_side_by_side<R: FnMut(&Place) -> Facts>(
    asked: &Asked<'_>,
    reader: impl Fn() -> R + Sync,
) -> Result<Vec<Facts>, Report> {
    let Asked { shadows, cancel, teller } = *asked;
    let next = AtomicUsize::new(0);
    let read: Mutex<Vec<(usize, Facts)>> = Mutex::new(Vec::with_capacity(shadows.len()));
    thread::scope(|scope| {
        for _ in 0..SHADOWS_AT_ONCE.min(shadows.len()) {
            scope.spawn(|| {
                let mut read_one = reader();
                while let Some((index, place)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    shadows.get(index).map(|place| (index, *place))
                } {
                    if cancel.load(Ordering::Relaxed) {
                        return;
                    }
                    let facts = read_one(place);
                    let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
                    read.push((index, facts));
                    if let Some(teller) = teller {
                        teller.tell(&read, shadows.len());
                    }
                }
            });
        }
    });
    check(cancel)?;
    let mut read = read.into_inner().unwrap_or_else(PoisonError::into_inner);
    read.sort_by_key(|(index, _)| *index);
    Ok(read.into_iter().map(|(_, facts)| facts).collect())
}

fn fleet(deck: &Deck, ground: &Ground, rows: Vec<Row>, rows_are: Rows) -> Fleet {
    // No target is said by the rows, each of which has that problem.
    let target_tip =
        target::find_tip(deck, ground.default_target.as_ref()).ok().map(|(_, tip)| tip);
    let open_comments = match rows_are {
        Rows::Named => std::collections::BTreeMap::new(),
        Rows::Whole => super::notes::read_open(deck, ground),
    };
    Fleet {
        name: name_of(ground.main.path.as_deref().unwrap_or(&deck.repository.common_dir)),
        target: ground.default_target.clone(),
        target_tip,
        rows,
        open_comments,
        met: None,
        complete: rows_are == Rows::Whole,
        read_at_ms: now_ms(),
        took_ms: 0,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Names and places.
    Named,
    Whole,
}

/// The directory with its parent's name: `acme/api`.
fn name_of(dir: &Path) -> String {
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned())
    };
    match (name(dir.parent()), name(Some(dir))) {
        (Some(parent), Some(own)) => format!("{parent}/{own}"),
        (None, Some(own)) => own,
        _ => dir.display().to_string(),
    }
}
