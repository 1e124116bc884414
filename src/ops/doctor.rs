//! Looks for what is wrong with the repository and every shadow, and says what to do about it. Looking writes
//! nothing; mending does only what can lose nothing: one small file, a line of `info/exclude`, the private object
//! store, an unfinished operation. Whatever else is wrong is the user's to mend, by the remedy that is named.

use std::path::PathBuf;

mod config;

use super::{Deck, exclude, gc, recover};
use crate::{
    git::{
        private, repair, stale_locks,
        worktrees::{self, Worktree, Worktrees},
    },
    report::{Code, Report},
    store::{leftovers::read_bytes, lock::WAIT_MAX},
};

/// Something wrong, in a place, with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: &'static str,
    /// The shadow, file, ref or setting.
    pub place: String,
    pub message: String,
    pub remedy: String,
    mend: Option<Mend>,
}

impl Fault {
    /// Whether `doctor --fix` mends it.
    pub fn is_fixable(&self) -> bool {
        self.mend.is_some()
    }

    fn new(
        code: &'static str,
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            code,
            place: place.into(),
            message: message.into(),
            remedy: remedy.into(),
            mend: None,
        }
    }

    fn mended_by(mut self, mend: Mend) -> Self {
        self.mend = Some(mend);
        self
    }
}

/// What loses nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mend {
    RestoreGitFile(Box<Worktree>),
    FollowMoved { worktree: Box<Worktree>, to: PathBuf },
    Exclude,
    RebuildObjects,
    Recover,
}

/// What was mended, and what is still wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    pub mended: Vec<Fault>,
    pub left: Vec<Fault>,
    pub warnings: Vec<String>,
}

/// Every fault that can be found. What keeps a part from being looked at is a fault itself.
pub fn read_faults(deck: &Deck) -> Result<Vec<Fault>, Report> {
    let worktrees = worktrees::read(&deck.repository)?;
    let mut faults = Vec::new();
    let main = worktrees.main.path.clone().unwrap_or_else(|| deck.repository.common_dir.clone());
    let parts: [Result<Vec<Fault>, Report>; 9] = [
        Ok(worktree_faults(deck, &worktrees)),
        Ok(record_faults(deck, &worktrees.linked)),
        Ok(comment_faults(deck, &worktrees.linked)),
        Ok(config::faults(deck, &worktrees)),
        config::changes(deck),
        lock_faults(deck, &worktrees),
        journal_faults(deck),
        exclude_faults(deck, &worktrees),
        store_faults(deck),
    ];
    for part in parts {
        match part {
            Ok(found) => faults.extend(found),
            Err(report) => faults.push(Fault::new(
                "unreadable",
                main.display().to_string(),
                [&[report.headline][..], &report.causes[..]].concat().join(": "),
                report.hint.unwrap_or_else(|| "mend that first, then look again".to_owned()),
            )),
        }
    }
    Ok(faults)
}

fn worktree_faults(deck: &Deck, worktrees: &Worktrees) -> Vec<Fault> {
    let paths: Vec<PathBuf> =
        worktrees.linked.iter().map(|worktree| worktree.path.clone()).collect();
    let broken = worktrees.linked.iter().filter_map(|worktree| {
        let problem = worktree.problem.as_ref()?;
        Some((worktree, problem))
    });
    broken.map(|(worktree, problem)| worktree_fault(deck, worktree, problem, &paths)).collect()
}

fn worktree_fault(deck: &Deck, worktree: &Worktree, problem: &str, paths: &[PathBuf]) -> Fault {
    let id = worktree.id.0.clone();
    let (message, remedy) =
        problem.split_once("; ").unwrap_or((problem, "mend it with git, then look again"));
    if let Some(to) = repair::find_moved(worktree, paths) {
        let remedy = format!("git worktree repair '{}'", to.display());
        let message = format!("{message}: it was moved to {}", to.display());
        let mend = Mend::FollowMoved { worktree: Box::new(worktree.clone()), to };
        return Fault::new("moved_directory", id, message, remedy).mended_by(mend);
    }
    let code = worktrees::fault_code(&deck.repository, worktree);
    if code == "missing_directory" && worktree.prunable.is_some() {
        return Fault::new(
            "stale_registration",
            id,
            message,
            "bring the directory back, or `shadowdeck gc` puts the registration away; its branch stays",
        );
    }
    let fault = Fault::new(code, id, message, remedy);
    if code == "lost_git_file" {
        fault.mended_by(Mend::RestoreGitFile(Box::new(worktree.clone())))
    } else {
        fault
    }
}

fn record_faults(deck: &Deck, linked: &[Worktree]) -> Vec<Fault> {
    let records = deck.store.records();
    let damaged = linked.iter().filter_map(|worktree| {
        let report = records.read(&worktree.id).err()?;
        let remedy = report.hint.unwrap_or_else(|| "move that file away".to_owned());
        Some(Fault::new("damaged_record", worktree.id.0.clone(), report.headline, remedy))
    });
    damaged.collect()
}

fn comment_faults(deck: &Deck, linked: &[Worktree]) -> Vec<Fault> {
    let sound = linked.iter().filter(|worktree| worktree.problem.is_none());
    let damaged = sound.filter_map(|worktree| {
        let comments = deck.store.comments(&worktree.id, &worktree.admin_dir);
        let report = comments.and_then(|comments| comments.read()).err()?;
        let message = [&[report.headline][..], &report.causes[..]].concat().join(": ");
        let remedy = report.hint.unwrap_or_else(|| {
            "make that file readable, or move it away and the comments start anew".to_owned()
        });
        Some(Fault::new("damaged_comments", worktree.id.0.clone(), message, remedy))
    });
    damaged.collect()
}

