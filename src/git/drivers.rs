//! Filters and merge drivers that the repository's own configuration defines: whoever works in a shadow
//! could have written them, so nothing lets one run whose definition the user has not trusted.

use std::collections::BTreeMap;

use super::{
    Repository,
    command::Git,
    fingerprint,
    settings::{Scope, Settings},
    worktrees::Worktree,
};
use crate::report::Report;

/// A filter or merge driver that the repository itself defines: an agent could have written it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driver {
    Filter(String),
    Merge(String),
}

impl Driver {
    /// As in the configuration: `filter.lfs`, `merge.ours`.
    pub fn name(&self) -> String {
        match self {
            Self::Filter(name) => format!("filter.{name}"),
            Self::Merge(name) => format!("merge.{name}.driver"),
        }
    }

    /// The keys that say what it runs.
    fn keys(&self) -> Vec<String> {
        match self {
            Self::Filter(name) => ["clean", "smudge", "process", "required"]
                .map(|part| format!("filter.{name}.{part}"))
                .to_vec(),
            Self::Merge(name) => vec![format!("merge.{name}.driver")],
        }
    }

    /// Makes it do nothing in this process. A merge driver cannot be taken away, only made to
    /// fail: its files then count as conflicts.
    pub fn silence(&self, git: Git) -> Git {
        let option = |key: &str, variable: &str| format!("--config-env={key}={variable}");
        match self {
            Self::Filter(name) => ["clean", "smudge", "process"]
                .into_iter()
                .fold(git, |git, part| {
                    git.global(option(&format!("filter.{name}.{part}"), "SHADOWDECK_NOTHING"))
                })
                .global(option(&format!("filter.{name}.required"), "SHADOWDECK_FALSE")),
            Self::Merge(name) => {
                git.global(option(&format!("merge.{name}.driver"), "SHADOWDECK_FALSE"))
            }
        }
        .env("SHADOWDECK_NOTHING", "")
        .env("SHADOWDECK_FALSE", "false")
    }
}

/// Those of the repository's own configuration, as it applies to this worktree, that must not run.
pub fn untrusted_drivers(
    repository: &Repository,
    worktree: &Worktree,
) -> Result<Vec<Driver>, Report> {
    let own_file = worktree.admin_dir.join("config.worktree").exists();
    let conditional = repository.settings.all().iter().any(|s| s.key.starts_with("includeif."));
    if own_file || conditional {
        return Ok(untrusted_in(
            repository,
            &Settings::read(&worktree.admin_dir, repository.timeout)?,
        ));
    }
    Ok(untrusted_in(repository, &repository.settings))
}

/// Those whose definition is not just the one that the user has trusted.
pub fn untrusted_in(repository: &Repository, settings: &Settings) -> Vec<Driver> {
    let trusted = repository.trusted_config();
    let own = fingerprint::own_values(settings);
    let is_trusted = |driver: &Driver| {
        driver.keys().iter().all(|key| own.get(key.as_str()) == trusted.get(key.as_str()))
    };
    drivers_in(settings).into_iter().filter(|driver| !is_trusted(driver)).collect()
}

/// Values of the repository's own configuration that are not just as the user has trusted them.
pub fn untrusted_values(repository: &Repository) -> BTreeMap<String, String> {
    let trusted = repository.trusted_config();
    let mut own = fingerprint::own_values(&repository.settings);
    own.retain(|key, value| trusted.get(key) != Some(value));
    own
}

/// Those that whoever works in a shadow could have defined.
fn drivers_in(settings: &Settings) -> Vec<Driver> {
    let mut drivers: Vec<Driver> = settings
        .all()
        .iter()
        .filter(|setting| matches!(setting.scope, Scope::Local | Scope::Worktree))
        .filter_map(|setting| {
            let (section, rest) = setting.key.split_once('.')?;
            let (name, variable) = rest.rsplit_once('.')?;
            match (section, variable) {
                ("filter", "clean" | "smudge" | "process" | "required") => {
                    Some(Driver::Filter(name.to_owned()))
                }
                ("merge", "driver") => Some(Driver::Merge(name.to_owned())),
                _ => None,
            }
        })
        .collect();
    drivers.sort();
    drivers.dedup();
    drivers
}
