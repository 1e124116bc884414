//! What a person is told when something fails: plain data that any room can make and both faces draw.
//! Says what, where, why nothing is lost and what to do next; prints nothing itself.

use std::fmt;

use serde_json::{Map, Value};

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The person can fix it: shown with a hint, never with a backtrace.
    User,
    /// The repository or the machine is in the way.
    Environment,
    /// Our bug: asks for a report.
    Bug,
}

macro_rules! codes {
    ($($variant:ident $text:literal $exit:literal,)+) => {
        /// The stable error codes of the command line: they do not change without a major version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $($variant,)+ }

        impl Code {
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// 1: failed, nothing half-done. 2: usage. 3: conflicts. 4: refused by a guard.
            pub fn exit_code(self) -> u8 {
                match self { $(Self::$variant => $exit,)+ }
            }
        }
    };
}

codes! {
    Usage "usage" 2,
    NotARepository "not_a_repository" 4,
    UnbornHead "unborn_head" 4,
    UnsupportedRepository "unsupported_repository" 4,
    UnsupportedGit "unsupported_git" 4,
    PoisonedConfig "poisoned_config" 4,
    NotTrusted "not_trusted" 4,
    NotFound "not_found" 4,
    Ambiguous "ambiguous" 4,
    InvalidId "invalid_id" 4,
    InvalidPath "invalid_path" 4,
    InvalidMessage "invalid_message" 4,
    InvalidValue "invalid_value" 4,
    LimitReached "limit_reached" 4,
    AlreadyExists "already_exists" 4,
    WrongState "wrong_state" 4,
    DirtyOverlap "dirty_overlap" 4,
    TargetMoved "target_moved" 4,
    ShadowMoved "shadow_moved" 4,
    TargetBusy "target_busy" 4,
    ShadowBusy "shadow_busy" 4,
    Conflicts "conflicts" 3,
    MarkersLeft "markers_left" 4,
    NothingToLand "nothing_to_land" 4,
    CannotUndo "cannot_undo" 4,
    NeedsConfirmation "needs_confirmation" 4,
    NeedsTerminal "needs_terminal" 4,
    InsideShadow "inside_shadow" 4,
    Locked "locked" 4,
    IdentityMissing "identity_missing" 4,
    Timeout "timeout" 1,
    HookRejected "hook_rejected" 1,
    SigningFailed "signing_failed" 1,
    GitFailed "git_failed" 1,
    Io "io" 1,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub code: Code,
    pub blame: Blame,
    /// One sentence without a full stop: what failed, and on what.
    pub headline: String,
    /// Outermost first.
    pub causes: Vec<String>,
    /// Why nothing is lost, as a clause: drawn once, by whoever draws the report.
    pub safe: Option<String>,
    /// What to do next, and nothing else.
    pub hint: Option<String>,
    /// Machine-readable facts: the files, refs or processes named in the headline.
    pub details: Map<String, Value>,
}

impl Report {
    /// A refusal or failure that the person can resolve.
    pub fn user(code: Code, headline: impl Into<String>) -> Self {
        Self::new(code, Blame::User, headline)
    }

    /// The repository or the machine is in the way.
    pub fn environment(code: Code, headline: impl Into<String>) -> Self {
        Self::new(code, Blame::Environment, headline)
    }

    pub fn new(code: Code, blame: Blame, headline: impl Into<String>) -> Self {
        Self {
            code,
            blame,
            headline: headline.into(),
            causes: Vec::new(),
            safe: None,
            hint: None,
            details: Map::new(),
        }
    }

    /// A guard refused before the first write.
    #[must_use]
    pub fn unchanged(self) -> Self {
        self.safe("nothing was changed")
    }

    #[must_use]
    pub fn safe(mut self, safe: impl Into<String>) -> Self {
        self.safe = Some(safe.into());
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// Appends an error and everything below it.
    #[must_use]
    pub fn caused_by(mut self, error: &(dyn std::error::Error + 'static)) -> Self {
        let chain = std::iter::successors(Some(error), |error| error.source());
        self.causes.extend(chain.map(ToString::to_string));
        self
    }

    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline)
    }
}

impl std::error::Error for Report {}

/// Wraps a lower error with what we were doing, at the room's border.
pub trait Doing<T> {
    /// `what` completes the sentence "could not …".
    fn doing(self, what: impl fmt::Display) -> Result<T, Report>;
}

impl<T> Doing<T> for Result<T, std::io::Error> {
    fn doing(self, what: impl fmt::Display) -> Result<T, Report> {
        self.map_err(|error| {
            if error.kind() == std::io::ErrorKind::StorageFull {
                let headline = format!("no space left: could not {what}");
                return Report::environment(Code::Io, headline)
                    .caused_by(&error)
                    .safe("nothing was left half-done")
                    .hint("free some space, then run it again");
            }
            Report::environment(Code::Io, format!("could not {what}")).caused_by(&error)
        })
    }
}
