//! Every command and flag, as clap reads them. Names here are a promise to scripts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{
    conflict_args::{ConflictsArgs, ResolveArgs},
    help::{DISCARD_HELP, LAND_HELP, MAIN_HELP, RADAR_HELP, SYNC_HELP, UNDO_HELP},
    notes::NotesArgs,
};
use crate::shadow::Strategy;

/// Review, land and discard the worktrees that AI agents write in.
///
/// Without a command it opens the cockpit.
#[derive(Debug, Parser)]
#[command(
    name = "shadowdeck",
    version,
    after_long_help = MAIN_HELP
)]
pub struct Cli {
    /// Works on the repository around DIR instead of here
    #[arg(short = 'C', global = true, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Prints one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists every shadow, most recently active first
    List(ListArgs),
    /// Shows one shadow in full
    Show(ShadowArgs),
    /// Prints the proposed change, uncommitted and untracked work included
    Diff(DiffArgs),
    /// Names the conflict files of landing now
    Conflicts(ConflictsArgs),
    /// Names which shadows would conflict with which, and with their target
    #[command(after_long_help = RADAR_HELP)]
    Radar(RadarArgs),
    /// Prints the reviewer's comments, adds to them, or says that one is done
    Notes(NotesArgs),
    /// Asks for review, for an agent: the cockpit shows the shadow first, until it is landed, rolled back
    /// or discarded
    Request(RequestArgs),
    /// Makes a new shadow; your uncommitted work is carried in
    Create(CreateArgs),
    /// Prints the absolute path of a shadow, or of a file inside it
    Path(PathArgs),
    /// Lands a shadow on its target
    #[command(after_long_help = LAND_HELP)]
    Land(LandArgs),
    /// Records what is to become of one conflict file
    Resolve(ResolveArgs),
    /// Puts shadows into the trash
    #[command(after_long_help = DISCARD_HELP)]
    Discard(DiscardArgs),
    /// Commits everything in a shadow on its own branch
    Commit(CommitArgs),
    /// Puts a shadow back to its base commit; undo brings back what it held
    Rollback(RollbackArgs),
    /// Merges the target into a shadow, as a commit on its own branch
    #[command(after_long_help = SYNC_HELP)]
    Sync(SyncArgs),
    /// Takes back the newest operation, or OP
    #[command(after_long_help = UNDO_HELP)]
    Undo(UndoArgs),
    /// Does again what was undone last
    Redo(RedoArgs),
    /// Shows a shadow's last failure
    Errors(ErrorsArgs),
    /// Lists operations, newest last
    Log(LogArgs),
    /// Empties trash past its age or size, and prunes dead worktree entries
    Gc(GcArgs),
    /// Names what is wrong with the repository and every shadow, and what to do about it
    Doctor(DoctorArgs),
    /// Shows every setting, its value and where it comes from
    Config(ConfigArgs),
    /// Builds a throw-away repository with shadows in every state, and opens the cockpit on it; what -C
    /// names is not touched, and not read
    Demo(DemoArgs),
}

#[derive(Debug, Args)]
pub struct SyncArgs {
    /// The shadow: its id, its branch, its path or its branch's last part; on a terminal also the
    /// beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Takes what `resolve` recorded for each conflict file; every one must be decided
    #[arg(long)]
    pub with_resolutions: bool,
}

#[derive(Debug, Args)]
pub struct RadarArgs {}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only stale shadows: idle for 14 days, or landed or empty and idle for 1 day (`stale.idle_days` and
    /// `stale.done_days` in the settings set both)
    #[arg(long)]
    pub stale: bool,
    /// The worktrees that are not shadows as well
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct ShadowArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Another branch to land on; it is remembered
    #[arg(long, value_name = "BRANCH")]
    pub target: Option<String>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct DiffArgs {
    #[command(flatten)]
    pub shadow: ShadowArgs,
    /// Files with a bar of their changes
    #[arg(long, group = "format")]
    pub stat: bool,
    /// Added and removed lines, a file a line
    #[arg(long, group = "format")]
    pub numstat: bool,
    /// Status letter and name, a file a line
    #[arg(long, group = "format")]
    pub name_status: bool,
    /// Only what changed since the person last looked at it in the cockpit
    #[arg(long)]
    pub since_review: bool,
    /// Colours the patch; `auto` does so on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub struct RequestArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// What was asked for, or what to look at, in 1 to 2000 characters; files that lie outside the paths it
    /// names are flagged. A later one takes the place of it
    #[arg(short = 'm', value_name = "MSG")]
    pub message: Option<String>,
}

#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The new shadow's name; two friendly words without it
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// The commit to start from instead of HEAD
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// The branch that it is to land on
    #[arg(long, value_name = "BRANCH")]
    pub target: Option<String>,
    /// Leaves your uncommitted work out of it
    #[arg(long)]
    pub clean: bool,
}

