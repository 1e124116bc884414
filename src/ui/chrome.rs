//! What every screen has: header, the two rules, the footer; and small pieces of lines.

use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::{cells, theme::Theme};
use crate::{
    app::{Answer, Command, Context, Model, Mood, command::find_command, why_sheet::ANSWER_MARGIN},
    review::name::visible_name,
    shadow::RepoPath,
};

/// Parts of one line: the left one is cut where both do not fit.
#[derive(Clone, Debug, Default)]
pub struct Split {
    pub left: Vec<Span<'static>>,
    pub right: Vec<Span<'static>>,
}

/// Text of the repository comes in here only: it leaves safe.
pub fn span(text: &str, style: Style) -> Span<'static> {
    Span::styled(cells::safe(text.as_bytes(), usize::MAX), style)
}

/// A path for people: bytes that are not UTF-8 are escaped, never guessed at.
pub fn path(path: &RepoPath) -> String {
    visible_name(path.as_bytes())
}

/// A header of the whole repository: its name as far as there is room for it, what of it is shown, and how it stands.
pub fn place(
    model: &Model,
    shown: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    width: u16,
    theme: &Theme,
) -> Split {
    let taken = width_of(&right) + width_of(&shown) + 3;
    let name = fitting_name(&model.fleet.name, usize::from(width).saturating_sub(taken), theme);
    let mut left = vec![Span::raw(" "), span(&name, bold(theme.text))];
    left.extend(shown);
    Split { left, right }
}

/// `acme/api`; where that is too long, the repository's own name says more than its parent's.
fn fitting_name(name: &str, room: usize, theme: &Theme) -> String {
    if cells::width(name) <= room {
        return name.to_owned();
    }
    let own = name.rsplit('/').next().unwrap_or(name);
    cells::clip_middle(own, room.max(8), theme)
}

/// A sign of the focus, or a blank in its place: where the focus is shown in reverse, a blank in its style would be a
/// block.
pub fn focus_sign(sign: &str, theme: &Theme) -> Span<'static> {
    span(sign, if sign == " " { theme.text } else { theme.focus })
}

pub fn bold(style: Style) -> Style {
    style.add_modifier(Modifier::BOLD)
}

/// Spans cut to `width` cells.
pub fn clip_spans(spans: Vec<Span<'static>>, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    let mut room = width;
    let mut kept = Vec::new();
    for span in spans {
        let cells = cells::width(&span.content);
        if cells <= room {
            room -= cells;
            kept.push(span);
            continue;
        }
        kept.push(Span::styled(cells::clip(&span.content, room, theme), span.style));
        break;
    }
    kept
}

pub fn width_of(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| cells::width(&span.content)).sum()
}

/// Left part, a run of `fill`, right part: exactly `width` cells.
pub fn split_line(split: Split, width: usize, fill: &str, theme: &Theme) -> Line<'static> {
    let right = clip_spans(split.right, width, theme);
    let room = width.saturating_sub(width_of(&right));
    // One cell stays between the two.
    let left_room = if right.is_empty() { room } else { room.saturating_sub(1) };
    let mut spans = clip_spans(split.left, left_room, theme);
    let gap = room.saturating_sub(width_of(&spans));
    spans.push(Span::styled(fill.repeat(gap), theme.quiet));
    spans.extend(right);
    Line::from(spans)
}

/// One of the lines that are always drawn: `─ left ───── right ─`.
pub fn rule(split: Split, width: u16, theme: &Theme) -> Line<'static> {
    let line = theme.glyphs.rule;
    let edge = |spans: Vec<Span<'static>>, before: bool| {
        if spans.is_empty() {
            return spans;
        }
        let mut out =
            vec![Span::styled(if before { format!("{line} ") } else { " ".into() }, theme.quiet)];
        out.extend(spans);
        out.push(Span::styled(if before { " ".into() } else { format!(" {line}") }, theme.quiet));
        out
    };
    let width = usize::from(width);
    let right = edge(split.right, false);
    // What is said at the left matters more: the right part goes when there is no room for both.
    let fits = width_of(&split.left) + width_of(&right) + 4 <= width;
    let right = if fits { right } else { Vec::new() };
    let room = width.saturating_sub(width_of(&right) + 3);
    let left = edge(clip_spans(split.left, room, theme), true);
    split_line(Split { left, right }, width, line, theme)
}

/// The last answer, till the next. One that is longer than the rule is read in full by `i`.
pub fn answer_split(answer: Option<&Answer>, width: u16, theme: &Theme) -> Split {
    let Some(answer) = answer else { return Split::default() };
    let mut split = Split { left: answer_spans(answer, theme), right: Vec::new() };
    let room = usize::from(width).saturating_sub(ANSWER_MARGIN);
    if answer.is_asked_about && width_of(&split.left) > room {
        split.right = vec![span("i", theme.focus), span(" all of it", theme.quiet)];
        // With the blank before it and the piece of line behind it.
        let room = room.saturating_sub(width_of(&split.right) + 3);
        split.left = clip_spans(split.left, room, theme);
    }
    split
}

