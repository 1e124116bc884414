//! Settings of the user's own: defaults, then the user's file, then flags. Never read from a repository.

mod file;
mod listing;

use std::{
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

pub use listing::{Listed, Origin, Setting, default_file};

use crate::report::{Code, Doing, Report};

const FILE: &str = "config.toml";

fn dir() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "shadowdeck").map(|dirs| dirs.config_dir().to_owned())
}

/// What `theme` may be: `auto` and `colour-blind` ask the terminal for its ground, the others are for just one.
pub const THEMES: [&str; 6] =
    ["auto", "dark", "light", "colour-blind", "colour-blind-dark", "colour-blind-light"];

/// Every setting in force. Durations in the unit that the name ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub git_timeout_s: u64,
    /// No activity for so long makes a shadow stale.
    pub stale_idle_days: u32,
    /// A landed or empty shadow is stale after so long.
    pub stale_done_days: u32,
    /// What was put into the trash longer ago is emptied by `gc`.
    pub trash_age_days: u32,
    /// Over this, `gc` empties the oldest of the trash.
    pub trash_size_mb: u64,
    /// Over this, `gc` makes the private object store anew.
    pub objects_size_mb: u64,
    /// The branch that shadows land on where nothing else is recorded.
    pub target: Option<String>,
    /// One of [`THEMES`].
    pub theme: String,
    /// How long one hook of the user's may take.
    pub hooks_timeout_s: u64,
    /// How long signing one commit may take, a passphrase typed included.
    pub signing_timeout_s: u64,
    /// Ignored directories of the main worktree that are lent to hooks, as `node_modules`.
    pub rehearsal_link: Vec<String>,
    /// Files that a review folds besides those it folds by itself.
    pub fold_patterns: Vec<String>,
    /// Files that it never folds.
    pub fold_never: Vec<String>,
    /// The cockpit's keys, where they are not the usual ones. What the names mean is not known here.
    pub keys: Vec<KeySetting>,
}

/// One line of `[keys]`: a command's name and every way to press it. None at all takes its keys away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    pub name: String,
    pub keys: Vec<String>,
    /// Where it stands: a file for people, and its line from 1.
    pub file: String,
    pub line: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            git_timeout_s: 30,
            stale_idle_days: 14,
            stale_done_days: 1,
            trash_age_days: 30,
            trash_size_mb: 10_240,
            objects_size_mb: 2_048,
            target: None,
            theme: "auto".to_owned(),
            hooks_timeout_s: 600,
            signing_timeout_s: 20,
            rehearsal_link: Vec::new(),
            fold_patterns: Vec::new(),
            fold_never: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl Config {
    /// The user's settings, and what is wrong with their file: faults to show, never a reason to stop,
    /// since whoever cannot read their shadows for a typo is not helped.
    pub fn load() -> (Self, Vec<Report>) {
        // Without a home directory there is no file to speak of.
        dir().map_or_else(|| (Self::default(), Vec::new()), |dir| Self::read_dir(&dir))
    }

    /// The user's file, whether it is there or not; `None` without a home directory.
    pub fn path() -> Option<PathBuf> {
        dir().map(|dir| dir.join(FILE))
    }

    /// The user's file, made where it is missing: every setting is in it as a comment, with its default.
    pub fn make_file() -> Result<PathBuf, Report> {
        let Some(dir) = dir() else {
            return Err(Report::environment(
                Code::Io,
                "there is no home directory to keep settings in",
            )
            .hint("set HOME; until then the defaults are in force"));
        };
        let path = dir.join(FILE);
        let doing = || format!("make {}", path.display());
        std::fs::create_dir_all(&dir).doing(doing())?;
        match std::fs::File::create_new(&path) {
            Ok(mut file) => file.write_all(default_file().as_bytes()).doing(doing())?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).doing(doing()),
        }
        Ok(path)
    }

    /// Every setting with its value in force and where that comes from. A file that cannot be read sets nothing.
    pub fn list() -> Vec<Listed> {
        let text = Self::path().and_then(|path| read_text(&path).ok());
        listing::list(&text.unwrap_or_default())
    }

    /// As [`Self::load`], from `config.toml` in `dir`.
    pub fn read_dir(dir: &Path) -> (Self, Vec<Report>) {
        let path = dir.join(FILE);
        let name = path.display().to_string();
        match read_text(&path) {
            Ok(text) => {
                let (mut config, faults) = file::parse(&text, Self::default());
                for setting in &mut config.keys {
                    setting.file.clone_from(&name);
                }
                (config, faults.iter().map(|fault| fault.report(&name)).collect())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (Self::default(), Vec::new()),
            Err(error) => {
                let report = Report::environment(Code::Io, format!("could not read {name}"))
                    .caused_by(&error)
                    .safe("the defaults are in force, and nothing else is affected")
                    .hint("make that file readable as UTF-8 text, or remove it");
                (Self::default(), vec![report])
            }
        }
    }
}

/// Of a regular file only: no pipe or device holds the start up.
fn read_text(path: &Path) -> std::io::Result<String> {
    const BYTES_MAX: u64 = 1 << 20;
    let about = std::fs::metadata(path)?;
    if !about.is_file() || about.len() > BYTES_MAX {
        let why = "it is no regular file of at most 1 MB";
        return Err(std::io::Error::new(ErrorKind::InvalidData, why));
    }
    std::fs::read_to_string(path)
}
