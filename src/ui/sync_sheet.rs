//! The target merged into a shadow: what comes in, what stays, and how it is undone; drawn first, then `Enter`.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, rule, span},
    land_facts::wrapped,
    theme::Theme,
    undo_sheet::{named_files, refusal_lines},
};
use crate::{
    app::{Context, Model, Sheet, plan_sheet::Face, sync_sheet::SyncSheet},
    report::Code,
    review::SyncPlan,
};

pub fn draw(model: &Model, sheet: &SyncSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let (head, right, style) = match &sheet.face {
        Face::Planned(plan) | Face::Running(plan) => {
            (format!("Take {} into {}", plan.target, plan.id), None, theme.text)
        }
        Face::Waiting | Face::Planning => {
            (format!("Take its target into {}", sheet.about), None, theme.text)
        }
        Face::Refused(report) => {
            ("Not merged".to_owned(), Some(report.code.as_str()), theme.attention)
        }
    };
    let right = right.map(|right| span(right, theme.quiet)).into_iter().collect();
    let split = Split { left: vec![span(&head, bold(style))], right };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    draw_lines(lines(model, sheet, area.width, theme), inner, frame);
}

pub fn line_count(model: &Model, sheet: &SyncSheet, width: u16, theme: &Theme) -> usize {
    lines(model, sheet, width, theme).len()
}

fn lines(model: &Model, sheet: &SyncSheet, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    match &sheet.face {
        Face::Waiting | Face::Planning => vec![Line::styled("  working it out", theme.quiet)],
        Face::Planned(plan) => plan_lines(plan, width, theme),
        Face::Refused(report) => refusal_lines(report, width, theme),
        Face::Running(_) => wrapped("step", &model.running.words(), theme.text, width, theme),
    }
}

fn plan_lines(plan: &SyncPlan, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let line = |label: &str, text: &str| wrapped(label, text, theme.text, width, theme);
    let SyncPlan { branch, target, before, target_tip, .. } = plan;
    let mut lines = line(
        "merges",
        &format!(
            "{} of {target} {} into {branch} {}",
            chrome::count(plan.commits as usize, "commit"),
            target_tip.abbreviated(),
            before.abbreviated()
        ),
    );
    lines.extend(line("changes", &named_files(&plan.files)));
    if !plan.resolved.is_empty() {
        lines.extend(line("settled", &format!("as you chose: {}", named_files(&plan.resolved))));
    }
    let stays = match &plan.uncommitted[..] {
        [] => "nothing is uncommitted".to_owned(),
        files => format!("uncommitted work in {}, untouched", named_files(files)),
    };
    lines.extend(line("stays", &stays));
    lines.extend(line("hooks", "no hook runs: landing asks them all"));
    lines.extend(line("then", &format!("{target} is as it was; u in the list takes this back")));
    lines
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(Sheet::Sync(sheet)) = model.sheets.last() else { return (Vec::new(), Vec::new()) };
    let hint = |name: &str, label: &str| Hint::of(model, Context::SyncSheet, name, label);
    let conflicts = hint("conflicts.show", "conflicts");
    let (confirm, conflicts, again) = match &sheet.face {
        Face::Planned(plan) => {
            let conflicts = conflicts.filter(|_| !plan.resolved.is_empty());
            (hint("confirm.sync", "sync"), conflicts, None)
        }
        Face::Refused(report) => {
            let conflicts = conflicts.filter(|_| report.code == Code::Conflicts);
            (None, conflicts, hint("again.sync", "again"))
        }
        Face::Waiting | Face::Planning | Face::Running(_) => (None, None, None),
    };
    let hints =
        [confirm, hint("leave.sheet", "leave"), conflicts, again, hint("help.keys", "keys")];
    (hints.into_iter().flatten().collect(), Vec::new())
}
