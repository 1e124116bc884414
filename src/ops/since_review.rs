//! What a shadow did since the person last looked at it: between the snapshot of then and that of now. Where its base is
//! another one by now, that would tell what the target did as well: then it is the whole change of each file that is
//! not as it was.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use super::{
    Deck,
    diff::{read_part, read_review},
    standing,
};
use crate::{
    git::diff::{self, Pair},
    report::{Code, Report},
    review::{Entry, FileChange, Format, ReviewPage, marks::Looked},
    shadow::{Oid, RepoPath, ShadowId},
};

pub fn read_page(deck: &Deck, id: &ShadowId, cancel: &AtomicBool) -> Result<ReviewPage, Report> {
    let looked = looked(deck, id)?;
    let mut page = read_review(deck, id, cancel)?;
    if looked.base.as_ref() == Some(&page.base) {
        return read_part(deck, id, [looked.snapshot, page.snapshot], cancel);
    }
    let then = Then::read(deck, &looked, &page.base)?;
    page.files.retain(|file| then.is_other(&file.change));
    Ok(page)
}

/// git's own words for it.
pub fn read_text(deck: &Deck, id: &ShadowId, format: Format) -> Result<Vec<u8>, Report> {
    let looked = looked(deck, id)?;
    let standing = standing::read(deck, id, &AtomicBool::new(false))?;
    let (repository, tip, change) = (&deck.repository, &standing.target_tip, standing.change());
    if looked.base.as_ref() == Some(&standing.base_commit()) {
        let pair = Pair { old: looked.snapshot, new: change.new };
        return diff::read_text(repository, tip, &pair, format);
    }
    let then = Then::read(deck, &looked, &change.old)?;
    let files = diff::read_pair(repository, tip, &change)?;
    let others = files.iter().filter(|file| then.is_other(file));
    let paths: Vec<&RepoPath> =
        others.flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten().collect();
    diff::read_text_of(repository, tip, &change, format, &paths)
}

fn looked(deck: &Deck, id: &ShadowId) -> Result<Looked, Report> {
    let kept = deck.store.marks().read()?;
    if let Some(looked) = kept.marks.looked.get(id) {
        return Ok(looked.clone());
    }
    // What is damaged may have told it.
    Err(kept.damage.into_iter().next().unwrap_or_else(|| {
        Report::user(Code::NotFound, format!("nobody has looked at {id} in the cockpit yet"))
            .unchanged()
            .hint(format!("`shadowdeck diff {id}` shows all of it"))
            .detail("id", id.0.as_str())
    }))
}

/// The files of the change that was looked at, as they were.
struct Then(BTreeMap<RepoPath, Option<Entry>>);

impl Then {
    /// Of what older versions kept no base is known: beside the base of now more is told than is new, and never less.
    fn read(deck: &Deck, looked: &Looked, base: &Oid) -> Result<Self, Report> {
        let old = looked.base.as_ref().unwrap_or(base).clone();
        let pair = Pair { old, new: looked.snapshot.clone() };
        let files = diff::read_pair(&deck.repository, &pair.old, &pair)?;
        Ok(Self(files.into_iter().map(|file| (file.path, file.new)).collect()))
    }

    fn is_other(&self, file: &FileChange) -> bool {
        self.0.get(&file.path) != Some(&file.new)
    }
}
