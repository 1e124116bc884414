//! The user's file as text → settings and what is wrong with it, each fault with its line. Pure: reads no disk.
//! A fault costs its own key alone: every other setting stays in force.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Config, KeySetting, THEMES};
use crate::report::{Code, Report};

/// A git that takes longer than a day is stuck, however slow the disk.
const TIMEOUT_S_MAX: u64 = 24 * 60 * 60;
/// More than any disk holds, and its bytes still are a number.
const SIZE_MB_MAX: u64 = 1 << 40;

const SECTIONS: &[&str] =
    &["fold", "git", "hooks", "keys", "objects", "rehearsal", "signing", "stale", "trash"];

/// What is wrong on one line (counted from 1).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    line: usize,
    pub(super) key: String,
    what: String,
}

/// `config`, with what `text` sets in it.
pub(super) fn parse(text: &str, mut config: Config) -> (Config, Vec<Fault>) {
    let mut faults = Vec::new();
    match DeTable::parse(text) {
        Ok(table) => read_table("", table.get_ref(), text, &mut config, &mut faults),
        Err(error) => faults.push(Fault {
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            key: String::new(),
            what: format!("this is not TOML ({}), so no setting is taken", error.message()),
        }),
    }
    faults.sort_by_key(|fault| fault.line);
    (config, faults)
}

fn read_table(
    prefix: &str,
    table: &DeTable<'_>,
    text: &str,
    config: &mut Config,
    faults: &mut Vec<Fault>,
) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        let is_section = prefix.is_empty() && SECTIONS.contains(&key.as_str());
        let read = match value.get_ref() {
            DeValue::Table(inner) if key == "keys" || prefix.starts_with("keys.") => {
                read_table(&format!("{key}."), inner, text, config, faults);
                Ok(())
            }
            _ if prefix.starts_with("keys.") => keys_of(value).map(|keys| {
                config.keys.push(KeySetting {
                    name: key["keys.".len()..].to_owned(),
                    keys,
                    file: String::new(),
                    line: line_of(text, name.span().start),
                });
            }),
            DeValue::Table(inner) if is_section => {
                read_table(&format!("{key}."), inner, text, config, faults);
                Ok(())
            }
            _ if is_section => Err("this is a section: write its settings below it".to_owned()),
            _ => read_value(&key, value, config),
        };
        if let Err(what) = read {
            faults.push(Fault { line: line_of(text, name.span().start), key, what });
        }
    }
}

/// The one list of what can be set.
fn read_value(key: &str, value: &Spanned<DeValue<'_>>, config: &mut Config) -> Result<(), String> {
    match key {
        "target" => config.target = Some(text_of(value)?),
        "theme" => config.theme = theme_of(value)?,
        "git.timeout_s" => config.git_timeout_s = number_of(value, 1, TIMEOUT_S_MAX)?,
        "hooks.timeout_s" => config.hooks_timeout_s = number_of(value, 1, TIMEOUT_S_MAX)?,
        "fold.patterns" => config.fold_patterns = patterns_of(value)?,
        "fold.never" => config.fold_never = patterns_of(value)?,
        "rehearsal.link" => config.rehearsal_link = names_of(value)?,
        "signing.timeout_s" => config.signing_timeout_s = number_of(value, 1, TIMEOUT_S_MAX)?,
        "stale.idle_days" => config.stale_idle_days = days_of(value)?,
        "stale.done_days" => config.stale_done_days = days_of(value)?,
        "trash.age_days" => config.trash_age_days = days_of(value)?,
        "trash.size_mb" => config.trash_size_mb = number_of(value, 0, SIZE_MB_MAX)?,
        "objects.size_mb" => config.objects_size_mb = number_of(value, 1, SIZE_MB_MAX)?,
        _ => return Err("there is no such setting".to_owned()),
    }
    Ok(())
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Result<String, String> {
    match value.get_ref() {
        DeValue::String(text) if !text.is_empty() => Ok(text.to_string()),
        DeValue::String(_) => Err("it is empty".to_owned()),
        other => Err(format!("it must be text, and this is {}", kind_of(other))),
    }
}

fn theme_of(value: &Spanned<DeValue<'_>>) -> Result<String, String> {
    let name = text_of(value)?;
    if THEMES.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(format!("there is no theme `{}`, only {}", name.escape_debug(), THEMES.join(", ")))
}

/// One way to press it as text, several as a list.
fn keys_of(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
    match value.get_ref() {
        DeValue::Array(several) => several.iter().map(text_of).collect(),
        DeValue::String(_) => Ok(vec![text_of(value)?]),
        other => Err(format!("it must be a list of keys, and this is {}", kind_of(other))),
    }
}

/// Paths inside a worktree.
/// As in a `.gitignore`, but for what that would leave out again.
fn patterns_of(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
    let DeValue::Array(values) = value.get_ref() else {
        return Err(format!(
            "it must be a list of patterns, and this is {}",
            kind_of(value.get_ref())
        ));
    };
    let pattern = |value| {
        let pattern = text_of(value)?;
        if pattern.contains(['!', '[', '\\']) {
            return Err(format!("`{pattern}`: only `*`, `**` and `?` stand for something"));
        }
        Ok(pattern)
    };
    values.iter().map(pattern).collect()
}

fn names_of(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
    let DeValue::Array(values) = value.get_ref() else {
        return Err(format!(
            "it must be a list of names, and this is {}",
            kind_of(value.get_ref())
        ));
    };
    let mut names = Vec::new();
    for value in values {
        let name = text_of(value)?;
        let is_inside = std::path::Path::new(&name)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(part) if part != ".git"));
        if !is_inside {
            return Err(format!("`{name}` is no path inside a worktree"));
        }
        names.push(name);
    }
    Ok(names)
}

