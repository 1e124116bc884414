//! What a writing command asks before it begins: is it run by the user, and did they say yes.

use std::io::{BufRead, Write};

use super::Context;
use crate::{
    ops::{Deck, ground::Ground, land},
    report::{Code, Report},
    review::visible,
    shadow::handle::Prefixes,
};

/// Landing, discarding and undoing are the user's: never done from inside a shadow.
pub fn refuse_inside(context: &Context, deck: &Deck, verb: &str) -> Result<(), Report> {
    match Ground::find_around(deck, &[&context.cwd, &context.dir])? {
        None => Ok(()),
        Some(id) => Err(Report::user(
            Code::InsideShadow,
            format!("{verb} is refused from inside shadow {id}: it is for the user, not for an agent in it"),
        )
        .unchanged().hint("run it from the main worktree")
        .detail("id", id.0)),
    }
}

/// Whom a command that writes will wait for, told before it waits.
pub fn tell_holder(deck: &Deck) {
    if let Some(holder) = land::find_holder(deck) {
        tell(&format!("note: waiting for {}\n", visible::visible_str(&holder)));
    }
}

/// What a question is about, before it is asked. `text` is visible already.
pub fn tell(text: &str) {
    // Where stderr is closed the question goes unseen too.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// `--yes` has answered; a terminal is asked; anything else is an error, since nobody would see a question.
pub fn confirm(context: &Context, answered: Answered, question: &str) -> Result<(), Report> {
    if answered == Answered::Yes {
        return Ok(());
    }
    let refused = |headline: &str, hint: &str| {
        Report::user(Code::NeedsConfirmation, headline).unchanged().hint(hint)
    };
    if !context.has_terminal || context.json {
        return Err(refused(
            &format!("not confirmed: {question}"),
            "add --yes, or run it on a terminal",
        ));
    }
    let mut stderr = std::io::stderr().lock();
    // Where stderr is closed the question goes unseen, and the answer below is then not `y`.
    let _ = write!(stderr, "{} [y/N] ", visible::visible_str(question));
    let _ = stderr.flush();
    let mut answer = String::new();
    let is_yes = std::io::stdin().lock().read_line(&mut answer).is_ok()
        && matches!(answer.trim(), "y" | "Y" | "yes");
    if is_yes { Ok(()) } else { Err(refused("not confirmed", "answer y where it is to be done")) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    Yes,
    NotYet,
}

impl Answered {
    pub fn by(yes: &bool) -> Self {
        if *yes { Self::Yes } else { Self::NotYet }
    }
}

/// Destructive commands guess from a prefix only where a person sees the guess.
pub fn prefixes(context: &Context) -> Prefixes {
    if context.has_terminal { Prefixes::Taken } else { Prefixes::Refused }
}
