//! What to do next, in the cockpit's own keys: reports are written for the command line, and here are no flags.

use crate::report::{Code, Report};

/// The keys of the land sheet that lead out of what it says.
pub fn of_landing(report: &Report) -> Option<String> {
    let hint = report.hint.as_deref().unwrap_or_default();
    let words = match report.code {
        Code::Conflicts => "x shows them, a choice each, then m lands",
        Code::NothingToLand if hint.contains("--take") => "Esc, then x shows what was chosen",
        Code::NothingToLand => "Esc, then d puts it away",
        Code::HookRejected | Code::Timeout if hint.contains("--no-verify") => {
            "i all that the hook said · 5 lands past the hooks · R tries again"
        }
        Code::NotTrusted => "look at it, and if it is as it should be, Space consents",
        Code::InvalidMessage => "e changes the message",
        Code::Locked => "4 keeps the shadow and lands it, or `git worktree unlock` it first",
        Code::ShadowBusy if hint.contains("--keep") => {
            "4 lands it without keeping it; else R when that process has ended"
        }
        Code::WrongState if hint.contains("--strategy") => "1 or 2 lands it another way",
        _ => return of(report),
    };
    Some(words.to_owned())
}

/// Elsewhere: commands that are keys here are named by their keys.
pub fn of(report: &Report) -> Option<String> {
    let hint = report.hint.clone()?;
    let keys = [("`shadowdeck log`", "L"), ("`shadowdeck list`", "the list")];
    let hint = keys.into_iter().fold(hint, |hint, (command, key)| hint.replace(command, key));
    Some(match report.code {
        Code::Conflicts if hint.contains("a merge is of commits") => {
            "commit its work in those files first (o: a shell in it), for a merge is of commits; then x settles them".to_owned()
        }
        Code::Conflicts => "x shows them".to_owned(),
        Code::NotTrusted => "m shows what it is, and Space consents there".to_owned(),
        Code::CannotUndo if hint.contains("by its own command") => {
            "do it anew, by its own key".to_owned()
        }
        _ => hint,
    })
}
