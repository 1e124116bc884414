//! What is known of a list while it is still read: told together, so that a quick list is not told piecemeal at all.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Deck, Ground, Processes, facts::Facts, row};
use crate::{
    review::{Progress, Row, Verdict, Watch},
    store::journal::now_ms,
};

pub(super) struct Teller<'a> {
    deck: &'a Deck,
    ground: &'a Ground,
    watch: Watch<'a>,
    every: Duration,
    told: Mutex<Told>,
}

struct Told {
    at: Instant,
    count: usize,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        deck: &'a Deck,
        ground: &'a Ground,
        watch: Watch<'a>,
        every: Duration,
    ) -> Self {
        Self { deck, ground, watch, every, told: Mutex::new(Told { at: Instant::now(), count: 0 }) }
    }

    /// What has come to `read` since the last time, if that is long enough ago.
    pub(super) fn tell(&self, read: &[(usize, Facts)], of: usize) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.at.elapsed() < self.every {
            return;
        }
        let processes = Processes::read();
        let new = read.get(told.count..).unwrap_or(read);
        let rows = new.iter().map(|(_, facts)| self.row(facts, &processes)).collect();
        (self.watch.tell)(Progress::Looked { rows, count: read.len(), of });
        *told = Told { at: Instant::now(), count: read.len() };
    }

    fn row(&self, facts: &Facts, processes: &Processes) -> Row {
        let mut row = row::finish(self.deck, self.ground, facts, processes, now_ms());
        if !facts.is_answered() {
            (row.verdict, row.conflicts) = (Verdict::Unknown, Vec::new());
        }
        row
    }
}
