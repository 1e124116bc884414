//! The faces of the land sheet that are no receipt: refused, moved, running.

use ratatui::text::{Line, Span};

use super::{
    cells,
    chrome::{self, age, bold, clip_spans, span},
    land_facts::{LABEL_CELLS, consent_lines, fact, file_lines, wrapped},
    theme::Theme,
};
use crate::{
    app::{
        Model,
        land_moved::{Moved, Since, What},
        land_sheet::{Extent, LandSheet},
        land_words::said,
        way_out,
    },
    report::{Code, Report},
    review::{LandPlan, Step},
};

/// Lines of what a hook said that are shown before `i`.
const SAID_MAX: usize = 4;
/// Lines of a running hook that are shown.
const HOOK_LINES: usize = 4;

/// What is safe, why not, the way out.
pub(super) fn refusal_lines(
    sheet: &LandSheet,
    report: &Report,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    lines.extend(wrapped("safe", &safe(sheet, report), theme.text, width, theme));
    lines.extend(wrapped("why", &report.headline, theme.attention, width, theme));
    // Each of them stands in a line to be ticked.
    if report.code == Code::NotTrusted && !sheet.consents.is_empty() {
        lines.extend(consent_lines(sheet, width, theme));
    } else {
        let all = said(report);
        let shown = if sheet.extent == Extent::Whole { all.len() } else { SAID_MAX };
        // What a program said last is what it stopped for.
        let skipped = all.len().saturating_sub(shown);
        if skipped > 0 {
            let text = format!("{} before these · i", chrome::count(skipped, "line"));
            lines.push(fact("", vec![span(&text, theme.quiet)], width, theme));
        }
        for line in &all[skipped..] {
            let bar = || span(&format!("{} ", theme.glyphs.pane), theme.quiet);
            let room = usize::from(width).saturating_sub(LABEL_CELLS + 3);
            let parts = match sheet.extent {
                Extent::Whole => chrome::wrap(line, room),
                Extent::Receipt => vec![line.clone()],
            };
            for part in parts {
                lines.push(fact("", vec![bar(), span(&part, theme.text)], width, theme));
            }
        }
    }
    if let Some(next) = way_out::of_landing(report) {
        lines.extend(wrapped("next", &next, theme.text, width, theme));
    }
    lines
}

fn safe(sheet: &LandSheet, report: &Report) -> String {
    match &report.safe {
        Some(safe) if safe != "nothing was changed" => {
            format!("{safe}; {} is as it was", sheet.id)
        }
        _ => format!("{} and its target are as they were", sheet.id),
    }
}

pub(super) fn moved_lines(
    sheet: &LandSheet,
    moved: &Moved,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let what = match moved.what {
        What::Shadow => "it wrote",
        What::Target => "the target changed",
    };
    let since = match (moved.what, moved.since) {
        (What::Target, _) => "since it was planned",
        (What::Shadow, Since::Read) => "since you read it",
        (What::Shadow, Since::Planned) => "since this was planned",
    };
    let headline = match &moved.files {
        Some(files) if files.is_empty() => format!("it moved {since}, and no file is otherwise"),
        Some(files) => format!("{what} {} {since}", chrome::count(files.len(), "file")),
        None => moved.report.headline.clone(),
    };
    let mut lines = vec![Line::default()];
    lines.extend(wrapped("moved", &headline, theme.attention, width, theme));
    if let Some([old, new]) = &moved.between {
        let text = format!("{} {} {}", old.abbreviated(), theme.glyphs.arrow, new.abbreviated());
        lines.push(fact("", vec![span(&text, theme.quiet)], width, theme));
    }
    lines.extend(wrapped("safe", &safe(sheet, &moved.report), theme.text, width, theme));
    let next = match (moved.what, moved.since) {
        (What::Shadow, Since::Read) => "R shows just that; m there lands what you read",
        (What::Shadow, Since::Planned) => "R plans it anew, with what it wrote",
        (What::Target, _) => "R plans it on what the target is now",
    };
    lines.extend(wrapped("next", next, theme.text, width, theme));
    lines.extend(file_lines("changed", moved.files.as_deref().unwrap_or_default(), width, theme));
    lines
}

