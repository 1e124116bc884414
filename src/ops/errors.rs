//! The last failure of a shadow, as it was told: kept until its next success.

use super::{Deck, places};
use crate::{report::Report, shadow::ShadowId, shadow::record::StoredError};

/// `None` where nothing has failed, or what failed has succeeded since.
pub fn read_last(deck: &Deck, id: &ShadowId) -> Result<Option<StoredError>, Report> {
    let (found, _) = places::find_shadow(deck, id)?;
    Ok(found.record()?.and_then(|record| record.last_error.clone()))
}
