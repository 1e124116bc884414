//! Commits written into the private object store, signed where the user has git sign them.
//! A signer runs without our lock and without a terminal; one that waits is ended.

use std::{path::PathBuf, time::Duration};

use super::{Repository, command::Git, settings::Settings, writer::parse_oid};
use crate::{
    report::{Code, Report},
    shadow::Oid,
};

/// Whether commits are signed, and by whose configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signing {
    Unsigned,
    Signed {
        /// Of the worktree that has the target checked out.
        git_dir: PathBuf,
        timeout: Duration,
    },
}

impl Signing {
    /// As `commit.gpgSign` has it.
    pub fn of(settings: &Settings, git_dir: PathBuf, timeout: Duration) -> Self {
        if settings.is_true("commit.gpgsign") {
            Self::Signed { git_dir, timeout }
        } else {
            Self::Unsigned
        }
    }
}

/// Who wrote it, and when: name, mail, date as git writes it raw.
pub type Author = [String; 3];

/// One commit to be.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    pub tree: &'a Oid,
    pub parents: &'a [&'a Oid],
    pub message: &'a str,
    /// The user where absent.
    pub author: Option<&'a Author>,
}

impl Draft<'_> {
    pub fn write(&self, repository: &Repository, signing: &Signing) -> Result<Oid, Report> {
        let mut git = match signing {
            Signing::Unsigned => repository.planning("commit-tree"),
            Signing::Signed { git_dir, timeout } => {
                signing_git(repository).git_dir(git_dir).timeout(*timeout)
            }
        };
        git = git.config("i18n.commitEncoding=UTF-8");
        if let Some([name, email, date]) = self.author {
            git = git
                .env("GIT_AUTHOR_NAME", name)
                .env("GIT_AUTHOR_EMAIL", email)
                .env("GIT_AUTHOR_DATE", format!("@{date}"));
        }
        if matches!(signing, Signing::Signed { .. }) {
            git = git.arg("-S");
        }
        git = git.arg(self.tree.as_str());
        for parent in self.parents {
            git = git.args(["-p", parent.as_str()]);
        }
        let made = git.args(["-F", "-"]).input(self.message).run();
        match signing {
            Signing::Unsigned => parse_oid(&made?.text()),
            Signing::Signed { timeout, .. } => {
                parse_oid(&made.map_err(|report| unsigned(report, *timeout))?.text())
            }
        }
    }
}

fn signing_git(repository: &Repository) -> Git {
    let git = repository.planning("commit-tree").without("GPG_TTY");
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY", "SSH_ASKPASS"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_screen {
        return git;
    }
    // Nobody could answer: fail at once rather than wait for a terminal that is ours.
    git.env("SSH_ASKPASS", "false").env("SSH_ASKPASS_REQUIRE", "force")
}

fn unsigned(report: Report, timeout: Duration) -> Report {
    let headline = if report.code == Code::Timeout {
        format!(
            "the commit could not be signed: the signer did not end within {} s and was ended",
            timeout.as_secs()
        )
    } else {
        "the commit could not be signed, and an unsigned one is not made".to_owned()
    };
    Report { code: Code::SigningFailed, headline, ..report }.unchanged()
    .hint(
        "unlock your key (an agent that holds it answers at once), or see that user.signingKey, \
         gpg.format and gpg's program are right; `signing.timeout_s` in the config says how long a signer may take",
    )
}
