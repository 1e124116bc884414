//! `gc`: everything that would be freed is named first, in text and in JSON.

use serde_json::{Value, json};

use super::{
    Answer, Context,
    args::GcArgs,
    guard::{self, Answered},
    table,
};
use crate::{
    ops::gc,
    report::Report,
    review::{GcItem, GcPlan, visible::visible_str},
};

pub(super) fn gc(context: &Context, args: &GcArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let plan = gc::plan(&deck)?;
    if args.dry_run || plan.items.is_empty() {
        let text = listed(&plan.items, "would free");
        return Ok(Answer::both(text, answer(None, &plan.items, &[])));
    }
    guard::refuse_inside(context, &deck, "gc")?;
    if !args.yes && context.has_terminal && !context.json {
        guard::tell(&listed(&plan.items, "would free"));
    }
    let question = format!("free {}?", total(&plan));
    guard::confirm(context, Answered::by(&args.yes), &question).map_err(|report| {
        report.detail("would_free", plan.items.iter().map(item_json).collect::<Vec<Value>>())
    })?;
    guard::tell_holder(&deck);
    let freed = gc::carry_out(&deck, &plan.confirm(), &|_| {})?;
    let mut text = listed(&freed.items, "freed");
    for warning in &freed.warnings {
        text.extend(["note: ", &visible_str(warning), "\n"]);
    }
    let operation = freed.operation.map(|operation| operation.to_string());
    Ok(Answer::both(text, answer(operation.as_deref(), &freed.items, &freed.warnings)))
}

fn total(plan: &GcPlan) -> String {
    let count = plan.items.len();
    let things = if count == 1 { "thing" } else { "things" };
    format!("{count} {things}, {}", size(plan.bytes()))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / gc::MB),
    }
}

fn listed(items: &[GcItem], verb: &str) -> String {
    if items.is_empty() {
        return "there is nothing to free\n".to_owned();
    }
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|item| {
            let cells = [verb.to_owned(), size(item.bytes), item.what.clone(), item.why.clone()];
            cells.iter().map(|cell| visible_str(cell)).collect()
        })
        .collect();
    table::aligned(&rows)
}

fn answer(operation: Option<&str>, items: &[GcItem], warnings: &[String]) -> Value {
    json!({
        "operation": operation,
        "freed": items.iter().map(item_json).collect::<Vec<_>>(),
        "bytes": items.iter().map(|item| item.bytes).sum::<u64>(),
        "shadows": items.iter().filter(|item| item.operation.is_none()).flat_map(|item| &item.shadows).collect::<Vec<_>>(),
        "warnings": warnings,
    })
}

fn item_json(item: &GcItem) -> Value {
    json!({
        "kind": item.kind.as_str(),
        "what": item.what,
        "why": item.why,
        "path": item.path.to_string_lossy(),
        "bytes": item.bytes,
        "operation": item.operation.map(|operation| operation.to_string()),
        "shadows": item.shadows,
    })
}
