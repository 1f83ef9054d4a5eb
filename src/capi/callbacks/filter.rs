//! A C filter as the engine's.

use crate::base::{Error, ErrorKind, Result};
use crate::capi::context::look;
use crate::capi::plugins;
use crate::capi::types::plugins::{blosc2_filter_backward_cb, blosc2_filter_forward_cb};
use crate::filter::{UserCall, UserFilter};

/// The functions of a filter. One that was registered without them is in a plugin of its name.
pub(crate) struct CFilter {
    name: String,
    forward: blosc2_filter_forward_cb,
    backward: blosc2_filter_backward_cb,
}

impl CFilter {
    /// # Safety
    /// The functions are what the interface says of them, and may be called from any thread for as long as the value
    /// lives.
    pub(crate) unsafe fn new(
        name: &str,
        forward: blosc2_filter_forward_cb,
        backward: blosc2_filter_backward_cb,
    ) -> Self {
        CFilter { name: name.to_owned(), forward, backward }
    }

    /// The error that a filter's function returned.
    fn check(&self, code: i32) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let kind = ErrorKind::from_code(code).unwrap_or(ErrorKind::Failure);
        Err(Error::new(kind, format!("the filter {} returned {code}", self.name)))
    }

    fn missing(&self) -> Error {
        Error::new(ErrorKind::FilterPipeline, format!("the filter {} has no function", self.name))
    }
}

impl UserFilter for CFilter {
    fn forward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
        let function = match self.forward {
            None => plugins::filter(&self.name)?.0,
            some => some,
        };
        let function = function.ok_or_else(|| self.missing())?;
        // SAFETY: the token is that of the context that compresses.
        let mut cparams = unsafe { look::cparams_of_call(call.token) };
        // Blocks have less than 2 GiB.
        let len = input.len() as i32;
        // SAFETY: `new`'s caller vouched for the function; the slices, of one length, live until it returns.
        self.check(unsafe {
            function(input.as_ptr(), output.as_mut_ptr(), len, call.meta, &mut cparams, call.id)
        })
    }

    fn backward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
        let function = match self.backward {
            None => plugins::filter(&self.name)?.1,
            some => some,
        };
        let function = function.ok_or_else(|| self.missing())?;
        // SAFETY: the token is that of the context that decompresses.
        let mut dparams = unsafe { look::dparams_of_call(call.token, call.typesize as i32) };
        let len = input.len() as i32;
        // SAFETY: as above.
        self.check(unsafe {
            function(input.as_ptr(), output.as_mut_ptr(), len, call.meta, &mut dparams, call.id)
        })
    }
}