fn lock_faults(deck: &Deck, worktrees: &Worktrees) -> Result<Vec<Fault>, Report> {
    let files = repair::read_lock_files(&deck.repository, &worktrees.linked)?;
    let mut faults = Vec::new();
    for file in files {
        let Some(age) = stale_locks::age_if_unused(&deck.repository, &file) else { continue };
        let place = file.display().to_string();
        faults.push(Fault::new(
            "stale_lock",
            place.clone(),
            format!("a lock file {} s old, and no git is at work here: git refuses to write while it is there", age.as_secs()),
            format!("if no git runs anywhere on this repository: rm '{place}'"),
        ));
    }
    Ok(faults)
}

fn journal_faults(deck: &Deck) -> Result<Vec<Fault>, Report> {
    let mut faults = Vec::new();
    for (operation, entry) in deck.store.journal().read_all()? {
        match entry {
            Err(report) => faults.push(Fault::new(
                "damaged_journal",
                operation.to_string(),
                [&[report.headline][..], &report.causes[..]].concat().join(": "),
                report.hint.unwrap_or_else(|| "look at that file".to_owned()),
            )),
            Ok(entry) if entry.phase.is_open() && !entry.process.is_alive() => {
                let message = format!("{} was cut short and is not settled", entry.verb.as_str());
                let remedy =
                    "shadowdeck doctor --fix finishes or takes it back, or says what is in its way";
                let fault =
                    Fault::new("unfinished_operation", operation.to_string(), message, remedy);
                faults.push(fault.mended_by(Mend::Recover));
            }
            Ok(_) => {}
        }
    }
    Ok(faults)
}

fn exclude_faults(deck: &Deck, worktrees: &Worktrees) -> Result<Vec<Fault>, Report> {
    let shown = exclude::find_shown(deck, worktrees)?;
    let faults = shown.iter().map(|path| {
        Fault::new(
            "not_excluded",
            path.display().to_string(),
            "a worktree inside the workspace shows there as untracked, and `git add` would take it for a submodule",
            "shadowdeck doctor --fix adds a line for it to the repository's info/exclude",
        )
        .mended_by(Mend::Exclude)
    });
    Ok(faults.collect())
}

fn store_faults(deck: &Deck) -> Result<Vec<Fault>, Report> {
    let mut faults = Vec::new();
    let trash = deck.store.dir().join("trash");
    let (held, limit) = (read_bytes(&trash)?, deck.config.trash_size_mb);
    if held > limit.saturating_mul(gc::MB) {
        faults.push(Fault::new(
            "trash_full",
            trash.display().to_string(),
            format!("the trash holds {} MB, trash.size_mb is {limit}", held / gc::MB),
            "shadowdeck gc --dry-run names what would go, shadowdeck gc empties it",
        ));
    }
    let objects = deck.repository.private_dir().join("objects");
    let place = objects.display().to_string();
    if let Some(why) = private::find_damage(&deck.repository)? {
        let remedy = "shadowdeck doctor --fix makes it anew: all in it is worked out again";
        faults.push(
            Fault::new(
                "objects_damaged",
                place.clone(),
                format!("the private object store is damaged: {why}"),
                remedy,
            )
            .mended_by(Mend::RebuildObjects),
        );
    }
    let (held, limit) = (read_bytes(&objects)?, deck.config.objects_size_mb);
    if held > limit.saturating_mul(gc::MB) {
        let message = format!(
            "the private object store takes {} MB, objects.size_mb is {limit}",
            held / gc::MB
        );
        let remedy = "shadowdeck gc makes it anew: all in it is worked out again";
        faults.push(
            Fault::new("objects_full", place, message, remedy).mended_by(Mend::RebuildObjects),
        );
    }
    Ok(faults)
}

/// Mends what loses nothing, under the lock, and looks again.
pub fn fix(deck: &Deck) -> Result<Mended, Report> {
    let found = read_faults(deck)?;
    if !found.iter().any(Fault::is_fixable) {
        return Ok(Mended { left: found, ..Mended::default() });
    }
    let lock = deck.store.lock("doctor", WAIT_MAX)?;
    let mut warnings = Vec::new();
    // An unfinished operation may have made the rest: it comes first, and the rest is looked at anew.
    if found.iter().any(|fault| fault.mend == Some(Mend::Recover)) {
        warnings.extend(recover::recover_locked(deck, &lock)?);
    }
    let mut tried: Vec<Mend> = vec![Mend::Recover];
    for fault in read_faults(deck)? {
        let Some(mend) = fault.mend.filter(|mend| !tried.contains(mend)) else { continue };
        if let Err(report) = carry_out(deck, &mend, &mut warnings) {
            warnings.push([&[report.headline][..], &report.causes[..]].concat().join(": "));
        }
        tried.push(mend);
    }
    let left = read_faults(deck)?;
    let is_left =
        |fault: &Fault| left.iter().any(|one| (one.code, &one.place) == (fault.code, &fault.place));
    let mended = found.into_iter().filter(|fault| !is_left(fault)).collect();
    Ok(Mended { mended, left, warnings })
}

fn carry_out(deck: &Deck, mend: &Mend, told: &mut Vec<String>) -> Result<(), Report> {
    match mend {
        Mend::RestoreGitFile(worktree) => repair::restore_git_file(worktree),
        Mend::FollowMoved { worktree, to } => repair::follow_moved(worktree, to),
        Mend::Exclude => exclude::write(deck),
        Mend::RebuildObjects => gc::rebuild_objects(deck, told),
        Mend::Recover => Err(Report::user(Code::WrongState, "that is settled first")),
    }
}
