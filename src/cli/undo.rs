//! `undo`: what it would take back is said first.

use std::fmt::Write;

use serde_json::json;

use super::{
    Answer, Context,
    args::UndoArgs,
    discard::parse_operation,
    guard::{self, Answered},
};
use crate::{
    ops::undo,
    report::Report,
    review::{UndoPlan, visible::visible_str},
    shadow::ShadowId,
};

pub(super) fn undo(context: &Context, args: &UndoArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "undoing")?;
    let operation = args.operation.as_deref().map(parse_operation).transpose()?;
    let plan = undo::plan(&deck, operation)?;
    guard::confirm(context, Answered::by(&args.yes), &question(&plan))?;
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

fn question(plan: &UndoPlan) -> String {
    format!("take back {}?", what(plan))
}

fn what(plan: &UndoPlan) -> String {
    let mut text = format!("{} of {}", plan.verb, names(&plan.shadows));
    if let (Some(target), Some(from), Some(to)) = (&plan.target, &plan.from, &plan.to) {
        let _ = write!(text, ", {target} {} → {}", from.abbreviated(), to.abbreviated());
    }
    text
}

pub(super) fn names(shadows: &[ShadowId]) -> String {
    shadows.iter().map(|id| id.0.as_str()).collect::<Vec<_>>().join(", ")
}
