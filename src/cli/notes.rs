//! `notes`: the reviewer's comments for an agent, its answers, and its word that something is done.

use clap::Args;
use serde_json::{Map, Value, json};

use super::{
    Answer, Context,
    json::{put_path, put_text},
};
use crate::{
    ops::{
        list,
        notes::{self, Placed, Read},
    },
    report::{Code, Report},
    review::{
        comment::{At, Author, Change},
        comment_words::{Shown, markdown, thread},
        passage::Line,
    },
    shadow::handle::Prefixes,
};

#[derive(Debug, Args)]
pub struct NotesArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Adds a comment of the agent's on a line, on lines (PATH:FIRST-LAST) or on a file (PATH)
    #[arg(long, num_args = 2, value_names = ["PATH:LINE", "TEXT"], group = "change")]
    pub add: Option<Vec<String>>,
    /// Answers comment N as the agent
    #[arg(long, num_args = 2, value_names = ["N", "TEXT"], group = "change")]
    pub reply: Option<Vec<String>>,
    /// Says that what comment N asks for is done; the reviewer closes it
    #[arg(long, value_name = "N", group = "change")]
    pub resolve: Option<String>,
}

impl NotesArgs {
    pub fn only_reads(&self) -> bool {
        self.add.is_none() && self.reply.is_none() && self.resolve.is_none()
    }
}

pub(super) fn notes(context: &Context, args: &NotesArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let id = list::find(&deck, &args.id, Prefixes::Taken)?;
    let changed = if let Some([target, text]) = args.add.as_deref() {
        let target = notes::find_target(&deck, &id, target)?;
        Some(notes::add(&deck, &id, Author::Agent, &target, text)?)
    } else if let Some([number, text]) = args.reply.as_deref() {
        let number = parse_number(number)?;
        let reply = Change::Reply { number, author: Author::Agent, text: text.clone() };
        Some(notes::change_one(&deck, &id, reply)?.number)
    } else if let Some(number) = &args.resolve {
        Some(notes::resolve(&deck, &id, parse_number(number)?)?.number)
    } else {
        None
    };
    let mut read = notes::read(&deck, &id)?;
    read.threads.retain(|placed| changed.is_none_or(|number| placed.thread.number == number));
    let shown: Vec<Shown<'_>> = read.threads.iter().map(shown).collect();
    let text = match (changed, &shown[..]) {
        (Some(_), [one]) => thread(one),
        _ => markdown(&id, &shown),
    };
    Ok(Answer::both(text, to_json(&read)))
}

fn parse_number(text: &str) -> Result<u32, Report> {
    text.parse().map_err(|_| {
        Report::user(Code::InvalidValue, format!("`{}` is no number", text.escape_debug()))
            .unchanged()
            .hint("`shadowdeck notes ID` numbers the comments")
    })
}

fn shown(placed: &Placed) -> Shown<'_> {
    Shown { thread: &placed.thread, path: &placed.path, at: placed.at.as_ref() }
}

fn to_json(read: &Read) -> Value {
    let notes: Vec<Value> = read.threads.iter().map(note).collect();
    let problem = read.problem.as_ref().map(|report| &report.headline);
    json!({"id": read.id, "notes": notes, "problem": problem})
}

fn note(placed: &Placed) -> Value {
    let Placed { thread, path, at } = placed;
    let passage = thread.spot.passage.as_ref();
    let mut object = Map::new();
    object.insert("number".to_owned(), json!(thread.number));
    put_path(&mut object, "path", Some(path));
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    // Of outdated ones the lines where they were.
    let range = passage.map(|passage| match at {
        Some(At::Lines(range)) => range.clone(),
        _ => passage.range(),
    });
    put("line", json!(range.as_ref().map(|range| range.start + 1)));
    put("end_line", json!(range.as_ref().map(|range| range.end)));
    put("side", json!(thread.spot.side.as_str()));
    put("outdated", json!(at.as_ref().map(|at| *at == At::Outdated)));
    put("status", json!(thread.status.as_str()));
    put("lines", json!(passage.map(|passage| lines(&passage.lines))));
    put("before", json!(passage.map(|passage| lines(passage.before()))));
    put("after", json!(passage.map(|passage| lines(passage.after()))));
    let posts: Vec<Value> = thread
        .shown()
        .map(|(_, post)| {
            json!({"author": post.author.as_str(), "text": post.text, "time": post.time_ms})
        })
        .collect();
    if let Some(first) = posts.first() {
        for key in ["author", "text", "time"] {
            put(key, first[key].clone());
        }
    }
    put("thread", Value::Array(posts));
    Value::Object(object)
}

fn lines<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<Value> {
    let of = |line: &Line| {
        let mut object = Map::new();
        put_text(&mut object, line.as_bytes());
        Value::Object(object)
    };
    lines.into_iter().map(of).collect()
}
