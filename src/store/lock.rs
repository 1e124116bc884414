//! One advisory lock a repository, held for a whole operation and by every git child that writes for it.
//! Who waits is told who holds it. The kernel frees it when the last holder ends, however it ends.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, Write},
    os::{
        fd::OwnedFd,
        unix::fs::{MetadataExt, OpenOptionsExt},
    },
    path::Path,
    sync::{
        atomic::AtomicBool,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::fs::FlockOperation;

use super::{Store, atomic, process::own_pid};
use crate::{
    report::{Code, Doing, Report},
    review::{Progress, Step, Watch},
};

/// A landing with a large checkout may hold it for minutes; longer, and something is stuck.
pub const WAIT_MAX: Duration = Duration::from_secs(120);
/// A list is not kept waiting for longer.
pub const WAIT_OF_READER_MAX: Duration = Duration::from_secs(5);

/// Who waits sees who holds it, and may stop waiting, as often.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Held until dropped, and by every git that got a share of it, as its stdout, until that git ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Store {
    /// Waits for the lock at most so long. `operation` is what others are shown meanwhile.
    pub fn lock(&self, operation: &str, wait_max: Duration) -> Result<Lock, Report> {
        let watch = Watch { tell: &drop, stop: &AtomicBool::new(false) };
        self.lock_watched(operation, wait_max, watch)
    }

    /// As [`Store::lock`], for who is told who holds it and may stop waiting.
    pub fn lock_watched(
        &self,
        operation: &str,
        wait_max: Duration,
        watch: Watch<'_>,
    ) -> Result<Lock, Report> {
        self.refuse_unwritable()?;
        watch.step(Step::Lock);
        self.lock_at(&self.dir().join("lock"), operation, wait_max, watch)
    }

    /// Another lock of this repository, which nobody holds for long.
    pub(super) fn lock_file(&self, path: &Path, operation: &str) -> Result<Lock, Report> {
        self.refuse_unwritable()?;
        let watch = Watch { tell: &drop, stop: &AtomicBool::new(false) };
        self.lock_at(path, operation, WAIT_MAX, watch)
    }

    fn lock_at(
        &self,
        path: &Path,
        operation: &str,
        wait_max: Duration,
        watch: Watch<'_>,
    ) -> Result<Lock, Report> {
        let dir = path.parent().unwrap_or(self.dir());
        atomic::make_dirs(dir).doing(format!("make {}", dir.display()))?;
        let file = open(path).doing(format!("open {}", path.display()))?;
        let file = match try_lock(&file) {
            Ok(true) => file,
            Ok(false) => wait(file, wait_max, path, watch)?,
            Err(error) => return Err(error).doing(format!("lock {}", path.display())),
        };
        // Someone removed or replaced the lock file while we waited: what we hold is no lock then.
        let held = file.metadata().doing("read the lock")?.ino();
        let named = std::fs::metadata(path).doing("read the lock")?.ino();
        if held != named {
            return Err(Report::environment(
                Code::Io,
                format!("{} was replaced while it was waited for", path.display()),
            )
            .unchanged()
            .hint("run it again"));
        }
        let lock = Lock { file };
        lock.write_holder(operation);
        Ok(lock)
    }
}

impl Store {
    /// Who holds the lock just now, in words; `None` where nobody does.
    pub fn find_holder(&self) -> Option<String> {
        let mut file = open(&self.dir().join("lock")).ok()?;
        match try_lock(&file) {
            Ok(false) => read_holder(&mut file).map(|holder| in_words(&holder)),
            _ => None,
        }
    }
}

impl Lock {
    /// A share for a writing child: while it lives, the lock is held.
    pub fn share(&self) -> Result<OwnedFd, Report> {
        Ok(self.file.try_clone().doing("share the lock with git")?.into())
    }

    /// For people only, so a failure to write it is no failure of the lock.
    fn write_holder(&self, operation: &str) {
        let mut file = &self.file;
        let text = format!("{} {operation}\n", own_pid());
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()));
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn try_lock(file: &File) -> std::io::Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The kernel wakes a thread that waits; where that takes too long, the thread is left behind and
/// lets the lock go again as soon as it gets it, since nobody takes it from it.
fn wait(mut file: File, wait_max: Duration, path: &Path, watch: Watch<'_>) -> Result<File, Report> {
    if wait_max.is_zero() {
        let holder = read_holder(&mut file);
        return Err(held(path, holder.as_deref(), wait_max));
    }
    let (sender, locked) = mpsc::channel();
    let mut waiting = file.try_clone().doing("wait for the lock")?;
    thread::spawn(move || {
        let result = loop {
            match rustix::fs::flock(&file, FlockOperation::LockExclusive) {
                Err(rustix::io::Errno::INTR) => {}
                result => break result,
            }
        };
        let _ = sender.send(result.map(|()| file));
    });
    let deadline = Instant::now() + wait_max;
    let mut told = None;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match locked.recv_timeout(left.min(LOOK_EVERY)) {
            Ok(Ok(file)) => return Ok(file),
            Ok(Err(error)) => {
                return Err(std::io::Error::from(error)).doing(format!("lock {}", path.display()));
            }
            Err(RecvTimeoutError::Timeout) if !left.is_zero() => {
                watch.refuse_stopped("waiting for the lock")?;
                let holder = read_holder(&mut waiting).as_deref().map_or_else(another, in_words);
                if told.as_ref() != Some(&holder) {
                    (watch.tell)(Progress::Held(holder.clone()));
                    told = Some(holder);
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                let holder = read_holder(&mut waiting);
                return Err(held(path, holder.as_deref(), wait_max));
            }
        }
    }
}

fn another() -> String {
    "another operation".to_owned()
}

fn held(path: &Path, holder: Option<&str>, waited: Duration) -> Report {
    let who = holder.map_or_else(another, in_words);
    Report::environment(
        Code::TargetBusy,
        format!(
            "{who} holds this repository's lock, and did not let go within {} s",
            waited.as_secs()
        ),
    )
    .unchanged()
    .hint("run it again when that one has ended")
    .detail("lock", path.display().to_string())
    .detail("holder", who)
}

fn in_words(holder: &str) -> String {
    match holder.split_once(' ') {
        Some((pid, operation)) => format!("`{operation}` (process {pid})"),
        None => format!("process {holder}"),
    }
}

fn read_holder(file: &mut File) -> Option<String> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // Behind the first line stands what the holder's git processes said.
    let holder = text.lines().next()?.trim();
    (!holder.is_empty()).then(|| holder.to_owned())
}
