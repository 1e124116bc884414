//! Commits and changes as data, and the stream that makes git write them all in one process.

use std::collections::BTreeMap;

use super::history;
use crate::{
    report::{Blame, Code, Report},
    shadow::Oid,
};

/// A tree by path, in memory.
pub(super) type Files = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Author {
    pub(super) name: &'static str,
    pub(super) email: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// A project file appears, as it first was.
    Add(&'static str),
    /// In this file, this text, which is there once, becomes that one.
    Edit(&'static str, &'static str, &'static str),
    Write(&'static [u8], &'static [u8]),
    Delete(&'static str),
    Rename(&'static str, &'static str),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Commit {
    pub(super) author: Author,
    pub(super) message: &'static [u8],
    pub(super) changes: &'static [Change],
    /// Seconds since the epoch.
    pub(super) time_s: u64,
    /// The first parent's mark; 0 for a root commit.
    pub(super) parent: usize,
    /// The second parent's mark.
    pub(super) merged: Option<usize>,
}

impl Commit {
    pub(super) const fn after(time_s: u64, parent: usize) -> Self {
        Self { author: history::AGENT, message: b"", changes: &[], time_s, parent, merged: None }
    }
}

/// The input of one `git fast-import`, with every commit's files kept beside it.
#[derive(Debug, Default)]
pub(super) struct Stream {
    bytes: Vec<u8>,
    /// By mark, from 1.
    trees: Vec<Files>,
}

impl Stream {
    /// Appends a commit on `reference`; its mark.
    pub(super) fn commit(&mut self, reference: &str, commit: &Commit) -> Result<usize, Report> {
        let mark = self.trees.len() + 1;
        let mut files = self.files(commit.parent);
        let Author { name, email } = commit.author;
        let person = format!("{name} <{email}> {} +0000", commit.time_s);
        self.line(&format!("commit {reference}"));
        self.line(&format!("mark :{mark}"));
        self.line(&format!("author {person}"));
        self.line(&format!("committer {person}"));
        self.data(commit.message);
        if commit.parent > 0 {
            self.line(&format!("from :{}", commit.parent));
        }
        if let Some(merged) = commit.merged {
            self.line(&format!("merge :{merged}"));
        }
        for change in commit.changes {
            for path in apply(*change, &mut files)? {
                match files.get(&path) {
                    Some(content) => {
                        self.line(&format!("M 100644 inline {}", quoted(&path)));
                        self.data(content);
                    }
                    None => self.line(&format!("D {}", quoted(&path))),
                }
            }
        }
        self.trees.push(files);
        Ok(mark)
    }

    /// What the commit with this mark holds; nothing for mark 0.
    pub(super) fn files(&self, mark: usize) -> Files {
        mark.checked_sub(1).map_or_else(Files::new, |index| self.trees[index].clone())
    }

    /// The whole stream; git answers with one object id a line, in the order of the marks.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        for mark in 1..=self.trees.len() {
            self.line(&format!("get-mark :{mark}"));
        }
        self.line("done");
        std::mem::take(&mut self.bytes)
    }

    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn data(&mut self, content: &[u8]) {
        self.line(&format!("data {}", content.len()));
        self.bytes.extend_from_slice(content);
        self.bytes.push(b'\n');
    }
}

/// git's answer to [`Stream::finish`].
pub(super) fn parse_marks(answer: &str) -> Result<Vec<Oid>, Report> {
    let parsed = |line: &str| {
        Oid::parse(line).ok_or_else(|| {
            Report::environment(Code::GitFailed, format!("git fast-import answered `{line}`"))
        })
    };
    answer.lines().map(parsed).collect()
}

/// Makes one change; the paths that it touched.
pub(super) fn apply(change: Change, files: &mut Files) -> Result<Vec<Vec<u8>>, Report> {
    let name = |path: &str| path.as_bytes().to_vec();
    match change {
        Change::Add(path) => {
            files.insert(name(path), first_version(path)?.into_bytes());
            Ok(vec![name(path)])
        }
        Change::Edit(path, old, new) => {
            let text = files.get(path.as_bytes()).map(|text| String::from_utf8_lossy(text));
            let edited = replaced(path, &text.unwrap_or_default(), old, new)?;
            files.insert(name(path), edited.into_bytes());
            Ok(vec![name(path)])
        }
        Change::Write(path, content) => {
            files.insert(path.to_vec(), content.to_vec());
            Ok(vec![path.to_vec()])
        }
        Change::Delete(path) => {
            files.remove(path.as_bytes());
            Ok(vec![name(path)])
        }
        Change::Rename(old, new) => {
            let content = files.remove(old.as_bytes()).unwrap_or_default();
            files.insert(name(new), content);
            Ok(vec![name(old), name(new)])
        }
    }
}

/// A project file before the edits that history makes to it.
fn first_version(path: &str) -> Result<String, Report> {
    let text = history::FILES.iter().find(|(known, _)| *known == path);
    let text = text.ok_or_else(|| broken(path, "it is not among the project's files"))?.1;
    history::early_edits(path)
        .try_fold(text.to_owned(), |text, (old, new)| replaced(path, &text, new, old))
}

fn replaced(path: &str, text: &str, old: &str, new: &str) -> Result<String, Report> {
    match text.matches(old).count() {
        1 => Ok(text.replacen(old, new, 1)),
        count => Err(broken(path, &format!("the text to edit is there {count} times: {old:?}"))),
    }
}

fn broken(path: &str, why: &str) -> Report {
    Report::new(Code::Io, Blame::Bug, format!("the demo's own history does not fit at {path}"))
        .cause(why)
}

/// A path as git's stream quotes it: every byte that could be misread as an octal escape.
fn quoted(path: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in path {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => out.extend(format!("\\{byte:03o}").chars()),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_s_history_fits_together() {
        let mut stream = Stream::default();
        for commit in history::COMMITS {
            stream.commit("refs/heads/main", commit).expect("every edit finds its text");
        }
        let early = stream.files(history::SEEDED);
        for (path, text) in history::FILES {
            assert_eq!(
                early.get(path.as_bytes()).map(|text| String::from_utf8_lossy(text)).as_deref(),
                Some(*text),
                "{path}"
            );
        }
        assert_eq!(history::COMMITS.len(), history::TIP);
    }

    #[test]
    fn paths_are_quoted_as_git_reads_them() {
        assert_eq!(quoted(b"a\"b\\c\n\x1b \xe9"), "\"a\\\"b\\\\c\\012\\033 \\351\"");
    }
}
