//! Reading LZ4 streams, of either mode.
//!
//! A stream is a sequence of: a token; literals, as many as its upper four bits say; two bytes, how far back a match begins;
//! the match, as long as the lower four bits say, and four more. Where four bits are all ones, length bytes follow them, up
//! to one that is not 255. The last sequence ends with its literals, five or more where there was a match; no match begins
//! in the last twelve bytes. liblz4 holds streams to that, and so does this.
//!
//! While input and output have room to spare, copies write a fixed number of bytes, more than is meant, and what comes next
//! overwrites the surplus: that is the kernels' part, of which [`scalar`] is the definition. Near the ends a plain loop takes
//! over, which is exact. Short streams are mostly ends: so who knows of bytes behind a stream, and behind the place that it goes
//! to, lends them ([`Job`]).

use super::decompress_by_library;
use super::items::is_item;
use super::parts;
use super::ways::{self, Manner, Way};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, sse2};
use crate::base::cpu::{self, Simd};
use crate::codec::items::{Shape, follow};
use crate::codec::{MadeOf, StreamParams, copy};

/// So many bytes at the end are literals.
const LAST_LITERALS: usize = 5;
/// So many bytes are at the end behind where the last match begins.
pub(super) const LAST_MATCH: usize = 12;
/// What four bits of a token say where length bytes follow.
pub(super) const MORE: usize = 15;
/// The shortest match.
pub(super) const SHORTEST: usize = 4;
/// What is looked at together: a token, as many literals as it can tell, a distance, a length byte; and behind these, as much as
/// keeps the end of the stream away.
pub(super) const AHEAD: usize = 32;
/// Fewer bytes at the end of a stream are sooner read where they are.
const WORTH_COPYING: usize = 8;
/// Longer matches that repeat [`WORD`] bytes or more over and over are left to copies that become ever longer: a processor waits
/// for what lies in two stores of a moment ago. What lies farther back than that is repeated as other matches are.
pub(super) const OFTEN: usize = 256;
/// What repeats fewer bytes is in one register.
pub(super) const WORD: usize = 16;
/// Literals are copied so many at a time.
pub(super) const LITERALS: usize = 16;

/// A stream, the place that it goes to, and how much of it is asked for. Bytes behind both may be lent: a kernel reads and changes
/// them, which spares it care at the ends.
pub struct Job<'a> {
    /// The stream and what follows it.
    pub src: &'a [u8],
    /// Where the stream ends.
    pub end: usize,
    /// The output and what follows it.
    pub dst: &'a mut [u8],
    /// Where the output ends.
    pub len: usize,
    /// How many bytes of the output are enough; more than `len` for the whole stream.
    pub enough: usize,
}

/// Whether a stream of `len` bytes is read by a loop for short ones, which needs no bytes lent. In planes and bits, most matches come from
/// what was written just before, and copies of whole words wait for that: there, it is so only between few bytes and many.
#[inline(always)]
pub(in crate::codec) fn is_short(made_of: MadeOf, len: usize) -> bool {
    match made_of {
        MadeOf::Planes => 256..=512,
        MadeOf::Bits => 128..=2 << 10,
        MadeOf::Items => 0..=32 << 10,
        MadeOf::Numbers | MadeOf::Bytes => 0..=8 << 10,
    }
    .contains(&len)
}

/// Decompresses a stream, or its beginning, and tells how many bytes were written; `None` when it is none, or holds more than
/// its place.
///
/// # Panics
/// When the ends lie behind the bytes.
#[inline(always)]
pub fn decompress(p: &StreamParams, job: Job<'_>) -> Option<usize> {
    decompress_at(cpu::simd(), p, job)
}

/// [`decompress`] by the kernel of a level.
#[inline(always)]
pub fn decompress_at(simd: Simd, p: &StreamParams, job: Job<'_>) -> Option<usize> {
    if job.enough >= job.len {
        let (src, dst) = (&job.src[..job.end], &mut job.dst[..job.len]);
        #[cfg(target_arch = "x86_64")]
        if simd > Simd::Scalar && is_short(p.made_of, job.len) {
            return match p.made_of {
                MadeOf::Items => sse2::short::read_items(src, dst),
                _ => sse2::short::read(src, dst),
            };
        }
        if simd == Simd::Scalar && p.made_of != MadeOf::Items {
            // It is tuned for processors that we have no kernels for.
            return decompress_by_library(src, dst);
        }
    }
    decompress_from(simd, p, job, Place::default())
}

