//! `discard`: what goes to the trash is named first, and all of it goes in one operation.

use std::{fmt::Write, sync::atomic::AtomicBool};

use serde_json::json;

use super::{
    Answer, Context,
    args::DiscardArgs,
    guard::{self, Answered},
};
use crate::{
    ops::{Deck, discard, list, places},
    report::Report,
    review::{DiscardEntry, DiscardPlan, count, visible::visible_str},
    shadow::{RepoPath, ShadowId},
};

pub(super) fn discard(context: &Context, args: &DiscardArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "discarding")?;
    let mut ids = Vec::new();
    for handle in &args.ids {
        ids.push(list::find(&deck, handle, guard::prefixes(context))?);
    }
    if args.stale {
        let fleet = list::read_fleet(&deck, &AtomicBool::new(false))?;
        ids = fleet.rows.into_iter().filter(|row| row.stale.is_some()).map(|row| row.id).collect();
        if ids.is_empty() {
            return Ok(Answer::both(
                "no shadow is stale\n",
                json!({"operation": null, "shadows": [], "warnings": []}),
            ));
        }
    }
    let plan = discard::plan(&deck, &ids)?;
    for id in &ids {
        refuse_named(&deck, id)?;
    }
    refuse_busy(&plan)?;
    guard::confirm(context, Answered::by(&args.yes), &question(&plan))?;
    guard::tell_holder(&deck);
    let discarded = discard::carry_out(&deck, &plan.confirm(&ids), &|_| {})?;
    let mut text = String::new();
    for id in &discarded.shadows {
        let _ = writeln!(text, "{} is in the trash", visible_str(&id.0));
    }
    for warning in &discarded.warnings {
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
    let _ = writeln!(text, "shadowdeck undo {} brings all of it back", discarded.operation);
    let json = json!({
        "operation": discarded.operation.to_string(),
        "shadows": discarded.shadows,
        "warnings": discarded.warnings,
    });
    Ok(Answer::both(text, json))
}

/// With its own code, before anything is asked.
fn refuse_named(deck: &Deck, id: &ShadowId) -> Result<(), Report> {
    let (found, _) = places::find_shadow(deck, id)?;
    discard::find_refusal(deck, &found.worktree)?.map_or(Ok(()), Err)
}

/// `--yes` answers the ordinary question; that an agent is at work in it is another one.
fn refuse_busy(plan: &DiscardPlan) -> Result<(), Report> {
    match plan.entries.iter().find(|entry| !entry.processes.is_empty()) {
        Some(entry) => Err(discard::refuse_busy(&entry.id, &places::named(&entry.processes))),
        None => Ok(()),
    }
}

fn question(plan: &DiscardPlan) -> String {
    let held: Vec<String> = plan.entries.iter().map(held).collect();
    format!("discard {}?", held.join("; "))
}

fn held(entry: &DiscardEntry) -> String {
    let holds = &entry.holds;
    let mut parts = Vec::new();
    if holds.commits > 0 {
        parts.push(format!("{} of its own", count(holds.commits, "commit")));
    }
    for (number, what) in
        [(holds.edited_files, "edited file"), (holds.untracked_files, "untracked file")]
    {
        if number > 0 {
            parts.push(count(number, what));
        }
    }
    let ignored: Vec<String> = holds.ignored.iter().take(5).map(RepoPath::to_lossy).collect();
    if !ignored.is_empty() {
        parts.push(format!("ignored {}", ignored.join(", ")));
    }
    if let Some(elsewhere) = &holds.elsewhere {
        parts.push(elsewhere.clone());
    }
    if parts.is_empty() {
        entry.id.to_string()
    } else {
        format!("{} ({})", entry.id, parts.join(", "))
    }
}
