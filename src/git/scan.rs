//! Has anything in a shadow changed since it was last read? Told from file times in this process, so that
//! an unchanged shadow costs no git process. When in doubt the answer is yes.

use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use gix::{
    bstr::{BStr, ByteSlice},
    glob::pattern::Case,
    ignore::{Search, search::Ignore},
};

use super::{
    Repository, agent_index::AgentIndex, control, private, refs::Reading, settings::Settings,
    snapshot::submodule_head, submodule_work, worktrees::Worktree,
};
use crate::report::{Code, Doing, Report};

/// Changes when a signature made by an older program must not be believed.
const FORMAT: &str = "3";

/// Clocks of file systems tick, some as slowly as this: a stamp so young may still stand for two contents.
const TICK_MAX: Duration = Duration::from_millis(100);

/// What one look at a shadow's directory gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Equal signatures: equal snapshot. `None` when something changed so recently that the next
    /// change might leave no trace.
    pub signature: Option<String>,
    /// The agent's index, the ignore rules and the filters that may run, as a name.
    pub origin: String,
    /// Configuration and attributes outside any tree, as a name: with others, git counts and merges otherwise.
    pub rules: String,
}

/// Stats every file that git would look at; opens none but the ignore files.
pub fn look(repository: &Repository, worktree: &Worktree) -> Result<Look, Report> {
    let started = SystemTime::now();
    let agents = AgentIndex::read(repository, worktree)?;
    let settings = &repository.settings;
    let mut walk = Walk {
        root: &worktree.path,
        search: Search::default(),
        case: case(repository),
        repository,
        agents: &agents,
        all: Digest::new(),
        origin: Digest::new(),
        rules: Digest::new(),
        newest_ns: 0,
    };
    walk.all.text(FORMAT);
    for setting in settings.all() {
        for text in [setting.key.as_str(), setting.value.as_deref().unwrap_or("\0")] {
            walk.all.text(text);
            walk.rules.text(text);
        }
    }
    // A filter that may run makes other trees of the same files.
    for (key, value) in repository.trusted_config() {
        for text in [&key, &value] {
            walk.all.text(text);
            walk.origin.text(text);
            walk.rules.text(text);
        }
    }
    walk.all.text(worktree.head.tip().map_or("", |tip| tip.as_str()));
    walk.all.text(worktree.head.branch().map_or("", |branch| &branch.0));
    walk.stamp_rules(repository, worktree)?;
    walk.directory(&worktree.path)?;
    let since_epoch = started.duration_since(UNIX_EPOCH).unwrap_or_default();
    let settled = i128::try_from(since_epoch.saturating_sub(TICK_MAX).as_nanos()).unwrap_or(0);
    let is_settled = walk.newest_ns < settled;
    Ok(Look {
        signature: if is_settled { Some(walk.all.end()?) } else { None },
        origin: walk.origin.end()?,
        rules: walk.rules.end()?,
    })
}

pub(super) fn case(repository: &Repository) -> Case {
    if repository.settings.is_true("core.ignorecase") { Case::Fold } else { Case::Sensitive }
}

/// The user's own ignore rules.
pub(super) fn excludes_file(settings: &Settings) -> Option<PathBuf> {
    configured(settings, "core.excludesfile", "ignore")
}

/// The file that the setting names, or the one of this name where git looks without it.
fn configured(settings: &Settings, key: &str, standard: &str) -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let config_dir = || {
        std::env::var_os("XDG_CONFIG_HOME")
            .filter(|dir| !dir.is_empty())
            .map(PathBuf::from)
            .or_else(|| home().map(|home| home.join(".config")))
    };
    match settings.value(key) {
        Some(value) => match value.strip_prefix("~/") {
            Some(rest) => home().map(|home| home.join(rest)),
            None => Some(PathBuf::from(value)),
        },
        None => config_dir().map(|dir| dir.join("git").join(standard)),
    }
}

struct Walk<'a> {
    repository: &'a Repository,
    root: &'a Path,
    search: Search,
    case: Case,
    agents: &'a AgentIndex,
    all: Digest,
    origin: Digest,
    rules: Digest,
    /// The newest change time seen. The kernel sets it at every write, and nothing can set it back.
    newest_ns: i128,
}