fn answer_spans(answer: &Answer, theme: &Theme) -> Vec<Span<'static>> {
    let style = match answer.mood {
        Mood::Done => theme.text,
        Mood::Refused => theme.attention,
        Mood::Failed => theme.bad,
    };
    vec![span(&answer.text, style)]
}

/// One key of the footer with what it would do; the key comes from the command table.
#[derive(Clone, Debug)]
pub struct Hint {
    keys: String,
    label: String,
    refused: bool,
    /// It stays where others have no room.
    is_kept: bool,
}

impl Hint {
    /// `None` where the table has no such command.
    pub fn of(
        model: &Model,
        context: Context,
        name: &str,
        label: impl Into<String>,
    ) -> Option<Self> {
        let command = find_command(context, name)?;
        Self::of_command(model, command, label)
    }

    /// `None` where the user took its keys away.
    pub fn of_command(model: &Model, command: &Command, label: impl Into<String>) -> Option<Self> {
        let keys = model.keymap.keys_of(command).into_iter().next()?;
        let refused = (command.refusal)(model).is_some();
        // What a landing waits for is not left out either.
        let is_kept = command.verb() == "land"
            || command.name == "tick.consent"
            || command.keys.contains(&"Esc");
        Some(Self { keys, label: label.into(), refused, is_kept })
    }

    /// Several keys of one kind: `1 2 3 strategy`.
    pub fn of_keys(keys: &str, label: impl Into<String>) -> Self {
        let is_kept = keys.starts_with("Esc");
        Self { keys: keys.to_owned(), label: label.into(), refused: false, is_kept }
    }

    fn spans(&self, theme: &Theme) -> Vec<Span<'static>> {
        let key_style = if self.refused { theme.quiet } else { theme.focus };
        vec![
            span(&self.keys, key_style),
            Span::styled(" ", theme.quiet),
            span(&self.label, theme.quiet),
        ]
    }
}

/// Hints that do not fit are left out from behind, but neither the last one (help), nor what a person is here for
/// (landing), nor the way out; then what stands at the right.
pub fn footer(
    mut hints: Vec<Hint>,
    right: Vec<Span<'static>>,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let width = usize::from(width);
    let gap = if width >= usize::from(super::layout::WIDE) { "   " } else { "  " };
    let of = |hints: &[Hint]| {
        let mut spans = vec![Span::styled(" ", theme.quiet)];
        for (index, hint) in hints.iter().enumerate() {
            if index > 0 {
                spans.push(Span::styled(gap, theme.quiet));
            }
            spans.extend(hint.spans(theme));
        }
        spans
    };
    while hints.len() > 1 && width_of(&of(&hints)) > width {
        let spare = hints[..hints.len() - 1].iter().rposition(|hint| !hint.is_kept);
        hints.remove(spare.unwrap_or(hints.len() - 2));
    }
    let left = of(&hints);
    let fits = width_of(&left) + width_of(&right) + 2 <= width;
    let right = if fits { right } else { Vec::new() };
    split_line(Split { left, right }, width, " ", theme)
}

pub fn draw_line(line: Line<'_>, area: Rect, frame: &mut Frame<'_>) {
    if area.height > 0 && area.width > 0 {
        frame.render_widget(line, Rect { height: 1, ..area });
    }
}

/// A line that ends in a rule, where the rule says nothing at that place.
pub fn join_rule(cell: Rect, joint: &'static str, theme: &Theme, frame: &mut Frame<'_>) {
    let is_rule = frame
        .buffer_mut()
        .cell((cell.x, cell.y))
        .is_some_and(|found| found.symbol() == theme.glyphs.rule);
    if is_rule {
        draw_line(Line::styled(joint, theme.quiet), cell, frame);
    }
}

/// Nothing of what lies below shows through.
pub fn clear(area: Rect, theme: &Theme, frame: &mut Frame<'_>) {
    frame.render_widget(ratatui::widgets::Clear, area);
    frame.buffer_mut().set_style(area, theme.text);
}

/// As many as fit, from the top.
pub fn draw_lines(lines: Vec<Line<'_>>, area: Rect, frame: &mut Frame<'_>) {
    for (row, line) in (0..area.height).zip(lines) {
        draw_line(line, Rect { y: area.y + row, height: 1, ..area }, frame);
    }
}

/// `8s`, `2m`, `1h`, `21d`.
pub fn age(now_ms: u64, then_ms: u64) -> String {
    let seconds = now_ms.saturating_sub(then_ms) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Safe text in lines of at most `width` cells, broken at blanks where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in cells::safe(text.as_bytes(), usize::MAX).split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if cells::width(last) + 1 + cells::width(word) <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The same for text of several styles, already safe.
pub fn wrap_spans(spans: Vec<Span<'static>>, width: usize) -> Vec<Vec<Span<'static>>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for span in spans {
        for piece in span.content.split_inclusive(' ') {
            if used > 0 && used + cells::width(piece.trim_end()) > width {
                lines.push(Vec::new());
                used = 0;
            }
            used += cells::width(piece);
            let last = lines.last_mut().expect("there is always a line");
            last.push(Span::styled(piece.to_owned(), span.style));
        }
    }
    lines
}

pub use crate::review::count::count;
