//! How shadows are named, by whom they were made, and what lands them by default: data, not code.

use super::{BranchName, Strategy};

/// Where a convention puts its branches, and how its shadows land unless told otherwise.
#[derive(Debug, PartialEq, Eq)]
pub struct Convention {
    pub name: &'static str,
    pub branch_prefix: &'static str,
    pub strategy: Strategy,
}

/// The name given to worktrees that no convention claims.
pub const FOREIGN: &str = "foreign";
/// The name given to worktrees that hold the target of another.
pub const TARGET: &str = "target";

pub static CONVENTIONS: &[Convention] = &[
    Convention { name: "shadow", branch_prefix: "aide-shadow/", strategy: Strategy::Squash },
    Convention { name: "agent", branch_prefix: "wt/", strategy: Strategy::Merge },
    Convention { name: "plan", branch_prefix: "cleveragents/plan-", strategy: Strategy::Merge },
];

/// The convention that a branch's name tells.
pub fn find_convention(branch: &BranchName) -> Option<&'static Convention> {
    CONVENTIONS.iter().find(|convention| branch.0.starts_with(convention.branch_prefix))
}
