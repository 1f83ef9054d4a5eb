//! Zstandard, by the C library that `zstd-sys` builds.
#![allow(unsafe_code)] // calls into libzstd, over slices

mod coded;
mod codes;
mod frame;
mod log;
mod noise;
mod search;
mod sequences;
mod short;
mod tiny;

use super::{Dict, StreamParams, bad_stream, dict::Digest};
use crate::base::{Error, ErrorKind, Result};
use noise::Fits;
use std::ffi::{CStr, c_int, c_uint, c_ulonglong};
use std::num::NonZero;
use std::ptr::{self, NonNull};
use zstd_sys as c;

/// The level at which the C library digests dictionaries, whatever the chunk's.
const DICT_LEVEL: c_int = 1;

/// A frame's overhead and the least block: what is not longer cannot shrink.
const HOPELESS: usize = 12;

/// Whether bytes that are in no match get codes (`ZSTD_c_literalCompressionMode`).
const LITERAL_COMPRESSION: c::ZSTD_cParameter = c::ZSTD_cParameter::ZSTD_c_experimentalParam5;

/// Bytes that libzstd writes at a time, where there is room (`WILDCOPY_OVERLENGTH`).
const WIDE: usize = 32;

/// The memory of a context that is not much.
const MODEST: usize = 512 * 1024;

/// Bytes of a context that has compressed `len` bytes, about, where that is much: at level 9 of zstd's, 12 for each byte of 64 KiB.
pub fn state_len(len: usize) -> usize {
    if 12 * len > MODEST { 12 * len } else { 0 }
}

/// The library's version.
pub fn version() -> &'static str {
    // SAFETY: the function returns a static string that ends in a zero.
    unsafe { CStr::from_ptr(c::ZSTD_versionString()) }.to_str().unwrap_or("unknown")
}

/// The zstd level that Blosc means by one of its levels.
pub fn level_of(clevel: u8) -> i32 {
    match clevel {
        // SAFETY: no preconditions.
        9.. => unsafe { c::ZSTD_maxCLevel() },
        _ => i32::from(clevel) * 2 - 1,
    }
}

/// What one of zstd's levels has for streams of that length.
fn parameters_of(level: i32, len: NonZero<usize>) -> c::ZSTD_parameters {
    // SAFETY: no preconditions.
    unsafe { c::ZSTD_getParams(level, len.get() as c_ulonglong, 0) }
}

macro_rules! owned {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $free:path) => {
        $(#[$doc])*
        pub(super) struct $name(NonNull<$raw>);

        // SAFETY: the object is plain memory, tied to no thread.
        unsafe impl Send for $name {}
        // SAFETY: contexts change through `&mut` only; digested dictionaries never change, as libzstd promises.
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the object came from the matching create function and is freed once.
                unsafe { $free(self.0.as_ptr()) };
            }
        }
    };
}

owned!(
    /// A compression context.
    Compressor, c::ZSTD_CCtx, c::ZSTD_freeCCtx
);
owned!(
    /// A decompression context.
    Decompressor, c::ZSTD_DCtx, c::ZSTD_freeDCtx
);
owned!(
    /// A dictionary digested for compression; it has its own copy of the bytes.
    Writer, c::ZSTD_CDict, c::ZSTD_freeCDict
);
owned!(
    /// A dictionary digested for decompression; it has its own copy of the bytes.
    Reader, c::ZSTD_DDict, c::ZSTD_freeDDict
);

impl Writer {
    pub(super) fn new(bytes: &[u8]) -> Result<Self> {
        // SAFETY: readable bytes, which are copied.
        let raw = unsafe { c::ZSTD_createCDict(bytes.as_ptr().cast(), bytes.len(), DICT_LEVEL) };
        NonNull::new(raw).map(Writer).ok_or_else(|| bad_dict(bytes))
    }
}

impl Reader {
    pub(super) fn new(bytes: &[u8]) -> Result<Self> {
        // SAFETY: readable bytes, which are copied.
        let raw = unsafe { c::ZSTD_createDDict(bytes.as_ptr().cast(), bytes.len()) };
        NonNull::new(raw).map(Reader).ok_or_else(|| bad_dict(bytes))
    }
}