#[derive(Debug, Args)]
pub struct PathArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// A path inside the shadow; without it, the shadow's own directory
    #[arg(value_name = "REL")]
    pub path: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct LandArgs {
    /// The shadow: its id, its branch, its path or its branch's last part; on a terminal also the
    /// beginning of its id
    #[arg(value_name = "ID", required_unless_present = "request")]
    pub id: Option<String>,
    /// Another branch to land on; it is remembered
    #[arg(long, value_name = "BRANCH")]
    pub target: Option<String>,
    /// Takes `{id, strategy, commit_message}` as JSON from a file, or from stdin for `-`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["id", "strategy", "message"])]
    pub request: Option<PathBuf>,
    /// How its change becomes commits. Without it: squash for `aide-shadow/…` and for a worktree of no
    /// convention, merge for `wt/…` and `cleveragents/plan-…`
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<StrategyArg>,
    /// The commit's message; made from the shadow's commits without it
    #[arg(short = 'm', value_name = "MSG")]
    pub message: Option<String>,
    /// Lands only this file, or what lies below this directory; the rest stays in the shadow
    #[arg(long, value_name = "PATH", conflicts_with = "request")]
    pub only: Vec<PathBuf>,
    /// Lands only if the shadow still holds this tree
    #[arg(long, value_name = "TREE")]
    pub expect: Option<String>,
    /// Keeps the shadow, moved onto the new target
    #[arg(long)]
    pub keep: bool,
    /// Asks no hook that could stop it, as git's own `--no-verify`
    #[arg(long)]
    pub no_verify: bool,
    /// Trusts the repository's config and hooks as they stand, also those that this shadow changes
    #[arg(long)]
    pub trust: bool,
    /// Says what it would do, and does nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    Squash,
    Merge,
    Rebase,
}

impl From<StrategyArg> for Strategy {
    fn from(arg: StrategyArg) -> Self {
        match arg {
            StrategyArg::Squash => Self::Squash,
            StrategyArg::Merge => Self::Merge,
            StrategyArg::Rebase => Self::Rebase,
        }
    }
}

#[derive(Debug, Args)]
pub struct DiscardArgs {
    /// The shadow: its id, its branch, its path or its branch's last part; on a terminal also the
    /// beginning of its id
    #[arg(value_name = "ID", required_unless_present = "stale")]
    pub ids: Vec<String>,
    /// Every shadow that `list --stale` shows
    #[arg(long, conflicts_with = "ids")]
    pub stale: bool,
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct CommitArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(short = 'm', value_name = "MSG")]
    pub message: String,
    /// Commits without the hooks that `git commit` would run there
    #[arg(long)]
    pub no_verify: bool,
}

#[derive(Debug, Args)]
pub struct RollbackArgs {
    /// The shadow: its id, its branch, its path or its branch's last part; on a terminal also the
    /// beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct RedoArgs {
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct ErrorsArgs {
    /// The shadow: its id, its branch, its path, its branch's last part, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
}

#[derive(Debug, Args)]
pub struct UndoArgs {
    /// The operation to take back, as `log` names it; its first 4 characters or more are enough where they
    /// fit one alone. Without it: the newest that can be undone
    #[arg(value_name = "OP")]
    pub operation: Option<String>,
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Goes on with new operations as they come, each a line
    #[arg(long)]
    pub follow: bool,
}

#[derive(Debug, Args)]
pub struct GcArgs {
    /// Names what it would free, and frees nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Answers the question beforehand
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Mends what loses nothing
    #[arg(long)]
    pub fix: bool,
}

#[derive(Debug, Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub action: Option<ConfigAction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum ConfigAction {
    /// Prints where the settings file is
    Path,
    /// Opens the settings file in your editor (VISUAL, EDITOR); it is made where there is none
    Edit,
    /// Prints a settings file with every setting and its default
    Default,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Runs through it and prints what happens, without a terminal
    #[arg(long)]
    pub headless: bool,
}
