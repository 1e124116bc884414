//! `demo`: a throw-away repository with a shadow in every state; the cockpit on it, or a walk through it
//! without a terminal. Whatever happens, the directory that it made is removed at the end.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde_json::json;

use super::{Answer, Cockpit, Context, args::DemoArgs, reading};
use crate::{
    ops::{Deck, demo, diff, diff::Format, discard, land, list, undo},
    report::{Code, Doing, Report},
    review::{Fleet, LandOptions, Row, Verdict, visible},
    shadow::{OperationId, ShadowId},
};

/// How much of the one diff is printed.
const DIFF_LINES_MAX: usize = 24;

pub(super) fn run(context: &Context, args: &DemoArgs, cockpit: &Cockpit) -> Result<Answer, Report> {
    if !args.headless && (!context.has_terminal || context.json) {
        return Err(Report::user(Code::NeedsTerminal, "the demo's cockpit needs a terminal")
            .hint("`shadowdeck demo --headless` walks through it without one"));
    }
    let dir = std::env::temp_dir().join(format!("shadowdeck-demo-{}", ulid::Ulid::generate()));
    fs::create_dir(&dir).doing(format!("make {}", dir.display()))?;
    let outcome = demo::build(&dir).and_then(|repository| {
        let deck = Deck::open(&repository, context.config.clone())?;
        if args.headless {
            walk_through(&deck, &dir)
        } else {
            cockpit(deck, &context.faults).map(|()| Answer::Nothing)
        }
    });
    let removed = fs::remove_dir_all(&dir).doing(format!("remove {}", dir.display()));
    let answer = outcome?;
    removed?;
    Ok(answer)
}

/// List, one diff, a landing, a discard, both taken back; then everything must be as it was.
fn walk_through(deck: &Deck, dir: &Path) -> Result<Answer, Report> {
    let cancel = AtomicBool::new(false);
    let before = list::read_fleet(deck, &cancel)?;
    let files_before = fingerprint(dir)?;
    let mut text = format!("{}\n", reading::fleet_text(&before));

    let landing = pick(&before, |row| row.verdict == Verdict::Clean && row.branch.is_some())?;
    let discarding = pick(&before, |row| {
        row.id != landing && matches!(row.verdict, Verdict::Clean | Verdict::Conflicts)
    })?;
    let patch = diff::read_text(deck, &landing, Format::Patch)?;
    text.push_str(&excerpt(&patch));

    let landed = {
        let plan = land::plan(deck, &landing, &LandOptions::default(), &cancel)?;
        land::carry_out(deck, &plan.confirm(), &|_| {})?
    };
    text.push_str(&format!(
        "landed {} on {} by {}: {} → {}\n",
        visible::visible_str(&landing.0),
        landed.plan.target,
        landed.plan.strategy.as_str(),
        landed.plan.before.abbreviated(),
        landed.plan.after.abbreviated(),
    ));
    let ids = [discarding.clone()];
    let discarded = discard::carry_out(deck, &discard::plan(deck, &ids)?.confirm(&ids), &|_| {})?;
    text.push_str(&format!("discarded {}\n", visible::visible_str(&discarding.0)));
    for operation in [discarded.operation, landed.operation] {
        take_back(deck, operation)?;
        text.push_str(&format!("took back {operation}\n"));
    }

    let after = list::read_fleet(deck, &cancel)?;
    refuse_difference(&facts(&before), &facts(&after), "the list")?;
    refuse_difference(&files_before, &fingerprint(dir)?, "the files")?;
    text.push_str("everything is as it was; the demo's directory is removed\n");
    Ok(Answer::both(
        text,
        json!({
            "shadows": before.rows.len(),
            "landed": landing,
            "discarded": discarding,
            "undone": [discarded.operation, landed.operation],
        }),
    ))
}

fn pick(fleet: &Fleet, fits: impl Fn(&Row) -> bool) -> Result<ShadowId, Report> {
    fleet
        .rows
        .iter()
        .filter(|row| row.locked.is_none() && row.problem.is_none() && row.dirty == Some(true))
        .chain(fleet.rows.iter().filter(|row| row.locked.is_none() && row.problem.is_none()))
        .find(|row| fits(row))
        .map(|row| row.id.clone())
        .ok_or_else(|| unexpected("the demo has no shadow of the kind that it shows"))
}

fn take_back(deck: &Deck, operation: OperationId) -> Result<(), Report> {
    let plan = undo::plan(deck, Some(operation))?;
    undo::carry_out(deck, &plan.confirm(), &|_| {}).map(drop)
}

fn excerpt(patch: &[u8]) -> String {
    let shown = visible::visible_lines(patch);
    let mut lines = shown.lines();
    let mut text: String =
        lines.by_ref().take(DIFF_LINES_MAX).map(|line| format!("{line}\n")).collect();
    let left = lines.count();
    if left > 0 {
        text.push_str(&format!("… {left} more lines\n"));
    }
    text.push('\n');
    text
}

/// What of each row must come back: not the times, which undoing touches.
fn facts(fleet: &Fleet) -> BTreeMap<String, String> {
    let fact = |row: &Row| {
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            row.branch, row.tip, row.snapshot, row.verdict, row.dirty, row.locked
        )
    };
    let mut facts: BTreeMap<String, String> =
        fleet.rows.iter().map(|row| (row.id.0.clone(), fact(row))).collect();
    facts.insert("the target".to_owned(), format!("{:?}", fleet.target_tip));
    facts
}

type Fingerprint = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// Every file below `dir` with its mode and bytes; the repository's own directory is left out.
fn fingerprint(dir: &Path) -> Result<Fingerprint, Report> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).doing(format!("read {}", dir.display()))? {
            let path = entry.doing(format!("read {}", dir.display()))?.path();
            let what = || format!("read {}", path.display());
            let about = fs::symlink_metadata(&path).doing(what())?;
            if about.is_dir() {
                if path.file_name().is_none_or(|name| name != ".git") {
                    open.push(path);
                }
                continue;
            }
            let content = if about.is_symlink() {
                let link = fs::read_link(&path).doing(what())?;
                link.into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).doing(what())?
            };
            found.insert(path, (about.permissions().mode(), content));
        }
    }
    Ok(found)
}

fn refuse_difference<K: Ord + std::fmt::Debug, V: PartialEq>(
    before: &BTreeMap<K, V>,
    after: &BTreeMap<K, V>,
    what: &str,
) -> Result<(), Report> {
    let differing = before
        .keys()
        .chain(after.keys())
        .find(|key| before.get(key) != after.get(key))
        .map(|key| format!("{key:?}"));
    match differing {
        None => Ok(()),
        Some(key) => Err(unexpected(&format!("{what} differ after undoing, first at {key}"))),
    }
}

fn unexpected(what: &str) -> Report {
    Report::new(Code::GitFailed, crate::report::Blame::Bug, what.to_owned())
        .hint("nothing of yours was touched; please report it")
}
