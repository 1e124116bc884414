//! What git says: drained from its pipe by a thread, or read from the lock's file where the lock is its stdout.
//! Every wait has a deadline.

use std::{
    fs::File,
    io::{Read, Seek},
    os::{fd::OwnedFd, unix::fs::FileExt},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::report::{Code, Report};

/// How often a file that git answers into is looked at: git itself takes longer for each answer.
const ANSWER_POLL: Duration = Duration::from_millis(1);

/// What git says into the lock's file, behind what stands there of the lock's holder.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) file: File,
    read_to: u64,
}

impl Answers {
    /// The place in the file is shared with the child: it writes on from where it is now.
    pub(super) fn into_lock(lock: OwnedFd) -> Result<Self, Report> {
        let mut file = File::from(lock);
        let read_to = file.stream_position().map_err(|error| unlocked(&error))?;
        Ok(Self { file, read_to })
    }

    pub(super) fn rest(&self) -> Vec<u8> {
        let (mut said, mut at, mut piece) = (Vec::new(), self.read_to, [0; 4096]);
        // What cannot be read was not said: the caller misses the answer that it waits for.
        while let Ok(count @ 1..) = self.file.read_at(&mut piece, at) {
            said.extend_from_slice(&piece[..count]);
            at += count as u64;
        }
        said
    }

    pub(super) fn line(
        &mut self,
        deadline: Instant,
        ended: &Receiver<i32>,
        exit_code: &mut Option<i32>,
    ) -> Result<Option<Vec<u8>>, ()> {
        loop {
            let has_ended = exit_code.is_some();
            if let Some(line) = first_line(&mut self.rest()) {
                self.read_to += line.len() as u64 + 1;
                return Ok(Some(line));
            }
            if has_ended {
                return Ok(None);
            }
            if Instant::now() >= deadline {
                return Err(());
            }
            match ended.recv_timeout(ANSWER_POLL) {
                Ok(code) => *exit_code = Some(code),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

pub(super) fn unlocked(error: &std::io::Error) -> Report {
    Report::environment(Code::Io, "the lock could not be handed to git")
        .caused_by(error)
        .unchanged()
}

/// Drains a pipe on a thread, so that git never blocks on it.
#[derive(Debug)]
pub(super) struct Reader {
    buffer: Arc<Mutex<Vec<u8>>>,
    /// A message for each piece read; closed at the end of the pipe.
    arrived: Receiver<()>,
}

impl Reader {
    pub(super) fn start(pipe: Option<impl Read + Send + 'static>) -> Self {
        let buffer = Arc::new(Mutex::new(Vec::new()));
        let (sender, arrived) = mpsc::channel();
        let shared = Arc::clone(&buffer);
        if let Some(mut pipe) = pipe {
            thread::spawn(move || {
                let mut piece = vec![0; 64 * 1024];
                while let Ok(count) = pipe.read(&mut piece) {
                    if count == 0 {
                        break;
                    }
                    locked(&shared).extend_from_slice(&piece[..count]);
                    if sender.send(()).is_err() {
                        break;
                    }
                }
            });
        }
        Self { buffer, arrived }
    }

    pub(super) fn taken(&self) -> Vec<u8> {
        std::mem::take(&mut locked(&self.buffer))
    }

    /// Whole lines after the first `from` bytes, which are counted on; all of it stays there.
    pub(super) fn new_lines(&self, from: &mut usize) -> Vec<u8> {
        let buffer = locked(&self.buffer);
        let new = &buffer[(*from).min(buffer.len())..];
        let end = new.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        *from += end;
        new[..end].to_vec()
    }

    /// Everything up to the end of the pipe, or what came until the deadline.
    pub(super) fn all(&self, deadline: Instant) -> Vec<u8> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.arrived.recv_timeout(left).is_err() {
                return self.taken();
            }
        }
    }

    pub(super) fn line(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>, ()> {
        self.taking(deadline, first_line)
    }

    /// The mark itself is taken too.
    pub(super) fn up_to(&mut self, mark: &[u8], deadline: Instant) -> Result<Option<Vec<u8>>, ()> {
        self.taking(deadline, |buffer| {
            let length = buffer.strip_suffix(mark)?.len();
            let mut answer = std::mem::take(buffer);
            answer.truncate(length);
            Some(answer)
        })
    }

    /// Waits until `take` finds in the buffer what it looks for; `None` where the pipe ends first.
    fn taking(
        &mut self,
        deadline: Instant,
        take: impl Fn(&mut Vec<u8>) -> Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, ()> {
        loop {
            if let Some(taken) = take(&mut locked(&self.buffer)) {
                return Ok(Some(taken));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.arrived.recv_timeout(left) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return Err(()),
                Err(RecvTimeoutError::Disconnected) => return Ok(take(&mut locked(&self.buffer))),
            }
        }
    }
}

fn first_line(buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let end = buffer.iter().position(|byte| *byte == b'\n')?;
    let mut line: Vec<u8> = buffer.drain(..=end).collect();
    line.pop();
    Some(line)
}

fn locked(buffer: &Mutex<Vec<u8>>) -> std::sync::MutexGuard<'_, Vec<u8>> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}
