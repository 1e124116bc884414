//! A new shadow by the default convention: a branch `aide-shadow/<id>` and a worktree in `.aide/worktrees/<id>`.
//! Nothing that exists is ever reused or replaced, and no hook runs.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use super::{Deck, carried, moves, places, recover, target, trust};
use crate::{
    git::{
        command::Git,
        drivers::{self, Driver},
        migrate,
        pins::{self, Pin},
        settings::Settings,
        settle, shadow_worktree, snapshot,
        worktrees::{self, Head, Worktree, Worktrees},
        writer::{Writer, parse_oid},
    },
    report::{Code, Doing, Report},
    shadow::{BranchName, Oid, OperationId, ShadowId, ShadowRecord, State, words},
    store::{Fate, JournalEntry, Phase, ShadowEntry, Verb, journal::now_ms, lock::WAIT_MAX, trash},
};

const BRANCH_PREFIX: &str = "aide-shadow/";
pub(super) const DIR: &str = ".aide/worktrees";
const ID_CHARS_MAX: usize = 64;
/// Two words of a few dozen each: a free name is found at once unless nearly all are taken.
const GENERATED_TRIES_MAX: u32 = 64;

/// What the person asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateOptions {
    /// Two friendly words where absent.
    pub id: Option<String>,
    /// The user's HEAD where absent.
    pub base: Option<String>,
    pub target: Option<BranchName>,
    /// Leave the user's uncommitted work out.
    pub clean: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    pub operation: OperationId,
    pub id: ShadowId,
    pub branch: BranchName,
    pub path: PathBuf,
    pub warnings: Vec<String>,
}

pub fn create(deck: &Deck, options: &CreateOptions) -> Result<Created, Report> {
    if let Some(id) = &options.id {
        refuse_invalid_id(id)?;
    }
    let lock = deck.store.lock("create", WAIT_MAX)?;
    recover::recover_unless_inside(deck, &lock)?;
    let worktrees = worktrees::read(&deck.repository)?;
    if let Some(target) = &options.target {
        target::find_tip(deck, Some(target))?;
    }
    let draft = Draft::choose(deck, &worktrees, options)?;
    let share = || lock.share();
    let writer = Writer::new(&share, deck.git_timeout());
    let (base, mut warnings) = choose_base(deck, &worktrees, options)?;
    let operation = deck.store.journal().next_operation()?;
    let base_pin = Pin::new("base", base.clone());
    migrate::migrate(&deck.repository, &writer, std::slice::from_ref(&base))?;
    pins::write(&deck.repository, &writer, operation, std::slice::from_ref(&base_pin))?;
    let record = draft.record(&worktrees, &base, options);
    let mut entry = JournalEntry::begin(operation, Verb::Create);
    entry.pins = vec![base_pin.full_name(operation)];
    entry.shadows = vec![ShadowEntry {
        id: draft.id.clone(),
        path: draft.path.clone(),
        git_dir: draft.git_dir.clone(),
        branch: Some(draft.branch.clone()),
        tip: base,
        snapshot: None,
        fate: Fate::Made,
        trash: deck.store.trash().place(operation, &draft.id),
        record: Some(record),
        record_after: None,
        cleared: Vec::new(),
        modes: Vec::new(),
    }];
    deck.store.journal().write(&entry)?;
    entry.phase = Phase::Prepared;
    entry.prepared_ms = Some(now_ms());
    deck.store.journal().write(&entry)?;
    exclude(deck, &draft)?;
    match add_worktree(deck, &writer, &entry.shadows[0]) {
        Ok(told) => warnings.extend(told),
        Err(report) => {
            let settled = settle(deck, &writer, &mut entry);
            return Err(match settled {
                Ok(words) => report.cause(words),
                Err(unsettled) => report.cause(unsettled.headline),
            });
        }
    }
    finish(deck, &mut entry)?;
    warnings.append(&mut entry.warnings);
    Ok(Created { operation, id: draft.id, branch: draft.branch, path: draft.path, warnings })
}

fn refuse_invalid_id(id: &str) -> Result<(), Report> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    // A name that begins with a hyphen would be taken for an option by whatever it is handed to.
    let is_option = id.starts_with('-');
    if (1..=ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(allowed) && !is_option {
        return Ok(());
    }
    Err(Report::user(
        Code::InvalidId,
        format!(
            "`{}` is no id: an id has 1 to 64 characters, each a letter from a to z, a digit or a hyphen, the first no hyphen",
            id.escape_debug()
        ),
    )
    .safe("nothing was made")
    .hint("name it like `fix-login`, or leave --id out"))
}

/// The names of what is to be made.
struct Draft {
    id: ShadowId,
    branch: BranchName,
    path: PathBuf,
    git_dir: PathBuf,
}