/// What a thread keeps for zstd.
#[derive(Default)]
pub struct State {
    compressor: Option<Compressor>,
    decompressor: Option<Decompressor>,
    places: noise::Places,
    short: short::Writer,
}

impl State {
    /// Compresses; 0 when it does not fit. A dictionary comes with its own level.
    pub fn compress(&mut self, p: &StreamParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let hopeless = dst.len() < src.len()
            && (src.len() <= HOPELESS
                || p.dict.is_none() && noise::is_noise(&mut self.places, p.clevel, src));
        if hopeless {
            return Ok(0);
        }
        if let Some(dict) = p.dict {
            return self.compress_with(dict, src, dst);
        }
        if p.clevel <= tiny::LEVEL {
            if let Some(len) = self.short.write(p.clevel, src, dst) {
                return Ok(len);
            }
            if let Some(len) = tiny::write(src, dst) {
                return Ok(len);
            }
            let known = match Fits::of(&mut self.places, src, dst.len()) {
                Fits::Never => Some(0),
                Fits::ByMatches => tiny::write_few(src, dst),
                Fits::Maybe => None,
            };
            if let Some(len) = known {
                return Ok(len);
            }
        }
        if let Some(len) = self.write_codes(p, src, dst)? {
            return Ok(len);
        }
        let level = level_of(p.clevel);
        self.search(level, search::parameters(level, p, src), src, dst)
    }

    /// The context for compressing.
    fn compressor(&mut self) -> Result<*mut c::ZSTD_CCtx> {
        let context = match &self.compressor {
            Some(context) => context,
            // SAFETY: no preconditions; null is handled.
            None => match NonNull::new(unsafe { c::ZSTD_createCCtx() }) {
                Some(raw) => self.compressor.insert(Compressor(raw)),
                None => return Err(no_memory()),
            },
        };
        Ok(context.0.as_ptr())
    }

    /// [`compress`](Self::compress) with a dictionary.
    fn compress_with(&mut self, dict: &Dict, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (cctx, to, room) = (self.compressor()?, dst.as_mut_ptr().cast(), dst.len());
        let Digest::ZstdWriter(writer) = dict.digest() else { return Err(dict.mismatch("zstd")) };
        let (from, len) = (src.as_ptr().cast(), src.len());
        // SAFETY: a context that nobody else uses (&mut self), `room` writable and `len` readable bytes, and a live
        // digested dictionary.
        let code = unsafe { c::ZSTD_compress_usingCDict(cctx, to, room, from, len, writer.0.as_ptr()) };
        Ok(if is_error(code) { 0 } else { code })
    }

