//! A throw-away repository with shadows in every state, for looking around and for tests.
//! The same bytes, dates and object ids every time; the user's git configuration has no part in it.

mod commit;
mod headless;
mod history;
mod shadows;
mod temporary;
mod traces;

pub use headless::headless;
pub use temporary::Temporary;

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use self::{
    commit::{Files, Stream, apply, parse_marks},
    history::MAIN,
    shadows::{Head, SHADOWS, Shadow},
};
use crate::{
    git::command::Git,
    report::{Code, Doing, Report},
    shadow::Oid,
};

/// The repository's directory, below the one that is given to [`build`].
const NAME: &str = "tideline";

/// Who the person at the keyboard is in the demo.
const PERSON: (&str, &str) = ("You", "you@tideline.example");

/// 2025-04-10 12:00:00 UTC: when the shadows were made.
const MADE: &str = "1744286400 +0000";

/// Makes the repository and its shadows in `dir`, an empty directory; the repository's path.
pub fn build(dir: &Path) -> Result<PathBuf, Report> {
    let dir = dir.canonicalize().doing(format!("open {}", dir.display()))?;
    let repository = dir.join(NAME);
    if repository.exists() {
        let headline = format!("{} is there already", repository.display());
        return Err(Report::user(Code::AlreadyExists, headline)
            .unchanged()
            .hint("give the demo an empty directory"));
    }
    git("init", &dir).args(["--quiet", "--template=", "--initial-branch", MAIN, NAME]).run()?;
    let git_dir = repository.join(".git");
    configure(&git_dir)?;
    let (commits, shadow_tips, trees) = write_history(&repository)?;
    git("reset", &repository).args(["--quiet", "--hard"]).run()?;
    for (shadow, tip) in SHADOWS.iter().zip(shadow_tips) {
        add_shadow(&dir, &repository, shadow, &commits, tip, &trees)?;
    }
    Ok(repository)
}

/// git in a repository that is the demo's own: no hook, no configuration but the repository's.
fn git(subcommand: &'static str, dir: &Path) -> Git {
    Git::reading(subcommand)
        .dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", PERSON.0)
        .env("GIT_AUTHOR_EMAIL", PERSON.1)
        .env("GIT_AUTHOR_DATE", MADE)
        .env("GIT_COMMITTER_NAME", PERSON.0)
        .env("GIT_COMMITTER_EMAIL", PERSON.1)
        .env("GIT_COMMITTER_DATE", MADE)
}

/// Landing in the demo must work for whoever has no identity set, or signs everything.
fn configure(git_dir: &Path) -> Result<(), Report> {
    let (name, email) = PERSON;
    let path = git_dir.join("config");
    let mut config = fs::read_to_string(&path).doing(format!("read {}", path.display()))?;
    let ours = format!(
        "[user]\n\tname = {name}\n\temail = {email}\n[commit]\n\tgpgSign = false\n[gc]\n\tauto = 0\n"
    );
    config.push_str(&ours);
    fs::write(&path, config).doing(format!("write {}", path.display()))?;
    write(&git_dir.join("info/exclude"), b"/.aide/\n")
}

/// Every commit in one process: the object ids by mark, the mark each shadow stands on, the trees.
fn write_history(repository: &Path) -> Result<(Vec<Oid>, Vec<usize>, Stream), Report> {
    let mut stream = Stream::default();
    for (index, commit) in history::COMMITS.iter().enumerate() {
        // The side branch is a ref of its own for as long as the stream runs.
        let on_main = index + 1 != history::HEALTHZ;
        let reference = if on_main { "refs/heads/main" } else { "refs/demo/landed" };
        stream.commit(reference, commit)?;
    }
    let mut tips = Vec::new();
    let mut references = vec!["refs/demo/landed".to_owned()];
    for (index, shadow) in SHADOWS.iter().enumerate() {
        let reference = format!("refs/demo/{index}");
        let mut tip = shadow.landed.unwrap_or(shadow.base);
        for commit in shadow.commits {
            tip = stream.commit(&reference, &commit::Commit { parent: tip, ..*commit })?;
        }
        if !shadow.commits.is_empty() {
            references.push(reference);
        }
        tips.push(tip);
    }
    let input = stream.finish();
    let answer = git("fast-import", repository)
        .args(["--quiet", "--done", "--date-format=raw"])
        .input(input)
        .run()?;
    let commits = parse_marks(&answer.text())?;
    let deletions =
        references.iter().fold(String::new(), |all, name| all + "delete " + name + "\n");
    git("update-ref", repository).arg("--stdin").input(deletions).run()?;
    Ok((commits, tips, stream))
}

