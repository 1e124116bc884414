//! The one place that starts git: argument vectors, never a shell; fixed locale, no prompt, a timeout,
//! and nothing in the environment that could send it to another repository.

mod running;
mod watched;

use std::{
    ffi::{OsStr, OsString},
    io::Write,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{PoisonError, RwLock, RwLockWriteGuard},
    thread,
    time::{Duration, Instant, SystemTime},
};

use super::answers::{Answers, Reader, unlocked};
use crate::report::{Code, Report};
pub use running::Running;
use running::{Stdout, wait};

/// Long enough for a large repository on a slow disk; a git that takes longer is stuck.
pub const TIMEOUT_DEFAULT: Duration = Duration::from_secs(30);

/// Read while a process comes to be: until it has a group of its own it is stopped with ours, and then whoever waits
/// for it to begin can never stop.
static STARTING: RwLock<()> = RwLock::new(());

/// No process begins while this is held; none is half begun when it is given.
pub fn hold_starts() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Variables of git's that are the user's own choice and do not redirect it.
const KEPT: &[&str] = &[
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
];
const KEPT_PREFIXES: &[&str] = &["GIT_AUTHOR_", "GIT_COMMITTER_"];

/// Objects are what their ids say and commits have the parents that they name, whatever `git replace` and grafts put in
/// their place: anyone who can write in a worktree can write those, and what is pushed or cloned holds none of them.
const AS_STORED: [(&str, &str); 2] =
    [("GIT_NO_REPLACE_OBJECTS", "1"), ("GIT_GRAFT_FILE", "/dev/null/none")];

/// One git process to be.
#[derive(Debug)]
pub struct Git {
    subcommand: &'static str,
    globals: Vec<OsString>,
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    without: Vec<&'static str>,
    surroundings: Surroundings,
    /// Its git directory.
    writes_in: Option<PathBuf>,
    dir: Option<PathBuf>,
    input: Vec<u8>,
    timeout: Duration,
    lock: Option<OwnedFd>,
}

/// In whose language a process speaks, and what it may fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surroundings {
    /// For answers that we read.
    Fixed,
    /// For programs of the user's, which run as they would by hand.
    Users,
}

/// What a git process left: its exit code is the caller's to judge.
#[derive(Debug)]
pub struct Output {
    pub exit_code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    subcommand: &'static str,
}

impl Git {
    /// A process that only looks: runs no hook, no fsmonitor, no fetch, takes no optional lock.
    pub fn reading(subcommand: &'static str) -> Self {
        let mut git = Self::bare(subcommand);
        for setting in [
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "diff.autoRefreshIndex=false",
            "gc.auto=0",
            "maintenance.auto=false",
        ] {
            git.globals.extend(["-c".into(), setting.into()]);
        }
        git.env.push(("GIT_OPTIONAL_LOCKS", "0".into()));
        git
    }

    /// A process that changes the repository, with the user's own configuration. It holds `lock` open, as its
    /// stdout: git gives every hook and filter another one, so the lock outlives this program for exactly as long as
    /// git itself still writes, and nothing that a hook leaves running holds it.
    pub fn writing(subcommand: &'static str, lock: OwnedFd) -> Self {
        let mut git = Self::bare(subcommand);
        git.lock = Some(lock);
        git
    }

    /// The process that starts a hook of the user's, as git itself would: in the user's own language, with
    /// patterns in pathspecs. It never holds our lock.
    pub fn of_hooks(subcommand: &'static str) -> Self {
        let mut git = Self::bare(subcommand).pathspec_magic().config("core.fsmonitor=false");
        git.surroundings = Surroundings::Users;
        git
    }

