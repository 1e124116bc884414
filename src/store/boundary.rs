//! Places between two steps of a write, where the power may fail. A build for debugging can be told to
//! end there as `kill -9` would end it; that is how the tests try each of them. A release has none.

/// Stands before and after each change that the store makes to what is on disk.
#[cfg(not(debug_assertions))]
pub fn pass() {}

/// Ends the process at the n-th place that it comes to, where `SHADOWDECK_DIE_AT` is n.
#[cfg(debug_assertions)]
pub fn pass() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static PASSED: AtomicUsize = AtomicUsize::new(0);
    let place = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
    if std::env::var("SHADOWDECK_DIE_AT").is_ok_and(|at| at.parse() == Ok(place)) {
        let me = rustix::process::getpid();
        rustix::process::kill_process(me, rustix::process::Signal::KILL)
            .expect("a process may end itself");
    }
}
