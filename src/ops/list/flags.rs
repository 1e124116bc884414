//! What of a shadow's files is not to be overlooked, for its row. The list looks into so much of a change and no
//! further; a file that it leaves out says so.

use std::sync::atomic::AtomicBool;

use super::{
    super::{
        Deck,
        judge::{Source, given},
    },
    facts::Facts,
    remembered::Answer,
};
use crate::{
    git::{lines, private},
    report::Report,
    review::{
        Content, FileChange, FileDiff,
        flag::{FileFlag, Finding, Flag},
        judge::{file_flags, judge},
    },
};

/// Of one file, and of a shadow: beyond, looking would make people wait for the list.
const FILE_BYTES_MAX: u64 = 256 << 10;
const SHADOW_BYTES_MAX: u64 = 4 << 20;
/// So many are remembered: nobody reads more of them in a row.
const FLAGS_MAX: usize = 200;
/// Changes with the rules, so that what was remembered under others is asked again.
const RULES: u32 = 3;

impl Facts {
    /// Reads files only where the change, its ground or the task is another than the last time.
    pub(super) fn read_flags(&mut self, deck: &Deck) -> Result<(), Report> {
        let (Some((question, pair)), Some(history), Some(change)) =
            (self.change_question(), &self.history, &self.change)
        else {
            return Ok(());
        };
        let task = self.place.known_record().and_then(|record| record.requested.clone());
        let question = format!("{RULES} {question} {}", task.as_deref().unwrap_or_default());
        let flags = if let Some(known) = Answer::to(self.remembered.flags.as_ref(), &question) {
            known.clone()
        } else {
            let source =
                Source { target_tip: &history.target_tip, pair: &pair, task: task.as_deref() };
            read(deck, &source, change)?
        };
        self.remembered.flags = Some(Answer::new(question, flags.clone()));
        self.flags = Some(flags);
        Ok(())
    }
}

/// Of files whose change is known, within the list's limits.
pub(in crate::ops) fn read(
    deck: &Deck,
    source: &Source<'_>,
    changes: &[FileChange],
) -> Result<Vec<FileFlag>, Report> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let local = private::local(&deck.repository)?;
    let given = given(deck, &local, source, changes)?;
    let never = AtomicBool::new(false);
    let mut left = SHADOW_BYTES_MAX;
    let mut files = Vec::with_capacity(changes.len());
    for change in changes.iter().cloned() {
        let file = lines::read_file_within(&local, change, left.min(FILE_BYTES_MAX), &never)?;
        if let Content::Text { old, new, .. } = &file.content {
            let bytes = old.as_bytes().len().max(new.as_bytes().len());
            left = left.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
        }
        files.push(unsearched(file));
    }
    judge(&mut files, &given);
    let mut flags = file_flags(&files);
    flags.truncate(FLAGS_MAX);
    Ok(flags)
}

/// Over the list's limit is not yet over the page's, which says by itself that it looks into nothing; what could not
/// be read was not searched either.
fn unsearched(mut file: FileDiff) -> FileDiff {
    match &file.content {
        Content::TooLarge { size, .. } if *size <= lines::BLOB_BYTES_MAX => {
            let is_of_page = |flag| matches!(flag, Flag::Large | Flag::Unsearched);
            file.findings.retain(|finding| !is_of_page(finding.flag));
            file.findings.push(Finding::of_file(Flag::Unsearched));
        }
        Content::Unreadable { why } => {
            let why = crate::review::visible::visible_str(why);
            file.findings.push(Finding::of_lines(Flag::Unsearched, why, []));
        }
        _ => {}
    }
    file
}
