//! Reading deflate (RFC 1951).
//!
//! While input and output have room to spare, copies write more than is meant, and what comes next overwrites the surplus. Near the
//! ends a plain loop takes over, which is exact. Nothing is kept of a stream but its [`table`]s: what matches repeat stands in the
//! output, all of which there is.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod codes;
mod source;
mod table;
#[cfg(test)]
mod tests;

use super::block::{FIXED_CODES, HEAD_BITS, LAST, OWN_CODES, STORED};
use crate::base::cpu::{self, Simd};
use crate::codec::copy;
use codes::Tables;
use source::Source;
use std::hint::cold_path;
use table::Entry;

/// So many literals are written before it is asked for room again.
const LITERALS: usize = 3;

/// What a thread keeps for it.
#[derive(Default)]
pub(super) struct Inflate {
    tables: Option<Box<Tables>>,
}

/// How far a stream was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inflated {
    /// How many bytes of the output stand.
    pub filled: usize,
    /// Where in the input the stream ends; `None` when the output was full before.
    pub end: Option<usize>,
}

/// Why codes are read no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// The block ends.
    Block,
    /// The output is full, and there is more.
    Full,
    /// Too little is left of the input or the output for wide copies.
    Near,
}

impl Inflate {
    /// Reads a stream, or its beginning, as much as `dst` has room for. `None` when it is none.
    pub fn read(&mut self, src: &[u8], dst: &mut [u8]) -> Option<Inflated> {
        self.read_by(cpu::simd(), src, dst)
    }

    /// [`Inflate::read`] by the instructions of a level.
    fn read_by(&mut self, simd: Simd, src: &[u8], dst: &mut [u8]) -> Option<Inflated> {
        let tables = self.tables.get_or_insert_default();
        let mut source = Source::new(src);
        let mut filled = 0;
        loop {
            source.refill();
            let head = u64::from(source.take(HEAD_BITS)?);
            let stop = match head & !LAST {
                STORED => stored(&mut source, dst, &mut filled)?,
                FIXED_CODES => {
                    tables.fix()?;
                    coded(simd, tables, &mut source, dst, &mut filled)?
                }
                OWN_CODES => {
                    tables.read(&mut source)?;
                    coded(simd, tables, &mut source, dst, &mut filled)?
                }
                _ => return None,
            };
            if stop == Stop::Full {
                return Some(Inflated { filled, end: None });
            }
            if head & LAST != 0 {
                return Some(Inflated { filled, end: Some(source.reached()) });
            }
        }
    }
}

/// Reads a block that is stored.
fn stored(source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    let len = source.stored()?;
    let room = &mut dst[*filled..];
    let here = len.min(room.len());
    room[..here].copy_from_slice(source.bytes(here)?);
    *filled += here;
    Some(if here < len { Stop::Full } else { Stop::Block })
}

/// Reads a block of codes: as long as both sides have room by the instructions of a level, then symbol by symbol.
fn coded(
    simd: Simd,
    tables: &Tables,
    source: &mut Source,
    dst: &mut [u8],
    filled: &mut usize,
) -> Option<Stop> {
    let stop = match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 if avx2::is_there() => avx512::fast(tables, source, dst, filled),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 if avx2::is_there() => avx2::fast(tables, source, dst, filled),
        _ => plain(tables, source, dst, filled),
    }?;
    if stop == Stop::Near { exact(tables, source, dst, filled) } else { Some(stop) }
}

#[inline(never)]
fn plain(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    rounds::<Plain>(tables, source, dst, filled)
}

/// How matches are copied.
trait Repeats {
    /// Appends `len` bytes to the first `filled`, behind which there is [room](copy::ROOM), each equal to the one `distance` before
    /// it, 1 at least. `None` when there is none, or when they do not fit.
    fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()>;
}

/// The definition.
struct Plain;

impl Repeats for Plain {
    #[inline(always)]
    fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
        copy::repeat_apart(dst, filled, distance, len)
    }
}

