//! `i` where one line is too short for the answer: the whole of it, to be read and copied.

use unicode_width::UnicodeWidthStr;

use super::{Answer, Command, Context, Effect, Model, Sheet, command::always, help, list::half};

/// Cells of the bottom rule that are never the answer's.
pub const ANSWER_MARGIN: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhySheet {
    pub title: &'static str,
    pub text: String,
    /// Lines that are scrolled out above.
    pub top: usize,
}

fn fits(model: &Model, answer: &Answer) -> bool {
    answer.text.width() + ANSWER_MARGIN <= usize::from(model.viewport.columns)
}

/// In the bottom rule, or in full where that is too short.
pub(super) fn explain(model: &mut Model, text: String) {
    let answer = Answer::of_row(text);
    if fits(model, &answer) {
        model.answer = Some(answer);
    } else {
        model.answer = None;
        model.sheets.push(Sheet::Why(WhySheet { title: "Why", text: answer.text, top: 0 }));
    }
}

/// What has lines of its own, in full.
pub(super) fn show(model: &mut Model, title: &'static str, text: String) {
    model.answer = None;
    model.sheets.push(Sheet::Why(WhySheet { title, text, top: 0 }));
}

/// An answer that was cut off is what is asked about first.
pub(super) fn take_long_answer(model: &mut Model) -> bool {
    let Some(answer) =
        model.answer.clone().filter(|answer| answer.is_asked_about && !fits(model, answer))
    else {
        return false;
    };
    explain(model, answer.text);
    true
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(Sheet::Why(sheet)) = model.sheets.last() else { return Vec::new() };
    let text = sheet.text.clone();
    model.copy("it", text)
}

/// Stops at both ends.
fn scroll(model: &mut Model, lines: isize) -> Vec<Effect> {
    let last = model.viewport.sheet_lines.saturating_sub(model.viewport.sheet_rows);
    if let Some(Sheet::Why(sheet)) = model.sheets.last_mut() {
        sheet.top = sheet.top.min(last).saturating_add_signed(lines).min(last);
    }
    Vec::new()
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Why, refusal: always, run }
}

pub const COMMANDS: &[Command] = &[
    row("move.down", "Down", &["j", "Down"], |model| scroll(model, 1)),
    row("move.up", "Up", &["k", "Up"], |model| scroll(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], |model| {
        scroll(model, half(model.viewport.sheet_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], |model| {
        scroll(model, -half(model.viewport.sheet_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], |model| {
        scroll(model, 2 * half(model.viewport.sheet_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], |model| {
        scroll(model, -2 * half(model.viewport.sheet_rows))
    }),
    row("move.first", "To the top", &["g g", "Home"], |model| scroll(model, isize::MIN)),
    row("move.last", "To the end", &["G", "End"], |model| scroll(model, isize::MAX)),
    row("copy.text", "Copy all of this", &["y"], copy),
    row("quit.why", "Close it", &["Esc", "q", "ctrl-c"], Model::close_sheet),
    row("why.close", "Close it", &["i"], Model::close_sheet),
    row("help.keys", "Show the keys that work here", &["?"], help::open),
];
