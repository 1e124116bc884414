//! The list as it was last seen, kept between runs beside what scans remember. It may be lost: then nothing is news.

use super::Deck;
use crate::{review::SeenList, shadow::ShadowId, store::Cache};

const NAME: &str = "list";

pub fn read_seen(deck: &Deck) -> Option<SeenList> {
    kept(deck).read(&ShadowId(NAME.to_owned()))
}

pub fn write_seen(deck: &Deck, seen: &SeenList) {
    kept(deck).write(&ShadowId(NAME.to_owned()), seen);
}

fn kept(deck: &Deck) -> Cache {
    Cache::new(deck.repository.looking_dir().join("seen"))
}
