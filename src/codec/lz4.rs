//! LZ4 and LZ4 HC: reading by our own kernels, where there are any, writing by the C library that `lz4-sys` builds, but for streams
//! that are sooner written here: of the fast mode ([`fast`]), in the same bytes, and of the middle levels of the other ([`high`]).
//!
//! Tables are kept between streams, and reset fast where these are short. That never shows in the output: what is left in a
//! table from an earlier stream lies more than a window behind the next one, so liblz4 passes over it as over an empty slot.
#![allow(unsafe_code)] // calls into liblz4, over slices whose lengths were checked

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod decode;
mod encode;
mod fast;
mod high;
mod items;
mod join;
mod look;
mod pairs;
mod parts;
mod reach;
mod sink;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod table;
#[cfg(test)]
mod tests;
mod ways;

pub use decode::Job;
pub(super) use decode::is_short;
pub use pairs::Pairs;

use super::sections::{Ability, Kind, PIECE, Section, Sections};
use super::{Dict, StreamParams, bad_stream, dict::Digest};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use join::Joined;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{NonNull, null};

/// `LZ4_stream_t` or `LZ4_streamHC_t`; only pointers to it are used.
type Stream = c_void;

// The functions that lz4-sys builds but does not declare, and those that take a stream.
unsafe extern "C" {
    fn LZ4_versionString() -> *const c_char;
    fn LZ4_sizeofState() -> c_int;
    fn LZ4_createStream() -> *mut Stream;
    fn LZ4_freeStream(stream: *mut Stream) -> c_int;
    fn LZ4_initStream(buffer: *mut Stream, size: usize) -> *mut Stream;
    fn LZ4_resetStream_fast(stream: *mut Stream);
    fn LZ4_loadDict(stream: *mut Stream, dict: *const c_char, len: c_int) -> c_int;
    fn LZ4_attach_dictionary(working: *mut Stream, dictionary: *const Stream);
    fn LZ4_compress_fast_continue(
        stream: *mut Stream,
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
        acceleration: c_int,
    ) -> c_int;
    fn LZ4_compress_fast_extState_fastReset(
        state: *mut Stream,
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
        acceleration: c_int,
    ) -> c_int;
    fn LZ4_compress_fast_extState(
        state: *mut Stream,
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
        acceleration: c_int,
    ) -> c_int;
    fn LZ4_createStreamHC() -> *mut Stream;
    fn LZ4_freeStreamHC(stream: *mut Stream) -> c_int;
    fn LZ4_resetStreamHC_fast(stream: *mut Stream, level: c_int);
    fn LZ4_loadDictHC(stream: *mut Stream, dict: *const c_char, len: c_int) -> c_int;
    fn LZ4_attach_HC_dictionary(working: *mut Stream, dictionary: *const Stream);
    fn LZ4_compress_HC_continue(
        stream: *mut Stream,
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
    ) -> c_int;
    fn LZ4_compress_HC_extStateHC_fastReset(
        state: *mut Stream,
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
        level: c_int,
    ) -> c_int;
    fn LZ4_decompress_safe_usingDict(
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        dst_len: c_int,
        dict: *const c_char,
        dict_len: c_int,
    ) -> c_int;
}

/// The library's version.
pub fn version() -> &'static str {
    // SAFETY: the function returns a static string that ends in a zero.
    unsafe { CStr::from_ptr(LZ4_versionString()) }.to_str().unwrap_or("unknown")
}

/// Tables of the fast mode, owned.
pub(super) struct Fast(NonNull<Stream>);

/// Tables of the high compression mode, owned.
pub(super) struct High(NonNull<Stream>);

// SAFETY: liblz4's streams are plain memory, tied to no thread.
unsafe impl Send for Fast {}
// SAFETY: through a shared reference the tables are only read (as an attached dictionary).
unsafe impl Sync for Fast {}
// SAFETY: as for Fast.
unsafe impl Send for High {}
// SAFETY: as for Fast.
unsafe impl Sync for High {}

impl Fast {
    fn new() -> Result<Self> {
        // SAFETY: no preconditions; null is handled.
        NonNull::new(unsafe { LZ4_createStream() }).map(Fast).ok_or_else(no_memory)
    }