/// Reads as long as both sides have room, as it is compiled for each level of instructions.
#[inline(always)]
fn rounds<R: Repeats>(
    tables: &Tables,
    source: &mut Source,
    dst: &mut [u8],
    filled: &mut usize,
) -> Option<Stop> {
    // Copies, which stay in registers.
    let (mut bits, mut at) = (source.clone(), *filled);
    let roomy = copy::roomy(dst).saturating_sub(LITERALS);
    if at >= roomy || !bits.refill_word() {
        return Some(Stop::Near);
    }
    // It is always looked up before more bits are fetched, as to wait for those would take longer: of 56, three literals take 30,
    // two and a length 40, then a distance 28, so that there are enough for the look.
    let mut next = tables.symbol(&bits);
    let stop = 'rounds: loop {
        'symbol: {
            let mut entry = next;
            let mut literals = 0;
            while entry.is_literal() && literals < LITERALS {
                put(dst, &mut at, &mut bits, entry);
                literals += 1;
                entry = tables.symbol(&bits);
            }
            if literals == LITERALS {
                next = entry;
                break 'symbol;
            }
            if entry.is_special() {
                entry = tables.long_symbol(entry, &bits)?;
                if entry.is_literal() {
                    put(dst, &mut at, &mut bits, entry);
                    next = tables.symbol(&bits);
                    break 'symbol;
                }
                if entry.is_special() {
                    bits.skip(entry.bits());
                    break 'rounds Stop::Block;
                }
            }
            let len = entry.number_in(bits.peek());
            bits.skip(entry.bits());
            let mut entry = tables.distance(&bits);
            if !bits.refill_word() {
                cold_path();
                bits.refill();
            }
            if entry.is_special() {
                entry = tables.long_distance(entry, &bits)?;
            }
            if !bits.has(entry.bits()) {
                cold_path();
                return None;
            }
            let distance = entry.number_in(bits.peek());
            bits.skip(entry.bits());
            next = tables.symbol(&bits);
            if dst.len() - at < len + copy::ROOM {
                cold_path();
                break 'rounds repeat_to_end(dst, &mut at, distance, len)?;
            }
            R::repeat(dst, at, distance, len)?;
            at += len;
        }
        if !bits.refill_word() || at >= roomy {
            break 'rounds Stop::Near;
        }
    };
    *source = bits;
    *filled = at;
    Some(stop)
}

/// Writes a literal.
#[inline(always)]
fn put(dst: &mut [u8], at: &mut usize, bits: &mut Source, entry: Entry) {
    dst[*at] = entry.byte();
    *at += 1;
    bits.skip(entry.bits());
}

/// Reads symbol by symbol.
#[inline(never)]
fn exact(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    loop {
        source.refill();
        let mut entry = tables.symbol(source);
        if entry.is_special() {
            entry = tables.long_symbol(entry, source)?;
        }
        if entry.is_literal() {
            let Some(byte) = dst.get_mut(*filled) else {
                // Whether there is more, only a whole code tells.
                return source.has(entry.bits()).then_some(Stop::Full);
            };
            source.take(entry.bits())?;
            *byte = entry.byte();
            *filled += 1;
            continue;
        }
        let len = entry.number_in(source.peek());
        source.take(entry.bits())?;
        if entry.is_special() {
            return Some(Stop::Block);
        }
        source.refill();
        let mut entry = tables.distance(source);
        if entry.is_special() {
            entry = tables.long_distance(entry, source)?;
        }
        let distance = entry.number_in(source.peek());
        source.take(entry.bits())?;
        let stop = repeat_to_end(dst, filled, distance, len)?;
        if stop == Stop::Full {
            return Some(stop);
        }
    }
}

/// Repeats as much as there is room for.
#[inline(never)]
fn repeat_to_end(dst: &mut [u8], filled: &mut usize, distance: usize, len: usize) -> Option<Stop> {
    let here = len.min(dst.len() - *filled);
    copy::repeat_exactly(dst, *filled, distance, here)?;
    *filled += here;
    Some(if here < len { Stop::Full } else { Stop::Near })
}
