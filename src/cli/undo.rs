//! `undo` and `log`.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{
    Answer, Context,
    args::UndoArgs,
    discard::parse_operation,
    guard::{self, Answered},
    table,
};
use crate::{
    ops::{log, undo},
    report::Report,
    review::{LogEntry, UndoPlan, visible::visible_str},
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

fn names(shadows: &[ShadowId]) -> String {
    shadows.iter().map(|id| id.0.as_str()).collect::<Vec<_>>().join(", ")
}

pub(super) fn log(context: &Context) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let entries = log::read_log(&deck)?;
    let operations: Vec<Value> = entries.iter().map(entry_json).collect();
    let rows: Vec<Vec<String>> = entries.iter().map(cells).collect();
    let text =
        if rows.is_empty() { "nothing was done yet\n".to_owned() } else { table::aligned(&rows) };
    Ok(Answer::both(text, json!({"operations": operations, "events": []})))
}

fn entry_json(entry: &LogEntry) -> Value {
    json!({
        "operation": entry.operation.to_string(),
        "verb": entry.verb,
        "shadows": entry.shadows,
        "target": entry.target,
        "before": entry.before,
        "after": entry.after,
        "time": entry.time_ms,
        "status": entry.status,
        "undoable": entry.undoable,
    })
}

fn cells(entry: &LogEntry) -> Vec<String> {
    let moved = match (&entry.target, &entry.before, &entry.after) {
        (Some(target), Some(before), Some(after)) => {
            format!("{target} {} → {}", before.abbreviated(), after.abbreviated())
        }
        _ => String::new(),
    };
    let undoable = if entry.undoable { "can be undone" } else { "" };
    [
        entry.operation.to_string(),
        entry.verb.clone(),
        names(&entry.shadows),
        moved,
        entry.status.clone(),
        undoable.to_owned(),
    ]
    .iter()
    .map(|cell| visible_str(cell))
    .collect()
}
