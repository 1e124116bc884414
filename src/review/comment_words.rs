//! Comments as markdown: what an agent is given, and what is copied. Text is quoted line by line, so that none of it
//! reads as a heading of ours, and shown, never obeyed.

use super::{
    comment::{At, Author, Side, Status, Thread},
    count,
    name::visible_name,
    visible::{visible_lines, visible_str},
};
use crate::shadow::{RepoPath, ShadowId};

/// A thread with where it stands: as the file is called now, and `None` where that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub thread: &'a Thread,
    pub path: &'a RepoPath,
    pub at: Option<&'a At>,
}

impl Shown<'_> {
    /// `src/a.rs:12-14, old side`.
    pub fn place(&self) -> String {
        let path = visible_name(self.path.as_bytes());
        let Some(passage) = &self.thread.spot.passage else { return path };
        let range = match self.at {
            Some(At::Lines(range)) => range.clone(),
            _ => passage.range(),
        };
        let side = if self.thread.spot.side == Side::Old { ", old side" } else { "" };
        format!("{path}:{}{side}", numbers(&range))
    }

    /// `open`, `agent says done`, `outdated, open`.
    pub fn state(&self) -> String {
        let status = status_words(self.thread.status);
        if self.at == Some(&At::Outdated) && self.thread.spot.passage.is_some() {
            return format!("outdated, {status}");
        }
        status.to_owned()
    }
}

/// `12`, or `12-14`; lines count from 1.
pub fn numbers(range: &std::ops::Range<u32>) -> String {
    match range.len() {
        0 | 1 => (range.start + 1).to_string(),
        _ => format!("{}-{}", range.start + 1, range.end),
    }
}

pub fn status_words(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Resolved => "agent says done",
        Status::Closed => "closed",
    }
}

/// All of them, one after the other.
pub fn markdown(id: &ShadowId, threads: &[Shown<'_>]) -> String {
    let name = visible_str(&id.0);
    if threads.is_empty() {
        return format!("no comments on {name}\n");
    }
    let open = threads.iter().filter(|shown| shown.thread.is_open()).count();
    let mut text = format!("# {} on {name}, {open} open\n", count(threads.len(), "comment"));
    for shown in threads {
        text.push('\n');
        text.push_str(&thread(shown));
    }
    text
}

/// One of them, with the lines that it is on.
pub fn thread(shown: &Shown<'_>) -> String {
    let Shown { thread, at, .. } = shown;
    let mut text = format!("## {}: {} ({})\n", thread.number, shown.place(), shown.state());
    if let Some(passage) = &thread.spot.passage {
        if *at == Some(&At::Outdated) {
            text.push_str("\nThese lines are not there any more:\n");
        }
        text.push('\n');
        for line in &passage.lines {
            text.extend(["    ", &visible_lines(line.as_bytes()), "\n"]);
        }
    }
    for (_, post) in thread.shown() {
        let who = match post.author {
            Author::Reviewer => "reviewer",
            Author::Agent => "agent",
        };
        text.push_str(&format!("\n{who}:\n"));
        for line in post.text.lines() {
            text.extend(["> ", &visible_lines(line.as_bytes()), "\n"]);
        }
    }
    text
}
