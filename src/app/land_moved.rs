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
    review::{FileChange, LandPlan},
    shadow::{Oid, ShadowId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Shadow,
    Target,
}

/// What a person had seen of it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    Read,
    Planned,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub what: What,
    pub since: Since,
    pub report: Report,
    /// What was approved, and what is there now.
    pub between: Option<[Oid; 2]>,
    /// What lies between; `None` until it is read.
    pub files: Option<Vec<FileChange>>,
}

impl Moved {
    /// `None` where it is refused for another reason.
    pub(super) fn of(model: &Model, id: &ShadowId, report: &Report) -> Option<Self> {
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
        let read = model.review.as_ref().filter(|screen| screen.id == *id);
        let read = read.and_then(|screen| Some(&screen.whole.as_ref()?.snapshot));
        let was_read = between.as_ref().is_some_and(|[old, _]| read == Some(old));
        let since = if what == What::Shadow && was_read { Since::Read } else { Since::Planned };
        Some(Self { what, since, report: report.clone(), between, files: None })
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

/// The list or a page, read since it was planned, tells of something else: that is said before anybody approves it.
pub(super) fn notice(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = land_sheet::open_sheet(model) else { return Vec::new() };
    let Face::Planned(plan) = &sheet.face else { return Vec::new() };
    if sheet.editor.is_some() {
        return Vec::new();
    }
    let (plan, planned_at_ms) = (plan.clone(), sheet.planned_at_ms);
    let Some(report) = moved_since(model, &plan, planned_at_ms) else { return Vec::new() };
    land_sheet::refuse(model, report)
}

fn moved_since(model: &Model, plan: &LandPlan, planned_at_ms: u64) -> Option<Report> {
    let fleet = &model.fleet;
    let is_newer = fleet.complete
        && fleet.failed.is_none()
        && !model.jobs.is_open(Slot::Fleet)
        && fleet.asked_at_ms > planned_at_ms;
    let row = fleet.find(&plan.id).filter(|_| is_newer);
    let page = model.review.as_ref().filter(|screen| screen.id == plan.id);
    let page = page.and_then(|screen| screen.whole.as_ref());
    let page = page.filter(|page| page.read_at_ms > planned_at_ms).map(|page| &page.snapshot);
    let snapshot = row.and_then(|row| row.snapshot.as_ref()).or(page);
    if let Some(now) = snapshot.filter(|now| **now != plan.snapshot) {
        let headline = format!("{} was written to since this was planned", plan.id);
        let report = Report::user(Code::ShadowMoved, headline).unchanged();
        let report = report.detail("expected", plan.snapshot.as_str());
        return Some(report.detail("snapshot", now.as_str()));
    }
    // The list tells the tip of its own target only.
    row.filter(|row| row.target == fleet.target && fleet.target.as_ref() == Some(&plan.target))?;
    let found = fleet.target_tip.as_ref().filter(|tip| **tip != plan.before)?;
    let report = Report::user(Code::TargetMoved, format!("{} has moved", plan.target)).unchanged();
    Some(report.detail("before", plan.before.as_str()).detail("found", found.as_str()))
}

/// Nobody had read it: it is planned as it is now.
pub(super) fn plan_anew(model: &mut Model) -> Vec<Effect> {
    if let Some(sheet) = land_sheet::sheet(model) {
        sheet.options.expect = None;
    }
    land_sheet::plan(model)
}

/// Its review opens on just what changed, and `m` there lands what was read.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = land_sheet::seen(model) else { return Vec::new() };
    let Face::Moved(moved) = &sheet.face else { return Vec::new() };
    let read = moved.between.as_ref().map(|[old, _]| old.clone());
    let (id, read) = (sheet.id.clone(), read.or_else(|| sheet.options.expect.clone()));
    model.sheets.pop();
    let mut effects = model.jobs.cancel(Slot::Compare);
    effects.extend(review_open::open_since(model, id, read));
    // The list still has the snapshot that was read.
    effects.extend(fleet::read_again(model));
    effects
}
