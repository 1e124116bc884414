//! The gate: git itself is asked whether this repository may be touched, before gix opens it.
//! gix would open what git refuses (another owner, unknown extensions) and misread a reftable one.

use std::{
    collections::BTreeMap,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    sync::{OnceLock, PoisonError, RwLock},
    time::Duration,
};

use super::{command::Git, control, looking::Looking, settings::Settings};
use crate::{
    report::{Blame, Code, Report},
    shadow::Oid,
};

/// Below 2.41 `merge-tree --stdin` and `--attr-source` are missing.
const GIT_VERSION_MIN: (u32, u32) = (2, 41);
/// Below 2.45 a lazy fetch cannot be forbidden.
const GIT_VERSION_MIN_PARTIAL: (u32, u32) = (2, 45);

/// A repository that git accepts, seen from one directory. Cheap to clone by reference only:
/// one is opened a run, and shared.
pub struct Repository {
    /// The directory that all worktrees share (`.git`, or the bare repository), absolute.
    pub common_dir: PathBuf,
    /// The git directory of the worktree that the program was started in.
    pub start_git_dir: PathBuf,
    /// Absolute, links resolved.
    pub start_dir: PathBuf,
    /// Every configured value with its scope, read once.
    pub settings: Settings,
    /// How long any one git process may take.
    pub timeout: Duration,
    /// How its refs are kept where that is not in files (`reftable`): only git itself reads them, and nothing of
    /// ours writes there.
    pub foreign_refs: Option<String>,
    shared: gix::ThreadSafeRepository,
    looking: OnceLock<Looking>,
    trusted: RwLock<BTreeMap<String, String>>,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("common_dir", &self.common_dir).finish_non_exhaustive()
    }
}

impl Repository {
    /// Opens the repository around `dir`, or says why git will not have it. No git process of it takes longer than
    /// `timeout`.
    pub fn open(dir: &Path, timeout: Duration) -> Result<Self, Report> {
        let start_dir = dir.canonicalize().map_err(|error| {
            Report::user(Code::NotARepository, format!("{} cannot be opened", dir.display()))
                .caused_by(&error)
        })?;
        control::refuse_special_around(&start_dir)?;
        let version = read_git_version(timeout)?;
        refuse_older(version, GIT_VERSION_MIN, "shadowdeck")?;
        let (common_dir, start_git_dir) = ask_git(&start_dir, timeout)?;
        let settings = Settings::read(&common_dir, timeout)?;
        if settings.is_partial_clone() {
            refuse_older(version, GIT_VERSION_MIN_PARTIAL, "a partial clone")?;
        }
        let foreign_refs = settings.foreign_refs();
        let shared = open_with_gix(&common_dir)?;
        Ok(Self {
            common_dir,
            start_git_dir,
            start_dir,
            settings,
            timeout,
            foreign_refs,
            shared,
            looking: OnceLock::new(),
            trusted: RwLock::default(),
        })
    }

    /// A handle of this thread's own, for reading in process.
    pub fn local(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// Where everything that this program keeps for the repository lives.
    pub fn private_dir(&self) -> PathBuf {
        self.common_dir.join("shadowdeck")
    }

    /// Where looking keeps its indexes, objects and caches: the private directory, or a temporary
    /// one where that cannot be written.
    pub fn looking_dir(&self) -> &Path {
        self.looking.get_or_init(|| Looking::beside(self.private_dir())).dir()
    }

    /// The private object store: predictions, snapshots and plans go here, and nothing in it is ever
    /// named by a ref. It has the repository's own objects as alternate.
    pub fn private_objects(&self) -> PathBuf {
        self.looking_dir().join("objects")
    }

    /// A reading process on the shared repository, of no worktree. It reads only the repository's own objects.
    pub fn reading(&self, subcommand: &'static str) -> Git {
        Git::reading(subcommand)
            .git_dir(&self.common_dir)
            .dir(&self.common_dir)
            .timeout(self.timeout)
    }

    /// As [`Self::reading`], but new objects go to the private store and are found there.
    pub fn planning(&self, subcommand: &'static str) -> Git {
        self.reading(subcommand)
            .config(super::private::QUICK)
            .env("GIT_OBJECT_DIRECTORY", self.private_objects())
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", self.alternates())
    }

    /// The repository's own objects, as git wants to be told of a store beside another.
    pub(super) fn alternates(&self) -> std::ffi::OsString {
        std::ffi::OsString::from_vec(quoted_alternate(&self.common_dir.join("objects")))
    }

    /// From now on, filters and merge drivers that are defined by just these values of the repository's own
    /// configuration may run, as the user's own may.
    pub fn trust_config(&self, config: BTreeMap<String, String>) {
        *self.trusted.write().unwrap_or_else(PoisonError::into_inner) = config;
    }

    /// Values by key, as they were trusted.
    pub(super) fn trusted_config(&self) -> BTreeMap<String, String> {
        self.trusted.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The private store, as one beside the repository's own objects.
    pub(super) fn private_alternate(&self) -> std::ffi::OsString {
        std::ffi::OsString::from_vec(quoted_alternate(&self.private_objects()))
    }

    /// Why nothing may be written in this repository, if so.
    pub fn find_refusal_to_write(&self) -> Option<Report> {
        let format = self.foreign_refs.as_ref()?;
        let headline = format!(
            "{} keeps its refs as {format} (extensions.refstorage), which shadowdeck reads but does not write yet",
            self.common_dir.display()
        );
        Some(
            Report::environment(Code::UnsupportedRepository, headline)
                .unchanged()
                .hint("`git refs migrate --ref-format=files` converts it; linked worktrees must be removed first")
                .detail("extension", "extensions.refstorage"),
        )
    }

    pub fn null_oid(&self) -> Oid {
        let length = self.local().object_hash().len_in_hex();
        Oid::parse(&"0".repeat(length)).expect("zeros are hex")
    }
}

fn read_git_version(timeout: Duration) -> Result<(u32, u32), Report> {
    let text = Git::reading("version").timeout(timeout).run()?.text();
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .filter_map(|number| number.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) => Ok((major, minor)),
        _ => Err(Report::environment(Code::UnsupportedGit, format!("`git version` says `{text}`"))),
    }
}

fn refuse_older(found: (u32, u32), min: (u32, u32), what: &str) -> Result<(), Report> {
    if found >= min {
        return Ok(());
    }
    let headline = format!(
        "{what} needs git {}.{} or newer, and this is {}.{}",
        min.0, min.1, found.0, found.1
    );
    Err(Report::environment(Code::UnsupportedGit, headline)
        .hint("install a newer git, or put it first on the PATH")
        .detail("found", format!("{}.{}", found.0, found.1))
        .detail("needed", format!("{}.{}", min.0, min.1)))
}

/// The common directory and the start's own git directory, both absolute.
fn ask_git(start_dir: &Path, timeout: Duration) -> Result<(PathBuf, PathBuf), Report> {
    const QUESTIONS: [&str; 2] = ["--git-common-dir", "--absolute-git-dir"];
    let ask = |questions: &[&str]| {
        let output = Git::reading("rev-parse")
            .dir(start_dir)
            .arg("--path-format=absolute")
            .args(questions)
            .timeout(timeout)
            .run_any()?;
        if output.exit_code == 0 {
            return Ok(output.stdout);
        }
        Err(explain_refusal(start_dir, &String::from_utf8_lossy(&output.stderr)))
    };
    let both = ask(&QUESTIONS)?;
    let mut lines = both.split_inclusive(|byte| *byte == b'\n');
    if let (Some(common), Some(own), None) = (lines.next(), lines.next(), lines.next()) {
        return Ok((answered_dir(common), answered_dir(own)));
    }
    // A name in the path holds a newline: each question gets an answer of its own.
    Ok((answered_dir(&ask(&QUESTIONS[..1])?), answered_dir(&ask(&QUESTIONS[1..])?)))
}

/// A path as git prints it: the last newline is git's, all others are in the path.
fn answered_dir(answer: &[u8]) -> PathBuf {
    let bytes = answer.strip_suffix(b"\n").unwrap_or(answer);
    let path = PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec()));
    path.canonicalize().unwrap_or(path)
}

