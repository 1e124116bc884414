//! `sync`: the target merged into a shadow.

use std::fmt::Write;

use serde_json::json;

use super::{Answer, Context, args::SyncArgs, guard};
use crate::{
    ops::{
        list,
        sync::{self, Resolutions},
    },
    report::Report,
    review::{count, visible::visible_str},
    shadow::RepoPath,
};

/// An agent may do this in its own shadow: it takes nothing away.
pub(super) fn sync(context: &Context, args: &SyncArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, guard::prefixes(context))?;
    let resolutions = if args.with_resolutions { Resolutions::Taken } else { Resolutions::Left };
    guard::tell_holder(&deck);
    let synced = sync::sync(&deck, &id, resolutions)?;
    let plan = &synced.plan;
    let mut text = format!(
        "{} has {} now, as {}: {} changed\n",
        visible_str(&id.0),
        visible_str(&plan.target.0),
        synced.after.abbreviated(),
        count(plan.files.len(), "file")
    );
    if !plan.resolved.is_empty() {
        let _ = writeln!(text, "with {}", count(plan.resolved.len(), "resolution"));
    }
    for warning in &synced.warnings {
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
    let _ = writeln!(text, "shadowdeck undo {} takes it back", synced.operation);
    let names =
        |paths: &[RepoPath]| -> Vec<String> { paths.iter().map(RepoPath::to_lossy).collect() };
    let json = json!({
        "operation": synced.operation.to_string(),
        "shadows": [id],
        "target": plan.target,
        "before": plan.before,
        "after": synced.after,
        "files": names(&plan.files),
        "resolved": names(&plan.resolved),
        "warnings": synced.warnings,
    });
    Ok(Answer::both(text, json))
}
