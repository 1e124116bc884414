//! What is remembered of a person's reading, in one repository: ticks, places, the snapshot last looked at.
//! Changes are told one by one, so that two cockpits on one repository lose nothing of each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Accepted, Against, HunkLine,
    comment::Spot,
    stream::{Layout, Long, Space},
    ticks::{Tick, Ticks},
};
use crate::{
    report::Report,
    shadow::{Oid, RepoPath, ShadowId},
};

/// A place told by content, so that it is found again on another page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    pub path: RepoPath,
    pub line: HunkLine,
    /// How the line begins.
    pub text: Vec<u8>,
    /// Rows between the top of the pane and the cursor.
    pub offset: usize,
}

/// How far a shadow was read when a person left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    pub snapshot: Oid,
    /// What the change was counted from; absent in what older versions kept.
    #[serde(default)]
    pub base: Option<Oid>,
    pub read: usize,
    pub files: usize,
    /// Files that had changed since they were read.
    pub changed: usize,
}

/// A message as a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub text: String,
    /// It would land; else the generated one would, and this is kept beside it.
    pub is_used: bool,
}

/// What a comment that is being written is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Spot(Box<Spot>),
    /// An answer to this thread.
    Reply(u32),
    /// Another text for this post of a thread.
    Edit(u32, usize),
}

/// A comment that is not kept yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteDraft {
    pub about: About,
    pub text: String,
    /// Where it was begun, if that is somewhere else: a draft for each place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_on: Option<About>,
}

impl NoteDraft {
    pub fn place(&self) -> &About {
        self.begun_on.as_ref().unwrap_or(&self.about)
    }
}

/// Those of one shadow, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "HeldDrafts")]
pub struct NoteDrafts(pub Vec<NoteDraft>);

/// A shadow had one draft at most before.
#[derive(Deserialize)]
#[serde(untagged)]
enum HeldDrafts {
    One(NoteDraft),
    All(Vec<NoteDraft>),
}

impl From<HeldDrafts> for NoteDrafts {
    fn from(held: HeldDrafts) -> Self {
        Self(match held {
            HeldDrafts::One(draft) => vec![draft],
            HeldDrafts::All(drafts) => drafts,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Marks {
    pub ticks: Ticks,
    pub places: BTreeMap<ShadowId, Anchor>,
    /// The snapshot that "since you looked" compares with, and how far it was read.
    pub looked: BTreeMap<ShadowId, Looked>,
    /// What of a shadow's change is to land, where somebody left some of it out.
    pub accepted: BTreeMap<ShadowId, Accepted>,
    /// What a shadow is compared with, where that is not its own base.
    pub against: BTreeMap<ShadowId, Against>,
    /// Messages that a person wrote for what has not landed yet; kept apart.
    #[serde(skip)]
    pub drafts: BTreeMap<ShadowId, Draft>,
    pub note_drafts: BTreeMap<ShadowId, NoteDrafts>,
    /// Chosen by hand; else the width decides.
    pub layout: Option<Layout>,
    /// The diff has all of the width, also where the files would have room beside it.
    pub files_hidden: bool,
    pub long: Long,
    pub space: Space,
    /// Lines around each change, where another number than git's was chosen.
    pub context: Option<u32>,
}

/// What is remembered, and what of it could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    pub marks: Marks,
    pub damage: Vec<Report>,
}

impl From<Marks> for Kept {
    fn from(marks: Marks) -> Self {
        Self { marks, damage: Vec::new() }
    }
}

/// One change of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    Tick(ShadowId, Tick),
    Untick(ShadowId, Tick),
    Place(ShadowId, Anchor),
    Looked(ShadowId, Looked),
    /// All of it lands where there is none.
    Accepted(ShadowId, Option<Accepted>),
    /// As it lands where there is none.
    Against(ShadowId, Option<Against>),
    /// What the width gives where there is none.
    Layout(Option<Layout>),
    FilesHidden(bool),
    Long(Long),
    Space(Space),
    Context(u32),
    /// `None`: it has landed.
    Draft(ShadowId, Option<Draft>),
    /// In place of the one that was begun there.
    NoteDraft(ShadowId, NoteDraft),
    /// It is kept among the comments, or was given up.
    NoteDraftGone(ShadowId, About),
}

impl Marks {
    pub fn apply(&mut self, mark: &Mark) {
        match mark {
            Mark::Tick(id, tick) => self.ticks.tick(id, tick),
            Mark::Untick(id, tick) => self.ticks.untick(id, tick),
            Mark::Place(id, anchor) => {
                self.places.insert(id.clone(), anchor.clone());
            }
            Mark::Looked(id, looked) => {
                self.looked.insert(id.clone(), looked.clone());
            }
            Mark::Accepted(id, Some(accepted)) => {
                self.accepted.insert(id.clone(), accepted.clone());
            }
            Mark::Accepted(id, None) => drop(self.accepted.remove(id)),
            Mark::Against(id, Some(against)) => {
                self.against.insert(id.clone(), against.clone());
            }
            Mark::Against(id, None) => drop(self.against.remove(id)),
            Mark::Layout(layout) => self.layout = *layout,
            Mark::FilesHidden(is_hidden) => self.files_hidden = *is_hidden,
            Mark::Long(long) => self.long = *long,
            Mark::Space(space) => self.space = *space,
            Mark::Context(lines) => self.context = Some(*lines),
            Mark::Draft(id, Some(draft)) => {
                self.drafts.insert(id.clone(), draft.clone());
            }
            Mark::Draft(id, None) => {
                self.drafts.remove(id);
            }
            Mark::NoteDraft(id, draft) => {
                let drafts = &mut self.note_drafts.entry(id.clone()).or_default().0;
                match drafts.iter_mut().find(|other| other.place() == draft.place()) {
                    Some(own) => own.clone_from(draft),
                    None => drafts.push(draft.clone()),
                }
            }
            Mark::NoteDraftGone(id, place) => {
                if let Some(NoteDrafts(drafts)) = self.note_drafts.get_mut(id) {
                    drafts.retain(|draft| draft.place() != place);
                    if drafts.is_empty() {
                        self.note_drafts.remove(id);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_draft_of_before_is_still_read() {
        let kept = r#"{"note_drafts":{"fox":{"about":{"reply":1},"text":"half"}}}"#;
        let marks: Marks = serde_json::from_str(kept).expect("it was written so");
        let again: Marks =
            serde_json::from_slice(&serde_json::to_vec(&marks).expect("JSON")).expect("as written");
        assert_eq!(again.note_drafts[&ShadowId("fox".to_owned())].0[0].text, "half");
    }
}
