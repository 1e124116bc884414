//! A git process under way: it is talked with, waited for, and ended with its whole group when it takes too long.

use std::{
    io::Write,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Child, ChildStdin},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant, SystemTime},
};

use super::{
    super::{
        answers::{Answers, Reader},
        stale_locks,
    },
    Output,
};
use crate::report::{Code, Report};

/// After git has ended, how long a process that it left behind may keep its output open.
const OUTPUT_GRACE: Duration = Duration::from_secs(2);

/// A git process under way. Dropping it ends the whole process group.
#[derive(Debug)]
pub struct Running {
    pub(super) subcommand: &'static str,
    pub(super) timeout: Duration,
    /// Where a writing one may hold a lock of the index, and since when.
    pub(super) writes_in: Option<(PathBuf, PathBuf, SystemTime)>,
    pub(super) group: u32,
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Stdout,
    pub(super) stderr: Reader,
    pub(super) ended: Receiver<i32>,
    /// Of one that was seen to end while it was listened to.
    pub(super) exit_code: Option<i32>,
}

#[derive(Debug)]
pub(super) enum Stdout {
    Pipe(Reader),
    Lock(Answers),
}

impl Running {
    /// Writes one line (its newline included by the caller) to git.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Report> {
        let written =
            self.stdin.as_mut().map(|stdin| stdin.write_all(bytes).and_then(|()| stdin.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(Report::environment(
                Code::GitFailed,
                format!("git {} ended early", self.subcommand),
            )
            .caused_by(&error)
            .cause(String::from_utf8_lossy(&self.stderr.taken()).trim().to_owned())),
            None => Err(self.gone()),
        }
    }

    /// The next line of stdout, without its newline; `None` where git has closed it.
    pub fn read_line(&mut self) -> Result<Option<Vec<u8>>, Report> {
        let deadline = Instant::now() + self.timeout;
        let line = match &mut self.stdout {
            Stdout::Pipe(pipe) => pipe.line(deadline),
            Stdout::Lock(answers) => answers.line(deadline, &self.ended, &mut self.exit_code),
        };
        line.map_err(|()| self.timed_out())
    }

    /// What git writes up to `mark`, which only the end of an answer may be; `None` where git has closed stdout
    /// before it.
    pub fn read_up_to(&mut self, mark: &[u8]) -> Result<Option<Vec<u8>>, Report> {
        let Stdout::Pipe(pipe) = &mut self.stdout else { return Err(self.gone()) };
        pipe.up_to(mark, Instant::now() + self.timeout).map_err(|()| self.timed_out())
    }

    /// Closes stdin and waits for the end.
    pub fn end(mut self) -> Result<Output, Report> {
        self.stdin = None;
        let deadline = Instant::now() + self.timeout;
        self.finish(deadline)
    }

    pub(super) fn finish(self, deadline: Instant) -> Result<Output, Report> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.exit_code.map_or_else(|| self.ended.recv_timeout(left), Ok) {
            Ok(exit_code) => Ok(self.output(exit_code)),
            Err(RecvTimeoutError::Timeout) => Err(self.timed_out()),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    pub(super) fn output(&self, exit_code: i32) -> Output {
        // git itself ends with less: it was killed, and could not remove its own lock.
        if exit_code > 128 {
            self.remove_lock();
        }
        let grace = Instant::now() + OUTPUT_GRACE;
        let stdout = match &self.stdout {
            Stdout::Pipe(pipe) => pipe.all(grace),
            Stdout::Lock(answers) => answers.rest(),
        };
        let stderr = self.stderr.all(grace);
        Output { exit_code, stdout, stderr, subcommand: self.subcommand }
    }

    pub(super) fn timed_out(&self) -> Report {
        self.end_group();
        // What it left is looked at next, and must be all.
        let _ = self.ended.recv_timeout(OUTPUT_GRACE);
        self.remove_lock();
        let limit_s = self.timeout.as_secs();
        let headline =
            format!("git {} did not end within {limit_s} s and was ended", self.subcommand);
        Report::environment(Code::Timeout, headline)
            .safe("nothing was left half-done")
            .hint("raise `git.timeout_s` in the config if this repository is slow")
    }

    fn remove_lock(&self) {
        if let Some((git_dir, dir, since)) = &self.writes_in {
            stale_locks::remove_of_dead(git_dir, dir, *since);
        }
    }

    pub(super) fn gone(&self) -> Report {
        Report::environment(Code::GitFailed, format!("git {} was lost", self.subcommand))
    }

    pub(super) fn end_group(&self) {
        let group = i32::try_from(self.group).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            // It may have ended by itself in this instant: then there is nothing to end.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // `Disconnected` means that the end was already taken by `finish`.
        let is_open = self.exit_code.is_none();
        if is_open && matches!(self.ended.try_recv(), Err(mpsc::TryRecvError::Empty)) {
            self.end_group();
        }
    }
}

pub(super) fn wait(mut child: Child) -> Receiver<i32> {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let exit_code = child.wait().map_or(-1, |status| {
            status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
        });
        // Nobody waits any more when the process was given up.
        let _ = sender.send(exit_code);
    });
    ended
}
