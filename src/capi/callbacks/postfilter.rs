//! A C postfilter as the engine's.

use crate::base::Result;
use crate::base::hooks::{Postfilter, Postfiltering};
use crate::capi::types::{blosc2_context, blosc2_postfilter_params};
use crate::fail;
use libc::c_int;

/// A postfilter and what it gets.
pub(crate) struct CPostfilter {
    function: unsafe extern "C" fn(*mut blosc2_postfilter_params) -> c_int,
    params: blosc2_postfilter_params,
    context: *mut blosc2_context,
}

// SAFETY: the interface says that a postfilter is called from several threads at once; what its pointers lead to is the
// caller's, who has to see to that.
unsafe impl Send for CPostfilter {}
// SAFETY: as above.
unsafe impl Sync for CPostfilter {}

impl CPostfilter {
    /// `params` as the caller gave them; `context` is the one that decompresses.
    ///
    /// # Safety
    /// `function` may be called with params like these for as long as the value lives.
    pub(crate) unsafe fn new(
        function: unsafe extern "C" fn(*mut blosc2_postfilter_params) -> c_int,
        params: blosc2_postfilter_params,
        context: *mut blosc2_context,
    ) -> Self {
        CPostfilter { function, params, context }
    }
}

impl Postfilter for CPostfilter {
    fn apply(&self, block: Postfiltering<'_>) -> Result<()> {
        let mut params = blosc2_postfilter_params {
            input: block.input.as_ptr(),
            output: block.output.as_mut_ptr(),
            // Blocks and chunks have less than 2 GiB.
            size: block.output.len() as i32,
            typesize: block.typesize as i32,
            offset: block.offset as i32,
            nchunk: block.nchunk,
            nblock: block.nblock as i32,
            tid: block.tid as i32,
            ttmp: block.scratch.as_mut_ptr(),
            ttmp_nbytes: block.scratch.len(),
            ctx: self.context,
            ..self.params
        };
        // SAFETY: `new`'s caller vouched for the call; the buffers live until it returns.
        match unsafe { (self.function)(&mut params) } {
            0 => Ok(()),
            code => fail!(Failure, "it returned {code} for block {}", block.nblock),
        }
    }
}
