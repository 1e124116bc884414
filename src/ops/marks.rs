//! What a person has read in this repository: kept, and read again.

use super::Deck;
use crate::{
    report::Report,
    review::marks::{Kept, Mark},
};

/// Without changes it only reads; nothing is written then.
pub fn keep(deck: &Deck, changes: &[Mark]) -> Result<Kept, Report> {
    let file = deck.store.marks();
    if changes.is_empty() { file.read() } else { file.write(changes) }
}
