//! What a landing would do: the same lines in the same order each time, facts only.

use ratatui::text::{Line, Span};

use super::{
    chrome::{self, bold, clip_spans, span},
    land_remarks::remark_lines,
    theme::Theme,
};
use crate::{
    app::{
        Model, Screen,
        land_sheet::{Extent, LandSheet},
        review::View,
    },
    review::{FileChange, LandPlan, Trust, UNCOMMITTED, Verify, count_of, visible::visible},
    shadow::{RepoPath, Strategy},
};

/// Cells of the label before each fact.
pub(super) const LABEL_CELLS: usize = 11;
/// Attention lines of the receipt; the rest are counted.
const WARNINGS_MAX: usize = 1;

/// Where the facts go.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub width: u16,
    pub shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The message has a pane of its own.
    Beside,
    /// The message is one line among the facts.
    Stacked,
}

pub(super) fn fact(
    label: &str,
    value: Vec<Span<'static>>,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("  {label:<0$}", LABEL_CELLS - 2), theme.quiet)];
    if label.chars().count() > LABEL_CELLS - 2 {
        spans.push(Span::raw(" "));
    }
    spans.extend(value);
    Line::from(clip_spans(spans, width.into(), theme))
}

/// A fact of several styles that takes as many lines as it needs.
fn facts(label: &str, value: Vec<Span<'static>>, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(LABEL_CELLS + 1);
    let parts = chrome::wrap_spans(value, room).into_iter().enumerate();
    parts
        .map(|(index, part)| fact(if index == 0 { label } else { "" }, part, width, theme))
        .collect()
}

/// A fact that takes as many lines as it needs.
pub(super) fn wrapped(
    label: &str,
    text: &str,
    style: ratatui::style::Style,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(LABEL_CELLS + 1);
    let parts = chrome::wrap(text, room);
    let lines = parts.iter().enumerate().map(|(index, part)| {
        let label = if index == 0 { label } else { "" };
        fact(label, vec![span(part, style)], width, theme)
    });
    lines.collect()
}

pub(super) fn plan_lines(
    model: &Model,
    sheet: &LandSheet,
    plan: &LandPlan,
    room: Room,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let width = room.width;
    let text = |text: String| vec![span(&text, theme.text)];
    let mut lines = option_lines(sheet, plan, width, theme);
    let receipt = [
        (plan.target.0.as_str(), text(moves(plan, theme))),
        ("goes in", goes_in(plan, theme)),
        ("left out", left_out(plan, theme)),
        ("read", read_spans(model, sheet, theme)),
        ("runs", text(runs(plan))),
        ("then", text(then(plan))),
    ];
    for (label, value) in receipt {
        // Before the rest of the receipt, so that it is neither the last nor below the edge.
        if label == "goes in" {
            lines.extend(remark_lines(sheet, plan, width, theme));
        }
        lines.extend(facts(label, value, width, theme));
        if label == "goes in"
            && let Some(message) = plan.own_commit.as_deref()
        {
            let subject = message.lines().next().unwrap_or_default();
            let text = format!("that as a commit of its own: {subject}");
            lines.extend(facts("", vec![span(&text, theme.text)], width, theme));
        }
    }
    if room.shape == Shape::Stacked {
        lines.extend(message_lines(sheet, width, theme));
    }
    lines.extend(extra_lines(sheet, plan, width, theme));
    if sheet.extent == Extent::Whole {
        lines.push(Line::default());
        lines.extend(file_lines("files", &plan.files, width, theme));
    }
    lines
}

/// In one line where it fits, else in two.
fn option_lines(
    sheet: &LandSheet,
    plan: &LandPlan,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let option = |text: String, chosen: bool| {
        let style = if chosen { bold(theme.focus) } else { theme.quiet };
        span(&format!("{text}{}", if chosen { theme.glyphs.mark } else { " " }), style)
    };
    // A new plan is on its way: what was asked for, not what was planned.
    let strategy = sheet.options.strategy.unwrap_or(plan.strategy);
    let hooks = option("5 skip hooks".to_owned(), sheet.options.verify == Verify::Skip);
    if plan.part.is_some() {
        let only = span("a part: one commit", theme.quiet);
        let spans = vec![Span::raw("  "), hooks, Span::raw("  "), only];
        return vec![Line::from(clip_spans(spans, width.into(), theme))];
    }
    let mut strategies = vec![Span::raw("  ")];
    for (index, each) in Strategy::ALL.into_iter().enumerate() {
        strategies.push(option(format!("{} {}", index + 1, each.as_str()), each == strategy));
        strategies.push(Span::raw("  "));
    }
    let others = vec![
        option("4 keep the shadow".to_owned(), sheet.options.keep || plan.keep),
        Span::raw("  "),
        hooks,
    ];
    if chrome::width_of(&strategies) + chrome::width_of(&others) <= width.into() {
        strategies.extend(others);
        return vec![Line::from(strategies)];
    }
    let second = [vec![Span::raw("  ")], others].concat();
    [strategies, second].map(|spans| Line::from(clip_spans(spans, width.into(), theme))).into()
}