    /// Compresses at one of zstd's own levels, by parameters or those that it has; 0 when it does not fit.
    fn search(
        &mut self,
        level: i32,
        parameters: Option<c::ZSTD_parameters>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<usize> {
        let (cctx, to, room) = (self.compressor()?, dst.as_mut_ptr().cast(), dst.len());
        let (from, len) = (src.as_ptr().cast(), src.len());
        let code = match parameters {
            // SAFETY: a context that nobody else uses (&mut self), `room` writable and `len` readable bytes.
            None => unsafe { c::ZSTD_compressCCtx(cctx, to, room, from, len, level) },
            // The only way to pass parameters that does not cost a short stream a tenth of its time.
            // SAFETY: as above; no dictionary.
            Some(parameters) => unsafe {
                c::ZSTD_compress_advanced(cctx, to, room, from, len, ptr::null(), 0, parameters)
            },
        };
        Ok(if is_error(code) { 0 } else { code })
    }

    /// Compresses by codes for bytes alone, without a search for matches; 0 when it does not fit.
    fn shrink_to_codes(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (cctx, to, room) = (self.compressor()?, dst.as_mut_ptr().cast(), dst.len());
        // The parameters stay with the context, and what does not ask for them does not see them.
        let parameters = [
            // Each level below 0 passes over so many more bytes from one search to the next.
            (c::ZSTD_cParameter::ZSTD_c_compressionLevel, -(128 << 10)),
            (LITERAL_COMPRESSION, c::ZSTD_literalCompressionMode_e::ZSTD_lcm_huffman as c_int),
        ];
        for (parameter, value) in parameters {
            // SAFETY: a context that nobody else uses (&mut self), between two streams.
            let code = unsafe { c::ZSTD_CCtx_setParameter(cctx, parameter, value) };
            if is_error(code) {
                return Ok(0);
            }
        }
        // SAFETY: as above; `room` writable bytes and as many readable ones as there are.
        let code = unsafe { c::ZSTD_compress2(cctx, to, room, src.as_ptr().cast(), src.len()) };
        Ok(if is_error(code) { 0 } else { code })
    }

    /// The context for decompressing.
    fn decompressor(&mut self) -> Result<*mut c::ZSTD_DCtx> {
        let context = match &self.decompressor {
            Some(context) => context,
            // SAFETY: no preconditions; null is handled.
            None => match NonNull::new(unsafe { c::ZSTD_createDCtx() }) {
                Some(raw) => self.decompressor.insert(Decompressor(raw)),
                None => return Err(no_memory()),
            },
        };
        Ok(context.0.as_ptr())
    }

    /// Decompresses.
    fn decompress(&mut self, dict: Option<&Dict>, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let len = dst.len();
        self.decompress_lent(dict, src, dst, len)
    }

    /// Decompresses into the first `len` bytes of `dst`. What stands behind them may change: where there is room for wide copies,
    /// libzstd need not copy the last bytes one by one.
    ///
    /// # Panics
    /// When `dst` is shorter.
    pub fn decompress_lent(
        &mut self,
        dict: Option<&Dict>,
        src: &[u8],
        dst: &mut [u8],
        len: usize,
    ) -> Result<usize> {
        assert!(len <= dst.len());
        if dict.is_none()
            && let Some(read) = tiny::read(src, &mut dst[..len]).or_else(|| coded::read(src, &mut dst[..len]))
        {
            return Ok(read);
        }
        let room = dst.len().min(len + WIDE);
        match self.read_by_library(dict, src, &mut dst[..room])? {
            written if written <= len => Ok(written),
            _ => Err(bad_stream("zstd", src.len())),
        }
    }

    /// Decompresses by libzstd.
    fn read_by_library(&mut self, dict: Option<&Dict>, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (dctx, to, room) = (self.decompressor()?, dst.as_mut_ptr().cast(), dst.len());
        let (from, n) = (src.as_ptr().cast(), src.len());
        let code = match reader(dict)? {
            // SAFETY: a context that nobody else uses (&mut self), `room` writable and `n` readable bytes; libzstd
            // checks every access.
            None => unsafe { c::ZSTD_decompressDCtx(dctx, to, room, from, n) },
            // SAFETY: as above, and a live digested dictionary.
            Some(dict) => unsafe { c::ZSTD_decompress_usingDDict(dctx, to, room, from, n, dict.0.as_ptr()) },
        };
        checked(code, src)
    }

    /// Decompresses at least the first `enough` bytes, or all where there are fewer, and tells how many: to the end of one of
    /// the blocks that zstd makes of a stream. `dst` has room for the whole stream.
    pub fn decompress_front(
        &mut self,
        dict: Option<&Dict>,
        src: &[u8],
        dst: &mut [u8],
        enough: usize,
    ) -> Result<usize> {
        let dctx = self.decompressor()?;
        let begun = match reader(dict)? {
            // SAFETY: a context that nobody else uses (&mut self).
            None => unsafe { c::ZSTD_decompressBegin(dctx) },
            // SAFETY: as above, and a live digested dictionary.
            Some(dict) => unsafe { c::ZSTD_decompressBegin_usingDDict(dctx, dict.0.as_ptr()) },
        };
        checked(begun, src)?;
        // One pointer for all: libzstd keeps where it wrote before.
        let (to, room) = (dst.as_mut_ptr(), dst.len());
        let (mut rest, mut filled) = (src, 0);
        while filled < enough {
            // SAFETY: as above.
            let next = unsafe { c::ZSTD_nextSrcSizeToDecompress(dctx) };
            let Some(part) = rest.split_off(..next).filter(|part| !part.is_empty()) else {
                // Cut short, or a frame that others follow.
                return self.decompress(dict, src, dst);
            };
            let (from, len) = (part.as_ptr().cast(), part.len());
            // SAFETY: as above; `len` readable bytes, `room` writable ones of which `filled` are written, right before.
            let made =
                unsafe { c::ZSTD_decompressContinue(dctx, to.add(filled).cast(), room - filled, from, len) };
            filled += checked(made, src)?;
        }
        Ok(filled)
    }
}

/// What a dictionary was digested to for decompression.
fn reader(dict: Option<&Dict>) -> Result<Option<&Reader>> {
    dict.map(|dict| match dict.digest() {
        Digest::ZstdReader(reader) => Ok(reader),
        _ => Err(dict.mismatch("zstd")),
    })
    .transpose()
}

/// What libzstd answers about `stream`, unless that is an error.
fn checked(code: usize, stream: &[u8]) -> Result<usize> {
    if is_error(code) { Err(bad_stream("zstd", stream.len())) } else { Ok(code) }
}

/// The most bytes of a block that zstd makes of a stream.
pub const BLOCK: usize = c::ZSTD_BLOCKSIZE_MAX as usize;

/// Trains a dictionary; `None` when the samples give none. The sizes' sum is at most `samples.len()`.
pub(super) fn train(samples: &[u8], sizes: &[usize], max_len: usize) -> Option<Vec<u8>> {
    debug_assert!(sizes.iter().sum::<usize>() <= samples.len());
    let mut dict = vec![0; max_len];
    let count = c_uint::try_from(sizes.len()).ok()?;
    let (to, from) = (dict.as_mut_ptr().cast(), samples.as_ptr().cast());
    // SAFETY: max_len writable bytes; `count` sizes whose sum is readable behind `samples`.
    let code = unsafe { c::ZDICT_trainFromBuffer(to, max_len, from, sizes.as_ptr(), count) };
    if is_error(code) || code == 0 {
        return None;
    }
    dict.truncate(code);
    Some(dict)
}

fn is_error(code: usize) -> bool {
    // SAFETY: no preconditions; ZDICT's codes are zstd's.
    unsafe { c::ZSTD_isError(code) != 0 }
}

fn bad_dict(bytes: &[u8]) -> Error {
    Error::new(ErrorKind::CodecDict, format!("zstd refuses the dictionary of {} bytes", bytes.len()))
}

fn no_memory() -> Error {
    Error::new(ErrorKind::MemoryAlloc, "no memory for a zstd context")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    /// A stream of anything, at a Blosc level.
    pub(super) fn at(clevel: u8) -> StreamParams<'static> {
        StreamParams { clevel, ..StreamParams::default() }
    }

