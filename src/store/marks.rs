//! What a person has read, one file a repository. Losing it loses no work, so two writers at once take turns by
//! reading what is there before they write; the file itself is whole or as before.

use std::{fs, io, path::PathBuf};

use super::atomic;
use crate::{
    report::{Blame, Code, Doing, Report},
    review::marks::{Mark, Marks},
};

#[derive(Clone, Debug)]
pub struct MarksFile {
    path: PathBuf,
}

impl MarksFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Nothing where nothing was ever marked.
    pub fn read(&self) -> Result<Marks, Report> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Marks::default()),
            Err(error) => return Err(error).doing(format!("read {}", self.path.display())),
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            Report::environment(
                Code::Io,
                format!("what was read is not known: {} is damaged", self.path.display()),
            )
            .cause(error.to_string())
            .hint("move that file away; it holds ticks and places only, no work")
        })
    }

    /// Gives what is there afterwards.
    pub fn write(&self, changes: &[Mark]) -> Result<Marks, Report> {
        let mut marks = self.read()?;
        for change in changes {
            marks.apply(change);
        }
        let bytes = serde_json::to_vec(&marks).map_err(|error| {
            Report::new(Code::Io, Blame::Bug, "a mark has no JSON").cause(error.to_string())
        })?;
        atomic::write(&self.path, &bytes).doing(format!("write {}", self.path.display()))?;
        Ok(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        review::{
            HunkLine, LineKind,
            marks::{Anchor, Looked},
            stream::Layout,
            ticks::{Tick, TickKey},
        },
        shadow::{Oid, RepoPath, ShadowId},
    };

    #[test]
    fn what_was_marked_is_there_again_and_nobody_else_s_is_lost() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = MarksFile::new(dir.path().join("marks.json"));
        assert_eq!(file.read(), Ok(Marks::default()));
        let id = ShadowId("one".into());
        let oid = Oid::parse(&"1".repeat(40)).expect("40 digits");
        let key = TickKey::new(RepoPath::new(b"not \xff utf-8".to_vec()), None, Some(oid.clone()));
        let line = HunkLine { kind: LineKind::Added, old_index: None, new_index: Some(3) };
        let anchor = Anchor { path: RepoPath::new("a"), line, text: b"\xff x".to_vec(), offset: 2 };
        let looked = Looked { snapshot: oid, read: 1, files: 2, changed: 0 };
        let tick = Tick { file: Some(key.clone()), ..Tick::default() };
        file.write(&[Mark::Tick(id.clone(), tick.clone()), Mark::Place(id.clone(), anchor)])
            .expect("is written");
        let other = MarksFile::new(dir.path().join("marks.json"));
        other
            .write(&[Mark::Looked(id.clone(), looked), Mark::Layout(Layout::Beside)])
            .expect("is written");
        let marks = file.read().expect("is read");
        assert!(marks.places.contains_key(&id) && marks.looked.contains_key(&id));
        assert!(marks.ticks.has(&key) && marks.layout == Some(Layout::Beside));
        let after = file.write(&[Mark::Untick(id, tick)]).expect("is written");
        assert!(!after.ticks.has(&key));
        fs::write(dir.path().join("marks.json"), "{").expect("is damaged");
        assert!(file.read().is_err(), "damage is told, not taken for nothing");
    }
}
