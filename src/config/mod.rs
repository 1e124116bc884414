//! Settings of the user's own: defaults, then the user's file, then flags. Never read from a repository.

mod file;

use std::{io::ErrorKind, path::Path};

use crate::report::{Code, Report};

/// Every setting in force. Durations in the unit that the name ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub git_timeout_s: u64,
    /// No activity for so long makes a shadow stale.
    pub stale_idle_days: u32,
    /// A landed or empty shadow is stale after so long.
    pub stale_done_days: u32,
    /// The branch that shadows land on where nothing else is recorded.
    pub target: Option<String>,
    /// `auto`, or the name of a theme.
    pub theme: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            git_timeout_s: 30,
            stale_idle_days: 14,
            stale_done_days: 1,
            target: None,
            theme: "auto".to_owned(),
        }
    }
}

impl Config {
    /// The user's settings, and what is wrong with their file: faults to show, never a reason to stop,
    /// since whoever cannot read their shadows for a typo is not helped.
    pub fn load() -> (Self, Vec<Report>) {
        // Without a home directory there is no file to speak of.
        directories::ProjectDirs::from("", "", "shadowdeck")
            .map_or_else(|| (Self::default(), Vec::new()), |dirs| Self::read_dir(dirs.config_dir()))
    }

    /// As [`Self::load`], from `config.toml` in `dir`.
    pub fn read_dir(dir: &Path) -> (Self, Vec<Report>) {
        let path = dir.join("config.toml");
        let name = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let (config, faults) = file::parse(&text, Self::default());
                (config, faults.iter().map(|fault| fault.report(&name)).collect())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (Self::default(), Vec::new()),
            Err(error) => {
                let report = Report::environment(Code::Io, format!("could not read {name}"))
                    .caused_by(&error)
                    .hint("the defaults are in force; nothing else is affected");
                (Self::default(), vec![report])
            }
        }
    }
}
