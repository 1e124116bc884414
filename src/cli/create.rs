//! `create` and `path`: what an agent may do for itself.

use std::{
    fmt::Write, io::IsTerminal, os::unix::ffi::OsStrExt, path::Path, sync::atomic::AtomicBool,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{
    Answer, Context,
    args::{CreateArgs, PathArgs},
    json as to_json,
};
use crate::{
    ops::{
        create::{self, CreateOptions},
        list, path,
    },
    report::Report,
    review::visible::{visible, visible_str},
    shadow::{BranchName, handle::Prefixes},
};

pub(super) fn create(context: &Context, args: &CreateArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let options = CreateOptions {
        id: args.id.clone(),
        base: args.base.clone(),
        target: args.target.clone().map(BranchName),
        clean: args.clean,
    };
    let created = create::create(&deck, &options)?;
    let row = list::read_row(&deck, &created.id, &AtomicBool::new(false))?;
    let mut text = format!(
        "{} is ready in {} on {}\n",
        visible_str(&created.id.0),
        visible(created.path.as_os_str().as_bytes()),
        visible_str(&created.branch.0)
    );
    for warning in &created.warnings {
        let _ = writeln!(text, "note: {}", visible_str(warning));
    }
    Ok(Answer::both(text, to_json::row(&row)))
}

/// The bare path as text, so that a script can use it as it is; a terminal gets nothing that it could act upon.
pub(super) fn path(context: &Context, args: &PathArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    let full = path::resolve_path(&deck, &id, args.path.as_deref().unwrap_or(Path::new(".")))?;
    let bytes = full.as_os_str().as_bytes();
    if !context.json && std::io::stdout().is_terminal() {
        return Ok(Answer::Bytes((visible(bytes) + "\n").into_bytes()));
    }
    if !context.json {
        return Ok(Answer::Bytes([bytes, b"\n"].concat()));
    }
    let mut json = json!({"path": full.to_string_lossy()});
    if full.to_str().is_none() {
        json["path_bytes"] = STANDARD.encode(bytes).into();
    }
    Ok(Answer::both("", json))
}