    /// The stream that libzstd reads, or that it is none.
    pub(super) fn by_library(stream: &[u8], len: usize) -> Option<Vec<u8>> {
        thread_local!(static STATE: std::cell::RefCell<State> = Default::default());
        let mut dst = vec![0xc5; len];
        let read = STATE.with_borrow_mut(|state| state.read_by_library(None, stream, &mut dst)).ok()?;
        dst.truncate(read);
        Some(dst)
    }

    /// The stream that one of ours reads, if it does. `len` bytes are at hand for it.
    pub(super) fn by(
        read: fn(&[u8], &mut [u8]) -> Option<usize>,
        stream: &[u8],
        len: usize,
    ) -> Option<Vec<u8>> {
        let mut dst = vec![0xc5; len];
        let read = read(stream, &mut dst)?;
        assert!(dst[read..].iter().all(|&byte| byte == 0xc5));
        dst.truncate(read);
        Some(dst)
    }

    /// Changes a few bytes or bits, mostly behind the frame's header, or cuts some off.
    pub(super) fn mutate(random: &mut Random, stream: &mut Vec<u8>) {
        for _ in 0..=random.below(3) {
            let first = if random.below(4) == 0 { 0 } else { 6 };
            let at = first + random.below(stream.len().saturating_sub(first).max(1));
            let Some(byte) = stream.get_mut(at) else { continue };
            match random.below(4) {
                0 => *byte = random.below(256) as u8,
                1 => *byte ^= 1 << random.below(8),
                2 => *byte = byte.wrapping_add(1),
                _ => *byte = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            }
        }
        match random.below(8) {
            0 => stream.truncate(random.below(stream.len() + 1)),
            1 => stream.push(random.below(256) as u8),
            _ => {}
        }
    }

