//! `i` in Review: every sign of the row under the cursor becomes a sentence.

use super::{
    Answer, Effect, Model,
    review::{ReviewScreen, View},
    review_comments, why_sheet,
};
use crate::review::{
    FileStatus, LineKind, Verdict,
    fold::Fold,
    name::visible_name,
    stream::{Note, StreamRow},
    ticks::Reading,
};

pub(super) fn say(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    if let Some(text) = review_comments::words_here(screen) {
        why_sheet::show(model, "Comment", text);
        return Vec::new();
    }
    let mut parts = vec![here(screen)];
    parts.extend(screen.moved_words());
    if let Some(file) = screen.file_index() {
        parts.extend(screen.copied_why(file));
        parts.extend(flagged(screen));
        parts.push(reading(model, screen, file).to_owned());
    }
    parts.extend(verdict(model, screen));
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    model.answer = Some(Answer::of_row(text.join(" · ")));
    Vec::new()
}

/// The row itself, with its file.
fn here(screen: &ReviewScreen) -> String {
    let (Some(file), Some(place)) = (screen.file(), screen.stream.place(screen.cursor)) else {
        return "no file changed".to_owned();
    };
    let name = visible_name(file.change.path.as_bytes());
    match place.row {
        StreamRow::Fold { lines, .. } => {
            let lines = crate::review::count(lines, "line");
            format!("{lines} that did not change: Enter shows all, + shows some")
        }
        StreamRow::Note(Note::Folded) => {
            let why = file.fold.map_or("by hand", Fold::words);
            let reason = file.fold.map_or(String::new(), |fold| format!(" ({})", fold.reason()));
            format!("{name} is folded: {why}{reason}, and not counted as read or unread")
        }
        StreamRow::Note(Note::Mode) => format!("{name}: its mode changed"),
        StreamRow::Note(Note::Endings(_)) => {
            format!("{name}: only the ends of its lines changed; W leaves such lines out")
        }
        StreamRow::Line(line) if line.kind == LineKind::Context => {
            format!("{name}: this line did not change")
        }
        _ => match file.change.status {
            FileStatus::Added => format!("{name} is new"),
            FileStatus::Deleted => format!("{name} is deleted"),
            FileStatus::Modified => format!("{name} is changed"),
            FileStatus::TypeChanged => format!("{name} became something else"),
            FileStatus::Renamed(percent) => format!("{name} was renamed, {percent} % alike"),
            FileStatus::Copied(percent) => format!("{name} is a copy, {percent} % alike"),
        },
    }
}

fn flagged(screen: &ReviewScreen) -> Vec<String> {
    let findings = screen.file().map_or(&[][..], |file| &file.findings);
    findings.iter().map(|finding| format!("! {}", finding.sentence())).collect()
}

fn reading(model: &Model, screen: &ReviewScreen, file: usize) -> &'static str {
    match screen.reading(&model.memory.marks.ticks, file) {
        Reading::Read => "you read it as it is",
        Reading::ChangedSince => "it changed since you read it",
        Reading::Unread if screen.choices.folded.contains(&file) => "",
        Reading::Unread => "you have not read it",
    }
}

fn verdict(model: &Model, screen: &ReviewScreen) -> Option<String> {
    let row = model.fleet.find(&screen.id)?;
    let target = row.target.as_ref().map_or("its target", |target| target.0.as_str());
    let view = if screen.view == View::All {
        String::new()
    } else {
        format!("this view shows what is {} · ", screen.view.words())
    };
    let words = match row.verdict {
        Verdict::Clean => format!("git merges it into {target} without a conflict"),
        Verdict::Conflicts => {
            let files = crate::review::count(row.conflicts.len(), "conflict file");
            format!("{files} with {target}: x shows what clashes")
        }
        Verdict::Landed => format!("{target} holds all of it already"),
        Verdict::Empty => "it changes nothing".to_owned(),
        Verdict::Unknown => match &row.problem {
            Some(problem) => format!("whether it lands clean is unknown: {problem}"),
            None => "whether it lands clean is not known yet".to_owned(),
        },
    };
    Some(format!("{view}{words}"))
}
