//! From the Land sheet to the conflicts of just that landing.

use super::{
    Effect, Model, conflicts,
    job::Slot,
    land_sheet::{Face, seen, unplanned},
};
use crate::{report::Code, review::Way, shadow::Strategy};

pub(super) fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = seen(model) else { return Vec::new() };
    let is_step = match &sheet.face {
        Face::Refused(report) => report.details.contains_key("step"),
        _ => sheet.plan().is_some_and(|plan| plan.strategy == Strategy::Rebase),
    };
    let (id, way) = (sheet.id.clone(), if is_step { Way::Rebase } else { Way::Whole });
    model.sheets.pop();
    let mut effects = model.jobs.cancel(Slot::PlanLand);
    effects.extend(conflicts::open_way(model, id, way));
    effects
}

pub(super) fn no_conflict(model: &Model) -> Option<&'static str> {
    let sheet = seen(model)?;
    let has_some = match &sheet.face {
        Face::Planned(plan) => !plan.resolved.is_empty(),
        Face::Refused(report) => report.code == Code::Conflicts,
        Face::Planning | Face::Moved(_) | Face::Running(_) => false,
    };
    unplanned(model).or((!has_some).then_some("nothing conflicts"))
}
