//! The detail pane of the list: facts, files and the first changed lines of the selected shadow.

use ratatui::text::{Line, Span};

use super::{
    cells,
    chrome::{self, Split, bold, span, split_line},
    code::{Code, code_line},
    fleet::pane_style,
    fleet_row::verdict,
    theme::Theme,
};
use crate::{
    app::{
        Model,
        detail::{self, DetailLine},
        fleet::Pane,
    },
    review::{
        ClashFile, Content, FileDiff, LineKind, Row,
        diff::HunkLine,
        flag::{Finding, Flag},
        pieces::Window,
        radar::Clashes,
    },
    shadow::ShadowId,
};

/// Cells of a line number.
const NUMBER_CELLS: usize = 4;
/// Others that are named; the radar has all.
const CLASHES_MAX: usize = 3;

/// Below the list, name and request stand in the rule above the detail.
pub fn rule_title(model: &Model, theme: &Theme) -> Split {
    let Some(row) = model.fleet.selected() else { return Split::default() };
    let mut left = vec![span(&row.id.0, pane_style(model, Pane::Detail, theme))];
    if let Some(request) = &row.requested {
        left.push(span(&format!(" · {}", asks(row, request)), theme.text));
    }
    Split { left, right: Vec::new() }
}

fn asks(row: &Row, request: &str) -> String {
    let who = row.agent.as_deref().unwrap_or("it");
    if request.is_empty() {
        format!("{who} asks for review")
    } else {
        format!("{who} asks: {request}")
    }
}

/// `titled`: name and request are said here, not in a rule.
pub fn lines(model: &Model, titled: bool, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let width = usize::from(width).saturating_sub(1);
    let lines = detail::lines(model);
    if !titled {
        return compact(model, &lines, width, theme);
    }
    lines.into_iter().flat_map(|line| detail_rows(model, &line, width, theme)).collect()
}

/// A reason and its way out are read whole.
fn detail_rows(
    model: &Model,
    line: &DetailLine<'_>,
    width: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    match line {
        DetailLine::Note(text) => wrapped(text, width, theme.text),
        DetailLine::Facts(row) => wrapped(&facts(model, row), width, theme.quiet),
        DetailLine::Clashes(clashes) => {
            let style = if clashes.with.is_empty() { theme.quiet } else { theme.attention };
            wrapped(&clashes_text(clashes, theme), width, style)
        }
        _ => vec![detail_line(model, line, width, theme)],
    }
}

fn wrapped(text: &str, width: usize, style: ratatui::style::Style) -> Vec<Line<'static>> {
    let parts = chrome::wrap(text, width).into_iter();
    parts.map(|part| Line::from(vec![Span::raw(" "), Span::styled(part, style)])).collect()
}

