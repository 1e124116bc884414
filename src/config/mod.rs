//! Settings of the user's own: defaults, then the user's file, then flags. Never read from a repository.

/// Every setting in force. Durations in the unit that the name ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub git_timeout_s: u64,
    /// No activity for so long makes a shadow stale.
    pub stale_idle_days: u32,
    /// A landed or empty shadow is stale after so long.
    pub stale_done_days: u32,
    /// The branch that shadows land on where nothing else is recorded.
    pub target: Option<String>,
    /// `auto`, or the name of a theme.
    pub theme: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            git_timeout_s: 30,
            stale_idle_days: 14,
            stale_done_days: 1,
            target: None,
            theme: "auto".to_owned(),
        }
    }
}