    /// Tables over a dictionary. They refer to `dict`: it has to stay in its place as long as they are used.
    pub(super) fn of_dict(dict: &[u8]) -> Result<Self> {
        let len = c_len(dict)?;
        let stream = Fast::new()?;
        // SAFETY: a fresh stream and `len` readable bytes.
        unsafe { LZ4_loadDict(stream.0.as_ptr(), dict.as_ptr().cast(), len) };
        Ok(stream)
    }

    /// Makes the tables as new; liblz4 asks for that after a stream that did not fit.
    fn renew(&mut self) {
        // SAFETY: the stream is a live LZ4_stream_t, LZ4_sizeofState() bytes large.
        unsafe { LZ4_initStream(self.0.as_ptr(), LZ4_sizeofState() as usize) };
    }
}

impl Drop for Fast {
    fn drop(&mut self) {
        // SAFETY: the stream came from LZ4_createStream and is freed once.
        unsafe { LZ4_freeStream(self.0.as_ptr()) };
    }
}

impl High {
    fn new() -> Result<Self> {
        // SAFETY: no preconditions; null is handled.
        NonNull::new(unsafe { LZ4_createStreamHC() }).map(High).ok_or_else(no_memory)
    }

    /// Tables over a dictionary, for one level. They refer to `dict`: it has to stay in its place as long as they are
    /// used.
    pub(super) fn of_dict(dict: &[u8], clevel: u8) -> Result<Self> {
        let len = c_len(dict)?;
        let stream = High::new()?;
        // SAFETY: a fresh stream and `len` readable bytes.
        unsafe {
            LZ4_resetStreamHC_fast(stream.0.as_ptr(), c_int::from(clevel));
            LZ4_loadDictHC(stream.0.as_ptr(), dict.as_ptr().cast(), len);
        }
        Ok(stream)
    }

    /// Compresses; 0 when it does not fit. A stream that failed marks itself and is renewed by the next reset.
    fn compress(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (from, src_len, level) = (src.as_ptr().cast(), c_len(src)?, c_int::from(clevel));
        let (to, dst_len) = (dst.as_mut_ptr().cast(), room(dst));
        // SAFETY: an initialised stream that nobody else uses (&mut self), src_len readable bytes and dst_len writable ones.
        let written = unsafe {
            LZ4_compress_HC_extStateHC_fastReset(self.0.as_ptr(), from, to, src_len, dst_len, level)
        };
        Ok(usize::try_from(written).unwrap_or(0))
    }

    /// [`compress`](Self::compress), with the dictionary's level.
    fn compress_with(&mut self, clevel: u8, dict: &Dict, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let Digest::Lz4Hc(tables) = dict.digest() else { return Err(dict.mismatch("LZ4 HC")) };
        let (at, from, src_len) = (self.0.as_ptr(), src.as_ptr().cast(), c_len(src)?);
        // SAFETY: as in `compress`; the dictionary's tables live through the calls and are detached after them.
        let written = unsafe {
            LZ4_resetStreamHC_fast(at, c_int::from(clevel));
            LZ4_attach_HC_dictionary(at, tables.0.as_ptr());
            let written = LZ4_compress_HC_continue(at, from, dst.as_mut_ptr().cast(), src_len, room(dst));
            LZ4_attach_HC_dictionary(at, null());
            written
        };
        Ok(usize::try_from(written).unwrap_or(0))
    }

    /// [`compress`](Self::compress) of what lies behind the first `history` bytes of `src`, which matches may reach back to.
    fn compress_behind(&mut self, clevel: u8, history: usize, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (before, section) = src.split_at(history);
        let (at, before_len, section_len) = (self.0.as_ptr(), c_len(before)?, c_len(section)?);
        let to = dst.as_mut_ptr().cast();
        // SAFETY: as in `compress`; what liblz4 remembers of `src` is forgotten by the reset that each use begins with.
        let written = unsafe {
            LZ4_resetStreamHC_fast(at, c_int::from(clevel));
            LZ4_loadDictHC(at, before.as_ptr().cast(), before_len);
            LZ4_compress_HC_continue(at, section.as_ptr().cast(), to, section_len, room(dst))
        };
        Ok(usize::try_from(written).unwrap_or(0))
    }

