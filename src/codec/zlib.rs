//! Deflate in a zlib wrapper, by `zlib-rs`.

use super::bad_stream;
use crate::base::Result;
use crate::fail;
use zlib_rs::{Deflate, DeflateFlush, Inflate, InflateFlush, Status};

const WINDOW_BITS: u8 = 15;

/// The version of zlib that the library stands for, and its own name.
pub const VERSION: &str = "1.3.0-zlib-rs";

/// What a thread keeps for zlib.
#[derive(Default)]
pub struct State {
    /// With the level it is set to.
    deflate: Option<(u8, Deflate)>,
    inflate: Option<Inflate>,
}

impl State {
    /// Compresses at zlib's level of the same number; 0 when it does not fit.
    pub fn compress(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let deflate = match &mut self.deflate {
            Some((level, deflate)) if *level == clevel => {
                deflate.reset();
                deflate
            }
            other => &mut other.insert((clevel, Deflate::new(i32::from(clevel), true, WINDOW_BITS))).1,
        };
        match deflate.compress(src, dst, DeflateFlush::Finish) {
            Ok(Status::StreamEnd) => Ok(deflate.total_out() as usize),
            Ok(_) => Ok(0),
            Err(e) => fail!(Failure, "zlib: {}", e.as_str()),
        }
    }

    /// Decompresses.
    pub fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let inflate = self.inflate();
        match inflate.decompress(src, dst, InflateFlush::Finish) {
            Ok(Status::StreamEnd) => Ok(inflate.total_out() as usize),
            _ => Err(bad_stream("zlib", src.len())),
        }
    }

    /// Decompresses the beginning of a stream: as much as fits `dst`.
    pub fn decompress_prefix(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let inflate = self.inflate();
        match inflate.decompress(src, dst, InflateFlush::SyncFlush) {
            Ok(_) => Ok(inflate.total_out() as usize),
            Err(_) => Err(bad_stream("zlib", src.len())),
        }
    }

    fn inflate(&mut self) -> &mut Inflate {
        match &mut self.inflate {
            Some(inflate) => {
                inflate.reset(true);
                inflate
            }
            none => none.insert(Inflate::new(true, WINDOW_BITS)),
        }
    }
}
