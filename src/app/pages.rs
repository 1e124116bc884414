//! Review pages read lately, for the detail pane and for opening a review at once.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    review::{
        ReviewPage,
        digest::{Digest, digests},
    },
    shadow::ShadowId,
};

/// Pages kept for the detail pane and for opening a review at once; the oldest goes first.
const PAGES_MAX: usize = 8;

/// What tells how much a file needs eyes: worked out once for a page.
#[derive(Clone, Debug)]
pub struct Glance {
    pub digests: Vec<Digest>,
}

/// Review pages read lately, newest last.
#[derive(Debug, Default)]
pub struct Pages {
    by_id: BTreeMap<ShadowId, (Arc<ReviewPage>, Vec<Glance>)>,
    order: Vec<ShadowId>,
}

impl Pages {
    pub fn find(&self, id: &ShadowId) -> Option<&Arc<ReviewPage>> {
        self.by_id.get(id).map(|(page, _)| page)
    }

    /// Of each file of the page; none where that is not known.
    pub fn glances(&self, id: &ShadowId) -> &[Glance] {
        self.by_id.get(id).map_or(&[], |(_, glances)| glances)
    }

    pub fn keep(&mut self, page: ReviewPage) -> Arc<ReviewPage> {
        let id = page.id.clone();
        let page = Arc::new(page);
        self.order.retain(|kept| *kept != id);
        self.order.push(id.clone());
        let glance = |file| Glance { digests: digests(file) };
        let glances = page.files.iter().map(glance).collect();
        self.by_id.insert(id, (Arc::clone(&page), glances));
        if self.order.len() > PAGES_MAX {
            let oldest = self.order.remove(0);
            self.by_id.remove(&oldest);
        }
        page
    }
}