    /// [`compress`](Self::compress), without a search where a look tells that there are no matches. `None` when it does not
    /// fit.
    fn compress_in_sections(
        &mut self,
        clevel: u8,
        sections: &mut Sections,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let sections = sections.of(ABILITY, src);
        if let [Section { kind: Kind::Matches, .. }] = sections {
            return self.compress(clevel, src, dst).map(Some);
        }
        let (mut joined, mut begin) = (Joined::begin(src, dst), 0);
        for section in sections {
            let range = begin..section.end;
            let history = match section.kind {
                Kind::Stored | Kind::Codes => None,
                Kind::Matches => Some(0),
                Kind::Continued => Some(begin.min(ABILITY.window)),
            };
            begin = section.end;
            let Some(history) = history else { continue };
            let Some(room) = joined.room(range.start) else { return Ok(None) };
            let len = match history {
                0 => self.compress(clevel, &src[range.clone()], room)?,
                _ => self.compress_behind(clevel, history, &src[range.start - history..range.end], room)?,
            };
            if len == 0 || joined.join(range, len).is_none() {
                return Ok(None);
            }
        }
        Ok(joined.end())
    }
}

impl Drop for High {
    fn drop(&mut self) {
        // SAFETY: the stream came from LZ4_createStreamHC and is freed once.
        unsafe { LZ4_freeStreamHC(self.0.as_ptr()) };
    }
}

/// What is not longer has no matches: liblz4 only wraps it.
const HOPELESS: usize = 12;
/// liblz4 keeps its table from one stream to the next where they are shorter than this.
const SHORT: usize = 4096;

/// Room for the stream of [`SHORT`] bytes, be they what they may (`LZ4_COMPRESSBOUND`).
const ROOM: usize = SHORT + SHORT / 255 + 16;

/// Up to that level, the high compression mode is fast, too: sooner done than a look for noise.
pub(super) const SOON: u8 = 2;
/// What the high compression mode can do.
pub(super) const ABILITY: Ability = Ability {
    // There are no codes.
    uneven: Kind::Stored,
    // At the beginning of a block, little has stood before that could be repeated.
    shortest: 4 * PIECE,
    little: 12,
    worth_telling: 1,
    glances: 3,
    window: u16::MAX as usize,
};

/// What a thread keeps for LZ4.
#[derive(Default)]
pub struct State {
    /// Where short streams are compressed to, be they long enough for their place or not: a stream that does not fit
    /// would spoil the table, and clearing that costs more than compressing.
    short: Option<Box<[u8; ROOM]>>,
    writer: fast::Writer,
    fast: Option<Fast>,
    /// Whether the last stream of the fast mode did not fit, which leaves its table in disorder.
    spoiled: bool,
    high_writer: high::Writer,
    high: Option<High>,
    sections: Sections,
}

impl State {
    /// Compresses in the fast mode: the higher the level, the less liblz4 skips. 0 when it does not fit.
    pub fn compress(&mut self, p: &StreamParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let &StreamParams { clevel, dict, .. } = p;
        if src.len() <= HOPELESS && dst.len() < src.len() {
            return Ok(0);
        }
        let acceleration = usize::from(acceleration(clevel));
        if dict.is_none()
            && let Some(len) = self.writer.compress(p, acceleration, src, dst)
        {
            return Ok(len);
        }
        if src.len() < SHORT && dst.len() <= src.len() {
            let mut room = self.short.take().unwrap_or_else(|| Box::new([0; ROOM]));
            let written = self.compress_into(clevel, dict, src, &mut room[..]);
            let place = written.as_ref().ok().and_then(|&len| dst.get_mut(..len));
            let fits = place.map(|place| place.copy_from_slice(&room[..place.len()])).is_some();
            self.short = Some(room);
            return written.map(|len| if fits { len } else { 0 });
        }
        self.compress_into(clevel, dict, src, dst)
    }

