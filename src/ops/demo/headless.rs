//! The demo without a terminal: list, one diff, a landing, a discard, both taken back, and the proof
//! that the repository is then what it was. Any deviation is an error.

use std::{io::Write, sync::atomic::AtomicBool};

use super::{build, temporary::Temporary, traces::Traces};
use crate::{
    config::Config,
    ops::{Deck, diff, discard, land, list, undo},
    report::{Blame, Code, Doing, Report},
    review::{
        Fleet, Format, LandOptions, Row, Verdict, count,
        visible::{visible_lines, visible_str},
    },
    shadow::{OperationId, ShadowId},
};

/// The shadow that is landed: clean, two commits.
const LANDED: &str = "probe-timeouts";
/// The shadow that is discarded: stale, with an untracked and an ignored file.
const DISCARDED: &str = "old-charts";
/// Fewer shadows than this are not the demo that was built.
const SHADOWS_MIN: usize = 8;

/// Does it all in a temporary directory and says so on `out`.
pub fn headless(out: &mut dyn Write) -> Result<(), Report> {
    let place = Temporary::new()?;
    let told = tell(&place, out);
    let removed = place.remove();
    told?;
    removed?;
    line(out, "removed what was made")
}

fn tell(place: &Temporary, out: &mut dyn Write) -> Result<(), Report> {
    let repository = build(place.path())?;
    line(out, &format!("a repository at {}", repository.display()))?;
    let deck = Deck::open(&repository, Config::default())?;
    let before = Traces::read(&repository)?;

    let fleet = list::read_fleet(&deck, &AtomicBool::new(false))?;
    show(&fleet, out)?;
    let patch = diff::read_text(&deck, &id(DISCARDED), Format::Patch)?;
    line(out, &format!("\nthe change of {DISCARDED}:\n{}", visible_lines(&patch)))?;
    unchanged(&before, &Traces::read(&repository)?, "looking")?;
    line(out, "looking changed nothing")?;

    let landing = land_one(&deck, out)?;
    let discarding = discard_one(&deck, out)?;
    take_back(&deck, discarding, out)?;
    take_back(&deck, landing, out)?;

    let after = Traces::read(&repository)?;
    unchanged(&before, &after, "landing, discarding and undoing both")?;
    let all = after.count();
    line(
        out,
        &format!(
            "everything is as it was: branches and tags, the list of worktrees, every index and every \
             file were compared, {all} things in all"
        ),
    )
}

fn show(fleet: &Fleet, out: &mut dyn Write) -> Result<(), Report> {
    if fleet.rows.len() < SHADOWS_MIN {
        return Err(deviation(format!("only {} shadows are listed", fleet.rows.len())));
    }
    line(out, &format!("\n{} shadows, newest activity first:", fleet.rows.len()))?;
    for row in &fleet.rows {
        line(out, &row_text(row))?;
    }
    Ok(())
}

fn row_text(row: &Row) -> String {
    let stats = row.stats.map_or_else(
        || "not read".to_owned(),
        |stats| {
            format!(
                "{} +{} −{}",
                count(stats.files_changed, "file"),
                stats.insertions,
                stats.deletions
            )
        },
    );
    let mut notes = Vec::new();
    notes.extend(row.stale.map(|why| format!("stale: {}", why.as_str())));
    notes.extend(row.locked.as_ref().map(|why| format!("locked: {why}")));
    notes.extend(row.branch.is_none().then(|| "detached".to_owned()));
    notes.extend((row.dirty == Some(true)).then(|| "uncommitted work".to_owned()));
    notes.extend(
        (row.verdict == Verdict::Conflicts).then(|| count(row.conflicts.len(), "conflict file")),
    );
    notes.extend(row.problem.clone());
    let id = visible_str(&row.id.0);
    let text = visible_str(&format!(
        "  {id:<38} {:<9} {stats:<22} {}",
        row.verdict.as_str(),
        notes.join(", ")
    ));
    text.trim_end().to_owned()
}

fn land_one(deck: &Deck, out: &mut dyn Write) -> Result<OperationId, Report> {
    let plan = land::plan(deck, &id(LANDED), &LandOptions::default(), &AtomicBool::new(false))?;
    let landing = land::carry_out(deck, &plan.confirm(), &|_| {})?;
    let plan = &landing.plan;
    let (before, after) = (plan.before.abbreviated(), plan.after.abbreviated());
    line(
        out,
        &format!(
            "landed {LANDED} on {} by {}: {before} is now {after}, {} +{} −{}",
            plan.target,
            plan.strategy.as_str(),
            count(plan.stats.files_changed, "file"),
            plan.stats.insertions,
            plan.stats.deletions
        ),
    )?;
    if landing.cleaned_up {
        Ok(landing.operation)
    } else {
        Err(deviation(format!("{LANDED} was not cleaned up")))
    }
}

fn discard_one(deck: &Deck, out: &mut dyn Write) -> Result<OperationId, Report> {
    let shadow = id(DISCARDED);
    let plan = discard::plan(deck, std::slice::from_ref(&shadow))?;
    let discarded =
        discard::carry_out(deck, &plan.confirm(std::slice::from_ref(&shadow)), &|_| {})?;
    if discarded.shadows != [shadow] {
        return Err(deviation(format!("{DISCARDED} was not discarded")));
    }
    line(out, &format!("discarded {DISCARDED}, with what it held uncommitted and ignored"))?;
    Ok(discarded.operation)
}

fn take_back(deck: &Deck, operation: OperationId, out: &mut dyn Write) -> Result<(), Report> {
    let plan = undo::plan(deck, Some(operation))?;
    let undone = undo::carry_out(deck, &plan.confirm(), &|_| {})?;
    line(out, &format!("took back the {} {operation}", undone.plan.verb))
}

fn unchanged(before: &Traces, after: &Traces, what: &str) -> Result<(), Report> {
    let differences = before.differences(after);
    if differences.is_empty() {
        return Ok(());
    }
    Err(deviation(format!("{what} left a difference")).detail("differences", differences))
}

fn deviation(headline: String) -> Report {
    Report::new(Code::Io, Blame::Bug, headline)
        .safe("this was a throw-away repository: nothing of yours was touched")
        .hint("please report it")
}

fn id(text: &str) -> ShadowId {
    ShadowId(text.to_owned())
}

fn line(out: &mut dyn Write, text: &str) -> Result<(), Report> {
    writeln!(out, "{text}").doing("write to the output")
}