    /// The user's difftool on two files, from `dir`, which belongs to no repository: no setting counts but their own. It
    /// is for the terminal, and started by who has that.
    pub fn difftool(dir: &Path, sides: [&Path; 2]) -> std::process::Command {
        let mut git = Self::bare("difftool").dir(dir);
        git.surroundings = Surroundings::Users;
        // A directory above it may be a repository all the same.
        let above = dir.parent().unwrap_or(dir).as_os_str();
        git.env("GIT_CEILING_DIRECTORIES", above)
            .args(["--no-prompt", "--no-index", "--"])
            .args(sides)
            .command()
    }

    /// The user's mergetool on the one file that is in conflict in the repository `dir`, as its bytes are. It is for the
    /// terminal, too.
    pub fn mergetool(dir: &Path, name: &OsStr) -> std::process::Command {
        let mut git = Self::bare("mergetool").dir(dir);
        git.surroundings = Surroundings::Users;
        for setting in
            ["core.autocrlf=false", "core.attributesFile=/dev/null", "core.hooksPath=/dev/null"]
        {
            git = git.config(setting);
        }
        git.env("GIT_ATTR_NOSYSTEM", "1").args(["--no-prompt", "--"]).arg(name).command()
    }

    fn bare(subcommand: &'static str) -> Self {
        Self {
            subcommand,
            globals: vec!["--literal-pathspecs".into(), "--no-pager".into()],
            args: Vec::new(),
            env: AS_STORED.map(|(name, value)| (name, value.into())).to_vec(),
            without: Vec::new(),
            surroundings: Surroundings::Fixed,
            writes_in: None,
            dir: None,
            input: Vec::new(),
            timeout: TIMEOUT_DEFAULT,
            lock: None,
        }
    }

    /// Pathspecs of this process are patterns, not names: the caller marks each by hand.
    #[must_use]
    pub fn pathspec_magic(mut self) -> Self {
        self.globals.retain(|option| option != "--literal-pathspecs");
        self
    }

    /// A `-c name=value` of this process alone.
    #[must_use]
    pub fn config(mut self, setting: &str) -> Self {
        self.globals.extend(["-c".into(), setting.into()]);
        self
    }

    /// A global option before the subcommand, as `--attr-source=…`.
    #[must_use]
    pub fn global(mut self, option: impl Into<OsString>) -> Self {
        self.globals.push(option.into());
        self
    }

    /// The git directory, named rather than searched for.
    #[must_use]
    pub fn git_dir(mut self, git_dir: &Path) -> Self {
        self.writes_in = Some(git_dir.to_owned());
        let mut option = OsString::from("--git-dir=");
        option.push(git_dir);
        self.global(option)
    }

    /// The worktree, named rather than searched for; git runs in it.
    #[must_use]
    pub fn work_tree(self, work_tree: &Path) -> Self {
        let mut option = OsString::from("--work-tree=");
        option.push(work_tree);
        self.global(option).dir(work_tree)
    }

    #[must_use]
    pub fn dir(mut self, dir: &Path) -> Self {
        self.dir = Some(dir.to_owned());
        self
    }

    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Does not inherit this variable.
    #[must_use]
    pub fn without(mut self, name: &'static str) -> Self {
        self.without.push(name);
        self
    }

    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Runs to the end. A non-zero exit is a `git_failed` report with git's own words.
    pub fn run(self) -> Result<Output, Report> {
        let output = self.run_any()?;
        if output.exit_code == 0 { Ok(output) } else { Err(output.failure()) }
    }

    /// Runs to the end, whatever the exit code.
    pub fn run_any(self) -> Result<Output, Report> {
        let deadline = Instant::now() + self.timeout;
        self.feed()?.finish(deadline)
    }

    /// Started, with all of its input on its way.
    fn feed(mut self) -> Result<Running, Report> {
        let input = std::mem::take(&mut self.input);
        let mut running = self.spawn()?;
        let mut stdin = running.stdin.take();
        // A thread of its own: git may answer before it has read all, and both pipes are finite.
        // It ends when git reads everything or closes the pipe, at the latest when git is ended.
        thread::spawn(move || {
            if let Some(stdin) = &mut stdin {
                // git may have decided without reading all of it; its exit code tells.
                let _ = stdin.write_all(&input);
            }
        });
        Ok(running)
    }

