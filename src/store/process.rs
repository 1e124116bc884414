//! Which process began something, told apart from a later one that got the same number.

use std::fs;

use serde::{Deserialize, Serialize};

/// This process's own number.
pub fn own_pid() -> u32 {
    u32::try_from(rustix::process::getpid().as_raw_nonzero().get()).unwrap_or_default()
}

/// A process id with the time that process started, in the kernel's own count; zero where the system does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessMark {
    pub pid: u32,
    pub started: u64,
}

impl ProcessMark {
    pub fn of_this_process() -> Self {
        let pid = own_pid();
        Self { pid, started: read_start(pid).unwrap_or_default() }
    }

    /// Whether that very process still runs.
    pub fn is_alive(self) -> bool {
        let exists = i32::try_from(self.pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .is_some_and(|pid| {
                // Not permitted to signal it: it is there, and another's.
                rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
            });
        exists && (self.started == 0 || read_start(self.pid).is_none_or(|now| now == self.started))
    }
}

/// Field 22 of `/proc/PID/stat`, in ticks since boot. The name before it may hold anything, `)` included.
fn read_start(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    let state = after_name.split_whitespace().next()?;
    // A zombie has ended; it only waits for its parent.
    if state == "Z" {
        return Some(0);
    }
    after_name.split_whitespace().nth(19)?.parse().ok()
}