fn days_of(value: &Spanned<DeValue<'_>>) -> Result<u32, String> {
    let days = number_of(value, 0, u64::from(u32::MAX))?;
    u32::try_from(days).map_err(|error| error.to_string())
}

fn number_of(value: &Spanned<DeValue<'_>>, min: u64, max: u64) -> Result<u64, String> {
    let DeValue::Integer(number) = value.get_ref() else {
        return Err(format!("it must be a whole number, and this is {}", kind_of(value.get_ref())));
    };
    u64::from_str_radix(number.as_str(), number.radix())
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("it must be a whole number from {min} to {max}"))
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}

pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

impl Fault {
    /// `file` is the file's name for people.
    pub(super) fn report(&self, file: &str) -> Report {
        let subject = if self.key.is_empty() { String::new() } else { format!("`{}`: ", self.key) };
        Report::user(
            Code::InvalidValue,
            format!("{file}, line {}: {subject}{}", self.line, self.what),
        )
        .safe("until then the setting keeps its default, and nothing else is affected")
        .hint("correct or remove that line")
        .detail("file", file)
        .detail("line", self.line)
        .detail("key", self.key.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let (_, faults) = parse(text, Config::default());
        faults.iter().map(|fault| format!("{} {}: {}", fault.line, fault.key, fault.what)).collect()
    }

    #[test]
    fn every_setting_can_be_set() {
        let text = "target = 'trunk'\ntheme = \"light\"\n[git]\ntimeout_s = 120\n\
                    [stale]\nidle_days = 30\ndone_days = 0\n[trash]\nage_days = 7\nsize_mb = 0\n\
                    [objects]\nsize_mb = 5\n[hooks]\ntimeout_s = 5\n\
                    [signing]\ntimeout_s = 6\n[rehearsal]\nlink = ['node_modules', 'a/b']\n\
                    [fold]\npatterns = ['*.snap', 'docs/api/']\nnever = ['Cargo.lock']\n";
        let (config, faults) = parse(text, Config::default());
        assert_eq!(faults, []);
        let expected = Config {
            git_timeout_s: 120,
            stale_idle_days: 30,
            stale_done_days: 0,
            trash_age_days: 7,
            trash_size_mb: 0,
            objects_size_mb: 5,
            target: Some("trunk".to_owned()),
            theme: "light".to_owned(),
            keys: Vec::new(),
            hooks_timeout_s: 5,
            signing_timeout_s: 6,
            rehearsal_link: vec!["node_modules".to_owned(), "a/b".to_owned()],
            fold_patterns: vec!["*.snap".to_owned(), "docs/api/".to_owned()],
            fold_never: vec!["Cargo.lock".to_owned()],
        };
        assert_eq!(config, expected);
        assert_eq!(parse("git.timeout_s = 0x10", Config::default()).0.git_timeout_s, 16);
    }

    #[test]
    fn a_pattern_that_would_mean_something_else_is_refused() {
        assert_eq!(
            faults("fold.never = ['!a']"),
            ["1 fold.never: `!a`: only `*`, `**` and `?` stand for something"]
        );
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_costs_nothing_else() {
        let text = "# mine\ntheme = 'light'\nthem = 'x'\n\n[git]\ntime_out = 3\ntimeout_s = 7\n[other]\na = 1\n";
        let (config, _) = parse(text, Config::default());
        assert_eq!((config.theme.as_str(), config.git_timeout_s), ("light", 7));
        assert_eq!(
            faults(text),
            [
                "3 them: there is no such setting",
                "6 git.time_out: there is no such setting",
                "8 other: there is no such setting",
            ]
        );
    }

    #[test]
    fn keys_are_named_by_their_command_and_keep_their_line() {
        let text = "[keys]\nland.shadow = ['m', 'ctrl-g']\n\"move.down\" = 'j'\nquit.review = 3\n";
        let (config, _) = parse(text, Config::default());
        let found: Vec<_> =
            config.keys.iter().map(|k| (k.name.as_str(), k.keys.join(" "), k.line)).collect();
        assert!(found.contains(&("land.shadow", "m ctrl-g".to_owned(), 2)), "{found:?}");
        assert!(found.contains(&("move.down", "j".to_owned(), 3)), "{found:?}");
        assert_eq!(
            faults(text),
            ["4 keys.quit.review: it must be a list of keys, and this is a whole number"]
        );
    }

    #[test]
    fn a_wrong_type_or_value_keeps_the_default() {
        assert_eq!(
            faults("theme = 'neon'\ntarget = 'x'\n"),
            [
                "1 theme: there is no theme `neon`, only auto, dark, light, colour-blind, colour-blind-dark, colour-blind-light"
            ]
        );
        let text = "target = 3\ntheme = ''\nstale = 1\n[git]\ntimeout_s = 0\n";
        let (config, _) = parse(text, Config::default());
        assert_eq!(config, Config::default());
        assert_eq!(
            faults(text),
            [
                "1 target: it must be text, and this is a whole number",
                "2 theme: it is empty",
                "3 stale: this is a section: write its settings below it",
                "5 git.timeout_s: it must be a whole number from 1 to 86400",
            ]
        );
        assert_eq!(
            faults("[stale]\nidle_days = -1\ndone_days = 1.5"),
            [
                "2 stale.idle_days: it must be a whole number from 0 to 4294967295",
                "3 stale.done_days: it must be a whole number, and this is a number with a fraction",
            ]
        );
    }

    #[test]
    fn what_is_not_toml_is_reported_with_its_line() {
        let found = faults("theme = 'light'\n\ntarget = = 2\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("3 : this is not TOML ("), "{found:?}");
    }
}
