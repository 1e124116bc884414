//! Two that clash, with the lines of both.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    Deck, conflicts,
    ground::Ground,
    list::sides,
    radar::{Kinship, blocks, owns},
    radar_own::own_blocks,
};
use crate::{
    git::{merge, private},
    report::Report,
    review::{Conflict, ConflictFile, Content, FileDiff, Party, RadarPage},
    shadow::ShadowId,
};

/// One pair with the lines of both sides, read fresh.
pub fn read_pair(
    deck: &Deck,
    a: &ShadowId,
    b: &Party,
    cancel: &AtomicBool,
) -> Result<RadarPage, Report> {
    let ground = Ground::read(deck, cancel)?;
    let sides = sides::read(deck, &ground, cancel)?;
    let one = sides::find(&sides, a)?;
    let mut kinship = Kinship::new(deck);
    let (commit, are_related, owns) = match b {
        Party::Target(_) => (&one.target_tip, !one.bases.is_empty(), None),
        Party::Shadow(id) => {
            let other = sides::find(&sides, id)?;
            (&other.commit, kinship.are_related(one, other)?, owns(one, other))
        }
    };
    if !are_related {
        return Err(merge::unrelated(commit, &one.tip));
    }
    let pair = [&one.commit, commit];
    let found = merge::predict_pair(&deck.repository, &one.target_tip, pair)?;
    let local = private::local(&deck.repository)?;
    let file = |conflict: Conflict| {
        if cancel.load(Ordering::Relaxed) {
            return Err(crate::git::lines::cancelled());
        }
        let [mut target_diff, mut shadow_diff] = conflicts::read_sides(&local, &conflict, cancel)?;
        if let Some(owns) = &owns {
            let all =
                [&target_diff, &shadow_diff].map(|diff| diff.clone().map_or_else(Vec::new, blocks));
            let own = own_blocks(&local, &conflict, [&all[0], &all[1]], owns, cancel)?;
            let Some(own) = own else { return Ok(None) };
            for (diff, own) in [&mut target_diff, &mut shadow_diff].into_iter().zip(own) {
                if let Some(FileDiff { content: Content::Text { blocks, .. }, .. }) = diff {
                    *blocks = own;
                }
            }
        }
        Ok(Some(ConflictFile {
            conflict,
            target_diff,
            shadow_diff,
            result: None,
            weave: None,
            takes: Vec::new(),
            told: Default::default(),
            is_reused: false,
        }))
    };
    let files = found.conflicts.into_iter().filter_map(|it| file(it).transpose());
    let files = files.collect::<Result<Vec<_>, Report>>()?;
    Ok(RadarPage { a: a.clone(), b: b.clone(), files })
}
