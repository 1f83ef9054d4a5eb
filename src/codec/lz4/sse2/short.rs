//! Taking the sequences of one short stream. What such streams want is that little is made ready, and that little is waited for: all
//! that is kept are two places, nothing is lent, and matches are copied in words, as narrow as most that was written before.

use super::lanes::items_behind;
use super::{DISTANCE, more, place_apart};
use crate::codec::copy::sse2::{Registers, STEP, Sse2, copy, few_by_eight};
use crate::codec::copy::{Mostly, ROOM, repeat_exactly};
use crate::codec::lz4::decode::{Job, LITERALS, MORE, Place, SHORTEST, end};
use crate::codec::lz4::items::is_item;
use std::hint::cold_path;

/// Bytes of a word.
const WORD: usize = 8;
/// So many bytes near the end are sooner repeated one by one than by a call.
const FEW: usize = 8;
/// So many bytes are filled with an eye on items, and so many without.
const GLANCE: usize = 512;
const STRETCH: usize = 8 << 10;
/// Bytes of a stream that are there when a sequence is taken at once: a token, literals, and the token behind.
const LEFT: usize = 1 + LITERALS + 1;
/// Bytes of the output that are there then, near the end: literals that a token tells, and a match that it tells, of whole words.
const PLACE: usize = 32;
const _: () =
    assert!(LITERALS > MORE && PLACE >= (MORE - 1) + (MORE - 1 + SHORTEST) && ROOM >= MORE - 1 + 32);

/// Decompresses a stream, and tells how many bytes were written; `None` when it is none, or holds more than its place.
#[inline(never)]
pub(in crate::codec::lz4) fn read(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    rest(src, dst, Place::default())
}

/// [`read`], with an eye on items, which are taken together; where a few hundred bytes have none, those behind them are taken without,
/// and it is looked again later.
#[inline(never)]
pub(in crate::codec::lz4) fn read_items(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut place = Place::default();
    loop {
        let mut until = place.filled + GLANCE;
        while let Some(Item { head, distance }) = far::<true>(src, dst, &mut place, until)? {
            place = behind(src, dst, place, head, distance)?;
            until = usize::MAX;
        }
        until = place.filled + STRETCH;
        let _ = far::<false>(src, dst, &mut place, until)?;
        if place.filled < until {
            return rest(src, dst, place);
        }
    }
}

/// [`read`] from `place` on.
#[inline(always)]
fn rest(src: &[u8], dst: &mut [u8], mut place: Place) -> Option<usize> {
    let _ = far::<false>(src, dst, &mut place, usize::MAX)?;
    to_end(src, dst, place)
}

/// A sequence that is an item, and that another one may follow.
struct Item {
    head: u8,
    distance: usize,
}

/// [`items_behind`], where nothing is lent.
#[cold]
#[inline(never)]
fn behind(src: &[u8], dst: &mut [u8], place: Place, head: u8, distance: usize) -> Option<Place> {
    let (end, len) = (src.len(), dst.len());
    items_behind(&mut Job { src, end, dst, len, enough: usize::MAX }, place, head, distance)
}

/// Takes sequences from `place` on as long as the ends are far and less than `until` is filled, and moves it there; or behind an item, if these are looked for.
///
/// No match begins so far behind that it would be asked where the last one did.
#[inline(always)]
fn far<const ITEMS: bool>(
    src: &[u8],
    dst: &mut [u8],
    place: &mut Place,
    until: usize,
) -> Option<Option<Item>> {
    let (Some(last), Some(full)) = (src.len().checked_sub(LEFT), dst.len().checked_sub(ROOM)) else {
        return Some(None);
    };
    let full = full.min(until);
    if place.at > last || place.filled > full {
        return Some(None);
    }
    let (begin, start) = (src.as_ptr(), dst.as_mut_ptr());
    let (mut at, mut to) = (begin.wrapping_add(place.at), start.wrapping_add(place.filled));
    // At these, `LEFT` and `ROOM` are there for the last time.
    let (last, full) = (begin.wrapping_add(last), start.wrapping_add(full).cast_const());
    let mut item = None;
    while to.cast_const() <= full {
        // SAFETY: there are `LEFT` bytes at `place`, and a byte behind each sequence that is taken.
        let head = unsafe { *at };
        let mut literals = usize::from(head >> 4);
        let behind;
        if literals < MORE {
            if at > last {
                break;
            }
            // SAFETY: `LEFT` bytes are there to read, `ROOM` to write.
            unsafe {
                copy::<LITERALS>(at.add(1), to);
                behind = place_apart(at.add(1 + DISTANCE)).add(literals);
            }
        } else {
            cold_path();
            // SAFETY: there is a byte at `at`.
            let (bytes, told) = more_at(unsafe { at.add(1) }, src)?;
            literals += told;
            if bytes.addr() + literals + STEP > src.as_ptr_range().end.addr()
                || to.addr() + literals > full.addr()
            {
                break;
            }
            // SAFETY: just asked: each step begins before `literals`, and one is more than a distance and a token.
            unsafe {
                let mut done = 0;
                while done < literals {
                    copy::<STEP>(bytes.add(done), to.add(done));
                    done += STEP;
                }
                behind = bytes.add(literals + DISTANCE);
            }
        }
        // SAFETY: a distance is in front of `behind`; literals end before `full`, or so few behind it that `ROOM` is more.
        let (distance, repeat_to) = unsafe {
            (usize::from(behind.sub(DISTANCE).cast::<u16>().read_unaligned().to_le()), to.add(literals))
        };
        if distance.wrapping_sub(1) >= repeat_to.addr() - start.addr() {
            return None;
        }
        let mut len = usize::from(head) & MORE;
        if len < MORE {
            len += SHORTEST;
            // SAFETY: so far back there are bytes; half of `ROOM` is there to write.
            unsafe {
                if distance >= WORD {
                    few_by_eight(repeat_to, distance);
                } else {
                    Sse2::few(Mostly::Near, repeat_to, distance, len);
                }
                (at, to) = (behind, repeat_to.add(len));
            }
            // SAFETY: a byte is at `behind`.
            if ITEMS && is_item(head, distance) && unsafe { *at } == head {
                cold_path();
                item = Some(Item { head, distance });
                break;
            }
        } else {
            cold_path();
            let (behind, told) = more_at(behind, src)?;
            len += SHORTEST + told;
            if repeat_to.addr() + len > full.addr() || behind == src.as_ptr_range().end {
                break;
            }
            // SAFETY: just asked; so far back there are bytes.
            unsafe {
                Sse2::many(repeat_to, distance, len);
                (at, to) = (behind, repeat_to.add(len));
            }
        }
    }
    *place = Place { at: at.addr() - begin.addr(), filled: to.addr() - start.addr(), ..*place };
    Some(item)
}