    /// Numbers that count, slowly and with a little noise: of several blocks, which refer to each other.
    fn counted(len: usize) -> Vec<u8> {
        let mut rng = Random::new(23);
        (0..len / 4).flat_map(|i| (i as u32 * 3 + rng.below(4) as u32).to_le_bytes()).collect()
    }

    #[test]
    fn what_is_behind_the_place_of_a_stream_is_lent_and_no_part_of_it() {
        let mut state = State::default();
        for len in [100, 1000, 5000, BLOCK + 5] {
            let src = counted(len);
            let mut stream = vec![0; src.len()];
            let n = state.compress(&at(5), &src, &mut stream).unwrap();
            stream.truncate(n);
            for lent in [0, 1, WIDE - 1, WIDE, WIDE + 1, 500] {
                let mut dst = vec![7; src.len() + lent];
                let mut read = |len| state.decompress_lent(None, &stream, &mut dst, len);
                assert!(read(src.len() - 1).is_err(), "{lent} lent");
                assert_eq!(read(src.len()).unwrap(), src.len());
                assert!(dst[..src.len()] == src);
                assert!(dst[src.len()..].iter().skip(WIDE).all(|&byte| byte == 7));
            }
        }
    }

    #[test]
    fn the_front_of_a_stream_is_read_by_blocks() {
        let src = counted(3 * BLOCK + 1000);
        let mut state = State::default();
        for clevel in [1, 5] {
            let mut stream = vec![0; src.len()];
            let len = state.compress(&at(clevel), &src, &mut stream).unwrap();
            stream.truncate(len);
            for enough in [0, 1, 1000, BLOCK, BLOCK + 1, 2 * BLOCK + 7, src.len() - 1, src.len()] {
                let mut dst = vec![0; src.len()];
                let read = state.decompress_front(None, &stream, &mut dst, enough).unwrap();
                assert!((enough..=src.len().min(enough + BLOCK)).contains(&read), "{enough}: {read}");
                assert!(dst[..read] == src[..read]);
                // The next stream is read from its beginning.
                assert_eq!(state.decompress(None, &stream, &mut dst).unwrap(), src.len());
                assert!(dst == src);
            }
            // What is not looked at may be missing.
            let mut dst = vec![0; src.len()];
            assert!(state.decompress_front(None, &stream[..len - 1], &mut dst, 1000).is_ok());
            assert!(state.decompress_front(None, &stream[..len - 1], &mut dst, src.len()).is_err());
            assert!(state.decompress_front(None, &stream[..20], &mut dst, 1000).is_err());
            assert!(state.decompress_front(None, &[], &mut dst, 1000).map_or(true, |read| read < 1000));
        }
    }

    #[test]
    fn the_front_of_several_frames_and_of_damaged_ones_is_read_as_all_of_it_is() {
        let (src, mut state) = (counted(10_000), State::default());
        let mut stream = vec![0; src.len()];
        let len = state.compress(&at(5), &src, &mut stream).unwrap();
        stream.truncate(len);
        let twice = [&stream[..], &stream[..]].concat();
        let mut dst = vec![0; 2 * src.len()];
        assert_eq!(state.decompress_front(None, &twice, &mut dst, 15_000).unwrap(), 2 * src.len());
        assert!(dst[..src.len()] == src && dst[src.len()..] == src);
        let mut rng = Random::new(29);
        for _ in 0..2000 {
            let mut bad = stream.clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(len);
                bad[at] ^= 1 << rng.below(8);
            }
            let enough = rng.below(src.len() + 1);
            let (mut front, mut whole) = (vec![0; src.len()], vec![0; src.len()]);
            let read = state.decompress_front(None, &bad, &mut front, enough);
            if let (Ok(read), Ok(all)) = (read, state.decompress(None, &bad, &mut whole)) {
                assert!(read <= all && front[..read] == whole[..read]);
            }
        }
    }
}