/// Below the list there are few rows: all files in one, so that the diff begins at once.
fn compact(
    model: &Model,
    lines: &[DetailLine<'_>],
    width: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut files: Vec<Span<'static>> = Vec::new();
    let mut count = None;
    for line in lines {
        match line {
            DetailLine::Totals(page) => count = Some(chrome::count(page.files.len(), "file")),
            DetailLine::File(file) => files.extend(short_file(file, theme)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    for line in lines {
        match line {
            DetailLine::Title(_)
            | DetailLine::Asks(_)
            | DetailLine::Blank
            | DetailLine::File(_)
            | DetailLine::More(_) => {}
            DetailLine::Facts(row) => {
                let facts = facts(model, row);
                let text = match &count {
                    Some(count) => format!("{facts} {} {count}", theme.glyphs.dot),
                    None => facts,
                };
                let text = cells::clip(&text, width, theme);
                out.push(Line::from(vec![Span::raw(" "), Span::styled(text, theme.quiet)]));
            }
            DetailLine::Totals(_) => {
                out.push(Line::from(chrome::clip_spans(std::mem::take(&mut files), width, theme)));
            }
            _ => out.extend(detail_rows(model, line, width, theme)),
        }
    }
    out
}

/// `! .github/ci.yml −2 CI file`.
fn short_file(file: &FileDiff, theme: &Theme) -> Vec<Span<'static>> {
    let change = &file.change;
    let mut spans = vec![Span::raw(" ")];
    if !file.findings.is_empty() {
        spans.push(Span::styled(format!("{} ", theme.glyphs.problem), theme.attention));
    }
    spans.push(span(&chrome::path(&change.path), theme.text));
    for (number, sign, style) in
        [(change.insertions, "+", theme.good), (change.deletions, theme.glyphs.minus, theme.bad)]
    {
        if number > 0 {
            spans.push(Span::styled(format!(" {sign}{number}"), style));
        }
    }
    if let Some(Finding { flag, .. }) = file.gravest() {
        spans.push(Span::styled(format!("  {}", flag.words()), theme.attention));
    }
    spans.push(Span::raw("    "));
    spans
}

fn detail_line(model: &Model, line: &DetailLine<'_>, width: usize, theme: &Theme) -> Line<'static> {
    let lead = Span::raw(" ");
    match line {
        DetailLine::Title(row) => title(model, row, width, theme),
        DetailLine::Asks(row) => {
            let request = row.requested.as_deref().unwrap_or_default();
            let text = cells::clip(&asks(row, request), width, theme);
            Line::from(vec![lead, Span::styled(text, theme.text)])
        }
        // Facts and notes are wrapped before.
        DetailLine::Blank | DetailLine::Facts(_) | DetailLine::Clashes(_) | DetailLine::Note(_) => {
            Line::default()
        }
        DetailLine::Totals(page) => {
            let stats = crate::review::DiffStats::of(page.files.iter().map(|file| &file.change));
            let left = vec![lead, span(&chrome::count(page.files.len(), "file"), theme.quiet)];
            let right = counts(stats.insertions, stats.deletions, theme);
            split_line(Split { left, right }, width, " ", theme)
        }
        DetailLine::File(file) => file_line(file, width, theme),
        DetailLine::More(number) => {
            Line::from(vec![lead, span(&format!("{number} more · Enter"), theme.quiet)])
        }
        DetailLine::DiffHead(file) => {
            let path = cells::clip_middle(&chrome::path(&file.change.path), width, theme);
            Line::from(vec![lead, Span::styled(path, bold(theme.text))])
        }
        DetailLine::Diff(file, line) => diff_line(file, *line, width, theme),
    }
}

/// `clashes with agent-b in src/api.rs, plan-7 in 2 files · 3 shadows not compared · X`
fn clashes_text(clashes: &Clashes<'_>, theme: &Theme) -> String {
    let named = |(id, files): &(&ShadowId, &[ClashFile])| match files {
        [file] => format!("{id} in {}", chrome::path(&file.path)),
        _ => format!("{id} in {}", chrome::count(files.len(), "file")),
    };
    let mut others: Vec<String> = clashes.with.iter().take(CLASHES_MAX).map(named).collect();
    if clashes.with.len() > CLASHES_MAX {
        others.push(format!("{} more", clashes.with.len() - CLASHES_MAX));
    }
    let text = match (others.is_empty(), clashes.not_compared) {
        (false, _) => format!("clashes with {}", others.join(", ")),
        (true, 0) => "clashes with no other shadow".to_owned(),
        (true, _) => format!("clashes with none of the {} compared", clashes.compared),
    };
    match clashes.not_compared {
        0 => text,
        others => {
            let (dot, others) = (theme.glyphs.dot, chrome::count(others, "shadow"));
            format!("{text} {dot} {others} not compared {dot} X")
        }
    }
}

fn title(model: &Model, row: &Row, width: usize, theme: &Theme) -> Line<'static> {
    let (glyph, word, style) = verdict(row, model, theme);
    let name_style = match model.fleet.pane {
        Pane::Detail => bold(theme.focus),
        Pane::List => bold(theme.text),
    };
    let mut right = vec![Span::styled(format!("{glyph} {word}"), style)];
    if let Some(target) = &row.target {
        right.push(span(&format!(" on {target}"), theme.quiet));
    }
    let left = vec![Span::raw(" "), span(&row.id.0, name_style)];
    split_line(Split { left, right }, width, " ", theme)
}

/// `base 9f3e1c2 · main 2 ahead · 1 commit + uncommitted`.
fn facts(model: &Model, row: &Row) -> String {
    let mut facts = Vec::new();
    if let Some(base) = &row.base {
        facts.push(format!("base {}", base.abbreviated()));
    }
    if let (Some(target), Some(behind)) = (&row.target, row.behind.filter(|behind| *behind > 0)) {
        facts.push(format!("{target} {behind} ahead"));
    }
    // What was carried in is the person's own, and no commit of the shadow's.
    let commits = row.own_commits().filter(|own| *own > 0 || row.carried.is_none());
    let commits = commits.map(|own| chrome::count(own as usize, "commit"));
    if row.carried.is_some() {
        facts.push("your own uncommitted work, carried in".to_owned());
    }
    match (commits, row.dirty) {
        (Some(commits), Some(true)) => facts.push(format!("{commits} + uncommitted")),
        (Some(commits), _) => facts.push(commits),
        (None, Some(true)) => facts.push("uncommitted".to_owned()),
        (None, _) => {}
    }
    if row.branch.is_none() && model.fleet.complete && row.problem.is_none() {
        facts.push("detached".to_owned());
    }
    match row.locked.as_deref() {
        Some("") => facts.push("locked".to_owned()),
        Some(reason) => facts.push(format!("locked: {reason}")),
        None => {}
    }
    if let Some(process) = row.processes.first() {
        facts.push(format!("{} (pid {}) is in it", process.name, process.pid));
    }
    match row.unsearched().count() {
        0 => {}
        files => facts.push(format!("{} not searched by the list", chrome::count(files, "file"))),
    }
    match model.fleet.open_comments.get(&row.id) {
        Some(Some(open)) => facts.push(open.words()),
        Some(None) => facts.push("comments cannot be read".to_owned()),
        None => {}
    }
    if facts.is_empty() { row.path.display().to_string() } else { facts.join(" · ") }
}

fn counts(insertions: u32, deletions: u32, theme: &Theme) -> Vec<Span<'static>> {
    let plus = if insertions > 0 { format!("+{insertions}") } else { String::new() };
    let minus =
        if deletions > 0 { format!("{}{deletions}", theme.glyphs.minus) } else { String::new() };
    vec![
        Span::styled(format!("{plus:>7}"), theme.good),
        Span::styled(format!("{minus:>6}"), theme.bad),
    ]
}

fn file_line(file: &FileDiff, width: usize, theme: &Theme) -> Line<'static> {
    let change = &file.change;
    let mut right = match (&file.content, change.binary) {
        (Content::Unreadable { .. }, _) => vec![span("unreadable", theme.bad)],
        (_, true) => vec![span("binary", theme.quiet)],
        _ => counts(change.insertions, change.deletions, theme),
    };
    let name = chrome::path(&change.path);
    let is_said = |finding: &Finding| change.binary && finding.flag == Flag::Binary;
    if let Some(Finding { flag, .. }) = file.gravest().filter(|finding| !is_said(finding)) {
        let words = format!(" {} ", flag.words());
        let taken = chrome::width_of(&right) + cells::width(&words) + cells::width(&name) + 6;
        // The name matters more, and the sign is there in any case.
        if taken <= width {
            right.insert(0, Span::styled(words, theme.attention));
        }
    }
    // Sign and letter, and one cell before what stands at the right.
    let room = width.saturating_sub(chrome::width_of(&right) + 6);
    let left = vec![
        Span::raw(" "),
        Span::styled(
            if file.findings.is_empty() { " " } else { theme.glyphs.problem },
            theme.attention,
        ),
        Span::raw(" "),
        Span::styled(change.status.letter().to_string(), theme.quiet),
        Span::raw(" "),
        Span::styled(cells::clip_middle(&name, room, theme), theme.text),
    ];
    split_line(Split { left, right }, width, " ", theme)
}

fn diff_line(file: &FileDiff, line: HunkLine, width: usize, theme: &Theme) -> Line<'static> {
    let Content::Text { old, new, .. } = &file.content else { return Line::default() };
    let bytes = match (line.kind, line.old_index, line.new_index) {
        (LineKind::Removed, Some(index), _) => old.line(index),
        (_, _, Some(index)) => new.line(index),
        _ => b"",
    };
    let number = |index: Option<u32>| match index {
        Some(index) => format!("{:>NUMBER_CELLS$}", index + 1),
        None => " ".repeat(NUMBER_CELLS),
    };
    let (sign, sign_style) = theme.sign(line.kind);
    let lead = 2 * NUMBER_CELLS + 4;
    let window = Window { offset: 0, width: width.saturating_sub(lead) };
    let code = Code { kind: line.kind, ..Code::plain(bytes) };
    let mut spans = vec![
        span(&format!("{} {} ", number(line.old_index), number(line.new_index)), theme.quiet),
        Span::styled(sign, sign_style),
        Span::raw(" "),
    ];
    spans.extend(code_line(code, window, theme).spans);
    Line::from(spans).style(theme.line(line.kind))
}
