//! `commit`, `rollback` and `errors`: one shadow in its own place.

use std::fmt::Write;

use serde_json::json;

use super::{
    Answer, Context,
    args::{CommitArgs, ErrorsArgs, RollbackArgs},
    guard::{self, Answered},
};
use crate::{
    ops::{
        commit::{self, Hooks},
        errors, list, rollback,
    },
    report::Report,
    review::{RollbackPlan, visible::visible_str},
    shadow::{RepoPath, handle::Prefixes},
};

/// An agent may do this in its own shadow: it takes nothing away.
pub(super) fn commit(context: &Context, args: &CommitArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    let hooks = if args.no_verify { Hooks::PassedBy } else { Hooks::Respected };
    let committed = commit::commit(&deck, &id, &args.message, hooks)?;
    let mut text = format!(
        "all of {} is committed as {}\n",
        visible_str(&id.0),
        committed.commit.abbreviated()
    );
    put_notes(&mut text, &committed.warnings);
    let json = json!({
        "operation": committed.operation.to_string(),
        "shadows": [committed.id],
        "before": committed.before,
        "commit": committed.commit,
        "warnings": committed.warnings,
    });
    Ok(Answer::both(text, json))
}

pub(super) fn rollback(context: &Context, args: &RollbackArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "rolling back")?;
    let id = list::find(&deck, &args.id, guard::prefixes(context))?;
    let plan = rollback::plan(&deck, &id)?;
    guard::confirm(context, Answered::by(&args.yes), &question(&plan))?;
    let done = rollback::carry_out(&deck, &plan.confirm(), &|_| {})?;
    let mut text =
        format!("{} is back at its base {}\n", visible_str(&id.0), done.plan.base.abbreviated());
    put_notes(&mut text, &done.warnings);
    let _ = writeln!(text, "shadowdeck undo {} brings back what it held", done.operation);
    let json = json!({
        "operation": done.operation.to_string(),
        "shadows": [id],
        "before": done.plan.tip,
        "after": done.plan.base,
        "files": done.plan.files.iter().map(RepoPath::to_lossy).collect::<Vec<_>>(),
        "ignored": done.plan.ignored.iter().map(RepoPath::to_lossy).collect::<Vec<_>>(),
        "warnings": done.warnings,
    });
    Ok(Answer::both(text, json))
}

fn question(plan: &RollbackPlan) -> String {
    let uncommitted: Vec<String> = plan.uncommitted.iter().map(RepoPath::to_lossy).collect();
    let uncommitted = match &uncommitted[..] {
        [] => "nothing uncommitted".to_owned(),
        files => format!("uncommitted work in {}", files.join(", ")),
    };
    let ignored: Vec<String> = plan.ignored.iter().map(RepoPath::to_lossy).collect();
    let ignored = match &ignored[..] {
        [] => String::new(),
        files => format!(", nor ignored files where the base has its own: {}", files.join(", ")),
    };
    format!(
        "put {} back to {}, without its {} and {uncommitted}{ignored}?",
        plan.id,
        plan.base.abbreviated(),
        crate::review::count(plan.commits, "commit")
    )
}

fn put_notes(text: &mut String, warnings: &[String]) {
    for warning in warnings {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
}

/// The last failure is an answer here, so it does not stand under `error`.
pub(super) fn errors(context: &Context, args: &ErrorsArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    let Some(error) = errors::read_last(&deck, &id)? else {
        let text = format!("{} has no failure on record\n", visible_str(&id.0));
        return Ok(Answer::both(text, json!({"id": id, "last_error": null})));
    };
    let mut text = format!("{}: {}\n", error.code, visible_str(&error.message));
    for (name, value) in &error.details {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(text, "  {}: {}", visible_str(name), visible_str(&value));
    }
    let json = json!({
        "id": id,
        "last_error": {
            "code": error.code,
            "message": error.message,
            "details": error.details,
            "time": error.time_ms,
        },
    });
    Ok(Answer::both(text, json))
}
