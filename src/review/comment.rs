//! Comments on a change: threads of a reviewer and an agent, each on a file or on lines of one side of it.
//! A thread holds at its place by content. Nothing of it is ever dropped: what was taken back stays, unshown.

use serde::{Deserialize, Serialize};

use super::{Content, FileDiff, FileStatus, Text, passage::Passage};
use crate::{
    report::{Code, Report},
    shadow::{RepoPath, ShadowId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Reviewer,
    Agent,
}

impl Author {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::Agent => "agent",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Old,
    New,
}

impl Side {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }

    pub fn of(self, file: &FileDiff) -> Option<&Text> {
        match (&file.content, self) {
            (Content::Text { old, .. }, Self::Old) => Some(old),
            (Content::Text { new, .. }, Self::New) => Some(new),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    /// The agent says that it is done.
    Resolved,
    /// The reviewer agrees.
    Closed,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Resolved => "resolved",
            Self::Closed => "closed",
        }
    }
}

/// What a thread is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    pub path: RepoPath,
    /// As the base names a file that the shadow renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<RepoPath>,
    pub side: Side,
    /// `None`: the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Passage>,
}

impl Spot {
    pub fn file(file: &FileDiff) -> Self {
        let (path, old_path) = (file.change.path.clone(), file.change.old_path.clone());
        Self { path, old_path, side: Side::New, passage: None }
    }

    pub fn lines(file: &FileDiff, side: Side, range: std::ops::Range<u32>) -> Option<Self> {
        let passage = Some(Passage::new(side.of(file)?, range)?);
        Some(Self { side, passage, ..Self::file(file) })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    pub author: Author,
    /// Markdown.
    pub text: String,
    pub time_ms: u64,
    #[serde(default)]
    pub is_taken_back: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Counts from 1 in its shadow; never given twice.
    pub number: u32,
    pub spot: Spot,
    pub status: Status,
    /// The first is what the thread began with.
    pub posts: Vec<Post>,
}

impl Thread {
    /// Posts that are shown, with their places among all.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = (usize, &Post)> {
        self.posts.iter().enumerate().filter(|(_, post)| !post.is_taken_back)
    }

    pub fn is_shown(&self) -> bool {
        self.shown().next().is_some()
    }

    pub fn is_open(&self) -> bool {
        self.is_shown() && self.status != Status::Closed
    }

    /// The agent spoke last, or says that it is done.
    pub fn waits_for_reviewer(&self) -> bool {
        let last = self.shown().next_back().map(|(_, post)| post.author);
        self.is_open() && (self.status == Status::Resolved || last == Some(Author::Agent))
    }

    /// The reviewer's last, which may still be edited: nobody has answered it.
    pub fn last_own(&self) -> Option<(usize, &Post)> {
        self.shown().next_back().filter(|(_, post)| post.author == Author::Reviewer)
    }
}

/// The comments of a shadow that are not closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenComments {
    pub count: usize,
    /// How many of them wait for the reviewer.
    pub answered: usize,
}

impl OpenComments {
    pub fn of(threads: &[Thread]) -> Self {
        let answered = threads.iter().filter(|thread| thread.waits_for_reviewer()).count();
        Self { count: count_open(threads), answered }
    }

    /// `2 comments, 1 answered`.
    pub fn words(&self) -> String {
        let comments = super::count(self.count, "comment");
        match self.answered {
            0 => comments,
            answered => format!("{comments}, {answered} answered"),
        }
    }
}

pub fn count_open(threads: &[Thread]) -> usize {
    threads.iter().filter(|thread| thread.is_open()).count()
}

/// Where a thread stands in the files of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub file: usize,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    File,
    Lines(std::ops::Range<u32>),
    /// The lines are not there any more.
    Outdated,
}

/// `None` where the files are not those that it is about.
pub fn find(files: &[FileDiff], spot: &Spot) -> Option<Found> {
    let of_name = |name: &RepoPath| files.iter().position(|file| file.change.path == *name);
    let renamed = |name: &RepoPath| {
        files.iter().position(|file| {
            matches!(file.change.status, FileStatus::Renamed(_))
                && file.change.old_path.as_ref() == Some(name)
        })
    };
    let before = spot.old_path.as_ref();
    let places = [
        of_name(&spot.path),
        renamed(&spot.path),
        before.and_then(renamed),
        before.and_then(of_name),
    ];
    let Some(passage) = &spot.passage else {
        let file = places.into_iter().flatten().next()?;
        return Some(Found { file, at: At::File });
    };
    let named = places.into_iter().flatten();
    let found = named.clone().find_map(|file| {
        let range = passage.find(spot.side.of(&files[file])?)?;
        Some(Found { file, at: At::Lines(range) })
    });
    // A new file that was renamed has no name in common with what it was.
    let elsewhere = || {
        let mut found = files.iter().enumerate().filter_map(|(file, diff)| {
            let is_new = diff.change.status == FileStatus::Added && spot.side == Side::New;
            let text = spot.side.of(diff).filter(|_| is_new)?;
            Some(Found { file, at: At::Lines(passage.find_elsewhere(text)?) })
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    };
    let outdated = || named.clone().next().map(|file| Found { file, at: At::Outdated });
    found.or_else(elsewhere).or_else(outdated)
}

/// One change of the threads of a shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Add {
        spot: Box<Spot>,
        author: Author,
        text: String,
    },
    /// The reviewer asks about a conflict; once about the same versions, while that is open.
    Ask {
        spot: Box<Spot>,
        text: String,
        /// As the text names them.
        versions: String,
    },
    Reply {
        number: u32,
        author: Author,
        text: String,
    },
    Edit {
        number: u32,
        post: usize,
        text: String,
    },
    TakeBack {
        number: u32,
        post: usize,
    },
    BringBack {
        number: u32,
        post: usize,
    },
    /// The agent says that it is done.
    Resolve {
        number: u32,
    },
    Put {
        number: u32,
        status: Status,
    },
}

