//! A process that is looked at while it runs: its lines as they come, and an end before its own.

use std::{
    ops::ControlFlow,
    sync::mpsc::RecvTimeoutError,
    time::{Duration, Instant},
};

use super::{Git, Output, Running, running::Stdout};
use crate::report::Report;

/// A person takes less for at once.
const LOOK_EVERY: Duration = Duration::from_millis(100);

type Look<'a> = &'a mut dyn FnMut(&[u8]) -> ControlFlow<()>;

impl Git {
    /// As [`Git::run_any`]; `look` gets whole lines as they come, nothing at times, and may break it off: then the
    /// whole process group is ended, and the answer is `None`.
    pub fn run_watched(self, look: Look<'_>) -> Result<Option<Output>, Report> {
        let deadline = Instant::now() + self.timeout;
        self.feed()?.finish_watched(deadline, look)
    }
}

impl Running {
    fn finish_watched(self, deadline: Instant, look: Look<'_>) -> Result<Option<Output>, Report> {
        let mut seen = [0, 0];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.ended.recv_timeout(left.min(LOOK_EVERY)) {
                Ok(exit_code) => return Ok(Some(self.output(exit_code))),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) if left <= LOOK_EVERY => {
                    return Err(self.timed_out());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let stdout = match &self.stdout {
                Stdout::Pipe(pipe) => Some(pipe),
                // Answers to who asks, not words to a person.
                Stdout::Lock(_) => None,
            };
            let new = std::iter::once(&self.stderr).chain(stdout).zip(&mut seen);
            let lines: Vec<u8> = new.flat_map(|(stream, from)| stream.new_lines(from)).collect();
            if look(&lines).is_break() {
                return Ok(None);
            }
        }
    }
}
