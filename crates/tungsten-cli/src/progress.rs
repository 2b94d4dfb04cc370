//! A spinner on standard error for work that takes over half a second, on a terminal only.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

const SHOW_AFTER: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(120);

/// Runs from `start` until it is dropped.
pub struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts waiting; `wanted` is false for `--json` and CI.
    pub fn start(message: &'static str, wanted: bool) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self { stop: None, thread: None };
        }
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            if stopped.recv_timeout(SHOW_AFTER).is_ok() {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(message);
            while stopped.recv_timeout(TICK).is_err() {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let (Some(stop), Some(thread)) = (self.stop.take(), self.thread.take()) {
            // The thread may be gone already; then there is nothing left to stop.
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}