pub(super) fn running_lines(
    model: &Model,
    plan: &LandPlan,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let running = &model.running;
    let mut lines = step_lines(model, plan, width, theme);
    if let Some(holder) = &running.held {
        let text = format!(
            "{holder} holds the lock, {} · ctrl-c stops waiting",
            age(model.now_ms, running.step_ms)
        );
        lines.extend(wrapped("waits", &text, theme.attention, width, theme));
    }
    let skipped = running.lines.len().saturating_sub(HOOK_LINES);
    for line in running.lines.iter().skip(skipped) {
        let bar = span(&format!("  {} ", theme.glyphs.pane), theme.quiet);
        let spans = vec![bar, span(line, theme.text)];
        lines.push(Line::from(clip_spans(spans, width.into(), theme)));
    }
    let state = if running.is_too_late() {
        format!("{} moves now: it is finished, or taken back whole", plan.target)
    } else if running.is_asked_to_stop {
        format!("stopping; {} is not touched", plan.target)
    } else {
        format!("{} is not touched yet", plan.target)
    };
    let parts = chrome::wrap(&state, usize::from(width).saturating_sub(3));
    lines.extend(parts.iter().map(|part| Line::styled(format!("  {part}"), theme.quiet)));
    lines
}

/// What the write does now, and for how long: `pre-merge-commit`, `28s`.
pub(super) fn told(model: &Model) -> (String, String) {
    let running = &model.running;
    let since_ms = match &running.hook {
        Some(hook) => hook.since_ms,
        None if running.step.is_some() => running.step_ms,
        None => running.since_ms,
    };
    (running.words(), age(model.now_ms, since_ms))
}

pub(super) fn told_whole(model: &Model) -> String {
    let (words, age) = told(model);
    format!("{words} {age}")
}

/// The stations of this landing, and where it is.
fn step_lines(model: &Model, plan: &LandPlan, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let running = &model.running;
    let hooks = match &running.hook {
        Some(_) => told_whole(model),
        None if plan.runs.is_empty() => "commit".to_owned(),
        None => "hooks".to_owned(),
    };
    // Each with the last step that belongs to it.
    let stations = [
        ("plan".to_owned(), None),
        ("journal".to_owned(), Some(Step::Save)),
        (hooks, Some(Step::Commit)),
        ("advance".to_owned(), Some(Step::Advance)),
        ("clean up".to_owned(), Some(Step::CleanUp)),
    ];
    let now = running.step.unwrap_or(Step::Lock);
    let all: usize = stations.iter().map(|(words, _)| cells::width(words) + 5).sum();
    // Where not all have room, the one that it is at keeps its words.
    let fits = all <= width.into();
    let mut spans = vec![Span::raw("  ")];
    let mut is_next = true;
    for (words, last) in stations {
        let is_done = last.is_none_or(|last| now > last);
        let is_here = std::mem::replace(&mut is_next, is_done) && !is_done;
        let (glyph, style) = match (is_done, is_here) {
            (true, _) => (theme.glyphs.done, theme.good),
            (false, true) => (theme.glyphs.closed, bold(theme.text)),
            (false, false) => (theme.glyphs.dot, theme.quiet),
        };
        let words = if fits || is_here { format!("{glyph} {words}") } else { glyph.to_owned() };
        spans.push(span(&words, style));
        spans.push(Span::raw(if fits { "   " } else { "  " }));
    }
    let mut lines = vec![Line::from(clip_spans(spans, width.into(), theme))];
    // A hook stands among the stations, and who holds the lock in a line of its own.
    if running.hook.is_none() && running.held.is_none() {
        let step = Span::styled(format!("  {}", told_whole(model)), theme.quiet);
        lines.push(Line::from(clip_spans(vec![step], width.into(), theme)));
    }
    lines
}
