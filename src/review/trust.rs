//! Configuration and hooks as they were seen once, how they differ from that, and what a person consented to.
//! Pure: nothing here reads a file or runs anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Longer values are cut where they are told: the whole of them is in the configuration.
const VALUE_CHARS_MAX: usize = 80;

/// How the words on a hook begin.
pub const HOOK_FILE: &str = "the hook file ";

/// What a shadow shares with its user and could have changed: the repository's own settings that start programs or
/// redirect git, and the files in the hook directories.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Values by key, several of one key a line each.
    pub config: BTreeMap<String, String>,
    /// A mark of each file's content and mode, by its path below the hook directory.
    pub hooks: BTreeMap<String, String>,
}

impl Fingerprint {
    /// What is otherwise in `now`, in words.
    pub fn differences_to(&self, now: &Self) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for key in keys(&self.config, &now.config) {
            told.extend(told_setting(key, self.config.get(key), now.config.get(key)));
        }
        for name in keys(&self.hooks, &now.hooks) {
            let what = match (self.hooks.get(name), now.hooks.get(name)) {
                (None, Some(_)) => "is new",
                (Some(_), None) => "is gone",
                (Some(before), Some(after)) if before != after => "was changed",
                _ => continue,
            };
            told.push(format!("{HOOK_FILE}{name} {what}"));
        }
        told
    }
}

fn keys<'a>(
    one: &'a BTreeMap<String, String>,
    other: &'a BTreeMap<String, String>,
) -> std::collections::BTreeSet<&'a String> {
    one.keys().chain(other.keys()).collect()
}

fn told_setting(key: &str, before: Option<&String>, now: Option<&String>) -> Option<String> {
    // Helpers of credentials may name secrets.
    let is_secret = key.starts_with("credential.");
    match (before, now) {
        (Some(before), Some(now)) if before == now => None,
        (None, None) => None,
        (_, None) => Some(format!("{key} is no longer set")),
        (None, Some(_)) if is_secret => Some(format!("{key} was set")),
        (Some(_), Some(_)) if is_secret => Some(format!("{key} was changed")),
        (None, Some(now)) => Some(format!("{key} was set to `{}`", cut(now))),
        (Some(before), Some(now)) => {
            Some(format!("{key} was `{}` and is now `{}`", cut(before), cut(now)))
        }
    }
}

fn cut(value: &str) -> String {
    if value.chars().count() <= VALUE_CHARS_MAX {
        return value.to_owned();
    }
    value.chars().take(VALUE_CHARS_MAX - 1).chain(['…']).collect()
}

/// One thing that needs the user's consent before it may run or land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// What it is, in words.
    pub words: String,
    /// Names just this state of it: a consent given for another state does not count.
    pub mark: String,
}

/// What the person trusts beyond what was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Nothing more.
    #[default]
    AsRecorded,
    /// Configuration, hooks and the shadow's change of hooks as they stand now (`--trust`).
    AsItStands,
    /// What these marks name, after it was shown.
    Shown(Vec<String>),
}

impl Trust {
    pub fn covers(&self, mark: &str) -> bool {
        match self {
            Self::AsRecorded => false,
            Self::AsItStands => true,
            Self::Shown(marks) => marks.iter().any(|shown| shown == mark),
        }
    }
}

/// Whether hooks that may stop a landing are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    #[default]
    Ask,
    /// As git's own `--no-verify`: prepare-commit-msg runs all the same.
    Skip,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(config: &[(&str, &str)], hooks: &[(&str, &str)]) -> Fingerprint {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        Fingerprint { config: map(config), hooks: map(hooks) }
    }

    #[test]
    fn differences_are_told_in_words_and_secrets_are_not() {
        let before = fingerprint(
            &[("core.editor", "vi"), ("core.bare", "false"), ("alias.x", "a")],
            &[("pre-commit", "1"), ("commit-msg", "1"), ("same", "1")],
        );
        let now = fingerprint(
            &[("core.editor", "evil"), ("core.bare", "false"), ("credential.helper", "!secret")],
            &[("pre-commit", "2"), ("post-merge", "1"), ("same", "1")],
        );
        assert_eq!(
            before.differences_to(&now),
            [
                "alias.x is no longer set",
                "core.editor was `vi` and is now `evil`",
                "credential.helper was set",
                "the hook file commit-msg is gone",
                "the hook file post-merge is new",
                "the hook file pre-commit was changed",
            ]
        );
        assert!(before.differences_to(&before).is_empty());
    }

    #[test]
    fn a_consent_is_for_just_what_was_shown() {
        let shown = Trust::Shown(vec!["a".to_owned()]);
        assert!(shown.covers("a") && !shown.covers("b"));
        assert!(!Trust::default().covers("a") && Trust::AsItStands.covers("b"));
    }
}
