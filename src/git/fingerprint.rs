//! The repository's own configuration and its hooks as they stand: what an agent could have changed and git would
//! run or follow. Reads only, and nothing that it reads is run.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use super::{
    hooks::Hooks,
    refs::Reading,
    settings::{Scope, Settings},
};
use crate::{
    report::{Doing, Report},
    review::Fingerprint,
};

/// Keys that start programs or redirect git, by their whole name.
const KEYS: &[&str] = &[
    "core.alternaterefscommand",
    "core.askpass",
    "core.attributesfile",
    "core.bare",
    "core.editor",
    "core.fsmonitor",
    "core.gitproxy",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "core.worktree",
    "interactive.difffilter",
    "sequence.editor",
];

/// The same by their section.
const SECTIONS: &[&str] =
    &["alias", "credential", "diff", "filter", "gpg", "hook", "include", "includeif", "pager"];

/// A hook directory holds a few files. One that holds more may be anything, the whole disk for one.
const FILES_MAX: usize = 512;
const DEPTH_MAX: usize = 6;
/// Larger ones count by size and time.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

pub fn read(settings: &Settings, hooks: &Hooks) -> Result<Fingerprint, Report> {
    let mut files = BTreeMap::new();
    for root in std::iter::once(hooks.dir.clone()).chain(hooks.called_dir()) {
        gather(&root, &root, DEPTH_MAX, &mut files)?;
    }
    let own = own_values(settings).into_iter();
    Ok(Fingerprint { config: own.filter(|(key, _)| is_watched(key)).collect(), hooks: files })
}

/// A short name for a state: two that differ never share one.
pub fn mark<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<String, Report> {
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Ok(hasher.try_finalize().reading("a mark")?.to_hex().to_string())
}

/// What whoever works in a shadow could have set, by key; several values of one key a line each.
pub(super) fn own_values(settings: &Settings) -> BTreeMap<String, String> {
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    for setting in settings.all() {
        if !matches!(setting.scope, Scope::Local | Scope::Worktree) {
            continue;
        }
        let value = setting.value.as_deref().unwrap_or("true");
        values
            .entry(setting.key.clone())
            .and_modify(|all| {
                all.push('\n');
                all.push_str(value);
            })
            .or_insert_with(|| value.to_owned());
    }
    values
}

fn is_watched(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or_default();
    KEYS.contains(&key)
        || SECTIONS.contains(&section)
        || (section == "merge" && key.ends_with(".driver"))
}

fn gather(
    root: &Path,
    dir: &Path,
    depth: usize,
    files: &mut BTreeMap<String, String>,
) -> Result<(), Report> {
    // No directory, no hooks: git sees it so too.
    let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if files.len() >= FILES_MAX {
            files.insert("…".to_owned(), format!("more than {FILES_MAX} files"));
            return Ok(());
        }
        let is_sample = path.extension().is_some_and(|extension| extension == "sample");
        let Ok(about) = path.metadata() else { continue };
        let is_link = path.is_symlink();
        if about.is_dir() && !is_link && depth > 0 {
            gather(root, &path, depth - 1, files)?;
        } else if about.is_file() && !is_sample {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            files.insert(name, mark_of(&path, &about)?);
        }
    }
    Ok(())
}

fn mark_of(path: &Path, about: &fs::Metadata) -> Result<String, Report> {
    let is_executable = about.mode() & 0o111 != 0;
    let mode = if is_executable { "x" } else { "-" };
    if about.len() > BYTES_MAX {
        return Ok(format!("{mode} {} {}", about.len(), about.mtime()));
    }
    let what = || format!("read the hook file {}", path.display());
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(path.file_name().unwrap_or_default().as_bytes());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes)).doing(what())?;
    hasher.update(&bytes);
    Ok(format!("{mode} {}", hasher.try_finalize().reading(what())?.to_hex()))
}
