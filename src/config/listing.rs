//! Every setting by name: what it is for, its value, where that comes from. Pure.
//! The one list that `config`, its default file and the tests read.

use serde_json::{Value, json};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Config, file};

/// A setting as it can be set.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// With its section: `trash.age_days`.
    pub key: &'static str,
    /// One sentence without a full stop.
    pub what: &'static str,
    value: fn(&Config) -> Value,
}

impl Setting {
    /// `null` where nothing is set.
    pub fn value(&self, config: &Config) -> Value {
        (self.value)(config)
    }
}

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        key: "target",
        what: "the branch that shadows land on where nothing else is recorded",
        value: |config| json!(config.target),
    },
    Setting {
        key: "theme",
        what: "`dark` or `light`; `auto` asks the terminal; `colour-blind` too, in blue and orange, or `colour-blind-dark`, `colour-blind-light`",
        value: |config| json!(config.theme),
    },
    Setting {
        key: "fold.patterns",
        what: "files that a review folds besides those it folds by itself, as `*.snap` or `docs/api/`",
        value: |config| json!(config.fold_patterns),
    },
    Setting {
        key: "fold.never",
        what: "files that a review never folds, as `Cargo.lock`",
        value: |config| json!(config.fold_never),
    },
    Setting {
        key: "git.timeout_s",
        what: "how many seconds one git process may take",
        value: |config| json!(config.git_timeout_s),
    },
    Setting {
        key: "hooks.timeout_s",
        what: "how many seconds one hook of yours may take",
        value: |config| json!(config.hooks_timeout_s),
    },
    Setting {
        key: "rehearsal.link",
        what: "ignored directories of the main worktree that are lent to hooks, as `node_modules`",
        value: |config| json!(config.rehearsal_link),
    },
    Setting {
        key: "signing.timeout_s",
        what: "how many seconds signing one commit may take, a passphrase typed included",
        value: |config| json!(config.signing_timeout_s),
    },
    Setting {
        key: "stale.idle_days",
        what: "a shadow without activity for so many days is stale",
        value: |config| json!(config.stale_idle_days),
    },
    Setting {
        key: "stale.done_days",
        what: "a landed or empty shadow is stale after so many days",
        value: |config| json!(config.stale_done_days),
    },
    Setting {
        key: "trash.age_days",
        what: "what was put into the trash longer ago is emptied by `gc`",
        value: |config| json!(config.trash_age_days),
    },
    Setting {
        key: "trash.size_mb",
        what: "over so many megabytes `gc` empties the oldest of the trash",
        value: |config| json!(config.trash_size_mb),
    },
    Setting {
        key: "objects.size_mb",
        what: "over so many megabytes `gc` makes the private object store anew",
        value: |config| json!(config.objects_size_mb),
    },
];

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// The user's file, on this line (counted from 1).
    File {
        line: usize,
    },
}

/// A setting as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// With its section. A key of the cockpit is `keys.` and its command's name.
    pub key: String,
    pub what: &'static str,
    pub value: Value,
    pub origin: Origin,
}

/// Every setting with its value in force, and the cockpit's keys that the file sets.
pub(super) fn list(text: &str) -> Vec<Listed> {
    let (config, faults) = file::parse(text, Config::default());
    let written = lines_of_keys(text);
    let settings = SETTINGS.iter().map(|setting| {
        let line = written.iter().find(|(key, _)| key == setting.key).map(|(_, line)| *line);
        let is_faulty = faults.iter().any(|fault| fault.key == setting.key);
        let origin = match line {
            Some(line) if !is_faulty => Origin::File { line },
            _ => Origin::Default,
        };
        let (key, value) = (setting.key.to_owned(), setting.value(&config));
        Listed { key, what: setting.what, value, origin }
    });
    let keys = config.keys.iter().map(|set| Listed {
        key: format!("keys.{}", set.name),
        what: "how this command of the cockpit is pressed",
        value: json!(set.keys),
        origin: Origin::File { line: set.line },
    });
    settings.chain(keys).collect()
}

/// Each key that the file sets, with its line.
fn lines_of_keys(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    // What is not TOML sets nothing; its fault is reported by whoever reads the settings.
    if let Ok(table) = DeTable::parse(text) {
        collect("", table.get_ref(), text, &mut found);
    }
    found
}

fn collect(prefix: &str, table: &DeTable<'_>, text: &str, found: &mut Vec<(String, usize)>) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        match Spanned::get_ref(value) {
            DeValue::Table(inner) => collect(&format!("{key}."), inner, text, found),
            _ => found.push((key, file::line_of(text, name.span().start))),
        }
    }
}

/// A file that sets nothing: every setting as a comment, with its default.
pub fn default_file() -> String {
    let config = Config::default();
    let mut text =
        String::from("# Settings of shadowdeck. What is not set keeps its default, shown here.\n");
    let mut section = "";
    for setting in SETTINGS {
        let (of, name) = setting.key.rsplit_once('.').unwrap_or(("", setting.key));
        if of != section {
            text.extend(["\n[", of, "]\n"]);
            section = of;
        }
        let value = match setting.value(&config) {
            Value::Null => "\"\"".to_owned(),
            value => value.to_string(),
        };
        text.push_str(&format!("# {}\n# {name} = {value}\n", setting.what));
    }
    text.push_str(
        "\n[keys]\n# how commands of the cockpit are pressed, by the names that its help shows\n\
         # move.down = [\"j\", \"down\"]\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_listed_with_its_line() {
        let text =
            "theme = 'light'\n[trash]\nage_days = 3\nsize_mb = 'many'\n[keys]\nmove.down = 'n'\n";
        let listed = list(text);
        let find = |key: &str| {
            let found = listed.iter().find(|listed| listed.key == key).unwrap();
            (found.value.clone(), found.origin)
        };
        assert_eq!(find("theme"), (json!("light"), Origin::File { line: 1 }));
        assert_eq!(find("trash.age_days"), (json!(3), Origin::File { line: 3 }));
        assert_eq!(find("trash.size_mb").1, Origin::Default, "a faulty line sets nothing");
        assert_eq!(find("target"), (Value::Null, Origin::Default));
        assert_eq!(find("keys.move.down"), (json!(["n"]), Origin::File { line: 6 }));
    }

    #[test]
    fn the_default_file_holds_every_setting_and_changes_none() {
        let text = default_file();
        assert_eq!(file::parse(&text, Config::default()), (Config::default(), Vec::new()));
        let set: String = text
            .lines()
            .filter(|line| !line.contains("target") && !line.contains("move.down"))
            .fold(String::new(), |set, line| {
                let is_setting = line.starts_with("# ") && line.contains(" = ");
                set + if is_setting { &line[2..] } else { line } + "\n"
            });
        let (config, faults) = file::parse(&set, Config::default());
        assert_eq!((config, faults), (Config::default(), Vec::new()), "{set}");
    }
}