fn moves(plan: &LandPlan, theme: &Theme) -> String {
    let into = match plan.strategy {
        Strategy::Squash => "one commit".to_owned(),
        Strategy::Merge => "one merge commit".to_owned(),
        Strategy::Rebase => chrome::count(plan.commits as usize, "commit"),
    };
    let (before, after) = (plan.before.abbreviated(), plan.after.abbreviated());
    format!("{before} {} {after} {into}", theme.glyphs.arrow)
}

fn goes_in(plan: &LandPlan, theme: &Theme) -> Vec<Span<'static>> {
    let files = match &plan.part {
        None => chrome::count(plan.files.len(), "file"),
        Some(part) => format!(
            "{}, {}",
            count_of(part.counts.hunks, part.counts.hunks_all, "hunk"),
            count_of(part.counts.files, part.counts.files_all, "file")
        ),
    };
    let style = if plan.part.is_some() { theme.attention } else { theme.text };
    let mut spans = vec![
        span(&format!("{files}  "), style),
        span(&format!("+{}", plan.stats.insertions), theme.good),
        span(&format!(" {}{}", theme.glyphs.minus, plan.stats.deletions), theme.bad),
    ];
    if plan.safety_net.is_some() {
        spans.push(span(", uncommitted work included", theme.text));
    }
    spans
}

fn left_out(plan: &LandPlan, theme: &Theme) -> Vec<Span<'static>> {
    let Some(part) = &plan.part else { return settled_away(plan, theme) };
    let name = |path: &RepoPath| {
        let goes_in = plan.files.iter().any(|file| file.path == *path);
        let of = if goes_in { "part of " } else { "" };
        format!("{of}{}", chrome::path(path))
    };
    let names: Vec<String> = part.left_out.iter().map(name).collect();
    let text = match &names[..] {
        [] => "no hunk of it, and the shadow stays".to_owned(),
        names => format!("stays in the shadow: {}", names.join(", ")),
    };
    vec![span(&text, theme.attention)]
}

/// A choice that leaves the target's file as it is leaves the shadow's change out.
fn settled_away(plan: &LandPlan, theme: &Theme) -> Vec<Span<'static>> {
    let goes_in = |path: &&RepoPath| plan.files.iter().any(|file| file.path == **path);
    let out = plan.resolved.iter().filter(|path| !goes_in(path));
    let names: Vec<String> = out.map(chrome::path).collect();
    if names.is_empty() {
        return vec![span("nothing", theme.text)];
    }
    let text = format!("{}: {}'s was chosen", names.join(", "), plan.target);
    vec![span(&text, theme.attention)]
}

/// How much of it has been read, as the list counts it, and what has not.
fn read_spans(model: &Model, sheet: &LandSheet, theme: &Theme) -> Vec<Span<'static>> {
    let (counted, unread) = (model.fleet.read.get(&sheet.id), &sheet.unread);
    let snapshot = sheet.plan().map(|plan| &plan.snapshot);
    let count = counted.filter(|count| snapshot.is_none_or(|planned| *planned == count.snapshot));
    let named = |paths: &[_]| paths.iter().map(chrome::path).collect::<Vec<_>>().join(", ");
    let mut spans = match count {
        None if counted.is_some() => vec![span("not counted yet", theme.attention)],
        None => vec![span("nothing of it yet", theme.attention)],
        Some(count) => {
            let style = if count.read == count.files { theme.text } else { theme.attention };
            vec![span(&count_of(count.read, count.files, "file"), style)]
        }
    };
    if let Some(count) = count.filter(|count| count.changed > 0) {
        spans.push(span(&format!(", {} changed since", count.changed), theme.attention));
    }
    if count.is_some() && !unread.files.is_empty() {
        spans.push(span(&format!(": not {}", named(&unread.files)), theme.attention));
    }
    if let Some(against) = compared_with(model, sheet) {
        spans.push(span(&format!("; above is beside {against}: not what lands"), theme.attention));
    }
    // Without the page itself the list's count knows them.
    let counted = count.map_or(&[][..], |count| &count.folded);
    let folded = if unread.folded.is_empty() { counted } else { &unread.folded };
    if !folded.is_empty() {
        spans.push(span(&format!("; folded: {}", named(folded)), theme.quiet));
    }
    spans
}

/// What is read above the sheet is another change than the one that lands.
fn compared_with(model: &Model, sheet: &LandSheet) -> Option<String> {
    let open = model.review.as_ref().filter(|_| model.screen() == Screen::Review);
    let screen = open.filter(|screen| screen.id == sheet.id && screen.view == View::Against)?;
    Some(visible(screen.against.as_ref()?.words().as_bytes()))
}

