//! What the land sheet says, as one line of text to read or to keep.

use super::land_sheet::{Face, LandSheet};

/// What the sheet says, as text to keep.
pub(super) fn words(sheet: &LandSheet) -> String {
    match &sheet.face {
        Face::Planning => format!("landing {} is still being worked out", sheet.id),
        Face::Refused(report) | Face::Moved(report) => {
            let rest = report.causes.iter().chain(&report.hint);
            let all: Vec<&str> =
                std::iter::once(&report.headline).chain(rest).map(String::as_str).collect();
            format!("{} does not land: {}", sheet.id, all.join(" · "))
        }
        Face::Planned(plan) | Face::Running { plan, .. } => {
            let why = plan.default_of.as_ref();
            let why =
                why.map_or_else(|| "as you chose".to_owned(), |of| format!("the default of {of}"));
            let mut parts = vec![format!(
                "{} by {} ({why}): {} {} to {}, {} files +{} -{}",
                plan.id,
                plan.strategy.as_str(),
                plan.target,
                plan.before.abbreviated(),
                plan.after.abbreviated(),
                plan.files.len(),
                plan.stats.insertions,
                plan.stats.deletions,
            )];
            parts.extend(plan.warnings.iter().cloned());
            parts.join(" · ")
        }
    }
}
