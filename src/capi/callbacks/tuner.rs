//! A C tuner as the engine's: it reads and writes the fields of the context, which become the parameters.

use crate::base::hooks::Tuner;
use crate::base::params::CParams;
use crate::base::{Error, ErrorKind, Result};
use crate::capi::context::{look, params};
use crate::capi::tuners;
use crate::capi::types::blosc2_context;
use std::ptr::NonNull;
use std::time::Duration;

/// A tuner at work for one context.
pub(crate) struct CTuner {
    tuner: tuners::Tuner,
    context: NonNull<blosc2_context>,
}

// SAFETY: a compression context is used by one thread at a time, and the tuner is asked by the one that uses it.
unsafe impl Send for CTuner {}
// SAFETY: as above.
unsafe impl Sync for CTuner {}

impl CTuner {
    /// # Safety
    /// `context` is a compression context that only this call uses for as long as the value lives; the tuner's
    /// functions are what the interface says of them.
    pub(crate) unsafe fn new(tuner: tuners::Tuner, context: NonNull<blosc2_context>) -> Self {
        CTuner { tuner, context }
    }

    fn check(&self, what: &str, code: i32) -> Result<()> {
        if code < 0 {
            let words = format!("{what} of {} returned {code}", self.tuner.name);
            return Err(Error::new(ErrorKind::Tuner, words));
        }
        Ok(())
    }

    /// Whether the tuner keeps something with the context: only then does it choose more than block sizes, and learn.
    fn is_started(&self) -> bool {
        // SAFETY: `new`'s caller vouched for the context.
        unsafe { !(*self.context.as_ptr()).tuner_params.is_null() }
    }
}

impl Tuner for CTuner {
    fn tune(&self, nbytes: usize, chosen: &mut CParams) -> Result<()> {
        let (what, choose) = if self.is_started() {
            ("next_cparams", self.tuner.function(|f| f.next_cparams)?)
        } else {
            ("next_blocksize", self.tuner.function(|f| f.next_blocksize)?)
        };
        // SAFETY: `new`'s caller vouched for the context and the functions; no reference to the context is held while
        // they run.
        unsafe {
            look::show_size(self.context, nbytes);
            self.check(what, choose(self.context.as_ptr()))?;
            params::absorb(self.context, chosen)?;
            look::show_blocks(self.context, chosen, nbytes);
        }
        Ok(())
    }

    fn learn(&self, _nbytes: usize, cbytes: usize, elapsed: Duration) -> Result<()> {
        if !self.is_started() {
            return Ok(());
        }
        let update = self.tuner.function(|f| f.update)?;
        // SAFETY: as above. Chunks have less than 2 GiB.
        let code = unsafe {
            (*self.context.as_ptr()).destsize = cbytes as i32;
            update(self.context.as_ptr(), elapsed.as_secs_f64())
        };
        self.check("update", code)
    }
}
