//! The last answer: one line that stays in the bottom rule until the next one, or until what it speaks of is left:
//! it says nothing false of another screen or another shadow.

use super::{Context, Model, Screen, Sheet, review::ReviewScreen};
use crate::{
    report::{Blame, Report},
    shadow::ShadowId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Done,
    Refused,
    Failed,
}

/// How long it holds where no other answer comes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Holds {
    /// Of the row, the shadow or the file that it was said of.
    Row,
    Screen,
    /// What a write came to.
    TillNext,
    /// The same, with keys of the list: as it is said there, and as it is said elsewhere.
    Operation([String; 2]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub mood: Mood,
    /// One line; may hold text from the repository, so it is made visible where it is drawn.
    pub text: String,
    holds: Holds,
    /// The cursor stands where it stood: `i` speaks of this before it speaks of a row.
    pub is_asked_about: bool,
}

impl Answer {
    fn new(mood: Mood, text: String, holds: Holds) -> Self {
        Self { mood, text, holds, is_asked_about: true }
    }

    pub fn done(text: impl Into<String>) -> Self {
        Self::new(Mood::Done, text.into(), Holds::Screen)
    }

    pub fn refused(text: impl Into<String>) -> Self {
        Self::new(Mood::Refused, text.into(), Holds::Row)
    }

    /// `i`: of one row.
    pub(super) fn of_row(text: String) -> Self {
        Self::new(Mood::Done, text, Holds::Row)
    }

    /// What `i` said.
    pub(super) fn is_explanation(&self) -> bool {
        self.mood == Mood::Done && self.holds == Holds::Row
    }

    /// What was done, the key of the list that goes on from it (`u`, `takes it back`), and what else there is to know.
    pub(super) fn of_operation(done: &str, [key, does]: [&str; 2], more: &[String]) -> Self {
        let here = with_warnings(format!("{done} · {key} {does}"), more);
        let elsewhere = with_warnings(format!("{done} · {key} in the list {does}"), more);
        Self::new(Mood::Done, here.clone(), Holds::Operation([here, elsewhere]))
    }

    #[must_use]
    pub fn till_next(self) -> Self {
        Self { holds: Holds::TillNext, ..self }
    }

    /// The headline, its innermost cause, what is safe and the way out, in one line.
    pub fn of_report(report: &Report) -> Self {
        let mood = if report.blame == Blame::User { Mood::Refused } else { Mood::Failed };
        let mut text = report.headline.clone();
        let way_out = super::way_out::of(report);
        for more in report.causes.last().into_iter().chain(&report.safe).chain(&way_out) {
            text.push_str(" · ");
            text.push_str(more);
        }
        Self::new(mood, text, Holds::Screen)
    }
}

/// What was done, then what else there is to know of it.
fn with_warnings(text: String, warnings: &[String]) -> String {
    let mut parts = vec![text];
    parts.extend_from_slice(warnings);
    parts.join(" · ")
}

/// What an answer is about: compared before and after each message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    screen: Screen,
    /// The sheet that was asked, and whether its text has the keys; what only explains or searches leaves the place.
    sheet: Option<Context>,
    /// The shadow that the whole screen is about.
    read: Option<ShadowId>,
    row: Option<ShadowId>,
    /// Which of its files.
    file: Option<usize>,
    cursor: [usize; 2],
}

impl Place {
    pub(super) fn of(model: &Model) -> Self {
        let screen = model.screen();
        let sheet = model.docked().and_then(|sheet| match sheet {
            Sheet::Land(sheet) if sheet.editor.is_some() => Some(Context::Text),
            Sheet::Land(_) => Some(Context::LandSheet),
            Sheet::Discard(_) => Some(Context::DiscardSheet),
            Sheet::Undo(_) => Some(Context::UndoSheet),
            Sheet::Sync(_) => Some(Context::SyncSheet),
            Sheet::Create(_) => Some(Context::CreateSheet),
            Sheet::Commits(_) => Some(Context::Commits),
            Sheet::Comment(_) => Some(Context::Text),
            Sheet::Prompt(_) | Sheet::Palette(_) | Sheet::Help(_) | Sheet::Why(_) => None,
        });
        let subject = model.subject().cloned();
        let read = subject.clone().filter(|_| matches!(screen, Screen::Review | Screen::Conflicts));
        let on_sheet = model.sheets.iter().rev().find_map(|sheet| match sheet {
            Sheet::Discard(sheet) => Some(sheet.cursor.index),
            _ => None,
        });
        let on_screen = match screen {
            Screen::Review => model.review.as_ref().map_or(0, |screen| screen.cursor),
            Screen::Conflicts => model.conflicts.as_ref().map_or(0, |screen| screen.cursor),
            Screen::Radar => model.radar.column.index,
            Screen::Log => model.log.cursor.index,
            Screen::Fleet => 0,
        };
        let cursor = [on_sheet.unwrap_or(0), on_screen];
        let file = match screen {
            Screen::Review => model.review.as_ref().and_then(ReviewScreen::file_index),
            _ => None,
        };
        Self { screen, sheet, read, row: subject, file, cursor }
    }
}

/// After each message: an answer from before it goes where what it speaks of was left, and the keys that it names are
/// those of the list.
pub(super) fn settle(model: &mut Model, before: &Place, was: Option<&Answer>) {
    let (now, in_list) = (Place::of(model), model.context() == Context::Fleet);
    let Some(answer) = &mut model.answer else { return };
    if was == Some(answer) && now != *before {
        let same_screen =
            (now.screen, now.sheet, &now.read) == (before.screen, before.sheet, &before.read);
        let same_row = same_screen && now.row == before.row && now.cursor[0] == before.cursor[0];
        // What `i` said is of a file; a refusal is of what was pressed.
        let same_row = same_row && (now.file == before.file || !answer.is_explanation());
        let holds = match answer.holds {
            Holds::Row => same_row,
            Holds::Screen => same_screen,
            Holds::TillNext | Holds::Operation(_) => true,
        };
        if !holds {
            model.answer = None;
            return;
        }
    }
    if let Holds::Operation([here, elsewhere]) = &answer.holds {
        answer.text.clone_from(if in_list { here } else { elsewhere });
    }
}

/// A cursor that a person has moved: from then on `i` asks about the row.
pub(super) fn let_go(model: &mut Model, before: &Place, was: Option<&Answer>) {
    let has_moved = Place::of(model) != *before;
    let is_same = |text: &str| was.is_some_and(|was| was.text == text);
    if let Some(answer) = model.answer.as_mut().filter(|answer| has_moved && is_same(&answer.text))
    {
        answer.is_asked_about = false;
    }
}
