//! `request`: an agent asks for review. It lands nothing.

use serde_json::json;

use super::{Answer, Context, args::RequestArgs};
use crate::{
    ops::{list, request},
    report::Report,
    review::visible::visible_str,
    shadow::handle::Prefixes,
};

/// An agent may do this in its own shadow: it only asks.
pub(super) fn request(context: &Context, args: &RequestArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    let replaced = request::request(&deck, &id, args.message.as_deref())?;
    let instead = if replaced.is_some() { ", in place of what it asked before" } else { "" };
    let text = format!("{} asks for review{instead}\n", visible_str(&id.0));
    let message = args.message.as_deref().unwrap_or_default();
    Ok(Answer::both(text, json!({"id": id, "requested": message, "replaced": replaced})))
}
