//! What a person has read, one file a repository, and the messages that they wrote in another: damage to one costs
//! nothing of the other, and what is damaged is put aside, never written over. Losing either loses no work, so two
//! writers at once take turns by reading what is there before they write; a file itself is whole or as before.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use super::atomic;
use crate::{
    report::{Blame, Code, Doing, Report},
    review::marks::{Draft, Kept, Mark, Marks},
    shadow::ShadowId,
};

type Drafts = BTreeMap<ShadowId, Draft>;

#[derive(Clone, Debug)]
pub struct MarksFile {
    path: PathBuf,
    drafts: PathBuf,
}

/// What a file holds.
enum Held<T> {
    Whole(T),
    Damaged(Report),
}

impl<T: Default> Held<T> {
    fn split(self) -> (T, Option<Report>) {
        match self {
            Self::Whole(value) => (value, None),
            Self::Damaged(report) => (T::default(), Some(report)),
        }
    }
}

impl MarksFile {
    pub fn new(dir: &Path) -> Self {
        Self { path: dir.join("marks.json"), drafts: dir.join("drafts.json") }
    }

    /// Nothing where nothing was ever marked.
    pub fn read(&self) -> Result<Kept, Report> {
        let (mut marks, damage) = read::<Marks>(&self.path, "what was read")?.split();
        let (drafts, draft_damage) = read::<Drafts>(&self.drafts, "what messages say")?.split();
        marks.drafts = drafts;
        Ok(Kept { marks, damage: damage.into_iter().chain(draft_damage).collect() })
    }

    /// Gives what is there afterwards.
    pub fn write(&self, changes: &[Mark]) -> Result<Kept, Report> {
        let mut kept = self.read()?;
        for change in changes {
            kept.marks.apply(change);
        }
        let (drafts, others): (Vec<&Mark>, Vec<&Mark>) =
            changes.iter().partition(|change| matches!(change, Mark::Draft(..)));
        if !drafts.is_empty() {
            write(&self.drafts, &kept.marks.drafts)?;
        }
        if !others.is_empty() {
            write(&self.path, &kept.marks)?;
        }
        Ok(kept)
    }
}

fn read<T: DeserializeOwned + Default>(path: &Path, what: &str) -> Result<Held<T>, Report> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Held::Whole(T::default()));
        }
        Err(error) => return Err(error).doing(format!("read {}", path.display())),
    };
    Ok(serde_json::from_slice(&bytes).map_or_else(
        |error| {
            let headline = format!("{what} is not known: {} is damaged", path.display());
            Held::Damaged(
                Report::environment(Code::Io, headline)
                    .cause(error.to_string())
                    .safe("it holds no work, and stays as it is beside the next that is written"),
            )
        },
        Held::Whole,
    ))
}

fn write<T: Serialize + DeserializeOwned + Default>(path: &Path, value: &T) -> Result<(), Report> {
    if let Held::Damaged(_) = read::<T>(path, "")? {
        put_aside(path).doing(format!("put {} aside", path.display()))?;
    }
    let bytes = serde_json::to_vec(value).map_err(|error| {
        Report::new(Code::Io, Blame::Bug, "a mark has no JSON").cause(error.to_string())
    })?;
    atomic::write(path, &bytes).doing(format!("write {}", path.display()))
}

/// Under the first name that is free.
fn put_aside(path: &Path) -> io::Result<()> {
    let mut names = (1_u32..).map(|number| path.with_extension(format!("damaged-{number}")));
    let is_free = |aside: &PathBuf| fs::symlink_metadata(aside).is_err();
    names.find(is_free).map_or(Ok(()), |aside| fs::rename(path, aside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        review::{
            Entry, HunkLine, LineKind, Mode,
            marks::{Anchor, Looked},
            stream::Layout,
            ticks::{Tick, TickKey},
        },
        shadow::{Oid, RepoPath, ShadowId},
    };

    #[test]
    fn what_was_marked_is_there_again_and_nobody_else_s_is_lost() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = MarksFile::new(dir.path());
        assert_eq!(file.read(), Ok(Kept::default()));
        let id = ShadowId("one".into());
        let oid = Oid::parse(&"1".repeat(40)).expect("40 digits");
        let entry = Entry { mode: Mode::File, oid: oid.clone() };
        let key = TickKey::new(RepoPath::new(b"not \xff utf-8".to_vec()), None, Some(entry));
        let line = HunkLine { kind: LineKind::Added, old_index: None, new_index: Some(3) };
        let anchor = Anchor { path: RepoPath::new("a"), line, text: b"\xff x".to_vec(), offset: 2 };
        let looked = Looked { snapshot: oid, base: None, read: 1, files: 2, changed: 0 };
        let tick = Tick { file: Some(key.clone()), ..Tick::default() };
        file.write(&[Mark::Tick(id.clone(), tick.clone()), Mark::Place(id.clone(), anchor)])
            .expect("is written");
        let other = MarksFile::new(dir.path());
        other
            .write(&[Mark::Looked(id.clone(), looked), Mark::Layout(Some(Layout::Beside))])
            .expect("is written");
        let marks = file.read().expect("is read").marks;
        assert!(marks.places.contains_key(&id) && marks.looked.contains_key(&id));
        assert!(marks.ticks.has(&key) && marks.layout == Some(Layout::Beside));
        let after = file.write(&[Mark::Untick(id, tick)]).expect("is written");
        assert!(!after.marks.ticks.has(&key));
    }

    #[test]
    fn damage_costs_itself_alone_and_is_told_and_put_aside() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = MarksFile::new(dir.path());
        let id = ShadowId("one".into());
        let draft = Draft { text: "mine".to_owned(), is_used: true };
        let layout = Mark::Layout(Some(Layout::Beside));
        let written = [Mark::Draft(id.clone(), Some(draft.clone())), layout.clone()];
        file.write(&written).expect("is written");

        fs::write(dir.path().join("marks.json"), "{").expect("is damaged");
        let kept = file.read().expect("is read");
        assert!(kept.damage[0].headline.contains("marks.json is damaged"), "{kept:?}");
        assert_eq!((kept.marks.drafts.get(&id), kept.marks.layout), (Some(&draft), None));
        let kept = file.write(std::slice::from_ref(&layout)).expect("is written");
        assert_eq!(kept.marks.drafts.get(&id), Some(&draft));
        let aside = fs::read(dir.path().join("marks.damaged-1")).expect("is there");
        assert_eq!(aside, b"{", "nothing is written over");

        fs::write(dir.path().join("drafts.json"), "[1").expect("is damaged");
        let kept = file.read().expect("is read");
        assert!(kept.damage[0].headline.contains("drafts.json is damaged"), "{kept:?}");
        assert_eq!(kept.marks.layout, Some(Layout::Beside));
        file.write(&[Mark::Draft(id, Some(draft))]).expect("is written");
        let kept = file.read().expect("is read");
        assert_eq!((kept.damage.len(), kept.marks.drafts.len()), (0, 1));
        assert!(dir.path().join("drafts.damaged-1").exists());
    }
}
