//! Something moved since what was approved: what changed, and one key to look at just that. Nothing that nobody has
//! seen lands for it.

use super::{
    Effect, Model, fleet,
    job::{Job, Outcome, Slot},
    land_sheet::{self, Face, LandSheet},
    review_open,
};
use crate::{
    report::{Code, Report},
    review::FileChange,
    shadow::{Oid, ShadowId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Shadow,
    Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub what: What,
    pub report: Report,
    /// What was approved, and what is there now.
    pub between: Option<[Oid; 2]>,
    /// What lies between; `None` until it is read.
    pub files: Option<Vec<FileChange>>,
}

impl Moved {
    /// `None` where it is refused for another reason.
    pub(super) fn of(report: &Report) -> Option<Self> {
        let oid = |name: &str| Oid::parse(report.details.get(name)?.as_str()?);
        let (what, names) = match report.code {
            // A hook that changed the result moved nothing that could be looked at.
            Code::ShadowMoved if !report.details.contains_key("hook") => {
                (What::Shadow, ["expected", "snapshot"])
            }
            Code::TargetMoved => (What::Target, ["before", "found"]),
            _ => return None,
        };
        let between = oid(names[0]).zip(oid(names[1])).map(|(old, new)| [old, new]);
        Some(Self { what, report: report.clone(), between, files: None })
    }

    pub(super) fn ask(&self, model: &mut Model, id: &ShadowId) -> Vec<Effect> {
        let Some(between) = self.between.clone() else { return Vec::new() };
        model.jobs.start(Slot::Compare, Job::Part { id: id.clone(), between })
    }
}

pub(super) fn receive(model: &mut Model, outcome: Result<Outcome, Report>) -> Vec<Effect> {
    // Without the comparison it is known all the same that it moved, and R reads what there is now.
    let Ok(Outcome::Review(page)) = outcome else { return Vec::new() };
    if let Some(LandSheet { id, face: Face::Moved(moved), .. }) = land_sheet::open_sheet(model)
        && *id == page.id
        && moved
            .between
            .as_ref()
            .is_some_and(|[old, new]| *old == page.base && *new == page.snapshot)
    {
        moved.files = Some(page.files.into_iter().map(|file| file.change).collect());
    }
    Vec::new()
}

/// Its review opens on just what changed, and `m` there lands what was read.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = land_sheet::seen(model) else { return Vec::new() };
    let (id, read) = (sheet.id.clone(), sheet.options.expect.clone());
    model.sheets.pop();
    let mut effects = model.jobs.cancel(Slot::Compare);
    effects.extend(review_open::open_since(model, id, read));
    // The list still has the snapshot that was read.
    effects.extend(fleet::read_again(model));
    effects
}
