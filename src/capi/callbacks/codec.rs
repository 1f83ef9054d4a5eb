//! A C codec as the engine's.

use crate::base::{Error, ErrorKind, Result};
use crate::capi::context::look;
use crate::capi::plugins;
use crate::capi::types::plugins::{blosc2_codec_decoder_cb, blosc2_codec_encoder_cb};
use crate::codec::user::{Call, UserCodec};
use std::ptr::null;
use std::sync::Arc;

/// The functions of a codec. One that was registered without them is in a plugin of its name.
pub(crate) struct CCodec {
    name: String,
    encoder: blosc2_codec_encoder_cb,
    decoder: blosc2_codec_decoder_cb,
}

impl CCodec {
    /// # Safety
    /// The functions are what the interface says of them, and may be called from any thread for as long as the value
    /// lives.
    pub(crate) unsafe fn new(
        name: &str,
        encoder: blosc2_codec_encoder_cb,
        decoder: blosc2_codec_decoder_cb,
    ) -> Self {
        CCodec { name: name.to_owned(), encoder, decoder }
    }

    /// The codec in the plugin `name`.
    ///
    /// # Errors
    /// As [`plugins::codec`].
    pub(crate) fn plugin(name: &str) -> Result<Arc<dyn UserCodec>> {
        let (encoder, decoder) = plugins::codec(name)?;
        // SAFETY: a plugin says that these are its functions, and is never unloaded.
        Ok(Arc::new(unsafe { CCodec::new(name, encoder, decoder) }))
    }

    fn missing(&self) -> Error {
        Error::new(ErrorKind::CodecSupport, format!("the codec {} has no function", self.name))
    }
}

/// What a codec's function wrote, by what it returned.
fn written(code: i32, name: &str) -> Result<usize> {
    usize::try_from(code)
        .map_err(|_| Error::new(ErrorKind::Data, format!("the codec {name} returned {code}")))
}

/// What the C interface passes as the chunk.
fn chunk_of(call: &Call<'_>) -> *const libc::c_void {
    if call.chunk.is_empty() { null() } else { call.chunk.as_ptr().cast() }
}

impl UserCodec for CCodec {
    fn encode(&self, meta: u8, call: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let function = match self.encoder {
            None => plugins::codec(&self.name)?.0,
            some => some,
        };
        let function = function.ok_or_else(|| self.missing())?;
        // SAFETY: the token is that of the context that compresses.
        let mut cparams = unsafe { look::cparams_of_call(call.token) };
        // Streams have less than 2 GiB.
        // SAFETY: `new`'s caller vouched for the function; the slices live until it returns.
        let code = unsafe {
            function(
                src.as_ptr(),
                src.len() as i32,
                dst.as_mut_ptr(),
                dst.len() as i32,
                meta,
                &mut cparams,
                chunk_of(call),
            )
        };
        written(code, &self.name)
    }

    fn decode(&self, meta: u8, call: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let function = match self.decoder {
            None => plugins::codec(&self.name)?.1,
            some => some,
        };
        let function = function.ok_or_else(|| self.missing())?;
        // A chunk's typesize is its fourth byte.
        let typesize = call.chunk.get(3).copied().unwrap_or(1);
        // SAFETY: the token is that of the context that decompresses.
        let mut dparams = unsafe { look::dparams_of_call(call.token, typesize.into()) };
        // SAFETY: as above.
        let code = unsafe {
            function(
                src.as_ptr(),
                src.len() as i32,
                dst.as_mut_ptr(),
                dst.len() as i32,
                meta,
                &mut dparams,
                chunk_of(call),
            )
        };
        written(code, &self.name)
    }
}