    fn compress_into(
        &mut self,
        clevel: u8,
        dict: Option<&Dict>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<usize> {
        let (src_len, dst_len) = (c_len(src)?, room(dst));
        let acceleration = c_int::from(acceleration(clevel));
        let stream = match &mut self.fast {
            Some(stream) => stream,
            none => none.insert(Fast::new()?),
        };
        // For a long stream, liblz4 would empty the table in any case; the function that makes it anew is quicker.
        let makes_anew = dict.is_none() && src.len() >= SHORT;
        if self.spoiled && !makes_anew {
            stream.renew();
        }
        let at = stream.0.as_ptr();
        let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
        let written = match dict {
            None => {
                let compress = if makes_anew {
                    LZ4_compress_fast_extState
                } else {
                    LZ4_compress_fast_extState_fastReset
                };
                // SAFETY: a stream that nobody else uses (&mut self), in order or to be made anew, src_len readable bytes
                // and dst_len writable ones.
                unsafe { compress(at, from, to, src_len, dst_len, acceleration) }
            }
            Some(dict) => {
                let Digest::Lz4(tables) = dict.digest() else { return Err(dict.mismatch("LZ4")) };
                // SAFETY: as above; the dictionary's tables live through the calls and are detached after them.
                unsafe {
                    LZ4_resetStream_fast(at);
                    LZ4_attach_dictionary(at, tables.0.as_ptr());
                    let written = LZ4_compress_fast_continue(at, from, to, src_len, dst_len, acceleration);
                    // Forget where the source and the dictionary were.
                    LZ4_resetStream_fast(at);
                    written
                }
            }
        };
        self.spoiled = written <= 0;
        Ok(usize::try_from(written).unwrap_or(0))
    }

    /// Compresses in the high compression mode, as thoroughly as liblz4's level of the same number. 0 when it does not fit.
    pub fn compress_hc(&mut self, p: &StreamParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let &StreamParams { clevel, dict, .. } = p;
        if dict.is_none() && high::is_written_here(p, src) {
            return Ok(self.high_writer.compress(clevel, &mut self.sections, src, dst).unwrap_or(0));
        }
        let high = match &mut self.high {
            Some(high) => high,
            none => none.insert(High::new()?),
        };
        match dict {
            Some(dict) => high.compress_with(clevel, dict, src, dst),
            None if clevel <= SOON => high.compress(clevel, src, dst),
            None => Ok(high.compress_in_sections(clevel, &mut self.sections, src, dst)?.unwrap_or(0)),
        }
    }
}

/// How soon the fast mode gives up looking at each byte.
fn acceleration(clevel: u8) -> u8 {
    10u8.saturating_sub(clevel).max(1)
}

/// Decompresses a stream of either mode by liblz4; `None` when it is none, or holds more than `dst`.
pub(super) fn decompress_by_library(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (src_len, dst_len) = (c_len(src).ok()?, c_len(dst).ok()?);
    // SAFETY: src_len readable bytes and dst_len writable ones; liblz4 checks every access.
    let written = unsafe {
        lz4_sys::LZ4_decompress_safe(src.as_ptr().cast(), dst.as_mut_ptr().cast(), src_len, dst_len)
    };
    usize::try_from(written).ok()
}

/// Decompresses a stream of either mode that was compressed with a dictionary.
fn decompress_with(dict: &Dict, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let dict = dict.bytes();
    let (src_len, dst_len, dict_len) = (c_len(src)?, c_len(dst)?, c_len(dict)?);
    let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
    // SAFETY: src_len readable bytes, dst_len writable ones and dict_len readable ones; liblz4 checks every access.
    let written =
        unsafe { LZ4_decompress_safe_usingDict(from, to, src_len, dst_len, dict.as_ptr().cast(), dict_len) };
    usize::try_from(written).map_err(|_| bad_stream("LZ4", src.len()))
}

/// Decompresses a stream of either mode, or its beginning.
#[inline(always)]
pub fn decompress(p: &StreamParams, job: Job<'_>) -> Result<usize> {
    match p.dict {
        None => {
            let end = job.end;
            decode::decompress(p, job).ok_or_else(|| bad_stream("LZ4", end))
        }
        Some(dict) => decompress_with(dict, &job.src[..job.end], &mut job.dst[..job.len]),
    }
}

fn c_len(bytes: &[u8]) -> Result<c_int> {
    match c_int::try_from(bytes.len()) {
        Ok(len) => Ok(len),
        Err(_) => fail!(TwoGbLimit, "{} bytes are more than LZ4 takes", bytes.len()),
    }
}

/// As many bytes of `dst` as liblz4 can be told of.
fn room(dst: &[u8]) -> c_int {
    dst.len().min(c_int::MAX as usize) as c_int
}

fn no_memory() -> Error {
    Error::new(ErrorKind::MemoryAlloc, "no memory for LZ4's tables")
}
