//! `undo` and `redo`: what they would do is said first.

use std::fmt::Write;

use serde_json::json;

use super::{
    Answer, Context,
    args::{RedoArgs, UndoArgs},
    guard::{self, Answered},
};
use crate::{
    ops::{log, redo, undo},
    report::Report,
    review::{Chosen, RedoPlan, UndoPlan, visible::visible_str},
    shadow::{BranchName, Oid, ShadowId},
};

pub(super) fn undo(context: &Context, args: &UndoArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "undoing")?;
    let operation =
        args.operation.as_deref().map(|name| log::find_operation(&deck, name)).transpose()?;
    let plan = undo::plan(&deck, operation)?;
    guard::confirm(context, Answered::by(&args.yes), &question(&plan))?;
    guard::tell_holder(&deck);
    let undone = undo::carry_out(&deck, &plan.confirm(), &|_| {})?;
    let mut text = format!("took back: {}\n", visible_str(&what(&undone.plan)));
    for warning in &undone.warnings {
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
    let json = json!({
        "operation": undone.operation.to_string(),
        "undone": undone.plan.operation.to_string(),
        "shadows": undone.plan.shadows,
        "target": undone.plan.target,
        "before": undone.plan.from,
        "after": undone.plan.to,
        "warnings": undone.warnings,
    });
    Ok(Answer::both(text, json))
}

pub(super) fn redo(context: &Context, args: &RedoArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "redoing")?;
    let plan = redo::plan(&deck)?;
    let words = |plan: &RedoPlan| {
        let target = plan.target.as_ref();
        let moves = target.zip(plan.from.as_ref()).zip(plan.to.as_ref());
        moved(&plan.verb, &plan.shadows, moves, plan.chosen.as_ref())
    };
    let question = format!("do again: {}?", words(&plan));
    guard::confirm(context, Answered::by(&args.yes), &question)?;
    let redone = redo::carry_out(&deck, &plan.confirm(), &|_| {})?;
    let mut text = format!("did again: {}\n", visible_str(&words(&redone.plan)));
    for warning in &redone.warnings {
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
    let json = json!({
        "operation": redone.operation.to_string(),
        "redone": redone.plan.redone.map(|operation| operation.to_string()),
        "shadows": redone.plan.shadows,
        "target": redone.plan.target,
        "before": redone.plan.from,
        "after": redone.plan.to,
        "warnings": redone.warnings,
    });
    Ok(Answer::both(text, json))
}

fn question(plan: &UndoPlan) -> String {
    let goes = plan.trashed.as_ref().map(|holds| {
        format!(" (the whole shadow goes to the trash: {}; `redo` brings it back)", holds.words())
    });
    format!("take back {}{}?", what(plan), goes.unwrap_or_default())
}

fn what(plan: &UndoPlan) -> String {
    let target = plan.target.as_ref();
    let moves = target.zip(plan.from.as_ref()).zip(plan.to.as_ref());
    moved(&plan.verb, &plan.shadows, moves, plan.chosen.as_ref())
}

/// `land of one, main 1111111 → 2222222`, `resolve of one, src/a.rs: open again`
fn moved(
    verb: &str,
    shadows: &[ShadowId],
    target: Option<((&BranchName, &Oid), &Oid)>,
    chosen: Option<&Chosen>,
) -> String {
    let mut text = format!("{verb} of {}", names(shadows));
    if let Some(((target, from), to)) = target {
        // Writing to a String cannot fail.
        let _ = write!(text, ", {target} {} → {}", from.abbreviated(), to.abbreviated());
    }
    if let Some(Chosen { path, words }) = chosen {
        let _ = write!(text, ", {}: {words}", path.to_lossy());
    }
    text
}

pub(super) fn names(shadows: &[ShadowId]) -> String {
    shadows.iter().map(|id| id.0.as_str()).collect::<Vec<_>>().join(", ")
}