impl Draft {
    fn choose(deck: &Deck, worktrees: &Worktrees, options: &CreateOptions) -> Result<Self, Report> {
        if let Some(id) = &options.id {
            let draft = Self::named(deck, worktrees, id)?;
            draft.refuse_taken(deck)?;
            return Ok(draft);
        }
        let mut last = None;
        for _ in 0..GENERATED_TRIES_MAX {
            let id = words::two_words(ulid::Ulid::generate().random());
            let draft = Self::named(deck, worktrees, &id)?;
            match draft.refuse_taken(deck) {
                Ok(()) => return Ok(draft),
                Err(report) => last = Some(report),
            }
        }
        Err(last
            .unwrap_or_else(|| Report::user(Code::AlreadyExists, "no name is free"))
            .hint("name it yourself with --id"))
    }

    fn named(deck: &Deck, worktrees: &Worktrees, id: &str) -> Result<Self, Report> {
        let common = &deck.repository.common_dir;
        let workspace = worktrees.main.path.clone().or_else(|| common.parent().map(Path::to_owned));
        let Some(workspace) = workspace else {
            return Err(Report::environment(Code::Io, "the repository has no directory around it"));
        };
        Ok(Self {
            id: ShadowId(id.to_owned()),
            branch: BranchName(format!("{BRANCH_PREFIX}{id}")),
            path: workspace.join(DIR).join(id),
            git_dir: common.join("worktrees").join(id),
        })
    }

    fn refuse_taken(&self, deck: &Deck) -> Result<(), Report> {
        let taken = |what: String| {
            Err(Report::user(Code::AlreadyExists, format!("{what} exists already"))
                .safe("nothing was made or changed")
                .hint("choose another --id"))
        };
        let above = BranchName(BRANCH_PREFIX.trim_end_matches('/').to_owned());
        for branch in [&self.branch, &above] {
            if settle::read_tip(&deck.repository, branch)?.is_some() {
                return taken(format!("branch {branch}"));
            }
        }
        for path in [&self.path, &self.git_dir] {
            if path.symlink_metadata().is_ok() {
                return taken(path.display().to_string());
            }
        }
        let dir = self.path.parent().unwrap_or(&self.path);
        for above in dir.ancestors().take(2) {
            if above.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir()) {
                return Err(Report::user(
                    Code::InvalidPath,
                    format!("{} is no directory of its own", above.display()),
                )
                .cause("a link there could lead out of the workspace")
                .safe("nothing was made")
                .hint("move it away; a directory is made in its place"));
            }
        }
        Ok(())
    }

    fn record(&self, worktrees: &Worktrees, base: &Oid, options: &CreateOptions) -> ShadowRecord {
        let original_branch = worktrees.main.head.branch().cloned();
        ShadowRecord {
            ulid: ulid::Ulid::generate(),
            id: self.id.clone(),
            path: self.path.clone(),
            original_path: worktrees.main.path.clone(),
            branch: Some(self.branch.clone()),
            target: options.target.clone().or_else(|| original_branch.clone()),
            original_branch,
            base_commit: Some(base.clone()),
            convention: "shadow".to_owned(),
            agent: None,
            plan: None,
            strategy: None,
            created_at_ms: now_ms(),
            state: State::Created,
            requested: None,
            last_error: None,
        }
    }
}