fn runs(plan: &LandPlan) -> String {
    let passed = match plan.verify {
        Verify::Ask => "",
        Verify::Skip => ", those that may refuse are passed by",
    };
    if plan.runs.is_empty() {
        return format!("no hooks{passed}");
    }
    let unchanged = match &plan.trust {
        _ if !plan.needs_trust.is_empty() => "",
        // As first seen, or as trusted since.
        Trust::AsRecorded => ", as recorded",
        Trust::AsItStands | Trust::Shown(_) => ", as you trust them",
    };
    format!("{} ({}'s{unchanged}){passed}", plan.runs.join(", "), plan.target)
}

fn then(plan: &LandPlan) -> String {
    if plan.part.as_ref().is_some_and(|part| !part.left_out.is_empty()) {
        let target = &plan.target;
        return format!(
            "the shadow stays: its rest as one commit on the new {target}; u brings its own commits back"
        );
    }
    match (plan.keep, &plan.branch) {
        (true, _) => "the shadow stays, moved onto the new target".to_owned(),
        (false, Some(branch)) => format!("shadow to trash, {branch} deleted; u brings back"),
        (false, None) => "shadow to trash; u brings back".to_owned(),
    }
}

fn message_lines(sheet: &LandSheet, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let message = sheet.message();
    let mut lines = message.trim_end().lines();
    if sheet.extent == Extent::Whole {
        let shown = lines.enumerate().flat_map(|(index, line)| {
            let label = if index == 0 { "message" } else { "" };
            wrapped(label, line, theme.text, width, theme)
        });
        return shown.collect();
    }
    let subject = lines.next().unwrap_or_default();
    let more = lines.count();
    let mut value = vec![span(subject, theme.text)];
    if more > 0 {
        value.push(span(&format!("  (+{})", chrome::count(more, "line")), theme.quiet));
    }
    vec![fact("message", value, width, theme)]
}

/// Only what is true is said.
fn extra_lines(
    sheet: &LandSheet,
    plan: &LandPlan,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if !plan.resolved.is_empty() {
        let number = chrome::count(plan.resolved.len(), "file");
        let text = match plan.resolved.len() {
            1 => format!("{number} lands as you resolved it"),
            _ => format!("{number} land as you resolved them"),
        };
        lines.push(fact("choices", vec![span(&text, theme.text)], width, theme));
    }
    if plan.edits_kept > 0 {
        let number = chrome::count(plan.edits_kept as usize, "edited file");
        let text = format!("your {} keeps {number} that this does not touch", plan.target);
        let parts = chrome::wrap(&text, usize::from(width).saturating_sub(3));
        lines.extend(parts.iter().map(|part| Line::styled(format!("  {part}"), theme.text)));
    }
    lines.extend(consent_lines(sheet, width, theme));
    let at_work = sheet.consents.iter().any(|asked| asked.words.contains("at work in it"));
    // Said by the line to be ticked.
    let said = |warning: &&String| !(at_work && warning.contains("is at work in"));
    // That stands in a line of its own.
    let new = |warning: &&String| plan.safety_net.is_none() || !warning.starts_with(UNCOMMITTED);
    let warnings: Vec<&String> = plan.warnings.iter().filter(said).filter(new).collect();
    let shown = if sheet.extent == Extent::Whole { warnings.len() } else { WARNINGS_MAX };
    for words in warnings.iter().take(shown) {
        lines.extend(wrapped("note", words, theme.attention, width, theme));
    }
    if warnings.len() > shown {
        let text = format!("{} more · i", warnings.len() - shown);
        lines.push(fact("", vec![span(&text, theme.attention)], width, theme));
    }
    lines
}

/// `[ ]`: needs a consent that `Enter` does not give.
pub(super) fn consent_lines(sheet: &LandSheet, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (index, asked) in sheet.consents.iter().enumerate() {
        let label = if index == 0 { "consent" } else { "" };
        let (mark, style) =
            if asked.ticked { (theme.glyphs.mark, theme.text) } else { (" ", theme.attention) };
        let text = format!("[{mark}] {}", asked.words);
        lines.extend(wrapped(label, &text, style, width, theme));
    }
    lines
}

pub(super) fn file_lines(
    label: &str,
    files: &[FileChange],
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let lines = files.iter().enumerate().map(|(index, file)| {
        let label = if index == 0 { label } else { "" };
        let mut value = vec![span(&chrome::path(&file.path), theme.text)];
        if file.binary {
            value.push(span("  binary", theme.quiet));
        } else {
            value.push(span(&format!("  +{}", file.insertions), theme.good));
            value.push(span(&format!(" {}{}", theme.glyphs.minus, file.deletions), theme.bad));
        }
        fact(label, value, width, theme)
    });
    lines.collect()
}
