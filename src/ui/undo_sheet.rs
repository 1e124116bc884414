//! Taking back what moves a branch, and doing it again: drawn first, then `Enter`.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    chrome::{self, Hint, Split, bold, draw_line, draw_lines, rule, span},
    land_facts::wrapped,
    theme::Theme,
};
use crate::{
    app::{
        Context, Model, Sheet,
        plan_sheet::Face,
        undo_sheet::{Facts, Plan, UndoSheet, Way, noun},
        way_out,
    },
    report::Report,
    review::{Chosen, UndoPlan},
    shadow::RepoPath,
};

/// Files that are named; the rest are counted.
const FILES_MAX: usize = 6;

pub fn draw(model: &Model, sheet: &UndoSheet, theme: &Theme, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    chrome::clear(area, theme, frame);
    let (head, right) = match (&sheet.face, sheet.about.way) {
        (Face::Planned(plan) | Face::Running(plan), _) => (plan.title(), String::new()),
        (Face::Refused(report), Way::Back) => {
            ("Not taken back".to_owned(), report.code.as_str().to_owned())
        }
        (Face::Refused(report), Way::Again) => {
            ("Not done again".to_owned(), report.code.as_str().to_owned())
        }
        (Face::Waiting | Face::Planning, way) => {
            let which =
                if sheet.about.operation.is_some() { "this one" } else { "the newest operation" };
            let verb = if way == Way::Back { "Take back" } else { "Do again" };
            (format!("{verb} {which}"), String::new())
        }
    };
    let style = if matches!(sheet.face, Face::Refused(_)) { theme.attention } else { theme.text };
    let split =
        Split { left: vec![span(&head, bold(style))], right: vec![span(&right, theme.quiet)] };
    let split = if right.is_empty() { Split { right: Vec::new(), ..split } } else { split };
    draw_line(rule(split, area.width, theme), Rect { height: 1, ..area }, frame);
    let inner = Rect { y: area.y + 1, height: area.height - 1, ..area };
    draw_lines(lines(model, sheet, area.width, theme), inner, frame);
}

pub fn line_count(model: &Model, sheet: &UndoSheet, width: u16, theme: &Theme) -> usize {
    lines(model, sheet, width, theme).len()
}

fn lines(model: &Model, sheet: &UndoSheet, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let quiet = |text: &str| vec![Line::styled(format!("  {text}"), theme.quiet)];
    match &sheet.face {
        Face::Waiting => quiet("waits for the write that runs"),
        Face::Planning => quiet("working it out"),
        Face::Planned(plan) => plan_lines(plan, width, theme),
        Face::Refused(report) => refusal_lines(report, width, theme),
        Face::Running(_) => {
            let mut text = model.running.words();
            if let Some((count, of)) = model.running.done.filter(|(_, of)| *of > 1) {
                text = format!("{text} {}/{of}", count + 1);
            }
            wrapped("step", &text, theme.text, width, theme)
        }
    }
}

fn plan_lines(plan: &Plan, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let Facts { verb, shadows, moves, files, chosen } = plan.facts();
    let names: Vec<String> = shadows.iter().map(ToString::to_string).collect();
    let names = names.join(", ");
    let line = |label: &str, text: &str| wrapped(label, text, theme.text, width, theme);
    let mut lines = line(
        if matches!(plan, Plan::Back(_)) { "undoes" } else { "does again" },
        &format!("the {} of {names}", noun(verb)),
    );
    if let Some(Chosen { path, words }) = chosen {
        lines.extend(line("file", &format!("{}: {words}", chrome::path(path))));
        let untouched = "its files are not touched: what is chosen is used when it lands";
        lines.extend(line("shadow", untouched));
        return lines;
    }
    if let Some((target, ..)) = moves {
        let became = match plan {
            Plan::Back(_) => "as before it",
            Plan::Again(_) => "as it left them",
        };
        let text =
            format!("{} {became}: {}", chrome::count(files.len(), "file"), first_names(files));
        lines.extend(line(&target.0, &text));
    }
    if let Plan::Back(UndoPlan { trashed: Some(holds), .. }) = plan {
        lines.extend(line("trash", &format!("the whole shadow: {}", holds.words())));
        lines.extend(line("keeps", "every byte there until gc; ctrl-r brings it back"));
        return lines;
    }
    let of_shadows = match plan {
        Plan::Back(_) => "every file, edit and commit, as it was",
        Plan::Again(_) => "as that operation left it; u takes it back again",
    };
    lines.extend(line(if shadows.len() == 1 { "shadow" } else { "shadows" }, of_shadows));
    lines.extend(line("keeps", "your own edits; what is in the way is refused by name"));
    lines
}

/// `2 files: src/api.rs, src/retry.rs`.
pub(super) fn named_files(files: &[RepoPath]) -> String {
    let count = chrome::count(files.len(), "file");
    if files.is_empty() { count } else { format!("{count}: {}", first_names(files)) }
}

fn first_names(files: &[RepoPath]) -> String {
    let listed: Vec<String> = files.iter().take(FILES_MAX).map(chrome::path).collect();
    let more = files.len().saturating_sub(FILES_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", listed.join(", "))
}

pub(super) fn refusal_lines(report: &Report, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let safe = report.safe.as_deref().unwrap_or("nothing was changed");
    let mut lines = wrapped("safe", safe, theme.text, width, theme);
    lines.extend(wrapped("why", &report.headline, theme.attention, width, theme));
    for cause in &report.causes {
        lines.extend(wrapped("", cause, theme.text, width, theme));
    }
    if let Some(next) = way_out::of(report) {
        lines.extend(wrapped("next", &next, theme.text, width, theme));
    }
    lines
}

pub fn footer(model: &Model) -> (Vec<Hint>, Vec<Span<'static>>) {
    let Some(Sheet::Undo(sheet)) = model.sheets.last() else { return (Vec::new(), Vec::new()) };
    let hint = |name: &str, label: &str| Hint::of(model, Context::UndoSheet, name, label);
    let confirm = match &sheet.face {
        Face::Planned(Plan::Back(_)) => hint("confirm.take-back", "take it back"),
        Face::Planned(Plan::Again(_)) => hint("confirm.take-back", "do it again"),
        _ => None,
    };
    let hints = [confirm, hint("leave.sheet", "leave"), hint("help.keys", "keys")];
    (hints.into_iter().flatten().collect(), Vec::new())
}
