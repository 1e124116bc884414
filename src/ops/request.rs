//! An agent asks for review: recorded with its message, until the shadow is landed, rolled back or discarded.

use super::{Deck, land, places, recover};
use crate::{
    report::{Code, Report},
    shadow::{ShadowId, State},
    store::lock::WAIT_MAX,
};

/// What it asked for before, which this takes the place of. Without a message it just asks.
pub fn request(
    deck: &Deck,
    id: &ShadowId,
    message: Option<&str>,
) -> Result<Option<String>, Report> {
    if let Some(message) = message {
        land::refuse_invalid_message(message)?;
    }
    // Whatever moves or removes the shadow writes its record too.
    let lock = deck.store.lock(&format!("request {id}"), WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    recover::refuse_unsettled(deck, None, std::slice::from_ref(id))?;
    let (found, _) = places::find_shadow(deck, id)?;
    let mut record = places::record_of(deck, &found.worktree)?;
    if matches!(record.state, State::Pending | State::CleanedUp) {
        let headline = format!("{id} is {}: there is nothing to review", record.state.as_str());
        return Err(Report::user(Code::WrongState, headline)
            .unchanged()
            .hint("`shadowdeck list` names the shadows there are"));
    }
    let replaced = record.requested.replace(message.unwrap_or_default().to_owned());
    deck.store.records().write(&record)?;
    Ok(replaced)
}
