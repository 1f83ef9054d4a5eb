//! A C prefilter as the engine's.

use super::hook::Hook;
use crate::base::Result;
use crate::base::hooks::{Prefilter, Prefiltering};
use crate::capi::types::blosc2_prefilter_params;
use crate::fail;

/// A prefilter of a context's.
pub(crate) type CPrefilter = Hook<blosc2_prefilter_params>;

impl CPrefilter {
    /// Calls the function for `block`, which it is to write to `output`, made of items of `typesize` bytes.
    fn call_for(&self, block: Prefiltering<'_>, output: &mut [u8], typesize: usize) -> Result<()> {
        let params = blosc2_prefilter_params {
            input: block.input.as_ptr(),
            output: output.as_mut_ptr(),
            // Blocks and chunks have less than 2 GiB.
            output_size: output.len() as i32,
            output_typesize: typesize as i32,
            output_offset: block.offset as i32,
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

impl Prefilter for CPrefilter {
    fn apply(&self, mut block: Prefiltering<'_>) -> Result<()> {
        let output = std::mem::take(&mut block.output);
        let items = output.len() / block.typesize;
        // The items that come out may have another size than those that go in.
        match usize::try_from(self.params.output_typesize) {
            Ok(typesize) if typesize > 0 && typesize != block.typesize => {
                let size = items.saturating_mul(typesize);
                if size <= output.len() {
                    return self.call_for(block, &mut output[..size], typesize);
                }
                if i32::try_from(size).is_err() {
                    fail!(Failure, "{items} items of {typesize} bytes");
                }
                // More than a block takes: the rest is lost.
                let mut larger = vec![0; size];
                self.call_for(block, &mut larger, typesize)?;
                output.copy_from_slice(&larger[..output.len()]);
                Ok(())
            }
            _ => {
                let typesize = block.typesize;
                self.call_for(block, output, typesize)
            }
        }
    }

    fn output_is_disposable(&self) -> bool {
        self.params.output_is_disposable
    }
}
