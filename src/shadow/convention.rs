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

/// Tools whose worktrees can be told by where they put them or how they name their branches.
static TOOLS: &[(&str, &str, &str)] = &[
    // name, part of the path, branch prefix; empty where there is none
    ("claude-code", "/.claude/worktrees/", "claude/"),
    ("codex", "/.codex/worktrees/", "codex/"),
    ("cursor", "/.cursor/worktrees/", "cursor/"),
    ("copilot", "", "copilot/"),
    ("opencode", "/.opencode/worktrees/", "opencode/"),
    ("vibe-kanban", "/vibe-kanban/worktrees/", "vk/"),
    ("conductor", "/conductor/workspaces/", ""),
    ("superset", "/.superset/worktrees/", ""),
    ("workmux", "__worktrees/", ""),
];

/// The name of the convention that a worktree follows: ours by branch, another tool's by path or branch.
pub fn name_for(branch: Option<&BranchName>, path: &std::path::Path) -> &'static str {
    if let Some(convention) = branch.and_then(find_convention) {
        return convention.name;
    }
    let path = path.to_string_lossy();
    TOOLS
        .iter()
        .find(|(_, place, prefix)| {
            (!place.is_empty() && path.contains(place))
                || (!prefix.is_empty() && branch.is_some_and(|branch| branch.0.starts_with(prefix)))
        })
        .map_or(FOREIGN, |(name, ..)| name)
}

/// The agent that a branch of the `agent` convention names.
pub fn agent_of(branch: &BranchName) -> Option<&str> {
    branch.0.strip_prefix("wt/")?.split_once('/').map(|(agent, _)| agent)
}

/// The plan that a branch of the `plan` convention names.
pub fn plan_of(branch: &BranchName) -> Option<&str> {
    branch.0.strip_prefix("cleveragents/plan-")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn conventions_are_told_by_branch_and_tools_by_path() {
        let named = |branch: &str, path: &str| {
            name_for(Some(&BranchName(branch.to_owned())), Path::new(path))
        };
        assert_eq!(named("aide-shadow/x", "/p"), "shadow");
        assert_eq!(named("wt/swift/fox", "/p"), "agent");
        assert_eq!(named("cleveragents/plan-9", "/p"), "plan");
        assert_eq!(named("topic", "/p/.claude/worktrees/a"), "claude-code");
        assert_eq!(named("topic", "/p/w"), "foreign");
        assert_eq!(name_for(None, Path::new("/p")), "foreign");
        assert_eq!(agent_of(&BranchName("wt/a/b-c".to_owned())), Some("a"));
        assert_eq!(plan_of(&BranchName("cleveragents/plan-x/y".to_owned())), Some("x/y"));
    }
}