    /// Starts it with stdin held open, for a conversation (`update-ref --stdin`, `cat-file --batch`).
    pub fn start(self) -> Result<Running, Report> {
        self.spawn()
    }

    /// All of it but where its input comes from and its output goes to.
    fn command(&self) -> std::process::Command {
        #[expect(clippy::disallowed_methods, reason = "this is the one place that starts git")]
        let mut command = std::process::Command::new("git");
        for (name, _) in std::env::vars_os() {
            if redirects(&name) {
                command.env_remove(name);
            }
        }
        if self.surroundings == Surroundings::Fixed {
            command.env("LC_ALL", "C").env("GIT_NO_LAZY_FETCH", "1");
        }
        for name in &self.without {
            command.env_remove(name);
        }
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .args(&self.globals)
            .arg(self.subcommand)
            .args(&self.args);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    fn spawn(self) -> Result<Running, Report> {
        let mut command = self.command();
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let writes_in = self.lock.as_ref().and(self.writes_in.zip(self.dir));
        let writes_in = writes_in.map(|(git_dir, dir)| (git_dir, dir, SystemTime::now()));
        let answers = self.lock.map(Answers::into_lock).transpose()?;
        match &answers {
            Some(answers) => command.stdout(answers.file.try_clone().map_err(|e| unlocked(&e))?),
            None => command.stdout(Stdio::piped()),
        };
        let starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
        let started = command.spawn();
        drop(starting);
        let mut child = started.map_err(|error| {
            Report::environment(Code::GitFailed, format!("could not start git {}", self.subcommand))
                .caused_by(&error)
                .hint("git must be installed and on the PATH")
        })?;
        let stdout = match answers {
            Some(answers) => Stdout::Lock(answers),
            None => Stdout::Pipe(Reader::start(child.stdout.take())),
        };
        let stderr = Reader::start(child.stderr.take());
        let stdin = child.stdin.take();
        Ok(Running {
            subcommand: self.subcommand,
            timeout: self.timeout,
            writes_in,
            group: child.id(),
            stdin,
            stdout,
            stderr,
            ended: wait(child),
            exit_code: None,
        })
    }
}

fn redirects(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    name.starts_with("GIT_")
        && !KEPT.contains(&name)
        && !KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

impl Output {
    /// git's own words as a report.
    pub fn failure(&self) -> Report {
        let words = String::from_utf8_lossy(&self.stderr);
        let full = words.lines().find(|line| {
            line.contains("No space left on device") || line.contains("Out of diskspace")
        });
        let refused = words.lines().find(|line| {
            let whys = ["Permission denied", "Operation not permitted", "Read-only file system"];
            whys.iter().any(|why| line.contains(why))
        });
        let mut report = match full {
            None if refused.is_some() => {
                let line = refused.unwrap_or_default().trim();
                let line = line.trim_start_matches("fatal: ").trim_start_matches("error: ");
                let headline = format!("the system refused git {}: {line}", self.subcommand);
                Report::environment(Code::Io, headline)
                    .hint("make what is named here writable, then try again")
            }
            Some(line) => {
                let line = line.trim_start_matches("fatal: ").trim_start_matches("error: ");
                let headline = format!("no space left for git {}: {line}", self.subcommand);
                Report::environment(Code::Io, headline)
                    .safe("nothing was left half-done")
                    .hint("free some space, then run it again")
            }
            None => Report::environment(
                Code::GitFailed,
                format!("git {} ended with {}", self.subcommand, self.exit_code),
            ),
        };
        report = report.detail("exit_code", self.exit_code).detail("stderr", words.trim());
        report
            .causes
            .extend(words.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
        report
    }

    /// The whole of stdout as text, without the newline at its end.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim_end_matches('\n').to_owned()
    }
}
