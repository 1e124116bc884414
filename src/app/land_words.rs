//! What the land sheet says, as text to keep.

use super::{
    land_sheet::{Face, LandSheet},
    way_out,
};
use crate::report::Report;

/// A fact a line.
pub(super) fn words(sheet: &LandSheet) -> String {
    let mut lines = match &sheet.face {
        Face::Planning => vec![format!("landing {} is still being worked out", sheet.id)],
        Face::Refused(report) => refusal(sheet, report),
        Face::Moved(moved) => {
            let mut lines = refusal(sheet, &moved.report);
            for file in moved.files.iter().flatten() {
                lines.push(format!("changed: {}", file.path.to_lossy()));
            }
            lines
        }
        Face::Planned(plan) | Face::Running(plan) => {
            let why = plan.chosen_by.as_deref().unwrap_or("as you chose");
            let mut lines = vec![format!(
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
            lines.extend(plan.files.iter().map(|file| file.path.to_lossy()));
            lines.extend(plan.remarks.iter().chain(&plan.warnings).cloned());
            lines.push(sheet.message());
            lines
        }
    };
    lines.extend(sheet.consents.iter().map(|asked| asked.words.clone()));
    lines.join("\n")
}

/// With everything that a hook said.
fn refusal(sheet: &LandSheet, report: &Report) -> Vec<String> {
    let mut lines =
        vec![format!("{} does not land ({}): {}", sheet.id, report.code.as_str(), report.headline)];
    lines.extend(said(report));
    lines.extend(report.safe.clone());
    lines.extend(way_out::of_landing(report));
    lines
}

/// The causes, or all that a hook printed where it did.
pub fn said(report: &Report) -> Vec<String> {
    match report.details.get("output").and_then(|output| output.as_str()) {
        Some(output) => output.lines().map(str::to_owned).collect(),
        None => report.causes.clone(),
    }
}
