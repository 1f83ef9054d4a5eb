//! A bar for what takes more than a second, on a terminal.

use blosc2::io::Backend;
use blosc2::io::probe::Probe;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a command may take before it shows how far it is.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a command is. Shown, if at all, on standard error.
pub struct Progress {
    bar: ProgressBar,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Of `total` bytes.
    pub fn of_bytes(what: &'static str, total: u64) -> Self {
        let style = "{msg} {wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta}";
        Progress::new(what, total, style, |_| ())
    }

    /// Of `total` steps.
    pub fn of_steps(what: &'static str, total: u64) -> Self {
        Progress::new(what, total, "{msg} {wide_bar} {pos} of {len}, {eta}", |_| ())
    }

    /// Of reading `total` bytes through a backend, which it gives.
    pub fn of_reading(what: &'static str, total: u64, io: Arc<dyn Backend>) -> (Self, Arc<dyn Backend>) {
        let probe = Probe::new(io);
        let counter = probe.clone();
        let style = "{msg} {wide_bar} {binary_bytes} of {binary_total_bytes}, {elapsed}";
        let count = move |bar: &ProgressBar| bar.inc(counter.take().read_bytes);
        (Progress::new(what, total, style, count), Arc::new(probe))
    }

    fn new(
        what: &'static str,
        total: u64,
        style: &str,
        look: impl Fn(&ProgressBar) + Send + 'static,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        let (ended, shown) = (channel(), bar.clone());
        let (end, ended) = ended;
        let show = move || {
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                if wait == PATIENCE {
                    // Draws only where standard error is a terminal.
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                }
                wait = Duration::from_millis(100);
                look(&shown);
                shown.tick();
            }
        };
        let thread = thread::Builder::new().spawn(show).ok();
        Progress { bar, end: thread.map(|thread| (end, thread)) }
    }

    /// So much more is done.
    pub fn add(&self, done: u64) {
        self.bar.inc(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.end.take() {
            drop(end);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