/// [`decompress_at`] of what is behind `start`.
#[inline(always)]
pub(super) fn decompress_from(simd: Simd, p: &StreamParams, job: Job<'_>, start: Place) -> Option<usize> {
    let mut copied;
    let mut job = job;
    // All of a short stream may be its end.
    let reached =
        if is_worth_copying(&job, start) { Reached::Near(start) } else { fast(simd, p, &mut job, start)? };
    let reached = match reached {
        // Too little is behind the end of the stream; a copy of the end has enough.
        Reached::Near(place) if is_worth_copying(&job, place) => {
            copied = [0; 2 * copy::ROOM];
            let rest = &job.src[place.at..job.end];
            copy_few(rest, &mut copied);
            (job.src, job.end) = (&copied, rest.len());
            fast(simd, p, &mut job, Place { at: 0, ..place })?
        }
        reached => reached,
    };
    match reached {
        Reached::End(len) => Some(len),
        Reached::Near(place) if place.filled >= job.enough && place.filled <= job.len => Some(place.filled),
        Reached::Near(place) => exact(&job.src[..job.end], &mut job.dst[..job.len], place, job.enough),
    }
}

/// Takes sequences from `place` on as long as both sides have room for wide copies.
#[inline(always)]
pub(super) fn fast(simd: Simd, p: &StreamParams, job: &mut Job<'_>, place: Place) -> Option<Reached> {
    let way = match p.made_of {
        MadeOf::Planes => Way::Planes,
        MadeOf::Bits => Way::Bytes,
        _ if place.at + parts::WORTH_A_LOOK <= job.end => return parts::fast(simd, p, job, place),
        MadeOf::Items => Way::PerhapsItems,
        MadeOf::Numbers | MadeOf::Bytes => Way::Bytes,
    };
    through(simd, way, job, place)
}

/// [`fast`], in some way.
#[inline(always)]
pub(super) fn through(simd: Simd, way: Way, job: &mut Job<'_>, mut place: Place) -> Option<Reached> {
    loop {
        match taken(simd, way, job, place)? {
            Taken::UpTo(reached) => return Some(reached),
            Taken::Repeat { distance, len, place: behind } => {
                copy::repeat_exactly(job.dst, behind.filled - len, distance, len)?;
                place = behind;
            }
        }
    }
}

/// [`through`], up to a match that repeats often.
#[inline(always)]
fn taken(simd: Simd, way: Way, job: &mut Job<'_>, place: Place) -> Option<Taken> {
    match (simd, way) {
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx512, Way::Bytes) => avx512::fast::<ways::Bytes>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx512, Way::Planes) => avx512::fast::<ways::Planes>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx512, Way::Far) => avx512::fast::<ways::Far>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx512, Way::PerhapsItems) => avx512::fast::<ways::PerhapsItems>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx512, Way::Items) => avx512::fast::<ways::Items>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx2, Way::Bytes) => avx2::fast::<ways::Bytes>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx2, Way::Planes) => avx2::fast::<ways::Planes>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx2, Way::Far) => avx2::fast::<ways::Far>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx2, Way::PerhapsItems) => avx2::fast::<ways::PerhapsItems>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Avx2, Way::Items) => avx2::fast::<ways::Items>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Sse2, Way::Bytes | Way::Planes | Way::Far) => sse2::fast::<ways::Bytes>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Sse2, Way::PerhapsItems) => sse2::fast::<ways::PerhapsItems>(job, place),
        #[cfg(target_arch = "x86_64")]
        (Simd::Sse2, Way::Items) => sse2::fast::<ways::Items>(job, place),
        (_, Way::Bytes | Way::Planes | Way::Far) => scalar::<ways::Bytes>(job, place),
        (_, Way::PerhapsItems | Way::Items) => scalar::<ways::Items>(job, place),
    }
}

/// Whether what is left of a stream is better copied before it is read.
#[inline(always)]
fn is_worth_copying(job: &Job<'_>, place: Place) -> bool {
    (place.at + WORTH_COPYING..place.at + copy::ROOM).contains(&job.end)
        && job.src.len() < place.at + copy::ROOM
        && place.filled + copy::ROOM <= job.dst.len()
}

/// Copies at least [`WORTH_COPYING`] bytes, and fewer than [`copy::ROOM`], to the front of `dst`: by two copies that may overlap,
/// which takes less time than a call.
#[inline(always)]
fn copy_few(src: &[u8], dst: &mut [u8; 2 * copy::ROOM]) {
    fn halves<const N: usize>(src: &[u8], dst: &mut [u8; 2 * copy::ROOM]) -> Option<()> {
        let (first, last) = (src.first_chunk::<N>()?, src.last_chunk::<N>()?);
        *dst.first_chunk_mut()? = *first;
        *dst.get_mut(src.len() - N..)?.first_chunk_mut()? = *last;
        Some(())
    }
    let copied = halves::<32>(src, dst).or_else(|| halves::<16>(src, dst)).or_else(|| halves::<8>(src, dst));
    debug_assert!(copied.is_some(), "{} bytes", src.len());
}

