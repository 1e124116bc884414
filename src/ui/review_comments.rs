//! A thread of comments as one row of the diff, and the lines that an outdated one was on.

use ratatui::{layout::Rect, style::Style, text::Span};

use super::{
    cells,
    chrome::width_of,
    diff_rows::{Cursor, Pen, draw_cursor, draw_ends},
    theme::Theme,
};
use crate::{
    app::review_comments::author_word,
    review::{
        comment::{Post, Status, Thread},
        comment_words::{numbers, status_words},
    },
};

/// With a sign that it goes on, where it does.
fn first_line(post: &Post, theme: &Theme) -> String {
    let mut lines = post.text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let more = if lines.next().is_some() { theme.glyphs.ellipsis } else { "" };
    format!("{first}{more}")
}

/// `c  you: 50 ms is too short   open · i`; `state` is what else there is to know of it.
pub(super) fn draw_thread(
    thread: &Thread,
    state: &str,
    indent: usize,
    cursor: Cursor,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let inner = draw_cursor(area, cursor, theme, buf);
    let posts: Vec<&Post> = thread.shown().map(|(_, post)| post).collect();
    let Some(first) = posts.first() else { return };
    let is_closed = thread.status == Status::Closed;
    let style = if is_closed { theme.quiet } else { theme.text };
    let mut words = format!("{}: {}", author_word(first.author), first_line(first, theme));
    if let [_, .., last] = &posts[..] {
        let (who, dot) = (author_word(last.author), theme.glyphs.dot);
        words.push_str(&format!(" {dot} {who}: {}", first_line(last, theme)));
    }
    let right = state_spans(thread.status, state, theme);
    let indent = if inner.width < 60 { 1 } else { indent };
    let taken = indent + 3 + width_of(&right) + 2;
    let room = usize::from(inner.width).saturating_sub(taken).max(8);
    let rail = if is_closed { theme.quiet } else { theme.focus };
    let left = vec![
        Span::raw(" ".repeat(indent)),
        Span::styled("c  ", rail),
        Span::styled(cells::clip(&words, room, theme), style),
    ];
    draw_ends(inner, left, right, buf);
}

fn state_spans(status: Status, state: &str, theme: &Theme) -> Vec<Span<'static>> {
    let style: Style = match status {
        Status::Open => theme.text,
        Status::Resolved => theme.good,
        Status::Closed => theme.quiet,
    };
    let dot = theme.glyphs.dot;
    let mut spans = Vec::new();
    if !state.is_empty() {
        spans.push(Span::styled(format!("{state} {dot} "), theme.attention));
    }
    spans.push(Span::styled(status_words(status), style));
    spans.push(Span::styled(format!(" {dot} i "), theme.quiet));
    spans
}

pub(super) fn draw_was(
    thread: &Thread,
    indent: usize,
    cursor: Cursor,
    area: Rect,
    Pen { theme, buf }: &mut Pen<'_>,
) {
    let inner = draw_cursor(area, cursor, theme, buf);
    let Some(passage) = &thread.spot.passage else { return };
    let Some(first) = passage.lines.first() else { return };
    let more = match passage.lines.len() {
        1 => String::new(),
        lines => format!("  (+{} more)", lines - 1),
    };
    let indent = if inner.width < 60 { 1 } else { indent };
    let text = String::from_utf8_lossy(first.as_bytes());
    let words = format!("   was {}: {}{more}", numbers(&passage.range()), text.trim());
    let room = usize::from(inner.width).saturating_sub(indent);
    let left = vec![
        Span::raw(" ".repeat(indent)),
        Span::styled(cells::clip(&words, room, theme), theme.quiet),
    ];
    draw_ends(inner, left, Vec::new(), buf);
}