/// A directory as `GIT_ALTERNATE_OBJECT_DIRECTORIES` and `info/alternates` take it: quoted as in C where it could be
/// read as several, or as a comment.
pub(super) fn quoted_alternate(dir: &Path) -> Vec<u8> {
    let bytes = dir.as_os_str().as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b':' | b'"' | b'\n' | b'\\')) {
        return bytes.to_vec();
    }
    let mut quoted = vec![b'"'];
    for byte in bytes {
        match byte {
            b'\n' => quoted.extend_from_slice(b"\\n"),
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}

fn explain_refusal(start_dir: &Path, words: &str) -> Report {
    let first = words.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned();
    let at = start_dir.display();
    let refused = |hint: &str| {
        let all =
            words.trim_start_matches("fatal: ").split_whitespace().collect::<Vec<_>>().join(" ");
        Report::environment(
            Code::UnsupportedRepository,
            format!("git refuses the repository at {at}: {first}"),
        )
        .cause(all)
        .hint(hint)
    };
    if words.contains("dubious ownership") {
        refused(
            "it belongs to another user; if you trust it, add it to `safe.directory` in your own git config",
        )
    } else if words.contains("extension")
        || words.contains("repository version")
        || words.contains("repo version")
    {
        refused("a newer git may know this repository format")
    } else if words.contains("not a git repository") {
        Report::user(Code::NotARepository, format!("{at} is not in a git repository"))
            .cause(first)
            .hint("run it inside a repository, or name one with -C DIR")
    } else {
        Report::environment(
            Code::UnsupportedRepository,
            format!("git cannot use the repository at {at}"),
        )
        .cause(words.trim().to_owned())
        .hint("`git status` there says the same; mend that first")
    }
}

/// Every landing adds a pack, by this process or by others while it waits for them or is open: gix finds no object in
/// one for which it has no room.
pub(super) fn object_store_slots() -> gix::odb::store::init::Slots {
    gix::odb::store::init::Slots::AsNeededByDiskState { multiplier: 2.0, minimum: 2048 }
}

/// Objects are read as they are stored, as the git that we start reads them, never as `git replace` has them.
pub(super) fn as_stored(options: gix::open::Options) -> gix::open::Options {
    options.config_overrides(["core.useReplaceRefs=false"])
}

fn open_with_gix(common_dir: &Path) -> Result<gix::ThreadSafeRepository, Report> {
    // git has judged owner and format; the environment may not move gix elsewhere.
    let mut permissions = gix::open::Permissions::all();
    permissions.env.git_prefix = gix::sec::Permission::Deny;
    permissions.env.objects = gix::sec::Permission::Deny;
    as_stored(gix::open::Options::default())
        .permissions(permissions)
        .with(gix::sec::Trust::Full)
        .open_path_as_is(true)
        .object_store_slots(object_store_slots())
        .open(common_dir)
        .map_err(|error| {
            Report::new(
                Code::UnsupportedRepository,
                Blame::Environment,
                format!("git accepts {}, but it cannot be read in process", common_dir.display()),
            )
            .cause(error.to_string())
        })
}