impl Walk<'_> {
    /// The files outside the worktree that decide what git sees in it.
    fn stamp_rules(&mut self, repository: &Repository, worktree: &Worktree) -> Result<(), Report> {
        let excludes = excludes_file(&repository.settings);
        let attributes = configured(&repository.settings, "core.attributesfile", "attributes");
        let info = repository.common_dir.join("info");
        let admin = &worktree.admin_dir;
        let files = [Some(admin.join("index")), excludes.clone(), Some(info.join("exclude"))];
        for file in files.into_iter().flatten() {
            let stamp = self.stamp(&file)?;
            self.origin.bytes(&stamp);
        }
        for file in [attributes, Some(info.join("attributes"))].into_iter().flatten() {
            let stamp = self.stamp(&file)?;
            self.rules.bytes(&stamp);
        }
        for name in ["info/sparse-checkout", "config.worktree"] {
            self.stamp(&admin.join(name))?;
        }
        self.all.text(super::snapshot::find_in_progress(admin).as_deref().unwrap_or_default());
        self.search = Search::from_git_dir(
            &repository.common_dir,
            excludes,
            &mut Vec::new(),
            Ignore::default(),
        )
        .doing("read the ignore rules")?;
        Ok(())
    }

    fn directory(&mut self, dir: &Path) -> Result<(), Report> {
        let what = || format!("read {}", dir.display());
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir).doing(what())? {
            entries.push(entry.doing(what())?.file_name());
        }
        entries.sort();
        for name in control::RULES.iter().filter(|rule| entries.iter().any(|name| name == *rule)) {
            control::refuse_special(&dir.join(name))?;
        }
        let rules = self.search.patterns.len();
        let ignore_file = dir.join(".gitignore");
        if entries.iter().any(|name| name == ".gitignore")
            && fs::symlink_metadata(&ignore_file).is_ok_and(|about| about.is_file())
        {
            let stamp = self.stamp(&ignore_file)?;
            self.origin.bytes(&stamp);
            let bytes = fs::read(&ignore_file).doing(format!("read {}", ignore_file.display()))?;
            self.search
                .add_patterns_buffer(&bytes, &ignore_file, Some(self.root), Ignore::default())
                .doing(format!("read {}", ignore_file.display()))?;
        }
        for name in entries {
            let path = dir.join(&name);
            if name == ".git" {
                continue;
            }
            let about = match fs::symlink_metadata(&path) {
                Ok(about) => about,
                // Gone while we looked: what follows differs from the next look either way.
                Err(error) if private::is_missing(&error) => continue,
                Err(error) => return Err(error).doing(format!("look at {}", path.display())),
            };
            if about.is_dir() {
                self.subdirectory(&path)?;
            } else {
                self.stamped(&path, &about);
            }
        }
        self.search.patterns.truncate(rules);
        Ok(())
    }

    fn subdirectory(&mut self, path: &Path) -> Result<(), Report> {
        let relative = path.strip_prefix(self.root).unwrap_or(path).as_os_str().as_bytes();
        let relative: &BStr = relative.as_bstr();
        let is_repository = path.join(".git").symlink_metadata().is_ok();
        if is_repository {
            let head = submodule_head(path).map(|head| head.to_string());
            self.all.bytes(relative);
            self.all.text(head.as_deref().unwrap_or("no commit"));
        }
        if self.agents.has_submodule(relative) && submodule_work::holds(self.repository, path) {
            self.all.text("uncommitted work");
        }
        let is_ignored = self
            .search
            .pattern_matching_relative_path(relative, Some(true), self.case)
            .is_some_and(|found| !found.pattern.is_negative());
        // git looks into neither, unless it tracks something there.
        if (is_repository || is_ignored) && !self.agents.tracks_below(relative) {
            return Ok(());
        }
        self.directory(path)
    }

    /// Of a file that may be missing.
    fn stamp(&mut self, file: &Path) -> Result<Vec<u8>, Report> {
        match fs::symlink_metadata(file) {
            Ok(about) => Ok(self.stamped(file, &about)),
            Err(error) if private::is_missing(&error) || is_no_directory(&error) => {
                self.all.bytes(b"missing");
                Ok(b"missing".to_vec())
            }
            Err(error) => Err(error).doing(format!("look at {}", file.display())),
        }
    }

    fn stamped(&mut self, path: &Path, about: &fs::Metadata) -> Vec<u8> {
        let mut stamp = path.as_os_str().as_bytes().to_vec();
        stamp.push(0);
        for number in [
            u64::from(about.mode()),
            about.size(),
            about.ino(),
            about.mtime().cast_unsigned(),
            about.mtime_nsec().cast_unsigned(),
            about.ctime().cast_unsigned(),
            about.ctime_nsec().cast_unsigned(),
        ] {
            stamp.extend_from_slice(&number.to_le_bytes());
        }
        let changed = i128::from(about.ctime()) * 1_000_000_000 + i128::from(about.ctime_nsec());
        self.newest_ns = self.newest_ns.max(changed);
        self.all.bytes(&stamp);
        stamp
    }
}

fn is_no_directory(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotADirectory
}

/// Collects what a signature is made of; each piece with its length, so that none runs into the next.
struct Digest(gix::hash::Hasher);

impl Digest {
    fn new() -> Self {
        Self(gix::hash::hasher(gix::hash::Kind::Sha1))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&bytes.len().to_le_bytes());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn end(self) -> Result<String, Report> {
        let id = self.0.try_finalize().reading("a signature");
        id.map(|id| id.to_hex().to_string()).map_err(|report| Report { code: Code::Io, ..report })
    }
}
