//! The configuration file. Every duration is in seconds.

use std::{fs, net::SocketAddr, path::Path};

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub listen: SocketAddr,
    pub database: String,
    #[serde(default)]
    pub probe: ProbeDefaults,
    #[serde(default)]
    pub alert: Alert,
    pub probes: Vec<Target>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct ProbeDefaults {
    pub interval_s: u64,
    pub timeout_s: u64,
}

impl Default for ProbeDefaults {
    fn default() -> Self {
        Self { interval_s: 30, timeout_s: 5 }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Alert {
    /// So many failures in a row open an incident.
    pub after_failures: u32,
}

impl Default for Alert {
    fn default() -> Self {
        Self { after_failures: 3 }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    pub name: String,
    pub url: String,
}

impl Config {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(toml::from_str(&fs::read_to_string(path)?)?)
    }
}