/// What the length bytes at `at` add up to, and the place behind them, which is not behind the end of `src`.
#[inline(always)]
fn more_at(mut at: *const u8, src: &[u8]) -> Option<(*const u8, usize)> {
    let end = src.as_ptr_range().end;
    let mut len = 0;
    while at < end {
        // SAFETY: `at` is in the stream, where it was and after each step.
        let byte = unsafe { *at };
        // SAFETY: as above.
        at = unsafe { at.add(1) };
        len += usize::from(byte);
        if byte != 255 {
            return Some((at, len));
        }
    }
    None
}

/// Takes sequences from `place` to the end: at once what a token tells, as long as there is room, and all else exactly.
#[inline(always)]
fn to_end(src: &[u8], dst: &mut [u8], place: Place) -> Option<usize> {
    let Place { mut at, mut filled, mut matched } = place;
    loop {
        let head = usize::from(*src.get(at)?);
        at += 1;
        let (literals, len) = (head >> 4, head & MORE);
        let distance;
        if literals < MORE && src.len() - at >= LEFT && dst.len() - filled >= PLACE {
            let from = src.as_ptr();
            // SAFETY: just asked. A distance is behind so few literals.
            unsafe {
                copy::<LITERALS>(from.add(at), dst.as_mut_ptr().add(filled));
                distance = usize::from(from.add(at + literals).cast::<u16>().read_unaligned().to_le());
            }
            at += literals + DISTANCE;
            filled += literals;
            if distance.wrapping_sub(1) >= filled {
                return None;
            }
            if len < MORE && distance >= WORD {
                // SAFETY: so far back there are bytes; of `PLACE`, less than `MORE` are literals.
                unsafe { few_by_eight(dst.as_mut_ptr().add(filled), distance) };
                matched = filled;
                filled += len + SHORTEST;
                continue;
            }
        } else {
            let literals = length(src, &mut at, literals)?;
            let bytes = src.get(at..)?.get(..literals)?;
            dst.get_mut(filled..)?.get_mut(..literals)?.copy_from_slice(bytes);
            at += literals;
            if at == src.len() {
                return end(dst.len(), matched, filled, literals);
            }
            filled += literals;
            distance = usize::from(u16::from_le_bytes(*src.get(at..)?.first_chunk()?));
            at += DISTANCE;
            if distance.wrapping_sub(1) >= filled {
                return None;
            }
        }
        let len = length(src, &mut at, len)? + SHORTEST;
        matched = filled;
        if distance >= WORD && len + WORD <= dst.len() - filled {
            let to = dst.as_mut_ptr();
            let mut done = 0;
            while done < len {
                // SAFETY: just asked: each word begins before `len`.
                unsafe { copy::<WORD>(to.add(filled + done - distance), to.add(filled + done)) };
                done += WORD;
            }
        } else if len <= FEW && len <= dst.len() - filled {
            for at in filled..filled + len {
                dst[at] = dst[at - distance];
            }
        } else {
            repeat_exactly(dst, filled, distance, len)?;
        }
        filled += len;
    }
}