/// The named base, or the user's HEAD with the uncommitted work on top. Index and files are only read.
fn choose_base(
    deck: &Deck,
    worktrees: &Worktrees,
    options: &CreateOptions,
) -> Result<(Oid, Vec<String>), Report> {
    let revision = options.base.as_deref().unwrap_or("HEAD");
    let found = Git::reading("rev-parse")
        .timeout(deck.git_timeout())
        .git_dir(&deck.repository.start_git_dir)
        .dir(&deck.repository.common_dir)
        .args(["--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
        .run_any()?;
    let Some(base) = Oid::parse(found.text().trim()) else {
        super::ground::refuse_unborn(deck, &worktrees.main)?;
        let code = if options.base.is_some() { Code::NotFound } else { Code::UnbornHead };
        return Err(Report::user(code, format!("`{}` names no commit", revision.escape_debug()))
            .safe("nothing was made")
            .hint("name a branch, a tag or a commit with --base"));
    };
    if options.clean || options.base.is_some() {
        return Ok((base, Vec::new()));
    }
    let Some(workspace) = workspace(deck, worktrees) else { return Ok((base, Vec::new())) };
    let snapshot = snapshot::read(&deck.repository, &workspace)?;
    if snapshot.tree == crate::git::refs::tree_of(&deck.repository, &base)? {
        return Ok((base, Vec::new()));
    }
    crate::git::conditions::refuse_without_identity(&deck.repository)?;
    let made = deck
        .repository
        .planning("commit-tree")
        .args([snapshot.tree.as_str(), "-p", base.as_str()])
        .args(["-m", &carried::message()])
        .run()?;
    let told = "your uncommitted work was carried in; your own files are untouched".to_owned();
    Ok((parse_oid(&made.text())?, vec![told]))
}

/// The worktree that the user stands in, as one to take a snapshot of.
fn workspace(deck: &Deck, worktrees: &Worktrees) -> Option<Worktree> {
    let git_dir = &deck.repository.start_git_dir;
    if *git_dir != deck.repository.common_dir {
        return worktrees.linked.iter().find(|linked| linked.admin_dir == *git_dir).cloned();
    }
    Some(Worktree {
        id: ShadowId("workspace".to_owned()),
        admin_dir: git_dir.clone(),
        path: worktrees.main.path.clone()?,
        head: worktrees.main.head.clone(),
        locked: None,
        prunable: None,
        problem: None,
    })
}

/// A worktree inside the workspace would show there as untracked. The file is the user's: one line is added.
fn exclude(deck: &Deck, draft: &Draft) -> Result<(), Report> {
    const LINE: &str = "/.aide/worktrees/";
    let common = &deck.repository.common_dir;
    if draft.path.starts_with(common) {
        return Ok(());
    }
    let file = common.join("info/exclude");
    let text = fs::read(&file).unwrap_or_default();
    let is_there = |line: &[u8]| {
        let line = line.trim_ascii();
        [LINE, ".aide/", "/.aide/", ".aide", "/.aide"].iter().any(|one| line == one.as_bytes())
    };
    if text.split(|byte| *byte == b'\n').any(is_there) {
        return Ok(());
    }
    let gap = if text.is_empty() || text.ends_with(b"\n") { "" } else { "\n" };
    let doing = || format!("add a line to {}", file.display());
    fs::create_dir_all(common.join("info")).doing(doing())?;
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(&file)
        .and_then(|mut file| {
            file.write_all(format!("{gap}{LINE}\n").as_bytes())?;
            file.sync_all()
        })
        .doing(doing())
}

/// Its files are as they are committed where only the repository's own config, which nobody has trusted, says what
/// filters them: that is told.
fn add_worktree(
    deck: &Deck,
    writer: &Writer<'_>,
    shadow: &ShadowEntry,
) -> Result<Option<String>, Report> {
    let Some(branch) = &shadow.branch else { return Ok(None) };
    let common_dir = &deck.repository.common_dir;
    let settings = Settings::read(common_dir, deck.git_timeout())?;
    let drivers = drivers::untrusted_in(&deck.repository, &settings);
    let git = writer.quiet("worktree")?.git_dir(common_dir).dir(common_dir);
    let git = drivers.iter().fold(git, |git, driver| driver.silence(git));
    git.args(["add", "--quiet", "--no-track", "-b", &branch.0, "--"])
        .arg(&shadow.path)
        .arg(shadow.tip.as_str())
        .run()?;
    // git only warns where it cannot take away its own mark of a worktree in the making.
    let mark = shadow.git_dir.join("locked");
    if fs::read(&mark).is_ok_and(|why| why.trim_ascii() == b"initializing") {
        fs::remove_file(&mark).doing(format!("remove {}", mark.display()))?;
    }
    let named: Vec<String> = drivers
        .iter()
        .filter(|driver| matches!(driver, Driver::Filter(_)))
        .map(Driver::name)
        .collect();
    Ok((!named.is_empty()).then(|| {
        format!(
            "the repository's own config defines {}, which nobody has trusted: it was not run, and the files it is \
             for are as they are committed",
            named.join(", ")
        )
    }))
}

fn finish(deck: &Deck, entry: &mut JournalEntry) -> Result<(), Report> {
    for shadow in &entry.shadows {
        if let Some(record) = &shadow.record {
            deck.store.records().write(record)?;
            trust::note_made(deck, &shadow.id, record.target.as_ref())?;
        }
    }
    deck.store.journal().close(entry, Phase::Done)
}

/// After a kill or a failure: what is whole is kept, what is half-made goes to the trash.
pub(super) fn settle(
    deck: &Deck,
    writer: &Writer<'_>,
    entry: &mut JournalEntry,
) -> Result<String, Report> {
    let name = format!("create {}", entry.operation);
    let Some(shadow) = entry.shadows.first().cloned() else {
        deck.store.journal().close(entry, Phase::TakenBack)?;
        return Ok(format!("{name} made nothing"));
    };
    if is_whole(deck, &shadow) {
        finish(deck, entry)?;
        return Ok(format!("{name} was cut short and is finished now"));
    }
    if shadow.path.exists() || shadow.git_dir.exists() || moves::has_begun(&shadow) {
        deck.store.trash().make_place(entry.operation, &shadow.id)?;
        entry.warnings.extend(trash::put_away(&shadow)?);
        places::remove_empty_dirs(&shadow.path);
    }
    if let Some(branch) = &shadow.branch {
        shadow_worktree::delete_branch(&deck.repository, writer, branch, &shadow.tip)?;
    }
    deck.store.journal().close(entry, Phase::TakenBack)?;
    Ok(format!("{name} was cut short and is taken back"))
}

/// git marks a worktree that it is still making as locked.
fn is_whole(deck: &Deck, shadow: &ShadowEntry) -> bool {
    worktrees::read_one(&deck.repository, &shadow.id).is_some_and(|worktree| {
        worktree.problem.is_none()
            && worktree.locked.is_none()
            && matches!(worktree.head, Head::Branch { tip: Some(_), .. })
            && worktree.admin_dir.join("index").exists()
    })
}
