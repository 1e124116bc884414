//! Processes at work in a shadow: those whose working directory lies in it. Nothing is known on
//! systems without `/proc`; then no process is named, and none is ruled out either.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{review::Process, store::process::own_pid};

/// Every process that can be seen, with its working directory; this program is left out.
#[derive(Clone, Debug, Default)]
pub struct Processes(Vec<(PathBuf, Process)>);

impl Processes {
    pub fn read() -> Self {
        let own = own_pid();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            // Another user's process tells nothing, and one may end at any moment.
            let Ok(dir) = fs::read_link(entry.path().join("cwd")) else { continue };
            if pid != own {
                let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
                found.push((dir, Process { pid, name: name.trim_end().to_owned() }));
            }
        }
        Self(found)
    }

    /// Those at work in `dir`, by number.
    pub fn inside(&self, dir: &Path) -> Vec<Process> {
        let mut inside: Vec<Process> = self
            .0
            .iter()
            .filter(|(at, _)| at.starts_with(dir))
            .map(|(_, process)| process.clone())
            .collect();
        inside.sort_by_key(|process| process.pid);
        inside
    }
}