/// How far a stream is read.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// The next byte of the input: a token.
    pub(super) at: usize,
    /// How many bytes of the output stand.
    pub(super) filled: usize,
    /// Where in the output the last match began.
    pub(super) matched: usize,
}

/// Where wide copies have led.
pub(super) enum Reached {
    /// To the end of the stream, of so many bytes.
    End(usize),
    /// To where enough is there, or too little room.
    Near(Place),
}

/// How far a kernel went.
pub(super) enum Taken {
    /// As far as it can go.
    UpTo(Reached),
    /// To a match that is still to be copied: the last `len` bytes before `place`.
    Repeat { distance: usize, len: usize, place: Place },
}

impl Taken {
    /// To where enough is there, or too little room.
    pub(super) fn near(place: Place) -> Self {
        Taken::UpTo(Reached::Near(place))
    }
}

/// How long a stream's output is, if the stream may end so: with `literals` that go to `from`, where the last match began at
/// `matched`.
#[inline(always)]
pub(super) fn end(len: usize, matched: usize, from: usize, literals: usize) -> Option<usize> {
    let far =
        from == 0 || literals >= LAST_LITERALS && matched + LAST_MATCH <= len && from + LAST_LITERALS <= len;
    (far && from + literals <= len).then_some(from + literals)
}

/// The definition of [`fast`], which borrows nothing behind the ends.
#[inline(never)]
fn scalar<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    let (src, dst) = (&job.src[..job.end], &mut job.dst[..job.len]);
    let roomy = copy::roomy(dst);
    let enough = job.enough.min(roomy);
    let Place { at, mut filled, mut matched } = place;
    let mut rest = src.get(at..)?;
    while filled < enough
        && let Some([head, bytes @ ..]) = rest.first_chunk::<AHEAD>()
    {
        let begins = Place { at: src.len() - rest.len(), filled, matched };
        let token = usize::from(*head);
        let mut literals = token >> 4;
        rest = &rest[1..];
        if literals < MORE {
            copy::literals::<LITERALS>(dst, filled, bytes.first_chunk()?);
        } else {
            literals += more(&mut rest)?;
            if filled + literals + copy::ROOM > dst.len() || rest.len() < literals + AHEAD {
                return Some(Taken::near(begins));
            }
            dst[filled..filled + literals].copy_from_slice(&rest[..literals]);
        }
        rest = &rest[literals..];
        filled += literals;
        let distance = usize::from(u16::from_le_bytes(*rest.split_off(..2)?.as_array()?));
        let len = length(&mut rest, token & MORE)? + SHORTEST;
        if distance == 0 {
            return None;
        }
        copy::repeat_to_end(dst, roomy, filled, distance, len)?;
        matched = filled;
        filled += len;
        if W::ITEMS && is_item(*head, distance) && rest.first() == Some(head) {
            let shape = Shape { head: *head, literals, tail: distance as u32, tail_len: 2, distance };
            let (taken, now) = follow(rest, dst, filled, enough, &shape)?;
            rest = rest.get(taken..)?;
            (matched, filled) = (now - (distance - literals), now);
        }
    }
    Some(Taken::near(Place { at: src.len() - rest.len(), filled, matched }))
}

/// Takes sequences to the end, or until `enough` is filled.
#[inline(never)]
fn exact(src: &[u8], dst: &mut [u8], place: Place, enough: usize) -> Option<usize> {
    let Place { at, mut filled, mut matched } = place;
    let mut rest = src.get(at..)?;
    while filled < enough {
        let token = usize::from(*rest.split_off_first()?);
        let literals = length(&mut rest, token >> 4)?;
        dst.get_mut(filled..)?.get_mut(..literals)?.copy_from_slice(rest.split_off(..literals)?);
        if rest.is_empty() {
            return end(dst.len(), matched, filled, literals);
        }
        matched = filled + literals;
        let distance = usize::from(u16::from_le_bytes(*rest.split_off(..2)?.as_array()?));
        let len = length(&mut rest, token & MORE)? + SHORTEST;
        if distance == 0 {
            return None;
        }
        copy::repeat_exactly(dst, matched, distance, len)?;
        filled = matched + len;
    }
    Some(filled)
}

/// A length whose four bits of the token are `bits`.
pub(super) fn length(rest: &mut &[u8], bits: usize) -> Option<usize> {
    if bits == MORE { Some(bits + more(rest)?) } else { Some(bits) }
}

/// What the length bytes that `rest` begins with add up to.
#[inline(always)]
fn more(rest: &mut &[u8]) -> Option<usize> {
    let mut len = 0;
    loop {
        let byte = usize::from(*rest.split_off_first()?);
        len += byte;
        if byte != 255 {
            return Some(len);
        }
    }
}