/// What was changed: the thread, and its post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    pub number: u32,
    pub post: usize,
}

/// The threads of a shadow as they are now, and what became of each change that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    pub id: ShadowId,
    pub threads: Vec<Thread>,
    pub answers: Vec<Result<Changed, Report>>,
}

/// Does it, or says why not.
pub fn apply(threads: &mut Vec<Thread>, change: &Change, now_ms: u64) -> Result<Changed, Report> {
    let post = |author: Author, text: &str| Post {
        author,
        text: text.to_owned(),
        time_ms: now_ms,
        is_taken_back: false,
    };
    match change {
        Change::Add { spot, author, text } => {
            let number = threads.iter().map(|thread| thread.number).max().unwrap_or(0) + 1;
            threads.push(Thread {
                number,
                spot: (**spot).clone(),
                status: Status::Open,
                posts: vec![post(*author, text)],
            });
            Ok(Changed { number, post: 0 })
        }
        Change::Ask { spot, text, versions } => {
            let is_same = |thread: &&Thread| {
                thread.is_open()
                    && thread.spot.path == spot.path
                    && thread.posts.first().is_some_and(|post| post.text.contains(versions))
            };
            if let Some(asked) = threads.iter().find(is_same) {
                return Err(asked_already(&spot.path, asked.number));
            }
            let (spot, text) = (spot.clone(), text.clone());
            apply(threads, &Change::Add { spot, author: Author::Reviewer, text }, now_ms)
        }
        Change::Reply { number, author, text } => {
            let thread = thread_of(threads, *number)?;
            thread.posts.push(post(*author, text));
            if *author == Author::Reviewer {
                thread.status = Status::Open;
            }
            Ok(Changed { number: *number, post: thread.posts.len() - 1 })
        }
        Change::Edit { number, post, text } => {
            find_post(threads, *number, *post)?.text.clone_from(text);
            Ok(Changed { number: *number, post: *post })
        }
        Change::TakeBack { number, post } | Change::BringBack { number, post } => {
            let is_taken_back = matches!(change, Change::TakeBack { .. });
            if is_taken_back {
                refuse_answered(thread_of(threads, *number)?, *post)?;
            }
            find_post(threads, *number, *post)?.is_taken_back = is_taken_back;
            Ok(Changed { number: *number, post: *post })
        }
        Change::Resolve { number } => {
            let thread = thread_of(threads, *number)?;
            // What the reviewer agreed to needs no word of the agent's any more.
            if thread.status != Status::Closed {
                thread.status = Status::Resolved;
            }
            Ok(Changed { number: *number, post: 0 })
        }
        Change::Put { number, status } => {
            let thread = thread_of(threads, *number)?;
            thread.status = *status;
            Ok(Changed { number: *number, post: 0 })
        }
    }
}

/// What was answered since stays, so that no answer loses what it answers.
fn refuse_answered(thread: &Thread, post: usize) -> Result<(), Report> {
    let author = thread.posts.get(post).map(|post| post.author);
    let mut later = thread.shown().filter(|(index, _)| *index > post);
    if later.all(|(_, post)| Some(post.author) == author) {
        return Ok(());
    }
    let headline = format!("comment {} is answered by now: it stays as it is", thread.number);
    Err(Report::user(Code::WrongState, headline)
        .unchanged()
        .hint("answer it, or close it")
        .detail("number", thread.number))
}

fn thread_of(threads: &mut [Thread], number: u32) -> Result<&mut Thread, Report> {
    let found = threads.iter_mut().find(|thread| thread.number == number);
    found.ok_or_else(|| missing(number))
}

fn find_post(threads: &mut [Thread], number: u32, post: usize) -> Result<&mut Post, Report> {
    thread_of(threads, number)?.posts.get_mut(post).ok_or_else(|| missing(number))
}

fn asked_already(path: &RepoPath, number: u32) -> Report {
    let path = path.to_lossy();
    Report::user(
        Code::AlreadyExists,
        format!("the agent is asked about this conflict of {path} already, in note {number}"),
    )
    .unchanged()
    .hint("answer it in Review, or close it there to ask anew; ask about other files by path")
    .detail("path", path)
    .detail("number", number)
}

pub fn missing(number: u32) -> Report {
    Report::user(Code::NotFound, format!("there is no comment {number} on this shadow"))
        .unchanged()
        .hint("`shadowdeck notes ID` numbers them")
        .detail("number", number)
}
