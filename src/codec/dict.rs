//! Dictionaries: bytes that the streams of a chunk may refer to before their own beginning.
//!
//! A [`Dict`] holds the bytes and what its codec has made of them once (a table, a digested form), for one direction.
//! Any number of threads may use it.

use super::{LZ4, LZ4HC, ZSTD, lz4, zstd};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;

/// A dictionary, ready for one codec in one direction.
pub struct Dict {
    // Before the bytes that it refers to, so that it goes first.
    digest: Digest,
    bytes: Box<[u8]>,
}

/// What a codec made of a dictionary's bytes.
pub(super) enum Digest {
    /// Nothing: LZ4 decompresses with the bytes as they are.
    Plain,
    Lz4(lz4::Fast),
    Lz4Hc(lz4::High),
    ZstdWriter(zstd::Writer),
    ZstdReader(zstd::Reader),
}

impl Dict {
    /// A dictionary to compress with.
    ///
    /// # Errors
    /// `CodecParam` for a codec without dictionaries, `CodecDict` when the codec refuses the bytes.
    pub fn for_compression(codec: u8, clevel: u8, bytes: &[u8]) -> Result<Self> {
        // The boxed bytes do not move when the Dict does.
        let bytes: Box<[u8]> = bytes.into();
        let digest = match codec {
            LZ4 => Digest::Lz4(lz4::Fast::of_dict(&bytes)?),
            LZ4HC => Digest::Lz4Hc(lz4::High::of_dict(&bytes, clevel)?),
            ZSTD => Digest::ZstdWriter(zstd::Writer::new(&bytes)?),
            _ => return Err(without(codec)),
        };
        Ok(Dict { digest, bytes })
    }

    /// A dictionary to decompress with; the bytes are untrusted.
    ///
    /// # Errors
    /// As [`Dict::for_compression`].
    pub fn for_decompression(codec: u8, bytes: &[u8]) -> Result<Self> {
        let digest = match codec {
            LZ4 | LZ4HC => Digest::Plain,
            ZSTD => Digest::ZstdReader(zstd::Reader::new(bytes)?),
            _ => return Err(without(codec)),
        };
        Ok(Dict { digest, bytes: bytes.into() })
    }

    /// The bytes, as they stand in the chunk.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The error for a dictionary that was made for something else.
    pub(super) fn mismatch(&self, wanted: &'static str) -> Error {
        Error::new(
            ErrorKind::CodecDict,
            format!("the dictionary was not made for {wanted} in this direction"),
        )
    }
}

/// Whether streams of `codec` can use a dictionary.
pub fn supported(codec: u8) -> bool {
    matches!(codec, LZ4 | LZ4HC | ZSTD)
}

/// Makes a dictionary of at most `max_len` bytes from samples that stand one after another in `samples`, `sizes` long
/// each: for zstd a trained one, for LZ4 their beginning. `None` when zstd finds nothing worth having.
///
/// # Errors
/// `CodecParam` for a codec without dictionaries, or sizes that are more than `samples`.
pub fn train(codec: u8, samples: &[u8], sizes: &[usize], max_len: usize) -> Result<Option<Vec<u8>>> {
    match codec {
        LZ4 | LZ4HC => Ok(Some(samples[..samples.len().min(max_len)].to_vec())),
        ZSTD => match sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size)) {
            Some(total) if total <= samples.len() => Ok(zstd::train(samples, sizes, max_len)),
            _ => fail!(CodecParam, "{} samples are more than the {} bytes given", sizes.len(), samples.len()),
        },
        _ => Err(without(codec)),
    }
}

fn without(codec: u8) -> Error {
    Error::new(ErrorKind::CodecParam, format!("codec {codec} has no dictionaries"))
}
