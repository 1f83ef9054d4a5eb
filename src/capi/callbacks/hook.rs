//! What prefilters and postfilters have in common: a C function over blocks, and the parameters of its every call.

use crate::base::Result;
use crate::capi::types::blosc2_context;
use crate::fail;
use libc::c_int;

/// A function over blocks, what it gets, and the context that it is told of.
pub(crate) struct Hook<P> {
    function: unsafe extern "C" fn(*mut P) -> c_int,
    pub(super) params: P,
    pub(super) context: *mut blosc2_context,
}

// SAFETY: the interface says that these functions are called from several threads at once; what their parameters' pointers
// lead to is the caller's, who has to see to that.
unsafe impl<P> Send for Hook<P> {}
// SAFETY: as above.
unsafe impl<P> Sync for Hook<P> {}

impl<P> Hook<P> {
    /// `params` as the caller gave them; `context` is the one that works on the blocks.
    ///
    /// # Safety
    /// `function` may be called with params like these for as long as the value lives.
    pub(crate) unsafe fn new(
        function: unsafe extern "C" fn(*mut P) -> c_int,
        params: P,
        context: *mut blosc2_context,
    ) -> Self {
        Hook { function, params, context }
    }

    /// Calls the function for block `nblock` with `params`, whose buffers live until it returns.
    pub(super) fn call(&self, mut params: P, nblock: usize) -> Result<()> {
        // SAFETY: `new`'s caller vouched for the call.
        match unsafe { (self.function)(&mut params) } {
            0 => Ok(()),
            code => fail!(Failure, "it returned {code} for block {nblock}"),
        }
    }
}
