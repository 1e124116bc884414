//! `i` where one line is too short for the answer: the whole of it, to be read and copied.

use unicode_width::UnicodeWidthStr;

use super::{Answer, Command, Context, Effect, Model, Sheet, command::always};

/// Cells of the bottom rule that are never the answer's.
pub const ANSWER_MARGIN: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhySheet {
    pub text: String,
}

fn fits(model: &Model, answer: &Answer) -> bool {
    answer.text.width() + ANSWER_MARGIN <= usize::from(model.viewport.columns)
}

/// In the bottom rule, or in full where that is too short.
pub(super) fn explain(model: &mut Model, text: String) {
    let answer = Answer::done(text);
    if fits(model, &answer) {
        model.answer = Some(answer);
    } else {
        model.answer = None;
        model.sheets.push(Sheet::Why(WhySheet { text: answer.text }));
    }
}

/// An answer that was cut off is what is asked about first.
pub(super) fn take_long_answer(model: &mut Model) -> bool {
    let Some(answer) = model.answer.clone().filter(|answer| !fits(model, answer)) else {
        return false;
    };
    explain(model, answer.text);
    true
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(Sheet::Why(sheet)) = model.sheets.last() else { return Vec::new() };
    let text = sheet.text.clone();
    model.say("copied all of it");
    vec![Effect::Copy(text)]
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
    row("copy.text", "Copy all of this", &["y"], copy),
    row("quit.why", "Close it", &["Esc", "q", "ctrl-c"], Model::close_sheet),
    row("why.close", "Close it", &["i"], Model::close_sheet),
];