/// A length whose four bits of the token are `bits`; other bytes of it are at `at`.
#[inline(always)]
fn length(src: &[u8], at: &mut usize, bits: usize) -> Option<usize> {
    if bits == MORE { Some(MORE + more(src, at, src.len() - 1)?) } else { Some(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::{self, Simd};
    use crate::base::random::Random;
    use crate::codec::State;
    use crate::codec::lz4::decode::{decompress_at, decompress_from};
    use crate::codec::lz4::tests::{data, levels, variants};
    use crate::codec::tests::{items_of, packed};

    /// What is read of a stream to a place of `n` bytes, behind which nothing is written.
    fn within(n: usize, how: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<Vec<u8>> {
        const BEHIND: [u8; ROOM] = [0xaa; ROOM];
        let mut dst = [vec![0xaa; n].as_slice(), &BEHIND].concat();
        let len = how(&mut dst[..n]);
        assert_eq!(dst[n..], BEHIND, "behind {n} bytes");
        len.map(|len| dst[..len].to_vec())
    }

    #[test]
    fn short_streams_are_read_as_kernels_read_them() {
        let (mut st, mut rng) = (State::default(), Random::new(55));
        let (mut whole, mut refused) = (0, 0);
        for n in (13..300).step_by(7).chain([383, 384, 600, 767, 768, 2000, 8192, 30_000]) {
            for data in data(&mut rng, n) {
                let Some(mut stream) = packed(&variants()[0], &mut st, &data) else { continue };
                for damaged in 0..8 {
                    if damaged > 0 {
                        let at = rng.below(stream.len());
                        stream[at] = rng.next() as u8 * rng.below(2) as u8;
                    }
                    let (src, end) = (&stream, stream.len());
                    let short = within(n, |dst| read(src, dst));
                    assert!(damaged > 0 || short.as_ref() == Some(&data), "{n} bytes");
                    whole += usize::from(short.is_some());
                    refused += usize::from(short.is_none());
                    assert!(within(n, |dst| read_items(src, dst)) == short, "with items, {stream:?} in {n}");
                    for p in variants() {
                        for simd in levels() {
                            let ours = within(n, |dst| {
                                let job = Job { src, end, dst, len: n, enough: usize::MAX };
                                decompress_from(simd, &p, job, Place::default())
                            });
                            assert!(ours == short, "{simd:?}, {:?}, {stream:?} in {n}", p.made_of);
                        }
                        let chosen = within(n, |dst| {
                            let job = Job { src, end, dst, len: n, enough: usize::MAX };
                            decompress_at(cpu::simd(), &p, job)
                        });
                        assert!(cpu::simd() == Simd::Scalar || chosen == short, "{stream:?} in {n}");
                    }
                }
            }
        }
        assert!(whole > 500 && refused > 500, "{whole} read, {refused} refused");
    }

    #[test]
    fn items_between_others_are_read_as_all_else() {
        let (mut st, mut rng) = (State::default(), Random::new(8));
        let (mut whole, mut refused) = (0, 0);
        for _ in 0..60 {
            let n = STRETCH + rng.below(3 * STRETCH);
            let mut src = Vec::new();
            while src.len() < n {
                let len = 100 + rng.below(STRETCH);
                match rng.below(3) {
                    0 => src.extend(items_of(&mut rng, len / 8, 8)),
                    1 => src.extend((0..len / 8).flat_map(|_| (rng.below(5000) as u64).to_le_bytes())),
                    _ => src.extend(rng.bytes(len / 10)),
                }
            }
            let Some(mut stream) = packed(&variants()[0], &mut st, &src) else { continue };
            assert!(within(src.len(), |dst| read_items(&stream, dst)).as_ref() == Some(&src));
            for _ in 0..20 {
                let at = rng.below(stream.len());
                stream[at] = stream[at].wrapping_add(1 + rng.below(3) as u8);
                let told = within(src.len(), |dst| read(&stream, dst));
                whole += usize::from(told.is_some());
                refused += usize::from(told.is_none());
                assert!(within(src.len(), |dst| read_items(&stream, dst)) == told);
            }
        }
        assert!(whole > 100 && refused > 300, "{whole} read, {refused} refused");
    }

    #[test]
    fn streams_that_are_cut_or_fill_less_than_their_place_are_read_as_the_plain_loop_reads_them() {
        let (mut st, mut rng) = (State::default(), Random::new(7));
        for n in [20, 64, 90, 200] {
            for data in data(&mut rng, n) {
                let Some(stream) = packed(&variants()[0], &mut st, &data) else { continue };
                for end in 0..=stream.len() {
                    for place in [n / 2, n - 1, n, n + 1, n + 70] {
                        let src = &stream[..end];
                        let told = within(place, |dst| {
                            let job = Job { src, end, dst, len: place, enough: usize::MAX };
                            decompress_from(Simd::Scalar, &variants()[0], job, Place::default())
                        });
                        assert!(within(place, |dst| read(src, dst)) == told, "{src:?} in {place}");
                        assert!(
                            within(place, |dst| read_items(src, dst)) == told,
                            "items, {src:?} in {place}"
                        );
                    }
                }
            }
        }
    }
}
