//! What `conflicts` and `resolve` take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::{ShadowArgs, StrategyArg};

#[derive(Debug, Args)]
pub struct ConflictsArgs {
    #[command(flatten)]
    pub shadow: ShadowArgs,
    /// How it is to land; by rebase, the first commit that conflicts and is not settled
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<StrategyArg>,
    /// Asks the agent to settle these conflict files, or all of them: each becomes a note with its
    /// three versions
    #[arg(long, value_name = "PATH", num_args = 0..)]
    pub ask: Option<Vec<PathBuf>>,
}

#[derive(Debug, Args)]
pub struct ResolveArgs {
    /// The shadow: its id, its branch, its path or its branch's last part; on a terminal also the
    /// beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The conflict file, as `conflicts` names it
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Takes one version of the whole file
    #[arg(long, value_name = "SIDE", group = "answer", required_unless_present_any = ["file", "clear"])]
    pub take: Option<TakeArg>,
    /// Takes the content of a file
    #[arg(long, value_name = "F", group = "answer")]
    pub file: Option<PathBuf>,
    /// Forgets what was decided; by rebase, in each commit that it was decided for
    #[arg(long, group = "answer")]
    pub clear: bool,
    /// Takes a content that still holds conflict markers
    #[arg(long)]
    pub allow_markers: bool,
    /// How it is to land; by rebase, the conflict is that of the commit that `conflicts` names
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<StrategyArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TakeArg {
    Target,
    Shadow,
    Base,
    Union,
    Delete,
}