fn add_shadow(
    dir: &Path,
    repository: &Path,
    shadow: &Shadow,
    commits: &[Oid],
    tip: usize,
    trees: &Stream,
) -> Result<(), Report> {
    let path = dir.join(shadow.path);
    let mut add = git("worktree", repository).args(["add", "--quiet"]);
    if let Some(reason) = shadow.locked {
        add = add.args(["--lock", "--reason", reason]);
    }
    add = match shadow.head {
        Head::Branch(branch) => add.args(["-b", branch]),
        Head::Detached => add.arg("--detach"),
    };
    add.arg(&path).arg(commits[shadow.base - 1].as_str()).run()?;
    if tip != shadow.base {
        // As an agent's own commits would: the branch moves on from where it was made, and its reflog
        // says by what.
        git("merge", &path)
            .env("GIT_REFLOG_ACTION", "commit")
            .args(["--quiet", "--ff-only", commits[tip - 1].as_str()])
            .run()?;
    }
    let mut touched = write_uncommitted(&path, shadow, trees.files(tip))?;
    let (base, files) = (trees.files(shadow.base), trees.files(tip));
    let committed = files.iter().filter(|(name, text)| base.get(*name) != Some(text));
    let committed = committed.map(|(name, _)| path.join(OsStr::from_bytes(name)));
    touched.extend(committed.filter(|file| file.exists()));
    if !shadow.staged.is_empty() {
        git("add", &path).arg("--").args(shadow.staged).run()?;
    }
    set_back(&path, &touched, Duration::from_secs(shadow.idle_s))
}

fn write_uncommitted(
    path: &Path,
    shadow: &Shadow,
    mut files: Files,
) -> Result<Vec<PathBuf>, Report> {
    let mut touched = Vec::new();
    for change in shadow.uncommitted {
        for name in apply(*change, &mut files)? {
            let file = path.join(OsStr::from_bytes(&name));
            match files.get(&name) {
                Some(content) => {
                    write(&file, content)?;
                    touched.push(file);
                }
                None => fs::remove_file(&file).doing(format!("remove {}", file.display()))?,
            }
        }
    }
    Ok(touched)
}

fn write(file: &Path, content: &[u8]) -> Result<(), Report> {
    let written = file.parent().map_or(Ok(()), fs::create_dir_all);
    written.and_then(|()| fs::write(file, content)).doing(format!("write {}", file.display()))
}

/// Makes it look as if nothing had happened in a shadow for so long.
fn set_back(path: &Path, touched: &[PathBuf], idle: Duration) -> Result<(), Report> {
    let link = path.join(".git");
    let pointer = fs::read_to_string(&link).doing(format!("read {}", link.display()))?;
    let own_git_dir = Path::new(pointer.trim_start_matches("gitdir: ").trim_end_matches('\n'));
    let own = ["HEAD", "index"].map(|name| own_git_dir.join(name));
    let then = SystemTime::now() - idle;
    for file in own.iter().chain(touched) {
        fs::File::options()
            .write(true)
            .open(file)
            .and_then(|open| open.set_modified(then))
            .doing(format!("set the time of {}", file.display()))?;
    }
    Ok(())
}
