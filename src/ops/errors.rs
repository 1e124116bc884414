//! The last failure of a shadow, as it was told: kept until its next success.

use super::{Deck, places};
use crate::{
    report::{Code, Report},
    shadow::{
        ShadowId,
        record::{State, StoredError},
    },
    store::journal::now_ms,
};

/// `None` where nothing has failed, or what failed has succeeded since.
pub fn read_last(deck: &Deck, id: &ShadowId) -> Result<Option<StoredError>, Report> {
    let (found, _) = places::find_shadow(deck, id)?;
    Ok(found.record()?.and_then(|record| record.last_error.clone()))
}

/// Remembers why a landing failed, for `errors` and the list; a refusal is no failure. A conflict puts the shadow in
/// `errored`.
pub fn remember(deck: &Deck, id: &ShadowId, report: &Report) -> Result<(), Report> {
    if report.code != Code::Conflicts && report.code.exit_code() != 1 {
        return Ok(());
    }
    let (found, _) = places::find_shadow(deck, id)?;
    let mut record = places::record_of(deck, &found.worktree)?;
    if report.code == Code::Conflicts {
        record.state = State::Errored;
    }
    record.last_error = Some(StoredError {
        code: report.code.as_str().to_owned(),
        message: report.headline.clone(),
        details: report.details.clone(),
        time_ms: now_ms(),
    });
    deck.store.records().write(&record)
}
