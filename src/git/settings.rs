//! Git's configuration as git itself reads it, with the scope of every value: who wrote it matters.

use std::{path::Path, time::Duration};

use super::command::Git;
use crate::report::Report;

/// Where a value comes from. Only the first two are the user's own; the others travel with the
/// repository or can be written by whoever works in a shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    System,
    Global,
    Local,
    Worktree,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub scope: Scope,
    /// Section and variable in lower case, subsection as written, as git lists it.
    pub key: String,
    /// `None` for a key without `=`, which means true.
    pub value: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(Vec<Setting>);

impl Settings {
    /// Reads what applies to `git_dir`; one process.
    pub fn read(git_dir: &Path, timeout: Duration) -> Result<Self, Report> {
        let output = Git::reading("config")
            .git_dir(git_dir)
            .dir(git_dir)
            .timeout(timeout)
            .args(["--null", "--list", "--show-scope"])
            .run()?;
        Ok(Self(parse_list(&output.stdout)))
    }

    pub fn all(&self) -> &[Setting] {
        &self.0
    }

    /// The value in force: the last one wins. A bare key reads as `true`.
    pub fn value(&self, key: &str) -> Option<&str> {
        let setting = self.0.iter().rev().find(|setting| setting.key == key)?;
        Some(setting.value.as_deref().unwrap_or("true"))
    }

    /// The user or their system sets it: nothing that lies in the repository.
    pub fn has_own(&self, key: &str) -> bool {
        let is_own = |setting: &Setting| matches!(setting.scope, Scope::System | Scope::Global);
        self.0.iter().any(|setting| setting.key == key && is_own(setting))
    }

    /// git's reading of a boolean.
    pub fn is_true(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| {
            matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
        })
    }

    /// How refs are kept where that is not in files. gix takes such a repository for one without refs.
    pub fn foreign_refs(&self) -> Option<String> {
        let format = self.value("extensions.refstorage")?;
        (!format.eq_ignore_ascii_case("files")).then(|| format.to_owned())
    }

    pub fn is_partial_clone(&self) -> bool {
        self.value("extensions.partialclone").is_some()
            || self.0.iter().any(|setting| {
                setting.key.starts_with("remote.") && setting.key.ends_with(".promisor")
            })
    }
}

/// `scope NUL key LF value NUL`, or `scope NUL key NUL` for a bare key. Values that this process
/// itself passes by `-c` have the scope `command` and are left out.
fn parse_list(bytes: &[u8]) -> Vec<Setting> {
    let mut fields = bytes.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut settings = Vec::new();
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        let scope = match scope.as_ref() {
            "system" => Scope::System,
            "global" => Scope::Global,
            "local" => Scope::Local,
            "worktree" => Scope::Worktree,
            _ => continue,
        };
        let (key, value) = match entry.split_once('\n') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (entry.into_owned(), None),
        };
        settings.push(Setting { scope, key, value });
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_with_scopes_bare_keys_and_newlines() {
        let bytes =
            b"global\0user.name\nAna\0local\0core.bare\0local\0x.y\na\nb\0command\0gc.auto\n0\0";
        let settings = Settings(parse_list(bytes));
        assert_eq!(settings.all().len(), 3);
        assert_eq!(settings.value("user.name"), Some("Ana"));
        assert!(settings.is_true("core.bare"));
        assert_eq!(settings.value("x.y"), Some("a\nb"));
    }
}
