//! Repositories in temporary directories, plain git as the oracle, and the program itself, all in an
//! environment that no user's configuration reaches.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    io::Write,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// What every commit of a fixture is dated, unless its test says otherwise.
pub(crate) const DATE: &str = "1700000000 +0000";

/// A repository with one commit on `main`, and room beside it.
pub(crate) struct Fixture {
    dir: TempDir,
    /// The main worktree.
    pub(crate) repository: PathBuf,
}

/// How the program ended, with its output as it came.
pub(crate) struct Run {
    pub(crate) exit_code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// stdout as the one JSON object that it must be.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| {
            panic!(
                "not JSON ({error}), exit {}: {:?}\n{}",
                self.exit_code,
                self.text(),
                self.stderr
            )
        })
    }

    /// The code of the error object, for a run that was refused.
    pub(crate) fn error_code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Fixture {
    /// `main` with a `README.md` of the lines 1 to 10.
    pub(crate) fn new() -> Self {
        let fixture = Self::unborn();
        fixture.write("README.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
        fixture.commit("first");
        fixture
    }

    /// A repository without a commit.
    pub(crate) fn unborn() -> Self {
        let dir = tempfile::Builder::new().prefix("shadowdeck-test-").tempdir().unwrap();
        // Links resolved, so that paths compare with what git prints.
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("home")).unwrap();
        fs::write(
            root.join("gitconfig"),
            "[user]\n\tname = Ana Test\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n\
             [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[protocol \"file\"]\n\tallow = always\n",
        )
        .unwrap();
        let fixture = Self { repository: root.join("repository"), dir };
        fs::create_dir(&fixture.repository).unwrap();
        fixture.git(["init", "-q", "."]);
        fixture
    }

    /// The directory that holds repository, home and git configuration; links resolved.
    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    /// Everything that a child sees of the environment.
    pub(crate) fn environment(&self) -> Vec<(OsString, OsString)> {
        let root = self.root();
        let mut env: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap_or_default()),
            ("HOME".into(), root.join("home").into()),
            ("TMPDIR".into(), root.join("home").into()),
            ("GIT_CONFIG_GLOBAL".into(), root.join("gitconfig").into()),
        ];
        for (name, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_AUTHOR_DATE", DATE),
            ("GIT_COMMITTER_DATE", DATE),
            ("LC_ALL", "C"),
            ("TZ", "UTC"),
            ("TERM", "xterm-256color"),
        ] {
            env.push((name.into(), value.into()));
        }
        env
    }

    /// A program in this fixture's environment and nothing else of the tests' own.
    pub(crate) fn child(&self, program: impl AsRef<OsStr>, dir: &Path) -> std::process::Command {
        #[expect(clippy::disallowed_methods, reason = "tests start git and the program themselves")]
        let mut command = std::process::Command::new(program);
        command.env_clear().envs(self.environment()).current_dir(dir).stdin(Stdio::null());
        command
    }

    /// Plain git in the main worktree; it must succeed. Its stdout as text, the last newline removed.
    pub(crate) fn git<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> String {
        self.git_in(&self.repository, args)
    }

    pub(crate) fn git_in<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = A>,
    ) -> String {
        let output = self.git_any(dir, args);
        assert!(
            output.status.success(),
            "git in {} failed: {}{}",
            dir.display(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if text.ends_with('\n') {
            text.pop();
        }
        text
    }

    /// Plain git, whatever its exit code, with its raw output.
    pub(crate) fn git_any<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = A>,
    ) -> Output {
        self.child("git", dir).args(args).output().expect("git is installed")
    }

    /// Writes a file of the main worktree, its directories included.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        write(&self.repository, path, bytes);
    }

    /// Commits everything in the main worktree; the new commit's id.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.commit_in(&self.repository, message)
    }

    pub(crate) fn commit_in(&self, dir: &Path, message: &str) -> String {
        self.git_in(dir, ["add", "-A"]);
        self.git_in(dir, ["commit", "-q", "--allow-empty", "-m", message]);
        self.git_in(dir, ["rev-parse", "HEAD"])
    }

    /// A linked worktree beside the repository, on branch `aide-shadow/<name>` from HEAD.
    pub(crate) fn shadow(&self, name: &str) -> PathBuf {
        let path = self.root().join("shadows").join(name);
        let branch = format!("aide-shadow/{name}");
        self.git([
            OsStr::new("worktree"),
            "add".as_ref(),
            "-q".as_ref(),
            "-b".as_ref(),
            branch.as_ref(),
            path.as_ref(),
        ]);
        path
    }

    /// The program in the main worktree.
    pub(crate) fn program<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        self.program_in(&self.repository, args, b"")
    }

    /// The program in any directory, `input` on its stdin.
    pub(crate) fn program_in<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = A>,
        input: &[u8],
    ) -> Run {
        let mut command = self.child(env!("CARGO_BIN_EXE_shadowdeck"), dir);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program is built with its tests");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A program that reads no input may have closed it already.
        let _ = stdin.write_all(input);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        Run {
            exit_code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Every ref with its object, and what the main worktree's HEAD says.
    pub(crate) fn refs(&self) -> String {
        let head = fs::read_to_string(self.repository.join(".git/HEAD")).unwrap_or_default();
        head + &self.git(["for-each-ref", "--format=%(refname) %(objectname)"])
    }
}

/// The project's own directory.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Writes a file below `dir`, its directories included.
pub(crate) fn write(dir: &Path, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Makes a script that can be run. A child writes it: a file that this process itself held open for
/// writing could be inherited, open, by whatever another test starts at that moment, and running it
/// would fail with "text file busy".
pub(crate) fn script(file: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    #[expect(clippy::disallowed_methods, reason = "tests start what they need themselves")]
    let mut child = std::process::Command::new("sh")
        .args(["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(file)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_ref()).unwrap();
    assert!(child.wait().unwrap().success(), "{}", file.display());
}

/// What a directory holds below it: kind, permission bits and content of every entry, by path.
/// Two equal fingerprints are byte-identical directories.
pub(crate) fn fingerprint(dir: &Path) -> BTreeMap<PathBuf, (String, Vec<u8>)> {
    let mut entries = BTreeMap::new();
    gather(dir, dir, &mut entries);
    entries
}

fn gather(root: &Path, dir: &Path, entries: &mut BTreeMap<PathBuf, (String, Vec<u8>)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let about = fs::symlink_metadata(&path).unwrap();
        let mode = about.permissions().mode();
        let content = if about.is_symlink() {
            fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec()
        } else if about.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        let name = path.strip_prefix(root).unwrap().to_owned();
        entries.insert(name, (format!("{mode:o}"), content));
        if about.is_dir() {
            gather(root, &path, entries);
        }
    }
}

#[test]
fn a_fixture_is_a_repository_that_no_user_configuration_reaches() {
    let fixture = Fixture::new();
    assert_eq!(fixture.git(["log", "--format=%an %at %s"]), "Ana Test 1700000000 first");
    assert_eq!(fixture.git(["config", "--show-scope", "--get", "user.name"]), "global\tAna Test");
    let shadow = fixture.shadow("one");
    assert_eq!(fixture.git_in(&shadow, ["branch", "--show-current"]), "aide-shadow/one");
    let before = fingerprint(&shadow);
    write(&shadow, "deep/er/file", "text");
    assert_ne!(before, fingerprint(&shadow));
}
