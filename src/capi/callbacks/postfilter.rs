//! A C postfilter as the engine's.

use super::hook::Hook;
use crate::base::Result;
use crate::base::hooks::{Postfilter, Postfiltering};
use crate::capi::types::blosc2_postfilter_params;

/// A postfilter of a context's.
pub(crate) type CPostfilter = Hook<blosc2_postfilter_params>;

impl Postfilter for CPostfilter {
    fn apply(&self, block: Postfiltering<'_>) -> Result<()> {
        let params = blosc2_postfilter_params {
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
        self.call(params, block.nblock)
    }
}
